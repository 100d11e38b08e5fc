-- ops_shape - making tensors, giving them other shapes, picking parts of them.

local errors = require "moonpod.errors"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.trace"

local convert, call, apply = tensor.convert, trace.call, trace.apply
local unpack = table.unpack or unpack -- luacheck: ignore

-- Returns a copy of an array of sizes, also of varargs.
local function dims_of(first, ...)
  if type(first) == "table" then
    local copy = {}
    for i = 1, #first do
      copy[i] = first[i]
    end
    return copy
  end
  if first == nil then
    return {}
  end
  return { first, ... }
end

-- Returns an axis counted from 1 for Lua's arrays; raises when the rank has none such.
local function axis_place(axis, rank, what)
  if type(axis) ~= "number" or axis ~= math.floor(axis) then
    errors.raise("%s: the axis must be an integer, not %s", what, tostring(axis))
  end
  local place = axis < 0 and rank + axis + 1 or axis + 1
  if place < 1 or place > rank then
    errors.raise("%s: axis %d does not exist in %d axes (they count from 0; -1 is the last)", what,
      axis, rank)
  end
  return place
end

local function product(dims, first, last)
  local result = 1
  for i = first, last do
    result = result * dims[i]
  end
  return result
end

local function fill(size, value)
  local list = {}
  for i = 1, size do
    list[i] = value
  end
  return list
end

