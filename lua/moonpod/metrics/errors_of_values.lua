-- Errors and losses as metrics: their mean over all samples.

local losses = require "moonpod.losses"
local ops = require "moonpod.ops"
local mean = require "moonpod.metrics.mean"
local metric = require "moonpod.metrics.metric"
local tables = require "moonpod.base.tables"

local define, define_wrapper = metric.define, mean.define_wrapper

local function loss_metric(name, loss_name, defaults, aliases, optional)
  define_wrapper {
    name = name,
    fn = function(y_true, y_pred, options)
      local o = tables.merge(options)
      o.axis = o.axis or -1
      if loss_name ~= "sparse_categorical_crossentropy" then
        y_true, y_pred = losses.same_rank(y_true, y_pred)
      end
      return losses.functions[loss_name](y_true, y_pred, o)
    end,
    defaults = defaults,
    aliases = aliases,
    optional = optional,
    direction = "down",
  }
end

---@name pod.metrics.mean_squared_error pod.metrics.mse
--- The mean of `(y_true - y_pred)^2`.
---@return metric
---@example pod.metrics.mse()({ { 1 }, { 2 } }, { { 1 }, { 4 } }):item() --> 2
loss_metric("MeanSquaredError", "mean_squared_error", {}, { "mse" })
---@name pod.metrics.mean_absolute_error pod.metrics.mae
--- The mean of `|y_true - y_pred|`.
---@return metric
---@example pod.metrics.mae()({ { 1 }, { 2 } }, { { 1 }, { 4 } }):item() --> 1
loss_metric("MeanAbsoluteError", "mean_absolute_error", {}, { "mae" })
---@name pod.metrics.mean_absolute_percentage_error pod.metrics.mape
--- The mean of `100 |(y_true - y_pred) / y_true|`, in percent.
---@return metric
---@example pod.metrics.mape()({ { 1 }, { 2 } }, { { 1 }, { 4 } }):item() --> 50
loss_metric("MeanAbsolutePercentageError", "mean_absolute_percentage_error", {}, { "mape" })
---@name pod.metrics.mean_squared_logarithmic_error pod.metrics.msle
--- The mean of `(log(y_true + 1) - log(y_pred + 1))^2`.
---@return metric
---@example pod.metrics.msle()({ { 1 } }, { { 1 } }):item() --> 0
loss_metric("MeanSquaredLogarithmicError", "mean_squared_logarithmic_error", {}, { "msle" })
---@name pod.metrics.log_cosh_error pod.metrics.logcosh
--- The mean of `log(cosh(y_pred - y_true))`.
---@return metric
---@example pod.metrics.logcosh()({ { 1 } }, { { 1 } }):item() --> 0
loss_metric("LogCoshError", "log_cosh", {}, { "logcosh" })
---@name pod.metrics.hinge
--- The mean of `max(1 - y_true y_pred, 0)`, of labels -1 and 1, or 0 and 1.
---@return metric
---@example pod.metrics.hinge()({ { 1 } }, { { 0.5 } }):item() --> 0.5
loss_metric("Hinge", "hinge", {})
---@name pod.metrics.squared_hinge
--- The mean of `max(1 - y_true y_pred, 0)^2`, of labels -1 and 1, or 0 and 1.
---@return metric
---@example pod.metrics.squared_hinge()({ { 1 } }, { { 0.5 } }):item() --> 0.25
loss_metric("SquaredHinge", "squared_hinge", {})
---@name pod.metrics.categorical_hinge
--- `max(neg - pos + 1, 0)`, of the right class and the highest other.
---@return metric
---@example pod.metrics.categorical_hinge()({ { 0, 1 } }, { { 0.5, 0.5 } }):item() --> 1
loss_metric("CategoricalHinge", "categorical_hinge", {})
---@name pod.metrics.kl_divergence pod.metrics.kld
--- The sum of `y_true log(y_true / y_pred)` over the last axis.
---@return metric
---@example pod.metrics.kld()({ { 0.5, 0.5 } }, { { 0.5, 0.5 } }):item() --> 0
loss_metric("KLDivergence", "kl_divergence", {}, { "kl_divergence", "kld" })
---@name pod.metrics.poisson
--- The mean of `y_pred - y_true log(y_pred)`.
---@return metric
---@example pod.metrics.poisson()({ { 0 } }, { { 2 } }):item() --> 2
loss_metric("Poisson", "poisson", {})
---@name pod.metrics.binary_crossentropy pod.metrics.bce
--- The cross-entropy of labels 0 and 1 and probabilities.
---@return metric
---@example pod.metrics.bce { from_logits = true }({ { 1 } }, { { 0 } }):item() --> 0.6931
loss_metric("BinaryCrossentropy", "binary_crossentropy", { from_logits = false, label_smoothing = 0 }, { "bce" })
---@name pod.metrics.categorical_crossentropy
--- The cross-entropy of one-hot rows and probabilities of classes.
---@return metric
---@example pod.metrics.categorical_crossentropy()({ { 0, 1 } }, { { 0.5, 0.5 } }):item() --> 0.6931
loss_metric("CategoricalCrossentropy", "categorical_crossentropy",
  { from_logits = false, label_smoothing = 0, axis = -1 })
