-- The hooks that callbacks may have, by the names that Keras gives them.

local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"

local hooks = {}

hooks.names = tables.set_of { "on_epoch_begin", "on_epoch_end", "on_batch_begin", "on_batch_end" }
for _, phase in ipairs { "train", "test", "predict" } do
  for _, event in ipairs { "begin", "end", "batch_begin", "batch_end" } do
    hooks.names["on_" .. phase .. "_" .. event] = true
  end
end

-- Keras' older names for the same moment.
hooks.aliases = { on_train_batch_begin = "on_batch_begin", on_train_batch_end = "on_batch_end" }

-- Whether a name is one. A hook's name and "_lazy" is the hook for who computes the logs only where they are wanted.
function hooks.is_hook(name)
  return hooks.names[(name:gsub("_batch_end_lazy$", "_batch_end"))] == true
end

-- What can be no other word than a hook's that was misspelt: it begins as hooks do, or is one but for a letter.
local function is_meant_as_hook(name)
  if name:find "^on[_%u]" or hooks.names["on_" .. name] or hooks.names[(name:gsub("^no_", "on_"))] then
    return true
  end
  for hook in pairs(hooks.names) do
    if math.abs(#name - #hook) <= 1 and errors.distance(name, hook) <= 1 then
      return true
    end
  end
  return false
end

-- Refuses functions of a table that are meant as hooks and are none, which would never be called.
function hooks.check(table_of_hooks, where)
  for name, hook in pairs(table_of_hooks) do
    if type(name) == "string" and type(hook) == "function" and not hooks.is_hook(name) and is_meant_as_hook(name) then
      errors.raise("%s: there is no hook '%s'%s", where, name, errors.suggest(name, hooks.names))
    elseif type(name) == "string" and hooks.is_hook(name) and type(hook) ~= "function" then
      errors.raise("%s: the hook '%s' must be a function, not %s", where, name, errors.describe(hook))
    end
  end
end

return hooks
