-- Optimizers with Keras' names, defaults and order of operations.

local optimizer = require "moonpod.optimizers.optimizer"

for _, family in ipairs { "sgd", "adam", "adaptive" } do
  require("moonpod.optimizers." .. family)
end

local optimizers = optimizer.constructors
optimizers.by_name = optimizer.by_name
optimizers.is_optimizer = optimizer.is_optimizer
optimizers.schedules = require "moonpod.optimizers.schedules"
optimizers.get = optimizer.get
optimizers.loss_scale_optimizer = require "moonpod.optimizers.loss_scale"

return optimizers
