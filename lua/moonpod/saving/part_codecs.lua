-- part_codecs - what layers and training are made with, as plain data: initializers, regularizers, constraints, dtype
-- policies, schedules, losses, metrics, optimizers.

local constraints = require "moonpod.layers.constraints"
local initializers = require "moonpod.layers.initializers"
local losses = require "moonpod.losses"
local metrics = require "moonpod.metrics"
local mixed_precision = require "moonpod.layers.mixed_precision"
local optimizers = require "moonpod.optimizers"
local own_metrics = require "moonpod.metrics.own"
local plain = require "moonpod.saving.plain"
local registry = require "moonpod.saving.registry"
local regularizers = require "moonpod.layers.regularizers"
local schedules = require "moonpod.optimizers.schedules"
local tensor = require "moonpod.tensor"
local variable = require "moonpod.func.variable"

local unpack = table.unpack or unpack -- luacheck: ignore

-- The options of a config, encoded, of an object that messages name.
local function encode_config(config, context, owner)
  return plain.within(context, owner, function()
    local out = {}
    for key, value in pairs(config) do
      context.path[1] = tostring(key)
      out[key] = plain.encode(value, context, key)
    end
    return out
  end)
end

local function decode_config(entry, context, owner)
  return plain.within(context, owner, function()
    return plain.decode({ config = entry.config }, context).config
  end)
end

-- Adds a codec of objects with class_name: config(object) gives the options, make(class_name, options) the object.
local function add(module, what, is, knows, config, make)
  plain.codecs[#plain.codecs + 1] = {
    module = module,
    what = what,
    is = is,
    knows = knows,
    encode = function(object, context)
      local owner = what .. " '" .. tostring(object.name or object.class_name) .. "'"
      return { module = module, class_name = object.class_name,
        config = encode_config(config(object), context, owner) }
    end,
    decode = function(entry, context)
      return make(entry.class_name, decode_config(entry, context, what .. " '" .. entry.class_name .. "'"))
    end,
  }
end

local function own_config(object)
  return object.config
end

-- Adds a codec of objects whose constructors are found by class name.
local function add_simple(module, what, is, by_class, config)
  add(module, what, is, function(name)
    return by_class[name] ~= nil
  end, config or own_config, function(name, options)
    return by_class[name](options)
  end)
end

add_simple("initializers", "initializer", initializers.is_initializer, initializers.by_name)
add_simple("regularizers", "regularizer", regularizers.is_regularizer, regularizers.by_class)
add_simple("constraints", "constraint", constraints.is_constraint, constraints.by_class)
add_simple("schedules", "schedule", schedules.is_schedule, schedules.by_class, function(schedule)
  return schedule.options
end)

plain.codecs[#plain.codecs + 1] = {
  module = "policies",
  what = "dtype policy",
  is = mixed_precision.is_policy,
  knows = function(name)
    return name == "DTypePolicy"
  end,
  encode = function(policy)
    return { class_name = "DTypePolicy", config = { name = policy.name } }
  end,
  decode = function(entry)
    return mixed_precision.policy(entry.config.name)
  end,
}

-- ---- losses and metrics ---------------------------------------------------------------------------------------------

add("losses", "loss", losses.is_loss, function(name)
  return name == "LossFunctionWrapper" or losses.by_name[name] ~= nil
end, function(loss)
  local config = { name = loss.name, reduction = loss.reduction }
  if loss.class_name == "LossFunctionWrapper" then
    config.fn = loss.fn
    return config
  end
  config.dtype = loss.dtype
  for key, value in pairs(loss.options) do
    config[key] = value
  end
  return config
end, function(name, options)
  if name == "LossFunctionWrapper" then
    return losses.from_function(options.fn, options.name)
  end
  return losses.by_name[name](options)
end)

