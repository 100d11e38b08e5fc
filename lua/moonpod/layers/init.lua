--- Layers, with Keras' names, options and numbers: `pod.layers.NAME(arguments, options)` makes one, and calling it with
--- a tensor computes. Its weights are made when the shape of its input is known: at the first call, or where the model
--- is told `input_shape`. Shapes are `(batch, ...)`; sizes of a batch are left out of options.
---
--- A call takes a table of options: `training` (true: dropout and batch normalization do what they do in training) and
--- `mask`. Layers that have activations, initializers, regularizers or constraints take them by name, as an object of
--- `pod.activations` and so on, or as a function.
---@param options.name string what the layer is called in summaries, messages and files (default: its class and a
---   number)
---@param options.dtype string|policy the dtype or policy that it computes in (default: the global policy)
---@param options.trainable boolean whether its weights are trained (default true)
---@param options.input_shape integer[] the shape of one row, without the batch: the model is built at once
---@param options.batch_input_shape integer[] the same with the batch, -1 where that is open
---@param options.activity_regularizer string|regularizer|function adds a loss of the output
---@param options.activation string|function what is applied at the end (default: nothing)
---@param options.use_bias boolean whether a bias is added
---@param options.kernel_initializer string|initializer first values of the kernel
---@param options.bias_initializer string|initializer first values of the bias
---@param options.kernel_regularizer string|regularizer adds a loss of the kernel
---@param options.bias_regularizer string|regularizer adds a loss of the bias
---@param options.kernel_constraint string|constraint what the kernel is put through after each step
---@param options.bias_constraint string|constraint what the bias is put through after each step
---@param options.filters integer how many channels come out
---@param options.kernel_size integer|integer[] how many places the kernel sees: a number, or one for each spatial axis
---@param options.strides integer|integer[] how far the window moves from place to place
---@param options.padding "valid"|"same"|"causal" "valid": windows within the input; "same": zeros around it, so that
---   places stay as many (over strides); "causal" (one axis): zeros before it only
---@param options.dilation_rate integer|integer[] how far apart the places are that a kernel sees; above 1 only with
---   strides of 1
---@param options.groups integer into how many parts channels are cut, each convolved by itself
---@param options.data_format "channels_last"|"channels_first" where channels stand (default: last)
---@param options.depth_multiplier integer how many channels come of each
---@param options.depthwise_initializer string|initializer first values of the kernel of single channels
---@param options.depthwise_regularizer string|regularizer adds a loss of it
---@param options.depthwise_constraint string|constraint what it is put through after each step
---@param options.pointwise_initializer string|initializer first values of the kernel that mixes channels
---@param options.pointwise_regularizer string|regularizer adds a loss of it
---@param options.pointwise_constraint string|constraint what it is put through after each step
---@param options.output_padding integer|integer[] how many places more come out at the end of each axis
---@param options.pool_size integer|integer[] the size of the window
---@param options.keepdims boolean whether axes that are reduced stay with size 1
---@param options.axis integer|integer[] the axis or axes that it works along
---@param options.epsilon number a small number that is added to what it divides by
---@param options.center boolean whether an offset, beta, is learned
---@param options.scale boolean whether a factor, gamma, is learned
---@param options.beta_initializer string|initializer first values of the offset
---@param options.gamma_initializer string|initializer first values of the factor
---@param options.beta_regularizer string|regularizer adds a loss of the offset
---@param options.gamma_regularizer string|regularizer adds a loss of the factor
---@param options.beta_constraint string|constraint what the offset is put through after each step
---@param options.gamma_constraint string|constraint what the factor is put through after each step
---@param options.units integer how many values come out
---@param options.recurrent_activation string|function the activation of gates
---@param options.recurrent_initializer string|initializer first values of the kernel of states
---@param options.recurrent_regularizer string|regularizer adds a loss of it
---@param options.recurrent_constraint string|constraint what it is put through after each step
---@param options.dropout number the share of inputs, or of attention, that is left out in training
---@param options.recurrent_dropout number the share of states that is left out in training
---@param options.return_sequences boolean whether the outputs of all steps come out, not the last one's
---@param options.return_state boolean whether the last states come out, too: in a table { output, state, ... }
---@param options.stateful boolean whether states go on from batch to batch, until `reset_states()`
---@param options.go_backwards boolean whether steps are read from the last to the first
---@param options.unroll boolean whether steps are written out; they always are
---@param options.use_cudnn string for Keras' sake: there is no cuDNN here
---@param options.zero_output_for_mask boolean whether outputs of masked steps are 0; else they are those of the step
---   before
---@param options.unit_forget_bias boolean whether the bias of the forget gate begins at 1
---@param options.reset_after boolean whether a GRU's reset gate acts behind the product with the states
---@param options.rate number the share that is left out, 0 to 1
---@param options.seed integer makes what is drawn the same in each run
---@param options.interpolation "nearest"|"bilinear" how values between places are found
---@param options.value_range number[] the lowest and highest value of a picture
---@param options.height integer rows of the result
---@param options.width integer columns of the result
---@param options.flash_attention boolean for Keras' sake: attention is never kept as a whole matrix where that is
---   slower
---@param options.use_gate boolean whether what comes out of each head is weighed by a gate of the query
---@example pod.layers.dense(2)(pod.ones { 4, 3 }).shape --> (4, 2)

