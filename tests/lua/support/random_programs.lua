-- Random programs over pod's operations, run eagerly with each value read at once, eagerly with values read at the
-- end, and inside pod.func: the same bits (0 and -0 are one, so are NaNs). Without 16-bit floats: what is fused may
-- keep more bits of them than what is stored. And as functions of rows, which batch_buckets fill up or refuse.
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

local function random_input(random, shape)
  local count, values = 1, {}
  for _, size in ipairs(shape) do
    count = count * size
  end
  for j = 1, count do
    values[j] = (random(2001) - 1001) / 250
  end
  local input = pod.reshape(pod.tensor(values), shape)
  input:data()
  return input
end

local function random_steps(random)
  local steps = {}
  for i = 1, random(8) + 2 do
    steps[i] = { kind = random(10), a = random(64), b = random(64), op = random(64), n = random(64) }
  end
  return steps
end

-- Runs one program; returns nil, or what differs.
function programs.check(seed)
  local random = numbers_from(seed)
  local inputs = {}
  for i = 1, 3 do
    inputs[i] = random_input(random, SHAPES[random(#SHAPES)])
  end
  local steps = random_steps(random)
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

-- ---- functions of rows --------------------------------------------------------------------------------------------

local ROW_SHAPES = { { -1 }, { -1, 3 }, { -1, 1 }, { -1, 3, 3 }, { -1, 4 } }
local BUCKETS = { "powers_of_two", "multiples_of_eight", { 3, 6, 12 }, { 16 } }

-- The inputs of a program for so many rows; the third is not of rows.
local function row_inputs(random, shapes, rows)
  local inputs = {}
  for i, shape in ipairs(shapes) do
    local dims = { unpack(shape) }
    dims[1] = rows
    inputs[i] = random_input(random, dims)
  end
  return inputs
end

-- The result of number `which` of the steps as function of rows, filled up: nil where it is right or refused, else what
-- differs. counts: how many calls were { run =, refused = }.
local function check_rows(random, steps, which, counts)
  local shapes = { ROW_SHAPES[random(#ROW_SHAPES)], ROW_SHAPES[random(#ROW_SHAPES)] }
  local weights = random_input(random, { 3 })
  local function one(a, b)
    return (select(which, run(steps, { a, b, weights })))
  end
  local fn = pod.func(one, { input_signature = { pod.spec(shapes[1]), pod.spec(shapes[2]) },
    batch_buckets = BUCKETS[random(#BUCKETS)] })
  for _ = 1, 3 do
    local inputs = row_inputs(random, shapes, random(12))
    local expected = one(unpack(inputs))
    local ok, found = pcall(fn, unpack(inputs))
    if ok and not (found == nil and expected == nil or found and is_same(expected, found)) then
      return ("%d rows: %s"):format(inputs[1].shape[1], tostring(expected and expected.shape))
    elseif not (ok or tostring(found):find("bucket", 1, true)) then
      return tostring(found)
    end
    if not ok then
      counts.refused = counts.refused + 1
    elseif expected then
      counts.run = counts.run + 1
    end
  end
end

-- Runs the results of one program as functions of rows; the steps of what differs are made as few as they get. Returns
-- nil, or what differs.
function programs.check_buckets(seed, counts)
  local steps = random_steps(numbers_from(seed))
  for which = 1, #steps + 1 do
    local function wrong(some)
      return check_rows(numbers_from(seed + which), some, which, counts)
    end
    local difference = wrong(steps)
    local i = difference and #steps or 0
    while i > 0 do
      local fewer = { unpack(steps) }
      table.remove(fewer, i)
      local still = wrong(fewer)
      steps, difference = still and fewer or steps, still or difference
      i = i - 1
    end
    if difference then
      return ("program of seed %d, %d steps are left: result %d differs in batch_buckets, %s"):format(seed, #steps,
        which, difference)
    end
  end
end

if arg and arg[0] and arg[0]:find "random_programs%.lua$" then
  local count, seed = tonumber(arg[1] or 1000), tonumber(arg[2] or 1)
  local different, counts = 0, { run = 0, refused = 0 }
  for i = 0, count - 1 do
    local difference = programs.check(seed + i) or programs.check_buckets(seed + i, counts)
    if difference then
      different = different + 1
      print(difference)
    end
  end
  print(("%d programs, %d differ; in buckets: %d calls run, %d refused"):format(count, different, counts.run,
    counts.refused))
end

return programs
