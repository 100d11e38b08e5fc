-- lambda - a callback from a table of functions, which get what hooks get but for the callback itself.

local errors = require "moonpod.base.errors"
local hooks = require "moonpod.models.hooks"

--- A callback from a table of functions, which get what hooks get but for the callback itself. Names that are no hook
--- are refused.
---@param given table functions by the names of hooks
---@return callback
---@example pod.callbacks.lambda { on_epoch_end = function(epoch, logs) print(epoch, logs.loss) end }.name --> "lambda"
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
