-- A language model of characters: an LSTM that learns to write like the King James Bible.
-- Shows datasets of windows over a long text, embedding and LSTM, losses over (batch, time), gradient clipping, and
-- sampling with a compiled function of one's own.
-- Prints a line an epoch, the test figures and a text that the model wrote.
--
--   moonpod examples/text.lua [epochs=4] [characters=120000] [seed=1]
--
-- The text is that of Debian's package bible-kjv: apt-get install bible-kjv

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"

local epochs, characters, seed = ...
epochs, characters, seed = tonumber(epochs or 4), tonumber(characters or 120000), tonumber(seed or 1)
pod.random.set_seed(seed)

local LENGTH, BATCH = 40, 32

-- ---- the text ---------------------------------------------------------------------------------------------------

-- Numbers every character that occurs, from 0 in the order of the bytes.
local function number_characters(text)
  local seen, letters, number_of = {}, {}, {}
  for character in text:gmatch "." do
    seen[character] = true
  end
  seen["\n"] = true
  for byte = 0, 255 do
    local character = string.char(byte)
    if seen[character] then
      number_of[character] = #letters
      letters[#letters + 1] = character
    end
  end
  return letters, number_of
end

local text = pod.datasets.kjv_text():sub(1, characters)
local letters, number_of = number_characters(text)

local function encode(part)
  local numbers = {}
  for i = 1, #part do
    numbers[i] = number_of[part:sub(i, i)]
  end
  return pod.tensor(numbers, { dtype = "int32" })
end

-- Windows of LENGTH characters; the target of each character is the next one.
local function windows(part)
  return pod.data.from_tensor_slices(encode(part)):batch(LENGTH + 1, { drop_remainder = true }):map(function(numbers)
    return pod.slice_axis(numbers, 0, 0, LENGTH), pod.slice_axis(numbers, 0, 1, LENGTH + 1)
  end)
end

local cut = math.floor(#text * 9 / 10)
local train = windows(text:sub(1, cut)):shuffle(4096):batch(BATCH, { drop_remainder = true }):prefetch()
local test = windows(text:sub(cut + 1)):batch(BATCH, { drop_remainder = true })

-- ---- the model --------------------------------------------------------------------------------------------------

local strategy = pod.distribute.mirrored(2)
local model = strategy:scope(function()
  local model = pod.models.sequential {
    pod.layers.embedding(#letters, 24, { input_shape = { LENGTH } }),
    pod.layers.lstm(96, { return_sequences = true }),
    pod.layers.dense(#letters),
  }
  model:compile {
    optimizer = pod.optimizers.adam { learning_rate = 5e-3, clipnorm = 1 },
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true },
    metrics = { "accuracy" }, steps_per_execution = 10,
  }
  return model
end)
print(string.format("%d characters, %d different ones", #text, #letters))
model:summary()
model:fit(train, { epochs = epochs, validation_data = test, verbose = 2 })

local result = model:evaluate(test, { return_dict = true, verbose = 0 })
print(string.format("Test loss: %.5f, accuracy: %.4f", result.loss, result.accuracy))

-- ---- writing ----------------------------------------------------------------------------------------------------

-- Draws the character after a window; a low temperature keeps to what is likely.
local draw = pod.func(function(window, temperature)
  local last = pod.slice_axis(model(window), 1, LENGTH - 1, LENGTH)
  return pod.random.categorical(last:reshape { 1, #letters } / temperature, 1)
end)

local written = ("And God said unto him, Behold, the king of Israel shall be a great nation"):sub(1, LENGTH)
for _ = 1, 240 do
  local window = encode(written:sub(-LENGTH)):reshape { 1, LENGTH }
  written = written .. letters[1 + draw(window, 0.6):item()]
end
print(written)
