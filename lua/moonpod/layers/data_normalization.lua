-- Normalization of inputs by mean and variance of the data.

local adapt_data = require "moonpod.layers.adapt_data"
local check = require "moonpod.layers.check"
local errors = require "moonpod.base.errors"
local halves = require "moonpod.ops.halves"
local layer = require "moonpod.layers.layer"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local shapes = require "moonpod.base.shapes"
local tensor = require "moonpod.tensor"

local layers = {}

---@name pod.layers.normalization
--- `(x - mean) / deviation`, with mean and variance of data: given, or taken by `adapt(data)` before.
---@param options.axis integer|integer[]|"none" the axis, or axes, whose entries have numbers of their own; "none": one
---   mean and one variance of all
---@param options.mean number|number[] the mean, with the variance
---@param options.variance number|number[] the variance, with the mean
---@param options.invert boolean whether it goes the other way, back to numbers as the data's
---@return layer
---@error neither numbers were given nor `adapt` called
--- ```lua
--- local layer = pod.layers.normalization()
--- layer:adapt { { 0 }, { 2 } }
--- print(layer(pod.tensor { { 0 }, { 1 }, { 4 } }))
--- --> [[-1.]
--- -->  [ 0.]
--- -->  [ 3.]]
--- --> float32 (3, 1) on CPU:0
--- ```
local normalization = layer.define {
  name = "Normalization",
  defaults = { axis = -1, invert = false },
  supports_masking = true,
  checks = { invert = check.boolean, mean = check.numbers, variance = check.numbers, axis = function(value)
    return value ~= "none" and check.axes(value) and 'must be a whole number, a list of them or "none"' or nil
  end },
}
layers.normalization = normalization

function normalization:setup(config)
  if (config.mean == nil) ~= (config.variance == nil) then
    errors.raise("layers.normalization: mean and variance go together; give both, or neither and call adapt(data)")
  end
end

-- The axes that have numbers of their own, from 0 and in their order, and a set of them.
local function kept_axes(self, rank)
  local axis, list, kept = self.config.axis, {}, {}
  for _, one in ipairs(axis == "none" and {} or type(axis) == "table" and axis or { axis }) do
    if one < -rank or one >= rank then
      check.fail(self, ": axis %d is none of an input with %d axes", one, rank)
    end
    local place = one < 0 and one + rank or one
    if not kept[place] then
      kept[place] = true
      list[#list + 1] = place
    end
  end
  table.sort(list)
  return list, kept
end

-- Statistics that are not given are weights, so that they are stored and set with the others.
function normalization:build(shape)
  if self.config.mean then
    return
  end
  local sizes = {}
  for i, axis in ipairs((kept_axes(self, #shape))) do
    check.known_size(self, shape[axis + 1], axis)
    sizes[i] = shape[axis + 1]
  end
  self.mean = self:add_weight { name = "mean", shape = sizes, initializer = "zeros", trainable = false }
  self.variance = self:add_weight { name = "variance", shape = sizes, initializer = "ones", trainable = false }
end

-- Mean and variance of a batch, in doubles, and of how many numbers each is.
local function moments_of(self, batch)
  local _, kept = kept_axes(self, #batch.shape)
  local axes, count = {}, 1
  for i = 0, #batch.shape - 1 do
    if not kept[i] then
      axes[#axes + 1], count = i, count * batch.shape[i + 1]
    end
  end
  batch = ops.cast(batch, "float64")
  local mean = #axes > 0 and ops.mean(batch, axes, { keepdims = true }) or batch
  local squares = ops.square(batch - mean)
  return #axes > 0 and ops.mean(batch, axes) or batch, #axes > 0 and ops.mean(squares, axes) or squares, count
end

--- Takes mean and variance of the data over all axes but `axis`. A later call begins anew.
---@param data tensor|dataset a tensor, arrays of numbers, or a dataset of batches; of batches of `{ x, y }` it takes x
---@param options.steps integer how many batches of a dataset are looked at (default: all)
---@error the layer was made with mean and variance; the dataset is empty
--- ```lua
--- local rows = pod.data.from_tensor_slices { { 1.0, 10.0 }, { 3.0, 30.0 } }
--- local layer = pod.layers.normalization()
--- layer:adapt(rows:batch(2))
--- print(layer.mean:value())
--- --> [ 2. 20.]
--- --> float32 (2,) on CPU:0
--- ```
function normalization:adapt(data, options)
  local where = ("layer '%s' (Normalization): adapt"):format(self.name)
  options = errors.check_options(options, { steps = "count" }, where)
  if self.config.mean then
    check.fail(self, ": mean and variance were given; there is nothing to adapt")
  end
  local mean, variance, total = nil, nil, 0
  adapt_data.each_tensor(data, where, function(batch)
    self:ensure_built(batch.shape)
    local batch_mean, batch_variance, count = moments_of(self, batch)
    if not mean then
      mean, variance, total = batch_mean, batch_variance, count
      return
    elseif batch_mean.shape ~= mean.shape then
      errors.raise("%s: a batch has shape %s, which does not go with those before", where, tostring(batch.shape))
    end
    total = total + count
    local share, delta = count / total, batch_mean - mean
    mean = mean + delta * share
    variance = variance * (1 - share) + batch_variance * share + ops.square(delta) * (share * (1 - share))
  end, options.steps)
  if mean.shape ~= self.mean.shape then
    errors.raise("%s: the layer was built for statistics of shape %s; those of the data have %s", where,
      tostring(self.mean.shape), tostring(mean.shape))
  end
  self.mean:assign(ops.cast(mean, self.mean.dtype))
  self.variance:assign(ops.cast(variance, self.variance.dtype))
end

-- Statistics of some axes, shaped to broadcast over the input; given ones may have fewer axes, the last ones.
local function shaped(self, given, weight, x)
  local value = ops.cast(given and tensor.new(given, { dtype = "float32" }) or weight:value(), x.dtype)
  local rank, axes, shape = #value.shape, (kept_axes(self, #x.shape)), shapes.fill(#x.shape, 1)
  if rank == 0 then
    return value
  elseif rank > #axes then
    check.fail(self, ": mean and variance have %d axes, the layer keeps %d", rank, #axes)
  end
  for i = 0, rank - 1 do
    shape[axes[#axes - i] + 1] = value.shape[rank - i]
  end
  return ops.reshape(value, shape)
end

function normalization:call(x)
  local config = self.config
  if not config.mean and not self.mean:was_assigned() and not scope.in_scratch() then
    check.fail(self, " has no mean and variance; call adapt(data) first")
  end
  local dtype = self:compute_dtype()
  x = ops.cast(ops.cast(x, dtype), halves.wide(dtype))
  local mean = shaped(self, config.mean, self.mean, x)
  local deviation = ops.maximum(ops.sqrt(shaped(self, config.variance, self.variance, x)), 1e-7)
  return ops.cast(config.invert and mean + x * deviation or (x - mean) / deviation, dtype)
end

return layers
