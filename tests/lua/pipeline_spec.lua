-- A pipeline trains as one model of all its layers, and waits as long as its schedule says.

local pod = require "moonpod"
local slots = require "tests.lua.support.slots"

local function layers_of(first, last)
  local list = {}
  for i = first, last do
    list[#list + 1] = i < 4 and pod.layers.dense(16, { activation = "tanh", name = "layer_" .. i })
      or pod.layers.dense(3, { name = "layer_" .. i })
  end
  return list
end

-- A weight of the layer of its name, the same whoever makes it.
local function set_weights(list)
  for _, weight in ipairs(list) do
    local count = 1
    for _, size in ipairs { weight.shape[1], weight.shape[2] } do
      count = count * size
    end
    weight:assign(pod.reshape(pod.sin(pod.arange(count, { dtype = "float32" }) * 7), weight.shape) / 4)
  end
end

local function data()
  pod.random.set_seed(5)
  return pod.random.normal { 24, 8 }, pod.random.normal { 24, 3 }
end

local function whole(make_optimizer, steps)
  local model = pod.models.sequential(layers_of(1, 4))
  model:compile { optimizer = make_optimizer(), loss = "mse" }
  local x, y = data()
  model(x)
  set_weights(model.weights)
  local loss
  for _ = 1, steps do
    loss = model:train_on_batch(x, y)
  end
  return model.weights, type(loss) == "table" and loss.loss or loss
end

local function piped(make_optimizer, steps, options)
  local stages = {}
  for s, ends in ipairs(options.ends) do
    stages[s] = layers_of((options.ends[s - 1] or 0) + 1, ends)
  end
  local pipe = pod.models.pipeline { stages = stages, loss = "mse", optimizer = make_optimizer(),
    microbatches = options.microbatches, schedule = options.schedule }
  local x, y = data()
  pipe:predict(x)
  for _, stage in ipairs(pipe.stages) do
    set_weights(stage.weights)
  end
  local loss
  for _ = 1, steps do
    loss = pipe:train_on_batch(x, y)
  end
  return pipe, loss:item()
end

local function adam()
  return pod.optimizers.adam(0.01)
end

local function sgd()
  return pod.optimizers.sgd(0.1, { momentum = 0.9 })
end

describe("a pipeline", function()
  it("trains as one model of all its layers, by either schedule", function()
    for what, optimizer in pairs { adam = adam, sgd = sgd } do
      local weights = whole(optimizer, 3)
      for _, schedule in ipairs { "gpipe", "1f1b" } do
        for _, ends in ipairs { { 4 }, { 2, 4 }, { 1, 2, 3, 4 } } do
          for _, microbatches in ipairs { 1, 3, 8 } do
            local pipe = piped(optimizer, 3, { schedule = schedule, ends = ends, microbatches = microbatches })
            local others = pipe:get_weights()
            assert.equal(#weights, #others)
            for i, weight in ipairs(weights) do
              local apart = pod.max(pod.abs(weight - others[i])):item()
              assert.is_true(apart < 1e-6, ("%s, %s, %d stages, %d: weight %d is %g apart"):format(what, schedule,
                #ends, microbatches, i, apart))
            end
          end
        end
      end
    end
  end)

  it("waits for (p - 1) / (m + p - 1) of the time, and keeps fewer microbatches by 1F1B", function()
    for _, microbatches in ipairs { 2, 4, 8 } do
      local held = {}
      for _, schedule in ipairs { "gpipe", "1f1b" } do
        local pipe = piped(sgd, 1, { schedule = schedule, ends = { 1, 2, 3, 4 }, microbatches = microbatches })
        local report = pipe:report()
        assert.is_true(math.abs(report.bubble - 3 / (microbatches + 3)) < 1e-9)
        assert.is_true(report.measured_bubble >= 0 and report.measured_bubble < 1)
        assert.equal(2 * 4 * microbatches, #report.tasks)
        assert.is_true(math.abs(slots.bubble(report.tasks, 4) - 3 / (microbatches + 3)) < 1e-9) -- as they were done
        held[schedule] = report.stages
      end
      for s = 1, 4 do
        assert.equal(microbatches, held.gpipe[s].held)
        assert.equal(math.min(microbatches, 5 - s), held["1f1b"][s].held)
      end
    end
  end)

  it("has the weights of a stage on its core alone", function()
    local report = piped(sgd, 1, { schedule = "gpipe", ends = { 1, 4 }, microbatches = 2 }):report()
    assert.equal(4 * (8 * 16 + 16), report.stages[1].weight_bytes)
    assert.equal(4 * (2 * (16 * 16 + 16) + 16 * 3 + 3), report.stages[2].weight_bytes)
  end)

  -- Of y = mask * w the loss is the mean of y * y, so its gradient times w is twice the loss, by the same masks alone.
  it("draws for gradients what it drew before", function()
    for _, schedule in ipairs { "gpipe", "1f1b" } do
      pod.random.set_seed(11)
      local function ones(size)
        return pod.layers.dense(size, { use_bias = false, kernel_initializer = "ones" })
      end
      local pipe = pod.models.pipeline { loss = function(_, y) return pod.mean(y * y) end, microbatches = 3,
        optimizer = pod.optimizers.sgd(1), schedule = schedule,
        stages = { { ones(64), pod.layers.dropout(0.5) }, { pod.layers.dropout(0.25) },
          { pod.layers.rescaling(3), pod.layers.dropout(0.5) } } }
      local losses = {}
      for step = 1, 3 do
        local before = pipe:predict(pod.ones { 1, 1 }) / 3 -- the weights of the first stage
        losses[step] = pipe:train_on_batch(pod.ones { 6, 1 }, pod.ones { 6, 64 }):item()
        local moved = before - pipe:get_weights()[1]
        local by_gradient = pod.sum(moved * before):item() / 2
        assert.is_true(math.abs(by_gradient - losses[step]) < 1e-4 * losses[step], schedule)
      end
      assert.is_true(losses[1] ~= 9 and losses[2] ~= losses[1])
    end
  end)

  it("keeps statistics of microbatches, each once", function()
    local function layers()
      return { pod.layers.dense(5, { name = "first" }), pod.layers.batch_normalization() }
    end
    local x, y = data()
    local alone = pod.models.sequential(layers())
    for k = 0, 3 do
      if k == 0 then
        alone(x[{ "0:6" }])
        set_weights { alone.weights[1] }
      end
      alone(x[{ ("%d:%d"):format(6 * k, 6 * k + 6) }], { training = true })
    end
    for _, schedule in ipairs { "gpipe", "1f1b" } do
      local pipe = pod.models.pipeline { stages = { layers(), { pod.layers.dense(3) } }, loss = "mse",
        optimizer = pod.optimizers.sgd(0), microbatches = 4, schedule = schedule }
      pipe:predict(x)
      set_weights { pipe.stages[1].weights[1] }
      pipe:train_on_batch(x, y)
      for i, weight in ipairs(alone.weights) do
        assert.is_true(pod.max(pod.abs(weight - pipe.stages[1].weights[i])):item() < 1e-6, weight.name)
      end
    end
  end)

  it("refuses what it cannot do", function()
    local function message_of(options, x)
      local ok, message = pcall(function()
        local pipe = pod.models.pipeline(options)
        pipe:train_on_batch(x or pod.ones { 4, 3 }, pod.ones { x and x.shape[1] or 4, 1 })
      end)
      assert.is_false(ok)
      return message
    end
    local function stages(layer)
      return { { layer, pod.layers.dense(1) } }
    end
    assert.matches("targets have 5 rows, which do not fall into 2 equal microbatches",
      message_of({ stages = stages(pod.layers.dense(2)), loss = "mse", microbatches = 2 }, pod.ones { 5, 3 }))
    assert.matches("the schedule is", message_of { stages = {}, loss = "mse", schedule = "zigzag" })
    assert.matches("give stages", message_of { stages = {}, loss = "mse" })
    pod.distribute.mirrored(2):scope(function()
      assert.matches("not in the scope of <mirrored strategy, 2 replicas>: make the pipeline outside of it, or divide",
        message_of { stages = stages(pod.layers.dense(2)), loss = "mse" })
    end)
  end)
end)
