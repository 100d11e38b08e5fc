-- Every layer of pod.layers as plain data: made with its defaults and with other options, all of them, written as JSON,
-- read and made again, it has the same config and, with the weights copied, the same outputs to the bit.

local json = require "moonpod.base.json"
local objects = require "moonpod.saving.objects"
local pod = require "moonpod"

local layers = pod.layers

-- ---- the layers ---------------------------------------------------------------------------------------------------

local function lstm_cell(units)
  return layers.lstm_cell(units, { seed = 3 })
end

local double = pod.register("saving_layers_spec.double", function(x)
  return x * 2
end)
local same_text = pod.register("saving_layers_spec.text", function(text)
  return text
end)

local same_mask = pod.register("saving_layers_spec.mask", function(_, mask)
  return mask
end)

-- Of each layer: the options it needs, its input (a shape, or a list of shapes), and more sets of options, for what the
-- values below do not fit. `call`: the options of its call.
local CASES = {
  activation = { { activation = "relu" }, { 2, 3 }, { { activation = "softplus" },
    { activation = pod.activations.gelu }, { activation = layers.leaky_relu { negative_slope = 0.25 } } } },
  activity_regularization = { {}, { 2, 3 }, { { l1 = 0.25, l2 = 0.5 } } },
  add = { {}, { { 2, 3 }, { 2, 3 } } },
  additive_attention = { {}, { { 2, 3, 4 }, { 2, 5, 4 } } },
  alpha_dropout = { { rate = 0.5 }, { 2, 30 }, { { rate = 0.25 } } },
  attention = { {}, { { 2, 3, 4 }, { 2, 5, 4 } }, { { score_mode = "concat" } } },
  average = { {}, { { 2, 3 }, { 2, 3 } } },
  average_pooling1d = { {}, { 2, 6, 3 }, { { pool_size = 3, strides = 1 } } },
  average_pooling2d = { {}, { 2, 6, 6, 3 }, { { pool_size = { 3, 2 }, strides = { 1, 2 } } } },
  average_pooling3d = { {}, { 2, 4, 4, 4, 3 }, { { pool_size = { 3, 2, 1 }, strides = 1 } } },
  batch_normalization = { {}, { 4, 3, 3 }, { { axis = 1, momentum = 0.5, epsilon = 0.25 } } },
  bidirectional = { { layer = layers.lstm(3) }, { 2, 3, 4 }, {
    { layer = layers.gru(3, { return_sequences = true, dropout = 0.5, seed = 3 }), merge_mode = "sum" },
    { layer = layers.rnn(lstm_cell(2)), backward_layer = layers.rnn(lstm_cell(2), { go_backwards = true }),
      merge_mode = "mul" } } },
  center_crop = { { height = 2, width = 3 }, { 2, 5, 5, 3 }, { { height = 3, width = 2 } } },
  class_token = { {}, { 2, 3, 4 }, { { initializer = "ones" } } },
  concatenate = { {}, { { 2, 3 }, { 2, 3 } }, { { axis = 0 } } },
  conv1d = { { filters = 4, kernel_size = 3 }, { 2, 8, 4 }, { { filters = 2, kernel_size = { 2 }, groups = 2,
    padding = "causal", dilation_rate = 2 } } },
  conv2d = { { filters = 4, kernel_size = 3 }, { 2, 8, 8, 4 }, { { filters = 2, kernel_size = { 2, 3 }, groups = 2,
    dilation_rate = { 1, 2 } } } },
  conv3d = { { filters = 2, kernel_size = 2 }, { 2, 4, 4, 4, 2 }, { { filters = 2, kernel_size = { 2, 1, 2 },
    groups = 2, dilation_rate = 2 } } },
  conv1d_transpose = { { filters = 4, kernel_size = 3 }, { 2, 6, 3 }, { { filters = 2, kernel_size = 2,
    strides = 2, output_padding = 1 }, { dilation_rate = 2, strides = 1 } } },
  conv2d_transpose = { { filters = 4, kernel_size = 3 }, { 2, 4, 4, 3 }, { { filters = 2, kernel_size = 2,
    strides = 2, output_padding = { 1, 0 } }, { dilation_rate = 2, strides = 1 } } },
  conv3d_transpose = { { filters = 2, kernel_size = 2 }, { 2, 3, 3, 3, 2 }, { { filters = 3, kernel_size = 1,
    strides = 2, output_padding = 1 }, { dilation_rate = 2, strides = 1 } } },
  conv_lstm1d = { { filters = 2, kernel_size = 2 }, { 2, 3, 4, 2 }, { { filters = 3, kernel_size = { 1 } },
    { dilation_rate = 2, strides = 1 } } },
  conv_lstm2d = { { filters = 2, kernel_size = 2 }, { 2, 3, 4, 4, 2 }, { { filters = 3, kernel_size = { 1, 2 } },
    { dilation_rate = 2, strides = 1 } } },
  conv_lstm3d = { { filters = 2, kernel_size = 2 }, { 2, 2, 3, 3, 3, 2 }, { { filters = 3, kernel_size = 1 },
    { dilation_rate = 2, strides = 1 } } },
  cropping1d = { {}, { 2, 5, 4 }, { { cropping = { 2, 1 } } } },
  cropping2d = { {}, { 2, 5, 5, 4 }, { { cropping = { { 1, 2 }, { 0, 1 } } } } },
  cropping3d = { {}, { 2, 4, 4, 4, 4 }, { { cropping = { 1, 0, 1 } } } },
  category_encoding = { { num_tokens = 5 }, { 2, 3 }, { { output_mode = "count",
    num_tokens = 6 }, { output_mode = "one_hot" } }, dtype = "int32" },
  dense = { { units = 3 }, { 2, 4 }, { { units = 5, activation = pod.activations.tanh },
    { activation = layers.prelu() } } },
  depthwise_conv1d = { { kernel_size = 3 }, { 2, 8, 3 }, { { kernel_size = 2, depth_multiplier = 2, dilation_rate = 2,
    strides = 1 } } },
  depthwise_conv2d = { { kernel_size = 3 }, { 2, 8, 8, 3 }, { { kernel_size = { 2, 1 }, depth_multiplier = 2,
    dilation_rate = 2, strides = 1 } } },
  discretization = { { bin_boundaries = { -0.5, 0, 0.5 } }, { 2, 3 }, { { output_mode = "one_hot", epsilon = 0.25,
    bin_boundaries = { 0, 1 } }, { num_bins = 4 } } },
  dot = { { axes = 1 }, { { 2, 3 }, { 2, 3 } }, { { axes = { 1, 1 } } } },
  dropout = { { rate = 0.5 }, { 3, 40 }, { { rate = 0.25, noise_shape = { -1, 1 } } } },
  einsum_dense = { { equation = "abc,cd->abd", output_shape = { -1, 2 } }, { 2, 3, 4 }, {
    { equation = "abc,cde->abde", output_shape = { -1, 3, 2 }, bias_axes = "de" } } },
  elu = { {}, { 2, 3 }, { { alpha = 0.25 } } },
  embedding = { { input_dim = 5, output_dim = 2 }, { 2, 3 }, { { input_dim = 7, output_dim = 3 } }, dtype = "int32" },
  flatten = { {}, { 2, 3, 4 } },
  gaussian_dropout = { { rate = 0.5 }, { 2, 30 }, { { rate = 0.25 } } },
  gaussian_noise = { { stddev = 0.5 }, { 2, 30 }, { { stddev = 0.25 } } },
  global_average_pooling1d = { {}, { 2, 6, 3 } },
  global_average_pooling2d = { {}, { 2, 6, 6, 3 } },
  global_average_pooling3d = { {}, { 2, 4, 4, 4, 3 } },
  global_max_pooling1d = { {}, { 2, 6, 3 } },
  global_max_pooling2d = { {}, { 2, 6, 6, 3 } },
  global_max_pooling3d = { {}, { 2, 4, 4, 4, 3 } },
  group_normalization = { { groups = 3 }, { 2, 6, 6 }, { { groups = 2, axis = 1, epsilon = 0.25 } } },
  group_query_attention = { { head_dim = 3, num_query_heads = 4, num_key_value_heads = 2 }, { 2, 3, 4 },
    { { head_dim = 2, num_query_heads = 6, num_key_value_heads = 3, flash_attention = false } } },
  gru = { { units = 3 }, { 2, 3, 4 }, { { units = 2, use_cudnn = false } } },
  gru_cell = { { units = 3 }, { 2, 4 }, { { units = 2 } }, states = 1 },
  hashed_crossing = { { num_bins = 5 }, { { 2, 1 }, { 2, 1 } }, { { num_bins = 7, output_mode = "one_hot" } },
    dtype = "int32" },
  hashing = { { num_bins = 5 }, { 2, 3 }, { { num_bins = 7, salt = { 3, 4 }, mask_value = 2, output_mode = "count" } },
    dtype = "int32" },
  identity = { {}, { 2, 3 } },
  integer_lookup = { { vocabulary = { 3, 1 }, max_tokens = 8 }, { 2, 3 }, { { num_oov_indices = 2, mask_token = 4,
    max_tokens = 9, vocabulary = { 5, 0 } },
    { output_mode = "tf_idf", idf_weights = { 0.5, 0.25 } }, { oov_token = -5, vocabulary_dtype = "int32" } },
    dtype = "int32" },
  lambda = { { fn = double }, { 2, 3 }, { { fn = pod.exp, mask = same_mask } } },
  layer_normalization = { {}, { 2, 3, 4 }, { { axis = { 1, 2 }, epsilon = 0.25 } } },
  leaky_relu = { {}, { 2, 3 }, { { negative_slope = 0.125 } } },
  lstm = { { units = 3 }, { 2, 3, 4 }, { { units = 2, use_cudnn = false } } },
  lstm_cell = { { units = 3 }, { 2, 4 }, { { units = 2 } }, states = 2 },
  masking = { {}, { 2, 3, 4 }, { { mask_value = 0.5 } } },
  max_pooling1d = { {}, { 2, 6, 3 }, { { pool_size = 3, strides = 1 } } },
  max_pooling2d = { {}, { 2, 6, 6, 3 }, { { pool_size = { 3, 2 }, strides = { 1, 2 } } } },
  max_pooling3d = { {}, { 2, 4, 4, 4, 3 }, { { pool_size = { 3, 2, 1 }, strides = 1 } } },
  maximum = { {}, { { 2, 3 }, { 2, 3 } } },
  minimum = { {}, { { 2, 3 }, { 2, 3 } } },
  multi_head_attention = { { num_heads = 2, key_dim = 3 }, { 2, 4, 5 }, { { num_heads = 3, key_dim = 2, value_dim = 4,
    output_shape = 6, attention_axes = { 1 }, flash_attention = false }, { sliding_window = 2 } } },
  multiply = { {}, { { 2, 3 }, { 2, 3 } } },
  normalization = { { mean = 0.5, variance = 2 }, { 2, 3, 3 }, { { mean = { 1, 2, 3 }, variance = { 0.5, 1, 2 },
    axis = 1 }, { mean = pod.tensor { 0.1, 0.2, 0.3 }, variance = pod.tensor { 1.5, 2.5, 3.5 } } } },
  permute = { { dims = { 2, 1 } }, { 3, 4, 5 }, { { dims = { 1, 2 } } } },
  position_embedding = { { sequence_length = 5 }, { 2, 3, 4 }, { { sequence_length = 7, initializer = "ones" } } },
  prelu = { {}, { 2, 3, 4 }, { { shared_axes = { 1 } } } },
  random_brightness = { { factor = 0.25 }, { 2, 4, 4, 3 }, { { factor = { -0.5, 0.1 }, value_range = { 0, 1 } } } },
  random_contrast = { { factor = 0.25 }, { 2, 4, 4, 3 }, { { factor = { 0.1, 0.5 }, value_range = { 0, 1 } } } },
  random_crop = { { height = 2, width = 3 }, { 2, 5, 5, 3 }, { { height = 3, width = 2 } } },
  random_erasing = { {}, { 2, 8, 8, 3 }, { { factor = 0.5, fill_value = 0.5, scale = { 0.25, 0.5 },
    value_range = { 0, 1 } } } },
  random_flip = { {}, { 2, 4, 4, 3 }, { { mode = "vertical" } } },
  random_rotation = { { factor = 0.25 }, { 2, 6, 6, 3 }, { { factor = { -0.5, 0.1 }, fill_mode = "constant",
    fill_value = 0.5, interpolation = "nearest" } } },
  random_translation = { { height_factor = 0.25, width_factor = 0.125 }, { 2, 6, 6, 3 }, { {
    height_factor = { -0.5, 0.1 }, width_factor = { 0.1, 0.1 }, fill_mode = "constant", fill_value = 0.5,
    interpolation = "nearest" } } },
  random_zoom = { { height_factor = 0.25 }, { 2, 6, 6, 3 }, { { height_factor = { -0.5, 0.1 }, width_factor = 0.25,
    fill_mode = "wrap", fill_value = 0.5, interpolation = "nearest" } } },
  re_lu = { {}, { 2, 3 }, { { negative_slope = 0.25, max_value = 1, threshold = 0.125 } } },
  relu = { {}, { 2, 3 }, { { negative_slope = 0.25, max_value = 1, threshold = 0.125 } } },
  repeat_vector = { { n = 2 }, { 3, 4 }, { { n = 3 } } },
  rescaling = { { scale = 0.5 }, { 2, 3 }, { { scale = { 1, 2, 3 }, offset = pod.tensor { 0.5, 0.25, 1 } } } },
  reshape = { { target_shape = { 2, 2 } }, { 3, 4 }, { { target_shape = { 4, -1 } } } },
  resizing = { { height = 2, width = 3 }, { 2, 5, 5, 3 }, { { height = 7, width = 6, interpolation = "nearest" } } },
  reversible_embedding = { { input_dim = 5, output_dim = 2 }, { 2, 3 }, { { input_dim = 7, output_dim = 3,
    logit_soft_cap = 2 } }, dtype = "int32" },
  rms_normalization = { {}, { 2, 3, 4 }, { { axis = 1, epsilon = 0.25 } } },
  rnn = { { cell = layers.gru_cell(3) }, { 2, 3, 4 }, { { cell = { lstm_cell(2), layers.simple_rnn_cell(3) } },
    { cell = layers.stacked_rnn_cells { lstm_cell(2) } } } },
  separable_conv1d = { { filters = 4, kernel_size = 3 }, { 2, 8, 3 }, { { filters = 2, kernel_size = 2,
    depth_multiplier = 2, dilation_rate = 2, strides = 1 } } },
  separable_conv2d = { { filters = 4, kernel_size = 3 }, { 2, 8, 8, 3 }, { { filters = 2, kernel_size = { 2, 1 },
    depth_multiplier = 2, dilation_rate = 2, strides = 1 } } },
  simple_rnn = { { units = 3 }, { 2, 3, 4 }, { { units = 2, use_cudnn = false } } },
  simple_rnn_cell = { { units = 3 }, { 2, 4 }, { { units = 2 } }, states = 1 },
  softmax = { {}, { 2, 3, 4 }, { { axis = { 1, 2 } } } },
  spatial_dropout1d = { { rate = 0.5 }, { 2, 3, 8 }, { { rate = 0.25 } } },
  spatial_dropout2d = { { rate = 0.5 }, { 2, 3, 3, 8 }, { { rate = 0.25 } } },
  spatial_dropout3d = { { rate = 0.5 }, { 2, 3, 3, 3, 8 }, { { rate = 0.25 } } },
  spectral_normalization = { { layer = layers.dense(3) }, { 2, 3 }, { { layer = layers.embedding(5, 2),
    power_iterations = 3 } }, dtype = "int32" },
  stacked_rnn_cells = { { cells = { lstm_cell(3) } }, { 2, 4 }, { { cells = { layers.lstm_cell(3, { use_bias = false,
    dropout = 0.5, seed = 7 }) } } }, states = 2 },
  string_lookup = { { vocabulary = { "b", "a" }, max_tokens = 8 }, { 2 }, { { mask_token = "m", oov_token = "?",
    max_tokens = 9, vocabulary = { "b", "c", "a" } },
    { output_mode = "tf_idf", idf_weights = { 0.5, 0.25 } }, { num_oov_indices = 0 } }, given = function(options)
      return options.invert and pod.tensor { 1, 2 } or { "a", "b" }
    end },
  subtract = { {}, { { 2, 3 }, { 2, 3 } } },
  text_vectorization = { { vocabulary = { "b", "a" }, max_tokens = 8 }, { 2 }, { { standardize = "lower",
    max_tokens = 9, vocabulary = { "b", "c" },
    split = "character", ngrams = 2, output_sequence_length = 5 }, { output_mode = "tf_idf",
    idf_weights = { 0.5, 0.25 }, ngrams = { 1, 2 } }, { standardize = same_text, split = "none" } },
    given = function()
      return { "a B!", "b c" }
    end },
  time_distributed = { { layer = layers.dense(2) }, { 2, 3, 4 }, { { layer = pod.models.sequential { layers.dense(3),
    layers.dropout(0.5, { seed = 1 }) } } } },
  unit_normalization = { {}, { 2, 3, 4 }, { { axis = { 1, 2 } } } },
  up_sampling1d = { {}, { 2, 3, 4 }, { { size = 3 } } },
  up_sampling2d = { {}, { 2, 3, 3, 4 }, { { size = { 3, 1 }, interpolation = "bilinear" } } },
  up_sampling3d = { {}, { 2, 3, 3, 3, 4 }, { { size = { 1, 2, 3 } } } },
  zero_padding1d = { {}, { 2, 3, 4 }, { { padding = { 2, 1 } } } },
  zero_padding2d = { {}, { 2, 3, 3, 4 }, { { padding = { { 1, 2 }, { 0, 1 } } } } },
  zero_padding3d = { {}, { 2, 3, 3, 3, 4 }, { { padding = { 1, 0, 2 } } } },
}

