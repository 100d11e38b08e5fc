-- A small residual network with batch normalisation, on images of CIFAR's shape (32, 32, 3).
-- Shows the functional API (blocks are Lua functions from tensor to tensor), batch normalisation whose statistics are
-- those of the whole global batch, a learning rate schedule, and a dataset made by map.
-- The images are Fashion-MNIST's, padded to 32 x 32 and coloured by a rule that does not know the class.
-- Prints the model, a line an epoch and the test figures.
--
--   moonpod examples/resnet.lua [epochs=4] [images=4000] [seed=1]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local epochs, images, seed = ...
epochs, images, seed = tonumber(epochs or 4), tonumber(images or 4000), tonumber(seed or 1)
pod.random.set_seed(seed)

local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve { accelerator = "v3-8" })
local batch = strategy:global_batch(8)

-- Grey to colour: the tint of an image follows its mean brightness, and the lower half is cooler than the upper one.
local function colour(image, label)
  local grey = image:pad { { 2, 2 }, { 2, 2 }, { 0, 0 } }
  local phase = image:mean() * 12
  local cool = pod.linspace(0, 0.5, 32):reshape { 32, 1, 1 }
  local red = grey * (0.6 + 0.4 * pod.sin(phase)) * (1 - cool)
  local green = grey * (0.6 + 0.4 * pod.sin(phase + 2))
  local blue = grey * (0.6 + 0.4 * pod.sin(phase + 4)) * (0.5 + cool)
  return pod.concat({ red, green, blue }, -1), label
end

local train, test = pod.datasets.fashion_mnist { shape = { 28, 28, 1 } }
train = train:take(images):map(colour):shuffle(images):batch(batch, { drop_remainder = true }):prefetch()
test = test:take(math.floor(images / 4)):map(colour):batch(250)

local function normalised_convolution(x, filters, strides, kernel_size)
  x = layers.conv2d(filters, kernel_size or 3, { strides = strides, padding = "same", use_bias = false,
    kernel_initializer = "he_normal" })(x)
  return layers.batch_normalization { synchronized = true, momentum = 0.9 }(x)
end

-- Two convolutions and a way around them; where the size changes, the way around is a convolution of size 1.
local function block(x, filters, strides)
  local around = x
  if strides > 1 then
    around = normalised_convolution(x, filters, strides, 1)
  end
  local y = layers.relu()(normalised_convolution(x, filters, strides))
  y = normalised_convolution(y, filters, 1)
  return layers.relu()(layers.add() { y, around })
end

local model = strategy:scope(function()
  local input = layers.input { 32, 32, 3 }
  local x = layers.relu()(normalised_convolution(input, 8, 1))
  x = block(x, 8, 1)
  x = block(x, 16, 2)
  x = block(x, 32, 2)
  x = layers.global_average_pooling2d()(x)
  local model = pod.models.functional { inputs = input, outputs = layers.dense(10)(x), name = "resnet" }
  model:compile {
    optimizer = pod.optimizers.sgd {
      learning_rate = pod.schedules.cosine_decay(0.02, epochs * math.floor(images / batch)),
      momentum = 0.9, nesterov = true,
    },
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true },
    metrics = { "accuracy" }, steps_per_execution = 10,
  }
  return model
end)
model:summary()
model:fit(train, { epochs = epochs, validation_data = test, verbose = 2 })

local result = model:evaluate(test, { return_dict = true, verbose = 0 })
print(string.format("Test loss: %.5f, accuracy: %.4f", result.loss, result.accuracy))
