-- hash_numbers - the buckets of whole numbers, in operations on tensors: those that their decimal digits as a text fall
-- in (core/formats/text_bucket.c, which is for texts); and the buckets of several columns together.
--
-- A text of a 64-bit number has 1 to 20 characters. They stand in three words, the first character in the lowest byte.

local ops = require "moonpod.ops"
local tensor = require "moonpod.tensor"

local hash_numbers = {}

local bit_and, bit_xor, left, right = ops.bitwise_and, ops.bitwise_xor, ops.left_shift, ops.right_shift

-- 2^32 * high + low: numbers of Lua 5.1 hold 53 bits.
local function word(high, low)
  return left(tensor.new(high, { dtype = "uint64" }), 32) + tensor.new(low, { dtype = "uint64" })
end

local function power_of_ten(exponent)
  local low = math.min(exponent, 10)
  return tensor.new(10 ^ low, { dtype = "uint64" }) * tensor.new(10 ^ (exponent - low), { dtype = "uint64" })
end

local function rotate_right(x, by)
  return bit_xor(right(x, by), left(x, 64 - by))
end

local function truth(condition)
  return ops.cast(condition, "uint64")
end

-- ---- digits ---------------------------------------------------------------------------------------------------------

-- The characters of numbers (int64) in three words, with zeros behind them, and how many they are.
local function characters(x)
  local negative = ops.less(x, 0)
  local size = ops.cast(x, "uint64")
  size = ops.where(negative, ops.zeros_like(size) - size, size)
  local count = ops.ones_like(size)
  for exponent = 1, 18 do
    count = count + truth(ops.greater_equal(size, power_of_ten(exponent)))
  end
  -- with its first digit at the place of 10^18
  local power, scale = ops.ones_like(size) * 19 - count, ops.ones_like(size)
  for bit = 0, 4 do
    local is_set = ops.equal(bit_and(right(power, bit), 1), 1)
    scale = ops.where(is_set, scale * power_of_ten(2 ^ bit), scale)
  end
  size = size * scale
  local words = { ops.zeros_like(size), ops.zeros_like(size), ops.zeros_like(size) }
  for i = 0, 18 do
    local digit = ops.floor_divide(size, power_of_ten(18 - i))
    size = size - digit * power_of_ten(18 - i)
    local byte = ops.where(ops.less(ops.zeros_like(count) + i, count), digit + 48, ops.zeros_like(digit))
    local at = math.floor(i / 8) + 1
    words[at] = words[at] + left(byte, i % 8 * 8)
  end
  local MINUS = 45
  local moved = { left(words[1], 8) + MINUS, left(words[2], 8) + right(words[1], 56),
    left(words[3], 8) + right(words[2], 56) }
  for i = 1, 3 do
    words[i] = ops.where(negative, moved[i], words[i])
  end
  return words, count + truth(negative)
end

-- ---- FarmHash -------------------------------------------------------------------------------------------------------

local function mix_shifted(x)
  return bit_xor(x, right(x, 47))
end

local function mix_pair(u, v, factor)
  local a = mix_shifted(bit_xor(u, v) * factor)
  return mix_shifted(bit_xor(v, a) * factor) * factor
end

-- Eight characters from `offset` on, of two words that stand one behind the other; offset from 0 to 8.
local function eight_from(first, second, offset)
  local bits = offset * 8
  return bit_xor(right(first, bits), left(second, ops.ones_like(bits) * 64 - bits))
end

