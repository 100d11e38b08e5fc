-- Convolution layers over one to three spatial axes.

local activations = require "moonpod.layers.activations"
local check = require "moonpod.layers.check"
local data_format = require "moonpod.layers.data_format"
local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local names = require "moonpod.base.names"
local nn = require "moonpod.ops.nn"
local ops = require "moonpod.ops"
local parts = require "moonpod.layers.parts"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"

local convolution = {}

local function check_strides(self, config, rank)
  for _, name in ipairs { "kernel_size", "strides", "dilation_rate" } do
    config[name] = check.list(config[name], rank)
  end
  local strided, dilated = false, false
  for i = 1, rank do
    strided, dilated = strided or config.strides[i] > 1, dilated or config.dilation_rate[i] > 1
  end
  if strided and dilated then
    errors.raise("%s: strides above 1 and dilation_rate above 1 do not go together; got strides %s, dilation_rate %s",
      self.function_name, errors.describe(config.strides), errors.describe(config.dilation_rate))
  end
end

local function input_channels(self, shape, rank)
  if #shape ~= rank + 2 then
    check.fail(self, " wants inputs (batch, %schannels) of %d axes; got %d axes", ("spatial, "):rep(rank), rank + 2,
      #shape)
  end
  local channels = shape[#shape]
  check.known_size(self, channels, -1)
  self.input_spec = { rank = rank + 2, axes = { [-1] = channels } }
  return channels
end

-- Makes a class of convolutions. spec: what its layer.define() has besides what all have; build(self, channels), which
-- makes the kernels and gives the size of the bias; compute(self, x, value, geometry), in which value(weight) is that
-- of a weight in the type of x.
local function define(rank, spec)
  local class = layer.define {
    name = spec.name,
    float_inputs = true,
    arguments = spec.arguments or { "filters", "kernel_size" },
    defaults = tables.merge({ strides = 1, padding = "valid", dilation_rate = 1, use_bias = true }, spec.defaults),
    weights = tables.merge({ bias = "zeros" }, spec.weights),
    optional = tables.join({ "activation" }, spec.optional or {}),
    checks = tables.merge({ kernel_size = check.sizes(rank), strides = check.sizes(rank),
      dilation_rate = check.sizes(rank),
      padding = rank == 1 and check.one_of("valid", "same", "causal") or check.one_of("valid", "same") }, spec.checks),
    example = ("layers.%s(%s3)"):format(names.snake_case(spec.name), spec.arguments and "" or "32, "),
  }
  function class:setup(config)
    self._activation = activations.get(config.activation, self.function_name)
    check_strides(self, config, rank)
    if config.groups and config.filters % config.groups ~= 0 then
      errors.raise("layers.conv%dd: filters (%d) must be a multiple of groups (%d)", rank, config.filters,
        config.groups)
    end
  end
  function class:build(shape)
    local outputs = spec.build(self, input_channels(self, shape, rank))
    if self.config.use_bias then
      self.bias = parts.weight(self, "bias", { outputs })
    end
  end
  function class:call(x)
    local config = self.config
    local function value(weight)
      return ops.cast(weight:value(), x.dtype)
    end
    local y = spec.compute(self, x, value, { strides = config.strides, padding = config.padding,
      dilation_rate = config.dilation_rate, groups = config.groups, output_padding = config.output_padding })
    return self._activation(self.bias and y + value(self.bias) or y)
  end
  return data_format.add(class)
end

-- The shape of a kernel that leads from channels to others.
local function kernel_shape(self, from, to)
  return tables.join(self.config.kernel_size, { from, to })
end

---@name pod.layers.conv1d pod.layers.conv2d pod.layers.conv3d pod.layers.convolution1d pod.layers.convolution2d
---@name pod.layers.convolution3d
--- A convolution over one, two or three spatial axes: at each place a weighed sum of what a kernel sees there. Input
--- `(batch, spatial..., channels)`, output `(batch, places..., filters)`. Weights: `kernel`
--- `(kernel_size..., channels / groups, filters)`, `bias` `(filters)`.
---@return layer
---@error strides and dilation_rate are both above 1; `filters` or the channels are no multiple of `groups`
---@example pod.layers.conv2d(8, 3, { padding = "same" })(pod.ones { 1, 6, 6, 3 }).shape --> (1, 6, 6, 8)
local function define_conv(rank)
  return define(rank, {
    name = "Conv" .. rank .. "D",
    defaults = { groups = 1 },
    weights = { kernel = "glorot_uniform" },
    checks = { filters = check.positive_integer, groups = check.positive_integer },
    build = function(self, channels)
      local config = self.config
      if channels % config.groups ~= 0 then
        check.fail(self, ": the input has %d channels; they must be a multiple of groups (%d)", channels, config.groups)
      end
      self.kernel = parts.weight(self, "kernel", kernel_shape(self, channels / config.groups, config.filters))
      return config.filters
    end,
    compute = function(self, x, value, geometry)
      return nn.conv(x, value(self.kernel), geometry)
    end,
  })
end

---@name pod.layers.conv1d_transpose pod.layers.conv2d_transpose pod.layers.conv3d_transpose
---@name pod.layers.convolution1d_transpose pod.layers.convolution2d_transpose pod.layers.convolution3d_transpose
--- The transpose of a convolution, as its gradient is: each place of the input writes a kernel into the output,
--- `strides` apart, so that pictures grow. Weights: `kernel` `(kernel_size..., filters, channels)`, `bias` `(filters)`.
---@return layer
---@example pod.layers.conv2d_transpose(4, 2, { strides = 2 })(pod.ones { 1, 3, 3, 8 }).shape --> (1, 6, 6, 4)
local function define_transpose(rank)
  return define(rank, {
    name = "Conv" .. rank .. "DTranspose",
    weights = { kernel = "glorot_uniform" },
    optional = { "output_padding" },
    checks = { filters = check.positive_integer, padding = check.one_of("valid", "same") },
    build = function(self, channels)
      self.kernel = parts.weight(self, "kernel", kernel_shape(self, self.config.filters, channels))
      return self.config.filters
    end,
    compute = function(self, x, value, geometry)
      return nn.conv_transpose(x, value(self.kernel), geometry)
    end,
  })
end

---@name pod.layers.depthwise_conv1d pod.layers.depthwise_conv2d
--- A convolution of each channel by itself, which gives `depth_multiplier` channels of each. Weights: `kernel`
--- `(kernel_size..., channels, depth_multiplier)`, `bias`.
---@return layer
---@example pod.layers.depthwise_conv2d(3)(pod.ones { 1, 5, 5, 2 }).shape --> (1, 3, 3, 2)
local function define_depthwise(rank)
  return define(rank, {
    name = "DepthwiseConv" .. rank .. "D",
    arguments = { "kernel_size" },
    defaults = { depth_multiplier = 1 },
    weights = { depthwise = "glorot_uniform" },
    checks = { depth_multiplier = check.positive_integer },
    build = function(self, channels)
      local times = self.config.depth_multiplier
      self.kernel = parts.weight(self, "kernel", kernel_shape(self, channels, times), { prefix = "depthwise" })
      return channels * times
    end,
    compute = function(self, x, value, geometry)
      return nn.depthwise_conv(x, value(self.kernel), geometry)
    end,
  })
end

---@name pod.layers.separable_conv1d pod.layers.separable_conv2d pod.layers.separable_convolution1d
---@name pod.layers.separable_convolution2d
--- A depthwise convolution and then one of size 1 that mixes channels: far fewer products than a whole convolution.
--- Weights: `depthwise_kernel`, `pointwise_kernel`, `bias` `(filters)`.
---@return layer
---@example pod.layers.separable_conv2d(4, 3)(pod.ones { 1, 5, 5, 2 }).shape --> (1, 3, 3, 4)
local function define_separable(rank)
  return define(rank, {
    name = "SeparableConv" .. rank .. "D",
    defaults = { depth_multiplier = 1 },
    weights = { depthwise = "glorot_uniform", pointwise = "glorot_uniform" },
    checks = { filters = check.positive_integer, depth_multiplier = check.positive_integer },
    build = function(self, channels)
      local filters, times = self.config.filters, self.config.depth_multiplier
      self.depthwise_kernel = parts.weight(self, "depthwise_kernel", kernel_shape(self, channels, times),
        { prefix = "depthwise" })
      self.pointwise_kernel = parts.weight(self, "pointwise_kernel",
        tables.join(shapes.fill(rank, 1), { channels * times, filters }), { prefix = "pointwise" })
      return filters
    end,
    compute = function(self, x, value, geometry)
      return nn.separable_conv(x, value(self.depthwise_kernel), value(self.pointwise_kernel), geometry)
    end,
  })
end

for rank = 1, 3 do
  convolution["conv" .. rank .. "d"] = define_conv(rank)
  convolution["conv" .. rank .. "d_transpose"] = define_transpose(rank)
  if rank < 3 then
    convolution["depthwise_conv" .. rank .. "d"] = define_depthwise(rank)
    convolution["separable_conv" .. rank .. "d"] = define_separable(rank)
  end
end

return convolution
