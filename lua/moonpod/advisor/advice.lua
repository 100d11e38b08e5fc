-- advice - what would make a model's step faster, or fit: each remedy planned and timed again, what gains most first.

local batch = require "moonpod.advisor.batch"
local changed = require "moonpod.advisor.changed"
local compatibility = require "moonpod.advisor.compatibility"
local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local model_memory = require "moonpod.advisor.model_memory"
local projection = require "moonpod.advisor.projection"
local remedies = require "moonpod.advisor.remedies"
local saving = require "moonpod.models.saving_memory"
local tables = require "moonpod.base.tables"
local variants = require "moonpod.advisor.variants"

local advice = {}

local NONE = {} -- in the place of a field that is taken away

local LEAST_GAIN = 0.01
local ALIKE = 1.001         -- times that are no more apart are alike
local MUCH_EXCHANGED = 0.3   -- of a step's time (openxla/xprof, smart_suggestion/constants.h)
local TOGETHER = 100        -- steps of an execution that are advised
local MOST_BELOW = 0.75     -- of a batch: the smallest multiple that is taken in its place

local Advice = { __name = "moonpod.model_advice" }
local methods = {}

function Advice.__index(_, key)
  return methods[key]
end

local function percent(share)
  return decimal.format("%.0f%%", share * 100)
end

local function step_text(row)
  return row.seconds and projection.range_text(row.low_seconds, row.high_seconds) or "not known"
end

local function describe(number, remedy)
  local gain = remedy.builds and "the step can be built"
    or remedy.gain and (remedy.gain >= 0 and "saves %s of the chips' time an example"
    or "costs %s more of the chips' time an example"):format(percent(math.abs(remedy.gain))) or "time not known"
  gain = remedy.longer and remedy.gain >= 0 and gain .. ", but takes longer" or gain
  local lines = { ("  %d. %s: %s"):format(number, remedy.title, gain) }
  local row = remedy.row
  lines[2] = ("       a step %s; needs %s (%s)"):format(step_text(row), core.bytes_text(row.need_bytes),
    (row.verdict:gsub("_", " ")))
  lines[3] = "       " .. remedy.call
  return table.concat(lines, "\n")
end

