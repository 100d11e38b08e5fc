-- Replication is exact and real.

local pod = require "moonpod"
local hash = require "tests.lua.support.hash"

local function hash_of(weights)
  local parts = {}
  for i, w in ipairs(weights) do
    parts[i] = w:data()
  end
  return hash(table.concat(parts))
end

local function rows(count, width, seed)
  pod.random.set_seed(seed)
  return pod.random.normal { count, width }, pod.random.uniform({ count }, { maxval = 10, dtype = "int32" })
end

-- A model with dropout.
local function feedforward()
  return pod.models.sequential {
    pod.layers.dense(32, { activation = "relu", input_shape = { 20 } }),
    pod.layers.dropout(0.3),
    pod.layers.dense(10),
  }
end

-- Cotangents of its weights are sums over time, too.
local function recurrent()
  return pod.models.sequential {
    pod.layers.reshape({ 4, 5 }, { input_shape = { 20 } }),
    pod.layers.gru(6, { return_sequences = true }),
    pod.layers.lstm(5),
    pod.layers.dense(10),
  }
end

-- Weights after 20 steps.
local function train(replicas, threads, policy, make)
  pod.device.context():set_threads(threads)
  pod.mixed_precision.set_global_policy(policy)
  local x, y = rows(1024, 20, 5)
  pod.random.set_seed(11)
  local strategy = pod.distribute.mirrored(replicas)
  local model = strategy:scope(function()
    local model = (make or feedforward)()
    model:compile {
      optimizer = pod.optimizers.adam { learning_rate = 1e-2 },
      loss = pod.losses.sparse_categorical_crossentropy { from_logits = true },
      metrics = { "accuracy" },
      steps_per_execution = 10,
    }
    return model
  end)
  local data = pod.data.from_tensor_slices({ x, y }):shuffle(1024, { seed = 2 }):batch(256):repeat_()
  local history = model:fit(data, { steps_per_epoch = 20, verbose = 0 })
  pod.mixed_precision.set_global_policy "float32"
  pod.device.context():set_threads(2)
  return hash_of(model:get_weights()), history.history
end

describe("weights after 20 steps", function()
  for _, policy in ipairs { "float32", "mixed_bfloat16" } do
    it("hash equal for 1, 2, 4, 8, 5 and 64 replicas in " .. policy, function()
      local first, history = train(1, 2, policy)
      assert.is_true(history.loss[1] < 2.4)
      for _, replicas in ipairs { 2, 4, 8, 5, 64 } do
        assert.equal(first, (train(replicas, 2, policy)))
      end
    end)

    it("hash equal for 1, 2 and 4 replicas of a recurrent model in " .. policy, function()
      local first = train(1, 2, policy, recurrent)
      assert.equal(first, (train(2, 2, policy, recurrent)))
      assert.equal(first, (train(4, 2, policy, recurrent)))
    end)

    it("hash equal on 1, 2 and 3 threads in " .. policy, function()
      local first = train(8, 2, policy)
      assert.equal(first, (train(8, 1, policy)))
      assert.equal(first, (train(8, 3, policy)))
    end)
  end

  it("are the same when the run is done again, and other with another seed", function()
    local first = train(2, 2, "float32")
    assert.equal(first, (train(2, 2, "float32")))
  end)
end)

-- What fit tells of every epoch, and the weights: of batches of 32 and of 3 rows.
local function story(replicas, make, compiled, y)
  pod.random.set_seed(5)
  local strategy = replicas > 1 and pod.distribute.mirrored(replicas) or pod.distribute.default_strategy()
  local x, weight = pod.random.normal({ 35, 6 }, { seed = 3 }), pod.random.uniform({ 35 }, { seed = 4 })
  local model = strategy:scope(function()
    local model = make()
    model:compile(compiled())
    return model
  end)
  local history = model:fit(x, y, { verbose = 0, batch_size = 32, epochs = 2, validation_data = { x, y },
    sample_weight = weight }).history
  history.weights = { hash_of(model:get_weights()) }
  return history
end

-- A metric of one's own that its steps ask within strategy:run.
local AbsoluteSum = pod.metrics.subclass {
  name = "AbsoluteSum",
  setup = function(self)
    self.total = self:add_variable "total"
  end,
  update_state = function(self, _, y_pred)
    self.total:assign_add(pod.sum(pod.abs(y_pred)))
  end,
  result = function(self)
    return self.total:value()
  end,
}

