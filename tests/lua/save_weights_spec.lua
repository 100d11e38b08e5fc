-- Weights in files: names, what fits and what does not, and that nothing changes unless all fits.

local pod = require "moonpod"
local file = require "moonpod.saving.file"
local weight_paths = require "moonpod.saving.weight_paths"

local L = pod.layers

local written = {}
local function path(ending)
  local name = os.tmpname()
  os.remove(name)
  written[#written + 1] = name .. (ending or ".safetensors")
  return written[#written]
end

local function dense_model(units, name)
  return pod.models.sequential { L.input { shape = { 4 } }, L.dense(3), L.dense(units or 2), name = name }
end

local function paths(model)
  local list = {}
  for i, entry in ipairs(weight_paths.of(model)) do
    list[i] = entry.path
  end
  return list
end

local function plain(model)
  local list = {}
  for i, weight in ipairs(model:get_weights()) do
    list[i] = weight:totable()
  end
  return list
end

local function message_of(fn, ...)
  local ok, message = pcall(fn, ...)
  assert.is_false(ok)
  return message
end

describe("weights in files", function()
  after_each(function()
    for _, name in ipairs(written) do
      os.remove(name)
    end
  end)

  it("are named by their place in the model", function()
    local inner = pod.models.sequential { L.input { shape = { 5, 4 } }, L.lstm(3, { name = "reader" }),
      name = "encoder" }
    local x = L.input { shape = { 5, 4 } }
    local shared = L.dense(2, { name = "shared" })
    local y = shared(shared(L.dense(2, { name = "first" })(inner(x))))
    local model = pod.models.functional { inputs = x, outputs = L.spectral_normalization(L.dense(1, { name = "last" }),
      { name = "around" })(y) }
    assert.same({ "encoder/reader/kernel", "encoder/reader/recurrent_kernel", "encoder/reader/bias", "first/kernel",
      "first/bias", "shared/kernel", "shared/bias", "around/last/kernel", "around/vector_u", "around/last/bias" },
      paths(model))
    local attention = L.multi_head_attention { num_heads = 2, key_dim = 2, name = "attention" }
    attention(pod.zeros { 1, 3, 4 }, pod.zeros { 1, 3, 4 })
    assert.same("query/kernel", paths(attention)[1])
  end)

  it("have names of their own, whatever the layers and fields are called", function()
    local class = pod.models.subclass { name = "Odd", setup = function(self)
      self.one = L.dense(1, { name = "same" })
      self.two = L.dense(1, { name = "same" })
      self.optimizer_state = L.dense(1, { name = "optimizer" })
      self.scale = pod.variable(2)
      self.many = { pod.variable(1), pod.variable(3) }
    end, call = function(self, x)
      return self.optimizer_state(self.two(self.one(x))) * self.scale:value()
    end }
    local model = class()
    model(pod.zeros { 1, 2 })
    assert.same({ "scale", "many_1", "many_2", "same/kernel", "same/bias", "same_1/kernel", "same_1/bias",
      "optimizer_layer/kernel", "optimizer_layer/bias" }, paths(model))
    local name = path()
    model:save_weights(name)
    local before = plain(model)
    for _, weight in ipairs(model.weights) do
      weight:assign(pod.zeros_like(weight:value()))
    end
    model:load_weights(name)
    assert.same(before, plain(model))
  end)

  it("of layers that were numbered otherwise are found", function()
    local first, second = dense_model(), dense_model()
    assert.not_same(paths(first), paths(second))
    local name = path()
    first:save_weights(name)
    second:load_weights(name)
    assert.same(plain(first), plain(second))
    -- Names that were given are to be the same.
    local named = pod.models.sequential { L.input { shape = { 4 } }, L.dense(3, { name = "a" }),
      L.dense(2, { name = "b" }) }
    local message = message_of(named.load_weights, named, name)
    assert.truthy(message:find("a: kernel, bias missing in the file", 1, true), message)
    assert.truthy(message:find("bias, kernel not in the model", 1, true), message)
  end)

  it("of another model change nothing, and the error lists the layers", function()
    local name = path()
    dense_model(5, "other"):save_weights(name)
    local model = dense_model(2, "mine")
    local before = plain(model)
    local message = message_of(model.load_weights, model, name)
    assert.truthy(message:find("has the weights of another model than 'mine'; nothing was loaded", 1, true), message)
    assert.truthy(message:find("kernel has shape (3, 5) in the file, (3, 2) in the model; bias has shape (5,) in the "
      .. "file, (2,) in the model", 1, true), message)
    assert.same(before, plain(model))
  end)

  it("of layers that differ can be left out", function()
    local name, other = path(), dense_model(5)
    other:save_weights(name)
    local model = dense_model(2)
    local before = plain(model)
    local lines, real = {}, io.stderr
    io.stderr = { write = function(_, ...) lines[#lines + 1] = table.concat { ... } end } -- luacheck: ignore
    model:load_weights(name, { skip_mismatch = true })
    io.stderr = real -- luacheck: ignore
    assert.truthy(table.concat(lines):find("stay as they are", 1, true))
    local after, wanted = plain(model), plain(other)
    assert.same({ wanted[1], wanted[2], before[3], before[4] }, after)
  end)

  it("are found by name where one model is a part of the other", function()
    local function make(last)
      return pod.models.sequential { L.input { shape = { 4 } }, L.dense(3, { name = "body" }),
        L.dense(2, { name = last }) }
    end
    local first, second, name = make "head_a", make "head_b", path()
    first:save_weights(name)
    local before = plain(second)
    assert.error(function() second:load_weights(name) end)
    second:load_weights(name, { by_name = true })
    local from, after = plain(first), plain(second)
    assert.same({ from[1], from[2], before[3], before[4] }, after)
  end)

  it("become the model's types where values stay what they are", function()
    local function make(dtype)
      return pod.models.sequential { L.input { shape = { 4 }, dtype = "float32" }, L.dense(3, { dtype = dtype }) }
    end
    local name = path()
    local half, full = make "bfloat16", make "float32"
    half:save_weights(name)
    assert.same("bfloat16", file.read(name).tensors[paths(half)[1]].dtype)
    full:load_weights(name)
    assert.same(plain(half), plain(full))
    full:save_weights(name)
    local again = make "bfloat16"
    again:load_weights(name)
    assert.same(plain(half), plain(again))
    -- Integers and booleans become no floats.
    file.write(name, { tensors = { { paths(full)[1], pod.zeros({ 4, 3 }, "int32") },
      { paths(full)[2], pod.zeros({ 3 }, "bool") } } })
    local message = message_of(full.load_weights, full, name)
    assert.truthy(message:find("kernel is int32 in the file, float32 in the model; bias is bool", 1, true), message)
    assert.same(plain(half), plain(full))
  end)

  it("are refused by what has no weights yet, and for paths of other kinds", function()
    local model = pod.models.sequential { L.dense(2) }
    assert.error_matches(function() model:save_weights(path()) end, "is not built yet")
    assert.error_matches(function() dense_model():save_weights "weights.bin" end, 'must end in "%.safetensors"')
    assert.error_matches(function() dense_model():load_weights "/nowhere/at/all.safetensors" end, "/nowhere/at/all")
    assert.error_matches(function() dense_model():save_weights(3) end, "argument 1")
  end)

  it("are those of the moment they were saved at, though a thread writes them later", function()
    local model, name = dense_model(), path()
    model:compile { optimizer = "sgd", loss = "mse" }
    local x, y = pod.random.normal { 64, 4 }, pod.random.normal { 64, 2 }
    local saved = {}
    for i = 1, 6 do
      model:fit(x, y, { verbose = 0 })
      saved[i] = { plain(model), model:save_weights(name, { background = true }) }
    end
    model:fit(x, y, { verbose = 0 })
    assert.not_same(saved[6][1], plain(model))
    model:load_weights(name) -- which waits for what is being written
    assert.same(saved[6][1], plain(model))
    for i = 1, 6 do
      saved[i][2]:wait()
      assert.is_true(saved[i][2]:is_done())
    end
    assert.truthy(tostring(saved[1][2]):find(name, 1, true))
  end)
end)

describe("a model of a TPU Node", function()
  it("is written on this machine, and what TensorFlow would say there is told once", function()
    local warnings = require "moonpod.base.warnings"
    local warn, told = warnings.warn, {}
    warnings.warn = function(format, ...)
      told[#told + 1] = format:format(...)
    end
    finally(function() warnings.warn = warn end) -- luacheck: ignore
    local target = os.tmpname() .. ".safetensors"
    for _, host in ipairs { "vm", "node" } do
      local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve { accelerator = "v3-8", host = host })
      local model = strategy:scope(function()
        return pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
      end)
      model:save_weights(target)
      model:save(target)
      assert(os.remove(target))
    end
    assert.equal(1, #told)
    assert.matches("File system scheme '[local]' not implemented", told[1], 1, true)
  end)
end)
