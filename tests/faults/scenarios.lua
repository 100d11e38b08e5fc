-- scenarios - what sweep.lua runs with faults. Each has
--
--     name      for people, and to choose it
--     faults    kinds of faults, of fault_injector
--     before    function(folder), optional: makes files, without faults
--     run       function(folder): the work; gives a text that is the same each time
--     after     function(), optional: undoes what a run may have set
--     check     function(folder), optional: raises where what outlives a run is not whole
--     weight    how many times as many faults as others it gets
--     optional_files   a run that passes may leave its files unwritten
--     is_another       function(path), optional: true for a file that a run may leave besides

local injector = require "fault_injector"
local json = require "moonpod.base.json" -- here, so that no run is the first to load it
local layers_scope = require "moonpod.layers.scope"
local names = require "moonpod.base.names"
local pod = require "moonpod"
local trace = require "moonpod.tensor.trace"

local data = pod.data

local scenarios = {}

local RUNNING = { "allocation", "thread", "lock", "signal", "stop" }
local READING = { "allocation", "open", "read", "short read", "interrupted read", "close", "look", "folder", "thread",
  "lock", "signal", "stop" }
local WRITING = { "allocation", "open", "full disk", "write", "short write", "interrupted write", "sync", "close",
  "rename", "folder", "signal", "stop" }
local BOTH = { "allocation", "open", "read", "short read", "interrupted read", "full disk", "write", "short write",
  "interrupted write", "sync", "close", "rename", "folder", "look", "signal", "stop" }

