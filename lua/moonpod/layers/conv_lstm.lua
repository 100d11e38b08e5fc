-- LSTMs over images: the products with inputs and state are convolutions.

local activations = require "moonpod.layers.activations"
local check = require "moonpod.layers.check"
local dropout_masks = require "moonpod.layers.dropout_masks"
local layer = require "moonpod.layers.layer"
local nn = require "moonpod.ops.nn"
local ops = require "moonpod.ops"
local parts = require "moonpod.layers.parts"
local recurrence = require "moonpod.layers.recurrence"
local sequence = require "moonpod.layers.sequence"
local tables = require "moonpod.base.tables"

local merge = tables.merge
local GATES = 4

-- A kernel that makes four blocks of the filters, one behind the other.
local function add_kernel(self, name, channels, prefix)
  local shape = tables.join(self.config.kernel_size, { channels, self.config.filters * GATES })
  return parts.weight(self, name, shape, { prefix = prefix })
end

local function build(self, shape)
  local rank = #self.config.kernel_size
  if type(shape[1]) == "table" then
    shape = shape[1]
  end
  if #shape ~= rank + 3 then
    check.fail(self, " wants inputs (batch, time, %schannels) of %d axes; got %d axes", ("spatial, "):rep(rank),
      rank + 3, #shape)
  end
  check.known_size(self, shape[#shape], -1)
  local filters = self.config.filters
  self.kernel = add_kernel(self, "kernel", shape[#shape])
  self.recurrent_kernel = add_kernel(self, "recurrent_kernel", filters, "recurrent")
  if self.config.use_bias then
    self.bias = parts.weight(self, "bias", { filters * GATES }, { initializer = recurrence.lstm_bias(self, filters) })
  end
end

-- The products of all steps' inputs: as one convolution, whose rows are batch times time. masks: those of dropout, or
-- nil. Returns them by step, and the shape of a state.
local function project(self, x, kernel, masks)
  local config = self.config
  local geometry = { strides = config.strides, padding = config.padding, dilation_rate = config.dilation_rate }
  local flat = tables.join({ x.shape[1] * x.shape[2] }, tables.slice(x.shape, 3))
  local y = recurrence.product(function(inputs, block)
    return nn.conv(ops.reshape(inputs, flat), block, geometry)
  end, x, kernel, masks, 1, GATES)
  if self.bias then
    y = y + ops.cast(self.bias:value(), x.dtype)
  end
  local state_shape = tables.join({ x.shape[1] }, tables.slice(y.shape, 2, #y.shape - 1), { config.filters })
  return ops.reshape(y, tables.join({ x.shape[1], x.shape[2] }, tables.slice(y.shape, 2))), state_shape
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
    supports_masking = true,
    arguments = { "filters", "kernel_size" },
    weights = recurrence.weights,
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
  end

  class.build, class.call = build, call

  class.reset_states, class.reset_state = sequence.reset_states, sequence.reset_states
  class.compute_mask = sequence.compute_mask
  return class
end

return { conv_lstm1d = define(1), conv_lstm2d = define(2), conv_lstm3d = define(3) }
