-- How many variants of a model what-if evaluates a second, of the processor: `./dev bench whatif`. An MLP on several
-- chips, batches and types, and a ResNet-50.

local pod = require "moonpod"

local function mlp()
  local model = pod.models.sequential { pod.layers.dense(1024, { activation = "relu", input_shape = { 784 } }),
    pod.layers.dense(1024, { activation = "relu" }), pod.layers.dense(10) }
  model:compile { optimizer = "adam", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end

local function resnet()
  local model = pod.applications.resnet50 { classes = 1000, input_shape = { 224, 224, 3 } }
  model:compile { optimizer = "sgd", loss = "sparse_categorical_crossentropy" }
  return model
end

local function eights(count)
  local list = {}
  for i = 1, count do
    list[i] = 8 * i
  end
  return list
end

for _, case in ipairs {
  { "MLP", mlp, 100, { "v3", "v4", "v5e-8", "v5p", "v6e" } }, { "MLP, batches alone", mlp, 1000, { "v5e" } },
  { "ResNet-50", resnet, 20, { "v3", "v5e-8" } }, { "ResNet-50, batches alone", resnet, 40, { "v5e" } } } do
  local name, make, count, chips = table.unpack(case)
  local model = make()
  local start = os.clock()
  local rows = pod.advisor.whatif(model, { chip = chips, batch = eights(count),
    dtype = #chips > 1 and { "float32", "mixed_bfloat16" } or nil })
  local seconds = os.clock() - start
  print(("%-26s %5d variants in %6.2f s: %7.0f a second"):format(name, #rows, seconds, #rows / seconds))
end
