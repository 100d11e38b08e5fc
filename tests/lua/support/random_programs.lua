-- Random programs over pod's operations, run eagerly with each value read at once, eagerly with values read at the
-- end, and inside pod.func: the same bits (0 and -0 are one, so are NaNs). Without 16-bit floats: what is fused may
-- keep more bits of them than what is stored.
--
--   lua5.4 tests/lua/support/random_programs.lua [PROGRAMS [SEED]]

local pod = require "moonpod"

local programs = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local SHAPES = { {}, { 1 }, { 3 }, { 2, 3 }, { 3, 1 }, { 1, 3 }, { 7, 3 }, { 2, 3, 3 } }
local UNARY = { "exp", "tanh", "sigmoid", "abs", "negative", "sign", "floor", "square", "relu", "sqrt", "sin", "cos",
  "log1p", "softplus", "is_nan", "round", "erf", "rsqrt" }
local BINARY = { "add", "subtract", "multiply", "divide", "maximum", "minimum", "less", "equal", "squared_difference",
  "power", "mod", "floor_divide", "atan2" }
local ALONG = { "sum", "mean", "max", "min", "cumsum", "flip", "softmax", "sort" }
local CASTS = { "int32", "bool", "float32" }
local MOST_ELEMENTS = 5000

-- Numbers that are the same on every machine.
local function numbers_from(seed)
  local state = seed
  return function(count)
    state = (state * 1103515245 + 12345) % 2147483648
    return math.floor(state / 65536) % count + 1
  end
end

local SHAPING = {
  function(a) return a:reshape { -1 } end,
  function(a) return a:transpose() end,
  function(a, n) return pod.cast(a, CASTS[n % #CASTS + 1]) end,
  function(a) return a:expand_dims(0) end,
  function(a) return pod.tile(a, { 2, 1 }) end,
}

-- One operation of a step on two values.
local function apply(step, a, b)
  local kind, op, n = step.kind, step.op, step.n
  if kind <= 3 then
    return pod[UNARY[op % #UNARY + 1]](a)
  elseif kind <= 6 then
    return pod[BINARY[op % #BINARY + 1]](a, b)
  elseif kind == 7 then
    return #a.shape == 0 and a + 1 or pod[ALONG[op % #ALONG + 1]](a, n % #a.shape)
  elseif kind == 8 then
    return SHAPING[op % #SHAPING + 1](a, n)
  elseif kind == 9 then
    return pod.where(pod.greater(a, 0), a, b)
  end
  return pod.pad(a:reshape { -1 }, { { n % 3, op % 3 } }) * 2
end

-- Runs the steps; those that have no meaning for the types are left out, as they are each time. Returns all results.
local function run(steps, inputs, read_at_once)
  local values = { unpack(inputs) }
  for _, step in ipairs(steps) do
    local ok, value = pcall(apply, step, values[step.a % #values + 1], values[step.b % #values + 1])
    if ok and value:size() <= MOST_ELEMENTS then
      if read_at_once then
        value:data()
      end
      values[#values + 1] = value
    end
  end
  values[#values + 1] = values[1] + 0
  return unpack(values, #inputs + 1)
end

local function is_same(a, b)
  if a.dtype ~= b.dtype or a.shape ~= b.shape then
    return false
  elseif a:data() == b:data() then
    return true
  end
  return pod.all(pod.logical_or(pod.equal(a, b), pod.logical_and(pod.is_nan(a), pod.is_nan(b)))):item()
end

local function random_inputs(random)
  local inputs = {}
  for i = 1, 3 do
    local shape, count, values = SHAPES[random(#SHAPES)], 1, {}
    for _, size in ipairs(shape) do
      count = count * size
    end
    for j = 1, count do
      values[j] = (random(2001) - 1001) / 250
    end
    inputs[i] = pod.reshape(pod.tensor(values), shape)
    inputs[i]:data()
  end
  return inputs
end

-- Runs one program; returns nil, or what differs.
function programs.check(seed)
  local random = numbers_from(seed)
  local inputs, steps = random_inputs(random), {}
  for i = 1, random(8) + 2 do
    steps[i] = { kind = random(10), a = random(64), b = random(64), op = random(64), n = random(64) }
  end
  local expected = { run(steps, inputs, true) }
  local ways = {
    lazily = { run(steps, inputs) },
    ["in pod.func"] = { pod.func(function(...) return run(steps, { ... }) end)(unpack(inputs)) },
  }
  for way, found in pairs(ways) do
    for i, value in ipairs(expected) do
      if not (found[i] and is_same(value, found[i])) then
        return ("program of seed %d: result %d, %s of shape %s, differs when it is computed %s"):format(seed, i,
          value.dtype, tostring(value.shape), way)
      end
    end
  end
end

if arg and arg[0] and arg[0]:find "random_programs%.lua$" then
  local count, seed = tonumber(arg[1] or 1000), tonumber(arg[2] or 1)
  local different = 0
  for i = 0, count - 1 do
    local difference = programs.check(seed + i)
    if difference then
      different = different + 1
      print(difference)
    end
  end
  print(("%d programs, %d differ"):format(count, different))
end

return programs
