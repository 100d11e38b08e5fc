-- Functional models: the layer calls between symbolic inputs and outputs.

local errors = require "moonpod.errors"
local model = require "moonpod.models.model"
local nest = require "moonpod.nest"
local symbolic = require "moonpod.models.symbolic"

local functional = setmetatable({}, { __index = model })
functional.class_name = "Functional"
functional.function_name = "models.functional"
functional.spec = { arguments = {}, defaults = {} }

local meta = model.metatable(functional)

-- The calls that outputs depend on, in an order in which each comes after those it reads. An explicit stack, as a model
-- may be thousands of layers deep.
local function order_calls(outputs, inputs)
  local known, order, state = {}, {}, {}
  for _, input in ipairs(nest.flatten(inputs)) do
    known[input] = true
  end
  local stack = {}
  local function push(structure)
    for _, t in ipairs(nest.flatten(structure)) do
      if symbolic.is_symbolic(t) and not known[t] and not state[t.history.call] then
        stack[#stack + 1] = t.history.call
      end
    end
  end
  push(outputs)
  while #stack > 0 do
    local call = stack[#stack]
    if state[call] == "open" then
      stack[#stack] = nil
      state[call] = "done"
      order[#order + 1] = call
    elseif state[call] == "done" then
      stack[#stack] = nil
    else
      if call.layer.is_input then
        errors.raise("models.functional: the outputs depend on '%s', which is not among the inputs", call.layer.name)
      end
      state[call] = "open"
      push(call.inputs)
    end
  end
  return order
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
  errors.check_options(options, { "inputs", "outputs", "name", "trainable" }, "models.functional")
  if options.inputs == nil or options.outputs == nil then
    errors.raise("models.functional: '%s' is missing; write models.functional{ inputs = x, outputs = y }",
      options.inputs == nil and "inputs" or "outputs")
  end
  check(options.inputs, "inputs")
  check(options.outputs, "outputs")
  local self = setmetatable({}, meta)
  model.init_model(self, functional, options)
  rawset(self, "inputs", options.inputs)
  rawset(self, "outputs", options.outputs)
  rawset(self, "_order", order_calls(options.outputs, options.inputs))
  local parts = rawget(self, "_parts")
  local seen, layers = {}, {}
  for _, input in ipairs(nest.flatten(options.inputs)) do
    local one = input.history.call.layer
    if not seen[one] and one.is_input then
      seen[one] = true
      layers[#layers + 1] = one
    end
  end
  for _, call in ipairs(rawget(self, "_order")) do
    if not seen[call.layer] then
      seen[call.layer] = true
      layers[#layers + 1] = call.layer
      parts[#parts + 1] = call.layer
    end
  end
  rawset(self, "_layers", layers)
  rawset(self, "built", true)
  rawset(self, "_output_spec", options.outputs)
  return self
end

-- Inputs given as a list for a model with named inputs, or under the names of the input layers, find their place.
local function arrange(self, given)
  local wanted = rawget(self, "inputs")
  if nest.is_leaf(wanted) then
    if not nest.is_leaf(given) and #nest.flatten(given) == 1 then
      return { nest.first(given) }
    end
    return { given }
  end
  local leaves = nest.flatten(wanted)
  if not nest.is_leaf(given) then
    local named = {}
    for i, t in ipairs(leaves) do
      local by_name = given[t.history.call.layer.name]
      if by_name == nil then
        named = nil
        break
      end
      named[i] = by_name
    end
    if named then
      return named
    end
  end
  local flat = nest.flatten(given)
  if #flat ~= #leaves then
    errors.raise("model '%s' has %d inputs; it was called with %d", self.name, #leaves, #flat)
  end
  return flat
end

local function check_inputs(self, given)
  for i, t in ipairs(nest.flatten(rawget(self, "inputs"))) do
    local shape = given[i].shape
    local fits = #shape == #t.shape
    for axis = 1, #t.shape do
      fits = fits and (t.shape[axis] == -1 or t.shape[axis] == shape[axis])
    end
    if not fits then
      errors.raise("model '%s': input %d must have shape %s; got %s", self.name, i, tostring(t.shape), tostring(shape))
    end
  end
end

function functional:call(inputs, options)
  local values = {}
  local given = arrange(self, inputs)
  check_inputs(self, given)
  for i, t in ipairs(nest.flatten(rawget(self, "inputs"))) do
    values[t] = given[i]
    if given[i].dtype ~= t.dtype and nest.is_float(t.dtype) and nest.is_float(given[i].dtype) then
      local mask = nest.mask_of(given[i])
      values[t] = given[i]:cast(t.dtype)
      nest.set_mask(values[t], mask)
    end
  end
  local function value_of(t)
    if symbolic.is_symbolic(t) then
      return values[t]
    end
    return t
  end
  for _, call in ipairs(rawget(self, "_order")) do
    local call_options = { training = options.training }
    for key, value in pairs(call.options) do
      if symbolic.contains(value) then
        value = nest.map(value, value_of)
      end
      call_options[key] = value
    end
    local outputs = call.layer(nest.map(call.inputs, value_of), call_options)
    local flat = nest.flatten(outputs)
    for i, t in ipairs(nest.flatten(call.outputs)) do
      values[t] = flat[i]
    end
  end
  return nest.map(rawget(self, "outputs"), value_of)
end

function functional:compute_mask(_, _)
  return nil -- masks travel with the tensors of the calls
end

function functional:get_layers()
  local out = {}
  for i, one in ipairs(rawget(self, "_layers")) do
    out[i] = one
  end
  return out
end

-- A chain of calls, each reading the one before, is shown without the column of connections.
function functional:is_sequential_like()
  local seen = {}
  local previous = nest.flatten(rawget(self, "inputs"))
  if #previous ~= 1 then
    return false
  end
  previous = previous[1]
  for _, call in ipairs(rawget(self, "_order")) do
    local inputs, outputs = nest.flatten(call.inputs), nest.flatten(call.outputs)
    if seen[call.layer] or #inputs ~= 1 or inputs[1] ~= previous or #outputs ~= 1 then
      return false
    end
    seen[call.layer], previous = true, outputs[1]
  end
  return true
end

return functional
