-- chart - descriptions of charts, made of what scripts have: lists, tensors, tables of them, histories.
--
-- A chart of axes: { kind = "chart", title =, x = axis, y = axis, series = { series }, notes = { note } }, where an
-- axis is { label =, log =, range =, labels = (of categories 1, 2, ...) }, a series { name =, x = numbers, y = numbers,
-- mark = "line", "points", "area" or "bar" }, a note { x =, y =, text = }.

local axis = require "moonpod.plot.axis"
local is_whole = require "moonpod.base.kinds".is_whole
local description = require "moonpod.plot.description"
local errors = require "moonpod.base.errors"
local names = require "moonpod.base.names"
local readable = require "moonpod.base.readable"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local chart = {}

local function as_number(value, where)
  if type(value) == "boolean" then
    return value and 1 or 0
  elseif type(value) ~= "number" then
    errors.raise("%s: a list of numbers has %s in it", where, errors.describe(value))
  end
  return value
end

local is_plain = readable.is_plain

-- A tensor, a variable or the like whose value is known, or nil.
local function as_tensor(value, where)
  local meta = type(value) == "table" and getmetatable(value)
  if not tensor.is(value) and not (type(meta) == "table" and rawget(meta, "__as_tensor")) then
    return nil
  end
  local t = tensor.convert(value)
  if not tensor.is_known(t) then
    errors.raise("%s: within a compiled function values are not known yet; return the tensor, and draw it behind the "
      .. "call", where)
  end
  return t
end

chart.as_tensor = as_tensor

