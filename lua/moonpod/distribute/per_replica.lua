-- per_replica - values of several replicas: what strategy:run gives, and what it takes apart.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local readable = require "moonpod.base.readable"
local shapes = require "moonpod.base.shapes"

local per_replica = {}

-- tensor: the values of all replicas. placement "split": one global value whose rows are the shards in order;
-- "per_replica": a leading axis of one value a replica, short shards padded. rows, chunk: rows of the
-- whole and of a full shard, nil where no argument was split. entries: how many of a value's axis 0 belong to a row,
-- nil where that axis does not run over rows: such values are as long on every replica.
local PerReplica = { __name = "moonpod.per_replica" }
PerReplica.__index = PerReplica

--- Whether a value has one part for each replica.
---@example pod.distribute.is_per_replica(pod.ones { 2 }) --> false
function per_replica.is(value)
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

--- The same kind of value of another tensor.
--- ```lua
--- local value = pod.distribute.mirrored(2):from_values { pod.tensor(1), pod.tensor(2) }
--- assert(value:with_tensor(value.tensor * 10):values()[2]:item() == 20)
--- ```
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
function per_replica.is_uneven(self)
  return self.entries ~= nil and self.rows < self.chunk * self.replicas
end

-- How many replicas have rows.
function per_replica.busy_replicas(self)
  if not self.rows then
    return self.replicas
  end
  return math.ceil(self.rows / self.chunk)
end

--- An array of a tensor a replica, with its true rows.
--- ```lua
--- local value = pod.distribute.mirrored(2):split(pod.tensor { 1, 2, 3 })
--- assert(value:values()[1].shape[1] == 2 and value:values()[2].shape[1] == 1)
--- ```
function PerReplica:values()
  local list = {}
  for i = 0, self.replicas - 1 do
    if self.placement == "split" then
      local low = math.min(i * self.chunk, self.rows)
      list[i + 1] = ops.slice_axis(self.tensor, 0, low, low + rows_of(self, i))
    else
      local value = ops.row(self.tensor, i)
      if per_replica.is_uneven(self) and rows_of(self, i) < self.chunk then
        value = ops.slice_axis(value, 0, 0, rows_of(self, i) * self.entries)
      end
      list[i + 1] = value
    end
  end
  return readable.of(list)
end

-- The rows of all replicas in order, without padding.
function per_replica.joined(self)
  if self.placement == "split" then
    return self.tensor
  end
  local shape = shapes.dims(self.tensor.shape)
  if #shape < 2 then
    return self.tensor
  end
  local count = table.remove(shape, 1)
  shape[1] = shape[1] * count
  local flat = ops.reshape(self.tensor, shape)
  if per_replica.is_uneven(self) then
    flat = ops.slice_axis(flat, 0, 0, self.rows * self.entries)
  end
  return flat
end

-- A leading axis of one value a replica.
function per_replica.stacked(self)
  if self.placement ~= "split" then
    return self.tensor
  end
  local shape = shapes.dims(self.tensor.shape)
  local whole = self.chunk * self.replicas
  local t = self.tensor
  if shape[1] < whole then
    local paddings = { { 0, whole - shape[1] } }
    for i = 2, #shape do
      paddings[i] = { 0, 0 }
    end
    t = ops.pad(t, paddings)
  end
  shape[1] = self.chunk
  table.insert(shape, 1, self.replicas)
  return ops.reshape(t, shape)
end

function per_replica.new(t, placement, replicas, rows, entries)
  return setmetatable({
    tensor = t,
    placement = placement,
    replicas = replicas,
    rows = rows,
    chunk = rows and math.ceil(rows / replicas),
    entries = rows and entries ~= 0 and entries or nil,
  }, PerReplica)
end

declare.methods("per_replica", PerReplica, per_replica.is, { ["t"] = "with_tensor" })

return per_replica
