-- on_batch - steps on tensors that are given directly.

local errors = require "moonpod.base.errors"
local compiled = require "moonpod.models.compiled"
local feed = require "moonpod.models.feed"
local metric_logs = require "moonpod.models.metric_logs"
local step_functions = require "moonpod.models.step_functions"
local trainable_flags = require "moonpod.models.trainable_flags"
local arguments = require "moonpod.models.training_arguments"

local methods = {}

local unpack = table.unpack or unpack -- luacheck: ignore

-- Runs one step of a kind on tensors given directly.
local function one_batch(self, kind, x, y, sample_weight, class_weight)
  local leaves, decoder = feed.batch(x, y, sample_weight, class_weight)
  return step_functions.find(self, kind, decoder)(unpack(leaves))
end

local ON_BATCH = { sample_weight = true, class_weight = true, return_dict = true }

--- Trains on one batch; metrics are those of this batch. Options: sample_weight, class_weight, return_dict.
function methods:train_on_batch(x, y, options)
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

--- Evaluates one batch. Options: sample_weight, return_dict.
function methods:test_on_batch(x, y, options)
  arguments.check_compiled(self, "test_on_batch")
  options = options or {}
  errors.check_options(options, { sample_weight = true, return_dict = true }, "test_on_batch")
  self:reset_metrics()
  local results = one_batch(self, "test", x, y, options.sample_weight)
  local logs = metric_logs.read(self, results)
  logs.batches = nil
  return metric_logs.results(self, logs, options.return_dict)
end

--- The outputs for one batch.
function methods:predict_on_batch(x)
  return one_batch(self, "predict", x)
end

return methods
