-- The dense layer: activation(x kernel + bias).

local activations = require "moonpod.layers.activations"
local check = require "moonpod.layers.check"
local layer = require "moonpod.layers.layer"
local ops = require "moonpod.ops"
local parts = require "moonpod.layers.parts"
local regularizers = require "moonpod.layers.regularizers"

---@name pod.layers.dense
--- Computes `activation(x kernel + bias)`: each output is a weighed sum of all inputs. Input `(batch, ..., inputs)`
--- with at least 2 axes, output `(batch, ..., units)`. Weights: `kernel` `(inputs, units)`, `bias` `(units)`. Masks
--- pass through.
---@return layer
---@error the size of the last axis is not known, or changes
---@example pod.layers.dense(2, { activation = "relu" })(pod.ones { 4, 3 }).shape --> (4, 2)
---@see pod.layers.einsum_dense
local dense = layer.define {
  name = "Dense",
  float_inputs = true,
  supports_masking = true,
  arguments = { "units" },
  defaults = { use_bias = true },
  weights = { kernel = "glorot_uniform", bias = "zeros" },
  optional = { "activation" },
  checks = { units = check.positive_integer },
  example = "layers.dense(10)",
}

function dense:setup(config)
  self._activation = activations.get(config.activation, "layers.dense")
  regularizers.get(config.kernel_regularizer, "layers.dense")
end

function dense:build(shape)
  local config, inputs = self.config, shape[#shape]
  check.known_size(self, inputs, -1)
  self.kernel = parts.weight(self, "kernel", { inputs, config.units })
  if config.use_bias then
    self.bias = parts.weight(self, "bias", { config.units })
  end
  self.input_spec = { min_rank = 2, axes = { [-1] = inputs } }
end

function dense:call(x)
  local dtype = x.dtype
  local y = ops.matmul(x, ops.cast(self.kernel:value(), dtype))
  if self.bias then
    y = y + ops.cast(self.bias:value(), dtype)
  end
  return self._activation(y)
end

return { dense = dense }
