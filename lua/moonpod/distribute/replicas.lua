-- replicas - runs a function on all replicas: it is traced for one core, and the graph of that is made one of all.

local core_step = require "moonpod.func.core_step"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local lint = require "moonpod.base.lint"
local ops = require "moonpod.ops"
local per_replica = require "moonpod.distribute.per_replica"
local programs = require "moonpod.tensor.programs"
local shapes = require "moonpod.base.shapes"
local strategies = require "moonpod.func.strategies"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local replicas = {}

local unpack = table.unpack or unpack -- luacheck: ignore

-- True for what a function that is run gets of its arguments as tensors.
function replicas.is_leaf(value)
  return tensor.is(value) or per_replica.is(value)
end

-- What goes into the core for a value of the replicas. Rows are split along the first axis: where one that is padded
-- has them elsewhere, or several entries a row, it is laid so, and `back` lays the core's part as it was.
local function as_split(leaf)
  if not per_replica.is(leaf) or leaf.placement == "split" or not per_replica.is_uneven(leaf) then
    return leaf
  end
  local axis = per_replica.row_axis(leaf)
  local joined = per_replica.joined(leaf, axis)
  local entries, order, undo = leaf.entries[axis], { axis - 1 }, {}
  for k = 1, #joined.shape do
    order[#order + 1] = k ~= axis and k - 1 or nil
    undo[k] = k < axis and k or k == axis and 0 or k - 1
  end
  local moved = ops.transpose(joined, order)
  local dims = shapes.dims(moved.shape)
  dims[1] = entries
  table.insert(dims, 1, leaf.rows)
  local split = per_replica.new(ops.reshape(moved, dims), "split", leaf.replicas, leaf.rows, { 1 })
  return split, function(part)
    local own = shapes.dims(part.shape)
    table.remove(own, 1)
    own[1] = own[1] * part.shape[1]
    return ops.transpose(ops.reshape(part, own), undo)
  end
end

-- How many rows the core is traced for. Where a part has one, and some have none, it is traced for two: among axes of
-- size 1 that of the rows could not be told.
local function rows_of_core(leaf)
  return leaf.chunk == 1 and leaf.rows < leaf.replicas and 2 or leaf.chunk
end

-- Gives each argument of the core its parameter.
local function core_argument(core, leaf, shards, number, back)
  if tensor.is(leaf) then
    return leaf
  end
  local dims = shapes.dims(leaf.tensor.shape)
  if leaf.replicas ~= shards.replicas then
    errors.raise("strategy:run: a per-replica value of %d replicas was given to a strategy of %d",
      leaf.replicas, shards.replicas)
  end
  if leaf.rows then
    if shards.rows and shards.rows ~= leaf.rows then
      errors.raise("strategy:run: the arguments are split from batches of different sizes: %d and %d "
        .. "rows", shards.rows, leaf.rows)
    end
    shards.rows = leaf.rows
  end
  if leaf.placement == "split" then
    dims[1] = rows_of_core(leaf)
  else
    table.remove(dims, 1)
  end
  local t = core:parameter(leaf.tensor.dtype, dims, "batch_" .. number)
  local parameter = core.parameters[#core.parameters]
  parameter.tensor, parameter.placement = leaf.tensor, leaf.placement
  return back and back(t) or t
end

-- Makes the graph of all replicas that computes nodes of a core's, and checks and prints what that does if `effects`;
-- returns it, the tensors that go into it and what is known of the rows of each output.
local function graph_of_all(core, shards, targets, placements, effects)
  local by_id, inputs, parameters = {}, {}, {}
  for _, parameter in ipairs(core.parameters) do
    by_id[parameter.id] = parameter
  end
  local graph, ids = core.graph:extract(device.context(), targets, {}, effects)
  for i, id in ipairs(ids) do
    inputs[i], parameters[i] = by_id[id].tensor, by_id[id].placement
  end
  local result, entries = graph:replicate {
    replicas = shards.replicas,
    ranks = shards.ranks,
    rank = shards.rank,
    rows = shards.rows or 0,
    parameters = parameters,
    outputs = placements,
  }
  graph:close()
  return result, inputs, entries
end

-- How the value that one core would give of all rows is made of those that the replicas give of theirs, while a core is
-- traced: "sum", "mean", ... (pod_row_total).
local function total_of(core, shards, t)
  local ok, graph, _, entries = pcall(graph_of_all, core, shards, { core:node(t) }, { "per_replica" })
  if not ok then
    return "other"
  end
  graph:close()
  return entries[1].total
end

-- Traces fn for one core.
local function trace_core(self, fn, arguments, count)
  local core = trace.new("core", "step", trace.top())
  local shards = { replicas = self.num_replicas_in_sync, ranks = self.num_ranks, rank = self.rank }
  function core.total_of(t)
    return total_of(core, shards, t)
  end
  local leaves = {}
  local skeleton = structure.flatten(arguments, replicas.is_leaf, leaves)
  local found, results, back = {}, nil, {}
  for i, leaf in ipairs(leaves) do
    leaves[i], back[i] = as_split(leaf)
  end
  trace.with(core, function()
    for i, leaf in ipairs(leaves) do
      leaves[i] = core_argument(core, leaf, shards, i, back[i])
    end
    local given = structure.rebuild(skeleton, leaves)
    lint.warn(fn, given, "a function of strategy:run")
    results = structure.pack(errors.calling(fn, unpack(given, 1, count)))
  end)
  local result_skeleton = structure.flatten({ structure.unpack(results) }, tensor.is, found)
  return core, shards, result_skeleton, found, results.n
end

-- The same for the results of a core and the variables that it assigns, whose values are proved equal on all replicas.
local function replicate(core, shards, outputs)
  local targets, placements = {}, {}
  for i, t in ipairs(outputs) do
    targets[i], placements[i] = core:node(t), "per_replica"
  end
  for i, assigned in ipairs(core.assigned) do
    local own = assigned.synchronization == "on_read" and assigned.replicas > 1
    targets[#outputs + i] = core:node(core.variables[assigned].tensor)
    placements[#outputs + i] = own and "per_replica" or "mirrored"
  end
  if programs.host.account then
    local graph = core.graph:extract(device.context(), targets, {})
    core.collectives = programs.collectives(graph)
    graph:close()
  end
  return graph_of_all(core, shards, targets, placements, true)
end

-- Puts the first replica's value into variables that ask for it.
local function take_first(core)
  local any = false
  trace.with(core, function()
    local context = strategies.replica_context()
    for _, assigned in ipairs(core.assigned) do
      if assigned.aggregation == "only_first_replica" and assigned.synchronization ~= "on_read" then
        local entry = core.variables[assigned]
        entry.tensor = context:first_replica(entry.tensor)
        any = true
      end
    end
  end)
  return any
end

-- The graph of a core by itself.
local function core_graph(core, outputs)
  local targets, places, by_id = {}, {}, {}
  for i, t in ipairs(outputs) do
    targets[i] = core:node(t)
  end
  for i, assigned in ipairs(core.assigned) do
    targets[#outputs + i] = core:node(core.variables[assigned].tensor)
  end
  local graph, ids = core.graph:extract(device.context(), targets, {}, true)
  for _, parameter in ipairs(core.parameters) do
    by_id[parameter.id] = parameter.tensor
  end
  for i, id in ipairs(ids) do
    places[by_id[id]] = i - 1
  end
  for i, assigned in ipairs(core.assigned) do
    local place = places[core.variables[assigned].outer]
    if place then
      graph:alias(#outputs + i - 1, place)
    end
  end
  return graph
end

-- Runs fn as it is on each replica of a strategy, in the trace that is open.
function replicas.run(self, fn, arguments, count)
  if trace.enclosing("core") then
    errors.raise("strategy:run inside of strategy:run: the function runs on one replica already")
  end
  local core, shards, skeleton, found, result_count =
    strategies.within(self, trace_core, self, fn, arguments, count)
  local observe = core_step.observer()
  if observe then
    observe(core_graph(core, found), self)
  end
  local ok, graph, inputs, entries = errors.attempt(replicate, core, shards, found)
  if not ok and strategies.within(self, take_first, core) then
    local message = graph
    ok, graph, inputs, entries = pcall(replicate, core, shards, found)
    graph = ok and graph or message
  end
  if not ok then
    errors.raise_from_core(graph)
  end
  local results = trace.inline(graph, inputs)
  graph:close()
  local top = trace.top()
  top.collectives = tables.join(top.collectives or {}, core.collectives or {})
  for i, assigned in ipairs(core.assigned) do
    top:assign(assigned, results[#found + i])
  end
  local values = {}
  for i = 1, #found do
    values[i] = per_replica.new(results[i], "per_replica", shards.replicas, shards.rows, entries[i])
  end
  return unpack(structure.rebuild(skeleton, values), 1, result_count)
end

local function advance()
  require("moonpod.func.random").advance()
end

-- One replica: the function itself, on whole values.
function replicas.run_single(self, fn, arguments, count)
  local leaves = {}
  local skeleton = structure.flatten(arguments, replicas.is_leaf, leaves)
  for i, leaf in ipairs(leaves) do
    if per_replica.is(leaf) then
      leaves[i] = leaf.placement == "split" and leaf.tensor or ops.row(leaf.tensor, 0)
    end
  end
  local given = structure.rebuild(skeleton, leaves)
  if trace.is_tracing() then
    lint.warn(fn, given, "a function of strategy:run")
  elseif not strategies.in_replica_context() then
    return trace.in_run(advance, strategies.run_single, strategies.within, self, fn, unpack(given, 1, count))
  end
  return strategies.run_single(strategies.within, self, fn, unpack(given, 1, count))
end

return replicas