local function farm(words, count)
  local k0, k1, k2 = word(0xc3a5c85c, 0x97cb3127), word(0xb492b66f, 0xbe98f273), word(0x9ae16a3b, 0x2f90404f)
  local low = word(0, 0xffffffff)
  local factor = count * 2 + k2
  local first = words[1]
  -- up to 3 characters
  local function character(at)
    return bit_and(right(first, at * 8), 255)
  end
  local y = character(ops.zeros_like(count)) + left(character(right(count, 1)), 8)
  local z = count + left(character(count - 1), 2)
  local to_3 = mix_shifted(bit_xor(y * k2, z * k0)) * k2
  -- up to 7
  local four = bit_and(right(first, (count - 4) * 8), low)
  local to_7 = mix_pair(count + left(bit_and(first, low), 3), four, factor)
  -- up to 16
  local a, b = first + k2, eight_from(first, words[2], count - 8)
  local to_16 = mix_pair(rotate_right(b, 37) * factor + a, (rotate_right(a, 25) + b) * factor, factor)
  -- up to 20
  a, b = first * k1, words[2]
  local c = eight_from(words[2], words[3], count - 16) * factor
  local d = eight_from(first, words[2], count - 16) * k2
  local to_20 = mix_pair(rotate_right(a + b, 43) + rotate_right(c, 30) + d, a + rotate_right(b + k2, 18) + c, factor)
  return ops.where(ops.less(count, 4), to_3, ops.where(ops.less(count, 8), to_7,
    ops.where(ops.less_equal(count, 16), to_16, to_20)))
end

-- ---- SipHash --------------------------------------------------------------------------------------------------------

local function sip_round(v)
  local a, b, c, d = v[1] + v[2], v[2], v[3] + v[4], v[4]
  b, d = bit_xor(rotate_right(b, 51), a), bit_xor(rotate_right(d, 48), c)
  a = rotate_right(a, 32) + d
  c = c + b
  d, b = bit_xor(rotate_right(d, 43), a), bit_xor(rotate_right(b, 47), c)
  return { a, b, rotate_right(c, 32), d }
end

local function sip(words, count, key)
  local function begun(number, high, low)
    return ops.zeros_like(count) + bit_xor(tensor.new(number, { dtype = "uint64" }), word(high, low))
  end
  local v = { begun(key[1], 0x736f6d65, 0x70736575), begun(key[2], 0x646f7261, 0x6e646f6d),
    begun(key[1], 0x6c796765, 0x6e657261), begun(key[2], 0x74656462, 0x79746573) }
  for i, each in ipairs(words) do
    local is_last = ops.less(count, ops.zeros_like(count) + i * 8)
    local is_there = ops.greater_equal(count, ops.zeros_like(count) + (i - 1) * 8)
    each = ops.where(is_last, each + left(count, 56), each)
    local mixed = sip_round(sip_round { v[1], v[2], v[3], bit_xor(v[4], each) })
    mixed[1] = bit_xor(mixed[1], each)
    for j = 1, 4 do
      v[j] = ops.where(is_there, mixed[j], v[j])
    end
  end
  v[3] = bit_xor(v[3], 255)
  for _ = 1, 4 do
    v = sip_round(v)
  end
  return bit_xor(bit_xor(v[1], v[2]), bit_xor(v[3], v[4]))
end

-- Which of `count` buckets each whole number falls in, from 0: int64. key: two numbers, or nil.
function hash_numbers.buckets(x, count, key)
  local words, size = characters(ops.cast(x, "int64"))
  local hash = key and sip(words, size, key) or farm(words, size)
  local whole = ops.floor_divide(hash, count)
  return ops.cast(hash - whole * count, "int64")
end

-- ---- crossing -------------------------------------------------------------------------------------------------------

-- Numbers (int64) of their high and their low halves.
function hash_numbers.whole(high, low)
  return ops.cast(bit_xor(left(ops.cast(high, "uint64"), 32), ops.cast(low, "uint64")), "int64")
end

-- The hash of two hashes (FingerprintCat64 of TensorFlow).
local function joined(a, b)
  local factor = word(0xc6a4a793, 0x5bd1e995)
  local mixed = bit_xor(bit_xor(a, factor), mix_shifted(b * factor) * factor) * factor
  return mix_shifted(mix_shifted(mixed) * factor)
end

-- Which of `count` buckets each row of hashes (uint64 tensors of one shape, a column each) falls in, from 0: int64.
function hash_numbers.cross(columns, count)
  local hash = word(0xDE, 0xCAFCAFFE)
  for _, column in ipairs(columns) do
    hash = joined(hash, column)
  end
  local whole = ops.floor_divide(hash, count)
  return ops.cast(hash - whole * count, "int64")
end

return hash_numbers
