-- Exported programs: what they predict, in Lua and in C, what they refuse, and what others make of them.

local executable = require "tests.lua.support.executable"
local exported_models = require "tests.lua.support.exported_models"
local peers = require "tests.lua.support.peers"
local pod = require "moonpod"

local MODELS, NAMES = exported_models.models, exported_models.names

local folder = os.tmpname() .. ".d"

local function path_of(name)
  return folder .. "/" .. name
end

local function bits(value)
  return value:data()
end

local function fails_with(fn, part)
  local ok, message = pcall(fn)
  assert.is_false(ok, "no error, expected: " .. part)
  if not tostring(message):find(part, 1, true) then
    error(("the error is %q, which does not contain %q"):format(tostring(message), part), 2)
  end
end

local unpack = table.unpack or unpack -- luacheck: ignore

setup(function()
  assert(os.execute("mkdir -p '" .. folder .. "'"))
end)

teardown(function()
  os.execute("rm -rf '" .. folder .. "'")
end)

before_each(function()
  pod.random.set_seed(11)
end)

local rows = exported_models.rows

local function expect_same(expected, found)
  if pod.is_tensor(expected) then
    assert.are.equal(tostring(expected.shape), tostring(found.shape))
    assert.is_true(bits(expected) == bits(found), "the bits differ")
    return
  end
  for key, part in pairs(expected) do
    expect_same(part, found[key])
  end
  for key in pairs(found) do
    assert.is_not_nil(expected[key])
  end
end

