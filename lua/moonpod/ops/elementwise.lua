-- The elementwise functions on tensors. The table is that of all functions: other files add theirs, moonpod.ops loads
-- them.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local from_table = require "moonpod.ops.from_table"
local in_float32 = require("moonpod.ops.halves").in_float32
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local ops = {}

-- What t:name(...) finds: functions whose first argument is the tensor.
ops.methods = {}

local call, convert, Number = trace.call, tensor.convert, tensor.Number

-- ---- types -------------------------------------------------------------------------------------------

local types = {} -- by long and XLA's name
for _, entry in ipairs(device.core.dtypes()) do
  types[entry.name] = entry
  types[entry.xla] = entry
end
local type_names = tables.column(device.core.dtypes(), "name")

--- Returns the long name of a dtype; raises for one that does not exist.
---@example pod.dtype "f32" --> "float32"
function ops.dtype(name)
  local entry = types[name]
  if not entry then
    errors.raise("there is no dtype '%s'%s", tostring(name), errors.suggest(name, type_names))
  end
  return entry.name
end

--- Whether a type is one of floats.
---@example pod.is_float "bfloat16" --> true
function ops.is_float(dtype)
  return (types[dtype] or types[ops.dtype(dtype)]).float
end

--- Whether a type is one of whole numbers.
---@example pod.is_integer "int8" --> true
function ops.is_integer(dtype)
  return (types[dtype] or types[ops.dtype(dtype)]).integer
end

local rank_of = {
  bool = 0, uint8 = 1, int8 = 1, uint16 = 2, int16 = 2, uint32 = 3, int32 = 3, uint64 = 4, int64 = 4,
  float16 = 5, bfloat16 = 5, float32 = 6, float64 = 7,
}
local signed_above = { uint8 = "int16", uint16 = "int32", uint32 = "int64", uint64 = "float32" }

--- Returns the type that two meet in, as NumPy and Keras have it. Floats win over integers, the two 16-bit floats meet
--- in float32, a signed and an unsigned one in a signed type that holds both.
---@example pod.promote("int8", "float16") --> "float16"
function ops.promote(a, b)
  if a == b then
    return a
  end
  if not (rank_of[a] and rank_of[b]) then -- another name of a type, or none
    return ops.promote(ops.dtype(a), ops.dtype(b))
  end
  if rank_of[a] < rank_of[b] then
    a, b = b, a
  end
  if rank_of[a] == 5 and rank_of[b] == 5 then
    return "float32"
  end
  if rank_of[a] >= 5 or rank_of[b] == 0 then
    return a
  end
  local a_unsigned, b_unsigned = signed_above[a], signed_above[b]
  if not a_unsigned and b_unsigned and rank_of[a] > rank_of[b] then
    return a
  end
  if (a_unsigned == nil) == (b_unsigned == nil) then
    return a
  end
  return a_unsigned or b_unsigned
end

-- The type of a tensor's dtype with a plain number.
local function with_number(dtype, value)
  if types[dtype].float or type(value) == "boolean" then
    return dtype
  end
  local is_number = type(value) == "number" -- else an argument that is one
  if is_number and math.floor(value) ~= value or not (is_number or value.is_whole) then
    return "float32"
  end
  return dtype == "bool" and "int32" or dtype
end

local function is_plain(value)
  local kind = type(value)
  return kind == "number" or kind == "boolean" or kind == "table" and getmetatable(value) == Number
end

local cast -- as ops.cast, whose arguments are right

--- Makes tensors of one type of two operands.
---@example pod.pair({ 1, 2 }, 3) --> { 1, 2 }, 3
local function pair(a, b)
  if is_plain(b) and not is_plain(a) then
    a = convert(a)
    local dtype = with_number(a.dtype, b)
    return cast(a, dtype), convert(b, dtype)
  elseif is_plain(a) and not is_plain(b) then
    b = convert(b)
    local dtype = with_number(b.dtype, a)
    return convert(a, dtype), cast(b, dtype)
  end
  a, b = convert(a), convert(b)
  local dtype = ops.promote(a.dtype, b.dtype)
  return cast(a, dtype), cast(b, dtype)
end
ops.pair = pair

