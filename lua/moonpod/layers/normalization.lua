-- Normalization layers.

local check = require "moonpod.layers.check"
local layer = require "moonpod.layers.layer"
local ops = require "moonpod.ops"
local parts = require "moonpod.layers.parts"
local shapes = require "moonpod.base.shapes"
local strategies = require "moonpod.func.strategies"
local tables = require "moonpod.base.tables"
local trace = require "moonpod.tensor.trace"
local unit_vectors = require "moonpod.ops.unit_vectors"
local is_whole = require "moonpod.base.kinds".is_whole

local normalization = {}

local function absolute_axis(axis, rank)
  return axis < 0 and axis + rank or axis
end

-- What is computed with: 32 bits or more.
local function wide(x)
  return x.dtype == "float64" and x or ops.cast(x, "float32")
end

-- A tensor less its mean over some axes, which keep their place, and the variance over them.
local function centred_over(x, axes)
  local centred = x - ops.mean(x, axes, { keepdims = true })
  return centred, ops.mean(ops.square(centred), axes, { keepdims = true })
end

-- Scales and moves what is normalized by the weights that there are; as_operand(weight) is one that broadcasts.
local function scaled_and_moved(self, y, as_operand)
  y = self.gamma and y * as_operand(self.gamma) or y
  return self.beta and y + as_operand(self.beta) or y
end

local GAMMA_AND_BETA = { gamma = "ones", beta = "zeros" }

-- Makes the weights that scale and move what is normalized, where the options ask for them.
local function add_gamma_and_beta(self, shape)
  if self.config.scale then
    self.gamma = parts.weight(self, "gamma", shape)
  end
  if self.config.center then
    self.beta = parts.weight(self, "beta", shape)
  end
end

-- A vector along one axis, shaped to broadcast over a tensor of `rank` axes. It has no axis for the rows: beside one
-- row that would be no broadcast, and the gradient no sum over rows, which is 0 on a replica that has none.
local function along(vector, axis, rank)
  return ops.reshape(vector, tables.join({ vector.shape[1] }, shapes.fill(rank - axis - 1, 1)))
end

-- ---- batches ------------------------------------------------------------------------------------------------

---@name pod.layers.batch_normalization
--- Gives each channel the mean 0 and the deviation 1, times gamma, plus beta: in training by mean and variance of the
--- batch, else by their moving averages. On several replicas each takes its own rows unless `synchronized`. Weights:
--- `gamma`, `beta`, and, not trained, `moving_mean`, `moving_variance`, each `(channels)`.
---@param options.momentum number how much of a moving average stays at each step
---@param options.moving_mean_initializer string|initializer first values of the moving mean
---@param options.moving_variance_initializer string|initializer first values of the moving variance
---@param options.synchronized boolean whether mean and variance are of all replicas' rows
---@return layer
---@example pod.layers.batch_normalization()(pod.ones { 4, 3 }).shape --> (4, 3)
normalization.batch_normalization = layer.define {
  name = "BatchNormalization",
  supports_masking = true,
  autocast = false,
  defaults = { axis = -1, momentum = 0.99, epsilon = 1e-3, center = true, scale = true,
    moving_mean_initializer = "zeros", moving_variance_initializer = "ones", synchronized = false },
  weights = GAMMA_AND_BETA,
  checks = { momentum = check.rate, epsilon = check.number, axis = check.integer, synchronized = check.boolean },
}

local batch = normalization.batch_normalization

