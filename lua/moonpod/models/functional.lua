-- Functional models: the layer calls between symbolic inputs and outputs.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local model = require "moonpod.models.model"
local nest = require "moonpod.tensor.nest"
local places = require "moonpod.models.places"
local readable = require "moonpod.base.readable"
local saving = require "moonpod.models.saving_memory"
local shapes = require "moonpod.base.shapes"
local symbolic = require "moonpod.layers.symbolic"
local tables = require "moonpod.base.tables"

local functional = setmetatable({}, { __index = model })
functional.class_name = "Functional"
functional.autocast = false -- each layer casts what it is given: numbers of rows are not to be rounded
functional.function_name = "models.functional"
functional.spec = { arguments = {}, defaults = {} }

local meta = model.metatable(functional)

-- The calls that outputs depend on, each after those it reads (post-order), and the order in which their layers were
-- first met (pre-order). An explicit stack, as a model may be thousands of layers deep.
local function visit_calls(outputs, inputs)
  local known = tables.set_of(nest.flatten(inputs))
  local order, met, count, state, stack = {}, {}, 0, {}, {}
  local function push(structure, stop)
    local list = stop and {} or nest.flatten(structure)
    for i = #list, 1, -1 do
      local t = list[i]
      if symbolic.is_symbolic(t) and not state[t.history.call] then
        stack[#stack + 1] = { call = t.history.call, stop = known[t] or false }
      end
    end
  end
  push(outputs)
  while #stack > 0 do
    local top = stack[#stack]
    local call = top.call
    if state[call] == nil then
      state[call] = "open"
      if call.layer.is_input and not top.stop then
        errors.raise("models.functional: the outputs depend on '%s', which is not among the inputs", call.layer.name)
      end
      if not met[call.layer] then
        count = count + 1
        met[call.layer] = count
      end
      top.leaves = true
      push(call.parents, top.stop)
    else
      stack[#stack] = nil
      if top.leaves then
        state[call] = "done"
        order[#order + 1] = { call = call, stop = top.stop }
      end
    end
  end
  return order, met
end

-- Keras' order of calls and layers, and with that of weights: by their distance from the outputs, the farthest first;
-- at the same distance as they are met from the outputs. Returns calls and layers.
local function order_calls(outputs, inputs)
  local visited, met = visit_calls(outputs, inputs)
  local depth_of_call, depth_of_layer = {}, {}
  for i = #visited, 1, -1 do
    local call = visited[i].call
    local depth = math.max(depth_of_call[call] or 0, depth_of_layer[call.layer] or 0)
    depth_of_call[call] = depth
    if not visited[i].stop or call.layer.is_input then -- what gives an input is no part of it, as in Keras
      depth_of_layer[call.layer] = depth
    end
    for _, t in ipairs(visited[i].stop and {} or call.parents) do
      local from = t.history.call
      depth_of_call[from] = math.max(depth_of_call[from] or 0, depth + 1)
    end
  end
  for i, t in ipairs(nest.flatten(inputs)) do
    local one = t.history.call.layer
    if one.is_input and not depth_of_layer[one] then -- an input that nothing reads
      depth_of_layer[one], met[one] = 0, i - 1000000
    end
  end
  local calls, layers = {}, {}
  for i, entry in ipairs(visited) do
    if not entry.stop then
      calls[#calls + 1] = { call = entry.call, depth = depth_of_call[entry.call], at = i }
    end
  end
  table.sort(calls, function(a, b)
    if a.depth ~= b.depth then
      return a.depth > b.depth
    end
    return a.at < b.at
  end)
  for one in pairs(depth_of_layer) do
    layers[#layers + 1] = one
  end
  table.sort(layers, function(a, b)
    if depth_of_layer[a] ~= depth_of_layer[b] then
      return depth_of_layer[a] > depth_of_layer[b]
    end
    return met[a] < met[b]
  end)
  return tables.column(calls, "call"), layers
end

local function check(structure, what)
  for _, t in ipairs(nest.flatten(structure)) do
    if not symbolic.is_symbolic(t) then
      errors.raise("models.functional: %s must be symbolic tensors (from layers.input and calls of layers); got %s",
        what, errors.describe(t))
    end
  end
end

-- Makes a model. Options: inputs, outputs (symbolic tensors or tables of them), name.
function functional.new(options)
  options = readable.is_plain(options) and options or {} -- inputs by place are none
  errors.check_options(options, { "inputs", "outputs", "name", "trainable" }, "models.functional")
  if options.inputs == nil or options.outputs == nil then
    errors.raise("models.functional: '%s' is missing; write models.functional{ inputs = x, outputs = y }",
      options.inputs == nil and "inputs" or "outputs")
  end
  check(options.inputs, "inputs")
  check(options.outputs, "outputs")
  local self = setmetatable({}, meta)
  model.init_model(self, functional, options)
  self._state.input, self._state.output = options.inputs, options.outputs
  self._state.places = places.of(self, "input", options.inputs, tables.map(nest.flatten(options.inputs), function(t)
    return t.history.call.layer.name
  end))
  local calls, layers = order_calls(options.outputs, options.inputs)
  self._state.order = calls
  tables.extend(self._state.parts, tables.map(layers, function(one)
    return not one.is_input and one or nil
  end))
  self._state.layers = layers
  self.built = true
  self._state.output_spec = options.outputs
  return self
end

local function check_inputs(self, given)
  for i, t in ipairs(nest.flatten(self._state.input)) do
    local shape = given[i].shape
    local misfit = shapes.misfit(t.shape, shape)
    if misfit then
      errors.raise("model '%s': input %d must have shape %s; got %s%s", self.name, i, tostring(t.shape),
        tostring(shape), misfit)
    end
  end
end

--- What the layers make of the inputs. Call the model itself: `model(x)`.
---@param inputs tensor|table as the inputs were given
---@param options table `training`, `mask`
---@return tensor|table as the outputs were given
--- ```lua
--- local input = pod.layers.input { shape = { 3 } }
--- local model = pod.models.functional { inputs = input, outputs = pod.layers.dense(2)(input) }
--- assert(model:call(pod.ones { 4, 3 }, {}).shape[2] == 2)
--- ```
function functional:call(inputs, options)
  local values = {}
  local given = self._state.places:bind(inputs, "inputs")
  check_inputs(self, given)
  for i, t in ipairs(nest.flatten(self._state.input)) do
    values[t] = given[i]
    if given[i].dtype ~= t.dtype and nest.is_float(t.dtype) and nest.is_float(given[i].dtype) then
      local mask = nest.mask_of(given[i])
      values[t] = given[i]:cast(t.dtype)
      nest.set_mask(values[t], mask)
    end
  end
  local function run(call, from)
    local function value_of(t)
      return symbolic.is_symbolic(t) and from[t] or t
    end
    local call_options = { training = options.training }
    for key, value in pairs(call.options) do
      if symbolic.contains(value) then
        value = nest.map(value, value_of)
      end
      call_options[key] = value
    end
    return call.layer(nest.map(call.inputs, value_of), call_options)
  end
  saving.run_calls(self, self._state.order, values, run, nest.flatten(self._state.output), options.training)
  return nest.map(self._state.output, function(t)
    return symbolic.is_symbolic(t) and values[t] or t
  end)
end

--- The masks that the layers of the outputs gave.
---@return tensor|table|nil
--- ```lua
--- local input = pod.layers.input { shape = { 3 } }
--- local model = pod.models.functional { inputs = input, outputs = pod.layers.dense(2)(input) }
--- assert(model:compute_mask(pod.ones { 4, 3 }) == nil)
--- ```
function functional:compute_mask(_, _)
  return nil -- masks travel with the tensors of the calls
end

--- A chain of calls, each reading the one before, is shown without the column of connections.
--- ```lua
--- local input = pod.layers.input { shape = { 3 } }
--- local model = pod.models.functional { inputs = input, outputs = pod.layers.dense(2)(input) }
--- assert(model:is_sequential_like())
--- ```
function functional:is_sequential_like()
  local seen = {}
  local previous = nest.flatten(self._state.input)
  if #previous ~= 1 then
    return false
  end
  previous = previous[1]
  for _, call in ipairs(self._state.order) do
    local inputs, outputs = call.parents, nest.flatten(call.outputs)
    if seen[call.layer] or #inputs ~= 1 or inputs[1] ~= previous or #outputs ~= 1 then
      return false
    end
    seen[call.layer], previous = true, outputs[1]
  end
  return true
end

---@name functional_model
--- A model of the layers between symbolic inputs and outputs.
declare.methods("functional model", functional, meta, { ["inputs options"] = "call" }, "new")

return functional
