local pod = require "moonpod"
local data = require "moonpod.data"

local mirrored = pod.distribute.mirrored

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

local prefix = os.tmpname()
os.remove(prefix)

-- Record files with the numbers from each first to each last as texts.
local function record_files(ranges)
  local paths = {}
  for i, range in ipairs(ranges) do
    paths[i] = ("%s-%d-of-%d"):format(prefix, i, #ranges)
    local writer = data.records.writer(paths[i])
    for n = range[1], range[2] do
      writer:write(data.records.example { n = n })
    end
    writer:close()
  end
  return paths
end

local function numbers(paths)
  return data.tfrecord(paths):parse_example { n = pod.spec({}, "int64") }:map(function(e) return e.n end)
end

describe("a dataset over several hosts", function()
  local two_files
  setup(function()
    two_files = record_files { { 0, 5 }, { 6, 11 } }
  end)
  teardown(function()
    os.execute("rm -f " .. prefix .. "*")
  end)

  local function hosts(replicas)
    return mirrored(replicas or 2, { num_hosts = 2 })
  end

  -- goldens of tf.distribute's guide, and what TensorFlow's AutoShardDataset gives
  it("is divided by files", function()
    local steps = { { { 0, 1 }, { 6, 7 } }, { { 2, 3 }, { 8, 9 } }, { { 4 }, { 10 } }, { { 5 }, { 11 } } }
    local ds = numbers(two_files):batch(4)
    assert.same(steps, steps_of(hosts():distribute_dataset(ds:options { auto_shard = "FILE" })))
    assert.same(steps, steps_of(hosts():distribute_dataset(ds))) -- AUTO
    assert.same(steps, steps_of(hosts():distribute_dataset(data.from_texts(two_files):interleave(numbers):batch(4))))
    assert.same(steps, steps_of(hosts():distribute_dataset(
      data.list_files(prefix .. "*", { shuffle = false }):flat_map(numbers):batch(4))))
  end)

  it("is divided by data", function()
    local steps = { { { 0, 1 }, { 2, 3 } }, { { 4, 5 }, { 6, 7 } }, { { 8, 9 }, { 10, 11 } } }
    assert.same(steps, steps_of(hosts():distribute_dataset(
      numbers(two_files):batch(4):options { auto_shard = "DATA" })))
    assert.same(steps, steps_of(hosts():distribute_dataset(data.range(12):batch(4)))) -- AUTO without files
  end)

  it("is the same for all hosts when nothing is to be divided", function()
    local steps = {}
    for i = 0, 10, 2 do
      steps[#steps + 1] = { { i, i + 1 }, { i, i + 1 } }
    end
    assert.same(steps, steps_of(hosts():distribute_dataset(
      numbers(two_files):batch(4):options { auto_shard = "OFF" })))
  end)

  it("says when it cannot be divided", function()
    local function distribute(ds, policy)
      return function()
        return hosts():distribute_dataset(ds:options { auto_shard = policy })
      end
    end
    local one = numbers { two_files[1] }:batch(4)
    local few = "only 1 file, which is not enough for 2 hosts; write more files, or give options"
    assert.error_matches(distribute(one, "FILE"), few)
    assert.error_matches(distribute(one, "AUTO"), few) -- as TensorFlow
    assert.same({ { { 0, 1 }, { 2, 3 } }, { { 4 }, { 5 } } }, steps_of(distribute(one, "DATA")()))
    assert.error_matches(distribute(data.range(4):batch(2), "FILE"), "'range, batch'%) reads no files; use DATA or OFF")
    assert.error_matches(distribute(data.range(4), "OFF"), "call batch%(n%) before")
    assert.error_matches(function() one:options { auto_shard = "HINTS" } end, '"AUTO", "FILE", "DATA", "HINT" or "OFF"')
    assert.error_matches(function() one:options { sharding = "OFF" } end, "sharding")
    assert.error_matches(function() mirrored(3, { num_hosts = 2 }) end, "3 replicas cannot be divided among 2 hosts")
  end)

  -- goldens of TensorFlow's AutoShardDataset with AutoShardPolicy.HINT: batches of each host
  it("is divided where a mark says so", function()
    local hint = data.SHARD_HINT
    local function batches_of(ds)
      local distributed = hosts():distribute_dataset(ds:batch(2):options { auto_shard = "HINT" })
      local result = {}
      for host = 1, 2 do
        result[host] = {}
        for batch in distributed.pipeline:iter { file_shards = 2, file_shard = host - 1, at_marks = true } do
          result[host][#result[host] + 1] = batch:totable()
        end
      end
      return result, steps_of(distributed), distributed
    end
    local function even(x) return pod.equal(x % 2, 0) end
    local mark = data.range(7):shard(hint, hint)
    local batches, steps, distributed = batches_of(mark)
    assert.same({ { { 0, 2 }, { 4, 6 } }, { { 1, 3 }, { 5 } } }, batches)
    assert.same({ { { 0 }, { 1 } }, { { 2 }, { 3 } }, { { 4 }, { 5 } }, { { 6 }, {} } }, steps)
    assert.same({ 4, 3 }, distributed:shard_report().examples)
    assert.equal("HINT", distributed.auto_shard)
    assert.same({ { { 0, 20 }, { 40, 60 } }, { { 10, 30 }, { 50 } } },
      (batches_of(mark:map(function(x) return x * 10 end))))
    assert.same({ { { 0, 4 }, { 8 } }, { { 2, 6 } } }, (batches_of(data.range(9):filter(even):shard(hint, hint))))
    assert.same({ { { 0, 2 }, { 0, 2 } }, { { 1, 1 } } }, (batches_of(data.range(3):shard(hint, hint):repeat_(2))))
    assert.same({ { { 0, 4 } }, { { 3 } } }, (batches_of(mark:shard(hint, hint))))
    assert.same({ { { 0, 4 } }, { { 2, 6 } } }, (batches_of(data.range(7):shard(2, 0):shard(hint, hint))))
    assert.same({ { { 0, 1 }, { 2, 3 }, { 4, 5 } }, { { 6, 7 }, { 8, 9 }, { 10, 11 } } }, -- names of files
      (batches_of(data.from_texts(two_files):shard(hint, hint):interleave(numbers))))
    assert.equal(data.UNKNOWN, mark:cardinality())
    local alone = mirrored(2):distribute_dataset(mark:batch(4):options { auto_shard = "HINT" })
    assert.same({ { { 0, 1 }, { 2, 3 } }, { { 4, 5 }, { 6 } } }, steps_of(alone)) -- one host has all
  end)

  it("has no use for a mark without its policy, nor for the policy without a mark", function()
    local hint = data.SHARD_HINT
    local mark = data.range(7):shard(hint, hint):batch(2)
    for _, policy in ipairs { "AUTO", "DATA", "FILE", "OFF" } do
      for _, count in ipairs { 1, 2 } do
        assert.error_matches(function()
          mirrored(2, { num_hosts = count }):distribute_dataset(mark:options { auto_shard = policy })
        end, "auto_shard " .. policy .. ": shard%(SHARD_HINT, SHARD_HINT%) has a meaning with")
      end
    end
    assert.error_matches(function()
      hosts():distribute_dataset(data.range(7):batch(2):options { auto_shard = "HINT" })
    end, "auto_shard HINT: no stage is marked")
    assert.error_matches(function() mark:totable() end, "only a strategy's dataset with options")
    local function marked(x) return data.from_tensors(x):repeat_(4):shard(hint, hint) end
    assert.error_matches(function()
      steps_of(hosts():distribute_dataset(data.range(4):shard(hint, hint):flat_map(marked):batch(2):options {
        auto_shard = "HINT" }))
    end, "not where a function of elements makes the dataset")
    assert.error_matches(function()
      steps_of(hosts():distribute_dataset(data.range(1):shard(hint, hint):batch(2):options { auto_shard = "HINT" }))
    end, "only 1 element comes here, which is not enough for 2 hosts")
    assert.error_matches(function() data.range(4):shard(hint, 0) end, "the number of shards must be")
    assert.error_matches(function() data.range(4):shard(2, hint) end, "the index must be")
  end)

  it("has caches for each host's part", function()
    local all = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 }
    local marked = data.range(12):shard(data.SHARD_HINT, data.SHARD_HINT)
    for _, ds in ipairs { marked:cache():options { auto_shard = "HINT" }, numbers(two_files):cache(),
      marked:cache(prefix .. "-marked"):options { auto_shard = "HINT" },
      numbers(two_files):cache(prefix .. "-files") } do
      local it = hosts():distribute_dataset(ds:batch(4)):iterator()
      for _ = 1, 3 do
        local seen = {}
        for value in function() return it:next() end do
          for _, t in ipairs(value:values()) do
            for _, n in ipairs(t:totable()) do
              seen[#seen + 1] = n
            end
          end
        end
        table.sort(seen)
        assert.same(all, seen)
        it:rewind()
      end
      it:close()
    end
  end)

  it("loses nothing where files are uneven, and reports it", function()
    local uneven = record_files { { 0, 0 }, { 1, 2 }, { 3, 9 } } -- host 0: files 1 and 3
    local distributed = hosts(4):distribute_dataset(numbers(uneven):batch(4))
    local seen = {}
    for _, step in ipairs(steps_of(distributed)) do
      assert.equal(4, #step)
      for _, rows in ipairs(step) do
        for _, n in ipairs(rows) do
          seen[#seen + 1] = n
        end
      end
    end
    table.sort(seen)
    assert.same({ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }, seen)
    local report = distributed:shard_report()
    assert.same({ 8, 2 }, report.examples)
    assert.equal(10, report.total)
    assert.equal(10, report.replicas[1] + report.replicas[2] + report.replicas[3] + report.replicas[4])
    assert.near(60, report.imbalance, 1e-9)
    assert.same({ 6, 6 }, hosts():distribute_dataset(data.range(12):batch(4)):shard_report().examples)
  end)

  it("may be made of local batches, a pipeline a host", function()
    local contexts = {}
    local distributed = hosts(4):distribute_datasets_from_function(function(context)
      contexts[#contexts + 1] = { context.num_input_pipelines, context.input_pipeline_id,
        context.num_replicas_in_sync, context:get_per_replica_batch_size(8) }
      return data.range(10):shard(context.num_input_pipelines, context.input_pipeline_id):batch(2)
    end)
    assert.same({ { 2, 0, 4, 2 }, { 2, 1, 4, 2 } }, contexts)
    assert.same({ { { 0, 2 }, { 4, 6 }, { 1, 3 }, { 5, 7 } }, { { 8 }, { 9 }, {}, {} } }, steps_of(distributed))
    assert.equal(2, distributed:cardinality())
  end)

  it("has the hosts of the slice", function()
    local resolver = pod.cluster.resolve { accelerator = "v3-32" }
    local strategy = pod.distribute.tpu_strategy(resolver)
    assert.equal(4, strategy.num_hosts)
    local seen
    strategy:distribute_datasets_from_function(function(context)
      seen = context.num_input_pipelines
      return data.range(4):batch(1)
    end)
    assert.equal(4, seen)
  end)

  it("gives each step the rows that a model trains on", function()
    local strategy = hosts(2)
    local sum, it = 0, strategy:distribute_dataset(numbers(two_files):batch(4)):iterator()
    while true do
      local value = it:next()
      if value == nil then
        break
      end
      sum = sum + strategy:reduce("sum", value, 0):item()
    end
    assert.equal(66, sum)
    it:rewind()
    it:next()
    local state = it:state()
    local expected = it:next():values()[2]:totable()
    it:restore(state)
    assert.same(expected, it:next():values()[2]:totable())
    it:close()
  end)
end)

describe("a model over replicas", function()
  -- Trains and evaluates on `rows` rows in batches; returns what it reports.
  local function results(replicas, rows, batch)
    pod.random.set_seed(3)
    local strategy = mirrored(replicas)
    local x, y = {}, {}
    for i = 1, rows do
      x[i], y[i] = { i / rows, (i * 7 % 5) / 5 }, i % 3
    end
    local ds = data.from_tensor_slices({ pod.tensor(x), pod.tensor(y, { dtype = "int32" }) }):batch(batch)
    local model = strategy:scope(function()
      local model = pod.models.sequential { pod.layers.dense(8, { activation = "relu", input_shape = { 2 } }),
        pod.layers.dense(3) }
      model:compile { optimizer = "sgd", metrics = { "accuracy" },
        loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
      return model
    end)
    local distributed = strategy:distribute_dataset(ds)
    local history = model:fit(distributed, { epochs = 3, verbose = 0 }).history
    local evaluated = model:evaluate(distributed, { verbose = 0, return_dict = true })
    local inputs = data.from_tensor_slices(pod.tensor(x)):batch(batch)
    return { history.loss[3], history.accuracy[3], evaluated.loss, evaluated.accuracy },
      model:predict(inputs, { verbose = 0 }):totable()
  end

  it("reports exact losses and metrics, and predicts in the order of the input, however short batches are", function()
    for _, case in ipairs { { 12, 12 }, { 13, 8 }, { 3, 8 }, { 21, 20 } } do
      local rows, batch = case[1], case[2]
      local one, predicted = results(1, rows, batch)
      for _, replicas in ipairs { 2, 5, 8 } do
        local several, order = results(replicas, rows, batch)
        for i, value in ipairs(one) do
          assert.near(value, several[i], 1e-6, ("%d rows, %d replicas: %d"):format(rows, replicas, i))
        end
        assert.equal(rows, #order)
        for i, row in ipairs(predicted) do
          for j, value in ipairs(row) do
            assert.near(value, order[i][j], 1e-5)
          end
        end
      end
    end
  end)

  it("has batches ready: one a replica of a distributed dataset, none of local ones", function()
    local strategy = mirrored(4)
    local function ahead(ds)
      return ds:iterator().handle:stats().prefetch_buffer
    end
    assert.equal(4, ahead(strategy:distribute_dataset(data.range(64):batch(32)).dataset))
    assert.equal(2, ahead(strategy:distribute_dataset(data.range(64):batch(32):prefetch(2)).dataset))
    local function make(prefetch)
      return strategy:distribute_datasets_from_function(function(context)
        local ds = data.range(64):batch(context.get_per_replica_batch_size(32))
        return prefetch and ds:prefetch(prefetch) or ds
      end).dataset
    end
    assert.equal(0, ahead(make()))
    assert.equal(3, ahead(make(3)))
  end)

  it("shows the host's memory of global and of local batches", function()
    -- 4096 rows of 1 MB, and a replica's 512, a thousandth of that each
    local rows = data.from_tensor_slices(pod.zeros { 4096, 250 })
    local global, own = rows:batch(4096), rows:batch(512)
    assert.equal(4096 * 1000, global:host_bytes())
    assert.equal(512 * 1000, own:host_bytes())
  end)
end)

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
    assert.equal(58, ds:cardinality())
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

describe("a global batch", function()
  it("that looks as if it were divided already brings a warning", function()
    local told = {}
    local unwatch = require("moonpod.base.warnings").watch(function(text) told[#told + 1] = text end)
    finally(unwatch) -- luacheck: ignore
    local strategy = pod.distribute.mirrored(8)
    local function rows_each(size)
      told = {}
      local distributed = strategy:distribute_dataset(pod.data.range(2048):batch(size))
      local advance = distributed:iter()
      return advance():values()[1].shape[1], #told
    end
    local function check(each, warnings, size)
      local rows, count = rows_each(size)
      assert.same({ each, warnings }, { rows, count })
    end
    check(16, 1, 1024 / 8) -- 1024 // num_replicas
    assert.matches("128 elements is the GLOBAL batch: each of 8 replicas gets 16. It must not be divided", told[1])
    check(128, 0, 1024)
    check(7, 1, 56)
    check(24, 0, 192)
    check(16, 0, strategy:global_batch(16)) -- this is what was asked for
  end)
end)

describe("the estimate of what a host holds", function()
  it("is near what it holds, of global and of local batches", function()
    local x = pod.zeros { 1024, 250 } -- a thousandth of 1 MB a row
    local function add(row) return row + 1 end
    local function rows(size, options)
      return pod.data.from_tensor_slices(x):repeat_():map(add, options):batch(size)
    end
    local function now()
      collectgarbage()
      collectgarbage()
      return pod.memory_info("/CPU:0").current
    end
    -- Until the queue is full: nothing was added for a while, and what is expected is there. Where it is never there,
    -- two minutes; a slow stage adds nothing for longer than any while that could be named.
    local function settle(before, expected)
      local deadline = os.time() + 120
      local last, since
      repeat
        local bytes = pod.memory_info("/CPU:0").current
        if bytes ~= last then
          last, since = bytes, os.clock()
        end
      until os.clock() > since + 0.05 and (bytes - before > expected or os.time() > deadline)
    end
    local function check(distributed)
      local before, it = now(), distributed:iterator()
      local estimate = distributed.dataset:host_bytes()
      for _ = 1, 3 do -- a batch that is kept until the queue is full, and dropped then, is used again
        local kept = { it:next() } -- luacheck: ignore
        settle(before, 0.8 * estimate)
        kept = nil
        collectgarbage()
      end
      local held = now() - before
      it:close()
      assert(held < 1.2 * estimate and held > 0.8 * estimate, ("%d of %d"):format(held, estimate))
      return estimate
    end
    local global, locals
    for _, replicas in ipairs { 1, 2, 8 } do
      local strategy = pod.distribute.mirrored(replicas)
      global = check(strategy:distribute_dataset(rows(1024)))
      check(strategy:distribute_dataset(rows(1024, { defer = false }):prefetch(2)))
      locals = check(strategy:distribute_datasets_from_function(function() return rows(1024 / replicas) end))
    end
    assert(locals < global / 4)
    check(pod.distribute.mirrored(8):distribute_dataset(rows(256):unbatch():shuffle(500):batch(1024)))
  end)
end)
