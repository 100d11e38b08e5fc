-- Models as plain data: what comes back from JSON text has the same text, the same names of weights and, with the
-- weights copied, the same outputs to the bit.

local architecture = require "moonpod.saving.architecture"
local json = require "moonpod.base.json"
local objects = require "moonpod.saving.objects"
local pod = require "moonpod"

local layers, models = pod.layers, pod.models

local function same(a, b)
  if not pod.is_tensor(a) then
    for key, value in pairs(a) do
      same(value, b[key])
    end
    return
  end
  assert.equal(a.dtype, b.dtype)
  assert.equal(tostring(a.shape), tostring(b.shape))
  assert.is_true(pod.all(pod.equal(a, b)):item())
end

-- The model of a model's JSON text, with its weights; both say the same and compute the same.
local function round_trip(model, x)
  local text = model:to_json()
  local copy = models.from_json(text)
  assert.equal(text, copy:to_json())
  copy:set_weights(model:get_weights())
  for i, weight in ipairs(model.weights) do
    assert.equal(weight.name, copy.weights[i].name)
    assert.equal(weight.trainable, copy.weights[i].trainable)
  end
  if x then
    same(model(x), copy(x))
  end
  return copy, json.decode(text)
end

local function refuses(fn, ...)
  local ok, problem = pcall(fn)
  assert.is_false(ok)
  for _, message in ipairs { ... } do
    assert.matches(message, problem, 1, true)
  end
end

describe("architecture", function()
  it("of sequential models", function()
    local x = pod.random.normal({ 5, 3 }, { seed = 1 })
    local _, plain = round_trip(models.sequential { name = "s", layers.dense(4, { input_shape = { 3 },
      activation = "relu" }), layers.dropout(0.3, { seed = 4 }), layers.dense(2) }, x)
    assert.equal("Sequential", plain.class_name)
    assert.equal("InputLayer", plain.config.layers[1].class_name)
    local model = models.sequential { layers.dense(4), layers.dense(2) }
    assert.is_false(models.from_json(model:to_json()).built)
    model(x)
    assert.is_true(models.from_json(model:to_json()).built)
    round_trip(model, x)
    round_trip(models.sequential { layers.input { shape = { 3 }, batch_size = 5, dtype = "float32" }, model,
      layers.dense(1) }, x)
    assert.equal("{}", json.encode(models.from_json(models.sequential({}):to_json()):get_config().none or {}))
  end)

  it("of functional models: shared layers, nested models, options of calls, lists, operations", function()
    local a, b = layers.input { shape = { 4 }, name = "a" }, layers.input { shape = { 4 }, name = "b", dtype = "int32" }
    local shared = layers.dense(3, { name = "shared" })
    local steps = layers.embedding(10, 3, { mask_zero = true })(b)
    local x, y = shared(a), shared(layers.dense(4)(a))
    local last = layers.lstm(3)(steps, { initial_state = { x, y } })
    local inner = models.sequential { name = "inner", layers.dropout(0.3, { seed = 3 }), layers.dense(2) }
    local out = inner(layers.add()({ x, y, last }), { training = false })
    local model = models.functional { inputs = { a, b }, name = "outer",
      outputs = { out = (out * 2 + 1):sum(-1, { keepdims = true }), states = { x, -y / 2 } } }
    local given = { pod.random.normal({ 5, 4 }, { seed = 1 }), pod.tensor({ { 1, 2, 0, 0 } }, "int32"):tile { 5, 1 } }
    local copy, plain = round_trip(model, given)
    assert.equal("outer", copy.name)
    assert.same({ { "a", 0, 0 }, { "b", 0, 0 } }, plain.config.input_layers)
    assert.same({ "sum", 0, 0 }, plain.config.output_layers.out)
    for _, entry in ipairs(plain.config.layers) do
      if entry.name == "shared" then
        assert.equal(2, #entry.inbound_nodes)
      end
    end
    -- as a layer of another, twice, and beside one of its own layers
    local c = layers.input { shape = { 4 } }
    local parts = models.functional { inputs = c, outputs = shared(c), name = "parts" }
    local wide = layers.concatenate() { parts(a), parts(a):sum(-1, { keepdims = true }) }
    local again = models.functional { inputs = a, outputs = layers.concatenate() { parts(wide), shared(a) },
      name = "again" }
    copy = round_trip(again, given[1])
    assert.equal(2, #copy.weights)
  end)

  it("of what compile() was given", function()
    local model = models.sequential { layers.dense(4, { input_shape = { 3 } }), layers.dense(2) }
    assert.is_nil(architecture.compile_config(model))
    model:compile { loss = pod.losses.huber { delta = 2 }, metrics = { "mae", pod.metrics.mean_squared_error {} },
      optimizer = pod.optimizers.adam { learning_rate = pod.schedules.exponential_decay(0.1, 100, 0.9), clipnorm = 1 },
      steps_per_execution = 3, on_nan = "terminate" }
    local plain = architecture.compile_config(model)
    local text = json.encode(plain)
    local copy = models.from_json(model:to_json())
    architecture.compile(copy, json.decode(text))
    assert.equal(text, json.encode(architecture.compile_config(copy)))
    assert.equal(3, copy.steps_per_execution)
    assert.equal(2, copy._state.compile_options.loss.options.delta)
    assert.equal("metric", getmetatable(copy._state.compile_options.metrics[2]).__name:match "moonpod%.(.*)")
  end)

  it("names what no file can hold, and what to do", function()
    local model = models.sequential { layers.dense(4, { input_shape = { 3 } }), layers.lambda(function(x)
      return x
    end, { name = "own" }) }
    refuses(function()
      model:to_json()
    end, "'own' (Lambda)", "'fn'", "pod.register(")
    local Class = layers.subclass { name = "Scale", call = function(_, x)
      return x * 2
    end }
    refuses(function()
      models.sequential({ Class() }):to_json()
    end, "(Scale)", "pod.register_layer(\"Scale\", class)")
    refuses(function()
      models.from_json '{"class_name":"Sequential","config":{"layers":[{"class_name":"Nothing","config":{}}]}}'
    end, "there is no class 'Nothing'", "custom_objects")
    refuses(function()
      objects.serialize(pod.variable(1))
    end, "is a variable")
  end)
end)
