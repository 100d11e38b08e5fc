-- chart_scene - a chart of axes as a scene.

local axis = require "moonpod.plot.axis"
local chart = require "moonpod.plot.chart"
local chart_axes = require "moonpod.plot.chart_axes"
local colors = require "moonpod.plot.colors"
local reduce = require "moonpod.plot.reduce"
local scene = require "moonpod.plot.scene"
local tables = require "moonpod.base.tables"

local chart_scene = {}

-- Of so few points each is marked, and says what it is.
local FEW = 60

local function clamp(value, low, high)
  return math.min(math.max(value, low), high)
end

-- Shares of the field as pixels; far outside of it is as good as its edge.
local function across(field, value)
  local share = axis.share(field.across, value)
  return share and field.x + clamp(share, -1, 2) * field.width
end

local function up(field, value)
  local share = axis.share(field.up, value)
  return share and field.y + (1 - clamp(share, -1, 2)) * field.height
end

local function is_inside(field, x, y)
  return x >= field.x - 0.5 and x <= field.x + field.width + 0.5 and y >= field.y - 0.5
    and y <= field.y + field.height + 0.5
end

-- The parts of a series between gaps, as lists of pixels.
local function parts_of(field, series, ys)
  local parts, part = {}, nil
  for i, value in ipairs(ys) do
    local x, y = across(field, series.x[i]), up(field, value)
    if x and y then
      if not part then
        part = {}
        parts[#parts + 1] = part
      end
      part[#part + 1], part[#part + 2] = x, y
    else
      part = nil
    end
  end
  return parts
end

local function mark_points(drawing, field, series, color, radius)
  for i, value in ipairs(series.y) do
    local x, y = across(field, series.x[i]), up(field, series.high[i])
    if x and y and is_inside(field, x, y) then
      local name = series.name ~= "" and series.name .. ": " or ""
      drawing:circle { x = x, y = y, radius = radius, fill = color,
        title = name .. axis.text(series.x[i], 7) .. ", " .. axis.text(value, 7) }
    end
  end
end

local function draw_line(drawing, field, series, color)
  local lines = {}
  for _, part in ipairs(parts_of(field, series, series.high)) do
    tables.extend(lines, reduce.clip(reduce.line(part), field))
  end
  if #lines > 0 then
    drawing:path { lines = lines, stroke = color, thick = 2 }
  end
  if #series.y <= FEW then
    mark_points(drawing, field, series, color, 2.6)
  end
end

local function draw_points(drawing, field, series, color)
  if #series.y <= 4 * FEW then
    mark_points(drawing, field, series, color, 3.2)
    return
  end
  local points = {}
  for i, value in ipairs(series.high) do
    local x, y = across(field, series.x[i]), up(field, value)
    if x and y and is_inside(field, x, y) then
      points[#points + 1], points[#points + 2] = x, y
    end
  end
  drawing:dots { points = reduce.points(points, 2), radius = 1.8, stroke = color, opacity = 0.7 }
end

-- Puts what lies beyond the field onto its edge.
local function pressed(line, field)
  local out = {}
  for i = 1, #line, 2 do
    out[i] = clamp(line[i], field.x, field.x + field.width)
    out[i + 1] = clamp(line[i + 1], field.y, field.y + field.height)
  end
  return out
end

-- The part of a path between what lies below a series and the series itself.
local function draw_area(drawing, field, series, color)
  local high = parts_of(field, series, series.high)
  local low = series.low and parts_of(field, series, series.low)
  local ground = field.up.log and field.y + field.height or up(field, clamp(0, field.up.low, field.up.high))
  for i, part in ipairs(high) do
    local outline, line = pressed(reduce.line(part), field), reduce.line(part)
    local back = low and low[i] and pressed(reduce.line(low[i]), field) or { part[1], ground, part[#part - 1], ground }
    for j = #back - 1, 1, -2 do
      outline[#outline + 1], outline[#outline + 2] = back[j], back[j + 1]
    end
    drawing:path { lines = { outline }, fill = color, closed = true, opacity = low and 0.75 or 0.3,
      title = series.name ~= "" and series.name or nil }
    drawing:path { lines = reduce.clip(line, field), stroke = color, thick = 1.5 }
  end
end

-- How wide a bar is, of what is there for one: the smallest distance of two.
local function bar_room(one)
  local least = math.huge
  for _, series in ipairs(one.series) do
    if series.mark == "bar" then
      for i = 2, #series.x do
        local apart = math.abs(series.x[i] - series.x[i - 1])
        least = apart > 0 and math.min(least, apart) or least
      end
    end
  end
  return least < math.huge and least or 1
end

-- A bar between two places of the axis of categories and two values.
local function draw_bar(drawing, field, is_flat, from, to, low, high, shape)
  local place, value = is_flat and up or across, is_flat and across or up
  local a, b, c, d = place(field, from), place(field, to), value(field, low), value(field, high)
  if not (a and b and d) then
    return
  end
  c = c or (is_flat and field.x or field.y + field.height) -- no 0 on a logarithmic axis
  local x, y, width, height = math.min(a, b), math.min(c, d), math.abs(b - a), math.abs(d - c)
  if is_flat then
    x, y, width, height = y, x, height, width
  end
  local right, bottom = math.min(x + width, field.x + field.width), math.min(y + height, field.y + field.height)
  shape.x, shape.y = math.max(x, field.x), math.max(y, field.y)
  shape.width, shape.height = right - shape.x, bottom - shape.y
  drawing:rect(shape)
end

local function draw_bars(drawing, field, one, series, place, count, color)
  local room, labels = bar_room(one), one.x.labels
  local gap = one.tight and 0 or 0.2
  local share = (1 - gap) * room / (one.stacked and 1 or count)
  for i, value in ipairs(series.high) do
    local from = series.x[i] - (1 - gap) * room / 2 + (one.stacked and 0 or (place - 1) * share)
    local low = series.low and series.low[i] or 0
    local name = (series.name ~= "" and series.name .. ", " or "") .. (labels and labels[series.x[i]]
      or axis.text(series.x[i], 7))
    draw_bar(drawing, field, one.horizontal, from, from + share, low, value, { fill = color,
      stroke = one.tight and "paper" or nil, thick = one.tight and 0.5 or nil,
      title = name .. ": " .. axis.text(series.y[i], 7) })
  end
end

local function draw_notes(drawing, field, one)
  for _, note in ipairs(one.notes) do
    local x, y = across(field, note.x), up(field, note.y)
    if x and y and is_inside(field, x, y) then
      local at_right = x > field.x + field.width * 0.6
      drawing:circle { x = x, y = y, radius = 4, stroke = "ink", thick = 1.5 }
      drawing:text { x = at_right and x - 9 or x + 9, y = y + (y < field.y + 20 and 14 or -7), text = note.text,
        anchor = at_right and "end" or "start", size = 12, fill = "ink" }
    end
  end
end

-- Draws a chart. options: width and height of the whole, in pixels. Returns the scene, and the field that
-- chart_axes.draw gives.
function chart_scene.draw(one, options)
  local drawing = scene.new(options.width or one.width or 640, options.height or one.height or 400, one.title,
    chart.note(one))
  local field = chart_axes.draw(drawing, one)
  local bars, bar = 0, 0
  for _, series in ipairs(one.series) do
    bars = bars + (series.mark == "bar" and 1 or 0)
  end
  for i, series in ipairs(one.series) do
    local color = colors.series(i)
    if series.mark == "bar" then
      bar = bar + 1
      draw_bars(drawing, field, one, series, bar, bars, color)
    elseif series.mark == "area" then
      draw_area(drawing, field, series, color)
    elseif series.mark == "points" then
      draw_points(drawing, field, series, color)
    else
      draw_line(drawing, field, series, color)
    end
  end
  draw_notes(drawing, field, one)
  chart_axes.finish(drawing, field)
  local zero = bars > 0 and (one.horizontal and across or up)(field, 0)
  if zero and (one.horizontal and field.across or field.up).low < 0 then
    local x, y = field.x, field.y
    drawing:line(one.horizontal and zero or x, one.horizontal and y or zero, one.horizontal and zero or x + field.width,
      one.horizontal and y + field.height or zero, "muted", 1)
  end
  if #one.series == 0 then
    drawing:text { x = field.x + field.width / 2, y = field.y + field.height / 2, text = "no data", anchor = "middle",
      fill = "muted", size = 13 }
  end
  return drawing, field
end

return chart_scene
