--- Charts and pictures: each a description that draws itself in the terminal (`print(chart)`), as SVG, HTML or PNG
--- (`chart:svg()`, `chart:html()`, `chart:png()`, `chart:save(path)`).
---@example pod.plot.line({ 3, 1, 2 }).kind --> "chart"

-- plot - makes descriptions of what scripts have: see docs/guides/plots.md.

local axis = require "moonpod.plot.axis"
local chart = require "moonpod.plot.chart"
local colors = require "moonpod.plot.colors"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local event_scalars = require "moonpod.plot.event_scalars"
local names = require "moonpod.base.names"
local picture = require "moonpod.plot.picture"
require "moonpod.plot.kinds"
local description = require "moonpod.plot.description"
local readable = require "moonpod.base.readable"
local tables = require "moonpod.base.tables"

local plot = {}

local function drawn(data, options, mark, where)
  options = errors.check_options(options, chart.OPTIONS, where)
  return chart.of_series(chart.series(data, mark, where), options, where)
end

--- Draws lines.
--- Numbers that are not finite leave gaps; of many points those are drawn that can be seen.
---@param data table numbers, or a tensor; `{ x =, y =, name =, mark = }`; a list of such, or a table by names; a tensor
--- of two axes, a column each; a history. A mark is "line", "points" or "area"
---@param options.title string what stands above
---@param options.x_label string what stands below
---@param options.y_label string what stands at the left
---@param options.x_log boolean whether x is logarithmic
---@param options.y_log boolean whether y is logarithmic
---@param options.x_range table `{ low, high }`
---@param options.y_range table `{ low, high }`
---@param options.legend boolean names of series (where there are several)
---@param options.stacked boolean areas upon each other
---@param options.notes table points with words: a list of `{ x =, y =, text = }`
---@param options.width integer pixels of an SVG (640)
---@param options.height integer pixels of an SVG (400)
---@return description chart
---
---```lua
---local chart = pod.plot.line({ loss = { 3, 2, 1.5 }, val_loss = { 3, 2.4, 2.2 } }, { title = "A run" })
---print(chart)
---```
function plot.line(data, options)
  return drawn(data, options, "line", "plot.line")
end

--- Draws points.
---@param data table as `pod.plot.line` takes it
---@param options table as `pod.plot.line` takes them
---@return description chart
---
---```lua
---print(pod.plot.scatter({ x = { 1, 2, 3 }, y = { 2, 3.9, 6.2 } }, { title = "measured" }))
---```
function plot.scatter(data, options)
  return drawn(data, options, "points", "plot.scatter")
end

-- The places and values of { name = number }, in the order of names; nil for what is none.
local function by_name(data)
  if not readable.is_plain(data) or #data > 0 or next(data) == nil then
    return nil
  end
  for name, value in pairs(data) do
    if type(name) ~= "string" or type(value) ~= "number" then
      return nil
    end
  end
  local labels = names.sorted(data)
  return labels, tables.map(labels, function(name)
    return data[name]
  end)
end

--- Draws bars from 0, of categories.
---@param data table a number for each: a list, a tensor, numbers by name; or several such as `pod.plot.line` takes them
---@param options.labels table names of the categories (1, 2, …)
---@param options.stacked boolean bars of several series upon each other
---@param options.horizontal boolean bars to the right
---@param options.title string what stands above
---@return description chart
---
---```lua
---print(pod.plot.bar({ conv2d = 40.5, dense = 12 }, { title = "ms a step" }))
---```
function plot.bar(data, options)
  options = errors.check_options(options, chart.OPTIONS, "plot.bar")
  local given, values = by_name(data)
  local series = chart.series(values or data, "bar", "plot.bar")
  local count = tables.most(series, 0, function(one)
    return #one.y
  end)
  local labels = chart.labels(options.labels or given, count, "plot.bar")
    or tables.map(tables.range(1, count), tostring)
  local made = chart.of_series(series, options, "plot.bar")
  made.x.labels = labels
  return made
end

local HISTOGRAM = { bins = "count", range = "list", title = "string", x_label = "string", y_label = "string",
  y_log = "boolean", width = "count", height = "count" }

-- How many bins are good for so many values (Rice): 5 to 60.
local function default_bins(count)
  return math.max(5, math.min(60, math.ceil(2 * count ^ (1 / 3))))
end

