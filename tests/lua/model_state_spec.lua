-- All that training changes goes into a file and back: what goes on from there is bit for bit what would have been.

local pod = require "moonpod"
local file = require "moonpod.saving.file"
local model_state = require "moonpod.saving.model_state"

local L = pod.layers

local written = {}
local function path()
  local name = os.tmpname()
  written[#written + 1] = name
  return name
end

local function make(optimizer, policy)
  pod.random.set_seed(3)
  local model = pod.models.sequential { L.input { shape = { 6 } }, L.dense(8, { activation = "tanh", dtype = policy }),
    L.batch_normalization(), L.dropout(0.2), L.dense(2, { name = "head" }) }
  model:compile { optimizer = optimizer or pod.optimizers.adam { learning_rate = 0.01 }, loss = "mse" }
  return model
end

local function bits(model)
  local out = {}
  for i, v in ipairs(model.weights) do
    out[i] = v:value():data()
  end
  return out
end

local function fit(model, ...)
  local arguments = { ... }
  arguments[#arguments].verbose = 0
  return model:fit(...).history.loss
end

describe("the state of training", function()
  after_each(function()
    for _, name in ipairs(written) do
      os.remove(name)
    end
  end)

  local function batches()
    pod.random.set_seed(1)
    local x, y = pod.random.normal { 48, 6 }, pod.random.normal { 48, 2 }
    return pod.data.from_tensor_slices { x, y }:batch(8)
  end

  local function train(model)
    return fit(model, batches(), { epochs = 2 })
  end

  local optimizers = {
    adam = function() return pod.optimizers.adam { learning_rate = 0.01 } end,
    averages = function() return pod.optimizers.sgd { learning_rate = 0.1, momentum = 0.9, use_ema = true } end,
    accumulated = function() return pod.optimizers.nadam { gradient_accumulation_steps = 4 } end,
    scheduled = function() return pod.optimizers.rmsprop(pod.schedules.exponential_decay(0.1, 5, 0.5)) end,
    scaled = function()
      return pod.optimizers.loss_scale_optimizer(pod.optimizers.sgd(0.1), { dynamic_growth_steps = 2 })
    end,
  }

  for kind, optimizer in pairs(optimizers) do
    it("is that which training goes on from: " .. kind, function()
      local first = make(optimizer())
      train(first)
      local name = path()
      file.write(name, model_state.capture(first, { extra = { epoch = 2, names = { "a" } } }))
      local x, y = pod.random.normal { 48, 6 }, pod.random.normal { 48, 2 }
      local wanted_losses = fit(first, x, y, { epochs = 2 })
      local second = make(optimizer())
      pod.random.set_seed(99)
      local extra = model_state.apply(second, model_state.open(file.read(name), name))
      assert.same({ epoch = 2, names = { "a" } }, extra)
      assert.same({ x:data(), y:data() }, { pod.random.normal({ 48, 6 }):data(), pod.random.normal({ 48, 2 }):data() })
      assert.same(wanted_losses, fit(second, x, y, { epochs = 2 }))
      assert.same(bits(first), bits(second))
    end)
  end

  it("of several replicas goes on on one, and back", function()
    local function on(replicas)
      return pod.distribute.mirrored(replicas):scope(make)
    end
    local eight, one, again = on(8), on(1), on(8)
    train(eight)
    local name = path()
    file.write(name, model_state.capture(eight))
    model_state.apply(one, model_state.open(file.read(name), name))
    assert.same(bits(eight), bits(one))
    file.write(name, model_state.capture(one))
    model_state.apply(again, model_state.open(file.read(name), name))
    assert.same(bits(eight), bits(again))
    assert.same(train(eight), train(again))
    assert.same(bits(eight), bits(again))
  end)

  it("has the position in the data", function()
    local function dataset()
      return pod.data.range(20):shuffle(7, { seed = 2 }):repeat_():batch(3)
    end
    local model, iterator, name = make(), dataset():iterator(), path()
    for _ = 1, 9 do
      iterator:next_element()
    end
    file.write(name, model_state.capture(model, { iterator = iterator }))
    local other = dataset():iterator()
    model_state.apply(model, model_state.open(file.read(name), name), { iterator = other })
    for _ = 1, 9 do
      assert.same(iterator:next_element():totable(), other:next_element():totable())
    end
    file.write(name, model_state.capture(model))
    assert.error_matches(function()
      model_state.apply(model, model_state.open(file.read(name), name), { iterator = other })
    end, "no position in the data for 'iterator'; nothing was loaded")
  end)

  it("of another optimizer or model changes nothing", function()
    local first, name = make(optimizers.adam()), path()
    train(first)
    file.write(name, model_state.capture(first))
    local other = make(pod.optimizers.sgd { learning_rate = 0.1, momentum = 0.9 })
    local before = bits(other)
    local ok, message = pcall(model_state.apply, other, model_state.open(file.read(name), name))
    assert.is_false(ok)
    assert.truthy(message:find("has the state of another model or optimizer", 1, true), message)
    assert.truthy(message:find("optimizer/head/kernel: velocity not in the model", 1, true), message)
    assert.same(before, bits(other))
    assert.is_false(other.optimizer.built)
    assert.same(2, #other.optimizer.variables)
    other.optimizer = optimizers.adam()
    model_state.apply(other, model_state.open(file.read(name), name))
    assert.same(bits(first), bits(other))
  end)

  it("from before the first step takes an optimizer back to it", function()
    local model, name = make(optimizers.averages()), path()
    file.write(name, model_state.capture(model))
    local wanted = train(model)
    model_state.apply(model, model_state.open(file.read(name), name))
    assert.same(wanted, train(model))
  end)

  it("is refused where a file has none", function()
    local name = path()
    file.write(name, { tensors = {} })
    assert.error_matches(function() model_state.open(file.read(name), name) end, "not written by save")
    assert.error_matches(function() model_state.capture(pod.models.sequential { L.dense(1) }) end, "is not built yet")
  end)
end)
