-- per_replica - values of several replicas: what strategy:run gives, and what it takes apart.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local format = require "moonpod.base.format"
local in_float32 = require("moonpod.ops.halves").in_float32
local ops = require "moonpod.ops"
local readable = require "moonpod.base.readable"
local shapes = require "moonpod.base.shapes"
local tensor = require "moonpod.tensor"

local per_replica = {}

-- tensor: the values of all replicas. placement "split": one global value whose rows are the shards in order;
-- "per_replica": a leading axis of one value a replica, short shards padded. rows, chunk: rows of the
-- whole and of a full shard, nil where no argument was split. entries: how many along each axis belong to a row,
-- 0 where that axis does not run over rows: values are as long there on every replica. total: how the value of all rows
-- is made of them (pod_row_total). own_rows: other ranks read the rows of their replicas, which are not here.
local PerReplica = { __name = "moonpod.per_replica" }
PerReplica.__index = PerReplica

---@name pod.distribute.is_per_replica
--- Whether a value has one part for each replica.
---@example pod.distribute.is_per_replica(pod.ones { 2 }) --> false
per_replica.is = declare.is(PerReplica)

local function raise_operand()
  errors.raise("a per-replica value is no operand outside of the replicas: use it inside of "
    .. "strategy:run(fn, { value }), or make one tensor of it with strategy:reduce")
end

for _, event in ipairs { "__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__idiv",
  "__lt", "__le", "__as_tensor" } do
  PerReplica[event] = raise_operand
end

-- True rows of replica i (from 0).
local function rows_of(self, i)
  return math.max(0, math.min(self.chunk, self.rows - i * self.chunk))
end

-- Whether there is padding along an axis (from 1) of the replicas' values.
local function is_padded(self, axis)
  return self.rows ~= nil and (self.entries[axis] or 0) ~= 0 and self.rows < self.chunk * self.replicas
end

-- The sizes of the value of replica i (from 0).
local function dims_of(self, i)
  local dims = shapes.dims(self.tensor.shape)
  if self.placement == "split" then
    dims[1] = rows_of(self, i)
    return dims
  end
  table.remove(dims, 1)
  for axis = 1, #dims do
    dims[axis] = is_padded(self, axis) and rows_of(self, i) * self.entries[axis] or dims[axis]
  end
  return dims
end

function PerReplica.__tostring(self)
  local first, last = format.shape(dims_of(self, 0)), format.shape(dims_of(self, self.replicas - 1))
  return ("<per-replica %s %s over %d replicas>"):format(self.tensor.dtype,
    first == last and first or first .. " to " .. last, self.replicas)
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
    total = self.total,
    own_rows = self.own_rows,
  }, PerReplica)
end

local function check_all_here(self)
  if self.own_rows then
    errors.raise("a per-replica value that ranks have read each for itself has other ranks' rows there alone: give it "
      .. "to strategy:run, and look at what that returns")
  end
end

-- Whether the replicas' values are of different lengths, in another axis than `but` (from 1), where that is given.
function per_replica.is_uneven(self, but)
  for axis = 1, #self.entries do
    if axis ~= but and is_padded(self, axis) then
      return true
    end
  end
  return false
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
  check_all_here(self)
  local list = {}
  for i = 0, self.replicas - 1 do
    if self.placement == "split" then
      local low = math.min(i * self.chunk, self.rows)
      list[i + 1] = ops.slice_axis(self.tensor, 0, low, low + rows_of(self, i))
    else
      local value = ops.row(self.tensor, i)
      for axis, size in ipairs(dims_of(self, i)) do
        value = size < value.shape[axis] and ops.slice_axis(value, axis - 1, 0, size) or value
      end
      list[i + 1] = value
    end
  end
  return readable.of(list)
end

-- The axis (from 1) along which the values lie one behind the other: that of the rows; the first where none has any.
function per_replica.row_axis(self)
  for axis, entries in ipairs(self.entries) do
    if entries ~= 0 then
      return axis
    end
  end
  return 1
end

-- The replicas' values one behind the other along an axis (from 1; nil: that of the rows), without padding.
function per_replica.joined(self, axis)
  axis = axis or per_replica.row_axis(self)
  check_all_here(self)
  if self.placement == "split" and axis == 1 then
    return self.tensor
  end
  local stacked = per_replica.stacked(self)
  local dims = shapes.dims(stacked.shape)
  if #dims < 2 then
    return stacked
  end
  if per_replica.is_uneven(self, axis) then
    errors.raise("the replicas' values cannot be joined along axis %d: they have different shapes, %s on the first and "
      .. "%s on the last", axis - 1, format.shape(dims_of(self, 0)), format.shape(dims_of(self, self.replicas - 1)))
  end
  local order = {}
  for k = 1, #dims - 1 do
    if k == axis then
      order[#order + 1] = 0
    end
    order[#order + 1] = k
  end
  local count = table.remove(dims, 1)
  dims[axis] = dims[axis] * count
  local flat = ops.reshape(axis == 1 and stacked or ops.transpose(stacked, order), dims)
  if is_padded(self, axis) then
    flat = ops.slice_axis(flat, axis - 1, 0, self.rows * self.entries[axis])
  end
  return flat
end

-- What one replica would give that has all rows, where it is known how that is made of what the replicas gave; else
-- the mean over those that have rows.
function per_replica.total(self)
  local all = ops.slice_axis(per_replica.stacked(self), 0, 0, per_replica.busy_replicas(self))
  if self.total == "same" then
    return ops.row(all, 0)
  elseif self.total == "mean" and self.rows then
    local weights = {}
    for i = 1, all.shape[1] do
      weights[i] = rows_of(self, i - 1) / self.rows
    end
    local shape = { all.shape[1] }
    for k = 2, #all.shape do
      shape[k] = 1
    end
    return in_float32(function(x)
      return ops.sum(x * ops.cast(ops.reshape(tensor.convert(weights), shape), x.dtype), 0)
    end, all)
  end
  local fold = (self.total == "sum" or self.total == "max" or self.total == "min") and self.total or "mean"
  return ops[fold](all, 0)
end

-- A leading axis of one value a replica.
function per_replica.stacked(self)
  check_all_here(self)
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

-- entries: as graph:replicate tells it of an output.
function per_replica.new(t, placement, replicas, rows, entries)
  return setmetatable({
    tensor = t,
    placement = placement,
    replicas = replicas,
    rows = rows,
    chunk = rows and math.ceil(rows / replicas),
    entries = rows and entries or {},
    total = entries and entries.total,
  }, PerReplica)
end

declare.methods("per_replica", PerReplica, per_replica.is, { ["t"] = "with_tensor" })

return per_replica
