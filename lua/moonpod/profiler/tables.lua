-- tables - lists of rows that print as tables and are written as CSV: what all results of a profile are.

local arrays = require "moonpod.base.tables"
local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local text_table = require "moonpod.base.text_table"

local tables = {}

-- A time in a unit that suits it.
function tables.seconds(value)
  if value >= 1 then
    return decimal.format("%.3f s", value)
  elseif value >= 1e-3 then
    return decimal.format("%.3f ms", value * 1e3)
  end
  return decimal.format("%.1f us", value * 1e6)
end

function tables.percent(share)
  return decimal.format("%.1f %%", share * 100)
end

function tables.count(value)
  return ("%.0f"):format(value)
end

-- A number in the largest of units that it has one of; else as `small` formats it.
local function in_units(value, units, small)
  for _, unit in ipairs(units) do
    if value >= unit[1] then
      return decimal.format("%.2f %s", value / unit[1], unit[2])
    end
  end
  return small:format(value)
end

-- Large numbers with a prefix: 12.3 G.
function tables.scaled(value)
  return in_units(value, { { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } }, "%.0f")
end

function tables.decimal(value)
  return decimal.format("%.2f", value)
end

-- A time that something takes more or less.
function tables.change(seconds)
  return (seconds < 0 and "-" or "+") .. tables.seconds(math.abs(seconds))
end

-- Bytes with a binary prefix: 12.3 MiB.
function tables.bytes(value)
  return in_units(value, { { 2 ^ 40, "TiB" }, { 2 ^ 30, "GiB" }, { 2 ^ 20, "MiB" }, { 2 ^ 10, "KiB" } }, "%.0f B")
end

-- Bytes as XLA and reports of memory write them: 12.30G.
tables.xla = core.bytes_text

-- How a table is shown: { columns =, most = }; nil of what is none.
function tables.spec(value)
  local meta = type(value) == "table" and getmetatable(value)
  return type(meta) == "table" and meta.__name == "moonpod.profile_table" and meta.spec or nil
end

local function quoted(value)
  local text = type(value) == "number" and decimal.format("%.17g", value) or value == nil and "" or tostring(value)
  if text:find '[,"\r\n]' then
    return '"' .. text:gsub('"', '""') .. '"'
  end
  return text
end

local Table = {}
Table.__index = Table
Table.__name = "moonpod.profile_table"

function Table:__tostring()
  local spec = getmetatable(self).spec
  if spec.text then
    return spec.text(self)
  end
  local rows, columns = { {} }, {}
  for i, column in ipairs(spec.columns) do
    rows[1][i] = column.title
    columns[i] = { align = column.show and "right" or "left" }
  end
  for i, row in ipairs(self) do
    if i > (spec.most or 20) then
      break
    end
    local cells = {}
    for j, column in ipairs(spec.columns) do
      local value = row[column.key]
      cells[j] = value == nil and "" or column.show and column.show(value)
        or type(value) == "number" and decimal.text(value) or tostring(value)
    end
    rows[#rows + 1] = cells
  end
  local lines = text_table.lines(rows, columns)
  if #self + 1 > #rows then
    lines[#lines + 1] = ("... and %d more"):format(#self + 1 - #rows)
  end
  if spec.foot then
    lines[#lines + 1] = spec.foot(self)
  end
  return table.concat(lines, "\n")
end

-- The rows as comma-separated values (RFC 4180), times in seconds, with a line of names.
function Table:csv()
  local columns = getmetatable(self).spec.columns
  local lines = { table.concat(arrays.column(columns, "key"), ",") }
  for i, row in ipairs(self) do
    lines[i + 1] = table.concat(arrays.map(columns, function(column)
      return (quoted(row[column.key]))
    end), ",")
  end
  return table.concat(lines, "\r\n") .. "\r\n"
end

-- Makes rows a table. spec: an array of columns, each "key", "key unit" or "key unit: title", where the unit is one of
-- the functions above, whose texts stand on the right; most (rows that are printed: 20), foot (function of the table: a
-- last line), text (function of the table: how it prints instead).
function tables.new(rows, spec)
  errors.check_type(rows, "table", "tables.new", "the rows")
  spec.columns = {}
  for i, column in ipairs(spec) do
    local key, unit, title = column:match "^(%S+) ?(%a*):? ?(.*)$"
    spec.columns[i] = { key = key, show = tables[unit], title = title ~= "" and title or key }
  end
  return setmetatable(rows, { __index = Table, __tostring = Table.__tostring, __name = Table.__name, spec = spec })
end

-- Sorts rows, those with most of a number first; of equals the one whose name is first.
function tables.sort(rows, number, name)
  table.sort(rows, function(a, b)
    return a[number] > b[number] or (a[number] == b[number] and a[name] < b[name])
  end)
end

-- Adds a row for each name to a list: gives a function of names, which makes the row when it is first asked for.
function tables.by_name(rows, make)
  local known = {}
  return function(name, ...)
    if not known[name] then
      known[name] = make(name, ...)
      rows[#rows + 1] = known[name]
    end
    return known[name]
  end
end

-- The row with most of a number, of those that are accepted; nil where there is none.
function tables.largest(rows, number, accepts)
  local found
  for _, row in ipairs(rows) do
    if (not accepts or accepts(row)) and (not found or row[number] > found[number]) then
      found = row
    end
  end
  return found
end

-- The one in the middle of sorted numbers; 0 where there is none.
function tables.median(sorted)
  local half = math.floor((#sorted + 1) / 2)
  return #sorted == 0 and 0 or #sorted % 2 == 1 and sorted[half] or (sorted[half] + sorted[half + 1]) / 2
end

-- Facts { name, value, show = (value to text) } as a table of their own.
function tables.facts(list)
  local rows = arrays.map(list, function(fact)
    return { fact = fact[1], value = fact[2], show = fact[3] }
  end)
  return tables.new(rows, { most = #rows, "fact", "value", text = function()
    local lines = arrays.map(rows, function(row)
      return { row.fact, row.show and row.show(row.value) or tostring(row.value) }
    end)
    return table.concat(text_table.lines(lines, { { align = "left" }, { align = "left" } }), "\n")
  end })
end

return tables
