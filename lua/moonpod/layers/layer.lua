-- The base of all layers: options, names, weights, calling.
--
-- A layer class is made by layer.define() and has `build(self, input_shape)`, which makes its weights, and
-- `call(self, x, options)`, which computes. Shapes are Lua lists with -1 for a size that is not known yet.

local above = require "moonpod.base.above"
local check = require "moonpod.layers.check"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local input_spec = require "moonpod.layers.input_spec"
local kinds = require "moonpod.base.kinds"
local lint = require "moonpod.base.lint"
local mixed_precision = require "moonpod.layers.mixed_precision"
local readable = require "moonpod.base.readable"
local symbolic = require "moonpod.layers.symbolic"
local regularizers = require "moonpod.layers.regularizers"
local strategies = require "moonpod.func.strategies"
local tables = require "moonpod.base.tables"
local variable = require "moonpod.func.variable"
local nest = require "moonpod.tensor.nest"
local parts = require "moonpod.layers.parts"
local names = require "moonpod.base.names"
local scope = require "moonpod.layers.scope"
local trace = require "moonpod.tensor.trace"

-- Fields of a layer are its user's, and what a user puts there becomes a part of it; what layers and models keep for
-- themselves is in `_state`.
local layer = {}
layer.__index = layer
layer.class_name = "Layer"
layer.several_inputs = true

-- Options that every layer has.
local COMMON = { "name", "dtype", "trainable", "input_shape", "batch_input_shape", "activity_regularizer" }

-- True for layers, models included.
layer.is_layer = parts.is_layer

for name, method in pairs(parts.methods) do
  layer[name] = method
end

--- Whether a layer trains; that of the layers below it as well, as in Keras.
---@example local dense = pod.layers.dense(2); dense:set_trainable(false); assert(dense.trainable == false)
function layer:set_trainable(value)
  errors.check_type(value, "boolean", "layer '" .. tostring(self.name) .. "'", "trainable")
  self._state.trainable = value
  for _, sub in ipairs(layer.sublayers(self)) do
    sub.trainable = value
  end
end

