-- Pictures in folders: changed at random while training, told apart by convolutions. Ported from pictures.py.
-- Prints the model, a line an epoch, and how many of the pictures kept apart are told right.
--
--   moonpod examples/from_keras/pictures.lua [folder=build/from_keras] [seed=1]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local folder, seed = ...
folder, seed = folder or "build/from_keras", tonumber(seed or 1)
pod.random.set_seed(seed)

local path = folder .. "/pictures"
local train, test = pod.data.image_dataset_from_directory(path, {
  image_size = { 32, 32 }, batch_size = 32,
  validation_split = 0.25, subset = "both", seed = seed,
})
print("classes: " .. table.concat(train.class_names, ", "))

local augment = pod.models.sequential({
  layers.random_flip "horizontal",
  layers.random_rotation(0.05),
  layers.random_zoom(0.1),
  layers.random_translation(0.1, 0.1),
}, { name = "augment" })

local inputs = layers.input { 32, 32, 3 }
local x = augment(inputs)
x = layers.rescaling(1 / 255)(x)
for _, filters in ipairs { 16, 32 } do
  x = layers.conv2d(filters, 3, { padding = "same", activation = "relu" })(x)
  x = layers.max_pooling2d()(x)
end
x = layers.flatten()(x)
x = layers.dropout(0.2)(x)
x = layers.dense(64, { activation = "relu" })(x)
local outputs = layers.dense(#train.class_names, {
  activation = "softmax" })(x)
local model = pod.models.functional { inputs = inputs, outputs = outputs }
model:summary()
model:compile { optimizer = "adam", loss = "sparse_categorical_crossentropy",
  metrics = { "accuracy" } }
model:fit(train, { validation_data = test, epochs = 30, verbose = 2,
  callbacks = { pod.callbacks.reduce_lr_on_plateau {
    monitor = "loss", patience = 5 } } })
local result = model:evaluate(test, { verbose = 0, return_dict = true })
print(("test loss: %.4f, accuracy: %.4f"):format(
  result.loss, result.accuracy))
