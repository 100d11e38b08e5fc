-- ops_reduce - sums, means and other reductions over axes.

local errors = require "moonpod.base.errors"
local in_float32 = require("moonpod.ops.halves").in_float32
local ops = require "moonpod.ops.elementwise"
local shapes = require "moonpod.base.shapes"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local convert, call, apply = tensor.convert, trace.call, trace.apply

-- Reads (axis, options) in the forms f(x), f(x, 1), f(x, {0, 1}), f(x, axis, {keepdims = true}), f(x, {axis =,
-- keepdims =}). Returns an array of axes (nil: all) and whether to keep them.
local function reduction_arguments(x, axis, options, where)
  if type(axis) == "table" and axis[1] == nil and next(axis) ~= nil then
    axis, options = nil, axis
  end
  if type(options) == "boolean" then
    options = { keepdims = options }
  end
  options = errors.check_options(options, { keepdims = true, axis = true, ord = true, dtype = true },
    where)
  axis = errors.once(axis, options, "axis", where)
  local axes = axis ~= nil and shapes.axes(axis, #x.shape, where) or nil
  return axes, options.keepdims or false, options
end

local function reduction(name, op, prepare)
  --- sum, max, all and so on over an axis, axes or all; keepdims = true: axes stay, of size 1.
  ---@example pod.sum({ { 1, 2 }, { 3, 4 } }, 0) --> { 4, 6 }
  ops[name] = function(x, axis, options)
    x = prepare(convert(x))
    local axes, keep = reduction_arguments(x, axis, options, name)
    return call("reduce", op, x, axes, keep)
  end
end

local function same(x)
  return x.dtype == "bool" and ops.cast(x, "int32") or x
end

local function summable(x)
  local small = x.dtype == "bool" or x.dtype == "int8" or x.dtype == "int16"
  if small then
    return ops.cast(x, "int32")
  end
  return (x.dtype == "uint8" or x.dtype == "uint16") and ops.cast(x, "uint32") or x
end

local function boolean(x)
  return ops.cast(x, "bool")
end

reduction("sum", "reduce_sum", summable)
reduction("prod", "reduce_product", summable)
reduction("max", "reduce_max", same)
reduction("min", "reduce_min", same)
reduction("any", "reduce_or", boolean)
reduction("all", "reduce_and", boolean)

--- Divides by the true number of elements, also of a short shard.
---@example pod.mean({ { 1, 2 }, { 3, 4 } }, 0) --> { 2, 3 }
function ops.mean(x, axis, options)
  x = ops.floating(x)
  local axes, keep = reduction_arguments(x, axis, options, "mean")
  return call("mean", x, axes, keep)
end

--- The mean of the squared distances from the mean.
---@example pod.var({ 1, 3 }):item() --> 1
function ops.var(x, axis, options)
  x = ops.floating(x)
  local axes, keep = reduction_arguments(x, axis, options, "var")
  return in_float32(function(y)
    local centred = y - call("mean", y, axes, true)
    return call("mean", centred * centred, axes, keep)
  end, x)
end

--- The standard deviation: the root of var().
---@example pod.std({ 1, 3 }):item() --> 1
function ops.std(x, axis, options)
  return in_float32(function(y)
    return ops.sqrt(ops.var(y, axis, options))
  end, ops.floating(x))
end

--- Mean and variance at once.
---@example pod.moments({ 1, 3 }) --> 2, 1
function ops.moments(x, axis, options)
  return ops.mean(x, axis, options), ops.var(x, axis, options)
end

--- The Euclidean norm; { ord = 1 } the sum of sizes, { ord = math.huge } the largest.
---@example pod.norm({ 3, 4 }):item() --> 5
function ops.norm(x, axis, options)
  x = ops.floating(x)
  local axes, keep, given = reduction_arguments(x, axis, options, "norm")
  local ord = given.ord or 2
  if ord == 1 then
    return call("reduce", "reduce_sum", ops.abs(x), axes, keep)
  elseif ord == math.huge then
    return call("reduce", "reduce_max", ops.abs(x), axes, keep)
  elseif ord == 2 or ord == "euclidean" or ord == "fro" then
    return in_float32(function(y)
      return ops.sqrt(call("reduce", "reduce_sum", y * y, axes, keep))
    end, x)
  end
  errors.raise("norm: ord must be 1, 2 or math.huge, not %s", tostring(ord))
end

--- log(sum(exp(x))) without overflow.
---@example pod.logsumexp({ 0, 0 }):item() --> 0.6931
function ops.logsumexp(x, axis, options)
  x = ops.floating(x)
  local axes, keep = reduction_arguments(x, axis, options, "logsumexp")
  local result = in_float32(function(y)
    local top = apply("stop_gradient", { call("reduce", "reduce_max", y, axes, true) })
    top = ops.where(ops.is_finite(top), top, convert(0, y.dtype))
    return ops.log(call("reduce", "reduce_sum", ops.exp(y - top), axes, true)) + top
  end, x)
  if keep then
    return result
  end
  return axes and ops.squeeze(result, axes) or ops.reshape(result, {})
end

--- exp(x) as shares of its sum along an axis (the last).
---@example pod.softmax { { 1, 1 } } --> { { 0.5, 0.5 } }
function ops.softmax(x, axis)
  x = ops.floating(x)
  local axes = { shapes.place(axis or -1, #x.shape, "softmax") - 1 }
  return in_float32(function(y)
    local top = apply("stop_gradient", { call("reduce", "reduce_max", y, axes, true) })
    local powers = ops.exp(y - top)
    return powers / call("reduce", "reduce_sum", powers, axes, true)
  end, x)
end

--- The logarithm of softmax(), more exact than taken of it.
---@example pod.log_softmax { { 1, 1 } } --> { { -0.6931, -0.6931 } }
function ops.log_softmax(x, axis)
  x = ops.floating(x)
  return trace.composite("log_softmax", { x }, { axis = shapes.place(axis or -1, #x.shape, "log_softmax") - 1 })
end

local function place_of_extreme(name)
  --- The index, from 0, of the largest or smallest element along an axis; the first of equals.
  ---@example pod.argmax({ { 1, 3, 2 } }, -1) --> { 1 }
  ops[name] = function(x, axis, options)
    options = errors.check_options(options, { dtype = true, keepdims = true }, name)
    x = same(convert(x))
    local place = 1
    if axis == nil then
      x = ops.flatten(x)
    else
      place = shapes.place(axis, #x.shape, name)
    end
    local result = apply(name, { x },
      { axis = place - 1, dtype = options.dtype and ops.dtype(options.dtype) or "int32" })
    return options.keepdims and ops.expand_dims(result, place - 1) or result
  end
end
place_of_extreme "argmax"
place_of_extreme "argmin"

--- How many elements are not 0.
---@example pod.count_nonzero({ 0, 3, 4 }):item() --> 2
function ops.count_nonzero(x, axis, options)
  return ops.sum(ops.cast(ops.not_equal(x, 0), "int32"), axis, options)
end

return ops
