-- Training that would go wrong without a word: each is refused, or means what Keras means.

local pod = require "moonpod"
local warned_by = require "tests.lua.support.warned_by"
local L = pod.layers

local function near(expected, actual)
  assert(pod.allclose(actual, expected, { rtol = 1e-5, atol = 1e-6 }), tostring(actual))
end

local X = pod.random.uniform({ 10, 3 }, { seed = 1 })
local Y = pod.cast(pod.greater(pod.random.uniform({ 10, 1 }, { seed = 2 }), 0.5), "float32")

local function sgd(model, options)
  local given = { optimizer = pod.optimizers.sgd(0.1), loss = "mse" }
  for key, value in pairs(options or {}) do
    given[key] = value
  end
  model:compile(given)
  return model
end

describe("rematerialize", function()
  it("keeps all layers, however many groups are asked for", function()
    local sizes = { 4, 5, 2, 1 }
    local function trained(groups, functional)
      pod.random.set_seed(1)
      local model
      if functional then
        local input = L.input { 3 }
        local y = input
        for _, size in ipairs(sizes) do
          y = L.dense(size, { activation = "tanh" })(y)
        end
        model = pod.models.functional { inputs = input, outputs = y }
      else
        model = pod.models.sequential { L.input { 3 } }
        for _, size in ipairs(sizes) do
          model:add(L.dense(size, { activation = "tanh" }))
        end
      end
      sgd(model)
      model:set_memory_options { rematerialize = groups or false }
      local losses = model:fit(X, Y, { verbose = 0, epochs = 2, shuffle = false }).history.loss
      return losses, model:get_weights()
    end
    for _, functional in ipairs { false, true } do
      local losses, weights = trained(nil, functional)
      for groups = 1, 9 do
        local again, others = trained(groups, functional)
        assert.same(losses, again)
        for i, weight in ipairs(weights) do
          assert.equal(weight:data(), others[i]:data())
        end
      end
    end
  end)
end)

describe("rematerialize of a layer that assigns its kernel or adds losses", function()
  it("trains as without", function()
    local attention = { num_heads = 1, key_dim = 2, activity_regularizer = "l2" }
    local function heads()
      return pod.models.sequential { L.input { 3 }, L.reshape { 3, 1 }, L.multi_head_attention(attention), L.flatten() }
    end
    local makers = {
      function() return L.spectral_normalization(L.dense(4, { activation = "relu" })) end,
      function() return L.activity_regularization { l2 = 0.1 } end,
      heads,
    }
    local function trained(make, groups, functional)
      pod.random.set_seed(4)
      local input = L.input { 3 }
      local layers = { make(), L.dense(1) }
      local model = functional
        and pod.models.functional { inputs = input, outputs = layers[2](layers[1](input)) }
        or pod.models.sequential { input, layers[1], layers[2] }
      sgd(model)
      model:set_memory_options { rematerialize = groups or false }
      model:fit(X, Y, { verbose = 0, epochs = 2, shuffle = false })
      return model:get_weights()
    end
    for _, make in ipairs(makers) do
      for _, functional in ipairs { false, true } do
        local plain = trained(make, nil, functional)
        for groups = 1, 2 do
          for i, weight in ipairs(trained(make, groups, functional)) do
            assert.equal(plain[i]:data(), weight:data())
          end
        end
      end
    end
  end)
end)

describe("rematerialize of layers that make masks", function()
  it("keeps the masks for the layers and losses behind them", function()
    local tokens = pod.tensor({ { 1, 2, 0 }, { 3, 0, 0 }, { 2, 2, 1 }, { 1, 0, 0 } }, { dtype = "int32" })
    local function loss(groups, functional)
      pod.random.set_seed(5)
      local layers = { L.embedding(4, 3, { mask_zero = true }), L.dropout(0), L.gru(3, { return_sequences = true }),
        L.dense(2) }
      local input = L.input { shape = { 3 }, dtype = "int32" }
      local model
      if functional then
        local y = input
        for _, layer in ipairs(layers) do
          y = layer(y)
        end
        model = pod.models.functional { inputs = input, outputs = y }
      else
        model = pod.models.sequential { input, layers[1], layers[2], layers[3], layers[4] }
      end
      sgd(model)
      model:set_memory_options { rematerialize = groups or false }
      return model:fit(tokens, pod.ones { 4, 3, 2 }, { verbose = 0, shuffle = false, epochs = 2 }).history.loss[2]
    end
    for _, functional in ipairs { false, true } do
      local plain = loss(nil, functional)
      for groups = 1, 5 do
        near(plain, loss(groups, functional))
      end
    end
  end)
end)

