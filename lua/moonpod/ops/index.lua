-- ops_index - picking parts of tensors, putting parts in, and order.

local ops = require "moonpod.ops.elementwise"
local shapes = require "moonpod.base.shapes"
local errors = require "moonpod.base.errors"
local index_numbers = require "moonpod.ops.index_numbers"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local is_whole = require "moonpod.base.kinds".is_whole

local dims_of, axis_place, product = shapes.dims, shapes.place, shapes.product
local convert, apply = tensor.convert, trace.apply

-- Reads "low:high:step" for an axis of `size`, as NumPy does. Returns the first place, one behind the last, and a
-- positive step; with a negative step in the text they count from the axis' end, and `true` follows.
local function read_range(text, size)
  local first, last, step = text:match("^%s*(-?%d*)%s*:%s*(-?%d*)%s*:?%s*(-?%d*)%s*$")
  if not first then
    errors.raise("'%s' is no index; write a number, 'low:high', 'low:high:step', '...' or 'newaxis'", text)
  end
  step = tonumber(step) or 1
  if step == 0 then
    errors.raise("range '%s': the step cannot be 0", text)
  end
  local function place(given, default, lowest, highest)
    given = tonumber(given)
    if not given then
      return default
    end
    return math.max(lowest, math.min(given < 0 and size + given or given, highest))
  end
  if step > 0 then
    local low, high = place(first, 0, 0, size), place(last, size, 0, size)
    return low, math.max(low, high), step, false
  end
  local low = size - 1 - place(first, size - 1, -1, size - 1)
  local high = size - 1 - place(last, -1, -1, size - 1)
  return low, math.max(low, high), -step, true
end

