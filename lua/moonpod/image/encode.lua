-- image_encode - tensors as pictures in files.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local tensor = require "moonpod.tensor"

local image_encode = {}

-- The bytes of a file: encode(context, buffer, ...) of the core, of a picture with bytes as pixels.
local function encoded(image, where, encode, ...)
  image = tensor.convert(image)
  if not tensor.is_known(image) then
    errors.raise("%s: within a compiled function values are not known yet", where)
  end
  if #image.shape == 2 then
    image = image:reshape { image.shape[1], image.shape[2], 1 }
  end
  if image.dtype:find "float" then -- as tf.image.convert_image_dtype
    image = ops.cast(ops.clip(ops.cast(image, "float32") * 255.5, 0, 255), "uint8")
  end
  local ok, bytes = pcall(encode, device.context(), tensor.buffer(image), ...)
  if not ok then
    errors.raise_from_core(bytes)
  end
  return bytes
end

--- Encodes a picture as PNG; the pixels come back from `pod.image.decode_png` as they were.
---@param image tensor (height, width) or (height, width, channels) with 1 to 4 channels, uint8 or floats from 0 to 1
---@return string bytes of a file
---
---```lua
---local bytes = pod.image.encode_png(pod.zeros({ 2, 3, 1 }, "uint8"))
---assert(pod.image.decode_png(bytes).shape == pod.zeros({ 2, 3, 1 }).shape)
---```
function image_encode.encode_png(image)
  return encoded(image, "image.encode_png", device.core.encode_png)
end

--- Encodes a picture as JPEG, which is smaller than PNG; pixels come back about as they were.
---@param image tensor (height, width) or (height, width, channels) with 1 or 3 channels, uint8 or floats from 0 to 1
---@param options.quality integer from 1 (small) to 100 (close to what was given); default 95
---@param options.chroma_downsampling boolean whether colours are kept for squares of four pixels (default true)
---@return string bytes of a file
---
---```lua
---local bytes = pod.image.encode_jpeg(pod.ones({ 16, 24, 3 }, "uint8"), { quality = 80 })
---assert(pod.image.decode_jpeg(bytes).shape == pod.ones({ 16, 24, 3 }).shape)
---```
---@see pod.image.decode_jpeg
function image_encode.encode_jpeg(image, options)
  options = errors.check_options(options, { quality = "count", chroma_downsampling = "boolean" }, "image.encode_jpeg")
  local quality = options.quality or 95
  if quality < 1 or quality > 100 then
    errors.raise("image.encode_jpeg: quality must be a whole number from 1 to 100, not %s", errors.describe(quality))
  end
  return encoded(image, "image.encode_jpeg", device.core.encode_jpeg, quality, options.chroma_downsampling == false)
end

return image_encode
