local pod = require "moonpod"
local cluster, device = pod.cluster, pod.device

describe("a resolver", function()
  it("keeps its fields", function()
    local r = cluster.resolve { accelerator = "v3-8", zone = "here", job_name = "worker" }
    assert.equal("v3-8", r.accelerator)
    assert.equal("here", r.zone)
    assert.equal("sim://v3-8", r:master())
    assert.equal("v3-8", cluster.resolve("v3-8").accelerator)
    assert.equal("v3-8", cluster.resolve({ version = "v3", topology = "2x2" }).accelerator)
    assert.equal("v5e-8", cluster.resolve("v5litepod-8").accelerator)
    assert.equal(6, cluster.resolve({ accelerator = "local", num_cores = 6 }):num_replicas())
    assert.matches("option accelerator", r:explain())
  end)

  it("knows what slices are made of", function()
    local function metadata(name)
      return cluster.resolve(name):metadata()
    end
    local m = metadata "v3-8"
    assert.same({ 4, 1, 8, 2, 16 * 2 ^ 30 },
      { m.num_chips, m.num_hosts, m.num_cores, m.cores_per_chip, m.hbm_per_core })
    assert.same({ 2, 2 }, m.topology)
    assert.equal(4, metadata("v3-32").num_hosts)
    assert.same({ 2, 4 }, metadata("v5e-8").topology)
    assert.equal(1, metadata("v5e-8").num_hosts)
    assert.same({ 2, 2, 1 }, metadata("v4-8").topology)
    assert.equal(4, cluster.resolve("v4-8"):num_replicas())
    assert.equal(8, cluster.resolve("v3-8"):num_accelerators())
    assert.same({ 4, 8 }, metadata("v3-64").topology)
    assert.same({ 2, 2, 4 }, metadata("v4-32").topology)
    assert.same({ 4, 8, 8 }, metadata("v4-512").topology)
  end)

  it("refuses what does not exist, with what does", function()
    assert.error_matches(function() cluster.resolve "v3-9" end, "no v3%-9.*v3%-8")
    assert.error_matches(function() cluster.resolve "v33-8" end, "no TPU generation 'v33'")
    assert.error_matches(function() cluster.resolve "big" end, "no accelerator")
    assert.error_matches(function() cluster.resolve { tpu = "nosuch" } end, "'nosuch'")
    assert.error_matches(function() cluster.resolve { acelerator = "v3-8" } end, "did you mean 'accelerator'")
    assert.error_matches(function() cluster.resolve { accelerator = "local", num_cores = 0 } end, "num_cores")
  end)

  it("takes no slice that no pod has, however it is written", function()
    local function refuses(options, message)
      assert.error_matches(function() cluster.resolve(options) end, message)
    end
    refuses({ version = "v3", topology = "4x4x4" }, "no slice of v3 of 4x4x4 chips; the nearest are .*4x8")
    refuses({ version = "v3", topology = "2x2 junk" }, "'2x2 junk' is no topology")
    refuses({ version = "v3", topology = "junk" }, "'junk' is no topology")
    refuses({ version = "v3", topology = "2x4" }, "no slice of v3 of 2x4 chips; the nearest are 2x2, 4x4")
    refuses({ version = "v3-8", topology = "2x2" }, "no TPU generation 'v3%-8'; did you mean 'v3'")
    refuses({ version = "v9", topology = "2x2" }, "no TPU generation 'v9'")
    refuses("v5e-6", "no v5e%-6.*nearest are v5e%-1 %(1x1%), v5e%-4 %(2x2%), v5e%-8 %(2x4%)")
    refuses("v5e-2", "no v5e%-2.*v5e%-1 .*v5e%-4")
    refuses("v3-8 ", "no slice")
    refuses("v3", "no accelerator")
    assert.equal("v4-32", cluster.resolve("v4-2x2x4").accelerator)
    -- each one that there is, by name and by topology
    for _, chip in ipairs(pod.chips()) do
      for _, slice in ipairs(chip:slices()) do
        local r = cluster.resolve(slice.name)
        assert.same({ slice.num_devices, slice.num_chips, slice.shape },
          { r:num_replicas(), r:metadata().num_chips, r:metadata().topology })
        assert.equal(slice.name, cluster.resolve({ version = chip.name, topology = slice.topology }).accelerator)
      end
    end
  end)

  it("refuses options that contradict each other, and those in vain", function()
    local function refuses(options, message)
      assert.error_matches(function() cluster.resolve(options) end, message)
    end
    refuses({ accelerator = "v3-8", topology = "4x4" }, "accelerator and topology are both given")
    refuses({ accelerator = "v3-8", version = "v4" }, "accelerator and version are both given")
    refuses({ accelerator = "v3-8", num_cores = 4 }, "accelerator and num_cores are both given")
    refuses({ version = "v3", topology = "2x2", num_cores = 4 }, "num_cores and topology are both given")
    refuses({ version = "v3", num_cores = 4 }, "num_cores and version are both given")
    refuses({ topology = "2x2" }, "a topology needs a version: one of v2, v3")
    refuses({ version = "v4" }, "says no size: give topology")
    refuses({ accelerator = 8 }, "option 'accelerator' must be a string")
    refuses({ zone = {} }, "option 'zone' must be a string")
  end)

  it("is filled from the environment", function()
    local getenv = os.getenv
    local values = {}
    os.getenv = function(name) return values[name] end -- luacheck: ignore
    finally(function() os.getenv = getenv end) -- luacheck: ignore
    values.TPU_ACCELERATOR_TYPE = "v2-8"
    assert.equal("v2-8", cluster.resolve().accelerator)
    assert.matches("TPU_ACCELERATOR_TYPE", cluster.resolve():explain())
    values = { TPU_TOPOLOGY = "4x4" }
    assert.equal("v3-32", cluster.resolve().accelerator)
    assert.equal("v2-32", cluster.resolve({ version = "v2" }).accelerator)
    values = { TPU_TOPOLOGY = "4x5" }
    assert.error_matches(function() cluster.resolve() end, "no slice of v3 of 4x5 chips")
    values = { TPU_NAME = "mine" }
    assert.error_matches(function() cluster.resolve() end, "'mine' %(environment TPU_NAME%)")
    assert.equal("v3-8", cluster.resolve("v3-8").accelerator)
    values = {}
    assert.matches("nothing was asked for", cluster.resolve():explain())
  end)
end)

