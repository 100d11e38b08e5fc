-- Known models of convolutions: ResNet, MobileNetV2, U-Net.

local layers = require "moonpod.layers"
local parts = require "moonpod.applications.parts"

local convolutional = {}

local PICTURES = { input_shape = { 224, 224, 3 }, classes = 1000, include_top = true,
  classifier_activation = "softmax" }

-- ---- ResNet ---------------------------------------------------------------------------------------------------------

-- A convolution and its normalization; with_bias as Keras' ResNet-50 has it.
local function convolved(x, filters, size, options)
  if options.pad then
    x = layers.zero_padding2d(options.pad)(x)
  end
  x = layers.conv2d(filters, size, { strides = options.strides or 1, use_bias = options.with_bias,
    padding = options.pad and "valid" or "same" })(x)
  x = layers.batch_normalization { epsilon = options.epsilon } (x)
  return options.linear and x or layers.activation "relu"(x)
end

-- Two convolutions of 3x3, as ResNet-18 has them.
local function basic_block(x, filters, strides)
  local epsilon, shortcut = 1e-5, x
  if strides > 1 or x.shape[4] ~= filters then
    shortcut = convolved(x, filters, 1, { strides = strides, with_bias = false, epsilon = epsilon, linear = true })
  end
  x = convolved(x, filters, 3, { strides = strides, pad = 1, with_bias = false, epsilon = epsilon })
  x = convolved(x, filters, 3, { with_bias = false, epsilon = epsilon, linear = true })
  return layers.activation "relu"(layers.add() { x, shortcut })
end

-- Convolutions of 1x1, 3x3 and 1x1, as ResNet-50 has them.
local function bottleneck(x, filters, strides, is_first)
  local epsilon, shortcut = 1.001e-5, x
  if is_first then
    shortcut = convolved(x, 4 * filters, 1, { strides = strides, with_bias = true, epsilon = epsilon, linear = true })
  end
  x = convolved(x, filters, 1, { strides = strides, with_bias = true, epsilon = epsilon })
  x = convolved(x, filters, 3, { with_bias = true, epsilon = epsilon })
  x = convolved(x, 4 * filters, 1, { with_bias = true, epsilon = epsilon, linear = true })
  return layers.activation "relu"(layers.add() { shortcut, x })
end

local function resnet(name, options, how)
  local where = "applications." .. name
  options = parts.options(options, PICTURES, where)
  local inputs = parts.picture(options, where)
  local x = convolved(inputs, 64, 7, { strides = 2, pad = 3, with_bias = how.with_bias, epsilon = how.epsilon })
  x = layers.max_pooling2d(3, { strides = 2 })(layers.zero_padding2d(1)(x))
  for stage, count in ipairs(how.blocks) do
    for i = 1, count do
      x = how.block(x, 32 * 2 ^ stage, i == 1 and stage > 1 and 2 or 1, i == 1)
    end
  end
  return parts.model(name, inputs, parts.head(x, options), options)
end

--- ResNet-18 (He and others 2015) as torchvision has it: 11,689,512 weights that are trained.
---@return model
--- ```lua
--- local model = pod.applications.resnet18 { input_shape = { 32, 32, 3 }, classes = 10 }
--- assert(model.outputs[1].shape[2] == 10)
--- ```
function convolutional.resnet18(options)
  return resnet("resnet18", options, { blocks = { 2, 2, 2, 2 }, block = basic_block, with_bias = false,
    epsilon = 1e-5 })
end

--- ResNet-50 (He and others 2015) as Keras has it: 25,636,712 weights.
---@return model
--- ```lua
--- local model = pod.applications.resnet50 { input_shape = { 32, 32, 3 }, include_top = false }
--- assert(model.outputs[1].shape[4] == 2048)
--- ```
function convolutional.resnet50(options)
  return resnet("resnet50", options, { blocks = { 3, 4, 6, 3 }, block = bottleneck, with_bias = true,
    epsilon = 1.001e-5 })
end

-- ---- MobileNetV2 ----------------------------------------------------------------------------------------------------

-- The padding with which a convolution of 3x3 and strides of 2 halves the sides.
local function halving(x)
  local sides = {}
  for i = 1, 2 do
    sides[i] = { x.shape[i + 1] % 2, 1 }
  end
  return layers.zero_padding2d(sides)(x)
