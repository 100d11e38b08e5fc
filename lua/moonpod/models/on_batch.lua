-- on_batch - steps on tensors that are given directly.

local errors = require "moonpod.base.errors"
local func = require "moonpod.func"
local compiled = require "moonpod.models.compiled"
local feed = require "moonpod.models.feed"
local metric_logs = require "moonpod.models.metric_logs"
local runs = require "moonpod.models.run"
local step_functions = require "moonpod.models.step_functions"
local trainable_flags = require "moonpod.models.trainable_flags"
local arguments = require "moonpod.models.training_arguments"
local tensor = require "moonpod.tensor"

local methods = {}

local Tensor = tensor.Tensor

local unpack = table.unpack or unpack -- luacheck: ignore

-- Runs one step of a kind on tensors given directly.
local function one_batch(self, kind, x, y, sample_weight, class_weight)
  local leaves, decoder = feed.batch(x, y, sample_weight, class_weight)
  return step_functions.find(self, kind, decoder)(unpack(leaves))
end

local ON_BATCH = { sample_weight = true, class_weight = true, return_dict = true }

local function train_on_batch(self, x, y, options)
  arguments.check_compiled(self, "train_on_batch")
  options = options or {}
  errors.check_options(options, ON_BATCH, "train_on_batch")
  compiled.check_class_weight("train_on_batch", options.class_weight, options.sample_weight)
  trainable_flags.warn(self)
  self:reset_metrics()
  local results = one_batch(self, "train", x, y, options.sample_weight, options.class_weight)
  local logs = metric_logs.read(self, results)
  logs.batches = nil
  return metric_logs.results(self, logs, options.return_dict)
end

--- Trains on one batch; metrics are those of this batch.
---@param x tensor|table
---@param y? tensor|table
---@param options.sample_weight tensor how much each row counts: `(rows)`
---@param options.class_weight table class number to weight
---@param options.return_dict boolean whether a table by name is returned
---@return number|table the loss, or a list of loss and metrics
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 }, kernel_initializer = "zeros" }) }
--- model:compile { loss = "mse", optimizer = "sgd" }
--- assert(model:train_on_batch(pod.ones { 4, 2 }, pod.ones { 4, 1 }) == 1)
--- ```
function methods:train_on_batch(x, y, options)
  return runs.beside(self, train_on_batch, self, x, y, options)
end

local function test_on_batch(self, x, y, options)
  arguments.check_compiled(self, "test_on_batch")
  options = options or {}
  errors.check_options(options, { sample_weight = true, return_dict = true }, "test_on_batch")
  self:reset_metrics()
  local results = one_batch(self, "test", x, y, options.sample_weight)
  local logs = metric_logs.read(self, results)
  logs.batches = nil
  return metric_logs.results(self, logs, options.return_dict)
end

--- Evaluates one batch.
---@param x tensor|table
---@param y? tensor|table
---@param options.sample_weight tensor how much each row counts: `(rows)`
---@param options.return_dict boolean whether a table by name is returned
---@return number|table the loss, or a list of loss and metrics
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 3 } }) }
--- model:compile { loss = "mse" }
--- assert(model:test_on_batch(pod.ones { 4, 3 }, pod.zeros { 4, 1 }) >= 0)
--- ```
function methods:test_on_batch(x, y, options)
  return runs.beside(self, test_on_batch, self, x, y, options)
end

--- The outputs for one batch.
---@param x tensor|table
---@return tensor|table
---@example pod.models.sequential({ pod.layers.dense(3) }):predict_on_batch(pod.ones { 4, 2 }).shape --> (4, 3)
function methods:predict_on_batch(x)
  -- Which function a tensor goes to is known from the last one until the model is compiled.
  if getmetatable(x) == Tensor and #x.shape > 0 then
    local state = self._state
    local known = state.predicts_one
    if not known or known.functions ~= state.functions then
      local _, decoder = feed.batch(x)
      known = { fn = step_functions.find(self, "predict", decoder), functions = state.functions }
      known.is_compiled = func.is_func(known.fn)
      state.predicts_one = known
    end
    if known.is_compiled then
      return func.call_with_one(known.fn, x)
    end
    return known.fn(x)
  end
  return one_batch(self, "predict", x)
end

return methods
