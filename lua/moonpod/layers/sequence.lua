-- What layers that walk along the second axis of their input share: states, masks, and the order of steps.
--
-- The steps are laid out one after the other in the trace: shapes are static.

local check = require "moonpod.layers.check"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local fill = require("moonpod.base.shapes").fill
local strategies = require "moonpod.func.strategies"
local tables = require "moonpod.base.tables"

local sequence = {}

-- Options that all of them have, and their checks.
sequence.defaults = { return_sequences = false, return_state = false, go_backwards = false, stateful = false,
  unroll = true, zero_output_for_mask = false }
sequence.checks = { return_sequences = check.boolean, return_state = check.boolean, go_backwards = check.boolean,
  stateful = check.boolean, unroll = check.boolean, zero_output_for_mask = check.boolean }

-- What a call gets, x or { x, state, ... }: x, the states given (nil: none), and the mask [batch, time] or nil.
function sequence.read(inputs, options)
  local x, given = inputs, options.initial_state
  if not nest.is_leaf(inputs) then
    x = inputs[1]
    given = #inputs > 1 and tables.slice(inputs, 2) or given
  end
  if given and nest.is_leaf(given) then
    given = { given }
  end
  local mask = options.mask
  if mask ~= nil and not nest.is_leaf(mask) then
    mask = mask[1] or nil
  end
  return x, given, mask
end

-- Refuses a stateful layer on several replicas, each of which has a part of a batch whose states are those of all rows.
local function check_replicas(self)
  local count = strategies.get_strategy().num_replicas_in_sync
  if count > 1 then
    check.fail(self, ": stateful = true keeps states of whole batches, and the strategy gives each of %d replicas a "
      .. "part: use the layer without a strategy, or hand the states on yourself (return_state = true and "
      .. "initial_state)", count)
  end
end

-- Refuses batches of a stateful layer that have not the rows of its states. A size that is not known is traced as
-- several, so it is refused, too.
local function check_rows(self, rows)
  local kept = self._state.states
  if kept and kept[1].shape[1] ~= rows then
    check.fail(self, ": with stateful = true all batches have one size, which must be known: give batch_size in "
      .. "layers.input (its states have %d rows, the batch %d)", kept[1].shape[1], rows)
  end
end

-- The states before the first step: those given, those kept (stateful), or zeros of the shapes.
function sequence.first_states(self, shapes, dtype, given)
  if self.config.stateful then
    check_replicas(self)
    check_rows(self, shapes[1][1])
  end
  if given then
    return given
  end
  local states = {}
  for i, shape in ipairs(shapes) do
    local kept = self.config.stateful and self._state.states and self._state.states[i]
    states[i] = kept and ops.cast(kept:value(), dtype) or ops.zeros(shape, { dtype = dtype })
  end
  return states
end

-- Keeps the states of a stateful layer for its next call.
function sequence.keep_states(self, states)
  if not self.config.stateful then
    return
  end
  if not self._state.states then
    self._state.states = scope.outside_trace(function()
      local list = {}
      for i, state in ipairs(states) do
        list[i] = self:add_weight { name = "state_" .. i, shape = tables.slice(state.shape), initializer = "zeros",
          trainable = false }
        list[i].is_state = true
      end
      return list
    end)
  end
  for i, state in ipairs(self._state.states) do
    state:assign(states[i])
  end
end

--- Sets the states of a stateful layer to zero.
--- ```lua
--- local layer = pod.layers.lstm(2, { stateful = true, batch_input_shape = { 1, 3, 1 } })
--- local first = layer(pod.ones { 1, 3, 1 })
--- layer:reset_state()
--- assert(pod.allclose(layer(pod.ones { 1, 3, 1 }), first))
--- ```
function sequence.reset_states(self)
  for _, state in ipairs(self._state.states or {}) do
    state:assign(ops.zeros(state.shape, { dtype = state.dtype }))
  end
end

-- Part t (from 0) of the second axis.
function sequence.at(x, t)
  return ops.squeeze(ops.slice_axis(x, 1, t, t + 1), 1)
end

-- Walks `time` steps: step(t, states) gives an output and the new states. Where the mask is false states stay, and the
-- output is that of the step before (0 with zero_output_for_mask). Returns what the layer's call returns.
function sequence.walk(self, time, states, mask, step)
  local config, outputs, previous = self.config, {}, nil
  for i = 1, time do
    local t = config.go_backwards and time - i or i - 1
    local output, new = step(t, states)
    if mask ~= nil then
      local on = ops.slice_axis(mask, 1, t, t + 1)
      local function choose(a, b)
        return ops.where(ops.reshape(on, tables.join({ on.shape[1] }, fill(#a.shape - 1, 1))), a, b)
      end
      output = choose(output, not config.zero_output_for_mask and previous or ops.zeros_like(output))
      for s = 1, #new do
        new[s] = choose(new[s], states[s])
      end
    end
    previous, states, outputs[i] = output, new, output
  end
  sequence.keep_states(self, states)
  local result = config.return_sequences and ops.stack(outputs, 1) or outputs[#outputs]
  if not config.return_state then
    return result
  end
  return tables.join({ result }, states)
end

-- The mask of the output: that of the steps, where all of them are returned.
function sequence.compute_mask(self, _, mask)
  if mask ~= nil and not nest.is_leaf(mask) then
    mask = mask[1] or nil
  end
  local out = self.config.return_sequences and mask or nil
  if self.config.return_state and out ~= nil then
    return { out }
  end
  return out
end

return sequence
