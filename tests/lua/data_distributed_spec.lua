local pod = require "moonpod"
local data = require "moonpod.data"

local function mirrored(n)
  return pod.distribute.mirrored(n)
end

-- The values of each replica for each step: {{{0, 1}, {2, 3}}, {{4}, {5}}}.
local function steps_of(distributed)
  local steps = {}
  for value in distributed:iter() do
    local replicas = {}
    for i, t in ipairs(value:values()) do
      replicas[i] = t:totable()
    end
    steps[#steps + 1] = replicas
  end
  return steps
end

describe("a distributed dataset", function()
  -- goldens of tf.distribute's guide
  it("divides global batches among replicas, full shards first", function()
    assert.same({ { { 0, 1 }, { 2, 3 } }, { { 4 }, { 5 } } },
      steps_of(mirrored(2):distribute_dataset(data.range(6):batch(4))))
    assert.same({ { { 0 }, { 1 }, { 2 }, { 3 }, {} } },
      steps_of(mirrored(5):distribute_dataset(data.range(4):batch(4))))
  end)

  it("is the same by ds:distribute", function()
    local ds, strategy = data.range(12):batch(8), mirrored(4)
    assert.same(steps_of(strategy:distribute_dataset(ds)), steps_of(ds:distribute(strategy)))
    assert.equal("spec(int64 (any,))", tostring(ds:distribute(strategy):element_spec()))
    assert.equal(2, ds:distribute(strategy):cardinality())
  end)

  it("takes global batches, and counts steps by them", function()
    local strategy = mirrored(8)
    assert.equal(1024, strategy:global_batch(128))
    local ds = data.range(60000):batch(strategy:global_batch(128), { drop_remainder = true })
    assert.equal(58, #ds)
    local next_value, it = ds:distribute(strategy):iter()
    assert.equal(128, #next_value(it):values()[1]:totable())
    it:close()
  end)

  it("may be made of local batches", function()
    local seen
    local distributed = mirrored(2):distribute_datasets_from_function(function(context)
      seen = { context.num_input_pipelines, context.input_pipeline_id, context.num_replicas_in_sync,
        context:get_per_replica_batch_size(4) }
      return data.range(8):batch(context.get_per_replica_batch_size(4))
    end)
    assert.same({ 1, 0, 2, 2 }, seen)
    assert.same({ { { 0, 1 }, { 2, 3 } }, { { 4, 5 }, { 6, 7 } } }, steps_of(distributed))
    assert.error_matches(function()
      mirrored(2):distribute_datasets_from_function(function(context)
        return data.range(8):batch(context:get_per_replica_batch_size(5))
      end)
    end, "a global batch of 5 cannot be divided among 2 replicas")
    assert.error_matches(function()
      mirrored(2):distribute_datasets_from_function(function() return data.range(8) end)
    end, "must return a dataset of batches")
  end)

  it("gives functions and structures of elements their parts", function()
    local x, y = pod.tensor { { 1, 2 }, { 3, 4 } }, pod.tensor({ 7, 8 }, { dtype = "int32" })
    local ds = data.from_tensor_slices({ x, y }):map(function(a, b) return a * 2, b end):batch(2)
    for a, b in ds:distribute(mirrored(2)):iter() do
      assert.same({ { 6, 8 } }, a:values()[2]:totable())
      assert.same({ 8 }, b:values()[2]:totable())
    end
  end)

  it("names what it is not for", function()
    local distributed = data.range(4):batch(2):distribute(mirrored(2))
    assert.error_matches(function() distributed:map(function(v) return v end) end,
      "distributed datasets have no 'map': map, batch and shuffle before distributing")
    assert.error_matches(function() mirrored(2):distribute_dataset { 1, 2 } end, "is no dataset")
    assert.error_matches(function() data.range(4):distribute() end, "a strategy is needed")
  end)
end)
