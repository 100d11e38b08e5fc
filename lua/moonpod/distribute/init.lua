--- Strategies: one program on many replicated cores. `pod.distribute.mirrored(8)` is eight cores of this host,
--- `tpu_strategy` those of a slice; models made within `strategy:scope(fn)` train on all of them, with the same bits on
--- any number.
---@param options.num_hosts integer how many hosts the cores belong to
---@param options.device_assignment device_assignment which core does what
---@example pod.distribute.mirrored(4).num_replicas_in_sync --> 4

-- distribute - strategies: one program on many replicas.

local declare = require "moonpod.base.arguments"
local core_step = require "moonpod.func.core_step"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local late = require "moonpod.base.late"
local model_parallel = require "moonpod.distribute.model_parallel"
local ops = require "moonpod.ops"
local per_replica = require "moonpod.distribute.per_replica"
local replica_context = require "moonpod.func.replica_context"
local replicas = require "moonpod.distribute.replicas"
local shapes = require "moonpod.base.shapes"
local strategies = require "moonpod.func.strategies"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local is_whole = require "moonpod.base.kinds".is_whole

local distribute = {
  is_per_replica = per_replica.is,
  observe_cores = core_step.observe,
  mesh = late(function() return require "moonpod.distribute.mesh" end, "new"),
  layout_map = late(function() return require "moonpod.distribute.mesh" end, "layout_map"),
  model_parallel = model_parallel.new,
}
for _, name in ipairs { "in_replica_context", "replica_context", "replica_id", "sum_over_replicas", "global_rows",
  "default_strategy", "get_strategy", "has_strategy", "within" } do
  distribute[name] = strategies[name]
end

local Strategy = strategies.Strategy

local unpack = table.unpack or unpack -- luacheck: ignore

local function strategy_of(object)
  return strategies.of(object) or strategies.default_strategy()
end

local function origin_of(object)
  local location = strategies.origin(object)
  return location and " (made at " .. location .. ")" or ""
end

--- Raises unless two objects were made under one strategy; `what` says what the second is.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1) }
--- pod.distribute.check_same_strategy(model, pod.variable(1), "variable")
--- local other = pod.distribute.mirrored(2):scope(function() return pod.variable(1) end)
--- assert(not pcall(pod.distribute.check_same_strategy, model, other, "variable"))
--- ```
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
    local run = self.mesh and require("moonpod.distribute.partitioned").run or replicas.run
    compiled = require("moonpod.func").new(function(...)
      return run(self, fn, { ... }, select("#", ...))
    end, { name = "strategy_run" })
    of_strategy[fn] = compiled
  end
  return compiled
end

--- Runs fn on every replica: args is an array. Per-replica values among them are taken apart, other tensors are the
--- same for all. fn is traced once, for one core. Returns per-replica values.
---@example pod.distribute.mirrored(2):run(function() return pod.tensor(1) end) ~= nil --> true
function Strategy:run(fn, args, kwargs)
  if type(fn) ~= "function" and not (type(fn) == "table" and getmetatable(fn)
      and getmetatable(fn).__call) then
    errors.raise("strategy:run: the first argument must be a function, not %s", errors.describe(fn))
  end
  args = args or {}
  if replicas.is_leaf(args) then
    args = { args }
  end
  local count = tables.last_place(args)
  local arguments = tables.slice(args, 1, count)
  if kwargs then
    count = count + 1
    arguments[count] = kwargs
  end
  if self.mesh and (self.mesh.num_devices > 1 or self.memory_limit) then
    if trace.is_tracing() then
      return require("moonpod.distribute.partitioned").run(self, fn, arguments, count)
    end
    return eager_run(self, fn)(unpack(arguments, 1, count))
  elseif self.num_replicas_in_sync == 1 then
    return replicas.run_single(self, fn, arguments, count)
  end
  if trace.is_tracing() then
    return replicas.run(self, fn, arguments, count)
  end
  return eager_run(self, fn)(unpack(arguments, 1, count))
end

-- ---- values in and out ------------------------------------------------------------------------------------------

--- Divides a tensor (or a nested table of them) by rows among the replicas: full shards first.
---@example pod.distribute.mirrored(2):split(pod.ones { 4, 2 }) ~= nil --> true
function Strategy:split(value)
  local count = self.num_replicas_in_sync
  return structure.map(value, function(leaf)
    return tensor.is(leaf) or type(leaf) == "table" and getmetatable(leaf)
      and getmetatable(leaf).__as_tensor
  end, function(leaf)
    if per_replica.is(leaf) then
      return leaf
    end
    local t = tensor.convert(leaf)
    if #t.shape == 0 then
      errors.raise("strategy:split: a scalar has no rows to divide; pass it as it is, every replica "
        .. "gets it")
    end
    return per_replica.new(t, "split", count, t.shape[1], { 1 })
  end)
end

--- One value a replica from fn(context), where context.replica_id_in_sync_group counts from 0.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local value = strategy:experimental_distribute_values_from_function(function(context)
---   return pod.tensor(context.replica_id_in_sync_group * 10)
--- end)
--- assert(value:values()[2]:item() == 10)
--- ```
function Strategy:experimental_distribute_values_from_function(fn)
  local list = {}
  for i = 0, self.num_replicas_in_sync - 1 do
    list[i + 1] = fn {
      replica_id_in_sync_group = i,
      num_replicas_in_sync = self.num_replicas_in_sync,
    }
  end
  return per_replica.new(ops.stack(list, 0), "per_replica", self.num_replicas_in_sync)
