-- A generator gives place by place what its model gives of the whole sequence, and refuses a model of which it cannot.

local pod = require "moonpod"

local LENGTH, WIDTH, WORDS = 12, 8, 13
local layers = pod.layers

local function tokens_of(batch)
  return pod.random.uniform({ batch, LENGTH }, { maxval = WORDS, dtype = "int32" })
end

local function input()
  return layers.input { shape = { LENGTH }, dtype = "int32" }
end

-- A model whose block is made by `block(x)`.
local function model_of(block)
  local x = input()
  local y = layers.embedding(WORDS, WIDTH)(x)
  y = y + layers.position_embedding(LENGTH)(y)
  return pod.models.functional { inputs = x, outputs = layers.dense(WORDS)(block(y)) }
end

-- Feeds all places in steps of those sizes, whose sum is LENGTH.
local function feed(writer, tokens, sizes)
  local parts, from = {}, 0
  for i, size in ipairs(sizes) do
    parts[i] = writer:feed(tokens[{ ":", from .. ":" .. from + size }])
    from = from + size
  end
  return pod.concatenate(parts, 1)
end

local function expect_near(expected, actual, bound)
  assert.equal(expected.shape, actual.shape)
  local far = pod.max(pod.abs(expected:cast "float32" - actual:cast "float32")):item()
  assert.is_true(far <= bound * pod.max(pod.abs(expected:cast "float32")):item(), "off by " .. far)
end

local MODELS = {
  ["GPT-2"] = function()
    return pod.applications.gpt2_small { vocabulary = WORDS, sequence_length = LENGTH, width = WIDTH, depth = 2,
      heads = 2 }
  end,
  ["shared keys, a gate and root-mean-square norms"] = function()
    return model_of(function(x)
      local h = layers.rms_normalization()(x)
      x = x + layers.group_query_attention(4, 4, 2, { use_gate = true })(h, h, { use_causal_mask = true })
      return layers.multiply() { x, layers.activation "sigmoid" (layers.dense(WIDTH, { activation = "gelu" })(x)) }
    end)
  end,
  ["values of another size, twice the same layer"] = function()
    return model_of(function(x)
      local attention = layers.multi_head_attention(2, 3, { value_dim = 5 })
      x = attention(x, x, { use_causal_mask = true })
      return attention(x, x, { use_causal_mask = true }) / 2 - x
    end)
  end,
}

describe("a generator", function()
  for name, make in pairs(MODELS) do
    it("gives what the model gives: " .. name, function()
      pod.random.set_seed(7)
      local model = make()
      local tokens = tokens_of(3)
      local writer = pod.models.generator(model, { batch_size = 3 })
      local expected = model(tokens)
      expect_near(expected, feed(writer, tokens, { 5, 1, 1, 2, 1, 1, 1 }), 1e-5)
      assert.equal(LENGTH, writer.position)
      writer:reset()
      assert.equal(0, writer.position)
      expect_near(expected, feed(writer, tokens, { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }), 1e-5)
    end)
  end

  it("gives what the model gives in 16 bits, within their rounding", function()
    pod.random.set_seed(8)
    pod.mixed_precision.set_global_policy "mixed_bfloat16"
    local model = MODELS["GPT-2"]()
    pod.mixed_precision.set_global_policy "float32"
    local tokens = tokens_of(1)
    expect_near(model(tokens), feed(pod.models.generator(model), tokens, { 4, 1, 1, 1, 1, 4 }), 0.03)
  end)

  it("has what the weights are when it writes", function()
    pod.random.set_seed(9)
    local model = MODELS["GPT-2"]()
    local tokens, writer = tokens_of(1), pod.models.generator(model)
    feed(writer, tokens, { 6, 6 })
    model:compile { optimizer = "sgd", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    model:train_on_batch(tokens, tokens)
    writer:reset()
    expect_near(model(tokens), feed(writer, tokens, { 6, 6 }), 1e-5)
  end)

  it("says how many places are left", function()
    local writer = pod.models.generator(MODELS["GPT-2"]())
    writer:feed { { 1, 2, 3 } }
    assert.equal("<generator of 'gpt2_small', 3 of 12 places>", (tostring(writer):gsub("_%d+'", "'")))
    assert.error_matches(function() writer:feed(pod.zeros({ 1, 10 }, "int32")) end,
      "10 places more are too many: 3 of 12")
    assert.error_matches(function() writer:feed { { 1 }, { 2 } } end, "%(1, places%).*%(2, 1%)")
    assert.error_matches(function() writer:feed { 1 } end, "%(1, places%)")
  end)

  local function refused(pattern, block)
    it("refuses what " .. pattern, function()
      assert.error_matches(function() pod.models.generator(model_of(block)) end, pattern)
    end)
  end

  refused("may mix places", function(x) return layers.conv1d(WIDTH, 3, { padding = "causal" })(x) end)
  refused("without use_causal_mask", function(x) return layers.multi_head_attention(2, 4)(x, x) end)
  refused("attends to another tensor", function(x)
    return layers.multi_head_attention(2, 4)(x, layers.dense(WIDTH)(x), { use_causal_mask = true })
  end)
  refused("has a mask of its own, a window", function(x)
    return layers.multi_head_attention(2, 4, { sliding_window = 3 })(x, x, { use_causal_mask = true })
  end)
  refused("works on another axis", function(x) return layers.layer_normalization { axis = 1 } (x) end)
  refused("has a function of yours", function(x)
    return layers.dense(WIDTH, { activation = function(y) return pod.cumsum(y, 1) end })(x)
  end)

  it("refuses what is no functional model of one sequence", function()
    assert.error_matches(function() pod.models.generator(pod.models.sequential { layers.dense(2) }) end,
      "for a functional model")
    local x = layers.input { shape = { 3, 4 } }
    assert.error_matches(function()
      pod.models.generator(pod.models.functional { inputs = x, outputs = layers.dense(2)(x) })
    end, "one input %(batch, places%)")
    assert.error_matches(function() pod.models.generator(MODELS["GPT-2"](), { batch_size = 0 }) end, "batch_size")
  end)
end)
