-- One workload: `workloads.lua NAME PRECISION REPLICAS` trains on Fashion-MNIST (batch 1024, Adam, rows shuffled and
-- gathered for each batch) and prints one JSON line: median milliseconds of a step, samples a second, peak memory.

local pod = require "moonpod"
local core = require "moonpod.core"

local name, precision, replicas = arg[1], arg[2], tonumber(arg[3])
local WIDTHS = { w1 = { 128 }, w2 = { 1024, 1024 } }
local STEPS = { w1 = 20, w2 = 5 } -- of one execution
local EXECUTIONS = 30
local BATCH = 1024

pod.device.context():set_threads(2)
pod.mixed_precision.set_global_policy(precision == "bf16" and "mixed_bfloat16" or "float32")
local strategy = pod.distribute.mirrored(replicas)
local model = strategy:scope(function()
  local list = { pod.layers.input { 784 } }
  for _, width in ipairs(WIDTHS[name]) do
    list[#list + 1] = pod.layers.dense(width, { activation = "relu" })
  end
  list[#list + 1] = pod.layers.dense(10)
  local made = pod.models.sequential(list)
  made:compile { optimizer = "adam", steps_per_execution = STEPS[name],
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return made
end)

local train = pod.datasets.fashion_mnist()
train = train:shuffle(60000, { seed = 1 }):repeat_():batch(BATCH):prefetch(4)

local times, started = {}, nil
model:fit(train, { steps_per_epoch = STEPS[name] * EXECUTIONS, verbose = 0, callbacks = { {
  on_train_batch_begin = function()
    started = core.clock()
  end,
  on_train_batch_end_lazy = function(_, batch)
    times[#times + 1] = (core.clock() - started) * 1e3 / STEPS[name]
    return batch
  end,
} } })
for _ = 1, 3 do
  table.remove(times, 1) -- these compile and touch memory
end
table.sort(times)
local step = times[math.floor(#times / 2) + 1]
local peak = tonumber(io.open("/proc/self/status"):read("a"):match "VmHWM:%s*(%d+)") / 1024
print(string.format('{"workload": "%s", "precision": "%s", "replicas": %d, "batch": %d, "step_ms": %.4f, '
  .. '"samples_per_s": %.0f, "peak_rss_mib": %.0f, "isa": "%s"}', name, precision, replicas, BATCH, step,
  BATCH / step * 1e3, peak, pod.device.context():isa()))
