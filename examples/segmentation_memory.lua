-- What a segmentation model takes of a TPU's memory, before there is a TPU: a small U-Net on pictures of 256 x 896 with
-- 10 kinds of pixels, 128 of them on each core of a v3-8, and a loss that makes one-hot rows of the labels. A published
-- report of 2021 is of such a step: it needed 19.46G of 15.48G, of which 14.00G were the one-hot's, whose ten kinds lay
-- in 128 lanes. Prints what that array took and takes, today's report, and what would need less. Nothing is run, and
-- none of those gigabytes is allocated.
--
--   moonpod examples/segmentation_memory.lua [batch=128] [page.html]

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local layers = pod.layers

local batch, page = ...
batch = tonumber(batch or 128)

local HEIGHT, WIDTH, KINDS = 256, 896, 10

local function one_hot_loss(labels, logits)
  local rows = pod.one_hot(labels:reshape { -1 }, KINDS):reshape(logits.shape)
  return pod.losses.categorical_crossentropy { from_logits = true, reduction = "none" }(rows, logits)
end

local function two_convolutions(x, filters)
  for _ = 1, 2 do
    x = layers.conv2d(filters, 3, { padding = "same", activation = "relu" })(x)
  end
  return x
end

local function new_model()
  local input = layers.input { HEIGHT, WIDTH, 3 }
  local first = two_convolutions(input, 8)
  local second = two_convolutions(layers.max_pooling2d(2)(first), 16)
  local x = two_convolutions(layers.max_pooling2d(2)(second), 32)
  x = layers.conv2d_transpose(16, 2, { strides = 2, activation = "relu" })(x)
  x = two_convolutions(layers.concatenate() { x, second }, 16)
  x = layers.conv2d_transpose(8, 2, { strides = 2, activation = "relu" })(x)
  x = layers.conv2d(18, 3, { padding = "same", activation = "relu" })(layers.concatenate() { x, first })
  local output = layers.conv2d(KINDS, 1)(x)
  local model = pod.models.functional { inputs = input, outputs = output, name = "model" }
  model:compile { optimizer = pod.optimizers.adam { learning_rate = 1e-3 }, loss = one_hot_loss }
  return model
end

local resolver = pod.cluster.resolve { accelerator = "v3-8" }
local strategy = pod.distribute.tpu_strategy(resolver)
local model = strategy:scope(new_model)
local step = { batch = batch, x = pod.spec { -1, HEIGHT, WIDTH, 3 }, y = pod.spec({ -1, HEIGHT, WIDTH }, "int32") }

print "---- the one-hot labels of 2021, and as they would lie today"
print(pod.padding("s32[29360128,10]{1,0:T(8,128)}", { chip = "v3" }))
print(pod.padding { shape = { 29360128, 10 }, dtype = "s32", chip = "v3" })
print "\n---- the report of the step"
local report = model:memory_report("v3", step)
print(report:text("today", { largest = 4 }))
print "\n---- what would need less"
print(report:remedies())
print "\n---- after the first"
local after = report:apply(1)
print(("it needs %.2fG of %.2fG: %s"):format(after.need_bytes / 2 ^ 30, after.limit_bytes / 2 ^ 30,
  (after.verdict:gsub("_", " "))))
if page then
  report:html(page)
end
