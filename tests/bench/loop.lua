-- A custom loop beside fit: `loop.lua PRECISION REPLICAS ROUNDS` trains the same model on the same data with both, an
-- epoch of one and an epoch of the other in turn, and prints one JSON line: the median seconds of an epoch of each, and
-- the median and range of their ratio. The first epoch of each, which compiles, is left out.

local pod = require "moonpod"
local core = require "moonpod.core"

local precision, replicas, rounds = arg[1], tonumber(arg[2]), tonumber(arg[3])
local BATCH, STEPS = 1024, 50

pod.device.context():set_threads(2)
pod.mixed_precision.set_global_policy(precision == "bf16" and "mixed_bfloat16" or "float32")
local strategy = pod.distribute.mirrored(replicas)
local loss_of = pod.losses.sparse_categorical_crossentropy { from_logits = true }

local function data()
  local train = pod.datasets.fashion_mnist()
  return train:cache():shuffle(60000, { seed = 1 }):batch(BATCH, { drop_remainder = true }):prefetch(4)
end

local function new_model()
  pod.random.set_seed(1)
  return pod.models.sequential {
    pod.layers.dense(128, { activation = "relu", input_shape = { 784 } }),
    pod.layers.dense(10),
  }
end

local fitted = strategy:scope(function()
  local model = new_model()
  model:compile { optimizer = "adam", metrics = { "accuracy" }, loss = loss_of, steps_per_execution = STEPS }
  return model
end)
local fit_data = data()

local function fit_epoch()
  fitted:fit(fit_data, { epochs = 1, verbose = 0 })
end

local model, optimizer, loss_metric, accuracy = strategy:scope(function()
  return new_model(), pod.optimizers.adam {}, pod.metrics.mean {}, pod.metrics.sparse_categorical_accuracy {}
end)
local loop_data = data()

local train_step = pod.func(function(...)
  local x, y = loop_data:decode(...)
  local loss = strategy:run(function(x_part, y_part)
    local weights = model.trainable_weights
    local tape, loss, logits = pod.tape(function()
      local logits = model(x_part, { training = true })
      return loss_of(y_part, logits), logits
    end)
    optimizer:apply(tape:gradient(loss, weights), weights)
    accuracy:update_state(y_part, logits)
    return loss
  end, { strategy:split(x), strategy:split(y) })
  loss_metric:update_state(strategy:reduce("sum", loss))
end)
local batches = loop_data:raw():iterator()

local function loop_epoch()
  loss_metric:reset_state()
  accuracy:reset_state()
  while batches:has_next() do
    train_step:run_steps(STEPS, batches)
  end
  local loss = loss_metric:result():item()
  batches:rewind()
  return loss
end

local function seconds(epoch)
  local started = core.clock()
  epoch()
  return core.clock() - started
end

local function median(list)
  table.sort(list)
  return list[math.floor(#list / 2) + 1]
end

fit_epoch()
loop_epoch()
local fit_seconds, loop_seconds, ratios = {}, {}, {}
for round = 1, rounds do
  fit_seconds[round], loop_seconds[round] = seconds(fit_epoch), seconds(loop_epoch)
  ratios[round] = loop_seconds[round] / fit_seconds[round]
end
local ratio = median(ratios)
print(string.format('{"workload": "loop", "precision": "%s", "replicas": %d, "batch": %d, "fit_epoch_s": %.4f, '
  .. '"loop_epoch_s": %.4f, "loop_to_fit": %.3f, "lowest": %.3f, "highest": %.3f}', precision, replicas, BATCH,
  median(fit_seconds), median(loop_seconds), ratio, ratios[1], ratios[#ratios]))
