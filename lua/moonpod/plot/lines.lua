-- lines - a chart of axes in the terminal, as lines of text.

local axis = require "moonpod.plot.axis"
local canvas = require "moonpod.plot.canvas"
local chart_axes = require "moonpod.plot.chart_axes"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"

local lines = {}

-- What stands at the axes, in ASCII and not.
local SIGNS = {
  [true] = { tick = "+", side = "|", corner = "+", below = "+", bottom = "-" },
  [false] = { tick = "┤", side = "│", corner = "└", below = "┬", bottom = "─" },
}

local MARKS = { "*", "o", "+", "x", "#", "@" }

-- Where a value lies between the first dot and the last; nil where it has no place.
local function place(value, scale, dots)
  local share = axis.share(scale, value)
  return share and math.floor(math.min(math.max(share, -1), 2) * (dots - 1) + 0.5)
end

-- Fills the dots of a bar from 0 to its value.
local function draw_bar(field, x, y, ground, half, mark)
  for column = x - half, x + half do
    field:line(column, ground, column, y, mark)
  end
end

-- Draws a series; what is not finite leaves a gap. Returns the height of its last point.
local function draw(field, one, x_scale, y_scale, mark)
  local last_x, last_y
  local ground = not y_scale.log and place(0, y_scale, field.height) or 0
  ground = math.min(math.max(ground, 0), field.height - 1)
  local half = one.mark == "bar" and math.max(math.floor(field.width / math.max(#one.x, 1) / 2 - 0.5), 0)
  for i, value in ipairs(one.high or one.y) do
    local x, y = place(one.x[i], x_scale, field.width), place(value, y_scale, field.height)
    if not (x and y) then
      last_x, last_y = nil, nil
    elseif half then
      draw_bar(field, x, y, ground, half, mark)
    else
      local is_alone = one.mark == "points" or not last_x
      field:line(is_alone and x or last_x, is_alone and y or last_y, x, y, mark)
      last_x, last_y = x, y
    end
  end
  return last_y
end

-- The texts at the left: row -> text of a tick.
local function left_texts(scale, rows)
  local at, width = {}, 0
  for _, tick in ipairs(axis.ticks(scale, math.max(math.floor(rows / 3), 2))) do
    local row = rows - place(tick.value, scale, rows)
    at[row] = tick.text
    width = math.max(width, #tick.text)
  end
  return at, width
end

-- The line below with its ticks, and the texts of these, as far as they do not touch.
local function bottom_lines(scale, columns, signs)
  local line, texts, filled = {}, "", 0
  for column = 1, columns do
    line[column] = signs.bottom
  end
  for _, tick in ipairs(axis.ticks(scale, math.max(math.floor(columns / 10), 2))) do
    local column = place(tick.value, scale, columns)
    local begin = math.max(column - math.floor((#tick.text - 1) / 2), 0)
    line[column + 1] = signs.below
    if begin >= filled then
      texts = texts .. (" "):rep(begin - #texts) .. tick.text
      filled = #texts + 1
    end
  end
  return table.concat(line), texts
end

-- The names of series at the right, each at the height where its line ends, or below one that stands there.
local function right_texts(series, ends, rows, ascii)
  local at = {}
  for i, one in ipairs(series) do
    local row = ends[i] and rows - math.floor(math.min(math.max(ends[i], 0), ends.height - 1) * rows / ends.height) or 1
    while at[row] and #series <= rows do
      row = row % rows + 1
    end
    if #series <= rows then
      at[row] = " " .. (ascii and MARKS[(i - 1) % #MARKS + 1] .. " " or "") .. one.name
    end
  end
  return at
end

-- Draws a chart. Options: width (columns of all), height (rows of the field), ascii. Returns a list of lines.
function lines.draw(one, options)
  local ascii, rows = options.ascii or false, math.max(options.height, 2)
  local signs = SIGNS[ascii]
  local name_width = tables.most(tables.column(one.series, "name"), 0, text_table.width_of)
  local x_scale, y_scale = chart_axes.scales(one, 0)
  local left, left_width = left_texts(y_scale, rows)
  local columns = math.max(options.width - left_width - 2 - name_width - (ascii and 3 or 1), 10)
  local field = canvas.new(columns, rows, ascii)
  local ends = { height = field.height }
  for i, series in ipairs(one.series) do
    ends[i] = draw(field, series, x_scale, y_scale, MARKS[(i - 1) % #MARKS + 1])
  end
  local right = right_texts(one.series, ends, rows, ascii)
  local out = { one.title ~= "" and one.title or nil }
  if one.y.label ~= "" then
    out[#out + 1] = one.y.label
  end
  for row, text in ipairs(field:lines()) do
    out[#out + 1] = (text_table.pad(left[row] or "", left_width, "right") .. " "
      .. (left[row] and signs.tick or signs.side) .. text .. (right[row] or "")):gsub("%s+$", "")
  end
  local bottom, texts = bottom_lines(x_scale, columns, signs)
  out[#out + 1] = (" "):rep(left_width + 1) .. signs.corner .. bottom
  out[#out + 1] = ((" "):rep(left_width + 2) .. texts):gsub("%s+$", "")
  if one.x.label ~= "" then
    local label = text_table.pad(one.x.label, columns, "center"):gsub("%s+$", "")
    out[#out + 1] = (" "):rep(left_width + 2) .. label
  end
  return out
end

return lines
