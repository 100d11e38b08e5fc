-- distributed - a dataset whose elements are global batches, given to the replicas of a strategy.
--
-- The batch stays whole in memory: each replica works on its rows (consecutive ones, full shards first).

local dataset = require "moonpod.data.dataset"
local errors = require "moonpod.errors"
local scope = require "moonpod.scope"
local structure = require "moonpod.structure"
local tensor = require "moonpod.tensor"

local distributed = {}

local Distributed = { __name = "moonpod.distributed_dataset" }
local methods = {}

-- Wraps a dataset of global batches. One batch a replica is prepared ahead, as tf.distribute does, unless the
-- dataset says how many.
function distributed.new(source, strategy)
  if not dataset.is(source) then
    errors.raise("distribute_dataset: %s is no dataset", errors.describe(source))
  end
  local replicas = strategy and strategy.num_replicas_in_sync
  if not replicas then
    errors.raise("distribute: a strategy is needed, such as pod.distribute.get_strategy()")
  end
  local size = source._batch_size
  if size and replicas > 1 and size < 8 * replicas then
    scope.warn("distribute_dataset: the batch of %d elements is the GLOBAL batch: each of %d replicas gets %g; "
      .. "batch(strategy:global_batch(n)) gives each n", size, replicas, size / replicas)
  end
  local ahead = source._ahead and source or source:prefetch(math.min(replicas, 16))
  return setmetatable({ dataset = ahead, strategy = strategy }, Distributed)
end

-- What a function that makes local batches is told.
local function input_context(replicas)
  return {
    num_input_pipelines = 1,
    input_pipeline_id = 0,
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

-- Wraps what fn(input_context) makes: batches of one replica's size. Each step takes one for each replica.
function distributed.from_function(fn, strategy)
  errors.check_type(fn, "function", "distribute_datasets_from_function", "the function")
  local replicas = strategy.num_replicas_in_sync
  local source = fn(input_context(replicas))
  if not dataset.is(source) or not source._batch_size then
    errors.raise("distribute_datasets_from_function: the function must return a dataset of batches")
  end
  local size, ahead = source._batch_size, source._ahead
  local joined = source:unbatch():batch(replicas * size)
  return setmetatable({ dataset = ahead and joined:prefetch(ahead) or joined, strategy = strategy }, Distributed)
end

function methods.element_spec(self)
  return self.dataset:element_spec()
end

function methods.cardinality(self)
  return self.dataset:cardinality()
end

-- for x, y in ddist:iter() do ... end: per-replica values, for strategy:run.
function methods.iter(self, options)
  local it = self.dataset:iterator(options)
  local strategy = self.strategy
  local function split(value)
    if value == nil then
      return nil
    end
    return structure.map(value, tensor.is, function(t)
      return strategy:split(t)
    end)
  end
  return function()
    return require("moonpod.data.element").spread(split(it:next_element()))
  end, it, nil, it
end

function Distributed.__index(_, key)
  local method = methods[key]
  if method == nil and key ~= "source" then
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

return distributed
