-- What if: one model with other batches, types, sizes and on other chips and slices, side by side.

local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local projection = require "moonpod.advisor.projection"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"
local variants = require "moonpod.advisor.variants"

local whatif = {}

local Table = { __name = "moonpod.whatif" }
Table.__index = Table

local function settings_text(value)
  if type(value) == "table" then
    return table.concat(tables.map(tables.sorted_keys(value), function(name)
      return ("%s=%d"):format(name, value[name])
    end), " ")
  end
  return value == nil and "" or tostring(value)
end

local function bytes(name)
  return function(row)
    return row[name] and core.bytes_text(row[name]) or ""
  end
end

-- Columns: their head, what a row has there, whether it is on the left, whether it is shown, and a longer head.
local COLUMNS = {
  { "chip", function(row) return row.slice or row.chip end, left = true, axis = "chip" },
  { "features", function(row) return settings_text(row.features) end, left = true, axis = "features" },
  { "dtype", function(row) return settings_text(row.dtype) end, left = true, axis = "dtype" },
  { "remat", function(row) return settings_text(row.remat) end, axis = "remat" },
  { "parts", function(row) return settings_text(row.accumulation) end, axis = "accumulation" },
  { "batch", function(row) return row.batch and ("%d"):format(row.batch) or "" end },
  { "global", function(row) return ("%d"):format(row.global_batch) end, some = "slice", long = "rows of all cores" },
  { "need", bytes "need_bytes" },
  { "temporaries", bytes "temp_bytes" },
  { "unpadded", bytes "peak_unpadded_bytes" },
  { "ratio", function(row) return row.expansion and decimal.format("%.1fx", row.expansion) or "" end,
    long = "padded to unpadded" },
  { "step", function(row) return row.seconds and projection.range_text(row.low_seconds, row.high_seconds) or "" end,
    some = "seconds" },
  { "links", function(row) return row.seconds and decimal.format("%.0f%%", row.exchange_share * 100) or "" end,
    some = "slice", long = "of the step exchanged" },
  { "examples/s", function(row) return row.seconds and decimal.format("%.0f", row.examples_per_second) or "" end,
    some = "seconds" },
  { "a million", function(row) return row.cost_per_million and decimal.format("%.3g", row.cost_per_million) or "" end,
    some = "cost_per_million", long = "cost of a million examples" },
  { "epoch", function(row) return row.cost_per_epoch and decimal.format("%.3g", row.cost_per_epoch) or "" end,
    some = "cost_per_epoch", long = "cost of an epoch" },
  { "verdict", function(row) return (row.verdict:gsub("_", " ")) .. (row.seconds and "" or ": " .. row.problem) end,
    left = true },
}

local function some_has(rows, field)
  for _, row in ipairs(rows) do
    if row[field] ~= nil then
      return true
    end
  end
  return false
end

