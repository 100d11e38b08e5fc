--- Losses, with Keras' names, defaults and numbers: `pod.losses.NAME(options)` makes one. Called with `y_true`,
--- `y_pred` and, if wanted, `sample_weight`, it computes a scalar: by default the mean over all elements of the global
--- batch. `model:compile { loss = ... }` takes a loss, its name, or a function of `y_true` and `y_pred` that gives a
--- value for each sample. Shapes of `y_true` and `y_pred` are `(batch, ..., outputs)`; most losses first take the mean
--- over the last axis. `sample_weight` has one weight for each sample, shape `(batch)`, or one for each of its values.
---@param options.reduction "sum_over_batch_size"|"sum"|"mean"|"mean_with_sample_weight"|"none" how the values of
---   samples become one: their mean (default), their sum, a mean over the sum of weights, or not at all
---@param options.name string what logs and messages call it (default: its name)
---@param options.dtype dtype of predictions and the result (default "float32"); what is between has 32 bits or more
---@param options.from_logits boolean whether `y_pred` are logits, not probabilities; exact for large ones
---@param options.label_smoothing number 0 to 1: how far labels are moved to the middle
---@param options.axis integer the axis of classes, or of vectors
---@param options.gamma number how strongly sure predictions are left out
---@param options.alpha number the weight of the class
---@example pod.losses.mean_squared_error()({ { 0, 1 } }, { { 0, 3 } }):item() --> 2

-- Losses with Keras' names, defaults and numbers.
--
-- A loss object is called as loss(y_true, y_pred, sample_weight). Means divide by the number of elements of the
-- whole global batch, so inside strategy:run each replica gives its part and the parts add up to the mean.

local above = require "moonpod.base.above"
local formulas = require "moonpod.losses.formulas"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local halves = require "moonpod.ops.halves"
local nest = require "moonpod.tensor.nest"
local names = require "moonpod.base.names"
local ops = require "moonpod.ops"
local scope = require "moonpod.layers.scope"
local strategies = require "moonpod.func.strategies"
local tables = require "moonpod.base.tables"
local trace = require "moonpod.tensor.trace"
local warnings = require "moonpod.base.warnings"

local unpack = table.unpack or unpack -- luacheck: ignore

local losses = {
  ---@name pod.losses.functions
  --- What losses compute, by their names: functions of `y_true`, `y_pred` and options that give a value for each
  --- sample.
  ---@example pod.losses.functions.mean_absolute_error(pod.tensor { { 1, 2 } }, pod.tensor { { 2, 4 } }) --> { 1.5 }
  functions = formulas.functions,
  same_rank = formulas.same_rank,
  with_sparse_labels = formulas.with_sparse_labels,
}

local functions, same_rank = formulas.functions, formulas.same_rank
local in_float32 = halves.in_float32

local REDUCTIONS = { sum_over_batch_size = true, sum = true, mean = true, mean_with_sample_weight = true,
  none = true }

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

--- Multiplies a mask into weights. For means, entries that count are scaled up so that the sum divided by the number of
--- all entries is the mean over those that count.
---@param sample_weight? tensor weights, or nil
---@param mask? tensor true where a value counts, or nil
---@param dtype? dtype of the result
---@param reduction? string the loss's: "mean" and "sum_over_batch_size" are means
---@return tensor the weights
---@example pod.losses.apply_mask(nil, pod.tensor { true, false }, "float32", "sum") --> { 1, 0 }
function losses.apply_mask(sample_weight, mask, dtype, reduction)
  if mask == nil then
    return sample_weight
  end
  local wide = halves.wide(dtype)
  local weight = ops.cast(mask, wide)
  if reduction == "mean" or reduction == "sum_over_batch_size" then
    local valid = global_sum(weight)
    weight = weight * ops.divide_no_nan(ops.cast(element_count(weight), wide), valid)
  end
  if sample_weight ~= nil then
    local a, b = same_rank(weight, ops.cast(sample_weight, wide))
    weight = a * b
  end
  return ops.cast(weight, dtype)
end

