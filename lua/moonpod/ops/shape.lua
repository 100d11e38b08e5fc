-- ops_shape - giving tensors other shapes, joining and cutting them.

local ops = require "moonpod.ops.elementwise"
local shapes = require "moonpod.base.shapes"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local dims_of, axis_place, fill = shapes.dims, shapes.place, shapes.fill
local convert, call, apply = tensor.convert, trace.call, trace.apply

--- Another shape for the same elements; one size may be -1. Sizes as a table or as numbers.
---@example pod.reshape({ 1, 2, 3, 4 }, { 2, -1 }) --> { { 1, 2 }, { 3, 4 } }
function ops.reshape(x, ...)
  x = convert(x)
  local result = call("reshape", x, dims_of(...))
  local classes = rawget(x, "_classes")
  local rank = #result.shape
  if classes and rank > 0 and result.shape[rank] == x.shape[#x.shape] then -- one-hot rows stay ones: see one_hot
    local dims = dims_of(result.shape)
    dims[rank] = nil
    rawset(result, "_classes", ops.reshape(classes, dims))
  end
  return result
end

--- One axis of all elements.
---@example pod.flatten { { 1, 2 }, { 3, 4 } } --> { 1, 2, 3, 4 }
function ops.flatten(x)
  return ops.reshape(x, { -1 })
end

--- Repeats axes of size 1, and new ones in front, to a shape.
---@example pod.broadcast_to({ 1, 2 }, { 2, 2 }) --> { { 1, 2 }, { 1, 2 } }
function ops.broadcast_to(x, shape)
  return call("broadcast_to", convert(x), dims_of(shape))
end

--- Permutes axes; without axes it reverses them.
---@example pod.transpose { { 1, 2 }, { 3, 4 } } --> { { 1, 3 }, { 2, 4 } }
function ops.transpose(x, ...)
  x = convert(x)
  local axes = ...
  if axes == nil then
    return call("transpose", x)
  end
  return call("transpose", x, shapes.axes(dims_of(...), #x.shape, "transpose"))
end

--- Swaps two axes.
---@example pod.swapaxes(pod.ones { 2, 3, 4 }, 0, 2).shape --> (4, 3, 2)
function ops.swapaxes(x, a, b)
  x = convert(x)
  local axes = tables.range(0, #x.shape - 1)
  a, b = axis_place(a, #axes, "swapaxes"), axis_place(b, #axes, "swapaxes")
  axes[a], axes[b] = axes[b], axes[a]
  return call("transpose", x, axes)
end

--- Moves axes to other places; the rest keep their order.
---@example pod.moveaxis(pod.ones { 2, 3, 4 }, 0, 2).shape --> (3, 4, 2)
function ops.moveaxis(x, from, to)
  x = convert(x)
  local rank = #x.shape
  local axes = tables.range(0, rank - 1)
  from, to = axis_place(from, rank, "moveaxis"), axis_place(to, rank, "moveaxis")
  table.insert(axes, to, table.remove(axes, from))
  return call("transpose", x, axes)
end

--- Adds an axis of size 1.
---@example pod.expand_dims({ 1, 2 }, 0) --> { { 1, 2 } }
function ops.expand_dims(x, axis)
  x = convert(x)
  local shape = dims_of(x.shape)
  table.insert(shape, axis_place(axis, #shape + 1, "expand_dims"), 1)
  return call("reshape", x, shape)
end

--- Takes axes of size 1 away: those given (one or a table), or all.
---@example pod.squeeze({ { 1, 2 } }, 0) --> { 1, 2 }
function ops.squeeze(x, axis)
  x = convert(x)
  local drop = {}
  if axis == nil then
    for i = 1, #x.shape do
      drop[i] = x.shape[i] == 1
    end
  else
    for _, a in ipairs(type(axis) == "table" and axis or { axis }) do
      local place = axis_place(a, #x.shape, "squeeze")
      if x.shape[place] ~= 1 then
        errors.raise("squeeze: axis %d of shape %s has size %d, not 1", a, tostring(x.shape),
          x.shape[place])
      end
      drop[place] = true
    end
  end
  local shape = {}
  for i = 1, #x.shape do
    if not drop[i] then
      shape[#shape + 1] = x.shape[i]
    end
  end
  return call("reshape", x, shape)
end

--- Joins tensors along an axis that they have; stack along a new one.
---@example pod.concat { { 1, 2 }, { 3 } } --> { 1, 2, 3 }
function ops.concat(list, axis)
  if type(list) ~= "table" or tensor.is(list) or #list == 0 then
    errors.raise("concat needs a table of tensors")
  end
  local parts, dtype = {}, nil
  for i, part in ipairs(list) do
    parts[i] = convert(part)
    dtype = dtype and ops.promote(dtype, parts[i].dtype) or parts[i].dtype
  end
  parts = tables.map(parts, ops.cast, dtype)
  if #parts == 1 then
    return parts[1]
  end
  local place = axis_place(axis or 0, #parts[1].shape, "concat")
  return apply("concatenate", parts, { axis = place - 1 })
end
ops.concatenate = ops.concat

--- Joins tensors of one shape along a new axis (0).
---@example pod.stack { { 1, 2 }, { 3, 4 } } --> { { 1, 2 }, { 3, 4 } }
function ops.stack(list, axis)
  return ops.concat(tables.map(tables.map(list, convert), ops.expand_dims, axis or 0), axis or 0)
end

--- Elements low (inclusive) to high (exclusive) with a step, along one axis.
---@example pod.slice_axis({ 1, 2, 3, 4 }, 0, 1, 3) --> { 2, 3 }
function ops.slice_axis(x, axis, low, high, step)
  x = convert(x)
  local rank = #x.shape
  local place = axis_place(axis, rank, "slice")
  local lows, highs, steps = fill(rank, 0), dims_of(x.shape), fill(rank, 1)
  lows[place], highs[place], steps[place] = low, high, step or 1
  return apply("slice", { x }, { low = lows, high = highs, step = steps })
end

--- The part that begins at `low` and has `size` (-1: all that is left), for each axis, from 0.
---@example pod.slice({ 1, 2, 3, 4 }, { 1 }, { 2 }) --> { 2, 3 }
function ops.slice(x, low, size)
  x = convert(x)
  local rank = #x.shape
  if #low ~= rank or #size ~= rank then
    errors.raise("slice: begin and size need %d entries, one an axis of shape %s", rank,
      tostring(x.shape))
  end
  local highs = {}
  for i = 1, rank do
    highs[i] = size[i] == -1 and x.shape[i] or low[i] + size[i]
  end
  return apply("slice", { x }, { low = dims_of(low), high = highs, step = fill(rank, 1) })
end

--- Splits along an axis into `parts` equal ones, or into a table of sizes.
---@example pod.split({ 1, 2, 3, 4 }, 2)[1] --> { 1, 2 }
function ops.split(x, parts, axis)
  x = convert(x)
  axis = axis or 0
  local place = axis_place(axis, #x.shape, "split")
  local size, sizes = x.shape[place], parts
  if type(parts) == "number" then
    if parts < 1 or size % parts ~= 0 then
      errors.raise("split: axis %d of size %d cannot be cut into %d equal parts", axis, size, parts)
    end
    sizes = fill(parts, math.floor(size / parts))
  end
  local list, low = {}, 0
  for i, part in ipairs(sizes) do
    list[i] = ops.slice_axis(x, place - 1, low, low + part)
    low = low + part
  end
  if low ~= size then
    errors.raise("split: the sizes sum to %d, but axis %d has size %d", low, axis, size)
  end
  return list
end

--- The parts of x along an axis (0), without that axis: a list.
---@example pod.unstack({ { 1, 2 }, { 3, 4 } })[2] --> { 3, 4 }
function ops.unstack(x, axis)
  x = convert(x)
  axis = axis or 0
  return tables.map(ops.split(x, x.shape[axis_place(axis, #x.shape, "unstack")], axis), ops.squeeze, axis)
end

--- Repeats the whole along each axis.
---@example pod.tile({ 1, 2 }, { 2 }) --> { 1, 2, 1, 2 }
function ops.tile(x, repeats)
  x = convert(x)
  repeats = type(repeats) == "number" and { repeats } or dims_of(repeats)
  local shape = dims_of(x.shape)
  while #repeats < #shape do
    table.insert(repeats, 1, 1)
  end
  while #shape < #repeats do
    table.insert(shape, 1, 1)
  end
  local split, wide, result = {}, {}, {}
  for i = 1, #shape do
    split[2 * i - 1], split[2 * i] = 1, shape[i]
    wide[2 * i - 1], wide[2 * i] = repeats[i], shape[i]
    result[i] = repeats[i] * shape[i]
  end
  if #split > 8 then
    x = ops.reshape(x, shape)
    for i = 1, #shape do
      if repeats[i] ~= 1 then
        x = ops.concat(fill(repeats[i], x), i - 1)
      end
    end
    return x
  end
  return ops.reshape(ops.broadcast_to(ops.reshape(x, split), wide), result)
end

--- Repeats each element along an axis (NumPy's repeat, a keyword in Lua).
---@example pod.repeat_({ 1, 2 }, 2, 0) --> { 1, 1, 2, 2 }
function ops.repeat_(x, count, axis)
  x = convert(x)
  if axis == nil then
    x, axis = ops.flatten(x), 0
  end
  local place = axis_place(axis, #x.shape, "repeat_")
  local shape, result = dims_of(x.shape), dims_of(x.shape)
  table.insert(shape, place + 1, count)
  result[place] = result[place] * count
  return ops.reshape(ops.broadcast_to(ops.expand_dims(x, place), shape), result)
end

--- Reverses along axes: one, a table, or all.
---@example pod.flip { 1, 2, 3 } --> { 3, 2, 1 }
function ops.flip(x, axis)
  x = convert(x)
  local axes = axis == nil and tables.range(0, #x.shape - 1) or shapes.axes(axis, #x.shape, "flip")
  return apply("reverse", { x }, { axes = axes })
end

--- Moves elements along an axis; those that leave come in at the other end.
---@example pod.roll({ 1, 2, 3 }, 1) --> { 3, 1, 2 }
function ops.roll(x, shift, axis)
  x = convert(x)
  if axis == nil then
    return ops.reshape(ops.roll(ops.flatten(x), shift, 0), x.shape)
  end
  local size = x.shape[axis_place(axis, #x.shape, "roll")]
  if size == 0 then
    return x
  end
  local cut = (size - shift) % size
  if cut == 0 then
    return x
  end
  return ops.concat({ ops.slice_axis(x, axis, cut, size), ops.slice_axis(x, axis, 0, cut) }, axis)
end

local function mirror(x, axis, before, after, edge)
  local size = x.shape[axis + 1]
  local parts = {}
  if before > 0 then
    parts[1] = ops.flip(ops.slice_axis(x, axis, edge, edge + before), axis)
  end
  parts[#parts + 1] = x
  if after > 0 then
    parts[#parts + 1] = ops.flip(ops.slice_axis(x, axis, size - edge - after, size - edge), axis)
  end
  return ops.concat(parts, axis)
end

--- Adds places around a tensor.
---@param x tensor
---@param paddings integer[][] { before, after } for each axis
---@param options.mode "constant"|"reflect"|"symmetric" what stands there: `value`, or what is on the other side of the
---   edge, without or with the edge (default "constant")
---@param options.value number (default 0)
---@return tensor
---@example pod.pad({ 1, 2 }, { { 1, 0 } }) --> { 0, 1, 2 }
function ops.pad(x, paddings, options)
  x = convert(x)
  options = errors.check_options(options, { mode = true, value = true }, "pad")
  if #paddings ~= #x.shape then
    errors.raise("pad: %d pairs given for shape %s", #paddings, tostring(x.shape))
  end
  local mode = options.mode or "constant"
  if mode == "reflect" or mode == "symmetric" then
    for i, pair in ipairs(paddings) do
      x = mirror(x, i - 1, pair[1], pair[2], mode == "reflect" and 1 or 0)
    end
    return x
  elseif mode ~= "constant" then
    errors.raise("pad: there is no mode '%s'%s", tostring(mode),
      errors.suggest(mode, { "constant", "reflect", "symmetric" }))
  end
  return apply("pad", { x, convert(options.value or 0, x.dtype) },
    { low = tables.column(paddings, 1), high = tables.column(paddings, 2), step = fill(#paddings, 0) })
end

--- The true number of rows of an axis: a shard may be short.
---@example pod.dimension_size(pod.ones { 4, 3 }, 0):item() --> 4
function ops.dimension_size(x, axis)
  x = convert(x)
  return apply("dimension_size", { x },
    { axis = axis_place(axis or 0, #x.shape, "dimension_size") - 1 })
end

return ops