describe("weights of classes", function()
  local labels = pod.cast(pod.reshape(Y, { 10 }), "int32")
  local function classifier()
    pod.random.set_seed(3)
    return sgd(pod.models.sequential { L.input { 3 }, L.dense(2) },
      { loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } })
  end
  local both = { class_weight = { [0] = 1, [1] = 5 }, sample_weight = pod.ones { 10 }, verbose = 0 }

  it("are refused beside weights of samples", function()
    local message = "class_weight and sample_weight cannot be given at the same time"
    assert.error_matches(function() classifier():fit(X, labels, both) end, "fit: " .. message)
    local data = pod.data.from_tensor_slices({ X, labels, pod.ones { 10 } }):batch(5)
    assert.error_matches(function()
      classifier():fit(data, { verbose = 0, class_weight = both.class_weight })
    end, message)
    both.verbose = nil
    assert.error_matches(function() classifier():train_on_batch(X, labels, both) end, "train_on_batch: " .. message)
  end)

  it("count from class 0", function()
    for _, wrong in ipairs { { 1, 5 }, { 5 } } do
      assert.error_matches(function()
        classifier():fit(X, labels, { verbose = 0, class_weight = wrong })
      end, "classes count from 0: { %[0%] = 1.0, %[1%] = 5.0 }")
    end
    for _, wrong in ipairs { { [0.5] = 1 }, { [-1] = 1 }, { [0] = "1" }, { a = 1 } } do
      assert.error_matches(function()
        classifier():fit(X, labels, { verbose = 0, class_weight = wrong })
      end, "class_weight must give a number")
    end
    local weights = pod.where(pod.equal(labels, 1), 5, pod.ones { 10 })
    local expected = classifier():fit(X, labels, { verbose = 0, sample_weight = weights, shuffle = false })
    local history = classifier():fit(X, labels, { verbose = 0, class_weight = { [0] = 1, 5 }, shuffle = false })
    near(expected.history.loss[1], history.history.loss[1])
  end)

  it("are of one label a row", function()
    local model = sgd(pod.models.sequential { L.input { 3 }, L.reshape { 3, 1 } })
    assert.error_matches(function()
      model:fit(X, pod.zeros { 10, 3, 1 }, { verbose = 0, class_weight = { [0] = 1 } })
    end, "one output and one label a row; y has shape %(10, 3, 1%)")
    assert.error_matches(function()
      model:fit(X, { verbose = 0, class_weight = { [0] = 1 } })
    end, "y is nil")
  end)
end)