end

local function normalized6(x, linear)
  x = layers.batch_normalization { epsilon = 1e-3, momentum = 0.999 } (x)
  return linear and x or layers.re_lu { max_value = 6 } (x)
end

local function inverted_residual(x, filters, strides, expansion)
  local before, channels = x, x.shape[4]
  if expansion > 1 then
    x = normalized6(layers.conv2d(expansion * channels, 1, { padding = "same", use_bias = false })(x))
  end
  x = strides == 2 and halving(x) or x
  x = layers.depthwise_conv2d(3, { strides = strides, use_bias = false,
    padding = strides == 2 and "valid" or "same" })(x)
  x = normalized6(x)
  x = normalized6(layers.conv2d(filters, 1, { padding = "same", use_bias = false })(x), true)
  return channels == filters and strides == 1 and layers.add() { before, x } or x
end

-- Filters, how many blocks, strides of the first.
local INVERTED = { { 16, 1, 1 }, { 24, 2, 2 }, { 32, 3, 2 }, { 64, 4, 2 }, { 96, 3, 1 }, { 160, 3, 2 }, { 320, 1, 1 } }

--- MobileNetV2 (Sandler and others 2018) as Keras has it: 3,538,984 weights.
---@return model
--- ```lua
--- local model = pod.applications.mobilenet_v2 { input_shape = { 32, 32, 3 }, classes = 10 }
--- assert(model.outputs[1].shape[2] == 10)
--- ```
function convolutional.mobilenet_v2(options)
  options = parts.options(options, PICTURES, "applications.mobilenet_v2")
  local inputs = parts.picture(options, "applications.mobilenet_v2")
  local x = normalized6(layers.conv2d(32, 3, { strides = 2, padding = "same", use_bias = false })(inputs))
  for stage, row in ipairs(INVERTED) do
    for i = 1, row[2] do
      x = inverted_residual(x, row[1], i == 1 and row[3] or 1, stage == 1 and 1 or 6)
    end
  end
  x = normalized6(layers.conv2d(1280, 1, { use_bias = false })(x))
  return parts.model("mobilenet_v2", inputs, parts.head(x, options), options)
end

-- ---- U-Net ----------------------------------------------------------------------------------------------------------

local function twice(x, filters)
  for _ = 1, 2 do
    x = layers.conv2d(filters, 3, { padding = "same", activation = "relu", kernel_initializer = "he_normal" })(x)
  end
  return x
end

--- U-Net (Ronneberger and others 2015), with sides that stay as they are: 31,031,685 weights. What comes out are
--- probabilities, of one class by a sigmoid, of several by a softmax; a picture's sides are multiples of 16.
---@param options.filters integer of the first convolutions (default 64)
---@return model
--- ```lua
--- local model = pod.applications.unet { input_shape = { 32, 32, 3 }, classes = 4, filters = 4 }
--- assert(model.outputs[1].shape[4] == 4)
--- ```
function convolutional.unet(options)
  options = parts.options(options, { input_shape = { 256, 256, 1 }, classes = 1, filters = 64 }, "applications.unet")
  local inputs = parts.picture(options, "applications.unet")
  local x, skips = inputs, {}
  for depth = 0, 4 do
    x = twice(x, options.filters * 2 ^ depth)
    if depth >= 3 then
      x = layers.dropout(0.5)(x)
    end
    if depth < 4 then
      skips[depth] = x
      x = layers.max_pooling2d(2)(x)
    end
  end
  for depth = 3, 0, -1 do
    local filters = options.filters * 2 ^ depth
    x = layers.conv2d(filters, 2, { padding = "same", activation = "relu", kernel_initializer = "he_normal" })(
      layers.up_sampling2d(2)(x))
    x = twice(layers.concatenate() { skips[depth], x }, filters)
  end
  x = layers.conv2d(2 * options.classes, 3, { padding = "same", activation = "relu",
    kernel_initializer = "he_normal" })(x)
  x = layers.conv2d(options.classes, 1, { activation = options.classes == 1 and "sigmoid" or "softmax" })(x)
  return parts.model("unet", inputs, x, options)
end

return convolutional
