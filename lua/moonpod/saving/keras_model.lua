-- keras_model - the .keras files of Keras 3: a zip archive of config.json, metadata.json and model.weights.h5.

local architecture = require "moonpod.saving.architecture"
local core_call = require "moonpod.tensor.core_call"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local keras_config = require "moonpod.saving.keras_config"
local keras_weights = require "moonpod.saving.keras_weights"
local ops = require "moonpod.ops"
local strategies = require "moonpod.func.strategies"
local tables = require "moonpod.base.tables"
local weights = require "moonpod.saving.weights"

local keras_model = {}

-- The text of an asset, nil where there is none.
local function asset(path, name)
  local ok, found = pcall(device.core.file_read, device.context(), path, "assets/" .. name)
  return ok and found or nil
end

-- pod.models.load of a .keras file. Options: custom_objects, compile (true), strategy. What Keras has and we have not
-- is named before anything is built.
function keras_model.load(path, options)
  local ok, opened = errors.attempt(keras_weights.open, path)
  local config = core_call("file_read", path, "config.json")
  local plain, compiled, texts, shape = keras_config.read(config, path .. ": config.json", {
    custom_objects = options.custom_objects, compile = options.compile,
    read_vocabulary = function(place)
      return asset(path, place .. "/vocabulary.txt")
    end,
    read_weights = function(place)
      local found = ok and opened.tensors[place .. "/vars/idf_weights"]
      return found and found:totable() or nil
    end })
  local model = architecture.build_for(ok and opened.tensors or nil, opened, plain, {
    custom_objects = options.custom_objects, strategy = options.strategy, where = path .. ": config.json" })
  if not ok then
    error(opened, 0)
  elseif not model.built and shape then -- a class of models: its layers are built by a call
    strategies.within(model._strategy, model, ops.zeros(tables.map(shape, function(size)
      return type(size) == "number" and size or 1
    end)))
  end
  if compiled and options.compile ~= false then
    architecture.compile(model, compiled, { custom_objects = options.custom_objects,
      where = path .. ": what compile() was given (compile = false loads the model without it)" })
  end
  local entries, tensors, match, finish = keras_weights.find(model, opened)
  weights.take(model, path, {}, entries, tensors, match)
  finish()
  return model, next(texts) ~= nil and texts or nil
end

return keras_model
