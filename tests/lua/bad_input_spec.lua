-- Wrong input to layers, losses, metrics, optimizers and model methods: one error that names what is wrong, where it is
-- given (this file and a line) and what was expected.

local pod = require "moonpod"
local lua_version = require "tests.lua.support.lua_version"

-- Calls fn and checks its error: of one line, with the place in this file and all the words.
local function refuses(what, fn, ...)
  local ok, message = pcall(fn)
  assert(not ok, what .. ": no error")
  assert(type(message) == "string", what .. ": the error is a " .. type(message))
  assert(message:find("bad_input_spec.lua:%d+[:)]"), what .. ": no file and line in: " .. message)
  assert(not message:find "attempt to", what .. ": " .. message)
  assert(not message:find "stack traceback", what .. ": " .. message)
  for _, word in ipairs { ... } do
    assert(message:lower():find(word:lower(), 1, true), what .. ": no '" .. word .. "' in: " .. message)
  end
  return message
end

local f = pod.zeros

-- Of each layer: arguments that are right, an input that is right, options that are wrong, and inputs that are wrong.
local LAYERS = {
  dense = { { 3 }, { 2, 4 }, { units = { 0, -1, 2.5, "3", false } }, { {}, { 4 } } },
  conv1d = { { 2, 3 }, { 2, 6, 3 }, { filters = { 0, -2, "a" }, kernel_size = { 0, { 1, 2 } },
    padding = { "sme" }, strides = { 0 }, dilation_rate = { -1 }, groups = { 0 }, data_format = { "first" } },
    { { 2, 6 }, { 2, 6, 3, 1 } } },
  conv2d = { { 2, 3 }, { 2, 6, 6, 3 }, { filters = { 0, -2, "a" }, kernel_size = { 0, { 1, 2, 3 } },
    padding = { "causal" }, strides = { 0 }, groups = { 3.5 } }, { { 2, 6, 3 }, { 2, 6, 6, 3, 1 } } },
  conv3d = { { 2, 3 }, { 2, 4, 4, 4, 1 }, { filters = { 0 }, kernel_size = { -1 } }, { { 2, 4, 4, 4 } } },
  conv1d_transpose = { { 2, 3 }, { 2, 6, 3 }, { filters = { 0 }, kernel_size = { 0 } }, { { 2, 6 } } },
  conv2d_transpose = { { 2, 3 }, { 2, 4, 4, 3 }, { filters = { 0 }, padding = { "causal" } }, { { 2, 6 } } },
  conv3d_transpose = { { 2, 3 }, { 2, 3, 3, 3, 1 }, { filters = { 0 } }, { { 2, 6 } } },
  depthwise_conv1d = { { 3 }, { 2, 6, 3 }, { kernel_size = { 0 }, depth_multiplier = { 0 } }, { { 2, 6 } } },
  depthwise_conv2d = { { 3 }, { 2, 6, 6, 3 }, { kernel_size = { 0 }, depth_multiplier = { -1 } }, { { 2, 6 } } },
  separable_conv1d = { { 2, 3 }, { 2, 6, 3 }, { filters = { 0 } }, { { 2, 6 } } },
  separable_conv2d = { { 2, 3 }, { 2, 6, 6, 3 }, { filters = { 0 } }, { { 2, 6 } } },
  max_pooling1d = { { 2 }, { 2, 6, 3 }, { pool_size = { 0, { 1, 2 } }, strides = { 0 }, padding = { "x" } },
    { { 2, 6 } } },
  max_pooling2d = { { 2 }, { 2, 6, 6, 3 }, { pool_size = { 0, { 1 } } }, { { 2, 6, 6 }, { 2, 1, 1, 3 } } },
  max_pooling3d = { { 2 }, { 2, 4, 4, 4, 3 }, { pool_size = { 0 } }, { { 2, 6, 6 } } },
  average_pooling1d = { { 2 }, { 2, 6, 3 }, { pool_size = { 0 } }, { { 2, 6 } } },
  average_pooling2d = { { 2 }, { 2, 6, 6, 3 }, { pool_size = { 0 } }, { { 2, 6, 6 } } },
  average_pooling3d = { { 2 }, { 2, 4, 4, 4, 3 }, { pool_size = { 0 } }, { { 2, 6, 6 } } },
  global_max_pooling1d = { {}, { 2, 6, 3 }, { keepdims = { 1 } }, { { 2, 6 } } },
  global_max_pooling2d = { {}, { 2, 6, 6, 3 }, { keepdims = { 1 } }, { { 2, 6 } } },
  global_max_pooling3d = { {}, { 2, 4, 4, 4, 3 }, { keepdims = { 1 } }, { { 2, 6 } } },
  global_average_pooling1d = { {}, { 2, 6, 3 }, { keepdims = { 1 } }, { { 2, 6 } } },
  global_average_pooling2d = { {}, { 2, 6, 6, 3 }, { keepdims = { 1 } }, { { 2, 6 } } },
  global_average_pooling3d = { {}, { 2, 4, 4, 4, 3 }, { keepdims = { 1 } }, { { 2, 6 } } },
  flatten = { {}, { 2, 3, 4 }, {}, { {} } },
  reshape = { { { 2, 2 } }, { 3, 4 }, { target_shape = { 4, { 0 }, { -1, -1 }, "a" } }, { { 3, 5 } } },
  permute = { { { 2, 1 } }, { 3, 4, 5 }, { dims = { 2, { 1, 3 }, { 0, 1 }, { 1, 1 } } }, { { 3, 5 } } },
  repeat_vector = { { 2 }, { 3, 4 }, { n = { 0, -1, 1.5, "2" } }, { { 3, 4, 5 } } },
  zero_padding1d = { { 1 }, { 2, 3, 4 }, { padding = { -1, "a", { 1, -1 } } }, { { 3, 4 } } },
  zero_padding2d = { { 1 }, { 2, 3, 3, 4 }, { padding = { -1, { 1 } } }, { { 3, 4 } } },
  zero_padding3d = { { 1 }, { 2, 3, 3, 3, 4 }, { padding = { -1 } }, { { 3, 4 } } },
  cropping1d = { { 1 }, { 2, 3, 4 }, { cropping = { -1, "a" } }, { { 3, 4 }, { 2, 2, 4 } } },
  cropping2d = { { 1 }, { 2, 3, 3, 4 }, { cropping = { -1 } }, { { 3, 4 }, { 2, 1, 3, 4 } } },
  cropping3d = { { 1 }, { 2, 3, 3, 3, 4 }, { cropping = { -1 } }, { { 3, 4 } } },
  up_sampling1d = { { 2 }, { 2, 3, 4 }, { size = { 0, -1, 1.5 } }, { { 3, 4 } } },
  up_sampling2d = { { 2 }, { 2, 3, 3, 4 }, { size = { 0 }, interpolation = { "cubic" } }, { { 3, 4 } } },
  up_sampling3d = { { 2 }, { 2, 3, 3, 3, 4 }, { size = { 0 } }, { { 3, 4 } } },
  add = { {}, false, {}, { { 2, 3 } } },
  subtract = { {}, false, {}, { { 2, 3 } } },
  multiply = { {}, false, {}, { { 2, 3 } } },
  maximum = { {}, false, {}, { { 2, 3 } } },
  minimum = { {}, false, {}, { { 2, 3 } } },
  average = { {}, false, {}, { { 2, 3 } } },
  concatenate = { {}, false, { axis = { "a" } }, { { 2, 3 } } },
  dot = { { 1 }, false, { axes = { "a", {}, { 1, "b" } } }, { { 2, 3 } } },
  dropout = { { 0.5 }, { 2, 3 }, { rate = { -0.1, 1.5, "a" }, seed = { "a" } }, {} },
  spatial_dropout1d = { { 0.5 }, { 2, 3, 4 }, { rate = { -0.1, 1.5 } }, {} },
  spatial_dropout2d = { { 0.5 }, { 2, 3, 3, 4 }, { rate = { -0.1, 1.5 } }, {} },
  spatial_dropout3d = { { 0.5 }, { 2, 3, 3, 3, 4 }, { rate = { -0.1, 1.5 } }, {} },
  gaussian_noise = { { 0.5 }, { 2, 3 }, { stddev = { -1, "a" } }, {} },
  gaussian_dropout = { { 0.5 }, { 2, 3 }, { rate = { -1, 2 } }, {} },
  alpha_dropout = { { 0.5 }, { 2, 3 }, { rate = { -1, 2 } }, {} },
  activity_regularization = { {}, { 2, 3 }, { l1 = { -1, "a" }, l2 = { -1 } }, {} },
  batch_normalization = { {}, { 2, 3 }, { momentum = { -1, 2, "a" }, epsilon = { "a" }, axis = { "a" },
    synchronized = { 1 } }, { {} } },
  layer_normalization = { {}, { 2, 3 }, { epsilon = { "a" }, axis = { "a" } }, { {} } },
  rms_normalization = { {}, { 2, 3 }, { epsilon = { "a" }, axis = { "a" } }, { {} } },
  unit_normalization = { {}, { 2, 3 }, { axis = { "a" } }, {} },
  group_normalization = { { { groups = 3 } }, { 2, 6 }, { groups = { 0, -2, 1.5 }, epsilon = { "a" } }, { { 2, 4 } } },
  activation = { { "relu" }, { 2, 3 }, { activation = { "rleu", 5 } }, {} },
  re_lu = { {}, { 2, 3 }, { negative_slope = { "a" }, max_value = { "a" } }, {} },
  relu = { {}, { 2, 3 }, { threshold = { "a" } }, {} },
  leaky_relu = { {}, { 2, 3 }, { negative_slope = { "a" } }, {} },
  elu = { {}, { 2, 3 }, { alpha = { "a" } }, {} },
  prelu = { {}, { 2, 3 }, { shared_axes = { "a" } }, {} },
  softmax = { {}, { 2, 3 }, { axis = { "a" } }, {} },
  embedding = { { 5, 2 }, { 2, 3 }, { input_dim = { 0, -1, "a" }, output_dim = { 0 }, mask_zero = { 1 } }, {} },
  masking = { {}, { 2, 3, 4 }, { mask_value = { "a" } }, {} },
  identity = { {}, { 2, 3 }, {}, {} },
  lambda = { { function(x) return x end }, { 2, 3 }, { fn = { 5, "a" } }, {} },
  rescaling = { { 0.5 }, { 2, 3 }, { scale = { "a" }, offset = { "a" } }, {} },
  normalization = { { { mean = 0, variance = 1 } }, { 2, 3 }, { axis = { "a" }, invert = { 1 } }, {} },
  time_distributed = { { pod.layers.dense(2) }, { 2, 3, 4 }, { layer = { 5, "a" } }, { { 2, 3 } } },
  simple_rnn = { { 2 }, { 2, 3, 4 }, { units = { 0, "a" }, dropout = { 2 }, return_sequences = { 1 } }, { { 2, 3 } } },
  lstm = { { 2 }, { 2, 3, 4 }, { units = { 0, 1.5 }, recurrent_dropout = { -1 }, return_state = { 1 },
    activation = { "tahn" } }, { { 2, 3 }, { 2, 3, 4, 5 } } },
  gru = { { 2 }, { 2, 3, 4 }, { units = { 0 }, go_backwards = { 1 } }, { { 2, 3 } } },
  random_flip = { {}, { 2, 4, 4, 3 }, { mode = { "sideways" }, seed = { -1 } }, { { 2, 6 } } },
  random_rotation = { { 0.1 }, { 2, 4, 4, 3 }, { factor = { "a" }, fill_mode = { "x" } }, { { 2, 6 } } },
  random_zoom = { { 0.1 }, { 2, 4, 4, 3 }, { height_factor = { "a", -1, 1.5 }, fill_mode = { "x" } }, { { 2, 6 } } },
  random_translation = { { 0.1, 0.1 }, { 2, 4, 4, 3 }, { width_factor = { "a", -1.5 }, interpolation = { "x" } },
    { { 2, 6 } } },
  string_lookup = { { 5, { vocabulary = { "a", "b" } } }, false, { max_tokens = { 0 }, num_oov_indices = { -1, 1.5 },
    output_mode = { "x" }, vocabulary = { 5, { "a", "a" }, { 5 }, {}, "/no/such/file" }, mask_token = { 5 } }, {} },
  hashed_crossing = { { 5 }, false, { num_bins = { 0, "a" }, output_mode = { "count" } }, { { 2, 3 } } },
  hashing = { { 5 }, false, { num_bins = { 0, "a" }, salt = { -1, { 1 }, "a" }, mask_value = { 1.5, {} },
    output_mode = { "x" } }, {} },
  integer_lookup = { { 5, { vocabulary = { 3, 5 } } }, false, { max_tokens = { 0 }, num_oov_indices = { -1 },
    output_mode = { "x" }, vocabulary = { 5, { 3, 3 }, { "a" }, { 1.5 } }, oov_token = { "a" } }, {} },
  text_vectorization = { { 5, { vocabulary = { "a", "b" } } }, false, { max_tokens = { 0 }, standardize = { "x", 5 },
    split = { "x" }, ngrams = { 0, "a", { 0 } }, output_mode = { "one_hot" }, output_sequence_length = { 0, "a" } },
    {} },
  reversible_embedding = { { 5, 2 }, { 2, 3 }, { input_dim = { 0, "a" }, output_dim = { 0 }, tie_weights = { 1 } },
    {} },
  position_embedding = { { 5 }, { 2, 3, 4 }, { sequence_length = { 0, "a" } }, { { 2, 3 }, { 2, 6, 4 } } },
  class_token = { {}, { 2, 3, 4 }, {}, { { 2, 3 } } },
  category_encoding = { { 3 }, { 2, 3 }, { num_tokens = { 0, "a" }, output_mode = { "int" } }, {} },
  discretization = { { { 1, 2 } }, { 2, 3 }, { bin_boundaries = { 5, { 2, 1 }, { "a" } }, num_bins = { 0 },
    epsilon = { 0, 1 } }, {} },
  random_brightness = { { 0.1 }, { 2, 4, 4, 3 }, { factor = { "a" }, value_range = { 5 } }, { { 2, 6 } } },
  random_contrast = { { 0.1 }, { 2, 4, 4, 3 }, { factor = { "a" }, value_range = { { 2, 1 } } }, { { 2, 6 } } },
  random_erasing = { { 0.5 }, { 2, 4, 4, 3 }, { factor = { "a" }, scale = { 5 } }, { { 2, 6 } } },
  random_crop = { { 2, 2 }, { 2, 4, 4, 3 }, { height = { 0, "a" }, width = { -1 } }, { { 2, 6 } } },
  center_crop = { { 2, 2 }, { 2, 4, 4, 3 }, { height = { 0 }, width = { 1.5 } }, { { 2, 6 } } },
  resizing = { { 2, 2 }, { 2, 4, 4, 3 }, { height = { 0 }, width = { "a" }, interpolation = { "x" } }, { { 2, 6 } } },
  einsum_dense = { { "abc,cd->abd", { -1, 2 } }, { 2, 3, 4 }, { equation = { "abc", 5 },
    output_shape = { 0, "a", { 3, 0 } }, bias_axes = { 5 }, activation = { "rleu" } }, { { 2, 3 } } },
  spectral_normalization = { { pod.layers.dense(2) }, { 2, 3 }, { layer = { 5, "a" }, power_iterations = { 0 } }, {} },
  conv_lstm1d = { { 2, 2 }, { 2, 3, 4, 1 }, { filters = { 0 }, kernel_size = { 0, { 1, 2 } }, padding = { "causal" },
    dropout = { 2 } }, { { 2, 3, 4 } } },
  conv_lstm2d = { { 2, 2 }, { 2, 3, 4, 4, 1 }, { strides = { 0 }, return_state = { 1 } }, { { 2, 3, 4 } } },
  conv_lstm3d = { { 2, 2 }, { 2, 2, 3, 3, 3, 1 }, { dilation_rate = { 0 }, stateful = { 1 } }, { { 2, 3, 4 } } },
  simple_rnn_cell = { { 2 }, false, { units = { 0 }, dropout = { 2 } }, { { 2, 3, 4 } } },
  lstm_cell = { { 2 }, false, { units = { 1.5 }, recurrent_dropout = { -1 } }, { { 2, 3 }, { 2, 3, 4 } } },
  gru_cell = { { 2 }, false, { units = { "a" } }, { { 2, 3 } } },
  stacked_rnn_cells = { { { pod.layers.lstm_cell(2) } }, false, { cells = { 5, {}, { 5 } } }, { { 2, 3 } } },
  rnn = { { pod.layers.gru_cell(2) }, { 2, 3, 4 }, { cell = { 5, {}, pod.layers.dense(2) }, return_sequences = { 1 } },
    { { 2, 3 } } },
  bidirectional = { { pod.layers.lstm(2) }, { 2, 3, 4 }, { layer = { 5 }, merge_mode = { "cat" } }, { { 2, 3 } } },
  multi_head_attention = { { 2, 3 }, { 2, 3, 4 }, { num_heads = { 0 }, key_dim = { 0, "a" }, dropout = { 2 },
    attention_axes = { "a" }, sliding_window = { 0 }, use_gate = { 1 } }, { { 2, 3 } } },
  group_query_attention = { { 3, 4, 2 }, { 2, 3, 4 }, { head_dim = { 0 }, num_query_heads = { 3, 0 },
    num_key_value_heads = { 0, "a" }, dropout = { 2 } }, { { 2, 3 } } },
  attention = { {}, false, { dropout = { 2 }, use_scale = { 1 }, score_mode = { "sum" } }, { { 2, 3 } } },
  additive_attention = { {}, false, { dropout = { 2 }, use_scale = { 1 } }, { { 2, 3 } } },
}

