-- topology_picture - the chips of a slice as boxes, plane beside plane, with the links between them.

local description = require "moonpod.plot.description"
local scene = require "moonpod.plot.scene"
local tables = require "moonpod.base.tables"
local texts = require "moonpod.base.texts"
local topology = require "moonpod.tpu.topology"

local topology_picture = {}

local WIDTH, HEIGHT, GAP, REACH, MARGIN, LINE = 42, 28, 24, 12, 16, 18

-- The middle of the box at a place of a plane that begins at (left, top), both counted from 1.
local function middle(plane, column, row)
  return plane.left + (column - 0.5) * (WIDTH + GAP), plane.top + (row - 0.5) * (HEIGHT + GAP)
end

-- The links of a line of boxes; where its axis wraps around, dashed ends lead out of the plane.
local function draw_links(drawing, x1, y1, x2, y2, wraps)
  drawing:line(x1, y1, x2, y2, "muted", 1.4)
  if wraps then
    local across = y1 == y2
    local out_x, out_y = across and WIDTH / 2 + REACH or 0, across and 0 or HEIGHT / 2 + REACH
    drawing:path { lines = { { x1 - out_x, y1 - out_y, x1, y1 }, { x2, y2, x2 + out_x, y2 + out_y } },
      stroke = "muted", thick = 1.4, dash = 3 }
  end
end

local function draw_chip(drawing, slice, x, y, place)
  local chip = slice:chip_at(place)
  local cores = slice.num_cores / slice.num_chips
  local names = {}
  for core = 1, cores do
    names[core] = ("%d"):format(chip * cores + core - 1)
  end
  drawing:rect { x = x - WIDTH / 2, y = y - HEIGHT / 2, width = WIDTH, height = HEIGHT, fill = "panel", stroke = "1",
    thick = 1.2, radius = 5, title = ("chip %d at %s: core%s %s"):format(chip, table.concat(place, ","),
    cores == 1 and "" or "s", table.concat(names, ", ")) }
  drawing:text { x = x, y = y + 4.5, text = ("%d"):format(chip), anchor = "middle", size = 13, bold = true }
end

local function draw_plane(drawing, slice, plane)
  local columns, rows = plane.columns, plane.rows
  for row = 1, #rows do
    if rows[row] then
      local x1, y = middle(plane, 1, row)
      draw_links(drawing, x1, y, middle(plane, #columns, row), y, slice.wraps[1])
    end
  end
  for column = 1, #columns do
    if columns[column] then
      local x, y1 = middle(plane, column, 1)
      draw_links(drawing, x, y1, x, select(2, middle(plane, column, #rows)), slice.wraps[2])
    end
  end
  for row = 1, #rows do
    for column = 1, #columns do
      local x, y = middle(plane, column, row)
      if rows[row] and columns[column] then
        draw_chip(drawing, slice, x, y, { columns[column], rows[row], plane.z })
      else
        drawing:rect { x = x - 12, y = y - 9, width = 24, height = 18, fill = "paper" }
        drawing:text { x = x, y = y + 4, text = "…", anchor = "middle", size = 13, fill = "muted" }
      end
    end
  end
  if plane.z then
    drawing:text { x = plane.left + GAP / 2, y = plane.top - 4, size = 12, fill = "muted",
      text = ("plane %d of %d"):format(plane.z, slice.shape[3]) }
  end
end

-- Planes beside each other; returns them and the width and height of all.
local function place_planes(slice, top)
  local columns, rows = topology.positions(slice.shape[1]), topology.positions(slice.shape[2])
  local planes, left = {}, MARGIN
  for i, z in ipairs(slice.shape[3] and topology.planes(slice) or { 0 }) do
    if z then
      planes[i] = { left = left, top = top, columns = columns, rows = rows, z = slice.shape[3] and z or nil }
      left = left + #columns * (WIDTH + GAP) + MARGIN
    else
      planes[i] = { left = left, is_gap = true }
      left = left + 2 * MARGIN
    end
  end
  return planes, left, top + #rows * (HEIGHT + GAP) + MARGIN
end

-- What is said of a slice, in short lines: its text without the drawing in letters.
local function facts(slice)
  local first, second = tostring(slice):match "^([^\n]*)\n([^\n]*)"
  return tables.join({ first }, texts.parts(second .. "; ", "(.-); "))
end

local function draw(one)
  local slice = one.slice
  local lines, width = facts(slice), 0
  for i, line in ipairs(lines) do
    width = math.max(width, scene.text_width(line, i == 1 and 13.5 or 12.5) + 2 * MARGIN)
  end
  local planes, right, bottom = place_planes(slice, MARGIN + #lines * LINE + (slice.shape[3] and LINE or 8))
  local drawing = scene.new(math.max(right, width), bottom, slice.name, table.concat(lines, "; "))
  for i, line in ipairs(lines) do
    drawing:text { x = MARGIN, y = MARGIN + (i - 0.4) * LINE, text = line, size = 12.5, bold = i == 1,
      fill = i == 1 and "ink" or "muted" }
  end
  for _, plane in ipairs(planes) do
    if plane.is_gap then
      drawing:text { x = plane.left, y = (planes[1].top + bottom) / 2, text = "…", size = 16, fill = "muted" }
    else
      draw_plane(drawing, slice, plane)
    end
  end
  return drawing
end

description.define("topology", { scene = draw, text = function(one)
  return tostring(one.slice)
end })

-- Describes what pod.topology made.
function topology_picture.describe(slice)
  return description.new { kind = "topology", slice = slice }
end

return topology_picture
