-- Sequential models: a list of layers, each called on what the one before gave.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local model = require "moonpod.models.model"
local nest = require "moonpod.tensor.nest"
local saving = require "moonpod.models.saving_memory"
local shapes = require "moonpod.base.shapes"
local symbolic = require "moonpod.layers.symbolic"
local tables = require "moonpod.base.tables"

local sequential = setmetatable({}, { __index = model })
sequential.class_name = "Sequential"
sequential.autocast = false -- as those of functional
sequential.function_name = "models.sequential"
sequential.spec = { arguments = {}, defaults = {} }

local meta = model.metatable(sequential)

-- Calls the layers added since the last time on symbolic tensors, so that shapes and weights are known.
local function extend(self)
  local x = self._state.output
  if not x then
    return
  end
  local layers = self._state.layers
  for i = self._state.built_layers + 1, #layers do
    x = layers[i](x)
    self._state.output = x
    self._state.built_layers = i
    self._state.output_spec = x
  end
  self.built = true
end

local function start(self, input)
  self._state.input = input
  self._state.output = input
  self._state.built_layers = 0
end

--- Adds a layer (or a symbolic input, first).
--- ```lua
--- local model = pod.models.sequential {}
--- model:add(pod.layers.dense(2))
--- assert(#model.layers == 1)
--- ```
function sequential:add(one)
  local layers = self._state.layers
  if symbolic.is_symbolic(one) then
    if #layers > 0 or self._state.input then
      errors.raise("sequential '%s': an input can only come first", self.name)
    end
    start(self, one)
    return
  end
  if not layer.is_layer(one) then
    errors.raise("sequential '%s': element %d is %s; it must be a layer such as pod.layers.dense(10)", self.name,
      #layers + 1, errors.describe(one))
  end
  local names = self._state.layer_names -- name -> layer, of the layers now
  local other = names[one.name]
  if other ~= nil and other.name == one.name then
    errors.raise("sequential '%s': two layers are named '%s'; names must differ", self.name, one.name)
  end
  names[one.name] = one
  layers[#layers + 1] = one
  local parts = self._state.parts
  parts[#parts + 1] = one
  local config = one.config
  if #layers == 1 and not self._state.input then
    if config and config.input_shape then
      start(self, symbolic.input { shape = config.input_shape })
    elseif one._state.input and one._state.built_layers then -- a sequential model as the first layer
      start(self, symbolic.input { shape = tables.slice(one._state.input.shape, 2), dtype = one._state.input.dtype })
    end
  end
  extend(self)
end

--- Takes the last layer away.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2), pod.layers.dense(1) }
--- model:pop()
--- assert(#model.layers == 1)
--- ```
function sequential:pop()
  local layers, parts = self._state.layers, self._state.parts
  local last = table.remove(layers)
  if last then
    self._state.layer_names[last.name] = nil
  end
  tables.remove(parts, last)
  local input = self._state.input
  if input then
    start(self, input)
    extend(self)
  end
  return last
end

-- Makes a model from a list of layers. The list may also hold name and trainable.
function sequential.new(list, options)
  list = list or {}
  if type(list) ~= "table" or layer.is_layer(list) then
    errors.raise("models.sequential wants a list of layers: models.sequential{ layers.dense(10), ... }")
  end
  errors.check_options(options, { name = "string", trainable = "boolean" }, "models.sequential")
  local given = tables.merge({ name = list.name, trainable = list.trainable }, options)
  for key in pairs(list) do
    if type(key) ~= "number" and key ~= "name" and key ~= "trainable" then
      errors.check_options({ [key] = true }, { "name", "trainable" }, "models.sequential")
    end
  end
  local self = setmetatable({}, meta)
  model.init_model(self, sequential, given)
  self._state.layers = {}
  self._state.layer_names = {}
  for i = 1, tables.last_place(list) do
    if list[i] == nil then
      errors.raise("models.sequential: element %d of the list is nil", i)
    end
    self:add(list[i])
  end
  return self
end

--- Builds for the shape of an input that was not known when the model was made.
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2) }
--- model:build { -1, 3 }
--- assert(model:count_params() == 8)
--- ```
function sequential:build(shape)
  if not self._state.input then
    start(self, symbolic.input { shape = tables.slice(shape, 2) })
  end
  extend(self)
end

--- What the layers make of the input, one after the other. Call the model itself: `model(x)`.
---@param x tensor
---@param options table `training`, `mask`
---@return tensor
---@example pod.models.sequential({ pod.layers.dense(2) }):call(pod.ones { 4, 3 }, {}).shape --> (4, 2)
function sequential:call(x, options)
  if #self._state.layers == 0 then
    errors.raise("sequential '%s' has no layers", self.name)
  end
  local input = self._state.input
  if input and nest.is_leaf(x) then
    local misfit = shapes.misfit(input.shape, x.shape)
    if misfit then
      errors.raise("model '%s' wants inputs of shape %s; got %s%s", self.name, tostring(input.shape), tostring(x.shape),
        misfit)
    end
  end
  return saving.run_chain(self, self._state.layers, x, options)
end

--- The mask that the last layer gave.
---@return tensor|nil
---@example pod.models.sequential({ pod.layers.dense(2) }):compute_mask(pod.ones { 4, 3 }) == nil --> true
function sequential:compute_mask(_, _)
  return nil -- masks travel with the tensors
end

---@name sequential_model
--- A model of layers one behind the other, which `add` and `pop` change until it is built.
---@example #pod.models.sequential({ pod.layers.dense(2) }).layers --> 1
declare.methods("sequential model", sequential, meta, {
  ["one:value"] = "add",
  ["shape:integers"] = "build",
  ["inputs options"] = "call",
}, "new")

return sequential
