-- One workload: `workloads.lua NAME PRECISION REPLICAS [SECONDS [times]]` trains with rows shuffled and gathered for
-- each batch, or predicts, and prints one JSON line: median milliseconds of a step, samples a second, peak memory. With
-- `times` a line for each instruction of the step follows: kind, name, nanoseconds a step on all threads, operations,
-- bytes. The models are those of models.lua. The images' bytes stand for w4's characters.

local pod = require "moonpod"
local core = require "moonpod.core"
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local characters = require "characters"
local models = require "models"
local tools = require "tools"

local name, precision, replicas, seconds = arg[1], arg[2], tonumber(arg[3]), tonumber(arg[4] or 5)
local counted = arg[5] == "times"

local function images(work)
  local train = pod.datasets.fashion_mnist { shape = work.shape }
  return work.own and train:map(function(image) return image, image end) or train
end

local work = models[name]
pod.device.context():set_threads(2)
local model = models.compile(name, precision, replicas)

-- The first three executions compile and touch memory; then they are timed until the time is over.
local times, started, stop = {}, nil, nil
local function begin()
  started = core.clock()
end

-- Returns whether the time is over; `program` gives what counts the time of its instructions.
local function finish(program)
  local now = core.clock()
  times[#times + 1] = (now - started) * 1e3 / work.steps
  if #times == 3 then
    stop = now + seconds
    if counted then
      program():count_time(true)
    end
  end
  return #times >= 6 and now >= stop
end

local program -- that is timed
if work.predict then
  local rows = pod.random.uniform { work.batch, table.unpack(work.shape) }
  local predict = pod.func(function(x)
    return model(x, { training = false })
  end)
  rows:data()
  program = function()
    return predict:concrete(rows).program
  end
  repeat
    begin()
    predict(rows):data()
  until finish(program)
else
  local train = work.shape and images(work) or characters()
  train = train:shuffle(60000, { seed = tools.SEED }):repeat_():batch(work.batch):prefetch(4)
  program = function()
    return models.step_program(model)
  end
  model:fit(train, { steps_per_epoch = 1000000, verbose = 0, callbacks = { {
    on_train_batch_begin = begin,
    on_train_batch_end_lazy = function(self, batch)
      self.model.stop_training = finish(program) or self.model.stop_training
      return batch
    end,
  } } })
end
times = { table.unpack(times, 4) }
table.sort(times)
local step = times[math.floor(#times / 2) + 1]
local peak = tonumber(io.open("/proc/self/status"):read("a"):match "VmHWM:%s*(%d+)") / 1024
print(string.format('{"workload": "%s", "precision": "%s", "replicas": %d, "batch": %d, "step_ms": %.4f, '
  .. '"samples_per_s": %.0f, "peak_rss_mib": %.0f, "isa": "%s"}', name, precision, replicas, work.batch, step,
  work.batch / step * 1e3, peak, pod.device.context():isa()))

if counted then
  local spent = program():times()
  local row = '{"kind": "%s", "name": "%s", "phase": %d, "nanoseconds": %.0f, "operations": %.0f, "bytes": %d, '
    .. '"products": %d, "rows": %d, "columns": %d, "depth": %d}'
  print(row:format("wait", "", 0, spent.waiting_nanoseconds / spent.steps, 0, 0, 0, 0, 0, 0))
  for _, one in ipairs(spent) do
    print(row:format(one.kind, one.name, one.phase, one.nanoseconds / spent.steps, one.operations, one.bytes,
      one.products, one.rows, one.columns, one.depth))
  end
end
