-- core_call - calls a function of the core by its name, in the context that there is.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"

return function(name, ...)
  return errors.call_core(device.core[name], device.context(), ...)
end
