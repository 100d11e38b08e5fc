-- Layers that change pictures (n, height, width, channels): at random while training, else not at all; and sizes.

local check = require "moonpod.layers.check"
local image = require "moonpod.image"
local image_random = require "moonpod.image.random"
local layer = require "moonpod.layers.layer"
local ops = require "moonpod.ops"
local random_state = require "moonpod.func.random_state"
local tables = require "moonpod.base.tables"

local seed_of = random_state.seed_of_call

local layers = {}

-- A number, or { low, high }.
local function range(value)
  local low, high = value, value
  if type(value) == "table" then
    low, high = value[1], value[2]
  end
  if type(low) ~= "number" or type(high) ~= "number" or low > high then
    return "must be a number or { low, high }"
  end
end

local function pair(value)
  if type(value) ~= "table" or range(value) then
    return "must be { low, high }"
  end
end

-- Defines a layer whose pictures are floats; change(self, x, training) gives the new ones.
local function define(spec, change)
  local class = layer.define(spec)
  function class:call(x, options)
    if #x.shape ~= 4 and #x.shape ~= 3 then
      check.fail(self, " wants pictures (n, height, width, channels); got shape %s", tostring(x.shape))
    end
    return change(self, ops.is_float(x.dtype) and x or ops.cast(x, "float32"), options.training)
  end
  return class
end

local function define_random(spec, change)
  spec.checks.seed = check.non_negative_integer
  spec.trains_unasked = true
  return define(spec, function(self, x, training)
    if not training then
      return x
    end
    return change(x, self.config)
  end)
end

---@name pod.layers.random_flip
--- In training, or called by hand without `training`, mirrors each picture or not, at random. Input `(batch, height,
--- width, channels)`, also without the batch.
---@param options.mode "horizontal"|"vertical"|"horizontal_and_vertical" which axes
---@return layer
---@example pod.layers.random_flip("horizontal")(pod.ones { 1, 4, 4, 3 }).shape --> (1, 4, 4, 3)
layers.random_flip = define_random({
  name = "RandomFlip",
  arguments = { "mode" },
  defaults = { mode = "horizontal_and_vertical" },
  checks = { mode = check.one_of("horizontal", "vertical", "horizontal_and_vertical") },
  example = 'layers.random_flip("horizontal")',
}, function(x, config)
  if config.mode ~= "vertical" then
    x = image.random_flip_left_right(x, { seed = seed_of(config) })
  end
  if config.mode ~= "horizontal" then
    x = image.random_flip_up_down(x, { seed = seed_of(config) })
  end
  return x
end)

-- How places are filled that a picture is moved away from: the options of layers, their checks, and what they are in
-- calls.
local FILLED = { fill_mode = "reflect", interpolation = "bilinear", fill_value = 0.0 }

local function checks_of_filled(more)
  return tables.merge(more, { fill_mode = check.one_of("constant", "nearest", "reflect", "wrap"),
    interpolation = check.one_of("bilinear", "nearest"), fill_value = check.number })
end

local function filled_by(config)
  return { fill_mode = config.fill_mode, fill_value = config.fill_value, interpolation = config.interpolation,
    seed = seed_of(config) }
end

---@name pod.layers.random_rotation
--- In training, or called by hand without `training`, turns each picture by a random angle.
---@param options.factor number|number[] the largest angle, or { lowest, highest }, as a part of a whole turn
---@param options.fill_mode "reflect"|"wrap"|"constant"|"nearest" what stands beyond the edges
---@param options.fill_value number the value of "constant"
---@return layer
---@example pod.layers.random_rotation(0.1)(pod.ones { 1, 4, 4, 3 }).shape --> (1, 4, 4, 3)
layers.random_rotation = define_random({
  name = "RandomRotation",
  arguments = { "factor" },
  defaults = FILLED,
  checks = checks_of_filled { factor = range },
  example = "layers.random_rotation(0.1)",
}, function(x, config)
  return image.random_rotation(x, config.factor, filled_by(config))
end)

