-- lambda - a callback from a table of functions, which get what hooks get but for the callback itself.

local errors = require "moonpod.base.errors"
local hooks = require "moonpod.models.hooks"

--- A callback from a table of functions, which get what hooks get but for the callback itself. Names that are no hook
--- are refused.
---@param given table functions by the names of hooks
---@return callback
--- ```lua
--- local model = pod.models.sequential {
---   pod.layers.dense(1, { input_shape = { 1 }, kernel_initializer = "zeros" }) }
--- model:compile { optimizer = pod.optimizers.sgd(0.1), loss = "mse" }
--- local tell = pod.callbacks.lambda { on_epoch_end = function(epoch, logs)
---   print(("epoch %d: %.3f"):format(epoch, logs.loss))
--- end }
--- model:fit(pod.tensor { { 1 }, { 2 } }, pod.tensor { { 2 }, { 4 } },
---   { epochs = 3, verbose = 0, callbacks = { tell } })
--- --> epoch 0: 10.000
--- --> epoch 1: 1.060
--- --> epoch 2: 0.173
--- ```
local function lambda(given)
  errors.check_type(given, "table", "callbacks.lambda", "hooks")
  local made = { name = "lambda" }
  for name, hook in pairs(given) do
    errors.find(hooks.names, name, "hook", "callbacks.lambda")
    errors.check_type(hook, "function", "callbacks.lambda", name)
    made[name] = function(_, ...)
      return hook(...)
    end
  end
  return made
end

return lambda