-- Values times the weights of samples, which count for all elements of theirs; and the weights, with as many axes.
local function weighted(values, weight)
  values, weight = same_rank(values, ops.cast(weight, values.dtype))
  if #weight.shape > #values.shape then
    errors.raise("sample_weight has shape %s; the loss of each sample has shape %s", tostring(weight.shape),
      tostring(values.shape))
  end
  while #weight.shape < #values.shape do
    weight = ops.expand_dims(weight, -1)
  end
  return values * weight, weight
end

local function reduced(values, sample_weight, mask, reduction)
  local weight = losses.apply_mask(sample_weight, mask, values.dtype, reduction)
  if weight ~= nil then
    values, weight = weighted(values, weight)
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

--- Makes one value of those of samples, as a loss does: weighs them, leaves out what a mask says, and reduces.
---@param values tensor of the losses of samples, `(batch, ...)`
---@param sample_weight? tensor one weight for each sample, or for each value
---@param mask? tensor true where a value counts
---@param reduction? string see pod.losses
---@return tensor a scalar; the weighed values for "none"
---@example pod.losses.reduce(pod.tensor { 1, 2, 3 }, nil, nil, "sum"):item() --> 6
function losses.reduce(values, sample_weight, mask, reduction)
  return in_float32(function(x)
    return reduced(x, sample_weight, mask, reduction)
  end, values)
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
local OWN_CHECK = tables.set_of { "sparse_categorical_crossentropy", "binary_crossentropy",
  "binary_focal_crossentropy", "categorical_crossentropy", "categorical_focal_crossentropy" }

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

-- Predictions as losses compute them, of which is known what was of the given ones.
local function as_wide(x, given)
  local made = ops.cast(x, halves.wide(x.dtype))
  if not rawequal(made, given) then
    scope.copy_logits(given, made)
  end
  return made
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
  local float_true, wide = y_true, halves.wide(self.dtype)
  if not self.keeps_integers then
    float_true = ops.cast(y_true, wide)
  end
  local prediction = as_wide(ops.cast(y_pred, self.dtype), y_pred)
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
    -- a mask has no part in a loss of one number a batch
    values = losses.reduce(values, sample_weight, #values.shape > 0 and (mask or value_mask) or nil, self.reduction)
    return values.dtype == wide and ops.cast(values, self.dtype) or values
  end)
end

---@name loss:get_config
--- What the loss was made with, as plain data.
---@return table its options, with their defaults
---@example pod.losses.huber { delta = 2 }:get_config().delta --> 2
Loss.get_config = above.doing "get_config"

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
  return tables.merge(config, tables.pick(options, optional))
end

-- The names of the options of a loss.
local function names_of_options(defaults, optional)
  return tables.join({ "reduction", "name", "dtype" }, tables.sorted_keys(defaults), optional)
end

local function make(fn, options, name, defaults, optional, allowed)
  if type(options) == "table" and (ops.is_tensor(options) or options[1] ~= nil) then
    errors.raise("losses.%s makes a loss, of options: call that, pod.losses.%s()(y_true, y_pred), or "
      .. "pod.losses.functions.%s(y_true, y_pred), which gives the value of each sample", name, name, name)
  end
  options = errors.read_options(options, nil, { where = "losses." .. name, allowed = allowed,
    takes = "a table of options" })
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

--- A loss from a function of `y_true` and `y_pred` that gives one value for each sample.
---@param fn function of two tensors
---@param name? string what logs call it (default "loss")
---@return loss with the reduction "sum_over_batch_size"
--- ```lua
--- local loss = pod.losses.from_function(function(y_true, y_pred)
---   return pod.mean(pod.abs(y_true - y_pred), -1)
--- end, "mine")
--- print(loss({ { 0 } }, { { 2 } }))
--- --> 2.0
--- ```
function losses.from_function(fn, name)
  return setmetatable({ class_name = "LossFunctionWrapper", fn = fn, options = {}, reduction = "sum_over_batch_size",
    name = name or "loss", dtype = "float32", keeps_integers = true, direction = "down" }, Loss)
end

---@name pod.losses.is_loss
--- Whether a value is a loss that a constructor has made.
---@param value any
---@return boolean
---@example pod.losses.is_loss(pod.losses.mse()), pod.losses.is_loss "mse" --> true, false
losses.is_loss = declare.is(Loss)

