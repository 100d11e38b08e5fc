-- replica_context - what a function that strategy:run runs can ask of its replica: collectives and its number.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local shapes = require "moonpod.base.shapes"
local structure = require "moonpod.base.structure"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local replica_context = {}

local Context = { __name = "moonpod.replica_context" }
Context.__index = Context

-- The context of a replica of a strategy; `single`: there is one replica, and nothing to ask of others.
function replica_context.new(strategy, single)
  local fields = { strategy = strategy, num_replicas_in_sync = strategy.num_replicas_in_sync, single = single }
  return setmetatable(fields, Context)
end

local reductions = { sum = true, mean = true, max = true, min = true, product = true }

-- Returns a reduction by its name in any letters; raises, naming `where`, for what is none.
function replica_context.reduction_name(op, where)
  local name = type(op) == "string" and op:lower() or tostring(op)
  if not reductions[name] then
    errors.raise("%s: there is no reduction '%s'%s", where, tostring(op),
      errors.suggest(name, reductions))
  end
  return name
end

local function map_tensors(value, fn)
  return structure.map(value, function(leaf)
    return tensor.is(leaf) or type(leaf) == "number"
      or type(leaf) == "table" and getmetatable(leaf) and getmetatable(leaf).__as_tensor
  end, function(leaf)
    return fn(tensor.convert(leaf))
  end)
end

--- Reduces a tensor (or a table of them) over all replicas; each gets the result.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local value = strategy:run(function(x)
---   return pod.distribute.replica_context():all_reduce("sum", x)
--- end, { strategy:from_values { pod.tensor(1), pod.tensor(2) } })
--- assert(value:values()[1]:item() == 3)
--- ```
function Context:all_reduce(op, value)
  op = replica_context.reduction_name(op, "all_reduce")
  return map_tensors(value, function(x)
    if self.single then
      return x
    end
    return trace.apply("all_reduce", { x }, { reduction = op })
  end)
end

--- Joins the replicas' tensors along an axis.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local value = strategy:run(function(x)
---   return pod.distribute.replica_context():all_gather(x, 0)
--- end, { strategy:from_values { pod.tensor { 1 }, pod.tensor { 2 } } })
--- assert(value:values()[1]:totable()[2] == 2)
--- ```
function Context:all_gather(value, axis)
  local replicas = self.num_replicas_in_sync
  return map_tensors(value, function(x)
    if self.single then
      return x
    end
    local place = shapes.place(axis or 0, #x.shape, "all_gather")
    return trace.apply("all_gather", { x }, { axis = place - 1, count = replicas })
  end)
end

--- The value of the first replica.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local value = strategy:run(function(x)
---   return pod.distribute.replica_context():first_replica(x)
--- end, { strategy:from_values { pod.tensor(1), pod.tensor(2) } })
--- assert(value:values()[2]:item() == 1)
--- ```
function Context:first_replica(value)
  if self.single then
    return value
  end
  local first = ops.equal(self:replica_id(), 0)
  local mine = ops.where(first, value, ops.zeros_like(value))
  return ops.cast(self:all_reduce("sum", mine), value.dtype)
end

--- The replica's number, from 0: a node, not a Lua number.
--- ```lua
--- local value = pod.distribute.mirrored(2):run(function()
---   return pod.distribute.replica_context():replica_id()
--- end)
--- assert(value:values()[2]:item() == 1)
--- ```
function Context:replica_id()
  if self.single then
    return tensor.convert(0, "int32")
  end
  return trace.apply("replica_id", {})
end

declare.methods("replica_context", Context, Context, {
  ["op:string value:nest"] = "all_reduce",
  ["value:nest axis?"] = "all_gather",
  ["value:tensor"] = "first_replica",
})

return replica_context