local function define_constructors(ops)
  -- A tensor of one value: full(shape, value, dtype?)
  function ops.full(shape, value, dtype)
    if type(dtype) == "table" then
      dtype = errors.check_options(dtype, { dtype = true }, "full").dtype
    end
    if type(shape) == "number" then
      shape = { shape }
    end
    return ops.broadcast_to(convert(value, dtype and ops.dtype(dtype)), shape)
  end

  local function constant_maker(name, value)
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
      return ops.full(shape, value, options.dtype or "float32")
    end
    ops[name .. "_like"] = function(x, dtype)
      x = convert(x)
      return ops.full(x.shape, value, dtype or x.dtype)
    end
  end
  constant_maker("zeros", 0)
  constant_maker("ones", 1)

  function ops.full_like(x, value, dtype)
    x = convert(x)
    return ops.full(x.shape, value, dtype or x.dtype)
  end

  -- Counts 0, 1, ... along an axis of a shape.
  function ops.iota(shape, axis, dtype)
    shape = dims_of(shape)
    local place = axis_place(axis or 0, #shape, "iota")
    return apply("iota", {}, { shape = shape, axis = place - 1, dtype = ops.dtype(dtype or "int32") })
  end

  -- arange(stop), arange(start, stop), arange(start, stop, step), each with { dtype = } last
  function ops.arange(...)
    local numbers = { ... }
    local options = {}
    if type(numbers[#numbers]) == "table" then
      options = errors.check_options(table.remove(numbers), { dtype = true }, "arange")
    elseif type(numbers[#numbers]) == "string" then
      options = { dtype = table.remove(numbers) }
    end
    local start, stop, step = numbers[1], numbers[2], numbers[3] or 1
    if not stop then
      start, stop = 0, start
    end
    if step == 0 then
      errors.raise("arange: the step is 0")
    end
    local whole = start == math.floor(start) and stop == math.floor(stop) and step == math.floor(step)
    local dtype = options.dtype or whole and "int32" or "float32"
    local count = math.max(0, math.ceil((stop - start) / step))
    local counts = ops.iota({ count }, 0, dtype)
    if step ~= 1 then
      counts = counts * convert(step, counts.dtype)
    end
    if start ~= 0 then
      counts = counts + convert(start, counts.dtype)
    end
    return counts
  end

  -- `count` values from start to stop, both among them.
  function ops.linspace(start, stop, count, options)
    options = errors.check_options(options, { dtype = true, endpoint = true }, "linspace")
    count = count or 50
    local gaps = options.endpoint == false and count or count - 1
    local counts = ops.iota({ count }, 0, "float32")
    local result = counts * ((stop - start) / math.max(gaps, 1)) + start
    return options.dtype and ops.cast(result, options.dtype) or result
  end

  -- Ones on a diagonal.
  function ops.eye(rows, columns, options)
    if type(columns) == "table" then
      columns, options = nil, columns
    end
    options = errors.check_options(options, { dtype = true, k = true }, "eye")
    local shape = { rows, columns or rows }
    local same = ops.equal(ops.iota(shape, 0) + (options.k or 0), ops.iota(shape, 1))
    return ops.cast(same, options.dtype or "float32")
  end

  -- A 1 at each index along a new axis; indices outside give only zeros.
  function ops.one_hot(indices, depth, options)
    options = errors.check_options(options,
      { dtype = true, axis = true, on_value = true, off_value = true }, "one_hot")
    indices = convert(indices)
    if ops.is_float(indices.dtype) then
      indices = ops.cast(indices, "int32")
    end
    local rank = #indices.shape + 1
    local place = axis_place(options.axis or -1, rank, "one_hot")
    local shape = dims_of(indices.shape)
    table.insert(shape, place, depth)
    local counts = ops.iota(shape, place - 1, indices.dtype)
    local hot = ops.equal(ops.expand_dims(indices, place - 1), counts)
    local dtype = options.dtype or "float32"
    if options.on_value or options.off_value then
      return ops.where(hot, convert(options.on_value or 1, dtype), convert(options.off_value or 0, dtype))
    end
    return ops.cast(hot, dtype)
  end

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
end

local function define_shapes(ops)
  -- Another shape for the same elements; one size may be -1. Sizes as a table or as numbers.
  function ops.reshape(x, ...)
    x = convert(x)
    return call("reshape", x, dims_of(...))
  end

  function ops.flatten(x)
    return ops.reshape(x, { -1 })
  end

  function ops.broadcast_to(x, shape)
    return call("broadcast_to", convert(x), dims_of(shape))
  end

  -- Permutes axes; without axes it reverses them.
  function ops.transpose(x, ...)
    x = convert(x)
    local axes = ...
    if axes == nil then
      return call("transpose", x)
    end
    axes = dims_of(...)
    for i = 1, #axes do
      axes[i] = axis_place(axes[i], #x.shape, "transpose") - 1
    end
    return call("transpose", x, axes)
  end

  function ops.swapaxes(x, a, b)
    x = convert(x)
    local axes = {}
    for i = 1, #x.shape do
      axes[i] = i - 1
    end
    a, b = axis_place(a, #axes, "swapaxes"), axis_place(b, #axes, "swapaxes")
    axes[a], axes[b] = axes[b], axes[a]
    return call("transpose", x, axes)
  end

  function ops.moveaxis(x, from, to)
    x = convert(x)
    local rank, axes = #x.shape, {}
    from, to = axis_place(from, rank, "moveaxis"), axis_place(to, rank, "moveaxis")
    for i = 1, rank do
      if i ~= from then
        axes[#axes + 1] = i - 1
      end
    end
    table.insert(axes, to, from - 1)
    return call("transpose", x, axes)
  end

  -- Adds an axis of size 1.
  function ops.expand_dims(x, axis)
    x = convert(x)
    local shape = dims_of(x.shape)
    table.insert(shape, axis_place(axis, #shape + 1, "expand_dims"), 1)
    return call("reshape", x, shape)
  end

  -- Takes axes of size 1 away: those given (one or a table), or all.
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

  -- Joins tensors along an axis that they have; stack along a new one.
  function ops.concat(list, axis)
    if type(list) ~= "table" or tensor.is(list) or #list == 0 then
      errors.raise("concat needs a table of tensors")
    end
    local parts, dtype = {}, nil
    for i, part in ipairs(list) do
      parts[i] = convert(part)
      dtype = dtype and ops.promote(dtype, parts[i].dtype) or parts[i].dtype
    end
    for i = 1, #parts do
      parts[i] = ops.cast(parts[i], dtype)
    end
    if #parts == 1 then
      return parts[1]
    end
    local place = axis_place(axis or 0, #parts[1].shape, "concat")
    return apply("concatenate", parts, { axis = place - 1 })
  end
  ops.concatenate = ops.concat

  function ops.stack(list, axis)
    local parts = {}
    for i, part in ipairs(list) do
      part = convert(part)
      parts[i] = ops.expand_dims(part, axis or 0)
    end
    return ops.concat(parts, axis or 0)
  end

  -- Elements low (inclusive) to high (exclusive) with a step, along one axis.
  function ops.slice_axis(x, axis, low, high, step)
    x = convert(x)
    local rank = #x.shape
    local place = axis_place(axis, rank, "slice")
    local lows, highs, steps = fill(rank, 0), dims_of(x.shape), fill(rank, 1)
    lows[place], highs[place], steps[place] = low, high, step or 1
    return apply("slice", { x }, { low = lows, high = highs, step = steps })
  end

  -- The part that begins at `low` and has `size` (-1: all that is left), for each axis, from 0.
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

  -- Splits along an axis into `parts` equal ones, or into a table of sizes.
  function ops.split(x, parts, axis)
    x = convert(x)
    axis = axis or 0
    local place = axis_place(axis, #x.shape, "split")
    local size, sizes = x.shape[place], parts
    if type(parts) == "number" then
      if size % parts ~= 0 then
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

  function ops.unstack(x, axis)
    x = convert(x)
    axis = axis or 0
    local list = ops.split(x, x.shape[axis_place(axis, #x.shape, "unstack")], axis)
    for i, part in ipairs(list) do
      list[i] = ops.squeeze(part, axis)
    end
    return list
  end

  -- Repeats the whole along each axis.
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

  -- Repeats each element along an axis (NumPy's repeat, a keyword in Lua).
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

  -- Reverses along axes: one, a table, or all.
  function ops.flip(x, axis)
    x = convert(x)
    local axes = {}
    if axis == nil then
      for i = 1, #x.shape do
        axes[i] = i - 1
      end
    else
      for i, a in ipairs(type(axis) == "table" and axis or { axis }) do
        axes[i] = axis_place(a, #x.shape, "flip") - 1
      end
    end
    return apply("reverse", { x }, { axes = axes })
  end

  -- Moves elements along an axis; those that leave come in at the other end.
  function ops.roll(x, shift, axis)
    x = convert(x)
    if axis == nil then
      return ops.reshape(ops.roll(ops.flatten(x), shift, 0), x.shape)
    end
    local size = x.shape[axis_place(axis, #x.shape, "roll")]
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

  -- pad(x, { { before, after }, ... }, { mode = "constant" | "reflect" | "symmetric", value = })
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
    local low, high = {}, {}
    for i, pair in ipairs(paddings) do
      low[i], high[i] = pair[1], pair[2]
    end
    return apply("pad", { x, convert(options.value or 0, x.dtype) },
      { low = low, high = high, step = fill(#low, 0) })
  end

  -- The true number of rows of an axis: a shard may be short.
  function ops.dimension_size(x, axis)
    x = convert(x)
    return apply("dimension_size", { x },
      { axis = axis_place(axis or 0, #x.shape, "dimension_size") - 1 })
  end
end

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
    for i = 1, #indices do
      given[i] = indices[i]
    end
  end
  for _, index in ipairs(given) do
    new_axes = new_axes + (index == "newaxis" and 1 or 0)
  end
  local has_dots = false
  local function fill_up(count)
    for _ = 1, count do
      list[#list + 1] = ":"
    end
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
        if low < 0 or low >= size or low ~= math.floor(low) then
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

local function define_picking(ops)
  -- Row `index`, counted from 0.
  function ops.row(x, index)
    local shape = dims_of(x.shape)
    table.remove(shape, 1)
    return ops.reshape(ops.slice_axis(x, 0, index, index + 1), shape)
  end

  -- t[{ 0, "1:3", ":" }] and t:at("0, 1:3"): NumPy's basic indexing, counted from 0.
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

  function ops.at(x, indices)
    if type(indices) ~= "string" then
      errors.raise("t:at takes a text like \"0, 1:3, ...\"")
    end
    return ops.index(x, indices)
  end

  -- A copy of x in which what indices pick is `value`, which broadcasts: what v[{ 0, "1:3" }] = value assigns.
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
    if ops.is_float(indices.dtype) or indices.dtype ~= "int64" then
      indices = ops.cast(indices, "int32")
    end
    return indices
  end

  -- Takes the slices at `indices` along an axis (tf.gather).
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

  -- Takes one element a place along an axis; indices has x's shape but for that axis.
  function ops.take_along_axis(x, indices, axis)
    x, indices = convert(x), index_tensor(indices)
    local rank = #x.shape
    axis = axis_place(axis or -1, rank, "take_along_axis") - 1
    local moved, moved_indices = ops.moveaxis(x, axis, -1), ops.moveaxis(indices, axis, -1)
    local picked = apply("gather", { moved, moved_indices }, { axis = rank - 1, count = rank - 1 })
    return ops.moveaxis(picked, -1, axis)
  end

  local scatter_kinds = { "assign", "sum", "max", "min" }

  -- Folds updates into x at indices along an axis: kind is "assign", "sum", "max" or "min".
  function ops.scatter(x, indices, updates, axis, kind)
    x, indices = convert(x), index_tensor(indices)
    kind = kind or "assign"
    local known = false
    for _, name in ipairs(scatter_kinds) do
      known = known or name == kind
    end
    if not known then
      errors.raise("scatter: there is no kind '%s'%s", tostring(kind),
        errors.suggest(kind, scatter_kinds))
    end
    local place = axis_place(axis or 0, #x.shape, "scatter")
    return apply("scatter", { x, indices, convert(updates, x.dtype) },
      { axis = place - 1, count = 0, reduction = kind })
  end

  local function scalar_starts(starts)
    local list = {}
    for i, start in ipairs(starts) do
      list[i] = convert(start, "int32")
    end
    return list
  end

  -- A part of static size at a place known at run time; starts is an array of scalars.
  function ops.dynamic_slice(x, starts, size)
    return apply("dynamic_slice", { convert(x), unpack(scalar_starts(starts)) },
      { shape = dims_of(size) })
  end

  function ops.dynamic_update_slice(x, update, starts)
    x = convert(x)
    return apply("dynamic_update_slice",
      { x, convert(update, x.dtype), unpack(scalar_starts(starts)) })
  end

  function ops.sort(x, axis, options)
    options = errors.check_options(options, { descending = true }, "sort")
    x = convert(x)
    return apply("sort", { x }, {
      axis = axis_place(axis or -1, #x.shape, "sort") - 1,
      flag = options.descending or false,
    })
  end

  function ops.argsort(x, axis, options)
    options = errors.check_options(options, { descending = true }, "argsort")
    x = convert(x)
    local place = axis_place(axis or -1, #x.shape, "argsort")
    local _, order = apply("sort", { x, ops.iota(x.shape, place - 1) },
      { axis = place - 1, flag = options.descending or false })
    return order
  end

  -- The k largest of the last axis, descending, and their places.
  function ops.top_k(x, k)
    return apply("top_k", { convert(x) }, { count = k or 1 })
  end

  -- Whether each target is among the k largest predictions.
  function ops.in_top_k(targets, predictions, k)
    predictions = convert(predictions)
    local _, places = ops.top_k(predictions, k)
    return ops.any(ops.equal(places, ops.expand_dims(ops.cast(targets, "int32"), -1)), -1)
  end

  function ops.cumsum(x, axis, options)
    options = errors.check_options(options, { reverse = true, exclusive = true }, "cumsum")
    x = convert(x)
    return apply("cumulative_sum", { x }, {
      axis = axis_place(axis or 0, #x.shape, "cumsum") - 1,
      flag = options.reverse or false,
      count = options.exclusive and 1 or 0,
    })
  end
end

local no_methods = {
  full = true, zeros = true, ones = true, iota = true, arange = true, linspace = true, eye = true,
  row = true, index = true, concat = true, concatenate = true, stack = true,
}

return function(ops)
  local before = {}
  for name in pairs(ops) do
    before[name] = true
  end
  ops.axis_place, ops.dims_of, ops.product_of = axis_place, dims_of, product
  before.axis_place, before.dims_of, before.product_of = true, true, true
  define_constructors(ops)
  define_shapes(ops)
  define_picking(ops)
  for name, fn in pairs(ops) do
    if not before[name] and not no_methods[name] then
      ops.methods[name] = fn
    end
  end
end
