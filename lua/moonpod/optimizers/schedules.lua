--- Learning rate schedules, with Keras' names and formulas: functions of the step, a number or a tensor. An optimizer
--- takes one for its `learning_rate`; called with a number they give the number of that step.
---@param options.name string what it is called
---@param options.initial_learning_rate number the rate of step 0
---@param options.decay_steps integer over how many steps it falls once
---@param options.decay_rate number what it falls by
---@param options.staircase boolean whether it falls in steps, not smoothly
---@param options.alpha number the lowest rate, as a part of the highest
---@param options.warmup_steps integer over how many steps it rises before
---@example pod.schedules.exponential_decay(0.1, 10, 0.5)(10) --> 0.05

-- Learning rate schedules with Keras' names and formulas: functions of the step, a tensor, giving a tensor.

local above = require "moonpod.base.above"
local check = require "moonpod.layers.check"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local kinds = require "moonpod.base.kinds"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local schedules = {}

---@name pod.schedules.by_class
--- The constructors of schedules by the names of Keras' classes.
---@example pod.schedules.by_class.CosineDecay == pod.schedules.cosine_decay --> true
schedules.by_class = {}

-- name -> the rate by a step, a tensor, and the options.
local formulas = {}

local Schedule = {}
Schedule.__index = Schedule
Schedule.__name = "moonpod.schedule"

---@name pod.schedules.is_schedule
--- Whether a value is a schedule.
---@example pod.schedules.is_schedule(0.1) --> false
schedules.is_schedule = declare.is(Schedule)

-- The rate at a step: a number gives a number, a tensor a float32 scalar tensor.
function Schedule.__call(self, step)
  if type(step) == "number" then
    return formulas[self.name](tensor.new(step, { dtype = "float32" }), self.options):item()
  end
  if not kinds.get "tensor".is(step) then
    errors.raise("a schedule is called with a step, a number or a tensor, not %s", errors.describe(step))
  end
  return formulas[self.name](ops.cast(step, "float32"), self.options)
end

function Schedule.__tostring(self)
  return string.format("<schedule %s>", self.options.name or self.name)
end

---@name schedule:get_config
--- What it was made with, as plain data.
---@example pod.schedules.cosine_decay(0.1, 10):get_config().decay_steps --> 10
Schedule.get_config = above.doing "get_config"

local function list(value)
  for _, one in ipairs(type(value) == "table" and value or { false }) do
    if type(one) ~= "number" then
      return "must be a list of numbers"
    end
  end
end

local function above_zero(value)
  return check.number(value) or value <= 0 and "must be more than 0"
end

local function from_zero(value)
  return check.number(value) or value < 0 and "must not be negative"
end

local CHECKS = { name = check.string, boundaries = list, values = list, staircase = check.boolean,
  cycle = check.boolean, decay_steps = above_zero, first_decay_steps = above_zero, base_batch = above_zero,
  batch = above_zero, initial_learning_rate = from_zero, end_learning_rate = from_zero,
  base_learning_rate = from_zero, warmup_steps = from_zero, decay_rate = check.number, power = check.number,
  alpha = check.number, t_mul = check.number, m_mul = check.number, warmup_target = function(value)
    return value ~= false and check.number(value)
  end }