describe("labels out of range", function()
  local prediction = pod.tensor { { 0.1, 0.7, 0.2 }, { 0.5, 0.2, 0.3 } }

  -- Cast to int32 alone, 2^32 + 1 would be class 1, and NaN class 0.
  it("are refused by what counts classes", function()
    for _, case in ipairs { { "int32", 0, 3 }, { "int32", -1, 0 }, { "int64", 0, 4294967297 },
      { "int64", -4294967295, 0 }, { "uint32", 0, 4294967295 }, { "uint64", 0, 4294967297 }, { "float32", 0, 0 / 0 },
      { "bfloat16", 0 / 0, 1 } } do
      local labels = pod.tensor({ case[2], case[3] }, { dtype = case[1] })
      assert.error_matches(function()
        return pod.metrics.sparse_categorical_accuracy()(labels, prediction):item()
      end, "sparse_categorical_accuracy: y_true has a label that is not one of the classes 0 to 2")
      local ok, message = pcall(function()
        return pod.metrics.sparse_top_k_categorical_accuracy(2)(labels, prediction):item()
      end)
      assert.is_false(ok) -- by the metric's check, or by the pick of the label's probability, whichever runs first
      assert.truthy(message:find("is not one of the classes 0 to 2", 1, true)
        or message:find("is outside 0 .. 2", 1, true), message)
      local zeros = pod.zeros({ 2 }, "int32")
      assert.error_matches(function()
        return pod.metrics.mean_iou(3)(labels, zeros):item()
      end, "mean_iou: y_true has a label that is not one of the classes 0 to 2")
      assert.error_matches(function()
        return pod.metrics.iou { num_classes = 3, target_class_ids = { 0 } }(zeros, labels):item()
      end, "iou: y_pred has a label that is not one of the classes 0 to 2")
      local loss = pod.losses.categorical_generalized_cross_entropy()
      assert.error_matches(function()
        return loss(labels, prediction):item()
      end, "categorical_generalized_cross_entropy: y_true has a label")
      loss = pod.losses.sparse_categorical_crossentropy()
      assert.error_matches(function()
        return loss(labels, prediction):item()
      end, "is not one of the classes 0 to 2")
      assert.equal(1, pod.one_hot(labels, 3):sum():item())
      assert.error_matches(function()
        return pod.gather(prediction, labels, 1):data()
      end, "is outside 0 .. 2")
      assert.error_matches(function()
        return pod.layers.embedding(3, 2)(labels):data()
      end, "is outside 0 .. 2")
      assert.error_matches(function()
        return pod.layers.category_encoding(3)(labels)
      end, "3 classes are those from 0 to 2")
    end
  end)

  it("may be those of a sequence", function()
    local loss = pod.losses.categorical_generalized_cross_entropy()
    local rows = pod.ones { 2, 3, 4 } / 4
    near(2 * (1 - 0.25 ^ 0.5), loss(pod.zeros({ 2, 3 }, "int32"), rows))
    assert.error_matches(function() loss(pod.zeros({ 2, 2 }, "int32"), rows) end, "y_true has shape %(2, 2%)")
  end)

  it("may be the class to ignore", function()
    local metric = pod.metrics.mean_iou { num_classes = 3, ignore_class = 255 }
    metric:update_state(pod.tensor({ 0, 1, 255 }, { dtype = "int32" }), pod.tensor({ 0, 1, 255 }, { dtype = "int32" }))
    near(1, metric:result())
  end)

  it("are found on each replica, and not in the rows that pad a short shard", function()
    local strategy = pod.distribute.mirrored(4)
    local metric = strategy:scope(function() return pod.metrics.sparse_categorical_accuracy() end)
    local guess = pod.one_hot(pod.tensor({ 1, 1, 1, 1, 1 }, { dtype = "int32" }), 3)
    local function update(labels)
      strategy:run(function(y_true, y_pred) metric:update_state(y_true, y_pred) end,
        { strategy:split(pod.tensor(labels, { dtype = "int32" })), strategy:split(guess) })
      return metric:result():item()
    end
    near(0.8, update { 1, 1, 1, 1, 2 })
    assert.error_matches(function() update { 1, 1, 1, 1, 9 } end, "not one of the classes 0 to 2")
  end)

  it("are axes of another length, too", function()
    for _, name in ipairs { "categorical_accuracy", "top_k_categorical_accuracy" } do
      assert.error_matches(function()
        return pod.metrics[name]()(pod.eye(2, 5), prediction):item()
      end, name .. ": y_true has shape %(2, 5%), y_pred %(2, 3%)")
    end
  end)
end)

describe("strategy:reduce", function()
  local strategy = pod.distribute.mirrored(4)
  local function uneven(fn)
    return strategy:run(fn, { strategy:split(pod.arange(10, { dtype = "float32" })) })
  end

  it("refuses shards of different lengths", function()
    local shards = uneven(function(x) return x * 2 end)
    for _, op in ipairs { "mean", "sum" } do
      assert.error_matches(function() strategy:reduce(op, shards) end,
        "different shapes, %(3,%) on the first and %(1,%) on the last.*strategy:reduce%(\"" .. op .. "\", value, 0%)")
    end
    assert.error_matches(function()
      strategy:reduce("mean", strategy:split(pod.ones { 5, 2 }))
    end, "different shapes, %(2, 2%) on the first and %(0, 2%) on the last")
    near(9, strategy:reduce("mean", shards, 0))
    near(90, strategy:reduce("sum", shards, 0))
  end)

  it("knows what only happens to be as long as a shard", function()
    local weights = uneven(function(x) return pod.tensor { 1, 2, 3 } * pod.sum(x) end)
    near(pod.tensor { 45, 90, 135 }, strategy:reduce("sum", weights))
    near(pod.tensor { 9, 18, 27 }, strategy:local_results(weights)[4])
    assert.same({ 12 }, { strategy:gather(weights, 0):size() })
  end)

  it("knows rows of several entries", function()
    local pairs_of_rows = uneven(function(x) return pod.reshape(pod.stack({ x, -x }, 1), { -1 }) end)
    local expected = {}
    for i = 0, 9 do
      expected[2 * i + 1], expected[2 * i + 2] = i, -i
    end
    near(pod.tensor(expected), strategy:gather(pairs_of_rows, 0))
    near(pod.tensor { 9, -9 }, strategy:local_results(pairs_of_rows)[4])
  end)
end)

