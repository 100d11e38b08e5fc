-- Activation layers, embeddings, masking, lambdas, scaling of inputs.

local activations = require "moonpod.layers.activations"
local check = require "moonpod.layers.check"
local errors = require "moonpod.base.errors"
local in_float32 = require("moonpod.ops.halves").in_float32
local layer = require "moonpod.layers.layer"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local parts = require "moonpod.layers.parts"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local basic = {}

-- ---- activations ----------------------------------------------------------------------------------------------

---@name pod.layers.activation
--- Applies an activation: a name of `pod.activations`, or a function of a tensor. Masks pass through.
---@param options.activation string|function
---@return layer
---@example pod.layers.activation("relu")(pod.tensor { -1, 2 }) --> { 0, 2 }
basic.activation = layer.define {
  name = "Activation",
  supports_masking = true,
  arguments = { "activation" },
  example = 'layers.activation("relu")',
}

function basic.activation:setup(config)
  self._activation = activations.get(config.activation, "layers.activation")
end

function basic.activation:call(x)
  return self._activation(x)
end

-- A layer that is the activation of a name, with the options that it checks.
local function define_activation(name, spec)
  spec.supports_masking = true
  local class, own = layer.define(spec), tables.sorted_keys(spec.checks)
  function class:call(x)
    return activations[name](x, tables.pick(self.config, own))
  end
  return class
end

---@name pod.layers.re_lu pod.layers.relu
--- `x` where it is above the threshold, a line of `negative_slope` below: by default `max(x, 0)`.
---@param options.negative_slope number the slope below the threshold
---@param options.threshold number where the two meet
---@param options.max_value number the most that comes out (default: no limit)
---@return layer
---@example pod.layers.relu { max_value = 6 }(pod.tensor { -1, 2, 9 }) --> { 0, 2, 6 }
basic.re_lu = define_activation("relu", {
  name = "ReLU",
  defaults = { negative_slope = 0.0, threshold = 0.0 },
  checks = { negative_slope = check.number, threshold = check.number, max_value = check.number },
  example = "layers.relu { max_value = 6 }",
})
basic.relu = basic.re_lu

---@name pod.layers.leaky_relu
--- `x` above 0, `negative_slope` times x below.
---@param options.negative_slope number the slope below 0
---@return layer
---@example pod.layers.leaky_relu(0.5)(pod.tensor { -2, 2 }) --> { -1, 2 }
basic.leaky_relu = define_activation("leaky_relu", { name = "LeakyReLU", arguments = { "negative_slope" },
  defaults = { negative_slope = 0.3 }, checks = { negative_slope = check.number } })

---@name pod.layers.elu
--- `x` above 0, `alpha (exp(x) - 1)` below.
---@param options.alpha number the limit below, but for its sign
---@return layer
---@example pod.layers.elu()(pod.tensor { 0, 2 }) --> { 0, 2 }
basic.elu = define_activation("elu", { name = "ELU", arguments = { "alpha" }, defaults = { alpha = 1.0 },
  checks = { alpha = check.number } })

---@name pod.layers.prelu
--- `x` above 0, a slope that is learned times x below. Weight: `alpha`, of the shape of a row of the input.
---@param options.alpha_initializer string|initializer first values of the slopes
---@param options.alpha_regularizer string|regularizer adds a loss of the slopes
---@param options.alpha_constraint string|constraint what the slopes are put through after each step
---@param options.shared_axes integer|integer[] axes of the input, from 1, along which slopes are the same
---@return layer
---@example pod.layers.prelu()(pod.tensor { { -1, 2 } }) --> { { 0, 2 } }
basic.prelu = layer.define {
  name = "PReLU",
  supports_masking = true,
  float_inputs = true,
  weights = { alpha = "zeros" },
  checks = { shared_axes = check.axes },
}

function basic.prelu:build(shape)
  local sizes = tables.slice(shape, 2)
  for _, axis in ipairs(self.config.shared_axes or {}) do
    sizes[axis] = 1
  end
  self.alpha = parts.weight(self, "alpha", sizes)
end

function basic.prelu:call(x)
  return ops.relu(x) - ops.cast(self.alpha:value(), x.dtype) * ops.relu(-x)
end

