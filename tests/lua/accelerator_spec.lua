-- Programs on devices of a plugin of PJRT (pod.cluster.resolve { pjrt = }): what runs on XLA's plugin for CPUs gives
-- what this host gives. The plugin of tests (tests/tools/pjrt_plugin.c) stands for those that are none, or die.

local pod = require "moonpod"
local plugin = require "tests.lua.support.plugin"

local build = os.getenv "MOONPOD_BUILD"

-- A strategy on so many devices of the plugin.
local function strategy_on(count)
  local resolver = pod.cluster.resolve { pjrt = plugin.path, num_cores = count }
  local strategy = pod.distribute.tpu_strategy(resolver)
  pod.device.set_resolver(nil)
  return strategy
end

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
    local got, other = strategy_on(1):scope(function()
      return pod.func(layer)(x)
    end)
    near(expected, got, 1e-6)
    near(sums, other, 1e-6)
  end)

  it("keeps variables there, which come back when they are read", function()
    local v = strategy_on(1):scope(function()
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
    local double = strategy_on(1):scope(function()
      local twice = pod.func(function(x) return x * 2 end)
      twice(pod.ones { 2 })
      return twice
    end)
    local x = pod.variable { 1, 2 }
    local sum = strategy_on(1):scope(function()
      return pod.func(function() return x:sum() end)
    end)
    assert.equal(3, sum():item())
    x:assign { 5, 6 }
    assert.equal(11, sum():item())
    assert.truthy(double)
  end)

  it("runs here in a scope of the host", function()
    local f = pod.func(function(x) return x + 1 end)
    local program = strategy_on(1):scope(function()
      return pod.device("/CPU:0", function()
        return f:concrete(pod.ones { 2 })
      end).program
    end)
    assert.is_true(program:stats().instructions > 0)
  end)

  it("refuses an op that StableHLO has not by its name and line", function()
    strategy_on(1):scope(function()
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
    local none = build and build .. "/tests/malloc_counter.so"
    if none and io.open(none) then
      assert.truthy(failure({ pjrt = none }):find("is no PJRT plugin", 1, true))
    end
  end)

  it("is told from one that is too old", function()
    local old = build .. "/tests/pjrt_plugin.so"
    assert.truthy(failure({ pjrt = old }):find("has no PJRT_Client_Create: install a newer one", 1, true))
  end)

  it("is not given beside another accelerator", function()
    assert.truthy(failure({ pjrt = "cpu", accelerator = "v3-8" }):find("pjrt and accelerator are both given", 1, true))
  end)
end)