declare.methods("loss", Loss, losses.is_loss)
declare.metamethods("loss", Loss)

-- Constructors by their names and those of Keras' classes.
local by_name = {}
---@name pod.losses.by_name
--- The constructors of losses by all their names, and by those of Keras' classes.
---@example pod.losses.by_name.MeanSquaredError == pod.losses.mse --> true
losses.by_name = by_name

for _, row in ipairs(CLASSES) do
  local class, name, defaults, aliases, shown, optional = row[1], row[2], row[3], row[4], row[5], row[6] or {}
  local fn, allowed = functions[name], names_of_options(defaults, optional)
  -- pod.losses.NAME: makes the loss of these options; called with y_true and y_pred it computes it.
  local function constructor(options)
    local made = make(fn, options, name, defaults, optional, allowed)
    made.name = options and options.name or shown or name
    made.class_name = class
    return made
  end
  losses[name], by_name[name], by_name[class] = constructor, constructor, constructor
  -- who calls the function itself, as metrics do, may leave options out
  functions[name] = function(y_true, y_pred, options)
    errors.check_type(options or {}, "table", "losses.functions." .. name, "argument 3 (options)")
    if not ops.is_tensor(y_pred) then -- it says so
      return fn(y_true, y_pred, complete(options or {}, name, defaults, optional))
    end
    local value = fn(y_true, as_wide(y_pred, y_pred), complete(options or {}, name, defaults, optional))
    return halves.wide(y_pred.dtype) ~= y_pred.dtype and ops.cast(value, y_pred.dtype) or value
  end
  for _, alias in ipairs(aliases) do
    losses[alias], by_name[alias] = constructor, constructor
  end
end
-- Keras' class is Huber, its name as a string "huber" and of the loss object "huber_loss".
losses.kl_divergence = by_name.kl_divergence

--- Finds a loss by name, takes a loss as it is, makes one of a function.
---@param value string|loss|function
---@param where? string what messages begin with
---@return loss
---@error there is no loss of the name; the message names the nearest
---@example pod.losses.get "mse" --> <loss mean_squared_error, reduction=sum_over_batch_size>
function losses.get(value, where)
  if losses.is_loss(value) then
    return value
  elseif type(value) == "string" then
    return errors.find(by_name, value, "loss", where or "losses.get")()
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
  return in_float32(function(values)
    if options.sample_weight ~= nil then
      values = weighted(values, scope.to_tensor(options.sample_weight))
    end
    local size = options.global_batch_size
    if size == nil then
      size = ops.cast(strategies.global_rows(per_example), values.dtype)
    elseif size == 0 then
      return ops.sum(values) * 0
    end
    return ops.divide_no_nan(ops.sum(values), size) -- 0 for a batch without rows
  end, per_example)
end

-- Values that are one replica's part of a loss: a metric that takes the mean of them is told.
local parts = setmetatable({}, { __mode = "k" })

--- The mean over the global batch: the sum of a replica's losses over the rows of all replicas. In a step of one's own,
--- inside of `strategy:run`, the results of all replicas add up to the mean.
---@param per_example tensor a loss for each sample, `(batch)`
---@param options.sample_weight tensor a weight for each
---@param options.global_batch_size integer the divisor (default: the rows of all replicas)
---@return tensor a scalar
---@example pod.losses.compute_average_loss({ 1, 3 }):item() --> 2
function losses.compute_average_loss(per_example, options)
  local value = average_loss(per_example, options)
  if (trace.enclosing "core" ~= nil) then
    parts[value] = true
  end
  return value
end

--- Whether a value is what `compute_average_loss` gave inside of `strategy:run`, one replica's part of a mean.
---@param value any
---@return boolean
---@example pod.losses.is_part(pod.tensor(1)) --> false
function losses.is_part(value)
  return parts[value] == true
end

--- A replica's share of a regularization loss: the sum of it divided by the number of replicas.
---@param value tensor
---@return tensor a scalar
---@example pod.losses.scale_regularization_loss(pod.tensor { 1, 2 }):item() --> 3
function losses.scale_regularization_loss(value)
  return in_float32(function(x)
    return ops.sum(x) / strategies.get_strategy().num_replicas_in_sync
  end, ops.floating(value))
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
