-- model_codec - sequential and functional models as plain data, as Keras writes them.
--
-- A functional model's config has `layers`, each with the calls that the model has of it (inbound_nodes: args and
-- kwargs, in which { class_name = "__keras_tensor__", config = { keras_history = { layer, call, output } } } stands for
-- what another call gave), input_layers and output_layers. A sequential one's has its layers, an InputLayer first where
-- the shape of its inputs is known.

local errors = require "moonpod.base.errors"
local functional = require "moonpod.models.functional"
local json = require "moonpod.base.json"
local layer_codec = require "moonpod.saving.layer_codec"
local mixed_precision = require "moonpod.layers.mixed_precision"
local model = require "moonpod.models.model"
local names = require "moonpod.base.names"
local nest = require "moonpod.tensor.nest"
local plain = require "moonpod.saving.plain"
local sequential = require "moonpod.models.sequential"
local symbolic = require "moonpod.layers.symbolic"
local is_whole = require "moonpod.base.kinds".is_whole
local tables = require "moonpod.base.tables"

local unpack = table.unpack or unpack -- luacheck: ignore

local function check_entry(entry, context)
  if type(entry) ~= "table" or type(entry.class_name) ~= "string" then
    plain.fail(context, "a layer must be a table { class_name =, config = }, not %s", errors.describe(entry))
  end
end

-- ---- inputs ---------------------------------------------------------------------------------------------------------

local function plain_shape(shape)
  local out = {}
  for i = 1, #shape do
    out[i] = shape[i] == -1 and json.null or shape[i]
  end
  return out
end

local function encode_input(t, name)
  name = name or t.history.call.layer.name
  return { module = "layers", class_name = "InputLayer", name = name,
    config = { name = name, batch_shape = plain_shape(t.shape), dtype = t.dtype } }
end

local function decode_input(entry, context)
  local config = entry.config
  local shape = type(config) == "table" and config.batch_shape or nil
  if type(shape) ~= "table" then
    plain.fail(context, "an InputLayer has no batch_shape")
  end
  local rest = {}
  for i = 2, #shape do
    rest[i - 1] = rawequal(shape[i], json.null) and -1 or shape[i]
  end
  local batch = shape[1]
  if rawequal(batch, json.null) or batch == -1 then
    batch = nil
  end
  return symbolic.input { shape = rest, batch_size = batch, dtype = config.dtype, name = config.name }
end

-- What a model has besides its layers.
local function finish(made, options, entry, context)
  rawset(made, "dtype_policy", options.dtype and mixed_precision.policy(options.dtype) or made.dtype_policy)
  made._state.trainable = options.trainable ~= false
  return layer_codec.apply_memory_options(made, entry, context)
end

local function add_memory_options(one, entry, context)
  entry.memory_options = entry.config and plain.encode(one._state.memory_options, context) or nil
  return entry
end

-- ---- sequential -----------------------------------------------------------------------------------------------------

local function sequential_options(one, config, context)
  local input = one._state.input
  config.layers = json.array { input and encode_input(input) or nil }
  tables.extend(config.layers, tables.map(one.layers, plain.encode, context))
  config.build_input_shape = input and plain_shape(input.shape) or nil
end

local function decode_sequential(entry, context)
  local config = entry.config
  return layer_codec.decode(entry, context, function(options)
    local made = sequential.new { name = options.name }
    if type(config.layers) ~= "table" then
      plain.fail(context, "a Sequential has no layers")
    end
    for _, each in ipairs(config.layers) do
      check_entry(each, context)
      made:add(each.class_name == "InputLayer" and decode_input(each, context) or plain.decode(each, context, "layers"))
    end
    return finish(made, options, entry, context)
  end, { layers = true })
end

-- ---- functional: writing --------------------------------------------------------------------------------------------

