-- Faults of plugins, typed into a session: each is an error with what to do, and the session goes on. And many fits in
-- one process, whose memory, like that of the children that compile, stays as it is.

local executable = dofile "tests/lua/support/executable.lua"
local plugin = require "tests.lua.support.plugin"

local build = os.getenv "MOONPOD_BUILD" or "build/release"
local folder

-- A copy of one of the plugins of tests (tests/tools) under a name of those that it knows.
local function named(source, name)
  local path = ("%s/%s.so"):format(folder, name)
  assert(os.execute(("cp '%s/tests/%s.so' '%s'"):format(build, source, path)))
  return path
end

-- What a session shows of a line that is typed between two others.
local function typed(lines, line)
  local text, code = executable.run("-i", ("%s\nprint('be' .. 'fore')\n%s\nprint('af' .. 'ter', 6 * 7)\n"):format(
    lines, line))
  assert.equal(0, code, text)
  assert.truthy(text:find("after\t42", 1, true), text)
  return text:match "before(.*)after"
end

describe("a session in which a plugin", function()
  if not plugin.is_there() or not executable.program then
    return it("needs a plugin", function() pending(plugin.why) end)
  end

  setup(function()
    folder = os.tmpname()
    os.remove(folder)
    assert(os.execute(("mkdir '%s'"):format(folder)))
  end)

  teardown(function()
    os.execute(("rm -r '%s'"):format(folder))
  end)

  local function resolving(path, words)
    local text = typed("", ("pod.cluster.resolve { pjrt = '%s' }"):format(path))
    assert.truthy(text:find(words, 1, true), text)
  end

  it("is missing goes on", function()
    resolving("/nowhere/plugin.so", "cannot be loaded")
  end)

  it("is none goes on", function()
    resolving(build .. "/tests/malloc_counter.so", "is no PJRT plugin")
  end)

  it("is too old goes on", function()
    resolving(build .. "/tests/pjrt_plugin.so", "has no PJRT_Client_Create: install a newer one")
  end)

  it("aborts where its devices are taken goes on", function()
    resolving(named("pjrt_plugin", "device_abort"), "ended its process by signal 6")
  end)

  it("has no memory goes on", function()
    local text = typed(("s = pod.distribute.tpu_strategy(pod.cluster.resolve { pjrt = '%s' })"):format(
      named("pjrt_plugin", "device_full")),
      "s:scope(function() return pod.func(function(t) return t + 1 end)(pod.ones { 2 }) end)")
    assert.truthy(text:find("a smaller batch or more devices need less of each", 1, true), text)
  end)

  -- Lines that make a function of a compiler that aborts, hangs, exits or has no memory at so many rows.
  local function compiling(rows)
    return typed(([[require("moonpod.tpu.plugins").kept_folder = function() end
      require("moonpod.tpu.plugins").compile_seconds = %d
      s = pod.distribute.tpu_strategy(pod.cluster.resolve { pjrt = '%s' })
      function sum(rows)
        return s:scope(function() return pod.func(function(x) return x:sum() end)(pod.ones { rows }):item() end)
      end
      print(sum(2))]]):format(rows == 4243 and 1 or 60, named("pjrt_proxy", "cpu")),
      ("sum(%d)\nprint('and', sum(3))"):format(rows))
  end

  for rows, case in pairs {
    [4242] = { "aborts in compile", "ended its process by signal 6 (Aborted)" },
    [4243] = { "hangs in compile", "had no answer in 1 s, and was ended" },
    [4244] = { "ends its process in compile", "ended its process with code 3 and no answer" },
    [4245] = { "has no memory for a program", "a smaller batch or more devices need less of each" },
  } do
    it(case[1] .. " goes on, and runs the next program", function()
      local text = compiling(rows)
      assert.truthy(text:find(case[2], 1, true), text)
      assert.truthy(text:find("and\t3", 1, true), text)
    end)
  end
end)

-- Trains so many models on devices, and prints resident kilobytes after a fifth of them and after all: of itself, of
-- the nurse and of the child that compiles.
local FITS = [[
local pod = require "moonpod"
require("moonpod.tpu.plugins").kept_folder = function() end
local path, count = arg[1], tonumber(arg[2])
local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve { pjrt = path })
local function resident(process)
  return io.open(("/proc/%d/status"):format(process)):read "a":match "VmRSS:%s+(%d+)"
end
local function children(process)
  return io.popen(("cat /proc/%d/task/*/children"):format(process)):read "a"
end
local own = io.open "/proc/self/stat":read "n"
local nurse = tonumber(children(own):match "%d+")
local x, y = pod.random.normal({ 64, 8 }, { seed = 1 }), pod.zeros { 64, 4 }
for i = 1, count do
  local model = strategy:scope(function()
    local made = pod.models.sequential { pod.layers.dense(4, { input_shape = { 8 } }) }
    made:compile { optimizer = "sgd", loss = "mse", steps_per_execution = 1 + i % 2 }
    return made
  end)
  model:fit(x, y, { batch_size = 32, epochs = 1, verbose = 0 })
  if i == 24 or i == count then -- what is compiled and kept is there
    model = nil
    collectgarbage()
    print(resident(own), resident(nurse), resident(tonumber(children(nurse):match "%d+")))
  end
end]]

describe("a process", function()
  if not plugin.is_there() or not executable.program then
    return it("needs a plugin", function() pending(plugin.why) end)
  end

  it("has no more memory after a thousand fits on a device than after some", function()
    executable.with_script(FITS, function(name)
      local count = os.getenv "MOONPOD_LONG" and 1000 or 48
      local text, code = executable.run(("'%s' '%s' %d"):format(name, plugin.path, count))
      assert.equal(0, code, text)
      local numbers = {}
      for number in text:gmatch "%d+" do
        numbers[#numbers + 1] = tonumber(number)
      end
      assert.equal(6, #numbers, text)
      for i = 1, 3 do -- of what is there some is given back and taken again
        assert(numbers[i + 3] <= numbers[i] + 4096, text)
      end
    end)
  end)
end)
