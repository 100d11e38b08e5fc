-- formulas - what losses compute: functions of labels and predictions that give a value for each sample.

local around = require "moonpod.base.around"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local global_state = require "moonpod.base.global_state"
local index_numbers = require "moonpod.ops.index_numbers"
local labels = require "moonpod.losses.labels"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local strategies = require "moonpod.func.strategies"
local trace = require "moonpod.tensor.trace"
local unit_vectors = require "moonpod.ops.unit_vectors"

local formulas = {}

local EPSILON = 1e-7

--- Makes two tensors one rank where one has an extra last axis of size 1.
---@param a tensor
---@param b tensor
---@return tensor a
---@return tensor b
---@example pod.losses.same_rank(pod.ones { 2, 1 }, pod.ones { 2 }).shape --> (2, 1)
function formulas.same_rank(a, b)
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

local same_rank = formulas.same_rank

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

---@name pod.losses.mean_squared_error pod.losses.mse
--- The mean of `(y_true - y_pred)^2`: the usual loss of a regression. Far misses count much.
---@return loss
---@example pod.losses.mse()({ { 1, 2 } }, { { 2, 4 } }):item() --> 2.5
function functions.mean_squared_error(y_true, y_pred)
  y_true, y_pred = pair(y_true, y_pred)
  return ops.mean(ops.square(y_true - y_pred), -1)
end

---@name pod.losses.mean_absolute_error pod.losses.mae
--- The mean of `|y_true - y_pred|`: all misses count by their size.
---@return loss
---@example pod.losses.mae()({ { 1, 2 } }, { { 2, 4 } }):item() --> 1.5
function functions.mean_absolute_error(y_true, y_pred)
  y_true, y_pred = pair(y_true, y_pred)
  return ops.mean(ops.abs(y_true - y_pred), -1)
end

---@name pod.losses.mean_absolute_percentage_error pod.losses.mape
--- The mean of `100 |(y_true - y_pred) / y_true|`, in percent. Labels nearer to 0 than 1e-7 count as 1e-7.
---@return loss
---@example pod.losses.mape()({ { 1, 2 } }, { { 2, 4 } }):item() --> 100
function functions.mean_absolute_percentage_error(y_true, y_pred)
  y_true, y_pred = pair(y_true, y_pred)
  return ops.mean(ops.abs((y_true - y_pred) / ops.maximum(ops.abs(y_true), EPSILON)), -1) * 100
end

---@name pod.losses.mean_squared_logarithmic_error pod.losses.msle
--- The mean of `(log(y_true + 1) - log(y_pred + 1))^2`: ratios count, not differences. Values below 1e-7 count as that.
---@return loss
---@example pod.losses.msle()({ { 0 } }, { { 0 } }):item() --> 0
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

local function unit(x, axis)
  return unit_vectors(x, axis, EPSILON, sum_over(ops.square(x), axis, { keepdims = true }))
end

---@name pod.losses.cosine_similarity
--- Minus the cosine of the angle between `y_true` and `y_pred`: -1 for the same direction, 0 at right angles, 1 for
--- opposite ones.
---@return loss
---@example pod.losses.cosine_similarity()({ { 1, 0 } }, { { 2, 0 } }):item() --> -1
function functions.cosine_similarity(y_true, y_pred, o)
  y_true, y_pred = pair(y_true, y_pred)
  return -sum_over(unit(y_true, o.axis) * unit(y_pred, o.axis), o.axis)
end

---@name pod.losses.huber
--- Half the square of a miss up to `delta`, and a line from there: `delta |x| - delta^2 / 2`. So outliers count less
--- than in the squared error.
---@param options.delta number where the line begins
---@return loss
---@example pod.losses.huber()({ { 0, 0 } }, { { 0.5, 2.25 } }):item() --> 0.9375
function functions.huber(y_true, y_pred, o)
  y_true, y_pred = pair(y_true, y_pred)
  local delta = o.delta
  local err = y_pred - y_true
  local size = ops.abs(err)
  return ops.mean(ops.where(ops.less_equal(size, delta), ops.square(err) * 0.5,
    size * delta - 0.5 * delta * delta), -1)
end

---@name pod.losses.log_cosh pod.losses.logcosh
--- The mean of `log(cosh(y_pred - y_true))`: about half the square of small misses, and the size of large ones less log
--- 2.
---@return loss
---@example pod.losses.log_cosh()({ { 0 } }, { { 0 } }):item() --> 0
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

