-- distributed - a dataset whose elements are global batches, given to the replicas of a strategy.
--
-- The batch stays whole in memory: each replica works on its rows (consecutive ones, full shards first).
--
-- A strategy over several hosts has an input pipeline for each, which are all here. By FILE each reads files of its
-- own, and a step takes from each host what its replicas would get there; what hosts that have run out leave to the
-- others is spread over all replicas. By HINT it is the same, with what each host gets at its marks.
-- By DATA hosts take turns within global batches, so there is one pipeline.
--
-- Where processes run together (ranks), they are the hosts, and each has its own pipeline alone: a batch has its rows,
-- and those of the others are not read here. By DATA each reads the whole batch.

local declare = require "moonpod.base.arguments"
local dataset = require "moonpod.data.dataset"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local warnings = require "moonpod.base.warnings"

local distributed = {}

local Distributed = { __name = "moonpod.distributed_dataset" }
local methods = {}

-- ---- hosts ------------------------------------------------------------------------------------------------

-- Calls fn(handle) for a chain of the core and all before it.
local function visit(handle, fn)
  fn(handle)
  local i = 1
  local input = handle:input(i)
  while input do
    visit(input, fn)
    i = i + 1
    input = handle:input(i)
  end
end

-- Whether hosts divide elements somewhere in the chain: at shard(SHARD_HINT, SHARD_HINT).
local function has_mark(source)
  local found = false
  visit(source._handle, function(handle)
    found = found or handle:stage() == "shard_hint"
  end)
  return found
end

-- How the data is divided among hosts: "FILE", "DATA", "HINT" or "OFF". AUTO is FILE where files are read, as in
-- tf.data.
local function shard_policy(source, hosts)
  local policy = source:options().auto_shard or "AUTO"
  if has_mark(source) ~= (policy == "HINT") then
    errors.raise(policy == "HINT" and 'auto_shard HINT: no stage is marked: call shard(pod.data.SHARD_HINT, '
      .. 'pod.data.SHARD_HINT) where hosts are to divide the elements, or use "AUTO"'
      or 'auto_shard %s: shard(SHARD_HINT, SHARD_HINT) has a meaning with options { auto_shard = "HINT" } alone',
      policy)
  end
  if hosts == 1 or policy == "HINT" then
    return policy == "HINT" and policy or "DATA"
  end
  local files = policy ~= "OFF" and policy ~= "DATA" and source._handle:file_count() or nil
  if policy == "AUTO" then
    policy = files and "FILE" or "DATA"
  end
  if policy ~= "FILE" then
    return policy
  end
  if not files then
    errors.raise("auto_shard FILE: the dataset ('%s') reads no files; use DATA or OFF",
      table.concat(source._handle:stages(), ", "))
  elseif files >= 0 and files < hosts then
    errors.raise("auto_shard FILE: the dataset has only %d file%s, which is not enough for %d hosts; write more files, "
      .. "or give options { auto_shard = \"DATA\" } or \"OFF\"", files, files == 1 and "" or "s", hosts)
  end
  return policy
end

-- A host's pipeline, without a queue. Functions of rows wait: they can be applied to the rows of all hosts.
local function pipeline_of(source)
  local of_rows = tables.all(source._steps, function(step)
    return step.kind == "rows"
  end)
  source = source:prefetch(0)
  return of_rows and dataset.with_prefetch(source) or dataset.settled(source, "distribute_dataset")
end

-- The batches of all hosts' pipelines for each step; of ranks there is that of this one.
local function join_hosts(sources, size, pieces, pieces_a_step, policy, of_ranks)
  local kept = {}
  for _, source in ipairs(sources) do
    tables.extend(kept, source._sources)
  end
  local handle = dataset.call(device.core.dataset_hosts, tables.column(sources, "_handle"), pieces, pieces_a_step,
    policy, of_ranks)
  return dataset.derive(sources[1], handle, { _sources = kept, _batch_size = size, _batch_static = false })
end

local function check_strategy(strategy)
  if type(strategy) ~= "table" or not strategy.num_replicas_in_sync then
    errors.raise("distribute: a strategy is needed, such as pod.distribute.get_strategy()")
  end
  if strategy.mesh then
    return strategy.num_replicas_in_sync, 1 -- cores of a mesh may want the same rows, whichever rank has them
  end
  return strategy.num_replicas_in_sync, strategy.num_ranks or strategy.num_hosts or 1, strategy.num_ranks ~= nil
end

-- Refuses elements whose rows replicas could not divide among themselves: now, not with the first of them.
local function check_batches(source)
  local rows
  for i, component in ipairs((dataset.current_types(source))) do
    local here = component.shape[1]
    if component.text or not here then
      errors.raise("distribute_dataset: elements are %s, which have no rows to divide among replicas%s",
        require("moonpod.data.element").describe((dataset.current_types(source))),
        component.text and ": strings stay on the host; map them to numbers before" or "; call batch(n) before")
    elseif rows and here >= 0 and rows >= 0 and here ~= rows then
      errors.raise("distribute_dataset: component %d of elements has %d rows, but the first has %d", i, here, rows)
    end
    rows = rows or here
  end