---@name pod.metrics.sparse_categorical_crossentropy
--- The cross-entropy of class numbers and probabilities of classes.
---@return metric
---@example pod.metrics.sparse_categorical_crossentropy()({ 1 }, { { 0.5, 0.5 } }):item() --> 0.6931
loss_metric("SparseCategoricalCrossentropy", "sparse_categorical_crossentropy",
  { from_logits = false, axis = -1 }, nil, { "ignore_class" })

define_wrapper {
  ---@name pod.metrics.cosine_similarity
  --- The cosine of the angle between `y_true` and `y_pred`: 1 for the same direction.
  ---@return metric
  ---@example pod.metrics.cosine_similarity()({ { 1, 0 } }, { { 2, 0 } }):item() --> 1
  name = "CosineSimilarity",
  fn = function(y_true, y_pred, o)
    return -losses.functions.cosine_similarity(y_true, y_pred, o)
  end,
  defaults = { axis = -1 },
  direction = "up",
}

define {
  ---@name pod.metrics.root_mean_squared_error pod.metrics.rmse
  --- The root of the mean of squared errors of all batches.
  ---@return metric
  ---@example pod.metrics.rmse()({ { 1 }, { 2 } }, { { 1 }, { 4 } }):item() --> 1.414
  name = "RootMeanSquaredError",
  aliases = { "rmse" },
  direction = "down",
  setup = mean.setup,
  methods = {
    update_state = function(self, y_true, y_pred, sample_weight)
      y_true, y_pred = losses.same_rank(ops.cast(y_true, self.dtype), ops.cast(y_pred, self.dtype))
      mean.update(self, ops.square(y_pred - y_true), sample_weight)
    end,
    result = function(self)
      return ops.sqrt(mean.result(self))
    end,
  },
}

-- y_true and y_pred less their means over an axis, and what follows.
local function centred(y_true, y_pred, o)
  y_true, y_pred = losses.same_rank(ops.cast(y_true, y_pred.dtype), y_pred)
  local options = { keepdims = true }
  return y_true - ops.mean(y_true, o.axis, options), y_pred - ops.mean(y_pred, o.axis, options),
    ops.mean(y_true, o.axis, options) - ops.mean(y_pred, o.axis, options)
end

local EPSILON = 1e-7

define_wrapper {
  ---@name pod.metrics.pearson_correlation
  --- The correlation of `y_true` and `y_pred` along an axis: -1 to 1, and NaN where one of them does not change.
  ---@return metric
  ---@example pod.metrics.pearson_correlation()({ { 1, 2 } }, { { 2, 4 } }):item() --> 1
  name = "PearsonCorrelation",
  fn = function(y_true, y_pred, o)
    y_true, y_pred = losses.same_rank(ops.cast(y_true, y_pred.dtype), y_pred)
    local a, b = centred(y_true, y_pred, o)
    local options = { keepdims = true }
    local function unit(x, given)
      local is_constant = ops.equal(ops.min(given, o.axis, options), ops.max(given, o.axis, options))
      return ops.where(is_constant, 0 / 0, x / ops.sqrt(ops.sum(ops.square(x), o.axis, options)))
    end
    return ops.sum(unit(a, y_true) * unit(b, y_pred), o.axis)
  end,
  defaults = { axis = -1 },
  direction = "up",
}

define_wrapper {
  ---@name pod.metrics.concordance_correlation
  --- The correlation that also asks for the same mean and variance: 1 where `y_pred` is `y_true`.
  ---@return metric
  ---@example pod.metrics.concordance_correlation()({ { 0, 4 } }, { { 0, 4 } }):item() --> 1
  name = "ConcordanceCorrelation",
  fn = function(y_true, y_pred, o)
    local a, b, apart = centred(y_true, y_pred, o)
    local options = { keepdims = true }
    local norm = ops.mean(ops.square(a), o.axis, options) + ops.mean(ops.square(b), o.axis, options)
      + ops.square(apart)
    return ops.mean(a * b * 2 / (norm + EPSILON), o.axis)
  end,
  defaults = { axis = -1 },
  direction = "up",
}
