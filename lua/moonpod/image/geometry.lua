-- image_geometry - where the pixels of a picture are: flips, crops, sizes, rotations.
--
-- Pictures are (height, width, channels) or (n, height, width, channels).

local errors = require "moonpod.base.errors"
local image_decode = require "moonpod.image.decode"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local is_whole = require "moonpod.base.kinds".is_whole

local geometry = {}

-- Checks that x is a picture, or several; returns it as a tensor, its sizes, and the number of axes before them.
function geometry.read(x, where)
  x = tensor.convert(x)
  local rank = #x.shape
  if rank ~= 3 and rank ~= 4 then
    errors.raise("image.%s: a picture has shape (height, width, channels), or (n, height, width, channels); got %s",
      where, tostring(x.shape))
  end
  return x, x.shape[rank - 2], x.shape[rank - 1], x.shape[rank], rank - 3
end

local read = geometry.read

local function check_whole(value, least, where, what)
  if not is_whole(value, least, 2 ^ 31 - 1) then
    errors.raise("image.%s: %s must be a whole number from %d, not %s", where, what, least, errors.describe(value))
  end
  return value
end

geometry.check_whole = check_whole

-- ---- flips ------------------------------------------------------------------------------------------------

--- Mirrors each line.
---@example pod.image.flip_left_right(pod.tensor { { { 1 }, { 2 } } }) --> { { { 2 }, { 1 } } }
function geometry.flip_left_right(x)
  return ops.flip(read(x, "flip_left_right"), -2)
end

--- Puts the last line first.
---@example pod.image.flip_up_down(pod.tensor { { { 1 } }, { { 2 } } }) --> { { { 2 } }, { { 1 } } }
function geometry.flip_up_down(x)
  return ops.flip(read(x, "flip_up_down"), -3)
end

--- Swaps height and width.
---@example pod.image.transpose(pod.ones { 2, 4, 3 }).shape --> (4, 2, 3)
function geometry.transpose(x)
  return ops.swapaxes(read(x, "transpose"), -3, -2)
end

--- Turns by 90 degrees k times (1), against the clock.
---@example pod.image.rot90(pod.ones { 2, 4, 3 }).shape --> (4, 2, 3)
function geometry.rot90(x, k)
  x = read(x, "rot90")
  k = check_whole(k or 1, -2 ^ 31, "rot90", "k") % 4
  if k == 1 then
    return ops.flip(ops.swapaxes(x, -3, -2), -3)
  elseif k == 2 then
    return ops.flip(x, { -3, -2 })
  elseif k == 3 then
    return ops.swapaxes(ops.flip(x, -3), -3, -2)
  end
  return x
end

-- ---- parts ------------------------------------------------------------------------------------------------

--- The part of a size whose upper left corner is at (top, left).
---@example pod.image.crop_to_bounding_box(pod.ones { 4, 4, 3 }, 1, 1, 2, 3).shape --> (2, 3, 3)
function geometry.crop_to_bounding_box(x, top, left, height, width)
  local rows, columns
  x, rows, columns = read(x, "crop_to_bounding_box")
  for name, value in pairs { top = top, left = left } do
    check_whole(value, 0, "crop_to_bounding_box", "the place '" .. name .. "'")
  end
  check_whole(height, 1, "crop_to_bounding_box", "the height")
  check_whole(width, 1, "crop_to_bounding_box", "the width")
  if top + height > rows or left + width > columns then
    errors.raise("image.crop_to_bounding_box: a picture of %dx%d has no part of %dx%d at (%d, %d)", rows, columns,
      height, width, top, left)
  end
  return ops.slice_axis(ops.slice_axis(x, -3, top, top + height), -2, left, left + width)
end

