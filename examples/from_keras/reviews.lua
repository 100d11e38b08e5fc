-- Reviews, good or bad: a vocabulary, an embedding, a GRU, and a training loop of one's own. Ported from reviews.py.
-- Prints the first words of the vocabulary, a line an epoch, and how many of the reviews kept apart are told right.
--
--   moonpod examples/from_keras/reviews.lua [folder=build/from_keras] [seed=1]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local folder, seed = ...
folder, seed = folder or "build/from_keras", tonumber(seed or 1)
pod.random.set_seed(seed)

local rows = pod.data.csv(folder .. "/reviews.csv", { label = "label" })
local count = math.floor(#rows:totable() * 4 / 5)
local texts = {}
for i, row in ipairs(rows:totable(count)) do
  texts[i] = row[1].text
end

local vectorize = layers.text_vectorization {
  max_tokens = 200, output_sequence_length = 24 }
vectorize:adapt(texts)
print("vocabulary:", vectorize:vocabulary_size(),
  table.concat(vectorize:get_vocabulary(), " ", 1, 6))

local function numbers(row, label)
  return vectorize(row.text), pod.reshape(pod.cast(label, "float32"), { 1 })
end

local train = rows:take(count):map(numbers):cache()
train = train:shuffle(count, { seed = seed }):batch(32)
local test = rows:skip(count):map(numbers):batch(100)

local model = pod.models.sequential {
  layers.input { shape = { 24 }, dtype = "int64" },
  layers.embedding(200, 16, { mask_zero = true }),
  layers.gru(24),
  layers.dense(1),
}
local optimizer = pod.optimizers.adam(5e-3)
local loss_fn = pod.losses.binary_crossentropy { from_logits = true }
local loss_metric = pod.metrics.mean()
local accuracy = pod.metrics.binary_accuracy { threshold = 0 }

local train_step = pod.func(function(x, y)
  local weights = model.trainable_weights
  local tape, loss, logits = pod.tape(function()
    local logits = model(x, { training = true })
    return loss_fn(y, logits), logits
  end)
  optimizer:apply(tape:gradient(loss, weights), weights)
  loss_metric:update_state(loss)
  accuracy:update_state(y, logits)
end)

for epoch = 1, 8 do
  loss_metric:reset_state()
  accuracy:reset_state()
  for x, y in train:iter() do
    train_step(x, y)
  end
  print(("epoch %d - loss: %.4f - accuracy: %.4f"):format(
    epoch, loss_metric:result():item(), accuracy:result():item()))
end

accuracy:reset_state()
for x, y in test:iter() do
  accuracy:update_state(y, model(x))
end
print(("test accuracy: %.4f"):format(accuracy:result():item()))
for _, text in ipairs { "the plot was not bad",
  "I saw it on Monday. The film was boring." } do
  local score = pod.sigmoid(model(vectorize { text })):item()
  print(("%.3f  %s"):format(score, text))
end
