-- canvas - a field of dots in cells of text: eight a cell in Braille, one in ASCII.

local canvas = {}

local Canvas = {}
Canvas.__index = Canvas

-- Bits of a Braille cell's dots: two columns, from the top; U+2800 is the cell without any.
local BITS = { { 1, 8 }, { 2, 16 }, { 4, 32 }, { 64, 128 } }

-- Makes an empty canvas of so many cells. ascii: one dot a cell, shown by the mark that it was set with.
function canvas.new(columns, rows, ascii)
  return setmetatable({ columns = columns, rows = rows, ascii = ascii or false, cells = {},
    width = ascii and columns or 2 * columns, height = ascii and rows or 4 * rows }, Canvas)
end

-- Sets the dot x, y, from 0 at the lower left. Dots outside are left out.
function Canvas:dot(x, y, mark)
  if x < 0 or y < 0 or x >= self.width or y >= self.height then
    return
  end
  y = self.height - 1 - y
  if self.ascii then
    self.cells[y * self.columns + x] = mark or "*"
    return
  end
  local at = math.floor(y / 4) * self.columns + math.floor(x / 2)
  local bit, cell = BITS[y % 4 + 1][x % 2 + 1], self.cells[at] or 0
  if math.floor(cell / bit) % 2 == 0 then
    self.cells[at] = cell + bit
  end
end

-- Sets all dots between two, by steps of one dot along the longer side.
function Canvas:line(x0, y0, x1, y1, mark)
  local steps = math.max(math.abs(x1 - x0), math.abs(y1 - y0))
  for i = 0, steps do
    local share = steps == 0 and 0 or i / steps
    self:dot(math.floor(x0 + share * (x1 - x0) + 0.5), math.floor(y0 + share * (y1 - y0) + 0.5), mark)
  end
end

-- Code points 0x2800 to 0x28FF in UTF-8.
local function braille(bits)
  return string.char(0xE2, 0xA0 + math.floor(bits / 64), 0x80 + bits % 64)
end

-- The rows as texts, from the top.
function Canvas:lines()
  local out = {}
  for row = 0, self.rows - 1 do
    local parts = {}
    for column = 0, self.columns - 1 do
      local cell = self.cells[row * self.columns + column]
      parts[column + 1] = not cell and " " or self.ascii and cell or braille(cell)
    end
    out[row + 1] = table.concat(parts)
  end
  return out
end

return canvas
