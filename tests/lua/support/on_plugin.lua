-- Runs an example on devices of a plugin of PJRT: as many as it asks for replicas or accelerators, or
-- MOONPOD_TEST_DEVICES of them.
--
--   moonpod tests/lua/support/on_plugin.lua PLUGIN EXAMPLE.lua [arguments of the example]

local pod = require "moonpod"

require("moonpod.tpu.plugins").kept_folder = function() end -- nothing is left in the user's cache

local path, example = ...
local devices = tonumber(os.getenv "MOONPOD_TEST_DEVICES")
local resolve = pod.cluster.resolve

-- A resolver of the plugin with as many devices as one has that was asked for.
function pod.cluster.resolve(options)
  local asked = resolve(options)
  pod.device.set_resolver(nil)
  return resolve { pjrt = path, num_cores = devices or asked.num_cores }
end

function pod.distribute.mirrored(count)
  return pod.distribute.tpu_strategy(resolve { pjrt = path, num_cores = devices or count })
end

arg = { [0] = example, select(3, ...) } -- luacheck: ignore
local run = assert(loadfile(example))
local file = assert(io.open(example))
local is_told = file:read("a"):find("distribute.", 1, true)
file:close()
if is_told then
  run(select(3, ...))
else -- one that asks for no strategy has one device
  local arguments = { select(3, ...) }
  pod.distribute.mirrored(1):scope(function() run((table.unpack or unpack)(arguments)) end) -- luacheck: ignore
end
