-- history - keeps the values of each epoch: history.history.loss[1], history.epoch, history.params.

local callback = require "moonpod.models.callback"
local log_names = require "moonpod.models.log_names"
local readable = require "moonpod.base.readable"

local function setup(self)
  self.epoch, self.history, self.is_history = {}, readable.of {}, true
end

-- Numbers of epochs are those of this run; values go on.
local function on_train_begin(self)
  self.epoch = readable.of {}
end

-- Takes an epoch's logs.
local function on_epoch_end(self, epoch, logs)
  self.epoch[#self.epoch + 1] = epoch
  for _, name in ipairs(log_names.sorted(logs or {})) do
    self.history[name] = self.history[name] or readable.of {}
    local list = self.history[name]
    list[#list + 1] = logs[name]
  end
end

---@name pod.callbacks.history
--- Keeps the logs of all epochs: `model:fit` returns one, whose `history` is a table of lists by name, and `epoch` a
--- list.
---@return callback
---@example pod.callbacks.history().name --> "history"
return callback.define { name = "history", defaults = {}, kinds = {}, state = { "epoch", "history" }, setup = setup,
  on_train_begin = on_train_begin, on_epoch_end = on_epoch_end }
