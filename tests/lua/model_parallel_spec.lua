-- Models whose values are divided among the cores of a mesh give what one core gives.

local pod = require "moonpod"

local function mirrored()
  return pod.distribute.mirrored(1)
end

local function dense_map(mesh)
  local map = pod.distribute.layout_map(mesh)
  map["up/kernel"], map["up/bias"], map["down/kernel"] = { nil, "model" }, { "model" }, { "model", nil }
  return map
end

local function transformer_map(mesh)
  local map = dense_map(mesh)
  map["tokens/embeddings"], map["head/kernel"] = { "model", nil }, { nil, "model" }
  for _, name in ipairs { "query", "key", "value" } do
    map["attention/" .. name .. "/kernel"] = { nil, "model", nil }
  end
  map["attention/attention_output/kernel"] = { "model", nil, nil }
  return map
end

local function parallel(shape, map, options)
  options = options or {}
  options.layout_map = map(pod.distribute.mesh(shape, { "data", "model" }))
  return pod.distribute.model_parallel(options)
end

local function dense_model()
  return pod.models.sequential {
    pod.layers.dense(16, { activation = "relu", name = "up", input_shape = { 8 } }),
    pod.layers.batch_normalization(), pod.layers.dropout(0.2), pod.layers.dense(4, { name = "down" }) }
end

local function transformer()
  local layers = pod.layers
  local input = layers.input({ 6 }, { dtype = "int32" })
  local x = layers.embedding(12, 8, { name = "tokens" })(input)
  local h = layers.layer_normalization()(x)
  x = layers.add()({ x, layers.multi_head_attention { num_heads = 4, key_dim = 2, name = "attention" }(h, h) })
  h = layers.dense(16, { activation = "gelu", name = "up" })(layers.layer_normalization()(x))
  x = layers.add()({ x, layers.dropout(0.1)(layers.dense(8, { name = "down" })(h)) })
  return pod.models.functional { inputs = input, outputs = layers.dense(12, { name = "head" })(x) }
end

local function data_of(make)
  pod.random.set_seed(3)
  if make == dense_model then
    return pod.random.normal { 24, 8 }, pod.random.normal { 24, 4 }
  end
  local x = pod.random.uniform({ 24, 6 }, { minval = 0, maxval = 12, dtype = "int32" })
  return x, (x + 1) % 12
end