describe("a resolver that is told nothing", function()
  local getenv, folder, values = os.getenv, nil, nil

  local function write(text)
    local file = assert(io.open(folder .. "/moonpod/cluster.json", "w"))
    file:write(text)
    file:close()
  end

  before_each(function()
    folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir -p " .. folder .. "/moonpod")
    values = { XDG_CONFIG_HOME = folder }
    os.getenv = function(name) return values[name] end -- luacheck: ignore
  end)
  after_each(function()
    os.getenv = getenv -- luacheck: ignore
    os.execute("rm -rf " .. folder)
  end)

  it("asks the file of the user, behind arguments and the environment", function()
    write '{ "accelerator": "v4-16", "zone": "here", "project": "mine", "host": "node" }'
    local r = cluster.resolve()
    assert.same({ "v4-16", "here", "mine", "node", "v4", "2x2x2", 16 },
      { r.accelerator, r.zone, r.project, r.host, r.version, r.topology, r.num_cores })
    assert.matches("configuration file .*/moonpod/cluster.json; 8 cores", r:explain())
    assert.equal("v4-16", cluster.resolve({ zone = "there" }).accelerator)
    assert.equal("there", cluster.resolve({ zone = "there" }).zone)
    assert.equal("v3-8", cluster.resolve("v3-8").accelerator)
    assert.equal("vm", cluster.resolve("v3-8").host)
    values.TPU_ACCELERATOR_TYPE = "v2-8"
    assert.equal("v2-8", cluster.resolve().accelerator)
    values = { HOME = folder }
    os.execute(("mkdir %s/.config && mv %s/moonpod %s/.config"):format(folder, folder, folder))
    assert.equal("v4-16", cluster.resolve().accelerator)
    values = {}
    assert.equal("v3-8", cluster.resolve().accelerator)
  end)

  it("says what is wrong with that file", function()
    local function refuses(text, message)
      write(text)
      assert.error_matches(function() cluster.resolve() end, message)
    end
    refuses('{ "accelerator": ', "cluster.json.*")
    refuses('[1]', "cluster.json: ")
    refuses('"v3-8"', "cluster.json: it must be an object, not \"v3%-8\"")
    refuses('{ "acelerator": "v3-8" }', "cluster.json.*did you mean 'accelerator'")
    refuses('{ "accelerator": 8 }', "cluster.json: 'accelerator' must be a text, not 8")
    refuses('{ "accelerator": "v3-9" }', "no v3%-9")
    refuses('{ "tpu": "mine" }', "cluster.json: 'tpu' names a real TPU")
    write '{ "num_cores": 3 }'
    assert.equal(3, cluster.resolve():num_replicas())
    write '{ "zone": "z" }'
    assert.matches("nothing was asked for", cluster.resolve():explain())
    assert.equal("z", cluster.resolve().zone)
  end)
end)

