-- Runs models that were drawn at random and trained by Keras (tests/fuzz/models/run.py): compares all that they give.

local pod = require "moonpod"
local nest = require "moonpod.tensor.nest"
local runner = require "runner"

local random_models = {}

local ROWS = 4 -- of train_on_batch and its like, where a case says no other

-- Bounds, relative to the numbers and to the largest of their tensor: three steps of float32, sums in another order;
-- and 16-bit numbers, which Keras rounds after each operation.
local FLOAT32 = { relative = 2e-4, absolute = 2e-5 }
local MIXED = { relative = 0.06, absolute = 0.03 }

-- The data of one batch.
local function first_rows(data)
  local first = {}
  for _, key in ipairs { "x", "y", "weight" } do
    first[key] = data[key] and nest.map(data[key], function(t)
      return pod.slice_axis(t, 0, 0, math.min(data.rows, t.shape[1]))
    end)
  end
  return first
end

local function class_weight(list)
  local by_class
  for i, weight in ipairs(list or {}) do
    by_class = by_class or {}
    by_class[i - 1] = weight
  end
  return by_class
end

local function fit(model, data, action)
  local history = model:fit(data.x, data.y, { batch_size = action.batch_size, epochs = action.epochs, shuffle = false,
    verbose = 0, sample_weight = data.weight, class_weight = data.classes, steps_per_epoch = action.steps_per_epoch,
    validation_batch_size = data.rows, validation_split = action.validation_split,
    validation_data = action.validation and { data.x, data.y, data.weight } or nil })
  return history.history
end

local actions = { fit = fit }

function actions.train(model, data)
  local first = first_rows(data)
  return model:train_on_batch(first.x, first.y, { sample_weight = first.weight, class_weight = data.classes,
    return_dict = true })
end

function actions.test(model, data)
  local first = first_rows(data)
  return model:test_on_batch(first.x, first.y, { sample_weight = first.weight, return_dict = true })
end

function actions.evaluate(model, data)
  return model:evaluate(data.x, data.y, { batch_size = data.rows, sample_weight = data.weight, verbose = 0,
    return_dict = true })
end

function actions.predict(model, data)
  return nest.flatten(model:predict(data.x, { batch_size = data.rows }))
end

function actions.predict_on_batch(model, data)
  return nest.flatten(model:predict_on_batch(first_rows(data).x))
end

local function build(case)
  local model = runner.build(case)
  model:set_weights(runner.make(case.weights))
  local function per_output(lists)
    local any = false
    for _, list in ipairs(lists) do
      any = any or #list > 0
    end
    return any and runner.by_key(runner.make(lists), case.output_keys) or nil
  end
  local optimizer = runner.make(case.optimizer)
  if case.loss_scale then
    optimizer = pod.optimizers.loss_scale_optimizer(optimizer, { initial_scale = case.loss_scale })
  end
  model:compile { optimizer = optimizer, loss = runner.by_key(runner.make(case.loss), case.output_keys),
    loss_weights = case.loss_weights and runner.by_key(case.loss_weights, case.output_keys),
    metrics = per_output(case.metrics),
    weighted_metrics = per_output(case.weighted_metrics), steps_per_execution = case.steps_per_execution,
    run_eagerly = case.run_eagerly }
  if case.rematerialize then
    model:set_memory_options { rematerialize = case.rematerialize }
  end
  return model
end

-- Where Keras' answers move by more when its numbers move a little, the difference is no fault: `case.far` has how far
-- each tensor may be. 16-bit cases without it have bounds of their own.
local function compare_all(case, results, weights)
  local far = case.far
  local bound = (case.policy or case.mixed_layers) and not far and MIXED or FLOAT32
  local function compare(title, want, got, more)
    runner.compare(title, want, got, bound.relative, bound.absolute + (more or 0))
  end
  for i, answer in ipairs(case.answers) do
    local title = ("action %d (%s)"):format(i, case.actions[i].kind)
    for _, name in ipairs(nest.sorted_keys(answer)) do
      local result = results[i][name]
      if result == nil then
        error(("%s: there is no %s"):format(title, name), 0)
      end
      compare(title .. ": " .. name, answer[name], result, far and far.answers[i][name])
    end
    for name in pairs(results[i]) do
      if answer[name] == nil then
        error(("%s: Keras has no %s"):format(title, name), 0)
      end
    end
  end
  for i, weight in ipairs(case.final) do
    compare("trained weight " .. i, weight, weights[i], far and far.final[i])
  end
end

-- Raises at the first number that is not Keras'.
function random_models.run(case)
  if case.policy then
    pod.mixed_precision.set_global_policy(case.policy)
  end
  local ok, message = pcall(function()
    local strategy = case.replicas and pod.distribute.mirrored(case.replicas)
    local model
    if strategy then
      model = strategy:scope(function() return build(case) end)
    else
      model = build(case)
    end
    local weight = runner.make(case.sample_weight)
    if weight and case.output_keys then
      weight = runner.by_key(pod.is_tensor(weight) and { weight } or weight, case.output_keys)
    end
    local data = { x = runner.by_key(runner.make(case.x), case.input_keys or case.input_names),
      y = runner.by_key(runner.make(case.y), case.output_keys), weight = weight,
      classes = class_weight(case.class_weight), rows = case.batch or ROWS }
    local results = {}
    for i, action in ipairs(case.actions) do
      results[i] = actions[action.kind](model, data, action)
    end
    compare_all(case, results, model:get_weights())
  end)
  if case.policy then
    pod.mixed_precision.set_global_policy "float32"
  end
  if not ok then
    error(message, 0)
  end
end

return random_models
