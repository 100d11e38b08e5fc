-- partitioned - runs a function whose values are divided among the cores of a mesh: it is traced as for one core that
-- has all, the graph is divided (pod_graph_of_device), and that of one core is made one of all (pod_graph_replicate).

local core_step = require "moonpod.func.core_step"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local mesh = require "moonpod.distribute.mesh"
local ops = require "moonpod.ops"
local per_replica = require "moonpod.distribute.per_replica"
local programs = require "moonpod.tensor.programs"
local replicas = require "moonpod.distribute.replicas"
local shapes = require "moonpod.base.shapes"
local strategies = require "moonpod.func.strategies"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local partitioned = {}

local unpack = table.unpack or unpack -- luacheck: ignore

-- The layout of an argument: rows of what is split are divided, where they fall into equal parts.
local function layout_of(self, leaf, t)
  local rows = per_replica.is(leaf) and leaf.placement == "split"
  local size = self.batch_axis and self.mesh.shape[self.batch_axis] or 1
  local layout = mesh.whole(self.mesh)
  if rows and size > 1 and t.shape[1] > 0 and t.shape[1] % size == 0 then
    layout.axes[self.batch_axis] = 0
  end
  return layout
end

-- Traces fn as for one core that has all.
local function trace_whole(self, fn, arguments, count)
  local own = trace.new("mesh", "step", trace.top())
  local leaves, found, results = {}, {}, nil
  local skeleton = structure.flatten(arguments, replicas.is_leaf, leaves)
  trace.with(own, function()
    for i, leaf in ipairs(leaves) do
      if per_replica.is(leaf) then
        local t = leaf.tensor
        leaves[i] = own:parameter(t.dtype, t.shape, "batch_" .. i)
        local parameter = own.parameters[#own.parameters]
        parameter.tensor, parameter.layout = t, layout_of(self, leaf, t)
      end
    end
    local given = structure.rebuild(skeleton, leaves)
    results = structure.pack(errors.calling(fn, unpack(given, 1, count)))
  end)
  local result_skeleton = structure.flatten({ structure.unpack(results) }, tensor.is, found)
  return own, result_skeleton, found, results.n
end

-- The graph of what is computed, its parameters in order, and the layouts of its outputs.
local function extract(self, own, found)
  local targets, outputs, by_id, parameters, places = {}, {}, {}, {}, {}
  for i, t in ipairs(found) do
    targets[i], outputs[i] = own:node(t), mesh.whole(self.mesh)
  end
  for i, assigned in ipairs(own.assigned) do
    targets[#found + i] = own:node(own.variables[assigned].tensor)
    outputs[#found + i] = assigned._layout or mesh.whole(self.mesh)
  end
  local graph, ids = own.graph:extract(device.context(), targets, {}, true)
  for _, parameter in ipairs(own.parameters) do
    by_id[parameter.id] = parameter
  end
  for i, id in ipairs(ids) do
    parameters[i] = by_id[id]
    parameters[i].layout = parameters[i].layout or mesh.whole(self.mesh)
    places[parameters[i].tensor] = i - 1
  end
  for i, assigned in ipairs(own.assigned) do
    local place = places[own.variables[assigned].outer]
    if place then
      graph:alias(#found + i - 1, place)
    end
  end
  return graph, parameters, outputs
end

local function shardings(layouts)
  local list = {}
  for i, layout in ipairs(layouts) do
    list[i] = { stored = layout.stored }
    for m, axis in ipairs(layout.axes) do
      list[i][m] = axis
    end
  end
  return list
end

-- The graph of this process' cores of that of one, and what goes into it.
local function graph_of_all(self, part, parameters, output_count)
  local placements, outputs, inputs = {}, {}, {}
  for i, parameter in ipairs(parameters) do
    local divided = parameter.layout:parts() > 1
    placements[i] = divided and "per_replica" or "mirrored"
    inputs[i] = parameter.tensor
    if divided and parameter.kind ~= "capture" then
      inputs[i] = parameter.layout:split(parameter.tensor)
    end
  end
  for i = 1, output_count do
    outputs[i] = "per_replica"
  end
  local graph = part:replicate { replicas = self.mesh.num_devices, parameters = placements, outputs = outputs,
    ranks = self.mesh.num_ranks, rank = self.mesh.rank, own = true }
  return graph, inputs
end

-- The bytes of a parameter that a core has, and those of all of it.
local function bytes_of(self, parameter)
  local t, parts = parameter.tensor, parameter.layout:parts()
  local bytes = shapes.product(t.shape) * trace.dtype_sizes[t.dtype]
  if parts > 1 and parameter.kind == "capture" then -- it is kept in parts, one a core
    return bytes / self.mesh.own_devices, bytes / self.mesh.own_devices * parts
  end
  return bytes / parts, bytes
end

-- What one core's program takes: its parts of what goes in, and what it computes besides.
local function measure(self, whole, layouts, parameters, outputs)
  local alone = whole:divide(self.mesh.shape, shardings(layouts), shardings(outputs), true)
  local memory = { argument_bytes = 0, whole_argument_bytes = 0 }
  for _, parameter in ipairs(parameters) do
    local own, whole_bytes = bytes_of(self, parameter)
    memory.argument_bytes = memory.argument_bytes + own
    memory.whole_argument_bytes = memory.whole_argument_bytes + whole_bytes
  end
  local ok, program = pcall(programs.compile, alone, true)
  alone:close()
  if not ok then
    errors.raise_from_core(program)
  end
  memory.temporary_bytes = program:stats().arena_bytes
  memory.need_bytes = memory.argument_bytes + memory.temporary_bytes
  program:close()
  return memory
end

local function check_limit(self, memory)
  local limit, most = self.memory_limit, rawget(self, "_memory")
  if memory.need_bytes > limit then
    errors.raise("%s: a core would need %d bytes, %d of weights, state and batch and %d of what is computed, and its "
      .. "memory_limit is %d: divide more weights by the layout map, take shard_weights = true, more cores or a "
      .. "smaller batch", tostring(self), memory.need_bytes, memory.argument_bytes, memory.temporary_bytes, limit)
  end
  self._memory = most and most.need_bytes > memory.need_bytes and most or memory
end

local function divide(self, own, found)
  local whole, parameters, outputs = extract(self, own, found)
  local layouts = {}
  for i, parameter in ipairs(parameters) do
    layouts[i] = parameter.layout
  end
  local ok, part = errors.attempt(whole.divide, whole, self.mesh.shape, shardings(layouts), shardings(outputs))
  if ok and self.memory_limit then
    local fits, message = errors.attempt(function()
      check_limit(self, measure(self, whole, layouts, parameters, outputs))
    end)
    if not fits then
      part:close()
      ok, part = false, message
    end
  end
  whole:close()
  if not ok then
    errors.raise_from_core(part)
  end
  return part, parameters, outputs
end

-- Runs fn as one program of all cores of a strategy's mesh, in the trace that is open.
function partitioned.run(self, fn, arguments, count)
  if trace.enclosing("mesh") or trace.enclosing("core") then
    errors.raise("strategy:run inside of strategy:run: the function runs on one core already")
  end
  local own, skeleton, found, result_count = strategies.run_single(strategies.within, self, trace_whole, self, fn,
    arguments, count)
  local part, parameters, layouts = divide(self, own, found)
  local observe, collectives = core_step.observer(), programs.collectives(part)
  local ok, graph, inputs = errors.attempt(graph_of_all, self, part, parameters, #layouts)
  if observe and ok then
    observe(part, self)
  else
    part:close()
  end
  if not ok then
    errors.raise_from_core(graph)
  end
  local results = trace.inline(graph, inputs)
  graph:close()
  local top = trace.top()
  top.collectives = tables.join(top.collectives or {}, collectives)
  for i, assigned in ipairs(own.assigned) do
    local value = results[#found + i]
    top:assign(assigned, assigned._layout and value or ops.row(value, 0))
  end
  local values = {}
  for i = 1, #found do
    values[i] = ops.row(results[i], 0) -- all cores have it, of all processes
  end
  return unpack(structure.rebuild(skeleton, values), 1, result_count)
end

return partitioned
