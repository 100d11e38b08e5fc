-- Accuracies: how many predictions match.

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

function functions.accuracy(y_true, y_pred)
  y_true, y_pred = losses.same_rank(ops.cast(y_true, y_pred.dtype), y_pred)
  return matches(y_true, y_pred)
end

function functions.binary_accuracy(y_true, y_pred, o)
  y_true, y_pred = losses.same_rank(y_true, y_pred)
  return matches(ops.cast(y_true, y_pred.dtype), ops.cast(ops.greater(y_pred, o.threshold), y_pred.dtype))
end

function functions.categorical_accuracy(y_true, y_pred)
  check_class_axes("categorical_accuracy", y_true, y_pred)
  return matches(ops.argmax(y_true, -1), ops.argmax(y_pred, -1))
end

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

function functions.top_k_categorical_accuracy(y_true, y_pred, o)
  check_class_axes("top_k_categorical_accuracy", y_true, y_pred)
  return in_top_k(ops.argmax(y_true, -1), y_pred, o.k)
end

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
define_wrapper { name = "TopKCategoricalAccuracy", fn = functions.top_k_categorical_accuracy, defaults = { k = 5 },
  positional = "k", direction = "up" }
define_wrapper { name = "SparseTopKCategoricalAccuracy", fn = functions.sparse_top_k_categorical_accuracy,
  defaults = { k = 5 }, positional = "k", direction = "up" }
