-- Remedies: changes after which a step needs less memory. Each is tried: the model is changed, its step traced and
-- lowered, and the model put back.

local changed = require "moonpod.advisor.changed"
local clone = require "moonpod.saving.clone"
local core = require "moonpod.core"
local errors = require "moonpod.base.errors"
local nest = require "moonpod.tensor.nest"
local saving = require "moonpod.models.saving_memory"
local tables = require "moonpod.base.tables"

local remedies = {}

-- What saves less of the need than this is no remedy.
local LEAST_SHARE = 0.01

local List = { __name = "moonpod.remedies" }


local function describe(number, remedy)
  return ("  %d. %s: saves %s, needs %s (%s)\n       %s"):format(number, remedy.title,
    core.bytes_text(remedy.saves_bytes), core.bytes_text(remedy.need_bytes), (remedy.verdict:gsub("_", " ")),
    remedy.call)
end

function List.__tostring(self)
  if #self == 0 then
    return "nothing that is known would need less"
  end
  local lines = { "what would need less" }
  for i, remedy in ipairs(self) do
    lines[#lines + 1] = describe(i, remedy)
  end
  return table.concat(lines, "\n")
end

-- ---- changing a model and putting it back --------------------------------------------------------------------------

-- The options of a report, for another of this batch.
local function options_of(self, batch)
  return tables.merge(self._options, { batch = batch })
end

-- The report of the model as it is after change(model), or nil where the changed program cannot be made.
local function try(self, change, batch)
  local model_memory = require "moonpod.advisor.model_memory"
  local model = self._model
  local options = options_of(self, batch or self.batch)
  local ok, result = errors.attempt(changed.with, model, change, function()
    return model_memory.on_chip(model, self.chip, options)
  end)
  if not ok and type(result) ~= "string" then
    error(result, 0)
  end
  return ok and result or nil
end

-- ---- candidates ---------------------------------------------------------------------------------------------------

-- Makes candidates of values of an option.
local function of_option(name, title)
  return function(value)
    return { title = title:format(value), call = ("model:set_memory_options { %s = %s }"):format(name, tostring(value)),
      change = function(model)
        saving.set_memory_options(model, { [name] = value })
      end }
  end
end

-- Whether all layers of a model compute in 32 bits.
function remedies.computes_in_f32(model)
  local f32 = true
  model:each_layer(function(one)
    f32 = f32 and one:compute_dtype() == "float32"
  end)
  return f32
end

-- Divisors of the batch, 2 and up, at most 16 parts.
local function divisors(batch)
  local list = {}
  for _, count in ipairs { 2, 4, 8, 16 } do
    if batch % count == 0 and batch > count then
      list[#list + 1] = count
    end
  end
  return list
end

-- Of several values of an option: the first after which it fits, else the one that needs least.
local function best_of(self, values, make)
  local best
  for _, value in ipairs(values) do
    local candidate = make(value)
    candidate.report = try(self, candidate.change, candidate.batch)
    if candidate.report and (not best or candidate.report.need_bytes < best.report.need_bytes) then
      best = candidate
    end
    if best and best.report.fits then
      break
    end
  end
  return best
end

local function candidates(self)
  local model, list = self._model, {}
  local function add(values, make)
    list[#list + 1] = best_of(self, values, make)
  end
  if model._state.has_one_hot and not saving.options(model).sparse_labels then
    add({ true }, of_option("sparse_labels", "class numbers in the place of one-hot rows (a sparse loss)"))
  end
  if remedies.computes_in_f32(model) then
    add({ "mixed_bfloat16" }, function(value)
      return { title = "activations in bfloat16", call = ('model:set_dtype_policy "%s"'):format(value),
        change = function(m)
          saving.set_dtype_policy(m, value)
        end }
    end)
  end
  if self.kind == "train" and not saving.options(model).rematerialize then
    local layers = #(model._state.order or model.layers)
    local root = math.max(1, math.floor(math.sqrt(layers) + 0.5))
    local values = { root }
    if layers > root then
      values[2] = layers
    end
    add(values, of_option("rematerialize", "activations computed again, layers in %d groups"))
  end
  if self.kind == "train" and not saving.options(model).micro_batches then
    add(divisors(self.batch), of_option("micro_batches", "gradients accumulated over %d parts of a batch"))
  end
  return list
end

-- A batch that fits, and the next lower batch that fills lanes or sublanes.
local function smaller_batches(self)
  local batch = require "moonpod.advisor.batch"
  local list, wanted = {}, {}
  if not self.fits then
    local found = batch.largest(self)
    if found and found < self.batch then
      wanted[#wanted + 1] = { found, "the largest batch that fits" }
    end
  end
  for _, multiple in ipairs { 128, 8 } do
    local rounded = math.floor(self.batch / multiple) * multiple
    if rounded > 0 and rounded < self.batch and rounded >= self.batch * 0.75 then
      wanted[#wanted + 1] = { rounded, ("a batch that is a multiple of %d"):format(multiple) }
      break
    end
  end
  for _, entry in ipairs(wanted) do
    local value, title = entry[1], entry[2]
    local candidate = { title = ("%s, %d rows a core"):format(title, value), batch = value,
      call = ("data:batch(%d, { drop_remainder = true })"):format(value * self.replicas),
      change = function() end }
    candidate.report = try(self, candidate.change, value)
    list[#list + 1] = candidate.report and candidate or nil
  end
  return list
end

-- Layers whose output the model gives.
local function output_layers(model)
  local set = {}
  for _, t in ipairs(nest.flatten(model._state.output_spec or {})) do
    set[t.history.call.layer] = true
  end
  return set
end

-- Sizes of layers that leave no sublane or lane half empty: rounded down to multiples of 8, large ones of 128 where
-- little is lost. nil where there are none.
function remedies.rounded_sizes(model)
  local outputs, sizes, shown = output_layers(model), {}, {}
  for _, one in ipairs(model.layers) do
    local option = clone.size_option(one)
    local size = option and not outputs[one] and one.config[option] or 0
    local rounded = math.floor(size / 8) * 8
    if size > 128 and math.floor(size / 128) * 128 >= size * 0.9 then
      rounded = math.floor(size / 128) * 128
    end
    if rounded > 0 and rounded < size then
      sizes[one.name] = rounded
      shown[#shown + 1] = ("%s = %d"):format(one.name, rounded)
    end
  end
  table.sort(shown)
  return #shown > 0 and sizes or nil, "{ " .. table.concat(shown, ", ") .. " }"
end

-- The model with such sizes, as a copy whose weights have no values.
local function rounded(self)
  local model = self._model
  local sizes, text = remedies.rounded_sizes(model)
  if not sizes then
    return nil
  end
  local candidate = { title = "sizes of layers that fill tiles (another model)", sizes = sizes, change = function() end,
    call = ("model = pod.models.clone_model(model, { sizes = %s })"):format(text) }
  local ok, report = errors.attempt(function()
    local copy = changed.sizes(model, sizes)
    return require("moonpod.advisor.model_memory").on_chip(copy, self.chip, options_of(self, self.batch))
  end)
  candidate.report = ok and report or nil
  return candidate.report and candidate
end

-- The remedies of a report, those that save most first.
function remedies.find(self)
  local list = candidates(self)
  list[#list + 1] = rounded(self)
  tables.extend(list, smaller_batches(self))
  local useful = {}
  for _, remedy in ipairs(list) do
    remedy.need_bytes, remedy.verdict = remedy.report.need_bytes, remedy.report.verdict
    remedy.saves_bytes = self.need_bytes - remedy.need_bytes
    if remedy.saves_bytes > self.need_bytes * LEAST_SHARE then
      useful[#useful + 1] = remedy
    end
  end
  table.sort(useful, function(a, b)
    if a.saves_bytes ~= b.saves_bytes then
      return a.saves_bytes > b.saves_bytes
    end
    return a.call < b.call
  end)
  return setmetatable(useful, List)
end

-- Changes the model of a report; returns the report of what it is then. A batch is not the model's but the data's: the
-- report is of that batch, and says what to write. Other sizes make another model, which the report has as `model`.
function remedies.apply(self, remedy)
  local model = self._model
  if remedy.sizes then
    model = changed.copy(model, remedy.sizes)
  end
  remedy.change(model)
  local report = require("moonpod.advisor.model_memory").on_chip(model, self.chip,
    options_of(self, remedy.batch or self.batch))
  if remedy.batch then
    table.insert(report.notes, "for batches of this size write " .. remedy.call)
  elseif remedy.sizes then
    report.model = model
    table.insert(report.notes, "this is of a new model: report.model, or " .. remedy.call)
  end
  return report
end

return remedies
