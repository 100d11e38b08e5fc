--- Regularizers: functions of a weight that give a loss, which training adds to that of the model. A layer takes one by
--- name ("l1", "l2"), as an object, or as a function.
---@param options.factor number what the loss is multiplied by
---@example pod.regularizers.l2(0.5)(pod.tensor { 1, 2 }):item() --> 2.5

-- Keras' regularizers: functions of a weight that give a loss.

local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local unit_vectors = require "moonpod.ops.unit_vectors"
local weight_function = require "moonpod.layers.weight_function"

local regularizers = {}

local define, is_regularizer, by_class, get = weight_function.kind("regularizer", regularizers)

---@name pod.regularizers.is_regularizer
--- Whether a value was made by one of these functions.
---@param value any
---@return boolean
---@example pod.regularizers.is_regularizer(pod.regularizers.l1()) --> true
regularizers.is_regularizer = is_regularizer
---@name pod.regularizers.by_class
--- These functions by the names of Keras' classes.
---@example pod.regularizers.by_class.L2 == pod.regularizers.l2 --> true
regularizers.by_class = by_class

local function check(name, value)
  if type(value) ~= "number" or value < 0 or value ~= value or value == math.huge then
    errors.raise("regularizers.%s: the factor must be a number from 0; got %s", name, errors.describe(value))
  end
end

---@name pod.regularizers.l1
--- The factor times the sum of the absolute values: many weights become 0.
---@param options.l1 number the factor; it may stand for the table: `l1(0.01)`
---@return regularizer
---@example pod.regularizers.l1(0.5)(pod.tensor { 1, -2 }):item() --> 1.5
define("l1", "L1", { l1 = 0.01 }, function(config)
  local factor = config.l1
  check("l1", factor)
  return function(w)
    return ops.sum(ops.abs(w)) * factor
  end
end, "l1")

---@name pod.regularizers.l2
--- The factor times the sum of the squares.
---@param options.l2 number the factor; it may stand for the table: `l2(0.01)`
---@return regularizer
---@example pod.regularizers.l2(0.5)(pod.tensor { 1, 2 }):item() --> 2.5
define("l2", "L2", { l2 = 0.01 }, function(config)
  local factor = config.l2
  check("l2", factor)
  return function(w)
    return ops.sum(ops.square(w)) * factor
  end
end, "l2")

-- regularizers.l1_l2{ l1 =, l2 = }: both; 0 where one is absent.
define("l1_l2", "L1L2", { l1 = 0, l2 = 0 }, function(config)
  local l1, l2 = config.l1, config.l2
  check("l1_l2", l1)
  check("l1_l2", l2)
  return function(w)
    return ops.sum(ops.abs(w)) * l1 + ops.sum(ops.square(w)) * l2
  end
end)

local l1_l2 = regularizers.l1_l2

--- Both sums; without options both factors are 0.01, and one that is absent is 0.
---@param options? table `l1` and `l2`, the factors
---@return regularizer
---@example pod.regularizers.l1_l2({ l1 = 1 })(pod.tensor { 1, -2 }):item() --> 3
function regularizers.l1_l2(options)
  return l1_l2(options or { l1 = 0.01, l2 = 0.01 })
end

---@name pod.regularizers.orthogonal
--- The rows, or columns, of a matrix are to be at right angles.
---@param options.mode "rows"|"columns" which of them
---@return regularizer
---@error the weight has other than 2 axes
---@example pod.regularizers.orthogonal()(pod.eye(2)):item() --> 0
define("orthogonal", "OrthogonalRegularizer", { factor = 0.01, mode = "rows" }, function(config)
  local factor, mode = config.factor, config.mode
  check("orthogonal", factor)
  if mode ~= "rows" and mode ~= "columns" then
    errors.raise("regularizers.orthogonal: mode is '%s'; it must be rows or columns", tostring(mode))
  end
  return function(w)
    if #w.shape ~= 2 then
      errors.raise("regularizers.orthogonal: the weight must have 2 axes; got shape %s", tostring(w.shape))
    end
    local axis = mode == "rows" and 1 or 0
    local unit = unit_vectors(w, axis, 1e-7)
    local products = mode == "rows" and ops.matmul(unit, ops.transpose(unit)) or ops.matmul(ops.transpose(unit), unit)
    local size = products.shape[1]
    local off = ops.abs(products * (1 - ops.eye(size)))
    return ops.sum(off) * (0.5 * factor / math.max(size * (size - 1) / 2, 1))
  end
end)

---@name pod.regularizers.get
--- Finds a regularizer: nil, a name, or what was made by these functions, or any function, as it is.
---@example pod.regularizers.get("l2") ~= nil --> true
regularizers.get = get

return regularizers
