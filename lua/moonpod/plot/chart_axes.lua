-- chart_axes - the scales of a chart, and what of it is not data: title, legend, axes, grid.

local axis = require "moonpod.plot.axis"
local colors = require "moonpod.plot.colors"
local scene = require "moonpod.plot.scene"
local tables = require "moonpod.base.tables"

local chart_axes = {}

local SIZE = 12 -- of texts at axes

-- Bars and areas upon each other: for each place the sums below and above each series, as lists low and high.
function chart_axes.stack(one)
  local above, below = {}, {}
  for _, series in ipairs(one.series) do
    if one.stacked and (series.mark == "bar" or series.mark == "area") then
      series.low, series.high = {}, {}
      for i, value in ipairs(series.y) do
        local sums = value < 0 and below or above
        local known = axis.is_finite(value)
        series.low[i] = known and (sums[i] or 0) or value
        sums[i] = (sums[i] or 0) + (known and value or 0)
        series.high[i] = known and sums[i] or value
      end
    else
      series.low, series.high = nil, series.y
    end
  end
end

-- The scales of both axes of a chart. room: the share of a range that stays free at its ends.
function chart_axes.scales(one, room)
  chart_axes.stack(one)
  local xs, ys = tables.column(one.series, "x"), tables.column(one.series, "high")
  for _, note in ipairs(one.notes) do
    xs[#xs + 1], ys[#ys + 1] = { note.x }, { note.y }
  end
  local marks = tables.set_of(tables.column(one.series, "mark"))
  local y = axis.scale(ys, { log = one.y.log, range = one.y.range, zero = marks.bar or marks.area, room = room })
  local labels = one.x.labels
  local x = axis.scale(xs, { log = one.x.log, range = labels and { 0.5, math.max(#labels, 1) + 0.5 } or one.x.range,
    room = marks.bar and 0 or room, whole = one.x.whole })
  if labels then
    x.log = false
  end
  return x, y
end

-- Ticks of categories, all or each so many-th, as many as there is room for.
function chart_axes.label_ticks(labels, room, needed)
  local step = math.max(1, math.ceil(#labels * needed / math.max(room, 1)))
  local ticks = {}
  for i = 1, #labels, step do
    ticks[#ticks + 1] = { value = i, text = labels[i] }
  end
  return ticks
end

-- Names of series in rows of at most `width` pixels: { { x =, row =, series = i } }, and how many rows.
local function legend_places(one, width)
  local places, x, row = {}, 0, 1
  local shown = one.legend
  if shown == nil then
    shown = #one.series > 1
  end
  if not shown then
    return places, 0
  end
  for i, series in ipairs(one.series) do
    local name = scene.fit(series.name, SIZE, width - 24)
    local needed = 24 + scene.text_width(name, SIZE) + 14
    if x > 0 and x + needed > width then
      x, row = 0, row + 1
    end
    places[i] = { x = x, row = row, name = name }
    x = x + needed
  end
  return places, #one.series > 0 and row or 0
end

local function draw_legend(drawing, one, places, left, top)
  for i, place in ipairs(places) do
    local x, y, color = left + place.x, top + place.row * 18 - 5, colors.series(i)
    local mark = one.series[i].mark
    if mark == "points" then
      drawing:circle { x = x + 9, y = y - 4, radius = 3.5, fill = color }
    elseif mark == "line" then
      drawing:line(x, y - 4, x + 18, y - 4, color, 2.5)
    else
      drawing:rect { x = x + 3, y = y - 10, width = 12, height = 12, fill = color, radius = 2 }
    end
    drawing:text { x = x + 24, y = y, text = place.name, size = SIZE, fill = "muted" }
  end
end

-- The axis whose values go to the right: `ticks` at shares of the field.
local function draw_below(drawing, field, ticks, scale, label, has_grid)
  local bottom, right_end = field.y + field.height, -math.huge
  for _, tick in ipairs(ticks) do
    local x = field.x + axis.share(scale, tick.value) * field.width
    local width = scene.text_width(tick.text, SIZE)
    if has_grid then
      drawing:line(x, field.y, x, bottom, "grid", 1)
    end
    if x - width / 2 > right_end + 4 then
      drawing:text { x = x, y = bottom + 17, text = tick.text, anchor = "middle", size = SIZE, fill = "muted" }
      right_end = x + width / 2
    end
  end
  if label ~= "" then
    drawing:text { x = field.x + field.width / 2, y = bottom + 36, text = label, anchor = "middle", size = SIZE,
      fill = "ink" }
  end
end

local function draw_left(drawing, field, ticks, scale, label, has_grid)
  for _, tick in ipairs(ticks) do
    local y = field.y + (1 - axis.share(scale, tick.value)) * field.height
    if has_grid then
      drawing:line(field.x, y, field.x + field.width, y, "grid", 1)
    end
    drawing:text { x = field.x - 7, y = y + 4, text = tick.text, anchor = "end", size = SIZE, fill = "muted" }
  end
  if label ~= "" then
    drawing:text { x = 16, y = field.y + field.height / 2, text = label, anchor = "middle", size = SIZE, upright = true,
      fill = "ink" }
  end
end

-- Where the data goes and what stands there at the axes.
local function lay_out(one, width, height, across, up)
  local places, legend_rows = legend_places(one, width - 40)
  local top = 14 + (one.title ~= "" and 24 or 0) + legend_rows * 18 + (legend_rows > 0 and 6 or 0)
  local bottom = 26 + (across.label ~= "" and 20 or 0)
  local room = math.max(height - top - bottom, 20)
  local left_ticks = up.labels and chart_axes.label_ticks(up.labels, room, 15)
    or axis.ticks(up.scale, math.max(math.floor(room / 40), 2))
  local wanted = tables.most(tables.column(left_ticks, "text"), 0, scene.text_width, SIZE)
  local label_width = math.min(wanted, width * 0.4)
  local kept = wanted > label_width and label_width * 0.94 or label_width + 1 -- browsers' letters are somewhat wider
  local left = 14 + (up.label ~= "" and 18 or 0) + label_width + 7
  for _, tick in ipairs(left_ticks) do
    tick.text = scene.fit(tick.text, SIZE, kept)
  end
  local field = { x = left, y = top, width = math.max(width - left - 20, 20), height = room }
  local below = across.labels and chart_axes.label_ticks(across.labels, field.width, 22)
    or axis.ticks(across.scale, math.max(math.floor(field.width / 75), 2))
  return field, below, left_ticks, places, top - legend_rows * 18 - (legend_rows > 0 and 6 or 0)
end

-- Draws title, legend, grid and axes into a scene. Returns the field { x =, y =, width =, height =, across = scale,
-- up = scale } for the data.
function chart_axes.draw(drawing, one)
  local x_scale, y_scale = chart_axes.scales(one, 0.04)
  local across = { scale = x_scale, label = one.x.label, labels = one.x.labels }
  local up = { scale = y_scale, label = one.y.label }
  if one.horizontal then -- the first category is above
    local low, high = x_scale.low, x_scale.high
    x_scale.low, x_scale.high = high, low
    across, up = up, across
  end
  local field, below, left, places, legend_top = lay_out(one, drawing.width, drawing.height, across, up)
  drawing:heading(one.title)
  draw_legend(drawing, one, places, 14, legend_top)
  draw_left(drawing, field, left, up.scale, up.label, not up.labels)
  draw_below(drawing, field, below, across.scale, across.label, not across.labels)
  field.across, field.up = across.scale, up.scale
  return field
end

-- The lines of both axes, above the data.
function chart_axes.finish(drawing, field)
  drawing:path { lines = { { field.x, field.y, field.x, field.y + field.height, field.x + field.width,
    field.y + field.height } }, stroke = "muted", thick = 1 }
end

return chart_axes