--- A picture of zeros of that size, with x at (top, left).
---@example pod.image.pad_to_bounding_box(pod.ones { 2, 2, 3 }, 1, 1, 4, 4).shape --> (4, 4, 3)
function geometry.pad_to_bounding_box(x, top, left, height, width)
  local rows, columns, _, batch
  x, rows, columns, _, batch = read(x, "pad_to_bounding_box")
  check_whole(top, 0, "pad_to_bounding_box", "the place 'top'")
  check_whole(left, 0, "pad_to_bounding_box", "the place 'left'")
  local below, right = height - top - rows, width - left - columns
  if below < 0 or right < 0 then
    errors.raise("image.pad_to_bounding_box: a picture of %dx%d has no room at (%d, %d) in %dx%d", rows, columns, top,
      left, height, width)
  end
  return geometry.pad(x, batch, { top, below }, { left, right })
end

-- Pads the sides of pictures, which have so many axes before them.
function geometry.pad(x, batch, rows, columns, options)
  local paddings = { rows, columns, { 0, 0 } }
  if batch == 1 then
    table.insert(paddings, 1, { 0, 0 })
  end
  return ops.pad(x, paddings, options)
end

--- The middle of a picture, a share of its sides (0 to 1).
---@example pod.image.central_crop(pod.ones { 4, 4, 3 }, 0.5).shape --> (2, 2, 3)
function geometry.central_crop(x, share)
  local rows, columns
  x, rows, columns = read(x, "central_crop")
  if type(share) ~= "number" or not (share > 0 and share <= 1) then
    errors.raise("image.central_crop: the share must be above 0 and at most 1, not %s", errors.describe(share))
  end
  local top, left = math.floor((rows - rows * share) / 2), math.floor((columns - columns * share) / 2)
  return geometry.crop_to_bounding_box(x, top, left, rows - 2 * top, columns - 2 * left)
end

--- The middle of a picture, of { height, width }.
---@example pod.image.center_crop(pod.ones { 4, 4, 3 }, { 2, 2 }).shape --> (2, 2, 3)
function geometry.center_crop(x, size)
  local rows, columns
  x, rows, columns = read(x, "center_crop")
  local height, width = image_decode.check_size(size, "image.center_crop", "the size")
  if height > rows or width > columns then
    errors.raise("image.center_crop: a picture of %dx%d has no middle of %dx%d", rows, columns, height, width)
  end
  return geometry.crop_to_bounding_box(x, math.floor((rows - height) / 2), math.floor((columns - width) / 2), height,
    width)
end

--- Crops or pads with zeros, evenly on both sides.
---@example pod.image.resize_with_crop_or_pad(pod.ones { 4, 4, 3 }, 2, 6).shape --> (2, 6, 3)
function geometry.resize_with_crop_or_pad(x, height, width)
  local rows, columns
  x, rows, columns = read(x, "resize_with_crop_or_pad")
  check_whole(height, 1, "resize_with_crop_or_pad", "the height")
  check_whole(width, 1, "resize_with_crop_or_pad", "the width")
  local top, left = math.floor(math.max(rows - height, 0) / 2), math.floor(math.max(columns - width, 0) / 2)
  local kept = geometry.crop_to_bounding_box(x, top, left, math.min(height, rows), math.min(width, columns))
  return geometry.pad_to_bounding_box(kept, math.floor(math.max(height - rows, 0) / 2),
    math.floor(math.max(width - columns, 0) / 2), height, width)
end

-- ---- sizes ------------------------------------------------------------------------------------------------

-- Rounds to float32, in which TensorFlow computes places.
local function single(value)
  if value == 0 then
    return 0
  end
  local scale = 2 ^ (23 - math.floor(math.log(math.abs(value)) / math.log(2)))
  return math.floor(value * scale + 0.5) / scale
end

-- Rounded places of more than 2^22 pixels lie outside, some of them, on either side.
local function held(place, size)
  return math.max(math.min(place, size - 1), 0)
end

