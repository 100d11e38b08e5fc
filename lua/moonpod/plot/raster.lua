-- raster - a scene as pixels. Two pixels a pixel of the scene, so that it is sharp on fine screens.

local colors = require "moonpod.plot.colors"
local errors = require "moonpod.base.errors"
local font = require "moonpod.plot.font"
local image_encode = require "moonpod.image.encode"
local tensor = require "moonpod.tensor"

local raster = {}

local floor, max, min, sqrt, abs = math.floor, math.max, math.min, math.sqrt, math.abs

-- No picture has more pixels.
local MOST_PIXELS = 2 ^ 24

local Field = {}
Field.__index = Field

-- Red, green and blue of "#rrggbb" or of a role.
local function rgb(self, color)
  local known = self.known[color]
  if not known then
    local text = color:sub(1, 1) == "#" and color or self.palette[color]
    known = { tonumber(text:sub(2, 3), 16), tonumber(text:sub(4, 5), 16), tonumber(text:sub(6, 7), 16) }
    self.known[color] = known
  end
  return known
end

-- Puts a colour over the pixel x, y, of which `share` is covered.
function Field:blend(x, y, color, share)
  if x < 0 or y < 0 or x >= self.width or y >= self.height or share <= 0 then
    return
  end
  local at = y * self.width + x
  if share >= 1 then
    self.pixels[at] = color[1] * 65536 + color[2] * 256 + color[3]
    return
  end
  local old = self.pixels[at] or self.paper
  local red, green, blue = floor(old / 65536), floor(old / 256) % 256, old % 256
  self.pixels[at] = floor(red + (color[1] - red) * share + 0.5) * 65536
    + floor(green + (color[2] - green) * share + 0.5) * 256 + floor(blue + (color[3] - blue) * share + 0.5)
end

function Field:fill(x, y, width, height, color, share)
  for row = max(floor(y + 0.5), 0), min(floor(y + height + 0.5), self.height) - 1 do
    for column = max(floor(x + 0.5), 0), min(floor(x + width + 0.5), self.width) - 1 do
      self:blend(column, row, color, share)
    end
  end
end

-- The distance of a point to the part of a line between two points.
local function distance(px, py, x, y, dx, dy, length2)
  local along = length2 > 0 and min(max(((px - x) * dx + (py - y) * dy) / length2, 0), 1) or 0
  local ex, ey = px - x - along * dx, py - y - along * dy
  return sqrt(ex * ex + ey * ey)
end

-- A line of some thickness: along its longer side, all pixels near it.
function Field:line(x1, y1, x2, y2, half, color, share)
  local dx, dy = x2 - x1, y2 - y1
  local length2, is_flat = dx * dx + dy * dy, abs(dx) >= abs(dy)
  local a1, a2, b1, slope = x1, x2, y1, dx ~= 0 and dy / dx or 0
  local most = self.width
  if not is_flat then
    a1, a2, b1, slope, most = y1, y2, x1, dx / dy, self.height
  end
  local reach = (half + 1) * sqrt(1 + slope * slope)
  local first, last = max(floor(min(a1, a2) - half - 1), 0), min(floor(max(a1, a2) + half + 1), most - 1)
  for a = first, last do
    local middle = b1 + (min(max(a + 0.5, min(a1, a2)), max(a1, a2)) - a1) * slope
    for b = floor(middle - reach), floor(middle + reach) do
      local x, y = is_flat and a or b, is_flat and b or a
      local away = distance(x + 0.5, y + 0.5, x1, y1, dx, dy, length2)
      self:blend(x, y, color, min(max(half + 0.5 - away, 0), 1) * share)
    end
  end
end

function Field:disc(x, y, radius, color, share, thick)
  for row = floor(y - radius - 2), floor(y + radius + 2) do
    for column = floor(x - radius - 2), floor(x + radius + 2) do
      local ex, ey = column + 0.5 - x, row + 0.5 - y
      local away = sqrt(ex * ex + ey * ey)
      away = thick and abs(away - radius) - thick / 2 or away - radius
      self:blend(column, row, color, min(max(0.5 - away, 0), 1) * share)
    end
  end
end

