-- Programs with one planted fault each, and what each is when the advice is taken: for advice.lua.
--
-- A case is { id = (of the advice that has to come first), name =, threads =, cpus = (1: it is kept on one), make =
-- function(fixed, advice, pictures) } where make returns model, data and options of fit: `fixed` takes the advice.

local pod = require "moonpod"

local layers, AUTOTUNE = pod.layers, pod.data.AUTOTUNE

local function dense(inputs, widths, options)
  local list = { layers.input { inputs } }
  for i, width in ipairs(widths) do
    list[#list + 1] = layers.dense(width, { activation = i < #widths and "relu" or nil })
  end
  local model = pod.models.sequential(list)
  local given = { optimizer = "adam", loss = "mse", steps_per_execution = 1 }
  for key, value in pairs(options or {}) do
    given[key] = value
  end
  model:compile(given)
  return model
end

local function uniform(rows, columns)
  return pod.random.uniform { rows, columns }
end

-- Work in Lua, for a map that runs as Lua.
local function slow(x, y)
  local sum = 0
  for i = 1, 2500 do
    sum = sum + i % 7
  end
  if sum < 0 then
    return y, x
  end
  return x, y
end

local cases = {}

cases[1] = { id = "parallel_calls", name = "slow map", threads = 1, make = function(fixed, advice)
  local data = pod.data.from_tensor_slices { uniform(2048, 16), uniform(2048, 1) }
    :map(slow, { interpret = true, num_parallel_calls = fixed and advice.value or nil,
      output_signature = { pod.spec({ 16 }, "float32"), pod.spec({ 1 }, "float32") } })
    :repeat_():batch(32, { drop_remainder = true }):prefetch(4)
  return dense(16, { 64, 1 }), data, { steps_per_epoch = 384 }
end }

cases[2] = { id = "prefetch", name = "no prefetch", threads = 1, make = function(fixed)
  local data = pod.data.from_tensor_slices { uniform(4096, 512), uniform(4096, 1) }
    :map(function(x, y)
      for _ = 1, 12 do
        x = (x * 3):sin():exp()
      end
      return x:sin(), y
    end, { defer = false })
    :repeat_():batch(128, { drop_remainder = true })
  pod.mixed_precision.set_global_policy "mixed_bfloat16"
  local model = dense(512, { 512, 1 }, { steps_per_execution = 16 })
  pod.mixed_precision.set_global_policy "float32"
  return model, fixed and data:prefetch(AUTOTUNE) or data,
    { steps_per_epoch = 192 }
end }

cases[3] = { id = "batch", name = "batch too small", cpus = 1, threads = 1, make = function(fixed, advice)
  local batch = fixed and advice.value or 4
  local data = pod.data.from_tensors { uniform(batch, 784), uniform(batch, 10) }:repeat_()
  return dense(784, { 512, 10 }, { steps_per_execution = 16 }), data,
    { steps_per_epoch = 512, per_row = batch }
end }

cases[4] = { id = "parallel_calls", name = "one thread decodes", threads = 1, make = function(fixed, advice, pictures)
  local data = pod.data.tfrecord(pictures)
    :parse_example({ image = { image = "png", shape = { 28, 28, 1 }, channels = 1, dtype = "uint8" },
      label = pod.spec({}, "int64") }, { num_parallel_calls = fixed and advice.value or nil })
    :map(function(row)
      return row.image:cast("float32"):reshape { -1 } / 255, row.label:cast("float32"):reshape { 1 }
    end)
    :repeat_():batch(128, { drop_remainder = true }):prefetch(AUTOTUNE)
  return dense(784, { 16, 1 }), data, { steps_per_epoch = 256 }
end }

cases[5] = { id = "callback", name = "callback per batch", cpus = 1, threads = 1, make = function(fixed)
  local data = pod.data.from_tensors { uniform(32, 64), uniform(32, 1) }:repeat_()
  return dense(64, { 256, 1 }), data, { steps_per_epoch = 768, callbacks = { { name = "watch",
    [fixed and "on_epoch_end" or "on_train_batch_end"] = function()
      local sum = 0
      for i = 1, 20000 do
        sum = sum + i % 7
      end
      return sum
    end } } }
end }

cases[6] = { id = "steps_per_execution", name = "one step an execution", cpus = 1, threads = 1,
  make = function(fixed, advice)
  local data = pod.data.from_tensors { uniform(8, 8), uniform(8, 1) }:repeat_()
  return dense(8, { 8, 1 }, { steps_per_execution = fixed and advice.value or 1 }), data,
    { steps_per_epoch = 8192 }
end }

local CLASSES = 4096

cases[7] = { id = "sparse_loss", name = "one-hot loss", cpus = 1, threads = 1, make = function(fixed)
  local x, y = uniform(256, 32), pod.random.uniform({ 256 }, { maxval = CLASSES, dtype = "int32" })
  local data = pod.data.from_tensors { x, y }:repeat_()
  local loss = fixed and pod.losses.sparse_categorical_crossentropy { from_logits = true }
    or pod.losses.categorical_crossentropy { from_logits = true }
  if not fixed then
    data = data:map(function(a, b)
      return a, pod.one_hot(b, CLASSES)
    end)
  end
  return dense(32, { 32, CLASSES }, { loss = loss }), data, { steps_per_epoch = 32 }
end }

cases[8] = { id = "bfloat16", name = "f32 where bf16 is faster", cpus = 1, threads = 1, make = function(fixed)
  pod.mixed_precision.set_global_policy(fixed and "mixed_bfloat16" or "float32")
  local data = pod.data.from_tensors { uniform(256, 1024), uniform(256, 1) }:repeat_()
  local model = dense(1024, { 1024, 1024, 1 })
  pod.mixed_precision.set_global_policy "float32"
  return model, data, { steps_per_epoch = 16 }
end }

cases[9] = { id = "slow_feed", name = "one replica's feed is slow", cpus = 1, threads = 1, make = function(fixed)
  local strategy = pod.distribute.mirrored(2, { num_hosts = 2 })
  local model
  strategy:scope(function()
    model = dense(16, { 64, 1 })
  end)
  local data = strategy:distribute_datasets_from_function(function(context)
    local host = context.input_pipeline_id
    local of = pod.data.from_tensor_slices { uniform(1024, 16), uniform(1024, 1) }
    local signature = { interpret = true,
      output_signature = { pod.spec({ 16 }, "float32"), pod.spec({ 1 }, "float32") } }
    if host == 1 and not fixed then
      of = of:map(slow, signature)
    end
    return of:repeat_():batch(16, { drop_remainder = true })
  end)
  return model, data, { steps_per_epoch = 640 }
end }

cases.clean = { name = "clean", threads = 2, make = function()
  pod.mixed_precision.set_global_policy "mixed_bfloat16"
  local data = pod.data.from_tensor_slices { uniform(8192, 784), uniform(8192, 10) }
    :shuffle(8192):repeat_():batch(1024, { drop_remainder = true }):prefetch(AUTOTUNE)
  local model = dense(784, { 512, 512, 10 }, { steps_per_execution = 8 })
  pod.mixed_precision.set_global_policy "float32"
  return model, data, { steps_per_epoch = 32 }
end }

return cases
