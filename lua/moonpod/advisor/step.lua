-- The graph of one core: a function is traced as for training, and neither compiled nor run.

local distribute = require "moonpod.distribute"
local func = require "moonpod.func"
local structure = require "moonpod.base.structure"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local step = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local function is_leaf(value)
  return tensor.is(value)
end

-- Traces fn on arguments like `specs` ({ dtype =, shape = }...), which have no values. Returns the graph of fn, with
-- the new values of variables as aliases; where fn has its work done by strategy:run, that of what one core runs.
function step.trace(name, fn, specs)
  local own = trace.new("func", name)
  local found
  local stop = {} -- raised when the core is known: its replicas need not be made
  local ok, failure = pcall(distribute.observe_cores, function(graph)
    found = graph
    error(stop, 0)
  end, trace.with, own, function()
    local arguments = {}
    for i, spec in ipairs(specs) do
      arguments[i] = own:parameter(spec.dtype, spec.shape, spec.name or "batch_" .. i)
    end
    local results, outputs = structure.pack(fn(unpack(arguments, 1, #specs))), {}
    structure.flatten({ structure.unpack(results) }, is_leaf, outputs)
    func.add_outputs(own, outputs)
  end)
  if found then
    return found
  elseif not ok then
    error(failure, 0)
  end
  return own.graph
end

return step