-- All layers by their names: pod.layers.dense and so on; each file is loaded when one of its layers is first used.

local tables = require "moonpod.base.tables"

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
    "lambda", "rescaling", "time_distributed" },
  data_normalization = { "normalization" },
  lookup = { "string_lookup", "integer_lookup" },
  hashing = { "hashing", "hashed_crossing" },
  text_vectorization = { "text_vectorization" },
  embeddings = { "reversible_embedding", "position_embedding", "class_token" },
  categories = { "category_encoding", "discretization" },
  recurrent = { "simple_rnn", "lstm", "gru" },
  bidirectional = { "bidirectional" },
  conv_lstm = { "conv_lstm1d", "conv_lstm2d", "conv_lstm3d" },
  spectral_normalization = { "spectral_normalization" },
  image = { "random_flip", "random_rotation", "random_zoom", "random_translation", "random_brightness",
    "random_contrast", "random_erasing", "random_crop", "center_crop", "resizing" },
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

--- The names of all layers, sorted.
---@return string[]
---@example pod.layers.names()[1] --> "activation"
function layers.names()
  return tables.sorted_keys(tables.merge(file_of, { input = true }))
end

--- Makes a layer from what `pod.serialize()` gave for one: `{ class_name =, config = }`.
---@param plain table
---@param options.custom_objects table classes and functions by name that are not Moonpod's own
---@return layer
---@example pod.layers.from_config(pod.serialize(pod.layers.dense(3))).config.units --> 3
function layers.from_config(plain, options)
  local above = require "moonpod.base.above"
  return above.call("deserialize", plain, "layer", options)
end

-- What a class of one's own says of its options is asked for by the methods of these names that all layers have.
local OWN = { get_config = "own_get_config", from_config = "own_from_config" }

--- Makes a layer class of one's own from a table with `call(self, x, options)` and, where it has weights, `build(self,
--- shape)`; other fields become methods. `name` is the class name, `setup(self, ...)` gets the arguments. Layers of the
--- class can be saved once it has a name (`pod.register_layer`): by the arguments that they were made with. Where the
--- table has `get_config(self)`, it is by what that returns, of which `from_config(config)`, or else the class called
--- with it, makes a layer.
---@param methods table
---@return class called with what `setup` takes, it makes a layer
---@error there is no function `call`
--- ```lua
--- local Twice = pod.layers.subclass {
---   name = "Twice",
---   call = function(self, x)
---     return x * 2
---   end,
--- }
--- print(Twice()(pod.tensor { 1, 2, 3 }))
--- --> [2. 4. 6.]
--- --> float32 (3,) on CPU:0
--- ```
function layers.subclass(methods)
  local errors = require "moonpod.base.errors"
  local layer = require "moonpod.layers.layer"
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
    layer.init(self, class, {})
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
  __index = function(_, name)
    if name == "input" then
      local symbolic = require "moonpod.layers.symbolic"
      require "moonpod.layers.layer"
      layers[name] = symbolic.input
      return symbolic.input
    elseif name == "layer" then
      return require "moonpod.layers.layer"
    end
    if ALIASES[name] then
      return layers[ALIASES[name]]
    end
    local file = file_of[name]
    if not file then
      local errors = require "moonpod.base.errors"
      errors.raise("there is no layer '%s'%s", tostring(name), errors.suggest_name(name, layers.names()))
    end
    layers[name] = require("moonpod.layers." .. file)[name]
    return layers[name]
  end,
})