describe("an exported model", function()
  for _, name in ipairs(NAMES) do
    it("predicts what the model predicts: " .. name, function()
      local model, x = MODELS[name]()
      local path = path_of(name .. ".safetensors")
      model:export(path)
      local loaded = pod.load_exported(path)
      assert.are.same({ 1, 32 }, loaded.batch_sizes)
      expect_same(model:predict(rows(x, 0, 32)), loaded:predict(rows(x, 0, 32)))
      expect_same(model:predict(rows(x, 3, 1)), loaded(rows(x, 3, 1)))
      local file = assert(io.open(path, "rb"))
      local bytes = file:read "*a"
      file:close()
      expect_same(model:predict(rows(x, 3, 1)), pod.load_exported { bytes = bytes }(rows(x, 3, 1)))
      -- 35 rows are 32 and three times one
      local all = loaded(x)
      expect_same(model:predict(rows(x, 34, 1)), rows(all, 34, 1))
      expect_same(model:predict(rows(x, 0, 32)), rows(all, 0, 32))
    end)
  end

  it("is that of the model as it is then, trained or loaded", function()
    local model, x = MODELS.dense()
    local path, weights = path_of "trained.safetensors", path_of "weights.safetensors"
    model:export(path)
    local before = pod.load_exported(path)(x)
    model:compile { optimizer = "adam", loss = "categorical_crossentropy" }
    model:fit(x, pod.one_hot(pod.arange(35) % 3, 3), { verbose = 0, epochs = 2 })
    expect_same(before, pod.load_exported(path)(x))
    model:export(path, { batch_sizes = { 35 } })
    local loaded = pod.load_exported(path)
    expect_same(model:predict(x, { batch_size = 35 }), loaded(x))
    for i, path_of_weight in ipairs(loaded.weights) do
      expect_same(model.weights[i]:value(), loaded:weight(path_of_weight))
    end
    -- the file has the weights as save_weights writes them
    model:save_weights(weights)
    model:load_weights(path)
    expect_same(model:predict(x), pod.load_exported(path)(x))
  end)

  it("has one row of predictions for each row that is given, also fewer than its sizes", function()
    local model, x = MODELS.convolutional()
    local path = path_of "sizes.safetensors"
    model:export(path, { batch_sizes = { 16, 4 } })
    local loaded = pod.load_exported(path)
    assert.are.same({ 4, 16 }, loaded.batch_sizes)
    local all = model:predict(x)
    for count = 1, 35 do
      local found = loaded(rows(x, 0, count))
      assert.are.equal(count, found.shape[1])
      assert.is_true(pod.allclose(rows(all, 0, count), found, { rtol = 1e-5, atol = 1e-6 }))
    end
    assert.are.same({ 0, 2 }, { loaded(pod.zeros { 0, 9, 8, 2 }).shape[1], loaded(pod.zeros { 0, 9, 8, 2 }).shape[2] })
  end)

  it("made under replicas is that of one", function()
    local strategy = pod.distribute.mirrored(3)
    local model, x = strategy:scope(MODELS.dense)
    strategy:scope(function()
      model:compile { optimizer = "adam", loss = "categorical_crossentropy" }
    end)
    model:fit(x, pod.one_hot(pod.arange(35) % 3, 3), { verbose = 0, epochs = 2, batch_size = 9 })
    local path = path_of "replicas.safetensors"
    model:export(path)
    local loaded = pod.load_exported(path)
    assert.are.same({ 6, 16 }, { loaded:weight("first/kernel").shape[1], loaded:weight("first/kernel").shape[2] })
    assert.is_true(pod.allclose(model:predict(x), loaded(x), { rtol = 1e-5, atol = 1e-6 }))
  end)

  it("of a class needs shapes, and says so", function()
    local class = pod.models.subclass { name = "Pair", setup = function(self)
      self.dense = pod.layers.dense(3)
    end, call = function(self, x)
      return { self.dense(x[1]), self.dense(x[2]) * 2 }
    end }
    local model = class()
    local x = { pod.random.normal { 5, 4 }, pod.random.normal { 5, 4 } }
    local path = path_of "class.safetensors"
    fails_with(function()
      model:export(path)
    end, "the shapes of the inputs are not known; give inputs = pod.spec({ -1, 784 })")
    local inputs = { pod.spec({ -1, 4 }, "float32", "near"), pod.spec({ -1, 4 }, "float32", "far") }
    fails_with(function()
      model:export(path, { inputs = inputs })
    end, "it is not built yet")
    local expected = model:predict(x)
    model:export(path, { inputs = inputs, batch_sizes = { 5 } })
    local loaded = pod.load_exported(path)
    assert.are.equal("near", loaded.inputs[1].name)
    assert.are.equal("far", loaded.inputs[2].name)
    expect_same(expected, loaded(x))
  end)

  it("refuses what it cannot take", function()
    local model, x = MODELS.dense()
    local path = path_of "refused.safetensors"
    local function fails(part, ...)
      local arguments = { ... }
      fails_with(function()
        model:export(unpack(arguments))
      end, part)
    end
    fails('must end in ".safetensors"', path_of "net.bin")
    fails("batch_sizes are whole numbers from 1; got 0", path, { batch_sizes = { 4, 0 } })
    fails("batch_sizes has 0 sizes", path, { batch_sizes = {} })
    fails("unknown option 'batch_size'; did you mean 'batch_sizes'?", path, { batch_size = 3 })
    fails('format is "moonpod" or "stablehlo"', path, { format = "onnx" })
    fails("of one batch size; 2 are given", path_of "net.mlir", { batch_sizes = { 1, 2 } })
    fails("cannot", "/nowhere/net.safetensors")
    fails("/nowhere/net.mlir", "/nowhere/net.mlir")
    local open = pod.layers.input { shape = { -1, 4 } }
    local sequence = pod.models.functional { inputs = open, outputs = pod.layers.dense(2)(open) }
    fails_with(function()
      sequence:export(path)
    end, "size 2 of input")
    local whole = pod.models.subclass { name = "Whole", call = function(_, one)
      return pod.sum(one)
    end }()
    whole:predict_on_batch(x)
    fails_with(function()
      whole:export(path, { inputs = pod.spec { -1, 6 } })
    end, "it must have a row for each")
    model:export(path)
    local loaded = pod.load_exported(path)
    fails_with(function()
      loaded(pod.zeros { 3, 7 })
    end, "must be float32 (rows, 6); got float32 (3, 7)")
    fails_with(function()
      loaded(x, x)
    end, "takes 1 arguments; it was called with 2")
    fails_with(function()
      loaded:weight "first/kernal"
    end, "did you mean 'first/kernel'?")
    fails_with(function()
      pod.func(function(y)
        return loaded(y)
      end)(x)
    end, "runs outside of functions that are traced")
    fails_with(function()
      pod.func(function(y)
        model:export(path)
        return y
      end)(x)
    end, "export outside of it")
  end)

  it("whose file is another is refused", function()
    local model = MODELS.dense()
    local path = path_of "weights_only.safetensors"
    model:save_weights(path)
    fails_with(function()
      pod.load_exported(path)
    end, "this is a file of kind 'weights', not 'exported'")
    fails_with(function()
      pod.load_exported(path_of "missing.safetensors")
    end, "missing.safetensors")
    fails_with(function()
      pod.load_exported { bytes = "cut" }
    end, "the bytes: the file ends within the header")
    fails_with(function()
      pod.load_exported {}
    end, "load_exported: bytes must be a string, not nil")
    fails_with(function()
      pod.load_exported { byte = "" }
    end, "did you mean 'bytes'")
  end)
end)

