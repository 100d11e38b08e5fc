-- Layers that add noise or leave out values while training.

local check = require "moonpod.layers.check"
local data_format = require "moonpod.layers.data_format"
local in_float32 = require("moonpod.ops.halves").in_float32
local layer = require "moonpod.layers.layer"
local names = require "moonpod.base.names"
local ops = require "moonpod.ops"
local random = require "moonpod.func.random"
local random_state = require "moonpod.func.random_state"
local regularizers = require "moonpod.layers.regularizers"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"

local seed_of = random_state.seed_of_call

local regularization = {}

local function define(spec, noise)
  spec.supports_masking = true
  local class = layer.define(spec)
  function class:call(x, options)
    if not options.training then
      return x
    end
    return noise(self, x)
  end
  return class
end

-- A layer that leaves out a share, its option `rate`. more: what else its layer.define() has.
local function define_rate(name, noise, more)
  return define(tables.merge({ name = name, arguments = { "rate" }, checks = { rate = check.rate, seed = check.number },
    example = ("layers.%s(0.5)"):format(names.snake_case(name)) }, more), noise)
end

---@name pod.layers.dropout
--- In training sets a share `rate` of the values to 0 and divides the others by `1 - rate`; else gives its input.
---@param options.noise_shape integer[] the shape of what is drawn, -1 where it is the input's; 1 draws once for an axis
---@return layer
---@example pod.layers.dropout(0.5)(pod.tensor { 1, 2 }) --> { 1, 2 }
regularization.dropout = define_rate("Dropout", function(self, x)
  local shape
  if self.config.noise_shape then
    shape = {}
    for i = 1, #x.shape do
      local size = self.config.noise_shape[i]
      shape[i] = (not size or size == -1) and x.shape[i] or size
    end
  end
  return random.dropout(x, self.config.rate, { seed = seed_of(self.config), noise_shape = shape })
end, { optional = { "noise_shape" } })

for rank = 1, 3 do
  ---@name pod.layers.spatial_dropout1d pod.layers.spatial_dropout2d pod.layers.spatial_dropout3d
  --- Dropout of whole channels: input `(batch, spatial..., channels)`.
  ---@return layer
  ---@example pod.layers.spatial_dropout1d(0.5)(pod.ones { 1, 2, 3 }).shape --> (1, 2, 3)
  local class = define_rate("SpatialDropout" .. rank .. "D", function(self, x)
    if #x.shape ~= rank + 2 then
      check.fail(self, " wants an input of %d axes; got shape %s", rank + 2, tostring(x.shape))
    end
    local shape = shapes.fill(rank + 2, 1)
    shape[1], shape[rank + 2] = x.shape[1], x.shape[rank + 2]
    return random.dropout(x, self.config.rate, { seed = seed_of(self.config), noise_shape = shape })
  end)
  regularization["spatial_dropout" .. rank .. "d"] = data_format.add(class)
end

---@name pod.layers.gaussian_noise
--- In training adds normally distributed noise with the mean 0.
---@param options.stddev number its standard deviation
---@return layer
---@example pod.layers.gaussian_noise(0.1)(pod.tensor { 1, 2 }) --> { 1, 2 }
regularization.gaussian_noise = define({
  name = "GaussianNoise",
  arguments = { "stddev" },
  optional = { "seed" },
  checks = { stddev = check.from_zero },
  example = "layers.gaussian_noise(0.1)",
}, function(self, x)
  return in_float32(function(y)
    return y + ops.cast(random.normal(x.shape, { stddev = self.config.stddev, seed = seed_of(self.config), like = x }),
      y.dtype)
  end, x)
end)

---@name pod.layers.gaussian_dropout
--- In training multiplies by normally distributed noise with the mean 1 and the standard deviation
--- `sqrt(rate / (1 - rate))`.
---@return layer
---@example pod.layers.gaussian_dropout(0.5)(pod.tensor { 1, 2 }) --> { 1, 2 }
regularization.gaussian_dropout = define_rate("GaussianDropout", function(self, x)
  local rate = self.config.rate
  if rate == 0 then
    return x
  end
  local stddev = math.sqrt(rate / (1 - rate))
  return in_float32(function(y)
    return y * ops.cast(random.normal(x.shape, { mean = 1, stddev = stddev, seed = seed_of(self.config), like = x }),
      y.dtype)
  end, x)
end)

---@name pod.layers.alpha_dropout
--- Dropout that keeps mean and variance of networks with `selu` (Klambauer et al. 2017).
---@return layer
---@example pod.layers.alpha_dropout(0.5)(pod.tensor { 1, 2 }) --> { 1, 2 }
regularization.alpha_dropout = define_rate("AlphaDropout", function(self, x)
  local rate = self.config.rate
  if rate == 0 then
    return x
  end
  local low = -1.6732632423543772848170429916717 * 1.0507009873554804934193349852946
  local a = ((1 - rate) * (1 + rate * low * low)) ^ -0.5
  local b = -a * low * rate
  local kept = ops.greater_equal(random.uniform(x.shape, { seed = seed_of(self.config), like = x }), rate)
  return in_float32(function(y)
    return ops.where(kept, y, low) * a + b
  end, x)
end)

---@name pod.layers.activity_regularization
--- Gives its input and adds a loss of it: `l1` times the sum of absolute values and `l2` times that of squares, a row.
---@param options.l1 number factor of absolute values
---@param options.l2 number factor of squares
---@return layer
---@example pod.layers.activity_regularization { l2 = 0.1 }(pod.tensor { { 1, 2 } }) --> { { 1, 2 } }
regularization.activity_regularization = layer.define {
  name = "ActivityRegularization",
  supports_masking = true,
  runs_once = true,
  defaults = { l1 = 0.0, l2 = 0.0 },
  checks = { l1 = check.from_zero, l2 = check.from_zero },
}

function regularization.activity_regularization:setup(config)
  self._regularizer = regularizers.l1_l2 { l1 = config.l1, l2 = config.l2 }
end

function regularization.activity_regularization:call(x)
  self:add_activity_loss(self._regularizer, x)
  return x
end

return regularization
