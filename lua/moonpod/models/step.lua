-- step - one step of training or evaluation, as it is traced for one core; forward.lua has that of prediction.

local errors = require "moonpod.base.errors"
local warnings = require "moonpod.base.warnings"
local strategies = require "moonpod.func.strategies"
local tape = require "moonpod.func.tape"
local scope = require "moonpod.layers.scope"
local losses = require "moonpod.losses"
local metrics = require "moonpod.metrics"
local compiled = require "moonpod.models.compiled"
local forward = require("moonpod.models.forward").run
local saving = require "moonpod.models.saving_memory"
local ops = require "moonpod.ops"
local trace = require "moonpod.tensor.trace"

local step = {}

-- Makes losses and metrics when the outputs are first known.
local function resolve(self, y, y_pred)
  if not self._state.compiled_loss then
    self._state.compiled_loss = compiled.losses(self, y_pred, y)
  end
  if not self._state.compiled_metrics then
    self._state.compiled_metrics = strategies.within(self._strategy, function()
      return y ~= nil and compiled.metrics(self, y, y_pred) or {}
    end)
  end
end

local PENDING = { __tostring = function() return "<metrics of compile, once a batch has come>" end }

-- Stands in the list of metrics for those of compile until a batch has shown what they are: a step of one's own that
-- goes through the list once updates them all.
function step._pending_metrics(self)
  local one = setmetatable({ name = "compile_metrics", variables = {} }, PENDING)
  function one.update_state(_, y, y_pred, sample_weight)
    resolve(self, y, y_pred)
    compiled.update_metrics(self._state.compiled_metrics, y, y_pred, sample_weight)
  end
  function one.reset_state() end
  return one
end

local function output_tracker(self, name)
  local trackers = self._state.output_trackers
  if not trackers[name] then
    trackers[name] = strategies.within(self._strategy, function()
      return metrics.mean { name = name .. "_loss" }
    end)
  end
  return trackers[name]
end

-- The part that a replica has in a loss: of a sum over rows its own, of a mean, or of what is the same on all, that of
-- its rows in the batch. Summed over the replicas that is all rows over all rows, 1 exactly. A mean of no rows is no
-- number.
local function part_of_replica(self, core, value)
  local rows, total = self._state.rows, core.total_of(value)
  if total == "sum" then
    return value
  end
  if not rows then
    return value / strategies.get_strategy().num_replicas_in_sync
  end
  local part = value * (ops.cast(rows, "float32") / ops.cast(strategies.sum_over_replicas(rows), "float32"))
  return total == "same" and part or ops.where(ops.greater(rows, 0), part, 0)
end

--- The loss of a batch: that of compile plus the layers' own. Inside strategy:run it is this replica's part; the parts
--- add up to the loss.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:compute_loss(nil, pod.ones { 4, 1 }, pod.zeros { 4, 1 }):item() == 1)
--- ```
function step:compute_loss(x, y, y_pred, sample_weight) -- luacheck: ignore x
  resolve(self, y, y_pred)
  local loss = self._state.compiled_loss
  local total
  if #loss.terms > 0 then
    if y == nil then
      errors.raise("model '%s' has a loss but the data has no targets; give { x, y }", self.name)
    end
    local one_hot
    one_hot, total = losses.with_sparse_labels(saving.options(self).sparse_labels, function()
      local path = self.name
      if loss.terms[1].loss.name ~= "loss" then -- functions are named so already
        path = path .. "/loss"
      end
      local place = { name = path, _created_at = self._state.compiled_at }
      return scope.of(place, compiled.total_loss, loss, y, y_pred, sample_weight,
        loss.many and function(name, value)
          self:track_loss(output_tracker(self, name), value)
        end or nil)
    end)
    self._state.has_one_hot = one_hot
  end
  local own = self:collect_losses()
  local core = trace.enclosing "core"
  for _, entry in ipairs(own) do
    local share = ops.sum(ops.cast(entry.value, "float32"))
    if core and not entry.part then
      share = part_of_replica(self, core, share)
    end
    total = total and total + share or share
  end
  if total == nil then
    errors.raise("model '%s': there is no loss to train on; give compile a loss, or layers that call add_loss",
      self.name)
  end
  return total
end

-- The loss of a batch as the model says it, which may compute its own.
local function loss_of(self, x, y, y_pred, sample_weight)
  resolve(self, y, y_pred)
  local loss = self:compute_loss(x, y, y_pred, sample_weight)
  if not ops.is_tensor(loss) or loss:size() ~= 1 then
    errors.raise("model '%s': compute_loss returned %s; return the loss of the batch, a scalar tensor", self.name,
      errors.describe(loss))
  end
  return loss
end

--- Counts the loss of a batch into a mean over samples.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- model.test_step = function(self) self:track_loss(self.loss_tracker, pod.tensor(7)) end
--- assert(model:evaluate(pod.ones { 4, 3 }, pod.ones { 4, 1 }, { verbose = 0 }) == 7)
--- ```
function step:track_loss(tracker, loss)
  local rows = self._state.rows
  local all = ops.cast(strategies.sum_over_replicas(rows), "float32")
  tracker.total:assign_add(ops.cast(loss, "float32") * all)
  tracker.count:assign_add(ops.cast(rows, "float32"))