local function add(name, faults, scenario)
  scenario.name, scenario.faults = name, faults
  scenarios[#scenarios + 1] = scenario
end

-- The bytes of tensors.
local function bits(...)
  local texts = {}
  for i, t in ipairs { ... } do
    texts[i] = t:data()
  end
  return table.concat(texts)
end

local function write_file(path, bytes)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
end

-- ---- the module, tensors, programs ----------------------------------------------------------------------------------

local OPEN = [[
  local pod = require "moonpod"
  local x = pod.tensor { { 1, 2 }, { 3, 4 } }
  local v = pod.variable(x)
  v:assign_add(x:matmul(x))
  return v:data():gsub(".", function(c) return ("%02x"):format(c:byte()) end)
]]

add("open, compute, close", { "allocation", "open", "read", "short read", "interrupted read", "look", "map", "thread",
  "lock", "library" }, {
  weight = 8, -- what a state leaves behind is little
  run = function()
    return injector.run_state(OPEN, "")
  end,
})

add("eager operations", RUNNING, {
  run = function()
    pod.random.set_seed(1)
    local x = pod.random.normal { 40, 30 }
    local y = x:matmul(x:transpose { 1, 0 }):softmax(-1)
    local parts = pod.concat({ y:slice({ 0, 0 }, { 10, 40 }), y[{ "10:20" }] }, 0)
    local v = pod.variable(parts:sum(0))
    v:assign_sub(pod.sort(v:value()))
    return bits(y, v:value(), pod.where(pod.less(x, 0), x, pod.exp(x)), x:argmax(1))
  end,
})

-- The graphs of its two functions are copied with the loop.
add("loop that runs eagerly", { "allocation" }, {
  weight = 50,
  run = function()
    local _, x = pod.while_loop(function(i) return pod.less(i, 3) end, function(i, x) return i + 1, x * 2 end,
      { pod.tensor(0, { dtype = "int32" }), pod.tensor { 1, 2 } })
    return bits(x)
  end,
})

add("pod.func and gradients", RUNNING, {
  run = function()
    local w, b = pod.variable(pod.full({ 8, 8 }, 0.1)), pod.variable(pod.zeros { 8 })
    local step = pod.func(function(x)
      local tape, loss = pod.tape(function()
        local _, h = pod.while_loop(function(i) return pod.less(i, 3) end, function(i, h)
          return i + 1, pod.tanh(h:matmul(w) + b)
        end, { pod.tensor(0, { dtype = "int32" }), x }, { maximum_iterations = 3 })
        return h:sum()
      end)
      local gradients = tape:gradient(loss, { w, b })
      w:assign_sub(gradients[1] * 0.1)
      b:assign_sub(gradients[2] * 0.1)
      return loss
    end)
    local first = step(pod.ones { 4, 8 })
    return bits(first, step(pod.ones { 4, 8 }), w:value(), b:value())
  end,
})

-- Whatever is open in a script for the time of a call, one within the other; few allocations, so that each may fail.
do
  local steps = {
    function(go, ...) return pod.distribute.mirrored(2):scope(go, ...) end,
    function(go, ...) return pod.distribute.within(pod.distribute.mirrored(3), go, ...) end,
    function(go, ...) return pod.distribute.mirrored(1):run(go, { ... }) end,
    function(go, ...) return select(2, pod.tape(go)) end,
    function(go, ...) return trace.with(trace.new("func", "f"), go, ...) end,
    function(go, ...) return trace.scope("name", go, ...) end,
    function(go, ...) return trace.asked_by("someone", go, ...) end,
    function(go, ...) return layers_scope.with_training(true, go) end,
    function(go)
      local done
      data.range(1):map(function(x)
        done = go()
        return x
      end, { defer = false })
      return done
    end,
  }

  add("what is open for a call", { "allocation" }, {
    weight = 2000,
    run = function()
      local depth = 0
      local function go()
        depth = depth + 1
        if depth > #steps then
          return "done"
        end
        coroutine.wrap(steps[depth])(table.pack) -- where Lua has no frames of calls to spare
        return steps[depth](go)
      end
      return go()
    end,
  })
end

-- A variable that outlives the faults: its value is that after 0, 1, 2 or 3 assignments.
do
  local v = pod.variable(pod.zeros { 40 })

  add("variables, eagerly", RUNNING, {
    before = function() v:assign(pod.zeros { 40 }) end,
    run = function()
      for _ = 1, 3 do
        v:assign_add(pod.ones { 40 })
        v:value():sum():item()
      end
      return "assigned"
    end,
    check = function()
      local value = v:value():totable()
      for i = 1, 40 do
        assert(value[i] == value[1] and (value[i] == 0 or value[i] == 1 or value[i] == 2 or value[i] == 3),
          "the variable holds " .. value[i])
      end
    end,
  })
end

-- ---- models ---------------------------------------------------------------------------------------------------------

local function make_model(replicas)
  return pod.distribute.mirrored(replicas):scope(function()
    local model = pod.models.sequential {
      pod.layers.dense(8, { activation = "relu", input_shape = { 6 } }),
      pod.layers.dropout(0.25),
      pod.layers.batch_normalization(),
      pod.layers.dense(3),
    }
    model:compile { optimizer = "adam", metrics = { "accuracy" },
      loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    return model
  end)
end

local function pairs_of_data()
  return pod.random.normal { 24, 6},
    pod.tensor({ 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2 }, { dtype = "int32" })
end

local function weights_of(model)
  return bits(table.unpack(model:get_weights()))
end

local function fit(replicas)
  pod.random.set_seed(5)
  local x, y = pairs_of_data()
  local model, seen = make_model(replicas), {}
  model:fit(data.from_tensor_slices({ x, y }):shuffle(24, { seed = 2 }):batch(8):prefetch(2), { epochs = 2, verbose = 0,
    callbacks = { { on_epoch_end = function(_, epoch, logs)
      seen[#seen + 1] = ("%d %.9g"):format(epoch, logs.loss)
    end } } })
  local evaluated = model:evaluate(x, y, { batch_size = 10, verbose = 0 })
  return table.concat(seen, " ") .. ("%.9g"):format(evaluated[1]) .. weights_of(model) ..
    bits(model:predict(x, { verbose = 0, batch_size = 5 }))
end

add("fit, evaluate, predict", RUNNING, { run = function() return fit(1) end })
add("fit on 8 replicas", RUNNING, { run = function() return fit(8) end })

-- A run that keeps its state, ends before its time and goes on.
do
  local function train(folder, stops_at)
    names.reset()
    pod.random.set_seed(5)
    local x, y = pairs_of_data()
    local model, callbacks = make_model(2), pod.callbacks
    local ok, failure = pcall(model.fit, model, x, y, { epochs = 2, batch_size = 8, verbose = 0, callbacks = {
      callbacks.early_stopping { monitor = "loss", restore_best_weights = true, patience = 5 },
      callbacks.model_checkpoint(folder .. "/kept/{epoch}.safetensors", { save_weights_only = true, max_to_keep = 1 }),
      callbacks.backup_and_restore(folder .. "/backup", { save_freq = 2, double_checkpoint = true }),
      { on_train_batch_end = function(self)
        if self.batches_seen == stops_at then
          error "stops here"
        end
      end } } })
    if not ok and not tostring(failure):find "stops here" then
      error(failure, 0)
    end
    return model
  end

  add("a run that is kept and goes on", BOTH, {
    is_another = function(path)
      return path:find "^backup/backup%-[12]%.safetensors$" ~= nil or path:find "^kept/%d%.safetensors$" ~= nil
    end,
    run = function(folder)
      train(folder, 5)
      return weights_of(train(folder))
    end,
  })
end

-- A model that outlives the faults: after each its weights are those after 0, 1, 2 or 3 steps, all of the same step.
do
  local model, start, rows, wholes

  local function prepare()
    pod.random.set_seed(9)
    rows = data.from_tensor_slices { pairs_of_data() }:batch(8)
    model = pod.distribute.mirrored(2):scope(function()
      local made = pod.models.sequential { pod.layers.dense(8, { activation = "relu", input_shape = { 6 } }),
        pod.layers.dense(3) }
      made:compile { optimizer = "sgd", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
      return made
    end)
    start = model:get_weights()
  end

  local function reset()
    pod.random.set_seed(9)
    model:set_weights(start)
  end

  local function train(on_train_batch_end)
    model:fit(rows, { epochs = 1, verbose = 0, callbacks = { { on_train_batch_end = on_train_batch_end } } })
  end

  add("weights after a fault in fit", { "allocation", "signal", "stop" }, {
    before = function()
      if not model then
        prepare()
      end
      reset()
      if not wholes then
        wholes = { [weights_of(model)] = true }
        train(function() wholes[weights_of(model)] = true end)
        reset()
      end
    end,
    run = function()
      train()
      return "trained"
    end,
    check = function()
      assert(wholes[weights_of(model)], "the weights are those of no step")
    end,
  })
end

add("reports", { "allocation", "signal", "stop" }, {
  run = function()
    names.reset()
    local model = pod.models.sequential { pod.layers.dense(8, { activation = "relu", input_shape = { 6 } }),
      pod.layers.dense(3) }
    model:compile { optimizer = "adam", loss = "mse" }
    local report = model:memory_report("v3", { batch = 128 })
    local text = tostring(report) .. tostring(report:remedies())
    report:close()
    return text .. tostring(pod.padding "f32[512,1000]") .. tostring(model:check_tpu("v3"))
  end,
})

local STEP = [[
module @step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 8 : i32} {
  func.func public @main(%arg0: tensor<512x1000xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<128x512xbf16>)
      -> (tensor<512x1000xf32>, tensor<128x1000xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<512x1000xf32>) -> tensor<512x1000xbf16>
    %1 = stablehlo.dot_general %arg1, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]
        : (tensor<128x512xbf16>, tensor<512x1000xbf16>) -> tensor<128x1000xf32>
    return %arg0, %1 : tensor<512x1000xf32>, tensor<128x1000xf32>
  }
}
]]

add("advise", { "allocation", "open", "read", "close", "signal", "stop" }, {
  before = function(folder) write_file(folder .. "/step.mlir", STEP) end,
  run = function(folder)
    local advice = pod.advise(folder .. "/step.mlir", { chip = "v3", cores = 8 })
    local text = tostring(advice)
    advice.memory:close()
    return text
  end,
})

add("pictures of reports", WRITING, {
  before = function(folder) write_file(folder .. "/memory.html", "old") end,
  run = function(folder)
    names.reset()
    local f = pod.func(function(x)
      local y = pod.tanh(x:matmul(x)):sum() -- its line stands in the text: not that of a caller of a tail call
      return y
    end, { name = "f" })
    local report = f:memory_report("v3", { arguments = { pod.spec({ 64, 64 }, "float32") } })
    report:html(folder .. "/memory.html")
    report:svg(folder .. "/memory.svg")
    report:close()
    return f:stablehlo(pod.spec({ 64, 64 }, "float32"))
  end,
})

-- ---- files of arrays ------------------------------------------------------------------------------------------------

local old, new = pod.tensor { 1, 2, 3 }, pod.arange(0, 30000):reshape { 100, 300 }
local formats = {
  npy = { data.save_npy, data.load_npy },
  idx = { data.save_idx, data.load_idx },
  ["idx.gz"] = { data.save_idx, data.load_idx },
  npz = { function(path, x) data.save_npz(path, { x = x }) end, function(path) return data.load_npz(path).x end },
  deflated = { function(path, x) data.save_npz(path, { x = x }, { compress = true }) end,
    function(path) return data.load_npz(path).x end },
  safetensors = { function(path, x) data.save_safetensors(path, { x = x }) end,
    function(path) return data.load_safetensors(path).x end },
  hdf5 = { function(path, x) data.save_hdf5(path, { ["a/b/x"] = x, y = x }, { ["a/b@name"] = "text" }) end,
    function(path) return data.load_hdf5(path)["a/b/x"] end },
}

for _, name in ipairs { "npy", "idx", "idx.gz", "npz", "deflated", "safetensors", "hdf5" } do
  local save, load = table.unpack(formats[name])
  add("write " .. name, WRITING, {
    before = function(folder) save(folder .. "/a." .. name, old) end,
    run = function(folder)
      save(folder .. "/a." .. name, new)
      return "written"
    end,
  })
  add("read " .. name, READING, {
    before = function(folder) save(folder .. "/a." .. name, new) end,
    run = function(folder) return bits(load(folder .. "/a." .. name)) end,
  })
end

local here = debug.getinfo(1, "S").source:match "^@(.*/)"
dofile(here .. "model_scenarios.lua")(add, bits, READING, WRITING)
dofile(here .. "chip_scenarios.lua")(add, READING)

-- ---- exported programs ----------------------------------------------------------------------------------------------

local exported_rows = pod.random.normal { 3, 4 }

local function exported_model()
  names.reset()
  pod.random.set_seed(4)
  return pod.models.sequential { pod.layers.dense(3, { input_shape = { 4 } }), pod.layers.dense(2) }
end

for _, name in ipairs { "net.safetensors", "net.mlir" } do
  add("export " .. name, WRITING, {
    before = function(folder) exported_model():export(folder .. "/" .. name) end,
    run = function(folder)
      exported_model():export(folder .. "/" .. name)
      return "exported"
    end,
  })
end

add("load what was exported", READING, {
  before = function(folder) exported_model():export(folder .. "/net.safetensors") end,
  run = function(folder)
    return bits(pod.load_exported(folder .. "/net.safetensors")(exported_rows))
  end,
})

-- ---- records and saved datasets -------------------------------------------------------------------------------------

local function write_records(path, count, compression)
  local writer = data.records.writer(path, { compression = compression })
  for i = 1, count do
    writer:write(data.records.example { i = i, text = ("r%d"):format(i):rep(1000) })
  end
  writer:close()
end

for _, compression in ipairs { "none", "gzip" } do
  add("write records " .. compression, WRITING, {
    before = function(folder) write_records(folder .. "/a.rec", 1, compression) end,
    run = function(folder)
      write_records(folder .. "/a.rec", 60, compression)
      return "written"
    end,
  })
  -- A script that goes on after a failed write: what it closes is the whole file or an error.
  add("write on, records " .. compression, WRITING, {
    before = function(folder) write_records(folder .. "/a.rec", 1, compression) end,
    run = function(folder)
      local writer = data.records.writer(folder .. "/a.rec", { compression = compression })
      for i = 1, 60 do
        pcall(writer.write, writer, ("r%d"):format(i):rep(1000))
      end
      writer:close()
      return "written"
    end,
  })
  add("read records " .. compression, READING, {
    before = function(folder) write_records(folder .. "/a.rec", 30, compression) end,
    run = function(folder)
      local ds = data.tfrecord(folder .. "/a.rec", { compression = compression }):parse_example({
        i = pod.spec({}, "int64"), text = { dtype = "text" } }, { num_parallel_calls = 2 })
      local texts = {}
      for element in ds:prefetch(2):iter() do
        texts[#texts + 1] = tostring(element.i:item()) .. element.text
      end
      return table.concat(texts, "\n")
    end,
  })
end

add("shards of records", BOTH, {
  before = function(folder) write_records(folder .. "/s-00000-of-00003", 1) end,
  run = function(folder)
    data.records.shard(data.from_texts { ("a"):rep(600), ("b"):rep(600), ("c"):rep(600) }, folder .. "/s",
      { target_mb = 0.001 })
    return "written"
  end,
})

add("shards of records by number", BOTH, {
  before = function(folder) write_records(folder .. "/s-00001-of-00002", 1) end,
  run = function(folder)
    data.records.shard(data.from_texts { "a", "bc", "def" }, folder .. "/s", { num_shards = 2 })
    return "written"
  end,
})

local function text_of(ds)
  local texts = {}
  for _, value in ipairs(ds:totable()) do
    texts[#texts + 1] = type(value) == "table" and table.concat(value, " ") or tostring(value)
  end
  return table.concat(texts, "\n")
end

add("save and load a dataset", BOTH, {
  before = function(folder) data.range(3):save(folder .. "/d") end,
  run = function(folder)
    data.range(1000):batch(10):save(folder .. "/d", { compression = "gzip" })
    return text_of(data.load(folder .. "/d"):unbatch())
  end,
})

add("cache in a file", BOTH, {
  optional_files = true,
  run = function(folder)
    local ds = data.range(400):map(function(i) return i * 2 end, { defer = false }):cache(folder .. "/c")
    return text_of(ds) .. text_of(ds)
  end,
})

add("snapshot", BOTH, {
  optional_files = true,
  run = function(folder)
    return text_of(data.range(100):snapshot(folder .. "/snapshots"))
  end,
})

add("state of an iterator", BOTH, {
  run = function(folder)
    local ds = data.range(100):shuffle(20, { seed = 1 }):batch(7)
    local it = ds:iterator()
    it:next()
    it:next()
    it:save(folder .. "/input.state")
    it:close()
    local other = ds:iterator()
    other:load(folder .. "/input.state")
    local batch = other:next()
    other:close()
    return bits(batch)
  end,
})

dofile(here .. "data_scenarios.lua")(add, { READING = READING, bits = bits, text_of = text_of,
  write_file = write_file })

-- ---- event files ----------------------------------------------------------------------------------------------------

-- The scalars of an event file; it must end behind a whole record.
local function scalars_of(path)
  local context, texts = require "moonpod.tensor.device".context(), {}
  for _ in data.records.read(path) do
    texts[1] = nil
  end
  local reader = pod.core.event_reader(context, path)
  for tag, step, value in function() return reader:next() end do
    texts[#texts + 1] = ("%s %d %s"):format(tag, step, tostring(value))
  end
  reader:close()
  return table.concat(texts, "\n")
end

-- Their names tell when they were made, so a run that ends well takes its file away.
add("event files", { "allocation", "open", "full disk", "write", "short write", "interrupted write", "sync", "close",
  "folder", "signal", "stop" }, {
  run = function(folder)
    local writer = pod.summary.writer(folder .. "/logs", { max_queue = 2 })
    for step = 1, 3 do
      writer:scalar("loss", step / 2, step)
    end
    writer:histogram("h", pod.tensor { 1, 2, 3 }, 1)
    writer:image("i", pod.tensor { { { 0.5 }, { 1 } } }, 1)
    writer:hparams { lr = 0.5 }
    writer:close()
    local text = scalars_of(writer.path)
    os.remove(writer.path)
    return text
  end,
  check = function(folder)
    for _, name in ipairs(injector.entries(folder .. "/logs") or {}) do
      scalars_of(folder .. "/logs/" .. name)
    end
  end,
  is_another = function(path)
    return path:find "tfevents" ~= nil
  end,
})

-- Whether bytes are messages in protocol buffers' format that all have the tag 0x0a, to the last byte.
local function are_messages(bytes)
  local at = 1
  while at <= #bytes do
    local size, factor, one = 0, 1, nil
    if bytes:byte(at) ~= 0x0a then
      return false
    end
    repeat
      at = at + 1
      one = bytes:byte(at)
      if not one then
        return false
      end
      size, factor = size + one % 128 * factor, factor * 128
    until one < 128
    at = at + 1 + size
  end
  return at == #bytes + 1 and #bytes > 0
end

-- Whether a file of a profile is one as the profiler ends it.
local function is_whole(name, text)
  if name == "trace.json" then
    return pcall(json.decode, text)
  elseif name == "trace.perfetto" then
    return are_messages(text)
  elseif name == "profile.pb.gz" then
    -- Its end says how much it unpacks to; four bytes of its middle would say another size.
    local size = ("<I4"):unpack(text, math.max(#text - 3, 1))
    return text:find "^\31\139" ~= nil and size > #text / 2 and size < 100 * #text
  end
  return text:find "\n$" ~= nil
end

add("profile", WRITING, {
  run = function(folder)
    local x = pod.tensor { { 1, 2 }, { 3, 4 } }
    local double = pod.func(function(t) return t * 2 end)
    local text
    local profile = pod.profiler.trace(folder .. "/profile", function()
      text = bits(double(x))
    end)
    for _, path in pairs(profile:save(folder .. "/profile")) do
      os.remove(path)
    end
    -- A step of a program that no memory was left to note is told as one that is not in the tables.
    local missing = tonumber(profile.overview.lost:match "(%d+) older steps") or 0
    return text .. ("%.0f"):format(profile.overview.steps + missing)
  end,
  after = function()
    if pod.profiler.is_on() then
      pod.profiler.stop()
    end
  end,
  check = function(folder)
    for _, name in ipairs(injector.entries(folder .. "/profile") or {}) do
      local file = assert(io.open(folder .. "/profile/" .. name, "rb"))
      local text = file:read "*a"
      file:close()
      if not is_whole(name, text) then
        error(name .. " is not whole")
      end
    end
  end,
  is_another = function(path)
    return path:find "profile" ~= nil
  end,
})

return scenarios
