-- Intersection over union of classes, from a confusion matrix.

local errors = require "moonpod.base.errors"
local kinds = require "moonpod.base.kinds"
local labels = require "moonpod.losses.labels"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local define = require "moonpod.metrics.metric".define
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local EPSILON = 1e-7

local function update_iou(self, y_true, y_pred, sample_weight)
  local o, classes = self.config, self.config.num_classes
  if not o.sparse_y_true then
    y_true = ops.argmax(y_true, o.axis)
  end
  if not o.sparse_y_pred then
    y_pred = ops.argmax(y_pred, o.axis)
  end
  if o.threshold then
    y_pred = ops.cast(ops.greater_equal(y_pred, o.threshold), "int32")
  end
  y_true = ops.reshape(labels.check(self.name, "y_true", y_true, classes, o.ignore_class), { -1 })
  if o.ignore_class ~= nil then
    y_pred = ops.where(ops.equal(ops.reshape(y_true, y_pred.shape), o.ignore_class), 0, y_pred)
  end
  y_pred = ops.reshape(labels.check(self.name, "y_pred", y_pred, classes), { -1 })
  local truth = ops.one_hot(y_true, classes, { dtype = self.dtype })
  local guess = ops.one_hot(y_pred, classes, { dtype = self.dtype })
  if sample_weight ~= nil then
    truth = truth * ops.reshape(ops.cast(scope.to_tensor(sample_weight), self.dtype), { -1, 1 })
  end
  if o.ignore_class ~= nil then
    truth = truth * ops.expand_dims(ops.cast(ops.not_equal(y_true, o.ignore_class), self.dtype), 1)
  end
  self.total_cm:assign_add(ops.matmul(ops.transpose(truth), guess))
end

local function iou_result(self)
  local cm = self.total_cm:value()
  local row, column = ops.sum(cm, 0), ops.sum(cm, 1)
  local diagonal = ops.sum(cm * ops.eye(self.config.num_classes, { dtype = self.dtype }), 0)
  local denominator = row + column - diagonal
  local targets = tensor.new(self.target_class_ids, { dtype = "int32" })
  diagonal, denominator = ops.take(diagonal, targets, 0), ops.take(denominator, targets, 0)
  local valid = ops.sum(ops.cast(ops.greater(denominator, EPSILON), self.dtype))
  return ops.divide_no_nan(ops.sum(ops.divide_no_nan(diagonal, denominator)), valid)
end

local IOU = {
  { "IoU", "iou", { sparse_y_true = true, sparse_y_pred = true, axis = -1 }, { "num_classes", "target_class_ids",
    "ignore_class" } },
  { "MeanIoU", "mean_iou", { sparse_y_true = true, sparse_y_pred = true, axis = -1 }, { "num_classes",
    "ignore_class" } },
  { "OneHotIoU", "one_hot_iou", { sparse_y_true = false, sparse_y_pred = false, axis = -1 }, { "num_classes",
    "target_class_ids", "ignore_class" } },
  { "OneHotMeanIoU", "one_hot_mean_iou", { sparse_y_true = false, sparse_y_pred = false, axis = -1 },
    { "num_classes", "ignore_class" } },
  { "BinaryIoU", "binary_iou", { sparse_y_true = true, sparse_y_pred = true, axis = -1, num_classes = 2,
    target_class_ids = { 0, 1 }, threshold = 0.5 }, {} },
}

---@name pod.metrics.iou pod.metrics.mean_iou pod.metrics.one_hot_iou pod.metrics.one_hot_mean_iou
---@name pod.metrics.binary_iou
--- Intersection over union: true positives over all that is or was taken for a class, the mean of classes. The
--- `one_hot` ones take one-hot rows and scores; `binary_iou` takes probabilities with a threshold; `mean_iou` is of all
--- classes.
---@return metric
---@error a class number is not below `num_classes`
---@example pod.metrics.mean_iou(2)({ 0, 1 }, { 0, 1 }):item() --> 1
for _, row in ipairs(IOU) do
  define {
    name = row[1],
    function_name = row[2],
    defaults = row[3],
    optional = row[4],
    positional = "num_classes",
    direction = "up",
    setup = function(self, o)
      if not kinds.get "integer".is(o.num_classes) or o.num_classes < 1 then
        errors.raise("metrics.%s: num_classes must be a whole number of at least 1; got %s", row[2],
          errors.describe(o.num_classes))
      end
      -- first: more classes than memory has room for end here
      self.total_cm = self:add_variable("total_confusion_matrix", { o.num_classes, o.num_classes })
      self.target_class_ids = o.target_class_ids or tables.range(0, o.num_classes - 1)
      for _, id in ipairs(self.target_class_ids) do
        if id >= o.num_classes then
          errors.raise("metrics.%s: target_class_ids has %d; classes are 0 to %d", row[2], id, o.num_classes - 1)
        end
      end
    end,
    methods = { update_state = update_iou, result = iou_result },
  }
end
