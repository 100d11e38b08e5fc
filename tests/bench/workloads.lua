-- One workload: `workloads.lua NAME PRECISION REPLICAS [SECONDS [times]]` trains with rows shuffled and gathered for
-- each batch, or predicts, and prints one JSON line: milliseconds of a step (the median of executions, and the mean of
-- all that count), samples a second, peak memory. With `times` a line for each instruction of the step follows: kind,
-- name, nanoseconds a step on all threads, operations, bytes; with `predict ROWS` so many rows are predicted instead,
-- with `predict token` one token more. The models are those of models.lua. With `check` in the place of SECONDS it
-- prints how many numbers are trained, and the losses of five steps on the first batch.

local pod = require "moonpod"
local core = require "moonpod.core"
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local models = require "models"
local tools = require "tools"

local name, precision, replicas, seconds = arg[1], arg[2], tonumber(arg[3]), tonumber(arg[4]) or 5
local checked, counted = arg[4] == "check", arg[5] == "times"
local predicted = arg[5] == "predict" and (tonumber(arg[6]) or arg[6])

local work = models[name]
pod.device.context():set_threads(2)
pod.random.set_seed(tools.SEED)
local model = models.compile(name, precision, replicas)

if checked then
  local parameters, losses = 0, {}
  for x, y in models.data(name):batch(work.batch):take(1):iter() do
    for step = 1, 5 do
      losses[step] = model:train_on_batch(x, y)
    end
  end
  for _, weight in ipairs(model:get_trainable_weights()) do
    parameters = parameters + weight:size()
  end
  print(require("moonpod.base.json").encode { parameters = parameters, losses = losses })
  return
end

-- Seconds since the process was started.
local function age()
  local up = io.open("/proc/uptime"):read "n"
  local stat = io.open("/proc/self/stat"):read("a"):gsub("^.*%) ", "")
  return up - tonumber(stat:match(("%S+ "):rep(19) .. "(%d+)")) / 100
end

-- The first three executions, of slow ones two, compile and touch memory; then they are timed until the time is over.
local times, warm, first, started, stop, last = {}, 0, nil, nil, nil, nil
local function begin()
  started = core.clock()
end

-- Returns whether the time is over; `program` gives what counts the time of its instructions.
local function finish(program)
  local now = core.clock()
  times[#times + 1] = (now - started) * 1e3 / (predicted and 1 or work.steps)
  first, last = first or age(), now
  if not stop and (#times == 3 or #times == 2 and now - started > 1) then
    warm, stop = #times, now + seconds
    if counted then
      program():count_time(true)
    end
  end
  return stop and #times >= warm + 3 and now >= stop
end

local program -- that is timed
if predicted == "token" then
  predicted = 1
  local writer = pod.models.generator(model)
  repeat
    begin()
    writer:feed { { writer.position } }
    local is_over = finish()
    if writer.position == writer.length then
      writer:reset() -- a token looks at all places, of which those behind it are masked
    end
  until is_over
elseif predicted then
  for x in models.data(name):repeat_():batch(predicted):take(1):iter() do
    repeat
      begin()
      model:predict_on_batch(x) -- which computes it; a string of the elements peers do not make, either
    until finish()
  end
elseif work.predict then
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
  local train = models.data(name):shuffle(60000, { seed = tools.SEED }):repeat_():batch(work.batch):prefetch(4)
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
times = { table.unpack(times, warm + 1) }
table.sort(times)
local step = times[math.floor(#times / 2) + 1]
local mean = (last - (stop - seconds)) * 1e3 / #times / (predicted and 1 or work.steps)
local peak = tonumber(io.open("/proc/self/status"):read("a"):match "VmHWM:%s*(%d+)") / 1024
local least = 0 -- bytes of what a step reads and writes at least: weights and what the optimizer keeps
for _, list in ipairs { model.weights or {}, model.optimizer and model.optimizer.variables or {} } do
  for _, one in ipairs(list) do
    least = least + 2 * 4 * one:size()
  end
end
print(string.format('{"workload": "%s", "precision": "%s", "replicas": %d, "batch": %d, "step_ms": %.4f, '
  .. '"mean_ms": %.4f, "samples_per_s": %.0f, "peak_rss_mib": %.0f, "first_step_s": %.2f, "least_mb": %.2f, '
  .. '"isa": "%s"}', name, precision, replicas, predicted or work.batch, step, mean,
  (predicted or work.batch) / step * 1e3, peak, first, least / 1e6, pod.device.context():isa()))

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
