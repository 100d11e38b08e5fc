-- One case of service.lua: `service_cases.lua NAME WORKERS SECONDS FOLDER` prints one JSON line.

local pod = require "moonpod"
local core = require "moonpod.core"

local name, workers, seconds, folder = arg[1], tonumber(arg[2]), tonumber(arg[3]), arg[4]
local DISPATCHER = "tcp://127.0.0.1:15050"
local program = arg[-1]

local function start(words)
  return assert(io.popen(("exec '%s' %s --until-input-ends"):format(program, words), "w"))
end

local servers = { start("data-dispatcher --address " .. DISPATCHER) }
for _ = 1, workers do
  servers[#servers + 1] = start("data-worker --dispatcher " .. DISPATCHER)
end

local AUTOTUNE = pod.data.AUTOTUNE
local CASES = {
  memory = function()
    return pod.datasets.fashion_mnist():raw():map(function(image, label)
      return image:cast "float32" / 255, label:cast "int32"
    end):batch(128, { drop_remainder = true }), 128
  end,
  jpeg = function()
    return pod.data.tfrecord(folder .. "/pictures.tfrecord"):parse_example({
      image = { image = "jpeg", shape = { 224, 224, 3 }, channels = 3, dtype = "uint8" },
    }, { num_parallel_calls = AUTOTUNE }):batch(32, { drop_remainder = true }), 32
  end,
  records = function()
    return pod.data.tfrecord(folder .. "/records.tfrecord"), 1
  end,
}

-- Bytes that went over loopback, in this process's network.
local function sent()
  local file = io.open "/proc/net/dev"
  local bytes = file and file:read("a"):match "lo:%s*(%d+)"
  if file then
    file:close()
  end
  return tonumber(bytes or 0)
end

CASES.divided = CASES.memory

local ds, size = CASES[name]()
local mode = name == "memory" and "parallel_epochs" or "distributed_epoch"
local it = ds:rep(100000):distribute { service = DISPATCHER, mode = mode }:iterator()
local warm = core.clock() + 1
repeat
  it:next()
until core.clock() > warm
local began, bytes, count = core.clock(), sent(), 0
repeat
  it:next()
  count = count + size
until core.clock() - began > seconds
local took = core.clock() - began
print(('{"case": "%s", "elements_per_s": %.1f, "bytes_per_element": %.1f}'):format(name, count / took,
  (sent() - bytes) / count))
it:close()
for _, server in ipairs(servers) do
  server:close()
end
