-- early_stopping - ends training when a value has stopped to become better.
--
-- Options as Keras': monitor ("val_loss"), min_delta (0), patience (0 epochs), verbose (0), mode ("auto", "min",
-- "max"), baseline (nil), restore_best_weights (false), start_from_epoch (0). Fields: wait, best, best_epoch,
-- stopped_epoch, best_weights.

local callback = require "moonpod.models.callback"
local monitor = require "moonpod.callbacks.monitor"
local schema = require "moonpod.base.schema"
local states = require "moonpod.callbacks.states"
local warnings = require "moonpod.base.warnings"

local function setup(self)
  monitor.setup(self, "EarlyStopping")
  self.wait, self.stopped_epoch = 0, 0
end

local function on_train_begin(self)
  self.wait, self.stopped_epoch, self.best_epoch = 0, 0, 0
  self.best, self.best_weights = nil, nil
end

local function monitored(self, logs)
  local value = (logs or {})[self.monitor]
  if value == nil then
    warnings.warn("Early stopping conditioned on metric `%s` which is not available. Available metrics are: %s",
      self.monitor, monitor.names_of(logs or {}))
  end
  return value
end

local function on_epoch_end(self, epoch, logs)
  monitor.find_direction(self)
  local current = monitored(self, logs)
  if current == nil or epoch < self.start_from_epoch then
    return
  end
  if self.restore_best_weights and self.best_weights == nil then
    self.best_weights, self.best_epoch = self.model:get_weights(), epoch
  end
  self.wait = self.wait + 1
  if monitor.is_improvement(self, current, self.best) then
    self.best, self.best_epoch = current, epoch
    if self.restore_best_weights then
      self.best_weights = self.model:get_weights()
    end
    -- Only what beats the baseline too restarts the wait.
    if self.baseline == nil or monitor.is_improvement(self, current, self.baseline) then
      self.wait = 0
    end
  elseif self.wait >= self.patience and epoch > 0 then
    self.stopped_epoch = epoch
    self.model.stop_training = true
  end
end

local function on_train_end(self)
  if self.stopped_epoch > 0 and self.verbose > 0 then
    io.write(("Epoch %d: early stopping\n"):format(self.stopped_epoch + 1))
  end
  if self.restore_best_weights and self.best_weights then
    if self.verbose > 0 then
      io.write(("Restoring model weights from the end of the best epoch: %d.\n"):format(self.best_epoch + 1))
    end
    self.model:set_weights(self.best_weights)
  end
end

---@name pod.callbacks.early_stopping
--- Ends training when a value has stopped to become better. Fields after: `stopped_epoch`, `best`, `best_epoch`.
---@param options.baseline number what it must become better than
---@param options.restore_best_weights boolean whether the weights of the best epoch are put back
---@param options.start_from_epoch integer epochs before this one are not looked at
---@return callback
--- ```lua
--- local model = pod.models.sequential {
---   pod.layers.dense(1, { input_shape = { 1 }, kernel_initializer = "zeros" }) }
--- model:compile { optimizer = pod.optimizers.sgd(0.5), loss = "mse" } -- too large a step
--- local stop = pod.callbacks.early_stopping { monitor = "loss", patience = 3 }
--- model:fit(pod.tensor { { 1 }, { 2 } }, pod.tensor { { 2 }, { 4 } },
---   { epochs = 100, verbose = 0, callbacks = { stop } })
--- print("best in epoch " .. stop.best_epoch .. ", ended after " .. stop.stopped_epoch)
--- --> best in epoch 0, ended after 3
--- ```
return callback.define {
  name = "early_stopping", first = "monitor", setup = setup,
  defaults = { monitor = "val_loss", min_delta = 0, patience = 0, verbose = 0, mode = "auto",
    restore_best_weights = false, start_from_epoch = 0 },
  kinds = { monitor = "string", min_delta = "number", patience = "count", verbose = "count", mode = "string",
    baseline = "number", restore_best_weights = "boolean", start_from_epoch = "count" },
  state = { wait = schema.count, stopped_epoch = schema.count, best = schema.optional(schema.number),
    best_epoch = schema.optional(schema.count), best_weights = schema.optional(states.TENSORS) },
  on_train_begin = on_train_begin, on_epoch_end = on_epoch_end, on_train_end = on_train_end,
}