local function nearest_places(size, new_size)
  local scale, places = single(size / new_size), {}
  for i = 1, new_size do
    places[i] = held(math.floor(single(single(i - 0.5) * scale)), size)
  end
  return places
end

-- The two pixels that a place lies between, and how far it is from the first.
local function linear_places(size, new_size)
  local scale, low, high, part = single(size / new_size), {}, {}, {}
  for i = 1, new_size do
    local place = single(single(single(i - 0.5) * scale) - 0.5)
    local below = math.floor(place)
    low[i], high[i] = held(below, size), held(math.ceil(place), size)
    part[i] = place - below
  end
  return low, high, part
end

local function pick(x, places, axis)
  return ops.gather(x, tensor.new(places, "int32"), axis)
end

local function resize_axis(x, axis, size, new_size)
  local low, high, part = linear_places(size, new_size)
  local first, second = pick(x, low, axis), pick(x, high, axis)
  local dims = axis == -3 and { new_size, 1, 1 } or { new_size, 1 }
  return first + (second - first) * ops.reshape(tensor.new(part, "float32"), dims)
end

--- Resizes to { height, width }: "bilinear" (gives float32) or "nearest". Centres of pixels lie half a pixel inside.
---@example pod.image.resize(pod.ones { 4, 4, 3 }, { 2, 2 }).shape --> (2, 2, 3)
function geometry.resize(x, size, options)
  local rows, columns
  x, rows, columns = read(x, "resize")
  options = errors.check_options(options, { method = true }, "image.resize")
  local height, width = image_decode.check_size(size, "image.resize", "the size")
  local method = options.method or "bilinear"
  if method == "nearest" then
    return pick(pick(x, nearest_places(rows, height), -3), nearest_places(columns, width), -2)
  elseif method ~= "bilinear" then
    errors.raise('image.resize: method must be "bilinear" or "nearest", not %s', errors.describe(method))
  end
  x = x.dtype == "float64" and x or ops.cast(x, "float32")
  if columns ~= width then
    x = resize_axis(x, -2, columns, width)
  end
  return rows ~= height and resize_axis(x, -3, rows, height) or x
end

--- Crops the middle of the wanted aspect, then resizes.
---@example pod.image.smart_resize(pod.ones { 4, 6, 3 }, { 2, 2 }).shape --> (2, 2, 3)
function geometry.smart_resize(x, size, options)
  local rows, columns
  x, rows, columns = read(x, "smart_resize")
  local height, width = image_decode.check_size(size, "image.smart_resize", "the size")
  local kept_rows = math.max(math.min(rows, math.floor(columns * height / width)), 1)
  local kept_columns = math.max(math.min(columns, math.floor(rows * width / height)), 1)
  return geometry.resize(geometry.center_crop(x, { kept_rows, kept_columns }), size, options)
end

-- ---- rotations ---------------------------------------------------------------------------------------------

-- Places beyond the edges, as float32 whole numbers, by what they show.
local FILL = {
  nearest = function(place, size)
    return ops.clip(place, 0, size - 1)
  end,
  reflect = function(place, size)
    local inside = place - ops.floor(place / (2 * size)) * (2 * size)
    return ops.clip(ops.minimum(inside, 2 * size - 1 - inside), 0, size - 1)
  end,
  wrap = function(place, size)
    return ops.clip(place - ops.floor(place / size) * size, 0, size - 1)
  end,
}
FILL.constant = FILL.nearest -- and another value, below

-- Raises where a value is none of the keys of a table.
function geometry.check_name(value, list, where, what)
  if not list[value] then
    errors.raise('%s: %s must be one of "%s", not %s', where, what, table.concat(tables.sorted_keys(list), '", "'),
      errors.describe(value))
  end
  return value
end

