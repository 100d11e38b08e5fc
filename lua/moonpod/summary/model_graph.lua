-- model_graph - the layers of a model as nodes of a graph: models within models are boxes within boxes.

local names = require "moonpod.base.names"
local nest = require "moonpod.tensor.nest"
local tables = require "moonpod.base.tables"

local model_graph = {}

local add_model

local function add(self, name, op, inputs, shape, layer, dtype)
  name = names.free(name, self.used)
  self.list[#self.list + 1] = { name = name, op = op, inputs = inputs, shape = shape }
  self.of[name] = { layer = layer, dtype = dtype }
  return name
end

-- The sizes of a symbolic tensor.
local function sizes(t)
  return t and tables.slice(t.shape or {})
end

-- What a layer gave at its last call, or nil.
local function latest_result(one)
  local calls = one._state.nodes
  return #calls > 0 and nest.flatten(calls[#calls].outputs)[1] or nil
end

-- Adds a call of a layer; returns the names of the nodes that its results come from.
local function add_call(self, one, scope, inputs, result)
  if one._list_layers and #one.layers > 0 then
    return add_model(self, one, names.free(scope .. one.name, self.used) .. "/", inputs)
  end
  result = result or latest_result(one)
  return { add(self, scope .. one.name, one.class_name, inputs, sizes(result), one, result and result.dtype) }
end

-- What a functional model's symbolic inputs are: the nodes that were given, or nodes of its own.
local function enter(self, model, scope, inputs)
  local source = {}
  for i, t in ipairs(nest.flatten(model._state.input)) do
    source[t] = inputs and inputs[i]
      or add(self, scope .. t.history.call.layer.name, "InputLayer", {}, sizes(t))
  end
  return source
end

local function add_functional(self, model, scope, given)
  local source = enter(self, model, scope, given)
  for _, call in ipairs(model._state.order) do
    if not call.layer.is_input then
      local inputs = {}
      for i, t in ipairs(call.parents) do
        inputs[i] = source[t]
      end
      local results = nest.flatten(call.outputs)
      local made = add_call(self, call.layer, scope, inputs, results[1])
      for i, t in ipairs(results) do
        source[t] = made[i] or made[#made]
      end
    end
  end
  local outputs = {}
  for i, t in ipairs(nest.flatten(model._state.output)) do
    outputs[i] = source[t]
  end
  return outputs
end

local function add_sequential(self, model, scope, given)
  local input = model._state.input
  local from = given
  if not from and input then
    from = { add(self, scope .. input.history.call.layer.name, "InputLayer", {}, sizes(input)) }
  end
  for _, one in ipairs(model.layers) do
    from = add_call(self, one, scope, from or {})
  end
  return from or {}
end

-- What a model that is code does between its layers nobody knows before it runs: they stand beside each other.
local function add_layers(self, model, scope, given)
  local made = {}
  for _, one in ipairs(model.layers) do
    made = add_call(self, one, scope, {})
  end
  return #made > 0 and made or given or {}
end

-- scope: "" for the outermost model, whose layers one sees first, else with a slash at its end.
function add_model(self, model, scope, given)
  if model._state.order then
    return add_functional(self, model, scope, given)
  elseif model.class_name == "Sequential" then
    return add_sequential(self, model, scope, given)
  end
  return add_layers(self, model, scope, given)
end

-- Returns the nodes of a model: { name =, op = the layer's class, inputs = { names }, shape = sizes or nil }; and by
-- their names the layer of each, and the dtype that it gave, where they are known: { layer =, dtype = }.
function model_graph.nodes(model)
  local self = { list = {}, of = {}, used = {} }
  if model._list_layers then
    add_model(self, model, "")
  else
    add(self, model.name, model.class_name, {})
  end
  return self.list, self.of
end

return model_graph
