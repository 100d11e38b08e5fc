-- Sequence to sequence with attention: dates as people write them become dates as computers do, letter by letter.
-- Ported from translation.py. Prints a line an epoch, how many dates kept apart come out whole, and a few of them.
--
--   moonpod examples/from_keras/translation.lua [folder=build/from_keras] [seed=1] [epochs=8]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local folder, seed, epochs = ...
folder, seed, epochs = folder or "build/from_keras", tonumber(seed or 1), tonumber(epochs or 8)
pod.random.set_seed(seed)

-- Letters are numbered from 1; 0 stands for none, behind a text and before the first letter of an answer.
local FROM, TO, UNITS = 18, 10, 48
local LETTERS, DIGITS = " ,.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "-0123456789"

local function encode(text, letters, length)
  local codes = {}
  for i = 1, length do
    codes[i] = i <= #text and letters:find(text:sub(i, i), 1, true) or 0
  end
  return codes
end

local texts, answers, x, y = {}, {}, {}, {}
for line in io.lines(folder .. "/dates.csv") do
  local text, iso = line:match "^(.*);(%d+%-%d+%-%d+)$"
  if text then
    texts[#texts + 1], answers[#answers + 1] = text, iso
    x[#x + 1], y[#y + 1] = encode(text, LETTERS, FROM), encode(iso, DIGITS, TO)
  end
end
local count = math.floor(#x * 4 / 5)
x, y = pod.tensor(x, { dtype = "int32" }), pod.tensor(y, { dtype = "int32" })
local before = pod.pad(y[{ ":", ":-1" }], { { 0, 0 }, { 1, 0 } }) -- each letter's predecessor

local read = layers.input { shape = { FROM }, dtype = "int32" }
local h = layers.embedding(#LETTERS + 1, 24, { mask_zero = true })(read)
local encoder = layers.gru(UNITS, { return_sequences = true, return_state = true })(h) -- { outputs, last state }
local written = layers.input { shape = { TO }, dtype = "int32" }
h = layers.embedding(#DIGITS + 1, 24)(written)
h = layers.gru(UNITS, { return_sequences = true })(h, { initial_state = encoder[2] })
local looked_up = layers.attention()({ h, encoder[1] })
h = layers.concatenate() { h, looked_up }
h = layers.dense(UNITS, { activation = "tanh" })(h)
local model = pod.models.functional { inputs = { read, written }, outputs = layers.dense(#DIGITS + 1)(h) }
model:summary()

model:compile { optimizer = pod.optimizers.adam(5e-3), metrics = { "accuracy" },
  loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
model:fit({ x[{ ":" .. count }], before[{ ":" .. count }] }, y[{ ":" .. count }],
  { batch_size = 64, epochs = epochs, verbose = 2 })

-- Writes the likeliest letter, reads it, and writes the next.
local test = x[{ count .. ":" }]
local told = pod.zeros({ test.shape[1], TO }, "int32")
for i = 0, TO - 1 do
  local behind = pod.pad(told[{ ":", ":-1" }], { { 0, 0 }, { 1, 0 } })
  local letters = pod.argmax(model:predict_on_batch { test, behind }[{ ":", i }], -1)
  told = told + pod.expand_dims(letters:cast "int32", 1) * pod.one_hot(pod.tensor(i), TO, { dtype = "int32" })
end
local right = pod.all(pod.equal(told, y[{ count .. ":" }]), 1)
print(("whole dates: %.4f"):format(pod.mean(right:cast "float32"):item()))
for i = 1, 4 do
  local letters = {}
  for j, code in ipairs(told[i]:totable()) do
    letters[j] = code > 0 and DIGITS:sub(code, code) or " "
  end
  print(("%-18s %s (%s)"):format(texts[count + i], table.concat(letters), answers[count + i]))
end
