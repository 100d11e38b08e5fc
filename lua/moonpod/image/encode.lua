-- image_encode - tensors as pictures in files.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local tensor = require "moonpod.tensor"

local image_encode = {}

--- Encodes a picture as PNG; the pixels come back from `pod.image.decode_png` as they were.
---@param image tensor (height, width) or (height, width, channels) with 1 to 4 channels, uint8 or floats from 0 to 1
---@return string bytes of a file
---
---```lua
---local bytes = pod.image.encode_png(pod.zeros({ 2, 3, 1 }, "uint8"))
---assert(pod.image.decode_png(bytes).shape == pod.zeros({ 2, 3, 1 }).shape)
---```
function image_encode.encode_png(image)
  image = tensor.convert(image)
  if not tensor.is_known(image) then
    errors.raise("image.encode_png: within a compiled function values are not known yet")
  end
  if #image.shape == 2 then
    image = image:reshape { image.shape[1], image.shape[2], 1 }
  end
  if image.dtype:find "float" then -- as tf.image.convert_image_dtype
    image = ops.cast(ops.clip(ops.cast(image, "float32") * 255.5, 0, 255), "uint8")
  end
  local ok, bytes = pcall(device.core.encode_png, device.context(), tensor.buffer(image))
  if not ok then
    errors.raise_from_core(bytes)
  end
  return bytes
end

return image_encode
