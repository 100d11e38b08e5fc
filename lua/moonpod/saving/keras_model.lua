-- keras_model - the .keras files of Keras 3: a zip archive of config.json, metadata.json and model.weights.h5.

local architecture = require "moonpod.saving.architecture"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local keras_config = require "moonpod.saving.keras_config"
local keras_weights = require "moonpod.saving.keras_weights"
local weights = require "moonpod.saving.weights"

local keras_model = {}

local function member(path, name)
  local ok, found = pcall(device.core.file_read, device.context(), path, name)
  if not ok then
    errors.raise_from_core(found)
  end
  return found
end

-- Calls fn(...); what it raises says of which file it is.
local function of_file(path, fn, ...)
  local ok, made = errors.attempt(fn, ...)
  if not ok and not tostring(made):find(path, 1, true) then
    errors.raise("%s: config.json: %s", path, tostring(made))
  elseif not ok then
    error(made, 0)
  end
  return made
end

-- pod.models.load of a .keras file. Options: custom_objects, compile (true), strategy. What Keras has and we have not
-- is named before anything is built.
function keras_model.load(path, options)
  local plain, compiled = keras_config.read(member(path, "config.json"), path .. ": config.json",
    options.custom_objects)
  local ok, opened = errors.attempt(keras_weights.open, path)
  local model = of_file(path, architecture.build_for, ok and opened.tensors or nil, opened, plain, {
    custom_objects = options.custom_objects, strategy = options.strategy, where = path .. ": config.json" })
  if not ok then
    error(opened, 0)
  end
  if compiled and options.compile ~= false then
    of_file(path, architecture.compile, model, compiled, { custom_objects = options.custom_objects,
      where = path .. ": what compile() was given" })
  end
  local entries, tensors, match, finish = keras_weights.find(model, opened)
  weights.take(model, path, {}, entries, tensors, match)
  finish()
  return model
end

return keras_model
