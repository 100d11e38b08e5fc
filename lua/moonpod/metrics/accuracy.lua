-- Accuracies: how many predictions match.

local check = require "moonpod.layers.check"
local errors = require "moonpod.base.errors"
local labels = require "moonpod.losses.labels"
local losses = require "moonpod.losses"
local define_wrapper = require "moonpod.metrics.mean".define_wrapper
local ops = require "moonpod.ops"

local function matches(a, b)
  return ops.cast(ops.equal(a, b), "float32")
end

local function check_class_axes(name, y_true, y_pred)
  local want, have = y_pred.shape[#y_pred.shape], y_true.shape[#y_true.shape]
  if #y_true.shape ~= #y_pred.shape or want ~= have then
    errors.raise("%s: y_true has shape %s, y_pred %s; both must have one entry for each class along the last axis%s",
      name, tostring(y_true.shape), tostring(y_pred.shape),
      #y_true.shape < #y_pred.shape and "; for class numbers use sparse_" .. name or "")
  end
end

local functions = {}

---@name pod.metrics.accuracy
--- The share of predictions that are equal to the labels. As the name "accuracy" of `compile` it is one of the three
--- below, by the shapes.
---@return metric
---@example pod.metrics.accuracy()({ { 1 }, { 2 } }, { { 1 }, { 3 } }):item() --> 0.5
function functions.accuracy(y_true, y_pred)
  y_true, y_pred = losses.same_rank(ops.cast(y_true, y_pred.dtype), y_pred)
  return matches(y_true, y_pred)
end

---@name pod.metrics.binary_accuracy
--- The share of predictions that are on the label's side of the threshold; labels are 0 and 1.
---@return metric
---@example pod.metrics.binary_accuracy()({ { 1 }, { 0 } }, { { 0.8 }, { 0.7 } }):item() --> 0.5
function functions.binary_accuracy(y_true, y_pred, o)
  y_true, y_pred = losses.same_rank(y_true, y_pred)
  return matches(ops.cast(y_true, y_pred.dtype), ops.cast(ops.greater(y_pred, o.threshold), y_pred.dtype))
end

---@name pod.metrics.categorical_accuracy
--- The share of rows whose largest prediction is at the label's place; labels are one-hot rows.
---@return metric
---@example pod.metrics.categorical_accuracy()({ { 0, 1 } }, { { 0.2, 0.8 } }):item() --> 1
function functions.categorical_accuracy(y_true, y_pred)
  check_class_axes("categorical_accuracy", y_true, y_pred)
  return matches(ops.argmax(y_true, -1), ops.argmax(y_pred, -1))
end

---@name pod.metrics.sparse_categorical_accuracy
--- The share of rows whose largest prediction is at the label's place; labels are class numbers.
---@return metric
---@example pod.metrics.sparse_categorical_accuracy()({ 1, 0 }, { { 0.2, 0.8 }, { 0.1, 0.9 } }):item() --> 0.5
function functions.sparse_categorical_accuracy(y_true, y_pred)
  if #y_true.shape == #y_pred.shape and y_true.shape[#y_true.shape] == 1 then
    y_true = ops.squeeze(y_true, -1)
  end
  local guess = ops.argmax(y_pred, -1)
  if #guess.shape ~= #y_true.shape then
    errors.raise("sparse_categorical_accuracy: y_true has shape %s; for y_pred of shape %s it must hold one class "
      .. "number for each row", tostring(y_true.shape), tostring(y_pred.shape))
  end
  return matches(labels.check("sparse_categorical_accuracy", "y_true", y_true, y_pred.shape[#y_pred.shape]), guess)
end

-- 1 where the label is among the k largest of its row: fewer than k entries are larger (or, of equals, before).
local function in_top_k(y_true, y_pred, k)
  local at = ops.gather(y_pred, ops.expand_dims(y_true, -1), -1, { batch_dims = #y_true.shape })
  local larger = ops.sum(ops.cast(ops.greater(y_pred, at), "float32"), -1)
  return ops.cast(ops.less(larger, k), "float32")
end

---@name pod.metrics.top_k_categorical_accuracy
--- The share of rows whose label, a one-hot row, is among the k largest predictions.
---@return metric
---@example pod.metrics.top_k_categorical_accuracy(2)({ { 0, 1, 0 } }, { { 0.5, 0.4, 0.1 } }):item() --> 1
function functions.top_k_categorical_accuracy(y_true, y_pred, o)
  check_class_axes("top_k_categorical_accuracy", y_true, y_pred)
  return in_top_k(ops.argmax(y_true, -1), y_pred, o.k)
end

---@name pod.metrics.sparse_top_k_categorical_accuracy
--- The share of rows whose label, a class number, is among the k largest predictions.
---@return metric
---@example pod.metrics.sparse_top_k_categorical_accuracy(2)({ 1 }, { { 0.5, 0.4, 0.1 } }):item() --> 1
function functions.sparse_top_k_categorical_accuracy(y_true, y_pred, o)
  if #y_true.shape == #y_pred.shape and y_true.shape[#y_true.shape] == 1 then
    y_true = ops.squeeze(y_true, -1)
  end
  y_true = labels.check("sparse_top_k_categorical_accuracy", "y_true", y_true, y_pred.shape[#y_pred.shape])
  return in_top_k(y_true, y_pred, o.k)
end

define_wrapper { name = "Accuracy", fn = functions.accuracy, direction = "up" }
define_wrapper { name = "BinaryAccuracy", fn = functions.binary_accuracy, defaults = { threshold = 0.5 },
  direction = "up" }
define_wrapper { name = "CategoricalAccuracy", fn = functions.categorical_accuracy, direction = "up" }
define_wrapper { name = "SparseCategoricalAccuracy", fn = functions.sparse_categorical_accuracy,
  direction = "up" }
for name, fn in pairs { TopKCategoricalAccuracy = functions.top_k_categorical_accuracy,
  SparseTopKCategoricalAccuracy = functions.sparse_top_k_categorical_accuracy } do
  define_wrapper { name = name, fn = fn, defaults = { k = 5 }, positional = "k", direction = "up",
    checks = { k = check.positive_integer } }
end
