-- Known transformers: ViT, GPT-2, BERT.

local errors = require "moonpod.base.errors"
local is_whole = require "moonpod.base.kinds".is_whole
local initializers = require "moonpod.layers.initializers"
local layers = require "moonpod.layers"
local parts = require "moonpod.applications.parts"

local transformers = {}

local function check_heads(options, where)
  if options.width % options.heads ~= 0 then
    errors.raise("%s: width (%d) must be a multiple of heads (%d)", where, options.width, options.heads)
  end
end

--- The vision transformer ViT-S/16 (Dosovitskiy and others 2020; Touvron and others 2021): 22,050,664 weights. Sides of
--- pictures are multiples of `patch_size`.
---@param options.patch_size integer the side of the patches that become tokens (default 16)
---@param options.width integer the size of tokens (default 384)
---@param options.depth integer how many blocks (default 12)
---@param options.heads integer of attention (default 6)
---@return model
--- ```lua
--- local model = pod.applications.vit_small { input_shape = { 32, 32, 3 }, classes = 10, patch_size = 8, width = 32,
---   depth = 2, heads = 2 }
--- assert(model.outputs[1].shape[2] == 10)
--- ```
function transformers.vit_small(options)
  local where = "applications.vit_small"
  options = parts.options(options, { input_shape = { 224, 224, 3 }, classes = 1000, include_top = true,
    classifier_activation = "softmax", patch_size = 16, width = 384, depth = 12, heads = 6 }, where)
  check_heads(options, where)
  local inputs, size = parts.picture(options, where), options.patch_size
  local high, wide = options.input_shape[1] / size, options.input_shape[2] / size
  if not (is_whole(high) and is_whole(wide)) then
    errors.raise("%s: pictures of %dx%d are not made of patches of %dx%d", where, options.input_shape[1],
      options.input_shape[2], size, size)
  end
  local x = layers.conv2d(options.width, size, { strides = size })(inputs)
  x = layers.reshape { high * wide, options.width } (x)
  x = layers.class_token()(x)
  local normal = initializers.random_normal { stddev = 0.02 }
  local places = layers.position_embedding(high * wide + 1, { initializer = normal })
  x = layers.add() { x, places(x) }
  for _ = 1, options.depth do
    x = parts.transformer(x, { heads = options.heads, hidden = 4 * options.width, epsilon = 1e-6, before = true,
      activation = "gelu" })
  end
  x = layers.layer_normalization { epsilon = 1e-6 } (x)
  if options.include_top then
    x = layers.flatten()(layers.cropping1d { 0, high * wide } (x))
    x = layers.dense(options.classes, { name = "predictions", activation = options.classifier_activation })(x)
  end
  return parts.model("vit_small", inputs, x, options)
end

--- GPT-2 small (Radford and others 2019): 124,439,808 weights. Tokens `(batch, sequence_length)` become logits of the
--- token behind each.
---@param options.vocabulary integer how many tokens there are (default 50257)
---@param options.sequence_length integer how long sequences are (default 1024)
---@param options.width integer the size of tokens (default 768)
---@param options.depth integer how many blocks (default 12)
---@param options.heads integer of attention (default 12)
---@return model
--- ```lua
--- local model = pod.applications.gpt2_small { vocabulary = 50, sequence_length = 8, width = 16, depth = 1, heads = 2 }
--- assert(model(pod.zeros({ 1, 8 }, "int32")).shape[3] == 50)
--- ```
function transformers.gpt2_small(options)
  local where = "applications.gpt2_small"
  options = parts.options(options, { vocabulary = 50257, sequence_length = 1024, width = 768, depth = 12, heads = 12 },
    where)
  check_heads(options, where)
  local inputs = layers.input { shape = { options.sequence_length }, dtype = "int32", name = "token_ids" }
  local normal = initializers.random_normal { stddev = 0.02 }
  local tokens = layers.reversible_embedding(options.vocabulary, options.width, { embeddings_initializer = normal })
  local x = tokens(inputs)
  x = layers.add() { x, layers.position_embedding(options.sequence_length, { initializer = normal })(x) }
  x = layers.dropout(0.1)(x)
  for _ = 1, options.depth do
    x = parts.transformer(x, { heads = options.heads, hidden = 4 * options.width, epsilon = 1e-5, before = true,
      causal = true, activation = "gelu" })
  end
  x = layers.layer_normalization { epsilon = 1e-5 } (x)
  return parts.model("gpt2_small", inputs, tokens(x, { reverse = true }), options)
end

--- BERT base (Devlin and others 2018), uncased: 109,482,240 weights. Takes `{ token_ids =, segment_ids =, padding_mask
--- = }` of `(batch, sequence_length)`, gives `{ sequence = (batch, sequence_length, width), pooled = (batch, width) }`.
---@param options.vocabulary integer how many tokens there are (default 30522)
---@param options.sequence_length integer how long sequences are (default 512)
---@param options.width integer the size of tokens (default 768)
---@param options.depth integer how many blocks (default 12)
---@param options.heads integer of attention (default 12)
---@return model
--- ```lua
--- local model = pod.applications.bert_base { vocabulary = 50, sequence_length = 8, width = 16, depth = 1, heads = 2 }
--- local ones = pod.ones({ 1, 8 }, "int32")
--- assert(model({ token_ids = ones, segment_ids = ones * 0, padding_mask = ones }).pooled.shape[2] == 16)
--- ```
function transformers.bert_base(options)
  local where = "applications.bert_base"
  options = parts.options(options, { vocabulary = 30522, sequence_length = 512, width = 768, depth = 12, heads = 12 },
    where)
  check_heads(options, where)
  local inputs, normal = {}, initializers.random_normal { stddev = 0.02 }
  for _, name in ipairs { "token_ids", "segment_ids", "padding_mask" } do
    inputs[name] = layers.input { shape = { options.sequence_length }, dtype = "int32", name = name }
  end
  local x = layers.embedding(options.vocabulary, options.width, { embeddings_initializer = normal })(inputs.token_ids)
  local segments = layers.embedding(2, options.width, { embeddings_initializer = normal })(inputs.segment_ids)
  local places = layers.position_embedding(options.sequence_length, { initializer = normal })(x)
  x = layers.layer_normalization { epsilon = 1e-12 } (layers.add() { x, segments, places })
  x = layers.dropout(0.1)(x)
  local mask = layers.repeat_vector(options.sequence_length)(inputs.padding_mask)
  for _ = 1, options.depth do
    x = parts.transformer(x, { heads = options.heads, hidden = 4 * options.width, epsilon = 1e-12, mask = mask,
      activation = "gelu" })
  end
  local first = layers.flatten()(layers.cropping1d { 0, options.sequence_length - 1 } (x))
  local pooled = layers.dense(options.width, { activation = "tanh", name = "pooled" })(first)
  return parts.model("bert_base", inputs, { sequence = x, pooled = pooled }, options)
end

return transformers
