-- image_color - the values of a picture's pixels: types, grey, brightness, contrast.

local errors = require "moonpod.base.errors"
local geometry = require "moonpod.image.geometry"
local in_float32 = require("moonpod.ops.halves").in_float32
local ops = require "moonpod.ops"

local color = {}

local read = geometry.read

local LARGEST = { uint8 = 255, int8 = 127, uint16 = 65535, int16 = 32767, uint32 = 2 ^ 32 - 1, int32 = 2 ^ 31 - 1 }

local function check_number(value, where, what)
  if type(value) ~= "number" and not ops.is_tensor(value) then
    errors.raise("image.%s: %s must be a number, not %s", where, what, errors.describe(value))
  end
  return value
end

--- Another type of pixels: integers of all their range stand for floats from 0 to 1. Floats outside of it saturate.
--- ```lua
--- local bytes = pod.tensor({ { { 255 } } }, { dtype = "uint8" })
--- assert(pod.image.convert_image_dtype(bytes, "float32"):item() == 1)
--- ```
function color.convert_image_dtype(x, dtype)
  x, dtype = read(x, "convert_image_dtype"), ops.dtype(dtype)
  local from, to = LARGEST[x.dtype], LARGEST[dtype]
  if x.dtype == dtype then
    return x
  elseif not from and not to then
    return ops.cast(x, dtype)
  elseif not to then
    return ops.cast(x, dtype == "float64" and dtype or "float32") * (1 / from)
  elseif not from then
    return ops.cast(x * (to + 0.5), dtype)
  elseif from > to then
    return ops.cast(ops.floor_divide(x, math.floor((from + 1) / (to + 1))), dtype)
  end
  return ops.cast(x, dtype) * math.floor((to + 1) / (from + 1))
end

-- Applies fn to pixels as floats from 0 to 1 where they are integers, as they are where they are floats.
local function as_floats(x, fn)
  local dtype = x.dtype
  if ops.is_float(dtype) then
    return in_float32(fn, x)
  end
  return color.convert_image_dtype(fn(color.convert_image_dtype(x, "float32")), dtype)
end

--- The luma of ITU-R BT.601.
---@example pod.image.rgb_to_grayscale(pod.ones { 2, 2, 3 }).shape --> (2, 2, 1)
function color.rgb_to_grayscale(x)
  x = read(x, "rgb_to_grayscale")
  local channels = x.shape[#x.shape]
  if channels ~= 3 then
    errors.raise("image.rgb_to_grayscale: pictures have %d channels; 3 are needed", channels)
  end
  return as_floats(x, function(y)
    return ops.slice_axis(y, -1, 0, 1) * 0.2989 + ops.slice_axis(y, -1, 1, 2) * 0.587
      + ops.slice_axis(y, -1, 2, 3) * 0.114
  end)
end

--- Three equal channels of one.
---@example pod.image.grayscale_to_rgb(pod.ones { 2, 2, 1 }).shape --> (2, 2, 3)
function color.grayscale_to_rgb(x)
  x = read(x, "grayscale_to_rgb")
  local channels = x.shape[#x.shape]
  if channels ~= 1 then
    errors.raise("image.grayscale_to_rgb: pictures have %d channels; 1 is needed", channels)
  end
  return ops.concat({ x, x, x }, -1)
end

--- Each picture with mean 0 and deviation 1 (at least 1 / sqrt of the number of its values is divided by): float32.
---@example pod.image.per_image_standardization(pod.ones { 2, 2, 1 }).shape --> (2, 2, 1)
function color.per_image_standardization(x)
  local rows, columns, channels
  x, rows, columns, channels = read(x, "per_image_standardization")
  x = ops.is_float(x.dtype) and x or ops.cast(x, "float32")
  return in_float32(function(y)
    local axes = { -3, -2, -1 }
    local centred = y - ops.mean(y, axes, { keepdims = true })
    local deviation = ops.sqrt(ops.mean(ops.square(centred), axes, { keepdims = true }))
    return centred / ops.maximum(deviation, 1 / math.sqrt(rows * columns * channels))
  end, x)
end

--- Adds delta (of pixels as floats from 0 to 1 where they are integers).
---@example pod.image.adjust_brightness(pod.zeros { 1, 1, 1 }, 0.5) --> { { { 0.5 } } }
function color.adjust_brightness(x, delta)
  check_number(delta, "adjust_brightness", "delta")
  return as_floats(read(x, "adjust_brightness"), function(y)
    return y + ops.cast(delta, y.dtype)
  end)
end

--- Multiplies the distance from the mean, that of each channel and picture.
---@example pod.image.adjust_contrast(pod.ones { 2, 2, 1 }, 2).shape --> (2, 2, 1)
function color.adjust_contrast(x, factor)
  check_number(factor, "adjust_contrast", "the factor")
  return as_floats(read(x, "adjust_contrast"), function(y)
    local mean = ops.mean(y, { -3, -2 }, { keepdims = true })
    return (y - mean) * ops.cast(factor, y.dtype) + mean
  end)
end

return color