end

--- One step of training on { x, y, sample_weight }: override it in a subclass. What it returns, a table of tensors by
--- name, is shown; nil shows the metrics.
--- ```lua
--- local Doubled = pod.models.subclass { name = "HelpDoubled",
---   setup = function(self) self.dense = pod.layers.dense(1) end,
---   call = function(self, x) return self.dense(x) end,
---   train_step = function(self, data)
---     local tape, loss = pod.tape(function() return self:compute_loss(data[1], data[2], self(data[1])) * 2 end)
---     local weights = self:get_trainable_weights()
---     self.optimizer:apply(tape:gradient(loss, weights), weights)
---     return { loss = loss }
---   end }
--- local model = Doubled()
--- model:compile { loss = "mse", optimizer = "sgd" }
--- assert(model:fit(pod.ones { 4, 3 }, pod.ones { 4, 1 }, { verbose = 0 }).history.loss[1] >= 0)
--- ```
function step:train_step(data)
  local gradients
  for _, part in ipairs(saving.micro_batches(self, data)) do
    local data_now = saving.in_turn(part, gradients)
    local x, y, sample_weight = data_now[1], data_now[2], data_now[3]
    local recorded, result = tape.new(function()
      local y_pred = forward(self, x, true)
      local loss = loss_of(self, x, y, y_pred, sample_weight)
      local share = part.share and loss * ops.cast(part.share, loss.dtype) or loss
      return { loss = loss, scaled = self.optimizer:scale_loss(share), y_pred = y_pred }
    end)
    self._state.rows = part.rows or self._state.rows
    self:track_loss(self.loss_tracker, result.loss)
    local weights = self:get_trainable_weights()
    gradients = #weights > 0 and saving.add(gradients, recorded:gradient(result.scaled, weights), #weights)
    if y ~= nil then
      compiled.update_metrics(self._state.compiled_metrics, y, result.y_pred, sample_weight)
    end
  end
  if gradients then
    self.optimizer:apply(gradients, self:get_trainable_weights())
  else
    warnings.warn("model '%s' has no trainable weights", self.name)
  end
end

--- One step of evaluation.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- model.test_step = function(self, data)
---   return { loss = self:compute_loss(data[1], data[2], self(data[1]) * 0) }
--- end
--- assert(model:evaluate(pod.ones { 4, 3 }, pod.ones { 4, 1 }, { verbose = 0 }) == 1)
--- ```
function step:test_step(data)
  local x, y, sample_weight = data[1], data[2], data[3]
  local y_pred = forward(self, x, false)
  self:track_loss(self.loss_tracker, loss_of(self, x, y, y_pred, sample_weight))
  if y ~= nil then
    compiled.update_metrics(self._state.compiled_metrics, y, y_pred, sample_weight)
  end
end

return step
