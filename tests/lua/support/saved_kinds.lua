-- More models that are saved, and trained on in another process: what is shared, nested, registered, stateful, given by
-- name, or made under a strategy. (Those of each kind of layers are in saved_models.lua.)

local pod = require "moonpod"

local L = pod.layers

local kinds = { names = {} }
local makers = {}

local function define(name, maker)
  kinds.names[#kinds.names + 1] = name
  makers[name] = maker
end

-- ---- classes and functions by name, as a script would register them -------------------------------------------------

-- With get_config and from_config, layers made in setup and in build, one of them frozen, and one that is an argument.
local Block = pod.register_layer("saved_kinds_block", pod.layers.subclass { name = "Block",
  setup = function(self, options)
    self.units, self.last = options.units, options.last
    self.first = L.dense(options.units, { activation = "tanh" })
    self.frozen = L.dense(options.units)
    self.frozen.trainable = false
  end,
  build = function(self, shape)
    self.middle = L.dense(shape[#shape])
    self.bias = self:add_weight { name = "bias", shape = { self.units }, initializer = "zeros" }
  end,
  call = function(self, x, options)
    local y = self.first(self.middle(x)) + self.frozen(x) + self.bias:value()
    return self.last(y, { training = options.training })
  end,
  get_config = function(self)
    return { units = self.units, last = self.last }
  end })

-- Its arguments are its config: a number, none, a table with a layer, a function.
local Mixed = pod.register_layer("saved_kinds_mixed", pod.layers.subclass { name = "Mixed",
  setup = function(self, factor, nothing, parts, fn)
    self.factor, self.parts, self.fn = factor, { parts.inner, nothing }, fn
  end,
  call = function(self, x, options)
    return self.fn(self.parts[1](x, { training = options.training })) * self.factor
  end })

local Twice = pod.register_layer("saved_kinds_twice", pod.models.subclass { name = "Twice",
  setup = function(self, units)
    self.inner = pod.models.sequential { L.dense(units, { activation = "relu" }), L.dropout(0.25, { seed = 9 }) }
    self.outer = L.dense(2)
  end,
  call = function(self, x, options)
    return self.outer(self.inner(self.inner(x, { training = options.training }), { training = options.training }))
  end })

local square = pod.register("saved_kinds_square", function(x)
  return x * x
end)
local own_loss = pod.register("saved_kinds_loss", function(y_true, y_pred)
  return pod.mean(pod.abs(y_true - y_pred) ^ 1.5, -1)
end)
local own_metric = pod.register("saved_kinds_metric", function(y_true, y_pred)
  return pod.max(pod.abs(y_true - y_pred), -1)
end)
local own_rate = pod.register("saved_kinds_rate", function(step)
  return 0.1 / (step:cast "float32" + 1)
end)

-- ---- the models -----------------------------------------------------------------------------------------------------
-- Each maker returns a model, the shape of a row of its input (or a table of such), that of its target, the options of
-- compile(), and options of fit().

define("bidirectional layers with states and a backward layer of their own", function()
  local x = L.input { shape = { 5, 3 } }
  local both = L.bidirectional(L.gru(3, { return_sequences = true, return_state = true, recurrent_dropout = 0.2 }),
    { merge_mode = "ave" })(x)
  local other = L.bidirectional(L.lstm(2), { backward_layer = L.lstm(2, { go_backwards = true,
    recurrent_initializer = "glorot_uniform" }), merge_mode = "mul" })(both[1])
  return pod.models.functional { inputs = x, outputs = L.concatenate() { other, both[2], both[3] } }, { 5, 3 }, { 8 },
    { optimizer = "adam", loss = "mse" }
end)

define("a stateful layer", function()
  return pod.models.sequential { L.input { shape = { 4, 3 }, batch_size = 8 },
    L.lstm(3, { stateful = true, return_sequences = true }), L.gru(2, { stateful = true }) }, { 4, 3 }, { 2 },
    { optimizer = "adam", loss = "mse" }, { shuffle = false }
end)

define("cells with dropout of a seed", function()
  return pod.models.sequential { L.rnn({ L.lstm_cell(3, { dropout = 0.3, seed = 5 }), L.gru_cell(3, {
    recurrent_dropout = 0.3, reset_after = false }), L.simple_rnn_cell(2) }, { return_sequences = true }),
    L.flatten() }, { 4, 3 }, { 8 }, { optimizer = "rmsprop", loss = "mse" }
end)

define("one layer in several wrappers", function()
  local x = L.input { shape = { 4, 3 } }
  local shared = L.dense(3, { name = "shared", activation = "tanh" })
  local steps, again = L.time_distributed(shared), L.time_distributed(shared)
  local y = L.flatten()(again(steps(x)))
  return pod.models.functional { inputs = x, outputs = L.add() { L.dense(3)(y), shared(L.global_max_pooling1d()(x)) } },
    { 4, 3 }, { 3 }, { optimizer = "adam", loss = "mse" }
end)

define("one model in several models", function()
  local a = L.input { shape = { 3 } }
  local inner = pod.models.functional { inputs = a, outputs = L.dropout(0.2)(L.dense(3)(a)), name = "inner" }
  local b = L.input { shape = { 3 } }
  local middle = pod.models.functional { inputs = b, outputs = inner(inner(b)) + b, name = "middle" }
  local x = L.input { shape = { 4, 3 } }
  local y = L.global_average_pooling1d()(L.time_distributed(inner)(x))
  return pod.models.functional { inputs = x, outputs = middle(y) * inner(y) }, { 4, 3 }, { 3 },
    { optimizer = "adam", loss = "mse" }
end)

define("inputs and outputs by name", function()
  local words, more = L.input { shape = { 5 }, dtype = "int32", name = "words" }, L.input { shape = { 3 },
    name = "more" }
  local steps = L.embedding(10, 3, { mask_zero = true })(words)
  local state = L.dense(3)(more)
  local h = L.gru(3)(steps, { initial_state = state })
  local attended = L.attention()({ steps, steps }, { mask = { words:cast "bool", words:cast "bool" } })
  local kept = L.dropout(0.9)(h, { training = false })
  return pod.models.functional { inputs = { words = words, more = more }, outputs = {
    class = L.dense(4, { activation = "softmax", name = "class" })(kept),
    value = L.dense(1, { name = "value" })(L.global_average_pooling1d()(attended)) } },
    { words = { 5, whole = 10 }, more = { 3 } }, { class = { whole = 4 }, value = { 1 } },
    { optimizer = "adam", loss = { class = "sparse_categorical_crossentropy",
      value = pod.losses.huber { delta = 0.5 } },
      loss_weights = { class = 0.5, value = 2 }, metrics = { class = { "accuracy" }, value = "mae" },
      weighted_metrics = { value = pod.metrics.root_mean_squared_error {} } }
end)

define("what tensors compute among themselves", function()
  local x = L.input { shape = { 4 } }
  local y = L.dense(4)(x)
  y = (y * 2 - x / 3 + 1):tanh() * (1 - x:sigmoid()) + (-y) ^ 2
  y = y:reshape { -1, 2, 2 }:sum(1, { keepdims = true }):squeeze(1)
  return pod.models.functional { inputs = x, outputs = L.dense(2)(y) % 5 }, { 4 }, { 2 },
    { optimizer = "sgd", loss = "mse" }
end)

define("a layer of one's own with layers", function()
  return pod.models.sequential { L.input { shape = { 4 } }, Block { units = 3, last = L.dropout(0.4) },
    Block { units = 2, last = Block { units = 3, last = L.batch_normalization() } } }, { 4 }, { 3 },
    { optimizer = "adam", loss = "mse" }
end)

define("a layer of one's own by its arguments", function()
  return pod.models.sequential { Mixed(0.5, nil, { inner = L.dense(3, { kernel_regularizer = "l1" }) }, square),
    Mixed(2, nil, { inner = L.gaussian_noise(0.1) }, pod.tanh), L.lambda(square) }, { 4 }, { 3 },
    { optimizer = "nadam", loss = own_loss, metrics = { own_metric } }
end)

define("a model of one's own in a model", function()
  local x = L.input { shape = { 3 } }
  local twice = Twice(3)
  return pod.models.functional { inputs = x, outputs = twice(x) + L.dense(2)(x) }, { 3 }, { 2 },
    { optimizer = pod.optimizers.sgd(own_rate), loss = pod.losses.from_function(own_loss, "own"),
      metrics = { pod.metrics.from_function(own_metric, "largest") } }
end)

define("a model of one's own", function()
  return Twice(3), { 3 }, { 2 }, { optimizer = "adam", loss = "mse" }
end)

define("frozen layers", function()
  local base = pod.models.sequential { L.input { shape = { 4 } }, L.dense(4, { activation = "relu" }),
    L.batch_normalization(), name = "base" }
  base.trainable = false
  base.layers[2].trainable = true
  return pod.models.sequential { base, L.dense(3, { trainable = false }), L.dense(1) }, { 4 }, { 1 },
    { optimizer = "adam", loss = "mse" }
end)

define("losses that are scaled, and averages of weights", function()
  local policy = pod.mixed_precision.policy "mixed_float16"
  local x = L.input { shape = { 4 } }
  local y = L.layer_normalization { dtype = policy }(L.dense(4, { dtype = policy })(x))
  y = L.dense(1, { dtype = "float32" })(y)
  return pod.models.functional { inputs = x, outputs = y }, { 4 }, { 1 },
    { optimizer = pod.optimizers.loss_scale_optimizer(pod.optimizers.adam { use_ema = true, ema_momentum = 0.5 },
      { initial_scale = 64, dynamic_growth_steps = 2 }), loss = "mse" }
end)

define("gradients that are clipped, accumulated and kept from decay", function()
  local optimizer = pod.optimizers.adamw { learning_rate = 0.01, weight_decay = 0.1, clipnorm = 0.5, amsgrad = true,
    gradient_accumulation_steps = 3 }
  optimizer:exclude_from_weight_decay { var_names = { "bias", "gamma", "beta" } }
  return pod.models.sequential { L.input { shape = { 4 } }, L.dense(3, { kernel_constraint =
    pod.constraints.max_norm { max_value = 0.5 }, activity_regularizer = pod.regularizers.l1(0.01),
    bias_regularizer = pod.regularizers.l1_l2 { l1 = 0.1, l2 = 0.2 } }), L.group_normalization { groups = 3 },
    L.dense(1, { kernel_regularizer = pod.regularizers.orthogonal { factor = 0.1 } }) }, { 4 }, { 1 },
    { optimizer = optimizer, loss = "mae", steps_per_execution = 3 }
end)

define("all normalizations", function()
  local x = L.input { shape = { 4, 6 } }
  local y = L.batch_normalization { momentum = 0.5 }(x)
  y = L.layer_normalization { axis = { 1, 2 } }(L.rms_normalization()(y))
  y = L.unit_normalization()(L.group_normalization { groups = 2 }(y))
  y = L.spectral_normalization(L.conv1d(4, 2))(y)
  return pod.models.functional { inputs = x, outputs = L.flatten()(y) }, { 4, 6 }, { 12 },
    { optimizer = "lamb", loss = "mse" }
end)

define("step by step", function()
  return pod.models.sequential { L.input { shape = { 3 } }, L.dense(3, { activation = L.prelu() }),
    L.alpha_dropout(0.3), L.einsum_dense("ab,bc->ac", 2, { bias_axes = "c" }) }, { 3 }, { 2 },
    { optimizer = "ftrl", loss = "mse", run_eagerly = true }
end)

for _, replicas in ipairs { 3, 8 } do
  define(replicas .. " replicas", function()
    return pod.models.sequential { L.input { shape = { 4 } }, L.dense(6, { activation = "relu" }),
      L.batch_normalization { synchronized = replicas == 8 }, L.dropout(0.3), L.dense(2) }, { 4 }, { 2 },
      { optimizer = "adam", loss = "mse", metrics = { "mae" } }
  end)
  kinds[replicas .. " replicas"] = replicas
end

-- ---- data and training ----------------------------------------------------------------------------------------------

local ROWS = 24

local function draw(shape)
  local dims = { ROWS }
  for i, size in ipairs(shape) do
    dims[i + 1] = size
  end
  if shape.whole then
    return pod.random.uniform(dims, { maxval = shape.whole, dtype = "int32" })
  end
  return pod.random.normal(dims)
end

local function draw_all(shape)
  if type(shape[1]) == "number" or shape.whole then
    return draw(shape)
  end
  local out, names = {}, {}
  for name in pairs(shape) do
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    out[name] = draw(shape[name])
  end
  return out
end

-- The strategy of a name, or nil.
function kinds.strategy(name)
  return kinds[name] and pod.distribute.mirrored(kinds[name]) or nil
end

-- Makes the model of a name, always the same one, its data (x, y) and the options of fit().
function kinds.make(name)
  pod.random.set_seed(11)
  local strategy, model, x, y, more = kinds.strategy(name), nil, nil, nil, nil
  local function make()
    local input, target, options
    model, input, target, options, more = makers[name]()
    model:compile(options)
    x, y = draw_all(input), draw_all(target)
  end
  if strategy then
    strategy:scope(make)
  else
    make()
  end
  return model, x, y, more
end

-- Trains for some epochs; returns their losses.
function kinds.train(model, x, y, more)
  local options = { epochs = 2, batch_size = 8, verbose = 0 }
  for key, value in pairs(more or {}) do
    options[key] = value
  end
  return model:fit(x, y, options).history
end

-- The bytes of a tensor, as text.
function kinds.bits(tensor)
  return (tensor:data():gsub(".", function(c)
    return ("%02x"):format(c:byte())
  end))
end

-- All that a model has and gives, as plain data.
function kinds.state(model, x)
  local out = { weights = {}, optimizer = {} }
  for i, weight in ipairs(model.weights) do
    out.weights[i] = { weight.name, weight.trainable, kinds.bits(weight:value()) }
  end
  for i, one in ipairs(model.optimizer.variables) do
    out.optimizer[i] = { one.name, kinds.bits(one:value()) }
  end
  local inner = rawget(model.optimizer, "inner")
  for _, one in ipairs(inner and inner.variables or {}) do
    out.optimizer[#out.optimizer + 1] = { one.name, kinds.bits(one:value()) }
  end
  if x then
    local predicted = model:predict(x, { batch_size = 8 })
    out.predicted = {}
    if pod.is_tensor(predicted) then
      out.predicted[1] = kinds.bits(predicted)
    else
      for key, value in pairs(predicted) do
        out.predicted[tostring(key)] = kinds.bits(value)
      end
    end
  end
  return out
end

return kinds
