-- model_state - all that training changes: weights, the optimizer's variables, random numbers, the place in the data.

local around = require "moonpod.base.around"
local errors = require "moonpod.base.errors"
local header = require "moonpod.saving.header"
local metric_logs = require "moonpod.models.metric_logs"
local node_files = require "moonpod.saving.node_files"
local random = require "moonpod.func.random"
local run_parts = require "moonpod.saving.run_parts"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local variable = require "moonpod.func.variable"
local weight_paths = require "moonpod.saving.weight_paths"
local weights = require "moonpod.saving.weights"

local model_state = {}

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

-- The parts of a run: a model, its optimizer (another one, or false for none), an iterator, and `others` by name.
local function parts_of(model, options, where)
  local objects = tables.merge(options.others)
  local optimizer = options.optimizer
  if optimizer == nil then
    optimizer = model and model.optimizer
  end
  objects.model, objects.optimizer, objects.iterator = model, optimizer or nil, options.iterator
  local parts = run_parts.list(objects, where)
  for _, part in ipairs(parts) do
    if part.kind == "model" then
      weights.check_built(part.object, where)
    end
  end
  return parts
end

-- The model's own metrics, which there are once it has seen data.
local function add_metrics(entries, model)
  local count = 0
  metric_logs.each(model, function(_, metric)
    count = count + 1
    run_parts.add_metric(entries, metric, ("metrics/%d_%s/"):format(count, metric.name))
  end)
end

