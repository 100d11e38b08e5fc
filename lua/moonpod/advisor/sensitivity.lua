-- sensitivity - what a step costs when one of a model's sizes is one less, one more, or the next that fills tiles.

local clone = require "moonpod.saving.clone"
local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local projection = require "moonpod.advisor.projection"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"
local variants = require "moonpod.advisor.variants"

local sensitivity = {}

local TILE = 128 -- lanes of a tile, and rows or columns of a matrix unit or half of them

local Table = { __name = "moonpod.sensitivity" }

local function change_text(share)
  return share and decimal.format("%+.1f%%", 100 * share) or ""
end

function Table.__tostring(self)
  local rows = { { "size", "from", "to", "MXU", "device time", "memory", "" } }
  for i, row in ipairs(self) do
    rows[i + 1] = { row.name, ("%d"):format(row.from), ("%d"):format(row.to), change_text(row.mxu_change),
      change_text(row.time_change), row.need_change and (row.need_change < 0 and "-" or "+")
        .. core.bytes_text(math.abs(row.need_change)) or "", row.problem }
  end
  local lines = text_table.lines(rows, { { align = "left" }, { align = "right" } })
  table.insert(lines, 1, ("%s on %s, %d rows a core: changes of an example's work, the largest first"):format(self.name,
    self.chip, self.batch))
  return table.concat(lines, "\n")
end

-- The work of the matrix units with what padding adds, and the device's seconds, both for an example, and the bytes
-- of a row that an evaluator made; nil and why where they are not known.
local function costs_of(row)
  if not row._plan then
    return nil, row.problem
  end
  local time, why = projection.try(row._plan, { slice = row.slice })
  if not time then
    return nil, why
  end
  local mxu = 0
  for _, kernel in ipairs(time.kernels) do
    mxu = mxu + kernel.mxu_flops * kernel.times
  end
  return { mxu = mxu / row.batch, seconds = time.device_seconds / row.batch, need = row.need_bytes }
end

local function next_tile(size)
  return (math.floor(size / TILE) + 1) * TILE
end

-- The sizes that a model has: { name, size, variant(size) }.
local function sizes_of(model, batch)
  local list = { { "batch", batch, function(size)
    return { batch = size }
  end } }
  for _, one in ipairs(model.layers) do
    local option = clone.size_option(one)
    local size = option and one.config[option]
    list[#list + 1] = size and { one.name, size, function(other)
      return { batch = batch, features = { [one.name] = other } }
    end } or nil
  end
  return list
end

local function share(after, before)
  return before > 0 and after / before - 1 or 0
end

-- Rows of one size; each says how much its largest change is.
local function try(evaluator, chip, base, entry)
  local name, size, variant_of = entry[1], entry[2], entry[3]
  local rows, largest = {}, 0
  for _, other in ipairs { size - 1, size + 1, next_tile(size) } do
    local row = { name = name, from = size, to = other }
    local costs, why
    if other > 0 then
      costs, why = costs_of(evaluator:row(tables.merge({ chip = chip }, variant_of(other))))
    end
    if costs then
      row.mxu_change, row.time_change = share(costs.mxu, base.mxu), share(costs.seconds, base.seconds)
      row.need_change = costs.need - base.need
      largest = math.abs(other - size) == 1 and math.max(largest, math.abs(row.mxu_change)) or largest
    end
    row.problem = why
    rows[#rows + 1] = (costs or why) and not (other == size + 1 and next_tile(size) == other) and row or nil
  end
  return { rows = rows, largest = largest }
end

---@name pod.advisor.sensitivity
--- What one row or feature more or less does to a step: for the batch and for each layer's size one less, one more and
--- the next multiple of 128. Each is planned again: an array that prints, of { name =, from =, to =, mxu_change =,
--- time_change =, need_change =, problem = }, the size first of which one more or less changes most. `mxu_change` is of
--- the matrix units' work with padding and `time_change` of the device's time, both for an example and as a share;
--- `need_change` is in bytes.
---@param model model compiled
---@param options.chip string as "v5e" (default: the strategy's chip, else "v3")
---@param options.batch integer rows a core (default: those of the data)
---@param options.data dataset whose elements say types and shapes
---@param options.x tensor which says them, in the place of `data`
---@param options.y tensor as `x`
---@param options.sample_weight tensor as `x`
---@param options.kind string which step: "train" (default), "evaluate" or "predict"
---@return table
---@see pod.advisor.whatif model:advice pod.padding
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1024, { input_shape = { 1024 } }), pod.layers.dense(1024) }
--- model:compile { loss = "mse" }
--- local rows = pod.advisor.sensitivity(model, { chip = "v5e", batch = 1024 })
--- assert(rows[1].to == rows[1].from + 1 or rows[1].to == rows[1].from - 1)
--- print(rows)
--- ```
function sensitivity.table(model, options)
  options = errors.check_options(options, { "chip", "batch", "data", "x", "y", "sample_weight", "kind" }, "sensitivity")
  errors.check_type(options.chip or "", "string", "sensitivity", "'chip'")
  local variant = variants.list(model, options, "sensitivity")[1] -- which checks them
  local evaluator = variants.evaluator(model, options)
  local first = evaluator:row(variant)
  local base, why = costs_of(first)
  if not base then
    errors.raise("sensitivity of '%s': %s", model.name, why)
  end
  local tried = tables.map(sizes_of(model, first.batch), function(entry)
    return try(evaluator, variant.chip, base, entry)
  end)
  local self = setmetatable({ name = model.name, chip = variant.chip, batch = first.batch }, Table)
  local order = tables.range(1, #tried)
  table.sort(order, function(a, b)
    if tried[a].largest ~= tried[b].largest then
      return tried[a].largest > tried[b].largest
    end
    return a < b
  end)
  for _, place in ipairs(order) do
    table.sort(tried[place].rows, function(a, b)
      return math.abs(a.mxu_change or 0) > math.abs(b.mxu_change or 0)
    end)
    tables.extend(self, tried[place].rows)
  end
  return self
end

return sensitivity
