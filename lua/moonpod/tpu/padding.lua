-- padding - what an array takes in a TPU's tiled memory, and why.

local core = require "moonpod.core"
local errors = require "moonpod.base.errors"
local is_whole = require "moonpod.base.kinds".is_whole

local padding = {}

local Padding = { __name = "moonpod.padding" }
Padding.__index = Padding

function Padding:__tostring()
  local lines = {
    ("%s on %s"):format(self.text, self.chip),
    "  Size: " .. self.padded,
    "  Unpadded size: " .. self.unpadded,
  }
  if self.extra_bytes > 0 then
    lines[#lines + 1] = ("  Extra memory due to padding: %s (%s expansion)"):format(self.extra,
      self.expansion_text)
  end
  lines[#lines + 1] = ("  Layout: %s; %s"):format(self.policy, self.reason)
  return table.concat(lines, "\n")
end

local allowed = {
  "shape", "dtype", "chip", "layout", "tile", "text", "memory_space",
}

-- An array of integers as "1,0".
local function joined(list, what)
  for i = 1, #list do
    local value = list[i]
    if not is_whole(value, 0, 2 ^ 53) then
      errors.raise("padding: %s must be whole numbers of 0 or more, not %s", what,
        errors.describe(value))
    end
  end
  local parts = {}
  for i = 1, #list do
    parts[i] = ("%.0f"):format(list[i])
  end
  return table.concat(parts, ",")
end

-- The layout's text of the options layout (text, or axes minor first) and tile; nil where none is given.
local function layout_text(options)
  local layout, tile, rank = options.layout, options.tile, #options.shape
  if layout == nil and tile == nil and options.memory_space == nil then
    return nil
  end
  if type(layout) == "string" then
    if tile ~= nil then
      errors.raise("padding: layout %s has its tiles within; leave the option tile out", layout)
    end
    return layout
  end
  if layout == nil then
    layout = {}
    for i = 1, rank do
      layout[i] = rank - i
    end
  end
  errors.check_type(layout, "table", "padding", "layout")
  local text = joined(layout, "the axes of layout")
  local properties = ""
  if tile ~= nil then
    errors.check_type(tile, "table", "padding", "tile")
    properties = "T(" .. joined(tile, "the sizes of tile") .. ")"
  end
  if options.memory_space ~= nil then
    properties = properties .. "S(" .. joined({ options.memory_space }, "memory_space") .. ")"
  end
  return "{" .. text .. (properties ~= "" and ":" .. properties or "") .. "}"
end

local function call(chip, ...)
  chip = errors.check_type(chip == nil and "v3" or chip, "string", "padding", "the chip")
  local ok, result = pcall(core.padding, chip, ...)
  if not ok then
    errors.raise_from_core("padding: " .. tostring(result))
  end
  return setmetatable(result, Padding)
end

local ELEMENTS = { i1 = "pred", index = "s64", ["complex<f32>"] = "c64", ["complex<f64>"] = "c128" }

-- XLA's notation of an array that is written as StableHLO writes it, tensor<3x4xbf16>; sizes with a bound, <=10, are
-- as large as that.
local function in_xla_notation(text)
  local body = text:match "^%s*tensor<(.+)>%s*$"
  if not body then
    return (text:gsub("<=", ""))
  end
  local sizes = {}
  local rest = body
  while true do
    local size, after = rest:match "^%s*(%d+)%s*x(.*)$"
    if not size then
      break
    end
    sizes[#sizes + 1], rest = size, after
  end
  local element = rest:lower()
  element = ELEMENTS[element] or element:gsub("^ui(%d)", "u%1"):gsub("^i(%d)", "s%1")
  return element .. "[" .. table.concat(sizes, ",") .. "]"
end

--- How much of an array is padding in a TPU's memory: `pod.padding "s32[29360128,10]{1,0:T(8,128)}"` measures one in
--- XLA's notation (or StableHLO's, "tensor<1024x10xf32>"), `pod.padding { shape = { 128, 18 }, dtype = "f32" }` chooses
--- a layout.
---@param options.text string the array in a notation
---@param options.shape integer[] its sizes
---@param options.dtype string its type, as "f32"
---@param options.chip string|chip (default "v3")
---@param options.layout string|integer[] forces one: "{0,1}" or { 0, 1 }
---@param options.tile integer[] forces a tile
---@param options.memory_space integer where it lies
---@return padding which prints
---@example pod.padding({ shape = { 128, 18 }, dtype = "f32" }).shape[2] --> 18
function padding.measure(array, options)
  if type(array) == "string" then
    options = errors.check_options(options, { "chip" }, "padding")
    return call(options.chip, in_xla_notation(array))
  end
  options = errors.check_options(array, allowed, "padding")
  if options.text ~= nil then
    errors.check_type(options.text, "string", "padding", "text")
    for _, name in ipairs { "shape", "dtype", "layout", "tile", "memory_space" } do
      if options[name] ~= nil then
        errors.raise("padding: text says shape, dtype and layout; leave %s out", name)
      end
    end
    return call(options.chip, in_xla_notation(options.text))
  end
  if options.shape == nil or options.dtype == nil then
    errors.raise("padding needs an array: \"f32[128,18]\", or shape = { 128, 18 } and dtype = \"f32\"")
  end
  errors.check_type(options.shape, "table", "padding", "shape")
  return call(options.chip, options.dtype, options.shape, layout_text(options))
end

-- The parts of a text in XLA's notation: dtype, shape, layout (nil where it has none), text.
function padding.parse(text)
  local ok, result = pcall(core.array_type, text)
  if not ok then
    errors.raise_from_core(tostring(result))
  end
  return result
end

return padding