end

local function repeated(value, count)
  local list = {}
  for i = 1, count do
    list[i] = value
  end
  return list
end

-- Stages that run Lua functions while data flows. Traced functions are programs by then.
local LUA_STAGES = { from_generator = "from_generator", transform = "a map that is interpreted" }

-- What the host of a TPU Node says of such a stage, and what to do instead.
distributed.NODE_REASON = "its Lua function cannot run on the host of a TPU Node, which takes graphs only"
distributed.NODE_INSTEAD = "write it with operations in map(fn), read files instead, or resolve a TPU VM "
  .. "(host = \"vm\")"

-- The stages of a dataset that run Lua functions: a list of { label =, kind = }.
function distributed.lua_stages(source)
  local found = {}
  visit(source._handle, function(handle)
    local kind = LUA_STAGES[handle:stage()]
    if kind then
      found[#found + 1] = { label = handle:label(), kind = kind }
    end
  end)
  return found
end

-- Refuses what a TPU Node refuses: stages that would run Lua functions on its host.
function distributed.check_host(source, strategy, where)
  local resolver = strategy and strategy.resolver
  if not resolver or resolver.host ~= "node" then
    return
  end
  for _, stage in ipairs(distributed.lua_stages(source)) do
    errors.raise("%s: stage '%s' is %s: %s (%s, host = \"node\"): %s", where, stage.label, stage.kind,
      distributed.NODE_REASON, tostring(resolver), distributed.NODE_INSTEAD)
  end
end

-- ---- making -----------------------------------------------------------------------------------------------

-- Whether a global batch is too small to be meant so, or looks as if it had been divided among replicas already: a
-- batch of n elements each, divided so, leaves each of r replicas n / r, which is not much more than r.
local function is_small(size, replicas)
  local each = size / replicas
  return each < 8 or each <= 16 and each <= 2 * replicas
end

-- Wraps a dataset of global batches. One batch a replica is prepared ahead, as tf.distribute does, unless the
-- dataset says how many.
function distributed.new(source, strategy)
  if not dataset.is(source) then
    errors.raise("distribute_dataset: %s is no dataset", errors.describe(source))
  end
  local replicas, hosts, of_ranks = check_strategy(strategy)
  distributed.check_host(source, strategy, "distribute_dataset")
  check_batches(source)
  local size = source._batch_size
  if size and replicas > 1 and is_small(size, replicas) and not (strategy._asked_batches or {})[size] then
    warnings.warn("distribute_dataset: the batch of %d elements is the GLOBAL batch: each of %d replicas gets %g. It "
      .. "must not be divided by the number of replicas before; batch(strategy:global_batch(n)) gives each n", size,
      replicas, size / replicas)
  end
  local ahead, policy, pipeline = source._ahead, shard_policy(source, hosts), nil
  if policy ~= "DATA" then
    if not size then
      errors.raise("distribute_dataset: elements are no batches, which %d hosts could divide; call batch(n) before",
        hosts)
    end
    pipeline = pipeline_of(source)
    if of_ranks then -- which meet in the thread of the iterator, so each prepares its own ahead
      pipeline, ahead = pipeline:prefetch(ahead or math.min(replicas, 16)), 0
    end
    source = join_hosts(repeated(pipeline, of_ranks and 1 or hosts), size, replicas, replicas / hosts, policy, of_ranks)
    source = ahead and source:prefetch(ahead) or source
  end
  source = ahead and source or source:prefetch(math.min(replicas, 16))
  return setmetatable({ dataset = source, strategy = strategy, auto_shard = policy, pipeline = pipeline,
    of_ranks = of_ranks and pipeline ~= nil }, Distributed)
end

-- What a function that makes local batches is told.
local function input_context(replicas, hosts, host)
  return {
    num_input_pipelines = hosts,
    input_pipeline_id = host,
    num_replicas_in_sync = replicas,
    get_per_replica_batch_size = function(self, global)
      global = global or self -- ctx.get_per_replica_batch_size(n) and ctx:get_per_replica_batch_size(n)
      if global % replicas ~= 0 then
        errors.raise("get_per_replica_batch_size: a global batch of %d cannot be divided among %d replicas", global,
          replicas)
      end
      return math.floor(global / replicas)
    end,
  }
end

-- Wraps what fn(input_context) makes for each host: batches of one replica's size. Each step takes one for each
-- replica; nothing is divided, and nothing prepared ahead that the datasets do not say.
function distributed.from_function(fn, strategy)
  errors.check_type(fn, "function", "distribute_datasets_from_function", "the function")
  local replicas, hosts, of_ranks = check_strategy(strategy)
  local pipelines, size, ahead = {}, nil, nil
  for host = 1, of_ranks and 1 or hosts do
    local source = fn(input_context(replicas, hosts, of_ranks and strategy.rank or host - 1))
    if not dataset.is(source) or not source._batch_size then
      errors.raise("distribute_datasets_from_function: the function must return a dataset of batches")
    end
    distributed.check_host(source, strategy, "distribute_datasets_from_function")
    size, ahead = size or source._batch_size, ahead or source._ahead
    pipelines[host] = dataset.settled(source:prefetch(of_ranks and ahead or 0), "distribute_datasets_from_function")
  end
  local joined = join_hosts(pipelines, replicas * size, 1, replicas / hosts, "OFF", of_ranks)
  return setmetatable({ dataset = ahead and not of_ranks and joined:prefetch(ahead) or joined, strategy = strategy,
    auto_shard = "OFF", of_ranks = of_ranks }, Distributed)
end

-- ---- looking at it ------------------------------------------------------------------------------------------

-- The spec of the elements of the dataset that is distributed: of a whole batch.
function methods.element_spec(self)
  return self.dataset:element_spec()
end

-- for step, batch in distributed:enumerate(): counts from `start` (0).
function methods.enumerate(self, start)
  local step = (start or 0) - 1
  local advance, it = self:iter()
  local function give(first, ...)
    if first ~= nil then
      step = step + 1
      return step, first, ...
    end
  end
  return function()
    return give(advance())
  end, it
end

-- How many elements the dataset has that is distributed: see dataset:cardinality().
function methods.cardinality(self)
  return self.dataset:cardinality()
end

local function rows_of(it)
  local buffers = it:next_buffers()
  return buffers[1] and buffers[1]:shape()[1]
end

-- How many rows each replica gets in a pass over the data, in steps as they are: an array by replica and their number.
local function replica_rows(self)
  local replicas = self.strategy.num_replicas_in_sync
  local rows, total = repeated(0, replicas), 0
  local it = self.dataset:raw():iterator { epoch = 1 }
  for batch in function() return rows_of(it) end do
    local chunk = math.ceil(batch / replicas)
    for i = 1, replicas do
      rows[i] = rows[i] + math.max(0, math.min(chunk, batch - (i - 1) * chunk))
    end
    total = total + batch
  end
  it:close()
  return rows, total
end

-- How many rows each host reads.
local function host_rows(self, rows)
  local hosts = self.strategy.num_hosts or 1
  local counts = {}
  for host = 1, hosts do
    counts[host] = 0
    if self.pipeline then
      local sharded = self.auto_shard ~= "OFF"
      local it = self.pipeline:iterator { epoch = 1, file_shards = sharded and hosts or nil,
        file_shard = sharded and host - 1 or nil, at_marks = self.auto_shard == "HINT" }
      for batch in function() return rows_of(it) end do
        counts[host] = counts[host] + batch
      end
      it:close()
    else
      local each = #rows / hosts
      for i = (host - 1) * each + 1, host * each do
        counts[host] = counts[host] + rows[i]
      end
    end
  end
  return counts
end

-- Reads all data once: { examples = rows a host, replicas = rows a replica, total =, imbalance = by how many percent
-- the fullest host exceeds the mean }.
function methods.shard_report(self)
  dataset.check_end(self.dataset, "shard_report")
  local rows, total = replica_rows(self)
  local hosts = host_rows(self, rows)
  local most, sum = 0, 0
  for _, count in ipairs(hosts) do
    most, sum = math.max(most, count), sum + count
  end
  return {
    auto_shard = self.auto_shard,
    examples = hosts,
    replicas = rows,
    total = total,
    imbalance = sum > 0 and (most * #hosts / sum - 1) * 100 or 0,
  }
end

-- ---- elements -------------------------------------------------------------------------------------------------

local function split(self, value)
  if value == nil then
    return nil
  end
  return structure.map(value, tensor.is, function(t)
    local parts = self.strategy:split(t)
    parts.own_rows = self.of_ranks
    return parts
  end)
end

-- for x, y in ddist:iter() do ... end: per-replica values, for strategy:run.
function methods.iter(self, options)
  local it = self.dataset:iterator(options)
  return function()
    return require("moonpod.data.element").spread(split(self, it:next_element()))
  end, it
end

-- An iterator whose next() gives per-replica values, nil at the end; its place can be told and restored.
function methods.iterator(self, options)
  return self.dataset:iterator(options, function(value)
    return split(self, value)
  end)
end

function Distributed.__index(_, key)
  local method = methods[key]
  if method == nil and key ~= "source" and key ~= "pipeline" then
    errors.raise("distributed datasets have no '%s': map, batch and shuffle before distributing%s", tostring(key),
      errors.suggest(tostring(key), methods))
  end
  return method
end

function Distributed.__tostring(self)
  return ("<%s over %d replicas>"):format(tostring(self.dataset), self.strategy.num_replicas_in_sync)
end

function distributed.is(value)
  return type(value) == "table" and getmetatable(value) == Distributed
end

declare.methods("distributed_dataset", methods, distributed.is, {
  ["start:integer?"] = "enumerate",
  ["options?"] = "iter iterator",
})

return distributed
