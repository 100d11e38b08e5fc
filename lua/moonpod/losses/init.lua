-- Losses with Keras' names, defaults and numbers.
--
-- A loss object is called as loss(y_true, y_pred, sample_weight). Means divide by the number of elements of the
-- whole global batch, so inside strategy:run each replica gives its part and the parts add up to the mean.

local around = require "moonpod.base.around"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local labels = require "moonpod.losses.labels"
local nest = require "moonpod.tensor.nest"
local names = require "moonpod.base.names"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local strategies = require "moonpod.func.strategies"
local trace = require "moonpod.tensor.trace"
local warnings = require "moonpod.base.warnings"

local unpack = table.unpack or unpack

local losses = {}

local EPSILON = 1e-7

local REDUCTIONS = { sum_over_batch_size = true, sum = true, mean = true, mean_with_sample_weight = true,
  none = true }

-- Makes two tensors one rank where one has an extra last axis of size 1.
function losses.same_rank(a, b)
  local rank_a, rank_b = #a.shape, #b.shape
  if rank_a == rank_b + 1 and a.shape[rank_a] == 1 then
    if rank_b == 1 then
      b = ops.expand_dims(b, -1)
    else
      a = ops.squeeze(a, -1)
    end
  elseif rank_b == rank_a + 1 and b.shape[rank_b] == 1 then
    if rank_a == 1 then
      a = ops.expand_dims(a, -1)
    else
      b = ops.squeeze(b, -1)
    end
  end
  return a, b
end

local same_rank = losses.same_rank

local function pair(y_true, y_pred)
  return same_rank(ops.cast(y_true, y_pred.dtype), y_pred)
end

