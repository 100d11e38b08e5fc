-- Keras' constraints: functions from a weight to the weight that is allowed.

local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"

local constraints = {}

local function norms(w, axis)
  return ops.sqrt(ops.sum(ops.square(w), axis, { keepdims = true }))
end

-- Options: max_value (2), axis (0).
function constraints.max_norm(options)
  options = errors.check_options(options, { max_value = "number", axis = "axes" }, "constraints.max_norm")
  local limit, axis = options.max_value or 2, options.axis or 0
  return function(w)
    local size = norms(w, axis)
    return w * (ops.clip(size, 0, limit) / (size + 1e-7))
  end
end

-- Weights below 0 become 0.
function constraints.non_neg()
  return function(w)
    return ops.relu(w)
  end
end

-- Options: axis (0).
function constraints.unit_norm(options)
  local axis = errors.check_options(options, { axis = "axes" }, "constraints.unit_norm").axis or 0
  return function(w)
    return w / (norms(w, axis) + 1e-7)
  end
end

-- Options: min_value (0), max_value (1), rate (1), axis (0).
function constraints.min_max_norm(options)
  options = errors.check_options(options, { min_value = "number", max_value = "number", rate = "number",
    axis = "axes" }, "constraints.min_max_norm")
  local low, high = options.min_value or 0, options.max_value or 1
  local rate, axis = options.rate or 1, options.axis or 0
  return function(w)
    local size = norms(w, axis)
    local wanted = ops.clip(size, low, high) * rate + size * (1 - rate)
    return w * (wanted / (size + 1e-7))
  end
end

-- Finds a constraint: nil, a name, or a function as it is.
function constraints.get(value, where)
  if value == nil or type(value) == "function" then
    return value
  elseif type(value) == "string" and value ~= "get" and constraints[value] then
    return constraints[value]()
  end
  errors.raise("%s: a constraint is \"max_norm\", \"non_neg\", \"unit_norm\", \"min_max_norm\" or a function, not %s",
    where or "constraints.get", errors.describe(value))
end

return constraints
