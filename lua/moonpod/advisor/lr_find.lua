-- lr_find - which learning rate to begin with: a short training whose rate grows with each update, and its losses.
--
-- The procedure is Smith's ("Cyclical learning rates for training neural networks", 2015). Other than fastai's, the
-- mean of losses looks to both sides: it does not lag behind the rate, and where it is smallest is near the best rate.
-- Of fastai's suggestions the valley was 20 to 400 times too low on the models that this was tried on.

local around = require "moonpod.base.around"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local learning_rate = require "moonpod.callbacks.learning_rate"
local metric_logs = require "moonpod.models.metric_logs"
local random = require "moonpod.func.random"
local step_functions = require "moonpod.models.step_functions"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"
local training_arguments = require "moonpod.models.training_arguments"
local variable = require "moonpod.func.variable"
local is_model = require "moonpod.models.model".is_model
local is_whole = require "moonpod.base.kinds".is_whole

local lr_find = {}

local LOW, HIGH, UPDATES = 1e-5, 10, 300
local WIDTH = 1 / 20     -- of the bell over which losses are averaged, as a share of the updates
local BELOW = 1.5        -- the suggested rate is that of the smallest mean, divided by this
local KEPT = 0.9         -- of the mean that says when to end, at each update
local DIVERGED = 4       -- times the smallest such mean: the search ends
local LEARNED = 1e-4     -- of the first loss: the search ends, since higher rates have nothing left to learn
local ROWS, BARS = 20, 40 -- of what is printed

local Found = { __name = "moonpod.lr_find" }

