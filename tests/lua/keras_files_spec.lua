-- Files of Keras 3 (tests/golden/keras_files.py wrote them): what its models predict ours predict, and the other way
-- round where Keras is there: tests/lua/support/peers.lua.

local pod = require "moonpod"
local json = require "moonpod.base.json"
local peers = require "tests.lua.support.peers"

local unpack = table.unpack or unpack -- luacheck: ignore

local GOLDEN = "tests/golden/keras_files/"
local NAMES = { "dense", "conv1d", "conv2d", "conv3d", "transposed", "normalizations", "embeddings", "simple_rnn",
  "lstm", "gru", "bidirectional", "cells", "conv_lstm", "attention", "multi_head_attention", "einsum", "shared",
  "nested", "time_distributed", "several", "operations", "calls", "masks", "trained", "pictures" }

local directory = os.tmpname()
os.remove(directory)
os.execute("mkdir " .. directory)

-- Inputs of a model from its file of arrays: by name where the model's are.
local function inputs_of(model, arrays)
  local list, i = {}, 0
  while arrays["in_" .. i] do
    list[#list + 1], i = arrays["in_" .. i], i + 1
  end
  if #list == 1 then
    return list[1]
  elseif model.input[1] == nil then
    local names, by_name = {}, {}
    for name in pairs(model.input) do
      names[#names + 1] = name
    end
    table.sort(names)
    for at, name in ipairs(names) do
      by_name[name] = list[at]
    end
    return by_name
  end
  return list
end

-- The outputs in the order of their names, or as they are.
local function predict(model, arrays)
  local outputs = model(inputs_of(model, arrays), { training = false })
  if outputs.dtype then
    return { outputs }
  elseif outputs[1] then
    return outputs
  end
  local names, list = {}, {}
  for name in pairs(outputs) do
    names[#names + 1] = name
  end
  table.sort(names)
  for i, name in ipairs(names) do
    list[i] = outputs[name]
  end
  return list
end

-- The largest error, of those that are allowed: 1e-6 or 1e-5 of the value.
local function worst_error(found, arrays)
  local worst = 0
  for i, output in ipairs(found) do
    local wanted = arrays["out_" .. i - 1]
    assert.same(tostring(wanted.shape), tostring(output.shape))
    local error = pod.abs(output - wanted)
    local allowed = pod.maximum(pod.abs(wanted) * 1e-5, 1e-6)
    worst = math.max(worst, pod.max(error / allowed):item())
  end
  return worst
end

local function golden_names()
  local file = assert(io.open(GOLDEN .. "names.json"))
  local text = file:read "*a"
  file:close()
  return json.decode(text)
end

local function load(name)
  return pod.models.load(GOLDEN .. name .. ".keras"), pod.data.load_npz(GOLDEN .. name .. ".npz")
end

describe("a model of Keras", function()
  teardown(function()
    os.execute("rm -rf " .. directory)
  end)

  for _, name in ipairs(NAMES) do
    it("predicts here what it did there: " .. name, function()
      local model, arrays = load(name)
      assert.is_true(worst_error(predict(model, arrays), arrays) <= 1)
    end)
  end

  it("keeps its weights through .weights.h5", function()
    local path = directory .. "/again.weights.h5"
    for _, name in ipairs(NAMES) do
      local model = load(name)
      model:save_weights(path)
      local other = pod.models.from_json(model:to_json())
      other:load_weights(path)
      local wanted, found = model:get_weights(), other:get_weights()
      assert.equal(#wanted, #found)
      for i, value in ipairs(wanted) do
        assert.same(value:totable(), found[i]:totable())
      end
      other:load_weights(GOLDEN .. name .. ".keras") -- the archive has the weights, too
    end
  end)

  it("goes on with its optimizer", function()
    local model, arrays = load "trained"
    assert.equal("adam", model.optimizer.name)
    assert.equal(4, model.optimizer.iterations:value():item())
    assert.is_true(math.abs(model.optimizer.learning_rate:value():item() - 0.01) < 1e-8)
    local before = pod.data.load_hdf5(GOLDEN .. "trained.keras", "model.weights.h5")
    local path = directory .. "/optimizer.weights.h5"
    model:save_weights(path)
    local after, texts = pod.data.load_hdf5(path)
    local count = 0
    for key, value in pairs(before) do
      assert.same(value:totable(), after[key]:totable(), key)
      count = count + 1
    end
    assert.equal(3 + 4 + 2 + 8, count)
    assert.equal("adam", texts["optimizer/vars@name"])
    model:fit(arrays.in_0, arrays.out_0, { verbose = 0 })
    assert.equal(5, model.optimizer.iterations:value():item())
  end)

  it("has its names, of classes of one's own, too", function()
    local L = pod.layers
    local Subclassed = pod.models.subclass { name = "Subclassed",
      setup = function(self)
        self.z = L.dense(2)
        self.block = pod.models.sequential { L.dense(3), L.dense(2) }
        self._private = L.dense(2)
        self.alike = { L.dense(2), L.dense(2), L.dense(2) }
        self.last = L.lstm(2)
        self.own = self:add_weight { shape = { 2 }, name = "own" }
      end,
      call = function(self, x)
        for _, one in ipairs { self.z, self.block, self._private, self.alike[1], self.alike[2], self.alike[3] } do
          x = one(x)
        end
        return self.last(x:reshape { -1, 1, 2 }) + self.own:value()
      end }
    local model, path = Subclassed(), directory .. "/names.weights.h5"
    model(pod.zeros { 1, 2 })
    model:save_weights(path)
    local _, _, paths = pod.data.load_hdf5(path)
    table.sort(paths)
    assert.same(golden_names().subclassed, paths)
  end)

  it("has its order of an optimizer's variables", function()
    local keras_paths = require "moonpod.saving.keras_paths"
    local o = pod.optimizers
    local rate = o.schedules.exponential_decay { initial_learning_rate = 0.1, decay_steps = 10, decay_rate = 0.5 }
    local made = { ["SGD 2"] = o.sgd(), ["SGD 4"] = o.sgd { momentum = 0.9 },
      ["RMSprop 8"] = o.rmsprop { momentum = 0.5, centered = true }, ["Adam 8"] = o.adam { amsgrad = true },
      ["AdamW 5"] = o.adamw(rate), ["Nadam 7"] = o.nadam(), ["Adamax 6"] = o.adamax(), ["Ftrl 6"] = o.ftrl(),
      ["Adagrad 4"] = o.adagrad(), ["Adadelta 6"] = o.adadelta(), ["Lion 4"] = o.lion(), ["Lamb 6"] = o.lamb(),
      ["Muon 5"] = o.muon(),
      ["Adafactor 8"] = o.adafactor(), ["Adam 10"] = o.adam { use_ema = true, gradient_accumulation_steps = 2 },
      ["LossScaleOptimizer 8"] = o.loss_scale_optimizer(o.sgd { momentum = 0.9 }) }
    for key, wanted in pairs(golden_names().optimizers) do
      local model = pod.models.sequential { pod.layers.dense(3, { input_shape = { 4 } }) }
      made[key]:build(model.trainable_weights)
      local found = keras_paths.of_optimizer(made[key])
      for i, entry in ipairs(wanted) do
        local one = found[i].variable or found[i].constant
        assert.equal("optimizer/vars/" .. i - 1, found[i].path)
        assert.same(entry[2], { unpack(one.shape, 1, #one.shape) }, key .. " " .. i)
        if entry[1] ~= "" and not key:find "^Adafactor" then
          assert.equal(entry[1], one.name:match "dense_?%d*_(.*)$", key .. " " .. i)
        end
      end
      assert.is_true(#found == #wanted or key:find "^LossScale" ~= nil, key)
      made[key] = nil
    end
    assert.is_nil(next(made))
  end)

  it("predicts there what it does here, with weights of ours", function()
    local python, why = peers.python { "keras", "jax", "h5py" }
    if not python then
      return pending(why)
    end
    for _, name in ipairs(NAMES) do
      local model, arrays = load(name)
      for i, weight in ipairs(model.weights) do
        if weight.dtype == "float32" then
          local value = weight:value()
          weight:assign(value * 1.1 + pod.abs(value) * (i % 3) * 0.05)
        end
      end
      model:save_weights(("%s/%s.weights.h5"):format(directory, name))
      local out = {}
      for key, value in pairs(arrays) do
        out[key] = key:find "^in_" and value or nil
      end
      for i, value in ipairs(predict(model, arrays)) do
        out["out_" .. i - 1] = value
      end
      pod.data.save_npz(("%s/%s.npz"):format(directory, name), out)
    end
    local text = peers.run(python, "tests/golden/keras_files.py", { "read", directory })
    local seen = {}
    for name, verdict in text:gmatch "([%w_]+) %d+%.%d+ (%w+)\n" do
      seen[name] = verdict
    end
    for _, name in ipairs(NAMES) do
      assert.equal("ok", seen[name], name .. ": " .. text:sub(-2000))
    end
  end)
end)
