-- Further workloads: small models of other shapes than w1 to w4, as a user tries them first. All on Fashion-MNIST; what
-- trains them is workloads.lua, and peers/shapes_torch.py has the same in PyTorch.
--
--   small    784-128-10 with relu, batch 8, one step an execution: what a step costs besides its work
--   odd      784-500-300-10 with tanh, batch 100
--   norm     784-256-256-10, batch normalisation and dropout, batch 256, SGD with momentum
--   lstm     128 units over the 28 rows of an image, batch 128
--   resnet   a residual network of 13 convolutions, 16 to 64 filters, two strides of 2, batch 128, SGD with momentum
--   mobile   five blocks of a depthwise convolution and one of 1 x 1, 32 to 256 filters, two strides of 2, batch 64,
--            SGD with momentum
--   row      784-512-512-10 with relu, which predicts one row at a time
--   convae   an autoencoder of two convolutions and two transposed ones, strides of 2, batch 128
--
-- and the larger ones of `./dev bench zoo`, on the bytes of Fashion-MNIST as they follow each other (bytes.lua):
--
--   lstm256  256 units over 100 places of 128 numbers, batch 64
--   gru256
--   resnet20 the residual network above, three blocks a stage, of 32 x 32 x 3, batch 128, SGD with momentum
--   resnet50 224 x 224 x 3, batch 16, SGD with momentum; so are
--   mobilenet  MobileNetV2, batch 32
--   vit      ViT-S/16, 224 x 224 x 3, batch 8, AdamW
--   unet     128 x 128 x 1, batch 4, a mask of bright pixels
--   bert     BERT base with a head of two classes, 128 places, batch 8, AdamW
--   gpt2     GPT-2 small, 256 places, batch 4, AdamW

local pod = require "moonpod"
local bytes = require "bytes"
local applications, layers = pod.applications, pod.layers