--- Draws how values are distributed: how many lie in each of equal parts of their range.
--- Values that are not finite are not counted.
---@param values table numbers, or a tensor of any shape
---@param options.bins integer parts (by the number of values: 5 to 60)
---@param options.range table `{ low, high }` in the place of the values' own
---@param options.title string what stands above
---@param options.x_label string what stands below
---@param options.y_label string what stands at the left
---@param options.y_log boolean whether counts are logarithmic
---@param options.width integer pixels of an SVG (640)
---@param options.height integer pixels of an SVG (400)
---@return description chart
---
---```lua
---print(pod.plot.histogram(pod.random.normal({ 100 }, { seed = 1 }), { bins = 10 }))
---```
function plot.histogram(values, options)
  options = errors.check_options(options, HISTOGRAM, "plot.histogram")
  local list = chart.numbers(values, "plot.histogram")
  local bins = options.bins or default_bins(#list)
  if bins < 1 or bins > 10000 then
    errors.raise("plot.histogram: bins are from 1 to 10000, not %d", bins)
  end
  local range = chart.range(options.range, false, "plot.histogram", "range")
  local low, high = axis.range { list }
  if range then
    low, high = range[1], range[2]
  end
  local series = { name = "", mark = "bar", x = {}, y = {} }
  for i = 1, bins do
    series.x[i], series.y[i] = low + (high / bins - low / bins) * (i - 0.5), 0
  end
  for _, value in ipairs(list) do
    if value >= low and value <= high and axis.is_finite(value) then
      local bin = math.min(math.floor((value / 2 - low / 2) / (high / 2 - low / 2) * bins) + 1, bins)
      series.y[bin] = series.y[bin] + 1
    end
  end
  local made = chart.of_series({ series }, { title = options.title, x_label = options.x_label,
    y_label = options.y_label, y_log = options.y_log, width = options.width, height = options.height,
    x_range = { low, high } }, "plot.histogram")
  made.tight = true
  return made
end

local HEAT_MAP = { rows = "list", columns = "list", annotate = "boolean", map = "string", range = "list",
  title = "string", x_label = "string", y_label = "string", width = "count", height = "count" }

--- Draws a matrix in colours, the first row above.
---@param matrix table rows of numbers, or a tensor of two axes
---@param options.rows table names of the rows
---@param options.columns table names of the columns
---@param options.annotate boolean numbers in the cells (where there is room)
---@param options.map string colours: "viridis", "blues", "grey", or "diverging" (where numbers are below and above 0)
---@param options.range table `{ low, high }` of the colours (those of the numbers)
---@param options.title string what stands above
---@param options.x_label string what stands below
---@param options.y_label string what stands at the left
---@param options.width integer pixels of an SVG (as cells need, at most 560)
---@param options.height integer pixels of an SVG
---@return description chart
---
---```lua
---print(pod.plot.heat_map({ { 1, 2 }, { 3, 4 } }, { rows = { "a", "b" } }))
---```
function plot.heat_map(matrix, options)
  options = errors.check_options(options, HEAT_MAP, "plot.heat_map")
  local rows = chart.matrix(matrix, "plot.heat_map")
  local low, high = axis.range(rows)
  local map = options.map or low < 0 and high > 0 and "diverging" or "viridis"
  if not colors.maps[map] then
    errors.raise("plot.heat_map: there is no map %s%s", errors.describe(map), errors.suggest(map, colors.maps))
  end
  local range = chart.range(options.range, false, "plot.heat_map", "range")
  if range then
    low, high = range[1], range[2]
  elseif map == "diverging" then
    high = math.max(-low, high)
    low = -high
  end
  return description.new { kind = "heat_map", title = options.title or "", values = rows, low = low, high = high,
    map = map, annotate = options.annotate, x_label = options.x_label or "", y_label = options.y_label or "",
    rows = chart.labels(options.rows, #rows, "plot.heat_map"), width = options.width, height = options.height,
    columns = chart.labels(options.columns, rows[1] and #rows[1] or 0, "plot.heat_map") }
end

local CONFUSION = { labels = "list", normalize = "boolean", title = "string", width = "count", height = "count" }

--- Draws how often each class was taken for each: rows are what is true, columns what was predicted.
---@param matrix table counts: rows of numbers, or a tensor of two axes
---@param options.labels table names of the classes
---@param options.normalize boolean shares of each row in the place of counts (false)
---@param options.title string what stands above
---@param options.width integer pixels of an SVG
---@param options.height integer pixels of an SVG
---@return description chart
---
---```lua
---print(pod.plot.confusion_matrix({ { 50, 2 }, { 3, 44 } }, { labels = { "cat", "dog" } }))
---```
function plot.confusion_matrix(matrix, options)
  options = errors.check_options(options, CONFUSION, "plot.confusion_matrix")
  local rows = chart.matrix(matrix, "plot.confusion_matrix")
  if rows[1] and #rows[1] ~= #rows then
    errors.raise("plot.confusion_matrix: as many columns as rows, not %d and %d", #rows[1], #rows)
  end
  local shares = {}
  for i, row in ipairs(rows) do
    local sum = 0
    for _, value in ipairs(row) do
      sum = sum + value
    end
    shares[i] = {}
    for j, value in ipairs(row) do
      shares[i][j] = options.normalize and (sum > 0 and value / sum or 0) or value
    end
  end
  return plot.heat_map(shares, { rows = options.labels, columns = options.labels, map = "blues", y_label = "true",
    x_label = "predicted", title = options.title, width = options.width, height = options.height,
    range = options.normalize and { 0, 1 } or nil })
end

--- Draws a tensor as a picture.
---@param image tensor (height, width) or (height, width, channels) with 1 to 4 channels: uint8, floats from 0 to 1, or
--- grey floats of any range
---@param options.range table `{ low, high }`: what is black and what is white
---@param options.title string what stands above
---@param options.width integer pixels of an SVG
---@return description picture
---
---```lua
---print(pod.plot.image(pod.random.uniform({ 8, 8 }, { seed = 1 })))
---```
function plot.image(image, options)
  options = errors.check_options(options, { range = "list", title = "string", width = "count" }, "plot.image")
  return description.new { kind = "pictures", title = options.title or "", columns = 1, width = options.width,
    pictures = { picture.read(image, options, "plot.image") } }
end

local GRID = { range = "list", title = "string", width = "count", columns = "count", labels = "list" }

--- Draws pictures beside each other.
---@param images table a list of tensors as `pod.plot.image` takes them, or a tensor (n, height, width, channels)
---@param options.columns integer pictures in a row (about as many as rows)
---@param options.labels table what stands below each
---@param options.range table `{ low, high }`: what is black and what is white
---@param options.title string what stands above
---@param options.width integer pixels of an SVG
---@return description picture
---
---```lua
---print(pod.plot.image_grid(pod.random.uniform({ 4, 6, 6, 1 }, { seed = 1 }), { columns = 2 }))
---```
function plot.image_grid(images, options)
  options = errors.check_options(options, GRID, "plot.image_grid")
  local t = chart.as_tensor(images, "plot.image_grid")
  if t then
    images = {}
    for i = 1, #t.shape > 0 and t.shape[1] or 0 do
      images[i] = t[i]
    end
  elseif type(images) ~= "table" then
    errors.raise("plot.image_grid: a list of pictures is wanted, not %s", errors.describe(images))
  end
  local list = tables.map(images, picture.read, options, "plot.image_grid")
  return description.new { kind = "pictures", title = options.title or "", pictures = list, width = options.width,
    columns = options.columns and math.max(options.columns, 1), labels = chart.labels(options.labels, #list,
      "plot.image_grid") }
end

--- Draws the scalars of a tag in all event files in a folder and those below it, a line each run.
---@param dir string the folder
---@param tag string the name of the scalars
---@param options table as `pod.plot.line` takes them
---@return description chart
---
---```lua
---local folder = os.tmpname()
---os.remove(folder)
---local writer = pod.summary.writer(folder)
---for step = 1, 5 do
---  writer:scalar("loss", 1 / step, step)
---end
---writer:close()
---print(pod.plot.log(folder, "loss"))
---```
function plot.log(dir, tag, options)
  options = errors.check_options(options, chart.OPTIONS, "plot.log")
  local series, tags = event_scalars.read(dir, tag)
  if #series == 0 then
    errors.raise("plot.log: there is no scalar '%s' in %s; there is: %s", tag, dir, names.list(tags))
  end
  local made = chart.of_series(chart.series(series, "line", "plot.log"), options, "plot.log")
  made.title = options.title or tag
  return made
end

return declare.functions("plot", plot, { ["dir:string tag:string options?"] = "log",
  ["data:value options?"] = "line scatter bar", ["values:value options?"] = "histogram",
  ["matrix:value options?"] = "heat_map confusion_matrix",
  ["image:value options?"] = "image", ["images:value options?"] = "image_grid" })