function Advice.__tostring(self)
  local row = self.row
  local lines = { ("%s on %s, %s rows a core: %s"):format(self.name, row.slice or row.chip, tostring(row.batch),
    row.need_bytes and ("a step %s, needs %s (%s)"):format(step_text(row), core.bytes_text(row.need_bytes),
      (row.verdict:gsub("_", " "))) or row.problem) }
  if row.bound then
    lines[2] = "  bound by " .. row.bound
  end
  for i, remedy in ipairs(self) do
    lines[#lines + 1] = describe(i, remedy)
  end
  if #self == 0 then
    lines[#lines + 1] = "  nothing that is known would gain a hundredth of the time"
  end
  for _, note in ipairs(self.notes) do
    lines[#lines + 1] = "  " .. note
  end
  return table.concat(lines, "\n")
end

-- A table with other fields; NONE takes one away.
local function with_fields(t, fields)
  local out = tables.merge(t, fields)
  for name, value in pairs(out) do
    if value == NONE then
      out[name] = nil
    end
  end
  return out
end

-- ---- candidates ----------------------------------------------------------------------------------------------------

-- Batches of whole registers and of whole tiles: the next ones above, and below where that loses few rows.
local function batch_candidates(self)
  local list, seen = {}, { [self.row.batch] = true }
  for _, multiple in ipairs { 128, 8 } do
    local up = math.ceil(self.row.batch / multiple) * multiple
    for _, rows in ipairs { up, up - multiple } do
      if not seen[rows] and rows >= self.row.batch * MOST_BELOW and rows <= self.row.batch / MOST_BELOW then
        seen[rows] = true
        list[#list + 1] = { kind = "batch", title = ("%d rows a core, a multiple of %d"):format(rows, multiple),
          call = ("data:batch(%d, { drop_remainder = true })"):format(rows * self.row.replicas),
          variant = { batch = rows, global_batch = NONE } }
      end
    end
  end
  return list
end

-- What a step waits for that is short of work.
local IDLE = { links = true, launch = true, input = true }

-- Slices of the same chip with fewer chips, which the whole batch is divided among: where they have too little to do.
local function slice_candidates(self)
  local list, row = {}, self.row
  local idle = IDLE[row.bound] or (row.exchange_share or 0) >= MUCH_EXCHANGED
  for _, slice in ipairs(row.slice and idle and core.slices(row.chip) or {}) do
    if slice.num_devices < row.replicas and row.global_batch % slice.num_devices == 0 then
      list[#list + 1] = { kind = "slice",
        call = ('pod.distribute.tpu_strategy(pod.cluster.resolve "%s")'):format(slice.name),
        title = ("the batch of %d on %s: %d rows a core"):format(row.global_batch, slice.name,
          math.floor(row.global_batch / slice.num_devices)),
        variant = { chip = slice.name, batch = NONE, global_batch = row.global_batch } }
    end
  end
  return list
end

local function setting(kind, title, call, settings)
  return { kind = kind, title = title, call = call, variant = settings, change = function(model)
    changed.apply(model, settings)
  end }
end

local function setting_candidates(self)
  local model, list = self.model, {}
  if remedies.computes_in_f32(model) then
    list[1] = setting("dtype", "activations in bfloat16", 'model:set_dtype_policy "mixed_bfloat16"',
      { dtype = "mixed_bfloat16" })
  end
  if model._state.has_one_hot and not saving.options(model).sparse_labels then
    list[#list + 1] = setting("one_hot", "class numbers in the place of one-hot rows (a sparse loss)",
      "model:set_memory_options { sparse_labels = true }", { sparse_labels = true })
  end
  local sizes, text = remedies.rounded_sizes(model)
  if sizes then
    list[#list + 1] = { kind = "features", title = "sizes of layers that fill tiles (another model)", sizes = sizes,
      call = ("model = pod.models.clone_model(model, { sizes = %s })"):format(text), variant = { features = sizes } }
  end
  return list
end

-- The most rows that fit, in eights.
local function fitting_batch(self)
  local found = batch.search(8, math.max(8, math.floor(self.row.batch / 2)), function(rows)
    return self.evaluator:row(with_fields(self.variant, { batch = rows, global_batch = NONE })).fits
  end)
  return found and found < self.row.batch and { kind = "fitting_batch",
    title = ("%d rows a core, the most that fit"):format(found),
    call = ("data:batch(%d, { drop_remainder = true })"):format(found * self.row.replicas),
    variant = { batch = found, global_batch = NONE } } or nil
end

-- What saves memory, for a step that does not surely fit.
local function memory_candidates(self)
  local list = {}
  local layers = #(self.model._state.order or self.model.layers)
  local groups = math.max(1, math.floor(math.sqrt(layers) + 0.5))
  list[1] = setting("remat", ("activations computed again, layers in %d groups"):format(groups),
    ("model:set_memory_options { rematerialize = %d }"):format(groups), { remat = groups })
  for _, parts in ipairs { 2, 4, 8, 16 } do
    if self.row.batch % parts == 0 then
      list[#list + 1] = setting("accumulation", ("gradients added up over %d parts of a batch"):format(parts),
        ("model:set_memory_options { micro_batches = %d }"):format(parts), { accumulation = parts })
    end
  end
  list[#list + 1] = fitting_batch(self)
  return list
end

local function host_candidates(self)
  local list = {}
  if (self.options.steps_per_execution or 1) < TOGETHER then
    list[1] = { kind = "steps", title = ("%d steps an execution"):format(TOGETHER),
      call = ("model:compile { ..., steps_per_execution = %d }"):format(TOGETHER),
      options = { steps_per_execution = TOGETHER }, change = function(model)
        model.steps_per_execution = TOGETHER
      end }
  end
  if self.row.bound == "input" then
    list[#list + 1] = { kind = "input", title = "input that is there in time",
      call = "data:map(fn, { num_parallel_calls = pod.data.AUTOTUNE }):prefetch(pod.data.AUTOTUNE)",
      options = { input_seconds = NONE } }
  end
  return list
end

-- For a step that cannot be built: selections by a mask that keep all rows.
local function refused_candidates(self)
  return { tables.set_of(tables.column(self.check, "op")).boolean_mask and setting("mask",
    "selections by a mask keep all rows, and sums leave the others out",
    "model:set_memory_options { masked_rows = true }", { masked_rows = true }) or nil }
end

-- ---- what they gain ------------------------------------------------------------------------------------------------

local function chip_seconds(row)
  return row.seconds and row.seconds * row.chips / row.global_batch
end

-- Tries a candidate: its row, and the share of the chips' time for an example that it saves.
local function try(self, candidate)
  candidate.variant = with_fields(self.variant, candidate.variant or {})
  candidate.options = with_fields(self.options, candidate.options or {})
  local evaluator = self.evaluator
  local own = evaluator.options
  evaluator.options = candidate.options
  candidate.row = candidate.row or evaluator:row(candidate.variant)
  candidate.builds = not self.row.need_bytes and candidate.row.need_bytes ~= nil
  evaluator.options = own
  local before, after = chip_seconds(self.row), chip_seconds(candidate.row)
  candidate.gain = before and after and 1 - after / before
  candidate.longer = before and after and self.row.seconds / self.row.global_batch * ALIKE
    < candidate.row.seconds / candidate.row.global_batch or false
  candidate.saves_bytes = self.row.need_bytes and candidate.row.need_bytes
    and self.row.need_bytes - candidate.row.need_bytes
  return candidate
end

-- Of a kind the one that gains most, of those that fit where some do.
local function best_of_each_kind(list)
  local by_kind, kinds = {}, {}
  for _, one in ipairs(list) do
    local best = by_kind[one.kind]
    if not best then
      kinds[#kinds + 1] = one.kind
    end
    if not best or (one.row.fits and not best.row.fits)
      or (one.row.fits == best.row.fits and (one.gain or -1) > (best.gain or -1)) then
      by_kind[one.kind] = one
    end
  end
  return tables.map(kinds, function(kind) return by_kind[kind] end)
end

local function is_useful(self, one)
  if not self.row.fits and one.row.fits or one.builds then
    return true
  end
  return one.gain and one.gain >= LEAST_GAIN and (one.row.fits or not self.row.fits)
end

-- What makes it fit comes first, then what gains most, and last what saves chips but takes longer.
local function comes_before(self, a, b)
  if not self.row.fits and a.row.fits ~= b.row.fits then
    return a.row.fits
  end
  if a.longer ~= b.longer then
    return b.longer
  elseif a.gain ~= b.gain then
    return (a.gain or -1) > (b.gain or -1)
  end
  return a.call < b.call
end

-- What moving arrays into another order takes: the share of a step, and a remedy where it is worth one, which is to be
-- written by hand.
local function transposed(self)
  local found = projection.transposes(self.row.seconds
    and projection.try(self.row._plan, { slice = self.row.slice }))
  if not found.is_much then
    return found.share
  end
  local row = setmetatable(tables.merge(self.row), getmetatable(self.row))
  for _, name in ipairs { "seconds", "low_seconds", "high_seconds" } do
    row[name] = math.max(0, row[name] - found.seconds)
  end
  return found.share, { kind = "transposes", row = row, by_hand = true, title = found.title,
    call = "keep one order of axes at " .. found.where }
end

-- ---- what is told besides ------------------------------------------------------------------------------------------

local function add_notes(self)
  for _, finding in ipairs(self.check) do
    if finding.support == "refused" then
      table.insert(self.notes, ("refused: %s at %s: %s; instead: %s"):format(finding.op,
        finding.location or "the program", finding.reason, finding.instead))
    end
  end
end

-- What is tried, for each way of getting there.
local function candidates_of(self)
  if not self.row.need_bytes then
    return refused_candidates(self)
  end
  return tables.join(setting_candidates(self), batch_candidates(self), slice_candidates(self), host_candidates(self),
    not self.row.fits and memory_candidates(self) or {})
end

-- ---- the interface -------------------------------------------------------------------------------------------------

local function make(model, variant, options)
  local self = { model = model, variant = variant, options = options, name = model.name, notes = {},
    evaluator = variants.evaluator(model, options) }
  self.row = self.evaluator:row(variant)
  self.check = compatibility.check_model(model, self.row.chip, tables.merge(tables.pick(options,
    { "data", "x", "y", "sample_weight", "kind" }), { batch = self.row.batch or variant.batch }))
  local list = candidates_of(self)
  self.transposes, list[#list + 1] = transposed(self)
  for _, candidate in ipairs(list) do
    try(self, candidate)
  end
  for _, one in ipairs(best_of_each_kind(list)) do
    self[#self + 1] = is_useful(self, one) and one or nil
  end
  table.sort(self, function(a, b)
    return comes_before(self, a, b)
  end)
  add_notes(self)
  return setmetatable(self, Advice)
end

-- Applies a remedy (by its place in the list, 1 if not said), and returns the advice of what is then. Types, the loss
-- and what saves memory are the model's; other sizes make another model, which the advice has as `model`. A batch, a
-- slice and input are not the model's: the advice is for them, and `call` says what to write.
function methods.apply(self, number)
  local remedy = self[number or 1]
  if not remedy then
    errors.raise("apply: there is no remedy %s; there are %d", tostring(number or 1), #self)
  end
  if remedy.by_hand then
    errors.raise("apply: remedy %d is for a person: %s", number or 1, remedy.call)
  end
  local model, variant = self.model, self.variant
  if remedy.sizes then
    model = changed.copy(model, remedy.sizes)
  elseif remedy.change then
    remedy.change(model)
  else
    variant = remedy.variant
  end
  return make(model, variant, remedy.options)
end

local OPTIONS = tables.join(variants.SHARED, { "batch", "global_batch" })

-- model:advice(chip, options): see models/model.lua.
function advice.find(model, chip, options)
  options = tables.merge(errors.check_options(options, OPTIONS, "advice"))
  local own = model.steps_per_execution
  options.steps_per_execution = options.steps_per_execution or own == "auto" and TOGETHER or own
  local variant = { chip = chip or model_memory.chip_of(model) or "v3", batch = options.batch,
    global_batch = options.global_batch }
  variants.list(model, tables.merge(options, variant), "advice") -- checks them
  options.batch, options.global_batch = nil, nil
  return make(model, variant, options)
end

return advice