-- Values that are no default, of options that mean the same everywhere.
local VALUES = { seed = 11, dropout = 0.25, recurrent_dropout = 0.125, data_format = "channels_first", padding = "same",
  strides = 2, activation = "softsign", recurrent_activation = "hard_sigmoid" }

-- Options that mean something else here than those of the same name.
local APART = { zero_padding1d = "padding", zero_padding2d = "padding", zero_padding3d = "padding",
  activation = "activation" }

-- Options that take one value alone.
local ONE_VALUE = { up_sampling1d = "interpolation", up_sampling3d = "interpolation" }

local function value_of(option)
  if option:find "_regularizer$" then
    return pod.regularizers.l1_l2 { l1 = 0.25, l2 = 0.5 }
  elseif option:find "_constraint$" then
    return pod.constraints.min_max_norm { min_value = 0.5, max_value = 2, rate = 0.5, axis = { 0 } }
  elseif option:find "_initializer$" then
    return pod.initializers.random_uniform { minval = 0.25, maxval = 0.75, seed = 5 }
  end
  return VALUES[option]
end

local COMMON = { name = true, dtype = true, trainable = true, input_shape = true, batch_input_shape = true,
  activity_regularizer = true }

local function merge(...)
  local out = {}
  for _, part in ipairs { ... } do
    for key, value in pairs(part) do
      out[key] = value
    end
  end
  return out
