-- layer_codec - layers as plain data, those of users too.
--
-- An entry has class_name, config (the options, and name, trainable, dtype) and, of a user's class, registered_name,
-- the arguments it was made with (config.arguments, unless the class has get_config) and build_config: what the layer
-- and those within it were built for, with their names, in their order, as no option tells of them. A layer that is
-- met again is { class_name, name, shared_object_id }: that of the first entry with this number.

local layer = require "moonpod.layers.layer"
local mixed_precision = require "moonpod.layers.mixed_precision"
local plain = require "moonpod.saving.plain"
local registry = require "moonpod.saving.registry"
local tables = require "moonpod.base.tables"
local variable = require "moonpod.func.variable"

local layer_codec = {}

-- "layer 'dense_1' (Dense)".
function layer_codec.describe(one)
  return ("%s '%s' (%s)"):format(one._state.is_model and "model" or "layer", one.name, one.class_name)
end

-- ---- of users' classes ----------------------------------------------------------------------------------------------

-- Gives a layer another name, and its weights with it.
local function rename(one, name)
  local prefix = one.name .. "/"
  for _, part in ipairs(one._state.parts) do
    if variable.is_variable(part) and part.name:sub(1, #prefix) == prefix then
      part.name = name .. "/" .. part.name:sub(#prefix + 1)
    end
  end
  one.name = name
end

-- The layer and those within it: what they are called and were built for.
local function build_config(one, context)
  local list = {}
  one:each_layer(function(each)
    list[#list + 1] = { name = each.name, class_name = each.class_name, dtype = each.dtype_policy.name,
      trainable = each.trainable, input_shape = plain.encode(each._state.build_shape, context) }
  end)
  return { layers = list }
end

-- Gives a new layer, and those within it, the names that they had, and builds those that were.
local function build_again(one, config, context)
  local list, at = config.layers, 0
  if type(list) ~= "table" then
    plain.fail(context, "its build_config has no layers")
  end
  one:each_layer(function(each)
    at = at + 1
    local entry = list[at]
    if type(entry) ~= "table" or entry.class_name ~= each.class_name or type(entry.name) ~= "string" then
      plain.fail(context, "its class makes a %s where the file has %s; is it another class than when it was saved?",
        each.class_name, type(entry) == "table" and tostring(entry.class_name) or "no layer more")
    end
    rename(each, entry.name)
    each._state.trainable = entry.trainable ~= false
    rawset(each, "dtype_policy", mixed_precision.policy(entry.dtype))
    local shape = plain.decode(entry.input_shape, context)
    if shape and not each.built then
      each:ensure_built(shape)
    end
  end)
  if list[at + 1] ~= nil and not context.live then
    plain.fail(context, "its class makes no layer '%s', which the file has: a class makes its layers in setup or "
      .. "build, not in call", tostring(type(list[at + 1]) == "table" and list[at + 1].name))
  end
end

local function encode_own(one, config, entry, context)
  local class = one._state.class
  plain.add_class(entry, class, context, "register_layer")
  local late = one._state.late_part
  if late and not context.live then
    plain.fail(context, "layer '%s' was put into it after it was built, so what makes it again would not have that; "
      .. "make layers in setup or build, not in call", late.name)
  end
  plain.encode_config(plain.own_config(one, class, one._state.arguments, context), context, config)
  entry.build_config = build_config(one, context)
  entry.memory_options = plain.encode(one._state.memory_options, context)
end

-- Gives a model the memory options of its entry.
function layer_codec.apply_memory_options(made, entry, context)
  local options = plain.decode(entry.memory_options, context)
  if options ~= nil then
    made:set_memory_options(options)
  end
  return made
end

local function make_own(class, entry, options, context)
  local made = plain.make_own(class, options)
  if not layer.is_layer(made) then
    plain.fail(context, "from_config returned %s; it must return a layer", tostring(made))
  end
  if type(entry.build_config) == "table" then
    build_again(made, entry.build_config, context)
  end
  return made._state.is_model and layer_codec.apply_memory_options(made, entry, context) or made
end

-- ---- all layers -----------------------------------------------------------------------------------------------------

-- The entry of a layer; config(one, context) of a kind of models gives the options that others have in their config.
function layer_codec.encode(one, context, module, options_of)
  local known = context.seen[one]
  if known then
    if not known.shared_object_id then
      context.count = (context.count or 0) + 1
      known.shared_object_id = context.count
    end
    return { module = module, class_name = one.class_name, name = one.name, shared_object_id = known.shared_object_id }
  end
  local entry = { module = module, class_name = one.class_name }
  context.seen[one] = entry
  return plain.within(context, layer_codec.describe(one), function()
    local config, class = {}, one._state.class
    entry.config = config
    if options_of then
      options_of(one, config, context)
    elseif class.is_own or registry.own_layer(class.class_name) ~= class and not context.live then
      encode_own(one, config, entry, context)
    else
      entry.class = registry.own_layer(class.class_name) ~= class and class or nil
      plain.encode_config(one.config, context, config)
    end
    config.name, config.trainable, config.dtype = one.name, one.trainable, plain.encode(one.dtype_policy, context)
    return entry
  end)
end

local function check_common(entry, context)
  local config = entry.config
  if config.name ~= nil and type(config.name) ~= "string" then
    plain.fail(context, "the name of a %s must be a string", entry.class_name)
  elseif config.trainable ~= nil and type(config.trainable) ~= "boolean" then
    plain.fail(context, "'trainable' of a %s must be true or false", entry.class_name)
  end
end

-- Reads an entry; make(options) gives the layer. Options of the names in `left` are left to it.
function layer_codec.decode(entry, context, make, left)
  local id = entry.shared_object_id
  if entry.config == nil then
    return context.shared[id] or plain.fail(context, "shared layer %s was not there before", tostring(id))
  end
  check_common(entry, context)
  local owner = ("layer '%s' (%s)"):format(tostring(entry.config.name), entry.class_name)
  local made = plain.within(context, owner, function()
    local options = tables.merge(entry.config)
    for key in pairs(left or {}) do
      options[key] = nil
    end
    return make(plain.decode({ config = options }, context).config)
  end)
  if id ~= nil then
    context.shared[id] = made
  end
  return made
end

plain.codecs[#plain.codecs + 1] = {
  module = "layers",
  what = "layer",
  is = layer.is_layer,
  knows = function(name, context, entry)
    return entry.class ~= nil or registry.own_layer(name) ~= nil
      or registry.find(entry.registered_name or name, context.custom_objects) ~= nil
  end,
  encode = function(one, context)
    return layer_codec.encode(one, context, "layers")
  end,
  decode = function(entry, context)
    return layer_codec.decode(entry, context, function(options)
      local class = context.live and entry.class
        or entry.registered_name == nil and registry.own_layer(entry.class_name)
        or registry.find(entry.registered_name or entry.class_name, context.custom_objects)
      if type(class) ~= "table" then
        plain.unknown(entry, context)
      elseif class.is_own then
        return make_own(class, entry, options, context)
      end
      return class(options)
    end)
  end,
}

return layer_codec
