-- Which input or output each of the given values is for: fit, evaluate, predict, losses, metrics and their weights.

local pod = require "moonpod"

local L = pod.layers

-- A model of one input and two outputs p and q that are 0, as lists or by names.
local function model_of(by_name, options)
  local x = L.input { shape = { 1 }, name = "x" }
  local p = L.dense(1, { name = "p", kernel_initializer = "zeros" })(x)
  local q = L.dense(1, { name = "q", kernel_initializer = "zeros" })(x)
  local model = pod.models.functional { inputs = by_name and { x = x } or x,
    outputs = by_name and { p = p, q = q } or { p, q } }
  options = options or {}
  model:compile { optimizer = pod.optimizers.sgd(0), loss = options.loss or "mse", metrics = options.metrics }
  return model
end

local x, two, three = pod.ones { 4, 1 }, pod.full({ 4, 1 }, 2), pod.full({ 4, 1 }, 3)
local none, all = pod.zeros { 4 }, pod.ones { 4 }

for _, by_name in ipairs { true, false } do
  local function losses(y, weight, options)
    local history = model_of(by_name, options):fit(by_name and { x = x } or x, y, { verbose = 0,
      sample_weight = weight }).history
    return { history.p_loss and history.p_loss[1], history.q_loss and history.q_loss[1] }
  end

  describe(by_name and "outputs by name" or "a list of outputs", function()
    it("get targets by their names, or by place", function()
      assert.same({ 4, 9 }, losses { q = three, p = two })
      assert.same({ 4, 9 }, losses { two, three })
      local data = pod.data.from_tensor_slices { by_name and { x = x } or x, { q = three, p = two } }:batch(2)
      assert.equal(13, model_of(by_name):evaluate(data, nil, { verbose = 0 })[1])
    end)

    it("refuse targets of other names, and of fewer or more", function()
      assert.error_matches(function() losses { q = two, r = three } end,
        "targets are given for output 'r', which model 'functional.-' does not have")
      assert.error_matches(function() losses { p = two, q = two, r = three } end, "targets are given for output 'r'")
      assert.error_matches(function() losses { p = two } end,
        "nothing is given for output 'q'; there are targets for p")
      assert.error_matches(function() losses { two } end, "has 2 outputs; the targets are for 1")
      assert.error_matches(function() losses(two) end, "has 2 outputs; the targets are for 1")
      assert.error_matches(function()
        model_of(by_name):train_on_batch(by_name and { x = x } or x, { q = two, r = three })
      end, "output 'r'")
    end)

    it("need none where there is no loss and no metric", function()
      assert.same({ [1] = 4 }, losses({ p = two }, nil, { loss = { p = "mse" }, metrics = { p = "mae" } }))
      assert.error_matches(function()
        losses({ p = two }, nil, { loss = { p = "mse" }, metrics = { q = "mae" } })
      end, "nothing is given for output 'q'")
    end)

    it("get the weights of samples so, too; those in no table are for all", function()
      assert.same({ 4, 0 }, losses({ p = two, q = three }, { q = none, p = all }))
      assert.same({ 4, 0 }, losses({ two, three }, { all, none }))
      assert.same({ 0, 0 }, losses({ two, three }, none))
      assert.error_matches(function() losses({ two, three }, { q = none, z = all }) end,
        "weights of samples are given for output 'z'")
      assert.error_matches(function() losses({ two, three }, { q = none }) end,
        "nothing is given for output 'p'; there are weights of samples for q")
      assert.error_matches(function() losses({ two, three }, { none }) end, "the weights of samples are for 1")
    end)
  end)
end