describe("an exported function", function()
  it("gives what the function gives, and keeps its variables", function()
    local count = pod.variable(1.0, { name = "count" })
    local table_of = pod.random.normal { 3, 4 }
    local fn = pod.func(function(x, more)
      count:assign_add(1)
      return { scaled = x * count + more.shift, parts = { pod.matmul(x, table_of), 7 } }, "done"
    end, { name = "step" })
    local path = path_of "function.safetensors"
    fn:export(path, { pod.spec({ 2, 3 }, "float32", "x"), { shift = pod.spec { 3 } } })
    local loaded = pod.load_exported(path)
    assert.are.same({ "x", "argument_2_shift" }, { loaded.inputs[1].name, loaded.inputs[2].name })
    assert.are.same({ "count", "variables/constant" }, loaded.weights)
    assert.are.same({}, loaded.batch_sizes)
    assert.is_true(loaded.keeps_state)
    local x, shift = pod.random.normal { 2, 3 }, pod.random.normal { 3 }
    for _ = 1, 3 do
      local expected, word = fn(x, { shift = shift })
      local found, same_word = loaded(x, { shift = shift })
      expect_same(expected.scaled, found.scaled)
      expect_same(expected.parts[1], found.parts[1])
      assert.are.same({ 7, "done", "done" }, { found.parts[2], word, same_word })
    end
    assert.are.equal(4, loaded:weight("count"):item())
    assert.are.equal(4, count:value():item())
  end)

  it("takes the arguments that it was exported for, and says where others are", function()
    local fn = pod.func(function(x, options)
      return x * options.scale + options.parts[2]
    end, { name = "scaled" })
    local path = path_of "scaled.safetensors"
    fn:export(path, { pod.spec { 2 }, { scale = 3, parts = { 0, pod.spec { 2 } } } })
    local loaded = pod.load_exported(path)
    local x, y = pod.tensor { 1.0, 2.0 }, pod.tensor { 0.5, 0.25 }
    expect_same(pod.tensor { 3.5, 6.25 }, loaded(x, { scale = 3, parts = { 0, y } }))
    local function fails(part, ...)
      local arguments = { ... }
      fails_with(function()
        loaded(unpack(arguments))
      end, part)
    end
    fails("argument 2[scale] was 3 when the program was exported, and is part of it; got 4", x, { scale = 4,
      parts = { 0, y } })
    fails("input 'argument_2_parts_2' is missing (argument 2[parts][2])", x, { scale = 3, parts = { 0 } })
    fails("argument 2 has 'shift', which was not there", x, { scale = 3, parts = { 0, y }, shift = 1 })
    fails("argument 2 must be a table", x, y)
    fails("argument 2 must be a table, as it was when the program was exported; got nil", x)
    fails("takes 2 arguments; it was called with 3", x, {}, y)
  end)

  it("draws the random numbers that the function would draw", function()
    local fn = pod.func(function(x)
      return x + pod.random.normal({ 4 })
    end)
    local path = path_of "random.safetensors"
    local x = pod.zeros { 4 }
    fn(x)
    fn:export(path)
    local loaded = pod.load_exported(path)
    assert.are.equal("random/generator", loaded.weights[1])
    for _ = 1, 3 do
      expect_same(fn(x), loaded(x))
    end
  end)

  it("may be a step of training", function()
    local model, x = MODELS.dense()
    local y = pod.one_hot(pod.arange(35) % 3, 3)
    local optimizer = pod.optimizers.adam { learning_rate = 0.01 }
    local loss = pod.losses.categorical_crossentropy()
    local step = pod.func(function(a, b)
      local tape, value = pod.tape(function()
        return loss(b, model(a, { training = true }))
      end)
      optimizer:apply(tape:gradient(value, model.trainable_weights), model.trainable_weights)
      return value
    end)
    step(x, y)
    local path = path_of "step.safetensors"
    step:export(path, { x, y })
    local loaded = pod.load_exported(path)
    for _ = 1, 4 do
      expect_same(step(x, y), loaded(x, y))
    end
  end)

  it("needs arguments before its first call", function()
    local fn = pod.func(function(x)
      return x
    end, { name = "fresh" })
    fails_with(function()
      fn:export(path_of "fresh.safetensors")
    end, "export of function 'fresh': it was not called yet")
    fails_with(function()
      pod.func(function(x)
        return x, function() end
      end):export(path_of "fresh.safetensors", { pod.spec { 2 } })
    end, "a program gives tensors and plain values, not")
  end)
end)

