--- Optimizers, with Keras' names, defaults and order of operations: `pod.optimizers.NAME(learning_rate, options)` or
--- `NAME(options)` makes one. `model:compile { optimizer = ... }` takes it, or its name; a step of one's own calls
--- `optimizer:apply(gradients, weights)`.
---
--- The learning rate is a number, a schedule of `pod.schedules`, or a function of the iteration; where it was made with
--- a number, `optimizer.learning_rate = 0.01` changes it while training goes on.
---@param options.learning_rate number|schedule|function how far a step goes (default 0.001)
---@param options.name string what messages and files call it (default: its name)
---@param options.weight_decay number each step takes this share, times the rate, of the weights away (default: none)
---@param options.clipnorm number gradients longer than this are made as long, each by itself
---@param options.clipvalue number each entry of a gradient is kept within minus this and this
---@param options.global_clipnorm number gradients that are together longer than this are made as long; one of the three
---   clips only
---@param options.use_ema boolean whether moving averages of the weights are kept; `fit` puts them into the weights at
---   its end (default false)
---@param options.ema_momentum number how much of an average stays at each step (default 0.99)
---@param options.ema_overwrite_frequency integer after how many steps the averages are put into the weights
---@param options.loss_scale_factor number what the loss is multiplied by before gradients are taken, and they divided
---   by
---@param options.gradient_accumulation_steps integer how many steps' gradients are averaged for one update, from 2 on
---@param options.beta_1 number how much of the mean of gradients stays at each step
---@param options.beta_2 number how much of the mean of squares stays at each step
---@param options.epsilon number a small number that is added to what it divides by
---@param options.momentum number how much of the last update goes into the next
---@param options.nesterov boolean whether the gradient is taken ahead, as Nesterov has it
---@param options.rho number how much of the mean of squares stays at each step
---@param options.amsgrad boolean whether the largest mean of squares so far is divided by
---@param options.initial_accumulator_value number what sums of squares begin with
---@example pod.optimizers.adam(0.01).learning_rate:value():item() --> 0.01

-- Optimizers with Keras' names, defaults and order of operations.

local optimizer = require "moonpod.optimizers.optimizer"

for _, family in ipairs { "sgd", "adam", "adaptive", "muon" } do
  require("moonpod.optimizers." .. family)
end

local optimizers = optimizer.constructors
---@name pod.optimizers.by_name
--- The constructors of optimizers by their names and those of Keras' classes.
---@example pod.optimizers.by_name.AdamW == pod.optimizers.adamw --> true
optimizers.by_name = optimizer.by_name
optimizers.is_optimizer = optimizer.is_optimizer
optimizers.schedules = require "moonpod.optimizers.schedules"
optimizers.get = optimizer.get
optimizers.loss_scale_optimizer = require "moonpod.optimizers.loss_scale"

return optimizers
