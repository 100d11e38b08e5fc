-- reduce_lr_on_plateau - multiplies the learning rate by a factor when a value has stopped to become better.
--
-- Options as Keras': monitor ("val_loss"), factor (0.1), patience (10 epochs), verbose (0), mode ("auto", "min",
-- "max"), min_delta (1e-4), cooldown (0 epochs), min_lr (0). Fields: wait, best, cooldown_counter.

local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"
local learning_rate = require "moonpod.callbacks.learning_rate"
local monitor = require "moonpod.callbacks.monitor"
local python_text = require "moonpod.callbacks.python_text"
local schema = require "moonpod.base.schema"
local warnings = require "moonpod.base.warnings"

local function on_train_begin(self)
  self.best, self.wait, self.cooldown_counter = nil, 0, 0
end

local function setup(self)
  monitor.setup(self, "ReduceLROnPlateau")
  if self.factor >= 1 then
    errors.raise("ReduceLROnPlateau does not support a factor >= 1.0. Received factor=%s",
      python_text.float(self.factor))
  end
  on_train_begin(self)
end

local function reduce(self, epoch)
  local old = learning_rate.get(self.model)
  if old <= learning_rate.rounded(self.min_lr) then
    return false
  end
  local new = math.max(old * self.factor, self.min_lr)
  learning_rate.change(self.model, new)
  if self.verbose > 0 then
    io.write(("\nEpoch %d: ReduceLROnPlateau reducing learning rate to %s.\n"):format(epoch + 1,
      python_text.float(new)))
  end
  return true
end

local function on_epoch_end(self, epoch, logs)
  monitor.find_direction(self)
  logs = logs or {}
  logs.learning_rate = learning_rate.get(self.model)
  local current = logs[self.monitor]
  if current == nil then
    return warnings.warn("Learning rate reduction is conditioned on metric `%s` which is not available. Available "
      .. "metrics are: %s.", self.monitor, monitor.names_of(logs))
  end
  if self.cooldown_counter > 0 then
    self.cooldown_counter, self.wait = self.cooldown_counter - 1, 0
  end
  if monitor.is_improvement(self, current, self.best) then
    self.best, self.wait = current, 0
  elseif self.cooldown_counter == 0 then
    self.wait = self.wait + 1
    if self.wait >= self.patience and reduce(self, epoch) then
      self.cooldown_counter, self.wait = self.cooldown, 0
    end
  end
end

---@name pod.callbacks.reduce_lr_on_plateau
--- Multiplies the learning rate by a factor when a value has stopped to become better.
---@param options.factor number below 1
---@param options.cooldown integer how many epochs pass before it looks again
---@param options.min_lr number the lowest rate
---@return callback
---@example pod.callbacks.reduce_lr_on_plateau { factor = 0.5 }.factor --> 0.5
return callback.define {
  name = "reduce_lr_on_plateau", first = "monitor", setup = setup,
  defaults = { monitor = "val_loss", factor = 0.1, patience = 10, verbose = 0, mode = "auto", min_delta = 1e-4,
    cooldown = 0, min_lr = 0 },
  kinds = { monitor = "string", factor = "number", patience = "count", verbose = "count", mode = "string",
    min_delta = "number", cooldown = "count", min_lr = "number" },
  state = { wait = schema.count, best = schema.optional(schema.number), cooldown_counter = schema.count },
  on_train_begin = on_train_begin, on_epoch_end = on_epoch_end,
}
