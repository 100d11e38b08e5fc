-- Sums and means of values, and metrics that are the mean of a function of (y_true, y_pred).

local errors = require "moonpod.base.errors"
local nest = require "moonpod.tensor.nest"
local losses = require "moonpod.losses"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local metric = require "moonpod.metrics.metric"
local tables = require "moonpod.base.tables"
local warnings = require "moonpod.base.warnings"

local define, check_pair = metric.define, metric.check_pair

-- Reduces values and weights to one of each a sample.
local function samplewise(values, sample_weight, reduce, dtype)
  local mask = nest.mask_of(values)
  values = ops.cast(values, dtype)
  if sample_weight ~= nil then
    sample_weight = losses.apply_mask(ops.cast(scope.to_tensor(sample_weight), dtype), mask, dtype, "sum")
    values, sample_weight = losses.same_rank(values, sample_weight)
    local weight_rank = #sample_weight.shape
    if #values.shape > weight_rank then
      values = reduce(values, tables.range(weight_rank, #values.shape - 1))
    end
    sample_weight = ops.broadcast_to(sample_weight, values.shape)
    values = values * sample_weight
    if weight_rank > 1 then
      sample_weight = reduce(sample_weight, tables.range(1, weight_rank - 1))
    end
  end
  if #values.shape > 1 then
    values = reduce(values, tables.range(1, #values.shape - 1))
  end
  return values, sample_weight
end

local function setup_mean(self)
  self.total = self:add_variable("total")
  self.count = self:add_variable("count")
end

local function update_mean(self, values, sample_weight)
  if losses.is_part(values) and not self._warned then
    self._warned = true
    warnings.warn("metric '%s' takes the mean of what compute_average_loss gave: each replica's part of the loss, of "
      .. "which there are %d. Give it the losses of the examples, or print strategy:reduce(\"sum\", loss)", self.name,
      self._strategy.num_replicas_in_sync)
  end
  values, sample_weight = samplewise(scope.to_tensor(values), sample_weight, ops.mean, self.dtype)
  self.total:assign_add(ops.sum(values))
  if sample_weight ~= nil then
    self.count:assign_add(ops.sum(sample_weight))
  elseif #values.shape >= 1 then
    self.count:assign_add(ops.cast(ops.dimension_size(values, 0), self.dtype))
  else
    -- A value of rank 0 inside strategy:run is one value a replica.
    self.count:assign_add(ops.full({}, 1, { dtype = self.dtype }))
  end
end

local function mean_result(self)
  return ops.divide_no_nan(self.total:value(), self.count:value())
end

define {
  ---@name pod.metrics.mean
  --- The mean of values: `update_state(values, sample_weight)`.
  ---@return metric
  ---@example pod.metrics.mean()({ 1, 2, 6 }):item() --> 3
  name = "Mean",
  of_values = true,
  setup = setup_mean,
  methods = { update_state = update_mean, result = mean_result },
}

define {
  ---@name pod.metrics.sum
  --- The sum of values: `update_state(values, sample_weight)`.
  ---@return metric
  ---@example pod.metrics.sum()({ 1, 2, 6 }):item() --> 9
  name = "Sum",
  of_values = true,
  setup = function(self)
    self.total = self:add_variable("total")
  end,
  methods = {
    update_state = function(self, values, sample_weight)
      values = samplewise(scope.to_tensor(values), sample_weight, ops.sum, self.dtype)
      self.total:assign_add(ops.sum(values))
    end,
    result = function(self)
      return self.total:value()
    end,
  },
}

local function update_wrapped(self, y_true, y_pred, sample_weight)
  y_true, y_pred = check_pair(self, y_true, y_pred)
  local mask = nest.mask_of(y_pred)
  if nest.is_float(y_pred.dtype) and y_pred.dtype ~= self.dtype then
    y_pred = ops.cast(y_pred, self.dtype)
  end
  local values = self.fn(y_true, y_pred, self.config)
  if not nest.is_tensor(values) then
    errors.raise("metric '%s' returned %s; return a tensor of one value for each sample", self.name,
      errors.describe(values))
  end
  if sample_weight ~= nil then
    sample_weight = ops.cast(scope.to_tensor(sample_weight), self.dtype)
  end
  sample_weight = losses.apply_mask(sample_weight, mask, self.dtype, "sum")
  update_mean(self, values, sample_weight)
end

local function define_wrapper(spec)
  return define(tables.merge(spec, {
    setup = function(self)
      self.fn = spec.fn
      setup_mean(self)
    end,
    methods = { update_state = update_wrapped, result = mean_result },
  }))
end

return {
  setup = setup_mean,
  update = update_mean,
  result = mean_result,
  update_wrapped = update_wrapped,
  define_wrapper = define_wrapper,
}
