-- buckets - batches of any number of rows by a few programs: rows are filled up to the sizes that programs are for.

local concretes = require "moonpod.func.concretes"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local shapes = require "moonpod.base.shapes"
local strategies = require "moonpod.func.strategies"
local structure = require "moonpod.base.structure"
local tensor = require "moonpod.tensor"
local is_whole = require "moonpod.base.kinds".is_whole

local buckets = {}

local unpack = table.unpack or unpack -- luacheck: ignore

-- ---- sizes ----------------------------------------------------------------------------------------------------------

-- The rows of the program for so many rows, by the name of a rule.
local rules = {
  powers_of_two = function(rows)
    local size = 1
    while size < rows do
      size = size * 2
    end
    return size
  end,
  multiples_of_eight = function(rows)
    return math.ceil(rows / 8) * 8
  end,
}

local function rule_of_list(self, sizes)
  for i, size in ipairs(sizes) do
    if not is_whole(size, 1) or size <= (sizes[i - 1] or 0) then
      errors.raise("func: batch_buckets[%d] is %s; the sizes are whole numbers from 1 on, each greater than the one "
        .. "before", i, errors.describe(size))
    end
  end
  return function(rows)
    for _, size in ipairs(sizes) do
      if size >= rows then
        return size
      end
    end
    errors.raise("function '%s' was given %d rows, and the greatest of its batch_buckets is %d; give fewer at once, or "
      .. "add a size", self.name, rows, sizes[#sizes])
  end
end

-- What the option batch_buckets says of a function: nil for no buckets. Without it functions of any number of rows have
-- some on TPUs, as far as these change no number (is_tried).
function buckets.read(self, option)
  local found = { rows_of = {}, is_tried = option == nil }
  if option == nil then
    option = "powers_of_two"
  elseif option == false then
    return nil
  end
  if type(option) == "table" and #option > 0 then
    found.size_of = rule_of_list(self, { unpack(option) })
  else
    found.size_of = type(option) == "string" and rules[option]
  end
  if not found.size_of then
    errors.raise("func: batch_buckets must be \"powers_of_two\", \"multiples_of_eight\" or a list of sizes, not %s",
      errors.describe(option))
  end
  for i, spec in ipairs(self.input_signature or {}) do
    found.rows_of[i] = spec.shape[1] == -1
    found.first = found.first or found.rows_of[i] and i
  end
  if found.is_tried and not found.first then
    return nil
  elseif not found.first then
    errors.raise("func: batch_buckets need an input_signature with an argument whose first size is any, such as "
      .. "pod.spec { -1, 3 }")
  end
  return found
end

-- Whether calls go by buckets here.
function buckets.count_here(self)
  local known = self.buckets
  return known and (not known.is_tried or strategies.get_strategy().kind == "tpu" and not known.is_refused)
end

-- The rows of a call: what all arguments that have rows agree on.
local function count_rows(self, leaves)
  local known = self.buckets
  local rows = concretes.tensor_of(leaves[known.first]).shape[1]
  for i, leaf in ipairs(leaves) do
    if known.rows_of[i] and concretes.is_per_replica(leaf) then
      errors.raise("function '%s': argument %d is a per-replica value; batch_buckets are for tensors", self.name, i)
    elseif known.rows_of[i] and leaf.shape[1] ~= rows then
      errors.raise("function '%s': argument %d has %d rows and argument %d has %d; with batch_buckets all have as many",
        self.name, known.first, rows, i, leaf.shape[1])
    end
  end
  return rows
end

-- The rows of the program for so many. One row is a function of its own: its sums are cut otherwise, and its sizes of 1
-- are stretched.
local function size_for(self, rows)
  return rows < 2 and rows or self.buckets.size_of(rows)
end

-- Arguments like those given, without values, as the program has them that runs; their rows, and those of the program.
function buckets.stand_ins(self, leaves)
  local rows = count_rows(self, leaves)
  local size = size_for(self, rows)
  local found = {}
  for i, leaf in ipairs(leaves) do
    local dims = { unpack(leaf.shape) }
    dims[1] = self.buckets.rows_of[i] and size or dims[1]
    found[i] = setmetatable({ dtype = leaf.dtype, shape = tensor.shape(dims) }, tensor.Tensor)
  end
  return found, rows, size
end

-- ---- rows there and back --------------------------------------------------------------------------------------------

-- A tensor of `size` rows: those of t, again from the first one on where they are at an end. Copies of rows fail no
-- check that the rows do not fail.
local function filled_up(t, rows, size)
  local dims, row = { unpack(t.shape) }, shapes.product(t.shape, 2)
  dims[1] = size
  local from, to = tensor.buffer(t), device.core.buffer(device.context(), nil, t.dtype, dims)
  to:write(from)
  local done = rows
  while done < size do
    dims[1] = math.min(rows, size - done)
    to:write(from:view(0, dims), done * row)
    done = done + dims[1]
  end
  return tensor.from_buffer(to)
end

local function fill_up(self, leaves, rows, size)
  local filled = {}
  for i, leaf in ipairs(leaves) do
    filled[i] = self.buckets.rows_of[i] and filled_up(leaf, rows, size) or leaf
  end
  return filled
end

-- The first `size` entries of a tensor along an axis; where nothing is in front of it they lie together.
local function cut(t, axis, size)
  local dims = { unpack(t.shape) }
  dims[axis + 1] = size
  if shapes.product(dims, 1, axis) == 1 then
    return tensor.from_buffer(tensor.buffer(t):view(0, dims))
  end
  return ops.slice(t, shapes.fill(#dims, 0), dims)
end

-- ---- which program --------------------------------------------------------------------------------------------------

-- Whether two traces were given the same of the outside.
local function same_outside(few, many)
  local a, b = few.trace.parameters, many.trace.parameters
  for i = 1, math.max(#a, #b) do
    local one, other = a[i], b[i]
    if not (one and other) or one.kind ~= other.kind or not rawequal(one.variable, other.variable) then
      return false
    elseif one.kind == "capture" and not rawequal(one.tensor, other.tensor)
      and not tensor.buffer(one.tensor):equal(tensor.buffer(other.tensor)) then
      return false
    end
  end
  return true
end

-- The axes of the results that run over rows; raises where the program of the bucket does something else.
local function axes_of(few, rows, many, size)
  if not same_outside(few, many) then
    error(("it takes other tensors from outside for %d rows than for %d"):format(rows, size), 0)
  end
  return few.graph:check_row_padding(rows, many.graph, size)
end

-- What is known of calls with so many rows by the program of a bucket: { axes =, sizes = of the results along those or
-- false, skeleton =, count = of the results }.
local function look_at(self, skeleton, leaves, rows, many, size)
  local few = concretes.trace(self, skeleton, leaves, "")
  local ok, axes = errors.attempt(axes_of, few, rows, many, size)
  local found = { axes = axes, sizes = {}, skeleton = few.result_skeleton, count = few.result_count }
  for i, t in ipairs(few.outputs) do
    found.sizes[i] = ok and axes[i] >= 0 and t.shape[axes[i] + 1]
  end
  few.graph:close()
  if ok then
    return found
  end
  errors.raise("function '%s': %d rows cannot be filled up to the %d of their bucket: %s. Leave batch_buckets out, or "
    .. "move what mixes rows out of the function", self.name, rows, size, tostring(axes))
end

local function note(concrete, rows, size)
  local bucket = concrete.bucket or { rows = size, given = 0, padding = 0 }
  concrete.bucket = bucket
  bucket.given, bucket.padding = bucket.given + rows, bucket.padding + size - rows
end

-- Finds the program of a bucket for leaves, and what is known of calls with so many rows: { concrete =, rows =, size =,
-- leaves = filled up, known = see look_at(), nil where nothing is to be filled up }.
local function find(self, concrete_for, skeleton, leaves)
  local rows = count_rows(self, leaves)
  local size = size_for(self, rows)
  if size == rows then
    return { concrete = concrete_for(self, skeleton, leaves), rows = rows, size = size, leaves = leaves }
  end
  local filled = fill_up(self, leaves, rows, size)
  local ok, concrete = errors.attempt(concrete_for, self, skeleton, filled)
  if not ok then
    errors.raise("function '%s' was traced for the %d rows of the bucket that %d are filled up to: %s", self.name, size,
      rows, tostring(concrete))
  end
  concrete.fewer = concrete.fewer or {}
  local known = concrete.fewer[rows] or look_at(self, skeleton, leaves, rows, concrete, size)
  concrete.fewer[rows] = known
  return { concrete = concrete, rows = rows, size = size, leaves = filled, known = known }
end

-- Calls a function on leaves by the program of their bucket. concrete_for(self, skeleton, leaves): its trace for them.
function buckets.call(self, concrete_for, skeleton, leaves)
  local ok, found
  if self.buckets.is_tried then
    ok, found = errors.attempt(find, self, concrete_for, skeleton, leaves)
    if not ok then -- it has programs of its own, and its faults show there
      self.buckets.is_refused = true
      return concretes.call(concrete_for(self, skeleton, leaves), leaves)
    end
  else
    found = find(self, concrete_for, skeleton, leaves)
  end
  note(found.concrete, found.rows, found.size)
  if not found.known then
    return concretes.call(found.concrete, found.leaves)
  end
  local known, results = found.known, {}
  structure.flatten({ concretes.call(found.concrete, found.leaves) }, concretes.is_leaf, results)
  for i, t in ipairs(results) do
    results[i] = known.sizes[i] and cut(t, known.axes[i], known.sizes[i]) or t
  end
  return unpack(structure.rebuild(known.skeleton, results), 1, known.count)
end

return buckets