-- A factor of a size: a number, or { low, high }, within bounds.
local function part_of_size(least, is_open)
  return function(value)
    local problem = range(value)
    for _, one in ipairs(not problem and (type(value) == "table" and value or { value }) or {}) do
      if one < least or is_open and one == least or one > 1 then
        problem = ("must be %s %d and at most 1"):format(is_open and "above" or "from", least)
      end
    end
    return problem
  end
end

---@name pod.layers.random_zoom
--- In training, or called by hand without `training`, makes each picture larger or smaller about its middle, by a
--- random part: a factor of -0.2 brings it a fifth nearer, 0.2 a fifth away.
---@param options.height_factor number|number[] the largest part, or { lowest, highest }, above -1 and at most 1
---@param options.width_factor number|number[] that of the width (default: as the height's, so that the form stays)
---@param options.fill_mode "reflect"|"wrap"|"constant"|"nearest" what stands beyond the edges
---@param options.fill_value number the value of "constant"
---@return layer
---@example pod.layers.random_zoom(0.2)(pod.ones { 1, 4, 4, 3 }).shape --> (1, 4, 4, 3)
layers.random_zoom = define_random({
  name = "RandomZoom",
  arguments = { "height_factor", "width_factor" },
  optional = { "width_factor" },
  defaults = FILLED,
  checks = checks_of_filled { height_factor = part_of_size(-1, true), width_factor = part_of_size(-1, true) },
  example = "layers.random_zoom(0.2)",
}, function(x, config)
  return image.random_zoom(x, config.height_factor, config.width_factor, filled_by(config))
end)

---@name pod.layers.random_translation
--- In training, or called by hand without `training`, moves each picture by random parts of its sides.
---@param options.height_factor number|number[] how far down at most, or { lowest, highest }, -1 to 1
---@param options.width_factor number|number[] how far to the right at most, or { lowest, highest }, -1 to 1
---@param options.fill_mode "reflect"|"wrap"|"constant"|"nearest" what stands beyond the edges
---@param options.fill_value number the value of "constant"
---@return layer
---@example pod.layers.random_translation(0.1, 0.1)(pod.ones { 1, 4, 4, 3 }).shape --> (1, 4, 4, 3)
layers.random_translation = define_random({
  name = "RandomTranslation",
  arguments = { "height_factor", "width_factor" },
  defaults = FILLED,
  checks = checks_of_filled { height_factor = part_of_size(-1), width_factor = part_of_size(-1) },
  example = "layers.random_translation(0.1, 0.1)",
}, function(x, config)
  return image.random_translation(x, config.height_factor, config.width_factor, filled_by(config))
end)

---@name pod.layers.random_brightness
--- In training, or called by hand without `training`, makes each picture brighter or darker by a random part
--- of `value_range`.
---@param options.factor number|number[] the largest part, or { lowest, highest }, -1 to 1
---@return layer
---@example pod.layers.random_brightness(0.2)(pod.ones { 1, 4, 4, 3 }).shape --> (1, 4, 4, 3)
layers.random_brightness = define_random({
  name = "RandomBrightness",
  arguments = { "factor" },
  defaults = { value_range = { 0, 255 } },
  checks = { factor = range, value_range = pair },
  example = "layers.random_brightness(0.2)",
}, function(x, config)
  local low, high = config.value_range[1], config.value_range[2]
  local least, most = image_random.range(config.factor, "random_brightness", "the factor")
  local delta = { least * (high - low), most * (high - low) }
  return ops.clip(image.random_brightness(x, delta, { seed = seed_of(config) }), low, high)
end)

---@name pod.layers.random_contrast
--- In training, or called by hand without `training`, moves values away from each channel's mean, or towards
--- it, by a random factor.
---@param options.factor number|number[] how far the factor is from 1 at most, or { below, above }
---@return layer
---@example pod.layers.random_contrast(0.2)(pod.ones { 1, 4, 4, 3 }).shape --> (1, 4, 4, 3)
layers.random_contrast = define_random({
  name = "RandomContrast",
  arguments = { "factor" },
  defaults = { value_range = { 0, 255 } },
  checks = { factor = range, value_range = pair },
  example = "layers.random_contrast(0.2)",
}, function(x, config)
  local down, up = config.factor, config.factor
  if type(config.factor) == "table" then
    down, up = config.factor[1], config.factor[2]
  end
  local changed = image.random_contrast(x, 1 - down, 1 + up, { seed = seed_of(config) })
  return ops.clip(changed, config.value_range[1], config.value_range[2])
end)

---@name pod.layers.random_erasing
--- In training, or called by hand without `training`, fills a random rectangle of each picture.
---@param options.factor number|number[] the share of pictures that this happens to, or { lowest, highest }
---@param options.scale number[] the lowest and highest part of the picture that the rectangle has
---@param options.fill_value number what it is filled with (default: noise)
---@return layer
---@example pod.layers.random_erasing(0.5)(pod.ones { 1, 8, 8, 3 }).shape --> (1, 8, 8, 3)
layers.random_erasing = define_random({
  name = "RandomErasing",
  arguments = { "factor" },
  defaults = { factor = 1.0, scale = { 0.02, 0.33 }, value_range = { 0, 255 } },
  checks = { factor = range, scale = pair, value_range = pair, fill_value = check.number },
  example = "layers.random_erasing(0.5)",
}, function(x, config)
  local factor = type(config.factor) == "number" and { 0, config.factor } or config.factor
  return image.random_erasing(x, { factor = factor, scale = config.scale, seed = seed_of(config),
    fill_value = config.fill_value or "normal", noise_scale = config.value_range[2] })
end)

---@name pod.layers.random_crop
--- In training, or called by hand without `training`, cuts a part at a random place out of each picture; else resizes
--- it, without what does not fit the form.
---@return layer
---@example pod.layers.random_crop(2, 3)(pod.ones { 1, 4, 4, 3 }).shape --> (1, 2, 3, 3)
layers.random_crop = define({
  name = "RandomCrop",
  arguments = { "height", "width" },
  trains_unasked = true,
  checks = { height = check.positive_integer, width = check.positive_integer, seed = check.non_negative_integer },
  example = "layers.random_crop(28, 28)",
}, function(self, x, training)
  local size = { self.config.height, self.config.width }
  if training then
    return image.random_crop(x, size, { seed = seed_of(self.config) })
  end
  return image.smart_resize(x, size)
end)

---@name pod.layers.center_crop
--- Cuts the middle out of each picture; a smaller one is resized, without what does not fit the form.
---@return layer
---@example pod.layers.center_crop(2, 3)(pod.ones { 1, 4, 4, 3 }).shape --> (1, 2, 3, 3)
layers.center_crop = define({
  name = "CenterCrop",
  trains_unasked = false,
  arguments = { "height", "width" },
  checks = { height = check.positive_integer, width = check.positive_integer },
  example = "layers.center_crop(28, 28)",
}, function(self, x)
  local rank = #x.shape
  local size = { self.config.height, self.config.width }
  if x.shape[rank - 2] < size[1] or x.shape[rank - 1] < size[2] then
    return image.smart_resize(x, size)
  end
  return image.center_crop(x, size)
end)

---@name pod.layers.resizing
--- Resizes pictures: `(batch, height, width, channels)`, also without the batch.
---@param options.crop_to_aspect_ratio boolean whether what does not fit the form is cut off, not squeezed
---@return layer
---@example pod.layers.resizing(2, 3)(pod.ones { 1, 4, 4, 3 }).shape --> (1, 2, 3, 3)
layers.resizing = define({
  name = "Resizing",
  trains_unasked = false,
  arguments = { "height", "width" },
  defaults = { interpolation = "bilinear", crop_to_aspect_ratio = false },
  checks = { height = check.positive_integer, width = check.positive_integer,
    interpolation = check.one_of("bilinear", "nearest"), crop_to_aspect_ratio = check.boolean },
  example = "layers.resizing(64, 64)",
}, function(self, x)
  local resize = self.config.crop_to_aspect_ratio and image.smart_resize or image.resize
  return resize(x, { self.config.height, self.config.width }, { method = self.config.interpolation })
end)

return layers
