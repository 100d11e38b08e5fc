-- Batches: the largest that fits, and the rules of thumb for their sizes.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local report = require "moonpod.advisor.report"
local is_whole = require "moonpod.base.kinds".is_whole
local tables = require "moonpod.base.tables"

local batch = {}

local MOST = 2 ^ 31

-- The largest multiple of `step`, up to MOST, for which fits(size) holds, going on from `start`; nil where none does.
-- What needs more for fewer rows is not looked for.
function batch.search(step, start, fits)
  local low, high = 0, nil
  local size = math.max(1, math.floor(start / step))
  while not high do
    if size * step > MOST then
      high = size
    elseif fits(size * step) then
      low, size = size, size * 2
    else
      high = size
    end
  end
  while high - low > 1 do
    local middle = math.floor((low + high) / 2)
    if fits(middle * step) then
      low = middle
    else
      high = middle
    end
  end
  return low > 0 and low * step or nil
end

-- The largest batch a core that fits where a report's does not: a multiple of 8, or below 8 any.
function batch.largest(self)
  local model_memory = require "moonpod.advisor.model_memory"
  local function fits(size)
    return model_memory.on_chip(self._model, self.chip, tables.merge(self._options, { batch = size })).fits
  end
  return batch.search(8, math.max(8, math.floor(self.batch / 2)), fits) or batch.search(1, 4, fits)
end

-- model:find_batch { chip = "v3", step = 8 }: the most rows a core for which the step surely fits, a multiple of
-- `step`, without trial and error on a device. Options: chip (the strategy's), step (8), and those of memory_report.
-- Returns the batch of a core, that of all replicas, and the report. Raises when not even `step` rows fit.
function batch.find(model, options)
  local model_memory = require "moonpod.advisor.model_memory"
  options = errors.check_options(options, { "chip", "step", "data", "x", "y", "sample_weight", "kind" },
    "find_batch")
  local chip = options.chip or model_memory.chip_of(model)
  if not chip then
    errors.raise("find_batch: for which chip? Give chip = \"v3\"")
  end
  chip = report.chip(chip, "find_batch")
  local step = options.step or 8
  if not is_whole(step, 1) then
    errors.raise("find_batch: step must be a whole number from 1, not %s", errors.describe(step))
  end
  local last = {}
  local function fits(size)
    last[size] = model_memory.on_chip(model, chip, tables.merge(options, { batch = size }))
    return last[size].fits
  end
  local found = batch.search(step, step, fits)
  local least = last[step]
  if not found and least.verdict == "cannot_say" then
    errors.raise("find_batch: whether %d rows a core fit cannot be said for a %s: %s", step, chip,
      (least.verdict_text:gsub("^cannot say: ", "")))
  elseif not found then
    local bytes = device.core.bytes_text
    errors.raise("find_batch: not even %d rows a core fit a %s: they need %s of %s. memory_report's remedies() say "
      .. "what would help", step, chip, bytes(least.need_bytes), bytes(least.limit_bytes))
  end
  return found, found * last[found].replicas, last[found]
end

-- ---- rules of thumb -------------------------------------------------------------------------------------------

-- Each rule holds where all sizes of one of its lists are multiples of what is there.
local RULES = {
  { source = "article on TPU memory, 2021", text = "a core's batch is a multiple of 128, features of 8",
    { rows = 128, features = 8 } },
  { source = "Cloud TPU guide", text = "each dimension that is padded is a multiple of 8 or of 128",
    { rows = 8, features = 128 }, { rows = 128, features = 8 } },
  { source = "Cloud TPU performance guide", text = "the whole batch is a multiple of 64 and features of 128",
    { whole = 64, features = 128 } },
  { source = "Cloud TPU performance guide", text = "the whole batch is a multiple of 1024 and features of 8",
    { whole = 1024, features = 8 } },
}

local function holds(rule, sizes)
  for _, multiples in ipairs(rule) do
    local all = true
    for name, multiple in pairs(multiples) do
      all = all and sizes[name] % multiple == 0
    end
    if all then
      return true
    end
  end
  return false
end

local Advice = { __name = "moonpod.batch_rules" }

function Advice.__tostring(self)
  local lines = { ("%d rows a core, %d in all, %d features"):format(self.batch, self.global_batch, self.features) }
  for _, rule in ipairs(self) do
    lines[#lines + 1] = ("  %s  %s (%s)"):format(rule.holds and "yes" or "no ", rule.text, rule.source)
  end
  lines[#lines + 1] = "  " .. self.suggestion
  return table.concat(lines, "\n")
end

---@name pod.advisor.batch_rules
--- Which of the published rules for sizes hold, and what would: an array that prints.
---@param options.batch integer rows a core
---@param options.replicas integer how many cores (default 1)
---@param options.features integer the size of the features' axis (default 128)
---@return table
---@see pod.advisor.whatif model:find_batch
---@example pod.advisor.batch_rules({ batch = 100, replicas = 8 })[1].holds --> false
function batch.rules(options)
  options = errors.check_options(options, { "batch", "replicas", "features" }, "batch_rules")
  local rows, replicas, features = options.batch, options.replicas or 1, options.features or 128
  for name, value in pairs { batch = rows or false, replicas = replicas, features = features } do
    if not is_whole(value, 1) then
      errors.raise("batch_rules: %s must be a whole number from 1, not %s", name, errors.describe(value))
    end
  end
  local self = { batch = rows, global_batch = rows * replicas, features = features }
  local any = false
  for i, rule in ipairs(RULES) do
    self[i] = { holds = holds(rule, { rows = rows, whole = rows * replicas, features = features }), text = rule.text,
      source = rule.source }
    any = any or self[i].holds
  end
  local up = math.ceil(rows / 128) * 128
  self.suggestion = any and "good"
    or ("take %d rows a core (%d in all)%s"):format(up, up * replicas,
      features % 8 ~= 0 and (" and %d features"):format(math.ceil(features / 8) * 8) or "")
  if replicas == 8 and self.global_batch ~= 1024 and self.global_batch ~= 2048 then
    self.suggestion = self.suggestion .. "; on the 8 cores of a v3-8 a whole batch of 1024 or 2048 is a good start"
  end
  return setmetatable(self, Advice)
end

return batch
