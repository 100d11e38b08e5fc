-- logo - the picture by which front ends show the kernel: a moon and four cores.

local image = require "moonpod.image.encode"
local tensor = require "moonpod.tensor"

local logo = {}

-- Circles of a picture of 64 x 64, later ones upon earlier ones: x, y, radius, red, green, blue.
local PAPER = { 24, 30, 58 }
local CIRCLES = {
  { 29, 32, 21, 247, 220, 120 }, { 38, 27, 18, 24, 30, 58 },
  { 38, 21, 4, 120, 190, 255 }, { 49, 21, 4, 120, 190, 255 },
  { 38, 32, 4, 120, 190, 255 }, { 49, 32, 4, 120, 190, 255 },
}

function logo.svg()
  local parts = { '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">',
    ('<rect width="64" height="64" rx="10" fill="rgb(%d,%d,%d)"/>'):format(PAPER[1], PAPER[2], PAPER[3]) }
  for _, one in ipairs(CIRCLES) do
    parts[#parts + 1] = ('<circle cx="%d" cy="%d" r="%d" fill="rgb(%d,%d,%d)"/>'):format(one[1], one[2], one[3], one[4],
      one[5], one[6])
  end
  return table.concat(parts, "\n") .. "\n</svg>\n"
end

-- The color at a place.
local function color_at(x, y)
  for i = #CIRCLES, 1, -1 do
    local one = CIRCLES[i]
    if (x - one[1]) ^ 2 + (y - one[2]) ^ 2 <= one[3] ^ 2 then
      return one[4], one[5], one[6]
    end
  end
  return PAPER[1], PAPER[2], PAPER[3]
end

-- Places within a pixel, along each side, of whose colors it has the mean.
local SAMPLES = 4

local function pixel(x, y, scale)
  local sums = { 0, 0, 0 }
  for i = 1, SAMPLES do
    for j = 1, SAMPLES do
      local r, g, b = color_at((x + (i - 0.5) / SAMPLES) * scale, (y + (j - 0.5) / SAMPLES) * scale)
      sums[1], sums[2], sums[3] = sums[1] + r, sums[2] + g, sums[3] + b
    end
  end
  for i = 1, 3 do
    sums[i] = math.floor(sums[i] / SAMPLES ^ 2 + 0.5)
  end
  return sums
end

-- The bytes of a PNG of size x size pixels.
function logo.png(size)
  local rows = {}
  for y = 1, size do
    rows[y] = {}
    for x = 1, size do
      rows[y][x] = pixel(x - 1, y - 1, 64 / size)
    end
  end
  return image.encode_png(tensor.new(rows, { dtype = "uint8" }))
end

return logo