describe("losses and metrics have the same bits on any number of replicas:", function()
  local dense = pod.layers.dense
  local numbers = pod.random.normal({ 35, 3 }, { seed = 9 })
  local classes = pod.one_hot(pod.argmax(numbers, 1), 3)
  local cases = {
    regression = { numbers, function()
      return pod.models.sequential { dense(5, { activation = "relu", input_shape = { 6 } }), dense(3) }
    end, function()
      return { optimizer = "adam", loss = "huber", metrics = { "mae", "cosine_similarity", pod.metrics.r2_score(),
        AbsoluteSum() }, weighted_metrics = { "mse" } }
    end },
    classification = { classes, function()
      return pod.models.sequential { dense(5, { activation = "relu", input_shape = { 6 } }), pod.layers.dropout(0.3),
        dense(3, { activation = "softmax" }) }
    end, function()
      return { optimizer = "adam", loss = "categorical_crossentropy", metrics = { "accuracy", "auc", "precision",
        pod.metrics.f1_score(), pod.metrics.categorical_crossentropy(),
        pod.metrics.one_hot_iou { num_classes = 3, target_class_ids = { 0, 1 } } } }
    end },
    ["with regularizers"] = { numbers, function()
      return pod.models.sequential { dense(5, { kernel_regularizer = "l2", bias_regularizer = "l1",
        activity_regularizer = "l2", input_shape = { 6 } }), dense(3, { kernel_regularizer = "l1_l2" }) }
    end, function()
      return { optimizer = "sgd", loss = "mse" }
    end },
    ["in 16 bits"] = { numbers, function()
      return pod.models.sequential { dense(5, { activation = "relu", input_shape = { 6 }, dtype = "mixed_bfloat16" }),
        dense(3, { dtype = "mixed_bfloat16" }) }
    end, function()
      return { optimizer = "sgd", loss = "mse", metrics = { "mae" } }
    end },
  }
  for name, case in pairs(cases) do
    it(name, function()
      local first = story(1, case[2], case[3], case[1])
      for _, replicas in ipairs { 2, 3, 4, 5, 7 } do
        assert.same(first, story(replicas, case[2], case[3], case[1]), replicas .. " replicas")
      end
    end)
  end

  it("a result is that of all replicas where a replica asks for it", function()
    local strategy = pod.distribute.mirrored(3)
    local mean = strategy:scope(pod.metrics.mean)
    local found = strategy:run(function(x)
      return mean(x)
    end, { strategy:split(pod.tensor { 1, 2, 3, 4, 5, 6, 14 }) }):values()
    assert.same({ 5, 5, 5 }, { found[1]:item(), found[2]:item(), found[3]:item() })
    assert.equal(5, mean:result():item())
  end)
end)

