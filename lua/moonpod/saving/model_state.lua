-- model_state - all that training changes: weights, the optimizer's variables, random numbers, the place in the data.

local errors = require "moonpod.base.errors"
local header = require "moonpod.saving.header"
local metric_logs = require "moonpod.models.metric_logs"
local random = require "moonpod.func.random"
local tensor = require "moonpod.tensor"
local variable = require "moonpod.func.variable"
local weight_paths = require "moonpod.saving.weight_paths"
local weights = require "moonpod.saving.weights"

local model_state = {}

-- The optimizer that keeps the slots: that within one that scales losses.
local function inner_of(optimizer)
  return rawget(optimizer, "inner") or optimizer
end

-- The variables of metrics by path: all replicas' values, as one value a replica is what they go on from.
local function metric_entries(model)
  local list, used = {}, {}
  metric_logs.each(model, function(_, metric)
    for _, one in ipairs(metric.variables) do
      local path = "metrics/" .. one.name
      while used[path] do
        path = path .. "_"
      end
      used[path] = true
      list[#list + 1] = { path = path, variable = one }
    end
  end)
  return list
end

local function text_to_tensor(text)
  return tensor.new(text, { dtype = "uint8", shape = { #text } })
end

local function tensor_to_text(value)
  local parts, bytes = {}, value:totable()
  for i = 1, #bytes do
    parts[i] = string.char(bytes[i])
  end
  return table.concat(parts)
end

-- What file.write() takes of a model as it is now. Options: iterator (its position), extra (plain values for the
-- caller), optimizer (true: model.optimizer; another; or false), metrics (false), kind ("checkpoint"), values (more
-- plain values for the metadata).
function model_state.capture(model, options)
  options = errors.check_options(options, { iterator = true, extra = "list", optimizer = true, metrics = "boolean",
    kind = "string", values = "list" }, "model_state.capture")
  local list, entries = {}, weight_paths.of(model)
  weights.check_built(model, "save")
  for _, entry in ipairs(entries) do
    list[#list + 1] = { entry.path, entry.variable }
  end
  local optimizer = options.optimizer
  if optimizer == nil then
    optimizer = model.optimizer
  end
  local numbers = random.get_state()
  local state = { policy = model.dtype_policy.name, random = { seed = numbers.seed, count = numbers.count } }
  if optimizer then
    state.optimizer = { class_name = inner_of(optimizer).spec.class, built = inner_of(optimizer).built }
    for _, entry in ipairs(weight_paths.of_optimizer(optimizer, entries)) do
      list[#list + 1] = { entry.path, entry.variable }
    end
  end
  if numbers.generator then
    list[#list + 1] = { "random/generator", numbers.generator }
  end
  for _, entry in ipairs(options.metrics and metric_entries(model) or {}) do
    list[#list + 1] = { entry.path, variable.replica_values(entry.variable) }
  end
  if options.iterator then
    list[#list + 1] = { "iterator/state", text_to_tensor(options.iterator:state()) }
  end
  local values = { state = state, extra = options.extra }
  for key, value in pairs(options.values or {}) do
    values[key] = value
  end
  return { tensors = list, metadata = header.make(options.kind or "checkpoint", values, model._state.kept_metadata) }
end

-- ---- reading -------------------------------------------------------------------------------------------------------

-- The tensors of a file whose names begin with a part: name -> tensor, and the names.
local function below(read, part)
  local tensors, names = {}, {}
  for _, name in ipairs(read.names) do
    if part == nil and not weight_paths.is_reserved(name) or part and name:sub(1, #part) == part then
      tensors[name] = read.tensors[name]
      names[#names + 1] = name
    end
  end
  return tensors, names
end

local function compare(model, entries, tensors, names)
  local paths = {}
  for i, entry in ipairs(entries) do
    paths[i] = entry.path
  end
  return weights.compare(entries, tensors, weight_paths.match(model, paths, names))
end

local function refuse(read, model, what, differences)
  errors.raise("'%s' has the %s of another model than '%s'; nothing was loaded:\n%s", read.path or "the file", what,
    tostring(model.name), weights.describe(differences))
end

-- Makes an optimizer what it was before it was built.
local function unbuild(optimizer, count)
  local inner = inner_of(optimizer)
  for i = #inner.variables, count + 1, -1 do
    inner.variables[i] = nil
  end
  inner._state.slots, inner.built, inner.weights, optimizer.built = {}, false, nil, false
end

-- Finds what of a file goes into an optimizer, which is built where that of the file was. Returns pairs for
-- weights.assign(), and the slots that begin anew as the file's optimizer had none yet.
local function find_optimizer(read, model, optimizer, entries)
  local tensors, names = below(read, "optimizer/")
  if #names == 0 then
    errors.raise("'%s' has no state of an optimizer; nothing was loaded", read.path or "the file")
  end
  local inner = inner_of(optimizer)
  local count, anew = #inner.variables, {}
  local builds = not inner.built and (read.state.optimizer or {}).built == true
  if builds then
    optimizer:build(model:get_trainable_weights())
  end
  local own = weight_paths.of_optimizer(optimizer, entries)
  if inner.built and (read.state.optimizer or {}).built == false then
    for i = #own, 1, -1 do
      if not tensors[own[i].path] then
        anew[#anew + 1] = table.remove(own, i).variable
      end
    end
  end
  local found, differences = compare(model, own, tensors, names)
  if #differences > 0 then
    if builds then
      unbuild(optimizer, count)
    end
    refuse(read, model, "optimizer", differences)
  end
  return found, anew
end

local function find_random(read)
  local given, generator = read.state.random, read.tensors["random/generator"]
  if not given then
    return nil
  end
  local function is_count(value)
    return type(value) == "number" and value >= 0 and value <= 2 ^ 53 and value % 1 == 0
  end
  if type(given) ~= "table" or not is_count(given.seed) or not is_count(given.count)
    or generator and (generator.dtype ~= "uint64" or #generator.shape ~= 1 or generator.shape[1] ~= 2) then
    errors.raise("'%s' has no sound state of random numbers; nothing was loaded", read.path or "the file")
  end
  return { seed = given.seed, count = given.count, generator = generator }
end

local function restore_iterator(read, iterator)
  local state = read.tensors["iterator/state"]
  if not state or state.dtype ~= "uint8" or #state.shape ~= 1 then
    errors.raise("'%s' has no position in the data; nothing was loaded", read.path or "the file")
  end
  iterator:restore(tensor_to_text(state))
end

-- Reads what header.read() finds into what file.read() gave: state, extra, kind, kept, ... Files of others are refused.
function model_state.open(read, path)
  local found = header.read(read.metadata, path)
  if not found or not found.state then
    errors.raise("%s: the file has weights at most: it was not written by save; read it with load_weights", path)
  end
  for key, value in pairs(found) do
    read[key] = value
  end
  read.path = path
  return read
end

-- Puts what a file has into a model: nothing changes unless all fits. `read`: what file.read() gave and
-- model_state.open() saw. Options: iterator (is put to the file's position), optimizer (true: model.optimizer; another;
-- or false), metrics (false), random (true). Returns the file's `extra`.
function model_state.apply(model, read, options)
  options = errors.check_options(options, { iterator = true, optimizer = true, metrics = "boolean",
    random = "boolean" }, "model_state.apply")
  weights.check_built(model, "load")
  local entries = weight_paths.of(model)
  local tensors, names = below(read)
  local found, differences = compare(model, entries, tensors, names)
  if #differences > 0 then
    refuse(read, model, "weights", differences)
  end
  local optimizer, anew = options.optimizer, {}
  local numbers = options.random ~= false and find_random(read)
  if optimizer == nil then
    optimizer = model.optimizer
  end
  if optimizer then
    local slots
    slots, anew = find_optimizer(read, model, optimizer, entries)
    for _, entry in ipairs(slots) do
      found[#found + 1] = entry
    end
  end
  if options.iterator then
    restore_iterator(read, options.iterator)
  end
  weights.assign(found)
  for _, one in ipairs(anew) do
    one:reset()
  end
  if numbers then
    random.restore_state(numbers)
  end
  for _, entry in ipairs(options.metrics and metric_entries(model) or {}) do
    variable.set_replica_values(entry.variable, read.tensors[entry.path])
  end
  rawset(model._state, "kept_metadata", read.kept)
  return read.extra
end

return model_state