-- The indices of t[{ ... }] or of one string "0, 1:3" as an array with one entry an axis of the tensor: numbers and
-- ranges, with "..." filled up; and the places where new axes go.
local function index_list(indices, rank)
  local list, given, new_axes = {}, {}, 0
  if type(indices) == "string" then
    for part in (indices .. ","):gmatch "%s*(.-)%s*," do
      given[#given + 1] = tonumber(part) or part
    end
  else
    given = tables.slice(indices)
  end
  for _, index in ipairs(given) do
    new_axes = new_axes + (index == "newaxis" and 1 or 0)
  end
  local has_dots = false
  local function fill_up(count)
    tables.extend(list, shapes.fill(count, ":"))
  end
  for _, index in ipairs(given) do
    if index == "..." then
      fill_up(has_dots and 0 or rank - (#given - 1 - new_axes))
      has_dots = true
    else
      list[#list + 1] = index
    end
  end
  if not has_dots then
    fill_up(rank - (#given - new_axes))
  end
  if #list - new_axes > rank then
    return nil, #list - new_axes
  end
  return list
end

-- What indices pick of a shape: arrays low, high and step (an entry an axis), axes to flip first, and the shape of
-- the result, whose axes of size 1 that a number has picked are gone.
local function read_indices(indices, dims)
  local list, count = index_list(indices, #dims)
  if not list then
    errors.raise("%d indices given for shape %s", count, tostring(dims))
  end
  local picked = { low = {}, high = {}, step = {}, flip = {}, shape = {} }
  local axis = 0
  for _, index in ipairs(list) do
    if index == "newaxis" then
      picked.shape[#picked.shape + 1] = 1
    else
      axis = axis + 1
      local size, low, high, step, flip = dims[axis], nil, nil, 1, false
      if type(index) == "number" then
        low = index < 0 and size + index or index
        if not is_whole(low, 0, size - 1) then
          errors.raise("index %g is outside axis %d of shape %s (counted from 0)", index, axis - 1, tostring(dims))
        end
        high = low + 1
      elseif type(index) == "string" then
        low, high, step, flip = read_range(index, size)
        picked.shape[#picked.shape + 1] = math.ceil((high - low) / step)
      else
        errors.raise("an index is a number or a range like \"1:3\", not %s; pod.gather picks by a tensor",
          errors.describe(index))
      end
      picked.low[axis], picked.high[axis], picked.step[axis] = low, high, step
      picked.flip[#picked.flip + 1] = flip and axis - 1 or nil
    end
  end
  return picked
end

--- Row `index`, counted from 0.
---@example pod.row({ { 1, 2 }, { 3, 4 } }, 1) --> { 3, 4 }
function ops.row(x, index)
  x = convert(x)
  if #x.shape == 0 then
    errors.raise("row: a scalar has no rows")
  end
  return ops.reshape(ops.slice_axis(x, 0, index, index + 1), tables.slice(x.shape, 2))
end

--- t[{ 0, "1:3", ":" }] and t:at("0, 1:3"): NumPy's basic indexing, counted from 0.
---@example pod.index(pod.tensor { { 1, 2 }, { 3, 4 } }, { 1, 0 }):item() --> 3
function ops.index(x, indices)
  x = convert(x)
  if tensor.is(indices) then
    if indices.dtype == "bool" then
      errors.raise("a mask does not pick: the shape of the result would depend on values. Multiply by the mask, or "
        .. "use pod.where")
    end
    return ops.gather(x, indices, 0)
  end
  local picked = read_indices(indices, x.shape)
  if #picked.flip > 0 then
    x = ops.flip(x, picked.flip)
  end
  return ops.reshape(apply("slice", { x }, { low = picked.low, high = picked.high, step = picked.step }),
    picked.shape)
end

--- x by a text or a list of indices, as NumPy writes them: "0, 1:3".
---@example pod.at(pod.tensor { { 1, 2 }, { 3, 4 } }, "1, 0:2") --> { 3, 4 }
function ops.at(x, indices)
  if type(indices) ~= "string" then
    errors.raise("t:at takes a text like \"0, 1:3, ...\"")
  end
  return ops.index(x, indices)
end

--- A copy of x in which what indices pick is `value`, which broadcasts: what v[{ 0, "1:3" }] = value assigns.
---@example pod.index_update({ 1, 2, 3 }, "0:2", 9) --> { 9, 9, 3 }
function ops.index_update(x, indices, value)
  x = convert(x)
  local picked = read_indices(indices, x.shape)
  value = ops.broadcast_to(convert(value, x.dtype), picked.shape)
  local sizes, inputs, strided = {}, { x, value }, #picked.flip > 0
  for i = 1, #x.shape do
    sizes[i] = math.ceil((picked.high[i] - picked.low[i]) / picked.step[i])
    strided = strided or picked.step[i] ~= 1
    inputs[i + 2] = convert(picked.low[i], "int32")
  end
  value = ops.reshape(value, sizes)
  if product(sizes, 1, #sizes) == 0 then
    return x
  elseif not strided then
    inputs[2] = value
    return apply("dynamic_update_slice", inputs)
  end
  -- with steps between: spread out by padding, and chosen where a mask spread alike is set
  local low, high, step = {}, {}, {}
  local function spread(t, fill_value)
    return apply("pad", { t, convert(fill_value, t.dtype) }, { low = low, high = high, step = step })
  end
  for i = 1, #x.shape do
    low[i], step[i] = picked.low[i], picked.step[i] - 1
    high[i] = x.shape[i] - low[i] - (sizes[i] - 1) * picked.step[i] - 1
  end
  local mask = spread(ops.ones(sizes, "bool"), false)
  local spread_value = spread(value, 0)
  if #picked.flip > 0 then
    mask, spread_value = ops.flip(mask, picked.flip), ops.flip(spread_value, picked.flip)
  end
  return ops.where(mask, spread_value, x)
end

local function index_tensor(indices)
  indices = convert(indices)
  return indices.dtype == "int64" and indices or index_numbers(indices)
end

--- Takes the slices at `indices` along an axis (tf.gather).
---@param options.axis integer (default 0)
---@param options.batch_dims integer how many axes at the front indices and tensor have together
---@example pod.gather({ 5, 6, 7 }, { 2, 0 }) --> { 7, 5 }
---@param options.axis integer (default 0)
---@param options.batch_dims integer how many axes at the front indices and tensor have together
---@example pod.take({ 5, 6, 7 }, { 2, 0 }) --> { 7, 5 }
function ops.gather(x, indices, axis, options)
  if type(axis) == "table" then
    axis, options = axis.axis, axis
  end
  options = errors.check_options(options, { batch_dims = true, axis = true }, "gather")
  x, indices = convert(x), index_tensor(indices)
  local batch = options.batch_dims or 0
  local place = axis_place(axis or batch, #x.shape, "gather")
  return apply("gather", { x, indices }, { axis = place - 1, count = batch })
end
ops.take = ops.gather

--- Takes one element a place along an axis; indices has x's shape but for that axis.
---@example pod.take_along_axis({ { 5, 6 } }, { { 1 } }, 1) --> { { 6 } }
function ops.take_along_axis(x, indices, axis)
  x, indices = convert(x), index_tensor(indices)
  local rank = #x.shape
  axis = axis_place(axis or -1, rank, "take_along_axis") - 1
  local moved, moved_indices = ops.moveaxis(x, axis, -1), ops.moveaxis(indices, axis, -1)
  local picked = apply("gather", { moved, moved_indices }, { axis = rank - 1, count = rank - 1 })
  return ops.moveaxis(picked, -1, axis)
end

local SCATTER_KINDS = tables.set_of { "assign", "sum", "max", "min" }

--- Folds updates into x at indices along an axis: kind is "assign", "sum", "max" or "min".
---@example pod.scatter({ 0, 0, 0 }, { 1 }, { 5 }) --> { 0, 5, 0 }
function ops.scatter(x, indices, updates, axis, kind)
  x, indices = convert(x), index_tensor(indices)
  kind = kind or "assign"
  errors.find(SCATTER_KINDS, kind, "kind", "scatter")
  local place = axis_place(axis or 0, #x.shape, "scatter")
  return apply("scatter", { x, indices, convert(updates, x.dtype) },
    { axis = place - 1, count = 0, reduction = kind })
end

--- Sums rows that belong together: row i of what comes out is the sum of the rows of x whose place is i in `indices`,
--- so that a graph's nodes add up what their edges bring. Programs have to know before how many come out.
---@param count integer how many sums come out
---@return tensor `(count, ...)`
---@error a place is none of 0 to count - 1
---@example pod.segment_sum({ 1, 2, 3 }, { 0, 2, 0 }, 3) --> { 4, 0, 2 }
function ops.segment_sum(x, indices, count)
  x = convert(x)
  local shape = dims_of(x.shape)
  axis_place(0, #shape, "segment_sum")
  shape[1] = count
  return ops.scatter(ops.zeros(shape, x.dtype), indices, x, 0, "sum")
end

--- A part of static size at a place known at run time; starts is an array of scalars.
---@example pod.dynamic_slice({ 1, 2, 3 }, { pod.tensor(1, { dtype = "int32" }) }, { 2 }) --> { 2, 3 }
function ops.dynamic_slice(x, starts, size)
  return apply("dynamic_slice", tables.join({ convert(x) }, tables.map(starts, convert, "int32")),
    { shape = dims_of(size) })
end

--- x with `update` in the place that begins at `starts`, which may be a tensor.
---@example pod.dynamic_update_slice({ 1, 2, 3 }, { 9 }, { pod.tensor(1, { dtype = "int32" }) }) --> { 1, 9, 3 }
function ops.dynamic_update_slice(x, update, starts)
  x = convert(x)
  return apply("dynamic_update_slice",
    tables.join({ x, convert(update, x.dtype) }, tables.map(starts, convert, "int32")))
end

--- Sorts along an axis (the last): upwards, or descending = true.
---@example pod.sort { 3, 1, 2 } --> { 1, 2, 3 }
function ops.sort(x, axis, options)
  options = errors.check_options(options, { descending = true }, "sort")
  x = convert(x)
  return apply("sort", { x }, {
    axis = axis_place(axis or -1, #x.shape, "sort") - 1,
    flag = options.descending or false,
  })
end

--- The indices, from 0, that sort() would take the elements by.
---@example pod.argsort { 3, 1, 2 } --> { 1, 2, 0 }
function ops.argsort(x, axis, options)
  options = errors.check_options(options, { descending = true }, "argsort")
  x = convert(x)
  local place = axis_place(axis or -1, #x.shape, "argsort")
  local _, order = apply("sort", { x, ops.iota(x.shape, place - 1) },
    { axis = place - 1, flag = options.descending or false })
  return order
end

--- The k largest of the last axis, descending, and their places.
---@example pod.top_k({ 3, 1, 2 }, 2) --> { 3, 2 }, { 0, 2 }
function ops.top_k(x, k)
  return apply("top_k", { convert(x) }, { count = k or 1 })
end

--- Whether each target is among the k largest predictions.
---@example pod.in_top_k({ 1 }, { { 0.1, 0.8, 0.1 } }, 1) --> { true }
function ops.in_top_k(targets, predictions, k)
  predictions = convert(predictions)
  local _, places = ops.top_k(predictions, k)
  return ops.any(ops.equal(places, ops.expand_dims(index_numbers(targets), -1)), -1)
end

--- Sums of all elements up to each along an axis; exclusive = true: without it, reverse = true: from the end.
---@param options.exclusive boolean whether the element itself is left out
---@param options.reverse boolean whether sums are from the end
---@example pod.cumsum { 1, 2, 3 } --> { 1, 3, 6 }
function ops.cumsum(x, axis, options)
  options = errors.check_options(options, { reverse = true, exclusive = true }, "cumsum")
  x = convert(x)
  return apply("cumulative_sum", { x }, {
    axis = axis_place(axis or 0, #x.shape, "cumsum") - 1,
    flag = options.reverse or false,
    count = options.exclusive and 1 or 0,
  })
end

return ops
