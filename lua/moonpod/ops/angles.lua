-- The functions of angles, and the hyperbolic ones, that are made of others.

local in_float32 = require("moonpod.ops.halves").in_float32
local ops = require "moonpod.ops.elementwise"

local floating = ops.floating

local LIMIT = 64

-- Near 0 as the difference or sum of two exponentials; far from it as half of the greater one, in two factors, of which
-- neither leaves the range of its type where the product does not. No slope is NaN where the other one counts.
local function of_exponentials(x, near, far)
  local a = ops.abs(x)
  local root = ops.exp(a * 0.5)
  return ops.where(ops.less(a, LIMIT), near(ops.clip(x, -LIMIT, LIMIT)), far(x, root * 0.5 * root))
end

local function sinh_near(x)
  return (ops.expm1(x) - ops.expm1(-x)) * 0.5 -- exp(x) - exp(-x) has no digits left near 0
end

--- The hyperbolic sine.
---@example pod.sinh { 0 } --> { 0 }
function ops.sinh(x)
  return in_float32(function(y)
    return of_exponentials(y, sinh_near, function(_, half)
      return ops.sign(y) * half
    end)
  end, floating(x))
end

--- The hyperbolic cosine.
---@example pod.cosh { 0 } --> { 1 }
function ops.cosh(x)
  return in_float32(function(y)
    return of_exponentials(y, function(c)
      return ops.square(sinh_near(c * 0.5)) * 2 + 1 -- its slope keeps its digits near 0, too
    end, function(_, half)
      return half
    end)
  end, floating(x))
end

--- The angle of this tangent, -pi/2 to pi/2.
---@example pod.atan { 0 } --> { 0 }
function ops.atan(x)
  return ops.atan2(floating(x), 1)
end

-- sqrt(1 - x^2), with all its digits where x is near 1
local function other_leg(x)
  return ops.sqrt((1 - x) * (1 + x))
end

--- The angle of this sine, -pi/2 to pi/2.
---@example pod.asin { 0 } --> { 0 }
function ops.asin(x)
  return in_float32(function(y)
    return ops.atan2(y, other_leg(y) + 1) * 2
  end, floating(x))
end

--- The angle of this cosine, 0 to pi.
---@example pod.acos { 1 } --> { 0 }
function ops.acos(x)
  return in_float32(function(y)
    local is_below = ops.less(y, 0)
    local angle = ops.atan2(other_leg(y), ops.where(is_below, -y, y) + 1) * 2
    return ops.where(is_below, math.pi - angle, angle)
  end, floating(x))
end

-- near(a) where a is below the number from which on the square of a hides 1, and log(2 a) from there on. Each gets only
-- what is its own, so that no slope is NaN where the other one counts.
local function or_logarithm(a, near)
  local limit = a.dtype == "float64" and 2 ^ 28 or 2 ^ 13
  local is_near = ops.less(a, limit)
  return ops.where(is_near, near(ops.where(is_near, a, limit)), ops.log(ops.where(is_near, limit, a)) + math.log(2))
end

--- The number of this hyperbolic sine.
---@example pod.asinh { 0 } --> { 0 }
function ops.asinh(x)
  return in_float32(function(y)
    local is_below = ops.less(y, 0)
    local positive = or_logarithm(ops.where(is_below, -y, y), function(a)
      return ops.log1p(a * (a / (ops.sqrt(a * a + 1) + 1) + 1)) -- a + sqrt(a^2 + 1) - 1, with its digits near 0
    end)
    return ops.where(is_below, -positive, positive)
  end, floating(x))
end

--- The number, 0 or more, of this hyperbolic cosine; NaN below 1.
---@example pod.acosh { 1 } --> { 0 }
function ops.acosh(x)
  return in_float32(function(y)
    return or_logarithm(y, function(a)
      local above = a - 1
      return ops.log1p(above + ops.sqrt(above) * ops.sqrt(above + 2))
    end)
  end, floating(x))
end

--- The number of this hyperbolic tangent; infinite at -1 and 1, NaN beyond.
---@example pod.atanh { 0 } --> { 0 }
function ops.atanh(x)
  return in_float32(function(y)
    return (ops.log1p(y) - ops.log1p(-y)) * 0.5
  end, floating(x))
end
