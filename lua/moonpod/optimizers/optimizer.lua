-- What all optimizers are: variables, the learning rate, and the order of a step.
--
-- An update is written as a function from gradient, weight and slots to their new values; this file assigns them, so
-- that accumulation and loss scaling can hold a step back by selecting the old ones.

local above = require "moonpod.base.above"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local own_means = require "moonpod.func.own_means"
local strategies = require "moonpod.func.strategies"
local tables = require "moonpod.base.tables"
local variable = require "moonpod.func.variable"
local initializers = require "moonpod.layers.initializers"
local layer_hooks = require "moonpod.layers.layer_hooks"
local schedules = require "moonpod.optimizers.schedules"
local scope = require "moonpod.layers.scope"
local updates = require "moonpod.optimizers.updates"
local warnings = require "moonpod.base.warnings"
local is_whole = require "moonpod.base.kinds".is_whole

local optimizer = { norm = updates.norm, select = updates.select }

-- Constructors by the name of their function, and by every name that optimizers.get knows.
local constructors, by_name = {}, {}
optimizer.constructors, optimizer.by_name = constructors, by_name

local COMMON = { "name", "learning_rate", "weight_decay", "clipnorm", "clipvalue", "global_clipnorm", "use_ema",
  "ema_momentum", "ema_overwrite_frequency", "loss_scale_factor", "gradient_accumulation_steps" }

local Optimizer = {}
Optimizer.__name = "moonpod.optimizer"

--- Whether a value is an optimizer.
---@example pod.optimizers.is_optimizer(pod.optimizers.sgd()) --> true
function optimizer.is_optimizer(value)
  return type(value) == "table" and rawget(value, "_is_optimizer") == true
end

-- Whether a value makes the rate of each step.
local function is_schedule(value)
  return schedules.is_schedule(value) or type(value) == "function"
end

local function is_rate(value)
  return type(value) == "number" or is_schedule(value)
end

local function get_learning_rate(self)
  local rate = self._state.rate
  if variable.is_variable(rate) then
    return rate
  end
  return self:current_learning_rate()
end

local function set_learning_rate(self, value)
  local rate = self._state.rate
  if variable.is_variable(rate) and (type(value) == "number" or ops.is_tensor(value)) then
    rate:assign(value)
  elseif is_schedule(value) then
    self._state.rate = value
  else
    errors.raise("optimizer '%s': learning_rate can be set to a number only where it was made with one; it follows "
      .. "a schedule", self.name)
  end
end

function Optimizer.__tostring(self)
  return string.format("<optimizer %s>", self.name)
end

