-- fit - trains over epochs.

local errors = require "moonpod.base.errors"
local warnings = require "moonpod.base.warnings"
local core = require "moonpod.core"
local callbacks = require "moonpod.models.callbacks"
local compiled = require "moonpod.models.compiled"
local feed = require "moonpod.models.feed"
local fit_check = require "moonpod.models.fit_check"
local loops = require "moonpod.models.loops"
local metric_logs = require "moonpod.models.metric_logs"
local not_finite = require "moonpod.models.not_finite"
local trainable_flags = require "moonpod.models.trainable_flags"
local arguments = require "moonpod.models.training_arguments"

local methods = {}

local FIT = { epochs = true, verbose = true, callbacks = true, validation_split = true, validation_data = true,
  shuffle = true, class_weight = true, sample_weight = true, initial_epoch = true, steps_per_epoch = true,
  validation_steps = true, validation_batch_size = true, validation_freq = true, batch_size = true, x = true, y = true,
  memory_check = true }

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

local function raise_interrupt(self, epoch, steps)
  self.stop_training = true
  errors.raise("interrupted after %d steps of epoch %d; the weights are those of the last step, and model.history "
    .. "holds the epochs done", steps, epoch + 1)
end

-- Returns a function that collects garbage, but for no more than a twentieth of the time between its calls: the
-- collector does not see how much memory the small tensors and graphs of an epoch hold.
local function collector()
  local since, cost = core.clock(), 0
  return function()
    local now = core.clock()
    if now - since >= 20 * cost then
      collectgarbage()
      since, cost = core.clock(), core.clock() - now
    end
  end
end

local function check_options(self, options)
  arguments.check_count("fit", options, "epochs", 1)
  arguments.check_count("fit", options, "batch_size", 1)
  arguments.check_count("fit", options, "steps_per_epoch", 1)
  arguments.check_count("fit", options, "validation_steps", 1)
  arguments.check_count("fit", options, "initial_epoch", 0)
  arguments.check_count("fit", options, "validation_batch_size", 1)
  arguments.check_verbose("fit", options)
  compiled.check_class_weight("fit", options.class_weight, options.sample_weight)
  trainable_flags.warn(self)
  fit_check.allow(self, options.memory_check)
end

-- Opens what is trained on, and what is evaluated on, if anything.
local function open(self, x, y, options)
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

-- Trains for an epoch and evaluates behind it. run: source, evaluation, iterator, list of callbacks. Returns the logs.
local function run_epoch(self, run, options, epoch)
  local per_epoch, list = options.steps_per_epoch, run.list
  self:reset_metrics()
  list:call("on_epoch_begin", epoch, {})
  local done, results, ended, interrupted = loops.run(self, { kind = "train", phase = "train", source = run.source,
    iterator = run.iterator, limit = per_epoch, list = list })
  if done == 0 then
    arguments.raise_no_batch("fit", run.source, interrupted)
  end
  if ended and per_epoch and done < per_epoch then
    warnings.warn("%s", OUT_OF_DATA)
    self.stop_training = true
  end
  local logs = metric_logs.read(self, results)
  if run.evaluation and not interrupted and should_evaluate(options, epoch) then
    local values = self:evaluate_source(run.evaluation, options.validation_steps, list)
    for name, value in pairs(values) do
      logs["val_" .. name] = value
    end
  end
  logs.batches = nil
  list:call("on_epoch_end", epoch, logs, done)
  if interrupted then
    list:call("on_train_end", logs)
    raise_interrupt(self, epoch, done)
  end
  return logs
end

-- Trains. fit(dataset, options) or fit(x, y, options). Options as Keras': epochs (1), batch_size (32, for
-- tensors), verbose, callbacks, validation_data (a dataset or { x, y }), validation_split, shuffle, class_weight,
-- sample_weight, initial_epoch, steps_per_epoch, validation_steps, validation_batch_size, validation_freq, memory_check
-- (true: under the strategy of a chip, a step that surely does not fit its memory is refused before it runs). Returns
-- the history: history.history.loss[1] and so on.
function methods:fit(x, y, options)
  arguments.check_compiled(self, "fit")
  local hunted, found = not_finite.hunt(self, x, y, options)
  if hunted then
    return found
  end
  x, y, options = arguments.read("fit", FIT, x, y, options)
  check_options(self, options)
  local epochs, per_epoch = options.epochs or 1, options.steps_per_epoch
  local source, evaluation = open(self, x, y, options)
  local history = callbacks.history()
  rawset(self, "history", history)
  local list = callbacks.list(options.callbacks, { model = self, epochs = epochs, steps = per_epoch or source.batches,
    verbose = arguments.verbose_of(options.verbose), history = history })
  self.stop_training = false
  list:call("on_train_begin", {})
  local iterator = source:iterator(options.initial_epoch, per_epoch)
  local run = { source = source, evaluation = evaluation, iterator = iterator, list = list }
  local logs = {}
  local collect = collector()
  local first_epoch = options.initial_epoch or 0
  for epoch = first_epoch, epochs - 1 do
    if per_epoch and epoch > first_epoch and not iterator:has_next() then
      iterator:rewind() -- the epoch before took the last batch
    end
    logs = run_epoch(self, run, options, epoch)
    if self.stop_training then
      break
    end
    if not per_epoch then
      iterator:rewind()
    end
    collect()
  end
  iterator:close()
  if self.optimizer.finalize_variable_values and self.optimizer.built then
    self.optimizer:finalize_variable_values()
  end
  list:call("on_train_end", logs)
  return history
end

return methods