--- Converts to a dtype; the same tensor when it has it.
---@example pod.cast({ 1.7 }, "int32") --> { 1 }
function cast(x, dtype)
  x = convert(x)
  dtype = ops.dtype(dtype)
  if x.dtype == dtype then
    return x
  end
  return call("convert", x, dtype)
end
ops.cast = cast

--- Reinterprets the bits as another dtype of the same size.
---@example pod.bitcast({ 1 }, "int32") --> { 1065353216 }
function ops.bitcast(x, dtype)
  return trace.apply("bitcast", { convert(x) }, { dtype = ops.dtype(dtype) })
end

--- Integers and booleans become float32.
---@example pod.floating({ 1, 2 }).dtype --> "float32"
local function floating(x)
  x = convert(x)
  return types[x.dtype].float and x or call("convert", x, "float32")
end
ops.floating = floating

-- ---- one operand --------------------------------------------------------------------------------------

local rounding = { floor = "floor", ceil = "ceil", round = "round" }
for name, builder in pairs(rounding) do
  ---@name pod.floor pod.ceil pod.round
  --- The whole number below, above, or nearest to each element; halves go to the even one. Whole numbers stay.
  ---@param x tensor
  ---@return tensor
  ---@example pod.floor { -1.5, 2.5 } --> { -2, 2 }
  ops[name] = function(x)
    x = convert(x)
    return types[x.dtype].float and call("unary", builder, x) or x
  end
end

--- The whole number of each element, without its fraction: the next one towards 0. Whole numbers stay.
---@example pod.trunc { -1.5, 2.5 } --> { -1, 2 }
function ops.trunc(x)
  x = convert(x)
  return types[x.dtype].float and ops.where(ops.less(x, 0), ops.ceil(x), ops.floor(x)) or x
end

--- x * x.
---@example pod.square { 2, 3 } --> { 4, 9 }
function ops.square(x)
  x = convert(x)
  return ops.multiply(x, x)
end

--- 1 / x.
---@example pod.reciprocal { 2, 4 } --> { 0.5, 0.25 }
function ops.reciprocal(x)
  return ops.divide(1, floating(x))
end

--- max(x, 0), with the gradient 0 at 0 (a maximum halves it there).
---@example pod.relu { -1, 2 } --> { 0, 2 }
function ops.relu(x)
  return trace.composite("relu", { convert(x) })
end

--- log(1 + exp(x)).
---@example pod.softplus { 0 } --> { 0.6931 }
function ops.softplus(x)
  -- log(1 + exp(x)) without overflow
  return in_float32(function(y)
    return ops.maximum(y, 0) + ops.log1p(ops.exp(-ops.abs(y)))
  end, floating(x))
end

--- The logarithm to base 2.
---@example pod.log2 { 8 } --> { 3 }
function ops.log2(x)
  return in_float32(function(y)
    return ops.log(y) * (1 / math.log(2))
  end, floating(x))
end

--- The logarithm to base 10.
---@example pod.log10 { 100 } --> { 2 }
function ops.log10(x)
  return in_float32(function(y)
    return ops.log(y) * (1 / math.log(10))
  end, floating(x))
end

--- Whether each element is neither infinite nor NaN.
---@example pod.is_finite { 1, 1 / 0 } --> { true, false }
function ops.is_finite(x)
  x = convert(x)
  if not types[x.dtype].float then
    return ops.full(x.shape, true, "bool")
  end
  return call("unary", "is_finite", x)
end

--- Whether each element is NaN.
---@example pod.is_nan { 1, 0 / 0 } --> { false, true }
function ops.is_nan(x)
  x = floating(x)
  return call("compare", "ne", x, x)
end

--- Whether each element is infinite.
---@example pod.is_inf { 1, 1 / 0 } --> { false, true }
function ops.is_inf(x)
  return ops.logical_not(ops.logical_or(ops.is_finite(x), ops.is_nan(x)))
end

-- A tensor for boolean algebra: anything not zero is true.
local function boolean(x)
  return cast(x, "bool")
end

--- True where x is false or 0.
---@example pod.logical_not { true, false } --> { false, true }
function ops.logical_not(x)
  return call("unary", "not", boolean(x))
end

--- Turns each bit of whole numbers; of booleans logical_not.
---@example pod.bitwise_not(pod.tensor({ 0 }, { dtype = "int32" })) --> { -1 }
function ops.bitwise_not(x)
  return call("unary", "not", convert(x))
