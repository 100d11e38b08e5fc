-- Keras' regularizers: functions of a weight that give a loss.

local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local unit_vectors = require "moonpod.ops.unit_vectors"

local regularizers = {}

local function check(name, value)
  if type(value) ~= "number" or value < 0 or value ~= value or value == math.huge then
    errors.raise("regularizers.%s: the factor must be a number from 0; got %s", name, errors.describe(value))
  end
end

-- factor (0.01) times the sum of the absolute values.
function regularizers.l1(factor)
  factor = factor or 0.01
  check("l1", factor)
  return function(w)
    return ops.sum(ops.abs(w)) * factor
  end
end

-- factor (0.01) times the sum of the squares.
function regularizers.l2(factor)
  factor = factor or 0.01
  check("l2", factor)
  return function(w)
    return ops.sum(ops.square(w)) * factor
  end
end

-- Options l1 and l2, 0 when absent.
function regularizers.l1_l2(options)
  options = options or { l1 = 0.01, l2 = 0.01 }
  errors.check_options(options, { l1 = "number", l2 = "number" }, "regularizers.l1_l2")
  local l1, l2 = options.l1 or 0, options.l2 or 0
  check("l1_l2", l1)
  check("l1_l2", l2)
  return function(w)
    return ops.sum(ops.abs(w)) * l1 + ops.sum(ops.square(w)) * l2
  end
end

-- Rows of a matrix (or, with mode "columns", columns) are to be orthogonal.
function regularizers.orthogonal(options)
  options = options or {}
  errors.check_options(options, { factor = "number", mode = "string" }, "regularizers.orthogonal")
  local factor, mode = options.factor or 0.01, options.mode or "rows"
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
end

-- Finds a regularizer: nil, a name, or a function as it is.
function regularizers.get(value, where)
  if value == nil or type(value) == "function" then
    return value
  elseif type(value) == "string" and value ~= "get" and regularizers[value] then
    return regularizers[value]()
  end
  errors.raise("%s: a regularizer is \"l1\", \"l2\", \"l1_l2\", \"orthogonal\" or a function, not %s",
    where or "regularizers.get", errors.describe(value))
end

return regularizers
