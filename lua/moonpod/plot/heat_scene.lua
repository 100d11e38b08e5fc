-- heat_scene - a heat map as a scene: cells in colours, a bar that tells what they mean, numbers where there is room.

local axis = require "moonpod.plot.axis"
local chart_axes = require "moonpod.plot.chart_axes"
local colors = require "moonpod.plot.colors"
local scene = require "moonpod.plot.scene"
local tables = require "moonpod.base.tables"

local heat_scene = {}

-- More cells than these to a side cannot be seen: so many are drawn, each the mean of those that it stands for.
local MOST_CELLS = 400

-- No cell is wider than so many pixels unless a width is asked for.
local MOST_CELL = 64

-- The mean of the finite numbers of a block of rows and columns; NaN where there is none.
local function mean(rows, top, bottom, left, right)
  local sum, count = 0, 0
  for i = top, bottom do
    for j = left, right do
      local value = rows[i][j]
      if axis.is_finite(value) then
        sum, count = sum + value, count + 1
      end
    end
  end
  return count > 0 and sum / count or 0 / 0
end

-- Rows with at most so many rows and columns.
function heat_scene.reduced(rows, most_rows, most_columns)
  local height, width = #rows, rows[1] and #rows[1] or 0
  if height <= most_rows and width <= most_columns then
    return rows
  end
  local out, new_height, new_width = {}, math.min(height, most_rows), math.min(width, most_columns)
  for i = 1, new_height do
    out[i] = {}
    for j = 1, new_width do
      out[i][j] = mean(rows, math.floor((i - 1) * height / new_height) + 1, math.floor(i * height / new_height),
        math.floor((j - 1) * width / new_width) + 1, math.floor(j * width / new_width))
    end
  end
  return out
end

-- The share of a value on the map of a heat map, or nil where it has none.
function heat_scene.share(one, value)
  if value ~= value then
    return nil
  end
  local low, high = one.low, one.high
  if low == high then
    return 0.5
  elseif value == math.huge or value == -math.huge then
    return value > 0 and 1 or 0
  end
  return math.min(math.max((value / 2 - low / 2) / (high / 2 - low / 2), 0), 1)
end

-- The 64 colours in which cells are drawn: so many can be told apart, and cells of one colour are one shape.
local function color_of(one, value)
  local share = heat_scene.share(one, value)
  if not share then
    return nil
  end
  return colors.of(one.map, math.floor(share * 63 + 0.5) / 63)
end

local function draw_cells(drawing, one, field)
  local rows = heat_scene.reduced(one.values, MOST_CELLS, MOST_CELLS)
  local list, width = {}, rows[1] and #rows[1] or 0
  for i, row in ipairs(rows) do
    for j, value in ipairs(row) do
      local red, green, blue = color_of(one, value)
      list[(i - 1) * width + j] = red and colors.hex(red, green, blue) or false
    end
  end
  drawing:rect { x = field.x, y = field.y, width = field.width, height = field.height, fill = "panel" }
  if #list > 0 then
    drawing:cells { x = field.x, y = field.y, width = field.width, height = field.height, columns = width,
      rows = #rows, colors = list }
  end
end

-- Numbers in cells where there is room for them.
local function draw_numbers(drawing, one, field, height, width)
  local cell_width, cell_height = field.width / width, field.height / height
  for i, row in ipairs(one.values) do
    for j, value in ipairs(row) do
      local text = axis.text(value, 3)
      local red, green, blue = color_of(one, value)
      drawing:text { x = field.x + (j - 0.5) * cell_width, y = field.y + (i - 0.5) * cell_height + 4, text = text,
        anchor = "middle", size = 11, fill = red and colors.on(red, green, blue) or "muted" }
    end
  end
end

local function draw_bar(drawing, one, field)
  local x, list = field.x + field.width + 18, {}
  for i = 1, 64 do
    list[i] = colors.hex(colors.of(one.map, (64 - i) / 63))
  end
  drawing:cells { x = x, y = field.y, width = 12, height = field.height, columns = 1, rows = 64, colors = list }
  local scale = { low = one.low, high = one.high }
  local ticks = one.low < one.high and axis.ticks(scale, math.max(math.floor(field.height / 40), 2))
    or { { value = one.low, text = axis.text(one.low) } }
  for _, tick in ipairs(ticks) do
    local share = one.low < one.high and axis.share(scale, tick.value) or 0.5
    drawing:text { x = x + 18, y = field.y + (1 - share) * field.height + 4, text = tick.text, size = 11,
      fill = "muted" }
  end
end

-- The width of the widest text at an axis of cells.
local function widest(labels)
  return tables.most(labels, 0, scene.text_width, 12)
end

local function numbers_to(count)
  return tables.map(tables.range(1, count), tostring)
end

local function lay_out(one, options, height, width)
  local row_labels, column_labels = one.rows or numbers_to(height), one.columns or numbers_to(width)
  local total = options.width or one.width or 560
  local label_width = math.min(widest(row_labels), total * 0.3)
  local left, top = 14 + (one.y_label ~= "" and 20 or 0) + label_width + 7, one.title ~= "" and 40 or 14
  local field_width = math.max(total - left - 84, 40)
  if not (options.width or one.width) then
    field_width = math.min(field_width, math.max(width * MOST_CELL, 160))
    total = left + field_width + 84
  end
  local bottom = 26 + (one.x_label ~= "" and 20 or 0)
  local cell = math.min(math.max(field_width * height / math.max(width, 1), 60), 640)
  local field_height = (options.height or one.height) and math.max((options.height or one.height) - top - bottom, 20)
    or cell
  return { x = left, y = top, width = field_width, height = field_height }, total, top + field_height + bottom,
    row_labels, column_labels, label_width
end

local function draw_titles(drawing, one, field)
  drawing:heading(one.title)
  if one.x_label ~= "" then
    drawing:text { x = field.x + field.width / 2, y = field.y + field.height + 37, text = one.x_label,
      anchor = "middle", size = 12 }
  end
  if one.y_label ~= "" then
    drawing:text { x = 18, y = field.y + field.height / 2, text = one.y_label, anchor = "middle", size = 12,
      upright = true }
  end
end

-- Draws a heat map. options: width and height of the whole, in pixels.
function heat_scene.draw(one, options)
  local height, width = #one.values, one.values[1] and #one.values[1] or 0
  local field, total, whole, row_labels, column_labels, label_width = lay_out(one, options, height, width)
  local drawing = scene.new(total, whole, one.title, ("A heat map of %d rows and %d columns, from %s to %s"):format(
    height, width, axis.text(one.low), axis.text(one.high)))
  draw_titles(drawing, one, field)
  draw_cells(drawing, one, field)
  for _, tick in ipairs(chart_axes.label_ticks(row_labels, field.height, 15)) do
    drawing:text { x = field.x - 7, y = field.y + (tick.value - 0.5) * field.height / height + 4, size = 12,
      text = scene.fit(tick.text, 12, label_width + 1), anchor = "end", fill = "muted" }
  end
  for _, tick in ipairs(chart_axes.label_ticks(column_labels, field.width, widest(column_labels) + 8)) do
    drawing:text { x = field.x + (tick.value - 0.5) * field.width / width, y = field.y + field.height + 17,
      text = tick.text, anchor = "middle", size = 12, fill = "muted" }
  end
  local fits = width > 0 and field.width / width >= 30 and field.height / height >= 16
  if one.annotate or one.annotate == nil and fits then
    draw_numbers(drawing, one, field, height, width)
  end
  draw_bar(drawing, one, field)
  return drawing
end

return heat_scene
