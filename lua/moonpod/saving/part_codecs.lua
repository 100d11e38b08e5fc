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
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local variable = require "moonpod.func.variable"

-- The options of a config, encoded, of an object that messages name.
local function encode_config(config, context, owner)
  return plain.within(context, owner, function()
    return plain.encode_config(config, context, {})
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
  return tables.merge(config, { dtype = loss.dtype }, loss.options)
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
    local entry = { module = "metrics", class_name = class.class_name }
    return plain.within(context, "metric '" .. metric.name .. "'", function()
      plain.add_class(entry, class, context, "register")
      entry.config = encode_config(plain.own_config(metric, class, metric._arguments, context), context, "its options")
      return entry
    end)
  end,
  decode = function(entry, context)
    local class = context.live and entry.class
      or registry.find(entry.registered_name or entry.class_name, context.custom_objects)
    if type(class) ~= "table" or not class.is_own or not class.update_state then
      plain.unknown(entry, context)
    end
    return plain.make_own(class, decode_config(entry, context, "metric '" .. entry.class_name .. "'"))
  end,
}

add("metrics", "metric", metrics.is_metric, function(name)
  return name == "MeanMetricWrapper" or metrics.by_name[name] ~= nil
end, function(metric)
  local config = { name = metric.name, dtype = metric.dtype }
  return tables.merge(config, metric.class_name == "MeanMetricWrapper" and { fn = metric.fn } or metric.config)
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
  local config = tables.merge({ name = optimizer.name }, optimizer.config)
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
