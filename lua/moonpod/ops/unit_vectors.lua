-- Vectors of length 1 along axes (default: all): what Keras calls normalize.

local ops = require "moonpod.ops"

-- x divided by its length, or by `least` where it is shorter: a zero vector stays zero, and has a gradient. What is of
-- 16 bits is squared in float32, where neither the squares of 1e-4 vanish nor those of 300 overflow. `square_sum`:
-- the sum of squares, where it is more than that of x.
local function unit_vectors(x, axis, least, square_sum)
  local wide = (x.dtype == "float16" or x.dtype == "bfloat16") and ops.cast(x, "float32") or x
  square_sum = square_sum or ops.sum(ops.square(wide), axis, { keepdims = true })
  return ops.cast(wide * ops.rsqrt(ops.maximum(square_sum, least ^ 2)), x.dtype)
end

return unit_vectors
