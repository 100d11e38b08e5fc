-- distribute - strategies: one program on many replicas.

local around = require "moonpod.around"
local declare = require "moonpod.arguments"
local device = require "moonpod.device"
local device_assignment = require "moonpod.device_assignment"
local errors = require "moonpod.errors"
local lint = require "moonpod.lint"
local replica_context = require "moonpod.replica_context"
local shapes = require "moonpod.shapes"
local structure = require "moonpod.structure"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.trace"

local distribute = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local function ops()
  return require "moonpod.ops"
end

-- ---- per-replica values -------------------------------------------------------------------------------

-- tensor: the values of all replicas. placement "split": one global value whose rows are the shards in order;
-- "per_replica": a leading axis of one value a replica, short shards padded. rows, chunk: rows of the
-- whole and of a full shard, nil where no argument was split. entries: how many of a value's axis 0 belong to a row,
-- nil where that axis does not run over rows: such values are as long on every replica.
local PerReplica = { __name = "moonpod.per_replica" }
PerReplica.__index = PerReplica

function distribute.is_per_replica(value)
  return type(value) == "table" and getmetatable(value) == PerReplica
end

local function raise_operand()
  errors.raise("a per-replica value is no operand outside of the replicas: use it inside of "
    .. "strategy:run(fn, { value }), or make one tensor of it with strategy:reduce")
end

for _, event in ipairs { "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__idiv",
  "__lt", "__le", "__as_tensor" } do
  PerReplica[event] = raise_operand
end

function PerReplica.__tostring(self)
  return ("<per-replica %s %s over %d replicas>"):format(self.tensor.dtype,
    tostring(self.tensor.shape), self.replicas)
end

-- The same kind of value of another tensor.
function PerReplica:with_tensor(t)
  return setmetatable({
    tensor = t,
    placement = self.placement,
    replicas = self.replicas,
    rows = self.rows,
    chunk = self.chunk,
    entries = self.entries,
  }, PerReplica)
end

-- True rows of replica i (from 0).
local function rows_of(self, i)
  return math.max(0, math.min(self.chunk, self.rows - i * self.chunk))
end

-- Whether the replicas' values are of different lengths.
local function is_uneven(self)
  return self.entries ~= nil and self.rows < self.chunk * self.replicas
end

-- How many replicas have rows.
local function busy_replicas(self)
  if not self.rows then
    return self.replicas
  end
  return math.ceil(self.rows / self.chunk)
end

-- An array of a tensor a replica, with its true rows.
function PerReplica:values()
  local o = ops()
  local list = {}
  for i = 0, self.replicas - 1 do
    if self.placement == "split" then
      local low = math.min(i * self.chunk, self.rows)
      list[i + 1] = o.slice_axis(self.tensor, 0, low, low + rows_of(self, i))
    else
      local value = o.row(self.tensor, i)
      if is_uneven(self) and rows_of(self, i) < self.chunk then
        value = o.slice_axis(value, 0, 0, rows_of(self, i) * self.entries)
      end
      list[i + 1] = value
    end
  end
  return list
end

-- The rows of all replicas in order, without padding.
local function joined(self)
  if self.placement == "split" then
    return self.tensor
  end
  local o = ops()
  local shape = shapes.dims(self.tensor.shape)
  if #shape < 2 then
    return self.tensor
  end
  local count = table.remove(shape, 1)
  shape[1] = shape[1] * count
  local flat = o.reshape(self.tensor, shape)
  if is_uneven(self) then
    flat = o.slice_axis(flat, 0, 0, self.rows * self.entries)
  end
  return flat
end

-- A leading axis of one value a replica.
local function stacked(self)
  if self.placement ~= "split" then
    return self.tensor
  end
  local o = ops()
  local shape = shapes.dims(self.tensor.shape)
  local whole = self.chunk * self.replicas
  local t = self.tensor
  if shape[1] < whole then
    local paddings = { { 0, whole - shape[1] } }
    for i = 2, #shape do
      paddings[i] = { 0, 0 }
    end
    t = o.pad(t, paddings)
  end
  shape[1] = self.chunk
  table.insert(shape, 1, self.replicas)
  return o.reshape(t, shape)
end

local function new_per_replica(t, placement, replicas, rows, entries)
  return setmetatable({
    tensor = t,
    placement = placement,
    replicas = replicas,
    rows = rows,
    chunk = rows and math.ceil(rows / replicas),
    entries = rows and entries ~= 0 and entries or nil,
  }, PerReplica)
