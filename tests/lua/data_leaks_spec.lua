-- Many epochs in a process of its own: memory, threads and files stay what they were.

local SCRIPT = [[
local pod = require "moonpod"
local data = pod.data
local path, epochs = arg[1], tonumber(arg[2])
pod.device.configure { threads = 2 }

for part = 1, 3 do
  local file = assert(io.open(path .. part, "wb"))
  file:write((("x"):rep(97) .. "\n"):rep(8 * 4000))
  file:close()
end

local function to_floats(x)
  return x:cast "float32" / 255
end

local parts = { path .. 1, path .. 2, path .. 3 }
local kept = data.fixed_length_records(parts, 784):map(to_floats, { defer = false, num_parallel_calls = 2 })
  :cache():shuffle(12000):batch(16):prefetch(4)
local read = data.text_lines(parts, { num_parallel_reads = 2 }):map(function(line)
  return #line
end, { interpret = true, num_parallel_calls = data.AUTOTUNE, output_signature = pod.spec({}, "int32") }):prefetch(2)

local function status(field)
  local proc = io.open "/proc/self/status"
  local value = tonumber(proc:read("a"):match(field .. ":%s*(%d+)"))
  proc:close()
  return value
end

-- Counted again where they are more than before: this process may not have closed its other end of the pipe yet.
local function open_files(before)
  local began, count = os.time(), nil
  repeat
    local pipe = io.popen "sleep 0.2; ls -1 /proc/$PPID/fd | wc -l"
    count = tonumber(pipe:read "a")
    pipe:close()
  until count <= (before or count) or os.time() - began > 60
  return count
end

-- A thread that was joined is counted until the system is done with it: where they are more than before they are
-- counted again for a while.
local function count_threads(before)
  local began, count = os.time(), nil
  repeat
    count = status "Threads"
  until count <= (before or count) or os.time() - began > 60
  return count
end

local threads, files
for epoch = 1, epochs do
  local batches = 0
  for _ in kept:iter() do
    batches = batches + 1
  end
  assert(batches == 750)
  local left = read:iterator() -- a pass that is left
  assert(left:next())
  left:close()
  local failing = data.range(100):map(function(i)
    return i < 50 and i or error "no"
  end, { interpret = true, num_parallel_calls = 2, output_signature = pod.spec({}, "int64") }):prefetch(4)
  assert(not pcall(failing.totable, failing))
  collectgarbage()
  collectgarbage()
  if epoch == 3 or epoch == epochs then
    local peak = status "VmHWM"
    files = open_files(files)
    threads = count_threads(threads)
    print(peak, threads, files)
  end
end
for _, part in ipairs(parts) do
  os.remove(part)
end
]]

describe("a hundred epochs", function()
  it("take no more memory, threads and files than three", function()
    local name = os.tmpname()
    local file = assert(io.open(name, "w"))
    file:write(SCRIPT)
    file:close()
    local pipe = assert(io.popen(("'%s/moonpod' %s %s. 100"):format(os.getenv "MOONPOD_BUILD", name,
      name)))
    local text = pipe:read "a"
    assert.is_true(pipe:close())
    os.remove(name)
    local peak3, threads3, files3, peak100, threads100, files100 =
      text:match "(%d+)%s+(%d+)%s+(%d+)\n(%d+)%s+(%d+)%s+(%d+)"
    assert.is_true(tonumber(peak100) <= 1.01 * tonumber(peak3), ("%s kB and then %s kB"):format(peak3, peak100))
    assert.is_true(tonumber(threads100) <= tonumber(threads3), ("%s threads and then %s"):format(threads3, threads100))
    assert.equal(files3, files100)
  end)
end)