-- Layers that take strings.
local OF_STRINGS = { string_lookup = true, text_vectorization = true }

local unpack = table.unpack

local function with_option(row, name, option, value)
  local options = {}
  -- The right values of the other required options, by name.
  local spec = pod.layers[name].spec
  for i, argument in ipairs(spec.arguments) do
    options[argument] = row[1][i]
  end
  if type(row[1][1]) == "table" and getmetatable(row[1][1]) == nil and #spec.arguments == 0 then
    for key, one in pairs(row[1][1]) do
      options[key] = one
    end
  end
  options[option] = value
  return pod.layers[name](options)
end

describe("layers", function()
  it("are all in the table", function()
    for _, name in ipairs(pod.layers.names()) do
      assert(name == "input" or LAYERS[name], "no bad input for layers." .. name)
    end
  end)

  for name, row in pairs(LAYERS) do
    it(name .. " refuses options", function()
      pod.layers[name](unpack(row[1]))
      refuses("unknown option", function() with_option(row, name, "nmae", "x") end, "nmae", "did you mean 'name'")
      local spec = pod.layers[name].spec
      for _, option in ipairs(spec.arguments) do
        local broken = option:sub(1, -2) .. "_"
        refuses("unknown " .. broken, function() with_option(row, name, broken, 1) end, broken)
      end
      for option, values in pairs(row[3]) do
        for _, value in ipairs(values) do
          refuses(option .. " = " .. tostring(value), function() with_option(row, name, option, value) end, option)
        end
      end
      for _, option in ipairs(spec.required or {}) do
        refuses("without " .. option, function() pod.layers[name] {} end, "missing", option == "fn" and "fn" or "")
      end
    end)

    it(name .. " refuses inputs", function()
      refuses("nil", function() pod.layers[name](unpack(row[1]))(nil) end, "nil")
      if OF_STRINGS[name] then
        refuses("a tensor", function() pod.layers[name](unpack(row[1]))(f { 2 }) end, "string")
        refuses("a symbol", function() pod.layers[name](unpack(row[1]))(pod.layers.input { 2 }) end, "ds:map")
      elseif name ~= "hashing" then -- which takes either
        refuses("a string", function() pod.layers[name](unpack(row[1]))("rows") end, "tensor")
      end
      for _, shape in ipairs(row[4]) do
        local text = "(" .. table.concat(shape, ", ") .. ")"
        local message = refuses("input " .. text, function() pod.layers[name](unpack(row[1]))(f(shape)) end)
        assert(message:lower():find(name:gsub("_", ""), 1, true) or message:find(name, 1, true)
          or message:lower():gsub("_", ""):find(name:gsub("_", ""), 1, true), text .. ": no layer in: " .. message)
      end
    end)
  end

  it("refuse inputs that differ from the ones they were built for", function()
    local layer = pod.layers.dense(2, { name = "top" })
    layer(f { 2, 4 })
    refuses("other size", function() layer(f { 2, 5 }) end, "top", "4", "(2, 5)")
  end)

  it("suggest names", function()
    refuses("layer", function() return pod.layers.dens end, "dens", "did you mean 'dense'")
    refuses("activation", function() pod.layers.dense(2, { activation = "rellu" }) end, "rellu", "did you mean 'relu'")
    refuses("initializer", function()
      pod.layers.dense(2, { kernel_initializer = "glorot_unifrom" })(f { 2, 3 })
    end, "glorot_unifrom", "did you mean")
    refuses("option", function() pod.layers.dense(2, { activaton = "relu" }) end, "did you mean 'activation'")
  end)

  it("refuse a call that returns nothing", function()
    refuses("lambda", function() pod.layers.lambda(function() end)(f { 2 }) end, "lambda", "return")
    local Empty = pod.layers.subclass { name = "Empty", call = function() end }
    refuses("subclass", function() Empty()(f { 2 }) end, "empty", "returned nothing")
    refuses("no call", function() pod.layers.subclass { name = "No" } end, "call")
  end)

  it("input refuses shapes", function()
    for _, shape in ipairs { { 0 }, { -2 }, { "a" }, { 1.5 } } do
      refuses("shape", function() pod.layers.input(shape) end, "layers.input")
    end
    refuses("number", function() pod.layers.input(5) end, "layers.input", "shape")
    refuses("nil", function() pod.layers.input() end, "layers.input")
    refuses("option", function() pod.layers.input { shape = { 2 }, dtyp = "int32" } end, "did you mean 'dtype'")
    refuses("dtype", function() pod.layers.input { shape = { 2 }, dtype = "flaot32" } end, "flaot32")
  end)
end)

