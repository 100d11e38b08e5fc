-- float_text - floating-point numbers as NumPy writes them: in the fewest digits that no other one of their type has.

local decimal = require "moonpod.base.decimal"

local float_text = {}

local huge, floor, abs = math.huge, math.floor, math.abs

-- Of each type: bits of a mantissa, the least exponent of a normal number, digits that are always enough, the largest
-- number; up: from which power of 10 arrays and (alone) single numbers are written with an exponent.
local TYPES = {
  float16 = { bits = 11, least = -14, digits = 5, largest = 65504, up = 1e3, alone = 1e3 },
  bfloat16 = { bits = 8, least = -126, digits = 4, largest = 2 ^ 128 - 2 ^ 119, up = 1e3, alone = 1e3 },
  float32 = { bits = 24, least = -126, digits = 9, largest = 2 ^ 128 - 2 ^ 103, up = 1e6, alone = 1e6 },
  float64 = { bits = 53, least = -1022, digits = 17, largest = huge, up = 1e8, alone = 1e16 },
}

-- What is known of a type of floats, or nil for another type.
function float_text.type(dtype)
  return TYPES[dtype]
end

-- The greatest power of 2 that is at most x, as its exponent, for x > 0.
local function exponent_of(x)
  local e = floor(math.log(x) / math.log(2))
  while 2 ^ e > x do
    e = e - 1
  end
  while 2 ^ (e + 1) <= x do
    e = e + 1
  end
  return e
end

-- The number of a type that is nearest to x: of two as near the even one.
function float_text.round(x, of)
  if of.bits == 53 or x == 0 or x ~= x or abs(x) == huge then
    return x
  end
  local unit = 2 ^ (math.max(exponent_of(abs(x)), of.least) - of.bits + 1)
  local scaled = x / unit
  local low = floor(scaled)
  local rest = scaled - low
  local rounded = (rest > 0.5 or rest == 0.5 and low % 2 == 1) and low + 1 or low
  local result = rounded * unit
  return abs(result) > of.largest and (result > 0 and huge or -huge) or result
end

-- A number with so many digits behind the point, kind "e" or "f". Of two
-- texts as near it is the one with an even last digit, as the C library has it; LuaJIT takes the larger one.
local function formatted(x, count, kind)
  local text = decimal.format("%." .. count .. kind, x)
  if rawget(_G, "jit") and x == x and abs(x) < huge then
    local long = ("%." .. count + 20 .. kind):format(x)
    local head, tail, exponent = long:match("^(%-?%d+" .. (count > 0 and "%." or "") .. ("%d"):rep(count)
      .. ")%.?(%d*)(.*)$")
    if tail == "5" .. ("0"):rep(19) and tonumber(head:sub(-1)) % 2 == 0 then
      return head .. exponent
    end
  end
  return text
end

-- The text of a number > 0 with so many digits, "d.ddde-05".
local function with_digits(x, digits)
  return formatted(x, digits - 1, "e")
end

-- For powers of 2, whose lower neighbour is nearer than the upper one: the next text of as many digits above.
local function text_above(text, digits)
  local exponent = tonumber(text:match "e(.*)$")
  return with_digits(decimal.read(text) + 10 ^ (exponent - digits + 1), digits)
end

-- The fewest digits of a finite number > 0 of a type, and its exponent of 10: "15", -2 is 1.5e-2.
function float_text.shortest(x, of)
  local is_power = x == 2 ^ exponent_of(x)
  for digits = 1, of.digits do
    local text = with_digits(x, digits)
    if float_text.round(decimal.read(text), of) ~= x and is_power then
      text = text_above(text, digits)
    end
    if digits == of.digits or float_text.round(decimal.read(text), of) == x then
      local mantissa, exponent = text:match "^([%d.]+)e(.*)$"
      mantissa = mantissa:gsub("%.", ""):gsub("0+$", "")
      return mantissa, tonumber(exponent)
    end
  end
end

-- The digits of a number, rounded to `most` behind the point of its text with an exponent, or nil for all.
local function scientific_parts(x, of, most)
  local digits, exponent = float_text.shortest(x, of)
  if most and #digits - 1 > most then
    local text = with_digits(x, most + 1)
    digits, exponent = text:match "^(.*)e", tonumber(text:match "e(.*)$")
    digits = digits:gsub("%.", ""):gsub("0+$", "")
  end
  return digits, exponent
end

-- A number with an exponent, as its parts before the point, behind it, and of the exponent: "-1", "5", "-05".
function float_text.scientific(x, of, most)
  local sign = (x < 0 or x == 0 and 1 / x < 0) and "-" or ""
  if x == 0 then
    return sign .. "0", "", "+00"
  end
  local digits, exponent = scientific_parts(abs(x), of, most)
  return sign .. digits:sub(1, 1), digits:sub(2), ("%s%02d"):format(exponent < 0 and "-" or "+", abs(exponent))
end

-- A number with an exponent and exactly so many digits behind the point, in the same parts.
function float_text.fixed_digits(x, count)
  local text = formatted(x, count, "e")
  return text:match "^(%-?%d)%.?(%d*)e(.*)$"
end

-- A number without one, as its parts before the point and behind it, at most so many digits there.
function float_text.positional(x, of, most)
  local sign = (x < 0 or x == 0 and 1 / x < 0) and "-" or ""
  if x == 0 then
    return sign .. "0", ""
  end
  local digits, exponent = float_text.shortest(abs(x), of)
  if most and #digits - 1 - exponent > most then
    local text = formatted(abs(x), most, "f")
    local whole, fraction = text:match "^(%d+)%.?(%d*)$"
    return sign .. whole, (fraction:gsub("0+$", ""))
  elseif exponent < 0 then
    return sign .. "0", ("0"):rep(-exponent - 1) .. digits
  elseif #digits <= exponent + 1 then
    return sign .. digits .. ("0"):rep(exponent + 1 - #digits), ""
  end
  return sign .. digits:sub(1, exponent + 1), digits:sub(exponent + 2)
end

-- What is no number has a word of its own, the same on every machine; nil for finite numbers.
function float_text.special(x)
  if x ~= x then
    return "nan"
  elseif abs(x) == huge then
    return x > 0 and "inf" or "-inf"
  end
end

-- One number alone, as NumPy writes a scalar: "8.0", "0.1", "1e-05", "nan".
function float_text.alone(x, dtype)
  local of = TYPES[dtype]
  local word = float_text.special(x)
  if word then
    return word
  elseif x ~= 0 and (abs(x) >= of.alone or abs(x) < 1e-4) then
    local whole, fraction, exponent = float_text.scientific(x, of)
    return whole .. (fraction ~= "" and "." .. fraction or "") .. "e" .. exponent
  end
  local whole, fraction = float_text.positional(x, of)
  return whole .. "." .. (fraction ~= "" and fraction or "0")
end

return float_text