describe("lars", function()
  it("adds the decay to the gradient before it is scaled, as optax does", function()
    local w, g, m = { 3, 4 }, { 0.5, -1 }, { 0, 0 }
    local rate, decay, trust, momentum = 0.1, 0.01, 0.001, 0.9
    local weight = pod.variable(pod.tensor(w))
    local optimizer = pod.optimizers.lars { learning_rate = rate, weight_decay = decay }
    for _ = 1, 3 do
      optimizer:apply({ pod.tensor(g) }, { weight })
      local u = { g[1] + decay * w[1], g[2] + decay * w[2] }
      local function norm(v) return math.sqrt(v[1] ^ 2 + v[2] ^ 2) end
      local ratio = trust * norm(w) / norm(u)
      for i = 1, 2 do
        m[i] = momentum * m[i] - rate * ratio * u[i]
      end
      w = { w[1] + m[1], w[2] + m[2] }
    end
    assert(pod.allclose(weight:value(), pod.tensor(w), { rtol = 1e-7, atol = 0 }), tostring(weight:value()))
  end)

  it("leaves weights out that are excluded", function()
    local function moved(options)
      local weight = pod.variable(pod.tensor { 3, 4 }, { name = "bias" })
      local optimizer = pod.optimizers.lars(options)
      optimizer:exclude_from_weight_decay { var_names = { "bias" } }
      optimizer:apply({ pod.tensor { 0.5, -1 } }, { weight })
      return weight:value():data()
    end
    assert.equal(moved { learning_rate = 0.1 }, moved { learning_rate = 0.1, weight_decay = 0.5 })
  end)
end)

