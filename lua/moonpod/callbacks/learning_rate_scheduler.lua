-- learning_rate_scheduler - sets the learning rate of each epoch: schedule(epoch, rate) returns it.
--
-- Options as Keras': schedule, verbose (0).

local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"
local learning_rate = require "moonpod.callbacks.learning_rate"
local python_text = require "moonpod.callbacks.python_text"

local function on_epoch_begin(self, epoch)
  local rate = errors.calling(self.schedule, epoch, learning_rate.get(self.model))
  if type(rate) ~= "number" then
    errors.raise("The output of the `schedule` function should be a float. Got: %s", errors.describe(rate))
  end
  learning_rate.change(self.model, rate)
  if self.verbose > 0 then
    io.write(("\nEpoch %d: LearningRateScheduler setting learning rate to %s.\n"):format(epoch + 1,
      python_text.float(rate)))
  end
end

local function on_epoch_end(self, _, logs)
  if logs then
    logs.learning_rate = learning_rate.get(self.model)
  end
end

---@name pod.callbacks.learning_rate_scheduler
--- Sets the learning rate of each epoch: `schedule(epoch, rate)` returns it.
---@param options.schedule function of the epoch, from 0, and the rate before
---@return callback
---@error the function returns no number
--- ```lua
--- local model = pod.models.sequential {
---   pod.layers.dense(1, { input_shape = { 1 }, kernel_initializer = "zeros" }) }
--- model:compile { optimizer = pod.optimizers.sgd(0.1), loss = "mse" }
--- local smaller = pod.callbacks.learning_rate_scheduler(function(epoch, rate)
---   return epoch < 3 and rate or rate * 0.5
--- end)
--- local history = model:fit(pod.tensor { { 1 }, { 2 } }, pod.tensor { { 2 }, { 4 } },
---   { epochs = 5, verbose = 0, callbacks = { smaller } })
--- for epoch, rate in ipairs(history.history.learning_rate) do
---   print(("epoch %d: %.4f"):format(epoch - 1, rate))
--- end
--- --> epoch 0: 0.1000
--- --> epoch 1: 0.1000
--- --> epoch 2: 0.1000
--- --> epoch 3: 0.0500
--- --> epoch 4: 0.0250
--- ```
return callback.define {
  name = "learning_rate_scheduler", first = "schedule",
  missing = "; give a function of the epoch (from 0) and the present rate", defaults = { verbose = 0 },
  kinds = { schedule = "function", verbose = "count" },
  on_epoch_begin = on_epoch_begin, on_epoch_end = on_epoch_end,
}
