-- variants - one model under many settings: a step is traced once, planned once a chip, and projected for each slice.

local between = require "moonpod.advisor.between"
local changed = require "moonpod.advisor.changed"
local core = require "moonpod.core"
local errors = require "moonpod.base.errors"
local model_memory = require "moonpod.advisor.model_memory"
local projection = require "moonpod.advisor.projection"
local report = require "moonpod.advisor.report"
local tables = require "moonpod.base.tables"
local is_model = require "moonpod.models.model".is_model
local is_whole = require "moonpod.base.kinds".is_whole

local variants = {}

local unpack = table.unpack or unpack -- luacheck: ignore

-- What varies, the outermost first. A list of values stands for each.
variants.AXES = { "chip", "features", "dtype", "remat", "accumulation", "global_batch", "batch" }

-- What is alike in all.
variants.SHARED = { "data", "x", "y", "sample_weight", "kind", "input_seconds", "steps_per_execution" }

variants.OPTIONS = tables.join(variants.AXES, variants.SHARED, { "price", "examples" })

local TRACED = { "data", "x", "y", "sample_weight", "kind" }

-- The time of a step by which variants are compared: the middle of its range.
function variants.seconds(row)
  return row.low_seconds and (row.low_seconds + row.high_seconds) / 2
end

-- ---- one variant ---------------------------------------------------------------------------------------------------

local Evaluator = {}
Evaluator.__index = Evaluator

-- What evaluates variants of a model. `list` are those that will be asked for, where they are known.
function variants.evaluator(model, options, list)
  local self = setmetatable({ model = model, options = options, places = {}, traces = {}, plans = {}, copies = {},
    families = {} }, Evaluator)
  for _, variant in ipairs(list or {}) do
    self:expect(variant)
  end
  return self
end

-- What a chip's or a slice's name means; "v5e-*" is none.
function Evaluator:place(name)
  local place = self.places[name]
  if not place then
    local generation = report.chip(name, "whatif")
    local slice = type(name) == "string" and name:find "[-:]" and core.slice(name) or nil
    place = { generation = generation, slice = slice and slice.name, chips = slice and slice.num_chips or 1,
      replicas = slice and slice.num_devices or self.model._strategy.num_replicas_in_sync }
    self.places[name] = place
  end
  return place
end

-- The rows of a core; nil and why where there are none.
local function rows_of(variant, place)
  if variant.global_batch == nil then
    return variant.batch and math.floor(variant.batch)
  end
  local rows = variant.global_batch / place.replicas
  if not is_whole(rows, 1) then
    return nil, ("%d rows are not to be divided among %d replicas"):format(variant.global_batch, place.replicas)
  end
  return math.floor(rows)
end

