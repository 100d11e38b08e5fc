-- Rates that follow the sizes of past gradients: RMSprop, Adagrad, Adadelta, Ftrl, Adafactor.

local initializers = require "moonpod.layers.initializers"
local ops = require "moonpod.ops"
local optimizer = require "moonpod.optimizers.optimizer"

local define = optimizer.define

define {
  ---@name pod.optimizers.rmsprop
  --- Divides gradients by the root of a moving mean of their squares.
  ---@param options.centered boolean whether the variance, not the mean of squares, is divided by
  ---@return optimizer
  ---@example pod.optimizers.rmsprop(0.001).name --> "rmsprop"
  class = "RMSprop",
  defaults = { rho = 0.9, momentum = 0.0, epsilon = 1e-7, centered = false },
  slots = function(config)
    local slots = { { "velocity" } }
    if config.momentum > 0 then
      slots[#slots + 1] = { "momentum" }
    end
    if config.centered then
      slots[#slots + 1] = { "average_gradient" }
    end
    return slots
  end,
  step = function(self, g, w, slots, rate)
    local rho = self.config.rho
    local v = slots.velocity * rho + ops.square(g) * (1 - rho)
    local new, denominator = { velocity = v }, v + self.config.epsilon
    if self.config.centered then
      local mean = slots.average_gradient * rho + g * (1 - rho)
      new.average_gradient = mean
      denominator = v - ops.square(mean) + self.config.epsilon
    end
    local increment = g * rate / ops.sqrt(denominator)
    if self.config.momentum > 0 then
      new.momentum = slots.momentum * self.config.momentum + increment
      return w - new.momentum, new
    end
    return w - increment, new
  end,
}

define {
  ---@name pod.optimizers.adagrad
  --- Divides gradients by the root of the sum of all their squares: what is seen seldom moves far.
  ---@return optimizer
  ---@example pod.optimizers.adagrad(0.01).name --> "adagrad"
  class = "Adagrad",
  defaults = { initial_accumulator_value = 0.1, epsilon = 1e-7 },
  slots = function(config)
    return { { "accumulator", initializers.constant(config.initial_accumulator_value) } }
  end,
  step = function(self, g, w, slots, rate)
    local a = slots.accumulator + ops.square(g)
    return w - g * rate / ops.sqrt(a + self.config.epsilon), { accumulator = a }
  end,
}

define {
  ---@name pod.optimizers.adadelta
  --- Gradients over the root of the mean of their squares, times that of the updates' squares (Zeiler 2012).
  ---@return optimizer
  ---@example pod.optimizers.adadelta(1).name --> "adadelta"
  class = "Adadelta",
  defaults = { rho = 0.95, epsilon = 1e-7 },
  slots = { { "accumulated_grad" }, { "accumulated_delta_var" } },
  step = function(self, g, w, slots, rate)
    local rho, epsilon = self.config.rho, self.config.epsilon
    local a = slots.accumulated_grad * rho + ops.square(g) * (1 - rho)
    local delta = -(ops.sqrt(slots.accumulated_delta_var + epsilon) * g / ops.sqrt(a + epsilon))
    local d = slots.accumulated_delta_var * rho + ops.square(delta) * (1 - rho)
    return w + delta * rate, { accumulated_grad = a, accumulated_delta_var = d }
  end,
}

define {
  ---@name pod.optimizers.ftrl
  --- Follow the regularized leader (McMahan et al. 2013): with `l1_regularization_strength` many weights become 0.
  ---@param options.learning_rate_power number at most 0: how the rate falls; 0 keeps it
  ---@param options.l1_regularization_strength number factor of absolute values
  ---@param options.l2_regularization_strength number factor of squares
  ---@param options.l2_shrinkage_regularization_strength number is added to gradients alone
  ---@param options.beta number is added to the root of sums of squares
  ---@return optimizer
  ---@example pod.optimizers.ftrl(0.01).name --> "ftrl"
  class = "Ftrl",
  defaults = { learning_rate_power = -0.5, initial_accumulator_value = 0.1, l1_regularization_strength = 0.0,
    l2_regularization_strength = 0.0, l2_shrinkage_regularization_strength = 0.0, beta = 0.0 },
  ranges = { learning_rate_power = { -math.huge, 0 }, initial_accumulator_value = { 0, math.huge },
    l1_regularization_strength = { 0, math.huge }, l2_regularization_strength = { 0, math.huge },
    l2_shrinkage_regularization_strength = { 0, math.huge } },
  slots = function(config)
    return { { "accumulator", initializers.constant(config.initial_accumulator_value) }, { "linear" } }
  end,
  step = function(self, g, w, slots, rate)
    local o = self.config
    local exponent = ops.full({}, -o.learning_rate_power, { dtype = w.dtype })
    local l2 = o.beta / (rate * 2) + o.l2_regularization_strength
    local used = g + w * (2 * o.l2_shrinkage_regularization_strength)
    local a = slots.accumulator + ops.square(g)
    local powered = ops.power(a, exponent)
    local linear = slots.linear + used - (powered - ops.power(slots.accumulator, exponent)) / rate * w
    local quadratic = powered / rate + l2 * 2
    local l1 = o.l1_regularization_strength
    return (ops.clip(linear, -l1, l1) - linear) / quadratic, { accumulator = a, linear = linear }
  end,
}

local function root_mean_square(x)
  return ops.sqrt(ops.mean(ops.square(x)))
end

-- The mean squares of rows and of columns stand for those of the elements of a matrix (Shazeer and Stern 2018).
define {
  ---@name pod.optimizers.adafactor
  --- Adam with little memory (Shazeer and Stern 2018): of matrices it keeps means of squares by rows and by columns.
  ---@param options.beta_2_decay number how fast means of squares come to stay, below 0
  ---@param options.epsilon_1 number is added to squares
  ---@param options.epsilon_2 number the least size of a weight that a step is a part of
  ---@param options.clip_threshold number updates larger than this, by the root of their mean of squares, are made as
  ---   large
  ---@param options.relative_step boolean whether the rate falls as 1 over the root of the step
  ---@return optimizer
  ---@example pod.optimizers.adafactor(0.01).name --> "adafactor"
  class = "Adafactor",
  defaults = { beta_2_decay = -0.8, epsilon_1 = 1e-30, epsilon_2 = 1e-3, clip_threshold = 1.0, relative_step = true },
  ranges = { beta_2_decay = { -math.huge, 0 }, clip_threshold = { 0, math.huge } },
  slots = function(_, shape)
    if #shape < 2 then
      return { { "velocity" } }
    end
    local rows, columns = {}, {}
    for i = 1, #shape do
      rows[#rows + 1] = i < #shape and shape[i] or nil
      columns[#columns + 1] = i ~= #shape - 1 and shape[i] or nil
    end
    return { { "row", nil, rows }, { "column", nil, columns } }
  end,
  step = function(self, g, w, slots, rate)
    local o, step = self.config, ops.cast(optimizer.local_step(self), w.dtype)
    local rho = ops.minimum(rate, ops.rsqrt(step))
    local alpha = ops.maximum(root_mean_square(w), o.epsilon_2) * rho
    local squares = ops.square(g) + o.epsilon_1
    local new = ops.power(step, ops.full({}, o.beta_2_decay, { dtype = w.dtype }))
    local function moved(slot, value)
      return slot * (1 - new) + value * new
    end
    local velocity, state
    if slots.row then
      local row, column = moved(slots.row, ops.mean(squares, -1)), moved(slots.column, ops.mean(squares, -2))
      velocity = ops.expand_dims(row / ops.mean(row, -1, { keepdims = true }), -1) * ops.expand_dims(column, -2)
      state = { row = row, column = column }
    else
      velocity = moved(slots.velocity, squares)
      state = { velocity = velocity }
    end
    local u = g / ops.sqrt(velocity)
    return w - u / ops.maximum(root_mean_square(u) / o.clip_threshold, 1) * alpha, state
  end,
}
