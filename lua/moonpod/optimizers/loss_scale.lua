-- Dynamic loss scaling around another optimizer.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local initializers = require "moonpod.layers.initializers"
local ops = require "moonpod.ops"
local optimizer = require "moonpod.optimizers.optimizer"

local methods = {}

-- Makes the slots of the optimizer within.
function methods.build(self, weights)
  self.inner:build(weights)
  self.built = true
end

-- The loss to differentiate.
function methods.scale_loss(self, loss)
  return self.inner:scale_loss(loss) * ops.cast(self.dynamic_scale:value(), loss.dtype)
end

-- Applies gradients of a scaled loss, unless one of them is not finite, and finds the next scale.
function methods.apply(self, gradients, weights)
  local inner = self.inner
  weights = weights or inner.weights
  self:build(weights)
  gradients, weights = optimizer.with_gradient(inner, gradients, weights)
  local scale, finite = self.dynamic_scale:value(), nil
  local unscaled = {}
  for i, g in ipairs(gradients) do
    local sum = optimizer.sum_gradient(inner, g)
    local ok = ops.all(ops.is_finite(sum))
    finite = finite and ops.logical_and(finite, ok) or ok
    unscaled[i] = sum / ops.cast(scale, sum.dtype)
  end
  for i, g in ipairs(unscaled) do
    unscaled[i] = ops.where(finite, g, ops.zeros_like(g))
  end
  inner._state.hold = finite
  inner._state.reduced = true
  inner:apply(unscaled, weights, finite)
  inner._state.hold = nil
  inner._state.reduced = nil
  local counter = self.step_counter:value()
  local grown = ops.greater_equal(counter, self.config.dynamic_growth_steps - 1)
  self.step_counter:assign(ops.where(finite, ops.where(grown, ops.zeros_like(counter), counter + 1),
    ops.zeros_like(counter)))
  self.dynamic_scale:assign(ops.where(finite, ops.where(grown, scale * 2, scale), scale * 0.5))
end

-- These read the options and slots of the optimizer within, which the wrapper has none of.
for _, name in ipairs { "current_learning_rate", "exclude_from_weight_decay", "finalize_variable_values",
  "update_count" } do
  methods[name] = function(self, ...)
    return self.inner[name](self.inner, ...)
  end
end

methods.class_name = "LossScaleOptimizer"
methods.get_config = optimizer.get_config
methods.apply_gradients = optimizer.apply_gradients
declare.methods("optimizer", methods, optimizer.is_optimizer, optimizer.signatures)

--- Makes losses of float16 models large while gradients are computed, so that small ones do not vanish. When a gradient
--- is not finite the scale halves and the step is left out. It doubles after dynamic_growth_steps good steps. Options:
--- initial_scale (2^15), dynamic_growth_steps (2000).
---@param options.initial_scale number the scale at first (default 2^15)
---@param options.dynamic_growth_steps integer after so many good steps it doubles (default 2000)
---@return optimizer
---@example pod.optimizers.loss_scale_optimizer(pod.optimizers.sgd()).dynamic_scale:value():item() --> 32768
local function loss_scale_optimizer(inner, options)
  options = options or {}
  errors.check_options(options, { "initial_scale", "dynamic_growth_steps", "name" },
    "optimizers.loss_scale_optimizer")
  inner = optimizer.get(inner, "optimizers.loss_scale_optimizer")
  local self = { _is_optimizer = true, _state = {}, inner = inner, variables = {},
    name = options.name or "loss_scale_optimizer",
    config = { initial_scale = options.initial_scale or 2 ^ 15, dynamic_growth_steps = options.dynamic_growth_steps
      or 2000 }, built = false }
  self._strategy = inner._strategy
  self.dynamic_scale = optimizer.new_variable(self, "dynamic_scale", {},
    initializers.constant(self.config.initial_scale), "float32")
  self.step_counter = optimizer.new_variable(self, "step_counter", {}, "zeros", "int32")
  return setmetatable(self, {
    __name = optimizer.type_name,
    __tostring = optimizer.tostring,
    __index = function(_, key)
      if methods[key] ~= nil then
        return methods[key]
      end
      return inner[key]
    end,
    __newindex = function(wrapper, key, value)
      if key == "learning_rate" then
        inner.learning_rate = value
      else
        rawset(wrapper, key, value)
      end
    end,
  })
end

return loss_scale_optimizer
