-- Layers that join several tensors.

local check = require "moonpod.layers.check"
local layer = require "moonpod.layers.layer"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"
local unit_vectors = require "moonpod.ops.unit_vectors"

local merging = {}

local function check_list(self, inputs, least)
  if nest.is_leaf(inputs) or #inputs < least then
    check.fail(self, " wants a list of at least %d tensors; got %s", least,
      nest.is_leaf(inputs) and "one tensor" or #inputs)
  end
end

-- Gives tensors of lower rank axes of size 1 behind the batch.
local function same_ranks(inputs)
  local rank = 0
  for _, x in ipairs(inputs) do
    rank = math.max(rank, #x.shape)
  end
  local out = {}
  for i, x in ipairs(inputs) do
    while #x.shape < rank do
      x = ops.expand_dims(x, 1)
    end
    out[i] = x
  end
  return out
end

-- The mask of an input with axes of size 1 behind, so that it broadcasts to it; nil for none.
local function wide_mask(x)
  local mask = nest.mask_of(x)
  while mask ~= nil and #mask.shape < #x.shape do
    mask = ops.expand_dims(mask, -1)
  end
  return mask
end

-- Folds inputs where masks say which places count: what does not count is left out, as far as others do.
local function fold_masked(inputs, fold)
  local out, seen = nil, nil
  for _, x in ipairs(inputs) do
    local mask = wide_mask(x)
    if out == nil then
      out, seen = x, mask
    else
      x = mask ~= nil and ops.where(mask, x, out) or x
      out = seen ~= nil and ops.where(seen, out, x) or out
      seen = mask ~= nil and seen ~= nil and ops.logical_or(seen, mask) or nil
      out = fold(out, x)
    end
  end
  return out
end

-- The product of what counts; 0 where every input has a mask and none counts.
local function multiply_masked(inputs)
  local out, seen, all_masked = nil, nil, true
  for _, x in ipairs(inputs) do
    local mask = wide_mask(x)
    if mask ~= nil then
      x = ops.where(mask, x, 1)
      seen = seen ~= nil and ops.logical_or(seen, mask) or mask
    end
    all_masked = all_masked and mask ~= nil
    out = out == nil and x or out * x
  end
  return all_masked and ops.where(seen, out, 0) or out
end

-- `masked`: how inputs of which one has a mask are joined, where that differs.
local function define(name, fold, finish, masked)
  local class = layer.define { name = name, several_inputs = true, supports_masking = true, joins = true }
  function class:call(inputs)
    check_list(self, inputs, name == "Subtract" and 2 or 1)
    if name == "Subtract" and #inputs ~= 2 then
      check.fail(self, " wants exactly 2 tensors; got %d", #inputs)
    end
    if masked and nest.mask_of(inputs) ~= nil then
      return masked(inputs, fold)
    end
    inputs = same_ranks(inputs)
    local out = inputs[1]
    for i = 2, #inputs do
      out = fold(out, inputs[i])
    end
    return finish and finish(out, #inputs) or out
  end
  -- The result counts where any input does; without a mask where one input has none.
  function class:compute_mask(_, mask)
    local any
    for _, one in ipairs(mask or {}) do
      if not one then
        return nil
      end
      any = any and ops.logical_or(any, one) or one
    end
    return any
  end
  return class
end

---@name pod.layers.add
--- The sum of a list of inputs, element by element; shapes broadcast. Called with the list at once, it is Keras'
--- function of that name.
---@return layer
---@example pod.layers.add { pod.tensor { 1, 2 }, pod.tensor { 3, 4 } } --> { 4, 6 }
---@example pod.layers.add()({ pod.tensor { 1, 2 }, pod.tensor { 3, 4 } }) --> { 4, 6 }
merging.add = define("Add", function(a, b) return a + b end)
---@name pod.layers.subtract
--- The first of two inputs less the second.
---@return layer
---@example pod.layers.subtract()({ pod.tensor { 3, 4 }, pod.tensor { 1, 1 } }) --> { 2, 3 }
merging.subtract = define("Subtract", function(a, b) return a - b end)
---@name pod.layers.multiply
--- The product of a list of inputs, element by element.
---@return layer
---@example pod.layers.multiply()({ pod.tensor { 1, 2 }, pod.tensor { 3, 4 } }) --> { 3, 8 }
merging.multiply = define("Multiply", function(a, b) return a * b end, nil, multiply_masked)
---@name pod.layers.maximum
--- The largest of a list of inputs, element by element.
---@return layer
---@example pod.layers.maximum()({ pod.tensor { 1, 4 }, pod.tensor { 3, 2 } }) --> { 3, 4 }
merging.maximum = define("Maximum", function(a, b) return ops.maximum(a, b) end, nil, fold_masked)
---@name pod.layers.minimum
--- The smallest of a list of inputs, element by element.
---@return layer
---@example pod.layers.minimum()({ pod.tensor { 1, 4 }, pod.tensor { 3, 2 } }) --> { 1, 2 }
merging.minimum = define("Minimum", function(a, b) return ops.minimum(a, b) end, nil, fold_masked)
---@name pod.layers.average
--- The mean of a list of inputs, element by element.
---@return layer
---@example pod.layers.average()({ pod.tensor { 1, 4 }, pod.tensor { 3, 2 } }) --> { 2, 3 }
merging.average = define("Average", function(a, b) return a + b end, function(sum, count) return sum / count end)

---@name pod.layers.concatenate
--- Puts a list of inputs one behind the other along an axis; their other sizes are the same. Also at once:
--- `pod.layers.concatenate({ a, b }, { axis = 1 })`.
---@return layer
---@example pod.layers.concatenate()({ pod.ones { 4, 2 }, pod.ones { 4, 3 } }).shape --> (4, 5)
merging.concatenate = layer.define {
  name = "Concatenate",
  several_inputs = true,
  joins = true,
  defaults = { axis = -1 },
  checks = { axis = check.integer },
}

function merging.concatenate:call(inputs)
  check_list(self, inputs, 1)
  local axis = self.config.axis
  local first = inputs[1].shape
  local at = axis < 0 and axis + #first or axis
  for i, x in ipairs(inputs) do
    local fits = #x.shape == #first
    for j = 1, #first do
      fits = fits and (j == at + 1 or x.shape[j] == first[j])
    end
    if not fits then
      check.fail(self, ": input %d has shape %s; but for axis %d it must be that of input 1, %s", i, tostring(x.shape),
        axis, tostring(first))
    end
  end
  return ops.concat(inputs, axis)
end

-- Inputs without a mask count everywhere; a place of the result counts where any of its elements does.
function merging.concatenate:compute_mask(inputs, mask)
  if mask == nil then
    return nil
  end
  local whole = {}
  for i, x in ipairs(inputs) do
    local one = mask[i]
    if not one then
      whole[i] = ops.ones_like(x, "bool")
    else
      one = #one.shape < #x.shape and ops.expand_dims(one, -1) or one
      whole[i] = ops.logical_and(one, ops.ones_like(x, "bool"))
    end
  end
  return ops.any(ops.concat(whole, self.config.axis), -1)
end

---@name pod.layers.dot
--- Products of vectors of two inputs, of each row: sums over one axis of each.
---@param options.axes integer|integer[] the axis that is summed over, or one of each input
---@param options.normalize boolean whether vectors get the length 1 before: the cosine of their angle
---@return layer
---@example pod.layers.dot(1)({ pod.ones { 4, 3 }, pod.ones { 4, 3 } }).shape --> (4, 1)
merging.dot = layer.define {
  name = "Dot",
  several_inputs = true,
  joins = true,
  arguments = { "axes" },
  defaults = { normalize = false },
  checks = { normalize = check.boolean, axes = function(value)
    local problem = check.axes(value)
    if problem or type(value) == "table" and #value ~= 2 then
      return "must be a whole number, or a list of 2"
    end
  end },
  example = "layers.dot(1)",
}

function merging.dot:call(inputs)
  check_list(self, inputs, 2)
  local a, b, axes = inputs[1], inputs[2], self.config.axes
  local axis_a = type(axes) == "table" and axes[1] or axes
  local axis_b = type(axes) == "table" and axes[2] or axes
  axis_a = axis_a < 0 and axis_a + #a.shape or axis_a
  axis_b = axis_b < 0 and axis_b + #b.shape or axis_b
  if a.shape[axis_a + 1] ~= b.shape[axis_b + 1] then
    check.fail(self, ": axis %d of %s and axis %d of %s differ in size", axis_a, tostring(a.shape), axis_b,
      tostring(b.shape))
  end
  if self.config.normalize then
    a, b = unit_vectors(a, axis_a, 1e-7), unit_vectors(b, axis_b, 1e-7)
  end
  -- The contracted axis goes last in a and second in b; the others keep their order.
  a = ops.moveaxis(a, axis_a, -1)
  b = ops.moveaxis(b, axis_b, 1)
  local batch, size = a.shape[1], a.shape[#a.shape]
  local free_a, free_b = tables.slice(a.shape, 2, #a.shape - 1), tables.slice(b.shape, 3)
  local y = ops.matmul(ops.reshape(a, { batch, shapes.product(free_a), size }),
    ops.reshape(b, { batch, size, shapes.product(free_b) }))
  local shape = tables.join({ batch }, free_a, free_b)
  if #shape == 1 then
    shape[2] = 1
  end
  return ops.reshape(y, shape)
end

return merging
