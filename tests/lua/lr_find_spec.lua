-- pod.advisor.lr_find: a learning rate to begin with.

local pod = require "moonpod"

local function points()
  local x = pod.random.normal({ 512, 10 }, { seed = 3 })
  return x, pod.tanh(pod.matmul(x, pod.random.normal({ 10, 4 }, { seed = 5 })))
end

local function classes()
  local x, z = points()
  return x, pod.cast(pod.argmax(z, 1), "int32")
end

-- Images of which one half is brighter than the other.
local function images()
  local x = pod.random.uniform({ 256, 8, 8, 1 }, { seed = 3 })
  local function brightness(part)
    return pod.mean(x:at(part), { 1, 2, 3 })
  end
  return x, pod.cast(pod.greater(brightness ":, 0:4", brightness ":, 4:8"), "int32")
end

local function cross_entropy()
  return pod.losses.sparse_categorical_crossentropy { from_logits = true }
end

local function small(options)
  local model = pod.models.sequential {
    pod.layers.dense(16, { activation = "relu", input_shape = { 10 } }), pod.layers.dense(4) }
  model:compile(options or { optimizer = "adam", loss = cross_entropy() })
  return model
end

local MODELS = {
  { "a perceptron with Adam", classes, small },
  { "a regression with momentum", points, function()
    local model = pod.models.sequential {
      pod.layers.dense(32, { activation = "tanh", input_shape = { 10 } }), pod.layers.dense(4) }
    model:compile { optimizer = pod.optimizers.sgd { momentum = 0.9 }, loss = "mse" }
    return model
  end },
  { "a convolution with RMSprop", images, function()
    local model = pod.models.sequential {
      pod.layers.conv2d(8, 3, { activation = "relu", input_shape = { 8, 8, 1 } }), pod.layers.flatten(),
      pod.layers.dense(2) }
    model:compile { optimizer = "rmsprop", loss = cross_entropy() }
    return model
  end },
}

-- The rate with which a model learns most in some epochs, of four in each decade.
local function best_of_sweep(make, x, y)
  local best, best_rate = math.huge, nil
  for k = 0, 18 do
    local rate = 1e-4 * 10 ^ (k / 4)
    pod.random.set_seed(1)
    local model = make()
    model.optimizer.learning_rate = rate
    model:fit(x, y, { epochs = 10, verbose = 0 })
    local loss = model:evaluate(x, y, { verbose = 0 })
    if loss < best then
      best, best_rate = loss, rate
    end
  end
  return best_rate
end

