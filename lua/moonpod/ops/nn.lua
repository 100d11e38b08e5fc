--- Convolutions and pooling of tensors `(batch, spatial..., channels)`, as functions without weights of their own.
---@param options.strides integer|integer[] how far the window moves from place to place (default 1)
---@param options.padding "valid"|"same"|"causal" whether there are zeros around the input
---@param options.dilation_rate integer|integer[] how far apart the places are that a kernel sees
---@param options.groups integer into how many parts channels are cut
---@param options.output_padding integer|integer[] how many places more come out at the end of each axis
---@param options.pool_size integer|integer[] the size of the window
---@example pod.nn.max_pool(pod.ones { 1, 4, 4, 1 }, { pool_size = { 2, 2 } }).shape --> (1, 2, 2, 1)

-- Convolutions and pooling on tensors [batch, spatial..., channels].

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local in_float32 = require("moonpod.ops.halves").in_float32
local ops = require "moonpod.ops"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local nn = {}

local convert = tensor.convert

local CONVOLUTION = { strides = "shape", padding = "string", dilation_rate = "shape", groups = "integer",
  output_padding = "shape" }
local POOL = { pool_size = "shape", strides = "shape", padding = "string" }

local function check_options(options, where)
  return errors.check_options(options, CONVOLUTION, where)
end

local function check_pool(options, where)
  errors.check_options(options, POOL, where)
  if options.pool_size == nil then
    errors.raise("%s: 'pool_size' is missing", where)
  end
  return options
end

-- The number of spatial axes.
local function rank_of(t, where, what)
  local rank = #t.shape - 2
  if rank < 1 then
    errors.raise("%s: %s must have 3 axes or more; got shape %s", where, what, tostring(t.shape))
  end
  return rank
end

local function ceil_divide(a, b)
  return math.floor((a + b - 1) / b)
end

-- Padding of one axis so that the output has ceil(size / stride) elements, more of it behind (TensorFlow).
local function same_padding(size, window, stride, dilation)
  local reach = (window - 1) * dilation + 1
  local total = math.max((ceil_divide(size, stride) - 1) * stride + reach - size, 0)
  local low = math.floor(total / 2)
  return low, total - low
end

-- The window attribute of core ops. `sizes` are the window's, `spatial` those of the input; padding is "valid",
-- "same" or "causal".
local function make_window(spatial, sizes, strides, padding, dilations, groups)
  local window = { size = sizes, stride = strides, pad_low = {}, pad_high = {}, dilation = dilations,
    groups = groups or 1 }
  for i = 1, #sizes do
    local low, high = 0, 0
    if padding == "same" then
      low, high = same_padding(spatial[i], sizes[i], strides[i], dilations[i])
    elseif padding == "causal" then
      low = (sizes[i] - 1) * dilations[i]
    end
    window.pad_low[i], window.pad_high[i] = low, high
  end
  return window
end

local function fill(value, rank)
  if type(value) == "table" then
    if #value ~= rank then
      errors.raise("nn: %s is given for %d spatial axes", errors.describe(value), rank)
    end
    return value
  end
  return shapes.fill(rank, value or 1)
end

--- Convolves x [n, spatial..., c] with kernel [spatial..., c / groups, filters]. Options: strides (1), padding
--- ("valid", "same", for one axis also "causal"), dilation_rate (1), groups (1).
---@example pod.nn.conv(pod.ones { 1, 4, 4, 3 }, pod.ones { 3, 3, 3, 8 }).shape --> (1, 2, 2, 8)
function nn.conv(x, kernel, options)
  options = check_options(options, "nn.conv")
  x, kernel = convert(x), convert(kernel)
  local rank = rank_of(kernel, "nn.conv", "the kernel")
  if #x.shape ~= rank + 2 then
    errors.raise("conv: a kernel of shape %s wants an input of %d axes; got shape %s", tostring(kernel.shape),
      rank + 2, tostring(x.shape))
  end
  local window = make_window(tables.slice(x.shape, 2, rank + 1), tables.slice(kernel.shape, 1, rank),
    fill(options.strides, rank), options.padding or "valid",
    fill(options.dilation_rate, rank), options.groups)
  return trace.apply("convolution", { x, kernel }, { window = window })
end

--- Convolves each channel with kernels of its own: kernel [spatial..., c, multiplier].
---@example pod.nn.depthwise_conv(pod.ones { 1, 4, 4, 3 }, pod.ones { 3, 3, 3, 1 }).shape --> (1, 2, 2, 3)
function nn.depthwise_conv(x, kernel, options)
  options = check_options(options, "nn.depthwise_conv")
  kernel = convert(kernel)
  local rank = rank_of(kernel, "nn.depthwise_conv", "the kernel")
  local channels, multiplier = kernel.shape[rank + 1], kernel.shape[rank + 2]
  local shape = tables.join(tables.slice(kernel.shape, 1, rank), { 1, channels * multiplier })
  return nn.conv(x, ops.reshape(kernel, shape), tables.merge({ groups = channels }, options))
