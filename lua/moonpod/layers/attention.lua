-- Attention layers.

local ops = require "moonpod"
local check = require "moonpod.layers.check"
local errors = require "moonpod.errors"
local layer = require "moonpod.layers.layer"
local nest = require "moonpod.nest"
local random = require "moonpod.random"
local regularizers = require "moonpod.regularizers"

local attention = {}

-- What is added to scores that must not count, as Keras has it.
local function very_negative(dtype)
  return dtype == "float16" and -3e4 or -1e9
end

-- A lower-triangular mask [1, queries, keys]: a query sees keys up to its own place.
local function causal_mask(queries, keys)
  local rows = ops.expand_dims(ops.arange(0, queries), 1)
  return ops.expand_dims(ops.greater_equal(rows, ops.expand_dims(ops.arange(0, keys), 0)), 0)
end

local function both_masks(a, b)
  if a == nil then
    return b
  end
  return b ~= nil and ops.logical_and(a, b) or a
end

attention.multi_head_attention = layer.define {
  name = "MultiHeadAttention",
  arguments = { "num_heads", "key_dim" },
  required = { "num_heads", "key_dim" },
  defaults = { dropout = 0.0, use_bias = true, kernel_initializer = "glorot_uniform", bias_initializer = "zeros" },
  optional = { "value_dim", "output_shape", "kernel_regularizer", "bias_regularizer", "seed" },
  checks = { num_heads = check.positive_integer, key_dim = check.positive_integer, value_dim = check.positive_integer,
    output_shape = check.positive_integer, dropout = check.rate, use_bias = check.boolean },
  example = "layers.multi_head_attention(8, 64)",
}

local many = attention.multi_head_attention

function many:setup()
  self.supports_masking = true
end

-- query, value and key from a tensor, { query, value } or { query, value, key }.
local function read_inputs(inputs)
  if nest.is_leaf(inputs) then
    return inputs, inputs, inputs
  end
  return inputs[1], inputs[2] or inputs[1], inputs[3] or inputs[2] or inputs[1]
end

local function projection(self, name, shape, bias_shape)
  local config = self.config
  local kernel = self:add_weight { name = name .. "/kernel", shape = shape, initializer = config.kernel_initializer,
    regularizer = regularizers.get(config.kernel_regularizer) }
  local bias = config.use_bias and self:add_weight { name = name .. "/bias", shape = bias_shape,
    initializer = config.bias_initializer, regularizer = regularizers.get(config.bias_regularizer) } or nil
  return { kernel = kernel, bias = bias }
end