local function define(name, arguments, defaults, formula, check_all)
  local class_name = ("_" .. name):gsub("_(%a)", string.upper)
  formulas[name] = formula
  -- pod.schedules.NAME: makes the schedule, of arguments in their order or of a table by name.
  schedules[name] = function(...)
    local given = { ... }
    local count = select("#", ...)
    local options = {}
    if type(given[count]) == "table" and (count > #arguments or #given[count] == 0) then
      options = tables.merge(given[count])
      count = count - 1
    end
    errors.check_options(options, tables.join({ "name" }, tables.sorted_keys(defaults), arguments),
      "schedules." .. name)
    if count > #arguments then
      errors.raise("schedules.%s takes (%s) and a table of options; argument %d is %s", name,
        table.concat(arguments, ", "), count, errors.describe(given[count]))
    end
    for i = 1, count do
      options[arguments[i]] = errors.once(given[i], options, arguments[i], "schedules." .. name)
    end
    for _, key in ipairs(arguments) do
      if options[key] == nil then
        errors.raise("schedules.%s: '%s' is missing; write schedules.%s(%s)", name, key, name,
          table.concat(arguments, ", "))
      end
    end
    options = tables.merge(defaults, options)
    check.options("schedules." .. name, options, CHECKS)
    if check_all then
      check_all(options)
    end
    return setmetatable({ options = options, name = name, class_name = class_name }, Schedule)
  end
  schedules.by_class[class_name] = schedules[name]
end

local function fraction(step, o)
  local p = step / o.decay_steps
  return o.staircase and ops.floor(p) or p
end

---@name pod.schedules.exponential_decay
--- `initial_learning_rate decay_rate^(step / decay_steps)`.
---@return schedule
---@example pod.schedules.exponential_decay(0.1, 10, 0.5)(20) --> 0.025
define("exponential_decay", { "initial_learning_rate", "decay_steps", "decay_rate" }, { staircase = false },
  function(step, o)
    return ops.power(ops.full({}, o.decay_rate, { dtype = "float32" }), fraction(step, o))
      * o.initial_learning_rate
  end)

---@name pod.schedules.inverse_time_decay
--- `initial_learning_rate / (1 + decay_rate step / decay_steps)`.
---@return schedule
---@example pod.schedules.inverse_time_decay(0.1, 10, 1)(10) --> 0.05
define("inverse_time_decay", { "initial_learning_rate", "decay_steps", "decay_rate" }, { staircase = false },
  function(step, o)
    return o.initial_learning_rate / (fraction(step, o) * o.decay_rate + 1)
  end)

---@name pod.schedules.piecewise_constant_decay
--- `values[1]` up to step `boundaries[1]`, then `values[2]`, and so on; there is one value more than boundaries.
---@param options.boundaries integer[] the last steps of the pieces
---@param options.values number[] their rates
---@return schedule
---@example pod.schedules.piecewise_constant_decay({ 5 }, { 0.1, 0.01 })(6) --> 0.01
define("piecewise_constant_decay", { "boundaries", "values" }, {}, function(step, o)
  local rate = ops.full({}, o.values[#o.values], { dtype = "float32" })
  for i = #o.boundaries, 1, -1 do
    rate = ops.where(ops.less_equal(step, o.boundaries[i]), o.values[i], rate)
  end
  return rate
end, function(o)
  if #o.values ~= #o.boundaries + 1 then
    errors.raise("schedules.piecewise_constant_decay: %d boundaries need %d values; got %d", #o.boundaries,
      #o.boundaries + 1, #o.values)
  end
end)

---@name pod.schedules.polynomial_decay
--- Falls from `initial_learning_rate` to `end_learning_rate` in `decay_steps` steps, as a power of the rest of the way.
---@param options.end_learning_rate number the rate at the end
---@param options.power number 1 is a line
---@param options.cycle boolean whether it begins anew, each time over as many steps more
---@return schedule
---@example pod.schedules.polynomial_decay(0.1, 10, { end_learning_rate = 0 })(5) --> 0.05
define("polynomial_decay", { "initial_learning_rate", "decay_steps" },
  { end_learning_rate = 1e-4, power = 1.0, cycle = false }, function(step, o)
    local span = ops.full({}, o.decay_steps, { dtype = "float32" })
    local at = step
    if o.cycle then
      local turns = ops.where(ops.equal(step, 0), 1, ops.ceil(step / o.decay_steps))
      span = span * turns
    else
      at = ops.minimum(step, o.decay_steps)
    end
    local rest = 1 - at / span
    return ops.power(rest, ops.full({}, o.power, { dtype = "float32" }))
      * (o.initial_learning_rate - o.end_learning_rate) + o.end_learning_rate
  end)

local function cosine(step, from, o)
  local p = ops.minimum(step, o.decay_steps) / o.decay_steps
  local value = (ops.cos(p * math.pi) + 1) * 0.5
  return (value * (1 - o.alpha) + o.alpha) * from
end

---@name pod.schedules.cosine_decay
--- Falls along half a cosine in `decay_steps` steps to `alpha` of the rate (Loshchilov and Hutter 2016), after a linear
--- rise to `warmup_target`, if that is given.
---@param options.warmup_target number|false the rate that the warm-up ends at; false: there is none
---@return schedule
---@example pod.schedules.cosine_decay(0.1, 10)(5) --> 0.05
define("cosine_decay", { "initial_learning_rate", "decay_steps" },
  { alpha = 0.0, warmup_target = false, warmup_steps = 0 }, function(step, o)
    if not o.warmup_target then
      return cosine(step, o.initial_learning_rate, o)
    end
    local up = step / o.warmup_steps * (o.warmup_target - o.initial_learning_rate) + o.initial_learning_rate
    return ops.where(ops.less(step, o.warmup_steps), up, cosine(step - o.warmup_steps, o.warmup_target, o))
  end)

---@name pod.schedules.cosine_decay_restarts
--- Falls along half a cosine again and again.
---@param options.first_decay_steps integer over how many steps it falls the first time
---@param options.t_mul number how many times longer each turn is than the one before
---@param options.m_mul number how many times higher it begins
---@return schedule
---@example pod.schedules.cosine_decay_restarts(0.1, 10)(0) --> 0.1
define("cosine_decay_restarts", { "initial_learning_rate", "first_decay_steps" },
  { t_mul = 2.0, m_mul = 1.0, alpha = 0.0 }, function(step, o)
    local done = step / o.first_decay_steps
    local restart, p
    if o.t_mul == 1 then
      restart = ops.floor(done)
      p = done - restart
    else
      restart = ops.floor(ops.log(1 - done * (1 - o.t_mul)) / math.log(o.t_mul))
      local grown = ops.power(ops.full({}, o.t_mul, { dtype = "float32" }), restart)
      p = (done - (1 - grown) / (1 - o.t_mul)) / grown
    end
    local height = ops.power(ops.full({}, o.m_mul, { dtype = "float32" }), restart)
    local value = height * 0.5 * (ops.cos(p * math.pi) + 1)
    return (value * (1 - o.alpha) + o.alpha) * o.initial_learning_rate
  end)

---@name pod.schedules.linear_scale
--- The rate grows with the batch (Goyal et al. 2017): `base_learning_rate batch / base_batch`, after a linear rise from
--- `base_learning_rate` over `warmup_steps` steps.
---@param options.base_learning_rate number the rate for `base_batch` rows
---@param options.base_batch integer the rows of the batch that the base rate is for
---@param options.batch integer the rows of a global batch
---@return schedule
---@example pod.schedules.linear_scale(0.1, 256, 1024)(0) --> 0.4
-- Goyal et al. 2017: the rate grows with the batch, after a warm-up over `warmup_steps` steps.
define("linear_scale", { "base_learning_rate", "base_batch", "batch" }, { warmup_steps = 0 }, function(step, o)
  local target = o.base_learning_rate * o.batch / o.base_batch
  if o.warmup_steps == 0 then
    return ops.full({}, target, { dtype = "float32" })
  end
  local up = step / o.warmup_steps * (target - o.base_learning_rate) + o.base_learning_rate
  return ops.where(ops.less(step, o.warmup_steps), up, target)
end)

declare.methods("schedule", Schedule, schedules.is_schedule)
declare.metamethods("schedule", Schedule)

return schedules
