-- Trains a small dense network on Fashion-MNIST on eight replicated cores in mixed precision.
-- Prints the devices, the model, a progress bar, validation figures of each epoch and the test accuracy.

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"

pod.random.set_seed(2) -- the same numbers in every run
local resolver = pod.cluster.resolve { accelerator = "v3-8" } -- eight replicated cores here, under a v3's rules
local strategy = pod.distribute.tpu_strategy(resolver)
print(pod.devices "TPU")
print("Number of accelerators: " .. strategy.num_replicas_in_sync)
pod.mixed_precision.set_global_policy "mixed_bfloat16"

local train, test = pod.datasets.fashion_mnist() -- x: 784 pixels, f32 in [0, 1], stored as u8; y: class 0 to 9
local batch = 128 * strategy.num_replicas_in_sync
test = test:batch(1000)
train = train:cache():shuffle(60000):batch(batch, { drop_remainder = true }):prefetch(pod.data.AUTOTUNE)

local model = strategy:scope(function()
  local model = pod.models.sequential {
    pod.layers.dense(128, { activation = "relu", input_shape = { 784 } }),
    pod.layers.dense(10),
  }
  model:compile {
    optimizer = pod.optimizers.adam { learning_rate = 1e-3 },
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true },
    metrics = { "accuracy" }, steps_per_execution = 50,
  }
  return model
end)
model:summary()
model:fit(train, { epochs = 20, validation_data = test })

local result = model:evaluate(test, { return_dict = true, verbose = 0 })
print(string.format("Test accuracy: %.4f", result.accuracy))