end

-- ---- two operands ---------------------------------------------------------------------------------------

--- True division: integers become float32.
---@example pod.divide({ 1, 2 }, 2) --> { 0.5, 1 }
function ops.divide(a, b)
  a, b = pair(a, b)
  return call("binary", "divide", floating(a), floating(b))
end

-- Makes integers of booleans, with which nothing computes.
local function number(x)
  return x.dtype == "bool" and cast(x, "int32") or x
end

-- Where the rest of a division has another sign than the divisor.
local function is_beyond(rest, b)
  return ops.logical_and(ops.not_equal(rest, 0), ops.not_equal(ops.less(rest, 0), ops.less(b, 0)))
end

-- What is left of a whole number of divisors is taken off first: 1 / 0.1 rounds to 10, and 0.1 fits 9 times into 1.
local function floor_divide_floats(a, b)
  local rest = call("binary", "remainder", a, b)
  local quotient = call("binary", "divide", a - rest, b)
  quotient = ops.round(ops.where(is_beyond(rest, b), quotient - 1, quotient))
  return ops.where(ops.equal(b, 0), call("binary", "divide", a, b), quotient)
end

--- NumPy's floor_divide: rounds towards minus infinity; what `mod` gives is the rest.
---@example pod.floor_divide({ 7, -7 }, 2) --> { 3, -4 }
function ops.floor_divide(a, b)
  a, b = pair(a, b)
  if types[a.dtype].float then
    return in_float32(floor_divide_floats, a, b)
  end
  a, b = number(a), number(b)
  local quotient = call("binary", "divide", a, b)
  return quotient - cast(is_beyond(call("binary", "remainder", a, b), b), a.dtype)
end

--- The remainder with the divisor's sign, as Lua's and Python's %.
---@example pod.mod({ -5, 5 }, 3) --> { 1, 2 }
function ops.mod(a, b)
  a, b = pair(a, b)
  a, b = number(a), number(b)
  local rest = call("binary", "remainder", a, b)
  if types[a.dtype].name:sub(1, 1) == "u" then
    return rest
  end
  return call("select", is_beyond(rest, b), rest + b, rest)
end

--- a ^ b. Small whole exponents are products: exact, and differentiable everywhere.
---@example pod.power({ 2, 3 }, 2) --> { 4, 9 }
function ops.power(a, b)
  if getmetatable(b) == Number then
    Number.need() -- what is computed depends on it
  elseif b == 2 then
    return ops.square(a)
  elseif b == 1 then
    return convert(a)
  elseif b == 3 then
    return in_float32(function(x)
      return ops.multiply(ops.square(x), x)
    end, convert(a))
  elseif b == 0.5 then
    return ops.sqrt(a)
  elseif b == -1 then
    return ops.reciprocal(a)
  end
  a, b = pair(a, b)
  return call("binary", "power", number(a), number(b))
end

--- (a - b)^2.
---@example pod.squared_difference({ 1, 5 }, 3) --> { 4, 4 }
function ops.squared_difference(a, b)
  return in_float32(function(x, y)
    return ops.square(ops.subtract(x, y))
  end, pair(a, b))
end

--- a / b, 0 where b is 0.
---@example pod.divide_no_nan({ 1, 2 }, { 0, 4 }) --> { 0, 0.5 }
function ops.divide_no_nan(a, b)
  a, b = pair(a, b)
  a, b = floating(a), floating(b)
  local zero = ops.equal(b, 0)
  local one = ops.ones_like(b)
  local quotient = call("binary", "divide", a, call("select", zero, one, b))
  return call("select", zero, convert(0, quotient.dtype), quotient)
end

---@name pod.logical_and pod.logical_or pod.logical_xor
--- Whether both, one of, or exactly one of two elements is true; what is not 0 is true. Shapes broadcast.
---@param a tensor
---@param b tensor
---@return tensor of booleans
---@example pod.logical_and({ true, true }, { true, false }) --> { true, false }
local logical = { logical_and = "and", logical_or = "or", logical_xor = "xor" }
for name, builder in pairs(logical) do
  -- Of truths: what is not 0 is true.
  ops[name] = function(a, b)
    return call("binary", builder, boolean(a), boolean(b))
  end
end

