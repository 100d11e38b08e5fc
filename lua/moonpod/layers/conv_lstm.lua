-- LSTMs over images: the products with inputs and state are convolutions.

local activations = require "moonpod.layers.activations"
local check = require "moonpod.layers.check"
local constraints = require "moonpod.layers.constraints"
local dropout_masks = require "moonpod.layers.dropout_masks"
local errors = require "moonpod.base.errors"
local initializers = require "moonpod.layers.initializers"
local layer = require "moonpod.layers.layer"
local nn = require "moonpod.ops.nn"
local ops = require "moonpod.ops"
local recurrence = require "moonpod.layers.recurrence"
local regularizers = require "moonpod.layers.regularizers"
local sequence = require "moonpod.layers.sequence"

local merge = sequence.merge
local GATES = 4

-- A kernel that makes four blocks of the filters, one behind the other.
local function add_kernel(self, key, channels)
  local config, sizes = self.config, {}
  for i, size in ipairs(self.config.kernel_size) do
    sizes[i] = size
  end
  sizes[#sizes + 1], sizes[#sizes + 2] = channels, config.filters * 4
  local prefix = key == "kernel" and "kernel" or "recurrent"
  return self:add_weight { name = key, shape = sizes, initializer = config[prefix .. "_initializer"],
    regularizer = regularizers.get(config[prefix .. "_regularizer"]),
    constraint = constraints.get(config[prefix .. "_constraint"]) }
end

-- The bias of all four blocks; that of the forget gate may begin at 1.
local function add_bias(self)
  local config = self.config
  local inner = initializers.get(config.bias_initializer)
  local first = config.unit_forget_bias and function(_, dtype)
    return ops.concat({ inner({ config.filters }, dtype), ops.ones({ config.filters }, { dtype = dtype }),
      inner({ config.filters * 2 }, dtype) }, 0)
  end
  return self:add_weight { name = "bias", shape = { config.filters * 4 }, initializer = first or inner,
    regularizer = regularizers.get(config.bias_regularizer), constraint = constraints.get(config.bias_constraint) }
end

local function build(self, shape, rank)
  if type(shape[1]) == "table" then
    shape = shape[1]
  end
  if #shape ~= rank + 3 then
    errors.raise("layer '%s' (%s) wants inputs (batch, time, %schannels) of %d axes; got %d axes", self.name,
      "ConvLSTM" .. rank .. "D", ("spatial, "):rep(rank), rank + 3, #shape)
  end
  check.known_size(self, shape[#shape], -1)
  self.kernel = add_kernel(self, "kernel", shape[#shape])
  self.recurrent_kernel = add_kernel(self, "recurrent_kernel", self.config.filters)
  if self.config.use_bias then
    self.bias = add_bias(self)
  end
end

-- The products of all steps' inputs: as one convolution, whose rows are batch times time. masks: those of dropout, or
-- nil. Returns them by step, and the shape of a state.
local function project(self, x, kernel, masks)
  local config = self.config
  local geometry = { strides = config.strides, padding = config.padding, dilation_rate = config.dilation_rate }
  local flat, steps = { x.shape[1] * x.shape[2] }, { x.shape[1], x.shape[2] }
  for i = 3, #x.shape do
    flat[i - 1] = x.shape[i]
  end
  local y = recurrence.product(function(inputs, block)
    return nn.conv(ops.reshape(inputs, flat), block, geometry)
  end, x, kernel, masks, 1, GATES)
  if self.bias then
    y = y + ops.cast(self.bias:value(), x.dtype)
  end
  local state_shape = { x.shape[1] }
  for i = 2, #y.shape do
    steps[i + 1], state_shape[i] = y.shape[i], y.shape[i]
  end
  state_shape[#state_shape] = config.filters
  return ops.reshape(y, steps), state_shape
end

local function call(self, inputs, options)
  local config = self.config
  local x, given, mask = sequence.read(inputs, options)
  local kernel = ops.cast(self.kernel:value(), x.dtype)
  local recurrent = ops.cast(self.recurrent_kernel:value(), x.dtype)
  local masks = {}
  if options.training then
    masks.inputs = dropout_masks.draw(config, ops.slice_axis(x, 1, 0, 1), x, config.dropout, GATES)
  end
  local projected, state_shape = project(self, x, kernel, masks.inputs)
  local states = sequence.first_states(self, { state_shape, state_shape }, x.dtype, given)
  if options.training then
    masks.states = dropout_masks.draw(config, states[1], x, config.recurrent_dropout, GATES)
  end
  local gate, filters = self._recurrent_activation or activations.sigmoid, config.filters
  local function convolve(h, part)
    return nn.conv(h, part, { strides = 1, padding = "same" })
  end
  return sequence.walk(self, x.shape[2], states, mask, function(t, now)
    local z = sequence.at(projected, t) + recurrence.product(convolve, now[1], recurrent, masks.states, 1, GATES)
    local function block(i)
      return recurrence.columns(z, i * filters, filters)
    end
    local c = gate(block(1)) * now[2] + gate(block(0)) * self._activation(block(2))
    local output = gate(block(3)) * self._activation(c)
    return output, { output, c }
  end)
end

---@name pod.layers.conv_lstm1d pod.layers.conv_lstm2d pod.layers.conv_lstm3d
--- An LSTM whose products are convolutions. Input `(batch, steps, spatial..., channels)`, output
--- `(batch, places..., filters)`, or with a second axis of steps with `return_sequences`.
---@return layer
---@example pod.layers.conv_lstm2d(4, 3, { padding = "same" })(pod.ones { 1, 2, 5, 5, 3 }).shape --> (1, 5, 5, 4)
local function define(rank)
  local class = layer.define {
    name = "ConvLSTM" .. rank .. "D",
    float_inputs = true,
    several_inputs = true,
    arguments = { "filters", "kernel_size" },
    required = { "filters", "kernel_size" },
    defaults = merge(recurrence.defaults, sequence.defaults, { strides = 1, padding = "valid", dilation_rate = 1,
      recurrent_activation = "sigmoid", unit_forget_bias = true }),
    optional = recurrence.optional,
    checks = merge(sequence.checks, { filters = check.positive_integer, kernel_size = check.sizes(rank),
      strides = check.sizes(rank), dilation_rate = check.sizes(rank), padding = check.one_of("valid", "same"),
      dropout = check.rate, recurrent_dropout = check.rate }),
    example = "layers.conv_lstm" .. rank .. "d(8, 3)",
  }

  function class:setup(config)
    recurrence.setup(self, config)
    for _, key in ipairs { "kernel_size", "strides", "dilation_rate" } do
      config[key] = check.list(config[key], rank)
    end
    self.supports_masking = true
  end

  function class:build(shape)
    build(self, shape, rank)
  end

  class.reset_states, class.reset_state = sequence.reset_states, sequence.reset_states
  class.compute_mask = sequence.compute_mask

  function class:call(inputs, options)
    return call(self, inputs, options)
  end

  return class
end

return { conv_lstm1d = define(1), conv_lstm2d = define(2), conv_lstm3d = define(3) }
