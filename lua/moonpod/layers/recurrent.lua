-- Recurrent layers: SimpleRNN, LSTM, GRU, and Bidirectional around one.
--
-- The steps are laid out one after the other in the trace: shapes are static, and the products with the inputs of
-- all steps are one.

local ops = require "moonpod"
local activations = require "moonpod.activations"
local check = require "moonpod.layers.check"
local constraints = require "moonpod.constraints"
local errors = require "moonpod.errors"
local layer = require "moonpod.layers.layer"
local nest = require "moonpod.nest"
local random = require "moonpod.random"
local regularizers = require "moonpod.regularizers"

local recurrent = {}

local DEFAULTS = { activation = "tanh", use_bias = true, kernel_initializer = "glorot_uniform",
  recurrent_initializer = "orthogonal", bias_initializer = "zeros", dropout = 0.0, recurrent_dropout = 0.0,
  return_sequences = false, return_state = false, go_backwards = false, stateful = false, unroll = true,
  zero_output_for_mask = false }

local OPTIONAL = { "kernel_regularizer", "recurrent_regularizer", "bias_regularizer", "kernel_constraint",
  "recurrent_constraint", "bias_constraint", "seed" }

local function with(defaults, more)
  local out = {}
  for key, value in pairs(defaults) do
    out[key] = value
  end
  for key, value in pairs(more) do
    out[key] = value
  end
  return out
end

