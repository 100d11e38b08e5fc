-- Programs on devices of a plugin of PJRT (pod.cluster.resolve { pjrt = }): what runs on XLA's plugin for CPUs gives
-- what this host gives. The plugin of tests (tests/tools/pjrt_plugin.c) stands for those that are none, or die.

local core = require "moonpod.core"
local device = require "moonpod.tensor.device"
local pod = require "moonpod"
local plugin = require "tests.lua.support.plugin"
local plugins = require "moonpod.tpu.plugins"

local folder = os.getenv "MOONPOD_BUILD"

local function near(expected, got, bound)
  local difference = (expected - got):abs():max():item()
  assert.is_true(difference <= bound, ("differs by %g"):format(difference))
end

describe("a function on a device", function()
  if not plugin.is_there() then
    return it("needs a plugin", function() pending(plugin.why) end)
  end

  it("gives what this host gives", function()
    local w = pod.random.normal({ 4, 3 }, { seed = 1 })
    local x = pod.random.normal({ 5, 4 }, { seed = 2 })
    local function layer(t)
      return (t:matmul(w) + 1):relu():softmax(), t:sum(0)
    end
    local expected, sums = pod.func(layer)(x)
    local got, other = plugin.strategy(1):scope(function()
      return pod.func(layer)(x)
    end)
    near(expected, got, 1e-6)
    near(sums, other, 1e-6)
  end)

  it("keeps variables there, which come back when they are read", function()
    local v = plugin.strategy(1):scope(function()
      return pod.variable { 1, 2, 3 }
    end)
    local step = pod.func(function(x)
      v:assign_add(x)
      return v:sum()
    end)
    assert.equal(9, step(pod.ones { 3 }):item())
    assert.equal(12, step(pod.ones { 3 }):item())
    assert.equal(5, v:value()[3]:item())
    v:assign { 0, 0, 7 }
    assert.equal(10, step(pod.ones { 3 }):item())
    assert.same({ 1, 1, 8 }, v:value():totable())
  end)

  it("reads what was written to a buffer of arguments meanwhile", function()
    local double = plugin.strategy(1):scope(function()
      local twice = pod.func(function(x) return x * 2 end)
      twice(pod.ones { 2 })
      return twice
    end)
    local x = pod.variable { 1, 2 }
    local sum = plugin.strategy(1):scope(function()
      return pod.func(function() return x:sum() end)
    end)
    assert.equal(3, sum():item())
    x:assign { 5, 6 }
    assert.equal(11, sum():item())
    assert.truthy(double)
  end)

  it("keeps variables of many bytes there, which are read after the first step, too", function()
    local v, w = plugin.strategy(1):scope(function()
      return pod.variable(pod.zeros { 1024, 1024, 8 }), pod.variable(0)
    end)
    local step = pod.func(function(x)
      v:assign_add(x)
      w:assign(v:max())
    end)
    for i = 1, 3 do
      step(pod.ones { 1024, 1024, 8 })
      assert.equal(i, w:value():item())
      assert.equal(i, v:value()[1023][1023][7]:item())
    end
  end)

  it("runs here in a scope of the host", function()
    local f = pod.func(function(x) return x + 1 end)
    local program = plugin.strategy(1):scope(function()
      return pod.device("/CPU:0", function()
        return f:concrete(pod.ones { 2 })
      end).program
    end)
    assert.is_true(program:stats().instructions > 0)
  end)

  it("refuses an op that StableHLO has not by its name and line", function()
    plugin.strategy(1):scope(function()
      local ok, message = pcall(pod.func(function(x)
        pod.print(x)
        return x
      end), pod.ones { 2 })
      assert.is_false(ok)
      assert.truthy(tostring(message):find("op 'print' is not done on devices", 1, true), message)
    end)
  end)

  it("tells what it is", function()
    local resolver = pod.cluster.resolve { pjrt = plugin.path }
    assert.equal("pjrt://cpu-1", resolver:master())
    assert.equal("cpu", resolver.about.platform)
    assert.truthy(resolver:explain():find("PJRT 0.115", 1, true))
  end)
end)

-- ---- training ------------------------------------------------------------------------------------------------------

local x = pod.random.normal({ 70, 6 }, { seed = 3 })
local y = x:matmul(pod.random.normal({ 6, 4 }, { seed = 4 })):argmax(1)