-- What file.write() takes of a model as it is now. Options: iterator (its position), extra (plain values for the
-- caller), optimizer (model.optimizer; another; or false), metrics (false), others (models, optimizers, variables,
-- metrics and iterators by name), kind ("checkpoint"), values (more plain values for the metadata).
function model_state.capture(model, options)
  options = errors.check_options(options, { iterator = true, extra = "list", optimizer = true, metrics = "boolean",
    others = "list", kind = "string", values = "list" }, "model_state.capture")
  local parts = parts_of(model, options, "save")
  if model then
    node_files.warn(model)
  end
  local list, entries = {}, run_parts.entries(parts)
  if options.metrics then
    add_metrics(entries, model)
  end
  for i, entry in ipairs(entries) do
    list[i] = { entry.path, entry.is_replicated and variable.replica_values(entry.variable) or entry.variable }
  end
  local numbers = random.get_state()
  local state = { policy = model and model.dtype_policy.name, random = { seed = numbers.seed, count = numbers.count } }
  for _, part in ipairs(parts) do
    if part.kind == "optimizer" then
      local inner = run_parts.inner_of(part.object)
      state.optimizers = state.optimizers or {}
      state.optimizers[part.name] = { class_name = inner.spec.class, built = inner.built }
    elseif part.kind == "iterator" then
      list[#list + 1] = { part.prefix .. "state", text_to_tensor(part.object:state()) }
    end
  end
  if numbers.generator then
    list[#list + 1] = { "random/generator", numbers.generator }
  end
  local values = tables.merge({ state = state, extra = options.extra }, options.values)
  return { tensors = list, metadata = header.make(options.kind or "checkpoint", values,
    model and model._state.kept_metadata) }
end

-- ---- reading -------------------------------------------------------------------------------------------------------

-- Reads what header.read() finds into what file.read() gave: state, extra, kind, kept, ... Files of others are refused.
-- extra: the schema of that.
function model_state.open(read, path, extra)
  local found = header.read(read.metadata, path, extra)
  if not found or not found.state then
    errors.raise("%s: the file has weights at most: it was not written by save; read it with load_weights", path)
  end
  return tables.merge(read, found, { path = path })
end

-- The variables of a file: those of random numbers and iterators have their own readers; of metrics and others only
-- where they are asked for, of optimizers where there are some.
local function select_names(read, parts, with_metrics)
  local wanted, tensors, names = {}, {}, {}
  local own = false
  for _, part in ipairs(parts) do
    wanted[#wanted + 1] = part.kind ~= "iterator" and part.prefix ~= "" and part.prefix or nil
    own = own or part.prefix == ""
  end
  wanted[#wanted + 1] = with_metrics and "metrics/" or nil
  for _, name in ipairs(read.names) do
    local is_wanted = own and not weight_paths.is_reserved(name)
    for _, prefix in ipairs(wanted) do
      is_wanted = is_wanted or name:sub(1, #prefix) == prefix
    end
    if is_wanted then
      tensors[name] = read.tensors[name]
      names[#names + 1] = name
    end
  end
  return tensors, names
end

-- Takes slots of optimizers out of `entries` that the file has none of, as they were not built yet: they begin anew.
local function take_new_slots(read, parts, entries, tensors)
  local is_new, anew = {}, {}
  for _, part in ipairs(parts) do
    local saved = type(read.state.optimizers) == "table" and read.state.optimizers[part.name]
    is_new[part] = part.kind == "optimizer" and type(saved) == "table" and saved.built == false
  end
  for i = #entries, 1, -1 do
    if is_new[entries[i].part] and not tensors[entries[i].path] then
      anew[#anew + 1] = table.remove(entries, i).variable
    end
  end
  return anew
end

local function find_random(read)
  local given, generator = read.state.random, read.tensors["random/generator"]
  if given and generator and (generator.dtype ~= "uint64" or #generator.shape ~= 1 or generator.shape[1] ~= 2) then
    errors.raise("'%s' has no sound state of random numbers; nothing was loaded", read.path)
  end
  return given and { seed = given.seed, count = given.count, generator = generator }
end

-- Puts iterators where a file has them; returns what puts them back.
local function restore_iterators(read, parts)
  local moved = {}
  local function put_back()
    for _, one in ipairs(moved) do
      one.object:restore(one.state)
    end
  end
  around(nil, function(ok)
    if not ok then
      put_back()
    end
  end, function()
    for _, part in ipairs(parts) do
      if part.kind == "iterator" then
        local state = read.tensors[part.prefix .. "state"]
        if not state or state.dtype ~= "uint8" or #state.shape ~= 1 then
          errors.raise("'%s' has no position in the data for '%s'; nothing was loaded", read.path, part.name)
        end
        local known, before = errors.attempt(part.object.state, part.object)
        local ok, failure = errors.attempt(part.object.restore, part.object, tensor_to_text(state))
        if not ok then
          errors.raise("'%s' has no position in the data for '%s'; nothing was loaded: %s", read.path, part.name,
            tostring(failure))
        end
        moved[#moved + 1] = known and { object = part.object, state = before } or nil
      end
    end
  end)
  return put_back
end

-- Finds a value for each variable of the parts: pairs for weights.assign(), the slots that begin anew, and a function
-- that takes back what was built for it.
local function find_values(model, read, parts, with_metrics)
  local entries, own_weights = run_parts.entries(parts)
  local tensors, names = select_names(read, parts, with_metrics)
  local models = tables.map(parts, function(part)
    return part.kind == "model" and part.object or nil
  end)
  local take_back = run_parts.build_optimizers(parts, own_weights, names,
    weight_paths.match(models, tables.column(entries, "path"), names))
  entries = run_parts.entries(parts)
  if with_metrics then
    add_metrics(entries, model)
  end
  local anew = take_new_slots(read, parts, entries, tensors)
  local found, differences = weights.compare(entries, tensors,
    weight_paths.match(models, tables.column(entries, "path"), names))
  if #differences > 0 then
    take_back()
    errors.raise("'%s' has the state of another model or optimizer than those here; nothing was loaded:\n%s",
      read.path, weights.describe(differences))
  end
  return found, anew, take_back
end

-- Assigns what was found, with `finish` of model_state.apply().
local function commit(found, anew, numbers, finish)
  local assign, variables = weights.convert(found)
  tables.extend(variables, anew)
  variables[#variables + 1] = numbers and numbers.generator and random.generator() or nil
  local before = numbers and random.get_state()
  weights.commit(variables, function()
    assign()
    for _, one in ipairs(anew) do
      one:reset()
    end
    if numbers then
      random.restore_state(numbers)
    end
    around(nil, function(ok)
      if not ok and before then
        random.restore_state(before)
      end
    end, finish or function() end)
  end)
end

-- Puts what a file has into a model: nothing changes unless all fits. `read`: what file.read() gave and
-- model_state.open() saw. Options: iterator (is put to the file's position), optimizer (model.optimizer; another; or
-- false), metrics (false), others (as captured), random (true), finish (what else is to be put back: where it fails,
-- all is as before). Returns the file's `extra`.
function model_state.apply(model, read, options)
  options = errors.check_options(options, { iterator = true, optimizer = true, metrics = "boolean", others = "list",
    random = "boolean", finish = "function" }, "model_state.apply")
  local parts = parts_of(model, options, "load")
  local numbers = options.random ~= false and find_random(read)
  local found, anew, take_back = find_values(model, read, parts, options.metrics)
  local put_back
  local ok, failure = pcall(function()
    put_back = restore_iterators(read, parts)
    commit(found, anew, numbers, options.finish)
  end)
  if not ok then
    if put_back then
      put_back()
    end
    take_back()
    error(failure, 0)
  end
  if model then
    rawset(model._state, "kept_metadata", read.kept)
  end
  return read.extra
end

return model_state
