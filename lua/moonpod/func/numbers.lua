-- numbers - numbers that are arguments of a program (reduce_retracing): one program serves all of a kind, and computes
-- what the number itself would give, in type, digits and errors.
--
-- While a function is traced such an argument is an object in the place of the number: a scalar of int64 or float64,
-- which holds each number exactly, and the bounds of its kind. With a tensor it has the type that a number would have;
-- with numbers it computes as Lua does. What has to know more of it raises: the function is then traced by value.

local concretes = require "moonpod.func.concretes"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local lint = require "moonpod.base.lint"
local ops = require "moonpod.ops"
local signatures = require "moonpod.func.signatures"
local tensor = require "moonpod.tensor"

local numbers = {}

local Number = tensor.Number
local INFINITE = math.huge
local unpack = table.unpack or unpack -- luacheck: ignore

-- What integer types hold, and from where on floats round to infinity, which a number refuses.
local RANGES = { int8 = { -2 ^ 7, 2 ^ 7 - 1 }, uint8 = { 0, 2 ^ 8 - 1 }, int16 = { -2 ^ 15, 2 ^ 15 - 1 },
  uint16 = { 0, 2 ^ 16 - 1 }, int32 = { -2 ^ 31, 2 ^ 31 - 1 }, uint32 = { 0, 2 ^ 32 - 1 }, int64 = { -2 ^ 63, 2 ^ 63 },
  uint64 = { 0, 2 ^ 63 }, float16 = { -65519, 65519 }, bfloat16 = { -3e38, 3e38 }, float32 = { -3e38, 3e38 },
  float64 = { -INFINITE, INFINITE } }

local function is_integer(value)
  return decimal.type(value) == "integer"
end

-- An object of a scalar and what is known of it: its bounds, and whether it is whole (nil: not known, and
-- to ask raises).
local function new(scalar, low, high, is_whole)
  return setmetatable({ tensor = scalar, low = low, high = high, is_whole = is_whole }, Number)
end

local function exact(value)
  return tensor.convert(value, is_integer(value) and "int64" or "float64")
end

-- Whether bounds are those of NaN or of one infinity, which all floats have.
local function is_infinite(low, high)
  return low ~= low or low == high and math.abs(low) == INFINITE
end

-- The bounds of the kind that a number belongs to.
local function bounds_of(value, is_whole)
  if is_infinite(value, value) then
    return value, value
  elseif not is_whole then
    local limit = math.abs(value) <= 65519 and 65519 or math.abs(value) <= 3e38 and 3e38 or INFINITE
    return -limit, limit
  end
  for _, bits in ipairs { 7, 8, 15, 16, 31, 32, 63 } do
    if value >= 0 and value < 2 ^ bits then
      return 0, 2 ^ bits - (bits < 63 and 1 or 0)
    elseif value < 0 and bits % 8 == 7 and value >= -2 ^ bits then
      return -2 ^ bits, -1
    end
  end
  return -INFINITE, INFINITE
end

-- A number for a call: of a kind of its own, or (is_general) where that may do of one for all that are not huge.
function numbers.new(value, is_general)
  local is_whole, kind = value == math.floor(value), "integer"
  local low, high = bounds_of(value, is_whole)
  if is_general and math.abs(value) <= (is_integer(value) and 2 ^ 53 or 1e30) then
    high = is_integer(value) and 2 ^ 53 or 1e30
    low, is_whole = -high, is_integer(value) or nil
  end
  if not is_integer(value) then
    kind = is_whole and "whole number" or "number"
  end
  local number = new(exact(value), low, high, is_whole)
  number.text = decimal.format("%s from %.17g to %.17g", kind, low, high) -- of its kind, in signatures
  return number
end

-- The same kind of number as the parameter of a trace.
function Number.with_tensor(number, parameter)
  return new(parameter, number.low, number.high, rawget(number, "is_whole"))
end

