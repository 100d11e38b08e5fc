--- What loops of one's own need besides the loop: checkpoints of models, optimizers, variables, metrics and iterators,
--- and a manager that keeps the last so many.

-- train - pod.train: what loops of one's own need besides the loop.

local train = {}

--- A checkpoint of models, optimizers, variables, metrics and iterators by name: see moonpod.saving.checkpoint.
function train.checkpoint(objects)
  return require("moonpod.saving.checkpoint").new(objects)
end

--- Numbered checkpoints in a folder: see moonpod.saving.checkpoint_manager.
function train.checkpoint_manager(options)
  return require("moonpod.saving.checkpoint_manager").new(options)
end

return train
