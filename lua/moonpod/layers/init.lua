-- All layers by their names: pod.layers.dense and so on; each file is loaded when one of its layers is first used.

local FILES = {
  dense = { "dense" },
  einsum_dense = { "einsum_dense" },
  convolution = { "conv1d", "conv2d", "conv3d", "conv1d_transpose", "conv2d_transpose", "conv3d_transpose",
    "depthwise_conv1d", "depthwise_conv2d", "separable_conv1d", "separable_conv2d" },
  pooling = { "max_pooling1d", "max_pooling2d", "max_pooling3d", "average_pooling1d", "average_pooling2d",
    "average_pooling3d", "global_max_pooling1d", "global_max_pooling2d", "global_max_pooling3d",
    "global_average_pooling1d", "global_average_pooling2d", "global_average_pooling3d" },
  reshaping = { "flatten", "reshape", "permute", "repeat_vector", "zero_padding1d", "zero_padding2d", "zero_padding3d",
    "cropping1d", "cropping2d", "cropping3d", "up_sampling1d", "up_sampling2d", "up_sampling3d" },
  merging = { "add", "subtract", "multiply", "maximum", "minimum", "average", "concatenate", "dot" },
  regularization = { "dropout", "spatial_dropout1d", "spatial_dropout2d", "spatial_dropout3d", "gaussian_noise",
    "gaussian_dropout", "alpha_dropout", "activity_regularization" },
  normalization = { "batch_normalization", "layer_normalization", "rms_normalization", "unit_normalization",
    "group_normalization" },
  basic = { "activation", "re_lu", "relu", "leaky_relu", "elu", "prelu", "softmax", "embedding", "masking", "identity",
    "lambda", "rescaling", "normalization", "time_distributed" },
  recurrent = { "simple_rnn", "lstm", "gru" },
  bidirectional = { "bidirectional" },
  conv_lstm = { "conv_lstm1d", "conv_lstm2d", "conv_lstm3d" },
  spectral_normalization = { "spectral_normalization" },
  image = { "random_flip", "random_rotation", "random_brightness", "random_contrast", "random_erasing", "random_crop",
    "center_crop", "resizing" },
  cells = { "simple_rnn_cell", "lstm_cell", "gru_cell", "stacked_rnn_cells", "rnn" },
  attention = { "attention", "additive_attention" },
  multi_head_attention = { "multi_head_attention", "group_query_attention" },
}

-- Keras' other names.
local ALIASES = {}
for rank = 1, 3 do
  local d = rank .. "d"
  ALIASES["convolution" .. d], ALIASES["convolution" .. d .. "_transpose"] = "conv" .. d, "conv" .. d .. "_transpose"
  ALIASES["max_pool" .. d], ALIASES["avg_pool" .. d] = "max_pooling" .. d, "average_pooling" .. d
  ALIASES["global_max_pool" .. d] = "global_max_pooling" .. d
  ALIASES["global_avg_pool" .. d] = "global_average_pooling" .. d
  ALIASES["separable_convolution" .. d] = rank < 3 and "separable_conv" .. d or nil
end

local layers = {}
local file_of = {}
for file, list in pairs(FILES) do
  for _, name in ipairs(list) do
    file_of[name] = file
  end
end

--- Names of all layers, sorted.
function layers.names()
  local list = { "input" }
  for name in pairs(file_of) do
    list[#list + 1] = name
  end
  table.sort(list)
  return list
end

--- Makes a layer from what pod.serialize() gave for one: { class_name =, config = }. Options: custom_objects (name ->
--- class or function).
function layers.from_config(plain, options)
  local above = require "moonpod.base.above"
  return above.call("deserialize", plain, "layer", options)
end

-- What a class of one's own says of its options is asked for by the methods of these names that all layers have.
local OWN = { get_config = "own_get_config", from_config = "own_from_config" }

--- Makes a layer class of one's own from a table with `call(self, x, options)` and, where it has weights,
--- `build(self, shape)`; other fields become methods. `name` is the class name, `setup(self, ...)` gets the arguments.
--- Layers of the class can be saved once it has a name (pod.register_layer): by the arguments that they were made with,
--- or, where the table has `get_config(self)`, by what that returns, of which `from_config(config)`, or else the class
--- called with it, makes a layer.
function layers.subclass(methods)
  local errors = require "moonpod.base.errors"
  local layer = require "moonpod.layers.layer"
  local names = require "moonpod.base.names"
  errors.check_type(methods, "table", "layers.subclass", "methods")
  if type(methods.call) ~= "function" then
    errors.raise("layers.subclass: the table has no function 'call'; write call = function(self, x, options) ... end")
  end
  errors.check_type(methods.name or "", "string", "layers.subclass", "the name")
  local class = layer.define { name = methods.name or "Custom", several_inputs = true, defaults = {} }
  class.is_own = true
  for name, value in pairs(methods) do
    if name ~= "name" then
      rawset(class, OWN[name] or name, value)
    end
  end
  local meta = getmetatable(class)
  meta.__call = function(_, ...)
    local self = setmetatable({}, class)
    layer.init(self, class, { name = names.unique(names.snake_case(class.class_name)) })
    rawset(self, "config", {})
    self._state.arguments = { count = select("#", ...), ... }
    if methods.setup then
      methods.setup(self, ...)
    end
    return self
  end
  return class
end

return setmetatable(layers, {
  __index = function(self, name)
    if name == "input" then
      local symbolic = require "moonpod.layers.symbolic"
      require "moonpod.layers.layer"
      self[name] = symbolic.input
      return symbolic.input
    elseif name == "layer" then
      return require "moonpod.layers.layer"
    end
    if ALIASES[name] then
      return self[ALIASES[name]]
    end
    local file = file_of[name]
    if not file then
      local errors = require "moonpod.base.errors"
      errors.raise("there is no layer '%s'%s", tostring(name), errors.suggest(tostring(name), layers.names()))
    end
    local found
    if file == "dense" then
      found = require "moonpod.layers.dense"
    else
      found = require("moonpod.layers." .. file)[name]
    end
    self[name] = found
    return found
  end,
})
