-- suitability - whether a model is of the kind that TPUs are made for, by what its step would spend its time on.
--
-- The criteria are those of "When to use TPUs" in Google's Introduction to Cloud TPU: much matrix work for them; few
-- elementwise operations, no high precision and no operations of one's own against them.

local compatibility = require "moonpod.advisor.compatibility"
local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local model_memory = require "moonpod.advisor.model_memory"
local tables = require "moonpod.base.tables"
local is_model = require "moonpod.models.model".is_model

local suitability = {}

local MOSTLY = 0.5 -- of the device's time

local Result = { __name = "moonpod.suitability" }

local VERDICTS = { suits = "is of the kind that TPUs are made for", poor = "is not of the kind that TPUs are made for",
  not_as_it_is = "does not run as it is" }

local function percent(share)
  return decimal.format("%.0f%%", 100 * share)
end

function Result.__tostring(self)
  local lines = { ("%s %s (%s)"):format(self.name, VERDICTS[self.verdict], self.chip) }
  if self.product_share then
    lines[2] = ("  %s of the FLOPs and %s of the device's time are matrix products and convolutions"):format(
      percent(self.product_flops_share), percent(self.product_share))
    lines[3] = ("  other kernels touch %s"):format(core.bytes_text(math.floor(self.other_bytes)))
  end
  for _, reason in ipairs(self.reasons) do
    lines[#lines + 1] = "  " .. reason
  end
  return table.concat(lines, "\n")
end

-- What other kernels wait for most, in the words of the reasons.
local WAITS = { HBM = "memory", ["on-chip memory"] = "memory", ["vector unit"] = "elementwise operations",
  launch = "starts of small kernels", links = "other devices" }

-- Adds up the kernels with and without products.
local function measure(self, time)
  local products, others, waits = 0, 0, {}
  self.other_bytes = 0
  for _, kernel in ipairs(time.kernels) do
    if kernel.product_flops > 0 then
      products = products + kernel.seconds
    else
      others = others + kernel.seconds
      self.other_bytes = self.other_bytes + kernel.bytes * kernel.times
      waits[kernel.bound] = (waits[kernel.bound] or 0) + kernel.seconds
    end
  end
  local all_flops = time.product_flops + time.other_flops + time.transcendentals
  self.product_share = products + others > 0 and products / (products + others) or 0
  self.product_flops_share = all_flops > 0 and time.product_flops / all_flops or 0
  local most
  for _, bound in ipairs(tables.sorted_keys(waits)) do
    most = (not most or waits[bound] > waits[most]) and bound or most
  end
  if self.product_share < MOSTLY then
    table.insert(self.reasons, ("most of the device's time is not spent on products: it goes to %s"):format(
      WAITS[most] or tostring(most)))
  end
end

local function reason_of(finding)
  return ("%s: %s%s: %s"):format(finding.support, finding.op, finding.location and " at " .. finding.location or "",
    finding.reason)
end

---@name pod.suitability
--- Whether a model is of the kind that TPUs are made for: `verdict` is "suits", "poor" or "not_as_it_is" (something of
--- it is refused). `product_share` and `product_flops_share` are what matrix products and convolutions have of the
--- device's time and of the FLOPs, `other_bytes` what other kernels touch, `float64` whether it computes in float64,
--- `reasons` what speaks against it. `check` and `projection` are what that comes from. It prints.
---@param model model compiled
---@param chip string|chip as "v5e" (default: the strategy's, else "v3")
---@param options.batch integer rows a core (default: those of the data)
---@param options.data dataset whose elements say types and shapes
---@param options.x tensor which says them, in the place of `data`
---@param options.y tensor as `x`
---@param options.sample_weight tensor as `x`
---@param options.kind string which step: "train" (default), "evaluate" or "predict"
---@return table
---@see model:check_tpu model:projection model:advice
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2048, { input_shape = { 2048 } }), pod.layers.dense(2048) }
--- model:compile { loss = "mse" }
--- assert(pod.suitability(model, "v5e", { batch = 1024 }).verdict == "suits")
--- ```
function suitability.judge(model, chip, options)
  if not is_model(model) then
    errors.raise("suitability: the first argument must be a model, not %s", errors.describe(model))
  end
  options = errors.check_options(options, { "batch", "data", "x", "y", "sample_weight", "kind" }, "suitability")
  chip = chip or model_memory.chip_of(model) or "v3"
  local self = setmetatable({ name = model.name, reasons = {}, float64 = false }, Result)
  self.check = compatibility.check_model(model, chip, tables.merge(options))
  self.chip = self.check.chip
  for _, finding in ipairs(self.check) do
    self.float64 = self.float64 or finding.reason:find("float64", 1, true) ~= nil
    self.reasons[#self.reasons + 1] = reason_of(finding)
  end
  if self.check.refused > 0 then
    self.verdict = "not_as_it_is"
    return self
  end
  self.projection = model_memory.projection(model, chip, tables.merge(options))
  measure(self, self.projection)
  self.verdict = self.product_share >= MOSTLY and not self.float64 and "suits" or "poor"
  return self
end

return suitability
