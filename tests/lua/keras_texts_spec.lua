-- Files of Keras 3 with layers of texts and categories (tests/golden/keras_texts.py wrote them): what its models
-- predict ours predict of what the layers of strings give, which stand before the model here. Keras reads our weights.

local pod = require "moonpod"
local json = require "moonpod.base.json"
local peers = require "tests.lua.support.peers"

local GOLDEN = "tests/golden/keras_files/"
local DTYPES = { integers = "int64", integer_weights = "int64", hashed_integers = "int64", categories = "int32" }

local function cases()
  local file = assert(io.open(GOLDEN .. "texts.json"))
  local text = file:read "*a"
  file:close()
  return json.decode(text)
end

-- What the model takes for the inputs that Keras' model took.
local function inputs_of(name, x, texts)
  local _, layer = next(texts or {})
  if name == "both" then
    return { layer(x[1]), pod.tensor(x[2], { dtype = "int64" }) }
  elseif layer then
    return layer(x)
  end
  return pod.tensor(x, { dtype = DTYPES[name] or "float32" })
end

describe("a model of Keras with layers of texts and categories", function()
  local directory = os.tmpname()
  os.remove(directory)
  os.execute("mkdir " .. directory)
  teardown(function()
    os.execute("rm -rf " .. directory)
  end)

  for name, case in pairs(cases()) do
    it("predicts here what it did there: " .. name, function()
      local model, texts = pod.models.load(GOLDEN .. name .. ".keras")
      local y = model(inputs_of(name, case.x, texts))
      local wanted = pod.tensor(case.y)
      assert.same(tostring(wanted.shape), tostring(y.shape))
      assert(pod.max(pod.abs(y - wanted)):item() < 1e-5)
      local path = ("%s/%s"):format(directory, name)
      model:save_weights(path .. ".weights.h5")
      -- and through a file of ours
      model:save(path .. ".safetensors")
      local again = pod.models.load(path .. ".safetensors")
      if name == "stateful" then
        again.layers[1]:reset_states()
      end
      assert(pod.max(pod.abs(again(inputs_of(name, case.x, texts)) - wanted)):item() < 1e-5)
    end)
  end

  it("gives the layers of strings by their names", function()
    local _, texts = pod.models.load(GOLDEN .. "text_numbers.keras")
    local _, layer = next(texts)
    assert.equal(layer.name, (next(texts)))
    assert.equal("", layer:get_vocabulary()[1])
    assert.same({ 1, 4 }, { (table.unpack or unpack)(layer({ "the cat" }).shape) }) -- luacheck: ignore
    assert.is_nil(select(2, pod.models.load(GOLDEN .. "bins.keras")))
  end)

  it("reads weights of ours", function()
    local python, why = peers.python { "keras", "tensorflow" }
    if not python then
      return pending(why)
    end
    local text = peers.run(python, "tests/golden/keras_texts.py", { "read", directory })
    for name in pairs(cases()) do
      assert(name == "text_weights" or text:find(name .. " %S+ ok\n"), name .. ": " .. text:sub(-2000))
    end
  end)
end)

describe("a model of what other layers give", function()
  it("is saved as one of inputs, without those layers", function()
    local L = pod.layers
    local x = L.input { shape = { 4 } }
    local first = L.dense(3, { activation = "relu", name = "first" })(x)
    local y = L.dense(2)(L.add() { L.dense(3)(first), first })
    local model = pod.models.functional { inputs = first, outputs = y }
    assert.equal(4 * 3 + 3 * 2 + 2, model:count_params())
    local given = pod.random.normal({ 5, 3 }, { seed = 1 })
    local path = os.tmpname() .. ".safetensors"
    model:save(path)
    local again = pod.models.load(path)
    os.remove(path)
    assert.same(model(given):totable(), again(given):totable())
    local several = pod.models.functional { inputs = { first, x }, outputs = L.concatenate() { y, x } }
    local copy = pod.models.from_json(several:to_json())
    copy:set_weights(several:get_weights())
    local inputs = { given, pod.ones { 5, 4 } }
    assert.same(several(inputs):totable(), copy(inputs):totable())
  end)
end)

describe("a stateful layer", function()
  it("is refused where replicas have parts of its batches", function()
    for _, layer in ipairs { pod.layers.lstm, pod.layers.gru, pod.layers.simple_rnn } do
      assert.error_matches(function()
        pod.distribute.mirrored(2):scope(function()
          local model = pod.models.sequential { layer(3, { stateful = true, batch_input_shape = { 8, 4, 2 } }) }
          model:compile { optimizer = "sgd", loss = "mse" }
          model:fit(pod.ones { 8, 4, 2 }, pod.ones { 8, 3 }, { batch_size = 8, verbose = 0, shuffle = false })
        end)
      end, "keeps states of whole batches, and the strategy gives each of 2 replicas a part: use the layer without")
    end
  end)

  it("needs to know the size of batches", function()
    local function refuses(fn)
      assert.error_matches(fn, "with stateful = true all batches have one size.*give batch_size in layers.input")
    end
    local L = pod.layers
    refuses(function()
      local model = pod.models.sequential { L.input { shape = { 5, 3 } }, L.lstm(2, { stateful = true }) }
      model:predict(pod.ones { 2, 5, 3 })
    end)
    local layer = L.gru(2, { stateful = true })
    layer(pod.ones { 2, 5, 3 })
    refuses(function() layer(pod.ones { 3, 5, 3 }) end)
  end)
end)