end

--- Depthwise, then a convolution over single points: pointwise [1..., c * multiplier, filters].
--- ```lua
--- local y = pod.nn.separable_conv(pod.ones { 1, 4, 4, 3 }, pod.ones { 3, 3, 3, 1 }, pod.ones { 1, 1, 3, 8 })
--- assert(y.shape[4] == 8)
--- ```
function nn.separable_conv(x, depthwise, pointwise, options)
  return nn.conv(nn.depthwise_conv(x, depthwise, options), pointwise, { padding = "valid" })
end

-- The size that a transposed convolution gives an axis.
local function transposed_size(size, window, stride, dilation, padding, output_padding)
  local reach = (window - 1) * dilation + 1
  if output_padding == nil then
    return padding == "same" and size * stride or size * stride + math.max(reach - stride, 0)
  end
  local pad = padding == "same" and math.floor(reach / 2) or 0
  return (size - 1) * stride + reach - 2 * pad + output_padding
end

--- The transposed convolution of x [n, spatial..., c] with kernel [spatial..., filters, c]. Options: strides, padding,
--- dilation_rate, output_padding.
--- ```lua
--- local y = pod.nn.conv_transpose(pod.ones { 1, 4, 4, 3 }, pod.ones { 2, 2, 8, 3 }, { strides = 2 })
--- assert(y.shape[2] == 8)
--- ```
function nn.conv_transpose(x, kernel, options)
  options = check_options(options, "nn.conv_transpose")
  x, kernel = convert(x), convert(kernel)
  local rank = rank_of(kernel, "nn.conv_transpose", "the kernel")
  if #x.shape ~= rank + 2 then
    errors.raise("nn.conv_transpose: a kernel of shape %s wants an input of %d axes; got shape %s",
      tostring(kernel.shape), rank + 2, tostring(x.shape))
  end
  local strides, dilations = fill(options.strides, rank), fill(options.dilation_rate, rank)
  local padding = options.padding or "valid"
  local extra = options.output_padding and fill(options.output_padding, rank) or {}
  local window = { size = {}, stride = strides, dilation = dilations, pad_low = {}, pad_high = {} }
  local shape = { x.shape[1] }
  for i = 1, rank do
    local size = kernel.shape[i]
    local out = transposed_size(x.shape[i + 1], size, strides[i], dilations[i], padding, extra[i])
    local reach = (size - 1) * dilations[i] + 1
    local total = math.max((x.shape[i + 1] - 1) * strides[i] + reach - out, 0)
    window.size[i] = size
    window.pad_low[i] = padding == "same" and math.floor(total / 2) or 0
    window.pad_high[i] = total - window.pad_low[i]
    shape[i + 1] = out
  end
  shape[rank + 2] = kernel.shape[rank + 1]
  return trace.apply("convolution_input_gradient", { x, kernel }, { window = window, shape = shape })
end

local function pool_window(x, options, rank)
  local sizes = fill(options.pool_size, rank)
  local strides = options.strides and fill(options.strides, rank) or sizes
  return make_window(tables.slice(x.shape, 2, rank + 1), sizes, strides, options.padding or "valid", fill(1, rank))
end

--- The largest of each window. Options: pool_size, strides (the pool size), padding.
---@example pod.nn.max_pool(pod.ones { 1, 4, 4, 1 }, { pool_size = { 2, 2 } }).shape --> (1, 2, 2, 1)
function nn.max_pool(x, options)
  options, x = check_pool(options, "nn.max_pool"), convert(x)
  local rank = rank_of(x, "nn.max_pool", "the input")
  return trace.apply("pool_max", { x }, { window = pool_window(x, options, rank) })
end

local function average_of_windows(x, rank, window)
  local sum = trace.apply("pool_sum", { x }, { window = window })
  local padded = false
  for i = 1, rank do
    padded = padded or window.pad_low[i] > 0 or window.pad_high[i] > 0
  end
  if not padded then
    return sum / shapes.product(window.size)
  end
  local shape = tables.slice(x.shape)
  shape[1], shape[rank + 2] = 1, 1
  local counts = trace.apply("pool_sum", { ops.ones(shape, { dtype = x.dtype }) }, { window = window })
  return sum / counts
end

--- The mean of each window; padding does not count. Options as nn.max_pool.
---@example pod.nn.average_pool(pod.ones { 1, 4, 4, 1 }, { pool_size = { 2, 2 } }).shape --> (1, 2, 2, 1)
function nn.average_pool(x, options)
  options, x = check_pool(options, "nn.average_pool"), convert(x)
  local rank = rank_of(x, "nn.average_pool", "the input")
  return in_float32(average_of_windows, x, rank, pool_window(x, options, rank))
end

declare.functions("nn", nn, {
  ["x kernel:tensor options?"] = "conv depthwise_conv conv_transpose",
  ["x depthwise:tensor pointwise:tensor options?"] = "separable_conv",
  ["x options"] = "max_pool average_pool",
})

return nn