describe("connecting and initialising", function()
  it("is accepted, and its order checked where it is used", function()
    local r = cluster.resolve "v3-8"
    cluster.connect(r)
    assert.error_matches(function() pod.distribute.tpu_strategy(r) end, "connected but not initialised")
    local topology = cluster.initialize(r)
    assert.equal("<topology 2x2: 4 chips, 8 cores>", tostring(topology))
    assert.equal(8, topology.num_cores)
    assert.equal(8, pod.distribute.tpu_strategy(r).num_replicas_in_sync)
    assert.error_matches(function() cluster.connect {} end, "needs a resolver")
    cluster.shutdown(r)
    assert.error_matches(function() pod.distribute.tpu_strategy(r) end, "shut down")
    assert.error_matches(function() cluster.shutdown(r) end, "not initialised")
  end)

  it("is not needed", function()
    assert.equal(8, pod.distribute.tpu_strategy(cluster.resolve "v3-8").num_replicas_in_sync)
  end)

  it("loses variables when it is done again", function()
    local r = cluster.connect_to { accelerator = "v3-8" }
    local strategy = pod.distribute.tpu_strategy(r)
    local v = strategy:scope(function() return pod.variable(1) end)
    assert.equal(1, v:value():item())
    cluster.initialize(r)
    assert.error_matches(function() v:value() end, "lost when the system was initialised again, which clears its mem")
    local w = pod.distribute.tpu_strategy(r):scope(function() return pod.variable(2) end)
    cluster.shutdown(r)
    assert.error_matches(function() w:value() end, "lost when the system was shut down, which clears its memory")
    assert.error_matches(function() v:value() end, "lost when the system was initialised again")
  end)

  it("cannot be done while tracing", function()
    local r = cluster.resolve "v3-8"
    assert.error_matches(function()
      pod.func(function() cluster.initialize(r) end)()
    end, "inside of a compiled function")
  end)
end)