describe("an exported model as StableHLO", function()
  -- By XLA, asked now or kept.
  local function compare(answers, from)
    for _, name in ipairs(NAMES) do
      pod.random.set_seed(11)
      local model, x = MODELS[name]()
      local made = exported_models.leaves(model:predict(rows(x, 0, 5)))
      assert.are.equal(#made, #answers[name])
      for i, value in ipairs(made) do
        local answer = pod.reshape(answers[name][i], value.shape)
        assert.is_true(pod.allclose(answer, value, exported_models.tolerance(name)), from .. ": " .. name)
      end
    end
  end

  it("gives XLA what it gives here, as kept", function()
    local kept = dofile "tests/golden/exported.lua"
    for _, answers in pairs(kept) do
      for i, answer in ipairs(answers) do
        answers[i] = pod.tensor(answer)
      end
    end
    compare(kept, "XLA's kept answer")
  end)

  it("is compiled by XLA and gives the same with the weights of the file", function()
    local python, why = peers.python { "jax", "safetensors", "numpy" }
    if not python then
      return pending(why)
    end
    exported_models.write(folder)
    local text, code = executable.shell(("%s tests/golden/exported.py %s"):format(executable.quote(python),
      executable.quote(folder)))
    assert.are.equal(0, code, text)
    local answers = {}
    for _, name in ipairs(NAMES) do
      answers[name] = {}
      for i = 0, 1 do
        local file = io.open(path_of(name .. ".xla" .. i .. ".npy"))
        if file then
          file:close()
          answers[name][i + 1] = pod.data.load_npy(path_of(name .. ".xla" .. i .. ".npy"))
        end
      end
    end
    compare(answers, "XLA")
  end)

  it("lists its arguments", function()
    local model = MODELS.shared()
    local path = path_of "listed.mlir"
    model:export(path, { batch_sizes = { 3 } })
    local file = assert(io.open(path))
    local text = file:read "*a"
    file:close()
    assert.is_not_nil(text:find("// argument %d: weight [%w_]+/kernel float32 %(4, 4%)\n"))
    assert.is_not_nil(text:find("// argument %d: input left float32 %(3, 4%)\n"))
    assert.is_not_nil(text:find("// result 0: output [%w_]+ float32 %(3, 3%)\n"))
    assert.is_not_nil(text:find("loc(\"left\")", 1, true))
    assert.is_nil(io.open(path .. ".part"))
  end)
end)
