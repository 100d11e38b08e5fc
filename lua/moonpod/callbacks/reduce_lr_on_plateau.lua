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
--- ```lua
--- local model = pod.models.sequential {
---   pod.layers.dense(1, { input_shape = { 1 }, kernel_initializer = "zeros" }) }
--- model:compile { optimizer = pod.optimizers.sgd(0.5), loss = "mse" } -- too large a step
--- local smaller = pod.callbacks.reduce_lr_on_plateau { monitor = "loss", factor = 0.5, patience = 2 }
--- local history = model:fit(pod.tensor { { 1 }, { 2 } }, pod.tensor { { 2 }, { 4 } },
---   { epochs = 6, verbose = 0, callbacks = { smaller } })
--- for epoch, rate in ipairs(history.history.learning_rate) do
---   print(("epoch %d: rate %.3f, loss %.2f"):format(epoch - 1, rate, history.history.loss[epoch]))
--- end
--- --> epoch 0: rate 0.500, loss 10.00
--- --> epoch 1: rate 0.500, loss 58.50
--- --> epoch 2: rate 0.500, loss 344.25
--- --> epoch 3: rate 0.250, loss 2027.53
--- --> epoch 4: rate 0.250, loss 1032.28
--- --> epoch 5: rate 0.125, loss 525.57
--- ```
return callback.define {
  name = "reduce_lr_on_plateau", first = "monitor", setup = setup,
  defaults = { monitor = "val_loss", factor = 0.1, patience = 10, verbose = 0, mode = "auto", min_delta = 1e-4,
    cooldown = 0, min_lr = 0 },
  kinds = { monitor = "string", factor = "number", patience = "count", verbose = "count", mode = "string",
    min_delta = "number", cooldown = "count", min_lr = "number" },
  state = { wait = schema.count, best = schema.optional(schema.number), cooldown_counter = schema.count },
  on_train_begin = on_train_begin, on_epoch_end = on_epoch_end,
}
