-- Metrics with Keras' names, defaults and numbers.
--
-- A metric keeps sums in variables that every replica has its own of (synchronization "on_read"); reading them
-- adds the replicas up, so results are exact for uneven shards.

local ops = require "moonpod"
local errors = require "moonpod.errors"
local nest = require "moonpod.nest"
local losses = require "moonpod.losses"
local variable = require "moonpod.variable"
local initializers = require "moonpod.initializers"
local distribute = require "moonpod.distribute"
local names = require "moonpod.names"
local scope = require "moonpod.scope"

local metrics = {}

local EPSILON = 1e-7

local Metric = {}
Metric.__index = Metric
Metric.__name = "moonpod.metric"

function metrics.is_metric(value)
  return type(value) == "table" and rawget(value, "_is_metric") == true
end

function Metric.__tostring(self)
  return string.format("<%s name=%s>", self.class_name, self.name)
end

-- Makes a state variable, zero at first unless an initializer is given.
function Metric:add_variable(name, shape, initializer, dtype)
  local made = scope.within(self._strategy, function()
    return scope.outside_trace(function()
      return variable.new {
        initial = initializers.get(initializer or "zeros"),
        shape = shape or {},
        dtype = dtype or self.dtype,
        name = self.name .. "/" .. name,
        trainable = false,
        synchronization = "on_read",
        aggregation = "sum",
      }
    end)
  end)
  self.variables[#self.variables + 1] = made
  self._initial[made] = initializer
  return made
end

function Metric:reset_state()
  for _, state in ipairs(self.variables) do
    state:reset()
  end
end

-- Updates the state and returns the result.
function Metric.__call(self, ...)
  self:update_state(...)
  return self:result()
end

-- y_true and y_pred as tensors with the same number of rows.
local function check_pair(self, y_true, y_pred, sample_weight)
  if y_true == nil or y_pred == nil then
    errors.raise("metric '%s': update_state wants y_true and y_pred; %s is nil", self.name,
      y_true == nil and "y_true" or "y_pred")
  end
  y_true, y_pred = scope.to_tensor(y_true), scope.to_tensor(y_pred)
  if #y_true.shape > 0 and #y_pred.shape > 0 and y_true.shape[1] ~= y_pred.shape[1] then
    errors.raise("metric '%s': y_true has shape %s, y_pred %s; they must have the same number of rows", self.name,
      tostring(y_true.shape), tostring(y_pred.shape))
  end
  return y_true, y_pred, sample_weight
end

-- Makes a class. `spec`: name (Keras' class name), function_name, defaults, optional, positional (name of the first
-- argument when it is no table), setup(self, options), update_state, result, direction.
local function define(spec)
  local class = { class_name = spec.name, __call = Metric.__call, __tostring = Metric.__tostring,
    __name = Metric.__name }
  class.__index = class
  setmetatable(class, { __index = Metric })
  local function_name = spec.function_name or names.snake_case(spec.name)
  local allowed = { "name", "dtype" }
  for key in pairs(spec.defaults or {}) do
    allowed[#allowed + 1] = key
  end
  for _, key in ipairs(spec.optional or {}) do
    allowed[#allowed + 1] = key
  end
  for key, value in pairs(spec.methods or {}) do
    class[key] = value
  end
  local function constructor(options, more)
    if spec.positional and type(options) ~= "table" and options ~= nil then
      local first = options
      options = {}
      for key, value in pairs(more or {}) do
        options[key] = value
      end
      options[spec.positional] = first
    end
    options = options or {}
    if type(options) ~= "table" then
      errors.raise("metrics.%s takes a table of options, not %s", function_name, errors.describe(options))
    end
    errors.check_options(options, allowed, "metrics." .. function_name)
    local self = setmetatable({ _is_metric = true, variables = {}, _initial = {} }, class)
    self._strategy = distribute.get_strategy()
    self._created_at = errors.location()
    self.name = options.name or function_name
    self.dtype = ops.dtype(options.dtype or "float32")
    self.direction = spec.direction
    self.config = {}
    for key, value in pairs(spec.defaults or {}) do
      self.config[key] = value
    end
    for key, value in pairs(options) do
      self.config[key] = value
    end
    spec.setup(self, self.config)
    return self
  end
  local update = class.update_state
  if update and not spec.of_values then
    function class.update_state(self, y_true, y_pred, sample_weight)
      return update(self, check_pair(self, y_true, y_pred, sample_weight))
    end
  end
  metrics[function_name] = constructor
  metrics.by_name[function_name], metrics.by_name[spec.name] = constructor, constructor
  for _, alias in ipairs(spec.aliases or {}) do
    metrics.by_name[alias], metrics[alias] = constructor, constructor
  end
  return class
end

metrics.by_name = {}

-- ---- sums and means ----------------------------------------------------------------------------------

local function axes_from(first, rank)
  local out = {}
  for axis = first, rank - 1 do
    out[#out + 1] = axis
  end
  return out
end

-- Reduces values and weights to one of each a sample.
local function samplewise(values, sample_weight, reduce, dtype)
  local mask = nest.mask_of(values)
  values = ops.cast(values, dtype)
  if sample_weight ~= nil then
    sample_weight = losses.apply_mask(ops.cast(scope.to_tensor(sample_weight), dtype), mask, dtype, "sum")
    values, sample_weight = losses.same_rank(values, sample_weight)
    local weight_rank = #sample_weight.shape
    if #values.shape > weight_rank then
      values = reduce(values, axes_from(weight_rank, #values.shape))
    end
    sample_weight = ops.broadcast_to(sample_weight, values.shape)
    values = values * sample_weight
    if weight_rank > 1 then
      sample_weight = reduce(sample_weight, axes_from(1, weight_rank))
    end
  end
  if #values.shape > 1 then
    values = reduce(values, axes_from(1, #values.shape))
  end
  return values, sample_weight
end

local function setup_mean(self)
  self.total = self:add_variable("total")
  self.count = self:add_variable("count")
end

local function update_mean(self, values, sample_weight)
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
  name = "Mean",
  of_values = true,
  setup = setup_mean,
  methods = { update_state = update_mean, result = mean_result },
}

define {
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
  return define {
    name = spec.name,
    function_name = spec.function_name,
    defaults = spec.defaults,
    optional = spec.optional,
    positional = spec.positional,
    direction = spec.direction,
    aliases = spec.aliases,
    setup = function(self, o)
      if spec.positional == "k" and (type(o.k) ~= "number" or o.k < 1 or o.k % 1 ~= 0) then
        errors.raise("metrics.%s: 'k' must be a whole number from 1; got %s", names.snake_case(spec.name),
          errors.describe(o.k))
      end
      self.fn = spec.fn
      setup_mean(self)
    end,
    methods = { update_state = update_wrapped, result = mean_result },
  }
end

-- ---- accuracies -----------------------------------------------------------------------------------------

local function matches(a, b)
  return ops.cast(ops.equal(a, b), "float32")
end

local functions = {}
metrics.functions = functions

function functions.accuracy(y_true, y_pred)
  y_true, y_pred = losses.same_rank(ops.cast(y_true, y_pred.dtype), y_pred)
  return matches(y_true, y_pred)
end

function functions.binary_accuracy(y_true, y_pred, o)
  y_true, y_pred = losses.same_rank(y_true, y_pred)
  return matches(ops.cast(y_true, y_pred.dtype), ops.cast(ops.greater(y_pred, o.threshold), y_pred.dtype))
end

function functions.categorical_accuracy(y_true, y_pred)
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
  return matches(ops.cast(y_true, "int32"), guess)
end

-- 1 where the label is among the k largest of its row: fewer than k entries are larger (or, of equals, before).
local function in_top_k(labels, y_pred, k)
  labels = ops.cast(labels, "int32")
  local at = ops.gather(y_pred, ops.expand_dims(labels, -1), -1, { batch_dims = #labels.shape })
  local larger = ops.sum(ops.cast(ops.greater(y_pred, at), "float32"), -1)
  return ops.cast(ops.less(larger, k), "float32")
end

function functions.top_k_categorical_accuracy(y_true, y_pred, o)
  return in_top_k(ops.argmax(y_true, -1), y_pred, o.k)
end

function functions.sparse_top_k_categorical_accuracy(y_true, y_pred, o)
  if #y_true.shape == #y_pred.shape and y_true.shape[#y_true.shape] == 1 then
    y_true = ops.squeeze(y_true, -1)
  end
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

-- ---- losses as metrics ----------------------------------------------------------------------------------

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
  setup = setup_mean,
  methods = {
    update_state = function(self, y_true, y_pred, sample_weight)
      y_pred = ops.cast(scope.to_tensor(y_pred), self.dtype)
      y_true = ops.cast(scope.to_tensor(y_true), self.dtype)
      y_true, y_pred = losses.same_rank(y_true, y_pred)
      update_mean(self, ops.square(y_pred - y_true), sample_weight)
    end,
    result = function(self)
      return ops.sqrt(mean_result(self))
    end,
  },
}

-- ---- thresholds -----------------------------------------------------------------------------------------

local function read_thresholds(self, value, default)
  if value == nil then
    value = default
  end
  local list = type(value) == "table" and value or { value }
  for _, threshold in ipairs(list) do
    if type(threshold) ~= "number" or threshold > 1 or (threshold < 0 and threshold > -1e9) then
      errors.raise("metrics.%s: thresholds must be numbers from 0 to 1; got %s", self.name,
        errors.describe(threshold))
    end
  end
  return list
end

-- Keeps only the k largest predictions of each row; the others become very small.
local function keep_top_k(y_pred, k)
  local _, indices = ops.top_k(y_pred, k)
  local kept = ops.sum(ops.one_hot(indices, y_pred.shape[#y_pred.shape], { dtype = y_pred.dtype }),
    -2)
  return ops.where(ops.greater(kept, 0), y_pred, -1e10)
end

-- Counts of the four cells for each threshold, summed over all elements: a table of tensors [thresholds].
local function confusion(self, y_true, y_pred, sample_weight, thresholds, top_k, class_id)
  y_pred = ops.cast(scope.to_tensor(y_pred), self.dtype)
  y_true = ops.cast(scope.to_tensor(y_true), self.dtype)
  y_true, y_pred = losses.same_rank(y_true, y_pred)
  if top_k then
    y_pred = keep_top_k(y_pred, top_k)
  end
  if class_id then
    y_true = ops.take(y_true, class_id, -1)
    y_pred = ops.take(y_pred, class_id, -1)
  end
  local weight = ops.ones_like(y_pred)
  if sample_weight ~= nil then
    local given = ops.cast(scope.to_tensor(sample_weight), self.dtype)
    given, y_pred = losses.same_rank(given, y_pred)
    while #given.shape < #y_pred.shape do
      given = ops.expand_dims(given, -1)
    end
    weight = weight * given
  end
  local truth = ops.expand_dims(ops.cast(y_true, "bool"), -1)
  local guess = ops.greater(ops.expand_dims(y_pred, -1), ops.tensor(thresholds, { dtype = self.dtype }))
  weight = ops.expand_dims(weight, -1)
  local axes = axes_from(0, #y_pred.shape)
  local function count(condition)
    return ops.sum(ops.cast(condition, self.dtype) * weight, axes)
  end
  local not_truth, not_guess = ops.logical_not(truth), ops.logical_not(guess)
  return {
    true_positives = count(ops.logical_and(truth, guess)),
    false_positives = count(ops.logical_and(not_truth, guess)),
    true_negatives = count(ops.logical_and(not_truth, not_guess)),
    false_negatives = count(ops.logical_and(truth, not_guess)),
  }
end

local function first_or_all(self, value)
  if #self.thresholds == 1 then
    return ops.squeeze(value, 0)
  end
  return value
end

local function define_counts(spec)
  define {
    name = spec.name,
    optional = { "thresholds", "top_k", "class_id" },
    direction = spec.direction,
    setup = function(self, o)
      self.thresholds = read_thresholds(self, o.thresholds, o.top_k and -1e10 or 0.5)
      for _, cell in ipairs(spec.cells) do
        self[cell] = self:add_variable(cell, { #self.thresholds })
      end
    end,
    methods = {
      update_state = function(self, y_true, y_pred, sample_weight)
        local cells = confusion(self, y_true, y_pred, sample_weight, self.thresholds, self.config.top_k,
          self.config.class_id)
        for _, cell in ipairs(spec.cells) do
          self[cell]:assign_add(cells[cell])
        end
      end,
      result = function(self)
        return first_or_all(self, spec.result(self))
      end,
    },
  }
end

for name, cell in pairs { TruePositives = "true_positives", FalsePositives = "false_positives",
  TrueNegatives = "true_negatives", FalseNegatives = "false_negatives" } do
  define_counts {
    name = name,
    cells = { cell },
    result = function(self)
      return self[cell]:value()
    end,
  }
end

define_counts {
  name = "Precision",
  cells = { "true_positives", "false_positives" },
  direction = "up",
  result = function(self)
    local hits = self.true_positives:value()
    return ops.divide_no_nan(hits, hits + self.false_positives:value())
  end,
}

define_counts {
  name = "Recall",
  cells = { "true_positives", "false_negatives" },
  direction = "up",
  result = function(self)
    local hits = self.true_positives:value()
    return ops.divide_no_nan(hits, hits + self.false_negatives:value())
  end,
}

-- ---- AUC ------------------------------------------------------------------------------------------------

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
      for i, threshold in ipairs(read_thresholds(self, o.thresholds)) do
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
      local cells = confusion(self, y_true, y_pred, sample_weight, self.thresholds)
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

-- ---- the best of one rate where another is high enough ---------------------------------------------------

local function rate(cells, part, rest)
  return ops.divide_no_nan(cells[part]:value(), cells[part]:value() + cells[rest]:value())
end

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
    setup = function(self, o)
      if type(o[given]) ~= "number" or o[given] < 0 or o[given] > 1 then
        errors.raise("metrics.%s: '%s' must be a number from 0 to 1; got %s", self.name, given,
          errors.describe(o[given]))
      end
      if type(o.num_thresholds) ~= "number" or o.num_thresholds < 1 or o.num_thresholds % 1 ~= 0 then
        errors.raise("metrics.%s: 'num_thresholds' must be a whole number from 1; got %s", self.name,
          errors.describe(o.num_thresholds))
      end
      self.thresholds = even_thresholds(o.num_thresholds)
      for _, cell in ipairs { "true_positives", "true_negatives", "false_positives", "false_negatives" } do
        self[cell] = self:add_variable(cell, { #self.thresholds })
      end
    end,
    methods = {
      update_state = function(self, y_true, y_pred, sample_weight)
        local cells = confusion(self, y_true, y_pred, sample_weight, self.thresholds, nil, self.config.class_id)
        for cell, value in pairs(cells) do
          self[cell]:assign_add(value)
        end
      end,
      result = function(self)
        local at = rate(self, RATES[given][1], RATES[given][2])
        local value = rate(self, RATES[wanted][1], RATES[wanted][2])
        return ops.max(ops.where(ops.greater_equal(at, self.config[given]), value, 0))
      end,
    },
  }
end

-- ---- F-score --------------------------------------------------------------------------------------------

local AVERAGES = { macro = true, micro = true, weighted = true }

local function setup_fscore(self, o)
  if o.average ~= nil and not AVERAGES[o.average] then
    errors.raise("metrics.%s: average is '%s'; it must be one of %s, or absent", self.name, tostring(o.average),
      names.list(AVERAGES))
  end
end

local function fscore_state(self, classes)
  if self.true_positives then
    return
  end
  local shape = self.config.average == "micro" and {} or { classes }
  for _, cell in ipairs { "true_positives", "false_positives", "false_negatives", "intermediate_weights" } do
    self[cell] = self:add_variable(cell, shape)
  end
end

local function update_fscore(self, y_true, y_pred, sample_weight)
  y_true, y_pred = ops.cast(scope.to_tensor(y_true), self.dtype), ops.cast(scope.to_tensor(y_pred), self.dtype)
  if #y_pred.shape ~= 2 or #y_true.shape ~= 2 then
    errors.raise("metrics.%s: y_true and y_pred must be (batch, classes); got %s and %s", self.name,
      tostring(y_true.shape), tostring(y_pred.shape))
  end
  fscore_state(self, y_pred.shape[2])
  local guess
  if self.config.threshold == nil then
    local top = ops.max(y_pred, -1, { keepdims = true })
    guess = ops.logical_and(ops.greater_equal(y_pred, top), ops.greater(ops.abs(y_pred), 1e-9))
  else
    guess = ops.greater(y_pred, self.config.threshold)
  end
  guess = ops.cast(guess, self.dtype)
  local axis = self.config.average ~= "micro" and 0 or nil
  local weight = sample_weight and ops.expand_dims(ops.cast(scope.to_tensor(sample_weight), self.dtype), 1)
  local function sum(x)
    return ops.sum(weight and x * weight or x, axis)
  end
  self.true_positives:assign_add(sum(guess * y_true))
  self.false_positives:assign_add(sum(guess * (1 - y_true)))
  self.false_negatives:assign_add(sum((1 - guess) * y_true))
  self.intermediate_weights:assign_add(sum(y_true))
end

local function fscore_result(self)
  if not self.true_positives then
    errors.raise("metrics.%s: result was asked for before update_state", self.name)
  end
  local tp = self.true_positives:value()
  local precision = ops.divide_no_nan(tp, tp + self.false_positives:value())
  local recall = ops.divide_no_nan(tp, tp + self.false_negatives:value())
  local b = self.config.beta * self.config.beta
  local score = ops.divide_no_nan(precision * recall * (1 + b), precision * b + recall)
  if self.config.average == "weighted" then
    local weights = self.intermediate_weights:value()
    return ops.sum(score * ops.divide_no_nan(weights, ops.sum(weights)))
  elseif self.config.average ~= nil then
    return ops.mean(score)
  end
  return score
end

for name, beta in pairs { FBetaScore = 1.0, F1Score = 1.0 } do
  define {
    name = name,
    function_name = name == "F1Score" and "f1_score" or "fbeta_score",
    defaults = { beta = beta },
    optional = { "average", "threshold" },
    direction = "up",
    setup = setup_fscore,
    methods = { update_state = update_fscore, result = fscore_result },
  }
end

-- ---- intersection over union ------------------------------------------------------------------------------

local function update_iou(self, y_true, y_pred, sample_weight)
  local o, classes = self.config, self.config.num_classes
  y_true, y_pred = scope.to_tensor(y_true), scope.to_tensor(y_pred)
  if not o.sparse_y_true then
    y_true = ops.argmax(y_true, o.axis)
  end
  if not o.sparse_y_pred then
    y_pred = ops.argmax(y_pred, o.axis)
  end
  if o.threshold then
    y_pred = ops.cast(ops.greater_equal(y_pred, o.threshold), "int32")
  end
  y_true, y_pred = ops.reshape(ops.cast(y_true, "int32"), { -1 }), ops.reshape(ops.cast(y_pred, "int32"), { -1 })
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
  local targets = ops.tensor(self.config.target_class_ids, { dtype = "int32" })
  diagonal, denominator = ops.take(diagonal, targets, 0), ops.take(denominator, targets, 0)
  local valid = ops.sum(ops.cast(ops.greater(denominator, EPSILON), self.dtype))
  return ops.divide_no_nan(ops.sum(ops.divide_no_nan(diagonal, denominator)), valid)
end

local function all_classes(count)
  local out = {}
  for i = 0, count - 1 do
    out[#out + 1] = i
  end
  return out
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

for _, row in ipairs(IOU) do
  define {
    name = row[1],
    function_name = row[2],
    defaults = row[3],
    optional = row[4],
    positional = "num_classes",
    direction = "up",
    setup = function(self, o)
      if type(o.num_classes) ~= "number" or o.num_classes < 1 then
        errors.raise("metrics.%s: num_classes must be a number of at least 1; got %s", row[2],
          errors.describe(o.num_classes))
      end
      o.target_class_ids = o.target_class_ids or all_classes(o.num_classes)
      for _, id in ipairs(o.target_class_ids) do
        if id >= o.num_classes then
          errors.raise("metrics.%s: target_class_ids has %d; classes are 0 to %d", row[2], id, o.num_classes - 1)
        end
      end
      self.total_cm = self:add_variable("total_confusion_matrix", { o.num_classes, o.num_classes })
    end,
    methods = { update_state = update_iou, result = iou_result },
  }
end

-- ---- R2 -------------------------------------------------------------------------------------------------

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
  name = "R2Score",
  function_name = "r2_score",
  defaults = { class_aggregation = "uniform_average", num_regressors = 0 },
  direction = "up",
  setup = function(self, o)
    if not R2_AGGREGATIONS[o.class_aggregation] then
      errors.raise("metrics.r2_score: class_aggregation is %s; it must be one of %s",
        errors.describe(o.class_aggregation), names.list(R2_AGGREGATIONS))
    end
    if type(o.num_regressors) ~= "number" or o.num_regressors < 0 or o.num_regressors % 1 ~= 0 then
      errors.raise("metrics.r2_score: num_regressors must be a whole number from 0; got %s",
        errors.describe(o.num_regressors))
    end
    if o.num_regressors > 0 then
      self.samples = self:add_variable("num_samples")
    end
  end,
  methods = {
    update_state = function(self, y_true, y_pred, sample_weight)
      y_true = ops.cast(scope.to_tensor(y_true), self.dtype)
      y_pred = ops.cast(scope.to_tensor(y_pred), self.dtype)
      y_true, y_pred = losses.same_rank(y_true, y_pred)
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

-- ---- finding metrics --------------------------------------------------------------------------------------

-- A metric from a function of (y_true, y_pred) that gives one value for each sample.
function metrics.from_function(fn, name)
  local metric = metrics.mean { name = name or "metric" }
  metric.fn, metric.update_state, metric.result = fn, update_wrapped, mean_result
  return metric
end

-- "accuracy" and "acc" depend on the shapes: binary for one output, sparse for class numbers, else categorical.
local function accuracy_for(name, y_true, y_pred)
  local true_rank, rank = #y_true.shape, #y_pred.shape
  local last_true, last = y_true.shape[true_rank] or 1, y_pred.shape[rank]
  if last == 1 then
    return metrics.binary_accuracy { name = name }
  elseif true_rank < rank or (last_true == 1 and last > 1) then
    return metrics.sparse_categorical_accuracy { name = name }
  end
  return metrics.categorical_accuracy { name = name }
end

-- Finds a metric: a name, a metric, or a function. y_true and y_pred give shapes for "accuracy".
function metrics.get(value, where, y_true, y_pred)
  where = where or "metrics.get"
  if metrics.is_metric(value) then
    return value
  elseif type(value) == "string" then
    if value == "accuracy" or value == "acc" then
      if not y_pred then
        return metrics.accuracy { name = value }
      end
      return accuracy_for(value, y_true, y_pred)
    elseif value == "crossentropy" or value == "ce" then
      local last = y_pred.shape[#y_pred.shape]
      local kind = last == 1 and "binary_crossentropy"
        or (#y_true.shape < #y_pred.shape and "sparse_categorical_crossentropy" or "categorical_crossentropy")
      return metrics[kind] { name = value }
    end
    local constructor = metrics.by_name[value]
    if not constructor then
      local known = { accuracy = true, acc = true }
      for name in pairs(metrics.by_name) do
        known[name] = true
      end
      errors.raise("%s: there is no metric '%s'%s", where, value, errors.suggest(value, known))
    end
    return constructor { name = value }
  elseif losses.is_loss(value) then
    return metrics.from_function(function(y_true_, y_pred_)
      return value.fn(y_true_, y_pred_, value.options)
    end, value.name)
  elseif type(value) == "function" then
    return metrics.from_function(value)
  end
  errors.raise("%s: a metric is a name, a metric or a function, not %s", where, errors.describe(value))
end

return metrics
