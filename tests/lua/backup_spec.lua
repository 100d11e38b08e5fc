-- backup_and_restore: a run that ends before its time, at any execution, and goes on elsewhere ends with the bits of
-- one that was never stopped.

local pod = require "moonpod"

local names = require "moonpod.base.names"
local inner_json = require "tests.lua.support.inner_json"
local bytes_of = require "tests.lua.support.bytes_of"
local warned_by = require "tests.lua.support.warned_by"
local read = require("tests.lua.support.files").read

local C = pod.callbacks

local folder = os.tmpname()
os.remove(folder)
local backup = folder .. "/a/backup"

after_each(function()
  os.execute("rm -rf '" .. folder .. "'")
end)

local function exists(path)
  return read(path) ~= nil
end

local function numbers(rows, columns, first)
  local list = {}
  for i = 1, rows do
    list[i] = {}
    for j = 1, columns do
      list[i][j] = math.sin(first + 7 * i + 3 * j * i)
    end
  end
  return pod.tensor(list)
end

local X, Y = numbers(38, 3, 1), numbers(38, 1, 2)

local function layers()
  return { pod.layers.input { 3 }, pod.layers.dense(5, { activation = "relu" }), pod.layers.dropout(0.3),
    pod.layers.batch_normalization(), pod.layers.dense(1) }
end

local function compiled(options)
  local model = pod.models.sequential(layers())
  local given = { optimizer = "adam", loss = "mse", metrics = { "mae" } }
  for key, value in pairs(options or {}) do
    given[key] = value
  end
  model:compile(given)
  return model
end

