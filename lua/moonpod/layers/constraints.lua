-- Keras' constraints: functions from a weight to the weight that is allowed.

local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local weight_function = require "moonpod.layers.weight_function"

local constraints = {}

local define, is_constraint, by_class = weight_function.kind("constraint", constraints)

-- Whether a value was made by one of these functions.
constraints.is_constraint = is_constraint
-- Those functions by the names of Keras' classes.
constraints.by_class = by_class

local function norms(w, axis)
  return ops.sqrt(ops.sum(ops.square(w), axis, { keepdims = true }))
end

-- constraints.max_norm{ max_value =, axis = }
define("max_norm", "MaxNorm", { max_value = 2, axis = 0 }, function(config)
  local limit, axis = config.max_value, config.axis
  return function(w)
    local size = norms(w, axis)
    return w * (ops.clip(size, 0, limit) / (size + 1e-7))
  end
end)

-- constraints.non_neg(): weights below 0 become 0.
define("non_neg", "NonNeg", {}, function()
  return function(w)
    return ops.relu(w)
  end
end)

-- constraints.unit_norm{ axis = }
define("unit_norm", "UnitNorm", { axis = 0 }, function(config)
  local axis = config.axis
  return function(w)
    return w / (norms(w, axis) + 1e-7)
  end
end)

-- constraints.min_max_norm{ min_value =, max_value =, rate =, axis = }
define("min_max_norm", "MinMaxNorm", { min_value = 0, max_value = 1, rate = 1, axis = 0 }, function(config)
  local low, high = config.min_value, config.max_value
  local rate, axis = config.rate, config.axis
  return function(w)
    local size = norms(w, axis)
    local wanted = ops.clip(size, low, high) * rate + size * (1 - rate)
    return w * (wanted / (size + 1e-7))
  end
end)

local by_name = { max_norm = true, non_neg = true, unit_norm = true, min_max_norm = true }

--- Finds a constraint: nil, a name, or what was made by these functions, or any function, as it is.
function constraints.get(value, where)
  if value == nil or type(value) == "function" or is_constraint(value) then
    return value
  elseif by_name[value] then
    return constraints[value]()
  end
  errors.raise("%s: a constraint is \"max_norm\", \"non_neg\", \"unit_norm\", \"min_max_norm\" or a function, not %s",
    where or "constraints.get", errors.describe(value))
end

return constraints
