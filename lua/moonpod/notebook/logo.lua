-- logo - the picture by which front ends show the kernel: a moon and four cores.

local raster = require "moonpod.plot.raster"
local scene = require "moonpod.plot.scene"
local svg = require "moonpod.plot.svg"

local logo = {}

local PAPER, MOON, CORE = "#181e3a", "#f7dc78", "#78beff"

-- Circles of a picture of 64 x 64, later ones upon earlier ones: x, y, radius, colour.
local CIRCLES = { { 29, 32, 21, MOON }, { 38, 27, 18, PAPER }, { 38, 21, 4, CORE }, { 49, 21, 4, CORE },
  { 38, 32, 4, CORE }, { 49, 32, 4, CORE } }

local function draw(size)
  local drawing, scale = scene.new(size, size, "Moonpod"), size / 64
  drawing:rect { x = 0, y = 0, width = size, height = size, fill = PAPER }
  for _, one in ipairs(CIRCLES) do
    drawing:circle { x = one[1] * scale, y = one[2] * scale, radius = one[3] * scale, fill = one[4] }
  end
  return drawing
end

function logo.svg()
  return svg.write(draw(64), { theme = "light" })
end

-- So many pixels wide and high.
function logo.png(size)
  return raster.png(draw(size / 2)) -- which has two for each
end

return logo
