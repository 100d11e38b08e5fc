-- One step of a recurrent layer as a layer, cells one behind the other, and the layer that walks with a cell.

local check = require "moonpod.layers.check"
local dropout_masks = require "moonpod.layers.dropout_masks"
local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local names = require "moonpod.base.names"
local ops = require "moonpod.ops"
local recurrence = require "moonpod.layers.recurrence"
local shapes = require "moonpod.base.shapes"
local sequence = require "moonpod.layers.sequence"
local tables = require "moonpod.base.tables"

local cells = {}

-- A cell has state_sizes (a list), build(shape of an input without time) and call(x, { states = list, training = }),
-- which gives { output, state, ... }.
local function is_cell(value)
  return layer.is_layer(value) and type(value.state_sizes) == "table"
end

local function check_states(self, states)
  if type(states) ~= "table" or #states ~= #self.state_sizes then
    check.fail(self, " wants %d states: cell(x, { states = { ... } })", #self.state_sizes)
  end
end

local function define_cell(spec)
  local class = layer.define {
    name = spec.name .. "Cell",
    float_inputs = true,
    arguments = { "units" },
    defaults = tables.merge(recurrence.defaults, spec.defaults),
    weights = recurrence.weights,
    optional = recurrence.optional,
    checks = recurrence.checks,
    example = "layers." .. names.snake_case(spec.name .. "Cell") .. "(32)",
  }
  function class:setup(config)
    recurrence.setup(self, config)
    rawset(self, "state_sizes", shapes.fill(spec.states, config.units))
  end
  function class:build(shape)
    if #shape ~= 2 then
      check.fail(self, " wants inputs (batch, features) of one step; got %d axes", #shape)
    end
    recurrence.add_weights(self, spec, shape[2])
  end
  function class:call(x, options)
    local config, states = self.config, options.states
    check_states(self, states)
    local masks = {}
    if options.training then
      local count = dropout_masks.count(config, spec.gates)
      masks.inputs = dropout_masks.of_cell(self, "inputs", x, x, config.dropout, count)
      masks.states = dropout_masks.of_cell(self, "states", states[1], x, config.recurrent_dropout, count)
    end
    local projected, weights = recurrence.project(self, spec, x, masks)
    local output, new = spec.advance(self, projected, states, weights)
    table.insert(new, 1, output)
    return new
  end
  --- Lets the cell draw anew what dropout leaves out of its inputs. Called by hand, a cell leaves out the same in all
  --- steps until then; `rnn` calls it behind each sequence.
  --- ```lua
  --- local cell = pod.layers.gru_cell(2, { dropout = 0.5 })
  --- local step = { states = { pod.zeros { 64, 2 } }, training = true }
  --- local first, second = cell(pod.ones { 64, 3 }, step)[1], cell(pod.ones { 64, 3 }, step)[1]
  --- assert(pod.allclose(first, second))
  --- cell:reset_dropout_mask()
  --- assert(not pod.allclose(cell(pod.ones { 64, 3 }, step)[1], first))
  --- ```
  function class:reset_dropout_mask()
    dropout_masks.forget(self, "inputs")
  end
  --- Lets the cell draw anew what recurrent_dropout leaves out of its states; see reset_dropout_mask().
  ---@example pod.layers.lstm_cell(4, { recurrent_dropout = 0.5 }):reset_recurrent_dropout_mask()
  function class:reset_recurrent_dropout_mask()
    dropout_masks.forget(self, "states")
  end
  return class
end

---@name pod.layers.simple_rnn_cell
--- One step of `simple_rnn`, for `rnn`: called with an input `(batch, features)` and a list of states.
---@return layer
---@example pod.layers.rnn(pod.layers.simple_rnn_cell(4))(pod.ones { 2, 5, 3 }).shape --> (2, 4)
cells.simple_rnn_cell = define_cell(recurrence.simple_rnn)
---@name pod.layers.lstm_cell
--- One step of `lstm`, for `rnn`.
---@return layer
---@example pod.layers.rnn(pod.layers.lstm_cell(4))(pod.ones { 2, 5, 3 }).shape --> (2, 4)
cells.lstm_cell = define_cell(recurrence.lstm)
---@name pod.layers.gru_cell
--- One step of `gru`, for `rnn`.
---@return layer
---@example pod.layers.rnn(pod.layers.gru_cell(4))(pod.ones { 2, 5, 3 }).shape --> (2, 4)
cells.gru_cell = define_cell(recurrence.gru)

-- ---- cells one behind the other ------------------------------------------------------------------------------------

---@name pod.layers.stacked_rnn_cells
--- Several cells one upon the other as one cell, for `rnn`.
---@param options.cells layer[] the lowest first
---@return layer
---@example pod.layers.rnn(pod.layers.stacked_rnn_cells { pod.layers.gru_cell(4) })(pod.ones { 2, 5, 3 }):size() --> 8
cells.stacked_rnn_cells = layer.define {
  name = "StackedRNNCells",
  arguments = { "cells" },
  example = "layers.stacked_rnn_cells { layers.lstm_cell(8), layers.lstm_cell(4) }",
}

local stacked = cells.stacked_rnn_cells

function stacked:setup(config)
  local sizes = {}
  if type(config.cells) ~= "table" or #config.cells == 0 then
    errors.raise("layers.stacked_rnn_cells: 'cells' must be a list of cells; got %s", errors.describe(config.cells))
  end
  for _, cell in ipairs(config.cells) do
    if not is_cell(cell) then
      errors.raise("layers.stacked_rnn_cells: 'cells' must hold cells such as layers.lstm_cell(8); got %s",
        errors.describe(cell))
    end
    tables.extend(sizes, cell.state_sizes)
  end
  self.cells = config.cells
  rawset(self, "state_sizes", sizes)
end

function stacked:call(x, options)
  check_states(self, options.states)
  local at, out = 0, { x }
  for _, cell in ipairs(self.config.cells) do
    local own = {}
    for i = 1, #cell.state_sizes do
      own[i] = options.states[at + i]
    end
    local results = cell(out[1], { states = own, training = options.training })
    out[1] = results[1]
    for i = 1, #own do
      out[1 + at + i] = results[1 + i]
    end
    at = at + #own
  end
  return out
end

-- ---- the layer of a cell -------------------------------------------------------------------------------------------

---@name pod.layers.rnn
--- Runs a cell over the steps of a sequence: input `(batch, steps, features)`. A cell of one's own is a layer called
--- with the input of a step and a list of states.
---@param options.cell layer|layer[] a cell, or a list of cells one upon the other
---@return layer
---@example pod.layers.rnn(pod.layers.gru_cell(4), { return_state = true })(pod.ones { 2, 5, 3 })[1].shape --> (2, 4)
cells.rnn = layer.define {
  name = "RNN",
  several_inputs = true,
  supports_masking = true,
  arguments = { "cell" },
  defaults = sequence.defaults,
  checks = sequence.checks,
  example = "layers.rnn(layers.lstm_cell(32))",
}

local rnn = cells.rnn

function rnn:setup(config)
  local cell = config.cell
  if type(cell) == "table" and not layer.is_layer(cell) then
    cell = cells.stacked_rnn_cells(cell)
  end
  if not is_cell(cell) then
    errors.raise("layers.rnn: 'cell' must be a cell such as layers.lstm_cell(8), a list of cells, or a layer with "
      .. "state_sizes; got %s", errors.describe(cell))
  end
  self.cell = cell
end

rnn.reset_states, rnn.reset_state = sequence.reset_states, sequence.reset_states
rnn.compute_mask = sequence.compute_mask

function rnn:call(inputs, options)
  local x, given, mask = sequence.read(inputs, options)
  if #x.shape < 3 then
    check.fail(self, " wants inputs (batch, time, features); got shape %s", tostring(x.shape))
  end
  local states = sequence.first_states(self, tables.map(self.cell.state_sizes, function(size)
    return { x.shape[1], size }
  end), x.dtype, given)
  dropout_masks.forget_all(self.cell)
  local result = sequence.walk(self, x.shape[2], states, mask, function(t, now)
    local results = self.cell(sequence.at(x, t), { states = now, training = options.training })
    if type(results) ~= "table" or ops.is_tensor(results) or #results ~= #now + 1 then
      check.fail(self, ": its cell must return { output, state, ... } with %d states", #now)
    end
    return results[1], tables.slice(results, 2)
  end)
  dropout_masks.forget_all(self.cell)
  return result
end

return cells