describe("inputs", function()
  it("have names of their own, and those of their layers", function()
    local a, b = L.input { shape = { 1 }, name = "a" }, L.input { shape = { 1 }, name = "b" }
    local y = L.lambda(function(t) return t[1] * 10 + t[2] end)({ a, b })
    for _, inputs in ipairs { { a = a, b = b }, { a, b }, { u = a, v = b }, { a = b, b = a } } do
      local model = pod.models.functional { inputs = inputs, outputs = y }
      local function predict(given)
        return model:predict(given, { verbose = 0 }):item()
      end
      local one, two_of = pod.ones { 1, 1 }, pod.full({ 1, 1 }, 2)
      local swapped = inputs.a == b
      assert.equal(swapped and 12 or 21, predict { b = one, a = two_of })
      assert.equal(swapped and 12 or 21, predict { b = one, a = two_of, c = one }) -- columns that it does not read
      assert.equal(swapped and 12 or 21, predict { two_of, one })
      assert.error_matches(function() predict { b = one, c = two_of } end, "nothing is given for input '[au]'")
      assert.error_matches(function() predict { two_of } end, "has 2 inputs; the inputs are for 1")
    end
    local model = pod.models.functional { inputs = a, outputs = L.dense(1, { kernel_initializer = "ones" })(a) }
    assert.equal(1, model:predict({ a = pod.ones { 1, 1 } }, { verbose = 0 }):item())
    assert.error_matches(function() model:predict({ z = pod.ones { 1, 1 } }, { verbose = 0 }) end,
      "nothing is given for input 'a'")
  end)

  it("and outputs by name have those in the logs", function()
    local a = L.input { 1 }
    local model = pod.models.functional { inputs = a, outputs = { up = L.dense(1)(a), all = { down = L.dense(1)(a),
      [1] = L.dense(1, { name = "third" })(a) } } }
    model:compile { loss = "mse", metrics = { up = "mae" } }
    local logs = model:evaluate(x, { up = x, all = { down = x, x } }, { verbose = 0, return_dict = true })
    for _, name in ipairs { "up_loss", "up_mae", "all/down_loss", "all/third_loss" } do
      assert.truthy(logs[name])
    end
  end)

  it("and outputs may be nested", function()
    local a, b, c = L.input { 1 }, L.input { 1 }, L.input { 1 }
    local model = pod.models.functional { inputs = { pair = { a, b }, c = c }, outputs = { sum = L.add() { a, b, c },
      all = { L.subtract() { a, b }, c } } }
    model:compile { loss = "mse", optimizer = "sgd" }
    local given = { c = x, pair = { three, two } }
    assert.equal(6, model(given).sum[1][1]:item())
    assert.equal(37, model:evaluate(given, { sum = x * 0, all = { two, x } }, { verbose = 0 })[1])
    assert.error_matches(function() model:evaluate(given, { sum = x, all = { two } }, { verbose = 0 }) end,
      "nothing is given for output 'all/input_layer.-'")
    assert.error_matches(function() model { c = x, pair = x } end, "nothing is given for input 'pair/input_layer.-'")
  end)
end)

describe("a metric of counts", function()
  -- Numbers by Keras 3.
  it("takes weights that broadcast to the predictions", function()
    local truth, guess = pod.tensor { { { 1 }, { 0 } }, { { 1 }, { 1 } } }, pod.full({ 2, 2, 1 }, 0.75)
    for _, case in ipairs { { pod.tensor { { 2 }, { 0.5 } }, 3 }, { pod.tensor { { 1, 4 }, { 2, 0.25 } }, 3.25 },
      { pod.tensor { { 0.25 } }, 0.75 }, { pod.tensor(2), 6 }, { pod.full({ 2, 2, 1 }, 3), 9 },
      { pod.tensor { 2, 0.5 }, 3 } } do
      local metric = pod.metrics.true_positives()
      metric:update_state(truth, guess, case[1])
      assert.equal(case[2], metric:result():item())
    end
    assert.error_matches(function()
      pod.metrics.precision()(pod.ones { 4, 1 }, pod.ones { 4, 1 }, pod.ones { 4, 3 })
    end, "broadcast")
  end)
end)
