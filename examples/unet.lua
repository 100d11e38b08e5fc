-- Segmentation with a small U-Net: what kind of thing does each pixel belong to?
-- Shows skip connections with the functional API, transposed convolutions, masks made by map, a loss over pixels, and
-- that one-hot masks with the categorical loss and class numbers with the sparse loss train alike.
-- Masks: 0 background, 1 tops, 2 trousers, 3 shoes, 4 bags; the shape comes from the image, the kind from its class.
-- Prints a line an epoch for both losses, the test figures, and a mask beside the model's.
--
--   moonpod examples/unet.lua [epochs=3] [images=2000] [seed=1]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local epochs, images, seed = ...
epochs, images, seed = tonumber(epochs or 3), tonumber(images or 2000), tonumber(seed or 1)

local KINDS = 5
local kind_of_class = pod.tensor({ 1, 2, 1, 1, 1, 3, 1, 3, 4, 3 }, { dtype = "int32" })

local function with_mask(image, class)
  local inside = pod.greater(image:reshape { 28, 28 }, 0.1)
  return image, pod.where(inside, pod.gather(kind_of_class, class, 0), 0)
end

local function with_one_hot(image, mask)
  return image, pod.one_hot(mask, KINDS)
end

-- Training and test data, masks as class numbers; the order is that of the seed.
local function data()
  local train, test = pod.datasets.fashion_mnist { shape = { 28, 28, 1 } }
  train = train:take(images):map(with_mask):shuffle(images, { seed = seed }):batch(50, { drop_remainder = true })
  return train, test:take(math.floor(images / 10)):map(with_mask):batch(50)
end

local function two_convolutions(x, filters)
  for _ = 1, 2 do
    x = layers.conv2d(filters, 3, { padding = "same", activation = "relu" })(x)
  end
  return x
end

-- Doubles the size and puts what was there before the pooling beside it.
local function up(x, skipped, filters)
  x = layers.conv2d_transpose(filters, 2, { strides = 2, activation = "relu" })(x)
  return two_convolutions(layers.concatenate() { x, skipped }, filters)
end

local function new_model(loss)
  pod.random.set_seed(seed)
  local input = layers.input { 28, 28, 1 }
  local first = two_convolutions(input, 8)
  local second = two_convolutions(layers.max_pooling2d(2)(first), 16)
  local x = two_convolutions(layers.max_pooling2d(2)(second), 32)
  x = up(x, second, 16)
  x = up(x, first, 8)
  local output = layers.conv2d(KINDS, 1)(x)
  local model = pod.models.functional { inputs = input, outputs = output, name = "unet" }
  model:compile { optimizer = pod.optimizers.adam { learning_rate = 3e-3 }, loss = loss, metrics = { "accuracy" },
    steps_per_execution = 10 }
  return model
end

local train, test = data()
local strategy = pod.distribute.mirrored(2)
local model = strategy:scope(function()
  return new_model(pod.losses.sparse_categorical_crossentropy { from_logits = true })
end)
model:summary()
print "Masks of class numbers, sparse loss:"
model:fit(train, { epochs = epochs, validation_data = test, verbose = 2 })
local result = model:evaluate(test, { return_dict = true, verbose = 0 })

print "One-hot masks, categorical loss:"
local one_hot_train = data():map(with_one_hot)
local other = strategy:scope(function()
  return new_model(pod.losses.categorical_crossentropy { from_logits = true })
end)
other:fit(one_hot_train, { epochs = epochs, verbose = 2 })
local other_result = other:evaluate(test:map(with_one_hot), { return_dict = true, verbose = 0 })
print(string.format("Test loss: %.5f, accuracy: %.4f (one-hot: %.5f, %.4f)", result.loss, result.accuracy,
  other_result.loss, other_result.accuracy))

-- The first mask of the test set, and what the model makes of the image.
local SIGNS = { [0] = ".", "T", "L", "S", "B" }
for image, mask in test:take(1):iter() do
  local guess = model:predict(pod.slice_axis(image, 0, 0, 1)):argmax(-1):reshape { 28, 28 }:totable()
  local truth = pod.slice_axis(mask, 0, 0, 1):reshape { 28, 28 }:totable()
  for row = 1, 28, 2 do
    local left, right = {}, {}
    for column = 1, 28 do
      left[column], right[column] = SIGNS[truth[row][column]], SIGNS[guess[row][column]]
    end
    print(table.concat(left) .. " | " .. table.concat(right))
  end
end
