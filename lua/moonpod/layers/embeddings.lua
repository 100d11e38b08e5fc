-- Embeddings beside that of `basic`: one that goes back from vectors to tokens, places, and a token of the whole.

local check = require "moonpod.layers.check"
local initializers = require "moonpod.layers.initializers"
local layer = require "moonpod.layers.layer"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"

local embeddings = {}

---@name pod.layers.reversible_embedding
--- An embedding that goes both ways: whole numbers become vectors; called with `{ reverse = true }`, vectors become
--- logits of the numbers, by the same weights or, without `tie_weights`, by others.
---@param options.input_dim integer how many numbers there are
---@param options.output_dim integer the size of vectors
---@param options.tie_weights boolean whether both ways have the same weights
---@param options.embeddings_initializer string|initializer first values
---@param options.logit_soft_cap number logits are bent to lie between this and its negative
---@return layer
---@example pod.layers.reversible_embedding(9, 4)(pod.ones { 2, 3, 4 }, { reverse = true }).shape --> (2, 3, 9)
embeddings.reversible_embedding = layer.define {
  name = "ReversibleEmbedding",
  arguments = { "input_dim", "output_dim" },
  autocast = false,
  defaults = { tie_weights = true, embeddings_initializer = "uniform" },
  checks = { input_dim = check.positive_integer, output_dim = check.positive_integer, tie_weights = check.boolean,
    logit_soft_cap = check.number },
  example = "layers.reversible_embedding(1000, 64)",
}

local reversible = embeddings.reversible_embedding

function reversible:build()
  local config = self.config
  self.embeddings = self:add_weight { name = "embeddings", shape = { config.input_dim, config.output_dim },
    initializer = config.embeddings_initializer }
  if not config.tie_weights then
    self.reverse_embeddings = self:add_weight { name = "reverse_embeddings",
      shape = { config.output_dim, config.input_dim }, initializer = config.embeddings_initializer }
  end
end

function reversible:call(x, options)
  local config, dtype = self.config, self:compute_dtype()
  if not options.reverse then
    return ops.cast(ops.gather(self.embeddings:value(), x, 0), dtype)
  end
  if x.shape[#x.shape] ~= config.output_dim then
    check.fail(self, ": vectors of %d are needed to go back; got shape %s", config.output_dim, tostring(x.shape))
  end
  local kernel = config.tie_weights and ops.transpose(self.embeddings:value()) or self.reverse_embeddings:value()
  local logits = ops.matmul(ops.cast(x, dtype), ops.cast(kernel, dtype))
  local cap = config.logit_soft_cap
  return cap and ops.tanh(logits / cap) * cap or logits
end

---@name pod.layers.position_embedding
--- A vector for each place of a sequence, to be added to what stands there. Input `(batch, steps, features)`, whose
--- values do not matter; output of its shape.
---@param options.sequence_length integer how long sequences are at most
---@param options.initializer string|initializer first values
---@return layer
---@example pod.layers.position_embedding(8)(pod.ones { 2, 3, 4 }).shape --> (2, 3, 4)
embeddings.position_embedding = layer.define {
  name = "PositionEmbedding",
  arguments = { "sequence_length" },
  defaults = { initializer = "glorot_uniform" },
  checks = { sequence_length = check.positive_integer },
  example = "layers.position_embedding(128)",
}

local places = embeddings.position_embedding

-- Makes the weight of a layer whose input is (batch, steps, features): `sizes` are those before its features.
local function build_for(self, name, sizes, shape)
  if #shape ~= 3 then
    check.fail(self, " wants (batch, steps, features); got %d axes", #shape)
  end
  check.known_size(self, shape[3], 2)
  self[name] = self:add_weight { name = name, shape = tables.join(sizes, { shape[3] }),
    initializer = initializers.get(self.config.initializer) }
  self.input_spec = { rank = 3, axes = { [2] = shape[3] } }
end

function places:build(shape)
  build_for(self, "embeddings", { self.config.sequence_length }, shape)
end

-- Call options: places, of which the first is told (moonpod.models.generator).
function places:call(x, options)
  if x.shape[2] > self.config.sequence_length then
    check.fail(self, " has %d places; the sequence has %d", self.config.sequence_length, x.shape[2])
  end
  local table = self.embeddings:value()
  local rows = options.places
    and ops.dynamic_slice(table, { options.places:before(), ops.zeros({}, "int32") }, { x.shape[2], table.shape[2] })
    or ops.slice_axis(table, 0, 0, x.shape[2])
  rows = ops.cast(rows, x.dtype)
  return ops.zeros_like(x) + rows
end

---@name pod.layers.class_token
--- Puts a learned vector in front of each sequence, as vision transformers do: `(batch, steps, features)` becomes
--- `(batch, steps + 1, features)`.
---@param options.initializer string|initializer first values
---@return layer
---@example pod.layers.class_token()(pod.ones { 2, 3, 4 }).shape --> (2, 4, 4)
embeddings.class_token = layer.define {
  name = "ClassToken",
  defaults = { initializer = "zeros" },
  example = "layers.class_token()",
}

local token = embeddings.class_token

function token:build(shape)
  build_for(self, "token", {}, shape)
end

function token:call(x)
  local first = ops.zeros_like(ops.slice_axis(x, 1, 0, 1)) + ops.cast(self.token:value(), x.dtype)
  return ops.concatenate({ first, x }, 1)
end

return embeddings
