-- Area under the ROC curve and under the curve of precision over recall, summed at thresholds.

local ops = require "moonpod"
local errors = require "moonpod.errors"
local names = require "moonpod.names"
local scope = require "moonpod.scope"
local confusion = require "moonpod.metrics.confusion"
local define = require "moonpod.metrics.metric".define

local EPSILON = 1e-7

local function auc_thresholds(count)
  local out = { -EPSILON }
  for i = 1, count - 2 do
    out[#out + 1] = i / (count - 1)
  end
  out[#out + 1] = 1 + EPSILON
  return out
end

-- Area under the interpolated precision-recall curve (Davis and Goadrich 2006).
local function interpolated_pr_area(tp, fp, fn)
  local n = tp.shape[1]
  local function head(x)
    return ops.slice(x, { 0 }, { n - 1 })
  end
  local function tail(x)
    return ops.slice(x, { 1 }, { n - 1 })
  end
  local d_tp = head(tp) - tail(tp)
  local p = tp + fp
  local d_p = head(p) - tail(p)
  local slope = ops.divide_no_nan(d_tp, ops.maximum(d_p, 0))
  local intercept = tail(tp) - slope * tail(p)
  local both = ops.logical_and(ops.greater(head(p), 0), ops.greater(tail(p), 0))
  local ratio = ops.where(both, ops.divide_no_nan(head(p), ops.maximum(tail(p), 0)), 1)
  local increment = ops.divide_no_nan(slope * (d_tp + intercept * ops.log(ratio)),
    ops.maximum(tail(tp) + tail(fn), 0))
  return ops.sum(increment)
end

define {
  name = "AUC",
  function_name = "auc",
  defaults = { num_thresholds = 200, curve = "ROC", summation_method = "interpolation", from_logits = false },
  optional = { "thresholds" },
  direction = "up",
  setup = function(self, o)
    if o.curve ~= "ROC" and o.curve ~= "PR" then
      errors.raise("metrics.auc: curve is '%s'; it must be ROC or PR", tostring(o.curve))
    end
    local methods = { interpolation = true, minoring = true, majoring = true }
    if not methods[o.summation_method] then
      errors.raise("metrics.auc: summation_method is '%s'; it must be one of %s", tostring(o.summation_method),
        names.list(methods))
    end
    if o.thresholds then
      self.thresholds = { -EPSILON }
      local sorted = {}
      for i, threshold in ipairs(confusion.read_thresholds(self, o.thresholds)) do
        sorted[i] = threshold
      end
      table.sort(sorted)
      for _, threshold in ipairs(sorted) do
        self.thresholds[#self.thresholds + 1] = threshold
      end
      self.thresholds[#self.thresholds + 1] = 1 + EPSILON
    else
      if type(o.num_thresholds) ~= "number" or o.num_thresholds < 2 then
        errors.raise("metrics.auc: num_thresholds must be at least 2; got %s", errors.describe(o.num_thresholds))
      end
      self.thresholds = auc_thresholds(o.num_thresholds)
    end
    for _, cell in ipairs { "true_positives", "true_negatives", "false_positives", "false_negatives" } do
      self[cell] = self:add_variable(cell, { #self.thresholds })
    end
  end,
  methods = {
    update_state = function(self, y_true, y_pred, sample_weight)
      y_pred = ops.cast(scope.to_tensor(y_pred), self.dtype)
      if self.config.from_logits then
        y_pred = ops.sigmoid(y_pred)
      end
      local cells = confusion.count(self, y_true, y_pred, sample_weight, self.thresholds)
      for cell, value in pairs(cells) do
        self[cell]:assign_add(value)
      end
    end,
    result = function(self)
      local tp, fp = self.true_positives:value(), self.false_positives:value()
      local tn, fn = self.true_negatives:value(), self.false_negatives:value()
      local method = self.config.summation_method
      if self.config.curve == "PR" and method == "interpolation" then
        return interpolated_pr_area(tp, fp, fn)
      end
      local recall = ops.divide_no_nan(tp, tp + fn)
      local x, y
      if self.config.curve == "ROC" then
        x, y = ops.divide_no_nan(fp, fp + tn), recall
      else
        x, y = recall, ops.divide_no_nan(tp, tp + fp)
      end
      local n = #self.thresholds
      local y0, y1 = ops.slice(y, { 0 }, { n - 1 }), ops.slice(y, { 1 }, { n - 1 })
      local heights
      if method == "interpolation" then
        heights = (y0 + y1) / 2
      elseif method == "minoring" then
        heights = ops.minimum(y0, y1)
      else
        heights = ops.maximum(y0, y1)
      end
      return ops.sum((ops.slice(x, { 0 }, { n - 1 }) - ops.slice(x, { 1 }, { n - 1 })) * heights)
    end,
  },
}
