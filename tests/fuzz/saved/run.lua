-- run - files of which the JSON within was changed while all around it is sound: lua run.lua [--count N] [--seed S]
-- [--seconds T]. Checkpoints, backups, models, weights, exported programs, configs of Keras, chips, notebooks. Each is
-- read or refused: with its name, by no error of Lua's own; and where it is refused, all is as before: weights, slots,
-- random numbers, the place in the data, fields. Where there is an older state, that is taken. Ends with 1 where not.

local pod = require "moonpod"
local architecture = require "moonpod.saving.architecture"
local core = require "moonpod.core"
local document = require "moonpod.notebook.document"
local files = require "tests.lua.support.files"
local inner_json = require "tests.lua.support.inner_json"
local json = require "moonpod.base.json"
local keras_config = require "moonpod.saving.keras_config"
local mutate = require "tests.fuzz.saved.mutate"

local L, C = pod.layers, pod.callbacks

local given = {}
for i = 1, #arg, 2 do
  given[assert(arg[i]:match "^%-%-(%l+)$", arg[i])] = arg[i + 1]
end
local seed, seconds = tonumber(given.seed or 1), tonumber(given.seconds)
local most = tonumber(given.count) or seconds and math.huge or 300

local folder = files.temporary()
os.execute("mkdir " .. folder)
io.stderr = { write = function() end } -- luacheck: ignore

local counts = { files = 0, refused = 0, older = 0 }
local what -- what was changed, for messages

local function fail(format, ...)
  io.write(("saved: file %d of seed %d: "):format(counts.files, seed), format:format(...), "\n  ", what or "", "\n")
  os.execute("rm -rf " .. folder)
  os.exit(1)
end

local SIGNS = { "attempt to", "bad argument", "stack overflow", "table index is", "number has no integer",
  "invalid order function", "nil value", "invalid value", "assertion failed" }

-- A refusal names the file, and is none of Lua's own.
local function check_message(message, name)
  message = tostring(message)
  for _, sign in ipairs(SIGNS) do
    if message:find(sign, 1, true) then
      fail("an error of Lua's own: %s", message)
    end
  end
  if not message:find(name, 1, true) then
    fail("the message does not say '%s': %s", name, message)
  end
end

-- ---- what must not change ------------------------------------------------------------------------------

local X, Y = pod.random.normal({ 12, 3 }, { seed = 1 }), pod.random.normal({ 12, 1 }, { seed = 2 })

local function make()
  local model = pod.models.sequential { L.input { shape = { 3 } }, L.dense(2, { activation = "tanh", name = "a" }),
    L.dropout(0.2, { name = "d" }), L.batch_normalization { name = "n" }, L.dense(1, { name = "b" }) }
  model:compile { optimizer = pod.optimizers.adam(pod.schedules.exponential_decay(0.1, 5, 0.5)), loss = "mse",
    metrics = { "mae" } }
  return model
end