-- All numbers of nested tables, in order.
local function flatten(value, out, where, level)
  if type(value) == "table" then
    if not is_plain(value) then
      errors.raise("%s: numbers or a tensor are wanted, not %s", where, errors.describe(value))
    end
    level = errors.level_below(level, where)
    for i = 1, #value do
      flatten(value[i], out, where, level)
    end
  else
    out[#out + 1] = as_number(value, where)
  end
  return out
end

-- The numbers of a list or of a tensor of any shape.
function chart.numbers(value, where)
  local t = as_tensor(value, where)
  if t then
    value = t:totable()
  end
  if type(value) ~= "table" then
    errors.raise("%s: a list of numbers or a tensor is wanted, not %s", where, errors.describe(value))
  end
  return flatten(value, {}, where)
end

-- Rows of numbers, all of one length, of a list of lists or a tensor of two axes.
function chart.matrix(value, where)
  local t = as_tensor(value, where)
  if t then
    if #t.shape ~= 2 then
      errors.raise("%s: a tensor of two axes is wanted, not of shape %s", where, tostring(t.shape))
    end
    value = t:totable()
  end
  if type(value) ~= "table" then
    errors.raise("%s: a list of rows or a tensor of two axes is wanted, not %s", where, errors.describe(value))
  end
  local rows = {}
  for i = 1, #value do
    if type(value[i]) ~= "table" then
      errors.raise("%s: row %d must be a list of numbers, not %s", where, i, errors.describe(value[i]))
    end
    rows[i] = chart.numbers(value[i], where)
    if #rows[i] ~= #rows[1] then
      errors.raise("%s: row %d has %d numbers, row 1 has %d", where, i, #rows[i], #rows[1])
    end
  end
  return rows
end

local MARKS = { line = true, points = true, area = true, bar = true }
local SERIES = { name = "string", x = true, y = true, mark = "string" }

-- One series of a table { y =, x =, name =, mark = }, or of what is its y.
local function one_series(value, name, mark, where)
  local x
  if is_plain(value) and value.y ~= nil then
    errors.check_options(value, SERIES, where .. ": a series")
    mark, name = value.mark or mark, value.name or name
    if not MARKS[mark] then
      errors.raise('%s: a mark is "line", "points", "area" or "bar", not %s', where, errors.describe(mark))
    end
    value, x = value.y, value.x
  end
  local y = chart.numbers(value, where)
  x = x == nil and tables.range(1, #y) or chart.numbers(x, where)
  if #x ~= #y then
    errors.raise("%s: %d numbers in x, %d in y", where, #x, #y)
  end
  return { name = name, mark = mark, x = x, y = y }
end

local function columns_of(t, mark)
  local series, rows = {}, t:totable()
  for column = 1, t.shape[2] do
    series[column] = { name = tostring(column), mark = mark, x = tables.range(1, #rows),
      y = tables.map(tables.column(rows, column), as_number) }
  end
  return series
end

local function named_series(value, mark, where)
  local series = {}
  for name in pairs(value) do
    if type(name) ~= "string" then
      errors.raise("%s: series go by names or by places, not by %s", where, errors.describe(name))
    end
  end
  for i, name in ipairs(names.sorted(value)) do
    series[i] = one_series(value[name], name, mark, where)
  end
  return series
end

-- The series of what was given: one list or tensor, { y =, x = }, a list of such, a table of such by name, a tensor of
-- two axes (a column each), a history.
function chart.series(value, mark, where)
  if type(value) == "table" and rawget(value, "is_history") == true then
    value = rawget(value, "history")
  end
  local t = as_tensor(value, where)
  if t and #t.shape == 2 then
    return columns_of(t, mark)
  elseif t then
    return { one_series(t, "", mark, where) }
  elseif not is_plain(value) then
    errors.raise("%s: numbers or a tensor are wanted, not %s", where, errors.describe(value))
  elseif value.y ~= nil then
    return { one_series(value, "", mark, where) }
  elseif #value == 0 and next(value) ~= nil then
    return named_series(value, mark, where)
  elseif type(value[1]) ~= "table" then
    return #value == 0 and {} or { one_series(value, "", mark, where) }
  end
  local series = {}
  for i = 1, #value do
    series[i] = one_series(value[i], tostring(i), mark, where)
  end
  return series
end

-- A list of texts of so many entries, or nil where none is given.
function chart.labels(list, count, where)
  if list == nil then
    return nil
  end
  local texts = tables.map(list, function(label)
    if type(label) ~= "string" and type(label) ~= "number" then
      errors.raise("%s: labels are texts, not %s", where, errors.describe(label))
    end
    return tostring(label)
  end)
  if #texts ~= count then
    errors.raise("%s: %d labels for %d entries", where, #texts, count)
  end
  return texts
end

-- A range that an option gives, or nil where it gives none.
function chart.range(range, is_log, where, name)
  if range == nil then
    return nil
  end
  local low, high = range[1], range[2]
  local is_good = type(low) == "number" and type(high) == "number" and axis.is_finite(low) and axis.is_finite(high)
    and low < high and (low > 0 or not is_log)
  if not is_good then
    errors.raise("%s: %s is { low, high }, finite%s, with low below high", where, name, is_log and " and above 0" or "")
  end
  return { low, high }
end

local function read_notes(notes, where)
  return tables.map(notes or {}, function(note)
    if type(note) ~= "table" then
      errors.raise("%s: a note is { x =, y =, text = }, not %s", where, errors.describe(note))
    end
    errors.check_options(note, { x = "number", y = "number", text = "string" }, where .. ": a note")
    return { x = as_number(note.x, where), y = as_number(note.y, where), text = note.text or "" }
  end)
end

chart.OPTIONS = { title = "string", x_label = "string", y_label = "string", x_log = "boolean", y_log = "boolean",
  x_range = "list", y_range = "list", width = "count", height = "count", legend = "boolean", notes = "list",
  labels = "list", stacked = "boolean", horizontal = "boolean" }

local function are_whole(series)
  return tables.all(series, function(one)
    return tables.all(one.x, is_whole)
  end)
end

-- A chart of series by options that were checked.
function chart.of_series(series, options, where)
  description.check_size(options, where)
  return description.new { kind = "chart", title = options.title or "", series = series, legend = options.legend,
    width = options.width, height = options.height, stacked = options.stacked, horizontal = options.horizontal,
    notes = read_notes(options.notes, where),
    x = { label = options.x_label or "", log = options.x_log or false, whole = are_whole(series),
      range = chart.range(options.x_range, options.x_log, where, "x_range") },
    y = { label = options.y_label or "", log = options.y_log or false,
      range = chart.range(options.y_range, options.y_log, where, "y_range") } }
end

-- What somebody reads who does not see the chart.
function chart.note(one)
  local values, named, count = {}, {}, 0
  for i, series in ipairs(one.series) do
    named[#named + 1] = series.name ~= "" and series.name or nil
    values[i], count = series.y, count + #series.y
  end
  local low, high = axis.extent(values)
  local text = ("A chart of %d value%s"):format(count, count == 1 and "" or "s")
  if low <= high then
    text = text .. (" from %s to %s"):format(axis.text(low), axis.text(high))
  end
  return #named > 0 and text .. ": " .. table.concat(named, ", ") or text
end

return chart
