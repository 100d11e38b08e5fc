-- Losses and metrics of a compiled model, put together from what compile() was given.

local errors = require "moonpod.base.errors"
local index_numbers = require "moonpod.ops.index_numbers"
local losses = require "moonpod.losses"
local metrics = require "moonpod.metrics"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local places = require "moonpod.models.places"
local readable = require "moonpod.base.readable"
local shapes = require "moonpod.base.shapes"
local warnings = require "moonpod.base.warnings"
local is_whole = require "moonpod.base.kinds".is_whole

local compiled = {}

local fill = shapes.fill

-- Losses of probabilities.
local OF_PROBABILITIES = { binary_crossentropy = true, binary_focal_crossentropy = true,
  categorical_crossentropy = true, categorical_focal_crossentropy = true, sparse_categorical_crossentropy = true,
  kl_divergence = true }

-- Tells once of an output that is rounded to 16 bits before a loss takes its logarithm.
local function warn_of_16_bits(model, name, output, loss)
  if output.dtype ~= "float16" and output.dtype ~= "bfloat16" or not OF_PROBABILITIES[loss.kind]
    or loss.options.from_logits or model._state.told_of_16_bits then
    return
  end
  model._state.told_of_16_bits = true
  warnings.warn("compile: output '%s' of model '%s' is %s, and the loss '%s' takes logarithms of it: give its last "
    .. "layer, such as the softmax, dtype = \"float32\"", name, model.name, output.dtype, loss.name)
end

-- The places of the outputs, named as the layers that made them, or "output_1" and so on.
local function places_of(model, y_pred)
  local names = {}
  local outputs = model._state.output
  local made = outputs and nest.flatten(outputs)
  for i = 1, #nest.flatten(y_pred) do
    names[i] = made and made[i] and made[i].history.call.layer.name or "output_" .. i
  end
  return places.of(model, "output", y_pred, names)
end

-- Spreads something given once, as a list of one for each output or by name over the outputs. Returns a list (false
-- where nothing is given).
local function spread(given, outputs, what)
  local count = #outputs.names
  local out = fill(count, false)
  if given == nil then
    return out
  elseif not readable.is_plain(given) or count == 1 and given[1] == nil and next(given) == nil then
    return fill(count, given)
  end
  local last = 0
  for key, value in pairs(given) do
    local at = type(key) == "number" and key or outputs.by_name[key]
    last = type(key) == "number" and math.max(last, key) or last
    if at == nil or at > count then
      errors.raise("compile: %s is given for output '%s', which the model does not have%s", what, tostring(key),
        errors.suggest(tostring(key), outputs.by_name))
    end
    out[at] = value
  end
  if last > 0 and last < count then
    errors.raise("compile: %s is given for %d of %d outputs; a list has one for each, and names tell which it is for: "
      .. "{ %s = ... }", what, last, count, outputs.names[1])
  end
  return out
end

local function targets(outputs, y_true, needed)
  return outputs:bind(y_true, "targets", needed)
end

-- A function that gives the weights of the samples for the output of an index, or nil. Weights in no table are for all.
local function weights_of(outputs, given, needed)
  local of = given ~= nil and not nest.is_leaf(given) and outputs:bind(given, "weights of samples", needed)
  return function(index)
    return of and of[index] or not of and given or nil
  end
end

