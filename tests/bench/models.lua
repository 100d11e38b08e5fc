-- The models of the workloads, and how they are compiled; what trains them is workloads.lua.
--
--   w1, w2   784-128-10 and 784-1024-1024-10 with relu on Fashion-MNIST, batch 1024, Adam
--   w3, w3s  two convolutions of 3 x 3 with pooling, 128, 10 on Fashion-MNIST; batch 1024 and 128, Adam
--   w4       a decoder of four layers, width 256, 4 heads, 128 places, 96 characters, batch 32, AdamW
--
-- and those of shapes.lua.

local pod = require "moonpod"
local bytes = require "bytes"
local layers = pod.layers

local function dense_model(widths)
  local list = { layers.input { 784 } }
  for _, width in ipairs(widths) do
    list[#list + 1] = layers.dense(width, { activation = "relu" })
  end
  list[#list + 1] = layers.dense(10)
  return pod.models.sequential(list)
end

local function image_model()
  return pod.models.sequential {
    layers.conv2d(32, 3, { padding = "same", activation = "relu", input_shape = { 28, 28, 1 } }),
    layers.max_pooling2d(),
    layers.conv2d(64, 3, { padding = "same", activation = "relu" }),
    layers.max_pooling2d(),
    layers.flatten(),
    layers.dense(128, { activation = "relu" }),
    layers.dense(10),
  }
end

local LENGTH, WIDTH, HEADS, VOCABULARY = 128, 256, 4, 96

local token_and_place = layers.subclass {
  name = "TokenAndPlace",
  setup = function(self)
    self.tokens = layers.embedding(VOCABULARY, WIDTH)
    self.places = layers.embedding(LENGTH, WIDTH)
  end,
  call = function(self, x)
    return self.tokens(x) + self.places(pod.arange(0, LENGTH))
  end,
}

pod.register_layer("TokenAndPlace", token_and_place)

local function decoder()
  local input = layers.input { LENGTH, dtype = "int32" }
  local x = token_and_place()(input)
  for _ = 1, 4 do
    local y = layers.layer_normalization()(x)
    y = layers.multi_head_attention(HEADS, WIDTH // HEADS)(y, y, { use_causal_mask = true })
    x = layers.add() { x, y }
    y = layers.dense(4 * WIDTH, { activation = "gelu" })(layers.layer_normalization()(x))
    x = layers.add() { x, layers.dense(WIDTH)(y) }
  end
  return pod.models.functional { inputs = input, outputs = layers.dense(VOCABULARY)(layers.layer_normalization()(x)) }
end

-- steps: of an execution. shape: of an image of Fashion-MNIST; data: makes another dataset.
local workloads = {
  w1 = { model = function() return dense_model { 128 } end, shape = { 784 }, batch = 1024, steps = 20 },
  w2 = { model = function() return dense_model { 1024, 1024 } end, shape = { 784 }, batch = 1024, steps = 5 },
  w3 = { model = image_model, shape = { 28, 28, 1 }, batch = 1024, steps = 1 },
  w3s = { model = image_model, shape = { 28, 28, 1 }, batch = 128, steps = 5 },
  w4 = { model = decoder, data = bytes.characters(LENGTH, VOCABULARY), batch = 32, steps = 4, optimizer = "adamw" },
}

for name, work in pairs(require "shapes") do
  workloads[name] = work
end

workloads.LENGTH = LENGTH

-- Replicas on this host, or devices of the plugin of PJRT that `--plugin` gave.
local function strategy_of(replicas)
  local plugin = os.getenv "MOONPOD_BENCH_PLUGIN"
  if not plugin then
    return pod.distribute.mirrored(replicas)
  end
  return pod.distribute.tpu_strategy(pod.cluster.resolve { pjrt = plugin, num_cores = replicas })
end

-- Makes and compiles a model on so many replicas. precision: "bf16" (mixed) or "fp32"; metrics: those of `compile`, if
-- any.
function workloads.compile(name, precision, replicas, metrics)
  return workloads.compile_on(strategy_of(replicas), name, precision, metrics)
end

-- The same on a strategy.
function workloads.compile_on(strategy, name, precision, metrics)
  local work = workloads[name]
  pod.mixed_precision.set_global_policy(precision == "bf16" and "mixed_bfloat16" or "float32")
  return strategy:scope(function()
    local made = work.model()
    local optimizer = work.optimizer
    made:compile { optimizer = type(optimizer) == "function" and optimizer() or optimizer or "adam",
      steps_per_execution = work.steps, metrics = metrics,
      loss = work.loss or work.own and pod.losses.mean_squared_error {}
        or pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    return made
  end)
end

-- A dataset of a workload: rows of inputs and targets.
function workloads.data(name)
  local work = workloads[name]
  if work.data then
    return work.data()
  end
  local train = pod.datasets.fashion_mnist { shape = work.shape }
  return work.own and train:map(function(image) return image, image end) or train
end

-- The program of a model's training step, once it has run.
function workloads.step_program(model)
  local _, step = next(require "moonpod.models.feed".functions_of(model))
  return step.list[1].program
end

return workloads