function many:build(shapes)
  local query, value, key
  if type(shapes[1]) == "table" then
    query, value, key = shapes[1], shapes[2] or shapes[1], shapes[3] or shapes[2] or shapes[1]
  else
    query, value, key = shapes, shapes, shapes
  end
  for _, shape in ipairs { query, value, key } do
    if #shape ~= 3 then
      errors.raise("layer '%s' (MultiHeadAttention) wants (batch, time, features); got %d axes", self.name, #shape)
    end
  end
  local config = self.config
  local heads, size = config.num_heads, config.key_dim
  local value_size = config.value_dim or size
  self._query = projection(self, "query", { query[3], heads, size }, { heads, size })
  self._key = projection(self, "key", { key[3], heads, size }, { heads, size })
  self._value = projection(self, "value", { value[3], heads, value_size }, { heads, value_size })
  local out = config.output_shape or query[3]
  self._output = projection(self, "attention_output", { heads, value_size, out }, { out })
end

-- [batch, time, features] to [batch, heads, time, size].
local function project(x, weights)
  local kernel = ops.cast(weights.kernel:value(), x.dtype)
  local features, heads, size = kernel.shape[1], kernel.shape[2], kernel.shape[3]
  local y = ops.matmul(x, ops.reshape(kernel, { features, heads * size }))
  if weights.bias then
    y = y + ops.reshape(ops.cast(weights.bias:value(), x.dtype), { heads * size })
  end
  return ops.transpose(ops.reshape(y, { x.shape[1], x.shape[2], heads, size }), { 0, 2, 1, 3 })
end

local function padding_mask(options, query, value, key)
  local masks = options.mask
  local query_mask, value_mask, key_mask = nest.mask_of(query), nest.mask_of(value), nest.mask_of(key)
  if masks ~= nil and nest.is_tensor(masks) and not query_mask then
    query_mask, value_mask = masks, rawequal(value, query) and masks or value_mask
  end
  local mask
  if query_mask ~= nil then
    mask = ops.expand_dims(query_mask, 2)
  end
  if value_mask ~= nil then
    mask = both_masks(mask, ops.expand_dims(value_mask, 1))
  end
  if key_mask ~= nil and not rawequal(key, value) then
    mask = both_masks(mask, ops.expand_dims(key_mask, 1))
  end
  return mask
end

-- Call options: attention_mask [batch, queries, keys] (true where a query may look), use_causal_mask,
-- return_attention_scores.
function many:call(inputs, options)
  local query, value, key = read_inputs(inputs)
  local q, k, v = project(query, self._query), project(key, self._key), project(value, self._value)
  local mask = padding_mask(options, query, value, key)
  if options.attention_mask ~= nil then
    mask = both_masks(mask, ops.cast(options.attention_mask, "bool"))
  end
  if options.use_causal_mask then
    mask = both_masks(mask, causal_mask(query.shape[2], key.shape[2]))
  end
  local scores = ops.matmul(q * (1 / math.sqrt(self.config.key_dim)), ops.transpose(k, { 0, 1, 3, 2 }))
  if mask ~= nil then
    local add = (1 - ops.cast(mask, scores.dtype)) * very_negative(scores.dtype)
    scores = scores + (#mask.shape == 3 and ops.expand_dims(add, 1) or add)
  end
  local shares = ops.softmax(scores, -1)
  local used = shares
  if options.training and self.config.dropout > 0 then
    used = random.dropout(shares, self.config.dropout, { seed = self.config.seed })
  end
  local y = ops.transpose(ops.matmul(used, v), { 0, 2, 1, 3 })
  local kernel = ops.cast(self._output.kernel:value(), y.dtype)
  local inner = kernel.shape[1] * kernel.shape[2]
  y = ops.matmul(ops.reshape(y, { y.shape[1], y.shape[2], inner }), ops.reshape(kernel, { inner, kernel.shape[3] }))
  if self._output.bias then
    y = y + ops.cast(self._output.bias:value(), y.dtype)
  end
  if options.return_attention_scores then
    return { y, shares }
  end
  return y
end

function many:compute_mask(inputs)
  return nest.mask_of((read_inputs(inputs)))
end

-- ---- attention without weights on the sides ------------------------------------------------------------------------

local function check_pair(self, inputs, is_list)
  if not is_list or #inputs < 2 then
    errors.raise("layer '%s' (%s) wants a list of tensors, { query, value } or { query, value, key }", self.name,
      self.class_name)
  end
end

local function define_simple(name, defaults, optional, score)
  local class = layer.define { name = name, defaults = defaults, optional = optional,
    checks = { dropout = check.rate, use_scale = check.boolean, score_mode = check.one_of("dot", "concat") } }
  function class:setup()
    self.supports_masking = true
  end
  function class:call(inputs, options)
    check_pair(self, inputs, not nest.is_leaf(inputs))
    local query, value, key = read_inputs(inputs)
    local scores = score(self, query, key)
    local mask
    local value_mask = nest.mask_of(value)
    if value_mask ~= nil then
      mask = ops.expand_dims(value_mask, 1)
    end
    if options.use_causal_mask then
      mask = both_masks(mask, causal_mask(query.shape[2], key.shape[2]))
    end
    if mask ~= nil then
      scores = scores + (1 - ops.cast(mask, scores.dtype)) * (scores.dtype == "float16" and -65504 or -1e9)
    end
    local shares = ops.softmax(scores, -1)
    local used = shares
    if options.training and self.config.dropout > 0 then
      used = random.dropout(shares, self.config.dropout, { seed = self.config.seed })
    end
    local y = ops.matmul(used, value)
    local query_mask = nest.mask_of(query)
    if query_mask ~= nil then
      y = y * ops.expand_dims(ops.cast(query_mask, y.dtype), 2)
    end
    if options.return_attention_scores then
      return { y, shares }
    end
    return y
  end
  function class:compute_mask(inputs)
    return nest.mask_of((read_inputs(inputs)))
  end
  return class
end

attention.attention = define_simple("Attention", { use_scale = false, score_mode = "dot", dropout = 0.0 }, { "seed" },
  function(self, query, key)
    local mode = self.config.score_mode
    local scores
    if mode == "dot" then
      scores = ops.matmul(query, ops.transpose(key, { 0, 2, 1 }))
      if self.scale then
        scores = scores * ops.cast(self.scale:value(), scores.dtype)
      end
    else
      local sum = ops.expand_dims(query, 2) + ops.expand_dims(key, 1)
      if self.scale then
        sum = sum * ops.cast(self.scale:value(), sum.dtype)
      end
      scores = ops.sum(ops.tanh(sum), -1)
      if self.concat_score_weight then
        scores = scores * ops.cast(self.concat_score_weight:value(), scores.dtype)
      end
    end
    return scores
  end)

function attention.attention:build()
  if self.config.use_scale then
    self.scale = self:add_weight { name = "scale", shape = {}, initializer = "ones" }
  end
  if self.config.score_mode == "concat" then
    self.concat_score_weight = self:add_weight { name = "concat_score_weight", shape = {}, initializer = "ones" }
  end
end

attention.additive_attention = define_simple("AdditiveAttention", { use_scale = true, dropout = 0.0 }, { "seed" },
  function(self, query, key)
    local sum = ops.tanh(ops.expand_dims(query, 2) + ops.expand_dims(key, 1))
    if self.scale then
      sum = sum * ops.cast(self.scale:value(), sum.dtype)
    end
    return ops.sum(sum, -1)
  end)

function attention.additive_attention:build(shapes)
  check_pair(self, shapes, type(shapes[1]) == "table")
  if self.config.use_scale then
    local query = shapes[1]
    self.scale = self:add_weight { name = "scale", shape = { query[#query] }, initializer = "glorot_uniform" }
  end
end

return attention
