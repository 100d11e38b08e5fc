-- All callbacks by their names: pod.callbacks.early_stopping and so on; each file is loaded when it is first used.

local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"

local callbacks = {}

-- Files of this folder; history and progress are of all runs.
local FILES = { backup_and_restore = true, csv_logger = true, early_stopping = true, lambda = true,
  learning_rate_scheduler = true, model_checkpoint = true, reduce_lr_on_plateau = true, swap_ema_weights = true,
  tensorboard = true, terminate_on_nan = true }

callbacks.history = require "moonpod.models.history"
callbacks.progress = require "moonpod.models.progress"

--- Names of all callbacks, sorted.
function callbacks.names()
  local list = { "history", "progress" }
  for name in pairs(FILES) do
    list[#list + 1] = name
  end
  table.sort(list)
  return list
end

-- A class of callbacks of one's own from a table of hooks.
callbacks.subclass = callback.subclass

-- Whether a value is a callback of a class.
callbacks.is_callback = callback.is_callback

return setmetatable(callbacks, {
  __index = function(self, name)
    if not FILES[name] then
      errors.raise("there is no callback '%s'%s", tostring(name), errors.suggest(tostring(name), callbacks.names()))
    end
    local found = require("moonpod.callbacks." .. name)
    self[name] = found
    return found
  end,
})
