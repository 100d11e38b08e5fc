-- What all metrics are: a name, state variables, update_state, result, reset_state.
--
-- A metric keeps sums in variables that every replica has its own of (synchronization "on_read"); reading them
-- adds the replicas up, so results are exact for uneven shards. What is added goes to the first replica's, summed over
-- the rows of all: so results have the same bits on any number of replicas.

local above = require "moonpod.base.above"
local check = require "moonpod.layers.check"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local halves = require "moonpod.ops.halves"
local ops = require "moonpod.ops"
local strategies = require "moonpod.func.strategies"
local tables = require "moonpod.base.tables"
local variable = require "moonpod.func.variable"
local initializers = require "moonpod.layers.initializers"
local names = require "moonpod.base.names"
local scope = require "moonpod.layers.scope"

local metric = {}

-- Constructors by the name of their function, and by every name that metrics.get knows.
local constructors, by_name = {}, {}
metric.constructors, metric.by_name = constructors, by_name

local Metric = {}
Metric.__index = Metric
Metric.__name = "moonpod.metric"

--- Whether a value is a metric.
---@example pod.metrics.is_metric(pod.metrics.mean()) --> true
function metric.is_metric(value)
  return type(value) == "table" and rawget(value, "_is_metric") == true
end

function Metric.__tostring(self)
  return string.format("<%s name=%s>", self.class_name, self.name)
end

--- Makes a state variable, zero at first unless an initializer is given.
---@example pod.metrics.mean():add_variable("more", { 2 }):value() --> { 0, 0 }
function Metric:add_variable(name, shape, initializer, dtype)
  local made = strategies.within(self._strategy, function()
    return scope.outside_trace(function()
      return variable.keep_sum(variable.new {
        initial = initializers.get(initializer or "zeros"),
        shape = shape or {},
        dtype = dtype or self.dtype,
        name = self.name .. "/" .. name,
        trainable = false,
        synchronization = "on_read",
        aggregation = "sum",
      })
    end)
  end)
  self.variables[#self.variables + 1] = made
  self._initial[made] = initializer
  return made
end

---@name metric:get_config
--- What it was made with, as plain data.
---@example pod.metrics.auc():get_config().curve --> "ROC"
Metric.get_config = above.doing "get_config"

--- Forgets what was counted: `result()` begins anew.
---@example pod.metrics.mean():reset_state() == nil --> true
function Metric:reset_state()
  for _, state in ipairs(self.variables) do
    state:reset()
  end
end

-- Updates the state and returns the result.
function Metric.__call(self, ...)
  self:update_state(...)
  return self:result()
end

-- y_true and y_pred as tensors with the same number of rows.
function metric.check_pair(self, y_true, y_pred, sample_weight)
  if y_true == nil or y_pred == nil then
    errors.raise("metric '%s': update_state wants y_true and y_pred; %s is nil", self.name,
      y_true == nil and "y_true" or "y_pred")
  end
  y_true, y_pred = scope.to_tensor(y_true), scope.to_tensor(y_pred)
  if #y_true.shape > 0 and #y_pred.shape > 0 and y_true.shape[1] ~= y_pred.shape[1] then
    errors.raise("metric '%s': y_true has shape %s, y_pred %s; they must have the same number of rows", self.name,
      tostring(y_true.shape), tostring(y_pred.shape))
  end
  return y_true, y_pred, sample_weight
end

-- A metric of a class before its setup.
function metric.bare(class, name, dtype)
  local self = setmetatable({ _is_metric = true, variables = {}, _initial = {} }, class)
  self._strategy = strategies.get_strategy()
  self._created_at = errors.location()
  self.name, self.dtype, self.config = name, ops.dtype(dtype), {}
  return self
end

-- A function `result` that reads what all replicas have, wherever it is called.
function metric.result_of_all(result)
  return function(self)
    local value = variable.joined(result, self)
    return self._result_dtype and ops.cast(value, self._result_dtype) or value
  end
end

local function new_class(name)
  local class = { class_name = name, __call = Metric.__call, __tostring = Metric.__tostring, __name = Metric.__name }
  class.__index = class
  return setmetatable(class, { __index = Metric })
end

-- A class of somebody's own, without functions yet.
function metric.own_class(name)
  local class = new_class(name)
  class.is_own = true
  return class
end

local function new(class, spec, where, name, options)
  local self = metric.bare(class, options.name or name, options.dtype or "float32")
  self.direction = spec.direction
  self.dtype, self._result_dtype = halves.wide(self.dtype), self.dtype -- 16 bits cannot count far
  self.config = tables.merge(spec.defaults, options)
  check.options(where, self.config, spec.checks or {})
  spec.setup(self, self.config)
  return self
end

-- Makes a class. `spec`: name (Keras' class name), function_name, defaults, optional, positional (name of the first
-- argument when it is no table), checks (of options, as layers have them), setup(self, options), update_state, result,
-- direction.
function metric.define(spec)
  local class = new_class(spec.name)
  local function_name = spec.function_name or names.snake_case(spec.name)
  local reading = { where = "metrics." .. function_name, first = spec.positional, takes = "a table of options",
    allowed = tables.join({ "name", "dtype" }, tables.sorted_keys(spec.defaults or {}), spec.optional or {}) }
  for key, value in pairs(spec.methods or {}) do
    class[key] = key == "result" and metric.result_of_all(value) or value
  end
  local function constructor(options, more)
    return new(class, spec, reading.where, function_name, errors.read_options(options, more, reading))
  end
  local update = class.update_state
  if update and not spec.of_values then
    ---@name metric:update_state
    --- Adds a batch to what was counted.
    ---@param y_true tensor what should come; of `mean` and `sum` the values
    ---@param y_pred tensor what came; of `mean` and `sum` the weights
    ---@param sample_weight? tensor how much each row counts: `(rows)`
    ---@error the number of rows differs, or shapes do not fit
    --- ```lua
    --- local mean = pod.metrics.mean()
    --- mean:update_state(pod.tensor { 1, 3 })
    --- mean:update_state(pod.tensor { 5 })
    --- assert(mean:result():item() == 3)
    --- ```
    function class.update_state(self, y_true, y_pred, sample_weight)
      return update(self, metric.check_pair(self, y_true, y_pred, sample_weight))
    end
  end
  ---@name metric:result
  --- The value of all batches since `reset_state()`.
  ---@return tensor
  ---@error nothing was added yet, where a metric cannot say what that means
  ---@example pod.metrics.sum():result():item() --> 0
  declare.methods("metric", class, metric.is_metric)
  constructors[function_name] = constructor
  by_name[function_name], by_name[spec.name] = constructor, constructor
  for _, alias in ipairs(spec.aliases or {}) do
    by_name[alias], constructors[alias] = constructor, constructor
  end
  return class
end

---@name metric
--- A metric of `pod.metrics`: it adds up batches (`update_state`), gives the value of all (`result`) and begins anew
--- (`reset_state`). Called, it adds a batch and gives the value.
---@example pod.metrics.mean()({ 1, 3 }):item() --> 2
declare.methods("metric", Metric, metric.is_metric, { ["name shape? initializer:any? dtype?"] = "add_variable" })
declare.metamethods("metric", Metric)

return metric
