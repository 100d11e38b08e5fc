-- Memory reports of models and functions: what one core's step takes of a chip, and what would need less.

local pod = require "moonpod"
local layers = pod.layers
local memory_info = pod.memory_info -- loaded here: busted forgets modules that a block loads

-- A small classifier, under a strategy where one is given.
local function classifier(options)
  options = options or {}
  local function make()
    pod.random.set_seed(3)
    local model = pod.models.sequential {
      name = options.name,
      layers.dense(256, { activation = "relu", input_shape = { 64 } }),
      layers.dense(256, { activation = "relu" }),
      layers.dense(256, { activation = "relu" }),
      layers.dense(256, { activation = "relu" }),
      layers.dense(10),
    }
    model:compile { optimizer = pod.optimizers.sgd { learning_rate = 0.1 },
      loss = options.loss or pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    return model
  end
  return options.strategy and options.strategy:scope(make) or make()
end

local function strategy_of(accelerator)
  return pod.distribute.tpu_strategy(pod.cluster.resolve { accelerator = accelerator })
end

local function maximum(list)
  local most = 0
  for _, value in ipairs(list) do
    most = math.max(most, value)
  end
  return most
end

describe("a memory report", function()
  it("names the layers and lines of weights", function()
    local model = pod.models.sequential({
      layers.dense(512, { input_shape = { 784 }, name = "first" }),
      layers.dense(10, { name = "second" }),
      layers.dense(20, { name = "third" }),
    }, { name = "net" })
    model:compile { optimizer = "sgd", loss = "mse" }
    local found = {}
    for _, buffer in ipairs(model:memory_report("v3", { batch = 4096 }).buffers) do
      local shape = buffer.type:match "^f32%[[%d,]+%]"
      if buffer.use == "argument" and shape then
        found[shape] = { buffer.scope, buffer.location }
      end
    end
    local line = tonumber(found["f32[784,512]"][2]:match ":(%d+)$")
    for shape, at in pairs { ["784,512"] = { "first", 0 }, ["512,10"] = { "second", 1 }, ["10,20"] = { "third", 2 },
      ["20"] = { "third", 2 } } do
      local scope, location = (table.unpack or unpack)(found["f32[" .. shape .. "]"])
      assert.same({ "net/" .. at[1], line + at[2] }, { scope, tonumber(location:match ":(%d+)$") })
    end
  end)

  it("has bytes that add up, and arguments that are what the rule of layouts says", function()
    local report = classifier():memory_report("v3", { batch = 1000 })
    assert.equal("v3", report.chip)
    assert.equal(1000, report.batch)
    local need = report.argument_bytes + report.output_bytes - report.alias_bytes + report.temp_bytes
    assert.equal(need, report.need_bytes)
    assert.equal(pod.chips("v3").hbm_limit_bytes, report.limit_bytes)
    local arguments = 0
    for _, buffer in ipairs(report.buffers) do
      if buffer.use == "argument" then
        local padded = pod.padding(buffer.type:match "^[^{]+").padded_bytes
        assert.equal(padded, buffer.padded_bytes)
        arguments = arguments + padded
      end
    end
    assert.equal(arguments, report.argument_bytes)
    assert.equal("fits", report.verdict)
    assert.is_true(report.fits)
  end)

  it("knows weights by their names and activations by their layers", function()
    local report = classifier { name = "net" }:memory_report("v3", { batch = 4096 })
    local names, scopes = {}, {}
    for _, buffer in ipairs(report.buffers) do
      names[buffer.argument or ""] = true
      scopes[buffer.scope or ""] = true
    end
    assert.is_true(names["batch_1"])
    local kernels = 0
    for name in pairs(names) do
      kernels = kernels + (name:find "/kernel$" and 1 or 0)
    end
    assert.equal(5, kernels)
    local in_layers = false
    for scope in pairs(scopes) do
      in_layers = in_layers or scope:find "^net/dense" ~= nil
    end
    assert.is_true(in_layers)
    assert.truthy(tostring(report):find("memory of net_train_step on a core of TPU v3", 1, true))
    assert.truthy(report:layers()[1].padded_bytes >= report:layers()[2].padded_bytes)
  end)

  it("has a curve whose highest point is the peak", function()
    local report = classifier():memory_report("v3", { batch = 4096 })
    local held = report.argument_bytes + report.output_bytes - report.alias_bytes
    assert.equal(held + report.peak_padded_bytes, maximum(report.curve.padded))
    assert.equal(maximum(report.curve.padded), report.curve.padded[report.curve.peak_step])
    for i, padded in ipairs(report.curve.padded) do
      assert(report.curve.unpadded[i] <= padded)
    end
    assert.equal(report.temp_bytes, report.peak_padded_bytes + report.fragmentation_bytes)
  end)

  it("is of one core: eight cores of 64 rows are like one of 64 rows", function()
    local one = classifier():memory_report("v3", { batch = 64 })
    local eight = classifier { strategy = strategy_of "v3-8" }:memory_report("v3", { batch = 64 })
    assert.equal(8, eight.replicas)
    -- metrics and counts besides, and gradients that are reduced over the cores
    assert(math.abs(one.argument_bytes - eight.argument_bytes) <= 8192)
    assert(eight.need_bytes < one.need_bytes * 1.5)
    local model = classifier()
    local asked = model:memory_report("v3", { batch = 64, replicas = 8 })
    assert.equal(8, asked.replicas)
    assert.equal(eight.temp_bytes, asked.temp_bytes)
    assert.equal(one.need_bytes, model:memory_report("v3", { batch = 64 }).need_bytes)
    assert.error_matches(function() model:memory_report("v3", { batch = 64, replicas = 0 }) end, "replicas must be")
    local batch
    for _, buffer in ipairs(eight.buffers) do
      batch = batch or buffer.argument == "batch_1" and buffer.shape[1]
    end
    assert.equal(64, batch)
  end)

  it("allocates nothing of a batch, changes no weight and runs nothing", function()
    local model = classifier()
    local before = {}
    for i, weight in ipairs(model:get_weights()) do
      before[i] = weight:totable()
    end
    local held = pod.device.memory().current_bytes
    local report = model:memory_report("v3", { batch = 2 ^ 24 })
    assert(report.argument_bytes > 2 ^ 32)
    assert.equal("does_not_fit", report.verdict)
    assert(pod.device.memory().current_bytes - held < 2 ^ 24)
    for i, weight in ipairs(model:get_weights()) do
      assert.same(before[i], weight:totable())
    end
    assert.equal(0, model.optimizer.iterations:value():item())
  end)

  it("is of what fit was given last, maps of datasets included", function()
    local model = classifier()
    local data = pod.data.from_tensor_slices { pod.cast(pod.ones { 48, 64 }, "uint8"), pod.zeros({ 48 }, "int32") }
    data = data:batch(16):map(function(x, y)
      return pod.cast(x, "float32") / 255, y
    end)
    model:fit(data, { verbose = 0 })
    local report = model:memory_report "v3"
    assert.equal(16, report.batch)
    local again = model:memory_report("v3", { data = data, batch = 16 })
    assert.equal(report.need_bytes, again.need_bytes)
    local types = {}
    for _, buffer in ipairs(report.buffers) do
      types[buffer.type:match "^[^{]+"] = true
    end
    assert.is_true(types["u8[16,64]"])
  end)

  it("is the same for cached data: a cache is the host's memory", function()
    local model = classifier()
    local data = pod.data.from_tensor_slices { pod.ones { 512, 64 }, pod.zeros({ 512 }, "int32") }
    local plain, cached = data:batch(64), data:cache():batch(64)
    local one = model:memory_report("v3", { data = plain })
    collectgarbage()
    collectgarbage()
    local before = pod.device.memory().current_bytes
    local count = 0
    for _ in cached:iter() do
      count = count + 1
    end
    assert.equal(8, count)
    assert(pod.device.memory().current_bytes - before >= 512 * 64 * 4)
    assert.equal(one.need_bytes, model:memory_report("v3", { data = cached }).need_bytes)
  end)

  it("is also of evaluation, prediction and pod.func", function()
    local model = classifier()
    local train = model:memory_report("v3", { batch = 1024 })
    local test = model:memory_report("v3", { batch = 1024, kind = "test" })
    local predict = model:memory_report("v3", { batch = 1024, kind = "predict" })
    assert(test.need_bytes < train.need_bytes)
    assert(predict.temp_bytes < train.temp_bytes)
    local f = pod.func(function(a, b)
      return pod.matmul(a, b):tanh()
    end, { name = "product" })
    local report = f:memory_report("v3", { arguments = { pod.spec { 1024, 512 }, pod.spec { 512, 256 } } })
    assert.equal((1024 * 512 + 512 * 256) * 4, report.argument_bytes)
    assert.equal(1024 * 256 * 4, report.output_bytes)
    f(pod.ones { 2, 3 }, pod.ones { 3, 4 })
    assert.truthy(tostring(f:memory_report "v5e"):find "memory of product on a core of TPU v5e")
    local host = f:memory_report().host
    assert.equal(host.planned_bytes, host.allocated_bytes)
  end)

  it("of a loop of one's own is of what a core does in strategy:run", function()
    local strategy = strategy_of "v3-8"
    local w = strategy:scope(function()
      return pod.variable(pod.zeros { 64, 10 }, { name = "weights" })
    end)
    local loop = pod.func(function(x)
      return strategy:reduce("sum", strategy:run(function(part)
        local tape, loss = pod.tape(function()
          return pod.matmul(part, w):tanh():sum()
        end)
        w:assign_sub(pod.distribute.replica_context():all_reduce("sum", tape:gradient(loss, { w })[1]) * 0.1)
        return loss
      end, { strategy:split(x) }))
    end)
    local report = loop:memory_report("v3", { arguments = { pod.spec { 4096, 64 } } })
    local weights = pod.padding("f32[64,10]").padded_bytes
    assert.equal(pod.padding("f32[512,64]").padded_bytes + weights, report.argument_bytes)
    assert.equal(weights, report.alias_bytes)
  end)

  it("keeps its numbers when it is closed, and plans outlive no graph", function()
    local report = classifier():memory_report("v3", { batch = 64 })
    report:close()
    report:close()
    assert(report.need_bytes > 0)
    assert.error_matches(function() tostring(report) end, "the plan is closed")
    local core, context = require "moonpod.core", require("moonpod.tensor.device").context()
    local graph = core.graph(context, "g")
    graph:output((graph:parameter("float32", { 8, 16 }, "x")))
    local plan = core.tpu_lower(context, graph, "v3")
    graph:close()
    assert.error_matches(function() plan:buffers() end, "graph of the plan is closed")
    for _, arguments in ipairs { {}, { context }, { context, core.graph(context, "h") }, { context, graph, "v3" } } do
      local unpack = table.unpack or unpack -- luacheck: ignore
      assert.is_false((pcall(core.tpu_lower, unpack(arguments))))
    end
  end)

  it("says both accounts: what the host holds is what was planned", function()
    local model = classifier { strategy = strategy_of "v3-8" }
    assert.error_matches(function() model:memory_report() end, "fit first")
    collectgarbage()
    collectgarbage() -- what others have left is not to go while this one trains
    local held = pod.device.memory().current_bytes
    model:fit(pod.ones { 256, 64 }, pod.zeros({ 256 }, "int32"), { batch_size = 256, verbose = 0, shuffle = false })
    local accounts = model:memory_report()
    local host = accounts.host
    assert.equal(host.program_planned_bytes, host.program_allocated_bytes)
    assert.equal(host.variable_planned_bytes, host.variable_allocated_bytes)
    assert.equal(host.planned_bytes, host.allocated_bytes)
    assert.equal(host.planned_bytes, host.program_planned_bytes + host.variable_planned_bytes)
    assert(host.program_planned_bytes > host.arena_bytes + host.literal_bytes + host.scratch_bytes + host.code_bytes)
    local weights = 0
    for _, weight in ipairs(model:get_weights()) do
      weights = weights + weight:size() * 4
    end
    assert(host.variable_planned_bytes > weights and host.variable_planned_bytes < weights + 2 ^ 13)
    assert(pod.device.memory().peak_bytes - held >= host.program_allocated_bytes)
    assert.truthy(tostring(accounts):find "planned allocated\n  programs")
    assert.is_nil(tostring(accounts):find "not planned")
    assert.equal("v3", accounts.tpu.chip)
    assert.equal(32, accounts.tpu.batch)
    assert.truthy(tostring(accounts):find "on this host")
  end)

  it("counts host bytes as they are taken, on any number of threads and steps", function()
    local function images()
      return pod.models.sequential {
        layers.conv2d(8, 3, { activation = "relu", input_shape = { 12, 12, 3 } }),
        layers.max_pooling2d(), layers.flatten(), layers.dense(10),
      }, pod.ones { 64, 12, 12, 3 }
    end
    local function texts()
      local input = layers.input { 16, 24 }
      local attended = layers.multi_head_attention(4, 6)(input, input)
      return pod.models.functional { inputs = input, outputs = layers.dense(10)(layers.flatten()(attended)) },
        pod.ones { 64, 16, 24 }
    end
    local function dense()
      return classifier(), pod.ones { 64, 64 }
    end
    local context = require("moonpod.tensor.device").context()
    local threads = context:threads()
    for n = 1, 3 do
      context:set_threads(n)
      for _, make in ipairs { dense, images, texts } do
        for _, steps in ipairs { 1, 2 } do
          local model, x = make()
          model:compile { optimizer = "adam", steps_per_execution = steps,
            loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
          model:fit(x, pod.zeros({ 64 }, "int32"), { batch_size = 16, verbose = 0 })
          local host = model:memory_report().host
          assert.equal(host.planned_bytes, host.allocated_bytes)
          assert(host.program_allocated_bytes > host.held_bytes - host.scratch_bytes)
          -- A short run is on one thread, where nothing forces it onto all.
          assert(host.held_bytes >= host.arena_bytes + host.code_bytes + host.scratch_bytes)
        end
      end
    end
    context:set_threads(threads)
  end)

  it("is there for data whose functions wait, as long as the data are", function()
    local model = pod.models.sequential { pod.layers.dense(3, { input_shape = { 4 } }) }
    model:compile { loss = "mse" }
    local data = pod.data.from_tensor_slices({ pod.ones { 8, 4 }, pod.ones { 8, 3 } }):batch(4)
      :map(function(x, y) return x * 2, y end)
    model:fit(data, { verbose = 0 })
    local host = model:memory_report().host
    assert.equal(host.planned_bytes, host.allocated_bytes)
    assert.truthy(data)
  end)

  it("grows by what the context grows by", function()
    local f = pod.func(function(a, b)
      return pod.matmul(a, b):tanh():sum(1)
    end)
    local a, b = pod.ones { 200, 300 }, pod.ones { 300, 400 }
    f(pod.ones { 199, 300 }, pod.ones { 300, 400 }) -- starts threads
    local concrete = f:concrete(a, b)
    local stats, held = concrete:stats(), pod.device.memory().current_bytes
    assert.equal(stats.planned_bytes, stats.allocated_bytes)
    local result = f(a, b)
    local after = concrete:stats()
    assert.equal(after.planned_bytes, after.allocated_bytes)
    assert(after.allocated_bytes > stats.allocated_bytes)
    assert.equal(pod.device.memory().current_bytes - held,
      after.held_bytes - stats.held_bytes + require("moonpod.tensor").buffer(result):held_bytes())
  end)

  it("names what is missing", function()
    local model = classifier()
    assert.error_matches(function() model:memory_report "v3" end, "Give batch = 128")
    assert.error_matches(function() model:memory_report("v9", { batch = 8 }) end, "no TPU generation 'v9'")
    assert.error_matches(function() model:memory_report("v3", { batches = 8 }) end, "did you mean 'batch'")
    assert.error_matches(function() model:memory_report("v3", { batch = 8, kind = "fit" }) end, "no kind 'fit'")
    assert.error_matches(function() model:memory_report("v3", { batch = 0.5 }) end, "whole number")
    local fresh = pod.models.sequential { layers.dense(3) }
    assert.error_matches(function() fresh:memory_report("v3", { batch = 8 }) end, "call compile")
    fresh:compile { loss = "mse" }
    assert.error_matches(function() fresh:memory_report("v3", { batch = 8 }) end, "does not know its input")
    local report = fresh:memory_report("v3", { batch = 8, x = pod.spec { -1, 5 }, y = pod.spec { -1, 3 } })
    assert(report.need_bytes > 0)
    assert.error_matches(function() report:text "2019" end, "no form '2019'")
  end)
end)

describe("pictures of memory", function()
  local report = classifier { name = "picture" }:memory_report("v3", { batch = 8192 })

  it("fit the width in the terminal", function()
    local text = report:viewer { width = 70, height = 6 }
    assert.truthy(text:find "▼ peak")
    for line in text:gmatch "[^\n]+" do
      local characters = #line:gsub("[\128-\191]", "")
      assert(characters <= 70 or line:find "peak .+, unpadded" or line:find "^  fits" , line)
    end
  end)

  it("are written as SVG and as a page that needs nothing else, or not at all", function()
    local path = os.tmpname()
    report:svg(path)
    local svg = assert(io.open(path)):read "a"
    assert.equal(report:svg(), svg)
    assert.truthy(svg:find("^<svg .-</svg>\n$"))
    report:html(path)
    local html = assert(io.open(path)):read "a"
    assert.truthy(html:find("^<!DOCTYPE html>.-</html>\n$"))
    assert.is_nil(html:gsub("http://www.w3.org/2000/svg", ""):find "https?://")
    assert.is_nil(html:find "<link" or html:find "<%a[^<>]*%ssrc=" or html:find "@import" or html:find "url%(")
    os.remove(path)
    assert.error(function() report:svg "/nowhere/at/all.svg" end)
    assert.error_matches(function() report:html(3) end, "path")
  end)
end)

describe("remedies", function()
  -- The gradients of a step on a batch, as what plain SGD with a rate of 1 takes off the weights.
  local function step_of(model, x, y)
    local before = model:get_weights()
    local values = {}
    for i, weight in ipairs(before) do
      values[i] = weight * 1
      values[i]:totable()
    end
    local loss = model:train_on_batch(x, y)
    local gradients = {}
    for i, weight in ipairs(model:get_weights()) do
      gradients[i] = ((values[i] - weight) / 0.1):totable()
    end
    model:set_weights(values)
    return gradients, loss
  end

  local function assert_near(expected, actual, tolerance)
    if type(expected) == "table" then
      assert.equal(#expected, #actual)
      for i = 1, #expected do
        assert_near(expected[i], actual[i], tolerance)
      end
    elseif math.abs(expected - actual) > tolerance then
      error(("%g is not %g"):format(actual, expected))
    end
  end

  local x = pod.random.normal({ 64, 64 }, { seed = 5 })
  local y = pod.cast(pod.random.uniform({ 64 }, { maxval = 10, seed = 6 }), "int32")

  it("are computed, ranked by what they save, and print as calls", function()
    local report = classifier():memory_report("v3", { batch = 65536 })
    local list = report:remedies()
    assert(#list >= 2, tostring(list))
    for i, remedy in ipairs(list) do
      assert.equal(report.need_bytes - remedy.need_bytes, remedy.saves_bytes)
      assert(i == 1 or list[i - 1].saves_bytes >= remedy.saves_bytes)
      assert(load("local model, data = ... return " .. remedy.call), remedy.call)
    end
    assert.truthy(tostring(list):find "set_dtype_policy \"mixed_bfloat16\"")
    -- what was tried was taken back
    assert.equal(report.need_bytes, report._model:memory_report("v3", { batch = 65536 }).need_bytes)
  end)

  it("keep their word when they are applied", function()
    local model = classifier()
    local report = model:memory_report("v3", { batch = 65536 })
    local promised = report:remedies()[1]
    local after = report:apply(1)
    assert.equal(promised.need_bytes, after.need_bytes)
    model:fit(x, y, { batch_size = 64, verbose = 0 })
    assert.error_matches(function() report:apply(99) end, "no remedy 99")
  end)

  it("of the batch report that batch and say what to write", function()
    local report = classifier():memory_report("v3", { batch = 1000 })
    local place
    for i, remedy in ipairs(report:remedies()) do
      place = place or remedy.batch and i
    end
    assert.equal(896, report:remedies()[place].batch)
    local after = report:apply(place)
    assert.equal(896, after.batch)
    assert.equal(report:remedies()[place].need_bytes, after.need_bytes)
    assert.truthy(tostring(after):find("data:batch(896, { drop_remainder = true })", 1, true))
  end)

  it("of sizes that fill tiles are another model, which trains", function()
    local strategy = strategy_of "v3-8"
    local model = strategy:scope(function()
      local input = layers.input { 32, 32, 3 }
      local a = layers.conv2d(18, 3, { padding = "same", activation = "relu", name = "wide" })(input)
      local b = layers.conv2d(20, 3, { padding = "same", activation = "relu", name = "wider" })(a)
      local output = layers.dense(10)(layers.global_average_pooling2d()(b))
      local made = pod.models.functional { inputs = input, outputs = output }
      made:compile { optimizer = pod.optimizers.adam { learning_rate = 0.01 },
        loss = pod.losses.sparse_categorical_crossentropy { from_logits = true }, metrics = { "accuracy" } }
      return made
    end)
    local report = model:memory_report("v3", { batch = 128 })
    pod.random.set_seed(4)
    local drawn = pod.random.uniform({ 3 }):totable()
    pod.random.set_seed(4)
    report:remedies() -- what is tried draws nothing
    assert.same(drawn, pod.random.uniform({ 3 }):totable())
    local place
    for i, remedy in ipairs(report:remedies()) do
      place = place or remedy.sizes and i
    end
    assert(place, tostring(report:remedies()))
    assert.equal("model = pod.models.clone_model(model, { sizes = { wide = 16, wider = 16 } })",
      report:remedies()[place].call)
    local after = report:apply(place)
    assert.equal(report:remedies()[place].need_bytes, after.need_bytes)
    assert.is_false(rawequal(after.model, model))
    assert.equal(3 * 3 * 3 * 16 + 16 + 3 * 3 * 16 * 16 + 16 + 16 * 10 + 10, after.model:count_params())
    after.model:fit(pod.zeros { 16, 32, 32, 3 }, pod.zeros({ 16 }, "int32"), { batch_size = 16, verbose = 0 })
    assert.error_matches(function() pod.models.clone_model(model, { sizes = { wid = 16 } }) end, "did you mean 'wide'")
    assert.error_matches(function() pod.models.clone_model(3) end, "must be a model")
  end)

  it("that compute activations again leave the gradients the same bits", function()
    local model = classifier()
    local expected = step_of(model, x, y)
    model:set_memory_options { rematerialize = 2 }
    assert.same(expected, (step_of(model, x, y)))
    model:set_memory_options { rematerialize = false }
    assert.same(expected, (step_of(model, x, y)))
  end)

  it("that compute again or in parts do so on several cores", function()
    for _, cores in ipairs { 2, 4 } do
      local model = classifier { strategy = pod.distribute.mirrored(cores) }
      local expected = step_of(model, x, y)
      model:set_memory_options { rematerialize = 2 }
      assert_near(expected, (step_of(model, x, y)), 1e-6)
      model:set_memory_options { micro_batches = 2 }
      assert_near(expected, (step_of(model, x, y)), 2e-6)
    end
  end)

  it("update moving averages once when they compute again", function()
    for _, cores in ipairs { 1, 2, 4 } do
      local function weights_after(options)
        pod.random.set_seed(12)
        local model = pod.distribute.mirrored(cores):scope(function()
          local made = pod.models.sequential {
            layers.dense(32, { input_shape = { 64 } }), layers.batch_normalization(), layers.activation "relu",
            layers.dropout(0.25), layers.dense(16), layers.batch_normalization { synchronized = true },
            layers.dense(10),
          }
          made:compile { optimizer = pod.optimizers.sgd { learning_rate = 0.1 },
            loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
          return made
        end)
        model:set_memory_options(options)
        for _ = 1, 3 do
          model:train_on_batch(x, y)
        end
        return model:get_weights()
      end
      local expected, found = weights_after {}, weights_after { rematerialize = 2 }
      for i = 1, #expected do
        assert_near(expected[i]:totable(), found[i]:totable(), 1e-5)
      end
    end
  end)

  it("make the step need less, the more the more parts there are", function()
    local model = classifier()
    local function need()
      return model:memory_report("v3", { batch = 65536 }).temp_bytes
    end
    local whole = need()
    model:set_memory_options { rematerialize = 2 }
    local repeated = need()
    assert(repeated < whole * 0.9, ("%d is not well below %d"):format(repeated, whole))
    model:set_memory_options { rematerialize = false, micro_batches = 2 }
    local halves = need()
    model:set_memory_options { micro_batches = 4 }
    assert(halves < whole * 0.6 and need() < halves * 0.6)
  end)

  it("draw the same dropout when they compute again", function()
    local function dropping()
      pod.random.set_seed(11)
      local model = pod.models.sequential { layers.dense(32, { input_shape = { 64 } }), layers.dropout(0.5),
        layers.dense(10) }
      model:compile { optimizer = pod.optimizers.sgd { learning_rate = 0.1 },
        loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
      return model
    end
    local plain = step_of(dropping(), x, y)
    local again = dropping()
    again:set_memory_options { rematerialize = 1 }
    assert.same(plain, (step_of(again, x, y)))
  end)

  it("hold for functional models with skips", function()
    local function skipping()
      pod.random.set_seed(2)
      local input = layers.input { 64 }
      local a = layers.dense(32, { activation = "tanh" })(input)
      local b = layers.dense(32, { activation = "tanh" })(a)
      local c = layers.add() { a, b }
      local output = layers.dense(10)(layers.concatenate() { c, a })
      local model = pod.models.functional { inputs = input, outputs = output }
      model:compile { optimizer = pod.optimizers.sgd { learning_rate = 0.1 },
        loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
      return model
    end
    local expected = step_of(skipping(), x, y)
    for groups = 1, 4 do
      local model = skipping()
      model:set_memory_options { rematerialize = groups }
      assert_near(expected, (step_of(model, x, y)), 1e-6)
    end
  end)

  it("that take a batch in parts give its gradients, on one core and on several", function()
    for _, strategy in ipairs { false, pod.distribute.mirrored(4) } do
      local model = classifier { strategy = strategy or nil }
      local expected, loss = step_of(model, x, y)
      for _, parts in ipairs { 2, 4 } do
        model:set_memory_options { micro_batches = parts }
        local gradients, other = step_of(model, x, y)
        assert_near(expected, gradients, 2e-6)
        assert_near(loss, other, 1e-5)
      end
    end
    local model = classifier()
    model:set_memory_options { micro_batches = 3 }
    assert.error_matches(function() model:train_on_batch(x, y) end, "64 rows is not to be divided into micro_batches")
  end)

  it("take labels for one-hot rows with the same gradients", function()
    local model = pod.models.sequential { layers.dense(10, { input_shape = { 8, 8, 16 } }) }
    model:compile { optimizer = pod.optimizers.sgd { learning_rate = 0.1 }, loss = function(labels, logits)
      local rows = pod.one_hot(labels:reshape { -1 }, 10):reshape(logits.shape)
      return pod.losses.categorical_crossentropy { from_logits = true, reduction = "none" }(rows, logits)
    end }
    local images = pod.random.normal({ 4, 8, 8, 16 }, { seed = 8 })
    local kinds = pod.cast(pod.random.uniform({ 4, 8, 8 }, { maxval = 10, seed = 9 }), "int32")
    local expected = step_of(model, images, kinds)
    model:set_memory_options { sparse_labels = true }
    assert_near(expected, (step_of(model, images, kinds)), 1e-6)
  end)

  it("refuse what is no option", function()
    local model = classifier()
    assert.error_matches(function() model:set_memory_options { rematerialise = 2 } end, "did you mean 'rematerialize'")
    assert.error_matches(function() model:set_memory_options { micro_batches = 0 } end, "from 1")
    assert.error_matches(function() model:set_memory_options { sparse_labels = 1 } end, "true or false")
    assert.error_matches(function() model:set_dtype_policy "bfloat16" end, "make a new model")
  end)
end)

describe("after", function()
  it("gives the same value and gradient, of any type", function()
    local x = pod.tensor { { 1, -2 }, { 0.5, 3 } }
    local other = pod.tensor { 0 / 0, 1 / 0 }
    local f = pod.func(function(t, late)
      local tape, y = pod.tape(function()
        return (pod.after(t, { late, late * 2 }) ^ 2):sum()
      end)
      return y, tape:gradient(y, { t })[1], pod.after(pod.cast(t, "int32"), { late }), pod.after(t, {})
    end)
    local value, gradient, integers, alone = f(x, other)
    assert.equal(14.25, value:item())
    assert.same({ { 2, -4 }, { 1, 6 } }, gradient:totable())
    assert.same({ { 1, -2 }, { 0, 3 } }, integers:totable())
    assert.same(x:totable(), alone:totable())
  end)
end)

describe("batches", function()
  it("are found that fit, where the next larger ones surely do not fit", function()
    local model = classifier()
    local batch, whole, report = model:find_batch { chip = "v3", step = 1024 }
    assert.equal(batch, whole)
    assert.equal(0, batch % 1024)
    assert.equal("fits", report.verdict)
    assert.is_true(model:memory_report("v3", { batch = batch }).fits)
    assert.is_false(model:memory_report("v3", { batch = batch + 1024 }).fits)
    assert.error_matches(function() model:find_batch {} end, "for which chip")
    assert.error_matches(function() model:find_batch { chip = "v3", step = 2 ^ 28 } end, "not even 268435456 rows")
  end)

  it("are judged by the published rules", function()
    local rules = pod.advisor.batch_rules { batch = 128, replicas = 8, features = 128 }
    for _, rule in ipairs(rules) do
      assert.is_true(rule.holds)
      assert.truthy(rule.source)
    end
    local cases = { { 128, 8, 8, { true, true, false, true } }, { 8, 8, 128, { false, true, true, false } },
      { 100, 8, 18, { false, false, false, false } }, { 1024, 1, 8, { true, true, false, true } } }
    for _, case in ipairs(cases) do
      local found = pod.advisor.batch_rules { batch = case[1], replicas = case[2], features = case[3] }
      for i, holds in ipairs(case[4]) do
        assert.equal(holds, found[i].holds)
      end
    end
    assert.truthy(tostring(pod.advisor.batch_rules { batch = 100, features = 18 }):find "take 128 rows a core")
    assert.truthy(tostring(pod.advisor.batch_rules { batch = 100, replicas = 8 }):find "1024 or 2048 is a good start")
  end)

  it("are compared side by side", function()
    local list = pod.advisor.whatif(classifier(), { chip = "v3", batch = { 64, 128, 256 } })
    assert.equal(3, #list)
    assert(list[1].need_bytes < list[2].need_bytes and list[2].need_bytes < list[3].need_bytes)
    assert.truthy(tostring(list):find "batch +need")
  end)
end)

describe("a model's report", function()
  it("names the lines of layers", function()
    local first = debug.getinfo(1, "l").currentline + 2
    local model = pod.models.sequential {
      layers.dense(512, { input_shape = { 512 }, activation = "relu", name = "one" }),
      layers.dense(256, { name = "two" }),
    }
    model:compile { optimizer = "adam", loss = "mse" }
    local places = {}
    for _, buffer in ipairs(model:memory_report("v3", { batch = 512 }).buffers) do
      if buffer.use == "temporary" and buffer.scope then
        local name = buffer.scope:match "[^/]+$"
        places[name] = places[name] or {}
        places[name][tonumber(buffer.location:match ":(%d+)$")] = true
      end
    end
    assert.same({ [first] = true }, places.one)
    assert.same({ [first + 1] = true }, places.two)
  end)

  it("takes no y without x, and no x beside data", function()
    local model = classifier()
    local function refuses(options, message)
      options.batch = 64
      assert.error_matches(function() model:memory_report("v3", options) end, message)
    end
    refuses({ y = pod.spec({ -1 }, "int32") }, "y is given without x")
    refuses({ sample_weight = pod.spec { -1 } }, "sample_weight is given without x")
    refuses({ x = pod.spec { -1, 64 }, y = pod.spec({ -1 }, "int32"), kind = "predict" }, "predict takes x alone")
    refuses({ data = pod.data.from_tensor_slices({ pod.ones { 64, 64 }, pod.zeros({ 64 }, "int32") }):batch(64),
      x = pod.spec { -1, 64 } }, "data is given and so is x")
  end)
end)

describe("memory_info", function()
  it("rises by the padded size of what is made", function()
    strategy_of "v3-8"
    local before = memory_info "/TPU:0"
    assert.equal(before.current, memory_info("/TPU:0").current)
    local t = pod.ones { 1024, 10 }
    t:totable()
    local after = memory_info "/TPU:0"
    assert.equal(65536, after.current - before.current)
    assert.equal(pod.chips("v3").hbm_limit_bytes, after.limit)
    assert(after.peak >= after.current)
    assert.equal(t.shape[1], 1024)
  end)

  it("is 0 after the system was initialised again", function()
    local resolver = pod.cluster.connect_to "v3-8"
    local strategy = pod.distribute.tpu_strategy(resolver)
    local v = strategy:scope(function() return pod.variable(pod.ones { 1024, 128 }) end)
    local t = pod.ones { 1024, 128 }
    t:totable()
    assert(memory_info("/TPU:0").current >= 2 * 1024 * 128 * 4)
    pod.cluster.initialize(resolver)
    collectgarbage()
    local info = memory_info "/TPU:0"
    assert.same({ 0, 0 }, { info.current, info.peak })
    assert.same({ 1024, 128 }, { v.shape[1], t.shape[2] })
    pod.cluster.shutdown(resolver)
  end)
end)

describe("fit under a chip", function()
  local function too_large(strategy, seen)
    return strategy:scope(function()
      local model = pod.models.sequential { layers.dense(160000, { input_shape = { 4 } }), layers.lambda(function(x)
        local wide = pod.matmul(pod.transpose(x), x) -- stored: a product reads it
        return pod.matmul(wide, pod.transpose(x)):sum() * 0 + x:sum(-1, { keepdims = true })
      end) }
      model:compile { optimizer = "sgd", loss = "mse" }
      seen.model = model
      return model
    end)
  end

  it("refuses a step that surely does not fit before it runs, with what would help", function()
    for _, accelerator in ipairs { "v3-8", "v5e-1" } do
      local seen = {}
      local model = too_large(strategy_of(accelerator), seen)
      local ok, message = pcall(model.fit, model, pod.ones { 16, 4 }, pod.ones { 16, 1 }, { batch_size = 16,
        verbose = 0 })
      assert.is_false(ok)
      assert.truthy(message:find "^[^:]+memory_report_spec.lua:%d+: RESOURCE_EXHAUSTED: E1000: CompileTimeHbmOom: ")
      assert.truthy(message:find "does not fit")
      assert.truthy(message:find "No step has run")
      assert.equal(0, model.optimizer.iterations:value():item())
    end
  end)

  it("trains what it cannot lower", function()
    local model = classifier { strategy = strategy_of "v3-8" }
    local core = require "moonpod.core"
    local lower = core.tpu_lower
    finally(function() core.tpu_lower = lower end) -- luacheck: ignore
    local asked = 0
    core.tpu_lower = function()
      asked = asked + 1
      error "not to be lowered"
    end
    model:fit(pod.ones { 64, 64 }, pod.zeros({ 64 }, "int32"), { batch_size = 64, verbose = 0 })
    assert.equal(1, asked)
    assert.equal(1, model.optimizer.iterations:value():item())
  end)

  it("takes what fits without a word, and can be told not to look", function()
    local model = classifier { strategy = strategy_of "v3-8" }
    model:fit(pod.ones { 64, 64 }, pod.zeros({ 64 }, "int32"), { batch_size = 64, verbose = 0 })
    model:fit(pod.ones { 64, 64 }, pod.zeros({ 64 }, "int32"), { batch_size = 32, verbose = 0, memory_check = false })
    assert.error_matches(function()
      model:fit(pod.ones { 64, 64 }, pod.zeros({ 64 }, "int32"), { memory_check = "no" })
    end, "'memory_check' must be true or false")
  end)
end)
