-- fit - trains over epochs.

local above = require "moonpod.base.above"
local around = require "moonpod.base.around"
local errors = require "moonpod.base.errors"
local late = require "moonpod.base.late"
local warnings = require "moonpod.base.warnings"
local core = require "moonpod.core"
local callback_list = require "moonpod.models.callback_list"
local compiled = require "moonpod.models.compiled"
local feed = require "moonpod.models.feed"
local fit_check = require "moonpod.models.fit_check"
local loops = require "moonpod.models.loops"
local metric_logs = require "moonpod.models.metric_logs"
local not_finite = require "moonpod.models.not_finite"
local rank_check = require "moonpod.models.rank_check"
local span = require "moonpod.tensor.span"
local trainable_flags = require "moonpod.models.trainable_flags"
local arguments = require "moonpod.models.training_arguments"
local training_run = require "moonpod.models.training_run"

local methods = {}

-- Most models are never trained in the background.
local function runs()
  return require "moonpod.models.run"
end
local begin_run = late(runs, "begin")

-- The run in the background that trains a model, or nil.
local function run_of(self)
  return self._state.run and runs().of(self)
end

local FIT = { epochs = 1, verbose = true, callbacks = true, validation_split = true, validation_data = true,
  shuffle = true, class_weight = true, sample_weight = true, initial_epoch = 0, steps_per_epoch = 1,
  validation_steps = 1, validation_batch_size = 1, validation_freq = true, batch_size = 1, x = true, y = true,
  memory_check = true, profile_batch = true, background = true }

local OUT_OF_DATA = "Your input ran out of data; interrupting training. Make sure that your dataset or generator can "
  .. "generate at least `steps_per_epoch * epochs` batches. You may need to use the `.repeat_()` function when "
  .. "building your dataset."

local function should_evaluate(options, epoch)
  local frequency = options.validation_freq or 1
  if type(frequency) == "table" then
    for _, one in ipairs(frequency) do
      if one == epoch + 1 then
        return true
      end
    end
    return false
  end
  return (epoch + 1) % frequency == 0
end

local function raise_interrupt(self, run)
  self.stop_training = true
  errors.raise("%s", run:interrupted())
end

-- Kilobytes that a step of the collector takes, where a collection is divided.
local COLLECTED = 100

-- What a collection costs about, until one was measured.
local SECONDS_A_KILOBYTE = 1e-6

-- Steps of a collection with rest() in between, as many as one has; returns their seconds.
local function collect_divided(rest)
  local cost = 0
  for _ = 1, math.ceil(collectgarbage "count" / COLLECTED) do
    local began = core.clock()
    local is_over = collectgarbage("step", COLLECTED)
    cost = cost + core.clock() - began
    rest()
    if is_over then
      break
    end
  end
  return cost
end

-- Returns a function that collects garbage, but for no more than a twentieth of the time between its calls: the
-- collector does not see how much memory the small tensors and graphs of an epoch hold.
local function collector(rest)
  local since, cost = core.clock(), SECONDS_A_KILOBYTE * (collectgarbage "count" or 0)
  return function()
    local now = core.clock()
    if now - since >= 20 * cost and rest then
      cost = collect_divided(rest)
      since = core.clock()
    elseif now - since >= 20 * cost then
      span.around("garbage", "collect", collectgarbage)
      since, cost = core.clock(), core.clock() - now
    end
  end
end

-- The callbacks, with one that records a profile of some batches where that is asked for.
local function profiled(options)
  local given = options.callbacks
  if options.profile_batch == nil then
    return given
  end
  local recording = above.call("profile_batches", options.profile_batch)
  return type(given) == "table" and next(given) ~= nil and { given, recording } or { recording }
end

-- Opens what is trained on, and what is evaluated on, if anything. shuffle_seed: that of a run that goes on, or nil.
local function open(self, x, y, options, shuffle_seed)
  local validation, sample_weight = options.validation_data, options.sample_weight
  if options.validation_split and options.validation_split > 0 and validation == nil then
    local parts
    parts, validation = feed.split(x, y, sample_weight, options.validation_split)
    x, y, sample_weight = parts[1], parts[2], parts[3]
  end
  local source = feed.open(x, y, {
    sample_weight = sample_weight,
    batch_size = options.batch_size or 32,
    shuffle = options.shuffle ~= false,
    shuffle_seed = shuffle_seed,
    class_weight = options.class_weight,
    strategy = self._strategy,
  })
  source:check_end("fit", options.steps_per_epoch, "steps_per_epoch")
  local evaluation
  if validation ~= nil then
    evaluation = feed.open_validation(validation, {
      batch_size = options.validation_batch_size or options.batch_size or 32,
      strategy = self._strategy,
    })
    evaluation:check_end("fit: validation_data", options.validation_steps, "validation_steps")
  end
  return source, evaluation
