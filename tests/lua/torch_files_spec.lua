-- Weights in PyTorch's style: what its modules wrote is read and predicts the same (tests/golden/torch_files.py), and
-- PyTorch reads what is written here, where it is there: tests/lua/support/peers.lua.

local pod = require "moonpod"
local data = require "moonpod.data"
local peers = require "tests.lua.support.peers"

local L = pod.layers

local GOLDEN = "tests/golden/torch_files/"
local STYLE = { style = "torch" }

local function functional(shape, call, dtype)
  local x = L.input { shape = shape, dtype = dtype }
  return pod.models.functional { inputs = x, outputs = call(x) }
end

-- The modules of the Python file, by the names of their layers.
local MODELS = {
  dense = function()
    return pod.models.sequential { L.input { shape = { 6 } }, L.dense(5, { name = "first" }),
      L.batch_normalization { name = "norm", epsilon = 1e-5 }, L.prelu { name = "slope" },
      L.layer_normalization { name = "layer_norm", epsilon = 1e-3 }, L.rms_normalization { name = "rms" },
      L.dense(2, { name = "last", use_bias = false }) }
  end,
  images = function()
    return pod.models.sequential { L.input { shape = { 7, 6, 4 } }, L.conv2d(6, { 3, 2 }, { name = "conv" }),
      L.group_normalization { name = "groups", groups = 3, epsilon = 1e-3 }, L.activation "relu",
      L.depthwise_conv2d(2, { name = "depthwise", depth_multiplier = 2 }),
      L.conv2d_transpose(3, 3, { name = "up", strides = 2 }) }
  end,
  lines = function()
    return pod.models.sequential { L.input { shape = { 9, 3 } }, L.conv1d(5, 3, { name = "conv", dilation_rate = 2 }),
      L.conv1d_transpose(2, 2, { name = "up" }) }
  end,
  volumes = function()
    return pod.models.sequential { L.input { shape = { 4, 5, 4, 2 } }, L.conv3d(3, 2, { name = "conv" }),
      L.conv3d_transpose(2, 2, { name = "up" }) }
  end,
  words = function()
    return pod.models.sequential { L.input { shape = { 5 }, dtype = "int64" }, L.embedding(9, 4, { name = "words" }),
      L.lstm(6, { name = "lstm", return_sequences = true }), L.gru(5, { name = "gru", return_sequences = true }),
      L.simple_rnn(3, { name = "rnn", return_sequences = true }) }
  end,
  bothways = function()
    return pod.models.sequential { L.input { shape = { 5, 4 } },
      L.bidirectional(L.lstm(3, { return_sequences = true }), { name = "lstm" }),
      L.bidirectional(L.gru(2, { return_sequences = true }), { name = "gru" }),
      L.lstm(3, { name = "plain", use_bias = false, return_sequences = true }) }
  end,
  attention = function()
    return functional({ 5, 6 }, function(x)
      x = L.layer_normalization { name = "norm", epsilon = 1e-3 } (L.add() { x,
        L.multi_head_attention(2, 3, { name = "own" })(x, x) })
      local y = L.dense(4, { name = "narrow" })(x)
      x = L.multi_head_attention(3, 2, { name = "other" })(x, y)
      return pod.models.sequential({ L.input { shape = { 5, 6 } }, L.dense(8, { name = "wide", activation = "relu" }),
        L.dense(6, { name = "back" }) }, { name = "block" })(x)
    end)
  end,
}