-- What a row says, { head, text } each, in the order of columns: what is not empty, `all` of it or without axes and the
-- verdict.
function whatif.said(row, all)
  local list = {}
  for i, column in ipairs(COLUMNS) do
    local text = (all or not column.axis and i < #COLUMNS) and column[2](row) or ""
    list[#list + 1] = text ~= "" and { column.long or column[1], text } or nil
  end
  return list
end

-- Rows of variants as lines of text; `varies` says of which axes there is more than one value. Further columns stand
-- before the verdict.
function whatif.lines(rows, varies, more)
  local shown = {}
  for i, column in ipairs(COLUMNS) do
    if i == #COLUMNS then
      shown = tables.join(shown, more or {})
    end
    if (not column.axis or varies[column.axis]) and (not column.some or some_has(rows, column.some)) then
      shown[#shown + 1] = column
    end
  end
  local lines, aligned = { {} }, {}
  for i, column in ipairs(shown) do
    lines[1][i], aligned[i] = column[1], { align = column.left and "left" or "right" }
    for j, row in ipairs(rows) do
      lines[j + 1] = lines[j + 1] or {}
      lines[j + 1][i] = column[2](row)
    end
  end
  return table.concat(text_table.lines(lines, aligned), "\n")
end

function Table.__tostring(self)
  return ("%s on %s\n"):format(self.name, table.concat(self.chips or { self.chip }, ", "))
    .. whatif.lines(self, self.varies)
end

---@name whatif:html
--- The rows as a page of HTML, as text: a slider for each setting that has several values, what the step needs and
--- takes there, and all rows as a table that sorts. It needs no network and no other file; a notebook shows it.
---@return string
---@see pod.advisor.whatif
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(8, { input_shape = { 4 } }) }
--- model:compile { loss = "mse" }
--- local page = pod.advisor.whatif(model, { chip = "v5e", batch = { 64, 128 } }):html()
--- assert(page:find "^<!DOCTYPE html>" and page:find 'type="range"')
--- ```
function Table:html()
  return require "moonpod.advisor.whatif_page"(self, whatif.said, settings_text)
end

declare.methods("whatif", { html = Table.html }, function(value)
  return getmetatable(value) == Table
end, { [""] = "html" })

---@name pod.advisor.whatif
--- What each of some variants of a model would need and how long a step would take, side by side: an array that prints.
--- Each option may be a list; every combination is a row. A step is traced once for each batch and setting, and planned
--- once for each chip. Rows are reports as `memory_report` gives them, with `slice`, `global_batch`, `low_seconds`,
--- `high_seconds`, `bound`, `mfu_low`, `mfu_high`, `exchange_share`, `examples_per_second`, `price_per_hour`,
--- `cost_per_million` (examples), `epoch_seconds`, `cost_per_epoch`, and `expansion`: padded to unpadded bytes at the
--- peak. What cannot be made or timed has `problem`.
---@param model model compiled
---@param options.chip string|string[] chips, also added ones, and slices, whose devices are the replicas; "v5e-*" is
---   all slices of a chip (default: that of the model's strategy, else "v3")
---@param options.batch integer|integer[] rows a core (default: those of the data)
---@param options.global_batch integer|integer[] rows of all cores together, in the place of `batch`
---@param options.dtype string|string[] policies, as "mixed_bfloat16" (default: the model's)
---@param options.remat integer|false|table groups of layers whose activations are computed again, false: none
---@param options.accumulation integer|integer[] parts of a batch, one after the other
---@param options.features table|table[] other sizes of layers, as `{ dense = 256 }`
---@param options.price number|table for an hour of a chip; by generation, as `{ v5e = 1.2 }`
---@param options.examples integer in an epoch
---@param options.input_seconds number that the host takes for the data of a step (default 0)
---@param options.steps_per_execution integer that the host starts at once (default 1)
---@param options.data dataset whose elements say types and shapes
---@param options.x tensor which says them, in the place of `data`
---@param options.y tensor as `x`
---@param options.sample_weight tensor as `x`
---@param options.kind string which step: "train" (default), "evaluate" or "predict"
---@return table
---@see pod.advisor.find model:memory_report model:projection
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(8, { input_shape = { 4 } }) }
--- model:compile { loss = "mse" }
--- local rows = pod.advisor.whatif(model, { chip = { "v3-8", "v5e-8" }, batch = { 64, 128 }, price = { v5e = 1.2 } })
--- assert(#rows == 4 and rows[1].batch == 64 and rows[2].global_batch == 1024)
--- assert(rows[3].slice == "v5e-8" and rows[3].price_per_hour == 8 * 1.2)
--- ```
function whatif.table(model, options)
  options = errors.check_options(options, variants.OPTIONS, "whatif")
  local list, varies, values = variants.list(model, options, "whatif")
  local evaluator = variants.evaluator(model, options, list)
  local self = tables.map(list, function(variant)
    return evaluator:row(variant)
  end)
  self.values = values
  self.varies, self.name, self.chip = varies, self[1].name or model.name, self[1].chip
  if varies.chip or type(options.chip) == "table" then
    local seen = {}
    self.chips = {}
    for _, row in ipairs(self) do
      local name = row.slice or row.chip
      self.chips[#self.chips + 1], seen[name] = not seen[name] and name or nil, true
    end
    self.varies.chip = true
  end
  return setmetatable(self, Table)
end

return whatif
