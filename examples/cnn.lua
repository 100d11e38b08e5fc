-- A convolutional network on Fashion-MNIST, trained on eight replicated cores.
-- Shows images as (28, 28, 1), convolutions and pooling, fit with validation data, predict.
-- Prints the model, a line an epoch, the test figures and some images with what the model takes them for.
--
--   moonpod examples/cnn.lua [epochs=3] [images=12000] [seed=1]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"

local epochs, images, seed = ...
epochs, images, seed = tonumber(epochs or 3), tonumber(images or 12000), tonumber(seed or 1)
pod.random.set_seed(seed)

local CLASSES = { [0] = "T-shirt", "trousers", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag",
  "boot" }

local resolver = pod.cluster.resolve { accelerator = "v3-8" }
local strategy = pod.distribute.tpu_strategy(resolver)
local batch = strategy:global_batch(16)

local train, test = pod.datasets.fashion_mnist { shape = { 28, 28, 1 } }
train = train:take(images):cache():shuffle(images):batch(batch, { drop_remainder = true }):prefetch()
test = test:take(math.floor(images / 6)):batch(500)

local model = strategy:scope(function()
  local model = pod.models.sequential {
    pod.layers.conv2d(32, 3, { activation = "relu", input_shape = { 28, 28, 1 } }),
    pod.layers.max_pooling2d(2),
    pod.layers.conv2d(64, 3, { activation = "relu" }),
    pod.layers.max_pooling2d(2),
    pod.layers.flatten(),
    pod.layers.dense(128, { activation = "relu" }),
    pod.layers.dense(10),
  }
  model:compile {
    optimizer = pod.optimizers.adam { learning_rate = 1e-3 },
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true },
    metrics = { "accuracy" }, steps_per_execution = 10,
  }
  return model
end)
model:summary()
model:fit(train, { epochs = epochs, validation_data = test, verbose = 2 })

local result = model:evaluate(test, { return_dict = true, verbose = 0 })
print(string.format("Test loss: %.5f, accuracy: %.4f", result.loss, result.accuracy))

-- The first rows of the test set: dark pixels as characters, and the class that got the highest logit.
local SHADES = { " ", ".", ":", "+", "#", "@" }
for x, y in test:take(1):iter() do
  local guesses = model:predict(pod.slice_axis(x, 0, 0, 3)):argmax(-1)
  for i = 1, 3 do
    local pixels = x[i]:reshape { 28, 28 }:totable()
    print(string.format("%s, taken for %s:", CLASSES[y[i]:item()], CLASSES[guesses[i]:item()]))
    for row = 1, 28, 2 do
      local line = {}
      for column = 1, 28 do
        line[column] = SHADES[1 + math.floor(pixels[row][column] * 5)]
      end
      print("  " .. table.concat(line))
    end
  end
end
