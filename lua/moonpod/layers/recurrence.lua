-- How the state of a SimpleRNN, an LSTM and a GRU goes on from one step to the next, and their weights.
--
-- A recurrence has: name (of the layer's class), gates (blocks of `units` in the kernels), states (how many), defaults,
-- bias_shape, bias_initializer, add_bias (puts the bias to the products with the inputs) and advance(self, products,
-- states, weights), which gives the output and the new states.

local activations = require "moonpod.layers.activations"
local check = require "moonpod.layers.check"
local dropout_masks = require "moonpod.layers.dropout_masks"
local initializers = require "moonpod.layers.initializers"
local ops = require "moonpod.ops"
local parts = require "moonpod.layers.parts"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"

local recurrence = {}

-- Options of layers and cells alike, and their checks.
recurrence.defaults = { activation = "tanh", use_bias = true, dropout = 0.0, recurrent_dropout = 0.0 }
recurrence.weights = { kernel = "glorot_uniform", recurrent = "orthogonal", bias = "zeros" }
recurrence.optional = { "seed" }
recurrence.checks = { units = check.positive_integer, dropout = check.rate, recurrent_dropout = check.rate }

function recurrence.setup(self, config)
  self._activation = activations.get(config.activation, self.function_name)
  if config.recurrent_activation then
    self._recurrent_activation = activations.get(config.recurrent_activation, self.function_name)
  end
end

-- Makes the weights for so many input features.
function recurrence.add_weights(self, spec, features)
  local config, units = self.config, self.config.units
  check.known_size(self, features, -1)
  self.kernel = parts.weight(self, "kernel", { features, units * spec.gates })
  self.recurrent_kernel = parts.weight(self, "recurrent_kernel", { units, units * spec.gates },
    { prefix = "recurrent" })
  if config.use_bias then
    self.bias = parts.weight(self, "bias", spec.bias_shape(self),
      { initializer = spec.bias_initializer and spec.bias_initializer(self) })
  end
end

-- Columns first .. first + count - 1 of the last axis.
local function columns(x, first, count)
  local low, size = shapes.fill(#x.shape, 0), tables.slice(x.shape)
  low[#low], size[#size] = first, count
  return ops.slice(x, low, size)
end
recurrence.columns = columns

-- The products of x with the blocks of a kernel that are the gates first .. last. `product` is what multiplies x and a
-- kernel; `masks` are those of dropout, or nil.
function recurrence.product(product, x, kernel, masks, first, last)
  if not masks or #masks == 1 then
    return product(dropout_masks.apply(x, masks, 1), kernel)
  end
  local list, size = {}, kernel.shape[#kernel.shape] / (last - first + 1)
  for gate = first, last do
    list[#list + 1] = product(dropout_masks.apply(x, masks, gate), columns(kernel, (gate - first) * size, size))
  end
  return ops.concat(list, -1)
end

local product = recurrence.product

-- The products of inputs (of one step or of all) with the kernel, and what advance() needs besides. masks: those of
-- dropout for the inputs and for the states, each a list or nil.
function recurrence.project(self, spec, x, masks)
  local weights = { recurrent = ops.cast(self.recurrent_kernel:value(), x.dtype), masks = masks.states }
  local projected = product(ops.matmul, x, ops.cast(self.kernel:value(), x.dtype), masks.inputs, 1, spec.gates)
  if self.bias then
    projected, weights.recurrent_bias = spec.add_bias(self, projected, ops.cast(self.bias:value(), x.dtype))
  end
  return projected, weights
end

local function plain_bias(_, projected, bias)
  return projected + bias
end

recurrence.simple_rnn = {
  name = "SimpleRNN",
  gates = 1,
  states = 1,
  bias_shape = function(self)
    return { self.config.units }
  end,
  add_bias = plain_bias,
  advance = function(self, x, states, weights)
    local h = self._activation(x + product(ops.matmul, states[1], weights.recurrent, weights.masks, 1, 1))
    return h, { h }
  end,
}

-- What makes the bias of an LSTM's four blocks, where that of the forget gate begins at 1; else nil.
function recurrence.lstm_bias(self, size)
  local inner = initializers.get(self.config.bias_initializer)
  return self.config.unit_forget_bias and function(_, dtype)
    return ops.concat({ inner({ size }, dtype), ops.ones({ size }, { dtype = dtype }), inner({ size * 2 }, dtype) }, 0)
  end or nil
end

recurrence.lstm = {
  name = "LSTM",
  gates = 4,
  states = 2,
  defaults = { recurrent_activation = "sigmoid", unit_forget_bias = true },
  bias_shape = function(self)
    return { self.config.units * 4 }
  end,
  bias_initializer = function(self)
    return recurrence.lstm_bias(self, self.config.units)
  end,
  add_bias = plain_bias,
  advance = function(self, x, states, weights)
    local units = self.config.units
    local z = x + product(ops.matmul, states[1], weights.recurrent, weights.masks, 1, 4)
    local gate = self._recurrent_activation
    local i, f = gate(columns(z, 0, units)), gate(columns(z, units, units))
    local c = f * states[2] + i * self._activation(columns(z, 2 * units, units))
    local h = gate(columns(z, 3 * units, units)) * self._activation(c)
    return h, { h, c }
  end,
}

recurrence.gru = {
  name = "GRU",
  gates = 3,
  states = 1,
  defaults = { recurrent_activation = "sigmoid", reset_after = true },
  bias_shape = function(self)
    local size = self.config.units * 3
    return self.config.reset_after and { 2, size } or { size }
  end,
  add_bias = function(self, projected, bias)
    if not self.config.reset_after then
      return projected + bias
    end
    return projected + ops.squeeze(ops.slice(bias, { 0, 0 }, { 1, bias.shape[2] }), 0),
      ops.squeeze(ops.slice(bias, { 1, 0 }, { 1, bias.shape[2] }), 0)
  end,
  advance = function(self, x, states, weights)
    local units, h = self.config.units, states[1]
    local gate = self._recurrent_activation
    local z, r, candidate
    if self.config.reset_after then
      local inner = product(ops.matmul, h, weights.recurrent, weights.masks, 1, 3)
      if weights.recurrent_bias then
        inner = inner + weights.recurrent_bias
      end
      z = gate(columns(x, 0, units) + columns(inner, 0, units))
      r = gate(columns(x, units, units) + columns(inner, units, units))
      candidate = columns(x, 2 * units, units) + r * columns(inner, 2 * units, units)
    else
      local inner = product(ops.matmul, h, columns(weights.recurrent, 0, 2 * units), weights.masks, 1, 2)
      z = gate(columns(x, 0, units) + columns(inner, 0, units))
      r = gate(columns(x, units, units) + columns(inner, units, units))
      candidate = columns(x, 2 * units, units)
        + product(ops.matmul, r * h, columns(weights.recurrent, 2 * units, units), weights.masks, 3, 3)
    end
    local new = z * h + (1 - z) * self._activation(candidate)
    return new, { new }
  end,
}

return recurrence
