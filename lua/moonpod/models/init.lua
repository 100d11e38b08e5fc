-- Models: pod.models.sequential{ ... }, pod.models.functional{ inputs =, outputs = }, pod.models.subclass{ ... }.

local models = {}

-- A model of layers one behind the other.
function models.sequential(...)
  return require("moonpod.models.sequential").new(...)
end

-- A model of the layers between symbolic inputs and outputs.
function models.functional(...)
  return require("moonpod.models.functional").new(...)
end

-- Keras' name: models.model{ inputs =, outputs = }.
models.model = models.functional

-- A class of models that say by `call` what they compute.
function models.subclass(...)
  return require("moonpod.models.model").subclass(...)
end

-- A model of the same layers with weights of its own, as they begin.
function models.clone_model(...)
  return require("moonpod.models.clone").model(...)
end

-- Whether a value is a model.
function models.is_model(value)
  return require("moonpod.models.model").is_model(value)
end

return models
