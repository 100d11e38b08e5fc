-- image_random - pictures changed at random, each by a draw of its own.
--
-- In a mapped function the draw depends on the seed, the pass and the element's place in it: it is the same at any
-- number of threads and after a run is resumed. In models it is keyed as all of pod.random.

local color = require "moonpod.image.color"
local errors = require "moonpod.base.errors"
local geometry = require "moonpod.image.geometry"
local image_decode = require "moonpod.image.decode"
local ops = require "moonpod.ops"
local random = require "moonpod.func.random"
local random_state = require "moonpod.func.random_state"
local tables = require "moonpod.base.tables"

local image_random = {}

-- A number from low to high a picture, of a shape that spreads over pictures: (n, 1, 1, 1), or (1, 1, 1). A function
-- that draws several times with one seed numbers its draws: by hand they would be the same.
local function draw(x, low, high, seed, number)
  seed = seed and number and random_state.derive(seed, number) or seed
  local shape, like = { 1, 1, 1 }, nil
  if #x.shape == 4 then
    shape = { x.shape[1], 1, 1, 1 }
    like = ops.slice(x, { 0, 0, 0, 0 }, shape)
  end
  return random.uniform(shape, { minval = low, maxval = high, seed = seed, like = like })
end

image_random.draw = draw

-- The options of a function, and pictures as geometry.read() gives them.
local function start(options, x, where, more)
  return errors.check_options(options, tables.merge({ seed = true }, more), "image." .. where), geometry.read(x, where)
end

local SAMPLED = { interpolation = true, fill_mode = true, fill_value = true }

-- Those of them that geometry.sample() takes.
local function sampled(options)
  return { interpolation = options.interpolation, fill_value = options.fill_value,
    fill_mode = options.fill_mode or "reflect" }
end

local function flip(name, axis)
  -- Flips each picture, or leaves it, with the same chance.
  return function(x, options)
    options, x = start(options, x, name)
    return ops.where(ops.less(draw(x, 0, 1, options.seed), 0.5), ops.flip(x, axis), x)
  end
end

---@name pod.image.random_flip_left_right pod.image.random_flip_up_down
--- Mirrors half of the pictures, at random.
---@param x tensor `(height, width, channels)`, or with a batch before
---@param options? table `seed`
---@return tensor of the same shape
---@example pod.image.random_flip_left_right(pod.ones { 2, 2, 3 }).shape --> (2, 2, 3)
-- Half of the pictures mirrored. Options: seed.
image_random.random_flip_left_right = flip("random_flip_left_right", -2)
image_random.random_flip_up_down = flip("random_flip_up_down", -3)