---@name pod.bitwise_and pod.bitwise_or pod.bitwise_xor pod.left_shift
--- Of the bits of each pair of whole numbers: and, or, exclusive or, `a` moved left by `b`. Shapes broadcast.
---@param a tensor
---@param b tensor
---@return tensor
---@example pod.bitwise_and(pod.tensor({ 6 }, { dtype = "int32" }), 3) --> { 2 }
local bitwise = {
  bitwise_and = "and", bitwise_or = "or", bitwise_xor = "xor", left_shift = "shift_left",
}
for name, builder in pairs(bitwise) do
  -- Of the bits of each pair of whole numbers.
  ops[name] = function(a, b)
    a, b = pair(a, b)
    return call("binary", builder, a, b)
  end
end

--- a moved by b bits; the sign of signed numbers stays.
---@example pod.right_shift(pod.tensor({ 8 }, { dtype = "int32" }), 2) --> { 2 }
function ops.right_shift(a, b)
  a, b = pair(a, b)
  local unsigned = a.dtype:sub(1, 1) == "u"
  return call("binary", unsigned and "shift_right" or "shift_right_arithmetic", a, b)
end

---@name pod.equal pod.not_equal pod.less pod.less_equal pod.greater pod.greater_equal
--- Compares each pair of elements. Shapes broadcast; a NaN is equal to nothing.
---@param a tensor
---@param b tensor
---@return tensor of booleans
---@example pod.less({ 1, 3 }, 2) --> { true, false }
local comparisons = {
  equal = "eq", not_equal = "ne", less = "lt", less_equal = "le", greater = "gt",
  greater_equal = "ge",
}
for name, comparison in pairs(comparisons) do
  -- Compares each pair: booleans.
  ops[name] = function(a, b)
    a, b = pair(a, b)
    return call("compare", comparison, a, b)
  end
end

-- ---- ops of the table that need no more than their row -----------------------------------------------------

-- By the number of operands: the function that a builder's op is, whose operands `as` makes right.
local makers = {
  function(builder, as)
    return function(x)
      return call("unary", builder, as(convert(x)))
    end
  end,
  function(builder, as)
    -- Of each pair of elements, of their common type; booleans count as 0 and 1.
    return function(a, b)
      a, b = pair(a, b)
      return call("binary", builder, as(a), as(b))
    end
  end,
}

for _, op in ipairs(from_table) do
  if not ops[op.name] then
    ops[op.name] = makers[op.operands](op.builder, op.integer and number or floating)
  end
end

-- ---- choice -----------------------------------------------------------------------------------------------

--- Takes elements of a where the condition is true, of b elsewhere. Where the true elements lie is another question:
--- `pod.boolean_mask(pod.arange(n), mask)` has their places, of values that are known.
---@example pod.where({ true, false }, { 1, 2 }, { 3, 4 }) --> { 1, 4 }
function ops.where(condition, a, b)
  if a == nil or b == nil then
    errors.raise("where needs (condition, a, b); places of what is true have no static shape. Outside of steps: "
      .. "pod.boolean_mask(pod.arange(n), mask); within: multiply by the mask, x * pod.cast(mask, x.dtype)")
  end
  a, b = pair(a, b)
  return call("select", boolean(condition), a, b)
end

--- Limits x to low .. high.
---@example pod.clip({ -1, 0.5, 2 }, 0, 1) --> { 0, 0.5, 1 }
function ops.clip(x, low, high)
  x = convert(x)
  local function bound(value)
    return ops.broadcast_to(cast(convert(value, is_plain(value) and x.dtype or nil), x.dtype),
      x.shape)
  end
  return trace.apply("clamp", { bound(low), x, bound(high) })
end

--- Whether a and b are equal within atol + rtol * |b|: a boolean, read at once.
---@param options.rtol number how much of `|b|` they may differ by
---@param options.atol number and by how much besides
---@example pod.allclose({ 1 }, { 1.000001 }) --> true
function ops.allclose(a, b, options)
  options = errors.check_options(options, { rtol = "number", atol = "number" }, "allclose")
  a, b = pair(a, b)
  a, b = floating(a), floating(b)
  local limit = ops.abs(b) * (options.rtol or 1e-5) + (options.atol or 1e-8)
  local near = ops.logical_or(ops.less_equal(ops.abs(a - b), limit), ops.equal(a, b))
  return ops.all(near):item()
end

return ops
