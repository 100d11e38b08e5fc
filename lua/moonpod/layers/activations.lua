--- Activations: functions of each element, or along an axis, which layers apply at their end. A layer takes one by name
--- or as a function; here they are functions of a tensor and of options.
---@param options.negative_slope number the slope below the threshold
---@param options.max_value number the most that comes out (default: no limit)
---@param options.threshold number where it changes
---@param options.alpha number the limit below, but for its sign
---@param options.axis integer the axis that it works along (default: the last)
---@param options.approximate boolean whether it is computed by tanh
---@param options.b number how smooth it is at 0
---@param options.default_value number what stands for values up to the threshold
---@example pod.activations.relu({ -1, 2 }) --> { 0, 2 }

-- Keras' activations: functions of a tensor, found by name.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local in_float32 = require("moonpod.ops.halves").in_float32
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local shapes = require "moonpod.base.shapes"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local floating = ops.floating

local activations = {}

local SELU_ALPHA, SELU_SCALE = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946

--- Gives x as it is.
---@example pod.activations.linear({ -1, 2 }) --> { -1, 2 }
function activations.linear(x)
  return x
end

--- `max(x, 0)`, or with options `x` above the threshold, a line of `negative_slope` below, at most `max_value`.
---@example pod.activations.relu({ -1, 2 }) --> { 0, 2 }
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

--- `min(max(x, 0), 6)`. It has no slope at 0 and at 6, where that of a minimum would be a half.
---@example pod.activations.relu6({ -1, 9 }) --> { 0, 6 }
function activations.relu6(x)
  return ops.where(ops.greater_equal(x, 6), 6, ops.relu(x))
end

--- `x` above 0, `negative_slope x` (0.2) below.
---@example pod.activations.leaky_relu({ -1, 2 }) --> { -0.2, 2 }
function activations.leaky_relu(x, options)
  local slope = options and options.negative_slope or 0.2
  return ops.where(ops.greater(x, 0), x, x * slope)
end

--- `x` above 0, `alpha (exp(x) - 1)` below, with alpha 1. The slope at 0 is that below it.
---@example pod.activations.elu({ 0, 2 }) --> { 0, 2 }
function activations.elu(x, options)
  local alpha = options and options.alpha or 1.0
  local above = ops.greater(x, 0)
  return ops.where(above, x, ops.expm1(ops.where(above, 0, x)) * alpha)
end

--- `1.0507 elu(x, 1.6733)`: keeps mean 0 and variance 1 from layer to layer (Klambauer et al. 2017).
---@example pod.activations.selu({ 0, 1 }) --> { 0, 1.051 }
function activations.selu(x)
  return activations.elu(x, { alpha = SELU_ALPHA }) * SELU_SCALE
end

--- `x` above 0, `alpha (exp(x / alpha) - 1)` below, with alpha 1.
---@example pod.activations.celu({ 0, 2 }) --> { 0, 2 }
function activations.celu(x, options)
  local alpha = options and options.alpha or 1.0
  return activations.elu(x / alpha) * alpha
end

--- `x P(X <= x)` for a normal X: exact with erf by default, as in Keras; `approximate` uses tanh.
---@example pod.activations.gelu({ 0, 1 }) --> { 0, 0.8413 }
function activations.gelu(x, options)
  return trace.composite("gelu", { floating(x) }, { flag = not not (options and options.approximate) })
end

---@name pod.activations.silu pod.activations.swish
--- `x sigmoid(x)`.
---@example pod.activations.silu({ 0, 1 }) --> { 0, 0.7311 }
function activations.silu(x)
  return x * ops.sigmoid(x)
end
activations.swish = activations.silu

--- `relu6(x + 3) / 6`: 0 below -3, 1 above 3, a line between.
---@example pod.activations.hard_sigmoid({ -4, 0, 4 }) --> { 0, 0.5, 1 }
function activations.hard_sigmoid(x)
  return activations.relu6(x + 3) / 6
end

---@name pod.activations.hard_silu pod.activations.hard_swish
--- `x hard_sigmoid(x)`.
---@example pod.activations.hard_silu({ 0, 4 }) --> { 0, 4 }
function activations.hard_silu(x)
  return x * activations.hard_sigmoid(x)
end
activations.hard_swish = activations.hard_silu

--- `log(1 + exp(x))`.
---@example pod.activations.softplus({ 0 }) --> { 0.6931 }
function activations.softplus(x)
  return ops.softplus(x)
end

--- `x / (1 + |x|)`.
---@example pod.activations.softsign({ -1, 1 }) --> { -0.5, 0.5 }
function activations.softsign(x)
  return x / (ops.abs(x) + 1)
end

--- Moves x towards 0 by the threshold (0.5); what is nearer becomes 0.
---@example pod.activations.soft_shrink({ -1, 0.2, 1 }) --> { -0.5, 0, 0.5 }
function activations.soft_shrink(x, options)
  local threshold = options and options.threshold or 0.5
  return ops.where(ops.greater(x, threshold), x - threshold, ops.where(ops.less(x, -threshold), x + threshold, 0))
end

--- `x`, but 0 where it is within the threshold (0.5).
---@example pod.activations.hard_shrink({ -1, 0.2, 1 }) --> { -1, 0, 1 }
function activations.hard_shrink(x, options)
  local threshold = options and options.threshold or 0.5
  return ops.where(ops.greater(ops.abs(x), threshold), x, 0)
end

--- The hyperbolic tangent.
---@example pod.activations.tanh({ 0, 1 }) --> { 0, 0.7616 }
function activations.tanh(x)
  return ops.tanh(x)
end

