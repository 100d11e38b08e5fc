-- Runs an example on a number of threads and prints a line a variable that it made: its place in the order of making,
-- its name and a hash of the bytes that it has in the end.
--
--   moonpod tests/lua/support/weights_of.lua THREADS EXAMPLE.lua [arguments of the example]

local device = require "moonpod.tensor.device"
local hash = require "tests.lua.support.hash"
local variable = require "moonpod.func.variable"

local threads, example = ...
device.configure { threads = tonumber(threads) }

local made, new = {}, variable.new
function variable.new(options)
  local one = new(options)
  made[#made + 1] = one
  return one
end

arg = { [0] = example, select(3, ...) } -- luacheck: ignore
assert(loadfile(example))(select(3, ...))

for i, one in ipairs(made) do
  print("variable", i, one.name, hash(one:value():data()))
end
