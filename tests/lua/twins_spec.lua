-- pod.advisor.twins: where trainings under other numbers part.

local pod = require "moonpod"

local x = pod.random.normal({ 256, 10 }, { seed = 3 })
local y = pod.tanh(pod.matmul(x, pod.random.normal({ 10, 4 }, { seed = 5 })))

local function data()
  return pod.data.from_tensor_slices({ x, y }):batch(32)
end

-- Two layers with others between them, compiled.
local function maker(...)
  local between = { ... }
  return function()
    local layers = { pod.layers.dense(16, { activation = "relu", input_shape = { 10 } }) }
    for _, make in ipairs(between) do
      layers[#layers + 1] = make()
    end
    layers[#layers + 1] = pod.layers.dense(16, { activation = "relu" })
    layers[#layers + 1] = pod.layers.dense(4)
    local model = pod.models.sequential(layers)
    model:compile { optimizer = "adam", loss = "mse" }
    return model
  end
end

-- A layer that counts its steps, with what it does from some step on.
local function counting(call)
  return pod.layers.subclass {
    name = "Planted",
    setup = function(self)
      self.seen = self:add_weight { name = "seen", shape = {}, initializer = "zeros", trainable = false }
    end,
    call = function(self, inputs, options)
      local output = call(inputs, pod.greater_equal(self.seen:value(), 7))
      if options.training then
        self.seen:assign_add(1)
      end
      return output
    end,
  }
end

-- Its products lose what is beside a large number, once that is there.
local Loses = counting(function(inputs, is_due)
  local large = pod.where(is_due, 300, 0)
  return pod.matmul(inputs + large, pod.eye(inputs.shape[2])) - large
end)

local PRODUCTS = { { name = "exact" }, { name = "tpu", precision = "default" } }

describe("twins", function()
  it("of a sound model stay together, and replicas have the same bits", function()
    local result = pod.advisor.twins(maker(), data(), { steps = 30 })
    assert.same({ "float32", "bfloat16 products", "mixed_bfloat16", "no subnormals", "8 replicas" },
      result.names)
    assert.same({}, result.parted)
    assert.same(result.losses.float32, result.losses["8 replicas"])
    assert.same({ nil, nil }, { result.furthest["8 replicas"], result.furthest["no subnormals"] })
    for _, name in ipairs { "bfloat16 products", "mixed_bfloat16" } do
      local furthest = result.furthest[name]
      assert.truthy(furthest.difference > 1e-4 and furthest.difference < 0.05, furthest.difference)
    end
    local text = tostring(result)
    assert.matches("^ +step +float32 +bfloat16 products", text)
    assert.matches("bfloat16 products stays together; furthest apart at step %d+, by .- %% in the", text)
    assert.matches("8 replicas has the same bits", text)
  end)

  it("part at the step and in the layer that was planted", function()
    local result = pod.advisor.twins(maker(Loses), data(), { steps = 12, settings = PRODUCTS })
    assert.same({ 8, "planted", "output" }, { result.parted.tpu.step, result.parted.tpu.layer, result.parted.tpu.what })
    assert.matches("tpu parts at step 8, in the output of layer 'planted'", tostring(result))
  end)

  it("find it in functional models of several branches, and in models of layers without shapes", function()
    local function branches()
      local input = pod.layers.input { shape = { 10 } }
      local left = Loses()(pod.layers.dense(8)(input))
      local right = pod.layers.dense(8)(input)
      local model = pod.models.functional { inputs = input,
        outputs = pod.layers.dense(4)(pod.layers.concatenate()({ left, right })) }
      model:compile { optimizer = "sgd", loss = "mse" }
      return model
    end
    local result = pod.advisor.twins(branches, data(), { steps = 9, settings = PRODUCTS })
    assert.same({ 8, "planted" }, { result.parted.tpu.step, result.parted.tpu.layer })
    local function shapeless()
      local model = pod.models.sequential { pod.layers.dense(8), Loses(), pod.layers.dense(4) }
      model:compile { optimizer = "sgd", loss = "mse" }
      return model
    end
    result = pod.advisor.twins(shapeless, data(), { steps = 9, settings = PRODUCTS })
    assert.same({ 8, "planted" }, { result.parted.tpu.step, result.parted.tpu.layer })
  end)

  it("find a layer whose numbers are too small for a TPU", function()
    local Small = counting(function(inputs, is_due)
      local scale = pod.where(is_due, 1e-39, 1)
      return inputs * scale / scale
    end)
    local result = pod.advisor.twins(maker(Small), data(), { steps = 9,
      settings = { { name = "host" }, { name = "tpu", flush_subnormals = true } } })
    assert.same({ 8, "planted", "output" }, { result.parted.tpu.step, result.parted.tpu.layer, result.parted.tpu.what })
    assert.is_false(pod.device.flushes_subnormals())
  end)

  it("find what is lost on the way back in the weights in front of it", function()
    -- its output is its input; its gradient has a multiple of what products lose
    local Backward = counting(function(inputs, is_due)
      local beside = pod.where(is_due, 300, 0)
      local none = pod.matmul(inputs + beside, pod.eye(inputs.shape[2])) - pod.stop_gradient(inputs) - beside
      local steep = 1e3 * pod.square(none)
      return inputs + steep - pod.stop_gradient(steep)
    end)
    local function make()
      local model = maker(Backward)()
      model:compile { optimizer = "sgd", loss = "mse" }
      return model
    end
    local result = pod.advisor.twins(make, data(), { steps = 9, settings = PRODUCTS })
    assert.same({ 8, "dense", "weights" }, { result.parted.tpu.step, result.parted.tpu.layer, result.parted.tpu.what })
  end)

  it("find statistics that replicas have of their own rows", function()
    local result = pod.advisor.twins(maker(function() return pod.layers.batch_normalization() end), data(), {
      steps = 3, settings = { { name = "1" }, { name = "8", replicas = 8 } } })
    assert.truthy(result.furthest["8"].difference > 0.01)
    assert.truthy(result.max_relative > 0.001)
  end)

  it("draw the same random numbers, and leave those outside as they were", function()
    pod.random.set_seed(9)
    local expected = pod.random.uniform({}):item()
    pod.random.set_seed(9)
    local result = pod.advisor.twins(maker(function() return pod.layers.dropout(0.5) end), data(), { steps = 5,
      settings = { { name = "one" }, { name = "other" } } })
    assert.same(result.losses.one, result.losses.other)
    assert.equal(expected, pod.random.uniform({}):item())
    assert.equal("highest", pod.get_float32_matmul_precision())
  end)

  it("say what is wrong", function()
    local twins = pod.advisor.twins
    assert.error_matches(function() twins(5, data()) end, "first argument must be a function")
    assert.error_matches(function() twins(maker(), 5) end, "second argument must be a dataset; got 5")
    assert.error_matches(function() twins(function() end, data()) end, "must return a compiled model; got nil")
    assert.error_matches(function() twins(maker(), data(), { steps = 0 }) end, "'steps' must be a whole number from 1")
    assert.error_matches(function() twins(maker(), data(), { settings = {} }) end, "two settings at least")
    assert.error_matches(function() twins(maker(), data(), { settings = { { name = "a", policyy = "b" } } }) end,
      "did you mean 'policy'")
    assert.error_matches(function() twins(maker(), data(), { settings = { {}, {} } }) end, "the name of setting 1")
    assert.error_matches(function() twins(maker(), data():filter(function() return false end)) end, "has no batch")
  end)
end)