-- Layers and variables put into fields of a layer become its parts, in the order of their coming.
local function track(self, key, value)
  if key == "trainable" then
    return layer.set_trainable(self, value)
  end
  if layer.is_layer(value) or variable.is_variable(value) then
    local list = self._state.parts
    list[#list + 1] = value
    if self.built and layer.is_layer(value) then
      self._state.late_part = value -- its class does not make it with the others
    end
  elseif readable.is_plain(value) and type(key) == "string"
    and key:sub(1, 1) ~= "_" then
    -- A list of layers may still grow, so it is looked through when the parts are asked for.
    local list = self._state.parts
    list[#list + 1] = { list = value }
  end
  rawset(self, key, value)
end

layer.track = track

local function read_arguments(class, first, ...)
  local spec, options = class.spec, nil
  local positional = {}
  local given = { first, ... }
  local count = select("#", ...) + 1
  if count > #spec.arguments + 1 then
    errors.raise("%s takes %d arguments and an option table; %d were given", class.function_name,
      #spec.arguments, count)
  end
  for i = 1, count do
    local value = given[i]
    local is_options = readable.is_plain(value) and i == count
      and (i > #spec.arguments or value[1] == nil)
    if is_options then
      options = value
    elseif i <= #spec.arguments then
      positional[spec.arguments[i]] = value
    elseif value ~= nil then
      errors.raise("%s: argument %d must be a table of options, not %s%s", class.function_name, i,
        errors.describe(value), class.spec.example and "; write " .. class.spec.example or "")
    end
  end
  options = options or {}
  errors.check_options(options, class.allowed, class.function_name)
  for name, value in pairs(options) do -- the caller's table stays as it is: it may make other layers
    if positional[name] ~= nil then
      errors.raise("%s: '%s' is given twice, by place and by name", class.function_name, name)
    end
    positional[name] = value
  end
  return positional
end

-- Reads the options into self.config, with the defaults of the class, and checks them.
local function configure(self, class, options)
  local config = tables.merge(class.spec.defaults, options)
  for _, name in ipairs(class.spec.required) do
    if config[name] == nil then
      errors.raise("%s: '%s' is missing; write %s", class.function_name, name, class.spec.example)
    end
  end
  check.options(class.function_name, config, class.spec.checks or {})
  rawset(self, "config", config)
end

-- Sets up the fields of a new layer or model. In _state: class; parts, in the order of their coming; nodes, the calls
-- on symbolic tensors; regularizers; losses, of the call that is traced; trainable.
function layer.init(self, class, options)
  if type(class.class_name) ~= "string" or getmetatable(self) == nil then
    errors.raise("layer.init sets up what a class of layers makes: call the class, as in layers.dense(3), or make one "
      .. "by layers.subclass; %s is no class", errors.describe(class))
  end
  rawset(self, "_is_layer", true)
  self._state = { class = class, parts = {}, nodes = {}, regularizers = {}, losses = {} }
  self.name = options.name or names.unique(names.snake_case(class.class_name))
  self.trainable = options.trainable ~= false
  self.built = false
  self.dtype_policy = mixed_precision.get_policy(options.dtype)
  self._created_at = errors.location()
  self._strategy = strategies.get_strategy()
  return self
end

local fields = {
  weights = "get_weight_variables",
  variables = "get_weight_variables",
  trainable_weights = "get_trainable_weights",
  trainable_variables = "get_trainable_weights",
  non_trainable_weights = "get_non_trainable_weights",
  input = "_symbolic_input",
  output = "_symbolic_output",
  layers = "_list_layers",
  inputs = "_list_inputs",
  outputs = "_list_outputs",
  loss = "_compiled_loss",
  metrics = "_list_metrics",
}

-- Class fields first, then the computed ones above.
function layer.lookup(class)
  return function(self, key)
    if key == "trainable" then
      local state = rawget(self, "_state")
      return state and state.trainable
    end
    local value = class[key]
    if value ~= nil then
      return value
    end
    local compute = fields[key]
    compute = compute and class[compute]
    return compute and rawget(self, "_state") and compute(self) or nil
  end
end

-- True for layers of a class and of those that are made from it.
local function is_of_class(value, class)
  local own = layer.is_layer(value) and getmetatable(value)
  while own and own ~= class do
    local meta = getmetatable(own)
    own = meta and meta.__index
  end
  return own == class
end

-- What the methods take that classes bring.
local SIGNATURES = { setup = "config:list", build = "shape:integers", call = "input:tensor_object options",
  compute_mask = "inputs mask:table?" }
local SIGNATURES_OF_SEVERAL = { setup = "config:list", build = "shapes:list", call = "inputs options",
  compute_mask = "inputs mask:table?" }

-- A method `call` that refuses layers without weights yet and inputs of a wrong rank: calling the layer itself, as
-- users do, has seen to both.
local function checked_call(call)
  return function(self, inputs, options)
    if not self.built then
      check.fail(self, " is not built yet: call it as layer(x), which builds it")
    end
    input_spec.check_rank(self, inputs)
    return call(self, inputs, options)
  end
end

-- A method `setup` that refuses options which nobody has checked: those of another layer, or of none.
local function checked_setup(setup)
  return function(self, config)
    if config ~= rawget(self, "config") then
      check.fail(self, ": setup is called where the class makes a layer, with the layer's own config")
    end
    return setup(self, config)
  end
end

-- What a spec says of options in full: those of its weights, and which are `required` and which `optional`.
local function complete(spec)
  local defaults, optional = tables.merge(spec.defaults), tables.slice(spec.optional or {})
  for _, name in ipairs(tables.sorted_keys(spec.weights or {})) do
    defaults[name .. "_initializer"] = spec.weights[name]
    tables.extend(optional, { name .. "_regularizer", name .. "_constraint" })
  end
  local known = tables.set_of(optional)
  spec.arguments, spec.defaults, spec.optional, spec.required = spec.arguments or {}, defaults, optional, {}
  for _, name in ipairs(spec.arguments) do
    if defaults[name] == nil and not known[name] then
      table.insert(spec.required, name)
      known[name] = true
    end
  end
  for _, name in ipairs(tables.sorted_keys(spec.checks or {})) do
    if defaults[name] == nil and not known[name] then
      table.insert(optional, name)
    end
  end
end

-- Makes a class. `spec` has: name ("Dense"), arguments (names of the options that may be given by place: those without
-- default must be given, unless they are `optional`), defaults (of options), checks (functions that return what is
-- wrong with a value, or nil; options that have one need stand in no other list), weights (by the beginning of their
-- options' names the initializer: `kernel` has kernel_initializer, kernel_regularizer and kernel_constraint), optional
-- (names of options without default that have no check), example (a correct call), several_inputs (its call takes lists
-- of tensors, too), float_inputs (it multiplies inputs by its weights: integers come to it as floats), joins (its class
-- may be called with a list of tensors at once, as Keras' functions that are named like it), trains_unasked (a call
-- that does not say so is one of training), and fields of all its layers: supports_masking, autocast, runs_once,
-- input_spec.
-- Returns the class; calling it makes a layer.
function layer.define(spec)
  if type(spec) ~= "table" or type(spec.name) ~= "string" then
    errors.raise("layer.define takes a table with the name of the class, not %s", errors.describe(spec))
  end
  local class = { spec = spec, class_name = spec.name, function_name = "layers." .. names.snake_case(spec.name) }
  -- Makes a layer of the class from what get_config() gave. Options: custom_objects (name -> class or function).
  class.from_config = function(config, options)
    return above.call("from_config", class, config, options)
  end
  class.several_inputs = spec.several_inputs or false
  class.float_inputs = spec.float_inputs or false
  for _, field in ipairs { "supports_masking", "autocast", "runs_once", "input_spec" } do
    class[field] = spec[field]
  end
  complete(spec)
  class.allowed = tables.join(COMMON, spec.required, spec.optional, tables.sorted_keys(spec.defaults))
  class.__index = layer.lookup(class)
  class.__newindex = layer.track
  class.__call = layer.__call
  class.__tostring = layer.__tostring
  class.__name = "moonpod.layer"
  kinds.define(class.function_name, function(value)
    return is_of_class(value, class)
  end, "a " .. spec.name .. " layer")
  setmetatable(class, {
    __index = layer,
    __newindex = function(_, key, value) -- the methods of the class
      if not kinds.get "key".is(key) then
        errors.raise("%s: a field needs a name, not %s", class.function_name, tostring(key))
      elseif type(value) == "function" and type(key) == "string" and key:sub(1, 1) ~= "_" then
        local signatures = class.several_inputs and SIGNATURES_OF_SEVERAL or SIGNATURES
        value = key == "call" and checked_call(value) or key == "setup" and checked_setup(value) or value
        value = declare.method(class.function_name, key, value, signatures[key])
      end
      rawset(class, key, value)
    end,
    __call = function(_, first, ...)
      if spec.joins and readable.is_plain(first) and type(first[1]) == "table" and nest.is_leaf(first[1]) then
        return class(...)(first)
      end
      local self = setmetatable({}, class)
      local options = read_arguments(class, first, ...)
      layer.init(self, class, options)
      configure(self, class, options)
      if self.setup then
        self:setup(self.config)
      end
      return self
    end,
  })
  return class
end

function layer.__tostring(self)
  return string.format("<%s name=%s, built=%s>", self.class_name, self.name, tostring(self.built))
end

---@name layer:get_config
--- The options of the layer as plain data, of which from_config() makes a layer again.
---@example pod.layers.dense(2):get_config().units --> 2
layer.get_config = above.doing "get_config"

--- The dtype in which the layer computes and that of its variables.
---@example pod.layers.dense(2):compute_dtype() --> "float32"
function layer:compute_dtype()
  return self.dtype_policy.compute_dtype
end

--- The type of the layer's weights: the policy's.
---@example pod.layers.dense(2):variable_dtype() --> "float32"
function layer:variable_dtype()
  return self.dtype_policy.variable_dtype
end

--- Adds a loss of this layer's own (a scalar) to that of the model being trained. Inside strategy:run sums over a
--- replica's rows add up; of other losses the mean over all rows is taken, unless { part = true } says that they add
--- up.
---@param options.part boolean whether it is one replica's part of a sum
---@example local dense = pod.layers.dense(2); dense:add_loss(pod.tensor(3)); assert(#dense:collect_losses() == 1)
function layer:add_loss(value, options)
  errors.check_options(options, { part = "boolean" }, "add_loss")
  if scope.in_scratch() then -- shapes are asked for; this call is not the model's
    return
  end
  local list = self._state.losses
  list[#list + 1] = { value = scope.to_tensor(value), part = options and options.part or false }
end

--- Adds a regularizer's loss of an output, for each row of the (global) batch.
---@example pod.layers.dense(2, { activity_regularizer = "l2" })(pod.ones { 4, 3 }).shape --> (4, 2)
function layer:add_activity_loss(regularizer, output)
  local value = regularizer(output)
  if #output.shape > 0 then
    local rows = strategies.global_rows(output)
    value = value / rows:cast(value.dtype)
  end
  self:add_loss(value, { part = true })
end

--- Builds for a shape (or a nested table of shapes) unless that is done; in the strategy that it was made under.
---@example local dense = pod.layers.dense(2); dense:ensure_built { -1, 3 }; assert(dense:count_params() == 8)
function layer:ensure_built(shapes)
  if self.built then
    return
  end
  strategies.within(self._strategy, function()
    scope.outside_trace(function()
      if self.build then
        self:build(shapes)
      end
    end)
  end)
  self.built = true
  self._state.build_shape = shapes
end

local function is_float(dtype)
  return dtype == "float32" or dtype == "float16" or dtype == "bfloat16" or dtype == "float64"
end

-- Casts float inputs to the compute dtype; integers too, where the layer has float weights for them.
local function autocast(self, inputs)
  local dtype = self:compute_dtype()
  if self.autocast == false then
    return inputs
  end
  return nest.map(inputs, function(t)
    if (self.float_inputs or is_float(t.dtype)) and t.dtype ~= dtype then
      return t:cast(dtype)
    end
    return t
  end)
end

-- A new list: what `inputs` is or has, then `more`.
local function join(inputs, more)
  local list = tables.slice(nest.is_leaf(inputs) and { inputs } or inputs)
  list[#list + 1] = more
  return list
end

-- Splits the arguments of a call after the first into more inputs, which join the first in a list, and options.
local function read_call(self, inputs, ...)
  local count = select("#", ...)
  local options
  for i = 1, count do
    local value = select(i, ...)
    if i == count and (value == nil or not nest.is_leaf(value)) then
      options = value
    elseif type(value) ~= "table" or not nest.is_leaf(value) then
      check.fail(self, ": argument %d of its call is %s; it takes tensors and, last, a table of options", i + 1,
        errors.describe(value))
    else
      inputs = join(inputs, value)
    end
  end
  if not self.several_inputs and not nest.is_leaf(inputs) then
    check.fail(self, " takes one input; got a list of %d", #inputs)
  end
  return inputs, options or {}
end

-- Calls the layer. Options: training (boolean), mask. Several inputs are a list, or arguments one after the other. On
-- symbolic tensors (from layers.input) the call is recorded for a functional model.
function layer.__call(self, inputs, ...)
  local options
  inputs, options = read_call(self, inputs, ...)
  if inputs == nil then
    check.fail(self, " was called with nil; give it a tensor")
  end
  if symbolic.contains(inputs) then
    return symbolic.record(self, inputs, options)
  end
  inputs = nest.map(inputs, scope.to_tensor)
  if not self.built then
    self:ensure_built(nest.map(inputs, function(t)
      return tables.slice(t.shape)
    end))
  end
  input_spec.check(self, inputs)
  inputs = autocast(self, inputs)
  local outputs = scope.of(self, function()
    if self._state.hooks then
      return require("moonpod.layers.layer_hooks").around(self, inputs, options)
    end
    return self:run(inputs, options)
  end)
  if not trace.is_tracing() then
    symbolic.note(self, outputs)
  end
  return outputs
end

--- Runs the call and what goes with it: masks and the activity regularizer.
---@example local d = pod.layers.dense(1); d:ensure_built { 1, 3 }; assert(d:run(pod.ones { 1, 3 }, {}):size() == 1)
function layer:run(inputs, options)
  local training = scope.training(options.training, self)
  local mask = options.mask
  if mask == nil then
    mask = nest.mask_of(inputs)
  end
  local call_options = tables.merge(options)
  call_options.training, call_options.mask = training, mask
  if trace.is_tracing() then
    lint.warn(self.call, { false, inputs }, ("layer '%s'"):format(self.name))
  end
  local outputs = scope.with_training(training, function()
    return errors.calling(self.call, self, inputs, call_options)
  end)
  if outputs == nil then
    check.fail(self, ": its call returned nothing; return the output tensor")
  end
  local out_mask = self:compute_mask(inputs, mask)
  if out_mask ~= nil then
    nest.set_mask(outputs, out_mask)
  end
  if self.config and self.config.activity_regularizer and not self.regularizes_itself then
    local regularizer = regularizers.get(self.config.activity_regularizer, "activity_regularizer")
    nest.each(outputs, function(t)
      self:add_activity_loss(regularizer, t)
    end)
  end
  return outputs
end

--- The mask of the outputs: that of the inputs where the layer says supports_masking, else none.
---@example pod.layers.dropout(0.5):compute_mask(pod.ones { 4, 3 }, pod.ones { 4 }).shape --> (4,)
function layer:compute_mask(_, mask)
  return self.supports_masking and mask or nil
end

---@name layer
--- A layer of `pod.layers` or of a class of one's own: weights, and a call that computes.
declare.methods("layer", layer, layer.is_layer, {
  ["options"] = "add_weight",
  ["value:tensor options?"] = "add_loss",
  ["regularizer:function output:tensor_object"] = "add_activity_loss",
  ["what:string fn options?"] = "hook",
  ["visit:function seen:list?"] = "each_layer",
  ["inputs options"] = "run",
}, "is_layer track init lookup define")
declare.metamethods("layer", layer)
symbolic.set_layer(layer)
declare.functions("layer", layer, {
  ["self:table class:table options:list"] = "init",
  ["self:layer key:key"] = "track",
  ["class:table"] = "lookup",
  ["spec:list"] = "define",
})

return layer
