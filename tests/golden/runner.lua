-- Runs the cases of keras_*.lua: each runner makes of a case what Keras was asked to make, and compares the numbers.
--
-- A difference is an error that names the case, what was compared and the first number that differs.

local pod = require "moonpod"
local nest = require "moonpod.tensor.nest"

local runner = {}

-- ---- values of cases -----------------------------------------------------------------------------------------------

local function numbers_of(text)
  local list = {}
  for word in text:gmatch "%S+" do
    local value = tonumber(word)
    if word == "nan" then
      value = 0 / 0
    elseif word == "inf" then
      value = math.huge
    elseif word == "-inf" then
      value = -math.huge
    end
    list[#list + 1] = value
  end
  return list
end

-- The numbers of a tensor of a case.
local function tensor_numbers(value)
  local list = numbers_of(value.data)
  for i = 1, value.scale and #list or 0 do
    list[i] = list[i] / value.scale
  end
  return list
end

-- A model of a class of one's own: layers one after the other, and what they were given added.
local Residual = pod.models.subclass {
  name = "Residual",
  setup = function(self, inner)
    self.inner = inner
  end,
  call = function(self, x, options)
    local out = x
    for _, layer in ipairs(self.inner) do
      out = layer(out, { training = options.training })
    end
    return x + out
  end,
}

local makers = {
  layer = function(class, options) return pod.layers[class](options) end,
  schedule = function(class, options) return pod.optimizers.schedules[class](options) end,
  regularizer = function(class, options)
    local one_number = { l1 = options.l1, l2 = options.l2 }
    if class == "orthogonal_regularizer" then
      return pod.regularizers.orthogonal(options)
    elseif class == "l1_l2" or class == "l1l2" then
      return pod.regularizers.l1_l2(options)
    end
    return pod.regularizers[class](one_number[class])
  end,
  constraint = function(class, options) return pod.constraints[class](options) end,
  initializer = function(class, options) return pod.initializers[class](options) end,
  loss = function(class, options) return pod.losses[class](options) end,
  optimizer = function(class, options) return pod.optimizers[class](options) end,
  metric = function(class, options) return pod.metrics.by_name[class](options) end,
  residual = function(_, options) return Residual(options.layers) end,
  sequential = function(_, options)
    local model = pod.models.sequential { pod.layers.input { shape = options.shape }, name = options.name }
    for _, layer in ipairs(options.layers) do
      model:add(layer)
    end
    return model
  end,
}

-- Makes the objects and tensors that a case describes.
function runner.make(value)
  if type(value) ~= "table" then
    return value
  elseif value.object then
    return makers[value.object](value.class, runner.make(value.options))
  elseif value.tensor then
    return pod.tensor(tensor_numbers(value), { shape = value.shape, dtype = value.tensor })
  end
  local out = {}
  for key, item in pairs(value) do
    out[key] = runner.make(item)
  end
  return out
end

local make = runner.make

local function snake_case(name)
  return require("moonpod.base.names").snake_case(name)
end

local LAYER_NAMES = { LeakyReLU = "leaky_relu", PReLU = "prelu", StackedRNNCells = "stacked_rnn_cells" }

-- A layer by its name in Keras.
function runner.layer(name, options)
  return pod.layers[LAYER_NAMES[name] or snake_case(name)](make(options))
end

-- A loss by its name in Keras.
function runner.loss(name, options)
  return pod.losses[snake_case(name)](make(options))
end

-- ---- comparison ----------------------------------------------------------------------------------------------------

local flat

function flat(value)
  if rawequal(value, nil) then
    return { 0 / 0 }
  elseif pod.is_tensor(value) then
    local list = {}
    local function add(item)
      if type(item) == "table" then
        for _, one in ipairs(item) do
          add(one)
        end
      else
        list[#list + 1] = item == true and 1 or item == false and 0 or item
      end
    end
    add(value:totable())
    return list, value.shape
  elseif type(value) == "table" and value.tensor then
    return tensor_numbers(value), value.shape
  elseif type(value) == "table" then
    local list = {}
    for _, part in ipairs(value) do
      for _, number in ipairs((flat(part))) do
        list[#list + 1] = number
      end
    end
    return list
  end
  return { value }
end

-- Raises at the first number that differs by more than `relative` of the expected one plus `absolute`.
function runner.compare(what, expected, actual, relative, absolute)
  local want, want_shape = flat(expected)
  local got, got_shape = flat(actual)
  if want_shape and got_shape then
    local shape = "(" .. table.concat(want_shape, ", ") .. (#want_shape == 1 and ",)" or ")")
    if tostring(got_shape) ~= shape then
      error(("%s: the shape is %s; Keras has %s"):format(what, tostring(got_shape), shape), 0)
    end
  end
  if #want ~= #got then
    error(("%s: %d numbers; Keras has %d"):format(what, #got, #want), 0)
  end
  relative, absolute = relative or 1e-5, absolute or 1e-6
  -- Rounding errors of a sum are relative to its largest parts, so the scale of a tensor counts for all its numbers.
  local scale = 0
  for i = 1, #want do
    local size = math.abs(want[i])
    scale = size < math.huge and math.max(scale, size) or scale
  end
  for i = 1, #want do
    local a, b = want[i], got[i]
    if pod.is_tensor(b) then
      b = b:item()
    end
    local same = a == b or a ~= a and b ~= b
      or math.abs(a - b) <= absolute + relative * math.max(math.abs(a), 0.1 * scale)
    if not same then
      error(("%s: number %d is %.9g; Keras has %.9g"):format(what, i, b, a), 0)
    end
  end
end

local compare = runner.compare

-- ---- models --------------------------------------------------------------------------------------------------------

local function one_or_list(list)
  return #list > 1 and list or list[1]
end

-- A list, or its only element; by names where there are some.
function runner.by_key(list, keys)
  if not keys then
    return one_or_list(list)
  end
  local out = {}
  for i, key in ipairs(keys) do
    out[key] = list[i]
  end
  return out
end

-- Makes the functional model of a case, inside the scope of a strategy.
function runner.build(case)
  local tensors, made = {}, {}
  for i, one in ipairs(case.inputs) do
    tensors[i] = pod.layers.input { shape = one.shape, dtype = one.dtype, name = one.name,
      batch_size = case.batch_size }
    made[i] = false
  end
  for _, one in ipairs(case.nodes) do
    local layer
    if type(one.layer) == "number" then
      layer = made[one.layer + 1]
    elseif type(one.layer) == "table" then
      layer = make(one.layer)
    else
      layer = runner.layer(one.layer, one.options)
    end
    local sources = one.sources
    if type(sources) == "table" then
      local list = {}
      for i, at in ipairs(sources) do
        list[i] = tensors[at + 1]
      end
      sources = list
    else
      sources = tensors[sources + 1]
    end
    local call = make(one.call)
    if call.initial_state then
      sources = sources[1]
      for i, at in ipairs(call.initial_state) do
        call.initial_state[i] = tensors[at + 1]
      end
    end
    tensors[#tensors + 1], made[#made + 1] = layer(sources, call), layer
  end
  local inputs, outputs = {}, {}
  for i = 1, #case.inputs do
    inputs[i] = tensors[i]
  end
  for i, at in ipairs(case.outputs) do
    outputs[i] = tensors[at + 1]
  end
  return pod.models.functional { inputs = runner.by_key(inputs, case.input_keys),
    outputs = runner.by_key(outputs, case.output_keys), name = case.model_name }
end

local function compare_lists(what, expected, actual, relative, absolute)
  if #expected ~= #actual then
    error(("%s: %d tensors; Keras has %d"):format(what, #actual, #expected), 0)
  end
  for i = 1, #expected do
    compare(#expected > 1 and what .. " " .. i or what, expected[i], actual[i], relative, absolute)
  end
end

-- Outputs, losses and trained weights of a model on n replicas, of a strategy if one is given. Returns { losses,
-- weights } as lists of numbers.
function runner.run_model(case, replicas, given)
  local strategy = given or replicas and pod.distribute.mirrored(replicas)
  local relative = case.tolerance or 1e-5
  local absolute = case.tolerance or 1e-6
  local policies = pod.mixed_precision
  if case.policy then
    policies.set_global_policy(case.policy)
  end
  local function setup()
    local model = runner.build(case)
    model:set_weights(make(case.weights))
    return model
  end
  local model = strategy and strategy:scope(setup) or setup()
  local x = one_or_list(make(case.x))
  if not strategy or replicas == 1 then
    compare_lists("initial weights", case.weights, model:get_weights(), relative, absolute)
    compare_lists("output", case.output, nest.flatten(model(x, { training = false })), relative, absolute)
    if case.training_output and not strategy then
      compare_lists("training output", case.training_output, nest.flatten(model(x, { training = true })), relative,
        absolute)
      model:set_weights(make(case.weights))
    end
  end
  local function compile()
    model:compile { optimizer = make(case.optimizer), loss = one_or_list(make(case.loss)),
      loss_weights = case.loss_weights }
  end
  if strategy then
    strategy:scope(compile)
  else
    compile()
  end
  local y = one_or_list(make(case.y))
  local weight = make(case.sample_weight)
  local losses = {}
  for step = 1, case.steps do
    losses[step] = model:train_on_batch(x, y, { sample_weight = weight, return_dict = true }).loss
  end
  if case.policy then
    policies.set_global_policy "float32"
  end
  compare("loss of each step", case.losses, losses, relative, absolute)
  local weights = model:get_weights()
  compare_lists("trained weights", case.final, weights, relative, absolute)
  local all = {}
  for _, value in ipairs(weights) do
    for _, number in ipairs((flat(value))) do
      all[#all + 1] = number
    end
  end
  return { losses = losses, weights = all }
end

-- ---- losses, metrics, optimizers and so on -------------------------------------------------------------------------

function runner.run_loss(case)
  local loss = runner.loss(case.class, case.options)
  local y_true, y_pred, weight = make(case.y_true), make(case.y_pred), make(case.sample_weight)
  local mask = make(case.mask)
  local tape, value = pod.tape(function(tape)
    tape:watch(y_pred)
    local guess = y_pred * 1
    if mask then
      nest.set_mask(guess, mask:cast "bool")
    end
    return loss(y_true, guess, weight)
  end)
  compare("value", case.value, value)
  compare("gradient", case.gradient, tape:gradient(value, y_pred))
end

function runner.run_metric(case)
  local metric = pod.metrics.by_name[case.class](make(case.options))
  for i, update in ipairs(case.updates) do
    local y_true, y_pred, weight = make(update.y_true), make(update.y_pred), make(update.sample_weight)
    if y_pred == nil then
      metric:update_state(y_true, weight)
    else
      metric:update_state(y_true, y_pred, weight)
    end
    compare("result " .. i, update.result, metric:result())
  end
  metric:reset_state()
  local first = case.updates[1]
  local y_true, y_pred, weight = make(first.y_true), make(first.y_pred), make(first.sample_weight)
  if y_pred == nil then
    metric:update_state(y_true, weight)
  else
    metric:update_state(y_true, y_pred, weight)
  end
  compare("result after reset_state", first.result, metric:result())
end

-- The loss of a batch cut over n replicas: their parts add up to the loss of the whole.
function runner.run_loss_on_replicas(case, replicas)
  local strategy = pod.distribute.mirrored(replicas)
  local loss = runner.loss(case.class, case.options)
  local function split(value)
    return value and strategy:split(make(value)) or false
  end
  local parts = strategy:run(function(y_true, y_pred, weight, mask)
    if mask then
      nest.set_mask(y_pred, mask:cast "bool")
    end
    return loss(y_true, y_pred, weight or nil)
  end, { split(case.y_true), split(case.y_pred), split(case.sample_weight), split(case.mask) })
  if case.options.reduction == "none" then
    compare("values", case.value, strategy:gather(parts, 0))
  else
    compare("value", case.value, strategy:reduce("sum", parts))
  end
end

-- A metric that each replica updates with its shard.
function runner.run_metric_on_replicas(case, replicas)
  local strategy = pod.distribute.mirrored(replicas)
  local metric = strategy:scope(function()
    return pod.metrics.by_name[case.class](make(case.options))
  end)
  local function split(value)
    return value and strategy:split(make(value)) or false
  end
  for i, update in ipairs(case.updates) do
    strategy:run(function(y_true, y_pred, weight)
      if y_pred then
        metric:update_state(y_true, y_pred, weight or nil)
      else
        metric:update_state(y_true, weight or nil)
      end
    end, { split(update.y_true), split(update.y_pred), split(update.sample_weight) })
    compare("result " .. i, update.result, metric:result())
  end
end

function runner.run_optimizer(case)
  local optimizer = pod.optimizers.by_name[case.class](make(case.options))
  if case.exclude then
    optimizer:exclude_from_weight_decay { var_names = case.exclude }
  end
  local wrapped = optimizer
  if case.loss_scale then
    wrapped = pod.optimizers.loss_scale_optimizer(optimizer, case.loss_scale)
  end
  local names, variables = { "kernel", "bias" }, {}
  for i, start in ipairs(case.start) do
    variables[i] = pod.variable(make(start), { name = names[i] })
  end
  local gradients = { make(case.gradients[1]), make(case.gradients[2]) }
  local states = make(case.states)
  local scales = case.scales and numbers_of(case.scales.data)
  local function values()
    local all = {}
    for _, v in ipairs(variables) do
      for _, number in ipairs((flat(v:value()))) do
        all[#all + 1] = number
      end
    end
    return all
  end
  for step = 1, states.shape[1] do
    wrapped:apply({ gradients[1][step], gradients[2][step] }, variables)
    compare("weights after step " .. step, (flat(states[step])), values())
    if scales then
      compare("scale after step " .. step, scales[step], wrapped.dynamic_scale:value())
    end
  end
  if case.averages then
    optimizer:finalize_variable_values(variables)
    compare("averages", case.averages, values())
  end
end

function runner.run_schedule(case)
  local schedule = pod.optimizers.schedules[snake_case(case.class)](make(case.options))
  local steps, values = numbers_of(case.steps.data), numbers_of(case.values.data)
  for i, step in ipairs(steps) do
    compare("rate of step " .. step, values[i], schedule(step), 1e-5, 1e-8)
  end
end

function runner.run_activation(case)
  local x, options = make(case.x), make(case.options)
  local tape, result = pod.tape(function(tape)
    tape:watch(x)
    local y = pod.activations[case.activation](x, options)
    return { y = y, total = (y * make(case.upstream)):sum() }
  end)
  compare("value", case.y, result.y)
  compare("gradient", case.gradient, tape:gradient(result.total, x))
end

function runner.run_initializer(case)
  local options = make(case.options)
  if not case.exact then
    options.seed = 1
  end
  local initializer = pod.initializers[snake_case(case.class)](options)
  local value = initializer(case.shape, "float32")
  if case.exact then
    compare("values", case.exact, value)
    return
  end
  local mean, deviation = value:mean():item(), value:std():item()
  -- Two samples of n: their means differ by some 1.4 deviations / sqrt(n), their deviations by as much.
  local count = value:size()
  local room = 6 * case.deviation / math.sqrt(count)
  compare("mean", case.mean, mean, 0, room)
  compare("deviation", case.deviation, deviation, 0, room)
  local spread = case.deviation
  compare("least", case.low, value:min():item(), 0, spread)
  compare("greatest", case.high, value:max():item(), 0, spread)
end

function runner.run_fit(case)
  local model = pod.models.sequential { pod.layers.input { case.features } }
  for _, one in ipairs(case.layers) do
    model:add(pod.layers[one.layer](make(one.options)))
  end
  model:set_weights(make(case.weights))
  model:compile { optimizer = make(case.optimizer), loss = make(case.loss), metrics = make(case.metrics),
    weighted_metrics = make(case.weighted_metrics) }
  local options = make(case.fit)
  options.shuffle, options.verbose, options.sample_weight = false, 0, make(case.sample_weight)
  if case.class_weight then
    options.class_weight = {}
    for i, weight in ipairs(case.class_weight) do
      options.class_weight[i - 1] = weight
    end
  end
  local x, y = make(case.x), make(case.y)
  local history = model:fit(x, y, options)
  compare("epochs", case.epochs, history.epoch)
  for name, values in pairs(case.history) do
    if not history.history[name] then
      local has = {}
      for other in pairs(history.history) do
        has[#has + 1] = other
      end
      error(("history has no '%s'; it has %s"):format(name, table.concat(has, ", ")), 0)
    end
    compare("history of " .. name, values, history.history[name])
  end
  for name in pairs(history.history) do
    if not case.history[name] then
      error(("history has '%s'; Keras' has not"):format(name), 0)
    end
  end
  compare_lists("trained weights", case.final, model:get_weights())
  if case.evaluate then
    local values = model:evaluate(x, y, { batch_size = 7, verbose = 0, return_dict = true,
      sample_weight = make(case.sample_weight) })
    for name, value in pairs(case.evaluate) do
      compare("evaluate " .. name, value, values[name])
    end
  end
  compare("predict", case.predict, model:predict(x, { batch_size = 7 }))
end

-- ---- texts ---------------------------------------------------------------------------------------------------------

local function compare_text(expected, actual)
  if expected == actual then
    return
  end
  local want, got = {}, {}
  for line in (expected .. "\n"):gmatch "(.-)\n" do
    want[#want + 1] = line
  end
  for line in (actual .. "\n"):gmatch "(.-)\n" do
    got[#got + 1] = line
  end
  for i = 1, math.max(#want, #got) do
    if want[i] ~= got[i] then
      error(("line %d is\n%s\nKeras has\n%s\nall of it:\n%s"):format(i, tostring(got[i]), tostring(want[i]), actual), 0)
    end
  end
end

function runner.run_summary(case)
  require("moonpod.base.names").reset()
  local model
  if case.sequential then
    local list = {}
    for i, one in ipairs(case.sequential) do
      list[i] = make(one)
    end
    list.name = "sequential"
    model = pod.models.sequential(list)
    if case.build then
      local shape = { -1 }
      for i, size in ipairs(case.build) do
        shape[i + 1] = size
      end
      model:build(shape)
    end
  else
    model = runner.build(case)
  end
  if case.trained then
    local rows = { 4 }
    for i, size in ipairs(case.build) do
      rows[i + 1] = size
    end
    model:compile { optimizer = "adam", loss = "mse" }
    local x = pod.zeros(rows)
    model:fit(x, pod.zeros_like(model(x)), { verbose = 0 })
  end
  local parts, options = {}, make(case.options)
  options.print_fn = function(text)
    parts[#parts + 1] = text
  end
  model:summary(options)
  compare_text(case.text, table.concat(parts))
end

function runner.run_progress(case)
  local now, texts = 100, {}
  local stateless = {}
  for _, name in ipairs(case.stateless) do
    stateless[name] = true
  end
  local bar = require("moonpod.models.progress_bar").new {
    stateless = stateless,
    target = case.target, verbose = case.verbose, terminal = case.terminal,
    clock = function() return now end,
    write = function(text) texts[#texts + 1] = text end,
  }
  for _, event in ipairs(case.events) do
    now = 100 + event.time
    bar:update(event.step, event.values, event.finalize)
  end
  for i = 1, math.max(#texts, #case.bytes) do
    local want = (case.bytes[i] or ""):gsub("..", function(byte) return string.char(tonumber(byte, 16)) end)
    if want ~= texts[i] then
      error(("text %d is %q; Keras has %q"):format(i, tostring(texts[i]), want), 0)
    end
  end
end

return runner
