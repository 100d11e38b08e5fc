-- Area under the ROC curve and under the curve of precision over recall, summed at thresholds.

local check = require "moonpod.layers.check"
local errors = require "moonpod.base.errors"
local names = require "moonpod.base.names"
local ops = require "moonpod.ops"
local confusion = require "moonpod.metrics.confusion"
local define = require "moonpod.metrics.metric".define
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local EPSILON = 1e-7

local function auc_thresholds(count)
  local out = { -EPSILON }
  for i = 1, count - 2 do
    out[#out + 1] = i / (count - 1)
  end
  out[#out + 1] = 1 + EPSILON
  return out
end

-- All but the last threshold, and all but the first.
local function head(x)
  return ops.slice_axis(x, 0, 0, x.shape[1] - 1)
end

local function tail(x)
  return ops.slice_axis(x, 0, 1, x.shape[1])
end

-- Steps of the area under the interpolated precision-recall curve (Davis and Goadrich 2006).
local function interpolated_pr_areas(tp, fp, fn)
  local d_tp = head(tp) - tail(tp)
  local p = tp + fp
  local d_p = head(p) - tail(p)
  local slope = ops.divide_no_nan(d_tp, ops.maximum(d_p, 0))
  local intercept = tail(tp) - slope * tail(p)
  local both = ops.logical_and(ops.greater(head(p), 0), ops.greater(tail(p), 0))
  local ratio = ops.where(both, ops.divide_no_nan(head(p), ops.maximum(tail(p), 0)), 1)
  local increment = ops.divide_no_nan(slope * (d_tp + intercept * ops.log(ratio)),
    ops.maximum(tail(tp) + tail(fn), 0))
  return increment
end

-- Recall and precision gain (Flach and Kull 2015).
local function gains(tp, fp, tn, fn)
  local scale = ops.divide_no_nan(tp + fn, tn + fp)
  local none = ops.equal(tp, 0)
  local recall = ops.where(none, 0, 1 - scale * ops.divide_no_nan(fn, tp))
  return ops.maximum(recall, 0), ops.where(none, 1, 1 - scale * ops.divide_no_nan(fp, tp))
end

define {
  ---@name pod.metrics.auc
  --- The area under a curve: that of true over false positives (ROC), or of precision over recall (PR), summed at
  --- thresholds.
  ---@param options.curve "ROC"|"PR"|"PRGAIN" which curve
  ---@param options.summation_method "interpolation"|"minoring"|"majoring" between thresholds: a line, the lower, the
  ---   higher
  ---@param options.multi_label boolean whether each label has a curve of its own, and the result is their mean
  ---@param options.num_labels integer how many labels there are, with `multi_label`
  ---@param options.label_weights number[] how much each label counts
  ---@return metric
  ---@error `result()` is asked for before there is data
  ---@example pod.metrics.auc()({ 0, 1 }, { 0.2, 0.8 }):item() --> 1
  name = "AUC",
  function_name = "auc",
  defaults = { num_thresholds = 200, curve = "ROC", summation_method = "interpolation", from_logits = false,
    multi_label = false },
  optional = { "thresholds", "num_labels", "label_weights" },
  direction = "up",
  checks = { multi_label = check.boolean, label_weights = function(value)
    return type(value) ~= "table" and "must be a list of numbers"
  end },
  setup = function(self, o)
    if o.curve ~= "ROC" and o.curve ~= "PR" and o.curve ~= "PRGAIN" then
      errors.raise("metrics.auc: curve is '%s'; it must be ROC, PR or PRGAIN", tostring(o.curve))
    end
    local methods = { interpolation = true, minoring = true, majoring = true }
    if not methods[o.summation_method] then
      errors.raise("metrics.auc: summation_method is '%s'; it must be one of %s", tostring(o.summation_method),
        names.list(methods))
    end
    if o.thresholds then
      local sorted = tables.slice(confusion.read_thresholds(self, o.thresholds))
      table.sort(sorted)
      self.thresholds = tables.join({ -EPSILON }, sorted, { 1 + EPSILON })
    else
      if type(o.num_thresholds) ~= "number" or o.num_thresholds < 2 then
        errors.raise("metrics.auc: num_thresholds must be at least 2; got %s", errors.describe(o.num_thresholds))
      end
      self.thresholds = auc_thresholds(o.num_thresholds)
    end
    if not o.multi_label then
      confusion.make_cells(self)
    elseif o.num_labels then
      confusion.make_cells(self, o.num_labels)
    end
  end,
  methods = {
    update_state = function(self, y_true, y_pred, sample_weight)
      y_pred = ops.cast(y_pred, self.dtype)
      if self.config.from_logits then
        y_pred = ops.sigmoid(y_pred)
      end
      local o = self.config
      if o.multi_label and #y_pred.shape ~= 2 then
        errors.raise("metrics.%s: with multi_label y_pred must be (batch, labels); got shape %s", self.name,
          tostring(y_pred.shape))
      end
      if not self.true_positives then
        confusion.make_cells(self, y_pred.shape[2])
      end
      confusion.add(self, y_true, y_pred, sample_weight,
        { separate = o.multi_label, weights = not o.multi_label and o.label_weights or nil })
    end,
    result = function(self)
      if not self.true_positives then
        errors.raise("metrics.%s: result was asked for before update_state", self.name)
      end
      local tp, fp = self.true_positives:value(), self.false_positives:value()
      local tn, fn = self.true_negatives:value(), self.false_negatives:value()
      local o = self.config
      local areas
      if o.curve == "PR" and o.summation_method == "interpolation" then
        areas = interpolated_pr_areas(tp, fp, fn)
      else
        local x, y
        local recall = ops.divide_no_nan(tp, tp + fn)
        if o.curve == "ROC" then
          x, y = ops.divide_no_nan(fp, fp + tn), recall
        elseif o.curve == "PR" then
          x, y = recall, ops.divide_no_nan(tp, tp + fp)
        else
          x, y = gains(tp, fp, tn, fn)
        end
        local heights
        if o.summation_method == "interpolation" then
          heights = (head(y) + tail(y)) / 2
        elseif o.summation_method == "minoring" then
          heights = ops.minimum(head(y), tail(y))
        else
          heights = ops.maximum(head(y), tail(y))
        end
        areas = (head(x) - tail(x)) * heights
      end
      if not o.multi_label then
        return ops.sum(areas)
      end
      local by_label = ops.sum(areas, 0)
      if not o.label_weights then
        return ops.mean(by_label)
      end
      local weights = tensor.new(o.label_weights, { dtype = self.dtype })
      return ops.divide_no_nan(ops.sum(by_label * weights), ops.sum(weights))
    end,
  },
}
