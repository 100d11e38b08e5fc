-- Copies of models: the same layers with weights of their own, some of other sizes.

local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local nest = require "moonpod.tensor.nest"
local optimizers = require "moonpod.optimizers"
local symbolic = require "moonpod.layers.symbolic"
local strategies = require "moonpod.func.strategies"

local clone = {}

-- The name of the option that says how wide a layer's output is; nil for other layers.
function clone.size_option(one)
  local config = one.config or {}
  return type(config.units) == "number" and "units" or type(config.filters) == "number" and "filters" or nil
end

local function copy_layer(one, options)
  local class, config = getmetatable(one), one.config
  if not config or not class.spec or #one:sublayers() > 0 then
    errors.raise("clone_model: layer '%s' (%s) has layers or settings of its own that cannot be copied", one.name,
      one.class_name)
  end
  local given = {}
  for name, value in pairs(config) do
    local is_initial = options.without_values and type(name) == "string" and name:find "_initializer$"
    given[name] = is_initial and value ~= nil and "zeros" or value
  end
  given.name, given.trainable, given.dtype = one.name, one.trainable, one.dtype_policy
  local size = options.sizes[one.name]
  if size then
    local option = clone.size_option(one)
    if not option then
      errors.raise("clone_model: layer '%s' (%s) has neither units nor filters", one.name, one.class_name)
    end
    given[option] = size
  end
  return class(given)
end

local function copy_input(t)
  local shape = {}
  for i = 2, #t.shape do
    shape[i - 1] = t.shape[i]
  end
  return symbolic.input { shape = shape, dtype = t.dtype, name = t.history.call.layer.name }
end

local function copy_sequential(model, copy)
  local list = { name = model.name, trainable = model.trainable }
  for i, one in ipairs(model:get_layers()) do
    list[i] = copy(one)
  end
  local input, first = model._state.input, (model:get_layers()[1] or {}).config
  if input and not (first and first.input_shape) then
    table.insert(list, 1, copy_input(input))
  end
  return require("moonpod.models.sequential").new(list)
end

local function copy_functional(model, copy)
  local values = {}
  local function value_of(t)
    return symbolic.is_symbolic(t) and values[t] or t
  end
  for _, t in ipairs(nest.flatten(model.inputs)) do
    values[t] = copy_input(t)
  end
  for _, call in ipairs(model._state.order) do
    local options = {}
    for name, value in pairs(call.options) do
      options[name] = symbolic.contains(value) and nest.map(value, value_of) or value
    end
    if not call.layer.is_input then
      local outputs = nest.flatten(copy(call.layer)(nest.map(call.inputs, value_of), options))
      for i, t in ipairs(nest.flatten(call.outputs)) do
        values[t] = outputs[i]
      end
    end
  end
  return require("moonpod.models.functional").new { inputs = nest.map(model.inputs, value_of),
    outputs = nest.map(model.outputs, value_of), name = model.name }
end

local function copy_optimizer(given)
  if type(given) ~= "table" then
    return given
  end
  local constructor = given.spec and optimizers[given.spec.name]
  if not constructor then
    errors.raise("clone_model: optimizer '%s' cannot be copied", tostring(given.name))
  end
  local config = {}
  for name, value in pairs(given.config) do
    config[name] = value
  end
  return constructor(config)
end

local function copy_all(model, options)
  local copies, used = {}, {}
  local function copy(one)
    if not copies[one] then
      copies[one] = copy_layer(one, options)
      used[one.name] = true
    end
    return copies[one]
  end
  local made
  if model._state.order then
    made = copy_functional(model, copy)
  elseif model._state.layer_names then
    made = copy_sequential(model, copy)
  else
    errors.raise("clone_model: '%s' is neither sequential nor functional", model.name)
  end
  for name in pairs(options.sizes) do
    if not used[name] then
      errors.raise("clone_model: model '%s' has no layer '%s'%s", model.name, tostring(name),
        errors.suggest(tostring(name), used))
    end
  end
  if model.compiled then
    local settings = {}
    for name, value in pairs(model._state.compile_options) do
      settings[name] = value
    end
    settings.optimizer = copy_optimizer(settings.optimizer)
    made:compile(settings)
  end
  made._state.memory_options = model._state.memory_options
  return made
end

-- pod.models.clone_model(model, { sizes = { dense_1 = 128 } }): a model of the same layers, by the same names, with
-- weights of its own; `sizes` gives layers other units or filters. A compiled model's copy is compiled alike. For
-- sequential and functional models of layers that hold no layers. (without_values: weights are zeros, for measuring.)
function clone.model(model, options)
  if not layer.is_layer(model) or not model._state.is_model then
    errors.raise("clone_model: the first argument must be a model, not %s", errors.describe(model))
  end
  options = errors.check_options(options, { "sizes", "without_values" }, "clone_model")
  local sizes = errors.check_type(options.sizes or {}, "table", "clone_model", "sizes")
  return strategies.within(model._strategy, function()
    return copy_all(model, { sizes = sizes, without_values = options.without_values })
  end)
end

return clone
