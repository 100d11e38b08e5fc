-- Models as plain data: what comes back from JSON text has the same text, the same names of weights and, with the
-- weights copied, the same outputs to the bit.

local pod = require "moonpod"
local architecture = require "moonpod.saving.architecture"
local json = require "moonpod.base.json"
local objects = require "moonpod.saving.objects"
local stopping = require "tests.lua.support.stopping"

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
  it("takes no more than it says", function()
    assert.error_matches(function()
      pod.models.from_config({ name = 5 }, nil, {})
    end, "^[^\n]*models.from_config: a model is needed")
  end)

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

describe("architecture", function()
  it("keeps memory options, dtype policies and flags of models", function()
    local Own = pod.register_layer("saving_architecture_spec.own", models.subclass { name = "Own",
      setup = function(self)
        self.dense = layers.dense(2)
      end,
      call = function(self, x)
        return self.dense(x)
      end })
    for _, model in ipairs { models.sequential { layers.dense(2, { input_shape = { 3 } }) }, Own() } do
      model(pod.ones { 1, 3 })
      model:set_memory_options { micro_batches = 2, sparse_labels = true }
      model.trainable = false
      rawset(model, "dtype_policy", pod.mixed_precision.policy "mixed_float16")
      local copy = round_trip(model, pod.ones { 1, 3 })
      assert.same({ micro_batches = 2, sparse_labels = true }, copy._state.memory_options)
      assert.is_false(copy.trainable)
      assert.equal("float16", copy:compute_dtype())
      assert.equal("float32", copy.layers[1]:compute_dtype())
    end
    refuses(function()
      models.from_config { class_name = "Sequential", config = { layers = {} },
        memory_options = { micro_batches = "x" } }
    end, "micro_batches")
  end)

  it("names layers that a class makes too late", function()
    local Late = pod.register_layer("saving_architecture_spec.late", layers.subclass { name = "Late",
      call = function(self, x)
        self.dense = self.dense or layers.dense(2, { name = "inner" })
        return self.dense(x)
      end })
    local model = models.sequential { layers.input { shape = { 3 } }, Late() }
    refuses(function()
      model:to_json()
    end, "(Late)", "layer 'inner' was put into it after it was built", "setup or build")
    assert.equal(2, #models.clone_model(model).weights)
  end)

  it("is read as Keras writes it", function()
    local model = models.from_json [[
      {"module": "keras", "class_name": "Sequential", "config": {"name": "s", "trainable": true, "dtype": {"module":
      "keras", "class_name": "DTypePolicy", "config": {"name": "float32"}, "registered_name": null}, "layers":
      [{"module": "keras.layers", "class_name": "InputLayer", "config": {"batch_shape": [null, 3], "dtype":
      "float32", "sparse": false, "ragged": false, "name": "input_layer", "optional": false}, "registered_name":
      null}, {"module": "keras.layers", "class_name": "Dropout", "config": {"name": "dropout", "trainable": true,
      "dtype": {"module": "keras", "class_name": "DTypePolicy", "config": {"name": "float32"}, "registered_name":
      null}, "rate": 0.2, "seed": null, "noise_shape": null}, "registered_name": null}], "build_input_shape": [null,
      3]}, "registered_name": null, "build_config": {"input_shape": [null, 3]}}]]
    assert.equal(0.2, model:get_layer("dropout").config.rate)
  end)
end)

describe("clone_model", function()
  it("copies what no file could hold, nested models and layers of one's own", function()
    pod.random.set_seed(5) -- weights for which prelu passes something on
    local factor = 3
    local Own = layers.subclass { name = "Own", setup = function(self, fn)
      self.fn, self.inner = fn, layers.dense(3)
    end, call = function(self, x)
      return self.fn(self.inner(x))
    end }
    local model = models.sequential { layers.input { shape = { 4 } }, Own(function(x)
      return x * factor
    end), models.sequential { layers.dense(2), layers.lambda(function(x)
      return x + factor
    end) }, layers.dense(1, { activation = layers.prelu() }) }
    model:compile { loss = function(a, b)
      return pod.mean(pod.square(a - b), -1)
    end, optimizer = pod.optimizers.adam(0.5), metrics = { pod.metrics.mean_squared_error {} } }
    local copy = models.clone_model(model)
    local x = pod.random.normal({ 5, 4 }, { seed = 1 })
    assert.equal(#model.weights, #copy.weights)
    for i, weight in ipairs(model.weights) do
      assert.equal(weight.name, copy.weights[i].name)
      assert.not_equal(weight, copy.weights[i])
    end
    copy:set_weights(model:get_weights())
    same(model(x), copy(x))
    assert.not_equal(model.optimizer, copy.optimizer)
    assert.equal(0.5, copy.optimizer.config.learning_rate)
    copy:fit(x, pod.zeros { 5, 1 }, { verbose = 0 })
    assert.is_false(pod.all(pod.equal(model(x), copy(x))):item())
  end)

  it("gives layers other sizes", function()
    local x = layers.input { shape = { 4 } }
    local shared = layers.dense(4, { name = "wide" })
    local model = models.functional { inputs = x, outputs = layers.dense(2)(shared(shared(x))) }
    local copy = models.clone_model(model)
    assert.same({ 4, 4 }, { #copy.weights, copy:get_layer("wide").config.units })
    local chain = models.sequential { layers.input { shape = { 3 } }, layers.dense(4, { name = "a" }), layers.dense(2) }
    assert.equal(8 * 3 + 8 + 8 * 2 + 2, models.clone_model(chain, { sizes = { a = 8 } }):count_params())
    refuses(function()
      models.clone_model(models.sequential { layers.re_lu { name = "r" } }, { sizes = { r = 3 } })
    end, "neither units nor filters")
  end)
end)

describe("the text of a model", function()
  local seed = tonumber(os.getenv "MOONPOD_SEED") or 20261123
  local state = seed
  local function draw(count)
    state = (state * 16807) % 2147483647
    return state % count + 1
  end

  local function example()
    local a, b = layers.input { shape = { 4 }, name = "a" }, layers.input { shape = { 4 }, name = "b" }
    local shared = layers.dense(3, { name = "shared", kernel_regularizer = pod.regularizers.l2(0.1) })
    local inner = models.sequential { layers.dense(3, {
      kernel_initializer = pod.initializers.he_normal { seed = 1 } }) }
    local y = inner(layers.add() { shared(a), shared(b) }, { training = false }) * 2
    return models.functional { inputs = { a, b }, outputs = { y, layers.bidirectional(layers.gru(2))(
      layers.reshape { 1, 3 }(y)) } }
  end

  -- All places of a plain table: { table, key }.
  local function places(data, list)
    local keys = {}
    for key in pairs(data) do
      keys[#keys + 1] = key
    end
    table.sort(keys)
    for _, key in ipairs(keys) do
      list[#list + 1] = { data, key }
      if type(data[key]) == "table" and data[key] ~= json.null then
        places(data[key], list)
      end
    end
    return list
  end

  it("changed at random gives a model or an error in words (seed " .. seed .. ")", function()
    local text = example():to_json()
    local values = { 0, -1, 1.5, "", "dense", "Dense", true, false, json.null, {}, json.array {}, { 1 }, { "a", 0, 0 },
      { class_name = "Dense", config = {} }, { class_name = "__keras_tensor__" }, { config = {} },
      { class_name = "Sequential", config = { layers = { 3 } } }, { class_name = "function", config = "exp" } }
    local made = 0
    local rounds = os.getenv "MOONPOD_LONG" and 3000 or 300
    for _ = 1, rounds do
      local data = json.decode(text)
      local list = places(data, {})
      local place = list[draw(#list)]
      if draw(4) == 1 then
        place[1][place[2]] = nil
      elseif draw(4) == 1 then
        local other = list[draw(#list)]
        place[1][place[2]] = json.decode(json.encode { other[1][other[2]] })[1]
      else
        place[1][place[2]] = values[draw(#values)]
      end
      local ok, problem = pcall(models.from_config, data)
      made = made + (ok and 1 or 0)
      if not ok then
        assert.equal("string", type(problem))
        assert.is_nil(problem:match "attempt to %w+ a %w+ value", problem)
        assert.is_nil(problem:match "lua/moonpod/[%w_/]+%.lua:%d+:", problem)
      end
    end
    assert.is_true(made > 0 and made < rounds)
  end)

  it("takes time in proportion to the number of layers", function()
    local function work_of(count)
      local x = layers.input { shape = { 2 } }
      local y = x
      for _ = 1, count do
        y = layers.re_lu()(y)
      end
      local model = models.functional { inputs = x, outputs = y }
      local text, back
      local written = stopping.work_of(function() text = model:to_json() end)
      local read = stopping.work_of(function() back = models.from_json(text) end)
      assert.equal(text, back:to_json())
      return written, read
    end
    local written, read = work_of(100)
    local more_written, more_read = work_of(800)
    assert.is_true(more_written < 8 * 1.5 * written, ("%d and %d instructions"):format(written, more_written))
    assert.is_true(more_read < 8 * 1.5 * read, ("%d and %d instructions"):format(read, more_read))
  end)

  it("has models in models", function()
    local model = models.sequential { layers.input { shape = { 2 } }, layers.dense(2) }
    for _ = 1, 15 do
      model = models.sequential { layers.input { shape = { 2 } }, model }
    end
    round_trip(model, pod.ones { 1, 2 })
  end)
end)
