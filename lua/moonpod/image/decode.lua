-- image_decode - pictures of PNG and JPEG as tensors.
--
-- The functions take the bytes of a picture, or stand in a function that is mapped over elements with strings: what
-- they get there is a stand-in, and the work is done by a stage of the core, without Lua.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local is_whole = require "moonpod.base.kinds".is_whole
require "moonpod.ops" -- what is decoded is computed with
local tensor = require "moonpod.tensor"

local image_decode = {}

-- ---- options ---------------------------------------------------------------------------------------------

local ALLOWED = { channels = true, dtype = true, shape = true, size = true, method = true, max_pixels = true }
local METHODS = { bilinear = true, nearest = true }
local CHANNELS = { [0] = true, true, [3] = true, [4] = true }

local LONGEST_SIDE = 65536

local function check_size(value, where, name)
  local height, width = value, value
  if type(value) == "table" then
    height, width = value[1], value[2]
  end
  for _, size in ipairs { height or 0, width or 0 } do
    if not is_whole(size, 1, LONGEST_SIDE) then
      errors.raise("%s: %s must be two whole numbers from 1 to %d, { height, width }, not %s", where, name,
        LONGEST_SIDE, errors.describe(value))
    end
  end
  return height, width
end

image_decode.check_size = check_size

-- Reads options of a picture: the core's options, and the shape that pictures get, sizes of -1 as they come. Options:
--   channels     0 (as the picture has it), 1, 3 or 4
--   dtype        "uint8", "uint16" or "float32" (the values of uint8)
--   shape        what all pictures are: { height, width } or { height, width, channels }
--   size         { height, width } to resize to; then method: "bilinear" (gives float32 unless dtype says otherwise),
--                "nearest"
--   max_pixels   refuse larger pictures
function image_decode.read_options(options, format, where)
  options = errors.check_options(options, ALLOWED, where)
  local shape = options.shape or {}
  local channels = options.channels or CHANNELS[shape[3]] and shape[3] or 0
  if not CHANNELS[channels] then
    errors.raise("%s: channels must be 0 (as pictures have them), 1, 3 or 4, not %s", where,
      errors.describe(channels))
  end
  local method = options.method or "bilinear"
  if not METHODS[method] then
    errors.raise('%s: method must be "bilinear" or "nearest", not %s', where, errors.describe(method))
  end
  local image = { format = format, channels = channels, dtype = options.dtype, resize = method,
    max_pixels = options.max_pixels }
  local height, width = shape[1] or -1, shape[2] or -1
  if options.size then
    height, width = check_size(options.size, where, "size")
    image.height, image.width = height, width
  end
  return image, { height, width, shape[3] or (channels > 0 and channels or -1) }
end

-- ---- stand-ins ------------------------------------------------------------------------------------------

local Placeholder = {
  __name = "moonpod.string",
  __description = "a string of the elements (in a mapped function layers of texts, pod.data.read_file and "
    .. "pod.image.decode_* take one, and nothing else; map(fn, { interpret = true }) gets strings of Lua)",
}

-- A string of elements in a function that is traced: `component` counts from 1. decode(string, image, shape)
-- returns the tensor that the picture becomes.
function image_decode.stand_in(component, decode)
  return setmetatable({ component = component, decode = decode }, Placeholder)
end

function image_decode.is_stand_in(value)
  return type(value) == "table" and getmetatable(value) == Placeholder
end

---@name pod.data.read_file
--- The bytes of a file: a string, or in a function of `map` what `pod.image.decode_png` and the like take.
---@param path string the file; in `map` the string of an element
---@return string
---@error there is no such file, or it cannot be read
---@see pod.image.decode_png pod.data.list_files
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write "bytes"
--- file:close()
--- print(pod.data.read_file(path))
--- --> bytes
--- os.remove(path)
--- ```
function image_decode.read_file(path)
  if image_decode.is_stand_in(path) then
    if path.is_path then
      errors.raise("read_file: this is what a file holds, no path")
    end
    local inside = image_decode.stand_in(path.component, path.decode)
    inside.is_path = true
    return inside
  end
  errors.check_type(path, "string", "read_file", "the path")
  local ok, bytes = pcall(device.core.file_read, device.context(), path)
  if not ok then
    errors.raise("read_file: %s", bytes)
  end
  return bytes
end

local function decoder(format, where)
  -- decode_image, decode_jpeg, decode_png: a picture's pixels from the bytes of its file.
  return function(contents, options)
    local image, shape = image_decode.read_options(options, format, where)
    if image_decode.is_stand_in(contents) then
      for _, size in ipairs(shape) do
        if size < 0 then
          errors.raise("%s: in a mapped function all sizes must be known: give shape = { height, width, channels }, or "
            .. "size = { height, width } and channels to resize", where)
        end
      end
      return contents.decode(contents, image, shape)
    end
    errors.check_type(contents, "string", where, "the picture")
    local ok, buffer = pcall(device.core.image_decode, device.context(), contents, image)
    if not ok then
      errors.raise("%s: %s", where, buffer)
    end
    local dims = buffer:shape()
    for axis, size in ipairs(shape) do
      if size >= 0 and size ~= dims[axis] then
        errors.raise("%s: the picture has shape %s, but %s was announced", where, tostring(tensor.shape(dims)),
          tostring(tensor.shape(shape)))
      end
    end
    return tensor.from_buffer(buffer)
  end
end

---@name pod.image.decode_png pod.image.decode_jpeg pod.image.decode_image
--- A picture from the bytes of its file, as a tensor `(height, width, channels)` of uint8. `decode_image` finds out
--- which format it is. In functions of `map` all sizes must be known.
---@param contents string the bytes, or in `map` what `read_file` gave
---@param options? table `channels` (1, 3 or 4), `size` ({ height, width }: resizes), `shape` (what is announced),
---   `dtype`
---@return tensor
---@error the bytes are no such picture, or damaged
---@see pod.data.read_file
--- ```lua
--- local picture = pod.ones({ 4, 6, 3 }, { dtype = "uint8" })
--- assert(pod.image.decode_image(pod.image.encode_png(picture)).shape[2] == 6)
--- ```
-- decode_*(contents, options): a picture as a tensor (height, width, channels); options as above.
image_decode.decode_png = decoder("png", "decode_png")
image_decode.decode_jpeg = decoder("jpeg", "decode_jpeg")
image_decode.decode_image = decoder("any", "decode_image")

return image_decode
