local pod = require "moonpod"
local lua_version = require "tests.lua.support.lua_version"
local distribute = pod.distribute

local function near(expected, actual)
  assert.is_true(pod.allclose(actual, pod.tensor(expected), { atol = 1e-6 }), tostring(actual))
end

describe("strategy:run", function()
  local strategy = distribute.mirrored(4)

  it("gives each replica its shard", function()
    local x = pod.arange(8, { dtype = "float32" })
    local sums, doubled, ids = strategy:run(function(shard)
      return shard:sum(), shard * 2, distribute.replica_id()
    end, { strategy:split(x) })
    near({ 1, 5, 9, 13 }, sums.tensor)
    near((x * 2):totable(), strategy:gather(doubled, 0))
    assert.same({ 0, 1, 2, 3 }, ids.tensor:totable())
    local values = strategy:local_results(doubled)
    assert.same({ 4, 6 }, values[2]:totable())
    assert.matches("per%-replica float32", tostring(sums))
  end)

  it("divides uneven batches: full shards first, then a short one, then none", function()
    local function rows(n, replicas)
      local own = distribute.mirrored(replicas)
      local result = own:run(function(x) return x * 1 end, { own:split(pod.arange(n, { dtype = "float32" })) })
      local list = {}
      for i, value in ipairs(result:values()) do
        list[i] = value:totable()
      end
      return list
    end
    assert.same({ { 0, 1 }, { 2, 3 } }, rows(4, 2))
    assert.same({ { 0, 1 }, { 2 } }, rows(3, 2))
    assert.same({ { 0 }, { 1 }, { 2 }, { 3 }, {} }, rows(4, 5))
    assert.same({ { 0, 1 }, { 2, 3 }, { 4, 5 }, { 6 } }, rows(7, 4))
  end)

  it("computes means of true rows", function()
    local x = pod.arange(7, { dtype = "float32" })
    local means, sizes = strategy:run(function(shard)
      return shard:mean(), pod.dimension_size(shard, 0)
    end, { strategy:split(x) })
    near({ 0.5, 2.5, 4.5, 6 }, means.tensor)
    assert.same({ 2, 2, 2, 1 }, sizes.tensor:totable())
    near(21, strategy:reduce("sum", strategy:run(function(shard) return shard end, { strategy:split(x) }), 0))
    near(3, strategy:reduce("mean", strategy:run(function(shard) return shard end, { strategy:split(x) }), 0))
  end)

  it("leaves replicas without rows out of means over replicas", function()
    local means = strategy:run(function(shard) return shard:mean() end, { strategy:split(pod.tensor { 4, 8 }) })
    near(6, strategy:reduce("mean", means))
  end)

  it("reduces over replicas inside and outside", function()
    local inside, most = strategy:run(function(shard)
      local context = distribute.replica_context()
      return context:all_reduce("sum", shard:sum()), context:all_reduce("max", shard:sum())
    end, { strategy:split(pod.arange(8, { dtype = "float32" })) })
    near({ 28, 28, 28, 28 }, inside.tensor)
    near({ 13, 13, 13, 13 }, most.tensor)
    near(112, strategy:reduce("SUM", inside))
    near(28, strategy:reduce("MEAN", inside))
  end)

  it("passes plain tensors and variables to every replica", function()
    local v = strategy:scope(function() return pod.variable(10) end)
    local result = strategy:run(function(shard, k, n)
      return (shard * k * n + v):sum()
    end, { strategy:split(pod.ones { 4 }), pod.tensor(2), 3 })
    near({ 16, 16, 16, 16 }, result.tensor)
  end)

  it("takes values made for each replica", function()
    local values = strategy:experimental_distribute_values_from_function(function(context)
      return pod.tensor(context.replica_id_in_sync_group * 10)
    end)
    near({ 1, 11, 21, 31 }, strategy:run(function(x) return x + 1 end, { values }).tensor)
  end)

  it("traces a function once", function()
    local count = 0
    local function step(x)
      count = count + 1
      return x:sum()
    end
    for _ = 1, 3 do
      strategy:run(step, { strategy:split(pod.ones { 8 }) })
    end
    assert.equal(1, count)
  end)

  it("trains the same weights on any number of replicas", function()
    local results = {}
    for _, n in ipairs { 1, 2, 4, 8 } do
      pod.random.set_seed(3)
      local own = distribute.mirrored(n)
      local w = own:scope(function() return pod.variable(pod.initializers.glorot_uniform(), { shape = { 3, 1 } }) end)
      local step = pod.func(function(x, y)
        local loss = own:run(function(xs, ys)
          local tape, part = pod.tape(function()
            local squares = ((xs:matmul(w) - ys) ^ 2):sum()
            return squares / pod.cast(distribute.global_rows(xs), "float32")
          end)
          w:assign_sub(distribute.replica_context():all_reduce("sum", tape:gradient(part, w)) * 0.1)
          return part
        end, { own:split(x), own:split(y) })
        return own:reduce("sum", loss)
      end)
      local x = pod.random.normal { 10, 3 }
      local y = x:sum(1, { keepdims = true })
      local loss
      for _ = 1, 10 do
        loss = step(x, y)
      end
      results[n] = { w:value():data(), loss:item() }
    end
    for _, n in ipairs { 2, 4, 8 } do
      assert.equal(results[1][1], results[n][1])
      assert.is_true(math.abs(results[1][2] - results[n][2]) < 1e-6)
    end
  end)

  it("draws the same random numbers for a row wherever it is", function()
    local rows = {}
    for _, n in ipairs { 1, 3 } do
      local own = distribute.mirrored(n)
      pod.random.set_seed(11)
      local f = pod.func(function(x)
        local drawn = own:run(function(shard)
          return pod.random.uniform(shard.shape, { like = shard })
        end, { own:split(x) })
        return own:gather(drawn, 0)
      end)
      rows[n] = f(pod.zeros { 7, 2 }):totable()
    end
    assert.same(rows[1], rows[3])
  end)

  it("says what is wrong", function()
    local split = strategy:split(pod.ones { 8 })
    assert.error_matches(function() local y = split + 1 return y end, "strategy:run")
    assert.error_matches(function() local y = pod.exp(split) return y end, "strategy:run")
    assert.error_matches(function() strategy:split(pod.tensor(1)) end, "no rows")
    assert.error_matches(function()
      strategy:run(function() end, { split, strategy:split(pod.ones { 4 }) })
    end, "8 and 4 rows")
    assert.error_matches(function() strategy:run(7) end, "must be a function, not 7")
    assert.error_matches(function() distribute.replica_id() end, "no replica here")
    assert.error_matches(function()
      strategy:run(function(x) return strategy:run(function() end, { x }) end, { split })
    end, "inside of strategy:run")
    assert.error_matches(function()
      strategy:run(function(x) return strategy:reduce("sum", x) end, { split })
    end, "all_reduce")
    assert.error_matches(function() strategy:reduce("average", split) end, "no reduction 'average'")
  end)
end)