describe("strategy:run", function()
  it("gives each replica what the function gives on its shard alone", function()
    local x = rows(12, 4, 1)
    local strategy = pod.distribute.mirrored(5)
    local function fn(t)
      return pod.tanh(t) * 2 + 1
    end
    local parts = strategy:run(fn, { strategy:split(x) }):values()
    local first, sizes = 0, { 3, 3, 3, 3, 0 }
    for i, part in ipairs(parts) do
      assert.equal(sizes[i], part.shape[1])
      if sizes[i] > 0 then
        local alone = fn(x:slice({ first, 0 }, { sizes[i], 4 }))
        assert.same(alone:totable(), part:totable())
      end
      first = first + sizes[i]
    end
  end)

  it("computes statistics of each shard, not of the joined batch", function()
    local x = rows(12, 4, 2)
    local strategy = pod.distribute.mirrored(4)
    local means = strategy:run(function(t)
      return pod.mean(t, 0)
    end, { strategy:split(x) }):values()
    local joined = pod.mean(x, 0):totable()
    for i, mean in ipairs(means) do
      local alone = pod.mean(x:slice({ (i - 1) * 3, 0 }, { 3, 4 }), 0):totable()
      local same = true
      for c, value in ipairs(mean:totable()) do
        assert.near(alone[c], value, 1e-6)
        same = same and math.abs(value - joined[c]) < 1e-6
      end
      assert.is_false(same)
    end
  end)

  it("divides by the true rows of a short shard", function()
    local x = rows(7, 3, 3)
    local strategy = pod.distribute.mirrored(3) -- 3, 3 and 1 rows
    local means = strategy:run(function(t)
      return pod.mean(t)
    end, { strategy:split(x) }):values()
    assert.near(pod.mean(x:slice({ 6, 0 }, { 1, 3 })):item(), means[3]:item(), 1e-6)
  end)

  it("counts the true rows of a short shard in gradients of tensors, and in gradients of one's own", function()
    local x = rows(7, 3, 3)
    local v = pod.variable { 1.5, -2, 0.5 }
    local scaled = pod.custom_gradient(function(t)
      return t * 2, function(g) return g * pod.sum(g) end
    end)
    local function fn(t)
      local outer, penalty = pod.tape(function()
        local inner, sum = pod.tape(function() return pod.sum(t * v:value()) end)
        return pod.sum(pod.square(inner:gradient(sum, { t })[1]))
      end)
      local own, total = pod.tape(function() return pod.sum(scaled(t * v:value())) end)
      return penalty, outer:gradient(penalty, v), own:gradient(total, v)
    end
    local strategy = pod.distribute.mirrored(3) -- 3, 3 and 1 rows
    local found = { strategy:run(fn, { strategy:split(x) }) }
    for i, first in ipairs { 0, 3, 6 } do
      for j, want in ipairs { fn(x:slice({ first, 0 }, { math.min(3, 7 - first), 3 })) } do
        local got = found[j]:values()[i]
        assert.is_true(pod.max(pod.abs(got - want)):item() < 1e-4, ("result %d of shard %d"):format(j, i))
      end
    end
  end)

  -- Of rows c and a bias v: what passes the gradient of a sum on to v as it is.
  local v = pod.variable { 1.5, 2 }
  local LINEAR = {
    sum = function(c) return pod.sum(c + v:value()) end,
    mean = function(c) return pod.mean(c + v:value()) end,
    ["sums one after the other"] = function(c) return pod.sum(pod.sum(c + v:value(), 0)) end,
    ["the square of a mean"] = function(c) return pod.sum(pod.square(pod.mean(c + v:value(), 0))) end,
    ["the square of a sum"] = function(c) return pod.square(pod.sum(c + v:value(), 0, { keepdims = true })):sum() end,
    product = function(c) return pod.sum(pod.matmul(c + v:value(), pod.ones { 2, 3 })) end,
    concat = function(c) return pod.sum(pod.concat({ c, c + v:value() }, 1)) end,
    reshape = function(c) return pod.sum(pod.reshape(c + v:value(), { -1 })) end,
    ["relu of what is positive"] = function(c) return pod.sum(pod.relu(c + v:value() + 99)) end,
    remat = function(c) return pod.sum(pod.remat(function(a, b) return a + b end)(c, v:value())) end,
    einsum = function(c) return pod.sum(pod.einsum("ij->j", c + v:value())) end,
    norm = function(c) return pod.norm(c + v:value() + 99, { ord = 1 }) end,
    loop = function(c)
      local _, y = pod.while_loop(function(i) return pod.less(i, 3) end, function(i, y)
        return i + 1, y + v:value()
      end, { pod.tensor(0), c }, { maximum_iterations = 4 })
      return pod.sum(y)
    end,
    branch = function(c)
      return pod.sum(pod.cond(pod.greater(v:value():sum(), 0), function() return c + v:value() end,
        function() return c end))
    end,
  }
  for name, fn in pairs(LINEAR) do
    it("counts the true rows of a short shard in the gradient of a bias: " .. name, function()
      local strategy = pod.distribute.mirrored(3)
      local parts = strategy:split(pod.reshape(pod.cast(pod.arange(14), "float32"), { 7, 2 })) -- 3, 3 and 1 rows
      local function gradient(c)
        local tape, y = pod.tape(function() return fn(c) * 1 end)
        return tape:gradient(y, { v })[1]
      end
      local found = strategy:run(gradient, { parts }):values()
      for i, part in ipairs(parts:values()) do
        assert.is_true(pod.max(pod.abs(gradient(part) - found[i])):item() < 1e-4, ("shard %d"):format(i))
      end
    end)
  end

  it("counts the true rows of a short shard in losses that are linear", function()
    local function bias(replicas)
      local model = pod.distribute.mirrored(replicas):scope(function()
        local layer = pod.layers.dense(2, { input_shape = { 3 }, kernel_initializer = "ones" })
        local model = pod.models.sequential { layer }
        model:compile { optimizer = "sgd", loss = function(_, y_pred) return pod.mean(y_pred, -1) end }
        return model
      end)
      model:fit(rows(5, 3, 1), pod.zeros { 5, 2 }, { batch_size = 5, verbose = 0 })
      return model:get_weights()[2]:totable()
    end
    local one = bias(1)
    assert.near(-0.005, one[1], 1e-6)
    for _, replicas in ipairs { 2, 3, 8 } do
      assert.same(one, bias(replicas))
    end
  end)

  it("trains batch normalization beside replicas without rows as without these", function()
    local x, y = rows(38, 6, 4)
    y = pod.cast(y, "float32"):reshape { 38, 1 }
    local function fit(replicas)
      pod.random.set_seed(1)
      local strategy = pod.distribute.mirrored(replicas)
      local model = strategy:scope(function()
        local model = pod.models.sequential { pod.layers.dense(5, { input_shape = { 6 } }),
          pod.layers.batch_normalization {}, pod.layers.dense(1) }
        model:compile { optimizer = "sgd", loss = "mse" }
        return model
      end)
      local history = model:fit(pod.data.from_tensor_slices { x, y }:batch(4), { epochs = 2, verbose = 0 })
      return history.history.loss, model:get_weights()
    end
    local loss, weights = fit(2)
    for _, replicas in ipairs { 3, 8 } do -- 2, 2, 0 rows; and one each on four of eight, as on four
      local wanted, wanted_weights = loss, weights
      if replicas == 8 then
        wanted, wanted_weights = fit(4)
      end
      local got, got_weights = fit(replicas)
      for epoch = 1, 2 do
        assert.near(wanted[epoch], got[epoch], 1e-5 * math.abs(wanted[epoch]))
      end
      for i, weight in ipairs(got_weights) do
        assert.is_true(pod.max(pod.abs(weight - wanted_weights[i])):item() < 1e-4, "weight " .. i)
      end
    end
  end)

  it("numbers its replicas", function()
    local strategy = pod.distribute.mirrored(6)
    local ids = {}
    for i, id in ipairs(strategy:run(function()
      return pod.distribute.replica_id() + 0
    end, {}):values()) do
      ids[i] = id:item()
    end
    assert.same({ 0, 1, 2, 3, 4, 5 }, ids)
  end)
end)
