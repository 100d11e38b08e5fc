-- generator - a functional model of causal attention as it writes: a few places at a time, with the keys and values of
-- all places before kept.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local func = require "moonpod.func"
local functional = require "moonpod.models.functional"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local symbolic = require "moonpod.layers.symbolic"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local variable = require "moonpod.func.variable"
local is_whole = require "moonpod.base.kinds".is_whole

local generator = {}

local Generator = { __name = "moonpod.generator" }
Generator.__index = Generator

function Generator.__tostring(self)
  return ("<generator of '%s', %d of %d places>"):format(self.model.name, self.position, self.length)
end

generator.is = declare.is(Generator)

-- Layers of which each place of what comes out depends on the same place of what goes in alone: over the last axis, or
-- over none.
local OF_ONE_PLACE = tables.set_of {
  "Activation", "Add", "AlphaDropout", "Average", "Dense", "Dropout", "ELU", "Embedding", "GaussianDropout",
  "GaussianNoise", "LayerNormalization", "LeakyReLU", "Maximum", "Minimum", "Multiply", "Negative", "PReLU", "Power",
  "RMSNormalization", "ReLU", "ReversibleEmbedding", "Softmax", "Subtract", "TrueDivide",
}

-- Layers that are told of the places before: by the option `places` of their call.
local OF_PLACES = tables.set_of { "MultiHeadAttention", "GroupQueryAttention", "PositionEmbedding" }

local function refuse(one, format, ...)
  errors.raise("models.generator: layer '%s' (%s) " .. format, one.name, one.class_name, ...)
end

-- Whether a layer's axis is the last one, or it has none.
local function is_over_last_axis(one, rank)
  local axis = one.config and one.config.axis
  axis = type(axis) == "table" and #axis == 1 and axis[1] or axis
  return axis == nil or axis == -1 or axis == rank - 1
end

