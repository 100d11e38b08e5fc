-- A compiler of devices that aborts, hangs, ends its process or has no memory is an error, and what is there goes on.
-- The proxy of tests (tests/tools/pjrt_proxy.c) does so by the sizes of a program, and compiles all others.

local pod = require "moonpod"
local files = require "tests.lua.support.files"
local plugin = require "tests.lua.support.plugin"
local plugins = require "moonpod.tpu.plugins"

local folders = {}
local build = os.getenv "MOONPOD_BUILD" or "build/release"
local proxy = build .. "/tests/pjrt_proxy.so"

-- A strategy on devices of a copy of the proxy under another name.
local function strategy_of(name)
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute(("mkdir '%s' && cp '%s' '%s/%s.so'"):format(folder, proxy, folder, name)))
  local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve {
    pjrt = ("%s/%s.so"):format(folder, name) })
  pod.device.set_resolver(nil)
  folders[#folders + 1] = folder
  return strategy
end

local function sum_of(strategy, rows)
  return strategy:scope(function()
    return pod.func(function(x) return (x * 3):sum() end)(pod.ones { rows, 2 }):item()
  end)
end

local function failure(strategy, rows)
  local ok, message = pcall(sum_of, strategy, rows)
  assert.is_false(ok)
  return tostring(message)
end

local function has(message, words)
  assert(message:find(words, 1, true), message)
end

describe("a compiler of devices", function()
  if not plugin.is_there() then
    return it("needs a plugin", function() pending(plugin.why) end)
  end

  teardown(function()
    for _, folder in ipairs(folders) do
      os.execute(("rm -r '%s'"):format(folder))
    end
  end)

  for _, case in ipairs { { "of a CPU", "cpu" }, { "with one owner", "one_owner" } } do
    it(("that aborts ends a program, not the process: %s"):format(case[1]), function()
      local strategy = strategy_of(case[2])
      local v = strategy:scope(function() return pod.variable { 1, 2, 3 } end)
      local step = strategy:scope(function()
        return pod.func(function(x)
          v:assign_add(x)
          return v:sum()
        end)
      end)
      assert.equal(9, step(pod.ones { 3 }):item())
      for _ = 1, 2 do
        local message = failure(strategy, 4242)
        has(message, "ended its process by signal 6 (Aborted)")
        has(message, "its last words: F0000 compiler.cc:7] Check failed: rows != 4242")
        has(message, "This process goes on; another version of it may do what it was asked")
        assert.equal(12, sum_of(strategy, 2))
        assert.equal(24, sum_of(strategy, 4)) -- by the child that is left
      end
      assert.equal(12, step(pod.ones { 3 }):item())
      assert.same({ 3, 4, 5 }, v:value():totable())
    end)
  end

  it("that does not know an option which only saves time is asked without it", function()
    assert.equal(4246 * 6, sum_of(strategy_of "cpu", 4246))
  end)

  it("that ends its process, or has no memory, is told", function()
    local strategy = strategy_of "cpu"
    has(failure(strategy, 4244), "ended its process with code 3 and no answer")
    has(failure(strategy, 4245), "a smaller batch or more devices need less of each")
    assert.equal(12, sum_of(strategy, 2))
  end)

  it("that can have no process is told, and has one later", function()
    local strategy = strategy_of "cpu"
    assert.equal(12, sum_of(strategy, 2))
    has(failure(strategy, 4244), "ended its process")
    local function limit(most) -- files of the children of this process
      assert(os.execute(([[for child in $(cat /proc/$PPID/task/*/children); do
        [ $child = $$ ] || prlimit --pid $child --nofile=%d:; done]]):format(most)))
    end
    limit(3)
    local message = failure(strategy, 4)
    limit(1024)
    has(message, "no process for")
    has(message, "Too many open files")
    assert.equal(24, sum_of(strategy, 4))
  end)

  it("runs where the standard streams are closed", function()
    local path = os.tmpname()
    local script = ([[local pod = require "moonpod"
      require("moonpod.tpu.plugins").kept_folder = function() end
      local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve { pjrt = "%s" })
      local sum = strategy:scope(function() return pod.func(function(x) return x:sum() end)(pod.ones { 3 }):item() end)
      assert(io.open("%s", "w")):write(sum):close()]]):format(plugin.path, path)
    assert(os.execute(("'%s/moonpod' -e '%s' <&- >&- 2>&-"):format(build, script)))
    assert.equal("3", files.read(path):match "%d+")
    os.remove(path)
  end)

  it("that hangs is ended", function()
    plugins.compile_seconds = 2
    finally(function() plugins.compile_seconds = nil end)
    local strategy = strategy_of "cpu"
    for _ = 1, 2 do -- the second time it is a new child
      has(failure(strategy, 4243), "had no answer in 2 s, and was ended")
    end
  end)

  it("for a topology gives what the devices run", function()
    pod.random.set_seed(7)
    local x = pod.random.normal({ 20, 6 }, { seed = 3 })
    local function train(strategy)
      pod.random.set_seed(7)
      local model = strategy:scope(function()
        local made = pod.models.sequential { pod.layers.dense(4, { input_shape = { 6 } }) }
        made:compile { optimizer = "adam", loss = "mse" }
        return made
      end)
      return model:fit(x, pod.zeros { 20, 4 }, { batch_size = 8, epochs = 2, verbose = 0 }).history.loss
    end
    assert.same(train(plugin.strategy(1)), train(strategy_of "one_owner"))
  end)
end)
