-- keras_config - the config.json of Keras 3 as plain data of ours (architecture.lua): the same but for
--
--   * options that we have not: where they have no value, or the one that changes nothing, they are left out; all
--     others are named before anything is built, as classes are that we have not
--   * what is null is left out; tuples are lists
--   * a layer that Keras writes again for each place where it is shared has its config in the first alone
--   * masks are what layers pass on, no operations (keras_masks.lua)
--   * vocabularies come from the file's assets; what takes strings stands before the model (keras_texts.lua)
--   * tensors that a call gets by name (value = ...) stand in the order of the call's arguments
--   * sums, differences, products and quotients of symbolic tensors are operations of ours

local errors = require "moonpod.base.errors"
local json = require "moonpod.base.json"
local kinds = require "moonpod.base.kinds"
local keras_masks = require "moonpod.saving.keras_masks"
local keras_texts = require "moonpod.saving.keras_texts"
local models = require "moonpod.models"
local registry = require "moonpod.saving.registry"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"

local keras_config = {}

-- How many problems a message has, and how deep Keras' configs are at most: a model within a model takes six levels.
local MOST_PROBLEMS, MOST_LEVELS = 20, 400

-- Keras' names of classes that have another here.
local CLASSES = { GroupedQueryAttention = "GroupQueryAttention" }

-- Options of layers in Keras that we have not, with the value that changes nothing.
local NEUTRAL = {
  stateful = false, unroll = false, zero_output_for_mask = false, return_state = false, renorm = false, sparse = false,
  ragged = false, optional = false, renorm_momentum = 0.99, virtual_batch_size = false, autocast = true,
  data_format = "channels_last", synchronized = false, fused = true, lora_rank = false, implementation = 2,
  use_gate = false, flash_attention = false, groups = 1, scale = true, rms_scaling = false, antialias = false,
  pad_to_aspect_ratio = false, fill_mode = "constant", fill_value = 0, encoding = "utf-8", oov_method = "floormod",
}

-- The names of the tensors that layers are called with in Keras, in our order.
local CALL_ARGUMENTS = {
  MultiHeadAttention = { "query", "value", "key" },
  GroupQueryAttention = { "query", "value", "key" },
}

-- Keras' operations on symbolic tensors that are ours.
local OPERATIONS = { Add = "__add", Subtract = "__sub", Multiply = "__mul", Divide = "__div", TrueDivide = "__div",
  Negative = "__unm", Power = "__pow" }

-- Kinds of objects by their module in Keras.
local MODELS = { Sequential = true, Functional = true, Model = true }

-- Lists of one that are numbers here.
local NUMBERS = { MultiHeadAttention = { output_shape = true }, Normalization = { axis = true } }

-- Options that say what others do already, and what stands for null where that is no absence.
local TOLD_TWICE = { IntegerLookup = { vocabulary_size = true }, StringLookup = { vocabulary_size = true },
  TextVectorization = { vocabulary_size = true } }
local NULLS = { Normalization = { axis = "none" }, TextVectorization = { standardize = "none", split = "none" } }

local is_null, list_of = json.is_null, json.table_of

-- Whether a policy is that of whole numbers, which layers of categories have by themselves.
local function is_of_integers(value)
  local name = type(value) == "table" and type(value.config) == "table" and value.config.name or value
  return type(name) == "string" and name:find "^u?int" ~= nil
end

