-- shapes - arithmetic on shapes and on axes, which users count from 0.

local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local is_integer = require "moonpod.base.kinds".get("integer").is

local shapes = {}

-- Returns a copy of an array of sizes, also of varargs.
function shapes.dims(first, ...)
  if type(first) == "table" then
    return tables.slice(first)
  end
  if first == nil then
    return {}
  end
  return { first, ... }
end

-- Returns an axis counted from 1 for Lua's arrays; raises when the rank has none such.
function shapes.place(axis, rank, what)
  if not is_integer(axis) then
    errors.raise("%s: the axis must be an integer, not %s", what, tostring(axis))
  end
  local place = axis < 0 and rank + axis + 1 or axis + 1
  if place < 1 or place > rank then
    errors.raise("%s: axis %d does not exist in %d axes (they count from 0; -1 is the last)", what,
      axis, rank)
  end
  return place
end

-- The axes, from 0, that an axis or an array of them says.
function shapes.axes(given, rank, what)
  local axes = {}
  for i, axis in ipairs(type(given) == "table" and given or { given }) do
    axes[i] = shapes.place(axis, rank, what) - 1
  end
  return axes
end

-- Whether sizes, the last of two arrays, are equal, or any where -1 is wanted; `skip` of those wanted are passed over.
local function fit(wanted, given, skip)
  local fits = #given == #wanted - skip
  for i = skip + 1, #wanted do
    fits = fits and (wanted[i] == -1 or wanted[i] == given[i - skip])
  end
  return fits
end

-- Compares the shape of an input with that of a model's, which has -1 for any size. Returns nil where it fits, else the
-- end of a message.
function shapes.misfit(wanted, given)
  if fit(wanted, given, 0) then
    return nil
  elseif fit(wanted, given, 1) then
    return "; the batch is missing: dataset:batch(32), or x:expand_dims(0) where x is one row"
  end
  return ""
end

-- The product of the sizes first (1) to last (that of the end).
function shapes.product(dims, first, last)
  local result = 1
  for i = first or 1, last or #dims do
    result = result * dims[i]
  end
  return result
end

-- An array of `size` equal values.
function shapes.fill(size, value)
  local list = {}
  for i = 1, size do
    list[i] = value
  end
  return list
end

return shapes
