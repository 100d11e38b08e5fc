-- terminate_on_nan - ends training where the loss is NaN or infinite: cleanly, or with raise_error = true by an error.

local callback = require "moonpod.models.callback"
local errors = require "moonpod.base.errors"
local python_text = require "moonpod.callbacks.python_text"

local function on_batch_end(self, batch, logs)
  local loss = (logs or {}).loss
  if type(loss) ~= "number" or loss - loss == 0 then
    return
  end
  if self.raise_error then
    errors.raise("NaN or Inf loss encountered at batch %d. Loss value: %s. Terminating training immediately.", batch,
      python_text.float(loss))
  end
  io.write(("Batch %d: Invalid loss, terminating training\n"):format(batch))
  self.model.stop_training = true
end

---@name pod.callbacks.terminate_on_nan
--- Ends training where the loss is NaN or infinite.
---@param options.raise_error boolean whether it ends by an error, not cleanly
---@return callback
--- ```lua
--- local model = pod.models.sequential {
---   pod.layers.dense(1, { input_shape = { 1 }, kernel_initializer = "zeros" }) }
--- model:compile { optimizer = pod.optimizers.sgd(1e30), loss = "mse" }
--- local history = model:fit(pod.tensor { { 1 }, { 2 } }, pod.tensor { { 2 }, { 4 } },
---   { epochs = 100, verbose = 0, callbacks = { pod.callbacks.terminate_on_nan() } })
--- print("ended after epoch " .. #history.epoch)
--- --> ended after epoch 2
--- ```
return callback.define { name = "terminate_on_nan", defaults = { raise_error = false },
  kinds = { raise_error = "boolean" }, on_batch_end = on_batch_end }