-- A model of layers that draw, normalise and look up nothing, under a strategy (nil: this host).
local function build(strategy, options)
  pod.random.set_seed(7)
  local model
  local function make()
    model = pod.models.sequential {
      pod.layers.dense(16, { activation = "relu", input_shape = { 6 } }),
      pod.layers.batch_normalization(),
      pod.layers.dropout(0.3),
      pod.layers.dense(4),
    }
    model:compile { optimizer = "adam", metrics = { "accuracy" },
      loss = pod.losses.sparse_categorical_crossentropy { from_logits = true },
      steps_per_execution = options and options.steps_per_execution }
  end
  if strategy then
    strategy:scope(make)
  else
    make()
  end
  return model
end

local function train(model, epochs)
  return model:fit(x, y, { batch_size = 16, epochs = epochs or 2, verbose = 0, shuffle = false }).history
end

local function near_lists(expected, got, bound)
  for name, values in pairs(expected) do
    for i, value in ipairs(values) do
      assert.is_true(math.abs(value - got[name][i]) <= bound * math.max(1, math.abs(value)),
        ("%s %d: %.9g and %.9g"):format(name, i, value, got[name][i]))
    end
  end
end

describe("a model on a device", function()
  if not plugin.is_there() then
    return it("needs a plugin", function() pending(plugin.why) end)
  end

  for _, count in ipairs { 1, 8 } do
    it(("is trained, evaluated and predicts as here: %d devices"):format(count), function()
      local here = build(count > 1 and pod.distribute.mirrored(count) or nil)
      local expected_losses = train(here)
      local there = build(plugin.strategy(count))
      near_lists(expected_losses, train(there), 1e-5) -- ten steps, each epoch's last of 6 rows
      near(here:predict(x, { batch_size = 32, verbose = 0 }), there:predict(x, { batch_size = 32, verbose = 0 }), 1e-4)
      local expected = here:evaluate(x, y, { batch_size = 32, verbose = 0, return_dict = true })
      local got = there:evaluate(x, y, { batch_size = 32, verbose = 0, return_dict = true })
      for name, value in pairs(expected) do
        assert.is_true(math.abs(value - got[name]) <= 1e-5, name)
      end
    end)
  end

  it("does several steps of an execution", function()
    local strategy = plugin.strategy(1)
    local expected = train(build(strategy))
    near_lists(expected, train(build(strategy, { steps_per_execution = 3 })), 1e-6)
  end)

  it("is trained in slices of time", function()
    local strategy = plugin.strategy(1)
    local expected = train(build(strategy))
    local model = build(strategy)
    local run = model:fit(x, y, { batch_size = 16, epochs = 2, verbose = 0, shuffle = false, background = "stepped" })
    repeat
    until run:step { ms = 1 }
    near_lists(expected, run:wait().history, 0)
  end)

  it("draws what this host draws", function()
    local function draw()
      pod.random.set_seed(11)
      return pod.func(function()
        return pod.random.uniform { 7, 5 }, pod.random.normal { 33 }, pod.random.uniform { 2, 3, 2 }
      end)()
    end
    local a, b, c = draw()
    local d, e, f = plugin.strategy(1):scope(draw)
    assert.equal(a:data(), d:data())
    near(b, e, 1e-5)
    assert.equal(c:data(), f:data())
  end)

  it("goes on from a checkpoint of the other", function()
    local path = os.tmpname() .. ".safetensors"
    local here, there = build(), build(plugin.strategy(1))
    train(there, 1)
    there:save_weights(path)
    here:load_weights(path)
    assert.equal(there.weights[1]:value():data(), here.weights[1]:value():data())
    near(here:predict(x, { verbose = 0 }), there:predict(x, { verbose = 0 }), 1e-5)
    train(here, 1)
    here:save_weights(path)
    there:load_weights(path)
    near(here:predict(x, { verbose = 0 }), there:predict(x, { verbose = 0 }), 1e-5)
    os.remove(path)
  end)

  it("says which check does not hold", function()
    local model = build(plugin.strategy(1))
    local ok, message = pcall(model.fit, model, x, y + 9, { batch_size = 16, verbose = 0 })
    assert.is_false(ok)
    assert.truthy(tostring(message):find("label is not one of the classes 0 to 3", 1, true), message)
    plugin.strategy(1):scope(function()
      local rows = pod.random.normal({ 5, 2 }, { seed = 1 })
      local look_up = pod.func(function(index) return pod.gather(rows, index) end)
      near(rows[4], look_up(pod.tensor({ 0, 3 }, { dtype = "int32" }))[2], 0)
      ok, message = pcall(look_up, pod.tensor({ 0, 5 }, { dtype = "int32" }))
      assert.is_false(ok)
      assert.truthy(tostring(message):find("an index of gather is outside 0 .. 4", 1, true), message)
    end)
  end)
end)