local function problem(state, format, ...)
  local list = state.problems
  state.count = state.count + 1
  if #list < MOST_PROBLEMS then
    list[#list + 1] = "  " .. format:format(...)
  end
end

-- "layer 'dense' (Dense)".
local function describe(entry)
  local name = type(entry.config) == "table" and entry.config.name
  return ("'%s' (%s)"):format(tostring(is_null(name) and "?" or name):sub(1, 80), tostring(entry.class_name):sub(1, 80))
end

local translate

local function translate_table(value, state)
  local out = json.is_array(value) and json.array {} or {}
  for key, item in pairs(value) do
    if json.is_array(value) and is_null(item) then
      out[key] = json.null
    elseif not is_null(item) then
      out[key] = translate(item, state)
    end
  end
  return out
end

-- The options of a layer that are ours. A value that says the same as its absence is left out.
local function layer_options(entry, class, state)
  local allowed, options = tables.set_of(class.allowed), {}
  for name, value in pairs(entry.config) do
    if is_null(value) then -- as if it were not there
      options[name] = (NULLS[class.class_name] or {})[name]
    elseif (TOLD_TWICE[class.class_name] or {})[name] or name == "dtype" and is_of_integers(value) then
      options[name] = nil
    elseif allowed[name] then
      local is_one = (NUMBERS[class.class_name] or {})[name] and type(value) == "table" and #value == 1
      options[name] = translate(is_one and value[1] or value, state)
    elseif NEUTRAL[name] ~= value then
      problem(state, "layer %s: option '%s' (%s)", describe(entry), tostring(name), errors.describe(value))
    end
  end
  keras_texts.add_vocabulary(options, entry, state)
  return options
end

-- A call: tensors that are given by name go behind those that are given by place.
local function translate_call(node, entry, state)
  if type(node) ~= "table" or type(node.args) ~= "table" then
    problem(state, "layer %s: a call without args", describe(entry))
    return { args = json.array {}, kwargs = {} }
  end
  local args, kwargs = translate_table(node.args, state), translate_table(list_of(node.kwargs), state)
  for _, name in ipairs(CALL_ARGUMENTS[entry.class_name] or {}) do
    if kwargs[name] ~= nil then
      args[#args + 1] = kwargs[name]
      kwargs[name] = nil
    end
  end
  for i = #args, 1, -1 do -- null, or what is given by place behind the tensors
    if rawequal(args[i], json.null) then
      args[i] = nil
    end
  end
  kwargs.training = nil -- in Keras that of the model's call counts, in fit as in predict
  return { args = args, kwargs = kwargs }
end

-- What a layer of a functional model has besides: its name and its calls.
local function add_calls(entry, out, state)
  out.name = type(entry.name) == "string" and entry.name or nil
  if type(entry.inbound_nodes) == "table" then
    out.inbound_nodes = json.array {}
    for i, node in ipairs(entry.inbound_nodes) do
      out.inbound_nodes[i] = translate_call(node, entry, state)
    end
  end
  return out
end

-- Layers and models are shared by their number; true where this one was there before.
local function was_there(entry, out, state)
  local id = entry.shared_object_id
  if is_null(id) then
    return false
  end
  out.shared_object_id = id
  local before = state.seen[id]
  state.seen[id] = true
  out.config = not before and out.config or nil
  return before == true
end

local translate_layer

local function translate_model(entry, state)
  local config = entry.config
  local out = { module = "models", class_name = entry.class_name == "Sequential" and "Sequential" or "Functional" }
  if was_there(entry, out, state) then
    return add_calls(entry, out, state)
  end
  if type(config.layers) ~= "table" or entry.class_name == "Model" and type(config.input_layers) ~= "table" then
    problem(state, "model %s: a class of models of somebody's own", describe(entry))
    return out
  end
  keras_texts.name_places(config.layers, state.places[entry] or "", state.places)
  config = keras_texts.take_out(config, state, function(one)
    local class = registry.own_layer(one.class_name)
    local own = layer_options(one, class, state)
    own.dtype = nil -- nothing is computed with
    return class(own)
  end, problem)
  out.config = { name = config.name, dtype = not is_null(config.dtype) and translate(config.dtype, state) or nil }
  if config.trainable == false then
    out.config.trainable = false
  end
  out.config.layers = translate_table(out.class_name == "Functional" and keras_masks.left_out(config.layers,
    config.output_layers) or config.layers, state)
  if out.class_name == "Functional" then
    out.config.input_layers, out.config.output_layers = list_of(config.input_layers), list_of(config.output_layers)
  elseif type(config.build_input_shape) == "table" and type(config.layers[1]) == "table"
    and config.layers[1].class_name ~= "InputLayer" and json.is_array(config.build_input_shape) then
    table.insert(out.config.layers, 1, translate_layer({ class_name = "InputLayer",
      config = { batch_shape = config.build_input_shape, name = tostring(config.name) .. "_input" } }, state))
  end
  return add_calls(entry, out, state)
end

function translate_layer(entry, state)
  local name = CLASSES[entry.class_name] or entry.class_name
  local class, out = registry.own_layer(name), { module = "layers", class_name = name }
  if entry.class_name == "InputLayer" then
    local shape = translate(entry.config.batch_shape, state)
    if json.is_array(shape) and not state.is_stateful then
      shape[1] = json.null -- that of the batch which built the model binds nobody, in Keras either
    end
    out.config = { name = entry.config.name, batch_shape = shape, dtype = entry.config.dtype }
    return add_calls(entry, out, state)
  elseif name == "Lambda" then
    local given = state.custom[entry.config.name] and entry.config.name or name
    if not state.custom[given] then
      problem(state, "layer %s: its function is code of Python, which is not run; write it in Lua and give "
        .. "custom_objects = { [%q] = pod.layers.subclass { name = \"Lambda\", call = function(self, x) ... end } }",
        describe(entry), tostring(entry.config.name))
      return out
    end
    out.registered_name = given
    out.config = { name = entry.config.name, dtype = translate(entry.config.dtype, state) }
    class = nil
  elseif state.custom[entry.registered_name] or state.custom[name] then
    out.registered_name = not is_null(entry.registered_name) and entry.registered_name or name
    out.config, class = translate_table(entry.config, state), nil
  elseif not class then
    problem(state, "layer %s: there is no such layer", describe(entry))
    return out
  end
  if not was_there(entry, out, state) and class then
    out.config = layer_options(entry, class, state)
  end
  return add_calls({ class_name = name, config = entry.config, name = entry.name, inbound_nodes = entry.inbound_nodes },
    out, state)
end

local function translate_operation(entry, state)
  local operation = OPERATIONS[entry.class_name]
  if not operation then
    problem(state, "operation %s: there is none such between layers", describe(entry))
    return { module = "ops", class_name = entry.class_name, config = {} }
  end
  return add_calls(entry, { module = "ops", class_name = entry.class_name,
    config = { name = entry.config.name, operation = operation } }, state)
end

-- Initializers, optimizers, losses, ...: their options are told by those who make them.
local function translate_object(entry, state)
  local out = { class_name = entry.class_name,
    module = not is_null(entry.module) and entry.module:gsub("^keras%.", "") or nil }
  if type(entry.config) ~= "table" then
    out.config = entry.config
    return out
  end
  out.config = translate_table(entry.config, state)
  return out
end

-- Whether a class of Python around layers is to be the model of these layers: where custom_objects says so. Where it
-- says nothing that is told.
local function is_around_layers(entry, state)
  local config, name = entry.config, entry.registered_name
  if is_null(name) or type(config.layers) ~= "table" or registry.own_layer(entry.class_name) then
    return false
  end
  local kind = config.input_layers and "functional" or "sequential"
  local given = registry.find(name, state.custom)
  if given == nil then
    problem(state, "model %s: a class of Python around layers; custom_objects = { [%q] = pod.models.%s } loads the "
      .. "layers, and what the class does besides is written in Lua: model.train_step = function(self, data) ... end",
      describe(entry), name, kind)
  end
  return given == nil or given == models[kind]
end

local function translate_entry(value, state)
  local name, module = value.class_name, type(value.module) == "string" and value.module or ""
  if name == "__keras_tensor__" then
    return value
  elseif name == "__tuple__" then
    return translate_table(list_of(value.items), state)
  elseif name == "__numpy__" or name == "__tensor__" then
    return list_of(value.config).value
  elseif name == "function" and type(value.config) == "string" then
    if value.config:find ">" and not registry.find(value.config, state.custom) then
      problem(state, "function '%s' is code of Python, which is not run; write it in Lua and give custom_objects = { "
        .. "[%q] = function }%s", value.config, value.config, state.is_compile
        and ", or load the model without what compile() was given: compile = false" or "")
    end
    return state.custom[value.config] and { class_name = "function", config = value.config,
      registered_name = value.config } or value.config
  elseif name:find "^__" then
    problem(state, "a value of kind '%s'%s", name:sub(1, 40),
      name == "__lambda__" and ", which is code of Python" or "")
    return nil
  elseif type(value.config) ~= "table" then
    problem(state, "%s without a config", name:sub(1, 80))
    return nil
  elseif module:find "^keras%.src%.ops" or module:find "^keras%.ops" then
    return translate_operation(value, state)
  elseif MODELS[name] and not module:find "layers" then
    return translate_model(value, state)
  elseif is_around_layers(value, state) then
    return translate_model(tables.merge(value, { class_name = value.config.input_layers and "Functional"
      or "Sequential" }), state)
  elseif module:find "layers" or state.custom[value.registered_name] or value.inbound_nodes ~= nil
    or module == "builtins" then
    return translate_layer(value, state)
  end
  return translate_object(value, state)
end

function translate(value, state)
  if type(value) ~= "table" then
    return value
  end
  state.level = state.level + 1
  if state.level > MOST_LEVELS then
    errors.raise("%s: objects lie in each other more than %d deep", state.where, MOST_LEVELS)
  end
  local out
  if type(value.class_name) == "string" then
    out = translate_entry(value, state)
  else
    out = translate_table(value, state)
  end
  state.level = state.level - 1
  return out
end

-- What is made has the name of its module as a text, wherever it stands.
local VALUE = schema.recursive(function(self)
  local entry = schema.also(schema.map_of(self), "an object whose module and registered_name are texts", function(value)
    return type(value.class_name) ~= "string" or (is_null(value.module) or type(value.module) == "string")
      and (is_null(value.registered_name) or type(value.registered_name) == "string")
  end)
  return schema.either(entry, schema.list_of(self), schema.kind("a value", function(value)
    return type(value) ~= "table" or is_null(value)
  end))
end)

local function is_size(value)
  return is_null(value) or kinds.is_whole(value, 0)
end

local CONFIG = schema.object { class_name = schema.text, config = schema.object {},
  compile_config = schema.optional(schema.object {}) }

-- The plain data of a model, and of what compile() was given or nil, by the text of config.json. All that is not here
-- is named at once. Options: custom_objects; compile (false: not what compile() was given); read_vocabulary(place), the
-- lines of a layer's vocabulary or nil; read_weights(place), a layer's weights of words or nil. Then there are the
-- layers of strings that stand before the model, by their names, and the shape that the model was built for, or nil.
function keras_config.read(text, where, options)
  local data = schema.check(schema.read(text, CONFIG, where, { keep_null = true }), VALUE, where)
  local state = { where = where, problems = {}, count = 0, seen = {}, level = 0, custom = options.custom_objects or {},
    places = {}, texts = {}, read_vocabulary = options.read_vocabulary, read_weights = options.read_weights,
    is_stateful = text:find('"stateful": true', 1, true) ~= nil }
  local model = translate(data, state)
  state.is_compile = true
  local compiled = options.compile ~= false and type(data.compile_config) == "table"
    and not is_null(data.compile_config.optimizer) and translate_table(data.compile_config, state) or nil
  if state.count > 0 then
    errors.raise("%s: the model has what is not here; nothing was built:\n%s%s", where,
      table.concat(state.problems, "\n"), state.count > #state.problems
      and ("\n  and %d more"):format(state.count - #state.problems) or "")
  end
  local shape = type(data.build_config) == "table" and data.build_config.input_shape
  return model, compiled, state.texts, json.is_array(shape) and tables.all(shape, is_size) and shape or nil
end

return keras_config