end

-- ---- replica context ------------------------------------------------------------------------------------

local replica_depth = 0 -- of strategy:run with one replica, which has no trace of its own

-- True inside of strategy:run.
function distribute.in_replica_context()
  return trace.enclosing("core") ~= nil or replica_depth > 0
end

-- The context of the replica that is traced; raises outside of strategy:run.
function distribute.replica_context()
  if not distribute.in_replica_context() then
    errors.raise("there is no replica here: replica_context() and replica_id() are for functions that "
      .. "strategy:run runs")
  end
  local strategy = distribute.get_strategy()
  return replica_context.new(strategy, trace.enclosing("core") == nil)
end

function distribute.replica_id()
  return distribute.replica_context():replica_id()
end

-- Sums over replicas inside of strategy:run; the same value outside.
function distribute.sum_over_replicas(value)
  if not distribute.in_replica_context() then
    return value
  end
  return distribute.replica_context():all_reduce("sum", value)
end

-- The number of rows of the whole batch (int32) that a tensor is this replica's part of.
function distribute.global_rows(t)
  return distribute.sum_over_replicas(ops().dimension_size(t, 0))
end

-- ---- strategies ---------------------------------------------------------------------------------------------

local Strategy = { __name = "moonpod.strategy" }
Strategy.__index = Strategy

local strategy_count = 0

local function new_strategy(kind, replicas, resolver)
  strategy_count = strategy_count + 1
  return setmetatable({
    kind = kind,
    num_replicas_in_sync = replicas,
    num_hosts = 1, -- input pipelines
    resolver = resolver,
    epoch = resolver and resolver.epoch,
    id = strategy_count,
    location = errors.location(),
  }, Strategy)
end

local default

-- The strategy of scripts that name none: one replica.
function distribute.default_strategy()
  if not default then
    default = new_strategy("default", 1)
  end
  return default
end

function Strategy.__tostring(self)
  if self.kind == "tpu" then
    return ("<TPU strategy %s, %d replicas>"):format(self.resolver.accelerator,
      self.num_replicas_in_sync)
  elseif self.kind == "mirrored" then
    return ("<mirrored strategy, %d replicas>"):format(self.num_replicas_in_sync)
  end
  return "<default strategy>"
end

-- The device of replica i, from 0; the first one where it has several.
function Strategy:device_name(i)
  local assignment = self.device_assignment
  return device.full_name(self.kind == "default" and "CPU" or "TPU", assignment and assignment:device(i, 0) or i)
end

-- ---- scopes

local scopes = {} -- array of { strategy =, location = }

-- The coroutine that opened a scope; of the main one's there is none here.
local opened_in = setmetatable({}, { __mode = "kv" })

local function running()
  local thread, is_main = coroutine.running()
  return not is_main and thread or nil
end

local function new_scope(strategy, location)
  local entry = { strategy = strategy, location = location }
  opened_in[entry] = running()
  entry.in_coroutine = opened_in[entry] ~= nil
  return entry
end

-- The innermost scope of what runs now: this coroutine's own, else of those that wait for it. A coroutine that yielded
-- has left its scopes for as long; one that ended, or that nobody has any more, has left them for good.
local function innermost()
  local waiting
  for i = #scopes, 1, -1 do
    local entry = scopes[i]
    local thread = opened_in[entry]
    local status = thread and coroutine.status(thread)
    if status == "running" then
      return entry
    elseif not entry.in_coroutine or status == "normal" then
      waiting = waiting or entry
    elseif status ~= "suspended" then
      table.remove(scopes, i)
    end
  end
  return waiting
end

-- The innermost open scope's strategy, or the default one.
function distribute.get_strategy()
  local scope = innermost()
  return scope and scope.strategy or distribute.default_strategy()
end

function distribute.has_strategy()
  return distribute.get_strategy() ~= default
end

local Scope = { __name = "moonpod.scope" }
Scope.__index = Scope