--- `x - tanh(x)`.
---@example pod.activations.tanh_shrink({ 0, 1 }) --> { 0, 0.2384 }
function activations.tanh_shrink(x)
  return x - ops.tanh(x)
end

--- x kept within -1 and 1.
---@example pod.activations.hard_tanh({ -2, 0.5 }) --> { -1, 0.5 }
function activations.hard_tanh(x)
  return ops.clip(x, -1, 1)
end

--- `1 / (1 + exp(-x))`. It keeps the logits in mind, so that a cross-entropy of the result can use them.
---@example pod.activations.sigmoid({ 0 }) --> { 0.5 }
function activations.sigmoid(x)
  local out = ops.sigmoid(x)
  scope.set_logits(out, x, "sigmoid")
  return out
end

--- `log(sigmoid(x))`, exact for large |x|.
---@example pod.activations.log_sigmoid({ 0 }) --> { -0.6931 }
function activations.log_sigmoid(x)
  return -ops.softplus(-x)
end

--- `exp(x)`.
---@example pod.activations.exponential({ 0 }) --> { 1 }
function activations.exponential(x)
  return ops.exp(x)
end

--- `x tanh(softplus(x))`.
---@example pod.activations.mish({ 0 }) --> { 0 }
function activations.mish(x)
  return x * ops.tanh(ops.softplus(x))
end

--- `x` above the threshold, `default_value` elsewhere; both options are needed.
---@error an option is missing
---@example pod.activations.threshold({ 1, 3 }, { threshold = 2, default_value = 0 }) --> { 0, 3 }
function activations.threshold(x, options)
  if not options.threshold or not options.default_value then
    errors.raise("activations.threshold: options threshold and default_value are needed")
  end
  return ops.where(ops.greater(x, options.threshold), x, options.default_value)
end

--- `(x + sqrt(x^2 + b)) / 2`, with b 4.
---@example pod.activations.squareplus({ 0 }) --> { 1 }
function activations.squareplus(x, options)
  local b = options and options.b or 4
  return (x + ops.sqrt(ops.square(x) + b)) * 0.5
end

--- 0 up to -1, `(x + 1)^2 / 4` up to 1, then x.
---@example pod.activations.sparse_plus({ -2, 0, 2 }) --> { 0, 0.25, 2 }
function activations.sparse_plus(x)
  return ops.where(ops.less_equal(x, -1), 0, ops.where(ops.less(x, 1), ops.square(x + 1) * 0.25, x))
end

--- 0 up to -1, `(x + 1) / 2` up to 1, then 1.
---@example pod.activations.sparse_sigmoid({ -2, 0, 2 }) --> { 0, 0.5, 1 }
function activations.sparse_sigmoid(x)
  return ops.where(ops.less_equal(x, -1), 0, ops.where(ops.greater_equal(x, 1), 1, (x + 1) * 0.5))
end

--- The gated linear unit: one half of x along an axis, times the sigmoid of the other.
---@example pod.activations.glu({ { 2, 0 } }) --> { { 1 } }
function activations.glu(x, options)
  local axis = options and options.axis or -1
  local parts = ops.split(x, 2, axis)
  return parts[1] * ops.sigmoid(parts[2])
end

--- `exp(x) / sum(exp(x))` along an axis. It keeps the logits in mind, so that a cross-entropy of the result can use
--- them.
---@example pod.activations.softmax({ { 1, 1 } }) --> { { 0.5, 0.5 } }
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

--- The logarithm of softmax, exact where that is near 0.
---@example pod.activations.log_softmax({ { 1, 1 } }) --> { { -0.6931, -0.6931 } }
function activations.log_softmax(x, options)
  return ops.log_softmax(x, options and options.axis or -1)
end

--- The nearest probabilities to x: many of them are 0 (Martins and Astudillo 2016).
---@example pod.activations.sparsemax({ { 0, 3 } }) --> { { 0, 1 } }
function activations.sparsemax(x, options)
  local axis = options and options.axis or -1
  if axis < 0 then
    axis = axis + #x.shape
  end
  local sorted = ops.flip(ops.sort(x, axis), axis)
  local sums = ops.cumsum(sorted, axis)
  local count = x.shape[axis + 1]
  local shape = shapes.fill(#x.shape, 1)
  shape[axis + 1] = count
  local rank = ops.cast(ops.reshape(ops.arange(1, count + 1), shape), x.dtype)
  local support = ops.greater(rank * sorted + 1, sums)
  local size = ops.sum(ops.cast(support, x.dtype), axis, { keepdims = true })
  local total = ops.sum(ops.where(support, sorted, 0), axis, { keepdims = true })
  return ops.relu(x - (total - 1) / size)
end

--- Finds an activation: nil is linear, a name, or a function or layer as it is.
---@param value? string|function
---@param where? string what messages begin with
---@return function
---@return string its name
---@error there is no activation of the name
---@example select(2, pod.activations.get "relu") --> "relu"
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

-- Those that are one op, or give no value that is not there: others compute 16 bits as float32 and round once.
local SINGLE = {}
for name in ("linear relu6 gelu softplus hard_shrink tanh hard_tanh sigmoid exponential threshold softmax "
  .. "log_softmax"):gmatch "%S+" do
  SINGLE[name] = true
end

for name, fn in pairs(activations) do
  local where, allowed = "activations." .. name, OPTIONS[name] or {}
  if name ~= "get" then
    -- An activation by its name, with its own options, on anything that makes a tensor.
    activations[name] = function(x, options)
      x, options = tensor.convert(x), errors.check_options(options, allowed, where)
      if SINGLE[name] or (name == "relu" and next(options) == nil) then
        return fn(x, options)
      end
      return in_float32(fn, x, options)
    end
    declare.functions("activations", activations, { ["x options?"] = name })
  end
end

return activations
