-- Every loss, metric, optimizer, schedule, initializer, regularizer, constraint, activation and dtype policy as plain
-- data: with its defaults, with each option alone, and with random options, it is written as JSON, read and made again;
-- then it has the same config and gives the same results to the bit.

local json = require "moonpod.base.json"
local objects = require "moonpod.saving.objects"
local pod = require "moonpod"

local seed = tonumber(os.getenv "MOONPOD_SEED") or 20261123
local state = seed

local function draw(count)
  state = (state * 16807) % 2147483647
  return state % count + 1
end

local function same(a, b, where)
  assert.equal(tostring(a.shape), tostring(b.shape), where)
  assert.equal(a.dtype, b.dtype, where)
  local both = pod.logical_and(pod.not_equal(a, a), pod.not_equal(b, b))
  assert.is_true(pod.all(pod.logical_or(pod.equal(a, b), both)):item(), where)
end

local function text_of(object)
  return json.encode(objects.serialize(object))
end

-- The object of an object's JSON text, read as one of a kind.
local function again(object, kind)
  local text = text_of(object)
  local made = objects.deserialize(json.decode(text), kind)
  assert.equal(text, text_of(made))
  assert.equal(json.encode(object:get_config()), json.encode(made:get_config()))
  assert.equal(tostring(object), tostring(made))
  return made
end