-- Each makes a model, data and options of fit as a new process would.
local scenarios = {
  tensors = function()
    return compiled(), X, Y, { batch_size = 8, epochs = 4, validation_data = { X, Y } }
  end,
  ["executions of 3 steps on 3 replicas"] = function()
    local model = pod.distribute.mirrored(3):scope(function()
      return compiled { steps_per_execution = 3, optimizer = pod.optimizers.adamw { gradient_accumulation_steps = 2 } }
    end)
    return model, pod.data.from_tensor_slices({ X, Y }):shuffle(20):batch(8):prefetch(2), nil,
      { epochs = 4, validation_data = { X, Y } }
  end,
  ["steps_per_epoch"] = function()
    return compiled(), pod.data.from_tensor_slices({ X, Y }):repeat_():shuffle(16):batch(6), nil,
      { epochs = 4, steps_per_epoch = 4 }
  end,
  ["steps_per_epoch that divides the data"] = function()
    return compiled(), pod.data.from_tensor_slices({ X, Y }):shuffle(16):batch(10), nil,
      { epochs = 4, steps_per_epoch = 2 }
  end,
  ["loss scaling"] = function()
    pod.mixed_precision.set_global_policy "mixed_float16"
    local model = compiled()
    pod.mixed_precision.set_global_policy "float32"
    return model, X, Y, { batch_size = 16, epochs = 3 }
  end,
  ["a train_step of one's own"] = function()
    local Own = pod.models.subclass {
      setup = function(self) self.inner = pod.layers.dense(1, { input_shape = { 3 } }) end,
      call = function(self, x) return self.inner(x) end,
      train_step = function(self, batch)
        local tape, loss = pod.tape(function()
          return self:compute_loss(batch[1], batch[2], self(batch[1]))
        end)
        local weights = self:get_trainable_weights()
        self.optimizer:apply(tape:gradient(loss, weights), weights)
        return { loss = loss, noise = pod.random.uniform {} }
      end,
    }
    local model = Own()
    model:compile { optimizer = "sgd", loss = "mse" }
    return model, X, Y, { batch_size = 16, epochs = 3 }
  end,
  ["run_eagerly"] = function()
    return compiled { run_eagerly = true }, X, Y, { batch_size = 20, epochs = 2 }
  end,
  ["averages of weights"] = function()
    return compiled { optimizer = pod.optimizers.sgd { use_ema = true, ema_momentum = 0.7 } }, X, Y,
      { batch_size = 16, epochs = 3, validation_data = { X, Y },
        callbacks = { C.swap_ema_weights { swap_on_epoch = true } } }
  end,
  ["callbacks with a state"] = function()
    return compiled(), X, Y, { batch_size = 13, epochs = 9, validation_data = { X, Y }, callbacks = {
      C.reduce_lr_on_plateau { patience = 1, min_delta = 0.05, factor = 0.5 },
      C.learning_rate_scheduler(function(_, rate) return rate * 0.9 end),
      C.early_stopping { patience = 2, min_delta = 0.08, restore_best_weights = true },
      C.csv_logger(folder .. "/log.csv"),
      C.model_checkpoint(folder .. "/kept/{epoch:02d}-{val_loss:.3f}.safetensors", { save_best_only = true,
        save_weights_only = true, max_to_keep = 2 }) } }
  end,
  ["a class of one's own that stops within an epoch"] = function()
    local Sum = C.subclass { name = "sum", state = { "sum", "parts" },
      on_train_begin = function(self) self.sum, self.parts = 0, { of = {} } end,
      on_train_batch_end = function(self, batch, logs)
        self.sum = self.sum + logs.loss
        self.parts.of[#self.parts.of + 1] = pod.tensor { logs.loss, batch }
        self.model.stop_training = #self.parts.of == 8
      end,
      on_train_end = function(self)
        local file = assert(io.open(folder .. "/log.csv", "w"))
        file:write(("%.17g"):format(self.sum), pod.concat(self.parts.of, 0):data())
        file:close()
      end }
    return compiled(), X, Y, { batch_size = 8, epochs = 4, callbacks = { Sum() }, validation_data = { X, Y } }
  end,
}

-- All that a run leaves behind, as one text.
local function remains(model)
  local parts = { bytes_of(model) }
  local inner = rawget(model.optimizer, "inner")
  for _, one in ipairs { model.optimizer, inner } do
    for _, variable in ipairs(one.variables) do
      parts[#parts + 1] = variable.name .. variable:value():data()
    end
  end
  local keys = {}
  for name in pairs(model.history.history) do
    keys[#keys + 1] = name
  end
  table.sort(keys)
  for _, name in ipairs(keys) do
    for _, value in ipairs(model.history.history[name]) do
      parts[#parts + 1] = name .. (" %.17g"):format(value)
    end
  end
  parts[#parts + 1] = table.concat(model.history.epoch, " ")
  parts[#parts + 1] = read(folder .. "/log.csv")
  local files = io.popen("cd '" .. folder .. "' 2>/dev/null && find . -type f ! -path './a/*' | sort | xargs cat")
  parts[#parts + 1] = files:read "*a"
  files:close()
  return table.concat(parts, "|")
end

-- Runs a scenario with backups; `stop_at`: the number of the execution that ends it. Returns the model, whether the run
-- came to its end, and how many executions there were.
local function run(make, seed, options, stop_at)
  pod.random.set_seed(seed)
  names.reset()
  local model, x, y, given = make()
  local executions = 0
  local list = { given.callbacks or {}, { on_train_batch_end = function()
    executions = executions + 1
    if executions == stop_at then
      error "stop here"
    end
  end } }
  if options then
    list[3] = C.backup_and_restore(backup, options)
  end
  given.callbacks, given.verbose = list, 0
  local ok, message = pcall(model.fit, model, x, y, given)
  if not ok and not message:find "stop here" then
    error(message, 0)
  end
  return model, ok, executions
end

local function fresh()
  os.execute("rm -rf '" .. folder .. "'; mkdir '" .. folder .. "'")
end

describe("a run that goes on", function()
  for name, make in pairs(scenarios) do
    it("ends as one that was never stopped: " .. name, function()
      fresh()
      local model, _, executions = run(make, 7)
      local expected = remains(model)
      fresh()
      assert.is_true(expected == remains((run(make, 7, { save_freq = 1 }))))
      assert.is_false(exists(backup .. "/backup-1.safetensors"))
      for stop_at = 2, executions, name == "tensors" and 1 or 3 do
        fresh()
        local _, done = run(make, 7, { save_freq = 1 }, stop_at)
        assert.is_false(done)
        assert.is_true(exists(backup .. "/backup-1.safetensors"))
        local again, _, rest = run(make, 7, { save_freq = 1 })
        assert.equal(executions - stop_at + 1, rest)
        assert.is_true(expected == remains(again), "stopped at " .. stop_at)
      end
      for _, options in ipairs { { save_freq = "epoch" }, { save_freq = 3, double_checkpoint = true } } do
        fresh()
        for _, stop_at in ipairs { 3, 7, 2, 5 } do
          run(make, 7, options, stop_at)
        end
        assert.is_true(expected == remains((run(make, 7, options))))
      end
    end)
  end

  it("does so where nobody gave a seed: the seed is kept, too", function()
    fresh()
    local make = scenarios.tensors
    run(make, 11, { save_freq = 2 }, 9)
    local text = read(backup .. "/backup-1.safetensors")
    local first = remains((run(make, 1000, { save_freq = 2 })))
    fresh()
    os.execute("mkdir -p '" .. backup .. "'")
    local file = assert(io.open(backup .. "/backup-1.safetensors", "wb"))
    file:write(text)
    file:close()
    assert.is_true(first == remains((run(make, 2000, { save_freq = 2 }))))
  end)
end)

local function text_of(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

local function entries(path)
  local pipe = io.popen("ls -a '" .. path .. "' 2>&1")
  local text = pipe:read "*a"
  pipe:close()
  return (text:gsub("^%.\n%.%.\n", ""))
end

local function remains_without(path, model)
  os.remove(path)
  os.remove(folder .. "/other")
  return remains(model)
end

describe("a folder of backups", function()
  local make = scenarios["callbacks with a state"]
  local double = { save_freq = 1, double_checkpoint = true }
  local first, second = backup .. "/backup-1.safetensors", backup .. "/backup-2.safetensors"
  local expected

  before_each(function()
    if not expected then
      fresh()
      expected = remains((run(make, 7)))
    end
    fresh()
  end)

  it("of which half is gone, or cut off, is gone on from with the other half", function()
    for _, damage in ipairs {
      function(path) os.remove(path) end,
      function(path) text_of(path, read(path):sub(1, 100)) end,
      function(path) text_of(path, "") end,
      function(path) text_of(path, (read(path):gsub("moonpod", "moonbad"))) end,
    } do
      for i, path in ipairs { first, second } do
        fresh()
        run(make, 7, double, 6 + i)
        assert.is_true(exists(first) and exists(second))
        damage(path)
        local list = warned_by(function()
          assert.is_true(expected == remains((run(make, 7, double))))
        end)
        assert.is_true(#list == 0 or #list == 1 and list[1]:find("cannot be read", 1, true) ~= nil, list[1])
        assert.is_false(exists(first) or exists(second))
      end
    end
  end)

  -- Says that the file `first` cannot be gone on from, for a reason, and leaves the weights.
  local function refuses(reason)
    local model, x, y, options = make()
    local before = bytes_of(model)
    options.callbacks, options.verbose = { C.backup_and_restore(backup) }, 0
    local ok, message = pcall(model.fit, model, x, y, options)
    assert.is_false(ok)
    assert.truthy(message:find(first .. ": " .. reason, 1, true), message)
    assert.equal(before, bytes_of(model))
  end

  it("of an epoch without a batch, where the data is at its end, is refused", function()
    fresh()
    run(make, 7, { save_freq = "epoch", delete_checkpoint = false })
    inner_json.change(first, "extra", function(extra)
      extra.position.is_done, extra.position.steps, extra.position.epoch = false, 0, 1
    end)
    refuses "the data is at its end"
  end)

  it("of JSON that nobody can use is gone on from with the other half, and without one nothing changes", function()
    local odd = { seconds = 7, epoch = { "x" }, history = { loss = { {} , "x" } } }
    for field, value in pairs(odd) do
      for i, path in ipairs { first, second } do
        fresh()
        run(make, 7, double, 6 + i)
        inner_json.change(path, "extra", function(extra) extra.callbacks.history[field] = value end)
        local list = warned_by(function()
          assert.is_true(expected == remains((run(make, 7, double))))
        end)
        assert.is_true(#list == 0 or #list == 1 and list[1]:find("the state of callback 'history'", 1, true) ~= nil)
      end
    end
    fresh()
    run(make, 7, { save_freq = 1 }, 5)
    for _, change in ipairs {
      function(extra) extra.callbacks.history.seconds = 7 end,
      function(extra) extra.position.logs = { 1 } end,
      function(extra) extra.position.epoch = -1 end,
      function(extra) extra.callbacks = 3 end,
      function(extra) extra.serial = nil end,
    } do
      local kept = read(first)
      inner_json.change(first, "extra", change)
      refuses ""
      text_of(first, kept)
    end
  end)

  it("that cannot be read at all is an error, and nothing is trained or written", function()
    run(make, 7, double, 7)
    text_of(first, "nonsense")
    text_of(second, read(second):sub(1, -2))
    local kept = { read(first), read(second) }
    pod.random.set_seed(7)
    local model, x, y, options = make()
    local before = bytes_of(model)
    options.callbacks, options.verbose = { C.backup_and_restore(backup, double) }, 0
    local ok, message = pcall(model.fit, model, x, y, options)
    assert.is_false(ok)
    assert.truthy(message:find("prepare of callback 1 (backup_and_restore)", 1, true), message)
    assert.truthy(message:find("Delete the folder to train from the beginning", 1, true), message)
    assert.equal(before, bytes_of(model))
    assert.same(kept, { read(first), read(second) })
  end)

  it("of another model is refused with what differs", function()
    run(make, 7, double, 5)
    local model = pod.models.sequential { pod.layers.input { 3 }, pod.layers.dense(2) }
    model:compile { optimizer = "adam", loss = "mse" }
    local before = bytes_of(model)
    assert.error_matches(function()
      model:fit(X, pod.zeros { 38, 2 }, { verbose = 0, callbacks = C.backup_and_restore(backup) })
    end, "another model")
    assert.equal(before, bytes_of(model))
  end)

  it("that cannot be made ends the run before it begins, and it runs elsewhere", function()
    text_of(folder .. "/a", "a file")
    local model, x, y, options = make()
    options.callbacks, options.verbose = { C.backup_and_restore(backup, { save_freq = 1 }) }, 0
    local ok, message = pcall(model.fit, model, x, y, options)
    assert.is_false(ok)
    assert.truthy(message:find("backup_spec.lua:%d+: .*: cannot make the "), message)
    assert.equal(0, model.optimizer.iterations:value():item())
    options.callbacks = { C.backup_and_restore(folder .. "/b", { save_freq = 1 }) }
    assert.equal(9, #model:fit(x, y, options).epoch)
    assert.equal("a file", read(folder .. "/a"))
  end)

  it("may be a link, as files in it may: they are written through", function()
    os.execute(("cd '%s' && mkdir a real && ln -s ../real a/backup && echo other > other && "
      .. "ln -s ../other real/backup-1.safetensors"):format(folder))
    local ok, message = pcall(run, make, 7, { save_freq = 1 })
    assert.is_false(ok)
    assert.truthy(message:find("Delete the folder", 1, true), message)
    assert.equal("other\n", read(folder .. "/other"))
    os.execute(("cd '%s/real' && rm backup-1.safetensors && ln -s ../else backup-1.safetensors"):format(folder))
    run(make, 7, { save_freq = 1 }, 5)
    assert.equal("backup-1.safetensors\n", entries(folder .. "/real"))
    assert.is_true(exists(folder .. "/else"))
    assert.is_true(expected == remains_without(folder .. "/else", (run(make, 7, { save_freq = 1 }))))
    assert.equal("", entries(folder .. "/real"))
    assert.equal("backup\n", entries(folder .. "/a"))
  end)

  it("keeps what is no file of a backup", function()
    os.execute("mkdir -p '" .. backup .. "'")
    text_of(backup .. "/notes.txt", "mine")
    text_of(backup .. "/backup-1.safetensors.1a2b.part", "half of a file")
    run(make, 7, { save_freq = 2 }, 3)
    assert.equal("backup-1.safetensors\nnotes.txt\n", entries(backup))
    run(make, 7, { save_freq = 2 })
    assert.equal("notes.txt\n", entries(backup))
  end)

  it("stays where it is asked to; a longer run goes on from it", function()
    local keep = { save_freq = "epoch", delete_checkpoint = false }
    local function train(epochs, options)
      pod.random.set_seed(3)
      local model = compiled()
      model:fit(X, Y, { epochs = epochs, verbose = 0, callbacks = { C.backup_and_restore(backup, options) } })
      return model
    end
    train(2, keep)
    assert.is_true(exists(first))
    local model = train(5, keep)
    assert.same({ 0, 1, 2, 3, 4 }, model.history.epoch)
    local again = train(5, keep) -- all is done
    assert.equal(bytes_of(model), bytes_of(again))
    fresh()
    assert.equal(bytes_of(model), bytes_of(train(5, keep)))
  end)

  it("is not begun where a callback keeps what cannot be kept", function()
    local model, x, y, options = make()
    options.callbacks, options.verbose = { { name = "odd", get_state = function() return { f = print } end },
      C.backup_and_restore(backup) }, 0
    assert.error_matches(function() model:fit(x, y, options) end, "callbacks/odd/f is a function")
    assert.is_false(exists(first))
  end)

  it("begins files anew that callbacks add to, where a run ended before its first state was kept", function()
    fresh()
    local csv, lines = folder .. "/log.csv", folder .. "/log.json"
    local function train(is_killed)
      local model = compiled()
      -- What comes behind the loggers and before the backup is where the process ends.
      local list = { C.csv_logger(csv, { append = true }), C.json_logger(lines), { on_epoch_end = function()
        if is_killed then
          error "stop here"
        end
      end }, C.backup_and_restore(backup) }
      pcall(model.fit, model, X, Y, { epochs = 2, verbose = 0, callbacks = list })
    end
    local function epochs()
      local rows, events = {}, {}
      for line in read(csv):gmatch "[^\r\n]+" do
        rows[#rows + 1] = line:match "^[^,]+"
      end
      for line in read(lines):gmatch "[^\n]+" do
        events[#events + 1] = line:match '"event":"epoch_end"' and line:match '"epoch":(%d+)' or nil
      end
      return table.concat(rows, " ") .. " / " .. table.concat(events, " ")
    end
    train(true)
    assert.equal("epoch 0 / 0", epochs())
    train(true)
    train(false)
    assert.equal("epoch 0 1 / 0 1", epochs())
    train(false) -- another run
    assert.equal("epoch 0 1 0 1 / 0 1 0 1", epochs())
  end)

  it("deletes no file that a state names and the callback does not", function()
    run(scenarios["callbacks with a state"], 7, { save_freq = 1 }, 9)
    text_of(folder .. "/mine", "kept")
    for _, name in ipairs { folder .. "/mine", folder .. "/kept/../mine.safetensors" } do
      inner_json.change(first, "extra", function(extra) extra.callbacks.model_checkpoint.saved = { name } end)
      local ok, message = pcall(run, scenarios["callbacks with a state"], 7, { save_freq = 1 })
      assert.is_false(ok)
      assert.truthy(message:find("which is no file of", 1, true), message)
    end
    assert.equal("kept", read(folder .. "/mine"))
  end)

  it("has options that are read", function()
    assert.error_matches(function() C.backup_and_restore() end, "'backup_dir' is missing")
    assert.error_matches(function() C.backup_and_restore "" end, "Empty `backup_dir` argument passed")
    assert.error_matches(function() C.backup_and_restore("x", { save_freq = "batch" }) end,
      "Invalid value for argument `save_freq`. Received: save_freq=\"batch\"")
    assert.error_matches(function() C.backup_and_restore("x", { save_freq = 0 }) end, "save_freq=0")
    run(make, 7, { save_freq = false }, 3)
    assert.is_false(exists(first))
  end)
end)

describe("what is left of files that were being written", function()
  it("goes where nobody writes them any more", function()
    fresh()
    local core, context = pod.core, pod.device.context()
    local path = folder .. "/model.safetensors"
    text_of(path .. ".0a1.part", "left")
    text_of(path .. ".xyz.part", "another's")
    text_of(path .. ".part", "another's")
    local writer = pod.data.records.writer(path)
    core.remove_unfinished(context, path)
    local list = entries(folder)
    assert.truthy(list:find "^model.safetensors.%x+.part\nmodel.safetensors.part\nmodel.safetensors.xyz.part\n$", list)
    writer:close()
    assert.equal("model.safetensors\nmodel.safetensors.part\nmodel.safetensors.xyz.part\n", entries(folder))
    text_of(path .. ".0.part", "left")
    text_of(path .. ".f.part", "left") -- goes with the next file that is written
    pod.data.records.writer(path):close()
    assert.equal("model.safetensors\nmodel.safetensors.part\nmodel.safetensors.xyz.part\n", entries(folder))
    core.sync_file(context, path)
    core.sync_file(context, path .. ".none")
    core.make_folder(context, folder .. "/x/y//z/")
    core.make_folder(context, folder .. "/x/y")
    assert.error_matches(function() core.make_folder(context, path) end, "a file has this name")
    assert.error_matches(function() core.make_folder(context, path .. "/below") end, "cannot make the")
  end)
end)