end

-- The sets of options that a layer is made with: { options that differ from the defaults, ... }.
local function variants(class, case, name)
  local texts, flags = {}, {}
  for _, option in ipairs(class.allowed) do
    local default = class.spec.defaults[option]
    if type(default) == "boolean" then
      flags[option] = not default
    elseif not COMMON[option] and option ~= APART[name] then
      texts[option] = value_of(option)
    end
  end
  local list = { {}, texts, flags, { name = "own_name", dtype = "mixed_bfloat16", trainable = false,
    activity_regularizer = "l2" } }
  for _, more in ipairs(case[3] or {}) do
    list[#list + 1] = more
  end
  return list
end

local function same(a, b, where)
  if type(a) ~= "table" then
    assert.equal(a, b, where)
    return
  elseif not pod.is_tensor(a) then
    for i, value in pairs(a) do
      same(value, b[i], where)
    end
    return
  end
  assert.equal(a.dtype, b.dtype)
  assert.equal(tostring(a.shape), tostring(b.shape))
  local equal = pod.logical_or(pod.equal(a, b), pod.logical_and(pod.not_equal(a, a), pod.not_equal(b, b)))
  assert.is_true(pod.all(equal):item(), where)
end

local function tensor_of(shape, dtype)
  if dtype then
    return pod.random.uniform(shape, { minval = 0, maxval = 5, dtype = dtype, seed = 3 })
  end
  return pod.random.normal(shape, { seed = 3 })
end

local function inputs_of(case, options)
  if case.given then
    return case.given(options)
  end
  local shapes = case[2]
  local dtype = case.dtype and not (options.layer and options.layer.class_name == "Dense") and case.dtype or nil
  if type(shapes[1]) == "number" then
    return tensor_of(shapes, dtype)
  end
  local list = {}
  for i, shape in ipairs(shapes) do
    list[i] = tensor_of(shape, dtype) + i
  end
  return list
end

local function call(one, case, options, training)
  local given = { training = training }
  if case.states then
    given.states = {}
    for i, size in ipairs(one.state_sizes) do
      given.states[i] = pod.ones { case[2][1], size } * i
    end
  end
  pod.random.set_seed(17)
  return one(inputs_of(case, options), given)
end

-- The layer of a layer's JSON text; both are written alike.
local function again(one)
  local text = json.encode(objects.serialize(one))
  local made = objects.deserialize(json.decode(text), "layer")
  assert.equal(text, json.encode(objects.serialize(made)))
  assert.equal(json.encode(one:get_config()), json.encode(made:get_config()))
  return made
end

local function check(name, case, options)
  local all = merge(case[1], options)
  local one = layers[name](all)
  local made = again(one)
  local before = call(one, case, all, false)
  call(made, case, all, false)
  made:set_weights(one:get_weights())
  for i, weight in ipairs(one.weights) do
    assert.equal(weight.name, made.weights[i].name)
    assert.equal(weight.trainable, made.weights[i].trainable)
    assert.equal(weight.dtype, made.weights[i].dtype)
    assert.equal(weight.constraint == nil, made.weights[i].constraint == nil)
  end
  if one.reset_state then
    one:reset_state()
    made:reset_state()
    before = call(one, case, all, false)
  end
  same(before, call(made, case, all, false), name)
  one:reset_losses()
  made:reset_losses()
  same(call(one, case, all, true), call(made, case, all, true), name)
  local losses, others = one:collect_losses(), made:collect_losses()
  assert.equal(#losses, #others)
  for i, entry in ipairs(losses) do
    same(entry.value, others[i].value, name)
  end
  -- that of the class, and of any
  local from = getmetatable(one).from_config(one:get_config())
  assert.equal(json.encode(one:get_config()), json.encode(from:get_config()))
  assert.equal(one.class_name, layers.from_config(objects.serialize(one)).class_name)
  again(made) -- built and used: written as before
end

describe("a layer as plain data:", function()
  for _, name in ipairs(layers.names()) do
    local class = layers[name]
    if name ~= "input" then
      it(name, function()
        local case = assert(CASES[name], "tests/lua/saving_layers_spec.lua has no case for layers." .. name)
        local given = {}
        for _, options in ipairs(variants(class, case, name)) do
          check(name, case, options)
          for option, value in pairs(options) do
            if json.encode(objects.serialize { value }) ~= json.encode(objects.serialize { class.spec.defaults[option],
              nil }) then
              given[option] = true
            end
          end
        end
        for _, option in ipairs(class.allowed) do
          assert.is_true(given[option] or COMMON[option] or ONE_VALUE[name] == option,
            "no case gives another value than the default to '" .. option .. "'")
        end
      end)
    end
  end

  it("in the first place of a model, with input_shape", function()
    local model = pod.models.sequential { layers.dense(3, { input_shape = { 4 } }) }
    assert.same({ 4 }, again(model.layers[1]).config.input_shape)
  end)

  it("no case is of a layer that is none", function()
    for name in pairs(CASES) do
      assert.is_not_nil(rawget(layers, name) or layers[name])
    end
  end)
end)