-- The first pixel of a part of `size` pixels, drawn evenly, and those that follow: (..., size), int32.
local function drawn_places(x, whole, size, seed, number)
  local first = ops.floor(draw(x, 0, whole - size + 1, seed, number))
  first = ops.minimum(ops.reshape(first, #x.shape == 4 and { x.shape[1], 1 } or { 1 }), whole - size)
  return ops.cast(first, "int32") + ops.iota(size)
end

--- A part of { height, width } (a third size, the channels, may be given as TensorFlow has it) at a random place.
--- Options: padding (pixels of zeros, or by padding_mode "reflect" or "symmetric", put around before), seed.
---@example pod.image.random_crop(pod.ones { 4, 4, 3 }, { 2, 2 }).shape --> (2, 2, 3)
function image_random.random_crop(x, size, options)
  local rows, columns, _, batch
  options, x, rows, columns, _, batch = start(options, x, "random_crop", { padding = true, padding_mode = true })
  local height, width = image_decode.check_size(size, "image.random_crop", "the size")
  local padding = geometry.check_whole(options.padding or 0, 0, "random_crop", "the padding")
  if padding > 0 then
    x = geometry.pad(x, batch, { padding, padding }, { padding, padding }, { mode = options.padding_mode })
    rows, columns = rows + 2 * padding, columns + 2 * padding
  end
  if height > rows or width > columns then
    errors.raise("image.random_crop: pictures of %dx%d have no part of %dx%d; padding makes them larger", rows, columns,
      height, width)
  end
  local kept = ops.gather(x, drawn_places(x, rows, height, options.seed, 1), batch, { batch_dims = batch })
  return ops.gather(kept, drawn_places(x, columns, width, options.seed, 2), batch + 1, { batch_dims = batch })
end

-- Reads a factor: a number f stands for { -f, f } (or { 0, f } where factors are shares).
function image_random.range(value, where, what, low)
  if type(value) == "number" then
    return low or -value, value
  elseif type(value) ~= "table" or type(value[1]) ~= "number" or type(value[2]) ~= "number" or value[1] > value[2] then
    errors.raise("%s: %s must be a number or { low, high }, not %s", where, what, errors.describe(value))
  end
  return value[1], value[2]
end

--- Turns by a random part of a full turn: factor f stands for { -f, f }. Options: those of rotate (fill_mode is
--- "reflect" unless given), seed.
---@example pod.image.random_rotation(pod.ones { 4, 4, 3 }, 0.1).shape --> (4, 4, 3)
function image_random.random_rotation(x, factor, options)
  options, x = start(options, x, "random_rotation", SAMPLED)
  local low, high = image_random.range(factor, "image.random_rotation", "the factor")
  local angle = draw(x, low * 2 * math.pi, high * 2 * math.pi, options.seed)
  return geometry.rotate(x, angle, sampled(options))
end

--- Makes pictures larger or smaller about their middles, by a random part: below 0 they come nearer, above 0 they go
--- away. Factor f stands for { -f, f }; without a width's both sides keep their relation. Options: those of rotate
--- (fill_mode is "reflect" unless given), seed.
---@param height_factor number|number[] above -1, at most 1
---@param width_factor? number|number[]
---@example pod.image.random_zoom(pod.ones { 4, 4, 3 }, 0.1).shape --> (4, 4, 3)
function image_random.random_zoom(x, height_factor, width_factor, options)
  local rows, columns
  options, x, rows, columns = start(options, x, "random_zoom", SAMPLED)
  local low, high = image_random.range(height_factor, "image.random_zoom", "the height's factor")
  local height = draw(x, 1 + low, 1 + high, options.seed)
  local width = height
  if width_factor ~= nil then
    low, high = image_random.range(width_factor, "image.random_zoom", "the width's factor")
    width = draw(x, 1 + low, 1 + high, options.seed, 1)
  end
  return geometry.sample(x, "random_zoom", sampled(options), function(down, right, spread)
    local middle_y, middle_x = (rows - 1) / 2, (columns - 1) / 2
    return (down - middle_y) * spread(height) + middle_y, (right - middle_x) * spread(width) + middle_x
  end)
end

--- Moves pictures down and to the right by random parts of their sides. Factor f stands for { -f, f }. Options: those
--- of rotate (fill_mode is "reflect" unless given), seed.
---@param height_factor number|number[] -1 to 1; above 0 is down
---@param width_factor number|number[] -1 to 1; above 0 is to the right
---@example pod.image.random_translation(pod.ones { 4, 4, 3 }, 0.1, 0.1).shape --> (4, 4, 3)
function image_random.random_translation(x, height_factor, width_factor, options)
  local rows, columns
  options, x, rows, columns = start(options, x, "random_translation", SAMPLED)
  local top, bottom = image_random.range(height_factor, "image.random_translation", "the height's factor")
  local left, right_most = image_random.range(width_factor, "image.random_translation", "the width's factor")
  local moved_down = draw(x, top * rows, bottom * rows, options.seed)
  local moved_right = draw(x, left * columns, right_most * columns, options.seed, 1)
  return geometry.sample(x, "random_translation", sampled(options), function(down, right, spread)
    return down - spread(moved_down), right - spread(moved_right)
  end)
end

--- Adds -max_delta to max_delta. Options: seed.
---@example pod.image.random_brightness(pod.ones { 2, 2, 3 }, 0.2).shape --> (2, 2, 3)
function image_random.random_brightness(x, max_delta, options)
  options, x = start(options, x, "random_brightness")
  local low, high = image_random.range(max_delta, "image.random_brightness", "max_delta")
  return color.adjust_brightness(x, draw(x, low, high, options.seed))
end

--- Multiplies the distance from the mean by lower to upper. Options: seed.
---@example pod.image.random_contrast(pod.ones { 2, 2, 3 }, 0.5, 1.5).shape --> (2, 2, 3)
function image_random.random_contrast(x, lower, upper, options)
  options, x = start(options, x, "random_contrast")
  lower, upper = image_random.range({ lower, upper }, "image.random_contrast", "lower and upper")
  return color.adjust_contrast(x, draw(x, lower, upper, options.seed))
end

--- Replaces a box at a random place. Options: scale ({ 0.02, 0.33 }: of each side the square root of such a share),
--- factor (1: how probable it is; { low, high } draws that), seed. What is put there: fill_value (0; "normal": noise of
--- deviation noise_scale, clipped to 0 to noise_scale), noise_scale (255).
--- ```lua
--- local picture = pod.image.random_erasing(pod.ones { 8, 8, 3 }, { scale = { 0.2, 0.3 }, seed = 1 })
--- assert(picture:sum():item() < 8 * 8 * 3)
--- ```
function image_random.random_erasing(x, options)
  local rows, columns
  options, x, rows, columns = start(options, x, "random_erasing", { scale = true, factor = true, fill_value = true,
    noise_scale = true })
  local least, most = image_random.range(options.scale or { 0.02, 0.33 }, "image.random_erasing", "the scale", 0)
  local seed = options.seed
  local function box(size, number)
    local length = ops.sqrt(draw(x, least, most, seed, number)) * size
    local first = draw(x, 0, 1, seed, number + 1) * (size - length)
    return first, first + length
  end
  local left, right = box(columns, 1)
  local top, bottom = box(rows, 3)
  local down, across = ops.iota({ rows, 1, 1 }, 0, "float32"), ops.iota({ columns, 1 }, 0, "float32")
  local inside = ops.logical_and(
    ops.logical_and(ops.greater_equal(down, top), ops.less(down, bottom)),
    ops.logical_and(ops.greater_equal(across, left), ops.less(across, right)))
  local low, high = image_random.range(options.factor or 1, "image.random_erasing", "the factor", 0)
  if type(options.factor or 1) == "number" then
    low = high
  end
  inside = ops.logical_and(inside, ops.less(draw(x, 0, 1, seed, 5), draw(x, low, high, seed, 6)))
  local value = options.fill_value or 0
  if value == "normal" then
    local scale = options.noise_scale or 255
    value = ops.cast(ops.clip(random.normal(x.shape, { seed = seed, like = x }) * scale, 0, scale), x.dtype)
  end
  return ops.where(inside, value, x)
end

return image_random