describe("one replica", function()
  it("runs the function itself", function()
    local strategy = distribute.get_strategy()
    assert.equal(1, strategy.num_replicas_in_sync)
    local value = strategy:run(function(x)
      assert.is_true(distribute.in_replica_context())
      local context = distribute.replica_context()
      return context:all_reduce("sum", x) + context:replica_id()
    end, { strategy:split(pod.tensor { 1, 2 }) })
    assert.same({ 1, 2 }, value:totable())
    assert.equal(3, strategy:reduce("sum", value, 0):item())
    assert.is_false(distribute.in_replica_context())
  end)
end)

describe("scopes", function()
  it("keep variables and data of another strategy out of a run", function()
    local two, four = pod.distribute.mirrored(2), pod.distribute.mirrored(4)
    local v = two:scope(function() return pod.variable(1, { name = "theirs" }) end)
    local own = four:scope(function() return pod.variable(1) end)
    local plain = pod.variable(1)
    for _, use in ipairs { function() return v * 2 end, function() v:assign(2) end, function() v:assign_add(2) end } do
      assert.error_matches(function() four:run(use) end,
        "variable 'theirs' %(made at .-strategy_spec.lua:%d+ under <mirrored strategy, 2 replicas>%) is used in "
        .. "strategy:run of <mirrored strategy, 4 replicas> %(made at .-strategy_spec.lua:%d+%)")
    end
    assert.equal(2, four:run(function() return own + plain end):values()[4]:item())
    local model = four:scope(function()
      local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
      model:compile { optimizer = "sgd", loss = "mse" }
      return model
    end)
    local rows = pod.data.from_tensor_slices { pod.zeros { 64, 3 }, pod.zeros { 64, 1 } }:batch(32)
    assert.error_matches(function() model:fit(two:distribute_dataset(rows), { verbose = 0 }) end,
      "distributed by <mirrored strategy, 2 replicas> .- made under <mirrored strategy, 4 replicas>")
    model:fit(four:distribute_dataset(rows), { verbose = 0 })
    assert.error_matches(function() four:distribute_dataset(rows, { prefetch = 2 }) end, "unknown option 'prefetch'")
  end)

  it("mean nothing as 0", function()
    assert.equal(0, pod.losses.compute_average_loss(pod.zeros { 0 }):item())
    local weights = { sample_weight = { { 1 }, { 1 }, { 0 }, { 1.5 } } } -- as TensorFlow has it
    assert.equal(2.25, pod.losses.compute_average_loss({ 1, 2, 3, 4 }, weights):item())
  end)

  it("of a coroutine are its own", function()
    local strategy, get = pod.distribute.mirrored(4), pod.distribute.get_strategy
    local seen = {}
    local thread = coroutine.create(function()
      strategy:enter()
      coroutine.yield()
      seen[1] = get()
    end)
    coroutine.resume(thread)
    assert.is_false(pod.distribute.has_strategy()) -- it yielded
    assert(coroutine.resume(thread))
    assert.equal(strategy, seen[1])
    assert.is_false(pod.distribute.has_strategy()) -- it ended with its scope open
    if not lua_version.yields_across_calls then
      return
    end
    local wrapped = coroutine.wrap(function()
      strategy:scope(function()
        coroutine.yield()
        seen[2] = get()
      end)
    end)
    wrapped()
    assert.is_false(pod.distribute.has_strategy())
    local other = pod.distribute.mirrored(2)
    other:scope(function()
      wrapped() -- ends its scope, not this one
      assert.equal(other, get())
      coroutine.wrap(function()
        seen[3] = get() -- what waits for it counts
      end)()
    end)
    assert.same({ strategy, strategy, other }, seen)
    assert.is_false(pod.distribute.has_strategy())
  end)

  it("tell which strategy things belong to", function()
    local strategy = distribute.mirrored(2)
    assert.is_false(distribute.has_strategy())
    local result = strategy:scope(function()
      assert.equal(strategy, pod.get_strategy())
      assert.is_true(distribute.has_strategy())
      return pod.variable(1)
    end)
    assert.equal(strategy, result.strategy)
    assert.equal(1, pod.get_strategy().num_replicas_in_sync)
    assert.matches("strategy_spec.lua:%d+", result.location)
  end)

  it("open and close by hand, and after errors", function()
    local strategy = distribute.mirrored(2)
    local scope = strategy:enter()
    assert.equal(strategy, pod.get_strategy())
    scope:close()
    scope:close()
    assert.not_equal(strategy, pod.get_strategy())
    if lua_version.has_close then
      assert.equal(strategy, assert(load [[
        local pod, strategy = ...
        local guard <close> = strategy:enter()
        return (pod.get_strategy())]])(pod, strategy))
    end
    assert.not_equal(strategy, pod.get_strategy())
    assert.error_matches(function() strategy:scope(function() error "mine" end) end, "mine")
    assert.not_equal(strategy, pod.get_strategy())
  end)

  it("nest only with themselves", function()
    local a, b = distribute.mirrored(2), distribute.mirrored(3)
    a:scope(function() a:scope(function() end) end)
    assert.error_matches(function()
      a:scope(function() b:scope(function() end) end)
    end, "mirrored strategy, 3 replicas.*strategy_spec.lua.*mirrored strategy, 2 replicas")
    a:scope(function()
      distribute.within(b, function() assert.equal(b, pod.get_strategy()) end)
      assert.equal(a, pod.get_strategy())
    end)
  end)

  it("keep things of different strategies apart", function()
    local a, b = distribute.mirrored(2), distribute.mirrored(3)
    local model = { name = "model", _strategy = a, _created_at = "train.lua:3" }
    local optimizer = { name = "adam", _strategy = b, _created_at = "train.lua:9" }
    distribute.check_same_strategy(model, model, "optimizer")
    assert.error_matches(function() distribute.check_same_strategy(model, optimizer, "optimizer") end,
      "optimizer 'adam' %(made at train.lua:9%).*'model' %(made at train.lua:3%).*strategy:scope")
  end)
end)
