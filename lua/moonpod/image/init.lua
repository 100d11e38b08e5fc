--- Functions of pictures: tensors of shape `(height, width, channels)`, or `(n, height, width, channels)`, by
--- TensorFlow's names. They work on values, in functions of `map` and in models. See docs/guides/data.md.
---@param options.seed integer makes what is drawn the same each time
---@param options.method "bilinear"|"nearest" how values between pixels are found
---@param options.interpolation "bilinear"|"nearest" how values between pixels are found
---@param options.fill_mode "reflect"|"wrap"|"constant"|"nearest" what stands beyond the edges
---@param options.fill_value number the value of "constant"
---@example pod.image.flip_left_right(pod.tensor { { { 1 }, { 2 } } }) --> { { { 2 }, { 1 } } }

-- image - functions on pictures: tensors of shape (height, width, channels), or (n, height, width, channels), by
-- TensorFlow's names. They work on values, in mapped functions and in models. See docs/guides/data.md.

local FILES = {
  decode = { "decode_png", "decode_jpeg", "decode_image" },
  geometry = { "flip_left_right", "flip_up_down", "transpose", "rot90", "rotate", "central_crop", "center_crop",
    "crop_to_bounding_box", "pad_to_bounding_box", "resize_with_crop_or_pad", "resize", "smart_resize" },
  encode = { "encode_png", "encode_jpeg" },
  color = { "convert_image_dtype", "rgb_to_grayscale", "grayscale_to_rgb", "per_image_standardization",
    "adjust_brightness", "adjust_contrast" },
  random = { "random_flip_left_right", "random_flip_up_down", "random_crop", "random_rotation",
    "random_zoom", "random_translation", "random_brightness", "random_contrast", "random_erasing" },
}

local image, file_of = {}, {}
for file, list in pairs(FILES) do
  for _, name in ipairs(list) do
    file_of[name] = file
  end
end

return setmetatable(image, {
  __index = function(self, name)
    local file = file_of[name]
    if not file then
      local errors = require "moonpod.base.errors"
      errors.raise("there is no image.%s%s", tostring(name), errors.suggest_name(name, file_of))
    end
    local found = require("moonpod.image." .. file)[name]
    self[name] = found
    return found
  end,
})
