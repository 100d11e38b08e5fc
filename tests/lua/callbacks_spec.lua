-- Callbacks: classes, hooks that fail, what they see. What each of Keras' does is compared with Keras in
-- callbacks_golden_spec.lua.

local pod = require "moonpod"
local bytes_of = require "tests.lua.support.bytes_of"

local function data(rows)
  local x, y = {}, {}
  for i = 1, rows do
    x[i] = { math.sin(i), math.cos(3 * i), math.sin(7 * i) }
    y[i] = { x[i][1] * x[i][2] + 0.1 * i % 1 }
  end
  return pod.tensor(x), pod.tensor(y)
end

local X, Y = data(24)

local function new_model(options)
  local model = pod.models.sequential { pod.layers.input { 3 }, pod.layers.dense(4, { activation = "tanh" }),
    pod.layers.dense(1) }
  local given = { optimizer = pod.optimizers.sgd(0.05), loss = "mse" }
  for key, value in pairs(options or {}) do
    given[key] = value
  end
  model:compile(given)
  return model
end

local function fit_options(more)
  local options = { verbose = 0, batch_size = 4, shuffle = false, epochs = 3, validation_data = { X, Y } }
  for key, value in pairs(more or {}) do
    options[key] = value
  end
  return options
end

local ALL = { "on_train_begin", "on_train_end", "on_epoch_begin", "on_epoch_end", "on_train_batch_begin",
  "on_train_batch_end", "on_batch_begin", "on_batch_end", "on_test_begin", "on_test_end", "on_test_batch_begin",
  "on_test_batch_end", "on_predict_begin", "on_predict_end", "on_predict_batch_begin", "on_predict_batch_end" }

-- Runs what calls a hook: fit, or predict.
local function run(model, hook, callbacks)
  if hook:find "predict" then
    return model:predict(X, { verbose = 0, batch_size = 4, callbacks = callbacks })
  end
  return model:fit(X, Y, fit_options { callbacks = callbacks })
end

