-- element_random - random numbers of elements: a function of seed, pass, the element's place in it, the place of the
-- draw in the function, and the index within the draw. So they do not depend on how elements are ordered,
-- batched or divided among threads later, and differ from pass to pass.
--
-- splitmix64 (Steele, Lea, Flood 2014) applied to the sum of each and a multiple of the golden ratio.

local device = require "moonpod.tensor.device"
local ops = require "moonpod.ops"
local tensor = require "moonpod.tensor"

local element_random = {}

-- Numbers of 64 bits, as little-endian bytes: Lua 5.1 has no integers that large.
local function wide(bytes, count)
  local buffer = device.core.buffer(device.context(), bytes, "uint64", count and { count } or {})
  return tensor.from_buffer(buffer)
end

local function bytes_of(number)
  local bytes = {}
  for i = 1, 8 do
    bytes[i] = string.char(number % 256)
    number = math.floor(number / 256)
  end
  return table.concat(bytes)
end

local GOLDEN = "\21\124\74\127\185\121\55\158" -- 0x9E3779B97F4A7C15
local FIRST = "\185\229\228\28\109\71\88\191" -- 0xBF58476D1CE4E5B9
local SECOND = "\235\17\49\19\187\73\208\148" -- 0x94D049BB133111EB

local function mix(x)
  x = x + wide(GOLDEN)
  x = ops.bitwise_xor(x, ops.right_shift(x, 30)) * wide(FIRST)
  x = ops.bitwise_xor(x, ops.right_shift(x, 27)) * wide(SECOND)
  return ops.bitwise_xor(x, ops.right_shift(x, 31))
end

-- The indices 0 .. count - 1.
local function indices(count)
  local parts = {}
  for i = 1, count do
    parts[i] = bytes_of(i - 1)
  end
  return wide(table.concat(parts), count)
end

-- Makes what draws 32 random bits a number in a function of elements: bits(dims, seed or nil). `number` is the tensor
-- of two integers that a stage "number" adds to elements. `same_each_pass`: draws do not depend on the pass.
function element_random.source(number, default_seed, same_each_pass)
  local pass, place = number[1]:cast "uint64", number[2]:cast "uint64"
  local draws = 0
  return function(dims, seed)
    local count = 1
    for _, size in ipairs(dims) do
      count = count * size
    end
    draws = draws + 1
    local key = mix(wide(bytes_of(seed or default_seed)) + wide(bytes_of(draws)) * wide(GOLDEN))
    key = same_each_pass and key or mix(key + pass * wide(GOLDEN))
    key = mix(key + place * wide(GOLDEN))
    local bits = ops.right_shift(mix(key + indices(count) * wide(GOLDEN)), 32)
    return bits:cast("uint32"):reshape(dims)
  end
end

return element_random