describe("losses", function()
  local all = { "mean_squared_error", "mean_absolute_error", "mean_absolute_percentage_error",
    "mean_squared_logarithmic_error", "cosine_similarity", "huber", "log_cosh", "hinge", "squared_hinge",
    "categorical_hinge", "kl_divergence", "poisson", "binary_crossentropy", "binary_focal_crossentropy",
    "categorical_crossentropy", "categorical_focal_crossentropy", "sparse_categorical_crossentropy", "dice", "tversky",
    "circle", "categorical_generalized_cross_entropy" }
  it("are all in the list", function()
    local listed = {}
    for _, name in ipairs(all) do
      listed[name] = true
    end
    for name in pairs(pod.losses.functions) do
      assert(listed[name], "no bad input for losses." .. name)
    end
  end)

  for _, name in ipairs(all) do
    it(name .. " refuses", function()
      local make = pod.losses[name]
      refuses("option", function() make { reducton = "sum" } end, "losses." .. name, "did you mean 'reduction'")
      refuses("reduction", function() make { reduction = "avg" } end, "reduction", "avg", "sum_over_batch_size")
      refuses("number", function() make(5) end, "losses." .. name, "table")
      refuses("dtype", function() make { dtype = "float23" } end, "float23")
      refuses("nil", function() make()(nil, f { 2, 3 }) end, "nil", "y_true")
      refuses("nil", function() make()(f { 2, 3 }, nil) end, "nil", "y_pred")
      refuses("shapes", function() make()(f { 4, 3 }, f { 2, 5 }) end, "(4, 3)", "(2, 5)")
      refuses("weights", function()
        local y = name == "sparse_categorical_crossentropy" or name == "circle"
          or name == "categorical_generalized_cross_entropy"
        make { reduction = "sum" }(y and f({ 2 }, "int32") or f { 2, 3 }, f { 2, 3 }, f { 7, 7, 7 })
      end, "sample_weight")
    end)
  end

  it("refuse names and functions that give nothing", function()
    refuses("name", function() pod.losses.get "mean_sqared_error" end, "did you mean 'mean_squared_error'")
    refuses("number", function() pod.losses.get(5) end, "loss")
    refuses("nothing", function() pod.losses.get(function() end)(f { 2 }, f { 2 }) end, "return")
    refuses("classes", function()
      pod.losses.sparse_categorical_crossentropy()(f { 2, 3 }, f { 2, 3 })
    end, "categorical_crossentropy")
    refuses("option type", function() pod.losses.huber { delta = "a" } end, "delta", "number")
  end)
end)

