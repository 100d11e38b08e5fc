-- Models: how they are put together, and what they take.

local pod = require "moonpod"
local names = require "moonpod.base.names"

local L = pod.layers

local function close(want, got, tolerance)
  assert(pod.allclose(got, pod.tensor(want), { atol = tolerance or 1e-5 }), tostring(got))
end

local function sgd(model, loss)
  model:compile { optimizer = pod.optimizers.sgd(0.1), loss = loss or "mse" }
  return model
end

describe("functional models", function()
  it("take several inputs as a list or one after the other, with options last", function()
    local attention = pod.layers.multi_head_attention(2, 4)
    local a, b = pod.random.normal { 2, 5, 8 }, pod.random.normal { 2, 3, 8 }
    local causal = { use_causal_mask = true }
    assert.same(attention({ a, a }, causal):totable(), attention(a, a, causal):totable())
    assert.same(attention({ a, b, b }):totable(), attention(a, b, b):totable())
    local input, other = pod.layers.input { 5, 8 }, pod.layers.input { 3, 8 }
    local model = pod.models.functional { inputs = { input, other }, outputs = attention(input, other) }
    assert.same(attention({ a, b }):totable(), model({ a, b }):totable())
    assert.same(attention({ a, b }):totable(), model(a, b):totable())
  end)

  it("refuse a second input, or anything else, where there is one", function()
    local dense = pod.layers.dense(3)
    assert.error_matches(function() dense(pod.ones { 2, 3 }, pod.ones { 2, 3 }) end,
      "layer 'dense.-' %(Dense%) takes one input; got a list of 2")
    assert.error_matches(function() dense(pod.ones { 2, 3 }, 5) end, "argument 2 of its call is 5; it takes tensors")
    assert.error_matches(function() dense(pod.layers.input { 3 }, pod.layers.input { 3 }) end, "takes one input")
  end)

  it("take operators and methods of tensors for layers", function()
    local a = L.input { 3 }
    local y = -((a + a) * 2 - 1) / 3 + a ^ 2
    close({ { 0, 0, 0 } }, pod.models.functional { inputs = a, outputs = y }(pod.ones { 1, 3 }))
    local z = 2 * a:exp():sum(-1, { keepdims = true }) - 1
    local model = pod.models.functional { inputs = a, outputs = z }
    close({ { 6 * math.exp(1) - 1 } }, model(pod.ones { 1, 3 }), 1e-4)
    assert.error_matches(function() pod.exp(a) end, "only describes one")
  end)

  it("have inputs and outputs by name", function()
    names.reset()
    local a, b = L.input { shape = { 3 }, name = "a" }, L.input { shape = { 2 }, name = "b" }
    local joined = L.concatenate() { a, b }
    local left, right = L.dense(1, { name = "left" })(joined), L.dense(2, { name = "right" })(joined)
    local model = pod.models.functional { inputs = { a = a, b = b }, outputs = { left = left, right = right } }
    assert.equal("{ <symbolic tensor shape=(None, 3), dtype=float32, name=a>, "
      .. "<symbolic tensor shape=(None, 2), dtype=float32, name=b> }", (tostring(model.inputs):gsub("%s+", " ")))
    model:compile { optimizer = "adam", loss = { left = "mse", right = "mae" },
      loss_weights = { left = 1, right = 0.5 }, metrics = { left = { "mae" }, right = "mse" } }
    local x = { a = pod.ones { 6, 3 }, b = pod.ones { 6, 2 } }
    local y = { left = pod.zeros { 6, 1 }, right = pod.zeros { 6, 2 } }
    local history = model:fit(x, y, { verbose = 0, epochs = 2, batch_size = 4 }).history
    for _, name in ipairs { "left_loss", "left_mae", "loss", "right_loss", "right_mse" } do
      assert.equal(2, #history[name])
    end
    local values = model:evaluate(x, y, { verbose = 0, return_dict = true })
    assert.is_true(math.abs(values.loss - values.left_loss - 0.5 * values.right_loss) < 1e-5)
    local predicted = model:predict(x)
    assert.equal("(6, 1)", tostring(predicted.left.shape))
    assert.equal("(6, 2)", tostring(predicted.right.shape))
    assert.error_matches(function()
      model:compile { loss = { left = "mse", rihgt = "mae" } }
      model:fit(x, y, { verbose = 0 })
    end, "rihgt")
  end)

  it("share models and layers", function()
    local encoder = pod.models.sequential { L.input { 3 }, L.dense(2) }
    local a, b = L.input { 3 }, L.input { 3 }
    local model = sgd(pod.models.functional { inputs = { a, b }, outputs = L.add() { encoder(a), encoder(b) } })
    assert.equal(2, #model:get_weights())
    model:fit({ pod.ones { 4, 3 }, pod.ones { 4, 3 } }, pod.zeros { 4, 2 }, { verbose = 0 })
  end)

  it("give lists of outputs and states", function()
    local a = L.input { 4, 3 }
    local model = pod.models.functional { inputs = a, outputs = L.lstm(2, { return_state = true })(a) }
    assert.equal(3, #model(pod.ones { 2, 4, 3 }))
  end)

  it("leave axes open", function()
    local a = L.input { -1, 3 }
    local model = pod.models.functional { inputs = a, outputs = L.gru(2)(a) }
    assert.equal("(2, 2)", tostring(model(pod.ones { 2, 4, 3 }).shape))
    assert.equal("(5, 2)", tostring(model(pod.ones { 5, 7, 3 }).shape))
  end)

  it("may be deep", function()
    local a = L.input { 2 }
    local x = a
    for _ = 1, 300 do
      x = L.identity()(x)
    end
    close({ { 1, 1 } }, pod.models.functional { inputs = a, outputs = x }(pod.ones { 1, 2 }))
  end)
end)

describe("sequential models", function()
  it("grow and shrink", function()
    local model = pod.models.sequential { L.input { 3 } }
    model:add(L.dense(4))
    model:add(L.dense(2))
    assert.equal(4, #model:get_weights())
    model:pop()
    assert.equal("(5, 4)", tostring(model(pod.ones { 5, 3 }).shape))
    assert.equal(2, #model.layers[1]:get_weights())
  end)

  it("are built by input_shape, build or their first data", function()
    assert.is_true(pod.models.sequential({ L.dense(2, { input_shape = { 3 } }) }).built)
    local model = pod.models.sequential { L.dense(2) }
    assert.is_false(model.built)
    model:build { -1, 3 }
    assert.equal(8, model:count_params())
    local other = sgd(pod.models.sequential { L.dense(1) })
    other:fit({ { 1, 2 }, { 3, 4 } }, { { 1 }, { 2 } }, { verbose = 0 })
    assert.equal(3, other:count_params())
    assert.equal("(1, 1)", tostring(other:predict({ { 1, 2 } }).shape))
  end)

  it("have dropout while training only", function()
    local model = pod.models.sequential { L.input { 100 }, L.dropout(0.5) }
    local x = pod.ones { 10, 100 }
    local a, b = model(x, { training = true }), model(x, { training = true })
    local zeros = pod.sum(pod.equal(a, 0):cast "float32"):item()
    assert.is_true(zeros > 400 and zeros < 600)
    assert.not_equal(a:data(), b:data())
    assert.equal(x:data(), model(x):data())
  end)
end)

describe("losses of layers", function()
  it("are the call's that trains, not of the one that asks for shapes", function()
    local x, y = pod.ones { 8, 4 }, pod.ones { 8, 2 }
    local Adds = L.subclass { name = "AddsALoss", call = function(self, t)
      self:add_loss(pod.sum(t) * 0.1)
      return t
    end }
    local function hidden(shape, layer)
      local model = pod.models.sequential { layer, L.dense(2, { kernel_initializer = "zeros" }) }
      if shape then
        model:build(shape)
      end
      model:compile { optimizer = pod.optimizers.sgd(0), loss = "mse" }
      return model
    end
    for _, make in ipairs { function()
      return L.dense(3, { activity_regularizer = "l2", kernel_initializer = "ones" })
    end, function() return L.activity_regularization { l2 = 0.1 } end, Adds } do
      local want = hidden({ -1, 4 }, make()):fit(x, y, { verbose = 0 }).history.loss[1]
      assert.is_true(want > 1)
      assert.equal(want, hidden(nil, make()):fit(x, y, { verbose = 0 }).history.loss[1])
      assert.equal(want, hidden(nil, make()):evaluate(x, y, { verbose = 0 }))
      assert.equal(want, hidden(nil, make()):train_on_batch(x, y))
    end
  end)
end)

describe("training", function()
  local x, y = pod.ones { 4, 3 }, pod.zeros { 4, 1 }

  it("leaves frozen layers alone from the next compile on", function()
    local model = sgd(pod.models.sequential { L.input { 3 }, L.dense(2), L.dense(1) })
    model.layers[1].trainable = false
    sgd(model)
    local before = model:get_weights()
    model:fit(x, y, { verbose = 0 })
    local after = model:get_weights()
    assert.equal(before[1]:data(), after[1]:data())
    assert.not_equal(before[3]:data(), after[3]:data())
    assert.equal(2, #model.trainable_weights)
  end)

  it("follows the learning rate as it is set", function()
    local model = sgd(pod.models.sequential { L.input { 3 }, L.dense(1) })
    model:fit(x, y, { verbose = 0 })
    model.optimizer.learning_rate = 0
    local before = model:get_weights()[1]:data()
    model:fit(x, y, { verbose = 0 })
    assert.equal(before, model:get_weights()[1]:data())
    model.optimizer.learning_rate = 0.5
    assert.equal(0.5, model.optimizer.learning_rate:item())
  end)

  it("takes labels with and without a last axis of 1", function()
    local model = pod.models.sequential { L.input { 3 }, L.dense(1, { activation = "sigmoid" }) }
    model:compile { optimizer = "sgd", loss = "binary_crossentropy", metrics = { "accuracy", pod.metrics.auc() } }
    local a = model:test_on_batch(x, pod.tensor { 0, 1, 0, 1 }, { return_dict = true })
    local b = model:test_on_batch(x, pod.tensor { { 0 }, { 1 }, { 0 }, { 1 } }, { return_dict = true })
    assert.is_true(math.abs(a.loss - b.loss) < 1e-6)
    model:fit(x, pod.tensor { 0, 1, 0, 1 }, { verbose = 0, class_weight = { [0] = 1, 2 } })
  end)

  it("scales the loss of float16 models", function()
    pod.random.set_seed(3) -- of large weights the first gradients would overflow, and the scale be halved
    pod.mixed_precision.set_global_policy "mixed_float16"
    local model = pod.models.sequential { L.input { 3 }, L.dense(4), L.dense(1, { dtype = "float32" }) }
    pod.mixed_precision.set_global_policy "float32"
    model:compile { optimizer = "adam", loss = "mse" }
    model:fit(x, y, { verbose = 0 })
    assert.equal(2 ^ 15, model.optimizer.dynamic_scale:value():item())
    assert.equal("float16", model.layers[1]:compute_dtype())
    assert.equal("float32", model:get_weights()[1].dtype)
  end)

  it("warns once of probabilities of 16 bits", function()
    local told = {}
    local unwatch = require("moonpod.base.warnings").watch(function(text) told[#told + 1] = text end)
    finally(unwatch) -- luacheck: ignore
    local function train(options, loss)
      local model = pod.models.sequential { L.input { 3 }, L.dense(4, { dtype = "mixed_bfloat16" }),
        L.dense(3, options) }
      model:compile { loss = loss or "sparse_categorical_crossentropy" }
      model:fit(x, pod.tensor { 0, 1, 2, 1 }, { verbose = 0, epochs = 2 })
      model:evaluate(x, pod.tensor { 0, 1, 2, 1 }, { verbose = 0 })
    end
    train { activation = "softmax", dtype = "float32" }
    train({ dtype = "mixed_bfloat16" }, pod.losses.sparse_categorical_crossentropy { from_logits = true })
    assert.same({}, told)
    train { activation = "softmax", dtype = "mixed_bfloat16", name = "head" }
    assert.equal(1, #told)
    assert.matches("output 'head' .* is bfloat16, .*softmax, dtype = \"float32\"", told[1])
  end)

  -- A float16 model of one weight of 1 and inputs of 1: the loss is factor * weight.
  local function weight_of_one(options, factor)
    pod.mixed_precision.set_global_policy "mixed_float16"
    local model = pod.models.sequential { L.input { 1 }, L.dense(1, { kernel_initializer = "ones", use_bias = false }) }
    pod.mixed_precision.set_global_policy "float32"
    local function loss(_, prediction) return pod.mean(pod.cast(prediction, "float32") * factor) end
    local optimizer = pod.optimizers.sgd(options)
    model:compile { optimizer = optimizer, loss = loss }
    return model, function(steps)
      local ones = pod.ones { steps, 1 }
      model:fit(ones, ones, { verbose = 0, batch_size = 1 })
      return model:get_weights()[1]:item()
    end
  end

  it("puts the averages of use_ema into the weights of float16 models, too", function()
    local _, fit = weight_of_one({ learning_rate = 0.25, use_ema = true, ema_momentum = 0.5 }, 1)
    assert.equal((0.75 + 0.5) / 2, fit(2))
  end)

  it("leaves weights without an average where the scale of losses leaves out all steps", function()
    local model, fit = weight_of_one({ learning_rate = 0.25, use_ema = true }, math.huge)
    assert.equal(1, fit(2))
    assert.equal(2 ^ 13, model.optimizer.dynamic_scale:value():item())
    assert.equal(0, model.optimizer.iterations:value():item())
  end)

  it("takes what is exempt from weight decay of a float16 model", function()
    local model, fit = weight_of_one({ learning_rate = 0.25, weight_decay = 0.5 }, 1)
    model.optimizer:exclude_from_weight_decay { var_names = { "kernel" } }
    assert.equal(0.75, fit(1))
  end)

  it("is a loop of one's own as well", function()
    local model = pod.models.sequential { L.input { 3 }, L.dense(1) }
    local optimizer, loss_fn = pod.optimizers.adam(0.01), pod.losses.mean_squared_error()
    local step = pod.func(function(a, b)
      local tape, loss = pod.tape(function() return loss_fn(b, model(a, { training = true })) end)
      optimizer:apply(tape:gradient(loss, model.trainable_weights), model.trainable_weights)
      return loss
    end)
    local first, last = step(x, pod.ones { 4, 1 }):item(), nil
    for _ = 1, 30 do
      last = step(x, pod.ones { 4, 1 }):item()
    end
    assert.is_true(last < first)
  end)
end)

describe("with 16 bits", function()
  after_each(function()
    pod.mixed_precision.set_global_policy "float32"
  end)

  -- 997 would be 996 in bfloat16.
  it("a model gives its layers the numbers that it is given, a model within a model, too", function()
    pod.mixed_precision.set_global_policy "mixed_bfloat16"
    local numbers = pod.tensor { { 257 }, { 997 } }
    local embedding = L.embedding(1000, 1)
    local input = L.input { shape = { 1 } }
    local inner = pod.models.functional { inputs = input, outputs = embedding(input) }
    for _, model in ipairs { inner, pod.models.sequential { L.input { shape = { 1 } }, embedding },
      pod.models.sequential { L.input { shape = { 1 } }, inner } } do
      local rows = pod.gather(embedding.embeddings:value(), pod.tensor { 257, 997 }):cast "bfloat16"
      assert.equal(rows:data(), model(numbers):cast("bfloat16"):data())
      assert.equal(rows:data(), model:predict(numbers, { verbose = 0 }):cast("bfloat16"):data())
    end
  end)
end)

describe("a model that computes values again", function()
  it("keeps the logits of a saturated prediction", function()
    for activation, loss in pairs { softmax = "categorical_crossentropy", sigmoid = "binary_crossentropy" } do
      local function loss_after(options)
        local inputs = pod.layers.input { shape = { 2 } }
        local model = pod.models.functional { inputs = inputs,
          outputs = pod.layers.dense(2, { activation = activation })(inputs) }
        model:set_weights { pod.tensor { { 40, -40 }, { 0, 0 } }, pod.zeros { 2 } }
        model:compile { optimizer = "sgd", loss = loss }
        model:set_memory_options(options)
        return model:train_on_batch(pod.ones { 1, 2 }, pod.tensor { { 0, 1 } }, { return_dict = true }).loss
      end
      assert.near(loss_after {}, loss_after { rematerialize = 1 }, 1e-6)
    end
  end)
end)
