-- learning_rate - the learning rate of a model's optimizer, for callbacks that change or log it.

local ops = require "moonpod.ops"
local tensor = require "moonpod.tensor"

local learning_rate = {}

-- The rate of the next step, a number.
function learning_rate.get(model)
  local rate = model.optimizer.learning_rate
  return (ops.is_tensor(rate) and rate or rate:value()):item()
end

-- A number as the optimizer keeps it: a float32.
function learning_rate.rounded(value)
  return tensor.new(value, { dtype = "float32" }):item()
end

-- Sets it; an optimizer that follows a schedule refuses.
function learning_rate.change(model, value)
  model.optimizer.learning_rate = value
end

return learning_rate
