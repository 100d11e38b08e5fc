-- What kinds of strategies there are and that they train alike.

local pod = require "moonpod"
local warned_by = require "tests.lua.support.warned_by"
local distribute = pod.distribute

-- Trains a small model under a strategy (nil: none); returns the bytes of its weights.
local function train(strategy, steps)
  pod.random.set_seed(5)
  local function make()
    local model = pod.models.sequential {
      pod.layers.dense(8, { activation = "relu", input_shape = { 6 } }), pod.layers.dropout(0.25), pod.layers.dense(3),
    }
    model:compile { optimizer = "adam", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    return model
  end
  local model = strategy and strategy:scope(make) or make()
  local x = pod.reshape(pod.arange(22 * 6, { dtype = "float32" }), 22, 6) / 100
  local y = pod.cast(pod.mod(pod.arange(22), 3), "int32")
  model:fit(x, y, { batch_size = 11, epochs = steps or 3, verbose = 0 })
  local bytes = {}
  for i, weight in ipairs(model:get_weights()) do
    bytes[i] = weight:data()
  end
  return table.concat(bytes), model
end

describe("strategies", function()
  it("give the same weights with TPU rules and without, with a scope and without", function()
    local plain = train(nil)
    assert.equal(plain, (train(distribute.mirrored(8))))
    assert.equal(plain, (train(distribute.tpu_strategy(pod.cluster.resolve "v3-8"))))
    assert.equal(plain, (train(distribute.mirrored(1))))
    assert.equal(plain, (train(distribute.get_strategy())))
  end)

  it("give the same bits again", function()
    assert.equal((train(distribute.mirrored(4))), (train(distribute.mirrored(4))))
  end)

  it("differ for 1 core and a pod in one line of the script", function()
    local script = [[
      local pod = require "moonpod"
      local resolver = pod.cluster.resolve "%s"
      local strategy = pod.distribute.tpu_strategy(resolver)
      local v = strategy:scope(function() return pod.variable(2) end)
      local parts = strategy:run(function(x) return (x * v):sum() end, { strategy:split(pod.ones { 64 }) })
      return strategy.num_replicas_in_sync, strategy:reduce("sum", parts):item()
    ]]
    local load = loadstring or load -- luacheck: ignore
    assert.same({ 1, 128 }, { load(script:format "v5e-1")() })
    assert.same({ 8, 128 }, { load(script:format "v3-8")() })
    assert.same({ 64, 128 }, { load(script:format "v3-64")() })
  end)

  it("give every replica the first one's random weights, before and after steps", function()
    for _, steps in ipairs { 1, 2 } do
      local _, model = train(distribute.mirrored(4), steps)
      for _, weight in ipairs(model.weights) do
        local copies = weight:per_replica()
        assert.equal(4, #copies)
        for i, copy in ipairs(copies) do
          assert.equal(weight:value():data(), copy.value:data())
          assert.matches("device:TPU:" .. i - 1, copy.device)
        end
      end
    end
    local fresh = distribute.mirrored(3):scope(function()
      return pod.variable(pod.initializers.random_normal(), { shape = { 4 } })
    end)
    local copies = fresh:per_replica()
    assert.equal(copies[1].value:data(), copies[3].value:data())
  end)

  it("know their replicas' numbers, each once", function()
    local strategy = distribute.mirrored(5)
    local ids = strategy:run(function()
      local context = distribute.replica_context()
      assert.equal(5, context.num_replicas_in_sync)
      return context:replica_id()
    end)
    assert.same({ 0, 1, 2, 3, 4 }, ids.tensor:totable())
  end)
end)

describe("uneven shards", function()
  it("leave what a replica without rows has kept, also where shapes are of ones", function()
    for columns = 1, 2 do
      local strategy = pod.distribute.mirrored(4)
      local x = pod.reshape(pod.cast(pod.arange(6), "float32") + 1, { 6, 1 }) * pod.ones { 1, columns }
      local kept = strategy:scope(function()
        return pod.variable(pod.zeros { columns },
          { synchronization = "on_read", aggregation = "sum", trainable = false })
      end)
      local add = pod.func(function(rows) kept:assign_add(pod.sum(rows, 0)) end)
      for _, range in ipairs { { 0, 4 }, { 4, 6 } } do
        strategy:run(add, { strategy:split(pod.slice_axis(x, 0, range[1], range[2])) })
      end
      assert.equal(21, kept:value():totable()[columns])
    end
  end)

  it("of one row keep it where steps are laid beside rows, and apart again", function()
    local strategy = pod.distribute.mirrored(3)
    local x = pod.reshape(pod.cast(pod.arange(24), "float32"), { 2, 3, 4 })
    local function result(fn)
      return strategy:gather(strategy:run(fn, { strategy:split(x) }), 0):totable()
    end
    assert.same(x:totable(), result(function(rows)
      local flat = pod.reshape(rows, { rows.shape[1] * 3, 4 }) + 0
      return pod.reshape(flat, { rows.shape[1], 3, 4 })
    end))
    assert.same(x:totable(), result(function(rows)
      local flat = pod.reshape(rows, { 1, rows.shape[1] * 3, 4 }) + 0
      return pod.reshape(flat, { rows.shape[1], 3, 4 }) + rows * 0
    end))
    assert.same(pod.slice_axis(x, 1, 1, 2):totable(), result(function(rows)
      local flat = pod.reshape(rows, { rows.shape[1] * 3, 4 }) + 0
      return pod.slice_axis(pod.reshape(flat, { rows.shape[1], 3, 4 }), 1, 1, 2)
    end))
  end)

  it("count true rows only in ones_like, zeros_like and full_like", function()
    local strategy = distribute.mirrored(5)
    local ones, zeros, full, ints = strategy:run(function(x)
      return pod.sum(pod.ones_like(x)), pod.sum(pod.zeros_like(x) + 1), pod.sum(pod.full_like(x, 3)),
        pod.sum(pod.ones_like(pod.cast(x, "int32"), "int32"))
    end, { strategy:split(pod.full({ 12 }, 0 / 0)) })
    assert.same({ 3, 3, 3, 3, 0 }, ones.tensor:totable())
    assert.equal(12, strategy:reduce("sum", zeros):item())
    assert.equal(36, strategy:reduce("sum", full):item())
    assert.equal(12, strategy:reduce("sum", ints):item())
  end)
end)

describe("a device assignment", function()
  local resolver = pod.cluster.resolve "v3-8"
  local topology = pod.cluster.initialize(resolver)

  it("gives replicas boxes of cores", function()
    local two = distribute.device_assignment(topology, { computation_shape = { 1, 1, 1, 2 }, num_replicas = 4 })
    assert.equal("<device assignment: 4 replicas of 2 cores>", tostring(two))
    assert.same({ { 0, 0, 0, 0 }, { 0, 0, 0, 1 } }, two.core_assignment[1])
    assert.same({ { 1, 0, 0, 0 }, { 1, 0, 0, 1 } }, two.core_assignment[2])
    assert.same({ 6, 7 }, { two:device(3, 0), two:device(3, 1) })
    local all, seen = distribute.device_assignment(resolver), {}
    for replica = 0, 7 do
      seen[all:device(replica, 0)] = true
    end
    assert.equal(8, all.num_replicas)
    assert.equal(8, #seen + 1)
    assert.equal(2, distribute.device_assignment(resolver, { computation_shape = { 2, 1, 1, 2 } }).num_replicas)
    local v5e = distribute.device_assignment(pod.topology "v5e-8", { computation_shape = { 2, 1, 1, 1 } })
    assert.equal(4, v5e.num_replicas)
  end)

  it("makes a strategy of so many replicas, that trains the same", function()
    local assignment = distribute.device_assignment(topology, { computation_shape = { 1, 1, 1, 2 }, num_replicas = 4 })
    local strategy = distribute.tpu_strategy(resolver, { device_assignment = assignment })
    assert.equal(4, strategy.num_replicas_in_sync)
    assert.matches("device:TPU:6", strategy:device_name(3))
    assert.equal((train(distribute.mirrored(4))), (train(strategy)))
  end)

  it("says what does not fit", function()
    local function refuses(pattern, fn, ...)
      local arguments = { ... }
      assert.error_matches(function() return (fn(arguments[1], arguments[2])) end, pattern)
    end
    local assign = distribute.device_assignment
    refuses("argument 1 must be what pod.cluster.initialize", assign, 7)
    refuses("must be a list of 4 sizes", assign, topology, { computation_shape = { 1, 2 } })
    refuses("does not divide the mesh { 2, 2, 1, 2 }", assign, topology, { computation_shape = { 1, 1, 1, 3 } })
    refuses("does not divide", assign, topology, { computation_shape = { 0, 1, 1, 1 } })
    refuses("from 1 to 4.*got 5", assign, topology, { computation_shape = { 1, 1, 1, 2 }, num_replicas = 5 })
    refuses("unknown option", assign, topology, { shape = { 1, 1, 1, 1 } })
    refuses("must be one of pod.distribute.device_assignment", distribute.tpu_strategy, resolver,
      { device_assignment = {} })
    refuses("wants 8 cores.*has 4", distribute.tpu_strategy, pod.cluster.resolve "v4-8",
      { device_assignment = assign(topology) })
    assert.error_matches(function() assign(topology):coordinates(8, 0) end, "replicas 0 to 7")
  end)
end)

describe("a model outside and an optimizer inside of a scope", function()
  it("are refused with both places and the way out", function()
    local strategy = pod.distribute.mirrored(2)
    local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
    assert.error_matches(function()
      strategy:scope(function() model:compile { optimizer = pod.optimizers.adam(), loss = "mse" } end)
    end, "strategies_spec.lua:%d+.*strategies_spec.lua:%d+.*different from the scope.*strategy:scope%(function")
  end)
end)

describe("a mean metric", function()
  it("warns when it is fed a replica's part of the loss, once", function()
    local strategy = pod.distribute.mirrored(2)
    local metric = strategy:scope(function() return pod.metrics.mean { name = "training_loss" } end)
    local list = warned_by(function()
      for i = 1, 2 do
        strategy:run(function(rows)
          metric:update_state(pod.losses.compute_average_loss(rows + i, { global_batch_size = 4 }))
        end, { strategy:split(pod.ones { 4 }) })
      end
    end)
    assert.equal(1, #list)
    assert.matches("'training_loss' takes the mean of what compute_average_loss gave.*strategy:reduce", list[1])
    assert.same({}, warned_by(function()
      strategy:run(function(rows) metric:update_state(rows) end, { strategy:split(pod.ones { 4 }) })
    end))
  end)
end)

describe("a distributed dataset", function()
  it("is enumerated in order", function()
    local strategy = pod.distribute.mirrored(2)
    local batches = pod.data.from_tensor_slices({ pod.arange(64), pod.arange(64) * 2 }):batch(16)
    local seen = {}
    for step, x, y in strategy:distribute_dataset(batches):enumerate(3) do
      seen[#seen + 1] = { step, strategy:gather(x, 0)[1]:item(), strategy:gather(y, 0)[1]:item() }
    end
    assert.same({ { 3, 0, 0 }, { 4, 16, 32 }, { 5, 32, 64 }, { 6, 48, 96 } }, seen)
  end)
end)
