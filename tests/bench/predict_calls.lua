-- predict_calls - one-row predictions of a 784-128-10 network: lua predict_calls.lua WEIGHTS CALLS. Writes one line, as
-- peers/predict_peers.py does: seconds to load and build, KiB that this holds, seconds of the calls less those of as
-- many empty calls of Lua, the same of the processor's time, outputs.

local function resident()
  local file = assert(io.open "/proc/self/status")
  local text = file:read "*a"
  file:close()
  return tonumber(text:match "VmHWM:%s*(%d+)")
end

local path, calls = arg[1], tonumber(arg[2])
local clock, memory = require "moonpod.core".clock, resident()
local began = clock()
local pod = require "moonpod"
local file = assert(io.open(path, "rb"))

local function weights(...)
  local count = 4
  for _, size in ipairs { ... } do
    count = count * size
  end
  return pod.tensor(file:read(count), { dtype = "float32", shape = { ... } })
end

local model = pod.models.sequential {
  pod.layers.dense(128, { activation = "relu", input_shape = { 784 } }), pod.layers.dense(10) }
model:set_weights { weights(784, 128), weights(128), weights(128, 10), weights(10) }
file:close()
local row = {}
for i = 1, 784 do
  row[i] = (i - 1) % 17 / 17
end
local x = pod.tensor { row }
local y = model:predict_on_batch(x)
local started, held = clock() - began, resident() - memory
for _ = 1, 200 do
  y = model:predict_on_batch(x)
end

local function nothing() end

local start, work = clock(), os.clock()
for _ = 1, calls do
  nothing()
end
local empty, emptied = clock() - start, os.clock() - work
start, work = clock(), os.clock()
for _ = 1, calls do
  y = model:predict_on_batch(x)
end
local took, worked = clock() - start - empty, os.clock() - work - emptied
print(started, held, took, worked, table.concat(y:totable()[1], " "))
if arg[3] then
  model:export(arg[3], { batch_sizes = { 1 } })
end