local function trained(strategy, make, optimizer, epochs)
  pod.random.set_seed(7)
  local model = strategy:scope(function()
    local made = make()
    made:compile { optimizer = optimizer(), metrics = { make == dense_model and "mae" or "accuracy" },
      loss = make == dense_model and "mse" or pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    return made
  end)
  local x, y = data_of(make)
  local logs = model:fit(x, y, { epochs = epochs or 2, batch_size = 8, verbose = 0, shuffle = false }).history
  return { model = model, loss = logs.loss[#logs.loss], predicted = model:predict(x, { verbose = 0 }),
    evaluated = model:evaluate(x, y, { verbose = 0, batch_size = 8 }) }
end

local function distance(a, b)
  return pod.max(pod.abs(a - b)):item()
end

local function assert_same(one, other, what)
  local weights, others = one.model:get_weights(), other.model:get_weights()
  assert.equal(#weights, #others)
  for i, weight in ipairs(weights) do
    local apart = distance(weight, others[i])
    assert.is_true(apart < 1e-6, ("%s: weight %d is %g apart"):format(what, i, apart))
  end
  assert.is_true(distance(one.predicted, other.predicted) < 1e-5, what)
  assert.is_true(math.abs(one.loss - other.loss) < 1e-6, what)
end

local function sgd()
  return pod.optimizers.sgd(0.1, { momentum = 0.9 })
end

local function adam()
  return pod.optimizers.adam(0.01)
end

local function product(dims)
  local count = 1
  for i = 1, #dims do
    count = count * dims[i]
  end
  return count
end

describe("models that cores divide", function()
  it("are trained as one core would train them", function()
    for what, optimizer in pairs { sgd = sgd, adam = adam } do
      local one = trained(mirrored(), dense_model, optimizer)
      for _, shape in ipairs { { 1, 2 }, { 2, 1 }, { 2, 2 }, { 2, 4 } } do
        for _, options in ipairs { {}, { shard_optimizer = true }, { shard_weights = true } } do
          local text = ("%s on %d x %d%s%s"):format(what, shape[1], shape[2],
            options.shard_optimizer and ", ZeRO-1" or "", options.shard_weights and ", FSDP" or "")
          assert_same(one, trained(parallel(shape, dense_map, options), dense_model, optimizer), text)
        end
      end
    end
  end)

  it("may be transformers, whose heads, layers and tokens are divided", function()
    local one = trained(mirrored(), transformer, sgd)
    for _, shape in ipairs { { 1, 2 }, { 2, 4 }, { 4, 1 } } do
      for _, whole in ipairs { false, true } do
        assert_same(one, trained(parallel(shape, transformer_map, { shard_weights = whole }), transformer, sgd),
          ("%d x %d"):format(shape[1], shape[2]))
      end
    end
  end)

  it("may be convolutions, of which cores have filters or channels each", function()
    local function conv_map(mesh)
      local map = pod.distribute.layout_map(mesh)
      map["wide/kernel"], map["wide/bias"] = { nil, nil, nil, "model" }, { "model" }
      map["narrow/kernel"] = { nil, nil, "model", nil }
      return map
    end
    local function make()
      local layers = pod.layers
      return pod.models.sequential { layers.conv2d(32, 3, { name = "wide", padding = "same", activation = "relu",
        input_shape = { 6, 5, 3 } }), layers.max_pooling2d(2),
        layers.conv2d(4, 2, { name = "narrow", padding = "same", strides = 2 }), layers.flatten(), layers.dense(2) }
    end
    pod.random.set_seed(5)
    local x, y = pod.random.normal { 16, 6, 5, 3 }, pod.random.normal { 16, 2 }
    local function train(strategy)
      pod.random.set_seed(7)
      local model = strategy:scope(function()
        local made = make()
        made:compile { optimizer = adam(), loss = "mse" }
        return made
      end)
      local logs = model:fit(x, y, { epochs = 2, batch_size = 8, verbose = 0, shuffle = false }).history
      return { model = model, loss = logs.loss[2], predicted = model:predict(x, { verbose = 0 }) }
    end
    local one = train(mirrored())
    for _, shape in ipairs { { 1, 2 }, { 1, 4 }, { 2, 2 } } do
      for _, whole in ipairs { false, true } do
        assert_same(one, train(parallel(shape, conv_map, { shard_weights = whole })),
          ("%d x %d"):format(shape[1], shape[2]))
      end
    end
    local function computed(map)
      local strategy = parallel({ 1, 4 }, map, { memory_limit = 2 ^ 30 })
      train(strategy)
      return strategy:core_memory().temporary_bytes
    end
    local divided, gathered = computed(conv_map), computed(pod.distribute.layout_map)
    assert.is_true(divided < 0.4 * gathered, ("%g of %g bytes"):format(divided, gathered))
  end)

  it("have parts of weights and of the optimizer's state on each core", function()
    local function bytes_a_core(options)
      local model = trained(parallel({ 2, 4 }, dense_map, options), dense_model, adam, 1).model
      local parts, sizes = {}, {}
      for _, list in ipairs { model.weights, model.optimizer.variables } do
        for _, variable in ipairs(list) do
          parts[variable.name] = product(variable:per_replica()[1].value.shape)
          sizes[variable.name] = product(variable.shape)
        end
      end
      return parts, sizes
    end
    local parts, sizes = bytes_a_core {}
    assert.equal(sizes["up/kernel"] / 4, parts["up/kernel"])
    assert.equal(sizes["up/kernel"] / 4, parts["adam/up_kernel_momentum"])
    assert.equal(sizes["down/bias"], parts["down/bias"])
    parts = bytes_a_core { shard_optimizer = true }
    assert.equal(sizes["up/kernel"] / 4, parts["up/kernel"])
    assert.equal(sizes["up/kernel"] / 8, parts["adam/up_kernel_momentum"])
    parts = bytes_a_core { shard_weights = true }
    assert.equal(sizes["up/kernel"] / 8, parts["up/kernel"])
    assert.equal(sizes["down/bias"] / 2, parts["down/bias"])
  end)

  it("tell the memory of one core", function()
    local function arguments(strategy)
      local made = strategy:scope(function()
        local model = pod.models.sequential { pod.layers.dense(2048, { name = "up", input_shape = { 1024 } }),
          pod.layers.dense(512, { name = "down" }) }
        model:compile { optimizer = "adam", loss = "mse" }
        return model
      end)
      return made:memory_report("v3", { batch = 128 }).argument_bytes
    end
    local whole, divided = arguments(mirrored()), arguments(parallel({ 1, 4 }, dense_map))
    assert.is_true(divided < 0.3 * whole, ("%g of %g bytes"):format(divided, whole))
  end)

  it("are projected onto a slice, with what their layouts exchange", function()
    local function projected(shape, options)
      local made = parallel(shape, dense_map, options):scope(function()
        local model = pod.models.sequential { pod.layers.dense(4096, { name = "up", input_shape = { 1024 } }),
          pod.layers.dense(1024, { name = "down" }) }
        model:compile { optimizer = "adam", loss = "mse" }
        return model
      end)
      return made:projection("v3-8", { batch = 1024 })
    end
    local data, model, stored = projected { 8, 1 }, projected { 1, 8 }, projected({ 8, 1 }, { shard_weights = true })
    local flops = data.product_flops
    assert.is_true(math.abs(model.product_flops / flops - 1) < 0.01) -- an eighth of the products each
    -- These seconds are computed from bytes and the links' published rates: no clock is read. Of the first mesh the
    -- gradients of 2 x 4M weights are summed up; with stored parts weights are gathered besides. Of the second one
    -- only a batch of 1024 x 1024 crosses, once.
    assert.is_true(data.exchange_seconds > 4 * model.exchange_seconds)
    assert.is_true(stored.exchange_seconds > data.exchange_seconds)
    assert.is_true(stored.device_seconds < data.device_seconds) -- an eighth of Adam's state
    local ok, message = pcall(projected, { 2, 2 })
    assert.is_false(ok)
    assert.truthy(message:find("v3-8 has 8 devices, and the model's mesh 4", 1, true), message)
  end)

  it("train where one core has too little memory, by the program of one core", function()
    local limit = 30000
    local function run(shape)
      return trained(parallel(shape, transformer_map, { shard_weights = true, memory_limit = limit }), transformer, sgd)
    end
    local ok, message = pcall(run, { 1, 1 })
    assert.is_false(ok)
    assert.truthy(message:find("a core would need %d+ bytes, .* its memory_limit is 30000"), message)
    local divided = run { 4, 2 }
    assert_same(trained(mirrored(), transformer, sgd), divided, "4 x 2")
    local memory = divided.model._strategy:core_memory()
    assert.is_true(memory.need_bytes <= limit and memory.argument_bytes < memory.whole_argument_bytes / 3)
  end)

  it("take batches that cores cannot divide whole", function()
    local function run(strategy)
      pod.random.set_seed(1)
      local model = strategy:scope(function()
        local made = dense_model()
        made:compile { optimizer = sgd(), loss = "mse" }
        return made
      end)
      local x, y = data_of(dense_model)
      model:fit(x, y, { epochs = 1, batch_size = 7, verbose = 0, shuffle = false })
      return model:predict(x, { verbose = 0 })
    end
    assert.is_true(distance(run(mirrored()), run(parallel({ 2, 2 }, dense_map))) < 1e-5)
  end)

  it("are saved and loaded as any other", function()
    local path = os.tmpname() .. ".safetensors"
    local divided = trained(parallel({ 2, 2 }, dense_map, { shard_weights = true }), dense_model, sgd)
    divided.model:save_weights(path)
    local other = dense_model()
    other:load_weights(path)
    for i, weight in ipairs(divided.model:get_weights()) do
      assert.equal(0, distance(weight, other:get_weights()[i]))
    end
    local again = parallel({ 1, 4 }, dense_map):scope(dense_model)
    again:load_weights(path)
    assert.has_error(function()
      again:export(path .. ".safetensors")
    end)
    assert.is_true(distance(divided.predicted, again:predict(data_of(dense_model), { verbose = 0 })) < 1e-5)
    os.remove(path)
  end)

  it("compute what strategy:run is given, with variables that are assigned", function()
    local mesh = pod.distribute.mesh({ 2, 2 }, { "data", "model" })
    local map = pod.distribute.layout_map(mesh)
    map.w = { "model", "data" }
    local strategy = pod.distribute.model_parallel { layout_map = map }
    local w = strategy:scope(function()
      return pod.variable({ { 1, 2 }, { 3, 4 } }, { name = "w" })
    end)
    assert.same({ { 1, 2 }, { 3, 4 } }, w:totable())
    assert.equal(1, product(w:per_replica()[1].value.shape))
    local sum = strategy:run(function(x)
      w:assign_add(x)
      return pod.sum(w:value())
    end, { pod.tensor { { 1, 1 }, { 1, 1 } } })
    assert.equal(14, sum:item())
    assert.same({ { 2, 3 }, { 4, 5 } }, w:totable())
    w:assign { { 0, 0 }, { 0, 7 } }
    assert.equal(7, w:per_replica()[4].value:item())
    assert.equal(7, pod.sum(w:value()):item())
  end)

  it("refuse layouts that do not fit, by name", function()
    local mesh = pod.distribute.mesh({ 2, 3 }, { "data", "model" })
    local map = pod.distribute.layout_map(mesh)
    assert.has_error(function()
      map["a"] = { "rows" }
    end, "layout_map[\"a\"]: the mesh has no axis \"rows\"; its axes are data, model")
    map["up/kernel"] = { nil, "model" }
    local strategy = pod.distribute.model_parallel { layout_map = map }
    local ok, message = pcall(strategy.scope, strategy, dense_model)
    assert.is_false(ok)
    assert.truthy(message:find("axis 1 of weight 'up/kernel' has 16 entries, which do not divide among the 3 cores", 1,
      true))
    map["u.*nel"], map["up.*"] = { "data" }, { "data" }
    assert.equal("<layout: axis 1 by model>", tostring(map:get("up/kernel", { 8, 9 })))
    assert.is_false(pcall(map.get, map, "up_2/kernel", { 8, 9 }))
    assert.is_false(pcall(pod.distribute.mesh, { 2 }, { "a", "b" }))
    assert.is_false(pcall(pod.distribute.mesh, { 2, 2 }, { "a", "a" }))
    assert.is_false(pcall(pod.distribute.model_parallel, { layout_map = map, batch_dim_name = "rows" }))
  end)
end)
