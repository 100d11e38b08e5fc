-- core_step - the graph of one core: a function is traced as for training, and neither compiled nor run.

local around = require "moonpod.base.around"
local concretes = require "moonpod.func.concretes"
local errors = require "moonpod.base.errors"
local structure = require "moonpod.base.structure"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local core_step = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local observer

--- Runs fn(...); meanwhile what a core does in strategy:run is told to observe(graph, strategy), before its replicas
--- are made: the graph of one core, with the new values of variables as aliases. It is the observer's to close.
--- ```lua
--- local strategy, seen = pod.distribute.mirrored(2), 0
--- pod.distribute.observe_cores(function(graph)
---   seen = seen + 1
---   graph:close()
--- end, pod.func(function() return strategy:run(function() return pod.ones { 2 } end) end))
--- assert(seen == 1)
--- ```
function core_step.observe(observe, fn, ...)
  local outer = observer
  return around(function()
    observer = observe
  end, function()
    observer = outer
  end, errors.calling, fn, ...)
end

-- Who is told of cores now, or nil.
function core_step.observer()
  return observer
end

-- Traces fn on arguments like `specs` ({ dtype =, shape = }...), which have no values. Returns the graph of fn, with
-- the new values of variables as aliases; where fn has its work done by strategy:run, that of what one core runs.
function core_step.trace(name, fn, specs)
  local own = trace.new("func", name)
  local found
  local stop = {} -- raised when the core is known: its replicas need not be made
  local ok, failure = pcall(core_step.observe, function(graph)
    found = graph
    error(stop, 0)
  end, require("moonpod.func.value_hooks").without, trace.with, own, function()
    local arguments = {}
    for i, spec in ipairs(specs) do
      arguments[i] = own:parameter(spec.dtype, spec.shape, rawget(spec, "name") or "batch_" .. i)
    end
    local results, outputs = structure.pack(fn(unpack(arguments, 1, #specs))), {}
    structure.flatten({ structure.unpack(results) }, tensor.is, outputs)
    concretes.add_outputs(own, outputs)
  end)
  if found then
    return found
  elseif not ok then
    error(failure, 0)
  end
  return own.graph
end

return core_step