-- The pixels at whole places y, x (of shape (..., height * width)), of pixels (..., rows * columns, channels).
local function pixels_at(from, y, x, how)
  local places = FILL[how.mode](y, how.rows) * how.columns + FILL[how.mode](x, how.columns)
  local found = ops.gather(from, ops.cast(places, "int32"), how.batch, { batch_dims = how.batch })
  if how.mode ~= "constant" then
    return found
  end
  local inside = ops.logical_and(ops.logical_and(ops.greater_equal(y, 0), ops.less(y, how.rows)),
    ops.logical_and(ops.greater_equal(x, 0), ops.less(x, how.columns)))
  return ops.where(ops.expand_dims(inside, -1), found, how.value)
end

local INTERPOLATIONS = { bilinear = true, nearest = true }

-- Pictures whose pixels are those of `x` at other places: places(down, right, spread) gives the rows and columns that
-- each pixel comes from, of its own, both of shape (height * width); spread(value) brings a number, or one a picture,
-- to a shape that goes with them. options: interpolation, fill_mode, fill_value.
function geometry.sample(x, where, options, places)
  local rows, columns, channels, batch
  x, rows, columns, channels, batch = read(x, where)
  local dtype = x.dtype
  local how = { mode = geometry.check_name(options.fill_mode or "constant", FILL, "image." .. where, "fill_mode"),
    value = options.fill_value or 0, rows = rows, columns = columns, batch = batch }
  local interpolation = geometry.check_name(options.interpolation or "bilinear", INTERPOLATIONS, "image." .. where,
    "interpolation")
  local from = ops.cast(x, "float32")
  from = ops.reshape(from, batch == 1 and { x.shape[1], rows * columns, channels } or { rows * columns, channels })
  local function spread(value)
    value = ops.cast(tensor.convert(value), "float32")
    if batch == 0 then
      return ops.reshape(value, {})
    end
    return ops.reshape(ops.broadcast_to(ops.reshape(value, { -1 }), { x.shape[1] }), { x.shape[1], 1 })
  end
  local grid = { rows, columns }
  local source_y, source_x = places(ops.reshape(ops.iota(grid, 0, "float32"), { -1 }),
    ops.reshape(ops.iota(grid, 1, "float32"), { -1 }), spread)
  local found
  if interpolation == "nearest" then
    found = pixels_at(from, ops.floor(source_y + 0.5), ops.floor(source_x + 0.5), how)
  else
    local y, left = ops.floor(source_y), ops.floor(source_x)
    local part_y, part_x = ops.expand_dims(source_y - y, -1), ops.expand_dims(source_x - left, -1)
    local above, above_right = pixels_at(from, y, left, how), pixels_at(from, y, left + 1, how)
    local under, under_right = pixels_at(from, y + 1, left, how), pixels_at(from, y + 1, left + 1, how)
    local top, bottom = above + (above_right - above) * part_x, under + (under_right - under) * part_x
    found = top + (bottom - top) * part_y
  end
  if not ops.is_float(dtype) then
    found = found + 0.5
  end
  return ops.cast(ops.reshape(found, x.shape), dtype)
end

--- Turns pictures about their middles by an angle in radians, against the clock: a number, or a tensor of an angle a
--- picture. Options: interpolation ("bilinear", "nearest"), fill_mode ("constant", "nearest", "reflect", "wrap"),
--- fill_value (0).
---@example pod.image.rotate(pod.ones { 4, 4, 3 }, 0.5).shape --> (4, 4, 3)
function geometry.rotate(x, angle, options)
  local rows, columns
  x, rows, columns = read(x, "rotate")
  options = errors.check_options(options, { interpolation = true, fill_mode = true, fill_value = true }, "image.rotate")
  return geometry.sample(x, "rotate", options, function(down, right, spread)
    angle = spread(angle)
    down, right = down - (rows - 1) / 2, right - (columns - 1) / 2
    local cosine, sine = ops.cos(angle), ops.sin(angle)
    return cosine * down + sine * right + (rows - 1) / 2, cosine * right - sine * down + (columns - 1) / 2
  end)
end

return geometry
