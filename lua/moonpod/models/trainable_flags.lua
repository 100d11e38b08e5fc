-- Which layers train is what compile saw: a change of `trainable` counts from the next compile on, as in Keras.

local around = require "moonpod.base.around"
local warnings = require "moonpod.base.warnings"

local trainable_flags = {}

-- Remembers the flags of a model's layers.
function trainable_flags.note(model)
  local flags = setmetatable({}, { __mode = "k" })
  model:each_layer(function(one)
    flags[one] = one.trainable
  end)
  model._state.trainable_flags = flags
end

-- The layers whose flags have changed since compile. Layers that were made later have those of their first step.
local function changed_layers(model)
  local flags, changed = model._state.trainable_flags, {}
  model:each_layer(function(one)
    if flags[one] == nil then
      flags[one] = one.trainable
    elseif flags[one] ~= one.trainable then
      changed[#changed + 1] = one
    end
  end)
  return changed
end

-- Warns once after a compile of flags that do not count yet.
function trainable_flags.warn(model)
  local changed = changed_layers(model)
  if #changed > 0 and not model._state.trainable_warned then
    model._state.trainable_warned = true
    warnings.warn("model '%s': trainable of layer '%s'%s was changed after compile; it counts from the next compile on",
      model.name, changed[1].name, #changed > 1 and (" and %d more"):format(#changed - 1) or "")
  end
end

-- Runs fn(...) with the flags that compile saw.
function trainable_flags.as_compiled(model, fn, ...)
  local flags = model._state.trainable_flags
  local changed, now = flags and changed_layers(model) or {}, {}
  for i, one in ipairs(changed) do
    now[i] = one._state.trainable
  end
  return around(function()
    for _, one in ipairs(changed) do
      one._state.trainable = flags[one]
    end
  end, function()
    for i = 1, #changed do
      changed[i]._state.trainable = now[i]
    end
  end, fn, ...)
end

return trainable_flags
