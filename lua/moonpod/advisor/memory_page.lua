-- memory_page - a memory report as SVG, and as a page of HTML with tables.

local chart_scene = require "moonpod.plot.chart_scene"
local chips = require "moonpod.tpu.chips"
local core = require "moonpod.core"
local html_page = require "moonpod.profiler.html_page"
local plot = require "moonpod.plot"
local svg = require "moonpod.plot.svg"
local tables = require "moonpod.profiler.tables"

local memory_page = {}

local MOST_POINTS, MOST_ROWS = 436, 2000

-- Buffers up to this size are not shown one by one.
local SMALL = 16384

local bytes_text = core.bytes_text

-- HBM in use over the program's order: at most so many points, of the steps that share one the one with most in use.
-- Returns them, and the one of the peak.
local function points_of(report)
  local padded, unpadded = report.curve.padded, report.curve.unpadded
  local count = math.min(#padded, MOST_POINTS)
  local points = {}
  for i = 1, count do
    local from, to = math.floor((i - 1) * #padded / count) + 1, math.floor(i * #padded / count)
    local step = from
    for other = from + 1, to do
      step = padded[other] > padded[step] and other or step
    end
    points[i] = { from = from - 0.5, to = to + 0.5, step = step, padded = padded[step], unpadded = unpadded[step] }
  end
  if count == 0 then -- no steps: what is held is all
    points[1] = { from = 0.5, to = 1.5, padded = report.held_padded_bytes, unpadded = report.held_unpadded_bytes }
  end
  return points, tables.largest(points, "padded")
end

-- A curve of points as an area of steps.
local function area(points, key, name, unit)
  local x, y = {}, {}
  for i, point in ipairs(points) do
    x[2 * i - 1], x[2 * i] = point.from, point.to
    y[2 * i - 1], y[2 * i] = point[key] / unit, point[key] / unit
  end
  return { name = name, x = x, y = y, mark = "area" }
end

-- What each step makes: the largest temporary buffer that begins there.
local function made_at(report)
  local made = {}
  for _, buffer in ipairs(report.buffers) do
    local largest = made[buffer.first_step]
    if buffer.use == "temporary" and (not largest or largest.padded_bytes < buffer.padded_bytes) then
      made[buffer.first_step] = buffer
    end
  end
  return made
end

-- What a mouse is told that rests on a point.
local function tip(point, buffer)
  local lines = { point.step and "step " .. point.step }
  if buffer then
    lines[2] = buffer.name .. (buffer.location and " at " .. buffer.location or "")
  end
  lines[#lines + 1] = "padded " .. bytes_text(point.padded)
  lines[#lines + 1] = "unpadded " .. bytes_text(point.unpadded)
  return table.concat(lines, "\n")
end

-- The size of a unit that suits so many bytes, and its name.
local function unit_of(bytes)
  local power = math.max(0, math.min(4, math.floor(math.log(math.max(bytes, 1)) / math.log(1024))))
  return 1024 ^ power, ({ "bytes", "KiB", "MiB", "GiB", "TiB" })[power + 1]
end

-- The chart of a report as SVG: HBM in use over the program's order, padded and unpadded, its peak, and the chip's
-- limit where the peak comes near it.
function memory_page.svg(report)
  local points, peak = points_of(report)
  local unit, unit_name = unit_of(peak.padded)
  local series = { area(points, "padded", "padded, as it lies in HBM", unit),
    area(points, "unpadded", "unpadded", unit) }
  local limit, last = report.limit_bytes, points[#points].to
  if limit > 0 and limit < peak.padded * 2 then
    series[3] = { name = "limit " .. bytes_text(limit), x = { 0.5, last }, y = { limit / unit, limit / unit } }
  end
  local one = plot.line(series, { title = "HBM in use over the program's order", x_label = "step", y_label = unit_name,
    x_range = { 0.5, last }, width = 960, height = 380, notes = {
      { x = (peak.from + peak.to) / 2, y = peak.padded / unit, text = "peak " .. bytes_text(peak.padded) } } })
  one.x.whole = true -- steps have whole numbers, only their edges do not
  local drawing, field = chart_scene.draw(one, {})
  local made = made_at(report)
  local wide = field.width / (field.across.high - field.across.low)
  for _, point in ipairs(points) do
    drawing:rect { x = field.x + (point.from - field.across.low) * wide, y = field.y, height = field.height,
      width = (point.to - point.from) * wide, fill = "ink", opacity = 0, title = tip(point, made[point.step]) }
  end
  return svg.write(drawing)
end

-- The buffers that are accepted as a table, the largest first, small ones in one line.
local function buffers_html(report, accepts)
  local rows, left, bytes = {}, 0, 0
  for i, buffer in ipairs(report.buffers) do
    if accepts(buffer) then
      local is_argument, is_temporary = buffer.use == "argument", buffer.use == "temporary"
      rows[#rows + 1] = { place = i, size = buffer.padded_bytes, unpadded = buffer.unpadded_bytes,
        ratio = buffer.unpadded_bytes > 0 and buffer.padded_bytes / buffer.unpadded_bytes or 1, buffer = buffer.name,
        type = buffer.type, use = buffer.use, op = buffer.argument or buffer.op,
        layer = not is_argument and buffer.scope or nil, line = not is_argument and buffer.location or nil,
        from = is_temporary and buffer.first_step or 1, to = is_temporary and buffer.last_step or #report.curve.padded,
        reason = buffer.reason }
    end
  end
  table.sort(rows, function(a, b)
    return a.size > b.size or (a.size == b.size and a.place < b.place)
  end)
  while #rows > 0 and (#rows > MOST_ROWS or rows[#rows].size <= SMALL) do
    left, bytes = left + 1, bytes + table.remove(rows).size
  end
  tables.new(rows, { "size xla", "unpadded xla", "ratio decimal", "buffer", "type", "use", "op", "layer", "line",
    "from count: from step", "to count: to step", "reason : why it is laid out so" })
  return html_page.table(rows, MOST_ROWS) .. (left > 0 and html_page.paragraph(("%d smaller ones, together %s"):format(
    left, bytes_text(bytes)), "note") or "")
end

-- Bytes by kind; what is on the chip itself only where something is.
local function kinds_of(report)
  local list = {}
  for _, one in ipairs { { "argument_bytes", "arguments" }, { "output_bytes", "outputs" },
    { "alias_bytes", "aliased" }, { "temp_bytes", "temporaries" }, { "padding", "of these padding" },
    { "fragmentation_bytes", "fragmentation" }, { "on_chip_bytes", "on the chip" }, { "need_bytes", "need" },
    { "limit_bytes", "limit" } } do
    local bytes = one[1] == "padding" and report.peak_padded_bytes - report.peak_unpadded_bytes or report[one[1]]
    if one[1] ~= "on_chip_bytes" or bytes > 0 then
      list[#list + 1] = { bytes_text(bytes), one[2] }
    end
  end
  return list
end

-- The page of a report, as text: chart, breakdown, tables that sort.
function memory_page.html(report)
  local overview = html_page.paragraph(report.verdict_text, report.verdict == "fits" and "verdict" or "verdict bad")
    .. html_page.facts(kinds_of(report)) .. html_page.charts { { "memory", memory_page.svg(report) } }
  return html_page.new("HBM of " .. report.name, "one device of " .. chips.list(report.chip).product, {
    { id = "overview", title = "Overview", body = overview },
    { id = "peak", title = "At the peak", body = buffers_html(report, function(buffer)
      return buffer.at_peak
    end) },
    { id = "buffers", title = "All buffers", body = buffers_html(report, function(buffer)
      return not buffer.alias and not buffer.on_chip and buffer.padded_bytes > 0
    end) },
  })
end

return memory_page
