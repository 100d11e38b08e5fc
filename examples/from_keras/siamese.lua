-- A siamese network: whether two pictures show the same digit, by how far apart one network puts them. Ported from
-- siamese.py. Prints a line an epoch, and how many of the pairs kept apart are told right.
--
--   moonpod examples/from_keras/siamese.lua [folder=build/from_keras] [seed=1] [epochs=6]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "../find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local folder, seed, epochs = ...
folder, seed, epochs = folder or "build/from_keras", tonumber(seed or 1), tonumber(epochs or 6)
pod.random.set_seed(seed)

local digits = pod.data.load_npz(folder .. "/digits.npz")
local images, labels = digits.x:cast "float32" / 255, digits.y:totable()

-- Two pairs for each picture from `first` to `last`, counted from 0: with one of the same digit and with another one.
local function make_pairs(first, last)
  local by_digit = {}
  for i = first, last - 1 do
    local digit = labels[i + 1]
    by_digit[digit] = by_digit[digit] or {}
    table.insert(by_digit[digit], i)
  end
  local left, right, same = {}, {}, {}
  for i = first, last - 1 do
    for _, shift in ipairs { 0, 1 + i % 9 } do
      local others = by_digit[(labels[i + 1] + shift) % 10]
      left[#left + 1], right[#right + 1] = i, others[1 + (i * 7 + 3) % #others]
      same[#same + 1] = { shift == 0 and 1 or 0 }
    end
  end
  return { pod.gather(images, left), pod.gather(images, right) }, pod.tensor(same)
end

local count = math.floor(#labels * 2 / 3)
local x_train, y_train = make_pairs(0, count)
local x_test, y_test = make_pairs(count, #labels)

local tower = pod.models.sequential({
  layers.input { 28, 28 },
  layers.reshape { 28, 28, 1 },
  layers.conv2d(8, 5, { strides = 2, activation = "relu" }),
  layers.conv2d(16, 3, { strides = 2, activation = "relu" }),
  layers.flatten(),
  layers.dense(16),
}, { name = "tower" })

local left, right = layers.input { 28, 28 }, layers.input { 28, 28 }
local distance = layers.lambda(function(both)
  return pod.sqrt(pod.maximum(pod.sum(pod.square(both[1] - both[2]), 1, { keepdims = true }), 1e-7))
end) { tower(left), tower(right) }
local model = pod.models.functional { inputs = { left, right }, outputs = distance }
model:summary()

-- Pairs of the same digit are drawn together, others pushed apart to a distance of 1.
local function contrastive_loss(y_true, y_pred)
  return pod.mean(y_true * pod.square(y_pred) + (1 - y_true) * pod.square(pod.maximum(1 - y_pred, 0)), -1)
end

local told_right = pod.metrics.from_function(function(y_true, y_pred)
  return pod.mean(pod.cast(pod.equal(pod.cast(pod.less(y_pred, 0.5), "float32"), y_true), "float32"), -1)
end, "told_right")

model:compile { optimizer = pod.optimizers.adam(2e-3), loss = contrastive_loss, metrics = { told_right } }
model:fit(x_train, y_train, { batch_size = 32, epochs = epochs, verbose = 2 })
local result = model:evaluate(x_test, y_test, { verbose = 0, return_dict = true })
print(("test loss: %.4f, accuracy: %.4f"):format(result.loss, result.told_right))
