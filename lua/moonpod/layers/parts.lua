-- parts - what layers are made of: sub-layers and weights, in the order of their coming.

local check = require "moonpod.layers.check"
local constraints = require "moonpod.layers.constraints"
local errors = require "moonpod.base.errors"
local initializers = require "moonpod.layers.initializers"
local late = require "moonpod.base.late"
local readable = require "moonpod.base.readable"
local regularizers = require "moonpod.layers.regularizers"
local tables = require "moonpod.base.tables"
local variable = require "moonpod.func.variable"

local parts = {}

-- True for layers, models included.
function parts.is_layer(value)
  return type(value) == "table" and rawget(value, "_is_layer") == true
end

local is_layer = parts.is_layer

-- The methods that all layers have of them.
local methods = {}
parts.methods = methods

--- Makes a weight of a layer, in its `build`.
---@param options.name string what files and messages call it, behind the layer's name
---@param options.shape integer[] (default: a scalar)
---@param options.initializer string|initializer first values (default "glorot_uniform")
---@param options.dtype string (default: that of the policy's variables)
---@param options.trainable boolean (default true)
---@param options.regularizer function adds a loss of it
---@param options.constraint function what it is put through after each step
---@param options.aggregation string how values of several replicas become one: "sum", "mean", "only_first_replica"
---@param options.synchronization string "on_read": each replica has its own, and they are joined where it is read
---@return variable
--- ```lua
--- local Scale = pod.layers.subclass { name = "HelpScale",
---   build = function(self) self.by = self:add_weight { name = "by", initializer = "ones" } end,
---   call = function(self, x) return x * self.by:value() end }
--- local layer = Scale()
--- assert(layer(pod.ones { 2 }):sum():item() == 2 and layer:count_params() == 1)
--- ```
function methods:add_weight(options)
  errors.check_options(options, { name = "string", shape = "shape", initializer = true, dtype = "dtype",
    trainable = "boolean", regularizer = "function", constraint = "function", aggregation = "string",
    synchronization = "string" }, "add_weight")
  local initializer = initializers.get(options.initializer or "glorot_uniform")
  local weight = variable.new {
    initial = initializer,
    shape = options.shape or {},
    dtype = options.dtype or self:variable_dtype(),
    name = self.name .. "/" .. (options.name or "variable"),
    trainable = options.trainable ~= false,
    aggregation = options.aggregation,
    synchronization = options.synchronization,
  }
  weight.constraint = options.constraint
  if options.regularizer then
    local list = self._state.regularizers
    list[#list + 1] = { weight = weight, regularizer = options.regularizer }
  end
  local own = self._state.parts
  own[#own + 1] = weight
  return weight
end

-- Adds a weight that the layer's options NAME_initializer, NAME_regularizer and NAME_constraint are for. `more`: prefix
-- (what these begin with, where that is not the weight's name), fans ({ inputs, outputs } of a unit, where the shape
-- does not say), and options of add_weight() besides.
function parts.weight(self, name, shape, more)
  local config, given = self.config, tables.merge(more)
  local prefix, fans = given.prefix or name, given.fans
  given.prefix, given.fans = nil, nil
  local initializer = config[prefix .. "_initializer"]
  return self:add_weight(tables.merge({ name = name, shape = shape,
    initializer = fans and initializers._of_fans(initializer, fans) or initializer,
    regularizer = regularizers.get(config[prefix .. "_regularizer"]),
    constraint = constraints.get(config[prefix .. "_constraint"]) }, given))
end

-- The state of a layer; what is none is told.
function parts.state_of(self)
  if not is_layer(self) then
    errors.raise("this is a field of layers and models, not a function for %s", errors.describe(self))
  end
  return rawget(self, "_state")
end

-- What the layer was called with as symbols, and what it gave; nil where it was not. Several calls have no one answer.
local function of_only_call(self, key)
  local calls = parts.state_of(self).nodes
  if #calls > 1 then
    check.fail(self, " was called %d times: there is no one '%s'; keep what the call returns", #calls,
      key:gsub("s$", ""))
  end
  return calls[1] and calls[1][key] or nil
end

function methods:_symbolic_input()
  return of_only_call(self, "inputs")
end

function methods:_symbolic_output()
  return of_only_call(self, "outputs")
end

local function each_part(list, visit)
  for _, part in ipairs(list) do
    if part.list then
      for _, item in ipairs(part.list) do
        if is_layer(item) or variable.is_variable(item) then
          visit(item)
        end
      end
    else
      visit(part)
    end
  end
end

-- The variables that a layer itself has: weights of its own, and those that it shares.
function parts.own_variables(self)
  local out = {}
  each_part(self._state.parts, function(part)
    if variable.is_variable(part) then
      out[#out + 1] = part
    end
  end)
  return out
end

--- Sub-layers, direct ones only, each once.
---@example #pod.models.sequential({ pod.layers.dense(2), pod.layers.dense(1) }):sublayers() --> 2
function methods:sublayers()
  local out, seen = {}, {}
  each_part(self._state.parts, function(part)
    if is_layer(part) and not seen[part] then
      seen[part] = true
      out[#out + 1] = part
    end
  end)
  return out
end

--- Calls visit(layer) for this layer and all below it, each once.
--- ```lua
--- local count = 0
--- pod.models.sequential({ pod.layers.dense(2), pod.layers.dense(1) }):each_layer(function() count = count + 1 end)
--- assert(count == 3) -- the model and both layers
--- ```
function methods:each_layer(visit, seen)
  seen = seen or {}
  if seen[self] then
    return
  end
  seen[self] = true
  visit(self)
  for _, sub in ipairs(self:sublayers()) do
    methods.each_layer(sub, visit, seen)
  end
end

local function collect(self, out, seen, trainable, want)
  local on = trainable and self.trainable
  local direct, below = {}, {}
  each_part(self._state.parts, function(part)
    local into = is_layer(part) and below or direct
    into[#into + 1] = part
  end)
  for _, weight in ipairs(direct) do
    local is_trainable = on and weight.trainable
    if not seen[weight] and want(is_trainable, weight) then
      seen[weight] = true
      out[#out + 1] = weight
    end
  end
  for _, sub in ipairs(below) do
    if not seen[sub] then
      seen[sub] = true
      collect(sub, out, seen, on, want)
    end
  end
  return out
end

--- The regularization losses of this layer and all below it, and what add_loss() gave since the last
--- call of reset_losses(): a list of { value =, part = } with part as in add_loss.
---@example #pod.layers.dense(2):collect_losses() --> 0
function methods:collect_losses()
  local out = {}
  self:each_layer(function(one)
    tables.extend(out, one._state.losses)
    for _, entry in ipairs(one._state.regularizers) do
      if one.trainable and entry.weight.trainable then
        out[#out + 1] = { value = entry.regularizer(entry.weight:value()), part = false }
      end
    end
  end)
  return out
end

--- Forgets the losses that the last call has added.
---@example local d = pod.layers.dense(2); d:add_loss(1); d:reset_losses(); assert(not d:collect_losses()[1])
function methods:reset_losses()
  self:each_layer(function(one)
    one._state.losses = {}
  end)
end

--- Weights: of this layer and all below it. Seed states do not count.
---@example #pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):get_trainable_weights() --> 2
function methods:get_trainable_weights()
  return readable.of(collect(self, {}, {}, true, function(trainable)
    return trainable
  end))
end

--- Weights that training leaves alone, of the layer and those within it, in their order.
---@example #pod.layers.dense(2):get_non_trainable_weights() --> 0
function methods:get_non_trainable_weights()
  return readable.of(collect(self, {}, {}, true, function(trainable, weight)
    return not trainable and not weight.is_state
  end))
end

--- All weights, in Keras' order: the trainable ones of each layer as it comes, with its others. What a stateful layer
--- keeps from batch to batch is none.
--- ```lua
--- local dense = pod.layers.dense(2, { input_shape = { 3 } })
--- dense:ensure_built { -1, 3 }
--- assert(#dense:get_weight_variables() == 2) -- kernel and bias
--- ```
function methods:get_weight_variables()
  return readable.of(collect(self, {}, {}, true, function(_, weight)
    return not weight.is_state
  end))
end

-- The weights, and the states of stateful layers, which are no weights.
function parts.all_variables(self)
  return collect(self, {}, {}, true, function()
    return true
  end)
end

--- Number of elements of all weights.
---@example pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):count_params() --> 8
function methods:count_params()
  if not self.built then
    errors.raise("count_params: layer '%s' is not built yet; call it on data or give input_shape", self.name)
  end
  local total = 0
  for _, weight in ipairs(self:get_weight_variables()) do
    total = total + weight:size()
  end
  return total
end

--- The values of the weights as tensors, in Keras' order.
---@example #pod.models.sequential({ pod.layers.dense(2, { input_shape = { 3 } }) }):get_weights() --> 2
function methods:get_weights()
  local out = {}
  for i, weight in ipairs(self:get_weight_variables()) do
    out[i] = weight:value()
  end
  return readable.of(out)
end

--- Sets the weights from tensors or nested tables, in the order of get_weights().
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
--- model:set_weights(model:get_weights())
--- ```
function methods:set_weights(values)
  local weights = self:get_weight_variables()
  if type(values) ~= "table" or #values ~= #weights then
    errors.raise("set_weights: '%s' has %d weights; %s were given", self.name, #weights,
      type(values) == "table" and tostring(#values) or errors.describe(values))
  end
  for i, weight in ipairs(weights) do
    weight:assign(values[i])
  end
end

methods.hook = late(function() return require "moonpod.layers.layer_hooks" end, "hook")

return parts
