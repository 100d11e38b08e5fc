-- The coefficient of determination.

local errors = require "moonpod.base.errors"
local losses = require "moonpod.losses"
local names = require "moonpod.base.names"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local define = require "moonpod.metrics.metric".define
local is_whole = require "moonpod.base.kinds".is_whole

local R2_AGGREGATIONS = { uniform_average = true, variance_weighted_average = true, none = true }

-- Adjusted for the number of predictors, as far as there are more values than those.
local function adjusted(self, score)
  local regressors = self.config.num_regressors
  if regressors == 0 then
    return score
  end
  local samples = self.samples:value()
  local rest = samples - (regressors + 1)
  local enough = ops.greater(rest, 0)
  return ops.where(enough, 1 - (1 - score) * (samples - 1) / ops.where(enough, rest, 1), score)
end

define {
  ---@name pod.metrics.r2_score
  --- The coefficient of determination: 1 less the squared errors over the variance of labels. 1 is perfect, 0 is no
  --- better than their mean.
  ---@param options.class_aggregation "uniform_average"|"variance_weighted_average" how outputs become one number
  ---@param options.num_regressors integer for the adjusted score: how many predictors there are; 0: not adjusted
  ---@return metric
  ---@example pod.metrics.r2_score()({ { 1 }, { 3 } }, { { 1 }, { 3 } }):item() --> 1
  name = "R2Score",
  function_name = "r2_score",
  defaults = { class_aggregation = "uniform_average", num_regressors = 0 },
  direction = "up",
  setup = function(self, o)
    if not R2_AGGREGATIONS[o.class_aggregation] then
      errors.raise("metrics.r2_score: class_aggregation is %s; it must be one of %s",
        errors.describe(o.class_aggregation), names.list(R2_AGGREGATIONS))
    end
    if not is_whole(o.num_regressors, 0) then
      errors.raise("metrics.r2_score: num_regressors must be a whole number from 0; got %s",
        errors.describe(o.num_regressors))
    end
    if o.num_regressors > 0 then
      self.samples = self:add_variable("num_samples")
    end
  end,
  methods = {
    update_state = function(self, y_true, y_pred, sample_weight)
      y_true, y_pred = losses.same_rank(ops.cast(y_true, self.dtype), ops.cast(y_pred, self.dtype))
      if #y_true.shape == 1 then
        y_true, y_pred = ops.expand_dims(y_true, 1), ops.expand_dims(y_pred, 1)
      end
      if not self.squared_sum then
        local shape = { y_pred.shape[2] }
        self.squared_sum = self:add_variable("squared_sum", shape)
        self.sum = self:add_variable("sum", shape)
        self.total_mse = self:add_variable("residual", shape)
        self.count = self:add_variable("count", shape)
      end
      local rows = ops.cast(ops.dimension_size(y_true, 0), self.dtype)
      local weighted, weight = y_true, nil
      if sample_weight ~= nil then
        local given = ops.cast(scope.to_tensor(sample_weight), self.dtype)
        weight = ops.broadcast_to(#given.shape == 1 and ops.expand_dims(given, 1) or given, y_true.shape)
        weighted = y_true * weight
      end
      local squares = ops.square(y_true - y_pred)
      self.sum:assign_add(ops.sum(weighted, 0))
      self.squared_sum:assign_add(ops.sum(y_true * weighted, 0))
      self.total_mse:assign_add(ops.sum(weight and squares * weight or squares, 0))
      self.count:assign_add(weight and ops.sum(weight, 0) or ops.broadcast_to(rows, { y_true.shape[2] }))
      if self.samples then
        self.samples:assign_add(rows * y_true.shape[2])
      end
    end,
    result = function(self)
      if not self.sum then
        errors.raise("metrics.%s: result was asked for before update_state", self.name)
      end
      local sum, count = self.sum:value(), self.count:value()
      local total = self.squared_sum:value() - sum * (sum / count)
      local score = 1 - self.total_mse:value() / total
      score = ops.where(ops.is_finite(score), score, 0)
      local how = self.config.class_aggregation
      if how == "uniform_average" then
        score = ops.mean(score)
      elseif how == "variance_weighted_average" then
        score = ops.sum(score * total) / ops.sum(total)
      end
      return adjusted(self, score)
    end,
  },
}