local function dense_model(widths, activation)
  local list = { layers.input { 784 } }
  for _, width in ipairs(widths) do
    list[#list + 1] = layers.dense(width, { activation = activation })
  end
  list[#list + 1] = layers.dense(10)
  return pod.models.sequential(list)
end

local function norm_model()
  local list = { layers.input { 784 } }
  for _ = 1, 2 do
    list[#list + 1] = layers.dense(256)
    list[#list + 1] = layers.batch_normalization()
    list[#list + 1] = layers.activation "relu"
    list[#list + 1] = layers.dropout(0.2)
  end
  list[#list + 1] = layers.dense(10)
  return pod.models.sequential(list)
end

local function lstm_model()
  return pod.models.sequential { layers.input { 28, 28 }, layers.lstm(128), layers.dense(10) }
end

local function convolve(x, filters, strides, size)
  x = layers.conv2d(filters, size, { strides = strides, padding = "same", use_bias = false })(x)
  return layers.batch_normalization()(x)
end

-- Stages of 16, 32 and 64 filters of so many blocks each.
local function resnet_model(shape, blocks)
  local input = layers.input(shape)
  local x, before = layers.activation "relu"(convolve(input, 16, 1, 3)), 16
  for _, filters in ipairs { 16, 32, 64 } do
    for _ = 1, blocks do
      local strides = before == filters and 1 or 2
      local around = strides == 1 and x or convolve(x, filters, strides, 1)
      local y = layers.activation "relu"(convolve(x, filters, strides, 3))
      x = layers.activation "relu"(layers.add() { convolve(y, filters, 1, 3), around })
      before = filters
    end
  end
  x = layers.global_average_pooling2d()(x)
  return pod.models.functional { inputs = input, outputs = layers.dense(10)(x) }
end

local function mobile_model()
  local input = layers.input { 28, 28, 1 }
  local x = layers.activation "relu"(convolve(input, 32, 1, 3))
  for _, one in ipairs { { 64, 1 }, { 128, 2 }, { 128, 1 }, { 256, 2 }, { 256, 1 } } do
    x = layers.depthwise_conv2d(3, { strides = one[2], padding = "same", use_bias = false })(x)
    x = layers.activation "relu"(layers.batch_normalization()(x))
    x = layers.activation "relu"(convolve(x, one[1], 1, 1))
  end
  x = layers.global_average_pooling2d()(x)
  return pod.models.functional { inputs = input, outputs = layers.dense(10)(x) }
end

local function recurrent_model(kind)
  return pod.models.sequential { layers.input { 100, 128 }, layers[kind](256), layers.dense(10) }
end

local SIDES = { 224, 224, 3 }
local PICTURES = { input_shape = SIDES, classifier_activation = "linear" }

-- BERT that tells two classes of texts.
local function bert()
  local model = applications.bert_base { sequence_length = 128 }
  return pod.models.functional { inputs = model.input, outputs = layers.dense(2)(model.output.pooled) }
end

local function autoencoder()
  local half = { strides = 2, padding = "same", activation = "relu" }
  return pod.models.sequential {
    layers.input { 28, 28, 1 },
    layers.conv2d(16, 3, half),
    layers.conv2d(32, 3, half),
    layers.conv2d_transpose(16, 3, half),
    layers.conv2d_transpose(1, 3, { strides = 2, padding = "same", activation = "sigmoid" }),
  }
end

local function momentum()
  return pod.optimizers.sgd { learning_rate = 0.01, momentum = 0.9 }
end

-- As in models.lua; optimizer: makes one, or its name. own: images are their own targets. predict: rows of a batch are
-- predicted instead.
return {
  small = { model = function() return dense_model({ 128 }, "relu") end, shape = { 784 }, batch = 8, steps = 1 },
  odd = { model = function() return dense_model({ 500, 300 }, "tanh") end, shape = { 784 }, batch = 100, steps = 20 },
  norm = { model = norm_model, shape = { 784 }, batch = 256, steps = 10, optimizer = momentum },
  lstm = { model = lstm_model, shape = { 28, 28 }, batch = 128, steps = 2 },
  resnet = { model = function() return resnet_model({ 28, 28, 1 }, 2) end, shape = { 28, 28, 1 }, batch = 128,
    steps = 1, optimizer = momentum },
  mobile = { model = mobile_model, shape = { 28, 28, 1 }, batch = 64, steps = 1, optimizer = momentum },
  row = { model = function() return dense_model({ 512, 512 }, "relu") end, shape = { 784 }, batch = 1, steps = 1,
    predict = true },
  convae = { model = autoencoder, shape = { 28, 28, 1 }, batch = 128, steps = 5, own = true },

  lstm256 = { model = function() return recurrent_model "lstm" end, data = bytes.pictures(64, { 100, 128 }), batch = 64,
    steps = 1 },
  gru256 = { model = function() return recurrent_model "gru" end, data = bytes.pictures(64, { 100, 128 }), batch = 64,
    steps = 1 },
  resnet20 = { model = function() return resnet_model({ 32, 32, 3 }, 3) end, data = bytes.pictures(128, { 32, 32, 3 }),
    batch = 128, steps = 1, optimizer = momentum },
  resnet50 = { model = function() return applications.resnet50(PICTURES) end, data = bytes.pictures(16, SIDES),
    batch = 16, steps = 1, optimizer = momentum },
  mobilenet = { model = function() return applications.mobilenet_v2(PICTURES) end, data = bytes.pictures(32, SIDES),
    batch = 32, steps = 1, optimizer = momentum },
  vit = { model = function() return applications.vit_small(PICTURES) end, data = bytes.pictures(8, SIDES), batch = 8,
    steps = 1, optimizer = "adamw" },
  unet = { model = function() return applications.unet { input_shape = { 128, 128, 1 } } end,
    data = bytes.masks(4, { 128, 128, 1 }), batch = 4, steps = 1, loss = "binary_crossentropy" },
  bert = { model = bert, data = bytes.sentences(8, 128, 30522), batch = 8, steps = 1, optimizer = "adamw" },
  gpt2 = { model = function() return applications.gpt2_small { sequence_length = 256 } end,
    data = bytes.tokens(4, 256, 50257), batch = 4, steps = 1, optimizer = "adamw" },
}