describe("auto_strategy", function()
  local function auto(options)
    local lines = {}
    options.sink = function(line) lines[#lines + 1] = line end
    return cluster.auto_strategy(options), lines
  end

  it("takes what is preferred and says so", function()
    local strategy, lines = auto { prefer = { "sim-v3-8", "cpu" } }
    assert.equal(8, strategy.num_replicas_in_sync)
    assert.same({ "Running on TPU sim://v3-8", "TPU strategy initialized.", "Number of accelerators: 8" }, lines)
    cluster.shutdown(strategy.resolver)
  end)

  it("raises for what does not exist, wherever it stands", function()
    assert.error_matches(function() auto { prefer = "v3-9" } end, "no v3%-9.*nearest are v3%-8")
    assert.error_matches(function() auto { prefer = { "v3-9", "cpu" } } end, "no v3%-9")
    assert.error_matches(function() auto { prefer = { "v3-8", "v33-8" } } end, "no TPU generation 'v33'")
    assert.error_matches(function() auto { prefer = { "cpu", "sim-v3-9" } } end, "no v3%-9")
    assert.error_matches(function() auto { prefer = { "cpi" } } end, "'cpi' is no accelerator")
    assert.error_matches(function() auto { prefer = { 8 } } end, "prefer%[1%] must be a string")
    assert.error_matches(function() auto { prefer = 8 } end, "option 'prefer' must be a table")
    assert.error_matches(function() auto { tpu = 8 } end, "option 'tpu' must be a string")
    local strategy = auto { prefer = "v3-32" }
    assert.equal(32, strategy.num_replicas_in_sync)
    cluster.shutdown(strategy.resolver)
    assert.equal(1, (auto { prefer = { "cpu", "v3-8" } }).num_replicas_in_sync)
  end)

  it("falls back to the default strategy", function()
    local strategy, lines = auto { tpu = "nosuch", verbose = 0 }
    assert.equal(1, strategy.num_replicas_in_sync)
    assert.same({ "TPU not found. Using default strategy." }, lines)
  end)
end)

describe("devices", function()
  it("are listed as the cores of the resolver in use", function()
    local r = cluster.connect_to "v3-8"
    local list = pod.devices "TPU"
    assert.equal(8, #list)
    assert.equal("/device:TPU:7", list[8].name)
    assert.same({ 3, 1, { 1, 1 } }, { list[8].chip, list[8].core, list[8].coords })
    assert.equal(9, #pod.devices())
    assert.matches("device%s+chip%s+core%s+coords%s+memory%s+usable%s+used%s+peak\n/device:TPU:0%s+0%s+0%s+0,0%s+"
      .. "16.00 GiB%s+15.48 GiB", tostring(list))
    assert.equal("/job:localhost/replica:0/task:0/device:TPU:0", pod.ones({ 1 }):device())
    -- a variable of (3, 5) takes tiles of (4, 128) floats
    local before = list[1].used_bytes
    local v = pod.distribute.tpu_strategy(r):scope(function() return pod.variable(pod.ones { 3, 5 }) end)
    assert.equal(before + 4 * 128 * 4, list[8].used_bytes)
    assert(list[1].peak_bytes >= list[1].used_bytes and list[1].used_bytes < list[1].usable_bytes)
    assert.equal("(3, 5)", tostring(v.shape))
    cluster.shutdown(r)
    assert.equal(nil, list[1].used_bytes)
    assert.matches("16.00 GiB%s+%-%s+%-", tostring(list))
    assert.equal(0, #pod.devices "TPU")
    assert.equal("/device:CPU:0", pod.devices("CPU")[1].name)
  end)

  it("are where a function runs that is given one", function()
    assert.error_matches(function() device("/TPU:3", function() end) end, "no TPU is in use")
    local r = cluster.connect_to "v3-8"
    finally(function()
      cluster.shutdown(r)
    end)
    local function here()
      return tonumber(pod.ones({ 1 }):device():match "^/job:localhost/replica:0/task:0/device:TPU:(%d)$")
    end
    local y, more = device("/TPU:3", function(a)
      local x = pod.ones { 2 }
      assert.equal(3, here())
      assert.equal(2, device("/TPU:2", here)) -- the innermost counts
      assert.equal(3, here())
      return x * a + 1, "more"
    end, 2)
    assert.equal("more", more)
    assert.equal("/job:localhost/replica:0/task:0/device:TPU:3", y:device())
    assert.matches("float32 %(2,%) on TPU:3$", tostring(y))
    assert.same({ 3, 3 }, y:totable())
    assert.matches("TPU:3$", y:device()) -- also once its value is known
    assert.matches("TPU:0$", (y + 1):device())
    assert.equal(0, here())
    -- an error leaves it
    assert.error_matches(function() device("/TPU:5", function() error "mine" end) end, "mine")
    assert.equal(0, here())
    -- compiled functions: while they are traced, and where they are called
    local inside
    local fn = pod.func(function(x)
      inside = device("/TPU:6", function() return (x * 2):device() end)
      return x * 2
    end)
    assert.matches("TPU:4$", device("/TPU:4", fn, pod.ones { 2 }):device())
    assert.matches("TPU:6$", inside)
    assert.matches("TPU:0$", fn(pod.ones { 2 }):device())
    -- with a strategy's scope, either within the other
    local strategy = pod.distribute.tpu_strategy(r)
    assert.equal(7, strategy:scope(function() return device("/TPU:7", here) end))
    local v = device("/TPU:7", function() return strategy:scope(function() return pod.variable(1) end) end)
    assert.matches("TPU:2$", v:per_replica()[3].device)
    local lines = {}
    device.log_placement(function(line) lines[#lines + 1] = line end)
    device("/TPU:1", function() return pod.ones({ 2 }) + 1 end)
    device.log_placement(false)
    assert.matches("device:TPU:1$", lines[#lines])
    assert.error_matches(function() device("/TPU:8", here) end, "has '/TPU:0' to '/TPU:7'")
    assert.error_matches(function() device("/CPU:1", here) end, "the host is one")
    assert.error_matches(function() device("/TPU:1") end, "must be a function")
    assert.error_matches(function() device(nil, here) end, "must be a string")
    assert.error_matches(function() return device.nosuch end, "there is no pod.device.nosuch")
  end)

  it("are a coroutine's own where it yields within", function()
    local r = cluster.connect_to "v3-8"
    finally(function()
      cluster.shutdown(r)
    end)
    local function here()
      return pod.ones({ 1 }):device():match "TPU:%d$"
    end
    local resume = coroutine.wrap(function()
      return device("/TPU:5", function()
        coroutine.yield(here())
        return here()
      end)
    end)
    local ok, first = pcall(resume)
    if not ok then
      pending "this Lua's coroutines do not yield from where C called them"
      return
    end
    assert.same({ "TPU:5", "TPU:0", "TPU:5", "TPU:0" }, { first, here(), resume(), here() })
  end)

  it("have names that are parsed", function()
    assert.equal(3, device.parse("/TPU:3").index)
    local full = device.parse "/job:worker/replica:0/task:1/device:TPU:2"
    assert.same({ "worker", 1, "TPU", 2 }, { full.job, full.task, full.type, full.index })
    assert.equal("CPU", device.parse("/device:cpu:0").type)
    assert.error_matches(function() device.parse "/TPU_v3:0" end, "write '/TPU:0'")
    assert.error_matches(function() device.parse "gpu" end, "no device name")
    assert.error_matches(function() device.parse "/CPU:1" end, "no device '/CPU:1': the host is one")
    local r = cluster.connect_to "v3-8"
    assert.equal(7, device.parse("/TPU:7").index)
    assert.error_matches(function() device.parse "/TPU:999" end,
      "no device '/TPU:999': sim://v3%-8 has '/TPU:0' to '/TPU:7'")
    assert.error_matches(function() pod.memory_info "/job:localhost/replica:0/task:0/device:TPU:8" end, "no device")
    cluster.shutdown(r)
  end)

  it("are logged with each operation on request", function()
    local lines = {}
    pod.log_placement(function(line) lines[#lines + 1] = line end)
    local _ = pod.tensor { 1, 2 } * 2
    pod.log_placement(false)
    _ = pod.tensor { 1, 2 } * 2
    assert.same({ "multiply: float32 (2,): /job:localhost/replica:0/task:0/device:CPU:0" }, lines)
  end)

  it("count threads and memory", function()
    assert.is_true(device.memory().current_bytes > 0)
    assert.error_matches(function() device.configure { thread = 1 } end, "did you mean 'threads'")
  end)
end)

-- Functions of Lua in the pipeline run on the host: a TPU Node refuses them, a TPU VM does not.
describe("the host of a TPU", function()
  local function count()
    local i = 0
    return function()
      i = i + 1
      return i <= 8 and i or nil
    end
  end

  local function pipelines()
    local generated = pod.data.from_generator(count, { output_signature = pod.spec({}, "int32") })
    local function half(x)
      return x / 2
    end
    return {
      ["'from_generator %(.-%)'"] = generated:batch(8),
      ["'map %(.*cluster_spec.lua:%d+%)'"] = pod.data.range(8):map(half, { interpret = true }):batch(8),
      ["'from_generator %(.-%)' is"] = pod.data.zip { pod.data.range(8), generated }:batch(8),
    }
  end

  local function with_host(host, fn)
    local resolver = cluster.connect_to { accelerator = "v3-8", host = host }
    local strategy = pod.distribute.tpu_strategy(resolver)
    fn(strategy)
    cluster.shutdown(resolver)
  end

  it("is a VM unless it is said to be a node", function()
    assert.equal("vm", cluster.resolve("v3-8"):metadata().host)
    assert.equal("node", cluster.resolve({ accelerator = "v3-8", host = "node" }):metadata().host)
    assert.error_matches(function() cluster.resolve { host = "vn" } end, 'there is no host "vn"; it is "vm" or "node"')
  end)

  it("runs Lua functions of pipelines on a VM", function()
    with_host("vm", function(strategy)
      for _, pipeline in pairs(pipelines()) do
        assert.equal(1, #strategy:distribute_dataset(pipeline).dataset:totable())
      end
    end)
  end)

  it("refuses them on a node, and names the stage", function()
    with_host("node", function(strategy)
      for stage, pipeline in pairs(pipelines()) do
        assert.error_matches(function() strategy:distribute_dataset(pipeline) end, "stage " .. stage)
        assert.error_matches(function()
          strategy:distribute_datasets_from_function(function() return pipeline end)
        end, "stage " .. stage)
      end
      assert.equal(1, #strategy:distribute_dataset(pod.data.range(8):map(function(x)
        return x + 1
      end):batch(8)).dataset:totable())
    end)
  end)

  it("refuses them in fit, and tells check_tpu what it is", function()
    with_host("node", function(strategy)
      local model = strategy:scope(function()
        local made = pod.models.sequential { pod.layers.input { 1 }, pod.layers.dense(1) }
        made:compile { optimizer = "sgd", loss = "mse" }
        return made
      end)
      local data = pod.data.from_generator(function()
        local next = count()
        return function()
          local x = next()
          if x then
            return { { x }, { x } }
          end
        end
      end, { output_signature = { pod.spec({ 1 }, "float32"), pod.spec({ 1 }, "float32") } }):batch(8)
      assert.error_matches(function() model:fit(data, { verbose = 0 }) end, "fit: stage 'from_generator %(.-%)'")
      assert.equal("node", model:check_tpu("v3").host)
    end)
  end)
end)

describe("mixed precision", function()
  local mixed = pod.mixed_precision

  it("has Keras' policies", function()
    local p = mixed.policy "mixed_bfloat16"
    assert.same({ "bfloat16", "float32" }, { p.compute_dtype, p.variable_dtype })
    assert.equal('<DTypePolicy "mixed_bfloat16">', tostring(p))
    assert.equal(p, mixed.policy(p))
    assert.equal("float32", mixed.global_policy().name)
    assert.error_matches(function() mixed.policy "mixed_bfloat" end, "did you mean 'mixed_bfloat16'")
  end)

  it("warns of float16 on a TPU", function()
    local lines, warn = {}, mixed.warn
    mixed.warn = function(line) lines[#lines + 1] = line end
    local r = cluster.connect_to "v3-8"
    mixed.set_global_policy "mixed_float16"
    mixed.set_global_policy "mixed_bfloat16"
    cluster.shutdown(r)
    mixed.set_global_policy "mixed_float16"
    mixed.set_global_policy "float32"
    mixed.warn = warn
    assert.equal(1, #lines)
    assert.matches("mixed_bfloat16", lines[1])
  end)
end)
