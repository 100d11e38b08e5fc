-- One workload: `workloads.lua NAME PRECISION REPLICAS [SECONDS [times]]` trains with rows shuffled and gathered for each
-- batch and prints one JSON line: median milliseconds of a step, samples a second, peak memory. With `times` a line for
-- each instruction of the step follows: kind, name, nanoseconds a step on all threads, operations, bytes.
--
--   w1, w2   784-128-10 and 784-1024-1024-10 with relu on Fashion-MNIST, batch 1024, Adam
--   w3, w3s  two convolutions of 3 x 3 with pooling, 128, 10 on Fashion-MNIST; batch 1024 and 128, Adam
--   w4       a decoder of four layers, width 256, 4 heads, 128 places, 96 characters, batch 32, AdamW; the images' bytes
--            stand for characters

local pod = require "moonpod"
local core = require "moonpod.core"
local layers = pod.layers

local name, precision, replicas, seconds = arg[1], arg[2], tonumber(arg[3]), tonumber(arg[4] or 5)
local counted = arg[5] == "times"

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

local function images(shape)
  return (pod.datasets.fashion_mnist { shape = shape })
end

local function characters()
  local root = os.getenv "MOONPOD_DATASETS" or "/usr/share/datasets"
  local pixels = pod.data.load_idx(root .. "/fashion-mnist/train-images-idx3-ubyte.gz"):reshape { -1 }
  local count = math.floor(pixels.shape[1] / (LENGTH + 1) / 8)
  local rows = pod.slice_axis(pixels, 0, 0, count * (LENGTH + 1)):cast("int32") % VOCABULARY
  rows = rows:reshape { count, LENGTH + 1 }
  return pod.data.from_tensor_slices { pod.slice_axis(rows, 1, 0, LENGTH), pod.slice_axis(rows, 1, 1, LENGTH + 1) }
end

local WORKLOADS = {
  w1 = { model = function() return dense_model { 128 } end, shape = { 784 }, batch = 1024, steps = 20 },
  w2 = { model = function() return dense_model { 1024, 1024 } end, shape = { 784 }, batch = 1024, steps = 5 },
  w3 = { model = image_model, shape = { 28, 28, 1 }, batch = 1024, steps = 1 },
  w3s = { model = image_model, shape = { 28, 28, 1 }, batch = 128, steps = 5 },
  w4 = { model = decoder, batch = 32, steps = 1, optimizer = "adamw" },
}
local work = WORKLOADS[name]

pod.device.context():set_threads(2)
pod.mixed_precision.set_global_policy(precision == "bf16" and "mixed_bfloat16" or "float32")
local strategy = pod.distribute.mirrored(replicas)
local model = strategy:scope(function()
  local made = work.model()
  made:compile { optimizer = work.optimizer or "adam", steps_per_execution = work.steps,
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return made
end)

local train = work.shape and images(work.shape) or characters()
train = train:shuffle(60000, { seed = 1 }):repeat_():batch(work.batch):prefetch(4)

-- The program of the training step.
local function step_program(trained)
  local _, step = next(trained._functions)
  return step.list[1].program
end

-- The first three executions compile and touch memory; then they are timed until the time is over.
local times, started, stop = {}, nil, nil
model:fit(train, { steps_per_epoch = 1000000, verbose = 0, callbacks = { {
  on_train_batch_begin = function()
    started = core.clock()
  end,
  on_train_batch_end_lazy = function(self, batch)
    local now = core.clock()
    times[#times + 1] = (now - started) * 1e3 / work.steps
    if #times == 3 then
      stop = now + seconds
      if counted then
        step_program(self.model):count_time(true)
      end
    elseif #times >= 6 and now >= stop then
      self.model.stop_training = true
    end
    return batch
  end,
} } })
times = { table.unpack(times, 4) }
table.sort(times)
local step = times[math.floor(#times / 2) + 1]
local peak = tonumber(io.open("/proc/self/status"):read("a"):match "VmHWM:%s*(%d+)") / 1024
print(string.format('{"workload": "%s", "precision": "%s", "replicas": %d, "batch": %d, "step_ms": %.4f, '
  .. '"samples_per_s": %.0f, "peak_rss_mib": %.0f, "isa": "%s"}', name, precision, replicas, work.batch, step,
  work.batch / step * 1e3, peak, pod.device.context():isa()))

if counted then
  local spent = step_program(model):times()
  local row = '{"kind": "%s", "name": "%s", "phase": %d, "nanoseconds": %.0f, "operations": %.0f, "bytes": %d, '
    .. '"products": %d, "rows": %d, "columns": %d, "depth": %d}'
  print(row:format("wait", "", 0, spent.waiting_nanoseconds / spent.steps, 0, 0, 0, 0, 0, 0))
  for _, one in ipairs(spent) do
    print(row:format(one.kind, one.name, one.phase, one.nanoseconds / spent.steps, one.operations, one.bytes,
      one.products, one.rows, one.columns, one.depth))
  end
end
