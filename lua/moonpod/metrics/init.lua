--- Metrics, with Keras' names, defaults and numbers: `pod.metrics.NAME(options)` makes one. `update_state(y_true,
--- y_pred, sample_weight)` adds a batch, `result()` gives the value of all batches since `reset_state()`; calling a
--- metric does both. `model:compile { metrics = { ... } }` takes metrics, names, and functions of `y_true` and
--- `y_pred`.
---
--- A metric keeps sums in variables that every replica has its own of; results are those of all replicas, exact for
--- uneven shards.
---@param options.name string what logs call it (default: its name)
---@param options.dtype string of the result (default "float32"); it counts in no less than float32
---@param options.axis integer the axis of classes, or of vectors
---@param options.threshold number above which a prediction counts as true
---@param options.thresholds number|number[] above which a prediction counts as true: 0 to 1; a list gives a value for
---   each (default 0.5)
---@param options.class_id integer the only class that is looked at
---@param options.top_k integer of each row only so many of the largest predictions count
---@param options.k integer among how many of the largest predictions the label may be
---@param options.from_logits boolean whether `y_pred` are logits, not probabilities
---@param options.label_smoothing number 0 to 1: how far labels are moved to the middle
---@param options.num_classes integer how many classes there are
---@param options.num_thresholds integer at how many thresholds it is counted
---@param options.ignore_class integer a label whose elements count for nothing
---@param options.sparse_y_true boolean whether labels are class numbers, not one-hot rows
---@param options.sparse_y_pred boolean whether predictions are class numbers, not scores of classes
---@param options.target_class_ids integer[] the classes whose mean is the result (default: all)
---@example pod.metrics.mean()({ 1, 2, 6 }):item() --> 3

-- Metrics with Keras' names, defaults and numbers.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local losses = require "moonpod.losses"
local mean = require "moonpod.metrics.mean"
local metric = require "moonpod.metrics.metric"
local own = require "moonpod.metrics.own"
local tables = require "moonpod.base.tables"

for _, family in ipairs { "accuracy", "errors_of_values", "confusion", "auc", "rates", "fscore", "iou", "r2_score" } do
  require("moonpod.metrics." .. family)
end

local metrics = metric.constructors
---@name pod.metrics.by_name
--- The constructors of metrics by all their names, and by those of Keras' classes.
---@example pod.metrics.by_name.AUC == pod.metrics.auc --> true
metrics.by_name = metric.by_name
metrics.is_metric = metric.is_metric
metrics.subclass = own.subclass

--- A metric from a function of (y_true, y_pred) that gives one value for each sample.
--- ```lua
--- local metric = pod.metrics.from_function(function(y_true, y_pred)
---   return pod.abs(y_true - y_pred)
--- end)
--- print(metric({ 1 }, { 3 }))
--- --> 2.0
--- ```
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
---@example pod.metrics.get("mae").name --> "mae"
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
      errors.raise("%s: there is no metric '%s'%s", where, value,
        errors.suggest(value, tables.merge(metrics.by_name, { accuracy = true, acc = true })))
    end
    return constructor { name = value }
  elseif losses.is_loss(value) then
    return metrics.from_function(function(y_true_, y_pred_)
      return value.fn(y_true_, y_pred_, value.options)
    end, value.name)
  elseif type(value) == "function" then
    return metrics.from_function(value)
  end
  if type(value) == "table" and value.is_own then
    errors.raise("%s: '%s' is a class of metrics; call it to make one: %s()", where, tostring(value.class_name),
      tostring(value.class_name))
  end
  errors.raise("%s: a metric is a name, a metric or a function, not %s", where, errors.describe(value))
end

declare.functions("metrics", metrics, { ["fn name?"] = "from_function" })

return metrics
