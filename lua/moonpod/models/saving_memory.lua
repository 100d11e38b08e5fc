-- What a model can do to need less of a device's memory, with the same gradients: compute activations again, take a
-- batch in parts, take class numbers for one-hot rows; and to compute in fewer bits.

local errors = require "moonpod.base.errors"
local feed = require "moonpod.models.feed"
local mixed_precision = require "moonpod.layers.mixed_precision"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local strategies = require "moonpod.func.strategies"
local tables = require "moonpod.base.tables"
local is_whole = require "moonpod.base.kinds".is_whole

local saving = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local DEFAULTS = {}

-- The options that are set.
function saving.options(model)
  return model._state.memory_options or DEFAULTS
end

local function check_whole(value, name)
  if not is_whole(value, 1) then
    errors.raise("set_memory_options: '%s' must be a whole number from 1, or false; got %s", name,
      errors.describe(value))
  end
end

--- Sets what saves memory in a step of training; what is not given stays, false takes it back.
---@param options.rematerialize integer|false the layers in so many groups, whose inner values are computed again in the
---   backward pass
---@param options.micro_batches integer|false each replica's batch in so many equal parts, one after the other;
---   gradients are added up; 1 is the whole batch
---@param options.sparse_labels boolean whether categorical cross-entropies of `pod.one_hot(labels, n)` take the labels
---@param options.masked_rows boolean whether `pod.boolean_mask` in a step keeps all rows, and sums, means and losses
---   over them leave out what the mask does not keep; sizes that a script reads of them are then those of all rows
---@return model
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1) }
--- assert(model:set_memory_options { micro_batches = 2 } == model)
--- ```
function saving.set_memory_options(model, options)
  errors.check_options(options, { "rematerialize", "micro_batches", "sparse_labels", "masked_rows" },
    "set_memory_options")
  local set = tables.merge(saving.options(model))
  for name, value in pairs(options) do
    if value and name ~= "sparse_labels" and name ~= "masked_rows" then
      check_whole(value, name)
    elseif type(value) ~= "boolean" then
      errors.raise("set_memory_options: '%s' must be true or false; got %s", name, errors.describe(value))
    end
    set[name] = value or nil
  end
  set.micro_batches = set.micro_batches ~= 1 and set.micro_batches or nil
  model._state.memory_options = set
  feed.forget_functions(model)
  return model
end

--- Computes in another policy's type from now on: variables stay what they are, so it must keep them in the same type.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:set_dtype_policy "mixed_bfloat16"
--- assert(model(pod.ones { 4, 3 }).dtype == "bfloat16")
--- ```
function saving.set_dtype_policy(model, name)
  local policy = mixed_precision.policy(name)
  local changed = {}
  model:each_layer(function(one)
    if one.built and #one:get_weight_variables() > 0 and policy.variable_dtype ~= one:variable_dtype() then
      errors.raise("set_dtype_policy: the variables of '%s' are %s; those of policy '%s' would be %s: make a new model",
        one.name, one:variable_dtype(), policy.name, policy.variable_dtype)
    end
    changed[#changed + 1] = one
  end)
  for _, one in ipairs(changed) do
    one.dtype_policy = policy
  end
  feed.forget_functions(model)
  return model
end

-- ---- rows that a mask keeps -----------------------------------------------------------------------------------

-- Calls fn(...), a step of the model that is traced; returns what it returns.
function saving.with_rows(model, fn, ...)
  if saving.options(model).masked_rows then
    return require("moonpod.ops.kept_rows").with(fn, ...)
  end
  return fn(...)
end

-- ---- a batch in parts -----------------------------------------------------------------------------------------

-- The parts of a replica's batch: { data, share (of the global batch; nil: all), rows }.
function saving.micro_batches(model, data)
  local count = saving.options(model).micro_batches
  if not count then
    return { { data = data } }
  end
  local size = nest.first(data[1]).shape[1]
  if size % count ~= 0 then
    errors.raise("model '%s': a replica's batch of %d rows is not to be divided into micro_batches = %d", model.name,
      size, count)
  end
  local part_size = math.floor(size / count)
  local all = ops.cast(strategies.global_rows(nest.first(data[1])), "float32")
  local parts = {}
  for i = 1, count do
    local part = {}
    for place, value in pairs(data) do
      part[place] = nest.map(value, function(t)
        return ops.slice_axis(t, 0, (i - 1) * part_size, i * part_size)
      end)
    end
    local first = nest.first(part[1])
    parts[i] = { data = part, share = ops.cast(strategies.global_rows(first), "float32") / all,
      rows = ops.dimension_size(first, 0) }
  end
  return parts
end

-- A part's data, to be read when the gradients of the part before are known: the parts then take memory in turn.
function saving.in_turn(part, gradients)
  local before = {}
  for i = 1, gradients and gradients.n or 0 do
    before[#before + 1] = gradients[i]
  end
  local data = {}
  for place, value in pairs(part.data) do
    data[place] = nest.map(value, function(t)
      return ops.after(t, before)
    end)
  end
  return data
end

-- Adds gradients up; nil where a weight has none.
function saving.add(sums, gradients, count)
  gradients.n = count
  if not sums then
    return gradients
  end
  for i = 1, count do
    if gradients[i] ~= nil then
      sums[i] = sums[i] ~= nil and sums[i] + gradients[i] or gradients[i]
    end
  end
  return sums
end

-- ---- values computed again ----------------------------------------------------------------------------------------

-- Layers that add losses, keep state or change what is trained while they run are not run twice: `runs_once` says so.
local function can_repeat(one)
  local can = true
  one:each_layer(function(inner)
    local config = inner.config or {}
    can = can and not config.activity_regularizer and not config.stateful and not inner.runs_once
  end)
  return can
end

-- Cuts a list into n groups of like sizes.
local function groups_of(list, count)
  local groups = {}
  count = math.min(count, #list)
  for i = 1, count do
    local first = math.floor((i - 1) * #list / count) + 1
    local last = i == count and #list or math.floor(i * #list / count)
    groups[i] = tables.slice(list, first, last)
  end
  return groups
end

local function run_group(group, x, options)
  for _, one in ipairs(group) do
    x = one(x, { training = options.training, mask = nest.mask_of(x) })
  end
  return x
end

-- pod.remat of fn, a function of tensors that returns a list of them: masks that it gives to what it returns, and the
-- logits that a cross-entropy takes it back to, are results as well. Returns a list.
local function repeated(fn, inputs)
  local masked, count = {}, 0 -- place of a result -> place of its mask
  local logits = { softmax = {}, sigmoid = {} } -- the same of its logits
  local results = { ops.remat(function(...)
    local list = fn(...)
    count = #list
    for i = 1, count do
      local mask = nest.mask_of(list[i])
      if mask ~= nil then
        list[#list + 1] = ops.cast(mask, "float32")
        masked[i] = #list
      end
      for kind, places in pairs(logits) do
        local of = scope.logits_of(list[i], kind)
        if of ~= nil then
          list[#list + 1] = of
          places[i] = #list
        end
      end
    end
    return unpack(list, 1, #list)
  end)(unpack(inputs, 1, #inputs)) }
  for i, at in pairs(masked) do
    nest.set_mask(results[i], ops.not_equal(results[at], 0))
  end
  for kind, places in pairs(logits) do
    for i, at in pairs(places) do
      scope.set_logits(results[i], results[at], kind)
    end
  end
  return results
end

-- Runs layers one after the other, in groups that are computed again where the model asks for it. Masks do not go into
-- a group, so inputs that have one are not repeated.
function saving.run_chain(model, layers, x, options)
  local count = options.training and saving.options(model).rematerialize
  if not count then
    return run_group(layers, x, options)
  end
  for _, group in ipairs(groups_of(layers, count)) do
    if nest.is_leaf(x) and nest.mask_of(x) == nil and tables.all(group, can_repeat) then
      x = repeated(function(inner)
        return { run_group(group, inner, options) }
      end, { x })[1]
    else
      x = run_group(group, x, options)
    end
  end
  return x
end

-- Runs the calls of a functional model. `values` has the tensors of the inputs by symbolic tensor and receives
-- those that are read later; run(call, value_of) gives the outputs of a call; `wanted` are the model's outputs.
function saving.run_calls(model, calls, values, run, wanted, training)
  local count = training and saving.options(model).rematerialize
  local function run_plain(list, into)
    for _, call in ipairs(list) do
      local flat = nest.flatten(run(call, into))
      for i, t in ipairs(nest.flatten(call.outputs)) do
        into[t] = flat[i]
      end
    end
  end
  if not count then
    return run_plain(calls, values)
  end
  local groups = groups_of(calls, count)
  local last_group = {} -- symbolic tensor -> the last group that reads it
  for i, group in ipairs(groups) do
    for _, call in ipairs(group) do
      for _, t in ipairs(call.parents) do
        last_group[t] = i
      end
    end
  end
  for _, t in ipairs(wanted) do
    last_group[t] = #groups + 1
  end
  for i, group in ipairs(groups) do
    saving.run_calls_again(group, i, last_group, values, run_plain)
  end
end

-- One group: its inputs are what it reads of others, its outputs what others read of it.
function saving.run_calls_again(group, index, last_group, values, run_plain)
  local made, inputs, outputs, seen = {}, {}, {}, {}
  local layers, masked = {}, false
  for _, call in ipairs(group) do
    layers[#layers + 1] = call.layer
    for _, t in ipairs(call.parents) do
      if not made[t] and not seen[t] then
        seen[t] = true
        inputs[#inputs + 1] = t
        masked = masked or nest.mask_of(values[t]) ~= nil
      end
    end
    for _, t in ipairs(nest.flatten(call.outputs)) do
      made[t] = true
      if (last_group[t] or 0) > index then
        outputs[#outputs + 1] = t
      end
    end
  end
  if masked or #outputs == 0 or not tables.all(layers, can_repeat) then
    return run_plain(group, values)
  end
  local results = repeated(function(...)
    local inner = {}
    for i, value in ipairs { ... } do
      inner[inputs[i]] = value
    end
    run_plain(group, inner)
    return tables.map(outputs, function(t)
      return inner[t]
    end)
  end, tables.map(inputs, function(t)
    return values[t]
  end))
  for i, t in ipairs(outputs) do
    values[t] = results[i]
  end
end

-- ---- what was trained on -------------------------------------------------------------------------------------

-- Remembers what a step was traced for: reports are of the same.
function saving.remember(model, kind, decoder, arguments)
  local specs = tables.map(arguments, tables.pick, { "dtype", "shape" })
  local steps = model._state.traced_steps or {}
  steps[kind] = { decoder = decoder, specs = specs }
  model._state.traced_steps = steps
end

return saving
