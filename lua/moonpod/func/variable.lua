-- variable - a value that changes from step to step.
--
-- _tensor is the current value (of a variable with a value a replica: all of them, stacked). Tensors do
-- not change, so what was read before an assignment stays what it was. A program of pod.func updates the
-- buffer in place when nobody else has it: _exclusive.

local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local element_bounds = require "moonpod.func.element_bounds"
local errors = require "moonpod.base.errors"
local global_state = require "moonpod.base.global_state"
local names = require "moonpod.base.names"
local ops = require "moonpod.ops"
local replica_values = require "moonpod.func.replica_values"
local shapes = require "moonpod.base.shapes"
local strategies = require "moonpod.func.strategies"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local is_whole = require "moonpod.base.kinds".is_whole

local variable = { bounded = element_bounds.bounded }

local Variable = { __name = "moonpod.variable" }
local methods = {}

-- The variables that live.
variable.all = setmetatable({}, { __mode = "k" })

--- Whether a value is a variable.
---@example pod.is_variable(pod.variable(1)) --> true
function variable.is_variable(value)
  return type(value) == "table" and getmetatable(value) == Variable
end

local options_allowed = {
  initial = true, dtype = true, name = true, trainable = true, aggregation = true,
  synchronization = true, shape = true, strategy = true, layout = true,
}
local aggregations = { none = true, sum = true, mean = true, only_first_replica = true }
local synchronizations = { auto = true, on_write = true, on_read = true }

local function check_choice(value, choices, what)
  errors.find(choices, value, what, "variable")
  return value
end

local name_counts = {}

-- Evaluates an initial value: a function of shape and dtype, or a value.
local function initial_value(initial, shape, dtype)
  if type(initial) == "function" or type(initial) == "table" and getmetatable(initial)
      and getmetatable(initial).__call then
    local value = tensor.convert(initial(shape, dtype), dtype)
    return value
  end
  local value = tensor.convert(initial, dtype)
  if shape and value.shape ~= tensor.shape(shapes.dims(shape)) then
    value = ops.broadcast_to(value, shape)
  end
  return value
end

-- variable.new{ initial =, shape =, dtype =, name =, trainable =, aggregation =, synchronization =, layout = how cores
-- divide it (default: as its strategy says) }
function variable.new(options)
  errors.check_options(options, options_allowed, "variable")
  if options.initial == nil then
    errors.raise("variable: no initial value given")
  end
  for axis, size in ipairs(type(options.shape) == "table" and options.shape or {}) do
    if not is_whole(size, 0) then
      errors.raise("variable: axis %d of shape %s has no known size: give a static shape, such as { batch, 1 }",
        axis - 1, errors.describe(options.shape))
    end
  end
  element_bounds.spend(options.name or "variable", options.shape)
  local strategy = options.strategy or strategies.get_strategy()
  local self = setmetatable({
    name = options.name or names.unique("variable", name_counts),
    trainable = options.trainable ~= false,
    aggregation = check_choice(options.aggregation or "none", aggregations, "aggregation"),
    synchronization = check_choice(options.synchronization or "auto", synchronizations,
      "synchronization"),
    strategy = strategy,
    replicas = strategy.num_replicas_in_sync,
    location = errors.location(),
    _initial = options.initial,
    _epoch = strategy.epoch or false,
    _execution = false,
    _exclusive = false,
  }, Variable)
  local value = trace.escape(initial_value, options.initial, options.shape, options.dtype)
  self.dtype, self.shape = value.dtype, value.shape
  if self.synchronization == "on_read" and self.replicas > 1 then
    value = trace.escape(replica_values.stack, value, self.aggregation, self.replicas)
  end
  if strategy.mesh then
    self._layout = options.layout or strategy._layouts.of_variable(strategy, self)
    value = self._layout and trace.escape(self._layout.split, self._layout, value) or value
  end
  self._tensor = trace.own(value)
  variable.all[self] = true
  return self
end

