-- from_table - which ops of the core's table are functions of tensors as they stand: those that compute each element
-- from one or two numbers at its place. An op that is new there is a function of tensors by its row.

local device = require "moonpod.tensor.device"

-- What they are called here where that is not the core's name.
local NAMES = { logistic = "sigmoid", negate = "negative" }

---@name pod.abs
--- The absolute value of each element.
---@param x tensor
---@return tensor
---@example pod.abs { -1, 2 } --> { 1, 2 }

---@name pod.negative
--- Each element with the other sign; also `-x`.
---@param x tensor
---@return tensor
---@example pod.negative { -1, 2 } --> { 1, -2 }

---@name pod.sign
--- -1, 0 or 1: the sign of each element.
---@param x tensor
---@return tensor
---@example pod.sign { -3, 0, 2 } --> { -1, 0, 1 }

---@name pod.exp
--- e to the power of each element.
---@param x tensor
---@return tensor
---@example pod.exp { 0 } --> { 1 }

---@name pod.expm1
--- `exp(x) - 1`, exact near 0.
---@param x tensor
---@return tensor
---@example pod.expm1 { 0 } --> { 0 }

---@name pod.log
--- The natural logarithm of each element; NaN below 0.
---@param x tensor
---@return tensor
---@example pod.log { 1 } --> { 0 }

---@name pod.log1p
--- `log(1 + x)`, exact near 0.
---@param x tensor
---@return tensor
---@example pod.log1p { 0 } --> { 0 }

---@name pod.sqrt
--- The square root of each element; NaN below 0.
---@param x tensor
---@return tensor
---@example pod.sqrt { 4, 9 } --> { 2, 3 }

---@name pod.rsqrt
--- 1 over the square root of each element.
---@param x tensor
---@return tensor
---@example pod.rsqrt { 4 } --> { 0.5 }

---@name pod.sin
--- The sine of each element, an angle in radians.
---@param x tensor
---@return tensor
---@example pod.sin { 0 } --> { 0 }

---@name pod.cos
--- The cosine of each element, an angle in radians.
---@param x tensor
---@return tensor
---@example pod.cos { 0 } --> { 1 }

---@name pod.tan
--- The tangent of each element, an angle in radians.
---@param x tensor
---@return tensor
---@example pod.tan { 0 } --> { 0 }

---@name pod.tanh
--- The hyperbolic tangent of each element.
---@param x tensor
---@return tensor
---@example pod.tanh { 0 } --> { 0 }

---@name pod.sigmoid
--- `1 / (1 + exp(-x))` of each element.
---@param x tensor
---@return tensor
---@example pod.sigmoid { 0 } --> { 0.5 }

---@name pod.erf
--- The error function of each element.
---@param x tensor
---@return tensor
---@example pod.erf { 0 } --> { 0 }

---@name pod.erf_inv
--- The inverse of the error function, of elements from -1 to 1.
---@param x tensor
---@return tensor
---@example pod.erf_inv { 0 } --> { 0 }

---@name pod.add
--- The sum of each pair of elements; also `a + b`. Shapes broadcast.
---@param a tensor
---@param b tensor
---@return tensor
---@example pod.add({ 1, 2 }, { 3, 4 }) --> { 4, 6 }

---@name pod.subtract
--- The difference of each pair of elements; also `a - b`. Shapes broadcast.
---@param a tensor
---@param b tensor
---@return tensor
---@example pod.subtract({ 3, 4 }, 1) --> { 2, 3 }

---@name pod.multiply
--- The product of each pair of elements; also `a * b`. Shapes broadcast.
---@param a tensor
---@param b tensor
---@return tensor
---@example pod.multiply({ 1, 2 }, { 3, 4 }) --> { 3, 8 }

---@name pod.maximum
--- The larger of each pair of elements. Shapes broadcast.
---@param a tensor
---@param b tensor
---@return tensor
---@example pod.maximum({ 1, 4 }, 2) --> { 2, 4 }

---@name pod.minimum
--- The smaller of each pair of elements. Shapes broadcast.
---@param a tensor
---@param b tensor
---@return tensor
---@example pod.minimum({ 1, 4 }, 2) --> { 1, 2 }

---@name pod.remainder
--- The remainder of a division, with the sign of the first, as C's `fmod`; `mod` has the divisor's sign.
---@param a tensor
---@param b tensor
---@return tensor
---@example pod.remainder({ -5 }, 3) --> { -2 }

---@name pod.atan2
--- The angle of the point `(b, a)`, -pi to pi.
---@param a tensor
---@param b tensor
---@return tensor
---@example pod.atan2({ 0 }, { 1 }) --> { 0 }

-- An array of { name = , builder = (the core's name), operands = 1 or 2, integer = whether it takes integers, too }.
local list = {}
for _, op in ipairs(device.core.ops()) do
  if (op.operands == 1 or op.operands == 2) and op.float and not op.bool then
    list[#list + 1] = { name = NAMES[op.name] or op.name, builder = op.name, operands = op.operands,
      integer = op.integer }
  end
end

return list
