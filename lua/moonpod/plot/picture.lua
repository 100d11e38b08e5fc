-- picture - tensors as pictures: what their pixels are, and how pictures are drawn beside each other.

local axis = require "moonpod.plot.axis"
local chart = require "moonpod.plot.chart"
local colors = require "moonpod.plot.colors"
local errors = require "moonpod.base.errors"
local scene = require "moonpod.plot.scene"
local tables = require "moonpod.base.tables"

local picture = {}

-- More rows or columns of pixels than these are drawn as so many.
local MOST_PIXELS = 512

local CHANNELS = { true, true, true, true }

-- Height, width and channels of a tensor's shape.
local function sizes_of(t, where)
  local shape = t.shape
  if #shape == 2 then
    return shape[1], shape[2], 1
  elseif #shape ~= 3 or not CHANNELS[shape[3]] then
    errors.raise("%s: a picture is a tensor (height, width) or (height, width, channels) with 1 to 4 channels, not %s",
      where, tostring(shape))
  end
  return shape[1], shape[2], shape[3]
end

-- Samples as bytes: uint8 as they are, floats from 0 to 1; grey ones that go beyond are stretched to their range.
local function scale_of(t, values, channels, range)
  local low, high = 0, t.dtype == "uint8" and 255 or 1
  if range then
    low, high = range[1], range[2]
  elseif channels == 1 and t.dtype ~= "uint8" then
    local least, most = axis.extent { values }
    if least < 0 or most > 1 then
      low, high = least, most
    end
  end
  return low, high > low and high or low + 1
end

local function byte_of(value, low, high)
  if value ~= value then
    return 0
  end
  return math.floor(math.min(math.max((value - low) / (high - low), 0), 1) * 255 + 0.5)
end

-- The colour of the pixel whose samples begin at a place: of transparent ones what white paper makes of them.
local function pixel(values, at, channels, low, high)
  local red = byte_of(values[at], low, high)
  local green, blue = red, red
  if channels >= 3 then
    green, blue = byte_of(values[at + 1], low, high), byte_of(values[at + 2], low, high)
  end
  if channels % 2 == 0 then
    local share = byte_of(values[at + channels - 1], low, high) / 255
    local function over(sample)
      return math.floor(sample * share + 255 * (1 - share) + 0.5)
    end
    red, green, blue = over(red), over(green), over(blue)
  end
  return colors.hex(red, green, blue)
end

-- Reads a picture { width =, height =, colors = "#rrggbb" of each pixel by rows } of a tensor. options: range.
function picture.read(value, options, where)
  local t = chart.as_tensor(value, where)
  if not t then
    errors.raise("%s: a picture is a tensor, not %s", where, errors.describe(value))
  end
  local height, width, channels = sizes_of(t, where)
  local values = chart.numbers(t, where)
  local low, high = scale_of(t, values, channels, chart.range(options.range, false, where, "range"))
  local made = { height = math.min(height, MOST_PIXELS), width = math.min(width, MOST_PIXELS), colors = {} }
  for row = 0, made.height - 1 do
    local from = math.floor((row + 0.5) * height / made.height)
    for column = 0, made.width - 1 do
      local place = from * width + math.floor((column + 0.5) * width / made.width)
      made.colors[row * made.width + column + 1] = pixel(values, place * channels + 1, channels, low, high)
    end
  end
  return made
end

