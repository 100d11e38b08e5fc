--- Constraints: functions from a weight to the weight that is allowed, applied after each step. A layer takes one by
--- name, as an object, or as a function.
---@param options.axis integer|integer[] along which lengths are measured: 0 for the kernel of a dense layer
---@param options.max_value number the greatest length
---@param options.min_value number the least length
---@param options.rate number how much of the way it goes in one step
---@example pod.constraints.non_neg()(pod.tensor { -1, 2 }) --> { 0, 2 }

-- Keras' constraints: functions from a weight to the weight that is allowed.

local ops = require "moonpod.ops"
local weight_function = require "moonpod.layers.weight_function"

local constraints = {}

local define, is_constraint, by_class, get = weight_function.kind("constraint", constraints)

---@name pod.constraints.is_constraint
--- Whether a value was made by one of these functions.
---@param value any
---@return boolean
---@example pod.constraints.is_constraint(pod.constraints.non_neg()) --> true
constraints.is_constraint = is_constraint
---@name pod.constraints.by_class
--- These functions by the names of Keras' classes.
---@example pod.constraints.by_class.NonNeg == pod.constraints.non_neg --> true
constraints.by_class = by_class

local function norms(w, axis)
  return ops.sqrt(ops.sum(ops.square(w), axis, { keepdims = true }))
end

---@name pod.constraints.max_norm
--- Vectors that are longer than `max_value` are made as long.
---@return constraint
---@example pod.constraints.max_norm({ max_value = 5 })(pod.tensor { { 6 }, { 8 } }) --> { { 3 }, { 4 } }
define("max_norm", "MaxNorm", { max_value = 2, axis = 0 }, function(config)
  local limit, axis = config.max_value, config.axis
  return function(w)
    local size = norms(w, axis)
    return w * (ops.clip(size, 0, limit) / (size + 1e-7))
  end
end)

---@name pod.constraints.non_neg
--- Weights below 0 become 0.
---@return constraint
---@example pod.constraints.non_neg()(pod.tensor { -1, 2 }) --> { 0, 2 }
define("non_neg", "NonNeg", {}, function()
  return function(w)
    return ops.relu(w)
  end
end)

---@name pod.constraints.unit_norm
--- Vectors get the length 1.
---@return constraint
---@example pod.constraints.unit_norm()(pod.tensor { { 3 }, { 4 } }) --> { { 0.6 }, { 0.8 } }
define("unit_norm", "UnitNorm", { axis = 0 }, function(config)
  local axis = config.axis
  return function(w)
    return w / (norms(w, axis) + 1e-7)
  end
end)

---@name pod.constraints.min_max_norm
--- Vectors get a length within two limits.
---@return constraint
---@example pod.constraints.min_max_norm({ max_value = 5 })(pod.tensor { { 6 }, { 8 } }) --> { { 3 }, { 4 } }
define("min_max_norm", "MinMaxNorm", { min_value = 0, max_value = 1, rate = 1, axis = 0 }, function(config)
  local low, high = config.min_value, config.max_value
  local rate, axis = config.rate, config.axis
  return function(w)
    local size = norms(w, axis)
    local wanted = ops.clip(size, low, high) * rate + size * (1 - rate)
    return w * (wanted / (size + 1e-7))
  end
end)

---@name pod.constraints.get
--- Finds a constraint: nil, a name, or what was made by these functions, or any function, as it is.
---@example pod.constraints.get("non_neg") ~= nil --> true
constraints.get = get

return constraints
