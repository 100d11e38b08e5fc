-- Metrics with Keras' names, defaults and numbers.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local losses = require "moonpod.losses"
local mean = require "moonpod.metrics.mean"
local metric = require "moonpod.metrics.metric"

for _, family in ipairs { "accuracy", "errors_of_values", "confusion", "auc", "rates", "fscore", "iou", "r2_score" } do
  require("moonpod.metrics." .. family)
end

local metrics = metric.constructors
metrics.by_name = metric.by_name
metrics.is_metric = metric.is_metric

--- A metric from a function of (y_true, y_pred) that gives one value for each sample.
function metrics.from_function(fn, name)
  local made = metrics.mean { name = name or "metric" }
  made.fn, made.update_state, made.result = fn, mean.update_wrapped, mean.result
  made.class_name = "MeanMetricWrapper"
  return made
end

-- "accuracy" and "acc" depend on the shapes: binary for one output, sparse for class numbers, else categorical.
local function accuracy_for(name, y_true, y_pred)
  local true_rank, rank = #y_true.shape, #y_pred.shape
  local last_true, last = y_true.shape[true_rank] or 1, y_pred.shape[rank]
  if last == 1 then
    return metrics.binary_accuracy { name = name }
  elseif true_rank < rank or (last_true == 1 and last > 1) then
    return metrics.sparse_categorical_accuracy { name = name }
  end
  return metrics.categorical_accuracy { name = name }
end

--- Finds a metric: a name, a metric, or a function. y_true and y_pred give shapes for "accuracy".
function metrics.get(value, where, y_true, y_pred)
  where = where or "metrics.get"
  if metrics.is_metric(value) then
    return value
  elseif type(value) == "string" then
    if value == "accuracy" or value == "acc" then
      if not y_pred then
        return metrics.accuracy { name = value }
      end
      return accuracy_for(value, y_true, y_pred)
    elseif value == "crossentropy" or value == "ce" then
      local last = y_pred.shape[#y_pred.shape]
      local kind = last == 1 and "binary_crossentropy"
        or (#y_true.shape < #y_pred.shape and "sparse_categorical_crossentropy" or "categorical_crossentropy")
      return metrics[kind] { name = value }
    end
    local constructor = metrics.by_name[value]
    if not constructor then
      local known = { accuracy = true, acc = true }
      for name in pairs(metrics.by_name) do
        known[name] = true
      end
      errors.raise("%s: there is no metric '%s'%s", where, value, errors.suggest(value, known))
    end
    return constructor { name = value }
  elseif losses.is_loss(value) then
    return metrics.from_function(function(y_true_, y_pred_)
      return value.fn(y_true_, y_pred_, value.options)
    end, value.name)
  elseif type(value) == "function" then
    return metrics.from_function(value)
  end
  errors.raise("%s: a metric is a name, a metric or a function, not %s", where, errors.describe(value))
end

declare.functions("metrics", metrics, { ["fn name?"] = "from_function" })

return metrics
