-- A training loop of one's own against fit: the same model, data and weights, the same result.
-- Shows a step with tape, strategy:run and optimizer:apply, compiled by pod.func, that runs many times a call; epochs
-- over a distributed dataset; metrics; an evaluation that takes per-replica batches from a plain Lua loop.
-- Prints a line an epoch, the seconds of both loops and the largest difference of their weights.
--
--   moonpod examples/custom_loop.lua [epochs=5] [images=30000] [seed=1]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"

local epochs, images, seed = ...
epochs, images, seed = tonumber(epochs or 5), tonumber(images or 30000), tonumber(seed or 1)
local clock = pod.core.clock

local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve { accelerator = "v3-8" })
local batch = strategy:global_batch(32)

-- Training and test data; what is shuffled with a seed begins with the same order each time it is made.
local function data()
  local train, test = pod.datasets.fashion_mnist()
  train = train:take(images):cache():shuffle(images, { seed = seed }):batch(batch, { drop_remainder = true })
  return train:prefetch(), test:take(math.floor(images / 6)):batch(1000)
end

local function new_model()
  pod.random.set_seed(seed)
  return pod.models.sequential {
    pod.layers.dense(128, { activation = "relu", input_shape = { 784 } }),
    pod.layers.dense(64, { activation = "relu" }),
    pod.layers.dense(10),
  }
end

-- ---- with fit ---------------------------------------------------------------------------------------------------

local fitted = strategy:scope(function()
  local model = new_model()
  model:compile { optimizer = pod.optimizers.adam { learning_rate = 1e-3 }, metrics = { "accuracy" },
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true }, steps_per_execution = 50 }
  return model
end)
local train, test = data()
local started = clock()
fitted:fit(train, { epochs = epochs, verbose = 2 })
local fit_seconds = clock() - started

-- ---- by hand ----------------------------------------------------------------------------------------------------

train = data()
local model, optimizer, loss_of, loss_metric, accuracy = strategy:scope(function()
  local loss_of = pod.losses.sparse_categorical_crossentropy { from_logits = true }
  return new_model(), pod.optimizers.adam { learning_rate = 1e-3 }, loss_of, pod.metrics.mean {},
    pod.metrics.sparse_categorical_accuracy {}
end)

-- One core's share of a step. Each replica's loss is its part of the mean over the global batch: the parts add up to
-- it, and apply adds up the gradients.
local function replica_step(x, y)
  local weights = model.trainable_weights
  local tape, loss, logits = pod.tape(function()
    local logits = model(x, { training = true })
    return loss_of(y, logits), logits
  end)
  optimizer:apply(tape:gradient(loss, weights), weights)
  accuracy:update_state(y, logits)
  return loss
end

-- A step on a global batch as it lies in memory: decode makes floats of bytes, split gives each replica its rows.
local train_step = pod.func(function(...)
  local x, y = train:decode(...)
  local loss = strategy:run(replica_step, { strategy:split(x), strategy:split(y) })
  loss_metric:update_state(strategy:reduce("sum", loss))
end)

started = clock()
local batches = train:raw():iterator()
for epoch = 1, epochs do
  loss_metric:reset_state()
  accuracy:reset_state()
  while batches:has_next() do
    train_step:run_steps(50, batches) -- up to 50 steps without returning to Lua
  end
  print(string.format("Epoch %d/%d - accuracy: %.4f - loss: %.4f", epoch, epochs, accuracy:result():item(),
    loss_metric:result():item()))
  batches:rewind()
end
local own_seconds = clock() - started

-- Evaluation: the loop stays in Lua and gets a value a replica at each turn.
local test_step = pod.func(function(x, y)
  strategy:run(function(x_part, y_part)
    accuracy:update_state(y_part, model(x_part))
  end, { x, y })
end)
accuracy:reset_state()
for x, y in strategy:distribute_dataset(test):iter() do
  test_step(x, y)
end

local result = fitted:evaluate(test, { return_dict = true, verbose = 0 })
print(string.format("Test loss: %.5f, accuracy: %.4f with fit, %.4f with the loop", result.loss, result.accuracy,
  accuracy:result():item()))

local largest = 0
for i, weight in ipairs(model:get_weights()) do
  largest = math.max(largest, (weight - fitted:get_weights()[i]):abs():max():item())
end
print(string.format("fit took %.2f s, the loop %.2f s; the weights differ by %g at most", fit_seconds, own_seconds,
  largest))