-- Columns first .. first + count - 1 of the last axis.
local function columns(x, first, count)
  local low, size = {}, {}
  for i = 1, #x.shape do
    low[i], size[i] = 0, x.shape[i]
  end
  low[#low], size[#size] = first, count
  return ops.slice(x, low, size)
end

-- Step t (from 0) of [batch, time, features].
local function step_of(x, t)
  return ops.squeeze(ops.slice(x, { 0, t, 0 }, { x.shape[1], 1, x.shape[3] }), 1)
end

-- Gives a class what all recurrent layers share. `spec`: name, gates (blocks of `units` in the kernels), states,
-- defaults, advance(self, inputs_projected, states, weights) -> output, new states.
local function define(spec)
  local class = layer.define {
    name = spec.name,
    several_inputs = true,
    arguments = { "units" },
    required = { "units" },
    defaults = with(DEFAULTS, spec.defaults or {}),
    optional = OPTIONAL,
    checks = { units = check.positive_integer, dropout = check.rate, recurrent_dropout = check.rate,
      return_sequences = check.boolean, return_state = check.boolean, go_backwards = check.boolean,
      stateful = check.boolean, zero_output_for_mask = check.boolean },
    example = spec.example,
  }

  function class:setup(config)
    local where = "layers." .. self.function_name
    self._activation = activations.get(config.activation, where)
    if config.recurrent_activation then
      self._recurrent_activation = activations.get(config.recurrent_activation, where)
    end
    self.supports_masking = true
  end

  function class:build(shape)
    local config, units = self.config, self.config.units
    if not nest.is_leaf(shape) and type(shape[1]) == "table" then
      shape = shape[1]
    end
    if #shape ~= 3 then
      errors.raise("layer '%s' (%s) wants inputs (batch, time, features); got %d axes", self.name, self.class_name,
        #shape)
    end
    local features = shape[3]
    check.known_size(self, features, -1)
    self.kernel = self:add_weight { name = "kernel", shape = { features, units * spec.gates },
      initializer = config.kernel_initializer, regularizer = regularizers.get(config.kernel_regularizer),
      constraint = constraints.get(config.kernel_constraint) }
    self.recurrent_kernel = self:add_weight { name = "recurrent_kernel", shape = { units, units * spec.gates },
      initializer = config.recurrent_initializer, regularizer = regularizers.get(config.recurrent_regularizer),
      constraint = constraints.get(config.recurrent_constraint) }
    if config.use_bias then
      self.bias = self:add_weight { name = "bias", shape = spec.bias_shape(self), initializer = spec.bias_initializer
        and spec.bias_initializer(self) or config.bias_initializer,
        regularizer = regularizers.get(config.bias_regularizer), constraint = constraints.get(config.bias_constraint) }
    end
  end

  -- The states before the first step.
  local function first_states(self, x, given)
    if given then
      return given
    end
    if self.config.stateful and self._states then
      local kept = {}
      for i, state in ipairs(self._states) do
        kept[i] = ops.cast(state:value(), x.dtype)
      end
      return kept
    end
    local zero = ops.zeros({ x.shape[1], self.config.units }, { dtype = x.dtype })
    local states = {}
    for i = 1, spec.states do
      states[i] = zero
    end
    return states
  end

  local function keep_states(self, x, states)
    if not self.config.stateful then
      return
    end
    if not self._states then
      local scope = require "moonpod.scope"
      local made = scope.outside_trace(function()
        local list = {}
        for i = 1, spec.states do
          list[i] = self:add_weight { name = "state_" .. i, shape = { x.shape[1], self.config.units },
            initializer = "zeros", trainable = false }
        end
        return list
      end)
      rawset(self, "_states", made)
    end
    for i, state in ipairs(self._states) do
      state:assign(states[i])
    end
  end

  -- Sets the states of a stateful layer to zero.
  function class:reset_states()
    for _, state in ipairs(self._states or {}) do
      state:assign(ops.zeros(state.shape, { dtype = state.dtype }))
    end
  end
  class.reset_state = class.reset_states

  function class:call(inputs, options)
    local config, x, given = self.config, inputs, options.initial_state
    if not nest.is_leaf(inputs) then
      x = inputs[1]
      if #inputs > 1 then
        given = {}
        for i = 2, #inputs do
          given[i - 1] = inputs[i]
        end
      end
    end
    if given and nest.is_leaf(given) then
      given = { given }
    end
    local mask = options.mask
    if mask ~= nil and not nest.is_leaf(mask) then
      mask = mask[1] or nil
    end
    if options.training and config.dropout > 0 then
      x = random.dropout(x, config.dropout, { seed = config.seed, noise_shape = { x.shape[1], 1, x.shape[3] } })
    end
    local weights = { recurrent = ops.cast(self.recurrent_kernel:value(), x.dtype) }
    local kernel = ops.cast(self.kernel:value(), x.dtype)
    local bias = self.bias and ops.cast(self.bias:value(), x.dtype)
    local projected = ops.matmul(x, kernel)
    if bias then
      projected, weights.recurrent_bias = spec.add_bias(self, projected, bias)
    end
    local states = first_states(self, x, given)
    local recurrent_mask
    if options.training and config.recurrent_dropout > 0 then
      recurrent_mask = random.dropout(ops.ones_like(states[1]), config.recurrent_dropout, { seed = config.seed })
    end
    local time, outputs = x.shape[2], {}
    local previous
    for i = 1, time do
      local t = config.go_backwards and time - i or i - 1
      local used = states
      if recurrent_mask then
        used = with(states, { [1] = states[1] * recurrent_mask })
      end
      local output, new = spec.advance(self, step_of(projected, t), used, weights)
      if mask ~= nil then
        local on = ops.slice(mask, { 0, t }, { mask.shape[1], 1 })
        output = ops.where(on, output, not config.zero_output_for_mask and previous or ops.zeros_like(output))
        for s = 1, #new do
          new[s] = ops.where(on, new[s], states[s])
        end
      end
      previous, states, outputs[i] = output, new, output
    end
    keep_states(self, x, states)
    local result = config.return_sequences and ops.stack(outputs, 1) or outputs[#outputs]
    if config.return_state then
      local list = { result }
      for i, state in ipairs(states) do
        list[i + 1] = state
      end
      return list
    end
    return result
  end

  function class:compute_mask(_, mask)
    if mask ~= nil and not nest.is_leaf(mask) then
      mask = mask[1] or nil
    end
    local out = self.config.return_sequences and mask or nil
    if self.config.return_state and out ~= nil then
      return { out }
    end
    return out
  end

  return class
end

local function plain_bias(_, projected, bias)
  return projected + bias
end

recurrent.simple_rnn = define {
  name = "SimpleRNN",
  gates = 1,
  states = 1,
  example = "layers.simple_rnn(32)",
  bias_shape = function(self)
    return { self.config.units }
  end,
  add_bias = plain_bias,
  advance = function(self, x, states, weights)
    local h = self._activation(x + ops.matmul(states[1], weights.recurrent))
    return h, { h }
  end,
}

recurrent.lstm = define {
  name = "LSTM",
  gates = 4,
  states = 2,
  example = "layers.lstm(32)",
  defaults = { recurrent_activation = "sigmoid", unit_forget_bias = true },
  bias_shape = function(self)
    return { self.config.units * 4 }
  end,
  bias_initializer = function(self)
    if not self.config.unit_forget_bias then
      return nil
    end
    local initializers = require "moonpod.initializers"
    local inner = initializers.get(self.config.bias_initializer)
    local units = self.config.units
    return function(_, dtype)
      local ones = ops.ones({ units }, { dtype = dtype })
      return ops.concat({ inner({ units }, dtype), ones, inner({ units * 2 }, dtype) }, 0)
    end
  end,
  add_bias = plain_bias,
  advance = function(self, x, states, weights)
    local units = self.config.units
    local z = x + ops.matmul(states[1], weights.recurrent)
    local gate = self._recurrent_activation
    local i, f = gate(columns(z, 0, units)), gate(columns(z, units, units))
    local c = f * states[2] + i * self._activation(columns(z, 2 * units, units))
    local h = gate(columns(z, 3 * units, units)) * self._activation(c)
    return h, { h, c }
  end,
}

recurrent.gru = define {
  name = "GRU",
  gates = 3,
  states = 1,
  example = "layers.gru(32)",
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
      local inner = ops.matmul(h, weights.recurrent)
      if weights.recurrent_bias then
        inner = inner + weights.recurrent_bias
      end
      z = gate(columns(x, 0, units) + columns(inner, 0, units))
      r = gate(columns(x, units, units) + columns(inner, units, units))
      candidate = columns(x, 2 * units, units) + r * columns(inner, 2 * units, units)
    else
      local inner = ops.matmul(h, columns(weights.recurrent, 0, 2 * units))
      z = gate(columns(x, 0, units) + columns(inner, 0, units))
      r = gate(columns(x, units, units) + columns(inner, units, units))
      candidate = columns(x, 2 * units, units) + ops.matmul(r * h, columns(weights.recurrent, 2 * units, units))
    end
    local new = z * h + (1 - z) * self._activation(candidate)
    return new, { new }
  end,
}

-- ---- both directions ------------------------------------------------------------------------------------------------

recurrent.bidirectional = layer.define {
  several_inputs = true,
  name = "Bidirectional",
  arguments = { "layer" },
  required = { "layer" },
  defaults = { merge_mode = "concat" },
  optional = { "backward_layer" },
  checks = { merge_mode = check.one_of("concat", "sum", "mul", "ave", "none") },
  example = "layers.bidirectional(layers.lstm(32))",
}

local both = recurrent.bidirectional

local function is_recurrent(value)
  return layer.is_layer(value) and value.config and value.config.return_sequences ~= nil
end

function both:setup(config)
  if not is_recurrent(config.layer) then
    errors.raise("layers.bidirectional: 'layer' must be a recurrent layer; got %s", errors.describe(config.layer))
  end
  self.forward_layer = config.layer
  local backward = config.backward_layer
  if not backward then
    local options = {}
    for key, value in pairs(config.layer.config) do
      options[key] = value
    end
    options.go_backwards = not options.go_backwards
    options.name = "backward_" .. config.layer.name
    backward = recurrent[config.layer.function_name:match "layers%.(.*)"](options)
  elseif backward.config.go_backwards == config.layer.config.go_backwards then
    errors.raise("layers.bidirectional: backward_layer must have go_backwards different from layer's")
  end
  self.backward_layer = backward
  -- Turned around in time, what is behind the end would else stand before the beginning.
  for _, one in ipairs { config.layer, backward } do
    one.config.zero_output_for_mask = one.config.return_sequences
  end
  self.supports_masking = true
end

local function reverse_time(x)
  return ops.flip(x, 1)
end

local MERGE = {
  concat = function(a, b) return ops.concat({ a, b }, -1) end,
  sum = function(a, b) return a + b end,
  mul = function(a, b) return a * b end,
  ave = function(a, b) return (a + b) / 2 end,
}

function both:call(x, options)
  local first = nest.is_leaf(x) and x or x[1]
  if #first.shape ~= 3 then
    errors.raise("layer '%s' (Bidirectional) wants inputs (batch, time, features); got shape %s", self.name,
      tostring(first.shape))
  end
  local given = { training = options.training, mask = options.mask }
  local a, b = self.forward_layer(x, given), self.backward_layer(x, given)
  local states
  if self.forward_layer.config.return_state then
    states = {}
    for i = 2, #a do
      states[#states + 1] = a[i]
    end
    for i = 2, #b do
      states[#states + 1] = b[i]
    end
    a, b = a[1], b[1]
  end
  if self.forward_layer.config.return_sequences then
    b = reverse_time(b)
  end
  local mode = self.config.merge_mode
  local out = mode == "none" and { a, b } or MERGE[mode](a, b)
  if states then
    local list = mode == "none" and { a, b } or { out }
    for _, state in ipairs(states) do
      list[#list + 1] = state
    end
    return list
  end
  return out
end

function both:compute_mask(_, mask)
  if self.forward_layer.config.return_sequences and not self.forward_layer.config.return_state then
    return mask
  end
  return nil
end

return recurrent