-- Raised where a number has to be known: see Func.
local function need()
  errors.raise("the value of a number is not known while a function with reduce_retracing is traced")
end

Number.need = need

-- As a tensor; without a dtype, as of any number, of float32.
function Number.__as_tensor(number, dtype)
  dtype = ops.dtype(dtype or "float32")
  local low, high, range = number.low, number.high, RANGES[dtype]
  local is_float = ops.is_float(dtype)
  if not (is_float and is_infinite(low, high)) and not (range and low >= range[1] and high <= range[2])
    or not (is_float or rawget(number, "is_whole")) then
    need()
  end
  return ops.cast(is_float and ops.cast(number.tensor, "float64") or number.tensor, dtype)
end

-- ---- arithmetic as Lua's --------------------------------------------------------------------------------------------

local function is_plain(value)
  return type(value) == "number" or getmetatable(value) == Number
end

local function as_number(value)
  return type(value) == "number" and new(exact(value), value, value, value == math.floor(value)) or value
end

local bounds = {
  add = function(a, b)
    return a.low + b.low, a.high + b.high
  end,
  subtract = function(a, b)
    return a.low - b.high, a.high - b.low
  end,
  multiply = function(a, b)
    local w, x, y, z = a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high
    return math.min(w, x, y, z), math.max(w, x, y, z)
  end,
}

local function compute(name, a, b)
  a, b = as_number(a), as_number(b)
  local x, y = a.tensor, b.tensor
  local low, high = bounds[name](a, b)
  if x.dtype == "int64" and y.dtype == "int64" and not (low >= -2 ^ 62 and high <= 2 ^ 62) then
    need() -- it may wrap
  elseif x.dtype ~= y.dtype then
    x, y = ops.cast(x, "float64"), ops.cast(y, "float64")
  end
  return new(ops[name](x, y), low, high, rawget(a, "is_whole") and rawget(b, "is_whole") or nil)
end

for key, name in pairs { __add = "add", __sub = "subtract", __mul = "multiply", __div = "divide", __mod = "mod",
  __pow = "power", __idiv = "floor_divide" } do
  Number[key] = function(a, b)
    if not (is_plain(a) and is_plain(b)) then
      return ops[name](a, b)
    end
    return (bounds[name] and compute or need)(name, a, b)
  end
end

function Number.__unm(a)
  return new(ops.negative(a.tensor), -a.high, -a.low, rawget(a, "is_whole"))
end

for _, key in ipairs { "__lt", "__le", "__index", "__len", "__tostring", "__concat", "__call", "__pairs", "__eq" } do
  Number[key] = need
end

-- ---- calls ----------------------------------------------------------------------------------------------------------

-- The skeleton and leaves of a call in which numbers that differ from those of the trace before are arguments, so that
-- one program serves all of a kind; a function that needs to know one is traced by value as before. concrete_for(self,
-- skeleton, leaves) traces.
function numbers.as_arguments(self, concrete_for, skeleton, leaves)
  local before = self.list[#self.list]
  local changed, general = signatures.changed_numbers(skeleton, before and before.parts, self.general)
  if #changed == 0 then
    return skeleton, leaves
  end
  local ok, given, more
  for attempt = self.number_kinds, 2 do
    more = { unpack(leaves) }
    given = signatures.with_leaves(skeleton, changed, function(value)
      more[#more + 1] = numbers.new(value, attempt == 1)
      return #more
    end)
    given.count = skeleton.count
    if self.decides == nil then
      self.decides = #lint.check(self.fn, signatures.tensors_among(given, more, concretes.tensor_of)) > 0
    end
    ok = not self.decides and errors.attempt(concrete_for, self, given, more)
    if ok then
      self.number_kinds = attempt
      break
    end
  end
  for path in pairs(general) do
    self.general[path] = ok
  end
  if not ok then
    return skeleton, leaves
  end
  return given, more
end

return numbers