end

-- Where a run has others beside it, it may let them go on here.
local function rest(run)
  if run.pause then
    run.pause.rest()
  end
end

-- Trains for an epoch, or what is left of one that is in progress, and evaluates behind it.
local function run_epoch(self, run, in_progress)
  local options, list, epoch = run.options, run.list, run.epoch
  local per_epoch = options.steps_per_epoch
  if not in_progress then
    self:reset_metrics()
    list:call("on_epoch_begin", epoch, {})
  end
  local first = run.steps
  local done, results, ended, interrupted = loops.run(self, { kind = "train", phase = "train", source = run.source,
    iterator = run.iterator, limit = per_epoch, list = list, training = run, pause = run.pause })
  if run.halted then
    run.logs = results ~= nil and metric_logs.read(self, results) or run.logs
    return
  end
  if interrupted and done > 0 then
    raise_interrupt(self, run)
  elseif done == 0 then
    arguments.raise_no_batch("fit", run.source, interrupted)
  end
  if ended and per_epoch and done < per_epoch then
    warnings.warn("%s", OUT_OF_DATA)
    self.stop_training = true
  end
  rest(run)
  local logs = done == first and run.logs or metric_logs.read(self, results)
  run.rows = self.loss_tracker.count:value():item() -- before an evaluation counts its own
  if run.evaluation and should_evaluate(options, epoch) then
    local values = self:_evaluate_source(run.evaluation, options.validation_steps, list, run)
    for name, value in pairs(values) do
      logs["val_" .. name] = value
    end
  end
  logs.batches = nil
  run.logs, run.is_done = logs, true
  list:call("on_epoch_end", epoch, logs, done)
end

-- Goes to the data of the next epoch.
local function next_pass(run)
  if not run.options.steps_per_epoch or not run.iterator:has_next() then
    run.iterator:rewind()
  end
end

-- Trains from where a run is to the last epoch.
local function go_on(self, run)
  local list, last = run.list, (run.options.epochs or 1) - 1
  local collect = collector(run.pause and run.pause.rest)
  while not (run.is_done and self.stop_training or run.halted) do
    local epoch, in_progress = run:next_epoch()
    if epoch > last then
      break
    end
    if run.is_done then
      next_pass(run)
      rest(run)
      run.steps = 0
    end
    run.epoch, run.is_done = epoch, false
    run_epoch(self, run, in_progress)
    collect()
    rest(run)
  end
  run.iterator:close()
  if self.optimizer.finalize_variable_values and self.optimizer.built then
    self.optimizer:finalize_variable_values()
  end
  list:call("on_train_end", run.logs or {})
  return list.history
end

-- Trains from the first epoch, or from where another run stood, to the last.
local function train(self, run)
  run.list:prepare(run)
  run.list:call("on_train_begin", {})
  run:begin()
  return go_on(self, run)
end

-- Trains, and where it is interrupted, be it in Lua between two executions, says how far it came.
local function train_told(self, run)
  local ok, result = pcall(train, self, run)
  if ok then
    return result
  elseif errors.is_interrupt(result) and run.steps > 0 and not result:find("interrupted after", 1, true) then
    raise_interrupt(self, run)
  end
  error(result, 0)
end

local BACKGROUND = { [true] = true, [false] = true, stepped = true }

local function check_background(self, options)
  if options.background ~= nil and not BACKGROUND[options.background] then
    errors.raise("fit: 'background' must be true, false or \"stepped\"; got %s", errors.describe(options.background))
  end
  if options.background == true and not (package.loaded["moonpod.host"] or {}).prompt then
    errors.raise("fit: 'background = true' trains while a prompt waits for keys, and there is none here: nothing would "
      .. "train. With background = \"stepped\" it trains in run:step { ms = 4 }, called where there is time, and in "
      .. "run:wait()")
  end
  local other = run_of(self)
  if other then
    errors.raise("model '%s' is in training already, by a fit in the background%s: wait for it "
      .. "(model:current_run():wait()) or stop it (model:current_run():stop()) first", self.name,
      other.location and " at " .. other.location or "")
  end
