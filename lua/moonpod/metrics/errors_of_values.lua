-- Errors and losses as metrics: their mean over all samples.

local losses = require "moonpod.losses"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local mean = require "moonpod.metrics.mean"
local metric = require "moonpod.metrics.metric"

local define, define_wrapper = metric.define, mean.define_wrapper

local function loss_metric(name, loss_name, defaults, aliases, optional)
  define_wrapper {
    name = name,
    fn = function(y_true, y_pred, options)
      local o = {}
      for key, value in pairs(options) do
        o[key] = value
      end
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

loss_metric("MeanSquaredError", "mean_squared_error", {}, { "mse" })
loss_metric("MeanAbsoluteError", "mean_absolute_error", {}, { "mae" })
loss_metric("MeanAbsolutePercentageError", "mean_absolute_percentage_error", {}, { "mape" })
loss_metric("MeanSquaredLogarithmicError", "mean_squared_logarithmic_error", {}, { "msle" })
loss_metric("LogCoshError", "log_cosh", {}, { "logcosh" })
loss_metric("Hinge", "hinge", {})
loss_metric("SquaredHinge", "squared_hinge", {})
loss_metric("CategoricalHinge", "categorical_hinge", {})
loss_metric("KLDivergence", "kl_divergence", {}, { "kl_divergence", "kld" })
loss_metric("Poisson", "poisson", {})
loss_metric("BinaryCrossentropy", "binary_crossentropy", { from_logits = false, label_smoothing = 0 }, { "bce" })
loss_metric("CategoricalCrossentropy", "categorical_crossentropy",
  { from_logits = false, label_smoothing = 0, axis = -1 })
loss_metric("SparseCategoricalCrossentropy", "sparse_categorical_crossentropy",
  { from_logits = false, axis = -1 }, nil, { "ignore_class" })

define_wrapper {
  name = "CosineSimilarity",
  fn = function(y_true, y_pred, o)
    return -losses.functions.cosine_similarity(y_true, y_pred, o)
  end,
  defaults = { axis = -1 },
  direction = "up",
}

define {
  name = "RootMeanSquaredError",
  aliases = { "rmse" },
  direction = "down",
  setup = mean.setup,
  methods = {
    update_state = function(self, y_true, y_pred, sample_weight)
      y_pred = ops.cast(scope.to_tensor(y_pred), self.dtype)
      y_true = ops.cast(scope.to_tensor(y_true), self.dtype)
      y_true, y_pred = losses.same_rank(y_true, y_pred)
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
  name = "PearsonCorrelation",
  fn = function(y_true, y_pred, o)
    local a, b = centred(y_true, y_pred, o)
    local options = { keepdims = true }
    local function unit(x)
      return x * ops.rsqrt(ops.maximum(ops.sum(ops.square(x), o.axis, options), EPSILON * EPSILON))
    end
    return ops.sum(unit(a) * unit(b), o.axis)
  end,
  defaults = { axis = -1 },
  direction = "up",
}

define_wrapper {
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
