-- machine - what this machine takes for another form of some work: both are run, for some milliseconds, and timed. So a
-- rule of advice knows what its fix would bring before it is taken.

local device = require "moonpod.tensor.device"
local func = require "moonpod.func"
local losses = require "moonpod.losses"
local ops = require "moonpod.ops"
local tape = require "moonpod.func.tape"

local machine = {}

-- Seconds that one form is run for, and the most elements of an operand.
local SECONDS, MOST = 0.02, 4e6
local MEMORY = 2 ^ 25 -- bytes that fit few caches

-- The least time of a call of a function whose result is a number.
local function least(fn, ...)
  local clock = device.core.clock
  fn(...):item()
  local began, best = clock(), math.huge
  repeat
    local start = clock()
    fn(...):item()
    best = math.min(best, clock() - start)
  until clock() - began > SECONDS
  return best
end

local function product_seconds(rows, depth, columns, dtype)
  local fn = func.new(function(a, b)
    return ops.sum(ops.cast(ops.matmul(a, b), "float32"))
  end)
  return least(fn, ops.full({ rows, depth }, 0.5, { dtype = dtype }), ops.full({ depth, columns }, 0.5,
    { dtype = dtype }))
end

-- The rate of products [rows, depth] x [depth, columns], in operations a second.
function machine.product_rate(rows, depth, columns, dtype)
  rows, columns, depth = math.max(1, rows), math.max(1, columns), math.max(1, depth)
  while math.max(rows * depth, depth * columns, rows * columns) > MOST do
    if rows >= math.max(depth, columns) then
      rows = math.floor(rows / 2)
    elseif depth >= columns then
      depth = math.floor(depth / 2)
    else
      columns = math.floor(columns / 2)
    end
  end
  return 2 * rows * depth * columns / product_seconds(rows, depth, columns, dtype)
end

-- The least seconds, of all threads together, that the instructions of a function take which reads `bytes`.
local function reading_seconds(bytes)
  local count = math.max(64, math.floor(bytes / 8))
  local fn = func.new(function(a, b)
    return ops.sum(a * 0.5 + b)
  end)
  local a = ops.full({ count }, 0.5, { dtype = "float32" })
  local b = a + 1
  fn(a, b):item()
  local clock, program = device.core.clock, fn:concrete(a, b).program
  local began, best = clock(), math.huge
  repeat
    program:count_time(true)
    local start = clock()
    repeat
      fn(a, b):item()
    until clock() - start > SECONDS / 16
    local times, nanoseconds = program:times(), 0
    for i = 1, #times do
      nanoseconds = nanoseconds + times[i].nanoseconds
    end
    best = math.min(best, nanoseconds / times.steps * 1e-9)
  until clock() - began > SECONDS
  program:count_time(false)
  return best
end

-- Bytes a second that all threads read, of `bytes` that lie in memory (nil: as much as does) or in a cache. What is
-- fixed of an instruction shows where there are few bytes: so it is the time that the second half of them takes more,
-- where the machine is quiet enough to tell.
function machine.byte_rate(bytes)
  bytes = bytes or MEMORY
  local all, half = reading_seconds(bytes), reading_seconds(bytes / 2)
  local plain = bytes / all
  local rate = all > half and bytes / 2 / (all - half) or plain
  return math.max(plain, math.min(rate, 4 * plain)) * device.context():threads()
end

-- Seconds of a cross-entropy of `rows` rows of `classes`, as a layer's, with its gradients: of one-hot rows, and of
-- class numbers.
function machine.cross_entropy_seconds(rows, classes)
  rows = math.max(1, math.min(rows, math.floor(MOST / classes)))
  local labels = ops.cast(ops.arange(0, rows) % classes, "int32")
  local function seconds(loss, one_hot)
    local fn = func.new(function(x, bias, given)
      local record = tape.new()
      record:watch(bias)
      local logits = x + bias
      local value = loss(one_hot and ops.one_hot(given, classes) or given, logits)
      record:stop()
      return value, record:gradient(value, { logits, bias })
    end)
    return least(fn, ops.full({ rows, classes }, 0.5, { dtype = "float32" }), ops.zeros({ classes }, "float32"), labels)
  end
  return seconds(losses.categorical_crossentropy { from_logits = true }, true),
    seconds(losses.sparse_categorical_crossentropy { from_logits = true }, false)
end

return machine
