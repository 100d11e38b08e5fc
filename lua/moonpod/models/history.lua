-- history - keeps the values of each epoch: history.history.loss[1], history.epoch, history.params. What differs from
-- run to run (seconds) and what no metric is (samples) stands beside them, so that histories can be compared.

local core = require "moonpod.core"
local callback = require "moonpod.models.callback"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local loops = require "moonpod.models.loops"
local log_names = require "moonpod.models.log_names"
local readable = require "moonpod.base.readable"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"

local function setup(self)
  self.epoch, self.history, self.is_history = {}, readable.of {}, true
  self.seconds, self.samples = readable.of {}, readable.of {}
end

-- Numbers of epochs are those of this run; values go on.
local function on_train_begin(self)
  self.epoch = readable.of {}
  self.began, self.before = core.clock(), self.seconds[#self.seconds] or 0
end

-- Takes what a run is like behind an epoch.
local function on_run(self, run)
  local at = #self.samples
  self.seconds[at + 1] = self.before + core.clock() - self.began
  self.samples[at + 1] = (self.samples[at] or 0) + math.floor((run.rows or 0) + 0.5)
  self.steps_per_execution = loops.steps_of_execution(run.model)
end

-- Takes an epoch's logs.
local function on_epoch_end(self, epoch, logs)
  self.epoch[#self.epoch + 1] = epoch
  for _, name in ipairs(log_names.sorted(logs or {})) do
    self.history[name] = self.history[name] or readable.of {}
    local list = self.history[name]
    list[#list + 1] = logs[name]
  end
  if self.run then
    on_run(self, self.run)
  end
end

-- Refuses a state whose lists belong to no history.
local function check_state(_, state)
  errors.check_type(state, "table", "history:check_state", "the state")
  errors.check_type(state.seconds, "table", "history:check_state", "'seconds'")
  errors.check_type(state.samples, "table", "history:check_state", "'samples'")
  if #state.seconds ~= #state.samples then
    errors.raise("the history has %d times and %d counts of samples", #state.seconds, #state.samples)
  end
end

-- Of many epochs these are printed: the first and the last.
local FIRST, LAST = 3, 9

-- A row an epoch, a column a value.
local function to_text(self)
  local names = log_names.sorted(self.history)
  local count = names[1] and #self.history[names[1]] or 0
  local rows = { tables.join({ "epoch" }, names) }
  for epoch = 1, count do
    if count <= FIRST + LAST or epoch <= FIRST or epoch > count - LAST then
      rows[#rows + 1] = tables.join({ ("%d"):format(epoch) }, tables.map(names, function(name)
        local value = self.history[name][epoch]
        return type(value) == "number" and decimal.format("%.4g", value) or tostring(value)
      end))
    elseif epoch == FIRST + 1 then
      rows[#rows + 1] = { "..." }
    end
  end
  return count == 0 and "<callback history> of no epoch"
    or table.concat(text_table.lines(rows, { { align = "right" } }), "\n")
end

---@name pod.callbacks.history
--- Keeps the logs of all epochs: `model:fit` returns one, whose `history` is a table of lists by name, and `epoch` a
--- list; `print` shows them as a table. Beside them, for each epoch: `seconds` since the training began, and `samples`,
--- the rows trained on so far.
--- Rows count as in the mean of the loss: a `train_step` of one's own that tracks none has none. `steps_per_execution`
--- is how many steps ran at once at last: what "auto" chose.
---@return callback
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse", steps_per_execution = "auto" }
--- local history = model:fit(pod.zeros { 8, 2 }, pod.ones { 8, 1 }, { epochs = 3, verbose = 0 })
--- print(history)
--- print(table.concat(history.samples, ", ") .. " rows")
--- --> epoch    loss
--- -->     1       1
--- -->     2  0.9604
--- -->     3  0.9224
--- --> 8, 16, 24 rows
--- ```
return callback.define { name = "history", defaults = {}, kinds = {},
  state = { epoch = schema.list_of(schema.count), history = schema.map_of(schema.list_of(schema.numbers)),
    seconds = schema.list_of(schema.number), samples = schema.list_of(schema.number) }, setup = setup,
  to_text = to_text, check_state = check_state, on_train_begin = on_train_begin, on_epoch_end = on_epoch_end }