-- Metrics of classes by metrics.subclass: by the name that their class was registered with.
plain.codecs[#plain.codecs + 1] = {
  module = "metrics",
  what = "metric",
  is = own_metrics.is,
  knows = function(name, context, entry)
    local found = entry.class or registry.find(entry.registered_name or name, context.custom_objects)
    return type(found) == "table"
  end,
  encode = function(metric, context)
    local class = getmetatable(metric)
    local entry = { module = "metrics", class_name = class.class_name, registered_name = registry.name_of(class) }
    return plain.within(context, "metric '" .. metric.name .. "'", function()
      if not entry.registered_name then
        if not context.live then
          plain.fail(context, "its class has no name by which a file can name it; give it one where it is defined: "
            .. "pod.register(%q, class)", class.class_name)
        end
        entry.class = class
      end
      local config = { arguments = { unpack(metric._arguments, 1, metric._arguments.count) } }
      if class.own_get_config then
        config = class.own_get_config(metric)
        if type(config) ~= "table" then
          plain.fail(context, "get_config returned %s; it must return a table of options", tostring(config))
        end
      end
      entry.config = encode_config(config, context, "its options")
      return entry
    end)
  end,
  decode = function(entry, context)
    local class = context.live and entry.class
      or registry.find(entry.registered_name or entry.class_name, context.custom_objects)
    if type(class) ~= "table" or not class.is_own or not class.update_state then
      plain.unknown(entry, context)
    end
    local config = decode_config(entry, context, "metric '" .. entry.class_name .. "'")
    if class.own_from_config then
      return class.own_from_config(config)
    elseif class.own_get_config then
      return class(config)
    end
    local arguments, count = config.arguments or {}, 0
    for key in pairs(arguments) do
      count = math.max(count, type(key) == "number" and key or 0)
    end
    return class(unpack(arguments, 1, count))
  end,
}

add("metrics", "metric", metrics.is_metric, function(name)
  return name == "MeanMetricWrapper" or metrics.by_name[name] ~= nil
end, function(metric)
  local config = { name = metric.name, dtype = metric.dtype }
  if metric.class_name == "MeanMetricWrapper" then
    config.fn = metric.fn
    return config
  end
  for key, value in pairs(metric.config) do
    config[key] = value
  end
  return config
end, function(name, options)
  if name == "MeanMetricWrapper" then
    return metrics.from_function(options.fn, options.name)
  end
  return metrics.by_name[name](options)
end)

-- ---- optimizers -----------------------------------------------------------------------------------------------------

-- The rate as it is now: a number that somebody has set since, or what computes it.
local function rate_of(optimizer)
  local rate, made_with = optimizer._state.rate, optimizer.config.learning_rate
  if not variable.is_variable(rate) then
    return rate
  end
  local now = rate:value():item()
  if type(made_with) == "number" and tensor.new(made_with, { dtype = "float32" }):item() == now then
    return made_with
  end
  return now
end

-- A pattern that fits a name alone.
local function exactly(name)
  return "^" .. name:gsub("%W", "%%%0") .. "$"
end

local function optimizer_config(optimizer)
  local config = { name = optimizer.name }
  for key, value in pairs(optimizer.config) do
    config[key] = value
  end
  if optimizer.inner then
    config.inner_optimizer = optimizer.inner
    return config
  end
  config.learning_rate = rate_of(optimizer)
  for i, entry in ipairs(optimizer._state.excluded) do
    config.exclude_from_weight_decay = config.exclude_from_weight_decay or {}
    config.exclude_from_weight_decay[i] = type(entry) == "string" and entry or exactly(entry.name)
  end
  return config
end

local function make_optimizer(name, options)
  local inner, excluded = options.inner_optimizer, options.exclude_from_weight_decay
  options.inner_optimizer, options.exclude_from_weight_decay = nil, nil
  if name == "LossScaleOptimizer" then
    return optimizers.loss_scale_optimizer(inner, options)
  end
  local made = optimizers.by_name[name](options)
  if excluded then
    made:exclude_from_weight_decay { var_names = excluded }
  end
  return made
end

add("optimizers", "optimizer", optimizers.is_optimizer, function(name)
  return name == "LossScaleOptimizer" or optimizers.by_name[name] ~= nil
end, optimizer_config, make_optimizer)

return plain.codecs
