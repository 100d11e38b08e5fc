-- Writes the report of which docs/guides/profiling has pictures: see report_pictures.py. The training has four feeds,
-- one of them slow, and is compared with itself in float32.

local pod = require "moonpod"

local function slow(x, y)
  local sum = 0
  for i = 1, 500 do
    sum = sum + i % 7
  end
  return x, y
end

local function profile_of(policy)
  pod.random.set_seed(1)
  pod.mixed_precision.set_global_policy(policy)
  local strategy = pod.distribute.mirrored(4, { num_hosts = 4 })
  local signature = { pod.spec({ 256 }, "float32"), pod.spec({ 10 }, "float32") }
  local data = strategy:distribute_datasets_from_function(function(context)
    local x, y = pod.random.uniform { 1024, 256 }, pod.random.uniform { 1024, 10 }
    local own = pod.data.from_tensor_slices { x, y }:shuffle(1024)
    if context.input_pipeline_id == 2 then
      own = own:map(slow, { interpret = true, output_signature = signature })
    end
    return own:batch(32):prefetch(2)
  end)
  local model = strategy:scope(function()
    local one = pod.models.sequential { pod.layers.dense(512, { activation = "relu" }),
      pod.layers.dense(256, { activation = "relu" }), pod.layers.dense(10) }
    one:compile { optimizer = "adam", loss = "mse" }
    return one
  end)
  local options = { verbose = 0, epochs = 4, callbacks = { { name = "watch", on_train_batch_end = function() end } } }
  model:fit(data, options)
  pod.profiler.start()
  model:fit(data, options)
  return pod.profiler.stop()
end

local before = profile_of "float32"
profile_of("mixed_bfloat16"):save(arg[1], { before = before })