describe("trainable after compile", function()
  local function data()
    return pod.data.from_tensor_slices({ X, Y }):batch(5)
  end

  it("counts from the next compile on, whatever the data, and is warned of once", function()
    local model = sgd(pod.models.sequential { L.input { 3 }, L.dense(4), L.batch_normalization(), L.dense(1) })
    local layers = model.layers
    model:fit(X, Y, { verbose = 0 })
    layers[1].trainable, layers[2].trainable = false, false
    local kernel, mean = layers[1]:get_weights()[1]:data(), layers[2]:get_weights()[3]:data()
    local warnings = warned_by(function()
      for _, fit in ipairs { function() model:fit(X, Y, { verbose = 0 }) end,
        function() model:fit(data(), { verbose = 0 }) end, function() model:train_on_batch(X, Y) end } do
        fit()
        assert.not_equal(kernel, layers[1]:get_weights()[1]:data())
        assert.not_equal(mean, layers[2]:get_weights()[3]:data())
        kernel, mean = layers[1]:get_weights()[1]:data(), layers[2]:get_weights()[3]:data()
      end
    end)
    assert.equal(1, #warnings)
    assert.matches("trainable of layer '" .. layers[1].name .. "' and 1 more was changed after compile", warnings[1])
    assert.is_false(layers[1].trainable)
    sgd(model)
    assert.same({}, warned_by(function() model:fit(data(), { verbose = 0 }) end))
    assert.equal(kernel, layers[1]:get_weights()[1]:data())
    assert.equal(mean, layers[2]:get_weights()[3]:data())
    layers[1].trainable = true
    assert.equal(1, #warned_by(function() model:fit(data(), { verbose = 0 }) end))
    assert.equal(kernel, layers[1]:get_weights()[1]:data())
  end)

  it("is that of all layers within", function()
    local inner = pod.models.sequential { L.input { 3 }, L.dense(4), L.batch_normalization() }
    local model = sgd(pod.models.sequential { L.input { 3 }, inner, L.dense(1) })
    inner.trainable = false
    assert.is_false(inner.layers[2].trainable)
    sgd(model)
    local before = inner:get_weights()
    model:fit(X, Y, { verbose = 0 })
    for i, weight in ipairs(inner:get_weights()) do
      assert.equal(before[i]:data(), weight:data())
    end
    inner.trainable = true
    assert.equal(4, #inner.trainable_weights)
    assert.error_matches(function() inner.trainable = 1 end, "trainable")
  end)
end)

describe("a step of one's own on replicas", function()
  local function trained(replicas, loss_of, steps)
    local class = pod.models.subclass {
      setup = function(self) self.dense = L.dense(1, { kernel_initializer = "ones" }) end,
      call = function(self, x) return self.dense(x) end,
      train_step = steps or function(self, data)
        local tape, loss = pod.tape(function() return loss_of(self(data[1]), data[2], self) end)
        self.optimizer:apply(tape:gradient(loss, self.trainable_weights), self.trainable_weights)
      end,
    }
    return pod.distribute.mirrored(replicas):scope(function()
      local model = class()
      model:compile { optimizer = pod.optimizers.sgd(0.1), auto_scale_loss = false }
      model:fit(X, Y, { verbose = 0, batch_size = 10, shuffle = false })
      return model.dense:get_weights()[1]
    end)
  end
  local function squares(y_pred, y)
    return pod.reshape(pod.square(y_pred - y), { -1 })
  end

  it("is refused where it takes the mean of a replica's own rows", function()
    local means = {
      function(y_pred, y) return pod.mean(squares(y_pred, y)) end,
      function(y_pred, y) return squares(y_pred, y):mean() * 0.5 + 1 end,
      function(y_pred, y) return pod.cast(pod.mean(pod.square(y_pred - y), { 0, 1 }), "float32") end,
      function(y_pred, y, self)
        return pod.losses.mean_squared_error()(y, y_pred) + 0.01 * pod.mean(pod.square(self.dense.kernel:value()))
      end,
    }
    for _, mean in ipairs(means) do
      trained(1, mean)
      assert.error_matches(function() trained(4, mean) end, "optimizer 'sgd'.*own rows.*of the 4 replicas.*"
        .. "compute_average_loss")
    end
    local class = pod.models.subclass {
      setup = function(self) self.dense = L.dense(1) end,
      call = function(self, x) return self.dense(x) end,
      compute_loss = function(_, _, y, y_pred) return pod.mean(squares(y_pred, y)) end,
    }
    assert.error_matches(function()
      pod.distribute.mirrored(2):scope(function()
        sgd(class()):fit(X, Y, { verbose = 0 })
      end)
    end, "compute_average_loss")
  end)

  it("trains alike on any number where the loss is divided by the global batch", function()
    local right = {
      function(y_pred, y) return pod.losses.compute_average_loss(squares(y_pred, y)) end,
      function(y_pred, y) return pod.losses.mean_squared_error()(y, y_pred) end,
      function(y_pred, y) return pod.sum(squares(y_pred, y)) / 10 end,
      function(y_pred, y, self)
        local own = pod.mean(pod.square(self.dense.kernel:value()))
        return pod.losses.compute_average_loss(squares(y_pred, y)) + pod.losses.scale_regularization_loss(own)
      end,
    }
    for _, loss in ipairs(right) do
      near(trained(1, loss), trained(4, loss))
    end
    local parts = function(y_pred, y) return pod.mean(squares(y_pred, y)) / 2 end
    near(trained(1, function(y_pred, y) return pod.mean(squares(y_pred, y)) end), trained(2, parts))
  end)
end)

describe("an optimizer", function()
  it("refuses more gradients than weights", function()
    local weights = { pod.variable(pod.ones { 2 }), pod.variable(pod.ones { 3 }) }
    local optimizer = pod.optimizers.sgd(0.1)
    assert.error_matches(function()
      optimizer:apply({ pod.ones { 2 }, pod.ones { 3 }, pod.ones { 4 } }, weights)
    end, "gradient at place 3 for 2 weights")
    assert.error_matches(function()
      optimizer:apply({ kernel = pod.ones { 2 } }, weights)
    end, "gradient at place kernel for 2 weights")
    local warnings = warned_by(function() optimizer:apply({ nil, pod.ones { 3 } }, weights) end)
    assert.matches("no gradient for", warnings[1])
    near(pod.full({ 3 }, 0.9), weights[2]:value())
  end)
end)

describe("normalization's statistics", function()
  it("are weights", function()
    local layer = L.normalization()
    local data = pod.tensor { { 1, 10 }, { 3, 30 } }
    assert.error_matches(function() layer(data) end, "call adapt")
    layer:adapt(data)
    near(pod.tensor { { -1, -1 }, { 1, 1 } }, layer(data))
    assert.equal(0, #layer.trainable_weights)
    local weights = layer:get_weights()
    near(pod.tensor { 2, 20 }, weights[1])
    near(pod.tensor { 1, 100 }, weights[2])
    local other = pod.models.sequential { L.input { 2 }, L.normalization() }
    other:set_weights(weights)
    near(pod.tensor { { -1, -1 }, { 1, 1 } }, other(data))
    other.layers[1]:adapt(data * 2)
    near(pod.tensor { { -1, -1 }, { 1, 1 } }, other:predict(data * 2))
    assert.equal(0, #L.normalization { mean = { 1, 2 }, variance = { 1, 1 } }:get_weights())
    assert.error_matches(function() L.normalization { mean = 1, variance = 1 }:adapt(data) end, "nothing to adapt")
  end)
end)

describe("calls on tensors", function()
  it("trace once, and keep neither data nor programs", function()
    local model = sgd(pod.models.sequential { L.input { 3 }, L.dense(4), L.dense(1) }, { metrics = { "mae" } })
    local func = require "moonpod.func"
    local made = func.new
    local functions = 0
    func.new = function(...)
      functions = functions + 1
      return made(...)
    end
    local held = setmetatable({}, { __mode = "k" })
    for _ = 1, 5 do
      local x, y = X * 1, Y * 1
      held[x], held[y] = true, true
      model:fit(x, y, { verbose = 0 })
      model:evaluate(x, y, { verbose = 0 })
      model:predict(x)
      model:train_on_batch(x, y)
      model:fit(pod.data.from_tensor_slices({ x, y }):batch(5), { verbose = 0 })
    end
    func.new = made
    assert.equal(3, functions) -- training, evaluation, prediction
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(held))
  end)

  it("are of their class weights, and of what compile said last", function()
    local labels = pod.cast(pod.reshape(Y, { 10 }), "int32")
    local model = sgd(pod.models.sequential { L.input { 3 }, L.dense(2) },
      { loss = "sparse_categorical_crossentropy", optimizer = pod.optimizers.sgd(0) })
    local function loss(weights)
      return model:fit(X, labels, { verbose = 0, class_weight = weights, batch_size = 10 }).history.loss[1]
    end
    local plain = loss()
    near(2 * plain, loss { [0] = 2, 2 })
    near(3 * plain, loss { [0] = 3, 3 })
    near(plain, loss())
    model:compile { loss = "sparse_categorical_crossentropy", optimizer = pod.optimizers.sgd(0), loss_weights = { 5 } }
    near(5 * plain, loss())
  end)

  it("of datasets with maps of their own go with the dataset", function()
    local model = sgd(pod.models.sequential { L.input { 3 }, L.dense(1) })
    local function loss(factor)
      local data = pod.data.from_tensor_slices({ X, Y }):move_to_device(function(x, y) return x * factor, y end)
      return model:evaluate(data:batch(5), { verbose = 0 })
    end
    local once, twice = loss(1), loss(2)
    assert.not_equal(once, twice)
    near(once, loss(1))
  end)
end)

describe("data without end", function()
  local endless = pod.data.from_tensor_slices({ X, Y }):batch(5):repeat_()
  local model = sgd(pod.models.sequential { L.input { 3 }, L.dense(1) })

  it("needs a number of steps", function()
    assert.error_matches(function() model:fit(endless, { verbose = 0 }) end, "fit: .* never ends; give steps_per_epoch")
    assert.error_matches(function() model:evaluate(endless, { verbose = 0 }) end, "evaluate: .* never ends; give steps")
    assert.error_matches(function() model:predict(endless) end, "predict: .* never ends; give steps,")
    local before = model:get_weights()[1]:data()
    assert.error_matches(function()
      model:fit(X, Y, { verbose = 0, validation_data = endless })
    end, "fit: validation_data: .* never ends; give validation_steps")
    assert.equal(before, model:get_weights()[1]:data())
    assert.equal(2, #model:fit(endless, { verbose = 0, steps_per_epoch = 2, epochs = 2, validation_data = endless,
      validation_steps = 1 }).history.val_loss)
    model:evaluate(endless, { verbose = 0, steps = 2 })
    assert.equal(10, model:predict(endless, { steps = 2 }).shape[1])
  end)
end)

describe("small things", function()
  it("a hook with a name that is none is refused", function()
    local model = sgd(pod.models.sequential { L.input { 3 }, L.dense(1) })
    for _, name in ipairs { "on_epoch_ends", "onEpochEnd", "epoch_end", "on_train_batch_ends" } do
      assert.error_matches(function()
        model:fit(X, Y, { verbose = 0, callbacks = { { [name] = function() end } } })
      end, "callback 1: there is no hook '" .. name .. "'")
    end
    local seen = 0
    model:fit(X, Y, { verbose = 0, callbacks = { { on_epoch_end = function() seen = seen + 1 end, once = 1,
      finish = function() end } } })
    assert.equal(1, seen)
  end)

  it("an empty batch has an average loss of 0", function()
    near(0, pod.losses.compute_average_loss(pod.zeros { 0 }))
    near(0, pod.losses.compute_average_loss(pod.zeros { 0 }, { sample_weight = pod.zeros { 0 } }))
    near(2, pod.losses.compute_average_loss(pod.tensor { 1, 3 }))
  end)

  it("a memory report of y needs x", function()
    local model = sgd(pod.models.sequential { L.input { 3 }, L.dense(1) })
    assert.error_matches(function()
      model:memory_report("v3", { batch = 8, y = pod.spec({ -1, 1 }, "float32") })
    end, "y is given without x")
  end)
end)

describe("what ports of scripts stumble over", function()
  it("is told where a model holds what a layer gave for values, whose weights it does not train", function()
    local x, places = L.input { 3, 4 }, L.embedding(10, 4)
    local text = warned_by(function()
      local model = pod.models.functional { inputs = x, outputs = x + places(pod.arange(3)) }
      assert.equal(0, #model.trainable_weights)
    end)
    assert.is_truthy(text[1]:find("the weights of '" .. places.name .. "' are not trained", 1, true), text[1])
    assert.same({}, warned_by(function()
      return pod.models.functional { inputs = x, outputs = x + pod.ones { 3, 4 } }
    end))
  end)

  it("is told where a layer holds for one size of batches alone", function()
    local joined = L.lambda(function(x) return pod.concat({ x, pod.zeros { 2, 3 } }, -1) end)
    assert.error_matches(function() joined(L.input { 3 }) end, "was tried with a batch of 3 rows, as layers.input")
    assert.same(6, joined(L.input({ shape = { 3 }, batch_size = 2 })).shape[2])
    assert.error_matches(function() L.attention { pod.ones { 2, 3, 4 }, pod.ones { 2, 3, 4 } } end,
      "layers.attention makes a layer, which is then called with tensors")
  end)

  it("is the list of metrics before the first batch: it has one that stands for those of compile", function()
    local Own = pod.models.subclass { name = "OwnMetrics",
      setup = function(self) self.dense = L.dense(1) end,
      call = function(self, x) return self.dense(x) end,
      train_step = function(self, data)
        local tape, loss, y = pod.tape(function()
          local y = self(data[1], { training = true })
          return self.loss(data[2], y), y
        end)
        self.optimizer:apply(tape:gradient(loss, self.trainable_weights), self.trainable_weights)
        local logs = {}
        for _, metric in ipairs(self.metrics) do
          if metric.name == "loss" then metric:update_state(loss) else metric:update_state(data[2], y) end
        end
        for _, metric in ipairs(self.metrics) do
          logs[metric.name] = metric:result()
        end
        return logs
      end }
    local own, usual = Own(), pod.models.sequential { L.dense(1, { input_shape = { 3 } }) }
    own(X)
    own.dense:set_weights(usual:get_weights())
    assert.equal("compile_metrics", sgd(own, { metrics = { "mae" } }).metrics[2].name)
    local options = { epochs = 2, batch_size = 5, shuffle = false, verbose = 0 }
    local found = own:fit(X, Y, options).history
    local expected = sgd(usual, { metrics = { "mae" } }):fit(X, Y, options).history
    for epoch = 1, 2 do
      near(expected.mean_absolute_error and expected.mean_absolute_error[epoch] or expected.mae[epoch],
        (found.mean_absolute_error or found.mae)[epoch])
    end
  end)
end)
