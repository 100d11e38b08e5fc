-- What if: one model with other batches and on other chips, side by side.

local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"

local whatif = {}

local Table = { __name = "moonpod.whatif" }

local columns = { { align = "right", width = 8 }, { align = "right", width = 9 }, { align = "right", width = 11 },
  { align = "right", width = 9, gap = 1 }, { align = "right", width = 6, gap = 1 }, { align = "left" } }

function Table.__tostring(self)
  local rows = { { "batch", "need", "temporaries", "unpadded", "ratio", "verdict" } }
  for _, row in ipairs(self) do
    rows[#rows + 1] = { ("%d"):format(row.batch), core.bytes_text(row.need_bytes), core.bytes_text(row.temp_bytes),
      core.bytes_text(row.peak_unpadded_bytes), decimal.format("%.1fx", row.expansion), (row.verdict:gsub("_", " ")) }
  end
  local shown = columns
  if self.chips then
    shown = tables.join({ { align = "left", width = 6 } }, columns)
    for i, row in ipairs(rows) do
      table.insert(row, 1, i == 1 and "chip" or self[i - 1].chip)
    end
  end
  return ("%s on %s\n"):format(self.name, table.concat(self.chips or { self.chip }, ", "))
    .. table.concat(text_table.lines(rows, shown), "\n")
end

---@name pod.advisor.whatif
--- What each of some batches would need, side by side, on a chip or on several: an array that prints. Rows are reports
--- as `memory_report` gives them, with `expansion`: padded to unpadded bytes at the peak.
---@param model model compiled
---@param options.chip string|string[] which chip or chips, also added ones (default: that of the model's strategy, else
---   "v3")
---@param options.batch integer[] the batches, rows a core
---@param options.data dataset whose elements say types and shapes
---@param options.x tensor which says them, in the place of `data`
---@param options.y tensor as `x`
---@param options.sample_weight tensor as `x`
---@param options.kind string which step: "train" (default), "evaluate" or "predict"
---@return table
---@see model:memory_report model:find_batch
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(8, { input_shape = { 4 } }) }
--- model:compile { loss = "mse" }
--- local rows = pod.advisor.whatif(model, { chip = "v3", batch = { 64, 128 } })
--- assert(#rows == 2 and rows[1].batch == 64 and rows[2].need_bytes >= rows[1].need_bytes)
--- ```
function whatif.table(model, options)
  options = errors.check_options(options, { "chip", "batch", "data", "x", "y", "sample_weight", "kind" },
    "whatif")
  errors.check_type(options.batch, "table", "whatif", "batch")
  local chip = options.chip or require("moonpod.advisor.model_memory").chip_of(model) or "v3"
  local chips = type(chip) == "table" and chip or { chip }
  if chips[1] == nil then
    errors.raise("whatif: 'chip' is an array without a chip; name one, such as \"v3\"")
  end
  local self = { chips = type(chip) == "table" and {} or nil }
  for i, name in ipairs(chips) do
    for _, batch in ipairs(options.batch) do
      local given = tables.merge(options, { batch = batch })
      given.chip = nil
      local row = model:memory_report(name, given)
      row.expansion = row.peak_unpadded_bytes > 0 and row.peak_padded_bytes / row.peak_unpadded_bytes or 1
      self[#self + 1], self.name, self.chip = row, row.name, row.chip
      if self.chips then
        self.chips[i] = row.chip
      end
    end
  end
  return setmetatable(self, Table)
end

return whatif
