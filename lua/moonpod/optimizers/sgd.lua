-- Gradient descent, with momentum, and LARS, which scales it by each weight's own norm.

local ops = require "moonpod.ops"
local optimizer = require "moonpod.optimizers.optimizer"

local define, norm = optimizer.define, optimizer.norm

define {
  ---@name pod.optimizers.sgd
  --- Gradient descent: `w - rate g`, with momentum `v = momentum v - rate g; w + v`. Its learning rate is 0.01 by
  --- default.
  ---@return optimizer
  ---@example pod.optimizers.sgd(0.1, { momentum = 0.9 }).name --> "sgd"
  class = "SGD",
  defaults = { learning_rate = 0.01, momentum = 0.0, nesterov = false },
  slots = function(config)
    return config.momentum ~= 0 and { { "momentum" } } or {}
  end,
  step = function(self, g, w, slots, rate)
    if self.config.momentum == 0 then
      return w - g * rate
    end
    local m = slots.momentum * self.config.momentum - g * rate
    if self.config.nesterov then
      return w + m * self.config.momentum - g * rate, { momentum = m }
    end
    return w + m, { momentum = m }
  end,
}

define {
  ---@name pod.optimizers.lars
  --- Layer-wise adaptive rates (You et al. 2017): momentum whose rate grows with the length of each weight and falls
  --- with that of its gradient; for large batches.
  ---@param options.trust_coefficient number the part of a weight's length that a step may go
  ---@param options.eps number is added to what it divides by
  ---@return optimizer
  ---@example pod.optimizers.lars(0.1).name --> "lars"
  class = "LARS",
  defaults = { trust_coefficient = 0.001, eps = 0.0, momentum = 0.9, nesterov = false },
  decays_gradient = true,
  slots = { { "trace" } },
  step = function(self, g, w, slots, rate)
    local o = self.config
    local size, own = norm(w), norm(g)
    local both = ops.logical_and(ops.greater(size, 0), ops.greater(own, 0))
    local ratio = ops.where(both, size * o.trust_coefficient / (ops.where(both, own, 1) + o.eps), 1)
    local delta = -(g * ratio * rate)
    local moved = delta + slots.trace * o.momentum
    local step = o.nesterov and delta + moved * o.momentum or moved
    return w + step, { trace = moved }
  end,
}
