-- objects - layers, models and all that they and training are made with, as plain data and back.
--
--   objects.serialize(object)                       { class_name = "Dense", config = { units = 3, ... }, ... }
--   objects.deserialize(plain, "layer")             the layer
--
-- The form is Keras'; the keys of a config are our options, which are Keras' names. What cannot be written raises an
-- error that names it: functions and classes without a name (see registry.lua), variables, what is not the library's.

local errors = require "moonpod.base.errors"
local plain = require "moonpod.saving.plain"
local readable = require "moonpod.base.readable"
local tables = require "moonpod.base.tables"

require "moonpod.saving.part_codecs"
require "moonpod.saving.layer_codec"
require "moonpod.saving.model_codec"

local objects = {}

-- kind -> the module that an entry is of where it does not say.
local MODULES = { layer = "layers", model = "models", loss = "losses", metric = "metrics", optimizer = "optimizers",
  schedule = "schedules", initializer = "initializers", regularizer = "regularizers", constraint = "constraints",
  policy = "policies", activation = "activations" }

--- The plain data of a layer, model, loss, metric, optimizer, schedule, initializer, regularizer, constraint or dtype
--- policy, of a registered function, or of a table of such. Options: live (functions, tensors and classes stay what
--- they are; for copies in the same process).
---@param options.live boolean whether functions, tensors and classes stay what they are; for copies in the same process
---@param options.where string what messages begin with
---@example pod.serialize(pod.layers.dense(3)).class_name --> "Dense"
function objects.serialize(object, options)
  options = errors.check_options(options, { live = "boolean", where = "string" }, "serialize")
  local where = options.where or "serialize"
  if object == nil then
    errors.raise("%s: there is nothing to serialize, nil was given", where)
  end
  return plain.encode(object, plain.context { where = where, live = options.live }, "activation")
end

--- The object of plain data. kind ("layer", "loss", "metric", ...; nil: any) says of which kind a class name is that
--- several have. Options: custom_objects (name -> class or function, before those that are registered).
---@param options.live boolean for copies in the same process: what is no plain data stays what it is
---@param options.where string what messages begin with
---@example pod.deserialize(pod.serialize(pod.layers.dense(3))).config.units --> 3
function objects.deserialize(data, kind, options)
  options = errors.check_options(options, { custom_objects = "table", live = "boolean", where = "string" },
    "deserialize")
  local where = options.where or "deserialize"
  if type(data) ~= "table" then
    errors.raise("%s: the data must be a table { class_name =, config = }, not %s", where, errors.describe(data))
  elseif kind ~= nil and not MODULES[kind] then
    errors.raise("%s: there is no kind '%s'%s", where, tostring(kind), errors.suggest(tostring(kind), MODULES))
  end
  return plain.decode(data, plain.context { where = where, live = options.live,
    custom_objects = options.custom_objects }, MODULES[kind])
end

-- What object:get_config() gives.
function objects.config_of(object)
  return readable.of(objects.serialize(object, { where = "get_config" }).config)
end

-- What class.from_config(config) gives.
function objects.from_config(class, config, options)
  errors.check_type(config, "table", class.function_name .. ".from_config", "the config")
  local given = tables.merge(errors.check_options(options, { custom_objects = "table" }, "from_config"))
  given.live, given.where = true, class.function_name .. ".from_config"
  return objects.deserialize({ class_name = class.class_name, class = class, config = config }, "layer", given)
end

return objects
