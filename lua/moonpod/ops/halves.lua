-- halves - floats of 16 bits where functions have several ops. What is rounded after each has no digits to spare, and
-- float16 may overflow in between. So they are computed as float32, and the result is rounded once, as that of one op.

local trace = require "moonpod.tensor.trace"

local call = trace.call

local halves = {}

local HALVES = { float16 = true, bfloat16 = true }

-- The type that a type is computed in: float32 for one of 16 bits.
function halves.wide(dtype)
  return HALVES[dtype] and "float32" or dtype
end

-- fn(x, ...) of a floating tensor, which is float32 for one of 16 bits; the result is of x's type. A second tensor of
-- that type (`y`) is converted with it.
function halves.in_float32(fn, x, y, ...)
  local dtype = x.dtype
  if not HALVES[dtype] then
    return fn(x, y, ...)
  end
  local other = type(y) == "table" and y.dtype == dtype and call("convert", y, "float32") or y
  return call("convert", fn(call("convert", x, "float32"), other, ...), dtype)
end

return halves
