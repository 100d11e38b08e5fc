-- A small vision transformer on Fashion-MNIST: patches of 7x7 pixels are its tokens.
-- Shows a builder of pod.applications with sizes of one's own, and what a history knows besides metrics.
-- Prints a line an epoch, the test figures, and how many images were seen in how many seconds.
--
--   moonpod examples/vit.lua [epochs=3] [images=12000] [seed=1]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"

local epochs, images, seed = ...
epochs, images, seed = tonumber(epochs or 3), tonumber(images or 12000), tonumber(seed or 1)
pod.random.set_seed(seed)

local BATCH = 128
local train, test = pod.datasets.fashion_mnist { shape = { 28, 28, 1 } }
train = train:take(images):shuffle(images):batch(BATCH, { drop_remainder = true }):prefetch()
test = test:take(2000):batch(BATCH)

local model = pod.applications.vit_small { input_shape = { 28, 28, 1 }, classes = 10, patch_size = 7, width = 64,
  depth = 2, heads = 4, classifier_activation = "linear" }
model:compile {
  optimizer = pod.optimizers.adam { learning_rate = 1e-3 },
  loss = pod.losses.sparse_categorical_crossentropy { from_logits = true },
  metrics = { "accuracy" },
}
local history = model:fit(train, { epochs = epochs, verbose = 2 })

local result = model:evaluate(test, { return_dict = true, verbose = 0 })
print(string.format("Test loss: %.5f, accuracy: %.4f", result.loss, result.accuracy))
print(string.format("%d images in %.1f s", history.samples[epochs], history.seconds[epochs]))