describe("metrics", function()
  local ARGUMENTS = { IoU = { num_classes = 2, target_class_ids = { 0 } }, MeanIoU = { num_classes = 2 },
    OneHotIoU = { num_classes = 2, target_class_ids = { 0 } }, OneHotMeanIoU = { num_classes = 2 },
    SensitivityAtSpecificity = { specificity = 0.5 }, SpecificityAtSensitivity = { sensitivity = 0.5 },
    PrecisionAtRecall = { recall = 0.5 }, RecallAtPrecision = { precision = 0.5 } }
  local ONE = { Mean = true, Sum = true }
  for name, make in pairs(pod.metrics.by_name) do
    if name:find "^%u" then
      it(name .. " refuses", function()
        local given = {}
        for key, value in pairs(ARGUMENTS[name] or {}) do
          given[key] = value
        end
        local probe = make(given)
        given.dtype = "float23"
        refuses("option", function() make { nmae = "x" } end, "nmae", "did you mean 'name'")
        refuses("boolean", function() make(true) end, "metrics.")
        refuses("dtype", function() make(given) end, "float23")
        if not ONE[name] then
          refuses("nil", function() probe:update_state(nil, f { 2, 3 }) end, "nil", "y_true")
          refuses("nil", function() probe:update_state(f { 2, 3 }, nil) end, "nil", "y_pred")
          refuses("shapes", function() probe:update_state(f { 4, 3 }, f { 2, 5 }) end, "(4, 3)", "(2, 5)")
        else
          refuses("nil", function() probe:update_state(nil) end, "nil")
        end
      end)
    end
  end

  it("refuse names and functions that give nothing", function()
    refuses("name", function() pod.metrics.get "acuracy" end, "did you mean 'accuracy'")
    refuses("number", function() pod.metrics.get(5) end, "metric")
    refuses("nothing", function()
      pod.metrics.get(function() end):update_state(f { 2 }, f { 2 })
    end, "return")
    refuses("threshold", function() pod.metrics.precision { thresholds = 2 } end, "threshold")
    refuses("k", function() pod.metrics.top_k_categorical_accuracy { k = 0 } end, "k")
    refuses("curve", function() pod.metrics.auc { curve = "RCO" } end, "curve")
    refuses("classes", function() pod.metrics.mean_iou {} end, "num_classes")
  end)
end)

