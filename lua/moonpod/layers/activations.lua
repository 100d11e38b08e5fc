-- Keras' activations: functions of a tensor, found by name.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local floating = ops.floating

local activations = {}

local SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946

function activations.linear(x)
  return x
end

function activations.relu(x, options)
  options = options or {}
  local slope, limit, threshold = options.negative_slope or 0, options.max_value, options.threshold or 0
  if slope == 0 and not limit and threshold == 0 then
    return ops.relu(x)
  elseif not limit and threshold == 0 then
    return activations.leaky_relu(x, { negative_slope = slope })
  end
  local positive
  if threshold ~= 0 then
    positive = ops.where(ops.greater(x, threshold), x, 0)
  else
    positive = ops.relu(x)
  end
  if limit == 6 and threshold == 0 then
    positive = activations.relu6(x)
  elseif limit then
    positive = ops.clip(positive, 0, limit)
  end
  if slope ~= 0 then
    return positive - ops.relu(threshold - x) * slope
  end
  return positive
end

--- Has no slope at 0 and at 6, where that of a minimum would be a half.
function activations.relu6(x)
  return ops.where(ops.greater_equal(x, 6), 6, ops.relu(x))
end

function activations.leaky_relu(x, options)
  local slope = options and options.negative_slope or 0.2
  return ops.where(ops.greater(x, 0), x, x * slope)
end

--- The slope at 0 is that below it, not half of it as by a minimum of x and 0.
function activations.elu(x, options)
  local alpha = options and options.alpha or 1.0
  local above = ops.greater(x, 0)
  return ops.where(above, x, ops.expm1(ops.where(above, 0, x)) * alpha)
end

function activations.selu(x)
  return activations.elu(x, { alpha = SELU_ALPHA }) * SELU_SCALE
end

function activations.celu(x, options)
  local alpha = options and options.alpha or 1.0
  return activations.elu(x / alpha) * alpha
end

--- Exact with erf by default, as Keras; approximate uses tanh.
function activations.gelu(x, options)
  return trace.composite("gelu", { floating(x) }, { flag = not not (options and options.approximate) })
end

function activations.silu(x)
  return x * ops.sigmoid(x)
end
activations.swish = activations.silu

function activations.hard_sigmoid(x)
  return activations.relu6(x + 3) / 6
end

function activations.hard_silu(x)
  return x * activations.hard_sigmoid(x)
end
activations.hard_swish = activations.hard_silu

function activations.softplus(x)
  return ops.softplus(x)
end

function activations.softsign(x)
  return x / (ops.abs(x) + 1)
end

function activations.soft_shrink(x, options)
  local threshold = options and options.threshold or 0.5
  return ops.where(ops.greater(x, threshold), x - threshold, ops.where(ops.less(x, -threshold), x + threshold, 0))
end

function activations.hard_shrink(x, options)
  local threshold = options and options.threshold or 0.5
  return ops.where(ops.greater(ops.abs(x), threshold), x, 0)
end

function activations.tanh(x)
  return ops.tanh(x)
end

function activations.tanh_shrink(x)
  return x - ops.tanh(x)
end

function activations.hard_tanh(x)
  return ops.clip(x, -1, 1)
end

--- Keeps the logits in mind, as softmax does.
function activations.sigmoid(x)
  local out = ops.sigmoid(x)
  scope.set_logits(out, x, "sigmoid")
  return out
end

function activations.log_sigmoid(x)
  return -ops.softplus(-x)
end

function activations.exponential(x)
  return ops.exp(x)
end

function activations.mish(x)
  return x * ops.tanh(ops.softplus(x))
end

function activations.threshold(x, options)
  if not options.threshold or not options.default_value then
    errors.raise("activations.threshold: options threshold and default_value are needed")
  end
  return ops.where(ops.greater(x, options.threshold), x, options.default_value)
end

function activations.squareplus(x, options)
  local b = options and options.b or 4
  return (x + ops.sqrt(ops.square(x) + b)) * 0.5
end

function activations.sparse_plus(x)
  return ops.where(ops.less_equal(x, -1), 0, ops.where(ops.less(x, 1), ops.square(x + 1) * 0.25, x))
end

function activations.sparse_sigmoid(x)
  return ops.where(ops.less_equal(x, -1), 0, ops.where(ops.greater_equal(x, 1), 1, (x + 1) * 0.5))
end

function activations.glu(x, options)
  local axis = options and options.axis or -1
  local parts = ops.split(x, 2, axis)
  return parts[1] * ops.sigmoid(parts[2])
end

--- Keeps the logits in mind, so that a cross-entropy on the result can use them.
function activations.softmax(x, options)
  local axis = options and options.axis or -1
  if #x.shape == 1 and axis == -1 then
    axis = 0
  end
  local out = ops.softmax(x, axis)
  if axis == -1 or axis == #x.shape - 1 then
    scope.set_logits(out, x, "softmax")
  end
  return out
end

function activations.log_softmax(x, options)
  return ops.log_softmax(x, options and options.axis or -1)
end

--- Projection onto the probability simplex (Martins and Astudillo 2016).
function activations.sparsemax(x, options)
  local axis = options and options.axis or -1
  if axis < 0 then
    axis = axis + #x.shape
  end
  local sorted = ops.flip(ops.sort(x, axis), axis)
  local sums = ops.cumsum(sorted, axis)
  local count = x.shape[axis + 1]
  local shape = {}
  for i = 1, #x.shape do
    shape[i] = i == axis + 1 and count or 1
  end
  local rank = ops.cast(ops.reshape(ops.arange(1, count + 1), shape), x.dtype)
  local support = ops.greater(rank * sorted + 1, sums)
  local size = ops.sum(ops.cast(support, x.dtype), axis, { keepdims = true })
  local total = ops.sum(ops.where(support, sorted, 0), axis, { keepdims = true })
  return ops.relu(x - (total - 1) / size)
end

--- Finds an activation: nil is linear, a name, or a function (or layer) as it is.
function activations.get(value, where)
  if value == nil then
    return activations.linear, "linear"
  elseif type(value) == "string" then
    local fn = value ~= "get" and rawget(activations, value)
    if not fn then
      errors.raise("%s: there is no activation '%s'%s", where or "activations.get", value,
        errors.suggest(value, activations))
    end
    return fn, value
  elseif type(value) == "function" or type(value) == "table" and getmetatable(value)
    and getmetatable(value).__call then
    return value, "function"
  end
  errors.raise("%s: an activation is a name or a function, not %s", where or "activations.get",
    errors.describe(value))
end

-- The options of those that have some.
local OPTIONS = {
  relu = { negative_slope = "number", max_value = "number", threshold = "number" },
  leaky_relu = { negative_slope = "number" },
  elu = { alpha = "number" },
  celu = { alpha = "number" },
  gelu = { approximate = "boolean" },
  soft_shrink = { threshold = "number" },
  hard_shrink = { threshold = "number" },
  threshold = { threshold = "number", default_value = "number" },
  squareplus = { b = "number" },
  glu = { axis = "integer" },
  softmax = { axis = "integer" },
  log_softmax = { axis = "integer" },
  sparsemax = { axis = "integer" },
}

for name, fn in pairs(activations) do
  local where, allowed = "activations." .. name, OPTIONS[name] or {}
  if name ~= "get" then
    -- An activation by its name, with its own options, on anything that makes a tensor.
    activations[name] = function(x, options)
      return fn(tensor.convert(x), errors.check_options(options, allowed, where))
    end
    declare.functions("activations", activations, { ["x options?"] = name })
  end
end

return activations