---@name pod.losses.hinge
--- The mean of `max(1 - y_true y_pred, 0)`. Labels are -1 and 1; where all are 0 or 1 they are taken as those.
---@return loss
---@example pod.losses.hinge()({ { -1, 1 } }, { { 0.5, 0.5 } }):item() --> 1
function functions.hinge(y_true, y_pred)
  y_true = hinge_labels(ops.cast(y_true, y_pred.dtype))
  return ops.mean(ops.maximum(1 - y_true * y_pred, 0), -1)
end

---@name pod.losses.squared_hinge
--- The mean of `max(1 - y_true y_pred, 0)^2`. Labels as those of `hinge`.
---@return loss
---@example pod.losses.squared_hinge()({ { -1, 1 } }, { { 0.5, 0.5 } }):item() --> 1.25
function functions.squared_hinge(y_true, y_pred)
  y_true = hinge_labels(ops.cast(y_true, y_pred.dtype))
  return ops.mean(ops.square(ops.maximum(1 - y_true * y_pred, 0)), -1)
end

---@name pod.losses.categorical_hinge
--- `max(neg - pos + 1, 0)`, where `pos` is the prediction of the right class and `neg` the highest of the others.
--- `y_true` are one-hot rows.
---@return loss
---@example pod.losses.categorical_hinge()({ { 0, 1 } }, { { 0.5, 0.25 } }):item() --> 1.25
function functions.categorical_hinge(y_true, y_pred)
  y_true = ops.cast(y_true, y_pred.dtype)
  local positive = ops.sum(y_true * y_pred, -1)
  local negative = ops.max((1 - y_true) * y_pred, -1)
  return ops.maximum(negative - positive + 1, 0)
end

---@name pod.losses.kl_divergence pod.losses.kld pod.losses.kullback_leibler_divergence
--- The Kullback-Leibler divergence: the sum over the last axis of `y_true log(y_true / y_pred)`. Both are
--- probabilities, kept between 1e-7 and 1.
---@return loss
---@example pod.losses.kld()({ { 0.5, 0.5 } }, { { 0.5, 0.5 } }):item() --> 0
function functions.kl_divergence(y_true, y_pred)
  y_true = ops.clip(ops.cast(y_true, y_pred.dtype), EPSILON, 1)
  y_pred = ops.clip(y_pred, EPSILON, 1)
  return ops.sum(y_true * ops.log(y_true / y_pred), -1)
end

---@name pod.losses.poisson
--- The mean of `y_pred - y_true log(y_pred)`: for counts, whose rate `y_pred` is.
---@return loss
---@example pod.losses.poisson()({ { 0 } }, { { 2 } }):item() --> 2
function functions.poisson(y_true, y_pred)
  y_true = ops.cast(y_true, y_pred.dtype)
  return ops.mean(y_pred - y_true * ops.log(y_pred + EPSILON), -1)
end

---@name pod.losses.binary_crossentropy pod.losses.bce
--- The cross-entropy of labels 0 and 1 and probabilities: the mean of `-(y log p + (1 - y) log(1 - p))`. What a sigmoid
--- has made is taken back to its logits, so that it is exact there, too.
---@return loss
---@example pod.losses.bce { from_logits = true }({ { 1 } }, { { 0 } }):item() --> 0.6931
function functions.binary_crossentropy(y_true, y_pred, o)
  y_true = smooth_binary(ops.cast(y_true, y_pred.dtype), o.label_smoothing)
  return ops.mean(binary_elements(y_true, y_pred, o.from_logits), o.axis)
end

---@name pod.losses.binary_focal_crossentropy
--- The binary cross-entropy times `(1 - p_t)^gamma`, where `p_t` is the probability that the label has: what is easy
--- counts less.
---@param options.apply_class_balancing boolean whether class 1 is weighed by `alpha` and class 0 by `1 - alpha`
---@return loss
---@example pod.losses.binary_focal_crossentropy()({ { 1 } }, { { 0.5 } }):item() --> 0.1733
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

local sparse_labels, saw_one_hot = global_state.new("sparse labels", false), false

--- Runs `fn(...)`; with `sparse` a categorical cross-entropy of rows that `pod.one_hot` made in this trace takes the
--- class numbers they were made of, so that the rows are not needed.
---@param sparse any whether to take class numbers
---@param fn function
---@return boolean whether there were such rows, and before the results of `fn`
---@example pod.losses.with_sparse_labels(true, function(x) return x + 1 end, 1) --> false, 2
function formulas.with_sparse_labels(sparse, fn, ...)
  local outer_saw = saw_one_hot
  local saw
  local function results(...)
    return saw, ...
  end
  return results(around(function()
    saw_one_hot = false
  end, function()
    saw = saw_one_hot
    saw_one_hot = outer_saw or saw
  end, sparse_labels.with, sparse_labels, sparse, fn, ...))
