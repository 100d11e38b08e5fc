-- charts - the charts of a profile, each a description of moonpod.plot: as text, SVG or PNG.

local errors = require "moonpod.base.errors"
local plot = require "moonpod.plot"

local charts = {}

local function column(rows, key, factor, most)
  local values = {}
  for i = 1, math.min(#rows, most or #rows) do
    values[i] = (rows[i][key] or 0) * (factor or 1)
  end
  return values
end

local function names_of(rows, key, most, width)
  local names = {}
  for i = 1, math.min(#rows, most) do
    local name = rows[i][key]
    names[i] = #name > width and "..." .. name:sub(-width + 3) or name
  end
  return names
end

-- Bars to the right, a row each, with room for so many.
local function ranking(rows, label, key, factor, options)
  local most = math.min(#rows, 12)
  if most == 0 then
    return nil
  end
  options.labels, options.horizontal = names_of(rows, label, most, 34), true
  options.height = 90 + 26 * most
  return plot.bar(column(rows, key, factor, most), options)
end

local makers = {}

function makers.parts(self)
  local rows = {}
  for _, row in ipairs(self.overview.parts) do
    rows[#rows + 1] = row.seconds > 0 and { part = row.part, seconds = row.seconds } or nil
  end
  return ranking(rows, "part", "seconds", 1e3, { title = "A step by its parts", y_label = "milliseconds" })
end

-- Of many steps the mean of neighbours, so that a curve has at most so many points.
local function thinned(rows, key, factor, most)
  local each, x, y = math.ceil(#rows / most), {}, {}
  for first = 1, #rows, each do
    local sum, last = 0, math.min(first + each - 1, #rows)
    for i = first, last do
      sum = sum + (rows[i][key] or 0)
    end
    x[#x + 1], y[#y + 1] = (first + last) / 2, sum / (last - first + 1) * factor
  end
  return x, y
end

function makers.steps(self)
  if #self.steps == 0 then
    return nil
  end
  local series = {}
  for _, one in ipairs { { "all", "seconds" }, { "compute", "compute" }, { "waiting for input", "input_wait" } } do
    local x, y = thinned(self.steps, one[2], 1e3, 600)
    series[#series + 1] = { name = one[1], x = x, y = y }
  end
  return plot.line(series, { title = "Each step", x_label = "step", y_label = "milliseconds" })
end

function makers.ops(self)
  return ranking(self.ops, "op", "seconds", 1e3, { title = "Time by op", y_label = "milliseconds of all threads" })
end

function makers.layers(self)
  return ranking(self:op_stats "layer", "layer", "seconds", 1e3, { title = "Time by layer",
    y_label = "milliseconds of all threads" })
end

function makers.stages(self)
  return ranking(self.input.stages, "name", "self", 1e3, { title = "Stages of the input",
    y_label = "milliseconds of all threads, without those that feed them" })
end

function makers.threads(self)
  local rows, labels = self.threads, {}
  local most = math.min(#rows, 24)
  if most == 0 then
    return nil
  end
  local parts = { { name = "computes", y = {} }, { name = "works else", y = {} }, { name = "waits", y = {} } }
  for i = 1, most do
    local row = rows[i]
    labels[i] = row.thread
    parts[1].y[i], parts[2].y[i] = row.compute * 100, math.max(row.busy - row.compute, 0) * 100
    parts[3].y[i] = row.waiting * 100
  end
  return plot.bar(parts, { title = "Threads", labels = labels, horizontal = true, stacked = true,
    y_label = "percent of the recording", height = 120 + 26 * most })
end

function makers.memory_in_step(self)
  local timeline = self.memory.timeline
  if not timeline then
    return nil
  end
  local x, y = thinned(timeline, "bytes", 2 ^ -20, 600)
  return plot.line({ { name = "", x = x, y = y, mark = "area" } }, { title = "Memory in use within a step",
    x_label = "instruction", y_label = "MiB",
    y_range = { 0, math.max(self.memory.peak_bytes * 2 ^ -20 * 1.05, 1e-6) } })
end

function makers.memory_over_steps(self)
  local rows = self.memory.steps
  if #rows == 0 then
    return nil
  end
  local x, y = thinned(rows, "bytes", 2 ^ -20, 600)
  return plot.line({ { name = "", x = x, y = y } }, { title = "Memory of the context as steps end", x_label = "step",
    y_label = "MiB" })
end

function makers.memory_by_layer(self)
  local rows = self.memory.by_layer
  return rows and ranking(rows, "layer", "bytes", 2 ^ -20, { title = "In use at the peak, by layer", y_label = "MiB" })
end

function makers.roofline(self)
  local one = self:roofline()
  if one.step.intensity == 0 then
    return nil
  end
  local x, y, low, high = {}, {}, 1 / 8, 64
  for _, point in ipairs(one.points) do
    if point.intensity > 0 then -- what only moves bytes has no place there
      x[#x + 1], y[#y + 1] = point.intensity, point.flops_per_second * 1e-9
      low, high = math.min(low, point.intensity / 2), math.max(high, point.intensity * 2)
    end
  end
  local series, highest = {}, math.max(one.roofs.float32, one.roofs.bfloat16)
  for _, name in ipairs { "float32", "bfloat16" } do
    local peak = one.roofs[name]
    local ridge = peak / one.roofs.bytes
    series[#series + 1] = { name = name, x = { low, math.max(ridge, low), math.max(high, ridge * 2) },
      y = { math.min(low * one.roofs.bytes, peak) * 1e-9, peak * 1e-9, peak * 1e-9 } }
  end
  for _, place in ipairs(one.roofs.places) do
    local ridge = math.max(highest / place.rate, low)
    if place.holds < math.huge then
      series[#series + 1] = { name = place.name, x = { low, ridge },
        y = { math.min(low * place.rate, highest) * 1e-9, highest * 1e-9 } }
    end
  end
  series[#series + 1] = { name = "ops", x = x, y = y, mark = "points" }
  series[#series + 1] = { name = "a step", x = { one.step.intensity }, y = { one.step.flops_per_second * 1e-9 },
    mark = "points" }
  return plot.line(series, { title = "Roofline", x_log = true, y_log = true, x_label = "FLOPs for each byte",
    y_label = "GFLOP/s" })
end

function makers.feeds(self)
  return ranking(self.pod, "feed", "per_element", 1e3, { title = "A batch of each host's feed",
    y_label = "milliseconds" })
end

function makers.counters(self)
  return ranking(self.counters, "thread", "per_cycle", 1, { title = "What the CPU counted",
    y_label = "instructions a cycle" })
end

-- Bars for before and after of a comparison's rows, the first that take any time.
function charts.change(rows, key, title)
  local taken, before, after = {}, {}, {}
  for _, row in ipairs(rows) do
    if #taken < 10 and row.before + row.after > 0 then
      taken[#taken + 1] = row
      before[#taken], after[#taken] = row.before * 1e3, row.after * 1e3
    end
  end
  local most = #taken
  if most == 0 then
    return nil
  end
  return plot.bar({ { name = "before", y = before }, { name = "now", y = after } }, { title = title,
    y_label = "milliseconds", labels = names_of(taken, key, most, 34), horizontal = true, height = 110 + 40 * most })
end

local NAMES = { "parts", "steps", "ops", "layers", "stages", "roofline", "memory_in_step", "memory_over_steps",
  "memory_by_layer", "threads", "counters", "feeds" }

-- The chart of a name; nil where there is nothing to draw.
function charts.new(profile, name)
  if not makers[name] then
    errors.raise("profile:chart: there is no '%s'; there are %s", name, table.concat(NAMES, ", "))
  end
  return makers[name](profile)
end

return charts
