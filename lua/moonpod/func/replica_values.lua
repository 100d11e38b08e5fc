-- replica_values - variables that have a value a replica: all of them in one tensor, and what they are read as.

local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"

local replica_values = {}

-- Lays one value out as a value a replica: so that reading gives it again.
function replica_values.stack(value, aggregation, replicas)
  if aggregation == "sum" then
    local rest = ops.zeros(tables.join({ replicas - 1 }, value.shape), value.dtype)
    return ops.concat({ ops.expand_dims(value, 0), rest }, 0)
  end
  return ops.broadcast_to(ops.expand_dims(value, 0), tables.join({ replicas }, value.shape))
end

-- Reduces the values that a variable has on all replicas.
function replica_values.aggregate(self, stacked)
  if self.aggregation == "mean" then
    return ops.cast(ops.mean(stacked, 0), self.dtype)
  elseif self.aggregation == "sum" then
    return ops.cast(ops.sum(stacked, 0), self.dtype)
  elseif self.aggregation == "only_first_replica" then
    return ops.row(stacked, 0)
  end
  errors.raise("variable '%s' has a value a replica and no aggregation to read them by: give it "
    .. "aggregation = \"sum\", \"mean\" or \"only_first_replica\"", self.name)
end

return replica_values