local function features_key(features)
  local parts = {}
  for _, name in ipairs(tables.sorted_keys(features or {})) do
    parts[#parts + 1] = ("%s=%s"):format(name, tostring(features[name]))
  end
  return table.concat(parts, ",")
end

function Evaluator:copy(features)
  local key = features_key(features)
  self.copies[key] = self.copies[key] or changed.sizes(self.model, features)
  return self.copies[key]
end

-- The settings of a variant that a trace depends on, besides its rows and whether there are replicas; and their key.
local function settings_of(variant, place)
  local settings = tables.pick(variant, { "dtype", "remat", "accumulation", "sparse_labels", "masked_rows",
    "features" })
  return settings, ("%s|%s|%s|%s|%s|%s|%s"):format(tostring(settings.dtype), tostring(settings.remat),
    tostring(settings.accumulation), tostring(settings.sparse_labels), tostring(settings.masked_rows),
    features_key(settings.features), tostring(place.replicas > 1))
end

function Evaluator:expect(variant)
  local place = self:place(variant.chip)
  local rows, _, key = rows_of(variant, place), settings_of(variant, place)
  self.families[key] = self.families[key] or between.family()
  between.expect(self.families[key], rows)
end

-- What model_memory.trace returns of settings; nil and why where it cannot be made. Called by its key.
function Evaluator:trace(settings, key, given)
  local known = self.traces[key]
  if not known then
    local model = self.model
    local ok, result = errors.attempt(function()
      model = settings.features and self:copy(settings.features) or model
      return changed.with(model, function()
        changed.apply(model, settings)
      end, function()
        return { model_memory.trace(model, given) }
      end)
    end)
    if not ok and type(result) ~= "string" then
      error(result, 0)
    end
    known = ok and { model = model, traced = result } or { why = result }
    self.traces[key] = known
  end
  return known
end

function Evaluator:plan(variant, place, batch)
  local settings, family = settings_of(variant, place)
  local key = family .. "|" .. tostring(batch)
  local plan_key = place.generation .. "|" .. key
  if self.plans[plan_key] == nil then
    local given = tables.merge(tables.pick(self.options, TRACED), { batch = batch, replicas = place.replicas })
    local function trace(rows)
      return self:trace(settings, family .. "|" .. tostring(rows), tables.merge(given, { batch = rows }))
    end
    local function report_of(known)
      return model_memory.of_trace(known.model, place.generation, given, unpack(known.traced))
    end
    local known = self.traces[key] or between.trace(self.families[family], batch, trace, report_of) or trace(batch)
    self.traces[key] = known
    self.plans[plan_key] = known.why and { why = known.why } or { report = report_of(known) }
  end
  return self.plans[plan_key]
end

local function price_of(price, generation)
  return type(price) == "table" and price[generation] or type(price) == "number" and price or nil
end

-- Adds what a step's time makes of a row.
local function add_times(row, time, options)
  for _, name in ipairs { "low_seconds", "high_seconds", "device_seconds", "exchange_seconds", "mfu_low", "mfu_high",
    "bound" } do
    row[name] = time[name]
  end
  row.seconds = variants.seconds(row)
  row.exchange_share = time.device_seconds > 0 and time.exchange_seconds / time.device_seconds or 0
  row.examples_per_second = row.global_batch / row.seconds
  row.price_per_hour = row.price_per_chip and row.price_per_chip * row.chips
  row.cost_per_million = row.price_per_hour and row.price_per_hour / 3600 * row.seconds / row.global_batch * 1e6
  row.epoch_seconds = options.examples and options.examples / row.examples_per_second
  row.cost_per_epoch = row.price_per_hour and options.examples and row.cost_per_million * options.examples / 1e6
end

-- The row of a variant: its memory report, its settings, and the time of its step. Where it cannot be made or timed
-- `problem` says why.
function Evaluator:row(variant)
  local place = self:place(variant.chip)
  local about = { chip = place.generation, slice = place.slice, replicas = place.replicas, chips = place.chips,
    dtype = variant.dtype, remat = variant.remat, accumulation = variant.accumulation, features = variant.features,
    price_per_chip = price_of(self.options.price, place.generation) }
  local batch, why = rows_of(variant, place)
  local plan = why and { why = why } or self:plan(variant, place, batch)
  if plan.why then
    return tables.merge(about, { problem = plan.why, batch = batch, global_batch = variant.global_batch, fits = false,
      verdict = "cannot_be_made" })
  end
  local row = setmetatable(tables.merge(plan.report, about), getmetatable(plan.report))
  row.slice = place.slice or plan.report.slice
  row.global_batch = row.batch * place.replicas
  row.expansion = row.peak_unpadded_bytes > 0 and row.peak_padded_bytes / row.peak_unpadded_bytes or 1
  local time, unknown = projection.try(row._plan, { slice = row.slice, infeed_bytes = row.infeed_bytes,
    input_seconds = self.options.input_seconds, steps_per_execution = self.options.steps_per_execution,
    without_kernels = true })
  if time then
    add_times(row, time, self.options)
  else
    row.problem = unknown
  end
  return row
end

-- ---- all of them ---------------------------------------------------------------------------------------------------

local function check_axis(name, value, where)
  if name == "chip" then
    errors.check_type(value, "string", where, "chip")
  elseif name == "features" then
    errors.check_type(value, "table", where, "features")
  elseif name == "dtype" then
    errors.check_type(value, "string", where, "dtype")
  elseif not (name == "remat" and value == false) and not is_whole(value, 1) then
    errors.raise("%s: %s must be a whole number from 1, not %s", where, name, errors.describe(value))
  end
end

local function listed(value)
  if type(value) == "table" and (value[1] ~= nil or next(value) == nil) then
    return value
  end
  return { value }
end

-- Names of all slices of a chip for "v5e-*".
local function each_slice(names)
  local list = {}
  for _, name in ipairs(names) do
    local generation = type(name) == "string" and name:match "^(.*)%-%*$"
    for _, slice in ipairs(generation and core.slices(report.chip(generation, "whatif")) or {}) do
      list[#list + 1] = slice.name
    end
    list[#list + 1] = not generation and name or nil
  end
  return list
end

-- The variants that options ask for: an array of tables, in the order of variants.AXES; which axes vary; and the values
-- of each axis, an array { axis, values }.
function variants.list(model, options, where)
  if not is_model(model) then
    errors.raise("%s: the first argument must be a model, not %s", where, errors.describe(model))
  end
  if options.batch ~= nil and options.global_batch ~= nil then
    errors.raise("%s: batch is of a core, global_batch of all of them: give one", where)
  end
  options = tables.merge(options, {
    chip = each_slice(listed(options.chip or model_memory.chip_of(model) or "v3")) })
  local list, varies, values_of = { {} }, {}, {}
  for _, axis in ipairs(variants.AXES) do
    local values = listed(options[axis])
    if options[axis] ~= nil and #values == 0 then
      errors.raise("%s: '%s' is an array without a %s%s", where, axis, axis,
        axis == "chip" and "; name one, such as \"v3\"" or "")
    end
    varies[axis] = #values > 1
    values_of[#values_of + 1] = #values > 0 and { axis, values } or nil
    local longer = {}
    for _, variant in ipairs(list) do
      for _, value in ipairs(values) do
        check_axis(axis, value, where)
        longer[#longer + 1] = tables.merge(variant, { [axis] = value })
      end
    end
    list = #values > 0 and longer or list
  end
  return list, varies, values_of
end

return variants
