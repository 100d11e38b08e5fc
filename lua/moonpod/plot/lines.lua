-- lines - a chart of lines with axes, as lines of text.

local axis = require "moonpod.plot.axis"
local canvas = require "moonpod.plot.canvas"
local text_table = require "moonpod.base.text_table"

local lines = {}

-- What stands at the axes, in ASCII and not.
local SIGNS = {
  [true] = { tick = "+", side = "|", corner = "+", below = "+", bottom = "-" },
  [false] = { tick = "┤", side = "│", corner = "└", below = "┬", bottom = "─" },
}

local MARKS = { "*", "o", "+", "x", "#", "@" }

local function is_finite(value)
  return value == value and math.abs(value) < math.huge
end

-- Where a value lies between the first dot and the last, by a range whose halves do not overflow.
local function place(value, low, high, dots)
  return math.floor((value / 2 - low / 2) / (high / 2 - low / 2) * (dots - 1) + 0.5)
end

-- Draws a series; what is not finite leaves a gap.
local function draw(field, one, x_range, y_range, mark)
  local last_x, last_y
  for i, value in ipairs(one.y) do
    if is_finite(value) and is_finite(one.x[i]) then
      local x = place(one.x[i], x_range[1], x_range[2], field.width)
      local y = place(value, y_range[1], y_range[2], field.height)
      field:line(last_x or x, last_y or y, x, y, mark)
      last_x, last_y = x, y
    else
      last_x, last_y = nil, nil
    end
  end
  return last_y
end

-- The texts at the left: row -> text of a tick.
local function left_texts(y_range, rows)
  local at, width = {}, 0
  for _, tick in ipairs(axis.ticks(y_range[1], y_range[2], math.max(math.floor(rows / 3), 2))) do
    local row = rows - place(tick.value, y_range[1], y_range[2], rows)
    at[row] = tick.text
    width = math.max(width, #tick.text)
  end
  return at, width
end

-- The line below with its ticks, and the texts of these, as far as they do not touch.
local function bottom_lines(x_range, columns, signs)
  local line, texts, filled = {}, "", 0
  for column = 1, columns do
    line[column] = signs.bottom
  end
  for _, tick in ipairs(axis.ticks(x_range[1], x_range[2], math.max(math.floor(columns / 10), 2), true)) do
    local column = place(tick.value, x_range[1], x_range[2], columns)
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
    local row = ends[i] and rows - math.floor(ends[i] * rows / ends.height) or 1
    while at[row] do
      row = row % rows + 1
    end
    if #series <= rows then
      at[row] = " " .. (ascii and MARKS[(i - 1) % #MARKS + 1] .. " " or "") .. one.name
    end
  end
  return at
end

-- Draws series { name =, x = numbers, y = numbers }. Options: width (columns of all), height (rows of the field),
-- ascii, title. Returns a list of lines.
function lines.draw(series, options)
  local ascii, rows = options.ascii or false, math.max(options.height, 2)
  local signs = SIGNS[ascii]
  local xs, ys, name_width = {}, {}, 0
  for i, one in ipairs(series) do
    xs[i], ys[i] = one.x, one.y
    name_width = math.max(name_width, text_table.width_of(one.name))
  end
  local x_range, y_range = { axis.range(xs) }, { axis.range(ys) }
  local left, left_width = left_texts(y_range, rows)
  local columns = math.max(options.width - left_width - 2 - name_width - (ascii and 3 or 1), 10)
  local field = canvas.new(columns, rows, ascii)
  local ends = { height = field.height }
  for i, one in ipairs(series) do
    ends[i] = draw(field, one, x_range, y_range, MARKS[(i - 1) % #MARKS + 1])
  end
  local right = right_texts(series, ends, rows, ascii)
  local out = { options.title }
  for row, text in ipairs(field:lines()) do
    out[#out + 1] = (text_table.pad(left[row] or "", left_width, "right") .. " "
      .. (left[row] and signs.tick or signs.side) .. text .. (right[row] or "")):gsub("%s+$", "")
  end
  local bottom, texts = bottom_lines(x_range, columns, signs)
  out[#out + 1] = (" "):rep(left_width + 1) .. signs.corner .. bottom
  out[#out + 1] = ((" "):rep(left_width + 2) .. texts):gsub("%s+$", "")
  return out
end

return lines