function Found.__tostring(self)
  local lowest, highest = math.huge, -math.huge
  for _, loss in ipairs(self.smoothed) do
    lowest, highest = math.min(lowest, loss), math.max(highest, loss)
  end
  local rows, stride = { { "rate", "mean loss", "" } }, math.max(1, math.ceil(#self.rates / ROWS))
  for i = 1, #self.rates, stride do
    local share = highest > lowest and (self.smoothed[i] - lowest) / (highest - lowest) or 0
    rows[#rows + 1] = { decimal.format("%.1e", self.rates[i]), decimal.format("%.5g", self.smoothed[i]),
      ("#"):rep(math.floor(share * BARS + 0.5)) }
  end
  local lines = text_table.lines(rows, { { align = "right" }, { align = "right" }, { align = "left" } })
  lines[#lines + 1] = self.rate and decimal.format("suggested: %.2g (the loss is smallest at %.2g)", self.rate,
    self.lowest_rate) or "no rate is suggested: " .. self.problem
  return table.concat(lines, "\n")
end

-- ---- the suggestion ------------------------------------------------------------------------------------------------

-- Means of losses over their neighbours on both sides, weighted as a bell of a width.
local function smooth(losses, width)
  local means = {}
  for i = 1, #losses do
    local sum, weights = 0, 0
    for j = math.max(1, math.floor(i - 3 * width)), math.min(#losses, math.ceil(i + 3 * width)) do
      local weight = math.exp(-((i - j) / width) ^ 2 / 2)
      sum, weights = sum + weight * losses[j], weights + weight
    end
    means[i] = sum / weights
  end
  return means
end

-- Adds the means and the suggestion, or why there is none.
local function suggest(self, updates)
  self.smoothed = smooth(self.losses, updates * WIDTH)
  local lowest = 1
  for i, loss in ipairs(self.smoothed) do
    lowest = loss < self.smoothed[lowest] and i or lowest
  end
  self.lowest_rate = self.rates[lowest]
  if lowest == 1 then
    self.problem = #self.rates == 0 and "the first loss is not finite" or "the loss fell at none of the rates"
  else
    self.rate = self.lowest_rate / BELOW
  end
end

-- ---- the search ----------------------------------------------------------------------------------------------------

-- Watches a training: sets the rate of each update, and ends it when the last rate was tried or the loss diverges.
local function watcher(self, model, updates)
  local batches = model.optimizer.config.gradient_accumulation_steps or 1
  local ratio = (self.high / self.low) ^ (1 / math.max(1, updates - 1))
  local mean, smallest, sum, done = 0, math.huge, 0, 0
  local watch = { name = "lr_find" }
  function watch.on_train_batch_begin()
    model:reset_metrics()
    if done % batches == 0 then
      learning_rate.change(model, self.low * ratio ^ #self.rates)
    end
  end
  function watch.on_train_batch_end(_, _, logs)
    done, sum = done + 1, sum + logs.loss
    if done % batches > 0 then
      return
    end
    local loss, i = sum / batches, #self.rates + 1
    sum, mean = 0, KEPT * mean + (1 - KEPT) * loss
    local so_far = mean / (1 - KEPT ^ i)
    smallest = math.min(smallest, so_far)
    if loss - loss ~= 0 or so_far > DIVERGED * math.abs(smallest) then
      self.diverged, model.stop_training = true, true
      return
    end
    self.rates[i], self.losses[i] = learning_rate.get(model), loss
    model.stop_training = i == updates or math.abs(loss) <= LEARNED * math.abs(self.losses[1])
  end
  return watch
end

-- What training changes of a model that has traced its step; returns the function that puts it back.
local function remember(model)
  local metrics_back = metric_logs.remember(model)
  local variables_back = variable.remember(tables.join(model:get_weight_variables(), model.optimizer.variables))
  return function()
    metrics_back()
    variables_back()
  end
end

local OPTIONS = { low = true, high = true, steps = true, batch_size = 1, sample_weight = true, class_weight = true,
  x = true, y = true }

local function check(model, options)
  if not is_model(model) then
    errors.raise("lr_find: the first argument must be a model, not %s", errors.describe(model))
  end
  training_arguments.check_compiled(model, "lr_find")
  if not variable.is_variable(model.optimizer.learning_rate) then
    errors.raise("lr_find: the optimizer of model '%s' follows a schedule: compile it with a number first", model.name)
  end
  local low, high, steps = options.low or LOW, options.high or HIGH, options.steps or UPDATES
  if type(low) ~= "number" or type(high) ~= "number" or not (low > 0 and high > low and high < math.huge) then
    errors.raise("lr_find: 'low' and 'high' must be rates, the first above 0 and below the second; got %s and %s",
      errors.describe(low), errors.describe(high))
  elseif not is_whole(steps, 2) then
    errors.raise("lr_find: 'steps' must be a whole number from 2; got %s", errors.describe(steps))
  end
  return low, high, steps
end

---@name pod.advisor.lr_find
--- A learning rate to begin with. The model is trained for some updates whose rate grows from `low` to `high`, until
--- the loss diverges; then the model, its optimizer and random numbers are put back. `rate` is somewhat below
--- `lowest_rate`, where the mean of neighbouring losses is smallest. `rates`, `losses` and `smoothed` are those of the
--- updates. Where the loss never fell there is no `rate`, and `problem` says so. It prints.
---@param model model compiled, with a rate that is a number
---@param x tensor|table|dataset as model:fit's
---@param y? tensor|table as model:fit's
---@param options.low number the first rate (default 1e-5)
---@param options.high number the last (default 10)
---@param options.steps integer updates (default 300); data that ends before begins anew
---@param options.batch_size integer rows of a global batch, for tensors (default 32)
---@param options.sample_weight tensor how much each row counts
---@param options.class_weight table class number to weight
---@param options.x any as model:fit's
---@param options.y any as model:fit's
---@return table
---@error the model is not compiled; its optimizer follows a schedule
---@see model:fit pod.callbacks.learning_rate_scheduler pod.schedules
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local x = pod.random.normal({ 64, 2 }, { seed = 1 })
--- local found = pod.advisor.lr_find(model, x, x:sum(1, { keepdims = true }))
--- assert(found.rate > 1e-3 and found.rate < found.lowest_rate)
--- model.optimizer.learning_rate = found.rate
--- ```
function lr_find.run(model, x, y, options)
  if is_model(model) then
    x, y, options = training_arguments.read("lr_find", OPTIONS, x, y, options)
  end
  local low, high, updates = check(model, options or {})
  local self = setmetatable({ low = low, high = high, rates = {}, losses = {}, diverged = false }, Found)
  local watch, put_back = watcher(self, model, updates), nil
  function watch.prepare(_, run)
    if run.iterator:has_next() then
      step_functions.trace(model, "train", run.source.decoder, run.iterator)
    end
    put_back = remember(model)
  end
  local before = { history = rawget(model, "history"), steps_per_execution = model.steps_per_execution,
    stop_training = model.stop_training, on_nan = model._state.on_nan, random = random.get_state() }
  around(function()
    model.steps_per_execution, model._state.on_nan = 1, nil
  end, function()
    if put_back then
      put_back()
    end
    model.steps_per_execution, model._state.on_nan = before.steps_per_execution, before.on_nan
    model.stop_training = before.stop_training
    rawset(model, "history", before.history)
    random.restore_state(before.random)
  end, model.fit, model, x, y, tables.merge(tables.pick(options, { "batch_size", "sample_weight", "class_weight" }), {
    epochs = updates * (model.optimizer.config.gradient_accumulation_steps or 1), verbose = 0, callbacks = { watch } }))
  suggest(self, updates)
  return self
end

return lr_find
