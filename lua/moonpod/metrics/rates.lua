-- The best of one rate at the thresholds where another is high enough.

local check = require "moonpod.layers.check"
local errors = require "moonpod.base.errors"
local confusion = require "moonpod.metrics.confusion"
local define = require "moonpod.metrics.metric".define
local ops = require "moonpod.ops"

local RATES = {
  sensitivity = { "true_positives", "false_negatives" },
  recall = { "true_positives", "false_negatives" },
  specificity = { "true_negatives", "false_positives" },
  precision = { "true_positives", "false_positives" },
}

-- 0, 1 / (count - 1), ..., 1.
local function even_thresholds(count)
  if count == 1 then
    return { 0.5 }
  end
  local out = {}
  for i = 0, count - 1 do
    out[i + 1] = i / (count - 1)
  end
  return out
end

---@name pod.metrics.sensitivity_at_specificity pod.metrics.specificity_at_sensitivity pod.metrics.precision_at_recall
---@name pod.metrics.recall_at_precision
--- The best of one rate at the thresholds where another is at least what is asked for.
---@param options.specificity number 0 to 1: the least specificity
---@param options.sensitivity number 0 to 1: the least sensitivity
---@param options.recall number 0 to 1: the least recall
---@param options.precision number 0 to 1: the least precision
---@return metric
---@example pod.metrics.recall_at_precision(0.5)({ 0, 1 }, { 0.2, 0.8 }):item() --> 1
for name, pair in pairs {
  SensitivityAtSpecificity = { "sensitivity", "specificity" },
  SpecificityAtSensitivity = { "specificity", "sensitivity" },
  PrecisionAtRecall = { "precision", "recall" },
  RecallAtPrecision = { "recall", "precision" },
} do
  local wanted, given = pair[1], pair[2]
  define {
    name = name,
    defaults = { num_thresholds = 200 },
    optional = { given, "class_id" },
    positional = given,
    direction = "up",
    checks = { num_thresholds = check.positive_integer },
    setup = function(self, o)
      if type(o[given]) ~= "number" or o[given] < 0 or o[given] > 1 then
        errors.raise("metrics.%s: '%s' must be a number from 0 to 1; got %s", self.name, given,
          errors.describe(o[given]))
      end
      self.thresholds = even_thresholds(o.num_thresholds)
      confusion.make_cells(self)
    end,
    methods = {
      update_state = function(self, y_true, y_pred, sample_weight)
        confusion.add(self, y_true, y_pred, sample_weight)
      end,
      result = function(self)
        local at = confusion.share(self, RATES[given][1], RATES[given][2])
        local value = confusion.share(self, RATES[wanted][1], RATES[wanted][2])
        return ops.max(ops.where(ops.greater_equal(at, self.config[given]), value, 0))
      end,
    },
  }
end
