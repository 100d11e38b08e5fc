-- plain - Lua values as plain data, that JSON can hold, and back.
--
-- What is no number, text, boolean or table of such is written as Keras does: { class_name = "Huber", config =
-- { delta = 2 }, module = "losses" }; `module` tells classes of one name apart. A kind of objects has a codec, which
-- others add to this table. Lists keep their gaps as null. Functions go by the name that they were registered with, or
-- have in this library.

local activations = require "moonpod.layers.activations"
local errors = require "moonpod.base.errors"
local json = require "moonpod.base.json"
local kinds = require "moonpod.base.kinds"
local losses = require "moonpod.losses"
local ops = require "moonpod.ops"
local readable = require "moonpod.base.readable"
local registry = require "moonpod.saving.registry"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local variable = require "moonpod.func.variable"
local is_whole = require "moonpod.base.kinds".is_whole

local unpack = table.unpack or unpack -- luacheck: ignore

local plain = {}

-- Each has: module; is(value): whether it writes it; encode(value, context): the entry; knows(class_name, context):
-- whether it reads it; decode(entry, context): the object.
plain.codecs = {}

-- What is shared by all that is written, or read, at once. `owners` are the layers, optimizers, ... around what is
-- looked at, `path` the options within the innermost.
--   options: live (functions and classes without a name stay what they are: for copies within a process),
--     custom_objects, where (what messages begin with)
function plain.context(options)
  return { owners = {}, path = {}, live = options.live, custom_objects = options.custom_objects, where = options.where,
    seen = {}, shared = {}, level = 0 }
end

