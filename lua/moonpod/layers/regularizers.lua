-- Keras' regularizers: functions of a weight that give a loss.

local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local unit_vectors = require "moonpod.ops.unit_vectors"
local weight_function = require "moonpod.layers.weight_function"

local regularizers = {}

local define, is_regularizer, by_class = weight_function.kind("regularizer", regularizers)

-- Whether a value was made by one of these functions.
regularizers.is_regularizer = is_regularizer
-- Those functions by the names of Keras' classes.
regularizers.by_class = by_class

local function check(name, value)
  if type(value) ~= "number" or value < 0 or value ~= value or value == math.huge then
    errors.raise("regularizers.%s: the factor must be a number from 0; got %s", name, errors.describe(value))
  end
end

-- regularizers.l1(factor): factor (0.01) times the sum of the absolute values.
define("l1", "L1", { l1 = 0.01 }, function(config)
  local factor = config.l1
  check("l1", factor)
  return function(w)
    return ops.sum(ops.abs(w)) * factor
  end
end, "l1")

-- regularizers.l2(factor): factor (0.01) times the sum of the squares.
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

--- Without options both are 0.01.
function regularizers.l1_l2(options)
  return l1_l2(options or { l1 = 0.01, l2 = 0.01 })
end

-- regularizers.orthogonal{ factor =, mode = }: rows of a matrix (with mode "columns": columns) are to be orthogonal.
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

local by_name = { l1 = true, l2 = true, l1_l2 = true, orthogonal = true }

--- Finds a regularizer: nil, a name, or what was made by these functions, or any function, as it is.
function regularizers.get(value, where)
  if value == nil or type(value) == "function" or is_regularizer(value) then
    return value
  elseif by_name[value] then
    return regularizers[value]()
  end
  errors.raise("%s: a regularizer is \"l1\", \"l2\", \"l1_l2\", \"orthogonal\" or a function, not %s",
    where or "regularizers.get", errors.describe(value))
end

return regularizers
