--- Callbacks watch, stop and keep a run: `model:fit(x, y, { callbacks = { ... } })` calls their hooks. A callback of
--- one's own is a table of hooks (`pod.callbacks.lambda`) or an instance of a class (`pod.callbacks.subclass`).
---
--- Hooks are methods: `on_train_begin(logs)`, `on_epoch_begin(epoch, logs)`, `on_batch_end(batch, logs)` (that is
--- `on_train_batch_end`), `on_epoch_end(epoch, logs)`, `on_train_end(logs)`, and those of `test` and `predict`. Epochs
--- and batches count from 0; logs are tables of numbers by name, as `{ loss = 0.3, val_loss = 0.4 }`. `self.model` is
--- the model; `self.model.stop_training = true` ends training behind the epoch.
---@param options.monitor string the log that is watched, as "loss" or "val_accuracy"
---@param options.mode "auto"|"min"|"max" whether smaller or larger is better; "auto" knows by the metric
---@param options.verbose integer 0: silent; 1: says what it does
---@param options.min_delta number what is better by less counts for nothing
---@param options.patience integer how many epochs may pass without becoming better
---@example #pod.callbacks.names() > 5 --> true

-- All callbacks by their names: pod.callbacks.early_stopping and so on; each file is loaded when it is first used.

local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"

local callbacks = {}

-- Files of this folder; history and progress are of all runs.
local FILES = { backup_and_restore = true, csv_logger = true, early_stopping = true, json_logger = true,
  lambda = true, learning_rate_scheduler = true, model_checkpoint = true, reduce_lr_on_plateau = true,
  swap_ema_weights = true, tensorboard = true, terminate_on_nan = true }

callbacks.history = require "moonpod.models.history"
callbacks.progress = require "moonpod.models.progress"

--- Names of all callbacks, sorted.
---@example pod.callbacks.names()[1] --> "backup_and_restore"
function callbacks.names()
  return tables.sorted_keys(tables.merge(FILES, { history = true, progress = true }))
end

-- A class of callbacks of one's own from a table of hooks.
callbacks.subclass = callback.subclass

-- Whether a value is a callback of a class.
callbacks.is_callback = callback.is_callback

return setmetatable(callbacks, {
  __index = function(self, name)
    if not FILES[name] then
      errors.raise("there is no callback '%s'%s", tostring(name), errors.suggest_name(name, callbacks.names()))
    end
    local found = require("moonpod.callbacks." .. name)
    self[name] = found
    return found
  end,
})