-- Programs with checks in branches and loops: functions of a tensor and of a number that is too much from 5 on.
local in_branches = {
  ["a branch"] = function(t, n)
    return pod.cond(pod.greater(n, 2), function() return pod.check(t, pod.less(n, 5), "too much") * 2 end,
      function() return t + 1 end)
  end,
  ["the other one"] = function(t, n)
    return pod.cond(pod.less(n, 3), function() return t, n end,
      function() return pod.check(t, pod.less(n, 5), "too much"), n + 1 end)
  end,
  ["a loop"] = function(t, n)
    return (pod.while_loop(function(_, i) return pod.less(i, n) end, function(u, i)
      return pod.check(u * 1.5, pod.less(i, 4), "too much"), i + 1
    end, { t, n * 0 }))
  end,
  ["a loop within a branch"] = function(t, n)
    return pod.cond(pod.greater(n, 0), function()
      return (pod.while_loop(function(_, i) return pod.less(i, n) end, function(u, i)
        return pod.cond(pod.equal(i, 3), function() return u - 1 end, function()
          return pod.check(u, pod.less(i, 4), "too much") + 1
        end), i + 1
      end, { t, n * 0 }))
    end, function() return t end)
  end,
  ["the condition of a loop"] = function(t, n)
    return pod.while_loop(function(i) return pod.less(pod.check(i, pod.less(i, 5), "too much"), n) end,
      function(i) return i + 1 end, { n * 0 }) + t
  end,
}

describe("a check on a device", function()
  if not plugin.is_there() then
    return it("needs a plugin", function() pending(plugin.why) end)
  end

  for name, fn in pairs(in_branches) do
    it("ends a program in " .. name, function()
      for _, count in ipairs { 1, 8 } do
        plugin.strategy(count):scope(function()
          local there = pod.func(fn)
          for n = 0, 6 do
            local number, rows = pod.tensor(n), pod.tensor { { 1, 2, 3 }, { 4, 5, 6 } }
            local ok, message = pcall(there, rows, number)
            if n < 5 then
              assert(ok, message)
              near(pod.device("/CPU:0", function() return pod.func(fn)(rows, number) end), message, 1e-6)
            else
              assert.is_false(ok)
              assert.truthy(tostring(message):find("too much", 1, true), message)
            end
          end
        end)
      end
    end)
  end

  it("is of indices in a loop, too", function()
    local strategy = plugin.strategy(1)
    local table_of = pod.tensor { 3, 1, 4, 1, 5 }
    local function follow(n)
      return (pod.while_loop(function(i, _) return pod.less(i, n) end, function(i, sum)
        return i + 1, sum + pod.gather(table_of, i)
      end, { pod.cast(n * 0, "int32"), n * 0 }))
    end
    strategy:scope(function()
      local f = pod.func(follow)
      assert.equal(5, f(pod.tensor(5)):item())
      local ok, message = pcall(f, pod.tensor(6))
      assert.is_false(ok)
      assert.truthy(tostring(message):find("an index of gather is outside 0 .. 4", 1, true), message)
    end)
  end)
end)