---@name pod.layers.softmax
--- `exp(x) / sum(exp(x))` along an axis, or along several as one: numbers from 0 to 1 that sum to 1. With a mask (true
--- where it counts, of a shape that broadcasts) the others get no share.
---@return layer
---@example pod.layers.softmax()(pod.tensor { { 1, 1 } }) --> { { 0.5, 0.5 } }
basic.softmax = layer.define {
  name = "Softmax",
  supports_masking = true,
  defaults = { axis = -1 },
  checks = { axis = check.axes },
  example = "layers.softmax { axis = -1 }",
}

-- With a mask (true where it counts, of a shape that broadcasts) the others get no share.
function basic.softmax:call(x, options)
  local mask, axis = options.mask, self.config.axis
  local masked = mask ~= nil and nest.is_tensor(mask)
  if masked then
    if #mask.shape > #x.shape then
      check.fail(self, ": the mask has shape %s; it must broadcast to the input, %s", tostring(mask.shape),
        tostring(x.shape))
    end
    mask = ops.cast(mask, "bool")
    x = ops.where(mask, x, x.dtype == "float16" and -3e4 or -1e9)
  end
  local y
  if type(axis) == "table" and #axis > 1 then
    y = ops.exp(x - ops.logsumexp(x, axis, { keepdims = true }))
  else
    y = activations.softmax(x, { axis = type(axis) == "table" and axis[1] or axis })
  end
  return masked and ops.where(mask, y, 0) or y
end

-- ---- embedding ------------------------------------------------------------------------------------------------

---@name pod.layers.embedding
--- A vector for each number: row i of a table of weights. Input: whole numbers from 0 to `input_dim - 1`, of any shape;
--- output: that shape with an axis of `output_dim` more. Weight: `embeddings` `(input_dim, output_dim)`.
---@param options.input_dim integer how many numbers there are
---@param options.output_dim integer the size of vectors
---@param options.embeddings_initializer string|initializer first values of vectors
---@param options.embeddings_regularizer string|regularizer adds a loss of them
---@param options.embeddings_constraint string|constraint what they are put through after each step
---@param options.mask_zero boolean whether 0 means that there is nothing: layers behind get a mask
---@return layer
---@error a number is outside of the table
---@example pod.layers.embedding(10, 4)(pod.tensor { { 1, 2, 3 } }).shape --> (1, 3, 4)
basic.embedding = layer.define {
  name = "Embedding",
  autocast = false,
  arguments = { "input_dim", "output_dim" },
  defaults = { mask_zero = false },
  weights = { embeddings = "uniform" },
  checks = { input_dim = check.positive_integer, output_dim = check.positive_integer, mask_zero = check.boolean },
  example = "layers.embedding(1000, 64)",
}

function basic.embedding:build()
  self.embeddings = parts.weight(self, "embeddings", { self.config.input_dim, self.config.output_dim })
end

function basic.embedding:call(x)
  local rows = trace.asked_by(("layer '%s' (Embedding)"):format(self.name), ops.gather, self.embeddings:value(), x, 0)
  return ops.cast(rows, self:compute_dtype())
end

function basic.embedding:compute_mask(inputs)
  return self.config.mask_zero and ops.not_equal(inputs, 0) or nil
end

-- ---- masking ----------------------------------------------------------------------------------------------------

---@name pod.layers.masking
--- Masks steps whose values are all `mask_value`, and makes them 0. Input `(batch, steps, features)`.
---@param options.mask_value number what stands where there is nothing
---@return layer
---@example pod.layers.masking()(pod.tensor { { { 0, 0 }, { 1, 0 } } }).shape --> (1, 2, 2)
basic.masking = layer.define { name = "Masking", supports_masking = true, defaults = { mask_value = 0.0 },
  checks = { mask_value = check.number } }

function basic.masking:call(x)
  local seen = ops.any(ops.not_equal(x, self.config.mask_value), -1, { keepdims = true })
  return x * ops.cast(seen, x.dtype)
end

function basic.masking:compute_mask(inputs)
  return ops.any(ops.not_equal(inputs, self.config.mask_value), -1)
end

-- ---- functions --------------------------------------------------------------------------------------------------

