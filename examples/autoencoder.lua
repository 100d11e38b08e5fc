-- An autoencoder: 784 pixels through 16 numbers and back.
-- Shows two models that share layers with a third one (the encoder and the decoder are trained as parts of the whole),
-- targets made from inputs by map, binary cross-entropy on pixels, predict on each part.
-- Prints a line an epoch, the error on the test set, and garments beside what comes back of them.
--
--   moonpod examples/autoencoder.lua [epochs=10] [images=20000] [seed=1]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers, models = pod.layers, pod.models

local epochs, images, seed = ...
epochs, images, seed = tonumber(epochs or 10), tonumber(images or 20000), tonumber(seed or 1)
pod.random.set_seed(seed)

local function to_itself(image)
  return image, image
end

local train, test = pod.datasets.fashion_mnist()
train = train:take(images):cache():map(to_itself):shuffle(images):batch(100, { drop_remainder = true }):prefetch()
test = test:take(math.floor(images / 10)):map(to_itself):batch(500)

local strategy = pod.distribute.mirrored(4)
local encoder, decoder, model = strategy:scope(function()
  local image = layers.input { 784 }
  local hidden = layers.dense(128, { activation = "relu" })(image)
  local encoder = models.functional { inputs = image, outputs = layers.dense(16)(hidden), name = "encoder" }

  local code = layers.input { 16 }
  hidden = layers.dense(128, { activation = "relu" })(code)
  local pixels = layers.dense(784, { activation = "sigmoid" })(hidden)
  local decoder = models.functional { inputs = code, outputs = pixels, name = "decoder" }

  local model = models.functional { inputs = image, outputs = decoder(encoder(image)), name = "autoencoder" }
  model:compile { optimizer = "adam", loss = "binary_crossentropy", metrics = { "mse" }, steps_per_execution = 50 }
  return encoder, decoder, model
end)
model:summary()
model:fit(train, { epochs = epochs, validation_data = test, verbose = 2 })

local result = model:evaluate(test, { return_dict = true, verbose = 0 })
print(string.format("Test loss: %.5f, squared error: %.5f", result.loss, result.mse))

local SHADES = { " ", ".", ":", "+", "#", "@" }
local function line_of(pixels, row)
  local line = {}
  for column = 1, 28 do
    line[column] = SHADES[1 + math.floor(pixels[row * 28 + column] * 5)]
  end
  return table.concat(line)
end

for x in test:take(1):iter() do
  local originals = pod.slice_axis(x, 0, 0, 2)
  local codes = encoder:predict(originals)
  local copies = decoder:predict(codes)
  for i = 1, 2 do
    local original, copy = originals[i]:totable(), copies[i]:totable()
    for row = 0, 27, 2 do
      print(line_of(original, row) .. " | " .. line_of(copy, row))
    end
    local numbers = {}
    for j, number in ipairs(codes[i]:totable()) do
      numbers[j] = string.format("%.1f", number)
    end
    print("the 16 numbers: " .. table.concat(numbers, " "))
  end
end