-- The calls of each layer that a model has, in the order in which they were made, and the number of each, from 0.
local function number_calls(one)
  local calls_of, number = {}, {}
  for _, call in ipairs(one._state.order) do
    local list = calls_of[call.layer] or {}
    calls_of[call.layer] = list
    list[#list + 1] = call
  end
  for _, list in pairs(calls_of) do
    table.sort(list, function(a, b)
      return a.index < b.index
    end)
    for i, call in ipairs(list) do
      number[call] = i - 1
    end
  end
  return calls_of, number
end

local function history_of(t, number)
  local call = t.history.call
  return { call.layer.name, call.layer.is_input and 0 or number[call], t.history.index }
end

local function encode_call(call, context)
  local operation = call.layer._state.operation
  if not operation then
    return { args = { plain.encode(call.inputs, context) }, kwargs = plain.encode(call.options, context) }
  end
  local args = {}
  for i = 1, operation.count do
    args[i] = plain.encode(operation.arguments[i], context)
    args[i] = args[i] == nil and json.null or args[i]
  end
  return { args = args, kwargs = {} }
end

local function encode_operation(one)
  return { module = "ops", class_name = one.class_name, config = { name = one.name,
    operation = one._state.operation.name } }
end

-- Symbolic tensors within fn() are those of a model's calls.
local function with_symbols(context, symbol, fn)
  local outer = context.symbol
  context.symbol = symbol
  fn()
  context.symbol = outer
end

-- Inputs that other layers give become inputs of the copy, as in Keras: the entries of those, and where each tensor of
-- the inputs comes from.
local function inputs_of(one, used)
  local entries, places = {}, {}
  for _, t in ipairs(nest.flatten(one._state.input)) do
    local owner = t.history.call.layer
    if owner.is_input then
      places[t] = { owner.name, 0, 0 }
    else
      local name = names.free(owner.name .. "_output", used, 2)
      places[t] = { name, 0, 0 }
      entries[#entries + 1] = tables.merge(encode_input(t, name), { inbound_nodes = json.array {} })
    end
  end
  return entries, places
end

local function functional_options(one, config, context)
  local calls_of, number = number_calls(one)
  local used = {}
  local first, places = inputs_of(one, tables.set_of(tables.column(one.layers, "name")))
  config.layers = json.array(first)
  local function place(t)
    return places[t] or history_of(t, number)
  end
  local function symbol(t)
    return symbolic.is_symbolic(t) and { class_name = "__keras_tensor__", config = { shape = plain_shape(t.shape),
      dtype = t.dtype, keras_history = place(t) } } or nil
  end
  local inputs = {}
  for _, t in ipairs(nest.flatten(one._state.input)) do
    inputs[t.history.call.layer] = t
  end
  for _, each in ipairs(one.layers) do
    if used[each.name] then
      plain.fail(context, "two of its layers are named '%s'; give them names that differ", each.name)
    end
    used[each.name] = true
    local found
    if each.is_input then
      found = encode_input(inputs[each])
    elseif each._state.operation then
      found = encode_operation(each)
    else
      found = plain.encode(each, context)
    end
    found.name, found.inbound_nodes = each.name, json.array {}
    config.layers[#config.layers + 1] = found
    with_symbols(context, symbol, function()
      for i, call in ipairs(calls_of[each] or {}) do
        found.inbound_nodes[i] = plain.within(context, layer_codec.describe(each), encode_call, call, context)
      end
    end)
  end
  config.input_layers, config.output_layers = nest.map(one._state.input, place), nest.map(one._state.output, place)
end

-- ---- functional: reading --------------------------------------------------------------------------------------------

-- "layer/call" of a reference, and the number of the output.
local function read_history(history, context)
  local function is_place(number)
    return is_whole(number, 0, 2 ^ 31 - 1)
  end
  if type(history) ~= "table" or type(history[1]) ~= "string" or not is_place(history[2])
    or not is_place(history[3]) then
    plain.fail(context, "a keras_history is a layer's name, the number of the call and that of the output")
  end
  return ("%s/%d"):format(history[1], history[2]), history[3]
end

-- Visits what stands for tensors in the arguments of a call.
local function each_reference(value, visit, level)
  if type(value) == "table" then
    level = errors.level_below(level, "the arguments of a call")
    if value.class_name == "__keras_tensor__" then
      return visit(type(value.config) == "table" and value.config.keras_history)
    end
    for _, item in pairs(value) do
      each_reference(item, visit, level)
    end
  end
end

-- All calls of a config, each with those it waits for: { layer, node, key, waits, then }.
local function collect_calls(config, layers, context)
  local calls, by_key, ready = {}, {}, {}
  for _, entry in ipairs(config.layers) do
    for i, node in ipairs(entry.inbound_nodes or {}) do
      if type(node) ~= "table" then
        plain.fail(context, "a call of layer '%s' is %s, not an object", entry.name, errors.describe(node))
      end
      local call = { entry = entry, node = node, key = entry.name .. "/" .. i - 1, waits = 0, next = {} }
      calls[#calls + 1], by_key[call.key] = call, call
    end
  end
  local function wait(call, key)
    local other = by_key[key]
    if other then
      call.waits = call.waits + 1
      other.next[#other.next + 1] = call
    elseif not layers.outputs[key] then
      plain.fail(context, "layer '%s' reads a call '%s' that the model does not have", call.entry.name, key)
    end
  end
  for _, call in ipairs(calls) do
    each_reference(call.node, function(history)
      wait(call, (read_history(history, context)))
    end)
    local name, number = call.key:match "^(.*)/(%d+)$"
    if tonumber(number) > 0 then
      wait(call, name .. "/" .. ("%d"):format(number - 1))
    end
    ready[#ready + 1] = call.waits == 0 and call or nil
  end
  return ready, #calls
end

local function run_call(call, layers, context)
  local args, kwargs = call.node.args, call.node.kwargs
  if not json.is_array(args) or kwargs ~= nil and (type(kwargs) ~= "table" or kwargs.class_name ~= nil) then
    plain.fail(context, "a call of layer '%s' has no args", call.entry.name)
  end
  args, kwargs = plain.decode({ args = args }, context).args, plain.decode({ kwargs = kwargs }, context).kwargs or {}
  local outputs
  if call.entry.module == "ops" then
    if not symbolic.contains(args) then
      plain.fail(context, "operation '%s' reads no tensor", call.entry.name)
    end
    local config = call.entry.config
    local operation = type(config) == "table" and config.operation
    outputs = symbolic.apply(tostring(operation), #call.node.args, args, call.entry.name)
  else
    local count = #call.node.args
    args[count + 1] = kwargs
    outputs = layers[call.entry.name](unpack(args, 1, count + 1))
  end
  layers.outputs[call.key] = nest.flatten(outputs)
end

-- Makes the calls, each after those it reads, in time that grows with their number.
local function run_calls(config, layers, context)
  local ready, count = collect_calls(config, layers, context)
  local at = 0
  while at < #ready do
    at = at + 1
    local call = ready[at]
    plain.within(context, "layer '" .. tostring(call.entry.name) .. "'", run_call, call, layers, context)
    for _, waiting in ipairs(call.next) do
      waiting.waits = waiting.waits - 1
      ready[#ready + 1] = waiting.waits == 0 and waiting or nil
    end
  end
  if at < count then
    plain.fail(context, "calls of layers go in a circle")
  end
end

-- The tensors of a structure of references: { layer, call, output } is one.
local function tensors_of(structure, find, context, level)
  if type(structure) ~= "table" then
    plain.fail(context, "input_layers and output_layers must be lists")
  elseif type(structure[1]) == "string" and type(structure[2]) == "number" then
    return find(structure)
  end
  local out = {}
  level = errors.level_below(level, "the inputs of a model")
  for key, value in pairs(structure) do
    out[key] = tensors_of(value, find, context, level)
  end
  return out
end

local function make_layers(config, context)
  local made, seen = { outputs = {} }, {}
  for _, entry in ipairs(config.layers) do
    local name = type(entry) == "table" and entry.name
    if type(name) ~= "string" or seen[name] or entry.inbound_nodes ~= nil and type(entry.inbound_nodes) ~= "table" then
      plain.fail(context, "each of its layers must have a name of its own and a list of calls")
    end
    seen[name] = true
    if entry.class_name == "InputLayer" then
      made.outputs[name .. "/0"] = { decode_input(entry, context) }
    elseif entry.module ~= "ops" then
      made[name] = plain.decode(entry, context, "layers")
    end
  end
  return made
end

local function decode_functional(entry, context)
  local config = entry.config
  return layer_codec.decode(entry, context, function(options)
    if type(config.layers) ~= "table" then
      plain.fail(context, "a Functional has no layers")
    end
    local layers, outer = make_layers(config, context), context.tensor_of
    local function find(history)
      local key, index = read_history(history, context)
      local found = layers.outputs[key] and layers.outputs[key][index + 1]
      return found or plain.fail(context, "there is no output %d of call '%s'", index, key)
    end
    function context.tensor_of(reference)
      return find(type(reference.config) == "table" and reference.config.keras_history)
    end
    run_calls(config, layers, context)
    context.tensor_of = outer
    local made = functional.new { inputs = tensors_of(config.input_layers, find, context),
      outputs = tensors_of(config.output_layers, find, context), name = options.name }
    return finish(made, options, entry, context)
  end, { layers = true, input_layers = true, output_layers = true })
end

-- ---- codecs ---------------------------------------------------------------------------------------------------------

-- Before that of layers, as models are layers, too.
local function add(class, class_name, options_of, decode)
  table.insert(plain.codecs, 1, {
    module = "models",
    what = "model",
    is = function(value)
      return model.is_model(value) and value._state.class == class
    end,
    knows = function(name)
      return name == class_name
    end,
    encode = function(one, context)
      return add_memory_options(one, layer_codec.encode(one, context, "models", options_of), context)
    end,
    decode = decode,
  })
end

add(sequential, "Sequential", sequential_options, decode_sequential)
add(functional, "Functional", functional_options, decode_functional)

return plain.codecs