function batch:build(shape)
  local config = self.config
  local axis = absolute_axis(config.axis, #shape)
  local size = shape[axis + 1]
  check.known_size(self, size, config.axis)
  add_gamma_and_beta(self, { size })
  self.moving_mean = self:add_weight { name = "moving_mean", shape = { size }, trainable = false,
    initializer = config.moving_mean_initializer, aggregation = "mean" }
  self.moving_variance = self:add_weight { name = "moving_variance", shape = { size }, trainable = false,
    initializer = config.moving_variance_initializer, aggregation = "mean" }
  self.input_spec = { rank = #shape, axes = { [axis] = size } }
end

-- Weights of the elements for means: nil, or the mask with axes of size 1 behind.
local function mask_weights(mask, x)
  if mask == nil then
    return nil
  end
  local weight = ops.cast(mask, x.dtype)
  while #weight.shape < #x.shape do
    weight = ops.expand_dims(weight, -1)
  end
  return ops.broadcast_to(weight, x.shape)
end

local function sum_everywhere(value, synchronized)
  return synchronized and strategies.sum_over_replicas(value) or value
end

-- A replica without rows has no mean: its 0 / 0 would make the gradient of gamma, a sum over all replicas, 0 * nan.
local function or_of_none(value, x, instead)
  if trace.enclosing "core" == nil or strategies.get_strategy().num_replicas_in_sync == 1 then
    return value
  end
  return ops.where(ops.greater(ops.dimension_size(x, 0), 0), value, instead)
end

-- Mean and variance over all axes but one; of all replicas' rows when synchronized.
local function moments(x, axes, mask, synchronized)
  local weight = mask_weights(mask, x)
  if weight == nil and not (synchronized and (trace.enclosing "core" ~= nil)) then
    local mean = ops.mean(x, axes, { keepdims = true })
    return or_of_none(ops.reshape(mean, { -1 }), x, 0), or_of_none(ops.mean(ops.square(x - mean), axes), x, 1)
  end
  local count
  if weight then
    count = sum_everywhere(ops.sum(weight, axes), synchronized)
  else
    count = ops.cast(strategies.global_rows(x), x.dtype)
    for _, axis in ipairs(axes) do
      if axis > 0 then
        count = count * x.shape[axis + 1]
      end
    end
  end
  local function total(value)
    return sum_everywhere(ops.sum(weight and value * weight or value, axes), synchronized)
  end
  local mean = ops.divide_no_nan(total(x), count)
  local shape = tables.slice(x.shape)
  for _, axis in ipairs(axes) do
    shape[axis + 1] = 1
  end
  local centred = x - ops.reshape(mean, shape)
  return mean, ops.divide_no_nan(total(ops.square(centred)), count)
end

function batch:call(inputs, options)
  local config, dtype = self.config, self:compute_dtype()
  local x = wide(inputs)
  local rank = #x.shape
  local axis = absolute_axis(config.axis, rank)
  local mean, variance
  if options.training and self.trainable then
    mean, variance = moments(x, tables.remove(tables.range(0, rank - 1), axis), options.mask, config.synchronized)
    local keep = config.momentum
    local given = config.synchronized and { aggregated = true } or nil
    self.moving_mean:assign(self.moving_mean:value() * keep + ops.stop_gradient(mean) * (1 - keep), given)
    self.moving_variance:assign(self.moving_variance:value() * keep + ops.stop_gradient(variance) * (1 - keep), given)
  else
    mean, variance = ops.cast(self.moving_mean:value(), x.dtype), ops.cast(self.moving_variance:value(), x.dtype)
  end
  local inverse = ops.rsqrt(variance + config.epsilon)
  if self.gamma then
    inverse = inverse * ops.cast(self.gamma:value(), x.dtype)
  end
  local offset = -mean * inverse
  if self.beta then
    offset = offset + ops.cast(self.beta:value(), x.dtype)
  end
  return ops.cast(x * along(inverse, axis, rank) + along(offset, axis, rank), dtype)
end

-- ---- features -------------------------------------------------------------------------------------------------

local function read_axes(self, shape)
  local axes = self.config.axis
  if type(axes) ~= "table" then
    axes = { axes }
  end
  local list, sizes = {}, {}
  for i, axis in ipairs(axes) do
    list[i] = absolute_axis(axis, #shape)
    if list[i] < 0 or list[i] >= #shape then
      check.fail(self, ": axis %d is none of an input of %d axes", axis, #shape)
    end
  end
  table.sort(list)
  for i, axis in ipairs(list) do
    sizes[i] = shape[axis + 1]
    check.known_size(self, sizes[i], axis)
  end
  return list, sizes
end

-- A weight over some axes, shaped to broadcast; without an axis for the rows, as above.
local function over_axes(weight, axes, shape, dtype)
  local out = shapes.fill(#shape - 1, 1)
  for _, axis in ipairs(axes) do
    out[axis] = shape[axis + 1]
  end
  return ops.reshape(ops.cast(weight:value(), dtype), out)
end

---@name pod.layers.layer_normalization
--- Gives each row the mean 0 and the deviation 1 over `axis`, times gamma, plus beta; the same in training and later.
---@return layer
---@example pod.layers.layer_normalization()(pod.tensor { { 1, 1 } }) --> { { 0, 0 } }
normalization.layer_normalization = layer.define {
  name = "LayerNormalization",
  supports_masking = true,
  autocast = false,
  defaults = { axis = -1, epsilon = 1e-3, center = true, scale = true },
  weights = GAMMA_AND_BETA,
  checks = { epsilon = check.number, axis = check.axes },
}

local per_sample = normalization.layer_normalization

function per_sample:build(shape)
  local axes, sizes = read_axes(self, shape)
  self._axes = axes
  add_gamma_and_beta(self, sizes)
end

function per_sample:call(inputs)
  local config, dtype = self.config, self:compute_dtype()
  local axes = self._axes
  if #axes == 1 and axes[1] == #inputs.shape - 1 and self.gamma and self.beta and inputs.dtype ~= "float64" then
    local x = inputs.dtype == "float32" and inputs or ops.cast(inputs, dtype)
    return ops.cast(trace.composite("layer_normalization", { x, self.gamma:value(), self.beta:value() },
      { values = { config.epsilon } }), dtype)
  end
  local x = wide(inputs)
  local centred, variance = centred_over(x, axes)
  return ops.cast(scaled_and_moved(self, centred * ops.rsqrt(variance + config.epsilon), function(weight)
    return over_axes(weight, axes, x.shape, x.dtype)
  end), dtype)
end

---@name pod.layers.rms_normalization
--- Divides each row by the root of the mean of its squares over `axis`, and multiplies by a scale that is learned.
---@return layer
---@example pod.layers.rms_normalization()(pod.tensor { { 2, 2 } }) --> { { 1, 1 } }
normalization.rms_normalization = layer.define {
  name = "RMSNormalization",
  autocast = false,
  defaults = { axis = -1, epsilon = 1e-6 },
  checks = { epsilon = check.number, axis = check.axes },
}

function normalization.rms_normalization:build(shape)
  local axes, sizes = read_axes(self, shape)
  self._axes = axes
  self.scale = self:add_weight { name = "scale", shape = sizes, initializer = "ones" }
end

function normalization.rms_normalization:call(inputs)
  local x = wide(inputs)
  local axes = self._axes
  local y = x * ops.rsqrt(ops.mean(ops.square(x), axes, { keepdims = true }) + self.config.epsilon)
  return ops.cast(y * over_axes(self.scale, axes, x.shape, x.dtype), self:compute_dtype())
end

---@name pod.layers.unit_normalization
--- Divides vectors along `axis` by their length.
---@return layer
---@example pod.layers.unit_normalization()(pod.tensor { { 3, 4 } }) --> { { 0.6, 0.8 } }
normalization.unit_normalization = layer.define { name = "UnitNormalization", supports_masking = true,
  defaults = { axis = -1 }, checks = { axis = check.axes } }

function normalization.unit_normalization:call(x)
  return unit_vectors(x, self.config.axis, 1e-12)
end

-- ---- groups of channels -------------------------------------------------------------------------------------------

---@name pod.layers.group_normalization
--- Layer normalization of groups of channels: over places and the channels of a group.
---@param options.groups integer how many; the channels are a multiple of it; -1: each channel by itself
---@return layer
---@example pod.layers.group_normalization({ groups = 2 })(pod.ones { 1, 4, 6 }).shape --> (1, 4, 6)
normalization.group_normalization = layer.define {
  name = "GroupNormalization",
  supports_masking = true,
  autocast = false,
  defaults = { groups = 32, axis = -1, epsilon = 1e-3, center = true, scale = true },
  weights = GAMMA_AND_BETA,
  checks = { axis = check.integer, epsilon = check.number, groups = function(value)
    if not is_whole(value, -1) or value == 0 then
      return "must be a whole number from 1, or -1 for one group a channel"
    end
  end },
}

local grouped = normalization.group_normalization

function grouped:build(shape)
  local config = self.config
  local axis = absolute_axis(config.axis, #shape)
  local size = shape[axis + 1]
  check.known_size(self, size, config.axis)
  self._groups = config.groups == -1 and size or config.groups
  if size % self._groups ~= 0 then
    check.fail(self, ": axis %d has %d channels; they must be a multiple of groups (%d)", config.axis, size,
      self._groups)
  end
  add_gamma_and_beta(self, { size })
end

function grouped:call(inputs)
  local x = wide(inputs)
  local rank = #x.shape
  local axis = absolute_axis(self.config.axis, rank)
  local split, reduced = {}, {}
  for i = 0, rank - 1 do
    if i == axis then
      split[#split + 1] = self._groups
      split[#split + 1] = x.shape[i + 1] / self._groups
      reduced[#reduced + 1] = #split - 1
    else
      split[#split + 1] = x.shape[i + 1]
      if i > 0 then
        reduced[#reduced + 1] = #split - 1
      end
    end
  end
  local centred, variance = centred_over(ops.reshape(x, split), reduced)
  local y = ops.reshape(centred * ops.rsqrt(variance + self.config.epsilon), x.shape)
  return ops.cast(scaled_and_moved(self, y, function(weight)
    return along(ops.cast(weight:value(), x.dtype), axis, rank)
  end), self:compute_dtype())
end

return normalization
