-- Metrics of one's own classes.

local errors = require "moonpod.base.errors"
local metric = require "moonpod.metrics.metric"
local names = require "moonpod.base.names"
local scope = require "moonpod.layers.scope"

local own = {}

-- What a class of one's own says of its options is asked for by the methods of these names that all metrics have.
local OWN = { get_config = "own_get_config", from_config = "own_from_config" }

-- update_state with tensors in the place of numbers and arrays.
local function with_tensors(update)
  return function(self, ...)
    local given = { ... }
    for i = 1, 3 do
      if given[i] ~= nil then
        given[i] = scope.to_tensor(given[i])
      end
    end
    return errors.calling(update, self, given[1], given[2], given[3])
  end
end

--- Makes a class of metrics of one's own from a table: `setup(self, ...)` makes its variables with
--- `self:add_variable(name, shape)`, `update_state(self, y_true, y_pred, sample_weight)` adds a batch to them, and
--- `result(self)` gives the value. `reset_state(self)` sets the variables back unless the table has another. `name` is
--- the class's, and what the progress bar shows, in small letters, unless `setup` says `self.name = "..."`. A variable
--- has a part on each replica; reading it adds them up, so add to it by `assign_add`. Metrics of the class can be
--- saved once it has a name (`pod.register`): by the arguments that they were made with. Where the table has
--- `get_config(self)`, it is by what that returns, of which `from_config(config)`, or else the class called with it,
--- makes one.
---@param methods table
---@return class called with what `setup` takes, it makes a metric
---@error there is no function `update_state` or `result`
--- ```lua
--- local Share = pod.metrics.subclass {
---   name = "ShareAbove",
---   setup = function(self, limit)
---     self.limit = limit
---     self.above, self.all = self:add_variable "above", self:add_variable "all"
---   end,
---   update_state = function(self, y_true, y_pred)
---     local is_above = pod.cast(pod.greater(y_pred, self.limit), "float32")
---     self.above:assign_add(pod.sum(is_above))
---     self.all:assign_add(pod.sum(pod.ones_like(is_above)))
---   end,
---   result = function(self)
---     return pod.divide_no_nan(self.above:value(), self.all:value())
---   end,
--- }
--- local metric = Share(0.5)
--- print(metric.name, metric({ 0, 0 }, { 0.2, 0.9 }))
--- --> share_above    0.5
--- ```
---@see metric:add_variable
function own.subclass(methods)
  errors.check_type(methods, "table", "metrics.subclass", "methods")
  errors.check_type(methods.name or "", "string", "metrics.subclass", "the name")
  for _, name in ipairs { "update_state", "result" } do
    if type(methods[name]) ~= "function" then
      errors.raise("metrics.subclass: the table has no function '%s'; write update_state = function(self, y_true, "
        .. "y_pred, sample_weight) ... end and result = function(self) ... end", name)
    end
  end
  local class = metric.own_class(methods.name or "Metric")
  for key, value in pairs(methods) do
    if key ~= "name" then
      class[OWN[key] or key] = key == "update_state" and with_tensors(value)
        or key == "result" and metric.result_of_all(value) or value
    end
  end
  return setmetatable(class, {
    __index = getmetatable(class).__index,
    __call = function(_, ...)
      local self = metric.bare(class, names.snake_case(class.class_name), "float32")
      self._arguments = { count = select("#", ...), ... }
      if class.setup then
        class.setup(self, ...)
      end
      if type(self.name) ~= "string" or self.name == "" then
        errors.raise("metrics.subclass: the name of a metric is a string, not %s", errors.describe(self.name))
      end
      return self
    end,
  })
end

-- Whether a metric is of a class by subclass().
function own.is(value)
  return metric.is_metric(value) and getmetatable(value).is_own == true
end

return own
