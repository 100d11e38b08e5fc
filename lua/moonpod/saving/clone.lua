-- clone - copies of models: the same layers with weights of their own, some of other sizes.

local architecture = require "moonpod.saving.architecture"
local errors = require "moonpod.base.errors"
local model_class = require "moonpod.models.model"
local readable = require "moonpod.base.readable"
local strategies = require "moonpod.func.strategies"

local clone = {}

-- The name of the option that says how wide a layer's output is; nil for other layers.
function clone.size_option(one)
  local config = one.config or {}
  return type(config.units) == "number" and "units" or type(config.filters) == "number" and "filters" or nil
end

-- Calls visit(entry) for each layer's entry in the plain data of a model.
local function each_entry(data, visit)
  if not readable.is_plain(data) then
    return
  elseif data.module == "layers" and type(data.config) == "table" then
    visit(data)
  end
  for _, value in pairs(data) do
    each_entry(value, visit)
  end
end

-- Gives layers other sizes; those that hold what has other sizes then are built anew.
local function change_sizes(data, sizes)
  local known = {}
  each_entry(data, function(entry)
    local config = entry.config
    known[tostring(config.name)] = true
    local size = sizes[config.name]
    if size then
      local option = clone.size_option(entry)
      if not option then
        errors.raise("clone_model: layer '%s' (%s) has neither units nor filters", config.name, entry.class_name)
      end
      config[option] = size
    end
    for _, each in ipairs(entry.build_config and entry.build_config.layers or {}) do
      each.input_shape = nil
    end
  end)
  for name in pairs(sizes) do
    if not known[name] then
      errors.raise("clone_model: the model has no layer '%s'%s", tostring(name), errors.suggest(tostring(name), known))
    end
  end
end

-- Weights whose values nobody asks for are zeros.
local function leave_out_values(data)
  each_entry(data, function(entry)
    for name in pairs(entry.config) do
      if name:find "_initializer$" then
        entry.config[name] = "zeros"
      end
    end
  end)
end

-- pod.models.clone_model(model, { sizes = { dense_1 = 128 } }): a model of the same layers, by the same names, with
-- weights of its own; `sizes` gives layers other units or filters. A compiled model's copy is compiled alike.
-- (without_values: weights are zeros, for measuring.)
function clone.model(model, options)
  if not model_class.is_model(model) then
    errors.raise("clone_model: the first argument must be a model, not %s", errors.describe(model))
  end
  options = errors.check_options(options, { "sizes", "without_values" }, "clone_model")
  local sizes = errors.check_type(options.sizes or {}, "table", "clone_model", "sizes")
  local data = architecture.of(model, { live = true, where = "clone_model" })
  if next(sizes) ~= nil then
    change_sizes(data, sizes)
  end
  if options.without_values then
    leave_out_values(data)
  end
  local settings = architecture.compile_config(model, { live = true, where = "clone_model" })
  return strategies.within(model._strategy, function()
    local made = architecture.build(data, { live = true, where = "clone_model" })
    return settings and architecture.compile(made, settings, { live = true, where = "clone_model" }) or made
  end)
end

return clone
