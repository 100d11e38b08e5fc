-- registry - names of what users make, by which files name it: classes of layers and models, and functions.

local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local layers = require "moonpod.layers"

local registry = {}

local by_name, own_layers = {}, nil
local names = setmetatable({}, { __mode = "k" })

local function is_class(value)
  return type(value) == "table" and not layer.is_layer(value) and type(value.class_name) == "string"
    and value.is_own == true
end

--- pod.register(name, object): gives a name to a function or a class, so that what uses it can be saved. Functions are
--- those of lambda layers, losses, metrics, activations, initializers, ...; classes are by layers.subclass,
--- models.subclass or metrics.subclass. A file that has the name is loaded where the name is registered, too. A name
--- that is registered again is the new object's. Returns the object.
--- ```lua
--- local function half(x) return x / 2 end
--- pod.register("help_half", half)
--- assert(pod.serialize(pod.layers.dense(1, { activation = half })).config.activation.config == "help_half")
--- ```
function registry.register(name, object)
  errors.check_type(name, "string", "register", "the name")
  if name == "" then
    errors.raise("register: the name is empty")
  elseif type(object) ~= "function" and not is_class(object) then
    errors.raise("register: '%s' must be a function, or a class by layers.subclass, models.subclass or "
      .. "metrics.subclass, not %s", name,
      layer.is_layer(object) and "a layer: give the class that made it" or errors.describe(object))
  end
  by_name[name], names[object] = object, name
  return object
end

--- pod.register_layer(name, class): gives a class of layers, or of models, a name, so that its layers can be saved. (As
--- Keras' register_keras_serializable.) Returns the class.
--- ```lua
--- local Twice = pod.layers.subclass { name = "HelpTwice", call = function(_, x) return x * 2 end }
--- pod.register_layer("HelpTwice", Twice)
--- assert(pod.deserialize(pod.serialize(Twice())).class_name == "HelpTwice")
--- ```
function registry.register_layer(name, class)
  if not is_class(class) then
    errors.raise("register_layer: argument 2 must be a class by layers.subclass or models.subclass, not %s",
      layer.is_layer(class) and "a layer: give the class that made it" or errors.describe(class))
  end
  return registry.register(name, class)
end

-- The class of a name among the layers of this library, or nil.
function registry.own_layer(name)
  if not own_layers then
    own_layers = {}
    for _, function_name in ipairs(layers.names()) do
      local class = layers[function_name]
      if type(class) == "table" then
        own_layers[class.class_name] = class
      end
    end
  end
  return own_layers[name]
end

-- The name of an object, or nil.
function registry.name_of(object)
  local name = names[object]
  return name and rawequal(by_name[name], object) and name or nil
end

-- The object of a name: of custom_objects, else what is registered, else nil.
function registry.find(name, custom_objects)
  local found = custom_objects and custom_objects[name]
  if found ~= nil and type(found) ~= "function" and not is_class(found) then
    errors.raise("custom_objects: '%s' must be a function, or a class by layers.subclass, models.subclass or "
      .. "metrics.subclass, not %s",
      tostring(name), errors.describe(found))
  end
  return found or by_name[name]
end

return registry
