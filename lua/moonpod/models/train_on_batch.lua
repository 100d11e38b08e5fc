-- train_on_batch - steps of training and evaluation on tensors that are given directly.

local errors = require "moonpod.base.errors"
local compiled = require "moonpod.models.compiled"
local metric_logs = require "moonpod.models.metric_logs"
local on_batch = require "moonpod.models.on_batch"
local runs = require "moonpod.models.run"
local trainable_flags = require "moonpod.models.trainable_flags"
local arguments = require "moonpod.models.training_arguments"

local methods = {}

local OPTIONS = {
  train = { sample_weight = true, class_weight = true, return_dict = true },
  test = { sample_weight = true, return_dict = true },
}

local function run(self, kind, x, y, options)
  local name = kind .. "_on_batch"
  arguments.check_compiled(self, name)
  options = options or {}
  errors.check_options(options, OPTIONS[kind], name)
  compiled.check_class_weight(name, options.class_weight, options.sample_weight)
  if kind == "train" then
    trainable_flags.warn(self)
  end
  self:reset_metrics()
  local results = on_batch.run(self, kind, x, y, options.sample_weight, options.class_weight)
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
  return runs.beside(self, run, self, "train", x, y, options)
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
  return runs.beside(self, run, self, "test", x, y, options)
end

return methods