-- The places where a row meets the sides of outlines, from the left.
local function crossings(lines, y, scale)
  local found = {}
  for _, line in ipairs(lines) do
    for i = 1, #line, 2 do
      local j = i + 2 <= #line and i + 2 or 1
      local x1, y1, x2, y2 = line[i] * scale, line[i + 1] * scale, line[j] * scale, line[j + 1] * scale
      if (y1 <= y) ~= (y2 <= y) then
        found[#found + 1] = x1 + (y - y1) / (y2 - y1) * (x2 - x1)
      end
    end
  end
  table.sort(found)
  return found
end

-- Fills what outlines enclose.
function Field:polygon(lines, color, share)
  local low, high, scale = math.huge, -math.huge, self.scale
  for _, line in ipairs(lines) do
    for i = 2, #line, 2 do
      low, high = min(low, line[i] * scale), max(high, line[i] * scale)
    end
  end
  for row = max(floor(low), 0), min(floor(high), self.height - 1) do
    local found = crossings(lines, row + 0.5, scale)
    for i = 1, #found - 1, 2 do
      local left, right = found[i], found[i + 1]
      for x = max(floor(left), 0), min(floor(right), self.width - 1) do
        self:blend(x, row, color, (min(right, x + 1) - max(left, x)) * share)
      end
    end
  end
end

local drawers = {}

function drawers.rect(self, shape, scale)
  if shape.fill then
    self:fill(shape.x * scale, shape.y * scale, shape.width * scale, shape.height * scale, rgb(self, shape.fill),
      shape.opacity or 1)
  end
  if shape.stroke then
    local x, y, right, bottom = shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    drawers.path(self, { stroke = shape.stroke, thick = shape.thick, closed = true,
      lines = { { x, y, right, y, right, bottom, x, bottom } } }, scale)
  end
end

function drawers.path(self, shape, scale)
  if shape.fill then
    self:polygon(shape.lines, rgb(self, shape.fill), shape.opacity or 1)
  end
  local color = shape.stroke and rgb(self, shape.stroke)
  for _, line in ipairs(color and shape.lines or {}) do
    for i = 1, shape.closed and #line or #line - 2, 2 do
      local j = i + 2 <= #line and i + 2 or 1
      self:line(line[i] * scale, line[i + 1] * scale, line[j] * scale, line[j + 1] * scale,
        (shape.thick or 1) * scale / 2, color, shape.opacity or 1)
    end
  end
end

function drawers.circle(self, shape, scale)
  if shape.fill then
    self:disc(shape.x * scale, shape.y * scale, shape.radius * scale, rgb(self, shape.fill), shape.opacity or 1)
  end
  if shape.stroke then
    self:disc(shape.x * scale, shape.y * scale, shape.radius * scale, rgb(self, shape.stroke), shape.opacity or 1,
      (shape.thick or 1) * scale)
  end
end

function drawers.dots(self, shape, scale)
  for i = 1, #shape.points, 2 do
    self:disc(shape.points[i] * scale, shape.points[i + 1] * scale, shape.radius * scale, rgb(self, shape.stroke),
      shape.opacity or 1)
  end
end

function drawers.cells(self, shape, scale)
  local width, height = shape.width * scale / shape.columns, shape.height * scale / shape.rows
  for row = 0, shape.rows - 1 do
    for column = 0, shape.columns - 1 do
      local color = shape.colors[row * shape.columns + column + 1]
      if color then
        self:fill(shape.x * scale + column * width, shape.y * scale + row * height, width, height, rgb(self, color), 1)
      end
    end
  end
end

function drawers.text(self, shape, scale)
  local color, dots = rgb(self, shape.fill or "ink"), {}
  local size = scale == 2 and 1 or 0.5
  local width = font.draw(shape.text, function(x, y)
    dots[#dots + 1] = { x * size, (y - font.ascent) * size }
  end) * size
  local from = shape.anchor == "middle" and -width / 2 or shape.anchor == "end" and -width or 0
  for _, dot in ipairs(dots) do
    for bold = 0, shape.bold and 1 or 0 do
      local along, across = dot[1] + from + bold, dot[2]
      local x = shape.x * scale + (shape.upright and across or along)
      local y = shape.y * scale + (shape.upright and -along or across)
      self:blend(floor(x), floor(y), color, size)
    end
  end
end

-- The rows of pixels as bytes, red, green and blue of each.
local function bytes_of(self)
  local texts, rows = {}, {}
  local function text_of(value)
    local text = texts[value]
    if not text then
      text = string.char(floor(value / 65536), floor(value / 256) % 256, value % 256)
      texts[value] = text
    end
    return text
  end
  for row = 0, self.height - 1 do
    local parts = {}
    for column = 0, self.width - 1 do
      parts[column + 1] = text_of(self.pixels[row * self.width + column] or self.paper)
    end
    rows[row + 1] = table.concat(parts)
  end
  return table.concat(rows)
end

-- Draws a scene as pixels. Options: theme ("light" or "dark"). Returns their bytes, height and width.
function raster.draw(drawing, options)
  local pixels = drawing.width * drawing.height
  if pixels > MOST_PIXELS then
    errors.raise("a drawing of %d x %d pixels is too large for PNG: give it a smaller width and height",
      drawing.width, drawing.height)
  end
  local scale = pixels * 4 <= MOST_PIXELS and 2 or 1
  local self = setmetatable({ scale = scale, known = {}, pixels = {}, width = max(floor(drawing.width * scale), 1),
    height = max(floor(drawing.height * scale), 1),
    palette = options and options.theme == "dark" and colors.dark or colors.light }, Field)
  local paper = rgb(self, "paper")
  self.paper = paper[1] * 65536 + paper[2] * 256 + paper[3]
  for _, shape in ipairs(drawing.shapes) do
    drawers[shape.kind](self, shape, scale)
  end
  return bytes_of(self), self.height, self.width
end

-- Draws a scene as PNG.
function raster.png(drawing, options)
  local pixels, height, width = raster.draw(drawing, options)
  return image_encode.encode_png(tensor.new(pixels, { dtype = "uint8", shape = { height, width, 3 } }))
end

return raster
