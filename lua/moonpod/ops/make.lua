-- ops_make - making tensors of constants, counts and patterns.

local ops = require "moonpod.ops.elementwise"
local shapes = require "moonpod.base.shapes"
local errors = require "moonpod.base.errors"
local index_numbers = require "moonpod.ops.index_numbers"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local dims_of, axis_place = shapes.dims, shapes.place
local convert, apply = tensor.convert, trace.apply

-- A tensor of one value in the shape of x. In one core's part of a step it follows the rows of x: where x is a short
-- shard, it has as many.
local function full_as(x, value, dtype)
  x = convert(x)
  local all = ops.full(x.shape, value, dtype or x.dtype)
  if #x.shape > 0 and trace.enclosing "core" then
    return apply("with_rows", { all, x })
  end
  return all
end

-- A tensor of one value, for the function `name`.
local function filled(name, shape, value, dtype)
  if type(shape) == "number" then
    shape = { shape }
  end
  for i, size in ipairs(type(shape) == "table" and shape or {}) do
    if type(size) == "number" and size < 0 then
      errors.raise("%s: the size of axis %d is %s; sizes are whole numbers from 0", name, i - 1, tostring(size))
    end
  end
  return ops.broadcast_to(convert(value, dtype and ops.dtype(dtype)), shape)
end

--- A tensor of one value: full(shape, value, dtype?)
---@example pod.full({ 2 }, 7) --> { 7, 7 }
function ops.full(shape, value, dtype)
  if type(dtype) == "table" then
    dtype = errors.check_options(dtype, { dtype = true }, "full").dtype
  end
  return filled("full", shape, value, dtype)
end

