-- Models of all kinds of layers, with data to train them on: what is saved is compared with what is loaded.

local pod = require "moonpod"

local L = pod.layers

local saved_models = { names = {} }

local makers = {}

local function define(name, maker)
  saved_models.names[#saved_models.names + 1] = name
  makers[name] = maker
end

-- A process that loads the models has these by requiring this file.

local Scale = pod.layers.subclass { name = "Scale", setup = function(self, factor)
  self.factor = factor
end, build = function(self, shape)
  self.gain = self:add_weight { name = "gain", shape = { shape[#shape] }, initializer = "ones" }
  self.seen = self:add_weight { name = "seen", shape = {}, initializer = "zeros", trainable = false }
end, call = function(self, x, options)
  if options.training then
    self.seen:assign_add(1)
  end
  return x * self.gain:value() * self.factor
end }
pod.register_layer("saved_models_scale", Scale)

local Twin = pod.models.subclass { name = "Twin", setup = function(self, units)
  self.one, self.two = L.dense(units), L.dense(units)
  self.many = { L.dense(2), L.dense(2) }
end, call = function(self, x)
  local y = pod.tanh(self.one(x)) + self.two(x)
  for _, each in ipairs(self.many) do
    y = each(y)
  end
  return y
end }
pod.register_layer("saved_models_twin", Twin)

-- Each maker returns a model, the shape of a row of its input (or a list of inputs), that of its target, the options of
-- compile() and custom objects.

define("dense", function()
  return pod.models.sequential { L.input { shape = { 5 } }, L.dense(4, { activation = "relu",
    kernel_regularizer = pod.regularizers.l2(0.01) }), L.dropout(0.3), L.dense(2) }, { 5 }, { 2 },
    { optimizer = "adam", loss = "mse", metrics = { "mae" } }
end)

define("built by its first batch", function()
  return pod.models.sequential { L.dense(4, { activation = "tanh" }), L.dense(1) }, { 3 }, { 1 },
    { optimizer = pod.optimizers.sgd { learning_rate = 0.1, momentum = 0.9, nesterov = true }, loss = "mae" }
end)

define("convolutions", function()
  return pod.models.sequential { L.input { shape = { 8, 8, 3 } }, L.conv2d(4, 3, { activation = "relu" }),
    L.batch_normalization(), L.max_pooling2d(2), L.depthwise_conv2d(2), L.separable_conv2d(3, 2), L.flatten(),
    L.dense(2) }, { 8, 8, 3 }, { 2 }, { optimizer = "rmsprop", loss = "mse" }
end)

define("recurrent", function()
  return pod.models.sequential { L.input { shape = { 6, 4 } },
    L.bidirectional(L.lstm(3, { return_sequences = true, dropout = 0.2 })), L.gru(3, { return_sequences = true }),
    L.simple_rnn(2) }, { 6, 4 }, { 2 }, { optimizer = "adam", loss = "mse" }
end)

define("stacked cells", function()
  return pod.models.sequential { L.input { shape = { 5, 3 } },
    L.rnn({ L.lstm_cell(3), L.gru_cell(2) }) }, { 5, 3 }, { 2 }, { optimizer = "sgd", loss = "mse" }
end)

define("convolutions in time", function()
  return pod.models.sequential { L.input { shape = { 4, 6, 2 } }, L.conv_lstm1d(2, 3, { return_sequences = true }),
    L.time_distributed(L.dense(2)), L.global_average_pooling2d(), L.dense(1) }, { 4, 6, 2 }, { 1 },
    { optimizer = "adam", loss = "mse" }
end)

define("attention", function()
  local x = L.input { shape = { 6, 4 } }
  local y = L.multi_head_attention { num_heads = 2, key_dim = 3, dropout = 0.1 }(x, x)
  y = L.layer_normalization()(L.add()(x, y))
  y = L.attention { use_scale = true }(y, y)
  return pod.models.functional { inputs = x, outputs = L.dense(1)(L.global_average_pooling1d()(y)) }, { 6, 4 }, { 1 },
    { optimizer = pod.optimizers.adamw { learning_rate = 0.01 }, loss = "huber" }
end)

define("grouped queries", function()
  local x = L.input { shape = { 6, 4 } }
  local y = L.group_query_attention { head_dim = 2, num_query_heads = 4, num_key_value_heads = 2 }(x, x)
  return pod.models.functional { inputs = x, outputs = L.flatten()(L.rms_normalization()(y)) }, { 6, 4 }, { 24 },
    { optimizer = "lion", loss = "mse" }
end)

define("shared layers", function()
  local x = L.input { shape = { 4 } }
  local shared = L.dense(4, { activation = "tanh", name = "shared" })
  local y = shared(shared(shared(x)))
  return pod.models.functional { inputs = x, outputs = L.dense(2)(L.concatenate()({ x, y })) }, { 4 }, { 2 },
    { optimizer = "adagrad", loss = "mse" }
end)

define("nested models", function()
  local inner = pod.models.sequential { L.input { shape = { 4 } }, L.dense(3), L.batch_normalization(),
    name = "encoder" }
  local x = L.input { shape = { 4 } }
  local middle = pod.models.functional { inputs = x, outputs = L.dense(3)(inner(x)), name = "middle" }
  return pod.models.sequential { L.input { shape = { 4 } }, middle, L.dense(2) }, { 4 }, { 2 },
    { optimizer = "nadam", loss = "mse" }
end)

define("several inputs and outputs", function()
  local a, b = L.input { shape = { 3 }, name = "a" }, L.input { shape = { 2 }, name = "b" }
  local y = L.concatenate()({ L.dense(3)(a), L.dense(3)(b) })
  return pod.models.functional { inputs = { a, b }, outputs = { L.dense(1, { name = "first" })(y),
    L.dense(2, { name = "second" })(y) } }, { { 3 }, { 2 } }, { { 1 }, { 2 } },
    { optimizer = "adam", loss = { "mse", "mae" }, loss_weights = { 1, 0.5 } }
end)

define("normalizations", function()
  local layer = L.normalization()
  layer:adapt(pod.random.normal({ 64, 4 }, { mean = 3, stddev = 2 }))
  return pod.models.sequential { L.input { shape = { 4 } }, layer, L.group_normalization { groups = 2 },
    L.unit_normalization(), L.spectral_normalization(L.dense(3)), L.layer_normalization { axis = -1 }, L.dense(1) },
    { 4 }, { 1 }, { optimizer = "adamax", loss = "mse" }
end)

define("words", function()
  return pod.models.sequential { L.input { shape = { 7 }, dtype = "int32" }, L.embedding(20, 4, { mask_zero = true }),
    L.lstm(3), L.dense(20, { activation = "softmax" }) }, { 7, whole = 20 }, { whole = 20 },
    { optimizer = "adam", loss = "sparse_categorical_crossentropy", metrics = { "accuracy" } }
end)

define("pictures changed at random", function()
  return pod.models.sequential { L.input { shape = { 8, 8, 3 } }, L.rescaling(1 / 2), L.random_flip "horizontal",
    L.random_rotation(0.1), L.conv2d(2, 3), L.spatial_dropout2d(0.2), L.gaussian_noise(0.1), L.flatten(), L.dense(1) },
    { 8, 8, 3 }, { 1 }, { optimizer = "sgd", loss = "mse" }
end)

define("half the bits", function()
  return pod.models.sequential { L.input { shape = { 4 } }, L.dense(4, { dtype = "mixed_bfloat16",
    activation = "gelu" }), L.dense(2, { dtype = "bfloat16" }), L.dense(1, { dtype = "float32" }) }, { 4 }, { 1 },
    { optimizer = "adam", loss = "mse" }
end)

define("scaled losses", function()
  local policy = pod.mixed_precision.global_policy()
  pod.mixed_precision.set_global_policy "mixed_float16"
  local model = pod.models.sequential { L.input { shape = { 4 } }, L.dense(4), L.dense(1, { dtype = "float32" }) }
  pod.mixed_precision.set_global_policy(policy)
  return model, { 4 }, { 1 }, { optimizer = pod.optimizers.sgd(0.05), loss = "mse" }
end)

define("averages and accumulated gradients", function()
  return pod.models.sequential { L.input { shape = { 4 } }, L.dense(3, { kernel_constraint = "max_norm" }), L.prelu(),
    L.dense(1) }, { 4 }, { 1 }, { optimizer = pod.optimizers.adam { use_ema = true, ema_momentum = 0.9,
    ema_overwrite_frequency = 3, gradient_accumulation_steps = 2 }, loss = "mse" }
end)

define("a schedule", function()
  return pod.models.sequential { L.input { shape = { 4 } }, L.dense(3, { activation = "swish" }), L.dense(1) }, { 4 },
    { 1 }, { optimizer = pod.optimizers.ftrl(pod.schedules.cosine_decay(0.1, 20)), loss = "log_cosh",
    steps_per_execution = 2 }
end)

define("a class of one's own", function()
  return pod.models.sequential { L.input { shape = { 4 } }, Scale(2), L.dense(1) }, { 4 }, { 1 },
    { optimizer = "adam", loss = "mse" }
end)

define("a model of one's own", function()
  return Twin(3), { 4 }, { 2 }, { optimizer = "adam", loss = "mse" }
end)

-- ---- data -----------------------------------------------------------------------------------------------------------

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
  if type(shape[1]) ~= "table" then
    return draw(shape)
  end
  local list = {}
  for i, each in ipairs(shape) do
    list[i] = draw(each)
  end
  return list
end

local function to_tables(value)
  if pod.is_tensor(value) then
    return value:data()
  end
  local list = {}
  for i, each in ipairs(value) do
    list[i] = to_tables(each)
  end
  return list
end

-- Makes the model of a name, always the same one: { model =, x =, y =, train = function(model), which returns the
-- losses, predict = function(model), which returns elements }.
function saved_models.make(name)
  pod.random.set_seed(7)
  local model, input, target, options = makers[name]()
  model:compile(options)
  local x, y = draw_all(input), draw_all(target)
  return { model = model, x = x, y = y, train = function(one)
    return one:fit(x, y, { epochs = 2, batch_size = 8, verbose = 0 }).history.loss
  end, predict = function(one)
    return to_tables(one:predict(x))
  end }
end

return saved_models