describe("a class of callbacks", function()
  it("has instances with fields of their own, the model and the parameters", function()
    local Counter = pod.callbacks.subclass {
      name = "counter",
      setup = function(self, step) self.count, self.step = 0, step end,
      add = function(self) self.count = self.count + self.step end,
      on_epoch_end = function(self, epoch, logs)
        assert(epoch >= 0 and logs.val_loss > 0)
        self:add()
      end,
    }
    local one, ten = Counter(1), Counter(10)
    local model = new_model()
    model:fit(X, Y, fit_options { callbacks = { one, ten } })
    assert.equal(3, one.count)
    assert.equal(30, ten.count)
    assert.equal(model, one.model)
    assert.same({ epochs = 3, steps = 6, verbose = 0 }, ten.params)
    assert.equal("<callback counter>", tostring(one))
    assert.is_true(pod.callbacks.is_callback(one))
    assert.is_false(pod.callbacks.is_callback {})
  end)

  it("and a table of hooks have no hook that is misspelt", function()
    for wrong, right in pairs { on_epoch_ende = "on_epoch_end", on_train_batch_finish = "on_train_batch_begin",
      no_epoch_end = "on_epoch_end", epoch_begin = "on_epoch_begin", onEpochEnd = "on_epoch_end" } do
      local table_of_hooks = { [wrong] = function() end }
      local hint = "no hook '" .. wrong .. "'; did you mean '" .. right .. "'?"
      for _, make in ipairs { pod.callbacks.subclass, pod.callbacks.lambda, function(given)
        new_model():fit(X, Y, { verbose = 0, callbacks = { given } })
      end } do
        local ok, message = pcall(make, table_of_hooks)
        assert.is_false(ok)
        assert.truthy(message:find(hint, 1, true), message)
      end
    end
    assert.error_matches(function() pod.callbacks.subclass { on_epoch_end = 3 } end, "must be a function, not 3")
    assert.truthy(pod.callbacks.subclass { run_epoch_end = function() end, only = function() end })
  end)

  it("that is a history is printed as a table of epochs, of many the first and the last", function()
    assert.equal("<callback history> of no epoch", tostring(pod.callbacks.history()))
    local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
    model:compile { optimizer = "sgd", loss = "mse" }
    local function lines(epochs)
      local found = {}
      for line in tostring(model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { epochs = epochs, verbose = 0 }))
        :gmatch "[^\n]+" do
        found[#found + 1] = line
      end
      return found
    end
    local two = lines(2)
    assert.equal(3, #two)
    assert.matches("^epoch +loss$", two[1])
    assert.matches("^    2 +%d[%d.e-]*$", two[3])
    local many = lines(20)
    assert.equal(1 + 3 + 1 + 9, #many)
    assert.matches("^  %.%.%.$", many[5])
    assert.matches("^   20 ", many[14])
  end)

  it("may stand in lists of lists, alone, and beside a history of one's own", function()
    local seen = {}
    local function note(name)
      return { on_train_end = function() seen[#seen + 1] = name end }
    end
    local history = pod.callbacks.history()
    local model = new_model()
    assert.equal(history, model:fit(X, Y, fit_options { callbacks = { { note "a", { note "b" } }, history } }))
    assert.equal(3, #history.epoch)
    model:fit(X, Y, fit_options { callbacks = note "c" })
    assert.same({ "a", "b", "c" }, seen)
  end)
end)

describe("an error in a hook", function()
  for _, hook in ipairs(ALL) do
    it(hook .. " ends the run, says where, and closes the others", function()
      local model = new_model()
      run(model, hook, {})
      local before, closed, during = bytes_of(model), {}, nil
      local function closing(name)
        return { name = name, close = function() closed[#closed + 1] = name end }
      end
      local line = debug.getinfo(1, "l").currentline + 2
      local Broken = pod.callbacks.subclass { name = "broken", [hook] = function(self)
        error "boom"
      end, close = function() error "this is not told" end }
      local ok, message = pcall(run, model, hook, { { name = "first", on_train_batch_end = function()
        during = bytes_of(model)
      end, close = function() closed[1] = "first" end }, Broken(), closing "last" })
      assert.is_false(ok)
      local place = ("callbacks_spec.lua:%d: %s of callback 2 (broken): boom"):format(line, hook)
      assert.truthy(message:find(place, 1, true), message)
      assert.same({ "first", "last" }, closed)
      assert.equal(during or before, bytes_of(model))
      run(model, hook, {})
      assert.equal(3, #new_model():fit(X, Y, fit_options()).epoch)
      assert.is_true(hook:find "predict" ~= nil or #model.history.epoch == 3)
    end)
  end

  it("tells what is no text, what the library refuses and what fails while it closes", function()
    local model = new_model()
    local function told(callback)
      local ok, message = pcall(model.fit, model, X, Y, fit_options { callbacks = { callback } })
      assert.is_false(ok)
      return message
    end
    assert.truthy(told({ on_train_begin = function() error(setmetatable({}, {
      __tostring = function() return "an object" end })) end }):find(
      "callbacks_spec.lua:%d+: on_train_begin of callback 1: an object"))
    assert.truthy(told({ on_epoch_end = function() return pod.zeros { -1 } end }):find(
      "callbacks_spec.lua:%d+: on_epoch_end of callback 1: "))
    assert.truthy(told({ name = "log", close = function() error "disk full" end }):find(
      "callbacks_spec.lua:%d+: close of callback 1 %(log%): disk full"))
    assert.truthy(told({ on_epoch_end = function(self) return self.missing.field end }):find(
      "callbacks_spec.lua:%d+: on_epoch_end of callback 1: .*missing"))
  end)
end)

describe("logs", function()
  it("are of all replicas: those of one core", function()
    local function logs_of(replicas)
      local seen = {}
      pod.random.set_seed(4)
      local model = pod.distribute.mirrored(replicas):scope(function()
        return new_model { metrics = { "mae" } }
      end)
      model:fit(X, Y, fit_options { callbacks = {
        { on_train_batch_end = function(_, _, logs) seen[#seen + 1] = logs.loss + logs.mae end },
        { on_test_batch_end = function(_, _, logs) seen[#seen + 1] = logs.loss end },
        { on_epoch_end = function(_, _, logs) seen[#seen + 1] = logs.val_mae end } } })
      return seen
    end
    local one = logs_of(1)
    assert.equal(3 * (6 + 6 + 1), #one)
    for _, replicas in ipairs { 3, 8 } do
      for i, value in ipairs(logs_of(replicas)) do
        assert.is_true(math.abs(value - one[i]) < 1e-5)
      end
    end
  end)
end)

describe("a log in CSV", function()
  local path = os.tmpname()
  after_each(function() os.remove(path) end)

  local function lines()
    local file = assert(io.open(path, "rb"))
    local text = file:read "*a"
    file:close()
    return select(2, text:gsub("\r\n", "")), text
  end

  it("is closed with what is in it where another callback fails, and the next run may have it", function()
    local log = pod.callbacks.csv_logger(path)
    local model = new_model()
    assert.error_matches(function()
      model:fit(X, Y, fit_options { callbacks = { log, { on_epoch_begin = function(_, epoch)
        assert(epoch < 2, "stops here")
      end } } })
    end, "stops here")
    assert.is_nil(log.file)
    assert.equal(3, (lines()))
    model:fit(X, Y, fit_options { callbacks = { log } })
    assert.equal(4, (lines()))
    model:fit(X, Y, fit_options { callbacks = { pod.callbacks.csv_logger(path, { append = true }) } })
    assert.equal(7, (lines()))
  end)

  it("that cannot be written is an error", function()
    assert.error_matches(function()
      new_model():fit(X, Y, fit_options { callbacks = { pod.callbacks.csv_logger "/dev/null/log.csv" } })
    end, "on_train_begin of callback 1 %(csv_logger%): csv_logger: /dev/null/log.csv: Not a directory")
    if io.open("/dev/full", "w") then
      assert.error_matches(function()
        new_model():fit(X, Y, fit_options { callbacks = { pod.callbacks.csv_logger "/dev/full" } })
      end, "on_epoch_end of callback 1 %(csv_logger%): csv_logger: /dev/full: No space left")
    end
    assert.error_matches(function() pod.callbacks.csv_logger() end, "'filename' is missing")
    assert.error_matches(function() pod.callbacks.csv_logger(path, { separator = "||" }) end, "one character")
  end)

  it("has a list where a metric has several numbers, and quotes what needs it", function()
    local model = pod.models.sequential { pod.layers.input { 3 }, pod.layers.dense(2) }
    local f1 = pod.metrics.f1_score { threshold = 0.5, name = "f1" }
    model:compile { optimizer = "sgd", loss = "mse", metrics = { f1 } }
    model:fit(X, pod.ones { 24, 2 }, { verbose = 0, callbacks = { pod.callbacks.csv_logger(path) } })
    local _, text = lines()
    assert.truthy(text:find '^epoch,f1,loss,val_f1,val_loss\r\n0,"""%[%d[%d.]*, %d[%d.]*%]""",%d[%d.]*,NA,NA\r\n$',
      text)
  end)
end)

describe("model_checkpoint", function()
  local folder = os.tmpname()
  os.remove(folder)
  after_each(function() os.execute("rm -rf '" .. folder .. "'") end)

  it("keeps the last files, of models that can be loaded", function()
    local model = new_model()
    for _, weights_only in ipairs { true, false } do
      local pattern = folder .. "/a/b/{epoch:02d}.safetensors"
      model:fit(X, Y, fit_options { epochs = 5, callbacks = {
        pod.callbacks.model_checkpoint(pattern, { save_weights_only = weights_only, max_to_keep = 2 }) } })
      for epoch = 1, 5 do
        local file = io.open(folder .. ("/a/b/%02d.safetensors"):format(epoch))
        assert.equal(epoch > 3, file ~= nil)
        if file then
          file:close()
        end
      end
    end
    assert.equal(bytes_of(model), bytes_of(pod.models.load(folder .. "/a/b/05.safetensors")))
  end)

  it("writes the weights' files of Keras", function()
    local model, path = new_model(), folder .. "/m.weights.h5"
    model:fit(X, Y, fit_options { epochs = 2, verbose = 0, callbacks = {
      pod.callbacks.model_checkpoint(path, { save_weights_only = true }) } })
    local other = new_model()
    other:load_weights(path)
    assert.equal(bytes_of(model), bytes_of(other))
  end)

  it("says what is wrong with its path, its options and its folder", function()
    local make = pod.callbacks.model_checkpoint
    assert.error_matches(function() make "m.keras" end, "must end in `.safetensors`. Received: filepath=m.keras")
    assert.error_matches(function() make("m.txt", { save_weights_only = true }) end,
      "When using `save_weights_only=true`")
    assert.error_matches(function() make("m.safetensors", { save_freq = "batch" }) end,
      'Unrecognized save_freq: "batch"')
    assert.error_matches(function() make("m.safetensors", { max_to_keep = 0 }) end, "'max_to_keep' must be at least 1")
    for path, text in pairs {
      ["{nothing}.safetensors"] = "Failed to format this callback filepath: .*Reason: 'nothing'",
      ["{val_loss:02d}.safetensors"] = "'02d'? ?is for whole numbers",
      ["a{.safetensors"] = "a single '{' or '}'",
    } do
      local ok, message = pcall(function()
        new_model():fit(X, Y, fit_options { callbacks = { make(folder .. "/" .. path) } })
      end)
      assert.is_false(ok)
      assert.truthy(message:find(text), message)
    end
    os.execute("mkdir -p '" .. folder .. "/m.safetensors'")
    assert.error_matches(function()
      new_model():fit(X, Y, fit_options { callbacks = { make(folder .. "/m.safetensors") } })
    end, "Please specify a non%-directory filepath")
    assert.error_matches(function()
      new_model():fit(X, Y, fit_options { callbacks = { make "/dev/null/m.safetensors" } })
    end, "cannot make the")
  end)

  it("writes through a link", function()
    os.execute(("mkdir -p '%s' && cd '%s' && echo mine > other && ln -s other m.safetensors && echo half "
      .. "> other.a.part"):format(folder, folder))
    local model = new_model()
    model:fit(X, Y, fit_options { callbacks = {
      pod.callbacks.model_checkpoint(folder .. "/m.safetensors", { save_weights_only = true }) } })
    local pipe = io.popen("cd '" .. folder .. "' && find . -type f && find . -type l")
    assert.equal("./other\n./m.safetensors\n", pipe:read "*a")
    pipe:close()
    local other = new_model()
    other:load_weights(folder .. "/m.safetensors")
    assert.equal(bytes_of(model), bytes_of(other))
  end)
end)

describe("batches_seen", function()
  it("is the number of the optimizer's iterations, over several runs too", function()
    for _, steps in ipairs { 1, 4, "auto" } do
      local model = new_model { steps_per_execution = steps }
      local seen = {}
      local callback = { on_train_batch_end = function(self, batch)
        seen[#seen + 1] = self.batches_seen
        assert.equal(self.batches_seen, self.model.optimizer.iterations:value():item())
        assert.equal(batch, (self.batches_seen - 1) % 6)
      end }
      model:fit(X, Y, fit_options { callbacks = callback })
      model:fit(X, Y, fit_options { callbacks = callback })
      assert.equal(36, seen[#seen])
    end
  end)
end)

describe("early stopping", function()
  it("restores the weights of the best epoch to the bit", function()
    local model = new_model()
    local kept = {}
    local losses = { 3, 2, 1, 4, 5 }
    local stop = pod.callbacks.early_stopping { monitor = "own", mode = "min", patience = 2,
      restore_best_weights = true }
    local history = model:fit(X, Y, fit_options { epochs = 9, callbacks = { {
      on_epoch_end = function(_, epoch, logs)
        logs.own, kept[epoch + 1] = losses[epoch + 1], bytes_of(model)
      end }, stop } })
    assert.equal(5, #history.epoch)
    assert.equal(2, stop.best_epoch)
    assert.equal(kept[3], bytes_of(model))
    assert.is_true(kept[3] ~= kept[5])
  end)

  it("refuses what is none of its options", function()
    assert.error_matches(function() pod.callbacks.early_stopping { patiense = 3 } end,
      "early_stopping: unknown option 'patiense'; did you mean 'patience'")
    assert.error_matches(function() pod.callbacks.early_stopping { patience = "3" } end, "'patience' must be a whole")
    assert.error_matches(function() pod.callbacks.early_stopping(3) end, "early_stopping: 'monitor' must be a string")
    assert.error_matches(function() pod.callbacks.early_stoping() end, "did you mean 'early_stopping'")
  end)
end)