local function state_of(model, others)
  local numbers = pod.random.get_state()
  local parts = { numbers.seed, numbers.count, numbers.generator and numbers.generator:data() or "-",
    tostring(model.stop_training) }
  local function add(list)
    for _, one in ipairs(list) do
      parts[#parts + 1] = one.name .. one:value():data()
    end
  end
  add(model.weights)
  add(model.optimizer and model.optimizer.variables or {})
  for _, text in ipairs(others and others() or {}) do
    parts[#parts + 1] = text
  end
  return table.concat(parts, "|")
end

-- Reads what was changed by fn: where it is refused all is as before.
local function try(name, state, fn)
  local before = state()
  local ok, result = pcall(fn)
  if not ok then
    counts.refused = counts.refused + 1
    check_message(result, name)
    if state() ~= before then
      fail("refused, and not as before: %s", tostring(result))
    end
  end
  return ok, result
end

-- ---- what is read ------------------------------------------------------------------------------------

local function damaged(bytes, keys)
  return inner_json.changed(bytes, function(metadata, header)
    local key = mutate.pick(keys)
    if key == "header" then
      local kept = header.__metadata__
      header.__metadata__ = nil
      what = "header: " .. mutate.change(header)
      header.__metadata__ = kept
    else
      local text
      text, what = mutate.text(metadata[key])
      metadata[key], what = text, key .. ": " .. what
    end
  end)
end

local targets = {}

do
  local model, best = make(), pod.variable(2)
  model:fit(X, Y, { verbose = 0, batch_size = 4 })
  local mean = pod.metrics.mean()
  local saved = pod.train.checkpoint { model = model, optimizer = model.optimizer, mean = mean, best = best,
    iterator = pod.data.range(40):shuffle(9, { seed = 3 }):iterator(), epoch = 3, names = { "a", "b" }, of = { x = 1 } }
  local path = folder .. "/checkpoint-1.safetensors"
  mean(3)
  saved.iterator:next()
  saved:write(path)
  local whole = files.read(path)
  local function state()
    return state_of(model, function()
      return { saved.iterator:state(), tostring(saved.epoch), json.encode(saved.names), json.encode(saved.of),
        best:value():item(), mean:result():item(), saved._count }
    end)
  end
  local function spoil()
    model:set_weights((function()
      local list = model:get_weights()
      for i, one in ipairs(list) do
        list[i] = one * 0 + mutate.draw(100)
      end
      return list
    end)())
    saved.iterator:next()
    saved.epoch, saved.of = 4, { x = 2 }
    best:assign(mutate.draw(100))
  end

  function targets.checkpoint()
    files.write(path, damaged(whole, { "extra", "state", "header" }))
    spoil()
    try(path, state, function() saved:restore(path) end)
    if not saved.iterator:has_next() then
      saved.iterator:rewind()
    end
  end

  -- The newest of two is damaged: it is taken, or the older one.
  function targets.older_checkpoint()
    local older = pod.train.checkpoint { model = model, best = best }
    best:assign(1)
    older._count = 0
    older:save(folder .. "/older")
    best:assign(2)
    older:save(folder .. "/older")
    local newest = folder .. "/older-2.safetensors"
    files.write(newest, damaged(files.read(newest), { "extra", "state", "header" }))
    spoil()
    local ok, taken = try("older", state, function() return older:restore_latest(folder .. "/older") end)
    if not ok then
      fail("no state was taken: %s", tostring(taken))
    elseif taken ~= newest then
      counts.older = counts.older + 1
      if best:value():item() ~= 1 then
        fail "the older state is not what was saved"
      end
    end
  end

  function targets.weights()
    local weights = folder .. "/w.safetensors"
    model:save_weights(weights)
    files.write(weights, damaged(files.read(weights), { "header" }))
    spoil()
    try(weights, state, function() model:load_weights(weights) end)
  end
end

do
  local stop = { on_train_batch_end = function(_, batch)
    if batch == 1 then
      error "stop here"
    end
  end }
  local function fit(model, where, extra)
    return model:fit(X, Y, { epochs = 3, batch_size = 4, verbose = 0, callbacks = { C.early_stopping("loss", {
      restore_best_weights = true, patience = 5 }), C.reduce_lr_on_plateau("loss"), C.csv_logger(where .. ".csv"),
      C.json_logger(where .. ".json"), C.model_checkpoint(where .. "-{epoch:02d}.weights.h5",
      { save_weights_only = true, max_to_keep = 2 }), C.backup_and_restore(where, { save_freq = 1,
      double_checkpoint = true }), extra } })
  end
  local where = folder .. "/backup"
  pcall(fit, make(), where, { on_epoch_end = function(_, epoch)
    if epoch == 1 then
      error "stop here"
    end
  end })
  local paths, whole = { where .. "/backup-1.safetensors", where .. "/backup-2.safetensors" }, {}
  local log, lines = files.read(where .. ".csv"), files.read(where .. ".json")
  for i, path in ipairs(paths) do
    whole[i] = assert(files.read(path))
  end
  local model = make()

  -- One, or both, of the two states are damaged. What could be read goes on until its second batch.
  local function backup(both)
    os.execute("mkdir -p " .. where) -- a run that came to its end has deleted it
    files.write(where .. ".csv", log)
    files.write(where .. ".json", lines)
    local number = mutate.draw(2)
    for i, path in ipairs(paths) do
      files.write(path, (both or i == number) and damaged(whole[i], { "extra", "state" }) or whole[i])
    end
    -- fit draws numbers and makes the optimizer's slots before it asks for a state
    local function weights()
      local list = {}
      for i, one in ipairs(model:get_weights()) do
        list[i] = one:data()
      end
      return table.concat(list)
    end
    local before = weights()
    local ok, message = pcall(fit, model, where, stop)
    if ok or tostring(message):find("stop here", 1, true) then
      return
    end
    counts.refused = counts.refused + 1
    if not tostring(message):find("prepare of callback", 1, true) then -- a log may be a number, and be none there
      return check_message(message, "callback")
    end
    check_message(message, "backup")
    if not both then
      fail("the sound state was not taken: %s", message)
    elseif weights() ~= before then
      fail("refused, and not as before: %s", message)
    end
  end
  function targets.backup()
    backup(true)
  end
  function targets.older_backup()
    backup(false)
  end
end

do
  local path = folder .. "/model.safetensors"
  local model = make()
  model:fit(X, Y, { verbose = 0 })
  model:save(path)
  local whole = files.read(path)
  function targets.model()
    files.write(path, damaged(whole, { "architecture", "compile", "state", "header" }))
    try(path, function() return state_of(model) end, function() return pod.models.load(path) end)
  end

  local text = model:to_json()
  function targets.architecture()
    local other
    other, what = mutate.text(text)
    try("from_json", function() return state_of(model) end, function() return pod.models.from_json(other) end)
  end

  local exported = folder .. "/exported.safetensors"
  pod.func(function(x, options) return { y = x + options.more, parts = { x, 3 } } end):export(exported,
    { pod.spec { 3 }, { more = pod.spec { 3 } } })
  local program = files.read(exported)
  function targets.exported()
    files.write(exported, damaged(program, { "structure", "header" }))
    local ok, made = try(exported, function() return state_of(model) end, function()
      return pod.load_exported(exported)
    end)
    if ok then
      local called, message = pcall(made, pod.ones { 3 }, { more = pod.ones { 3 } })
      if not called then
        check_message(message, "program")
      end
    end
  end

  local function entry(name, config)
    return { module = "keras.layers", class_name = name, config = config, registered_name = json.null }
  end
  local keras = json.encode { module = "keras", class_name = "Sequential", registered_name = "Sequential", config = {
    name = "s", trainable = true, dtype = entry("DTypePolicy", { name = "float32" }), layers = {
      entry("InputLayer", { batch_shape = { json.null, 3 }, dtype = "float32", name = "i" }),
      entry("Dense", { name = "d", units = 2, activation = "relu", use_bias = true, trainable = true,
        kernel_initializer = { module = "keras.initializers", class_name = "GlorotUniform",
          config = { seed = json.null }, registered_name = json.null } }),
      entry("Dropout", { name = "o", rate = 0.5, seed = json.null }) }, build_input_shape = { json.null, 3 } },
    compile_config = { optimizer = { module = "keras.optimizers", class_name = "Adam", config = { name = "adam",
      learning_rate = 0.001, beta_1 = 0.9 }, registered_name = json.null }, loss = "mse", metrics = { "mae" } } }
  function targets.keras()
    local other
    other, what = mutate.text(keras)
    try("config.json", function() return state_of(model) end, function()
      local plain, compiled = keras_config.read(other, "config.json", { read_vocabulary = function() end,
        read_weights = function() end })
      pod.random.unless_it_fails(function()
        local made = architecture.build_for({}, nil, plain, { where = "config.json" })
        if compiled then
          architecture.compile(made, compiled, { where = "config.json" })
        end
      end)
    end)
  end
end

do
  local path, number = folder .. "/chips.json", 0
  function targets.chips()
    number = number + 1
    local other
    other, what = mutate.text(json.encode { format = "moonpod", kind = "chips", version = "1.0", chips = {
      { name = ("v%dx"):format(10000 + number), based_on = "v5e", hbm_bytes = 2 ^ 33, hbm_limit_bytes = 8e9 },
      { name = ("v%dy"):format(10000 + number), based_on = "v4", pod_shape = { 4, 4, 4 } } } })
    files.write(path, other)
    try(path, function() return tostring(#pod.chips()) end, function() return pod.add_chips(path) end)
  end

  local notebook = json.encode { nbformat = 4, nbformat_minor = 5, metadata = { kernelspec = { name = "moonpod" } },
    cells = { { cell_type = "code", id = "a", source = { "x\n", "y" }, metadata = { tags = { "t" } },
      execution_count = 1, outputs = { { output_type = "stream", name = "stdout", text = { "a" } }, { output_type =
        "execute_result", data = { ["text/plain"] = { "3" } }, metadata = {}, execution_count = 1 },
        { output_type = "error", ename = "E", evalue = "e", traceback = { "t" } } } },
      { cell_type = "markdown", id = "b", source = "# b", metadata = {},
        attachments = { p = { ["image/png"] = "x" } } } } }
  function targets.notebook()
    local other
    other, what = mutate.text(notebook)
    local ok, made = try("x.ipynb", function() return "" end, function() return document.decode(other, "x.ipynb") end)
    if ok then
      local written, message = pcall(document.encode, made)
      if not written then
        fail("what was read is not written: %s", tostring(message))
      end
    end
  end
end

-- ---- the run -----------------------------------------------------------------------------------------

local names = {}
for name in pairs(targets) do
  names[#names + 1] = name
end
table.sort(names)

mutate.seed(seed)
local began = core.clock()
while counts.files < most and (not seconds or core.clock() - began < seconds) do
  counts.files = counts.files + 1
  local name = given.target or mutate.pick(names)
  local ok, message = xpcall(targets[name], function(failure)
    return debug.traceback(tostring(failure), 2)
  end)
  if not ok then
    fail("%s: %s", name, message)
  end
end
os.execute("rm -rf " .. folder)
print(("saved: %d files (%d refused, %d times the older state was taken), seed %d"):format(counts.files, counts.refused,
  counts.older, seed))
os.exit(counts.files > 0 and 0 or 1, true)
