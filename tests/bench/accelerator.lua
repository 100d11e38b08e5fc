-- What a plugin of PJRT costs beside its programs: `accelerator.lua PLUGIN [SECONDS]` prints one JSON line.
--
--   call_us      a call of a program of one addition, until its result is there
--   device_ms    what a step of W1 waits for the device where 8 are an execution, so that nothing is read meanwhile
--   infeed_ms    and what it takes besides: batches are taken, laid together and sent
--   beside_ms    a step of the same loops of 8 where 64 are an execution, so that the next 8 are read meanwhile
--
-- The three are medians of epochs in turn.

local pod = require "moonpod"
local core = require "moonpod.core"
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local models = require "models"
local tools = require "tools"

local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve { pjrt = arg[1] })
local seconds = tonumber(arg[2]) or 3

-- Microseconds of a call, the median of many.
local function time_calls()
  local add = pod.func(function(x) return x + 1 end)
  local value, times = pod.tensor(0.0), {}
  local stop = core.clock() + seconds
  while #times < 100 or core.clock() < stop do
    local started = core.clock()
    value = add(value)
    times[#times + 1] = (core.clock() - started) * 1e6
  end
  assert(value:item() == #times)
  return tools.median(times)
end

local STEPS = 128 -- of an epoch

-- A model whose epochs are of so many steps an execution.
local function trainer(steps)
  local work = models.w1
  work.steps = steps
  pod.random.set_seed(tools.SEED)
  local model = models.compile_on(strategy, "w1", "fp32")
  local data = models.data("w1"):repeat_():batch(work.batch):prefetch(4)
  return function()
    local started = core.clock()
    model:fit(data, { steps_per_epoch = STEPS, verbose = 0 })
    return (core.clock() - started) * 1e3 / STEPS
  end
end

-- Milliseconds a step that an epoch waits for the device, and those that it does not.
local function parts_of(epoch)
  pod.profiler.start()
  local step, device = epoch(), 0
  for _, program in ipairs(pod.profiler.stop().recording.programs) do
    for _, one in ipairs(program) do
      device = device + (one.kind == "device" and one.seconds or 0) * 1e3 / STEPS
    end
  end
  return device, step - device
end

local call = strategy:scope(time_calls)
local apart, beside = trainer(8), trainer(64)
local device_times, infeed_times, beside_times = {}, {}, {}
apart()
beside()
local stop = core.clock() + 2 * seconds
repeat
  local at = #beside_times + 1
  device_times[at], infeed_times[at] = parts_of(apart)
  beside_times[at] = beside()
until at >= 3 and core.clock() > stop
print(('{"call_us": %.2f, "device_ms": %.4f, "infeed_ms": %.4f, "beside_ms": %.4f}'):format(call,
  tools.median(device_times), tools.median(infeed_times), tools.median(beside_times)))
