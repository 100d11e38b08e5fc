-- Segmentation: which pixels of a picture are disc, square or ground, by a small U-Net. Ported from segmentation.py.
-- Prints a line an epoch, how many pixels of pictures kept apart are told right, and how well shapes are covered.
--
--   moonpod examples/from_keras/segmentation.lua [folder=build/from_keras] [seed=1] [epochs=6]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local folder, seed, epochs = ...
folder, seed, epochs = folder or "build/from_keras", tonumber(seed or 1), tonumber(epochs or 6)
pod.random.set_seed(seed)

local scenes = pod.data.load_npz(folder .. "/scenes.npz")
local x, y = scenes.pictures:cast "float32" / 255, scenes.masks:cast "int32"
local count = math.floor(x.shape[1] * 4 / 5)
local x_train, y_train = x[{ ":" .. count }], y[{ ":" .. count }]
local x_test, y_test = x[{ count .. ":" }], y[{ count .. ":" }]

local function block(filters, x)
  for _ = 1, 2 do
    x = layers.conv2d(filters, 3, { padding = "same", use_bias = false })(x)
    x = layers.batch_normalization { momentum = 0.9 }(x)
    x = layers.activation "relu"(x)
  end
  return x
end

local inputs = layers.input { 32, 32, 1 }
local skips, h = {}, inputs
for i, filters in ipairs { 8, 16 } do
  skips[i] = block(filters, h)
  h = layers.max_pooling2d()(skips[i])
end
h = block(32, h)
for i, filters in ipairs { 16, 8 } do
  h = layers.conv2d_transpose(filters, 2, { strides = 2 })(h)
  h = layers.concatenate() { h, skips[3 - i] }
  h = block(filters, h)
end
local outputs = layers.conv2d(3, 1, { activation = "softmax" })(h)
local model = pod.models.functional { inputs = inputs, outputs = outputs }
model:summary()

model:compile {
  optimizer = pod.optimizers.adam(3e-3),
  loss = "sparse_categorical_crossentropy",
  metrics = { "accuracy", pod.metrics.mean_iou { num_classes = 3, sparse_y_pred = false, name = "iou" } },
}
model:fit(x_train, y_train, { batch_size = 8, epochs = epochs, validation_data = { x_test, y_test }, verbose = 2 })
local result = model:evaluate(x_test, y_test, { verbose = 0, return_dict = true })
print(("test loss: %.4f, pixels: %.4f, overlap: %.4f"):format(result.loss, result.accuracy, result.iou))
