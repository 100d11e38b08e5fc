-- boolean_mask - the elements that a mask keeps: a result whose size depends on values, so for values that are
-- known only.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local global_state = require "moonpod.base.global_state"
local ops = require "moonpod.ops"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local mask_of = {}

-- Who is asked, while a graph is traced, what to put in the place of a selection: set by a check of compatibility, and
-- while a functional model is put together. Without one it is an error.
local stand_in = global_state.new("stand-in of boolean_mask", nil)

-- A stand-in: all rows, with zeros where the mask is false.
function mask_of.all_rows(rows, mask, axis)
  local dims = shapes.fill(#rows.shape, 1)
  dims[axis + 1] = rows.shape[axis + 1]
  return rows * ops.cast(ops.reshape(mask, dims), rows.dtype)
end

-- Calls fn with a stand-in; returns what errors.attempt does.
function mask_of.with_stand_in(other, fn)
  return errors.attempt(stand_in.with, stand_in, other, fn)
end

-- The same without a net: returns what fn(...) does, or raises.
function mask_of.standing_in(other, fn, ...)
  return stand_in:with(other, fn, ...)
end

local function check_shapes(x, mask, axis)
  for i = 1, #mask.shape do
    if mask.shape[i] ~= x.shape[axis + i] then
      errors.raise("boolean_mask: the mask has shape %s; it must be as axes %d to %d of the tensor, which has shape %s",
        tostring(mask.shape), axis, axis + #mask.shape - 1, tostring(x.shape))
    end
  end
end

-- The masked axes as one axis.
local function flatten_masked(x, mask, axis)
  return ops.reshape(x, tables.join(tables.slice(x.shape, 1, axis), { -1 },
    tables.slice(x.shape, axis + #mask.shape + 1)))
end

--- pod.boolean_mask(x, mask, { axis = 0 }): what of x the mask is true for, in a row along `axis`. While a step is
--- traced
--- the mask's values are not known, and the shape would depend on them.
---@param options.axis integer (default 0)
---@example pod.boolean_mask({ 1, 2, 3 }, { true, false, true }) --> { 1, 3 }
function mask_of.select(x, mask, options)
  options = errors.check_options(options, { axis = true }, "boolean_mask")
  local said = mask
  x, mask = tensor.convert(x), ops.cast(tensor.convert(mask), "bool")
  local axis = options.axis or 0
  if axis < 0 then
    axis = axis + #x.shape
  end
  if #mask.shape == 0 or axis < 0 or axis + #mask.shape > #x.shape then
    errors.raise("boolean_mask: a mask of shape %s does not fit a tensor of shape %s from axis %s on",
      tostring(mask.shape), tostring(x.shape), tostring(options.axis or 0))
  end
  check_shapes(x, mask, axis)
  local rows = flatten_masked(x, mask, axis)
  if trace.is_tracing() then
    if stand_in.value then
      return stand_in.value(rows, ops.reshape(mask, { -1 }), axis, said)
    end
    errors.raise("boolean_mask: in a compiled step the size of the result would depend on values. Multiply by the "
      .. "mask instead (x * pod.cast(mask, x.dtype)); for a loss: pod.masked_loss(loss, logits, labels, mask)")
  end
  local places = tensor.buffer(mask):places(device.context())
  return ops.take(rows, tensor.from_buffer(places), axis)
end

return mask_of
