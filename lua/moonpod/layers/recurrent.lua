-- Recurrent layers: SimpleRNN, LSTM, GRU. The products with the inputs of all steps are one.

local check = require "moonpod.layers.check"
local dropout_masks = require "moonpod.layers.dropout_masks"
local layer = require "moonpod.layers.layer"
local names = require "moonpod.base.names"
local ops = require "moonpod.ops"
local recurrence = require "moonpod.layers.recurrence"
local shapes = require "moonpod.base.shapes"
local sequence = require "moonpod.layers.sequence"
local tables = require "moonpod.base.tables"

local merge = tables.merge

-- The layer of a recurrence.
local function define(spec)
  local class = layer.define {
    name = spec.name,
    float_inputs = true,
    several_inputs = true,
    supports_masking = true,
    arguments = { "units" },
    defaults = merge(recurrence.defaults, sequence.defaults, spec.defaults, { use_cudnn = "auto" }),
    weights = recurrence.weights,
    optional = recurrence.optional,
    checks = merge(recurrence.checks, sequence.checks),
    example = "layers." .. names.snake_case(spec.name) .. "(32)",
  }

  class.setup = recurrence.setup

  function class:build(shape)
    if type(shape[1]) == "table" then
      shape = shape[1]
    end
    if #shape ~= 3 then
      check.fail(self, " wants inputs (batch, time, features); got %d axes", #shape)
    end
    recurrence.add_weights(self, spec, shape[3])
  end

  class.reset_states, class.reset_state = sequence.reset_states, sequence.reset_states
  class.compute_mask = sequence.compute_mask

  function class:call(inputs, options)
    local config = self.config
    local x, given, mask = sequence.read(inputs, options)
    local masks, shape = {}, { x.shape[1], config.units }
    local states = sequence.first_states(self, shapes.fill(spec.states, shape), x.dtype, given)
    if options.training then
      local count = dropout_masks.count(config, spec.gates)
      masks.inputs = dropout_masks.draw(config, ops.slice_axis(x, 1, 0, 1), x, config.dropout, count)
      masks.states = dropout_masks.draw(config, states[1], x, config.recurrent_dropout, count)
    end
    local projected, weights = recurrence.project(self, spec, x, masks)
    return sequence.walk(self, x.shape[2], states, mask, function(t, now)
      return spec.advance(self, sequence.at(projected, t), now, weights)
    end)
  end

  return class
end

return {
  ---@name pod.layers.simple_rnn
  --- A recurrent layer: at each step `activation(x kernel + state recurrent_kernel + bias)` is output and next state.
  --- Input `(batch, steps, features)`, output `(batch, units)`.
  ---@return layer
  ---@example pod.layers.simple_rnn(4)(pod.ones { 2, 5, 3 }).shape --> (2, 4)
  simple_rnn = define(recurrence.simple_rnn),
  ---@name pod.layers.lstm
  --- Long short-term memory (Hochreiter and Schmidhuber 1997). Input `(batch, steps, features)`, output `(batch,
  --- units)`, or `(batch, steps, units)` with `return_sequences`. Weights: `kernel` `(features, 4 units)`,
  --- `recurrent_kernel` `(units, 4 units)`, `bias`; the gates stand in the order input, forget, cell, output. States:
  --- output and cell.
  ---@return layer
  ---@example pod.layers.lstm(4, { return_sequences = true })(pod.ones { 2, 5, 3 }).shape --> (2, 5, 4)
  lstm = define(recurrence.lstm),
  ---@name pod.layers.gru
  --- A gated recurrent unit (Cho et al. 2014). Input `(batch, steps, features)`, output `(batch, units)`. Weights:
  --- `kernel` `(features, 3 units)`, `recurrent_kernel` `(units, 3 units)`, `bias`; the gates stand in the order
  --- update, reset, new.
  ---@return layer
  ---@example pod.layers.gru(4)(pod.ones { 2, 5, 3 }).shape --> (2, 4)
  gru = define(recurrence.gru),
}
