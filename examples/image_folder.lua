-- A convolutional network on pictures of your own: PNG and JPEG files in folders, a folder a class.
-- Shows image_folder with a validation split, layers that change pictures while training, and predictions.
-- Prints what was read, a line an epoch, and the pictures that the model takes for something else.
--
--   moonpod examples/image_folder.lua PATH [epochs=10] [seed=1]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"

local path, epochs, seed = ...
if not path then
  error("the path of a folder is needed, which has a folder with pictures for each class", 0)
end
epochs, seed = tonumber(epochs or 10), tonumber(seed or 1)
pod.random.set_seed(seed)

local SIZE = 64

local train, test = pod.data.image_folder(path, {
  image_size = { SIZE, SIZE }, batch_size = 16, dtype = "uint8", validation_split = 0.2, subset = "both", seed = seed,
})
print(train.source)
print(test.source)

local model = pod.models.sequential {
  pod.layers.input { shape = { SIZE, SIZE, 3 } },
  pod.layers.random_flip "horizontal",
  pod.layers.random_rotation(0.05),
  pod.layers.random_contrast(0.2),
  pod.layers.rescaling(1 / 255),
  pod.layers.conv2d(16, 3, { activation = "relu" }),
  pod.layers.max_pooling2d(2),
  pod.layers.conv2d(32, 3, { activation = "relu" }),
  pod.layers.max_pooling2d(2),
  pod.layers.flatten(),
  pod.layers.dense(#train.class_names),
}
model:compile {
  optimizer = pod.optimizers.adam { learning_rate = 1e-3 },
  loss = pod.losses.sparse_categorical_crossentropy { from_logits = true },
  metrics = { "accuracy" },
}
model:fit(train, { epochs = epochs, validation_data = test, verbose = 2 })

for x, y in test:take(1):iter() do
  local guesses, labels = model:predict(x):argmax(-1):totable(), y:totable()
  for i, guess in ipairs(guesses) do
    if guess ~= labels[i] then
      print(("a picture of '%s' is taken for '%s'"):format(train.class_names[labels[i] + 1],
        train.class_names[guess + 1]))
    end
  end
end
