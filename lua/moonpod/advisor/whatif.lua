-- What if: one model with other batches, side by side.

local core = require "moonpod.core"
local errors = require "moonpod.base.errors"

local whatif = {}

local Table = { __name = "moonpod.whatif" }

function Table.__tostring(self)
  local lines = { ("%s on %s"):format(self.name, self.chip),
    "   batch       need  temporaries  unpadded  ratio  verdict" }
  for _, row in ipairs(self) do
    lines[#lines + 1] = ("%8d  %9s    %9s %9s %5.1fx  %s"):format(row.batch, core.bytes_text(row.need_bytes),
      core.bytes_text(row.temp_bytes), core.bytes_text(row.peak_unpadded_bytes), row.expansion,
      (row.verdict:gsub("_", " ")))
  end
  return table.concat(lines, "\n")
end

-- pod.advisor.whatif(model, { chip = "v3", batch = { 64, 100, 128 } }): what each batch would need, in an array that
-- prints; other options as memory_report's. Rows are reports, with expansion (padded to unpadded at the peak).
function whatif.table(model, options)
  options = errors.check_options(options, { "chip", "batch", "policy", "data", "x", "y", "sample_weight", "kind" },
    "whatif")
  errors.check_type(options.batch, "table", "whatif", "batch")
  local chip = options.chip or require("moonpod.advisor.model_memory").chip_of(model)
  local self = { chip = chip }
  for i, batch in ipairs(options.batch) do
    local given = {}
    for name, value in pairs(options) do
      given[name] = value
    end
    given.chip, given.batch = nil, batch
    local row = model:memory_report(chip or "v3", given)
    row.expansion = row.peak_unpadded_bytes > 0 and row.peak_padded_bytes / row.peak_unpadded_bytes or 1
    self[i], self.name, self.chip = row, row.name, row.chip
  end
  return setmetatable(self, Table)
end

return whatif