-- The names of the options of a constructor, as it tells them.
local function options_of(constructor)
  local _, problem = pcall(constructor, { what_nobody_would_call_an_option = 1 })
  local list = {}
  for name in (tostring(problem):match "there are (.*)" or ""):gmatch "[%w_]+" do
    list[#list + 1] = name
  end
  return list
end

local function merge(...)
  local out = {}
  for _, part in ipairs { ... } do
    for key, value in pairs(part) do
      out[key] = value
    end
  end
  return out
end

-- Constructors of a table by name, without functions that make none.
local function constructors(functions, others)
  local out = {}
  for name, value in pairs(functions) do
    if type(value) == "function" and name:sub(1, 1) ~= "_"
      and not (" " .. others .. " "):find(" " .. name .. " ", 1, true) then
      out[name] = value
    end
  end
  assert.is_not_nil(next(out))
  return out
end

-- Makes the objects of constructors: alone, with each option, and with random options. values(name) gives for each
-- option a value that is no default; an option without one is an error.
local function each_object(functions, others, needed, values, check)
  for name, constructor in pairs(constructors(functions, others)) do
    it(name, function()
      local base, of = needed[name] or {}, values(name)
      check(name, constructor(base))
      local names = options_of(constructor)
      for _, option in ipairs(names) do
        if of[option] == nil then
          error(("no value to try for option '%s' of %s"):format(option, name))
        end
        check(name, constructor(merge(base, { [option] = of[option] })))
      end
      for _ = 1, #names > 1 and 4 or 0 do
        local options = merge(base)
        for _, option in ipairs(names) do
          options[option] = draw(2) == 1 and of[option] or options[option]
        end
        local ok, object = pcall(constructor, options)
        if ok then -- some options exclude each other
          check(name, object)
        end
      end
    end)
  end
end

local function constant(table_)
  return function()
    return table_
  end
end

describe("as plain data (seed " .. seed .. "), a loss:", function()
  local y_true = pod.tensor { { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } }
  local y_pred = pod.random.uniform({ 3, 3 }, { minval = 0.1, maxval = 0.9, seed = 1 })
  local classes = pod.tensor({ 1, 0, 2 }, "int32")
  local by_class = { sparse_categorical_crossentropy = true, circle = true,
    categorical_generalized_cross_entropy = true }

  each_object(pod.losses, "apply_mask compute_average_loss from_function get is_loss is_part reduce same_rank "
    .. "scale_regularization_loss with_sparse_labels", {}, constant { name = "own", reduction = "sum",
    dtype = "float64", axis = 0, alpha = 0.75, beta = 0.25, gamma = 3, delta = 0.125, from_logits = true,
    label_smoothing = 0.125, apply_class_balancing = true, ignore_class = 1, q = 0.75, margin = 0.25, remove_diagonal
    = false },
    function(name, loss)
      local made = again(loss, "loss")
      local given = by_class[name] and classes or y_true
      local ok, value = pcall(loss, given, y_pred)
      if ok then
        same(value, made(given, y_pred), name)
      else -- the axis of class numbers
        assert.is_false(pcall(made, given, y_pred))
      end
    end)

  it("from a function", function()
    local fn = pod.register("saving_objects_spec.loss", function(a, b)
      return pod.mean(pod.square(a - b) * 3, -1)
    end)
    local loss = pod.losses.from_function(fn, "own")
    same(loss(y_true, y_pred), again(loss, "loss")(y_true, y_pred))
    assert.has_error(function()
      objects.serialize(pod.losses.from_function(function() end))
    end)
    assert.equal(pod.losses.functions.huber, objects.deserialize(objects.serialize(pod.losses.functions.huber)))
  end)
end)

describe("as plain data (seed " .. seed .. "), a metric:", function()
  local y_true = pod.tensor { { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } }
  local y_pred = pod.random.uniform({ 3, 3 }, { minval = 0.1, maxval = 0.9, seed = 1 })
  local iou = { num_classes = 3, target_class_ids = { 0, 2 } }
  local needed = { precision_at_recall = { recall = 0.5 }, recall_at_precision = { precision = 0.5 },
    sensitivity_at_specificity = { specificity = 0.5 }, specificity_at_sensitivity = { sensitivity = 0.5 },
    iou = iou, one_hot_iou = iou, binary_iou = { target_class_ids = { 0, 1 } }, mean_iou = { num_classes = 3 },
    one_hot_mean_iou = { num_classes = 3 } }

  each_object(pod.metrics, "from_function get is_metric subclass", needed, function(name)
    return { name = "own", dtype = "float64", axis = 0, curve = "PR", from_logits = true, label_smoothing = 0.125,
      label_weights = { 1, 2, 3 }, multi_label = true, num_labels = 3, num_thresholds = 50,
      summation_method = "majoring", thresholds = name == "auc" and { 0.25, 0.5 } or { 0.25, 0.75 }, threshold = 0.75,
      average = "macro", beta = 2, class_id = 1, top_k = 2, k = 2, ignore_class = 0, num_classes = 4,
      sparse_y_pred = false, sparse_y_true = false, target_class_ids = { 1 }, class_aggregation = "none",
      num_regressors = 1, recall = 0.25, precision = 0.25, specificity = 0.25, sensitivity = 0.25 }
  end, function(name, metric)
    local made = again(metric, "metric")
    local function result(one)
      one:update_state(y_true, y_pred)
      one:update_state(y_true, y_pred * 0.5)
      return one:result()
    end
    local ok, value = pcall(result, metric)
    if ok then
      same(value, result(made), name)
    else -- of values alone, or of class numbers
      assert.is_false(pcall(result, made))
    end
    again(metric, "metric") -- used: as before
  end)

  it("from a function", function()
    local fn = pod.register("saving_objects_spec.metric", function(a, b)
      return pod.mean(pod.abs(a - b) * 3, -1)
    end)
    local metric = pod.metrics.from_function(fn, "own")
    local made = again(metric, "metric")
    same(metric(y_true, y_pred), made(y_true, y_pred))
  end)
end)

-- A few steps of an optimizer on two weights.
local function trained(optimizer)
  local a, b = pod.variable(pod.random.normal({ 3, 4 }, { seed = 1 }), { name = "a" }), pod.variable({ 1, 2, 3 },
    { name = "b" })
  for step = 1, 5 do
    optimizer:apply_gradients { { pod.random.normal({ 3, 4 }, { seed = step }), a },
      { pod.random.normal({ 3 }, { seed = step + 10 }), b } }
  end
  optimizer:finalize_variable_values()
  return a, b
end

describe("as plain data (seed " .. seed .. "), an optimizer:", function()
  local function check(name, optimizer)
    local made = again(optimizer, "optimizer")
    local a, b = trained(optimizer)
    local other_a, other_b = trained(made)
    same(a:value(), other_a:value(), name)
    same(b:value(), other_b:value(), name)
    again(optimizer, "optimizer")
  end

  each_object(pod.optimizers, "get is_optimizer loss_scale_optimizer", {}, constant { name = "own",
    learning_rate = 0.25, weight_decay = 0.125, clipnorm = 1.5, clipvalue = 0.5, global_clipnorm = 2, use_ema = true,
    ema_momentum = 0.5, ema_overwrite_frequency = 2, loss_scale_factor = 4, gradient_accumulation_steps = 2, amsgrad
    = true, beta_1 = 0.5, beta_2 = 0.75, beta = 0.5, epsilon = 1e-3, eps = 1e-3, epsilon_1 = 1e-10, epsilon_2 = 0.01,
    beta_2_decay = -0.5, clip_threshold = 0.5, relative_step = false, rho = 0.5, momentum = 0.5, nesterov = true,
    centered = true, initial_accumulator_value = 0.25, l1_regularization_strength = 0.125, l2_regularization_strength
    = 0.25, l2_shrinkage_regularization_strength = 0.125, learning_rate_power = -0.25, trust_coefficient = 0.01,
    adam_beta_1 = 0.5, adam_beta_2 = 0.75, adam_weight_decay = 0.25, adam_lr_ratio = 0.5, exclude_layers = { "^b" },
    exclude_embeddings = false, muon_a = 3, muon_b = -4, muon_c = 2, ns_steps = 3, rms_rate = 0.5 }, check)

  it("with a schedule, a function, another rate since, weights left out of decay", function()
    check("schedule", pod.optimizers.sgd(pod.schedules.cosine_decay(0.5, 10, { alpha = 0.25 })))
    check("function", pod.optimizers.sgd(pod.register("saving_objects_spec.rate", function(step)
      return step:cast "float32" * 0.125
    end)))
    local changed = pod.optimizers.sgd(0.1)
    changed.learning_rate = 0.3
    assert.equal(0.1, pod.optimizers.sgd(0.1):get_config().learning_rate)
    assert.near(0.3, changed:get_config().learning_rate, 1e-7)
    check("rate", changed)
    local excluded = pod.optimizers.adamw { weight_decay = 0.5 }
    excluded:exclude_from_weight_decay { var_names = { "^b" } }
    check("excluded", excluded)
    local listed = pod.optimizers.adamw { weight_decay = 0.5 }
    listed:exclude_from_weight_decay { var_list = { pod.variable(1, { name = "a.1" }) } }
    assert.same({ "^a%.1$" }, listed:get_config().exclude_from_weight_decay)
  end)

  it("with loss scaling", function()
    local scaled = pod.optimizers.loss_scale_optimizer(pod.optimizers.adam(0.5), { initial_scale = 8,
      dynamic_growth_steps = 2 })
    check("scaled", scaled)
    assert.equal("Adam", scaled:get_config().inner_optimizer.class_name)
    check("default", pod.optimizers.loss_scale_optimizer "sgd")
  end)
end)

describe("as plain data (seed " .. seed .. "), a schedule:", function()
  local needed = {}
  for _, name in ipairs { "exponential_decay", "inverse_time_decay" } do
    needed[name] = { initial_learning_rate = 0.5, decay_steps = 3, decay_rate = 0.5 }
  end
  needed.cosine_decay = { initial_learning_rate = 0.5, decay_steps = 5 }
  needed.polynomial_decay = needed.cosine_decay
  needed.cosine_decay_restarts = { initial_learning_rate = 0.5, first_decay_steps = 3 }
  needed.linear_scale = { base_learning_rate = 0.5, base_batch = 8, batch = 16 }
  needed.piecewise_constant_decay = { boundaries = { 2, 4 }, values = { 0.5, 0.25, 0.125 } }

  each_object(pod.schedules, "is_schedule", needed, constant { name = "own", initial_learning_rate = 0.75,
    decay_steps = 7, decay_rate = 0.25, staircase = true, alpha = 0.125, warmup_target = 0.875, warmup_steps = 2,
    first_decay_steps = 4, t_mul = 1.5, m_mul = 0.5, end_learning_rate = 0.01, power = 2, cycle = true,
    base_learning_rate = 0.25, base_batch = 4, batch = 32, boundaries = { 1, 3 }, values = { 1, 2, 3 } },
    function(name, schedule)
      local made = again(schedule, "schedule")
      for step = 0, 9 do
        assert.equal(schedule(step), made(step), name)
      end
    end)
end)

describe("as plain data (seed " .. seed .. "), an initializer:", function()
  each_object(pod.initializers, "get is_initializer", {}, constant { seed = 5, value = 0.25, gain = 0.5,
    mean = 0.5, stddev = 0.25, minval = 0.125, maxval = 0.5, mode = "fan_out", distribution = "uniform", scale = 3 },
    function(name, initializer)
      local made = again(initializer, "initializer")
      pod.random.set_seed(3)
      local value = initializer { 4, 3 }
      pod.random.set_seed(3)
      same(value, made { 4, 3 }, name)
    end)

  it("of a tensor, and a function", function()
    local made = again(pod.initializers.constant(pod.tensor { 1.5, 1 / 3, 1e-30 }), "initializer")
    same(pod.tensor { { 1.5, 1 / 3, 1e-30 } }, made { 1, 3 })
  end)
end)

for what, functions in pairs { regularizer = pod.regularizers, constraint = pod.constraints } do
  describe("as plain data (seed " .. seed .. "), a " .. what .. ":", function()
    each_object(functions, "get is_regularizer is_constraint", {}, constant { l1 = 0.25, l2 = 0.5, factor = 0.25,
      mode = "columns", axis = { 0, 1 }, max_value = 0.5, min_value = 0.25, rate = 0.5 }, function(name, object)
      local w = pod.random.normal({ 3, 4 }, { seed = 1 })
      same(object(w), again(object, what)(w), name)
    end)
  end)
end

describe("as plain data,", function()
  it("dtype policies", function()
    for _, name in ipairs { "float32", "float64", "float16", "bfloat16", "mixed_float16", "mixed_bfloat16" } do
      assert.equal(pod.mixed_precision.policy(name), again(pod.mixed_precision.policy(name), "policy"))
    end
  end)

  it("activations are their names, and functions of this library have theirs", function()
    for name, fn in pairs(pod.activations) do
      if name ~= "get" then
        local plain = objects.serialize(fn)
        assert.equal(pod.activations[name], pod.activations[plain])
      end
    end
    assert.same({ class_name = "function", config = "exp", module = "ops" }, objects.serialize { fn = pod.exp }.fn)
    assert.equal(pod.exp, objects.deserialize(objects.serialize { fn = pod.exp }).fn)
  end)

  it("tables of such, with gaps and nothing", function()
    local given = { nil, pod.losses.huber { delta = 2 }, { metric = pod.metrics.auc {}, list = {} }, false, nil, "end" }
    local back = objects.deserialize(json.decode(json.encode(objects.serialize(given))))
    assert.is_nil(back[1])
    assert.equal(2, back[2].options.delta)
    assert.equal("auc", back[3].metric.name)
    assert.same({}, back[3].list)
    assert.is_false(back[4])
    assert.equal("end", back[6])
  end)

  it("classes of one name are told apart by module, and by kind", function()
    assert.is_true(pod.losses.is_loss(objects.deserialize({ class_name = "Poisson", config = {} }, "loss")))
    assert.is_true(pod.metrics.is_metric(objects.deserialize({ class_name = "Poisson", config = {} }, "metric")))
    assert.is_true(pod.metrics.is_metric(objects.deserialize({ class_name = "Poisson", config = {},
      module = "keras.metrics" }, "loss")))
  end)

  it("what is wrong is named", function()
    for message, data in pairs {
      ["there is no class 'Nothing'"] = { class_name = "Nothing", config = {} },
      ["the config of a Dense must be a table, not 3"] = { class_name = "Dense", config = 3 },
      ["'units' must be a whole number from 1"] = { class_name = "Dense", config = { units = -1 } },
      ["unknown option 'unit'"] = { class_name = "Dense", config = { unit = 1 } },
      ["the name of a Dense must be a string"] = { class_name = "Dense", config = { units = 1, name = 3 } },
      ["there is no dtype policy"] = { class_name = "Dense", config = { units = 1, dtype = "float99" } },
      ["a function has no name"] = { class_name = "function", config = {} },
      ["there is no function 'execute'"] = { class_name = "function", config = "execute", module = "os" },
      ["there is no function 'own'; register it"] = { class_name = "function", config = "own",
        registered_name = "own" },
      ["a tensor cannot be read"] = { class_name = "__tensor__", config = { value = { 1, 2 }, shape = { 3 },
        dtype = "float32" } },
      ["shared layer 7 was not there"] = { class_name = "Dense", shared_object_id = 7 },
    } do
      local ok, problem = pcall(objects.deserialize, data)
      assert.is_false(ok, message)
      assert.matches(message, problem, 1, true)
    end
    assert.has_error(function()
      objects.deserialize({ class_name = "Dense", config = { units = 1 } }, "lyer")
    end)
    assert.has_error(function()
      objects.serialize(nil)
    end)
    assert.has_error(function()
      objects.serialize(io.stdout)
    end)
  end)
end)