end

--- Per-replica values of an array of tensors, one a replica.
--- ```lua
--- local value = pod.distribute.mirrored(2):from_values { pod.tensor(1), pod.tensor(2) }
--- assert(value:values()[2]:item() == 2)
--- ```
function Strategy:from_values(list)
  if #list ~= self.num_replicas_in_sync then
    errors.raise("strategy:from_values: %d values given for %d replicas", #list,
      self.num_replicas_in_sync)
  end
  return per_replica.new(ops.stack(list, 0), "per_replica", #list)
end

-- An axis of the replicas' values, from 1. That of numbers is the replicas' own.
local function place_of(value, axis, where)
  local rank = #per_replica.stacked(value).shape - 1
  return shapes.place(axis, math.max(rank, 1), where)
end

local function reduce_one(self, op, value, axis)
  if not per_replica.is(value) then
    value = tensor.convert(value)
    if axis ~= nil then
      return op == "mean" and ops.mean(value, axis) or ops.sum(value, axis)
    end
    -- every replica has this value
    return op == "sum" and self.num_replicas_in_sync > 1 and value * self.num_replicas_in_sync or value
  end
  if axis ~= nil then
    local rows = per_replica.joined(value, place_of(value, axis, "strategy:reduce"))
    return op == "mean" and ops.mean(rows, axis) or ops.sum(rows, axis)
  end
  if per_replica.is_uneven(value) then
    local values = value:values()
    errors.raise("strategy:reduce(\"%s\"): the replicas' values have different shapes, %s on the first and %s on the "
      .. "last: reduce within them, too, with strategy:reduce(\"%s\", value, %d)", op, tostring(values[1].shape),
      tostring(values[#values].shape), op, per_replica.row_axis(value) - 1)
  end
  local all = per_replica.stacked(value)
  if op == "mean" then
    -- replicas without rows have nothing to say
    return ops.mean(ops.slice_axis(all, 0, 0, per_replica.busy_replicas(value)), 0)
  end
  return ops.sum(all, 0)
end

--- Makes one tensor of per-replica values: op is "sum" or "mean". axis also reduces within each value (0: over rows,
--- of which only true ones count).
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local value = strategy:from_values { pod.tensor(1), pod.tensor(2) }
--- assert(strategy:reduce("sum", value):item() == 3)
--- ```
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
    return replicas.is_leaf(leaf) or type(leaf) == "number"
  end, function(leaf)
    return reduce_one(self, op, leaf, axis)
  end)
end

--- An array of the values of this host's replicas.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local value = strategy:from_values { pod.tensor(1), pod.tensor(2) }
--- assert(#strategy:experimental_local_results(value) == 2)
--- ```
function Strategy:local_results(value)
  if per_replica.is(value) then
    return value:values()
  end
  return { value }
end

--- Joins the replicas' values along an axis.
---@example pod.distribute.mirrored(2):gather(pod.ones { 4 }, 0).shape --> (4,)
function Strategy:gather(value, axis)
  return structure.map(value, replicas.is_leaf, function(leaf)
    if not per_replica.is(leaf) then
      return leaf
    end
    return per_replica.joined(leaf, place_of(leaf, axis or 0, "strategy:gather"))
  end)
end

--- The global batch of a batch a replica.
---@example pod.distribute.mirrored(4):global_batch(32) --> 128
function Strategy:global_batch(rows)
  local size = rows * self.num_replicas_in_sync
  local asked = rawget(self, "_asked_batches") or {}
  asked[size] = true
  rawset(self, "_asked_batches", asked)
  return size
end

--- Divides a dataset that is batched by the global size among the replicas.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- for value in strategy:distribute_dataset(pod.data.range(4):batch(4)):iter() do
---   assert(value:values()[1].shape[1] == 2)
--- end
--- ```
function Strategy:distribute_dataset(dataset, options)
  errors.check_options(options, {}, "strategy:distribute_dataset")
  return require("moonpod.data").distribute(dataset, self, options)
end

--- A dataset a host from fn(input_context), batched by the size of a replica.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local ds = strategy:distribute_datasets_from_function(function(context)
---   return pod.data.range(4):batch(context:get_per_replica_batch_size(4))
--- end)
--- for value in ds:iter() do
---   assert(value:values()[1].shape[1] == 2)
--- end
--- ```
function Strategy:distribute_datasets_from_function(fn, options)
  errors.check_options(options, {}, "strategy:distribute_datasets_from_function")
  return require("moonpod.data").distribute_from_function(fn, self, options)
end

-- ---- making strategies -------------------------------------------------------------------------------------------

--- Which cores each replica has: moonpod.distribute.device_assignment.
---@param options.computation_shape integer[] the box of cores x, y, z, cores of one replica (default: one core)
---@param options.num_replicas integer how many (default: all that fit)
---@example pod.distribute.device_assignment(pod.topology "v3-8", { num_replicas = 8 }).num_replicas --> 8
function distribute.device_assignment(topology, options)
  return (require("moonpod.distribute.device_assignment").build(topology, options))
end

-- Divides replicas among the ranks that a resolver has found.
local function take_ranks(strategy, resolver)
  local ranks = resolver.ranks
  if not ranks then
    return
  end
  if strategy.num_replicas_in_sync % ranks.count ~= 0 then
    errors.raise("tpu_strategy: %d replicas cannot be divided among %d ranks; start as many as divide them",
      strategy.num_replicas_in_sync, ranks.count)
  end
  strategy.num_ranks, strategy.rank = ranks.count, ranks.rank
end

--- Replicas on the cores of a resolver. Options: device_assignment, where a replica spans several cores.
--- ```lua
--- local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve "v3-8")
--- assert(strategy.num_replicas_in_sync == 8)
--- pod.device.set_resolver(nil) -- names of devices are again those of this host
--- ```
function distribute.tpu_strategy(resolver, options)
  errors.check_options(options, { device_assignment = true }, "tpu_strategy")
  if type(resolver) ~= "table" or not resolver.num_replicas then
    errors.raise("tpu_strategy needs a resolver: pod.cluster.resolve { accelerator = \"v3-8\" }")
  end
  resolver:check_ready("tpu_strategy")
  local assignment = options and options.device_assignment
  if assignment ~= nil and not require("moonpod.distribute.device_assignment").is(assignment) then
    errors.raise("tpu_strategy: 'device_assignment' must be one of pod.distribute.device_assignment; got %s",
      errors.describe(assignment))
  end
  local count = assignment and assignment.num_replicas or resolver:num_replicas()
  if assignment and count * assignment.num_cores_per_replica > resolver:num_replicas() then
    errors.raise("tpu_strategy: the device assignment wants %d cores; %s has %d",
      count * assignment.num_cores_per_replica, tostring(resolver), resolver:num_replicas())
  end
  device.set_resolver(resolver)
  local strategy = strategies.new("tpu", count, resolver)
  strategy.device_assignment = assignment
  local hosts = resolver:metadata().num_hosts
  strategy.num_hosts = count % hosts == 0 and hosts or 1
  take_ranks(strategy, resolver)
  return strategy
end

--- n replicas without the rules of a TPU. Options: num_hosts, among which they, and the input, are divided (1).
---@example pod.distribute.mirrored(4).num_replicas_in_sync --> 4
function distribute.mirrored(n, options)
  options = errors.check_options(options, { num_hosts = true }, "mirrored")
  n = n or 1
  if not is_whole(n, 1, 65536) then
    errors.raise("mirrored: the number of replicas must be an integer from 1 to 65536, not %s",
      errors.describe(n))
  end
  local hosts = options.num_hosts or 1
  if type(hosts) ~= "number" or hosts < 1 or n % hosts ~= 0 then
    errors.raise("mirrored: %d replicas cannot be divided among %s hosts", n, errors.describe(hosts))
  end
  local strategy = strategies.new("mirrored", n)
  strategy.num_hosts = hosts
  return strategy
end

-- ---- what functions and methods take -------------------------------------------------------------------------------

---@name strategy
--- A strategy: on which cores a step runs, and how values of replicas become one.
declare.methods("strategy", Strategy, Strategy, {
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
declare.functions("distribute", distribute, {
  ["value:tensor"] = "sum_over_replicas",
  ["t"] = "global_rows",
  ["strategy? fn"] = "within",
  ["observe:function fn"] = "observe_cores",
  ["owner:table other:table what:string"] = "check_same_strategy",
  ["topology:any options?"] = "device_assignment",
  ["resolver:any options?"] = "tpu_strategy",
  ["n:count? options?"] = "mirrored",
  ["shape:integers axis_names:list options?"] = "mesh",
  ["of_mesh:any"] = "layout_map",
  ["options"] = "model_parallel",
})

return distribute
