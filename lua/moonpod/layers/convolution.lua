-- Convolution layers over one to three spatial axes.

local activations = require "moonpod.layers.activations"
local check = require "moonpod.layers.check"
local constraints = require "moonpod.layers.constraints"
local data_format = require "moonpod.layers.data_format"
local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local nn = require "moonpod.ops.nn"
local ops = require "moonpod.ops"
local regularizers = require "moonpod.layers.regularizers"

local convolution = {}

local function check_strides(self, config, rank)
  config.kernel_size = check.list(config.kernel_size, rank)
  config.strides = check.list(config.strides, rank)
  config.dilation_rate = check.list(config.dilation_rate, rank)
  local strided, dilated = false, false
  for i = 1, rank do
    strided, dilated = strided or config.strides[i] > 1, dilated or config.dilation_rate[i] > 1
  end
  if strided and dilated then
    errors.raise("layers.%s: strides above 1 and dilation_rate above 1 do not go together; got strides %s, "
      .. "dilation_rate %s", self.function_name, errors.describe(config.strides), errors.describe(config.dilation_rate))
  end
end

local function input_channels(self, shape, rank)
  if #shape ~= rank + 2 then
    errors.raise("layer '%s' (%s) wants inputs (batch, %schannels) of %d axes; got %d axes", self.name,
      self.class_name, ("spatial, "):rep(rank), rank + 2, #shape)
  end
  local channels = shape[#shape]
  check.known_size(self, channels, -1)
  self.input_spec = { rank = rank + 2, axes = { [-1] = channels } }
  return channels
end

local function add_bias(self, size)
  local config = self.config
  if config.use_bias then
    self.bias = self:add_weight {
      name = "bias",
      shape = { size },
      initializer = config.bias_initializer,
      regularizer = regularizers.get(config.bias_regularizer),
      constraint = constraints.get(config.bias_constraint),
    }
  end
end

local function finish(self, y)
  if self.bias then
    y = y + ops.cast(self.bias:value(), y.dtype)
  end
  return self._activation(y)
end

local function checks(rank, more)
  local all = { filters = check.positive_integer, kernel_size = check.sizes(rank), strides = check.sizes(rank),
    dilation_rate = check.sizes(rank), groups = check.positive_integer,
    padding = rank == 1 and check.one_of("valid", "same", "causal") or check.one_of("valid", "same") }
  for key, value in pairs(more or {}) do
    all[key] = value
  end
  return all
end

local KERNEL = { "activation", "kernel_regularizer", "bias_regularizer", "kernel_constraint", "bias_constraint" }

local function options_of(self)
  local config = self.config
  return { strides = config.strides, padding = config.padding, dilation_rate = config.dilation_rate,
    groups = config.groups }
end

local function append(list, values)
  local out = {}
  for _, value in ipairs(list) do
    out[#out + 1] = value
  end
  for _, value in ipairs(values) do
    out[#out + 1] = value
  end
  return out
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
  local class = layer.define {
    name = "Conv" .. rank .. "D",
    float_inputs = true,
    arguments = { "filters", "kernel_size" },
    required = { "filters", "kernel_size" },
    defaults = { strides = 1, padding = "valid", dilation_rate = 1, groups = 1, use_bias = true,
      kernel_initializer = "glorot_uniform", bias_initializer = "zeros" },
    optional = KERNEL,
    checks = checks(rank),
    example = "layers.conv" .. rank .. "d(32, 3)",
  }
  function class:setup(config)
    self._activation = activations.get(config.activation, "layers." .. self.function_name)
    check_strides(self, config, rank)
    if config.filters % config.groups ~= 0 then
      errors.raise("layers.conv%dd: filters (%d) must be a multiple of groups (%d)", rank, config.filters,
        config.groups)
    end
  end
  function class:build(shape)
    local config, channels = self.config, input_channels(self, shape, rank)
    if channels % config.groups ~= 0 then
      errors.raise("layer '%s' (%s): the input has %d channels; they must be a multiple of groups (%d)", self.name,
        self.class_name, channels, config.groups)
    end
    self.kernel = self:add_weight {
      name = "kernel",
      shape = append(config.kernel_size, { channels / config.groups, config.filters }),
      initializer = config.kernel_initializer,
      regularizer = regularizers.get(config.kernel_regularizer),
      constraint = constraints.get(config.kernel_constraint),
    }
    add_bias(self, config.filters)
  end
  function class:call(x)
    return finish(self, nn.conv(x, ops.cast(self.kernel:value(), x.dtype), options_of(self)))
  end
  return class
end

---@name pod.layers.conv1d_transpose pod.layers.conv2d_transpose pod.layers.conv3d_transpose
---@name pod.layers.convolution1d_transpose pod.layers.convolution2d_transpose pod.layers.convolution3d_transpose
--- The transpose of a convolution, as its gradient is: each place of the input writes a kernel into the output,
--- `strides` apart, so that pictures grow. Weights: `kernel` `(kernel_size..., filters, channels)`, `bias` `(filters)`.
---@return layer
---@example pod.layers.conv2d_transpose(4, 2, { strides = 2 })(pod.ones { 1, 3, 3, 8 }).shape --> (1, 6, 6, 4)
local function define_transpose(rank)
  local class = layer.define {
    name = "Conv" .. rank .. "DTranspose",
    float_inputs = true,
    arguments = { "filters", "kernel_size" },
    required = { "filters", "kernel_size" },
    defaults = { strides = 1, padding = "valid", dilation_rate = 1, use_bias = true,
      kernel_initializer = "glorot_uniform", bias_initializer = "zeros" },
    optional = append(KERNEL, { "output_padding" }),
    checks = checks(rank, { padding = check.one_of("valid", "same") }),
    example = "layers.conv" .. rank .. "d_transpose(32, 3)",
  }
  function class:setup(config)
    self._activation = activations.get(config.activation, "layers." .. self.function_name)
    check_strides(self, config, rank)
  end
  function class:build(shape)
    local config, channels = self.config, input_channels(self, shape, rank)
    self.kernel = self:add_weight {
      name = "kernel",
      shape = append(config.kernel_size, { config.filters, channels }),
      initializer = config.kernel_initializer,
      regularizer = regularizers.get(config.kernel_regularizer),
      constraint = constraints.get(config.kernel_constraint),
    }
    add_bias(self, config.filters)
  end
  function class:call(x)
    local options = options_of(self)
    options.output_padding = self.config.output_padding
    return finish(self, nn.conv_transpose(x, ops.cast(self.kernel:value(), x.dtype), options))
  end
  return class
end

local DEPTHWISE = { "activation", "depthwise_regularizer", "bias_regularizer", "depthwise_constraint",
  "bias_constraint" }

---@name pod.layers.depthwise_conv1d pod.layers.depthwise_conv2d
--- A convolution of each channel by itself, which gives `depth_multiplier` channels of each. Weights: `kernel`
--- `(kernel_size..., channels, depth_multiplier)`, `bias`.
---@return layer
---@example pod.layers.depthwise_conv2d(3)(pod.ones { 1, 5, 5, 2 }).shape --> (1, 3, 3, 2)
local function define_depthwise(rank)
  local class = layer.define {
    name = "DepthwiseConv" .. rank .. "D",
    float_inputs = true,
    arguments = { "kernel_size" },
    required = { "kernel_size" },
    defaults = { strides = 1, padding = "valid", depth_multiplier = 1, dilation_rate = 1, use_bias = true,
      depthwise_initializer = "glorot_uniform", bias_initializer = "zeros" },
    optional = DEPTHWISE,
    checks = checks(rank, { depth_multiplier = check.positive_integer }),
    example = "layers.depthwise_conv" .. rank .. "d(3)",
  }
  function class:setup(config)
    self._activation = activations.get(config.activation, "layers." .. self.function_name)
    check_strides(self, config, rank)
  end
  function class:build(shape)
    local config, channels = self.config, input_channels(self, shape, rank)
    self.kernel = self:add_weight {
      name = "kernel",
      shape = append(config.kernel_size, { channels, config.depth_multiplier }),
      initializer = config.depthwise_initializer,
      regularizer = regularizers.get(config.depthwise_regularizer),
      constraint = constraints.get(config.depthwise_constraint),
    }
    add_bias(self, channels * config.depth_multiplier)
  end
  function class:call(x)
    local options = options_of(self)
    options.groups = nil
    return finish(self, nn.depthwise_conv(x, ops.cast(self.kernel:value(), x.dtype), options))
  end
  return class
end

---@name pod.layers.separable_conv1d pod.layers.separable_conv2d pod.layers.separable_convolution1d
---@name pod.layers.separable_convolution2d
--- A depthwise convolution and then one of size 1 that mixes channels: far fewer products than a whole convolution.
--- Weights: `depthwise_kernel`, `pointwise_kernel`, `bias` `(filters)`.
---@return layer
---@example pod.layers.separable_conv2d(4, 3)(pod.ones { 1, 5, 5, 2 }).shape --> (1, 3, 3, 4)
local function define_separable(rank)
  local class = layer.define {
    name = "SeparableConv" .. rank .. "D",
    float_inputs = true,
    arguments = { "filters", "kernel_size" },
    required = { "filters", "kernel_size" },
    defaults = { strides = 1, padding = "valid", depth_multiplier = 1, dilation_rate = 1, use_bias = true,
      depthwise_initializer = "glorot_uniform", pointwise_initializer = "glorot_uniform",
      bias_initializer = "zeros" },
    optional = append(DEPTHWISE, { "pointwise_regularizer", "pointwise_constraint" }),
    checks = checks(rank, { depth_multiplier = check.positive_integer }),
    example = "layers.separable_conv" .. rank .. "d(32, 3)",
  }
  function class:setup(config)
    self._activation = activations.get(config.activation, "layers." .. self.function_name)
    check_strides(self, config, rank)
  end
  function class:build(shape)
    local config, channels = self.config, input_channels(self, shape, rank)
    local ones = {}
    for i = 1, rank do
      ones[i] = 1
    end
    self.depthwise_kernel = self:add_weight {
      name = "depthwise_kernel",
      shape = append(config.kernel_size, { channels, config.depth_multiplier }),
      initializer = config.depthwise_initializer,
      regularizer = regularizers.get(config.depthwise_regularizer),
      constraint = constraints.get(config.depthwise_constraint),
    }
    self.pointwise_kernel = self:add_weight {
      name = "pointwise_kernel",
      shape = append(ones, { channels * config.depth_multiplier, config.filters }),
      initializer = config.pointwise_initializer,
      regularizer = regularizers.get(config.pointwise_regularizer),
      constraint = constraints.get(config.pointwise_constraint),
    }
    add_bias(self, config.filters)
  end
  function class:call(x)
    local options = options_of(self)
    options.groups = nil
    return finish(self, nn.separable_conv(x, ops.cast(self.depthwise_kernel:value(), x.dtype),
      ops.cast(self.pointwise_kernel:value(), x.dtype), options))
  end
  return class
end

for rank = 1, 3 do
  convolution["conv" .. rank .. "d"] = data_format.add(define_conv(rank))
  convolution["conv" .. rank .. "d_transpose"] = data_format.add(define_transpose(rank))
  if rank < 3 then
    convolution["depthwise_conv" .. rank .. "d"] = data_format.add(define_depthwise(rank))
    convolution["separable_conv" .. rank .. "d"] = data_format.add(define_separable(rank))
  end
end

return convolution
