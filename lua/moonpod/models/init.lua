-- Models: pod.models.sequential{ ... }, pod.models.functional{ inputs =, outputs = }, pod.models.subclass{ ... }.

local models = {}

--- A model of layers one behind the other.
function models.sequential(...)
  return require("moonpod.models.sequential").new(...)
end

--- A model of the layers between symbolic inputs and outputs.
function models.functional(...)
  return require("moonpod.models.functional").new(...)
end

-- Keras' name: models.model{ inputs =, outputs = }.
models.model = models.functional

--- A class of models that say by `call` what they compute.
function models.subclass(...)
  return require("moonpod.models.model").subclass(...)
end

--- A model of the same layers with weights of its own, as they begin.
function models.clone_model(...)
  return require("moonpod.base.above").call("clone_model", ...)
end

--- A model from what model:to_json() gave. Options: custom_objects (name -> class or function), strategy.
function models.from_json(text, options)
  return require("moonpod.base.above").call("model_from_json", text, options)
end

--- A model from plain data: what pod.serialize(model) gave, or model:get_config() of a sequential or functional one.
--- Options as those of from_json().
function models.from_config(plain, options)
  return require("moonpod.base.above").call("model_from_config", plain, options)
end

--- The model of a file that model:save() has written. Options: custom_objects (name -> class or function), compile
--- (true), strategy, iterator: see moonpod.saving.model_file.
function models.load(path, options)
  return require("moonpod.base.above").call("load_model", path, options)
end

-- Keras' name of it.
models.load_model = models.load

--- Whether a value is a model.
function models.is_model(value)
  return require("moonpod.models.model").is_model(value)
end

return models
