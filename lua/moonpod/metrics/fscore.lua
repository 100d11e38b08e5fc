-- F-scores: the weighted harmonic mean of precision and recall.

local errors = require "moonpod.base.errors"
local names = require "moonpod.base.names"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local define = require "moonpod.metrics.metric".define

local AVERAGES = { macro = true, micro = true, weighted = true }

local function setup_fscore(self, o)
  if o.average ~= nil and not AVERAGES[o.average] then
    errors.raise("metrics.%s: average is '%s'; it must be one of %s, or absent", self.name, tostring(o.average),
      names.list(AVERAGES))
  end
end

local function fscore_state(self, classes)
  if self.true_positives then
    return
  end
  local shape = self.config.average == "micro" and {} or { classes }
  for _, cell in ipairs { "true_positives", "false_positives", "false_negatives", "intermediate_weights" } do
    self[cell] = self:add_variable(cell, shape)
  end
end

local function update_fscore(self, y_true, y_pred, sample_weight)
  y_true, y_pred = ops.cast(y_true, self.dtype), ops.cast(y_pred, self.dtype)
  if #y_pred.shape ~= 2 or #y_true.shape ~= 2 then
    errors.raise("metrics.%s: y_true and y_pred must be (batch, classes); got %s and %s", self.name,
      tostring(y_true.shape), tostring(y_pred.shape))
  end
  fscore_state(self, y_pred.shape[2])
  local guess
  if self.config.threshold == nil then
    local top = ops.max(y_pred, -1, { keepdims = true })
    guess = ops.logical_and(ops.greater_equal(y_pred, top), ops.greater(ops.abs(y_pred), 1e-9))
  else
    guess = ops.greater(y_pred, self.config.threshold)
  end
  guess = ops.cast(guess, self.dtype)
  local axis = self.config.average ~= "micro" and 0 or nil
  local weight = sample_weight and ops.expand_dims(ops.cast(scope.to_tensor(sample_weight), self.dtype), 1)
  local function sum(x)
    return ops.sum(weight and x * weight or x, axis)
  end
  self.true_positives:assign_add(sum(guess * y_true))
  self.false_positives:assign_add(sum(guess * (1 - y_true)))
  self.false_negatives:assign_add(sum((1 - guess) * y_true))
  self.intermediate_weights:assign_add(sum(y_true))
end

local function fscore_result(self)
  if not self.true_positives then
    errors.raise("metrics.%s: result was asked for before update_state", self.name)
  end
  local tp = self.true_positives:value()
  local precision = ops.divide_no_nan(tp, tp + self.false_positives:value())
  local recall = ops.divide_no_nan(tp, tp + self.false_negatives:value())
  local b = self.config.beta * self.config.beta
  local score = ops.divide_no_nan(precision * recall * (1 + b), precision * b + recall)
  if self.config.average == "weighted" then
    local weights = self.intermediate_weights:value()
    return ops.sum(score * ops.divide_no_nan(weights, ops.sum(weights)))
  elseif self.config.average ~= nil then
    return ops.mean(score)
  end
  return score
end

---@name pod.metrics.f1_score pod.metrics.fbeta_score
--- The F-score of classes: the harmonic mean of precision and recall, in which recall counts `beta` times as much.
--- Labels and predictions are `(batch, classes)`; without a threshold the largest prediction of a row is its class.
---@param options.beta number 1 for the F1 score
---@param options.average "micro"|"macro"|"weighted" how classes become one number: counts of all, their mean, their
---   mean by how often they come (default: a number for each class)
---@return metric
---@example pod.metrics.f1_score()({ { 0, 1 }, { 1, 0 } }, { { 0.2, 0.8 }, { 0.9, 0.1 } }) --> { 1, 1 }
for name, beta in pairs { FBetaScore = 1.0, F1Score = 1.0 } do
  define {
    name = name,
    function_name = name == "F1Score" and "f1_score" or "fbeta_score",
    defaults = { beta = beta },
    optional = { "average", "threshold" },
    direction = "up",
    setup = setup_fscore,
    methods = { update_state = update_fscore, result = fscore_result },
  }
end