local function smooth_categorical(y_true, smoothing)
  if smoothing ~= 0 then
    return y_true * (1 - smoothing) + smoothing / y_true.shape[#y_true.shape]
  end
  return y_true
end

local function smooth_binary(y_true, smoothing)
  if smoothing ~= 0 then
    return y_true * (1 - smoothing) + 0.5 * smoothing
  end
  return y_true
end

local function same_shape(y_true, y_pred, name)
  if tostring(y_true.shape) ~= tostring(y_pred.shape) then
    errors.raise("%s: y_true has shape %s, y_pred %s; they must be the same%s", name, tostring(y_true.shape),
      tostring(y_pred.shape),
      name == "categorical_crossentropy" and " (for class numbers use sparse_categorical_crossentropy)" or "")
  end
end

-- Per-element binary cross-entropy. What a sigmoid made is taken back to its logits.
local function binary_elements(y_true, y_pred, from_logits)
  same_shape(y_true, y_pred, "binary_crossentropy")
  local logits = scope.logits_of(y_pred, "sigmoid")
  y_pred, from_logits = logits or y_pred, logits and true or from_logits
  if from_logits then
    -- max(x, 0) - x y + log(1 + exp(-|x|)): exact for large |x|
    return ops.maximum(y_pred, 0) - y_pred * y_true + ops.log1p(ops.exp(-ops.abs(y_pred)))
  end
  local p = ops.clip(y_pred, EPSILON, 1 - EPSILON)
  return -(y_true * ops.log(p) + (1 - y_true) * ops.log(1 - p))
end

local functions = {}

function functions.mean_squared_error(y_true, y_pred)
  y_true, y_pred = pair(y_true, y_pred)
  return ops.mean(ops.square(y_true - y_pred), -1)
end

function functions.mean_absolute_error(y_true, y_pred)
  y_true, y_pred = pair(y_true, y_pred)
  return ops.mean(ops.abs(y_true - y_pred), -1)
end

function functions.mean_absolute_percentage_error(y_true, y_pred)
  y_true, y_pred = pair(y_true, y_pred)
  return ops.mean(ops.abs((y_true - y_pred) / ops.maximum(ops.abs(y_true), EPSILON)), -1) * 100
end

function functions.mean_squared_logarithmic_error(y_true, y_pred)
  y_true, y_pred = pair(y_true, y_pred)
  local a = ops.log(ops.maximum(y_pred, EPSILON) + 1)
  local b = ops.log(ops.maximum(y_true, EPSILON) + 1)
  return ops.mean(ops.square(a - b), -1)
end

-- The sum over axes (nil: all). Where the batch is among them, that of all replicas' rows.
local function sum_over(x, axis, options)
  local sum = ops.sum(x, axis, options)
  local has_batch = axis == nil or axis == 0 or axis == -#x.shape
  for _, one in ipairs(type(axis) == "table" and axis or {}) do
    has_batch = has_batch or one == 0 or one == -#x.shape
  end
  return has_batch and strategies.sum_over_replicas(sum) or sum
end

-- Vectors of length 1 along an axis; zero vectors stay zero (Keras' normalize: epsilon inside the maximum).
local function unit(x, axis)
  local square_sum = sum_over(ops.square(x), axis, { keepdims = true })
  return x * ops.rsqrt(ops.maximum(square_sum, 1e-12))
end

function functions.cosine_similarity(y_true, y_pred, o)
  y_true, y_pred = pair(y_true, y_pred)
  return -sum_over(unit(y_true, o.axis) * unit(y_pred, o.axis), o.axis)
end

function functions.huber(y_true, y_pred, o)
  y_true, y_pred = pair(y_true, y_pred)
  local delta = o.delta
  local err = y_pred - y_true
  local size = ops.abs(err)
  return ops.mean(ops.where(ops.less_equal(size, delta), ops.square(err) * 0.5,
    size * delta - 0.5 * delta * delta), -1)
end

function functions.log_cosh(y_true, y_pred)
  y_true, y_pred = pair(y_true, y_pred)
  local x = y_pred - y_true
  return ops.mean(x + ops.softplus(x * -2) - math.log(2), -1)
end

-- Labels 0 and 1 become -1 and 1; others stay.
local function hinge_labels(y_true)
  local binary = ops.all(ops.logical_or(ops.equal(y_true, 0), ops.equal(y_true, 1)))
  return ops.where(binary, y_true * 2 - 1, y_true)
end

function functions.hinge(y_true, y_pred)
  y_true = hinge_labels(ops.cast(y_true, y_pred.dtype))
  return ops.mean(ops.maximum(1 - y_true * y_pred, 0), -1)
end

function functions.squared_hinge(y_true, y_pred)
  y_true = hinge_labels(ops.cast(y_true, y_pred.dtype))
  return ops.mean(ops.square(ops.maximum(1 - y_true * y_pred, 0)), -1)
end

function functions.categorical_hinge(y_true, y_pred)
  y_true = ops.cast(y_true, y_pred.dtype)
  local positive = ops.sum(y_true * y_pred, -1)
  local negative = ops.max((1 - y_true) * y_pred, -1)
  return ops.maximum(negative - positive + 1, 0)
end

function functions.kl_divergence(y_true, y_pred)
  y_true = ops.clip(ops.cast(y_true, y_pred.dtype), EPSILON, 1)
  y_pred = ops.clip(y_pred, EPSILON, 1)
  return ops.sum(y_true * ops.log(y_true / y_pred), -1)
end

function functions.poisson(y_true, y_pred)
  y_true = ops.cast(y_true, y_pred.dtype)
  return ops.mean(y_pred - y_true * ops.log(y_pred + EPSILON), -1)
end

function functions.binary_crossentropy(y_true, y_pred, o)
  y_true = smooth_binary(ops.cast(y_true, y_pred.dtype), o.label_smoothing)
  return ops.mean(binary_elements(y_true, y_pred, o.from_logits), o.axis)
end

function functions.binary_focal_crossentropy(y_true, y_pred, o)
  y_true = smooth_binary(ops.cast(y_true, y_pred.dtype), o.label_smoothing)
  local p = o.from_logits and ops.sigmoid(y_pred) or y_pred
  local bce = binary_elements(y_true, p, false)
  local p_t = y_true * p + (1 - y_true) * (1 - p)
  local value = ops.power(1 - p_t, o.gamma) * bce
  if o.apply_class_balancing then
    value = (y_true * o.alpha + (1 - y_true) * (1 - o.alpha)) * value
  end
  return ops.mean(value, o.axis)
end

-- Probabilities made to sum to 1 and kept off 0 and 1.
local function clipped_probabilities(p, axis)
  return ops.clip(p / ops.sum(p, axis, { keepdims = true }), EPSILON, 1 - EPSILON)
end

local sparse_labels, saw_one_hot = false, false

-- Runs fn(...); with `sparse` a categorical cross-entropy of rows that pod.one_hot made in this trace takes the class
-- numbers they were made of, so that the rows are not needed. Returns whether there were such rows, and fn's results.
function losses.with_sparse_labels(sparse, fn, ...)
  local outer_sparse, outer_saw = sparse_labels, saw_one_hot
  local saw
  local function results(...)
    return saw, ...
  end
  return results(around(function()
    sparse_labels, saw_one_hot = sparse, false
  end, function()
    saw = saw_one_hot
    sparse_labels, saw_one_hot = outer_sparse, outer_saw or saw
  end, fn, ...))
end

function functions.categorical_crossentropy(y_true, y_pred, o)
  local classes = rawget(y_true, "_classes")
  if classes and o.label_smoothing == 0 and (o.axis == -1 or o.axis == #y_pred.shape - 1) then
    saw_one_hot = true
    if sparse_labels then
      return functions.sparse_categorical_crossentropy(classes, y_pred, o)
    end
  end
  y_true = smooth_categorical(ops.cast(y_true, y_pred.dtype), o.label_smoothing)
  same_shape(y_true, y_pred, "categorical_crossentropy")
  local logits = scope.logits_of(y_pred, "softmax") or o.from_logits and y_pred
  if logits then
    return -ops.sum(y_true * ops.log_softmax(logits, o.axis), o.axis)
  end
  return -ops.sum(y_true * ops.log(clipped_probabilities(y_pred, o.axis)), o.axis)
end

function functions.categorical_focal_crossentropy(y_true, y_pred, o)
  y_true = smooth_categorical(ops.cast(y_true, y_pred.dtype), o.label_smoothing)
  same_shape(y_true, y_pred, "categorical_focal_crossentropy")
  if o.from_logits then
    y_pred = ops.softmax(y_pred, o.axis)
  end
  local p = clipped_probabilities(y_pred, o.axis)
  local value = -y_true * ops.log(p) * (ops.power(1 - p, o.gamma) * o.alpha)
  return ops.sum(value, o.axis)
end

function functions.sparse_categorical_crossentropy(y_true, y_pred, o)
  local rank = #y_pred.shape
  local axis = o.axis < 0 and o.axis + rank or o.axis
  if axis ~= rank - 1 then
    y_pred = ops.moveaxis(y_pred, axis, -1)
  end
  if #y_true.shape == rank and y_true.shape[axis + 1] == 1 then
    y_true = ops.squeeze(y_true, axis)
  end
  local want = {}
  for i = 1, rank - 1 do
    want[i] = y_pred.shape[i]
  end
  for i = 1, math.max(#want, #y_true.shape) do
    if want[i] ~= y_true.shape[i] then
      errors.raise("sparse_categorical_crossentropy: y_true has shape %s; for y_pred of shape %s it must hold one "
        .. "class number for each row: (%s)%s", tostring(y_true.shape), tostring(y_pred.shape),
        table.concat(want, ", "),
        #y_true.shape == rank and "; for one-hot rows use categorical_crossentropy" or "")
    end
  end
  y_true = ops.cast(y_true, "int32")
  local valid
  if o.ignore_class ~= nil then
    valid = ops.not_equal(y_true, o.ignore_class)
    y_true = ops.where(valid, y_true, 0)
  end
  local logits = scope.logits_of(y_pred, "softmax") or o.from_logits and y_pred
    or ops.log(ops.clip(y_pred, EPSILON, 1 - EPSILON))
  local value = trace.composite("sparse_softmax_cross_entropy", { logits, y_true })
  if valid then
    value = ops.where(valid, value, 0)
    nest.set_mask(value, valid)
  end
  return value
end

-- One value of the whole batch is the same on every replica: each has its share of it.
local function share(value)
  if #value.shape == 0 and (trace.enclosing "core" ~= nil) then
    return value / strategies.get_strategy().num_replicas_in_sync
  end
  return value
end

function functions.dice(y_true, y_pred, o)
  y_true = ops.cast(y_true, y_pred.dtype)
  local common = sum_over(y_true * y_pred, o.axis)
  return share(1 - common * 2 / (sum_over(y_true, o.axis) + sum_over(y_pred, o.axis) + EPSILON))
end

function functions.tversky(y_true, y_pred, o)
  y_true = ops.cast(y_true, y_pred.dtype)
  local common = sum_over(y_true * y_pred, o.axis)
  local false_positive = sum_over((1 - y_pred) * y_true, o.axis)
  local false_negative = sum_over(y_pred * (1 - y_true), o.axis)
  return share(1 - common / (common + false_positive * o.alpha + false_negative * o.beta + EPSILON))
end

-- Log of the sum of exponentials along axis 1, with -inf where no element counts.
local function masked_logsumexp(x, mask)
  local low = ops.where(mask, x, -1e30)
  local top = ops.max(low, 1, { keepdims = true })
  local sum = ops.sum(ops.where(mask, ops.exp(low - top), 0), 1)
  return ops.log(sum) + ops.squeeze(top, 1)
end

function functions.circle(y_true, y_pred, o)
  if #y_pred.shape ~= 2 then
    errors.raise("circle: y_pred must be (batch, embedding); got shape %s", tostring(y_pred.shape))
  end
  local rows = y_pred.shape[1]
  local classes = ops.reshape(ops.cast(y_true, "int32"), { rows, 1 })
  local distance = ops.maximum(1 - ops.matmul(y_pred, ops.transpose(y_pred)), 0)
  local positive = ops.equal(classes, ops.transpose(classes))
  local negative = ops.logical_not(positive)
  if o.remove_diagonal then
    positive = ops.logical_and(positive, ops.logical_not(ops.eye(rows, { dtype = "bool" })))
  end
  local positive_weight = ops.maximum((distance + o.margin) * ops.cast(positive, y_pred.dtype), 0)
  local negative_weight = ops.maximum((1 + o.margin - distance) * ops.cast(negative, y_pred.dtype), 0)
  local p = positive_weight * (o.margin - distance) * -o.gamma
  local n = negative_weight * (1 - o.margin - distance) * o.gamma
  local value = ops.softplus(masked_logsumexp(p, positive) + masked_logsumexp(n, negative))
  nest.set_mask(value, ops.greater(value, 0))
  return value
end

function functions.categorical_generalized_cross_entropy(y_true, y_pred, o)
  local classes = y_pred.shape[#y_pred.shape]
  y_true = labels.check("categorical_generalized_cross_entropy", "y_true", y_true, classes)
  local one_hot = ops.one_hot(y_true, classes, { dtype = y_pred.dtype })
  local p = ops.sum(y_pred * one_hot, -1)
  return (1 - ops.power(p, o.q)) / o.q
end

declare.functions("losses.functions", functions, {
  ["y_true:tensor_object y_pred:tensor_object"] =
    "mean_squared_error mean_absolute_error mean_absolute_percentage_error "
    .. "mean_squared_logarithmic_error log_cosh hinge squared_hinge categorical_hinge "
    .. "kl_divergence poisson",
  ["y_true:tensor_object y_pred:tensor_object options"] =
    "cosine_similarity huber binary_crossentropy binary_focal_crossentropy "
    .. "categorical_crossentropy categorical_focal_crossentropy sparse_categorical_crossentropy "
    .. "dice tversky circle categorical_generalized_cross_entropy",
})
losses.functions = functions

-- ---- reduction --------------------------------------------------------------------------------------

local function element_count(t)
  -- A count of rows that is right for uneven shards, times the sizes of the other axes.
  local count = strategies.global_rows(t)
  for i = 2, #t.shape do
    count = count * t.shape[i]
  end
  return count
end

local function global_sum(t)
  return strategies.sum_over_replicas(ops.sum(t))
end

-- Multiplies a mask into weights. For means, entries that count are scaled up so that the sum divided by the
-- number of all entries is the mean over those that count.
function losses.apply_mask(sample_weight, mask, dtype, reduction)
  if mask == nil then
    return sample_weight
  end
  local weight = ops.cast(mask, dtype)
  if reduction == "mean" or reduction == "sum_over_batch_size" then
    local valid = global_sum(weight)
    weight = weight * ops.divide_no_nan(ops.cast(element_count(weight), dtype), valid)
  end
  if sample_weight ~= nil then
    local a, b = same_rank(weight, ops.cast(sample_weight, dtype))
    return a * b
  end
  return weight
end

-- Reduces per-sample values with weights and mask.
function losses.reduce(values, sample_weight, mask, reduction)
  local weight = losses.apply_mask(sample_weight, mask, values.dtype, reduction)
  if weight ~= nil then
    values, weight = same_rank(values, ops.cast(weight, values.dtype))
    if #weight.shape > #values.shape then
      errors.raise("sample_weight has shape %s; the loss of each sample has shape %s", tostring(weight.shape),
        tostring(values.shape))
    end
    -- Weights of a sample count for all its elements: weights gain axes at their end.
    while #weight.shape < #values.shape do
      weight = ops.expand_dims(weight, -1)
    end
    values = values * weight
  end
  if reduction == "none" or #values.shape == 0 then
    return values
  end
  local sum = ops.sum(values)
  if reduction == "sum" then
    return sum
  end
  local divisor
  if reduction == "mean_with_sample_weight" and weight ~= nil then
    divisor = global_sum(weight)
  else
    divisor = ops.cast(element_count(values), sum.dtype)
  end
  return ops.divide_no_nan(sum, divisor)
end

-- ---- loss objects -----------------------------------------------------------------------------------

-- Refuses weights that do not belong to the rows and elements of the losses.
local function check_weight(name, values, weight)
  local have, want = weight.shape, values.shape
  local fits = #have <= #want or #have == #want + 1 and have[#have] == 1
  for i = 1, math.min(#have, #want) do
    fits = fits and (have[i] == want[i] or have[i] == 1)
  end
  if not fits then
    errors.raise("loss '%s': sample_weight has shape %s; the losses of the samples have shape %s", name,
      tostring(have), tostring(want))
  end
end

local INTEGER_LABELS = { sparse_categorical_crossentropy = true, circle = true,
  categorical_generalized_cross_entropy = "each" } -- a class for each row of numbers, whatever its place

-- Losses that look at the shapes themselves, as others than equal ones may be meant.
local OWN_CHECK = { sparse_categorical_crossentropy = true }
for _, name in ipairs { "binary_crossentropy", "binary_focal_crossentropy", "categorical_crossentropy",
  "categorical_focal_crossentropy" } do
  OWN_CHECK[name] = true
end

-- Refuses shapes that a loss of Keras' cannot compare, in its name: its operations know only theirs.
local function check_shapes(name, y_true, y_pred, by_class)
  local have, want = y_true.shape, y_pred.shape
  if by_class == "each" and #have > 1 and #have == #want - 1 then
    by_class = false
    want = { unpack(want, 1, #have) }
  end
  if by_class then
    if #have > 2 or #have == 2 and have[2] ~= 1 then
      errors.raise("loss '%s': y_true has shape %s; for y_pred of shape %s it must hold one class number for each row",
        name, tostring(have), tostring(want))
    end
    return
  end
  for i = 1, math.min(#have, #want) do
    local a, b = have[#have + 1 - i], want[#want + 1 - i]
    if a ~= b and a ~= 1 and b ~= 1 then
      errors.raise("loss '%s': y_true has shape %s, y_pred %s; they must be the same", name, tostring(have),
        tostring(want))
    end
  end
end

local Loss = {}
Loss.__index = Loss
Loss.__name = "moonpod.loss"

function Loss.__call(self, y_true, y_pred, sample_weight)
  if y_pred == nil or y_true == nil then
    errors.raise("loss '%s' was called with nil for %s", self.name, y_true == nil and "y_true" or "y_pred")
  end
  y_true, y_pred = scope.to_tensor(y_true), scope.to_tensor(y_pred)
  if #y_true.shape > 0 and #y_pred.shape > 0 and y_true.shape[1] ~= y_pred.shape[1] then
    errors.raise("loss '%s': y_true has shape %s, y_pred %s; they must have the same number of rows", self.name,
      tostring(y_true.shape), tostring(y_pred.shape))
  end
  local mask = nest.mask_of(y_pred)
  local float_true = y_true
  if not self.keeps_integers then
    float_true = ops.cast(y_true, self.dtype)
  end
  local prediction = ops.cast(y_pred, self.dtype)
  if not rawequal(prediction, y_pred) then
    scope.copy_logits(y_pred, prediction)
  end
  if not self.keeps_integers then
    float_true, prediction = same_rank(float_true, prediction)
  end
  if self.kind and not OWN_CHECK[self.kind] then
    check_shapes(self.name, float_true, prediction, INTEGER_LABELS[self.kind])
  end
  return scope.named(self.name, function()
    local values = errors.calling(self.fn, float_true, prediction, self.options)
    if not nest.is_tensor(values) then
      errors.raise("loss '%s' returned %s; return a tensor of one loss for each sample", self.name,
        errors.describe(values))
    end
    if sample_weight ~= nil then
      sample_weight = scope.to_tensor(sample_weight)
      check_weight(self.name, values, sample_weight)
    end
    local value_mask = nest.mask_of(values)
    if mask ~= nil and value_mask ~= nil then
      mask = ops.logical_and(mask, value_mask)
    end
    return losses.reduce(values, sample_weight, mask or value_mask, self.reduction)
  end)
end

function Loss.__tostring(self)
  return string.format("<loss %s, reduction=%s>", self.name, self.reduction)
end

local CLASSES = {
  { "MeanSquaredError", "mean_squared_error", {}, { "mse" } },
  { "MeanAbsoluteError", "mean_absolute_error", {}, { "mae" } },
  { "MeanAbsolutePercentageError", "mean_absolute_percentage_error", {}, { "mape" } },
  { "MeanSquaredLogarithmicError", "mean_squared_logarithmic_error", {}, { "msle" } },
  { "CosineSimilarity", "cosine_similarity", { axis = -1 }, {} },
  { "Huber", "huber", { delta = 1.0 }, {}, "huber_loss" },
  { "LogCosh", "log_cosh", {}, { "logcosh" } },
  { "Hinge", "hinge", {}, {} },
  { "SquaredHinge", "squared_hinge", {}, {} },
  { "CategoricalHinge", "categorical_hinge", {}, {} },
  { "KLDivergence", "kl_divergence", {}, { "kld", "kullback_leibler_divergence" } },
  { "Poisson", "poisson", {}, {} },
  { "BinaryCrossentropy", "binary_crossentropy", { from_logits = false, label_smoothing = 0, axis = -1 },
    { "bce" } },
  { "BinaryFocalCrossentropy", "binary_focal_crossentropy", { apply_class_balancing = false, alpha = 0.25,
    gamma = 2.0, from_logits = false, label_smoothing = 0, axis = -1 }, {} },
  { "CategoricalCrossentropy", "categorical_crossentropy", { from_logits = false, label_smoothing = 0,
    axis = -1 }, {} },
  { "CategoricalFocalCrossentropy", "categorical_focal_crossentropy", { alpha = 0.25, gamma = 2.0,
    from_logits = false, label_smoothing = 0, axis = -1 }, {} },
  { "SparseCategoricalCrossentropy", "sparse_categorical_crossentropy", { from_logits = false, axis = -1 }, {},
    nil, { "ignore_class" } },
  { "Dice", "dice", {}, {}, nil, { "axis" } },
  { "Tversky", "tversky", { alpha = 0.5, beta = 0.5 }, {}, nil, { "axis" } },
  { "Circle", "circle", { gamma = 80.0, margin = 0.4, remove_diagonal = true }, {} },
  { "CategoricalGeneralizedCrossEntropy", "categorical_generalized_cross_entropy", { q = 0.5 }, {} },
}

-- The options of a loss function: those given, of the types of the defaults, and the defaults.
local function complete(options, name, defaults, optional)
  local config = {}
  for key, value in pairs(defaults) do
    config[key] = value
    local given = options[key]
    if given ~= nil then
      if type(given) ~= type(value) then
        errors.raise("losses.%s: '%s' must be a %s; got %s", name, key, type(value), errors.describe(given))
      end
      config[key] = given
    end
  end
  for _, key in ipairs(optional) do
    config[key] = options[key]
  end
  return config
end

local function make(fn, options, name, defaults, optional)
  local allowed = { "reduction", "name", "dtype" }
  for key in pairs(defaults) do
    allowed[#allowed + 1] = key
  end
  for _, key in ipairs(optional) do
    allowed[#allowed + 1] = key
  end
  options = options or {}
  if type(options) ~= "table" then
    errors.raise("losses.%s takes a table of options, not %s", name, errors.describe(options))
  end
  errors.check_options(options, allowed, "losses." .. name)
  local reduction = options.reduction or "sum_over_batch_size"
  if not REDUCTIONS[reduction] then
    errors.raise("losses.%s: reduction is '%s'; it must be one of %s", name, tostring(reduction),
      names.list(REDUCTIONS))
  end
  return setmetatable({
    fn = fn,
    kind = name,
    options = complete(options, name, defaults, optional),
    reduction = reduction,
    name = options.name or name,
    dtype = ops.dtype(options.dtype or "float32"),
    keeps_integers = INTEGER_LABELS[name] or false,
    direction = "down",
  }, Loss)
end

-- A loss from a function of (y_true, y_pred) that gives one value for each sample.
function losses.from_function(fn, name)
  return setmetatable({ fn = fn, options = {}, reduction = "sum_over_batch_size", name = name or "loss",
    dtype = "float32", keeps_integers = true, direction = "down" }, Loss)
end

function losses.is_loss(value)
  return getmetatable(value) == Loss
end

declare.methods("loss", Loss, losses.is_loss)
declare.metamethods("loss", Loss)

local by_name = {}

for _, row in ipairs(CLASSES) do
  local class, name, defaults, aliases, shown, optional = row[1], row[2], row[3], row[4], row[5], row[6] or {}
  local fn = functions[name]
  local function constructor(options)
    local made = make(fn, options, name, defaults, optional)
    made.name = options and options.name or shown or name
    return made
  end
  losses[name], by_name[name], by_name[class] = constructor, constructor, constructor
  -- who calls the function itself, as metrics do, may leave options out
  functions[name] = function(y_true, y_pred, options)
    errors.check_type(options or {}, "table", "losses.functions." .. name, "argument 3 (options)")
    return fn(y_true, y_pred, complete(options or {}, name, defaults, optional))
  end
  for _, alias in ipairs(aliases) do
    losses[alias], by_name[alias] = constructor, constructor
  end
end
-- Keras' class is Huber, its name as a string "huber" and of the loss object "huber_loss".
losses.kl_divergence = by_name.kl_divergence

-- Finds a loss by name, takes a loss object as it is, makes one of a function.
function losses.get(value, where)
  if losses.is_loss(value) then
    return value
  elseif type(value) == "string" then
    local constructor = by_name[value]
    if not constructor then
      errors.raise("%s: there is no loss '%s'%s", where or "losses.get", value, errors.suggest(value, by_name))
    end
    return constructor()
  elseif type(value) == "function" then
    return losses.from_function(value)
  end
  errors.raise("%s: a loss is a name, a loss object or a function, not %s", where or "losses.get",
    errors.describe(value))
end

-- The loss of a replica's own examples divided by the size of the global batch: the parts of all replicas add
-- up to the mean (tf.nn.compute_average_loss). Options: sample_weight, global_batch_size.
local function average_loss(per_example, options)
  options = options or {}
  errors.check_options(options, { "sample_weight", "global_batch_size" }, "compute_average_loss")
  per_example = scope.to_tensor(per_example)
  if #per_example.shape > 1 then
    warnings.warn("compute_average_loss: the loss of each example has shape %s; average the other axes first, or the "
      .. "result is their sum", tostring(per_example.shape))
  end
  local values = per_example
  if options.sample_weight ~= nil then
    values = values * ops.cast(options.sample_weight, values.dtype)
  end
  local size = options.global_batch_size
  if size == nil then
    size = ops.cast(strategies.global_rows(per_example), values.dtype)
  elseif size == 0 then
    return ops.sum(values) * 0
  end
  return ops.divide_no_nan(ops.sum(values), size) -- 0 for a batch without rows
end

-- Values that are one replica's part of a loss: a metric that takes the mean of them is told.
local parts = setmetatable({}, { __mode = "k" })

function losses.compute_average_loss(per_example, options)
  local value = average_loss(per_example, options)
  if (trace.enclosing "core" ~= nil) then
    parts[value] = true
  end
  return value
end

-- True for what compute_average_loss gave inside of strategy:run.
function losses.is_part(value)
  return parts[value] == true
end

-- A replica's share of a regularization loss (tf.nn.scale_regularization_loss).
function losses.scale_regularization_loss(value)
  return ops.sum(value) / strategies.get_strategy().num_replicas_in_sync
end

declare.functions("losses", losses, {
  ["fn name?"] = "from_function",
  ["per_example:tensor options?"] = "compute_average_loss",
  ["value:tensor"] = "scale_regularization_loss",
  ["a:tensor_object b:tensor_object"] = "same_rank",
  ["sparse:any fn"] = "with_sparse_labels",
  ["sample_weight:tensor? mask:tensor? dtype? reduction:string?"] = "apply_mask",
  ["values:tensor_object sample_weight:tensor? mask:tensor? reduction:string?"] = "reduce",
})

return losses
