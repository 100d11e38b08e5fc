-- Models: pod.models.sequential{ ... }, pod.models.functional{ inputs =, outputs = }, pod.models.subclass{ ... }.

local models = {}

function models.sequential(...)
  return require("moonpod.models.sequential").new(...)
end

function models.functional(...)
  return require("moonpod.models.functional").new(...)
end

-- Keras' name: models.model{ inputs =, outputs = }.
models.model = models.functional

function models.subclass(...)
  return require("moonpod.models.model").subclass(...)
end

function models.clone_model(...)
  return require("moonpod.models.clone").model(...)
end

function models.is_model(value)
  return require("moonpod.models.model").is_model(value)
end

return models