-- Opens the scope; `local s <close> = strategy:enter()` in Lua 5.4, s:close() everywhere.
function Strategy:enter()
  local outer = innermost()
  local location = errors.location()
  if outer and outer.strategy ~= self then
    errors.raise("the scope of %s (made at %s) cannot open inside of that of %s (made at %s, scope opened "
      .. "at %s): close that first", tostring(self), tostring(self.location), tostring(outer.strategy),
      tostring(outer.strategy.location), tostring(outer.location))
  end
  local entry = new_scope(self, location)
  scopes[#scopes + 1] = entry
  return setmetatable({ entry = entry }, Scope)
end

function Scope:close()
  for i = #scopes, 1, -1 do
    if scopes[i] == self.entry then
      table.remove(scopes, i)
      return
    end
  end
end
Scope.__close = Scope.close

-- Ends a scope, and those that the same coroutine opened within it and left open.
local function leave(entry)
  local place = #scopes
  while place > 0 and scopes[place] ~= entry do
    place = place - 1
  end
  for i = place > 0 and #scopes or 0, place, -1 do
    if i > 0 and opened_in[scopes[i]] == opened_in[entry] then
      table.remove(scopes, i)
    end
  end
end

-- Runs fn in the scope: what it makes belongs to this strategy. Returns what fn returns.
function Strategy:scope(fn, ...)
  local opened
  return around(function()
    opened = self:enter()
  end, function()
    if opened then
      leave(opened.entry)
    end
  end, errors.calling, fn, ...)
end

-- Runs fn with a strategy (nil: the current one) whatever scope is open: for building lazily what belongs to it.
function distribute.within(strategy, fn, ...)
  if strategy == nil or strategy == distribute.get_strategy() then
    return fn(...)
  end
  local entry = new_scope(strategy, errors.location())
  return around(function()
    scopes[#scopes + 1] = entry
  end, function()
    leave(entry)
  end, fn, ...)
end

local function strategy_of(object)
  return rawget(object, "_strategy") or rawget(object, "strategy") or distribute.default_strategy()
end

local function origin_of(object)
  local location = rawget(object, "_created_at") or rawget(object, "location")
  return location and " (made at " .. location .. ")" or ""
end

-- Raises unless two objects were made under one strategy; `what` says what the second is.
function distribute.check_same_strategy(owner, other, what)
  local a, b = strategy_of(owner), strategy_of(other)
  if a == b then
    return
  end
  errors.raise("%s '%s'%s was made under %s, but '%s'%s under %s: make both inside of one "
    .. "strategy:scope(function() ... end)", what, tostring(other.name), origin_of(other), tostring(b),
    tostring(owner.name), origin_of(owner), tostring(a))
end

-- ---- running -----------------------------------------------------------------------------------------------

local function is_argument_leaf(value)
  return tensor.is(value) or distribute.is_per_replica(value)
end

-- Gives each argument of the core its parameter.
local function core_argument(core, leaf, shards, number)
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
    dims[1] = leaf.chunk
  else
    table.remove(dims, 1)
  end
  local t = core:parameter(leaf.tensor.dtype, dims, "batch_" .. number)
  local parameter = core.parameters[#core.parameters]
  parameter.tensor, parameter.placement = leaf.tensor, leaf.placement
  return t
end

-- Traces fn for one core.
local function trace_core(self, fn, arguments, count)
  local core = trace.new("core", "step", trace.top())
  local shards = { replicas = self.num_replicas_in_sync }
  local leaves = {}
  local skeleton = structure.flatten(arguments, is_argument_leaf, leaves)
  local found, results = {}, nil
  trace.with(core, function()
    for i, leaf in ipairs(leaves) do
      leaves[i] = core_argument(core, leaf, shards, i)
    end
    local given = structure.rebuild(skeleton, leaves)
    lint.warn(fn, given, "a function of strategy:run")
    results = structure.pack(errors.calling(fn, unpack(given, 1, count)))
  end)
  local result_skeleton = structure.flatten({ structure.unpack(results) }, tensor.is, found)
  return core, shards, result_skeleton, found, results.n
end

-- Makes the graph of all replicas; returns it, the tensors that go into it and the entries a row of each output.
-- Values of variables are proved equal on all replicas.
local function replicate(core, shards, outputs)
  local targets, placements, by_id = {}, {}, {}
  for i, t in ipairs(outputs) do
    targets[i], placements[i] = core:node(t), "per_replica"
  end
  for i, assigned in ipairs(core.assigned) do
    local own = assigned.synchronization == "on_read" and assigned.replicas > 1
    targets[#outputs + i] = core:node(core.variables[assigned].tensor)
    placements[#outputs + i] = own and "per_replica" or "mirrored"
  end
  for _, parameter in ipairs(core.parameters) do
    by_id[parameter.id] = parameter
  end
  local graph, ids = core.graph:extract(device.context(), targets, {})
  local inputs, parameters = {}, {}
  for i, id in ipairs(ids) do
    inputs[i], parameters[i] = by_id[id].tensor, by_id[id].placement
  end
  local result, entries = graph:replicate {
    replicas = shards.replicas,
    rows = shards.rows or 0,
    parameters = parameters,
    outputs = placements,
  }
  graph:close()
  return result, inputs, entries
end

-- Puts the first replica's value into variables that ask for it.
local function take_first(core)
  local any = false
  trace.with(core, function()
    local context = distribute.replica_context()
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

local observer

-- Runs fn(...); meanwhile what a core does in strategy:run is told to observe(graph, strategy), before its replicas are
-- made: the graph of one core, with the new values of variables as aliases. It is the observer's to close.
function distribute.observe_cores(observe, fn, ...)
  local outer = observer
  return around(function()
    observer = observe
  end, function()
    observer = outer
  end, errors.calling, fn, ...)
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
  local graph, ids = core.graph:extract(device.context(), targets, {})
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

local function run_replicas(self, fn, arguments, count)
  if trace.enclosing("core") then
    errors.raise("strategy:run inside of strategy:run: the function runs on one replica already")
  end
  local core, shards, skeleton, found, result_count =
    distribute.within(self, trace_core, self, fn, arguments, count)
  if observer then
    observer(core_graph(core, found), self)
  end
  local ok, graph, inputs, entries = errors.attempt(replicate, core, shards, found)
  if not ok and distribute.within(self, take_first, core) then
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
  for i, assigned in ipairs(core.assigned) do
    top:assign(assigned, results[#found + i])
  end
  local values = {}
  for i = 1, #found do
    values[i] = new_per_replica(results[i], "per_replica", shards.replicas, shards.rows, entries[i])
  end
  return unpack(structure.rebuild(skeleton, values), 1, result_count)
end

-- One replica: the function itself, on whole values.
local function run_single(self, fn, arguments, count)
  local leaves = {}
  local skeleton = structure.flatten(arguments, is_argument_leaf, leaves)
  for i, leaf in ipairs(leaves) do
    if distribute.is_per_replica(leaf) then
      leaves[i] = leaf.placement == "split" and leaf.tensor or ops().row(leaf.tensor, 0)
    end
  end
  local given = structure.rebuild(skeleton, leaves)
  if trace.is_tracing() then
    lint.warn(fn, given, "a function of strategy:run")
  end
  local outer = replica_depth
  return around(function()
    replica_depth = outer + 1
  end, function()
    replica_depth = outer
  end, distribute.within, self, fn, unpack(given, 1, count))
end

local eager_runs = setmetatable({}, { __mode = "k" })

-- The compiled function that runs fn on the replicas, for calls outside of pod.func.
local function eager_run(self, fn)
  local of_strategy = eager_runs[self]
  if not of_strategy then
    of_strategy = setmetatable({}, { __mode = "k" })
    eager_runs[self] = of_strategy
  end
  local compiled = of_strategy[fn]
  if not compiled then
    compiled = require "moonpod.func".new(function(...)
      return run_replicas(self, fn, { ... }, select("#", ...))
    end, { name = "strategy_run" })
    of_strategy[fn] = compiled
  end
  return compiled
end

-- Runs fn on every replica: args is an array. Per-replica values among them are taken apart, other tensors are the
-- same for all. fn is traced once, for one core. Returns per-replica values.
function Strategy:run(fn, args, kwargs)
  if type(fn) ~= "function" and not (type(fn) == "table" and getmetatable(fn)
      and getmetatable(fn).__call) then
    errors.raise("strategy:run: the first argument must be a function, not %s", errors.describe(fn))
  end
  args = args or {}
  if is_argument_leaf(args) then
    args = { args }
  end
  local arguments, count = {}, 0
  for key in pairs(args) do
    if type(key) == "number" then
      count = math.max(count, key)
    end
  end
  for i = 1, count do
    arguments[i] = args[i]
  end
  if kwargs then
    count = count + 1
    arguments[count] = kwargs
  end
  if self.num_replicas_in_sync == 1 then
    return run_single(self, fn, arguments, count)
  end
  if trace.is_tracing() then
    return run_replicas(self, fn, arguments, count)
  end
  return eager_run(self, fn)(unpack(arguments, 1, count))
end

-- ---- values in and out ------------------------------------------------------------------------------------------

-- Divides a tensor (or a nested table of them) by rows among the replicas: full shards first.
function Strategy:split(value)
  local replicas = self.num_replicas_in_sync
  return structure.map(value, function(leaf)
    return tensor.is(leaf) or type(leaf) == "table" and getmetatable(leaf)
      and getmetatable(leaf).__as_tensor
  end, function(leaf)
    if distribute.is_per_replica(leaf) then
      return leaf
    end
    local t = tensor.convert(leaf)
    if #t.shape == 0 then
      errors.raise("strategy:split: a scalar has no rows to divide; pass it as it is, every replica "
        .. "gets it")
    end
    return new_per_replica(t, "split", replicas, t.shape[1], 1)
  end)
end

-- One value a replica from fn(context), where context.replica_id_in_sync_group counts from 0.
function Strategy:experimental_distribute_values_from_function(fn)
  local list = {}
  for i = 0, self.num_replicas_in_sync - 1 do
    list[i + 1] = fn {
      replica_id_in_sync_group = i,
      num_replicas_in_sync = self.num_replicas_in_sync,
    }
  end
  return new_per_replica(ops().stack(list, 0), "per_replica", self.num_replicas_in_sync)
end

-- Per-replica values of an array of tensors, one a replica.
function Strategy:from_values(list)
  if #list ~= self.num_replicas_in_sync then
    errors.raise("strategy:from_values: %d values given for %d replicas", #list,
      self.num_replicas_in_sync)
  end
  return new_per_replica(ops().stack(list, 0), "per_replica", #list)
end

local function reduce_one(self, op, value, axis)
  local o = ops()
  if not distribute.is_per_replica(value) then
    value = tensor.convert(value)
    if axis ~= nil then
      return op == "mean" and o.mean(value, axis) or o.sum(value, axis)
    end
    -- every replica has this value
    return op == "sum" and self.num_replicas_in_sync > 1 and value * self.num_replicas_in_sync or value
  end
  if axis ~= nil then
    if axis == 0 then
      local rows = joined(value)
      return op == "mean" and o.mean(rows, 0) or o.sum(rows, 0)
    end
    local merged = joined(value)
    return op == "mean" and o.mean(merged, { 0, axis }) or o.sum(merged, { 0, axis })
  end
  if is_uneven(value) then
    local values = value:values()
    errors.raise("strategy:reduce(\"%s\"): the replicas' values have different shapes, %s on the first and %s on the "
      .. "last: reduce within them, too, with strategy:reduce(\"%s\", value, 0)", op, tostring(values[1].shape),
      tostring(values[#values].shape), op)
  end
  local all = stacked(value)
  if op == "mean" then
    -- replicas without rows have nothing to say
    return o.mean(o.slice_axis(all, 0, 0, busy_replicas(value)), 0)
  end
  return o.sum(all, 0)
end

-- Makes one tensor of per-replica values: op is "sum" or "mean". axis also reduces within each value (0: over rows,
-- of which only true ones count).
function Strategy:reduce(op, value, axis)
  op = replica_context.reduction_name(op, "strategy:reduce")
  if op ~= "sum" and op ~= "mean" then
    errors.raise("strategy:reduce: '%s' is not possible here; it is \"sum\" or \"mean\"", op)
  end
  if trace.enclosing("core") then
    errors.raise("strategy:reduce is for the outside of strategy:run; inside use "
      .. "pod.distribute.replica_context():all_reduce(\"%s\", x)", op)
  end
  return structure.map(value, function(leaf)
    return is_argument_leaf(leaf) or type(leaf) == "number"
  end, function(leaf)
    return reduce_one(self, op, leaf, axis)
  end)
end

-- An array of the values of this host's replicas.
function Strategy:local_results(value)
  if distribute.is_per_replica(value) then
    return value:values()
  end
  return { value }
end

-- Joins the replicas' values along an axis.
function Strategy:gather(value, axis)
  return structure.map(value, is_argument_leaf, function(leaf)
    if not distribute.is_per_replica(leaf) then
      return leaf
    end
    if (axis or 0) == 0 then
      return joined(leaf)
    end
    return ops().concat(leaf:values(), axis)
  end)
end

-- The global batch of a batch a replica.
function Strategy:global_batch(per_replica)
  return per_replica * self.num_replicas_in_sync
end

local function data_function(name)
  local data = require "moonpod.data"
  if type(data[name]) ~= "function" then
    errors.raise("pod.data has no %s: distributing datasets is not part of this build", name)
  end
  return data[name]
end

-- Divides a dataset that is batched by the global size among the replicas.
function Strategy:distribute_dataset(dataset, options)
  errors.check_options(options, {}, "strategy:distribute_dataset")
  return data_function "distribute"(dataset, self, options)
end

-- A dataset a host from fn(input_context), batched by the size of a replica.
function Strategy:distribute_datasets_from_function(fn, options)
  errors.check_options(options, {}, "strategy:distribute_datasets_from_function")
  return data_function "distribute_from_function"(fn, self, options)
end

-- ---- making strategies -------------------------------------------------------------------------------------------

-- Which cores each replica has: moonpod.device_assignment.
function distribute.device_assignment(topology, options)
  local assignment = device_assignment.build(topology, options)
  return assignment
end

-- Replicas on the cores of a resolver. Options: device_assignment, where a replica spans several cores.
function distribute.tpu_strategy(resolver, options)
  errors.check_options(options, { device_assignment = true }, "tpu_strategy")
  if type(resolver) ~= "table" or not resolver.num_replicas then
    errors.raise("tpu_strategy needs a resolver: pod.cluster.resolve { accelerator = \"v3-8\" }")
  end
  resolver:check_ready("tpu_strategy")
  local assignment = options and options.device_assignment
  if assignment ~= nil and not device_assignment.is(assignment) then
    errors.raise("tpu_strategy: 'device_assignment' must be one of pod.distribute.device_assignment; got %s",
      errors.describe(assignment))
  end
  local replicas = assignment and assignment.num_replicas or resolver:num_replicas()
  if assignment and replicas * assignment.num_cores_per_replica > resolver:num_replicas() then
    errors.raise("tpu_strategy: the device assignment wants %d cores; %s has %d",
      replicas * assignment.num_cores_per_replica, tostring(resolver), resolver:num_replicas())
  end
  device.set_resolver(resolver)
  local strategy = new_strategy("tpu", replicas, resolver)
  strategy.device_assignment = assignment
  local hosts = resolver:metadata().num_hosts
  strategy.num_hosts = replicas % hosts == 0 and hosts or 1
  return strategy
end

-- n replicas without the rules of a TPU. Options: num_hosts, among which they, and the input, are divided (1).
function distribute.mirrored(n, options)
  options = errors.check_options(options, { num_hosts = true }, "mirrored")
  n = n or 1
  if type(n) ~= "number" or n ~= math.floor(n) or n < 1 or n > 65536 then
    errors.raise("mirrored: the number of replicas must be an integer from 1 to 65536, not %s",
      errors.describe(n))
  end
  local hosts = options.num_hosts or 1
  if type(hosts) ~= "number" or hosts < 1 or n % hosts ~= 0 then
    errors.raise("mirrored: %d replicas cannot be divided among %s hosts", n, errors.describe(hosts))
  end
  local strategy = new_strategy("mirrored", n)
  strategy.num_hosts = hosts
  return strategy
end

-- ---- what functions and methods take -------------------------------------------------------------------------------

declare.methods("strategy", Strategy, function(value)
  return getmetatable(value) == Strategy
end, {
  ["i:count"] = "device_name",
  ["fn"] = "scope experimental_distribute_values_from_function",
  ["fn args:table? kwargs:options?"] = "run",
  ["value:nest"] = "split local_results",
  ["list:tensors"] = "from_values",
  ["op:string value:nest axis?"] = "reduce",
  ["value:nest axis?"] = "gather",
  ["per_replica:count"] = "global_batch",
  ["dataset:value options?"] = "distribute_dataset",
  ["fn options?"] = "distribute_datasets_from_function",
})
declare.metamethods("strategy", Strategy)
for _, name in ipairs { "local_results", "distribute_dataset", "distribute_datasets_from_function" } do
  Strategy["experimental_" .. name] = Strategy[name]
end
declare.methods("per_replica", PerReplica, distribute.is_per_replica, { ["t"] = "with_tensor" })
declare.methods("scope", Scope, function(value)
  return getmetatable(value) == Scope
end)
declare.metamethods("scope", Scope)
declare.functions("distribute", distribute, {
  ["value:tensor"] = "sum_over_replicas",
  ["t"] = "global_rows",
  ["strategy? fn"] = "within",
  ["observe:function fn"] = "observe_cores",
  ["owner:table other:table what:string"] = "check_same_strategy",
  ["topology:any options?"] = "device_assignment",
  ["resolver:any options?"] = "tpu_strategy",
  ["n:count? options?"] = "mirrored",
})

return distribute
