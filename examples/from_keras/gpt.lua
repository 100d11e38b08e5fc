-- A small GPT: attention to what came before, a text learned character by character, and sentences of its own. Ported
-- from gpt.py. Prints a line an epoch, bits a character of a text kept apart, and what it writes.
--
--   moonpod examples/from_keras/gpt.lua [folder=build/from_keras] [seed=1] [epochs=6]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local folder, seed, epochs = ...
folder, seed, epochs = folder or "build/from_keras", tonumber(seed or 1), tonumber(epochs or 6)
pod.random.set_seed(seed)

local LENGTH, WIDTH, HEADS, BLOCKS = 48, 32, 4, 2
local text = pod.data.read_file(folder .. "/story.txt")

-- Characters by their numbers, and numbers by their characters.
local characters, numbers = {}, {}
for character in text:gmatch "." do
  if not numbers[character] then
    characters[#characters + 1] = character
    numbers[character] = true
  end
end
table.sort(characters)
for i, character in ipairs(characters) do
  numbers[character] = i - 1
end

-- Windows of the text; the target of each character is the one behind it.
local function windows(part)
  local codes = {}
  for i = 1, #part do
    codes[i] = numbers[part:sub(i, i)]
  end
  local count = math.floor((#part - 1) / LENGTH)
  codes = pod.tensor(codes, { dtype = "int32" })
  return codes[{ ":" .. count * LENGTH }]:reshape { count, LENGTH },
    codes[{ "1:" .. count * LENGTH + 1 }]:reshape { count, LENGTH }
end

local cut = math.floor(#text * 9 / 10)
local x_train, y_train = windows(text:sub(1, cut))
local x_test, y_test = windows(text:sub(cut + 1))

local inputs = layers.input { shape = { LENGTH }, dtype = "int32" }
local x = layers.embedding(#characters, WIDTH)(inputs)
x = x + layers.position_embedding(LENGTH)(x)
for _ = 1, BLOCKS do
  local h = layers.layer_normalization()(x)
  x = x + layers.multi_head_attention(HEADS, WIDTH / HEADS)(h, h, { use_causal_mask = true })
  h = layers.layer_normalization()(x)
  h = layers.dense(4 * WIDTH, { activation = "gelu" })(h)
  x = x + layers.dense(WIDTH)(h)
end
x = layers.layer_normalization()(x)
local model = pod.models.functional { inputs = inputs, outputs = layers.dense(#characters)(x) }
model:summary()

model:compile { optimizer = pod.optimizers.adamw { learning_rate = 3e-3, weight_decay = 0.01 },
  loss = pod.losses.sparse_categorical_crossentropy { from_logits = true }, metrics = { "accuracy" } }
model:fit(x_train, y_train, { batch_size = 16, epochs = epochs, verbose = 2 })
local result = model:evaluate(x_test, y_test, { verbose = 0, return_dict = true })
print(("test loss: %.4f, bits a character: %.4f"):format(result.loss, result.loss / math.log(2)))

-- Writes on: the last LENGTH characters in, one of the likely ones out.
local written = "\nthe sleepy horse "
for _ = 1, 80 do
  local last = written:sub(-LENGTH)
  local codes = {}
  for i = 1, LENGTH do
    codes[i] = numbers[last:sub(i, i)] or 0
  end
  local logits = model:predict_on_batch(pod.tensor({ codes }, { dtype = "int32" }))
  local drawn = pod.random.categorical(logits[{ ":", #last - 1 }] / 0.7, 1)
  written = written .. characters[drawn:item() + 1]
end
print(written)
