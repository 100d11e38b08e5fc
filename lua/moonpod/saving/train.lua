-- train - pod.train: what loops of one's own need besides the loop.

local train = {}

-- A checkpoint of models, optimizers, variables, metrics and iterators by name: see moonpod.saving.checkpoint.
function train.checkpoint(objects)
  return require("moonpod.saving.checkpoint").new(objects)
end

return train