-- like: the weight that the variable is a slot of, which tells how it is divided among cores.
function optimizer.new_variable(self, name, shape, initial, dtype, like)
  local made = strategies.within(self._strategy, function()
    return scope.outside_trace(function()
      return variable.new { initial = initializers.get(initial), shape = shape, dtype = dtype, trainable = false,
        name = self.name .. "/" .. name, aggregation = "only_first_replica",
        layout = like and self._strategy.mesh and self._strategy._layouts.of_slot(self._strategy, like, shape) or nil }
    end)
  end)
  self.variables[#self.variables + 1] = made
  return made
end

local FROM_0, UNIT = { 0, math.huge }, { 0, 1 }
-- The least and the most of options that are the same thing in all optimizers that have them.
local RANGES = { clipnorm = FROM_0, clipvalue = FROM_0, global_clipnorm = FROM_0, weight_decay = FROM_0,
  ema_momentum = UNIT, momentum = UNIT, rho = UNIT, beta_1 = UNIT, beta_2 = UNIT }

local function check_numbers(name, config, spec)
  for key, range in pairs(tables.merge(RANGES, spec.ranges)) do
    local value, low, high = config[key], range[1], range[2]
    if value ~= nil and (type(value) ~= "number" or value < low or value > high or value ~= value) then
      errors.raise("optimizers.%s: '%s' must be a number from %g to %g; got %s", name, key, low, high,
        errors.describe(value))
    end
  end
  local clips = 0
  for _, key in ipairs { "clipnorm", "clipvalue", "global_clipnorm" } do
    clips = clips + (config[key] ~= nil and 1 or 0)
  end
  if clips > 1 then
    errors.raise("optimizers.%s: Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set.", name)
  end
  local steps = config.gradient_accumulation_steps
  if steps ~= nil and not is_whole(steps, 2) then
    errors.raise("optimizers.%s: gradient_accumulation_steps must be a whole number of at least 2; got %s", name,
      errors.describe(steps))
  end
  local frequency = config.ema_overwrite_frequency
  if frequency ~= nil and (type(frequency) ~= "number" or frequency < 1) then
    errors.raise("optimizers.%s: ema_overwrite_frequency must be at least 1; got %s", name,
      errors.describe(frequency))
  end
end

local function setup(self, name, config, spec)
  rawset(self, "_is_optimizer", true)
  errors.check_type(config.name or "", "string", "optimizers." .. name, "the name")
  self.config = config
  self.name = config.name or name
  self.built = false
  self.variables = {}
  -- slots: weight -> name -> variable; excluded from decay: names and weights; rate: a variable or what computes it;
  -- hold: while a step may be left out, the condition that it is not; reduced: gradients are sums over replicas
  self._state = { slots = {}, excluded = {} }
  self._created_at = errors.location()
  self._strategy = strategies.get_strategy()
  check_numbers(name, config, spec)
  self.iterations = optimizer.new_variable(self, "iteration", {}, "zeros", "int64")
  local rate = config.learning_rate
  if type(rate) == "number" then
    if rate ~= rate or rate < 0 then
      errors.raise("optimizers.%s: learning_rate must not be negative; got %s", name, tostring(rate))
    end
    self._state.rate = optimizer.new_variable(self, "learning_rate", {}, initializers.constant(rate), "float32")
  elseif is_schedule(rate) then
    self._state.rate = rate
  else
    errors.raise("optimizers.%s: learning_rate must be a number, a schedule or a function of the iteration; got %s",
      name, errors.describe(rate))
  end
end

-- Makes a class. spec: class (Keras' name; in small letters that of the function), defaults, ranges (of options of this
-- class alone), slots (see slots_of()), scalars ({ name, first value } of variables), before(self, condition),
-- step(self, gradient, weight, slots, rate), which returns the new weight and the new slots, decays_gradient,
-- decay(config, slots), which returns a weight's own decay.
function optimizer.define(spec)
  local name = spec.class:lower()
  spec.name = name
  local class = { spec = spec, class_name = spec.class, _step = spec.step, _before = spec.before }
  setmetatable(class, { __index = Optimizer })
  local meta = {
    __name = Optimizer.__name,
    __tostring = Optimizer.__tostring,
    __index = function(self, key)
      if key == "learning_rate" then
        return get_learning_rate(self)
      end
      return class[key]
    end,
    __newindex = function(self, key, value)
      if key == "learning_rate" then
        return set_learning_rate(self, value)
      end
      rawset(self, key, value)
    end,
  }
  declare.metamethods("optimizer", meta)
  local reading = { where = "optimizers." .. name, allowed = tables.join(COMMON, tables.sorted_keys(spec.defaults)),
    first = "learning_rate", is_first = is_rate, takes = "a learning rate or a table of options" }
  -- pod.optimizers.NAME: makes the optimizer; the learning rate may stand in front of the options.
  local function constructor(options, more)
    options = errors.read_options(options, more, reading)
    local self = setmetatable({}, meta)
    setup(self, name, tables.merge({ learning_rate = 0.001, use_ema = false, ema_momentum = 0.99 }, spec.defaults,
      options), spec)
    return self
  end
  constructors[name] = constructor
  by_name[name], by_name[spec.class] = constructor, constructor
end

-- ---- the step -----------------------------------------------------------------------------------------------

---@name optimizer:get_config
--- What it was made with and the rate that it has now, as plain data.
---@example pod.optimizers.adam():get_config().beta_1 --> 0.9
Optimizer.get_config = above.doing "get_config"

--- The rate for the present iteration, a float32 scalar. Schedules count every step, accumulating ones too, as in
--- Keras.
---@example pod.optimizers.sgd(0.5):current_learning_rate():item() --> 0.5
function Optimizer:current_learning_rate()
  local rate = self._state.rate
  if variable.is_variable(rate) then
    return rate:value()
  elseif schedules.is_schedule(rate) then
    return rate(self.iterations:value())
  end
  local value = rate(self.iterations:value())
  return type(value) == "number" and ops.full({}, value, { dtype = "float32" }) or ops.cast(value, "float32")
end

--- Updates done so far: with accumulation, iterations // steps.
---@example pod.optimizers.sgd(0.5):update_count():item() --> 0
function Optimizer:update_count()
  local steps = self.config.gradient_accumulation_steps
  local count = self.iterations:value()
  return steps and ops.floor_divide(count, steps) or count
end

-- The slots of a weight of a shape (without the weight: all that there may be): an array of { name, initializer
-- (zeros), shape (the weight's) }.
function optimizer.slots_of(spec, config, shape, weight)
  return type(spec.slots) == "function" and spec.slots(config, shape, weight) or spec.slots
end

local function make_slots(self, weights)
  local config, slots, zeros = self.config, self._state.slots, initializers.get "zeros"
  local function slot(weight, name, initial, shape)
    slots[weight] = slots[weight] or {}
    slots[weight][name] = optimizer.new_variable(self, weight.name:gsub("/", "_") .. "_" .. name,
      shape or weight.shape, initial or zeros, weight.dtype, weight)
  end
  if config.use_ema then
    for _, weight in ipairs(weights) do
      slot(weight, "average")
    end
  end
  if config.gradient_accumulation_steps then
    for _, weight in ipairs(weights) do
      slot(weight, "gradient_accumulator")
    end
  end
  for _, weight in ipairs(weights) do
    slots[weight] = slots[weight] or {}
    for _, entry in ipairs(optimizer.slots_of(self.spec, config, weight.shape, weight)) do
      slot(weight, entry[1], entry[2], entry[3])
    end
  end
  for _, entry in ipairs(self.spec.scalars or {}) do
    self[entry[1]] = optimizer.new_variable(self, entry[1], {}, initializers.constant(entry[2]), "float32")
  end
end

--- Makes the slots for a list of weights, under the strategy of the optimizer. Weights of another strategy are
--- refused.
--- ```lua
--- local v = pod.variable { 1, 2 }
--- local adam = pod.optimizers.adam()
--- adam:build { v }
--- assert(#adam.variables > 2)
--- ```
function Optimizer:build(weights)
  if self.built then
    return
  end
  for _, weight in ipairs(weights) do
    strategies.check_same(weight, self, "optimizer")
  end
  -- Each new_variable() finds itself there, and need not go.
  strategies.within(self._strategy, scope.outside_trace, make_slots, self, weights)
  self.weights = weights
  self.built = true
end

-- The sum of the gradients that the replicas have of one weight.
function optimizer.sum_gradient(self, gradient)
  own_means.check(gradient, "optimizer '" .. self.name .. "'")
  return strategies.sum_over_replicas(gradient)
end

--- Keeps weights out of weight decay, before the optimizer is built. Options: var_list, var_names (Lua patterns).
---@param options.var_list variable[] weights
---@param options.var_names string[] Lua patterns of names
--- ```lua
--- local kernel, bias = pod.variable({ 1 }, { name = "kernel" }), pod.variable({ 1 }, { name = "bias" })
--- local sgd = pod.optimizers.sgd(0.1, { weight_decay = 0.5 })
--- sgd:exclude_from_weight_decay { var_names = { "bias" } }
--- sgd:apply({ pod.zeros { 1 }, pod.zeros { 1 } }, { kernel, bias })
--- assert(kernel:totable()[1] < 1 and bias:totable()[1] == 1)
--- ```
function Optimizer:exclude_from_weight_decay(options)
  errors.check_options(options, { "var_list", "var_names" }, "exclude_from_weight_decay")
  if self.built then
    errors.raise("exclude_from_weight_decay must be called before the optimizer is built")
  end
  self._state.excluded = tables.join(self._state.excluded, options.var_list or {}, options.var_names or {})
end

-- Drops pairs without gradient. Returns gradients and weights.
function optimizer.with_gradient(self, gradients, weights)
  local some, their = {}, {}
  local missing = {}
  for i, weight in ipairs(weights) do
    if not rawequal(gradients[i], nil) then
      if tostring(gradients[i].shape) ~= tostring(weight.shape) then
        errors.raise("optimizer '%s': the gradient for '%s' has shape %s; the weight has %s", self.name, weight.name,
          tostring(gradients[i].shape), tostring(weight.shape))
      end
      some[#some + 1], their[#their + 1] = gradients[i], weight
    else
      missing[#missing + 1] = weight.name
    end
  end
  if #some == 0 then
    errors.raise("optimizer '%s': No gradients provided for any variable (%s): the loss does not depend on them",
      self.name, table.concat(missing, ", "))
  elseif #missing > 0 and not self._state.warned then
    self._state.warned = true
    warnings.warn("optimizer '%s': no gradient for %s; the loss does not depend on them", self.name,
      table.concat(missing, ", "))
  end
  return some, their
end

--- Applies gradients (a list, nil where there is none) to weights (default: those it was built for). Inside
--- strategy:run the gradients of all replicas are added up first. `condition`: a boolean tensor; where it is false
--- nothing changes.
--- ```lua
--- local w = pod.variable({ 1, 2 })
--- local optimizer = pod.optimizers.sgd(0.5)
--- optimizer:build { w }
--- optimizer:apply({ pod.tensor { 1, 1 } }, { w })
--- assert(w:value():totable()[1] == 0.5)
--- ```
function Optimizer:apply(gradients, weights, condition)
  if type(gradients) ~= "table" then
    errors.raise("optimizer '%s': apply wants a list of gradients, not %s", self.name, errors.describe(gradients))
  end
  if weights == nil then
    if not self.built then
      errors.raise("optimizer '%s': apply was called without weights before the optimizer was built", self.name)
    end
    weights = self.weights
  end
  for key in pairs(gradients) do
    if key ~= "n" and (type(key) ~= "number" or key > #weights) then
      errors.raise("optimizer '%s': apply got a gradient at place %s for %d weights; give one for each weight, in "
        .. "their order", self.name, tostring(key), #weights)
    end
  end
  self:build(weights)
  for _, weight in ipairs(weights) do
    if not self._state.slots[weight] then
      errors.raise("optimizer '%s' was built for other weights; '%s' is not among them. Make a new optimizer",
        self.name, weight.name)
    end
  end
  gradients, weights = optimizer.with_gradient(self, gradients, weights)
  scope.of(self, function()
    for i, g in ipairs(gradients) do
      gradients[i] = self._state.reduced and g or optimizer.sum_gradient(self, g)
      if self.config.loss_scale_factor then
        gradients[i] = gradients[i] / self.config.loss_scale_factor
      end
    end
    layer_hooks.see_weight_gradients(weights, gradients)
    if self.config.gradient_accumulation_steps then
      local due
      gradients, due = updates.accumulate(self, gradients, weights)
      condition = condition and ops.logical_and(condition, due) or due
    end
    gradients = updates.clip(self.config, gradients)
    local rate = self:current_learning_rate()
    self._state.made_once = {}
    if self._before then
      self:_before(condition)
    end
    for i, weight in ipairs(weights) do
      updates.update_weight(self, weight, gradients[i], rate, condition)
    end
    self._state.made_once = nil
    if self.config.use_ema then
      updates.update_averages(self, self.weights)
    end
    updates.constrain(self, weights)
    local held = self._state.hold
    self.iterations:assign_add(held and ops.cast(held, "int64") or 1)
  end)
end

--- Applies a list of { gradient, weight } pairs.
--- ```lua
--- local v = pod.variable { 1, 2 }
--- pod.optimizers.sgd(0.5):apply_gradients { { pod.tensor { 2, 2 }, v } }
--- assert(v:totable()[2] == 1)
--- ```
function Optimizer:apply_gradients(pairs_list)
  self:apply(tables.column(pairs_list, 1), tables.column(pairs_list, 2))
  return self.iterations
end

--- The loss to differentiate: scaled where the optimizer scales losses.
---@example pod.optimizers.sgd(0.5, { loss_scale_factor = 4 }):scale_loss(pod.tensor(3)):item() --> 12
function Optimizer:scale_loss(loss)
  local factor = self.config.loss_scale_factor
  return factor and loss * factor or loss
end

--- Puts the averages of use_ema into the weights. Before the first step, and where loss scaling has left out all steps,
--- there are none: the weights stay.
--- ```lua
--- local v = pod.variable { 4 }
--- local sgd = pod.optimizers.sgd(1, { use_ema = true, ema_momentum = 0.5 })
--- sgd:apply({ pod.tensor { 2 } }, { v })
--- sgd:finalize_variable_values { v }
--- assert(v:totable()[1] > 0)
--- ```
function Optimizer:finalize_variable_values(weights)
  if self.config.use_ema then
    local any = ops.greater(self.iterations:value(), 0)
    for _, weight in ipairs(weights or self.weights) do
      weight:assign(ops.where(any, self._state.slots[weight].average:value(), weight:value()))
    end
  end
end

-- What make() gives, made once for all weights of the step that is being applied.
function optimizer.once(self, key, make)
  local made = self._state.made_once
  if not made then
    return make()
  end
  made[key] = made[key] or make()
  return made[key]
end

-- The number of the present update, from 1, as a float32 scalar.
function optimizer.local_step(self)
  return optimizer.once(self, "local step", function()
    return ops.cast(self:update_count() + 1, "float32")
  end)
end

-- A positive number to the power of the number of the present update, or of the one after it, as a float32 scalar.
function optimizer.power_of(self, base, is_next)
  return optimizer.once(self, is_next and -base or base, function()
    local exponent = optimizer.local_step(self)
    return ops.power(ops.full({}, base, { dtype = "float32" }), is_next and exponent + 1 or exponent)
  end)
end

--- Finds an optimizer: a name, or an optimizer as it is.
---@example pod.optimizers.get("sgd").name --> "sgd"
function optimizer.get(value, where)
  if optimizer.is_optimizer(value) then
    return value
  elseif type(value) == "string" then
    local constructor = by_name[value] or by_name[value:lower()]
    if not constructor then
      errors.raise("%s: there is no optimizer '%s'%s", where or "optimizers.get", value,
        errors.suggest(value, by_name))
    end
    return constructor()
  end
  errors.raise("%s: an optimizer is a name or an optimizer object, not %s", where or "optimizers.get",
    errors.describe(value))
end

-- What the methods of optimizers take.
optimizer.signatures = {
  ["gradients weights:variables? condition?"] = "apply",
  ["weights:variables"] = "build",
  ["pairs:gradient_pairs"] = "apply_gradients",
  ["loss:tensor_object"] = "scale_loss",
  ["options"] = "exclude_from_weight_decay",
  ["weights:variables?"] = "finalize_variable_values",
}
declare.methods("optimizer", Optimizer, optimizer.is_optimizer, optimizer.signatures)

optimizer.get_config = Optimizer.get_config
optimizer.apply_gradients = Optimizer.apply_gradients
optimizer.tostring = Optimizer.__tostring
optimizer.type_name = Optimizer.__name

return optimizer