--- A variable: a tensor that keeps its value and can be assigned to.
---@param initial number|table|tensor|initializer its first value
---@param options.initial any the same, by name
---@param options.shape integer[] its shape, where the first value is an initializer
---@param options.dtype string (default: that of the value)
---@param options.name string what summaries and files call it
---@param options.trainable boolean whether tapes watch it (default true)
---@param options.aggregation "none"|"sum"|"mean"|"only_first_replica" how what replicas assign becomes one
---@param options.synchronization "auto"|"on_read" "on_read": each replica has a value of its own, joined where it is
---   read
---@param options.strategy strategy the strategy that it belongs to
---@param options.layout layout how cores of a mesh divide it (default: as the strategy's layout map says)
---@return variable
---@example pod.variable({ 1, 2 }):value() --> { 1, 2 }
function variable.make(initial, options)
  return variable.new(tables.merge({ initial = initial }, errors.check_options(options, options_allowed, "variable")))
end

-- How a variable of a system that is no more was lost ("initialised again", "shut down"); nil for one that lives.
function variable.loss(self)
  local epoch = rawget(self, "_epoch")
  local resolver = epoch and self.strategy.resolver
  return resolver and epoch ~= resolver.epoch and resolver.losses[epoch] or nil
end

local function check_alive(self)
  local loss = variable.loss(self)
  if loss then
    errors.raise("variable '%s' (made at %s) was lost when the system was %s, which clears its "
      .. "memory: make variables after pod.cluster.initialize", self.name, tostring(self.location), loss)
  end
end

local function is_stacked(self)
  return self.synchronization == "on_read" and self.replicas > 1
end

-- Inside of strategy:run a variable is this strategy's, or one that was made outside of all scopes.
local function check_strategy(self)
  local running = trace.enclosing("core") and strategies.get_strategy()
  if running and self.strategy ~= running and self.strategy ~= strategies.default_strategy() then
    errors.raise("variable '%s' (made at %s under %s) is used in strategy:run of %s (made at %s): make it in the scope "
      .. "of that strategy", self.name, tostring(self.location), tostring(self.strategy), tostring(running),
      tostring(running.location))
  end
end

-- Whether what a trace holds of a variable are its parts, and not its value: outside of the step of a mesh.
local function is_in_parts(self)
  return rawget(self, "_layout") ~= nil and not trace.enclosing("mesh")
end

local joined = global_state.new("values of all replicas", false)

-- Runs fn(...), in which the value of a variable that has one a replica is that of all replicas, also in strategy:run.
function variable.joined(fn, ...)
  return joined:with(true, fn, ...)
end

-- Says of a variable whose values a replica add up that only their sum is asked for. What strategy:run adds is then
-- summed over the rows of all replicas at once, in the order that one replica has, and kept by the first: so the sum
-- has the same bits on any number of replicas.
function variable.keep_sum(self)
  rawset(self, "_keeps_sum", true)
  return self
end

-- What the first replica adds for all, and the others 0. In a region, which not all replicas need reach, each adds its
-- own.
local function for_all(self, value)
  local core = trace.enclosing "core"
  if not core or core ~= trace.top() or not (self._keeps_sum and is_stacked(self)) then
    return value
  end
  local context = strategies.replica_context()
  value = ops.cast(context:all_reduce("sum", value), self.dtype)
  return ops.where(ops.equal(context:replica_id(), 0), value, ops.zeros_like(value))
end

--- The value now: later assignments do not change it.
---@example pod.variable({ 1, 2 }):read() --> { 1, 2 }
function methods.value(self)
  check_alive(self)
  check_strategy(self)
  local value = trace.top():read(self)
  if is_in_parts(self) then
    return self._layout:join(value, self.shape)
  elseif not is_stacked(self) then
    return value
  elseif not trace.enclosing("core") then
    return replica_values.aggregate(self, value)
  elseif joined.value and self.aggregation == "sum" then
    return ops.cast(strategies.replica_context():all_reduce("sum", value), self.dtype)
  end
  return value
end
methods.read = methods.value

local function fit(self, value)
  local t = tensor.convert(value, type(value) ~= "table" and self.dtype or nil)
  t = ops.cast(t, self.dtype)
  if t.shape == self.shape then
    return t
  end
  if #t.shape == 0 then
    return ops.broadcast_to(t, self.shape)
  end
  errors.raise("variable '%s' (made at %s) has shape %s and cannot take a value of shape %s",
    self.name, tostring(self.location), tostring(self.shape), tostring(t.shape))
end

-- What an assignment of a replica's value to a mirrored variable does with all of them. Without an aggregation
-- the value must be the same on all replicas: strategy:run proves that, or refuses.
local function combine(self, value)
  if self.aggregation == "sum" or self.aggregation == "mean" then
    local context = strategies.replica_context()
    return ops.cast(context:all_reduce(self.aggregation, value), self.dtype)
  end
  return value
end

--- Gives the variable a new value. Returns the variable.
---@param options.aggregated boolean whether the value is that of all replicas already
---@example pod.variable({ 1, 2 }):assign({ 3, 4 }):value() --> { 3, 4 }
function methods.assign(self, value, options)
  errors.check_options(options, { aggregated = true }, "variable:assign")
  check_alive(self)
  check_strategy(self)
  value = fit(self, value)
  if trace.enclosing("core") then
    if not is_stacked(self) and not (options and options.aggregated) then
      value = combine(self, value)
    end
  elseif is_stacked(self) then
    value = replica_values.stack(value, self.aggregation, self.replicas)
  elseif is_in_parts(self) then
    value = self._layout:split(value)
  end
  trace.top():assign(self, value)
  self._assigned = true
  return self
end

--- Whether the variable has ever been given another value than its first.
---@example pod.variable({ 3, 4 }):was_assigned() --> false
function methods.was_assigned(self)
  return self._assigned == true
end

-- What assign_add and assign_sub start from: inside strategy:run sums are taken of what is added.
local function accumulate(self, value, options, sign)
  errors.check_options(options, { aggregated = true }, "variable:assign_add")
  check_alive(self)
  check_strategy(self)
  value = fit(self, value)
  if trace.enclosing("core") and not is_stacked(self) and not (options and options.aggregated) then
    value = combine(self, value)
    options = { aggregated = true }
  end
  value = for_all(self, value)
  local current = methods.value(self)
  return methods.assign(self, sign > 0 and current + value or current - value, options)
end

--- Adds to the variable; aggregated = true: the value is that of all replicas already.
---@param options.aggregated boolean whether the value is that of all replicas already
---@example pod.variable({ 1, 2 }):assign_add({ 3, 4 }):value() --> { 4, 6 }
function methods.assign_add(self, value, options)
  return accumulate(self, value, options, 1)
end

--- Subtracts from the variable, as assign_add() adds.
---@example pod.variable({ 3, 4 }):assign_sub({ 1, 1 }):value() --> { 2, 3 }
function methods.assign_sub(self, value, options)
  return accumulate(self, value, options, -1)
end

--- Assigns the initial value again; random initial values are drawn anew.
--- ```lua
--- local v = pod.variable(3)
--- v:assign(5)
--- v:reset()
--- assert(v:item() == 3)
--- ```
function methods.reset(self)
  local value = trace.escape(initial_value, self._initial, self.shape, self.dtype)
  return methods.assign(self, value, { aggregated = true })
end

--- The value on each replica, or the part that each core of a mesh has here: an array of { device =, value = }.
--- ```lua
--- local v = pod.distribute.mirrored(2):scope(function() return pod.variable(3) end)
--- assert(#v:per_replica() == 2 and v:per_replica()[2].value:item() == 3)
--- ```
function methods.per_replica(self)
  check_alive(self)
  local list = {}
  local stacked = (is_stacked(self) or is_in_parts(self)) and trace.top():read(self)
  local first = self.strategy.mesh and self.strategy.mesh.first_device or 0
  for i = 1, stacked and stacked.shape[1] or self.replicas do
    list[i] = {
      device = self.strategy:device_name(first + i - 1),
      value = stacked and ops.row(stacked, i - 1) or methods.value(self),
    }
  end
  return list
end

-- The values of all replicas, one behind the other, of a variable that has a value a replica; else its value.
function variable.replica_values(self)
  check_alive(self)
  return is_stacked(self) and trace.top():read(self) or methods.value(self)
end

-- Gives a variable what replica_values() told of it, or where there were other replicas, their aggregate.
function variable.set_replica_values(self, value)
  check_alive(self)
  if is_stacked(self) and #value.shape == #self.shape + 1 and value.shape[1] == self.replicas then
    trace.top():assign(self, ops.cast(value, self.dtype))
    self._assigned = true
    return
  elseif #value.shape == #self.shape + 1 and self.synchronization == "on_read" then
    value = replica_values.aggregate(self, value)
  end
  methods.assign(self, value, { aggregated = true })
end

-- Ends a run in slices that uses a variable behind its present step: see executions.lua.
local function settle(self)
  if self._execution then
    self._execution:finish()
  end
end

-- Remembers what variables hold, without copies. Returns the function that puts it back, which takes no memory.
function variable.remember(variables)
  local held = {}
  for i, one in ipairs(variables) do
    settle(one)
    one._exclusive = false -- what is remembered is not written into
    held[i] = { one, one._tensor, one._assigned }
  end
  return function()
    for i = 1, #held do
      local entry = held[i]
      local one = entry[1]
      one._tensor, one._exclusive, one._assigned = entry[2], false, entry[3]
    end
    trace.note_change()
  end
end

-- ---- for moonpod.func: the buffer that a program updates in place -------------------------------------------

-- Returns a buffer that nobody else reads.
function variable.exclusive_buffer(self)
  check_alive(self)
  settle(self)
  local buffer = tensor.buffer(self._tensor)
  if self._exclusive ~= true then
    buffer = buffer:copy(device.context())
    self._tensor = tensor.from_buffer(buffer)
    self._exclusive = true
    trace.note_change()
  end
  return buffer
end

-- Copies are spared of what nobody has besides its variable, which a collection between the next two finds: each
-- variable of a list takes its buffer by another value than what others may have. Returns whether these buffers have
-- `worth` bytes; with fewer nothing is done.
function variable.begin_taking(list, worth)
  local bytes = 0
  for _, one in ipairs(list) do
    check_alive(one)
    settle(one)
    bytes = bytes + (one._exclusive ~= true and tensor.buffer(one._tensor):bytes() or 0)
  end
  if bytes < worth then
    return false
  end
  for _, one in ipairs(list) do
    local old = one._tensor
    if one._exclusive ~= true then
      one._tensor = tensor.from_buffer(old._buffer:view(0, old._buffer:shape()), old)
      one._exclusive = "asked" -- false where it is read meanwhile
    end
  end
  trace.note_change()
  return true
end

function variable.end_taking(list)
  for _, one in ipairs(list) do
    if one._exclusive == "asked" then
      one._exclusive = one._tensor._buffer:is_unique()
    end
  end
end

-- Returns the buffer for reading.
function variable.buffer(self)
  if self._epoch then
    check_alive(self)
  end
  local execution = self._execution
  if execution and execution.written[self] then
    settle(self)
  end
  local value = self._tensor
  return value._buffer or tensor.buffer(value)
end

-- ---- metatable ------------------------------------------------------------------------------------------------

function Variable.__index(self, key)
  local method = methods[key]
  if method then
    return method
  end
  if type(key) == "number" or type(key) == "table" then
    return methods.value(self)[key]
  end
  if key == "rank" or key == "ndim" then
    return #self.shape
  end
  if type(key) ~= "string" or key:sub(1, 1) == "_" then
    return nil
  end
  return tensor.methods[key] and function(v, ...)
    return tensor.methods[key](methods.value(v), ...)
  end or ops.methods[key]
end

-- v[i] = x assigns row i (counted from 1), v[{ 0, "1:3" }] = x what these indices (counted from 0) pick.
function Variable.__newindex(self, key, value)
  if type(key) == "number" then
    local size = self.shape[1] or 0
    local place = key < 0 and size + key or key - 1
    if not is_whole(place, 0, size - 1) then
      errors.raise("row %g of variable '%s' is outside 1 .. %d (v[i] counts from 1)", key, self.name, size)
    end
    key = { place }
  elseif type(key) ~= "table" then
    rawset(self, key, value)
    return
  end
  methods.assign(self, ops.index_update(methods.value(self), key, value))
end

function Variable.__tostring(self)
  local trailer = ""
  if tensor.is_known(self._tensor) and not trace.is_tracing() then
    trailer = "\n" .. tostring(methods.value(self))
  end
  return ("<variable '%s' %s %s>%s"):format(self.name, self.dtype, tostring(self.shape), trailer)
end

function Variable.__len(self)
  return self.shape[1] or 0
end

for event, name in pairs { __add = "add", __sub = "subtract", __mul = "multiply", __div = "divide",
  __mod = "mod", __pow = "power", __idiv = "floor_divide" } do
  Variable[event] = function(a, b)
    return ops[name](a, b)
  end
end

function Variable.__unm(a)
  return ops.negative(a)
end

Variable.__lt, Variable.__le = tensor.order.__lt, tensor.order.__le

---@name variable
--- A variable: a tensor that keeps its value from step to step and can be assigned to. Weights of layers are variables.
---@example pod.variable(pod.ones { 2 }):assign_add({ 1, 2 }) ~= false --> true
declare.methods("variable", methods, variable.is_variable, {
  ["value:tensor options?"] = "assign assign_add assign_sub",
})
declare.metamethods("variable", Variable)
Variable.__as_tensor = methods.value

return variable