local NAMES = {}
for name in pairs(MODELS) do
  NAMES[#NAMES + 1] = name
end
table.sort(NAMES)

local directory = os.tmpname()
os.remove(directory)
os.execute("mkdir " .. directory)

local function file(name)
  return ("%s/%s.safetensors"):format(directory, name)
end

local function worst_error(found, wanted)
  assert.same(tostring(wanted.shape), tostring(found.shape))
  local allowed = pod.maximum(pod.abs(wanted) * 1e-5, 1e-6)
  return pod.max(pod.abs(found - wanted) / allowed):item()
end

describe("weights in PyTorch's style", function()
  teardown(function()
    os.execute("rm -rf " .. directory)
  end)

  for _, name in ipairs(NAMES) do
    it("of PyTorch are read: " .. name, function()
      local model, arrays = MODELS[name](), data.load_npz(GOLDEN .. name .. ".npz")
      model:load_weights(GOLDEN .. name .. ".safetensors", STYLE)
      assert.is_true(worst_error(model(arrays.x), arrays.y) <= 1)
    end)

    it("are written as PyTorch has them: " .. name, function()
      local model = MODELS[name]()
      model:load_weights(GOLDEN .. name .. ".safetensors", STYLE)
      model:save_weights(file(name), STYLE)
      local wanted = data.load_safetensors(GOLDEN .. name .. ".safetensors")
      local found, metadata = data.load_safetensors(file(name))
      assert.equal("pt", metadata.format)
      for key, value in pairs(wanted) do
        assert.truthy(found[key], key)
        assert.same(tostring(value.shape), tostring(found[key].shape), key)
        assert.equal(value.dtype, found[key].dtype)
        if not key:find "bias_[ih]h_l0" then -- of which we have the sum
          assert.same(value:totable(), found[key]:totable(), key)
        end
      end
      for key in pairs(found) do
        assert.truthy(wanted[key], key)
      end
      local other = MODELS[name]()
      other:load_weights(file(name), STYLE)
      for i, value in ipairs(model:get_weights()) do
        assert.same(value:totable(), other:get_weights()[i]:totable())
      end
    end)
  end

  it("are read by PyTorch", function()
    local python, why = peers.python { "torch", "safetensors" }
    if not python then
      return pending(why)
    end
    for _, name in ipairs(NAMES) do
      local model, arrays = MODELS[name](), data.load_npz(GOLDEN .. name .. ".npz")
      model:save_weights(file(name), STYLE)
      data.save_npz(("%s/%s.npz"):format(directory, name), { x = arrays.x, y = model(arrays.x) })
    end
    local text, count = peers.run(python, "tests/golden/torch_files.py", { "read", directory }), 0
    for name, verdict in text:gmatch "([%w_]+) %d+%.%d+ (%w+)\n" do
      assert.equal("ok", verdict, name .. ": " .. text)
      count = count + 1
    end
    assert.equal(#NAMES, count, text)
  end)

  it("of layers that PyTorch has not are named before anything is written", function()
    local model = pod.models.sequential { L.input { shape = { 6, 4 } }, L.separable_conv1d(3, 2, { name = "both" }),
      L.gru(3, { name = "early", reset_after = false }), L.dense(2) }
    local _, message = pcall(model.save_weights, model, file "none", STYLE)
    assert.truthy(message:find("SeparableConv1D 'both': there is no module of torch.nn with its weights", 1, true))
    assert.truthy(message:find("GRU 'early': PyTorch's resets after the product", 1, true), message)
    assert.is_nil(io.open(file "none"))
    local attention = functional({ 4, 6 }, function(x)
      return L.multi_head_attention(2, 4, { name = "wide" })(x, x)
    end)
    assert.error_matches(function() attention:load_weights(GOLDEN .. "attention.safetensors", STYLE) end,
      "MultiHeadAttention 'wide': PyTorch's heads have the query's size together")
  end)

  it("of another module are compared layer by layer", function()
    local model = MODELS.dense()
    local before = model:get_weights()
    local _, message = pcall(model.load_weights, model, GOLDEN .. "lines.safetensors", STYLE)
    for _, part in ipairs { "first: weight, bias missing in the file", "conv: bias, weight not in the model",
      "norm: weight, bias, running_mean, running_var missing in the file" } do
      assert.truthy(message:find(part, 1, true), message)
    end
    local other = pod.models.sequential { L.input { shape = { 6 } }, L.dense(4, { name = "first" }) }
    _, message = pcall(other.load_weights, other, GOLDEN .. "dense.safetensors", STYLE)
    assert.truthy(message:find("first: weight has shape (5, 6) in the file, (4, 6) in the model", 1, true), message)
    for i, value in ipairs(model:get_weights()) do
      assert.same(before[i]:totable(), value:totable())
    end
    assert.error_matches(function() model:save_weights(file "x", { style = "numpy" }) end,
      'there is no style "numpy" of files, but "torch"')
    assert.error_matches(function() model:save_weights("x.weights.h5", STYLE) end, 'must end in ".safetensors"')
  end)
end)
