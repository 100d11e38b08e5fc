-- A causal transformer that learns to sort eight digits.
-- Shows multi-head attention with a causal mask, layer normalisation, a layer class of one's own (tokens and places),
-- sample weights for each time step, weighted metrics, and decoding step by step with a compiled function.
-- A sequence is eight digits, a sign for "sorted:", and the digits in order; only what comes after the sign counts.
-- Prints the model, a line an epoch, the test figures, and sequences that the model sorted.
--
--   moonpod examples/transformer.lua [epochs=4] [sequences=6400] [seed=1]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local epochs, sequences, seed = ...
epochs, sequences, seed = tonumber(epochs or 4), tonumber(sequences or 6400), tonumber(seed or 1)
pod.random.set_seed(seed)

local DIGITS, SIGN = 8, 10
local LENGTH, WIDTH = 2 * DIGITS, 64

-- Inputs, targets (the inputs one step later) and weights (0 before the sign).
local function make_data(count)
  local digits = pod.random.uniform({ count, DIGITS }, { maxval = 10, dtype = "int32" })
  local sign = pod.full({ count, 1 }, SIGN, { dtype = "int32" })
  local all = pod.concat({ digits, sign, pod.sort(digits, -1) }, 1)
  local weights = pod.concat({ pod.zeros { count, DIGITS }, pod.ones { count, DIGITS } }, 1)
  local inputs, targets = pod.slice_axis(all, 1, 0, LENGTH), pod.slice_axis(all, 1, 1, LENGTH + 1)
  return pod.data.from_tensor_slices { inputs, targets, weights }
end

local train = make_data(sequences):shuffle(sequences):batch(64, { drop_remainder = true }):prefetch()
local test = make_data(math.floor(sequences / 10)):batch(64)

-- What a token is, plus where it is.
local token_and_place = layers.subclass {
  name = "TokenAndPlace",
  setup = function(self, vocabulary, length, width)
    self.tokens = layers.embedding(vocabulary, width)
    self.places = layers.embedding(length, width)
  end,
  call = function(self, x)
    return self.tokens(x) + self.places(pod.arange(0, x.shape[2]))
  end,
}

local function block(x)
  local y = layers.layer_normalization()(x)
  y = layers.multi_head_attention(4, math.floor(WIDTH / 4))(y, { use_causal_mask = true })
  x = layers.add() { x, y }
  y = layers.layer_normalization()(x)
  y = layers.dense(2 * WIDTH, { activation = "gelu" })(y)
  return layers.add() { x, layers.dense(WIDTH)(y) }
end

local strategy = pod.distribute.mirrored(4)
local model = strategy:scope(function()
  local input = layers.input { LENGTH, dtype = "int32" }
  local x = token_and_place(SIGN + 1, LENGTH, WIDTH)(input)
  for _ = 1, 2 do
    x = block(x)
  end
  local logits = layers.dense(SIGN + 1)(layers.layer_normalization()(x))
  local model = pod.models.functional { inputs = input, outputs = logits, name = "transformer" }
  model:compile {
    optimizer = pod.optimizers.adam { learning_rate = 2e-3 },
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true },
    weighted_metrics = { "accuracy" }, steps_per_execution = 10,
  }
  return model
end)
model:summary()
model:fit(train, { epochs = epochs, validation_data = test, verbose = 2 })

local result = model:evaluate(test, { return_dict = true, verbose = 0 })
print(string.format("Test loss: %.5f, accuracy: %.4f", result.loss, result.accuracy))

-- Sorts new digits: appends the most likely token, one after the other.
local most_likely = pod.func(function(tokens)
  return model(tokens):argmax(-1)
end)

local rows = pod.random.uniform({ 100, DIGITS }, { maxval = 10, dtype = "int32" }):totable()
for _, row in ipairs(rows) do
  row[DIGITS + 1] = SIGN
  for i = DIGITS + 2, LENGTH do
    row[i] = 0
  end
end
for at = DIGITS + 1, LENGTH do
  local guesses = most_likely(pod.tensor(rows, { dtype = "int32" })):totable()
  for i, row in ipairs(rows) do
    row[at + 1] = guesses[i][at]
  end
end

local right = 0
for i, row in ipairs(rows) do
  local digits = {}
  for place = 1, DIGITS do
    digits[place] = row[place]
  end
  local written = table.concat(row, " ", DIGITS + 2)
  table.sort(digits)
  right = right + (written == table.concat(digits, " ") and 1 or 0)
  if i <= 3 then
    print(table.concat(row, " ", 1, DIGITS) .. "  sorted: " .. written)
  end
end
print(string.format("%d of %d sequences are sorted without a mistake", right, #rows))
