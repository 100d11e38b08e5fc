-- One case of input.lua: `input_cases.lua NAME SECONDS PICTURES` prints one JSON line.

local pod = require "moonpod"
local core = require "moonpod.core"

local name, seconds, pictures = arg[1], tonumber(arg[2]), arg[3]
local BATCH = 1024
local AUTOTUNE = pod.data.AUTOTUNE

pod.device.context():set_threads(2)

-- Elements a second of batches, over whole passes, after a first one.
local function rate(ds, limit)
  local it = ds:iterator()
  local function pass()
    local batches, began = 0, core.clock()
    while it:next() do
      batches = batches + 1
      if limit and core.clock() - began > limit then
        break
      end
    end
    it:rewind()
    return batches, core.clock() - began
  end
  pass()
  local elements, elapsed = 0, 0
  while elapsed < seconds do
    local batches, took = pass()
    elements, elapsed = elements + batches * BATCH, elapsed + took
  end
  it:close()
  return elements / elapsed
end

-- Fashion-MNIST as it is stored, and the function that makes floats of it.
local function raw_images()
  return pod.datasets.fashion_mnist():raw():cache()
end

local function to_floats(image, label)
  return image:cast("float32") / 255, label:cast("int32")
end

local function decoded(threads)
  return pod.data.tfrecord(pictures)
    :parse_example({
      image = { image = "png", shape = { 28, 28, 1 }, channels = 1, dtype = "uint8" },
      label = pod.spec({}, "int64"),
    }, { num_parallel_calls = threads })
    :map(function(row)
      return row.image:cast("float32") / 255, row.label:cast("int32")
    end)
    :batch(BATCH, { drop_remainder = true }):prefetch(AUTOTUNE)
end

-- ---- feeding a model -------------------------------------------------------------------------------------

local STEPS, EXECUTIONS = 20, 20

-- Milliseconds of a training step of W1.
local function step_time(model, ds)
  local times, started = {}, nil
  model:fit(ds, { steps_per_epoch = STEPS * EXECUTIONS, verbose = 0, callbacks = { {
    on_train_batch_begin = function()
      started = core.clock()
    end,
    on_train_batch_end_lazy = function(_, batch)
      times[#times + 1] = (core.clock() - started) * 1e3 / STEPS
      return batch
    end,
  } } })
  for _ = 1, 3 do
    table.remove(times, 1) -- these compile and touch memory
  end
  table.sort(times)
  return times[math.floor(#times / 2) + 1]
end

local function feed()
  pod.mixed_precision.set_global_policy "mixed_bfloat16"
  local model = pod.models.sequential {
    pod.layers.input { 784 }, pod.layers.dense(128, { activation = "relu" }), pod.layers.dense(10),
  }
  model:compile { optimizer = "adam", steps_per_execution = STEPS,
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  local fed = raw_images():shuffle(60000, { seed = 1 }):repeat_():map(to_floats):batch(BATCH):prefetch(AUTOTUNE)
  local x, y = raw_images():batch(BATCH):iterator():next()
  local bytes = pod.data.from_tensors({ x, y }):repeat_():map(to_floats)
  local floats = pod.data.from_tensors({ to_floats(x, y) }):repeat_()
  local pinned = raw_images():pin():repeat_():map(to_floats):batch(BATCH)
  local times = { {}, {}, {}, {} }
  for round = 1, 5 do
    for i, ds in ipairs { fed, floats, bytes, pinned } do
      times[i][round] = step_time(model, ds)
    end
  end
  for _, list in ipairs(times) do
    table.sort(list)
  end
  local fed_ms, floats_ms, bytes_ms, pinned_ms = times[1][3], times[2][3], times[3][3], times[4][3]
  return ("\"ratio\": %.4f, \"fed_ms\": %.4f, \"pinned_ms\": %.4f, \"bytes_ms\": %.4f, \"floats_ms\": %.4f"):format(
    fed_ms / pinned_ms, fed_ms, pinned_ms, bytes_ms, floats_ms)
end

-- ---- the cases -------------------------------------------------------------------------------------------

local cases = {}

function cases.memory()
  return ("\"elements_per_s\": %.0f"):format(rate(raw_images():shuffle(60000, { seed = 1 })
    :batch(BATCH, { drop_remainder = true }):map(to_floats, { num_parallel_calls = AUTOTUNE }):prefetch(AUTOTUNE)))
end

function cases.map_first()
  return ("\"elements_per_s\": %.0f"):format(rate(raw_images():shuffle(60000, { seed = 1 })
    :map(to_floats, { num_parallel_calls = AUTOTUNE }):batch(BATCH, { drop_remainder = true }):prefetch(AUTOTUNE)))
end

function cases.pictures()
  return ("\"elements_per_s\": %.0f"):format(rate(decoded(AUTOTUNE), seconds))
end

cases["function"] = function()
  local ds = pod.data.range(200000):map(function(i)
    if i % 2 == 0 then
      return i * 2.0 + 1
    end
    return i / 2
  end, { interpret = true, num_parallel_calls = AUTOTUNE, output_signature = pod.spec({}, "float32") })
  return ("\"elements_per_s\": %.0f"):format(rate(ds:batch(BATCH, { drop_remainder = true }):prefetch(AUTOTUNE)))
end

function cases.threads()
  local one, two = decoded(1), decoded(2)
  local ratios = {}
  for round = 1, 5 do
    local slow = rate(one, seconds / 4)
    ratios[round] = rate(two, seconds / 4) / slow
  end
  table.sort(ratios)
  return ("\"ratio\": %.4f"):format(ratios[3])
end

cases.feed = feed

print(('{"case": "%s", %s}'):format(name, cases[name]()))
