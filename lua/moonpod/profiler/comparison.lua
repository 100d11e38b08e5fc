-- comparison - what changed from one profile to another: by part of a step, by op, layer and line.

local charts = require "moonpod.profiler.charts"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local op_stats = require "moonpod.profiler.op_stats"
local overview = require "moonpod.profiler.overview"
local tables = require "moonpod.profiler.tables"

local comparison = {}

-- Rows { [by] =, before =, after =, change =, ratio = (nil where there was none before) } as a table.
local function table_of(rows, by)
  for _, row in ipairs(rows) do
    row.change = row.after - row.before
    row.ratio = row.before > 0 and row.after / row.before or nil
  end
  return tables.new(rows, { most = 16, by, "before seconds", "after seconds", "change change", "ratio decimal" })
end

-- A layer's name without the numbers that tell models of a process apart: of those that differ by their numbers alone
-- in a profile, the n-th. So "sequential_1/dense_3" of one profile is "sequential/dense_1" of another.
local function same_layers(rows)
  local numbers = {}
  local function split(part)
    local base = part:gsub("_%d+$", "")
    numbers[base] = numbers[base] or {}
    return base, tonumber(part:match "_(%d+)$") or 0
  end
  for _, row in ipairs(rows) do
    for part in row.layer:gmatch "[^/]+" do
      local base, number = split(part)
      numbers[base][number] = true
    end
  end
  return function(name)
    return (name:gsub("[^/]+", function(part)
      local base, own = split(part)
      local rank = 0
      for number in pairs(numbers[base]) do
        rank = rank + (number <= own and 1 or 0)
      end
      return base .. "#" .. rank
    end))
  end
end

-- Seconds a step, on all threads, of what op_stats counts under one name.
local function by_name(before, after, by)
  local rows = {}
  local row_of = tables.by_name(rows, function(_, name)
    return { [by] = name, before = 0, after = 0 }
  end)
  for _, side in ipairs { { before, "before" }, { after, "after" } } do
    local stats, program = op_stats.new(side[1].program, by), side[1].program
    local key_of = by == "layer" and same_layers(stats) or tostring
    for _, one in ipairs(stats) do
      local row = row_of(key_of(one[by]), one[by])
      row[side[2]] = row[side[2]] + one.seconds / math.max(1, program.steps)
    end
  end
  table.sort(rows, function(a, b)
    local one, other = math.abs(a.after - a.before), math.abs(b.after - b.before)
    return one > other or (one == other and a[by] < b[by])
  end)
  return table_of(rows, by)
end

local function parts_of(before, after)
  local rows = {}
  for i, part in ipairs(overview.PARTS) do
    rows[i] = { part = part[1], before = before.overview.parts[i].seconds, after = after.overview.parts[i].seconds }
  end
  return table_of(rows, "part")
end

local function to_text(self)
  local lines = { decimal.format("a step: %s before, %s after: %.2f of it (%.2f times as fast)",
    tables.seconds(self.before), tables.seconds(self.after), self.ratio, self.ratio > 0 and 1 / self.ratio or 0) }
  if self.rows_before ~= self.rows_after then
    lines[#lines + 1] = decimal.format("a step had %d rows, and has %d: a row takes %.2f of the time", self.rows_before,
      self.rows_after, self.row_ratio)
  end
  for _, name in ipairs { "parts", "ops", "layers", "lines" } do
    lines[#lines + 1] = tostring(self[name])
  end
  return table.concat(lines, "\n")
end

local KINDS = { { "parts", "part" }, { "ops", "op" }, { "layers", "layer" }, { "lines", "line" } }

local Comparison = {}

-- Draws one of the tables: "parts", "ops", "layers" or "lines"; nil where it has no rows.
function Comparison:chart(name)
  for _, kind in ipairs(KINDS) do
    if kind[1] == name then
      return charts.change(self[name], kind[2], ("A step's %s, before and now"):format(name))
    end
  end
  errors.raise("comparison:chart: there is no '%s'; there are parts, ops, layers and lines", tostring(name))
end

-- All tables as CSV: kind (part, op, layer or line), name, before, after and change in seconds a step, ratio.
function Comparison:csv()
  local rows = {}
  for _, kind in ipairs(KINDS) do
    for _, row in ipairs(self[kind[1]]) do
      rows[#rows + 1] = { kind = kind[2], name = row[kind[2]], before = row.before, after = row.after,
        change = row.change, ratio = row.ratio }
    end
  end
  return tables.new(rows, { "kind", "name", "before", "after", "change", "ratio" }):csv()
end

local function rows_of(profile)
  local last = profile.steps[#profile.steps]
  return last and last.rows or 0
end

-- Compares two profiles: { before =, after = (seconds a step), ratio =, rows_before =, rows_after = (of a step),
-- row_ratio =, parts =, ops =, layers =, lines = (tables of before, after, change, ratio; ops, layers and lines of all
-- threads, what changed most first) }.
function comparison.new(before, after)
  local self = { before = before.overview.step_seconds.mean, after = after.overview.step_seconds.mean,
    rows_before = rows_of(before), rows_after = rows_of(after), parts = parts_of(before, after),
    ops = by_name(before, after, "op"), layers = by_name(before, after, "layer"),
    lines = by_name(before, after, "line") }
  self.ratio = self.before > 0 and self.after / self.before or 0
  self.row_ratio = self.rows_after > 0 and self.ratio * self.rows_before / self.rows_after or self.ratio
  return setmetatable(self, { __index = Comparison, __tostring = to_text, __name = "moonpod.profile_comparison" })
end

return comparison