end

---@name pod.losses.categorical_crossentropy
--- The cross-entropy of one-hot rows and probabilities of classes: `-sum(y log p)` over the axis of classes. For labels
--- that are class numbers take `sparse_categorical_crossentropy`.
---@return loss
---@error the shapes of `y_true` and `y_pred` differ
---@example pod.losses.categorical_crossentropy()({ { 0, 1 } }, { { 0.5, 0.5 } }):item() --> 0.6931
function functions.categorical_crossentropy(y_true, y_pred, o)
  local classes = rawget(y_true, "_classes")
  if classes and o.label_smoothing == 0 and (o.axis == -1 or o.axis == #y_pred.shape - 1) then
    saw_one_hot = true
    if sparse_labels.value then
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

---@name pod.losses.categorical_focal_crossentropy
--- The categorical cross-entropy times `alpha (1 - p)^gamma`: classes that are found easily count less.
---@return loss
---@example pod.losses.categorical_focal_crossentropy()({ { 0, 1 } }, { { 0.5, 0.5 } }):item() --> 0.04332
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

---@name pod.losses.sparse_categorical_crossentropy
--- The cross-entropy of class numbers, from 0, and probabilities of classes: `-log p[y]`. `y_true` has the shape of
--- `y_pred` without the axis of classes, or with 1 there.
---@param options.ignore_class integer a label whose rows count for nothing
---@return loss
---@error `y_true` has another number of rows, or is one-hot
---@example pod.losses.sparse_categorical_crossentropy()({ 1 }, { { 0.75, 0.25 } }):item() --> 1.386
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
  y_true = index_numbers(y_true)
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

---@name pod.losses.dice
--- 1 less the Dice coefficient: `1 - 2 sum(y p) / (sum(y) + sum(p))`, for masks of pictures.
---@param options.axis integer|integer[] the axes that are summed over (default: all, of the whole batch)
---@return loss
---@example pod.losses.dice()({ { 1, 0 } }, { { 1, 0 } }):item() --> 0
function functions.dice(y_true, y_pred, o)
  y_true = ops.cast(y_true, y_pred.dtype)
  local common = sum_over(y_true * y_pred, o.axis)
  return share(1 - common * 2 / (sum_over(y_true, o.axis) + sum_over(y_pred, o.axis) + EPSILON))
end

---@name pod.losses.tversky
--- 1 less the Tversky index: like `dice`, with weights of their own for false positives and false negatives.
---@param options.alpha number weight of false positives
---@param options.beta number weight of false negatives
---@param options.axis integer|integer[] the axes that are summed over (default: all, of the whole batch)
---@return loss
---@example pod.losses.tversky()({ { 1, 0 } }, { { 0, 1 } }):item() --> 1
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

---@name pod.losses.circle
--- The circle loss of embeddings: pairs of a class are to be near, others far. `y_true` are class numbers `(batch)`,
--- `y_pred` vectors of length 1 `(batch, embedding)`.
---@param options.gamma number scale of the exponents
---@param options.margin number how far the two kinds of pairs are to be apart
---@param options.remove_diagonal boolean whether a row's pair with itself is left out
---@return loss
---@error `y_pred` has other than 2 axes
---@example pod.losses.circle()({ 0, 0 }, { { 1, 0 }, { 1, 0 } }).shape --> ()
function functions.circle(y_true, y_pred, o)
  if #y_pred.shape ~= 2 then
    errors.raise("circle: y_pred must be (batch, embedding); got shape %s", tostring(y_pred.shape))
  end
  local rows = y_pred.shape[1]
  local classes = ops.reshape(ops.is_float(y_true.dtype) and ops.cast(y_true, "int32") or y_true, { rows, 1 })
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

---@name pod.losses.categorical_generalized_cross_entropy
--- `(1 - p[y]^q) / q` of class numbers: between the cross-entropy (q near 0) and the absolute error (q = 1), for labels
--- of which some are wrong.
---@param options.q number from above 0 to 1
---@return loss
---@example pod.losses.categorical_generalized_cross_entropy()({ 0 }, { { 0.25, 0.75 } }):item() --> 1
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
formulas.functions = functions

return formulas
