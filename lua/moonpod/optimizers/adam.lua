-- Adam and what comes of it: AdamW, Adamax, Nadam, Lamb; and Lion.

local ops = require "moonpod.ops"
local trace = require "moonpod.tensor.trace"
local optimizer = require "moonpod.optimizers.optimizer"

local define, norm, once, power_of = optimizer.define, optimizer.norm, optimizer.once, optimizer.power_of

local function adam_slots(config)
  local slots = { { "momentum" }, { "velocity" } }
  if config.amsgrad then
    slots[3] = { "velocity_hat" }
  end
  return slots
end

-- The rate, corrected for the beginning of both means.
local function corrected_rate(self, rate)
  return once(self, "rate in " .. rate.dtype, function()
    local config = self.config
    local correction = ops.sqrt(1 - power_of(self, config.beta_2)) / (1 - power_of(self, config.beta_1))
    return rate * ops.cast(correction, rate.dtype)
  end)
end

local function adam_step(self, g, w, slots, rate)
  local config, alpha = self.config, corrected_rate(self, rate)
  if not config.amsgrad and w.dtype == "float32" then
    local weight, momentum, velocity = trace.composite("adam", { w, slots.momentum, slots.velocity, g, alpha },
      { values = { config.beta_1, config.beta_2, config.epsilon } })
    return weight, { momentum = momentum, velocity = velocity }
  end
  local m = slots.momentum + (g - slots.momentum) * (1 - config.beta_1)
  local v = slots.velocity + (ops.square(g) - slots.velocity) * (1 - config.beta_2)
  local new_slots, divisor = { momentum = m, velocity = v }, v
  if config.amsgrad then
    divisor = ops.maximum(slots.velocity_hat, v)
    new_slots.velocity_hat = divisor
  end
  return w - m * alpha / (ops.sqrt(divisor) + config.epsilon), new_slots
end

define {
  ---@name pod.optimizers.adam
  --- Adam (Kingma and Ba 2014): steps of the mean of gradients over the root of the mean of their squares, both moving
  --- and corrected for their beginning.
  ---@return optimizer
  ---@example pod.optimizers.adam { learning_rate = 0.01, beta_1 = 0.8 }.name --> "adam"
  class = "Adam",
  defaults = { beta_1 = 0.9, beta_2 = 0.999, epsilon = 1e-7, amsgrad = false },
  slots = adam_slots,
  step = adam_step,
}

define {
  ---@name pod.optimizers.adamw
  --- Adam with weight decay apart from gradients (Loshchilov and Hutter 2017): 0.004 by default.
  ---@return optimizer
  ---@example pod.optimizers.adamw(0.001, { weight_decay = 0.01 }).config.weight_decay --> 0.01
  class = "AdamW",
  defaults = { beta_1 = 0.9, beta_2 = 0.999, epsilon = 1e-7, amsgrad = false, weight_decay = 0.004 },
  slots = adam_slots,
  step = adam_step,
}

define {
  ---@name pod.optimizers.adamax
  --- Adam with the largest absolute gradient, which fades, in the place of the mean of squares.
  ---@return optimizer
  ---@example pod.optimizers.adamax(0.002).name --> "adamax"
  class = "Adamax",
  defaults = { beta_1 = 0.9, beta_2 = 0.999, epsilon = 1e-7 },
  slots = { { "momentum" }, { "norm" } },
  step = function(self, g, w, slots, rate)
    local config = self.config
    local m = slots.momentum + (g - slots.momentum) * (1 - config.beta_1)
    local u = ops.maximum(slots.norm * config.beta_2, ops.abs(g))
    local correction = ops.cast(1 - power_of(self, config.beta_1), w.dtype)
    return w - m * rate / ((u + config.epsilon) * correction), { momentum = m, norm = u }
  end,
}

define {
  ---@name pod.optimizers.nadam
  --- Adam with Nesterov's momentum (Dozat 2016).
  ---@return optimizer
  ---@example pod.optimizers.nadam(0.002).name --> "nadam"
  class = "Nadam",
  defaults = { beta_1 = 0.9, beta_2 = 0.999, epsilon = 1e-7 },
  scalars = { { "u_product", 1 } },
  slots = { { "momentum" }, { "velocity" } },
  before = function(self, condition)
    local u = self.u_product:value()
    local new = u * (1 - power_of(self, 0.96) * 0.5) * self.config.beta_1
    self.u_product:assign(optimizer.select(condition, new, u))
  end,
  step = function(self, g, w, slots, rate)
    local config = self.config
    local u_t = (1 - power_of(self, 0.96) * 0.5) * config.beta_1
    local u_next = (1 - power_of(self, 0.96, true) * 0.5) * config.beta_1
    local product = self.u_product:value()
    local product_next = product * u_next
    local m = slots.momentum + (g - slots.momentum) * (1 - config.beta_1)
    local v = slots.velocity + (ops.square(g) - slots.velocity) * (1 - config.beta_2)
    local m_hat = m * ops.cast(u_next / (1 - product_next), w.dtype)
      + g * ops.cast((1 - u_t) / (1 - product), w.dtype)
    local v_hat = v / ops.cast(1 - power_of(self, config.beta_2), w.dtype)
    return w - m_hat * rate / (ops.sqrt(v_hat) + config.epsilon), { momentum = m, velocity = v }
  end,
}

-- |a| / |b|, 1 where either is 0.
local function norm_ratio(a, b)
  local both = ops.logical_and(ops.greater(a, 0), ops.greater(b, 0))
  return ops.where(both, a / ops.where(both, b, 1), 1)
end

define {
  ---@name pod.optimizers.lamb
  --- Adam whose step is as long as the weight is, times the rate, for each weight (You et al. 2019); for large batches.
  ---@return optimizer
  ---@example pod.optimizers.lamb(0.002).name --> "lamb"
  class = "Lamb",
  defaults = { beta_1 = 0.9, beta_2 = 0.999, epsilon = 1e-7 },
  slots = { { "momentum" }, { "velocity" } },
  step = function(self, g, w, slots, rate)
    local o = self.config
    local m = slots.momentum + (g - slots.momentum) * (1 - o.beta_1)
    local v = slots.velocity + (ops.square(g) - slots.velocity) * (1 - o.beta_2)
    local m_hat = m / ops.cast(1 - power_of(self, o.beta_1), w.dtype)
    local v_hat = v / ops.cast(1 - power_of(self, o.beta_2), w.dtype)
    local u = m_hat / (ops.sqrt(v_hat) + o.epsilon)
    return w - u * rate * norm_ratio(norm(w), norm(u)), { momentum = m, velocity = v }
  end,
}

define {
  ---@name pod.optimizers.lion
  --- Steps by the sign of a mean of gradients alone (Chen et al. 2023): one slot a weight. Rates are a third to a tenth
  --- of Adam's.
  ---@return optimizer
  ---@example pod.optimizers.lion(1e-4).name --> "lion"
  class = "Lion",
  defaults = { beta_1 = 0.9, beta_2 = 0.99 },
  slots = { { "momentum" } },
  step = function(self, g, w, slots, rate)
    local o = self.config
    local direction = ops.sign(slots.momentum * o.beta_1 + g * (1 - o.beta_1))
    return w - direction * rate, { momentum = slots.momentum * o.beta_2 + g * (1 - o.beta_2) }
  end,
}
