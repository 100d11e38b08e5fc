-- Attention without projections: the shares are of the inputs as they are.

local check = require "moonpod.layers.check"
local layer = require "moonpod.layers.layer"
local masks = require "moonpod.layers.attention_masks"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local random = require "moonpod.func.random"
local random_state = require "moonpod.func.random_state"
local tables = require "moonpod.base.tables"

local seed_of = random_state.seed_of_call

local attention = {}

-- query, value and key of { query, value } or { query, value, key }.
local function read_inputs(inputs)
  return inputs[1], inputs[2], inputs[3] or inputs[2]
end

local function check_pair(self, inputs, is_list)
  if not is_list or #inputs < 2 then
    check.fail(self, " wants a list of tensors, { query, value } or { query, value, key }")
  end
end

-- Scores times a weight, where there is one.
local function times(scores, weight)
  return weight and scores * ops.cast(weight:value(), scores.dtype) or scores
end

local function define_simple(name, defaults, checks, score)
  local class = layer.define { name = name, several_inputs = true, supports_masking = true, defaults = defaults,
    optional = { "seed" }, checks = tables.merge({ dropout = check.rate, use_scale = check.boolean }, checks) }
  function class:call(inputs, options)
    check_pair(self, inputs, not nest.is_leaf(inputs))
    local query, value, key = read_inputs(inputs)
    local scores = score(self, query, key)
    local value_mask = nest.mask_of(value)
    local mask = value_mask ~= nil and ops.expand_dims(value_mask, 1) or nil
    if options.use_causal_mask then
      mask = masks.both(mask, masks.causal(query.shape[2], key.shape[2]))
    end
    if mask ~= nil then
      scores = scores + (1 - ops.cast(mask, scores.dtype)) * (scores.dtype == "float16" and -65504 or -1e9)
    end
    local shares = ops.softmax(scores, -1)
    local used = shares
    if options.training and self.config.dropout > 0 then
      used = random.dropout(shares, self.config.dropout, { seed = seed_of(self.config) })
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
    return nest.mask_of(inputs[1])
  end
  return class
end

---@name pod.layers.attention
--- Dot-product attention: called with { query, value } or { query, value, key }, each `(batch, steps, size)`, it gives
--- means of the values, weighed by how well keys fit each query.
---@param options.use_scale boolean whether a factor of the scores is learned
---@param options.score_mode "dot"|"concat" products of query and key, or the sum of a tanh of both
---@return layer
---@example pod.layers.attention()({ pod.ones { 1, 2, 4 }, pod.ones { 1, 3, 4 } }).shape --> (1, 2, 4)
attention.attention = define_simple("Attention", { use_scale = false, score_mode = "dot", dropout = 0.0 },
  { score_mode = check.one_of("dot", "concat") },
  function(self, query, key)
    if self.config.score_mode == "dot" then
      return times(ops.matmul(query, ops.transpose(key, { 0, 2, 1 })), self.scale)
    end
    local sum = times(ops.expand_dims(query, 2) + ops.expand_dims(key, 1), self.scale)
    return times(ops.sum(ops.tanh(sum), -1), self.concat_score_weight)
  end)

function attention.attention:build()
  if self.config.use_scale then
    self.scale = self:add_weight { name = "scale", shape = {}, initializer = "ones" }
  end
  if self.config.score_mode == "concat" then
    self.concat_score_weight = self:add_weight { name = "concat_score_weight", shape = {}, initializer = "ones" }
  end
end

---@name pod.layers.additive_attention
--- Additive attention (Bahdanau): scores are sums of `tanh(query + key)`. Called as `attention` is.
---@param options.use_scale boolean whether a weight for each entry of the sum is learned
---@return layer
---@example pod.layers.additive_attention()({ pod.ones { 1, 2, 4 }, pod.ones { 1, 3, 4 } }).shape --> (1, 2, 4)
attention.additive_attention = define_simple("AdditiveAttention", { use_scale = true, dropout = 0.0 }, nil,
  function(self, query, key)
    return ops.sum(times(ops.tanh(ops.expand_dims(query, 2) + ops.expand_dims(key, 1)), self.scale), -1)
  end)

function attention.additive_attention:build(shapes)
  check_pair(self, shapes, type(shapes[1]) == "table")
  if self.config.use_scale then
    local query = shapes[1]
    self.scale = self:add_weight { name = "scale", shape = { query[#query] }, initializer = "glorot_uniform" }
  end
end

return attention
