-- heat_text - a heat map in the terminal: shades, or two cells of colour to a character.

local axis = require "moonpod.plot.axis"
local colors = require "moonpod.plot.colors"
local heat_scene = require "moonpod.plot.heat_scene"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"

local heat_text = {}

local function shade(one, value, ascii)
  local share = heat_scene.share(one, value)
  return share and colors.shade(share, ascii) or "?"
end

-- A table of numbers, each with its shade: for few cells.
local function draw_numbers(one, ascii)
  local rows, columns = {}, { { align = "right" }, { align = "right" } }
  if one.columns then
    rows[1] = tables.join({ "" }, one.columns)
  end
  for i, row in ipairs(one.values) do
    rows[#rows + 1] = tables.join({ one.rows and one.rows[i] or "" }, tables.map(row, function(value)
      return axis.text(value, 3) .. " " .. shade(one, value, ascii):rep(2)
    end))
  end
  return text_table.lines(rows, columns)
end

local function draw_shades(one, width, height, ascii)
  local label_width = math.min(tables.most(one.rows or {}, 0, text_table.width_of), math.floor(width / 3))
  local room = math.max(width - label_width - (label_width > 0 and 1 or 0), 1)
  local rows = heat_scene.reduced(one.values, height, room)
  local wide = rows[1] and 2 * #rows[1] <= room and 2 or 1
  local out = {}
  for i, row in ipairs(rows) do
    local parts = tables.map(row, function(value)
      return shade(one, value, ascii):rep(wide)
    end)
    local label = #rows == #one.values and one.rows and one.rows[i] or ""
    out[i] = label_width > 0
      and text_table.pad(text_table.cut(label, label_width, ascii), label_width) .. " " .. table.concat(parts)
      or table.concat(parts)
  end
  return out
end

-- The lines of a heat map. Options: width, height, ascii.
function heat_text.draw(one, options)
  local columns = one.values[1] and #one.values[1] or 0
  local has_numbers = one.annotate
    or one.annotate == nil and columns <= 12 and #one.values <= 30 and columns * 9 + 12 <= options.width
  local out = { one.title ~= "" and one.title or nil }
  local drawn = has_numbers and draw_numbers(one, options.ascii)
    or draw_shades(one, options.width, math.max(options.height, 2), options.ascii)
  for _, line in ipairs(drawn) do
    out[#out + 1] = line:gsub("%s+$", "")
  end
  local shades = table.concat(colors.shades[options.ascii])
  out[#out + 1] = axis.text(one.low) .. " [" .. shades .. "] " .. axis.text(one.high)
  return out
end

return heat_text