describe("optimizers", function()
  local all = { "sgd", "adam", "adamw", "rmsprop", "adagrad", "adadelta", "adamax", "nadam", "ftrl", "lion", "lamb",
    "lars", "adafactor", "muon" }

  it("are all in the list", function()
    local listed = {}
    for _, name in ipairs(all) do
      listed[pod.optimizers[name]] = true
    end
    for name, make in pairs(pod.optimizers.by_name) do
      assert(listed[make], "no bad input for optimizers." .. name)
    end
  end)

  for _, name in ipairs(all) do
    it(name .. " refuses", function()
      local make = pod.optimizers[name]
      refuses("option", function() make { learning_rat = 1 } end, "did you mean 'learning_rate'")
      refuses("rate", function() make { learning_rate = -1 } end, "learning_rate")
      refuses("rate", function() make { learning_rate = "fast" } end, "learning_rate")
      refuses("rate", function() make { learning_rate = 0 / 0 } end, "learning_rate")
      refuses("string", function() make "fast" end, "optimizers." .. name)
      refuses("clips", function() make { clipnorm = 1, clipvalue = 1 } end, "Only one of `clipnorm`")
      refuses("clip", function() make { clipnorm = -1 } end, "clipnorm")
      refuses("decay", function() make { weight_decay = -1 } end, "weight_decay")
      refuses("accumulation", function() make { gradient_accumulation_steps = 1 } end, "at least 2")
      refuses("ema", function() make { use_ema = true, ema_momentum = 2 } end, "ema_momentum")
      refuses("frequency", function() make { ema_overwrite_frequency = 0 } end, "ema_overwrite_frequency")
      local v = pod.variable({ 1, 2 }, { name = "w" })
      refuses("none", function() make():apply({ nil }, { v }) end, "No gradients provided", "w")
      refuses("nil", function() make():apply(nil, { v }) end, "gradients")
      refuses("shape", function() make():apply({ f { 3 } }, { v }) end, "w", "(3,)", "(2,)")
      refuses("other", function()
        local optimizer = make()
        optimizer:apply({ f { 2 } }, { v })
        optimizer:apply({ f { 2 } }, { pod.variable({ 1, 2 }, { name = "other" }) })
      end, "other")
    end)
  end

  it("refuse names", function()
    refuses("name", function() pod.optimizers.get "adma" end, "did you mean 'adam'")
    refuses("number", function() pod.optimizers.get(5) end, "optimizer")
    refuses("momentum", function() pod.optimizers.sgd { momentum = 2 } end, "momentum")
    refuses("schedule", function() pod.optimizers.schedules.cosine_decay(0.1) end, "decay_steps")
    refuses("schedule", function() pod.optimizers.schedules.cosine_decay(0.1, 10, { alhpa = 1 }) end, "did you mean")
    refuses("schedule", function() pod.optimizers.schedules.cosine_decay("a", 10) end, "initial_learning_rate")
    refuses("schedule", function() pod.optimizers.schedules.exponential_decay(0.1, 0, 0.5) end, "decay_steps")
    refuses("schedule", function()
      pod.optimizers.schedules.piecewise_constant_decay({ 1, 2 }, { 0.1, 0.2 })
    end, "values")
    refuses("regularizer", function() pod.regularizers.l2(-1) end, "l2")
    refuses("regularizer", function() pod.layers.dense(2, { kernel_regularizer = "l3" }) end, "l2")
    refuses("constraint", function() pod.constraints.get "max_nrom" end, "max_norm")
  end)
end)

