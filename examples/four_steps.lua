-- A model on its way to a TPU, in four steps, before there is one: what a chip refuses of it, what it is changed into,
-- what makes its step faster, and which learning rate it takes then. Pictures are masked by their labels and one-hot
-- rows are made of these, as such code has it. Prints each step's findings, and trains the model that comes out.
--
--   moonpod examples/four_steps.lua [epochs=3] [rows=2048] [seed=1] [slice=v5e-8]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"

local epochs, rows, seed, slice = ...
epochs, rows, seed, slice = tonumber(epochs or 3), tonumber(rows or 2048), tonumber(seed or 1), slice or "v5e-8"
pod.random.set_seed(seed)

local FEATURES, CLASSES, BATCH = 120, 10, 500

-- A task that can be learned: the class is the largest of some sums of the features; a tenth of the labels is -1.
local x = pod.random.normal { rows, FEATURES }
local labels = pod.cast(pod.argmax(pod.matmul(x, pod.random.normal { FEATURES, CLASSES }), 1), "int32")
labels = pod.where(pod.less(pod.random.uniform { rows }, 0.1), -1, labels)

local function new_model(loss)
  local model = pod.models.sequential {
    pod.layers.dense(260, { activation = "relu", input_shape = { FEATURES } }),
    pod.layers.dense(260, { activation = "relu" }),
    pod.layers.dense(CLASSES),
  }
  model:compile { optimizer = "adam", loss = loss }
  return model
end

local crossentropy = pod.losses.categorical_crossentropy { from_logits = true, reduction = "none" }

local function one_hot(y)
  return pod.one_hot(pod.maximum(pod.reshape(pod.cast(y, "int32"), { -1 }), 0), CLASSES)
end

local function mask_of(y)
  return pod.greater_equal(pod.reshape(pod.cast(y, "int32"), { -1 }), 0)
end

-- As it was written: rows without a label are taken out, and how many are left depends on the data.
local function first_loss(y, logits)
  local mask = mask_of(y)
  return pod.mean(crossentropy(pod.boolean_mask(one_hot(y), mask), pod.boolean_mask(logits, mask)))
end

-- As a chip takes it: all rows stay, and those without a label count 0.
local function masked_loss(y, logits)
  local weights = pod.cast(mask_of(y), "float32")
  return pod.sum(crossentropy(one_hot(y), logits) * weights) / pod.sum(weights)
end

local step = { x = pod.spec { BATCH, FEATURES }, y = pod.spec({ BATCH }, "int32") }
local chip = slice:match "^[^-:]+"

print "---- 1. compatibility: what the chip refuses"
print(pod.suitability(new_model(first_loss), chip, step))

print "\n---- 2. adapt: a mask is multiplied with"
local model = new_model(masked_loss)
print(pod.suitability(model, chip, step))

print "\n---- 3. optimise: what makes a step faster, each tried"
local advice = model:advice(slice, step)
print(advice)
local before = advice.row
while advice[1] and not advice[1].longer do
  print(("applied: %s"):format(advice[1].title))
  advice = advice:apply(1)
end
model = advice.model
for _, row in ipairs { before, advice.row } do
  print(("%.3g s of a chip for an example, in steps of %d on %s"):format(row.seconds * row.chips / row.global_batch,
    row.global_batch, row.slice))
end

print "\n---- 4. re-tune: other numbers and another batch want another learning rate"
local batch = math.min(advice.row.batch, math.floor(rows / 4))
local found = pod.advisor.lr_find(model, x, labels, { batch_size = batch })
print(("a rate of %.2g (the loss is smallest at %.2g)"):format(found.rate, found.lowest_rate))
model.optimizer.learning_rate = found.rate
local history = model:fit(x, labels, { epochs = epochs, batch_size = batch, verbose = 2 }).history
print(("Test loss: %.4f"):format(model:evaluate(x, labels, { verbose = 0 })))
assert(history.loss[#history.loss] < history.loss[1])