describe("a plugin that cannot be used", function()
  local function failure(options)
    local ok, message = pcall(pod.cluster.resolve, options)
    assert.is_false(ok)
    return tostring(message)
  end

  it("is named where it is missing, or none", function()
    assert.truthy(failure({ pjrt = "/nowhere/plugin.so" }):find("cannot be loaded", 1, true))
    assert.truthy(failure({ pjrt = "npu" }):find("it is \"cpu\", \"cuda\", \"tpu\" or a path", 1, true))
    assert.truthy(failure({ pjrt = "./tests/lua/accelerator_spec.lua" }):find("cannot be loaded", 1, true))
    local none = folder .. "/tests/malloc_counter.so"
    if io.open(none) then
      assert.truthy(failure({ pjrt = none }):find("is no PJRT plugin", 1, true))
    end
  end)

  it("is told from one that is too old", function()
    local old = folder .. "/tests/pjrt_plugin.so"
    assert.truthy(failure({ pjrt = old }):find("has no PJRT_Client_Create: install a newer one", 1, true))
  end)

  -- A copy of the plugin of tests under a name of those that it knows.
  local function named(name)
    local path = os.tmpname()
    os.remove(path)
    assert(os.execute(("mkdir '%s' && cp '%s/tests/pjrt_plugin.so' '%s/%s.so'"):format(path, folder, path, name)))
    return ("%s/%s.so"):format(path, name)
  end

  it("is told from one that dies or hangs where devices are taken", function()
    local message = failure { pjrt = named "device_abort" }
    assert.truthy(message:find("ended its process by signal 6", 1, true), message)
    assert.truthy(message:find("its last words: no such machine", 1, true), message)
    local ok, hangs = pcall(core.accelerator, device.context(), named "device_hang", { count = 1, seconds = 1 })
    assert.is_false(ok)
    assert.truthy(tostring(hangs):find("had no answer in 1 s", 1, true), hangs)
  end)

  it("is told from one with fewer devices", function()
    local message = failure { pjrt = named "device_one", num_cores = 2 }
    assert.truthy(message:find("has 1 devices (imaginary), and 2 are asked for", 1, true), message)
  end)

  it("tells of its devices and their memory what it knows", function()
    local function listed(name)
      local resolver = pod.cluster.connect_to { pjrt = named(name) }
      finally(function() pod.cluster.shutdown(resolver) end)
      return pod.devices()
    end
    local list = listed "device_one"
    local info = pod.memory_info "/TPU:0"
    assert.same({ 3 * 2 ^ 20, 5 * 2 ^ 20, 2 ^ 30, 2 ^ 29 }, { info.current, info.peak, info.limit, info.largest_free })
    assert.equal(1 - 2 ^ 29 / (2 ^ 30 - 3 * 2 ^ 20), info.fragmentation)
    assert.equal("/device:TPU:0", list[1].name)
    assert.same({ 2 ^ 30, 3 * 2 ^ 20, 5 * 2 ^ 20 }, { list[1].memory_bytes, list[1].used_bytes, list[1].peak_bytes })
    assert.matches("kind%s+memory%s+used%s+peak\n/device:TPU:0%s+not told%s+1.00G%s+3.00M%s+5.00M\n", tostring(list))
    list = listed "device_full"
    assert.equal(nil, pod.memory_info("/TPU:0").current)
    assert.truthy(tostring(pod.memory_info "/TPU:0"):find("memory is not told by this plugin", 1, true))
    assert.truthy(tostring(list):find("not told", 1, true))
  end)

  it("is libtpu on a TPU VM, with all devices", function()
    local is_tpu_vm, find = plugins.is_tpu_vm, plugins.find
    local path = named "device_one"
    finally(function()
      plugins.is_tpu_vm, plugins.find = is_tpu_vm, find
    end)
    assert.truthy(failure({ tpu = "my-tpu" }):find("no TPU named 'my-tpu' can be reached", 1, true))
    plugins.is_tpu_vm = function() return true end
    plugins.find = function() return nil, "/opt" end
    assert.truthy(failure({ tpu = "my-tpu" }):find("pip install libtpu", 1, true))
    plugins.find = function(name) return name == "tpu" and path end
    local resolver = pod.cluster.resolve { tpu = "my-tpu" }
    pod.device.set_resolver(nil)
    assert.equal(1, resolver.num_cores)
    assert.truthy(resolver:explain():find("option tpu = \"my-tpu\": this host's TPU; 1 of 1 devices", 1, true))
  end)

  it("says what to do where its devices have no memory", function()
    local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve { pjrt = named "device_full" })
    pod.device.set_resolver(nil)
    strategy:scope(function()
      local ok, message = pcall(pod.func(function(t) return t + 1 end), pod.ones { 2 })
      assert.is_false(ok)
      assert.truthy(tostring(message):find("a smaller batch or more devices need less of each: allocating", 1, true),
        message)
    end)
    assert.equal(3, pod.func(function(t) return t + 1 end)(pod.tensor(2)):item())
  end)

  it("is not given beside another accelerator", function()
    assert.truthy(failure({ pjrt = "cpu", accelerator = "v3-8" }):find("pjrt and accelerator are both given", 1, true))
    assert.truthy(failure({ pjrt = "cpu", mpi = true }):find("pjrt and mpi are both given: several hosts do not share "
      .. "the devices of a plugin; start a process a host without mpi, or leave out pjrt", 1, true))
  end)
end)
