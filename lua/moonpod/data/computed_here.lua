-- computed_here - functions for batches of changing sizes as a stage of the core.

local device = require "moonpod.tensor.device"
local iterator = require "moonpod.data.iterator"
local tables = require "moonpod.base.tables"

-- Returns a stage behind `handle` that applies the functions (`late`: steps, first to last), and the sources with what
-- it calls. It runs a program for each combination of sizes, on the thread that owns Lua.
return function(handle, late, sources)
  local compiled = {}
  local source = device.core.source(function(_, buffers)
    for _, step in ipairs(late) do
      buffers = iterator.run_step(compiled, step, buffers)
    end
    return buffers
  end)
  return device.core.dataset_compute(handle, source, late[#late].outputs), tables.join({ source }, sources)
end