-- Raises a message that says where in the whole it belongs.
function plain.fail(context, format, ...)
  local parts = tables.slice(context.owners)
  if #context.path > 0 then
    parts[#parts + 1] = "'" .. table.concat(context.path, ".") .. "'"
  end
  errors.raise("%s: %s%s%s", context.where, table.concat(parts, ", "), #parts > 0 and ": " or "", format:format(...))
end

-- Runs fn(...) for what belongs to an owner.
function plain.within(context, owner, fn, ...)
  local path, count = context.path, #context.owners
  context.owners[count + 1], context.path = owner, {}
  local result = fn(...)
  context.owners[count + 1], context.path = nil, path
  return result
end

-- ---- functions ------------------------------------------------------------------------------------------------------

-- Where functions of this library are looked up, by module and name. All of them compute on tensors.
local LIBRARY = { { "activations", activations }, { "losses.functions", losses.functions }, { "ops", ops } }

local function library_name(fn)
  for _, entry in ipairs(LIBRARY) do
    local found
    for name, value in pairs(entry[2]) do
      if rawequal(value, fn) and name ~= "get" and (not found or name < found) then
        found = name
      end
    end
    if found then
      return entry[1], found
    end
  end
end

local function encode_function(fn, context, key)
  local name = registry.name_of(fn)
  if name then
    return { class_name = "function", config = name, registered_name = name }
  end
  local module, own = library_name(fn)
  if module == "activations" and type(key) == "string" and key:find "activation$" then
    return own
  elseif module then
    return { class_name = "function", config = own, module = module }
  elseif context.live then
    return fn
  end
  plain.fail(context, "is a function without a name, which no file can hold; give it one where it is defined: "
    .. "pod.register(\"NAME\", fn)")
end

local function decode_function(entry, context)
  local name = entry.config
  if type(name) ~= "string" then
    plain.fail(context, "a function has no name")
  end
  if entry.registered_name == nil then
    for _, library in ipairs(LIBRARY) do
      local fn = rawget(library[2], name)
      if library[1] == entry.module and type(fn) == "function" then
        return fn
      end
    end
    plain.fail(context, "there is no function '%s'", name)
  end
  local fn = registry.find(name, context.custom_objects)
  if type(fn) ~= "function" then
    plain.fail(context, "there is no function '%s'; register it first: pod.register(%q, fn), or give custom_objects = "
      .. "{ %s = fn }", name, name, name)
  end
  return fn
end

-- ---- tensors --------------------------------------------------------------------------------------------------------

local function encode_tensor(t, context)
  if context.live then
    return t
  elseif not tensor.is_known(t) then
    plain.fail(context, "is a tensor that has no value yet")
  end
  return { class_name = "__tensor__", config = { value = t:reshape { -1 }:totable(), dtype = t.dtype,
    shape = json.array(tables.slice(t.shape)) } }
end

local function decode_tensor(entry, context)
  local config = entry.config
  local ok, made = errors.attempt(function()
    return tensor.new(config.value, { dtype = config.dtype, shape = config.shape })
  end)
  if not ok then
    plain.fail(context, "a tensor cannot be read: %s", tostring(made))
  end
  return made
end

-- ---- all values -----------------------------------------------------------------------------------------------------

-- The largest whole number among the keys, or nil where there are names, too, or no keys.
local function length_of(list)
  local count
  for key in pairs(list) do
    if not is_whole(key, 1) then
      return nil
    end
    count = math.max(count or 0, key)
  end
  return count
end

-- Lists with a few gaps are lists; places far apart would take memory that nothing is in.
local MOST_GAPS = 1000

local function sorted_names(object, context)
  local names = {}
  for key in pairs(object) do
    if type(key) ~= "string" then
      plain.fail(context, "is a table with the key %s; tables that are saved are lists, or have names as keys",
        errors.describe(key))
    end
    names[#names + 1] = key
  end
  table.sort(names)
  return names
end

local function encode_table(value, context)
  local out, path = {}, context.path
  context.level = errors.level_below(context.level, context.where)
  local count = length_of(value)
  if count and count <= #value + MOST_GAPS then
    for i = 1, count do
      path[#path + 1] = tostring(i)
      out[i] = plain.encode(value[i], context)
      if out[i] == nil then
        out[i] = json.null
      end
      path[#path] = nil
    end
  else
    for _, key in ipairs(sorted_names(value, context)) do
      path[#path + 1] = key
      out[key] = plain.encode(value[key], context, key)
      path[#path] = nil
    end
  end
  context.level = context.level - 1
  return out
end

-- The plain data of a value; `key` is the name of the option that it is.
function plain.encode(value, context, key)
  local kind = type(value)
  if kind == "function" then
    return encode_function(value, context, key)
  elseif kind ~= "table" then
    if kind == "userdata" or kind == "thread" then
      plain.fail(context, "is a %s, which no file can hold", kind)
    end
    return value
  elseif context.symbol and context.symbol(value) then
    return context.symbol(value)
  elseif tensor.is(value) then
    return encode_tensor(value, context)
  elseif variable.is_variable(value) then
    plain.fail(context, "is a variable; options hold no variables")
  end
  for _, codec in ipairs(plain.codecs) do
    if codec.is(value) then
      return codec.encode(value, context)
    end
  end
  if rawequal(value, json.null) then
    return value
  elseif not readable.is_plain(value) and not kinds.get "integers".is(value) then -- shapes of tensors are lists
    plain.fail(context, "is %s, which no file can hold", errors.describe(value))
  end
  return encode_table(value, context)
end

-- Puts the options of a config, each encoded as what its name says, into `out`.
function plain.encode_config(config, context, out)
  for key, value in pairs(config) do
    context.path[1] = tostring(key)
    out[key] = plain.encode(value, context, key)
  end
  return out
end

-- ---- objects of users' classes --------------------------------------------------------------------------------------

-- Gives an entry the name of its class, which pod.<register>() gave it; for copies in this process the class will do.
function plain.add_class(entry, class, context, register)
  entry.registered_name = registry.name_of(class)
  if not entry.registered_name then
    if not context.live then
      plain.fail(context, "its class has no name by which a file can name it; give it one where it is defined: "
        .. "pod.%s(%q, class)", register, class.class_name)
    end
    entry.class = class
  end
end

-- The options of an object: what its get_config says, or else the arguments that it was made with.
function plain.own_config(object, class, arguments, context)
  if not class.own_get_config then
    return { arguments = { unpack(arguments, 1, arguments.count) } }
  end
  local config = class.own_get_config(object)
  if type(config) ~= "table" then
    plain.fail(context, "get_config returned %s; it must return a table of options", tostring(config))
  end
  return config
end

-- The object of a class that such options make.
function plain.make_own(class, config)
  if class.own_from_config then
    return class.own_from_config(config)
  elseif class.own_get_config or not config.arguments then -- Keras has what get_config says
    return class(config)
  end
  local arguments = config.arguments
  return class(unpack(arguments, 1, length_of(arguments) or 0))
end

-- The codec that reads an entry; `module` is what is expected where the entry does not say.
local function codec_of(entry, context, module)
  local named = type(entry.module) == "string" and entry.module:gsub("^keras%.", "") or module
  local first
  for _, codec in ipairs(plain.codecs) do
    if codec.knows(entry.class_name, context, entry) then
      if codec.module == named then
        return codec
      end
      first = first or codec
    end
  end
  return first
end

local function decode_table(value, context)
  local out, path = {}, context.path
  context.level = errors.level_below(context.level, context.where)
  if json.is_array(value) then
    for i = 1, #value do
      path[#path + 1] = tostring(i)
      out[i] = plain.decode(value[i], context)
      path[#path] = nil
    end
  else
    for _, key in ipairs(sorted_names(value, context)) do
      path[#path + 1] = key
      out[key] = plain.decode(value[key], context)
      path[#path] = nil
    end
  end
  context.level = context.level - 1
  return out
end

-- The value of plain data. `module` is that of the class where an entry does not tell its own.
function plain.decode(value, context, module)
  if rawequal(value, json.null) then
    return nil
  elseif not readable.is_plain(value) then
    return value
  elseif type(value.class_name) ~= "string" then
    return decode_table(value, context)
  end
  local name = value.class_name
  if context.tensor_of and name == "__keras_tensor__" then
    return context.tensor_of(value)
  elseif name == "function" then
    return decode_function(value, context)
  elseif (type(value.config) ~= "table" or rawequal(value.config, json.null))
    and not (value.config == nil and value.shared_object_id) then
    plain.fail(context, "the config of a %s must be a table, not %s", name, errors.describe(value.config))
  elseif name == "__tensor__" then
    return decode_tensor(value, context)
  end
  local codec = codec_of(value, context, module)
  if not codec then
    plain.unknown(value, context)
  end
  context.level = errors.level_below(context.level, context.where)
  local made = codec.decode(value, context)
  context.level = context.level - 1
  return made
end

-- Raises for a class that nobody knows.
function plain.unknown(entry, context)
  local name = tostring(entry.registered_name or entry.class_name)
  plain.fail(context, "there is no class '%s'; register it first: pod.register_layer(%q, class), or give "
    .. "custom_objects = { [%q] = class }", name, name, name)
end

return plain
