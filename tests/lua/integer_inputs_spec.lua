-- Layers that multiply inputs by weights take integers as floats of the same value, as Keras' layers do.

local pod = require "moonpod"
local layers = pod.layers

local function itself(layer, x)
  return layer(x)
end

local function with_itself(layer, x)
  return layer(x, x)
end

local CASES = {
  { "dense", function() return layers.dense(3) end, { 4, 5 } },
  { "einsum_dense", function() return layers.einsum_dense("ab,bc->ac", { output_shape = 3 }) end, { 4, 5 } },
  { "conv1d", function() return layers.conv1d(3, 2) end, { 2, 5, 2 } },
  { "conv2d", function() return layers.conv2d(3, 2) end, { 2, 5, 5, 2 } },
  { "conv2d_transpose", function() return layers.conv2d_transpose(3, 2) end, { 2, 5, 5, 2 } },
  { "depthwise_conv2d", function() return layers.depthwise_conv2d(2) end, { 2, 5, 5, 2 } },
  { "separable_conv2d", function() return layers.separable_conv2d(3, 2) end, { 2, 5, 5, 2 } },
  { "simple_rnn", function() return layers.simple_rnn(3) end, { 2, 4, 3 } },
  { "lstm", function() return layers.lstm(3) end, { 2, 4, 3 } },
  { "gru", function() return layers.gru(3) end, { 2, 4, 3 } },
  { "conv_lstm2d", function() return layers.conv_lstm2d(2, 2) end, { 2, 3, 5, 5, 2 } },
  { "prelu", function() return layers.prelu() end, { 2, 4 } },
  { "batch_normalization", function() return layers.batch_normalization() end, { 4, 3 } },
  { "layer_normalization", function() return layers.layer_normalization() end, { 4, 3 } },
  { "rms_normalization", function() return layers.rms_normalization() end, { 4, 3 } },
  { "group_normalization", function() return layers.group_normalization { groups = 1 } end, { 4, 3 } },
  { "multi_head_attention", function() return layers.multi_head_attention(2, 3) end, { 2, 4, 3 }, with_itself },
  { "group_query_attention", function() return layers.group_query_attention(3, 4, 2) end, { 2, 4, 3 }, with_itself },
}

local function counting(shape, dtype)
  local count = 1
  for _, size in ipairs(shape) do
    count = count * size
  end
  return pod.cast(pod.reshape(pod.arange(0, count) % 7, shape), dtype)
end

describe("layers on integers", function()
  for _, case in ipairs(CASES) do
    local name, make, shape, call = case[1], case[2], case[3], case[4] or itself
    it(name .. " computes what it computes of floats", function()
      local layer = make()
      -- The first call makes the weights. Then each result is read by itself: a program that holds both, or that makes
      -- weights as well, may sum products in another order.
      call(layer, counting(shape, "float32")):totable()
      local wanted = call(layer, counting(shape, "float32")):totable()
      for _, dtype in ipairs { "uint8", "int32" } do
        local y = call(layer, counting(shape, dtype))
        assert.equal("float32", y.dtype)
        assert.same(wanted, y:totable())
      end
    end)
  end

  it("train, in mixed precision too", function()
    for _, policy in ipairs { "float32", "mixed_bfloat16" } do
      local model = pod.models.sequential { layers.input { 4 }, layers.dense(3, { dtype = policy }) }
      model:compile { optimizer = "sgd", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
      local before = model:get_weights()[1]
      model:train_on_batch(counting({ 8, 4 }, "uint8"), pod.zeros({ 8 }, "uint8"))
      assert.is_true(pod.max(pod.abs(model:get_weights()[1] - before)):item() > 0)
    end
  end)
end)