describe("models", function()
  local function model()
    local made = pod.models.sequential { pod.layers.input { 4 }, pod.layers.dense(3, { name = "top" }), name = "net" }
    made:compile { optimizer = "sgd", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
    return made
  end
  local x, y = f { 6, 4 }, f({ 6 }, "int32")

  it("refuse what they are made of", function()
    refuses("number", function() pod.models.sequential { 5 } end, "layer")
    refuses("layer", function() pod.models.sequential(pod.layers.dense(2)) end, "list of layers")
    refuses("nil", function() pod.models.sequential { pod.layers.dense(2), nil, pod.layers.dense(2) } end, "nil")
    refuses("option", function() pod.models.sequential { pod.layers.dense(2), nmae = "x" } end, "did you mean 'name'")
    refuses("names", function()
      pod.models.sequential { pod.layers.dense(2, { name = "a" }), pod.layers.dense(2, { name = "a" }) }
    end, "'a'")
    refuses("outputs", function() pod.models.functional { inputs = pod.layers.input { 2 } } end, "outputs")
    refuses("tensors", function() pod.models.functional { inputs = f { 2 }, outputs = f { 2 } } end, "symbolic")
    refuses("apart", function()
      local a, b = pod.layers.input { 2 }, pod.layers.input { shape = { 2 }, name = "lonely" }
      pod.models.functional { inputs = a, outputs = pod.layers.add() { a, b } }
    end, "lonely")
    refuses("no call", function() pod.models.subclass {} end, "call")
    refuses("returns nothing", function() pod.models.subclass { call = function() end }()(x) end, "returned nothing")
    refuses("layer", function() model():get_layer "tpo" end, "did you mean 'top'")
    refuses("index", function() model():get_layer(7) end, "7")
  end)

  it("compile refuses", function()
    refuses("option", function() model():compile { optimiser = "sgd" } end, "did you mean 'optimizer'")
    refuses("optimizer", function() model():compile { optimizer = "sgdd", loss = "mse" } end, "sgdd", "did you mean")
    refuses("loss", function() model():compile { loss = "msee" } end, "msee", "did you mean")
    refuses("loss", function() model():compile { loss = 5 } end, "loss")
    refuses("metric", function() model():compile { loss = "mse", metrics = { "acuracy" } } end, "did you mean")
    refuses("metric", function() model():compile { loss = "mse", metrics = { 5 } } end, "metric")
  end)

  it("fit refuses", function()
    refuses("nil", function() model():fit(nil, y) end, "fit", "nil")
    refuses("option", function() model():fit(x, y, { epoch = 2 }) end, "did you mean 'epochs'")
    for _, option in ipairs { "epochs", "batch_size", "steps_per_epoch", "validation_steps" } do
      for _, value in ipairs { 0, -1, 1.5, "two" } do
        refuses(option, function() model():fit(x, y, { [option] = value, verbose = 0 }) end, option)
      end
    end
    refuses("rows", function() model():fit(x, f({ 5 }, "int32"), { verbose = 0 }) end, "6", "5")
    refuses("width", function() model():fit(f { 6, 5 }, y, { verbose = 0 }) end, "net", "(None, 4)")
    refuses("targets", function() model():fit(x, f { 6, 3 }, { verbose = 0 }) end, "categorical_crossentropy")
    refuses("no targets", function() model():fit(x, { verbose = 0 }) end, "targets")
    refuses("split", function() model():fit(x, y, { validation_split = 2, verbose = 0 }) end, "validation_split")
    refuses("validation", function() model():fit(x, y, { validation_data = 5, verbose = 0 }) end, "validation_data")
    refuses("callbacks", function() model():fit(x, y, { callbacks = 5, verbose = 0 }) end, "callbacks")
    refuses("callback", function() model():fit(x, y, { callbacks = { "early" }, verbose = 0 }) end, "callback 1")
    refuses("class weight", function()
      model():fit(x, y, { class_weight = { a = 1 }, verbose = 0 })
    end, "class_weight")
    refuses("weights", function() model():fit(x, y, { sample_weight = f { 4 }, verbose = 0 }) end, "rows")
    refuses("verbose", function() model():fit(x, y, { verbose = "loud" }) end, "verbose")
    refuses("not compiled", function()
      pod.models.sequential { pod.layers.dense(2), name = "raw" }:fit(x, y)
    end, "raw", "compile")
    refuses("no loss", function()
      local made = pod.models.sequential { pod.layers.dense(2) }
      made:compile { optimizer = "sgd" }
      made:fit(x, y, { verbose = 0 })
    end, "loss")
    refuses("empty", function() pod.models.sequential {}(x) end, "no layers")
  end)

  it("the other methods refuse", function()
    refuses("evaluate", function() model():evaluate(nil, y) end, "evaluate")
    refuses("evaluate", function() model():evaluate(x, y, { stepss = 1 }) end, "did you mean 'steps'")
    refuses("evaluate", function() model():evaluate(x, y, { batch_size = 0, verbose = 0 }) end, "batch_size")
    refuses("predict", function() model():predict(nil) end, "predict")
    refuses("predict", function() model():predict(x, { batch = 1 }) end, "did you mean 'batch_size'")
    refuses("predict", function() model():predict(x, { batch_size = -3 }) end, "batch_size")
    refuses("predict", function() model():predict(f { 6, 5 }) end, "net")
    refuses("train_on_batch", function() model():train_on_batch(nil, y) end, "nil")
    refuses("train_on_batch", function() model():train_on_batch(x, y, { weight = 1 }) end, "weight")
    refuses("test_on_batch", function() model():test_on_batch(x, f { 6, 3 }) end, "categorical_crossentropy")
    refuses("predict_on_batch", function() model():predict_on_batch(nil) end, "nil")
    refuses("set_weights", function() model():set_weights {} end, "2 weights")
    refuses("set_weights", function() model():set_weights(nil) end, "2 weights")
    refuses("summary", function() model():summary { lines = 3 } end, "summary")
    refuses("count_params", function() pod.models.sequential { pod.layers.dense(2) }:count_params() end, "built")
  end)

  it("refuse steps that return no table", function()
    local made = model()
    made.train_step = function() return 5 end
    refuses("train_step", function() made:train_on_batch(x, y) end, "train_step")
  end)
end)

describe("methods", function()
  local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
  model:compile { optimizer = "sgd", loss = "mse" }
  local x, v, strategy = f { 4, 3 }, pod.variable(1), pod.distribute.mirrored(2)

  it("called without their object say so", function()
    refuses("fit", function() model.fit(x, x) end, "model:fit", "with a colon", "tensor of shape (4, 3)")
    refuses("nothing", function() model.predict() end, "model:predict", "given nil")
    refuses("call", function() pod.layers.dense(1).call(x) end, "Dense layer", "layers.dense:call")
    refuses("another class", function() pod.layers.dense(1).call(pod.layers.flatten(), x, {}) end, "Dense layer")
    refuses("run", function() strategy.run(function() end) end, "strategy:run", "a function")
    refuses("assign", function() v.assign(1) end, "variable:assign", "given 1")
    refuses("item", function() x.item() end, "tensor:item")
    refuses("iterator", function() pod.data.range(3):iterator().next() end, "iterator:next")
    refuses("optimizer", function() model.optimizer.apply({}) end, "optimizer:apply")
    refuses("tape", function() pod.tape(function() end).gradient(x, x) end, "tape:gradient")
  end)

  it("and functions name the argument, what was given and what is wanted", function()
    refuses("options", function() model:summary(4) end, "model:summary", "argument 1 (options)", "not 4")
    refuses("kind of option", function() pod.random.normal({ 2 }, { stddev = "a" }) end, "random.normal", "'stddev'",
      "a tensor or a number", '"a"')
    refuses("function", function() strategy:run(3) end, "argument 1 (fn)", "must be a function")
    refuses("operand", function() return x + "a" end, "add", "argument 2 (b)", '"a"')
    refuses("nothing", function() pod.matmul(x) end, "matmul", "argument 2 (b)", "nil")
    refuses("activation", function() pod.activations.celu(x, 3) end, "activations.celu", "options")
    refuses("kernel", function() pod.nn.conv(x) end, "nn.conv", "kernel")
    refuses("constraint", function() pod.constraints.max_norm(3) end, "max_norm")
    refuses("both spellings", function() model:compile { steps_per_execution = 2, steps_per_exec = 2 } end,
      "steps_per_execution and steps_per_exec are one option")
  end)

  it("that lead to no module are refused", function()
    for _, name in ipairs { "backends", "checkpoint", "compat", "keras", "strategy", "tensorboard" } do
      refuses(name, function() return pod[name] end, "there is no pod." .. name)
    end
  end)
end)

describe("what models are told at run time", function()
  it("names the loss whose shapes differ", function()
    local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
    for _, name in ipairs { "mean_squared_error", "mean_absolute_error", "hinge", "kl_divergence", "poisson",
      "cosine_similarity", "dice", "tversky", "log_cosh", "categorical_hinge", "circle" } do
      model:compile { optimizer = "sgd", loss = name }
      refuses(name, function() model:fit(f { 4, 3 }, f { 4, 3 }, { verbose = 0 }) end, "loss '" .. name, "(4, 3)",
        "(4, 2)")
    end
  end)

  it("names the embedding whose index is none", function()
    local model = pod.models.sequential { pod.layers.embedding(5, 2, { name = "words" }), pod.layers.flatten(),
      pod.layers.dense(1) }
    model:compile { optimizer = "sgd", loss = "mse" }
    local bad = pod.tensor({ { 1, 7 } }, "int32")
    refuses("predict", function() model:predict_on_batch(bad) end, "layer 'words' (Embedding)", "index 7")
    refuses("fit", function() model:fit(bad, f { 1, 1 }, { verbose = 0 }) end, "layer 'words' (Embedding)", "0 .. 4")
    refuses("eager", function() return pod.layers.embedding(5, 2, { name = "one" })(bad):totable() end, "layer 'one'")
  end)

  it("names compute_loss that returns nothing", function()
    local model = pod.models.subclass { setup = function(self) self.dense = pod.layers.dense(1) end,
      call = function(self, x) return self.dense(x) end, compute_loss = function() end }()
    model:compile { optimizer = "sgd", loss = "mse" }
    refuses("train", function() model:train_on_batch(f { 4, 3 }, f { 4, 1 }) end, "compute_loss returned nil", "scalar")
    refuses("test", function() model:test_on_batch(f { 4, 3 }, f { 4, 1 }) end, "compute_loss returned nil")
  end)

  it("names what metamethods are given in their object's place", function()
    local function meta(value, name) return getmetatable(value)[name] end
    local iterator = pod.data.range(3):iterator()
    local objects = { tensor = f { 2 }, variable = pod.variable(1), dataset = pod.data.range(3), iterator = iterator,
      layer = pod.layers.dense(1), optimizer = pod.optimizers.sgd {}, loss = pod.losses.dice(), tape = pod.tape(),
      func = pod.func(function(x) return x end), metric = pod.metrics.mean(),
      symbolic_tensor = pod.layers.input { 2 }, spec = pod.spec { 2 } }
    for name, object in pairs(objects) do
      refuses(name, function() meta(object, "__tostring")(1.5) end, name .. ":__tostring is a method of", "1.5")
    end
    objects.schedule = pod.schedules.exponential_decay { initial_learning_rate = 1, decay_steps = 1, decay_rate = 1 }
    for _, name in ipairs { "layer", "loss", "metric", "func", "schedule" } do
      refuses(name, function() meta(objects[name], "__call")(true) end, name .. ":__call is a method of", "true")
    end
    for _, name in ipairs(lua_version.asks_for_keys and { "variable", "optimizer" } or {}) do
      refuses(name, function() objects[name][nil] = 1 end, "(key) must be the name of a field, not nil")
    end
    refuses("function of a loss", function() pod.losses.functions.hinge(1, 2) end, "losses.functions.hinge",
      "argument 1 (y_true) must be a tensor")
    refuses("layer.define", function() pod.layers.dense.define {} end, "takes a table with the name")
    refuses("layer.init", function() pod.layers.conv2d.init({}, {}, {}) end, "a table is no class", "layers.subclass")
    for _, object in ipairs(lua_version.asks_for_keys and { pod.layers.dense, objects.layer } or {}) do
      refuses("field", function() object[0 / 0] = 1 end, "field", "name", "nan")
    end
    for _, name in ipairs { "__add", "__sub", "__mul", "__div", "__pow", "__mod", "__unm" } do
      local operator = meta(objects.symbolic_tensor, name)
      refuses(name, function() operator({ objects.symbolic_tensor }, objects.dataset) end, "symbolic tensor", "not")
    end
    for _, value in ipairs { 3, pod.distribute.mirrored(2), { 1 } } do
      refuses("row", function() meta(pod.tensor(1), "__index")(value, 3) end, "t[3]: t must be a tensor, not")
    end
    for _, number in ipairs { 1e308, 1 / 0, 0 / 0, 0.5 } do
      refuses("row", function() return pod.ones { 3 }[number] end, "a row is a whole number, not")
    end
    refuses("order", function() return pod.tensor(true) < pod.tensor(3) end, "booleans has no order", "pod.cast")
    if lua_version.compares_kinds then
      refuses("order", function() return 7 <= pod.variable(false, { dtype = "bool" }) end, "booleans has no order")
    end
    refuses("dtype", function() pod.promote("float", "adam") end, "no dtype 'float'")
    refuses("input", function() pod.layers.input { dtype = "int64" } end, "layers.input: 'shape'", "not nil")
    refuses("input", function() pod.layers.input { shape = { 3 }, batch_size = "4" } end, "'batch_size'")
    refuses("input", function() pod.layers.input { shape = { 3 }, name = 5 } end, "'name' must be a string")
    refuses("name", function() pod.layers.subclass { name = 5, call = function() end } end, "the name must be a string")
    refuses("name", function() pod.models.subclass { name = {}, call = function() end } end,
      "the name must be a string")
    refuses("loss", function() pod.masked_loss(function() end, f { 2 }, f { 2 }, { true, true }) end,
      "masked_loss: the loss must return a tensor")
    refuses("option of a loss", function() pod.losses.functions.huber(f { 2 }, f { 2 }, { delta = "x" }) end,
      "losses.huber: 'delta' must be a number")
    refuses("setup", function() pod.layers.conv2d(3, 3):setup { strides = 2 } end,
      "setup is called where the class makes a layer")
    refuses("classes", function() pod.metrics.mean_iou(1 / 0) end, "num_classes must be a whole number", "inf")
    refuses("classes", function() pod.metrics.iou { num_classes = 2 ^ 31 } end, "2147483648")
  end)

  it("refuses what is given by place and by name", function()
    local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
    model:compile { optimizer = "sgd", loss = "mse" }
    local x, y = f { 4, 2 }, f { 4, 1 }
    for name, fn in pairs {
      x = function() model:fit(x, y, { x = x, verbose = 0 }) end,
      y = function() model:evaluate(x, y, { y = y, verbose = 0 }) end,
      axis = function() return x:sum(1, { axis = 0 }) end,
      decay_rate = function() return pod.schedules.exponential_decay(0.1, 10, 0.9, { decay_rate = 0.1 }) end,
      p = function() return pod.random.bernoulli({ 2 }, 0.5, { p = 0.3 }) end,
      num_classes = function() return pod.metrics.mean_iou(2, { num_classes = 3 }) end,
      learning_rate = function() return pod.optimizers.sgd(0.1, { learning_rate = 0.2 }) end,
      units = function() return pod.layers.dense(3, { units = 4 }) end,
    } do
      refuses(name, fn, "'" .. name .. "' is given twice, by place and by name")
    end
    local options = { validation_split = 0.5, sample_weight = pod.ones { 4 }, verbose = 0 }
    model:fit(x, y, options)
    assert.equal(4, options.sample_weight.shape[1]) -- the caller's table stays as it is
    assert.equal(3, pod.ones { 3, 2 }:sum({ axis = 0 })[1]:item())
  end)

  it("takes no whole number that no integer holds", function()
    refuses("split", function() pod.split(f { 4 }, 2 ^ 63) end, "split")
    refuses("all", function() pod.all(pod.tensor { true }, { 1e308 }) end, "the axis must be an integer")
  end)

  it("rolls an axis of size 0", function()
    assert.same({ 0, 3 }, { pod.roll(f { 0, 3 }, 2, 0).shape[1], pod.roll(f { 0, 3 }, 2, 0).shape[2] })
  end)
end)