-- A call of the model is one that places can be computed of apart; raises where it is not.
local function check_call(call)
  local one, options = call.layer, call.options
  if OF_PLACES[one.class_name] then
    local inputs = nest.flatten(call.inputs)
    for _, t in ipairs(inputs) do
      if not rawequal(t, inputs[1]) then
        refuse(one, "attends to another tensor than its query: only attention to the places before can be kept")
      end
    end
    if one.class_name ~= "PositionEmbedding" and not options.use_causal_mask then
      refuse(one, "is called without use_causal_mask: what comes later would change what was written before")
    elseif options.attention_mask ~= nil or options.return_attention_scores or one.config.sliding_window then
      refuse(one, "has a mask of its own, a window, or gives its scores, which a generator cannot do")
    end
  elseif not OF_ONE_PLACE[one.class_name] then
    refuse(one, "may mix places; a generator knows attention, embeddings, dense layers, normalizations of the last "
      .. "axis, activations, dropout and sums")
  elseif not is_over_last_axis(one, #nest.flatten(call.outputs)[1].shape) then
    refuse(one, "works on another axis than the last")
  elseif one.config and one.config.mask_zero then
    refuse(one, "masks places, which a generator cannot do")
  elseif one.config and type(one.config.activation) == "function" then
    refuse(one, "has a function of yours, which may mix places; use one of pod.activations")
  end
  for _, t in ipairs(nest.flatten(call.outputs)) do
    if #t.shape < 2 then
      refuse(one, "gives no places")
    end
  end
end

-- ---- what is kept ----------------------------------------------------------------------------------------------

-- What a call of a layer is told of the places before, and what it keeps of them: `keys` and `values`.
local Places = {}
Places.__index = Places

-- Returns what of call number `at` is kept; nil: nothing.
local function places_of(self, at, one)
  if not OF_PLACES[one.class_name] then
    return nil
  end
  local made = setmetatable({ _generator = self }, Places)
  if one._kept_heads then
    local count, key_size, value_size = one:_kept_heads()
    for name, size in pairs { keys = key_size, values = value_size } do
      made[name] = variable.new { name = ("generator/%d/%s"):format(at, name), trainable = false,
        initial = ops.zeros({ self.batch_size, self.length, count, size }, one:compute_dtype()) }
    end
  end
  return made
end

-- The number of places before a step, a scalar of int32.
function Places:before()
  return self._generator._before:value()
end

-- Keeps a step's keys or values [batch, places, heads, size]; returns those of all places, of which later ones are what
-- nobody looks at.
function Places:keep(name, x)
  local kept, zero = self[name], ops.zeros({}, "int32")
  kept:assign(ops.dynamic_update_slice(kept:value(), x, { zero, self:before(), zero, zero }))
  return kept:value()
end

-- Where each of `count` new places may look: [1, 1, count, length].
function Places:mask(count)
  local length = self._generator.length
  local own = ops.arange(count, { dtype = "int32" }) + self:before()
  return ops.less_equal(ops.reshape(ops.arange(length, { dtype = "int32" }), { 1, 1, 1, length }),
    ops.reshape(own, { 1, 1, count, 1 }))
end

-- ---- a step ----------------------------------------------------------------------------------------------------

local function run_call(self, at, call, values)
  local function value_of(t)
    return symbolic.is_symbolic(t) and values[t] or t
  end
  local options = { training = false }
  for key, value in pairs(call.options) do
    if key ~= "use_causal_mask" and key ~= "training" then
      options[key] = symbolic.contains(value) and nest.map(value, value_of) or value
    end
  end
  options.places = self._places[at]
  return call.layer(nest.map(call.inputs, value_of), options)
end

-- What the model makes of `count` more places [batch, count].
local function step(self, tokens)
  local state, values, count = self.model._state, {}, tokens.shape[2]
  values[nest.flatten(state.input)[1]] = tokens
  for at, call in ipairs(state.order) do
    if not call.layer.is_input then
      local made = nest.flatten(run_call(self, at, call, values))
      for i, t in ipairs(nest.flatten(call.outputs)) do
        if made[i].shape[2] ~= count or #made[i].shape ~= #t.shape then
          refuse(call.layer, "makes %s of %d places: it reads more than them", tostring(made[i].shape), count)
        end
        values[t] = made[i]
      end
    end
  end
  self._before:assign(self._before:value() + count)
  return values[state.output]
end

---@name generator
--- A model as it writes, place by place: `pod.models.generator`.
--- ```lua
--- local model = pod.applications.gpt2_small { vocabulary = 9, sequence_length = 4, width = 8, depth = 1, heads = 2 }
--- local writer = pod.models.generator(model)
--- assert(writer:feed({ { 1, 2 } }).shape[2] == 2)
--- ```

--- What the model makes of the next places; those before are known. The first call after another number of places
--- compiles; one place at a time takes the time of one.
---@param tokens tensor|table `(batch, places)`, of what the model takes
---@return tensor `(batch, places, ...)`
---@error there are not so many places left
--- ```lua
--- local model = pod.applications.gpt2_small { vocabulary = 9, sequence_length = 4, width = 8, depth = 1, heads = 2 }
--- local writer = pod.models.generator(model)
--- writer:feed { { 1, 2, 3 } }
--- local next_one = pod.argmax(writer:feed { { 4 } }[{ 0, -1 }]):item()
--- assert(next_one >= 0 and writer.position == 4)
--- ```
function Generator:feed(tokens)
  tokens = tensor.convert(tokens, nest.flatten(self.model._state.input)[1].dtype)
  local shape = tokens.shape
  if #shape ~= 2 or shape[1] ~= self.batch_size or shape[2] < 1 then
    errors.raise("generator:feed: tokens are (%d, places), from one place on; got %s", self.batch_size, tostring(shape))
  elseif self.position + shape[2] > self.length then
    errors.raise("generator:feed: %d places more are too many: %d of %d are written; reset() begins anew", shape[2],
      self.position, self.length)
  end
  local made = self._step(tokens)
  self.position = self.position + shape[2]
  return made
end

--- Begins anew: nothing is written.
--- ```lua
--- local model = pod.applications.gpt2_small { vocabulary = 9, sequence_length = 4, width = 8, depth = 1, heads = 2 }
--- local writer = pod.models.generator(model)
--- writer:feed { { 1, 2, 3 } }
--- writer:reset()
--- assert(writer.position == 0)
--- ```
function Generator:reset()
  self._before:assign(0)
  self.position = 0
end

-- generator.new(model, { batch_size = }): see pod.models.generator.
function generator.new(model, options)
  options = errors.check_options(options, { batch_size = true }, "models.generator")
  local batch_size = options.batch_size == nil and 1 or options.batch_size
  if type(model) ~= "table" or model.class_name ~= functional.class_name then
    errors.raise("models.generator: it is for a functional model; got %s", errors.describe(model))
  elseif not is_whole(batch_size, 1) then
    errors.raise("models.generator: 'batch_size' must be a whole number from 1; got %s", errors.describe(batch_size))
  end
  local state = model._state
  local inputs, outputs = nest.flatten(state.input), nest.flatten(state.output)
  if #inputs ~= 1 or #outputs ~= 1 or #inputs[1].shape ~= 2 or inputs[1].shape[2] == -1 then
    errors.raise("models.generator: the model must have one input (batch, places) of known length, and one output")
  end
  local self = setmetatable({ model = model, batch_size = batch_size, length = inputs[1].shape[2], position = 0,
    _places = {} }, Generator)
  self._before = variable.new { name = "generator/before", trainable = false, initial = ops.zeros({}, "int32") }
  for at, call in ipairs(state.order) do
    if not call.layer.is_input then
      check_call(call)
      self._places[at] = places_of(self, at, call.layer)
    end
  end
  self._step = func.new(function(tokens)
    return step(self, tokens)
  end, { name = "generate" })
  return self
end

declare.methods("generator", Generator, generator.is)

return generator