describe("lr_find", function()
  for _, case in ipairs(MODELS) do
    local name, data, make = case[1], case[2], case[3]
    it("finds a rate near the best of a sweep for " .. name, function()
      local x, y = data()
      pod.random.set_seed(2)
      local found = pod.advisor.lr_find(make(), x, y)
      local best = best_of_sweep(make, x, y)
      assert.truthy(found.rate < best * 3 and found.rate > best / 3, ("%g; the best is %g"):format(found.rate, best))
    end)
  end

  it("grows the rate evenly, and prints", function()
    local x, y = classes()
    local model = small()
    local found = pod.advisor.lr_find(model, x, y, { low = 1e-4, high = 1, steps = 9 })
    for i, rate in ipairs(found.rates) do
      assert.near(1e-4 * 10 ^ ((i - 1) / 2), rate, rate * 1e-5)
    end
    assert.same({ 9, 9, 9, false }, { #found.rates, #found.losses, #found.smoothed, found.diverged })
    assert.matches("rate +mean loss.*1%.0e%-04.*suggested: ", tostring(found))
  end)

  it("leaves the model, its optimizer and random numbers as they were", function()
    local x, y = classes()
    local function run(looks)
      pod.random.set_seed(4)
      local model = pod.models.sequential { pod.layers.dense(16, { activation = "relu", input_shape = { 10 } }),
        pod.layers.batch_normalization(), pod.layers.dropout(0.5), pod.layers.dense(4) }
      model:compile { optimizer = pod.optimizers.adam(0.02), loss = cross_entropy(), metrics = { "accuracy" },
        steps_per_execution = 4 }
      local first = model:fit(x, y, { verbose = 0, shuffle = false })
      if looks then
        pod.advisor.lr_find(model, x, y, { steps = 40 })
        assert.equal(first, model.history)
        assert.equal(4, model.steps_per_execution)
        assert.near(0.02, model.optimizer.learning_rate:value():item(), 1e-8)
      end
      return { first.history.loss, model:fit(x, y, { epochs = 2, verbose = 0 }).history, model:get_metrics_result(),
        pod.random.uniform({}):item() }
    end
    assert.same(run(false), run(true))
  end)

  it("begins at the beginning for a model that was not trained", function()
    local x, y = classes()
    pod.random.set_seed(4)
    local one = small()
    local before = one:get_weights()
    pod.advisor.lr_find(one, x, y, { steps = 40 })
    for i, weight in ipairs(one:get_weights()) do
      assert.same(before[i]:totable(), weight:totable())
    end
    for _, state in ipairs(one.optimizer.variables) do
      local is_rate = state.name:find "learning_rate"
      assert.near(is_rate and 0.001 or 0, pod.max(pod.abs(pod.cast(state:value(), "float32"))):item(), 1e-9)
    end
  end)

  it("ends where the loss diverges or is not finite, and where all is learned", function()
    local x, z = points()
    local found = pod.advisor.lr_find(small { optimizer = "sgd", loss = "mse" }, x, z, { high = 1e6 })
    assert.is_true(found.diverged)
    assert.truthy(found.rates[#found.rates] < 1e3)
    local line = pod.models.sequential { pod.layers.dense(1, { input_shape = { 10 } }) }
    line:compile { optimizer = "sgd", loss = "mse" }
    found = pod.advisor.lr_find(line, x, x:sum(1, { keepdims = true }))
    assert.truthy(found.rate > 0.03 and found.rate < 0.6)
  end)

  it("has each rate for as many batches as are added up to an update", function()
    local x, y = classes()
    local model = small { optimizer = pod.optimizers.sgd { gradient_accumulation_steps = 4 }, loss = cross_entropy() }
    local found = pod.advisor.lr_find(model, x, y, { steps = 10 })
    assert.equal(10, #found.rates)
    assert.near(found.rates[2] / found.rates[1], found.rates[10] / found.rates[9], 1e-3)
  end)

  it("takes datasets, and replicas", function()
    local x, y = classes()
    local strategy = pod.distribute.mirrored(2)
    local model = strategy:scope(small)
    local found = pod.advisor.lr_find(model, pod.data.from_tensor_slices({ x, y }):batch(64))
    assert.truthy(found.rate > 1e-3 and found.rate < 0.5)
  end)

  it("suggests none where the loss never fell", function()
    local model = small { optimizer = "sgd", loss = function(_, y) return pod.mean(y) * 0 + 1 end }
    local x, z = points()
    local found = pod.advisor.lr_find(model, x, z, { steps = 20 })
    assert.is_nil(found.rate)
    assert.matches("no rate is suggested: the loss fell at none", tostring(found))
    model = small { optimizer = "sgd", loss = function(_, y) return pod.mean(y) * math.huge end }
    assert.matches("the first loss is not finite", tostring(pod.advisor.lr_find(model, x, z)))
  end)

  it("says what is wrong, and leaves the model", function()
    local x, y = classes()
    local find = pod.advisor.lr_find
    assert.error_matches(function() find(5, x, y) end, "must be a model, not 5")
    assert.error_matches(function() find(small(), x, y, { low = 1, high = 0.1 }) end, "'low' and 'high' must be rates")
    assert.error_matches(function() find(small(), x, y, { steps = 1 }) end, "'steps' must be a whole number from 2")
    assert.error_matches(function() find(small(), x, y, { stesp = 10 }) end, "did you mean 'steps'")
    local follows = small { loss = "mse", optimizer = pod.optimizers.sgd(pod.schedules.exponential_decay {
      initial_learning_rate = 0.1, decay_steps = 10, decay_rate = 0.9 }) }
    assert.error_matches(function() find(follows, x, y) end, "follows a schedule")
    local model = small()
    model.steps_per_execution = 3
    assert.has_error(function() find(model, x, y:at "0:3") end)
    assert.equal(3, model.steps_per_execution)
  end)
end)
