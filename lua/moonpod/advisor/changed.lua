-- changed - a model as it would be with other settings, for a while: types, what saves memory, sizes of layers.

local around = require "moonpod.base.around"
local clone = require "moonpod.saving.clone"
local saving = require "moonpod.models.saving_memory"

local changed = {}

local function keep(model)
  local state = { options = model._state.memory_options, functions = model._state.functions, policies = {} }
  model:each_layer(function(one)
    state.policies[one] = one.dtype_policy
  end)
  return state
end

local function restore(model, state)
  model._state.memory_options = state.options
  model._state.functions = state.functions
  for one, policy in pairs(state.policies) do
    one.dtype_policy = policy
  end
end

-- What fn() returns after change(model); the model is then as it was.
function changed.with(model, change, fn)
  local state = keep(model)
  return around(nil, function()
    restore(model, state)
  end, function()
    change(model)
    return fn()
  end)
end

-- A copy of a model with other sizes of layers, which is traced for what the model was.
function changed.copy(model, sizes, without_values)
  local copy = clone.model(model, { sizes = sizes, without_values = without_values })
  copy._state.traced_steps = model._state.traced_steps
  return copy
end

-- The same, whose weights have no values.
function changed.sizes(model, sizes)
  return changed.copy(model, sizes, true)
end

-- Applies settings: dtype (a policy), accumulation, remat, sparse_labels, masked_rows (false: none; nil: as it is).
function changed.apply(model, settings)
  if settings.dtype ~= nil then
    saving.set_dtype_policy(model, settings.dtype)
  end
  if settings.accumulation ~= nil then
    saving.set_memory_options(model, { micro_batches = settings.accumulation })
  end
  if settings.sparse_labels ~= nil then
    saving.set_memory_options(model, { sparse_labels = settings.sparse_labels })
  end
  if settings.masked_rows ~= nil then
    saving.set_memory_options(model, { masked_rows = settings.masked_rows })
  end
  if settings.remat ~= nil then
    saving.set_memory_options(model, { rematerialize = settings.remat })
  end
end

return changed