end

local function fit(self, x, y, options)
  arguments.check_compiled(self, "fit")
  local hunted, found = not_finite.hunt(self, x, y, options)
  if hunted then
    return found
  end
  x, y, options = arguments.read("fit", FIT, x, y, options)
  compiled.check_class_weight("fit", options.class_weight, options.sample_weight)
  trainable_flags.warn(self)
  fit_check.allow(self, options.memory_check)
  check_background(self, options)
  local source, evaluation = open(self, x, y, options)
  rank_check.compare(self, source, options)
  local list = callback_list.new(profiled(options), { model = self, epochs = options.epochs, history = true,
    steps = options.steps_per_epoch or source.batches, verbose = arguments.verbose_of(options.verbose),
    background = options.background })
  rawset(self, "history", list.history)
  self.stop_training = false
  list:begin_training(self.optimizer)
  local run = training_run.new { model = self, source = source, evaluation = evaluation, list = list,
    options = options, iterator = source:iterator(options.initial_epoch, options.steps_per_epoch),
    reopen = function(shuffle_seed)
      return (open(self, x, y, options, shuffle_seed))
    end }
  if options.background then
    return begin_run(run, function(is_back)
      return (is_back and go_on or train)(self, run)
    end, options.background == "stepped")
  end
  return around(nil, function(ok)
    run.iterator:close()
    list:close(ok)
  end, train_told, self, run)
end

--- Trains: `fit(x, y, options)` with tensors or tables of such, or `fit(dataset, options)` with a dataset of batches of
--- `{ x, y }` or `{ x, y, sample_weight }`. With a strategy the batch is the global one.
---@param x tensor|table|dataset what the model gets: `(rows, ...)`, or batches; of several inputs a list or a table by
---   their names
---@param y? tensor|table what it should give: `(rows, ...)`, of several outputs a list or a table by their names;
---   without it for a dataset
---@param options.x any what the model gets, by name
---@param options.y any what it should give, by name
---@param options.epochs integer the number of the last epoch (default 1)
---@param options.batch_size integer rows of a global batch, for tensors (default 32)
---@param options.verbose 0|1|2|"auto" silent, a bar, a line an epoch; "auto": a bar on a terminal (default)
---@param options.callbacks callback[] what watches the run
---@param options.validation_data dataset|table what is evaluated behind each epoch: a dataset, or { x, y, sample_weight
---   }
---@param options.validation_split number the share of rows, from the end, that is not trained on but evaluated: 0 to 1
---@param options.shuffle boolean whether rows of tensors get a new order each epoch (default true)
---@param options.class_weight table class number to weight: how much rows of a class count
---@param options.sample_weight tensor how much each row counts: `(rows)`
---@param options.initial_epoch integer how many epochs were done before (default 0)
---@param options.steps_per_epoch integer batches of an epoch (default: all there are)
---@param options.validation_steps integer batches that are evaluated (default: all there are)
---@param options.validation_batch_size integer rows of a batch that is evaluated (default: `batch_size`)
---@param options.validation_freq integer|integer[] evaluates behind every so many epochs, or behind these
---@param options.memory_check boolean whether under a chip's strategy a step that surely does not fit its memory is
---   refused before it runs (default true)
---@param options.profile_batch table { first, last }: batches of this training, from 1; `history.profile` says where
---   their time went
---@param options.background boolean|"stepped" returns a run, which goes on while a prompt waits (where there is none
---   it is an error); "stepped": only in `run:step{ ms = }`, on the caller's thread unless `pod.device.configure` sets
---   `threads`
---@return history|run whose `history.loss[1]` is the loss of the first epoch
---@error the model is not compiled; shapes do not fit; the data ends too early; it was interrupted
---@see model:compile model:evaluate pod.callbacks
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local history = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { epochs = 2, verbose = 0 })
--- assert(#history.history.loss == 2)
--- ```
function methods:fit(x, y, options)
  return span.enclose("host", "fit", fit, self, x, y, options)
end

--- The run that trains the model, as the `fit` with `background` returned it that began it; nil where none does. So it
--- can be ended where nobody kept it.
---@return run|nil
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- model:current_run():stop()
--- assert(model:current_run() == nil)
--- ```
function methods:current_run()
  return run_of(self)
end

return methods