-- Makes the loss of a model: an object with `terms` (loss, weight and name of each output).
function compiled.losses(model, y_pred, y_true)
  local options = model._state.compile_options
  if options.loss == nil then
    return { terms = {} }
  end
  local flat, outputs = nest.flatten(y_pred), places_of(model, y_pred)
  local names = outputs.names
  local given = spread(options.loss, outputs, "a loss")
  local weights = spread(options.loss_weights, outputs, "a loss weight")
  local truth = y_true ~= nil and targets(outputs, y_true, {}) or {}
  local terms, needed = {}, {}
  for i = 1, #flat do
    if given[i] then
      local one = given[i]
      if one == "crossentropy" or one == "ce" then
        local last, t = flat[i].shape[#flat[i].shape], truth[i]
        one = last == 1 and "binary_crossentropy"
          or t and #t.shape < #flat[i].shape and "sparse_categorical_crossentropy" or "categorical_crossentropy"
      end
      one = losses.get(one, "compile")
      warn_of_16_bits(model, names[i], flat[i], one)
      terms[#terms + 1] = { index = i, loss = one, weight = weights[i] or nil, name = names[i] }
      needed[i] = true
    end
  end
  return { terms = terms, many = #flat > 1, outputs = outputs, needed = needed }
end

-- Adds up the losses of the outputs; tells each to `each(name, value)` where there are several.
function compiled.total_loss(self, y_true, y_pred, sample_weight, each)
  local guess, truth, weights = nest.flatten(y_pred), targets(self.outputs, y_true, self.needed),
    weights_of(self.outputs, sample_weight, self.needed)
  local total
  for _, term in ipairs(self.terms) do
    local value = term.loss(truth[term.index], guess[term.index], weights(term.index))
    if #value.shape > 0 then
      errors.raise("loss '%s' gave shape %s; in fit a loss must be reduced to one number (reduction is '%s')",
        term.loss.name, tostring(value.shape), term.loss.reduction)
    end
    if each then
      each(term.name, value)
    end
    if term.weight then
      value = value * term.weight
    end
    total = total and total + value or value
  end
  return total
end

-- The name of a metric in the logs, as Keras has it. Where it is taken, a metric of `weighted_metrics` begins with
-- "weighted_", and others end with a number. taken: how often each name was.
local function shown_name(taken, name, output, weighted)
  local before = output and output .. "_" or ""
  local shown = before .. name
  if weighted and taken[shown] then
    shown = before .. "weighted_" .. name
  end
  local count = taken[shown] or 0
  taken[shown] = count + 1
  return count > 0 and shown .. "_" .. count or shown
end

-- Adds the metrics of an output; `name` is that of the output where there are several.
local function add_metrics(list, given, index, name, weighted, truth, guess)
  if not readable.is_plain(given) then
    given = { given }
  end
  for _, one in ipairs(given) do
    local metric = metrics.get(one, "compile", truth, guess)
    local shown = shown_name(list.taken, metric.name, name, weighted)
    list[#list + 1] = { metric = metric, index = index, shown = shown, weighted = weighted }
  end
end

-- Makes the metrics of a model: a list of { metric, index (of the output), shown (name in the logs), weighted }.
function compiled.metrics(model, y_true, y_pred)
  local options = model._state.compile_options
  local flat, outputs = nest.flatten(y_pred), places_of(model, y_pred)
  local truth = targets(outputs, y_true, {})
  local list = { taken = {}, outputs = outputs, needed = {} }
  for _, kind in ipairs { "metrics", "weighted_metrics" } do
    local given = options[kind]
    if given ~= nil then
      if not readable.is_plain(given) then
        given = { given }
      end
      local of = #flat == 1 and given[1] ~= nil and { given } or spread(given, outputs, "a metric")
      for i = 1, #flat do
        if of[i] then
          list.needed[i] = true
          add_metrics(list, of[i], i, #flat > 1 and outputs.names[i] or nil, kind == "weighted_metrics", truth[i],
            flat[i])
        end
      end
    end
  end
  list.taken = nil
  return list
end

-- Updates the metrics with a batch.
function compiled.update_metrics(list, y_true, y_pred, sample_weight)
  if #list == 0 then
    return
  end
  local guess, truth, weights = nest.flatten(y_pred), targets(list.outputs, y_true, list.needed),
    weights_of(list.outputs, sample_weight, list.needed)
  for _, entry in ipairs(list) do
    entry.metric:update_state(truth[entry.index], guess[entry.index], entry.weighted and weights(entry.index) or nil)
  end
end

-- Refuses what are no weights of classes, and what would be taken for those of other classes.
function compiled.check_class_weight(where, class_weight, sample_weight)
  if class_weight == nil then
    return
  end
  if sample_weight ~= nil then
    errors.raise("%s: class_weight and sample_weight cannot be given at the same time; multiply the weights of the "
      .. "classes into sample_weight", where)
  end
  errors.check_type(class_weight, "table", where, "class_weight")
  for class, weight in pairs(class_weight) do
    if not is_whole(class, 0) or type(weight) ~= "number" then
      errors.raise("%s: class_weight must give a number for class numbers from 0: { [0] = 1.0, [1] = 5.0 }", where)
    end
  end
  -- Lists of Lua count from 1.
  if class_weight[1] ~= nil and class_weight[0] == nil then
    errors.raise("%s: class_weight has a weight for class 1 and none for class 0; classes count from 0: "
      .. "{ [0] = 1.0, [1] = 5.0 }", where)
  end
end

-- The weight of each sample from the weights of its class: { [0] = 1, [1] = 5 }.
function compiled.class_weights(class_weight, y, sample_weight)
  compiled.check_class_weight("fit", class_weight, sample_weight)
  if y == nil or not nest.is_leaf(y) or #y.shape > 2 then
    errors.raise("fit: class_weight is for models with one output and one label a row%s", y == nil and "; y is nil"
      or nest.is_leaf(y) and "; y has shape " .. tostring(y.shape) or "")
  end
  if #y.shape == 2 and y.shape[2] > 1 then
    y = ops.argmax(y, -1)
  elseif #y.shape == 2 then
    y = ops.squeeze(y, -1)
  end
  local y_class = index_numbers(ops.is_float(y.dtype) and ops.round(y) or y)
  local weight = ops.ones_like(ops.cast(y_class, "float32"))
  for _, class in ipairs(nest.sorted_keys(class_weight)) do
    weight = ops.where(ops.equal(y_class, class), class_weight[class], weight)
  end
  return weight
end

return compiled