-- The rows and columns of pictures beside each other.
local function grid_of(one)
  local columns = math.max(one.columns or math.ceil(math.sqrt(#one.pictures)), 1)
  return columns, math.ceil(#one.pictures / columns)
end

-- Draws pictures beside each other, their labels below them. options: width of the whole, in pixels.
function picture.scene(one, options)
  local columns, rows = grid_of(one)
  local widest = tables.most(tables.column(one.pictures, "width"), 1)
  local highest = tables.most(tables.column(one.pictures, "height"), 1)
  local width = options.width or one.width
  local natural = math.max(widest, math.min(widest * 8, columns > 1 and 96 or 256))
  local cell = width and math.max((width - 20) / columns - 8, 4) or natural
  local label, top = one.labels and 20 or 0, one.title ~= "" and 40 or 14
  local cell_height = cell * highest / widest
  local drawing = scene.new(width or 20 + columns * (cell + 8), top + math.max(rows, 1) * (cell_height + label + 8) + 6,
    one.title, ("%d picture%s"):format(#one.pictures, #one.pictures == 1 and "" or "s"))
  drawing:heading(one.title)
  for i, each in ipairs(one.pictures) do
    local x = 14 + (i - 1) % columns * (cell + 8)
    local y = top + math.floor((i - 1) / columns) * (cell_height + label + 8)
    if each.width > 0 and each.height > 0 then
      drawing:cells { x = x, y = y, width = cell * each.width / widest, height = cell * each.height / widest,
        columns = each.width, rows = each.height, colors = each.colors }
    end
    if one.labels then
      drawing:text { x = x + cell / 2, y = y + cell_height + 14, text = scene.fit(one.labels[i], 11, cell + 6),
        anchor = "middle", size = 11, fill = "muted" }
    end
  end
  return drawing
end

-- ---- in the terminal --------------------------------------------------------------------------------------

-- A picture of at most so many columns and rows, each pixel the nearest one.
local function reduced(each, most_width, most_height)
  local share = math.min(most_width / math.max(each.width, 1), most_height / math.max(each.height, 1), 1)
  local width, height = math.max(math.floor(each.width * share), 1), math.max(math.floor(each.height * share), 1)
  local function at(x, y)
    return each.colors[math.floor((y + 0.5) * each.height / height) * each.width
      + math.floor((x + 0.5) * each.width / width) + 1]
  end
  return width, height, at
end

local function samples(color)
  return tonumber(color:sub(2, 3), 16), tonumber(color:sub(4, 5), 16), tonumber(color:sub(6, 7), 16)
end

-- Two pixels a letter, the upper one in its colour, the lower one in that of its ground.
local function half_blocks(each, columns, rows)
  local width, height, at = reduced(each, columns, 2 * rows)
  local out = {}
  for y = 0, height - 1, 2 do
    local parts = {}
    for x = 0, width - 1 do
      local red, green, blue = samples(at(x, y))
      local cell = ("\27[38;2;%d;%d;%dm"):format(red, green, blue)
      if y + 1 < height then
        cell = cell .. ("\27[48;2;%d;%d;%dm"):format(samples(at(x, y + 1)))
      end
      parts[#parts + 1] = cell .. "▀"
    end
    out[#out + 1] = table.concat(parts) .. "\27[0m"
  end
  return out
end

-- Shades, two letters a pixel where there is room: letters are twice as high as wide.
local function shades(each, columns, rows, ascii)
  local width, height, at = reduced(each, math.floor(columns / 2), rows)
  local out = {}
  for y = 0, height - 1 do
    local parts = {}
    for x = 0, width - 1 do
      local red, green, blue = samples(at(x, y))
      local light = (red * 0.299 + green * 0.587 + blue * 0.114) / 255
      parts[x + 1] = colors.shade(light, ascii):rep(2)
    end
    out[y + 1] = table.concat(parts)
  end
  return out
end

-- The lines of pictures, one below the other. options: width, height, ascii, color.
function picture.text(one, options)
  local out = { one.title ~= "" and one.title or nil }
  for i, each in ipairs(one.pictures) do
    if one.labels then
      out[#out + 1] = one.labels[i] .. ":"
    end
    local drawn = each.width * each.height == 0 and {} or options.color and not options.ascii
      and half_blocks(each, options.width, options.height) or shades(each, options.width, options.height, options.ascii)
    tables.extend(out, drawn)
  end
  return out
end

return picture
