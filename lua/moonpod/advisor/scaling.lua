-- scaling - one model on all slices of a chip: with the same batch a core (weak), or the same batch in all (strong).

local decimal = require "moonpod.base.decimal"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local variants = require "moonpod.advisor.variants"
local whatif = require "moonpod.advisor.whatif"

local scaling = {}

local Table = { __name = "moonpod.scaling" }
Table.__index = Table

local MORE = { { "efficiency", function(row)
  return row.efficiency and decimal.format("%.0f%%", row.efficiency * 100) or ""
end } }

function Table.__tostring(self)
  return ("%s, %s scaling\n"):format(self.name, self.kind) .. whatif.lines(self, { chip = true }, MORE)
end

---@name scaling:html
--- The rows as a page of HTML, as text, with a slider over the slices, as that of `pod.advisor.whatif`.
---@return string
---@see pod.advisor.scaling
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(8, { input_shape = { 4 } }) }
--- model:compile { loss = "mse" }
--- assert(pod.advisor.scaling(model, { chip = "v5e", batch = 64 }):html():find 'type="range"')
--- ```
function Table:html()
  local rows = tables.merge(self, { name = ("%s, %s scaling"):format(self.name, self.kind), chips = self.chips,
    values = { { "slice", tables.column(self, "slice") } } })
  return require "moonpod.advisor.whatif_page"(rows, function(row, all)
    return tables.join(whatif.said(row, all), { { "efficiency", MORE[1][2](row) } })
  end, tostring)
end

declare.methods("scaling", { html = Table.html }, function(value)
  return getmetatable(value) == Table
end, { [""] = "html" })

---@name pod.advisor.scaling
--- How the step of a model scales over the slices of a chip: an array that prints, of rows as `whatif` has them, with
--- `efficiency`: examples a second and device, as a share of the best row's.
---@param model model compiled
---@param options.chip string|string[] whose slices, as "v5e", or which slices
---@param options.batch integer rows a core: weak scaling
---@param options.global_batch integer rows of all cores together: strong scaling, over the slices that divide them
---@param options.price number|table for an hour of a chip, as whatif's
---@param options.examples integer in an epoch
---@return table
---@see pod.advisor.whatif pod.advisor.find
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(8, { input_shape = { 4 } }) }
--- model:compile { loss = "mse" }
--- local rows = pod.advisor.scaling(model, { chip = "v5e", global_batch = 1024 })
--- assert(rows[1].slice == "v5e-1" and rows[#rows].batch == 1024 / 256 and rows[#rows].efficiency < 1)
--- ```
function scaling.table(model, options)
  options = errors.check_options(options, variants.OPTIONS, "scaling")
  local names = type(options.chip) == "table" and options.chip or { options.chip or "v3" }
  options = tables.merge(options, { chip = tables.map(names, function(name)
    return type(name) == "string" and not name:find "[-:]" and name .. "-*" or name
  end) })
  local list = variants.list(model, options, "scaling")
  local evaluator = variants.evaluator(model, options)
  local self, best = { name = model.name, chips = names, kind = options.global_batch and "strong" or "weak" }, 0
  for _, variant in ipairs(list) do
    local row = evaluator:row(variant)
    if row.seconds then
      best = math.max(best, row.examples_per_second / row.replicas)
    end
    self[#self + 1] = row.verdict ~= "cannot_be_made" and row or nil
  end
  for _, row in ipairs(self) do
    row.efficiency = row.seconds and row.examples_per_second / row.replicas / best
  end
  return setmetatable(self, Table)
end

return scaling