---@name pod.layers.identity
--- Gives its input as it is.
---@return layer
---@example pod.layers.identity()(pod.tensor { 1, 2 }) --> { 1, 2 }
basic.identity = layer.define { name = "Identity", several_inputs = true, supports_masking = true }

function basic.identity.call(_, x)
  return x
end

---@name pod.layers.lambda
--- Applies a function of the input, or of a list of inputs, and of the options of the call.
---@param options.fn function of the input and the options of the call
---@param options.mask any kept for Keras' files
---@return layer
---@example pod.layers.lambda(function(x) return x * 2 end)(pod.tensor { 1, 2 }) --> { 2, 4 }
basic.lambda = layer.define {
  several_inputs = true,
  name = "Lambda",
  arguments = { "fn" },
  optional = { "mask" },
  example = "layers.lambda(function(x) return x * 2 end)",
  checks = { fn = function(value)
    if type(value) ~= "function" then
      return "must be a function"
    end
  end },
}

function basic.lambda:call(x, options)
  return errors.calling(self.config.fn, x, options)
end

---@name pod.layers.rescaling
--- `x scale + offset`: makes bytes of pictures numbers from 0 to 1, for example.
---@param options.scale number|number[]|tensor factor, one or one for each channel
---@param options.offset number|number[]|tensor what is added
---@return layer
---@example pod.layers.rescaling(0.5, { offset = 1 })(pod.tensor { 2, 4 }) --> { 2, 3 }
basic.rescaling = layer.define {
  name = "Rescaling",
  supports_masking = true,
  trains_unasked = false,
  arguments = { "scale" },
  defaults = { offset = 0.0 },
  checks = { scale = check.numbers, offset = check.numbers },
  example = "layers.rescaling(1 / 255)",
}

function basic.rescaling:call(x)
  return in_float32(function(y)
    local function value(v)
      return type(v) == "table" and tensor.new(v, { dtype = y.dtype }) or v
    end
    return y * value(self.config.scale) + value(self.config.offset)
  end, ops.cast(x, self:compute_dtype()))
end

-- ---- the same layer at each step ----------------------------------------------------------------------------------

---@name pod.layers.time_distributed
--- Applies a layer to each step: input `(batch, steps, ...)`, output `(batch, steps, ...)` of the layer's. In training
--- each step has batch statistics of its own.
---@param options.layer layer what is applied to each step
---@return layer
---@example pod.layers.time_distributed(pod.layers.dense(2))(pod.ones { 4, 5, 3 }).shape --> (4, 5, 2)
basic.time_distributed = layer.define {
  name = "TimeDistributed",
  supports_masking = true,
  arguments = { "layer" },
  example = "layers.time_distributed(layers.dense(8))",
}

function basic.time_distributed:setup(config)
  if not layer.is_layer(config.layer) then
    errors.raise("layers.time_distributed: 'layer' must be a layer; got %s", errors.describe(config.layer))
  end
  self.layer = config.layer
end

-- Whether training changes weights of a layer that have no gradient: statistics of a batch normalization.
local function keeps_statistics(one)
  return not tables.all(one.weights, function(weight)
    return weight.trainable
  end)
end

local function at_step(x, i)
  return ops.squeeze(ops.slice_axis(x, 1, i - 1, i), 1)
end

-- Applies the layer to one step after the other, so that each has statistics of its own.
local function by_steps(self, x, mask)
  local results = {}
  for i = 1, x.shape[2] do
    results[i] = self.layer(at_step(x, i), { training = true, mask = mask and at_step(mask, i) })
  end
  return ops.stack(results, 1)
end

function basic.time_distributed:call(x, options)
  if #x.shape < 3 then
    check.fail(self, " wants (batch, time, ...); got shape %s", tostring(x.shape))
  elseif options.training and not self.layer.built then
    self.layer(at_step(x, 1))
  end
  if options.training and keeps_statistics(self.layer) then
    return by_steps(self, x, options.mask)
  end
  local rows = x.shape[1] * x.shape[2]
  local y = self.layer(ops.reshape(x, tables.join({ rows }, tables.slice(x.shape, 3))), { training = options.training })
  if y.shape[1] ~= rows then
    check.fail(self, ": the layer inside changed the number of samples")
  end
  return ops.reshape(y, tables.join({ x.shape[1], x.shape[2] }, tables.slice(y.shape, 2)))
end

return basic
