-- Layers against what they are made of: what has no counterpart in the golden cases.

local pod = require "moonpod"
local L = pod.layers

local function near(a, b, what)
  assert(pod.allclose(a, b, { rtol = 1e-5, atol = 1e-6 }), (what or "") .. "\n" .. tostring(a) .. "\n" .. tostring(b))
end

describe("data_format = channels_first", function()
  local IMAGE = { { 2, 5, 3 }, { 2, 6, 5, 3 }, { 2, 4, 5, 4, 3 } }
  local cases = {}
  for rank = 1, 3 do
    local d = rank .. "d"
    cases[#cases + 1] = { "conv" .. d, rank, { filters = 2, kernel_size = 2, strides = 2, padding = "same" } }
    cases[#cases + 1] = { "conv" .. d .. "_transpose", rank, { filters = 2, kernel_size = 3, strides = 2 } }
    cases[#cases + 1] = { "max_pooling" .. d, rank, { pool_size = 2 } }
    cases[#cases + 1] = { "average_pooling" .. d, rank, { pool_size = 2, padding = "same" } }
    cases[#cases + 1] = { "global_max_pooling" .. d, rank, {} }
    cases[#cases + 1] = { "global_average_pooling" .. d, rank, { keepdims = true } }
    cases[#cases + 1] = { "zero_padding" .. d, rank, { padding = 1 } }
    cases[#cases + 1] = { "cropping" .. d, rank, { cropping = 1 } }
    cases[#cases + 1] = { "up_sampling" .. d, rank, { size = 2 } }
    if rank < 3 then
      cases[#cases + 1] = { "depthwise_conv" .. d, rank, { kernel_size = 2 } }
      cases[#cases + 1] = { "separable_conv" .. d, rank, { filters = 2, kernel_size = 2 } }
    end
  end
  for _, case in ipairs(cases) do
    it("is " .. case[1] .. " with its axes moved", function()
      local x = pod.random.normal(IMAGE[case[2]])
      local options = { data_format = "channels_first" }
      for key, value in pairs(case[3]) do
        options[key] = value
      end
      local last, first = L[case[1]](case[3]), L[case[1]](options)
      local y = last(x)
      local moved = pod.moveaxis(x, -1, 1)
      first(moved)
      first:set_weights(last:get_weights())
      near(#y.shape > 2 and pod.moveaxis(y, -1, 1) or y, first(moved))
    end)
  end

  it("flattens as if the channels were last", function()
    local x = pod.random.normal { 2, 3, 4, 5 }
    near(L.flatten()(pod.moveaxis(x, 1, -1)), L.flatten { data_format = "channels_first" }(x))
  end)

  it("refuses other channels than those it was built for", function()
    local layer = L.conv2d(2, 1, { data_format = "channels_first" })
    layer(pod.zeros { 1, 3, 4, 4 })
    assert.error_matches(function() layer(pod.zeros { 1, 4, 4, 4 }) end, "axis 1 has size 3")
  end)
end)

describe("an option table", function()
  it("makes several layers", function()
    local options = { strides = 2, padding = "same" }
    local one, two = L.conv2d(2, 3, options), L.conv2d(4, 5, options)
    assert.are.same({ strides = 2, padding = "same" }, options)
    assert.are.same({ 1, 4, 4, 2 }, { table.unpack(one(pod.zeros { 1, 8, 8, 3 }).shape) })
    assert.are.same({ 1, 4, 4, 4 }, { table.unpack(two(pod.zeros { 1, 8, 8, 3 }).shape) })
    assert.has_error(function()
      L.conv2d(2, 3, { filters = 2 })
    end)
  end)
end)

describe("cells", function()
  for _, name in ipairs { "simple_rnn", "lstm", "gru" } do
    it("walk as " .. name .. " does, stacked and in both directions", function()
      local x = pod.random.normal { 2, 4, 3 }
      local one, two = L[name](3, { return_sequences = true }), L[name](2)
      local y = two(one(x))
      local walker = L.rnn { L[name .. "_cell"](3), L[name .. "_cell"](2) }
      walker(x)
      local weights = one:get_weights()
      for _, weight in ipairs(two:get_weights()) do
        weights[#weights + 1] = weight
      end
      walker:set_weights(weights)
      near(y, walker(x))

      local a = L.bidirectional(L[name](2, { return_sequences = true }))
      local b = L.bidirectional(L.rnn(L[name .. "_cell"](2), { return_sequences = true }))
      local expected = a(x)
      b(x)
      b:set_weights(a:get_weights())
      near(expected, b(x))
    end)
  end

  it("may be one's own", function()
    local Sum = L.subclass {
      name = "Sum",
      setup = function(self) self.state_sizes = { 3 } end,
      call = function(_, x, options)
        local total = options.states[1] + x
        return { total, total }
      end,
    }
    local x = pod.random.normal { 2, 4, 3 }
    near(pod.cumsum(x, 1), L.rnn(Sum(), { return_sequences = true })(x))
  end)
end)

describe("a stateful layer", function()
  it("goes on where it stopped, until its states are reset", function()
    local x = pod.random.normal { 2, 6, 3 }
    local whole = L.gru(4, { return_sequences = true })
    local y = whole(x)
    local parts = L.gru(4, { return_sequences = true, stateful = true })
    parts(x)
    parts:reset_state()
    local weights, own = whole:get_weights(), parts.weights
    for i, weight in ipairs(weights) do
      own[i]:assign(weight)
    end
    local first, second = parts(x[{ ":", ":3" }]), parts(x[{ ":", "3:" }])
    near(y, pod.concat({ first, second }, 1))
    parts:reset_state()
    near(first, parts(x[{ ":", ":3" }]))
  end)

  it("has states that are no weights", function()
    local function model_of(stateful)
      local input = L.input { shape = { 3, 2 }, batch_size = 4 }
      local outputs = L.bidirectional(L.lstm(2, { stateful = stateful }))(input)
      return pod.models.functional { inputs = input, outputs = outputs }
    end
    local plain, kept = model_of(false), model_of(true)
    kept(pod.ones { 4, 3, 2 })
    assert.equal(#plain.weights, #kept.weights)
    assert.equal(0, #kept.non_trainable_weights)
    assert.equal(plain:count_params(), kept:count_params())
    kept:set_weights(plain:get_weights())
    for _, ending in ipairs { ".safetensors", ".weights.h5" } do
      local path = os.tmpname() .. ending
      plain:save_weights(path)
      kept:load_weights(path)
      kept:save_weights(path)
      plain:load_weights(path)
      os.remove(path)
    end
  end)
end)

describe("names of Keras", function()
  it("find the same layers", function()
    assert.equal(L.conv2d, L.convolution2d)
    assert.equal(L.max_pooling1d, L.max_pool1d)
    assert.equal(L.average_pooling3d, L.avg_pool3d)
    assert.equal(L.global_average_pooling2d, L.global_avg_pool2d)
    assert.equal(L.separable_conv1d, L.separable_convolution1d)
  end)
end)

describe("attention", function()
  it("gives shares that a mask keeps at 0", function()
    local layer = L.multi_head_attention(2, 3)
    local x = pod.random.normal { 2, 4, 3 }
    local result = layer(x, { use_causal_mask = true, return_attention_scores = true })
    local y, shares = result[1], result[2]
    assert.equal("(2, 2, 4, 4)", tostring(shares.shape))
    near(pod.tril(shares), shares)
    near(pod.ones { 2, 2, 4 }, shares:sum(-1))
    near(y, layer(x, { attention_mask = pod.tril(pod.ones { 1, 4, 4 }) }))
  end)
end)