local function constant_maker(name, value)
  ---@name pod.zeros pod.ones
  --- A tensor of zeros, or of ones, of a shape: `zeros { 2, 3 }` or `zeros(2, 3)`.
  ---@param shape integer[] sizes of the axes
  ---@param dtype? string (default "float32")
  ---@return tensor
  ---@example pod.zeros { 2, 2 } --> { { 0, 0 }, { 0, 0 } }
  ops[name] = function(...)
    local shape = { ... }
    local options = {}
    local last = shape[#shape]
    if type(last) == "string" or type(last) == "table" and last.dtype and not last[1] then
      options = type(last) == "string" and { dtype = last } or last
      shape[#shape] = nil
    end
    errors.check_options(options, { dtype = true, shape = true }, name)
    if type(shape[1]) == "table" then
      if type(shape[2]) == "string" then
        options = { dtype = shape[2] }
      end
      shape = shape[1]
    end
    return filled(name, shape, value, options.dtype or "float32")
  end
  --- Of the shape and, where none is given, the type of x.
  ---@example pod.ones_like { 5, 6 } --> { 1, 1 }
  ops[name .. "_like"] = function(x, dtype)
    return full_as(x, value, dtype)
  end
end
constant_maker("zeros", 0)
constant_maker("ones", 1)

--- `value` in the shape and, where none is given, the type of x.
---@example pod.full_like({ 1, 2 }, 7) --> { 7, 7 }
function ops.full_like(x, value, dtype)
  return full_as(x, value, dtype)
end

--- Counts 0, 1, ... along an axis of a shape.
---@example pod.iota({ 3 }) --> { 0, 1, 2 }
function ops.iota(shape, axis, dtype)
  shape = dims_of(shape)
  local place = axis_place(axis or 0, #shape, "iota")
  return apply("iota", {}, { shape = shape, axis = place - 1, dtype = ops.dtype(dtype or "int32") })
end

-- Whether all whole numbers between two are int32.
local function are_int32(first, last)
  return math.min(first, last) >= -2 ^ 31 and math.max(first, last) < 2 ^ 31
end

--- arange(stop), arange(start, stop), arange(start, stop, step), each with { dtype = } last. Whole numbers are int32,
--- or int64 where one is beyond it, others float32.
---@example pod.arange(2, 5) --> { 2, 3, 4 }
function ops.arange(...)
  local numbers = { ... }
  local options = {}
  if type(numbers[#numbers]) == "table" then
    options = errors.check_options(table.remove(numbers), { dtype = true }, "arange")
  elseif type(numbers[#numbers]) == "string" then
    options = { dtype = table.remove(numbers) }
  end
  local start, stop, step = numbers[1], numbers[2], numbers[3] or 1
  for i = 1, 3 do
    if type(({ start, stop or 0, step })[i]) ~= "number" then
      errors.raise("arange(stop), arange(start, stop) and arange(start, stop, step) take numbers, not %s",
        errors.describe(numbers[i]))
    end
  end
  if not stop then
    start, stop = 0, start
  end
  if step == 0 then
    errors.raise("arange: the step is 0")
  end
  local whole = start == math.floor(start) and stop == math.floor(stop) and step == math.floor(step)
  local count = math.max(0, math.ceil((stop - start) / step))
  local last = start + math.max(0, count - 1) * step
  local dtype = options.dtype or not whole and "float32" or are_int32(start, last) and "int32" or "int64"
  if not ops.is_float(ops.dtype(dtype)) then
    convert(last, dtype) -- it holds what is between
  end
  local counts = ops.iota({ count }, 0, dtype)
  if step < 0 and start > 0 then -- which unsigned integers can as well
    return convert(start, counts.dtype) - counts * convert(count > 1 and -step or 1, counts.dtype)
  elseif step ~= 1 and count > 1 then
    counts = counts * convert(step, counts.dtype)
  end
  if start ~= 0 then
    counts = counts + convert(start, counts.dtype)
  end
  return counts
end

--- `count` values from start to stop, both among them.
---@param options.endpoint boolean whether the last value is `stop` (default true)
---@example pod.linspace(0, 1, 3) --> { 0, 0.5, 1 }
function ops.linspace(start, stop, count, options)
  options = errors.check_options(options, { dtype = true, endpoint = true }, "linspace")
  count = count or 50
  local gaps = options.endpoint == false and count or count - 1
  local counts = ops.iota({ count }, 0, "float32")
  local result = counts * ((stop - start) / math.max(gaps, 1)) + start
  return options.dtype and ops.cast(result, options.dtype) or result
end

--- Ones on a diagonal.
---@param options.k integer which diagonal: 0 the main one, above it positive
---@example pod.eye(2) --> { { 1, 0 }, { 0, 1 } }
function ops.eye(rows, columns, options)
  if type(columns) == "table" then
    columns, options = nil, columns
  end
  options = errors.check_options(options, { dtype = true, k = true }, "eye")
  local shape = { rows, columns or rows }
  local same = ops.equal(ops.iota(shape, 0) + (options.k or 0), ops.iota(shape, 1))
  return ops.cast(same, options.dtype or "float32")
end

--- A 1 at each index along a new axis; indices outside give only zeros.
---@param options.on_value number what stands at the index (default 1)
---@param options.off_value number what stands elsewhere (default 0)
---@param options.axis integer where the new axis is (default: the last)
---@example pod.one_hot({ 0, 2 }, 3) --> { { 1, 0, 0 }, { 0, 0, 1 } }
function ops.one_hot(indices, depth, options)
  options = errors.check_options(options,
    { dtype = true, axis = true, on_value = true, off_value = true }, "one_hot")
  indices = convert(indices)
  if ops.is_float(indices.dtype) then
    indices = index_numbers(indices)
  end
  local rank = #indices.shape + 1
  local place = axis_place(options.axis or -1, rank, "one_hot")
  local shape = dims_of(indices.shape)
  table.insert(shape, place, depth)
  return trace.scope("one_hot", function()
    local counts = ops.iota(shape, place - 1, indices.dtype)
    local hot = ops.equal(ops.expand_dims(indices, place - 1), counts)
    local dtype = options.dtype or "float32"
    if options.on_value or options.off_value then
      return ops.where(hot, convert(options.on_value or 1, dtype), convert(options.off_value or 0, dtype))
    end
    hot = ops.cast(hot, dtype)
    if place == rank and trace.is_tracing() then
      rawset(hot, "_classes", indices) -- a loss may take these instead
    end
    return hot
  end)
end

---@name pod.tril pod.triu
--- Keeps the lower (`tril`) or upper (`triu`) triangle of the last two axes; the rest becomes 0.
---@param x tensor `(..., rows, columns)`
---@param k? integer how many diagonals above the main one belong to the lower triangle, below it to neither (default 0)
---@return tensor
---@example pod.tril { { 1, 2 }, { 3, 4 } } --> { { 1, 0 }, { 3, 4 } }
-- Keeps the lower triangle of the last two axes (with k diagonals above it); triu the upper one.
local function triangle(name, comparison)
  ops[name] = function(x, k)
    x = convert(x)
    local rank = #x.shape
    if rank < 2 then
      errors.raise("%s needs two axes; this tensor has shape %s", name, tostring(x.shape))
    end
    local shape = { x.shape[rank - 1], x.shape[rank] }
    local keep = ops[comparison](ops.iota(shape, 1), ops.iota(shape, 0) + (k or 0))
    return ops.where(keep, x, convert(0, x.dtype))
  end
end
triangle("tril", "less_equal")
triangle("triu", "greater_equal")

return ops
