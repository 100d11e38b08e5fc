-- Training: compile, fit, evaluate, predict and the steps they run.
--
-- A step is traced once for one core and compiled with all replicas; `steps_per_execution` steps run in C. Everything
-- goes through pod.func, pod.tape and strategy:run, as a loop of your own would.

local callbacks = require "moonpod.models.callbacks"
local core = require "moonpod.core"
local func = require "moonpod.func"
local compiled = require "moonpod.models.compiled"
local errors = require "moonpod.base.errors"
local feed = require "moonpod.models.feed"
local fit_check = require "moonpod.models.fit_check"
local lint = require "moonpod.base.lint"
local losses = require "moonpod.losses"
local metrics = require "moonpod.metrics"
local nest = require "moonpod.tensor.nest"
local not_finite = require "moonpod.models.not_finite"
local ops = require "moonpod.ops"
local optimizers = require "moonpod.optimizers"
local saving = require "moonpod.models.saving_memory"
local scope = require "moonpod.layers.scope"
local trainable_flags = require "moonpod.models.trainable_flags"
local strategies = require "moonpod.func.strategies"
local tape = require "moonpod.func.tape"
local trace = require "moonpod.tensor.trace"
local warnings = require "moonpod.base.warnings"

local trainer = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local COMPILE = { optimizer = true, loss = true, loss_weights = true, metrics = true, weighted_metrics = true,
  run_eagerly = true, steps_per_execution = true, steps_per_exec = true, jit_compile = true, auto_scale_loss = true,
  on_nan = true }

-- Configures training. Options: optimizer ("rmsprop"), loss, loss_weights, metrics, weighted_metrics, run_eagerly,
-- steps_per_execution (1; a number or "auto"), auto_scale_loss (true: float16 models get loss scaling), on_nan (what to
-- do when the loss is not finite: nil goes on, "terminate" stops training, "hunt" names the operation, slowly).
function trainer:compile(options)
  options = options or {}
  errors.check_options(options, COMPILE, "compile")
  if options.steps_per_execution ~= nil and options.steps_per_exec ~= nil then
    errors.raise("compile: steps_per_execution and steps_per_exec are one option; give one of them")
  end
  if self.compiled and require("moonpod.tensor.trace").is_tracing() then
    errors.raise("compile: a loss, metric or layer that is being traced cannot compile its model anew; "
      .. "a callback's hook can")
  end
  local steps = options.steps_per_execution or options.steps_per_exec or 1
  if steps ~= "auto" and (type(steps) ~= "number" or steps < 1 or steps % 1 ~= 0) then
    errors.raise("compile: steps_per_execution must be a whole number from 1, or \"auto\"; got %s",
      errors.describe(steps))
  end
  local strategy, on_nan = self._strategy, not_finite.read(options)
  if optimizers.is_optimizer(options.optimizer) then
    strategies.check_same(self, options.optimizer, "optimizer")
  end
  strategies.within(strategy, function()
    local optimizer = optimizers.get(options.optimizer or "rmsprop", "compile")
    strategies.check_same(self, optimizer, "optimizer")
    if options.auto_scale_loss ~= false and self:compute_dtype() == "float16" and not optimizer.dynamic_scale then
      optimizer = optimizers.loss_scale_optimizer(optimizer)
    end
    self.optimizer = optimizer
    self.loss_tracker = metrics.mean { name = "loss" }
  end)
  local function check_metrics(given, level)
    if metrics.is_metric(given) then
      strategies.check_same(self, given, "metric")
    elseif type(given) == "table" and getmetatable(given) == nil then
      level = errors.level_below(level, "compile: metrics")
      for _, item in pairs(given) do
        check_metrics(item, level)
      end
    elseif type(given) == "string" and given ~= "accuracy" and given ~= "acc" and given ~= "ce"
      and given ~= "crossentropy" and not metrics.by_name[given] then
      metrics.get(given, "compile")
    elseif given ~= nil and type(given) ~= "string" and type(given) ~= "function" and not losses.is_loss(given) then
      metrics.get(given, "compile")
    end
  end
  check_metrics(options.metrics)
  check_metrics(options.weighted_metrics)
  local function check_losses(given, level)
    if type(given) == "string" and given ~= "crossentropy" and given ~= "ce" then
      losses.get(given, "compile")
    elseif type(given) == "table" and getmetatable(given) == nil then
      level = errors.level_below(level, "compile: loss")
      for _, item in pairs(given) do
        check_losses(item, level)
      end
    elseif given ~= nil and type(given) ~= "string" then
      losses.get(given, "compile")
    end
  end
  check_losses(options.loss)
  self._state.compile_options = options
  self._state.compiled_at = errors.location()
  self.steps_per_execution = steps
  self._state.on_nan = on_nan
  self._state.compiled_loss = nil
  self._state.compiled_metrics = nil
  self._state.output_trackers = {}
  self._state.functions = {}
  trainable_flags.note(self)
  self._state.trainable_warned = nil
  self.compiled = true
end

local function check_compiled(self, name)
  if not self.compiled then
    errors.raise("model '%s': call compile before %s", self.name, name)
  end
end

-- ---- one step, traced for one core ---------------------------------------------------------------------------

-- Makes losses and metrics when the outputs are first known.
local function resolve(self, y, y_pred)
  if not self._state.compiled_loss then
    self._state.compiled_loss = compiled.losses(self, y_pred, y)
  end
  if not self._state.compiled_metrics then
    self._state.compiled_metrics = strategies.within(self._strategy, function()
      return y ~= nil and compiled.metrics(self, y, y_pred) or {}
    end)
  end
end

local function output_tracker(self, name)
  local trackers = self._state.output_trackers
  if not trackers[name] then
    trackers[name] = strategies.within(self._strategy, function()
      return metrics.mean { name = name .. "_loss" }
    end)
  end
  return trackers[name]
end

-- The loss of a batch: that of compile plus the layers' own. Inside strategy:run it is this replica's part; the parts
-- add up to the loss.
function trainer:compute_loss(x, y, y_pred, sample_weight) -- luacheck: ignore x
  resolve(self, y, y_pred)
  local loss = self._state.compiled_loss
  local total
  if #loss.terms > 0 then
    if y == nil then
      errors.raise("model '%s' has a loss but the data has no targets; give { x, y }", self.name)
    end
    local one_hot
    one_hot, total = losses.with_sparse_labels(saving.options(self).sparse_labels, function()
      local path = self.name
      if loss.terms[1].loss.name ~= "loss" then -- functions are named so already
        path = path .. "/loss"
      end
      local place = { name = path, _created_at = self._state.compiled_at }
      return scope.of(place, compiled.total_loss, loss, y, y_pred, sample_weight,
        loss.many and function(name, value)
          self:track_loss(output_tracker(self, name), value)
        end or nil)
    end)
    self._state.has_one_hot = one_hot
  end
  local own = self:collect_losses()
  local replicas = (trace.enclosing "core" ~= nil) and strategies.get_strategy().num_replicas_in_sync or 1
  for _, entry in ipairs(own) do
    local share = ops.sum(ops.cast(entry.value, "float32"))
    if replicas > 1 and not entry.part then
      share = share / replicas
    end
    total = total and total + share or share
  end
  if total == nil then
    errors.raise("model '%s': there is no loss to train on; give compile a loss, or layers that call add_loss",
      self.name)
  end
  return total
end

-- The loss of a batch as the model says it, which may compute its own.
local function loss_of(self, x, y, y_pred, sample_weight)
  resolve(self, y, y_pred)
  local loss = self:compute_loss(x, y, y_pred, sample_weight)
  if not ops.is_tensor(loss) or loss:size() ~= 1 then
    errors.raise("model '%s': compute_loss returned %s; return the loss of the batch, a scalar tensor", self.name,
      errors.describe(loss))
  end
  return loss
end

-- Counts the loss of a batch into a mean over samples.
function trainer:track_loss(tracker, loss)
  local rows = self._state.rows
  local all = ops.cast(strategies.sum_over_replicas(rows), "float32")
  tracker.total:assign_add(ops.cast(loss, "float32") * all)
  tracker.count:assign_add(ops.cast(rows, "float32"))
end

-- Runs fn(x) with the training flag; losses of an earlier call are forgotten.
local function forward(self, x, training)
  self:reset_losses()
  return self(x, { training = training })
end

-- One step of training on { x, y, sample_weight }: override it in a subclass. What it returns, a table of tensors by
-- name, is shown; nil shows the metrics.
function trainer:train_step(data)
  local gradients
  for _, part in ipairs(saving.micro_batches(self, data)) do
    local data_now = saving.in_turn(part, gradients)
    local x, y, sample_weight = data_now[1], data_now[2], data_now[3]
    local recorded, result = tape.new(function()
      local y_pred = forward(self, x, true)
      local loss = loss_of(self, x, y, y_pred, sample_weight)
      local share = part.share and loss * ops.cast(part.share, loss.dtype) or loss
      return { loss = loss, scaled = self.optimizer:scale_loss(share), y_pred = y_pred }
    end)
    self._state.rows = part.rows or self._state.rows
    self:track_loss(self.loss_tracker, result.loss)
    local weights = self:get_trainable_weights()
    gradients = #weights > 0 and saving.add(gradients, recorded:gradient(result.scaled, weights), #weights)
    if y ~= nil then
      compiled.update_metrics(self._state.compiled_metrics, y, result.y_pred, sample_weight)
    end
  end
  if gradients then
    self.optimizer:apply(gradients, self:get_trainable_weights())
  else
    warnings.warn("model '%s' has no trainable weights", self.name)
  end
end

-- One step of evaluation.
function trainer:test_step(data)
  local x, y, sample_weight = data[1], data[2], data[3]
  local y_pred = forward(self, x, false)
  self:track_loss(self.loss_tracker, loss_of(self, x, y, y_pred, sample_weight))
  if y ~= nil then
    compiled.update_metrics(self._state.compiled_metrics, y, y_pred, sample_weight)
  end
end

-- One step of prediction; returns the outputs.
function trainer:predict_step(data)
  return forward(self, data[1], false)
end

-- ---- steps as compiled functions ----------------------------------------------------------------------------

local function count_rows(self, data)
  local first = nest.first(data[1])
  self._state.rows = ops.dimension_size(first, 0)
end

-- Runs one step on every replica's shard of a batch.
local function run_shards(self, kind, decoder, arguments)
  local strategy = self._strategy
  local shards = {}
  for i, t in ipairs(arguments) do
    shards[i] = strategy:split(t)
  end
  saving.remember(self, kind, decoder, arguments)
  local results = strategy:run(function(...)
    local data = decoder:decode(...)
    if kind ~= "predict" and decoder.class_weight then
      data[3] = compiled.class_weights(decoder.class_weight, data[2], data[3])
    end
    count_rows(self, data)
    local step = self[kind .. "_step"]
    lint.warn(step, {}, ("%s_step of model '%s'"):format(kind, self.name))
    local out = step(self, data)
    self._state.rows = nil
    if kind ~= "predict" and out ~= nil and (type(out) ~= "table" or getmetatable(out) ~= nil) then
      errors.raise("model '%s': %s_step returned %s; return a table of tensors by name, or nothing", self.name, kind,
        errors.describe(out))
    end
    return out
  end, shards)
  if results == nil then
    return nil
  end
  if kind == "predict" then
    return nest.map(results, function(value)
      return strategy:gather(value, 0)
    end)
  end
  return nest.map(results, function(value)
    return strategy:reduce("mean", value)
  end)
end

local function run_replicas(self, kind, decoder, arguments)
  if kind == "train" then
    return trainable_flags.as_compiled(self, run_shards, self, kind, decoder, arguments)
  end
  return run_shards(self, kind, decoder, arguments)
end

-- The step of a kind ("train", "test", "predict") on a global batch that a decoder of feed takes, for a trace: what fit
-- runs.
function trainer:global_step(kind, decoder, arguments)
  return run_replicas(self, kind, decoder, arguments)
end

-- The compiled function of a kind of step for data of a decoder.
local function step_function(self, kind, decoder)
  return decoder:function_of(self, kind, function()
    local function body(...)
      return fit_check.run(self, kind, run_replicas, self, kind, decoder, { ... })
    end
    local eager = self._state.compile_options and self._state.compile_options.run_eagerly
    local made = eager and feed.eager(body) or func.new(body, { name = self.name .. "_" .. kind .. "_step" })
    made.on_trace = fit_check.of_function(self, kind)
    return made
  end)
end

-- ---- metrics of the model ---------------------------------------------------------------------------------------

local function own_metrics(self)
  local list = {}
  for _, value in pairs(self) do
    if metrics.is_metric(value) and value ~= self.loss_tracker then
      list[#list + 1] = value
    end
  end
  table.sort(list, function(a, b)
    return a.name < b.name
  end)
  return list
end

local function each_metric(self, visit)
  if self.loss_tracker then
    visit("loss", self.loss_tracker)
  end
  local trackers = self._state.output_trackers or {}
  for _, key in ipairs(nest.sorted_keys(trackers)) do
    visit(trackers[key].name, trackers[key])
  end
  for _, entry in ipairs(self._state.compiled_metrics or {}) do
    visit(entry.shown, entry.metric)
  end
  for _, metric in ipairs(own_metrics(self)) do
    visit(metric.name, metric)
  end
end

function trainer:reset_metrics()
  each_metric(self, function(_, metric)
    metric:reset_state()
  end)
end

local function number_of(value)
  if ops.is_tensor(value) then
    return value:size() == 1 and value:item() or value:totable()
  end
  return value
end

-- The present values of all metrics, by name.
function trainer:get_metrics_result()
  local tensors = {}
  each_metric(self, function(name, metric)
    if #metric.variables > 0 then
      tensors[name] = metric:result()
    end
  end)
  local out = {}
  for name, value in pairs(tensors) do
    if name ~= "loss" or self._state.loss_was_tracked ~= false then
      out[name] = number_of(value)
    end
  end
  return out
end

-- The logs of an execution: what a step of one's own returned, else the metrics.
local function read_logs(self, results, batches)
  local logs
  if type(results) == "table" and not ops.is_tensor(results) and next(results) ~= nil then
    logs = {}
    for name, value in pairs(results) do
      logs[name] = number_of(value)
    end
    local tracked = self:get_metrics_result()
    for name in pairs(logs) do
      if tracked[name] ~= nil and name ~= "loss" then
        logs[name] = tracked[name]
      end
    end
  else
    logs = self:get_metrics_result()
  end
  logs.batches = batches
  return logs
end

-- ---- loops -----------------------------------------------------------------------------------------------------

local function default_verbose(verbose)
  if verbose == nil or verbose == "auto" or verbose == true then
    return require("moonpod.core").is_terminal(1) and 1 or 2
  elseif verbose == false then
    return 0
  end
  return verbose
end

-- With "auto", executions grow until one takes about 20 ms, so that what is spent in Lua does not count.
local function grow(self, seconds, steps)
  local auto = self._state.auto_steps or 1
  if seconds < 0.02 and steps == auto and auto < 1024 then
    self._state.auto_steps = auto * 2
  end
end

local function steps_of_execution(self)
  local steps = self.steps_per_execution
  if steps == "auto" then
    return self._state.auto_steps or 1
  end
  return steps or 1
end

-- Whether there is another batch, and whether looking for it was interrupted.
local function look_ahead(iterator)
  local ok, result = pcall(iterator.has_next, iterator)
  if not ok and not errors.is_interrupt(result) then
    error(result, 0)
  end
  return ok and result, not ok
end

-- Runs the batches of one pass. `run` has: kind, source, iterator, limit (steps at most, nil: all), list (callbacks),
-- phase (name in the hooks), collect (function of results). Returns steps done, last results, and whether the data
-- ended.
local function run_pass(self, run)
  local clock = require("moonpod.core").clock
  local done, results, ended, interrupted = 0, nil, false, false
  local fn = step_function(self, run.kind, run.source.decoder)
  while not run.limit or done < run.limit do
    local want = run.kind == "predict" and 1 or steps_of_execution(self)
    if run.limit then
      want = math.min(want, run.limit - done)
    end
    local more
    more, interrupted = look_ahead(run.iterator)
    if not more then
      ended = not interrupted
      break
    end
    run.list:call("on_" .. run.phase .. "_batch_begin", done)
    local started, steps = clock(), 0
    -- An execution stops early where the next batch has another shape; it goes on with the program for that.
    repeat
      local some, report = fn:run_steps(want - steps, run.iterator)
      steps = steps + report.steps
      if report.steps > 0 then
        results = some
        if run.collect then
          run.collect(some)
        end
      end
      interrupted = report.interrupted
      if steps < want and not interrupted then
        more, interrupted = look_ahead(run.iterator)
      end
    until steps >= want or interrupted or not more
    if self.steps_per_execution == "auto" then
      grow(self, clock() - started, steps)
    end
    done = done + steps
    if steps > 0 then
      run.list:batch_end("on_" .. run.phase .. "_batch_end", done - 1, function()
        return run.kind == "predict" and { batches = steps } or read_logs(self, results, steps)
      end)
    end
    if interrupted then
      break
    end
    if run.kind == "train" and self._state.on_nan == "terminate" then
      not_finite.check(self, read_logs(self, results, steps), done - 1)
    end
    if self.stop_training and run.kind == "train" then
      break
    end
  end
  return done, results, ended, interrupted
end

local FIT = { epochs = true, verbose = true, callbacks = true, validation_split = true, validation_data = true,
  shuffle = true, class_weight = true, sample_weight = true, initial_epoch = true, steps_per_epoch = true,
  validation_steps = true, validation_batch_size = true, validation_freq = true, batch_size = true, x = true, y = true,
  memory_check = true }

-- fit(x, y, options), fit(dataset, options), fit(x, options): finds which is which.
local function read_data(name, allowed, x, y, options)
  if options == nil and type(y) == "table" and getmetatable(y) == nil and y[1] == nil and next(y) ~= nil then
    local is_options = true
    for key in pairs(y) do
      is_options = is_options and allowed[key] == true
    end
    if is_options or not nest.is_tensor(nest.first(y)) then
      y, options = nil, y
    end
  end
  options = options or {}
  errors.check_options(options, allowed, name)
  if x == nil then
    x = options.x
  end
  if y == nil then
    y = options.y
  end
  if x == nil then
    errors.raise("%s: the data is nil; give a dataset or tensors", name)
  end
  return x, y, options
end

local function check_count(name, options, key, low)
  local value = options[key]
  if value ~= nil and (type(value) ~= "number" or value < low or value % 1 ~= 0) then
    errors.raise("%s: '%s' must be a whole number from %d; got %s", name, key, low, errors.describe(value))
  end
end

local VERBOSE = { [0] = true, [1] = true, [2] = true, auto = true, [true] = true, [false] = true }

local function check_verbose(name, options)
  if options.verbose ~= nil and not VERBOSE[options.verbose] then
    errors.raise('%s: \'verbose\' must be 0, 1, 2 or "auto"; got %s', name, errors.describe(options.verbose))
  end
end

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

local function raise_no_batch(where, source, interrupted)
  if interrupted then
    errors.raise("interrupted before the first batch")
  end
  errors.raise("%s: the dataset gave no batch%s", where, source.empty_hint or "")
end

local function raise_interrupt(self, epoch, steps)
  self.stop_training = true
  errors.raise("interrupted after %d steps of epoch %d; the weights are those of the last step, and model.history "
    .. "holds the epochs done", steps, epoch + 1)
end

-- Returns a function that collects garbage, but for no more than a twentieth of the time between its calls: the
-- collector
-- does not see how much memory the small tensors and graphs of an epoch hold.
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

-- Trains. fit(dataset, options) or fit(x, y, options). Options as Keras': epochs (1), batch_size (32, for
-- tensors), verbose, callbacks, validation_data (a dataset or { x, y }), validation_split, shuffle, class_weight,
-- sample_weight, initial_epoch, steps_per_epoch, validation_steps, validation_batch_size, validation_freq, memory_check
-- (true: under the strategy of a chip, a step that surely does not fit its memory is refused before it runs). Returns
-- the history: history.history.loss[1] and so on.
function trainer:fit(x, y, options)
  check_compiled(self, "fit")
  local hunted, found = not_finite.hunt(self, x, y, options)
  if hunted then
    return found
  end
  x, y, options = read_data("fit", FIT, x, y, options)
  check_count("fit", options, "epochs", 1)
  check_count("fit", options, "batch_size", 1)
  check_count("fit", options, "steps_per_epoch", 1)
  check_count("fit", options, "validation_steps", 1)
  check_count("fit", options, "initial_epoch", 0)
  check_count("fit", options, "validation_batch_size", 1)
  check_verbose("fit", options)
  compiled.check_class_weight("fit", options.class_weight, options.sample_weight)
  trainable_flags.warn(self)
  fit_check.allow(self, options.memory_check)
  local epochs = options.epochs or 1
  local validation = options.validation_data
  if options.validation_split and options.validation_split > 0 and validation == nil then
    local parts
    parts, validation = feed.split(x, y, options.sample_weight, options.validation_split)
    x, y = parts[1], parts[2]
    options.sample_weight = parts[3]
  end
  local source = feed.open(x, y, {
    sample_weight = options.sample_weight,
    batch_size = options.batch_size or 32,
    shuffle = options.shuffle ~= false,
    class_weight = options.class_weight,
    strategy = self._strategy,
  })
  local per_epoch = options.steps_per_epoch
  source:check_end("fit", per_epoch, "steps_per_epoch")
  local evaluation
  if validation ~= nil then
    evaluation = feed.open_validation(validation, {
      batch_size = options.validation_batch_size or options.batch_size or 32,
      strategy = self._strategy,
    })
    evaluation:check_end("fit: validation_data", options.validation_steps, "validation_steps")
  end
  local steps = per_epoch or source.batches
  local history = callbacks.history()
  rawset(self, "history", history)
  local list = callbacks.list(options.callbacks, { model = self, epochs = epochs, steps = steps,
    verbose = default_verbose(options.verbose), history = history })
  self.stop_training = false
  list:call("on_train_begin", {})
  local iterator = source:iterator(options.initial_epoch, per_epoch)
  local logs = {}
  local collect = collector()
  local first_epoch = options.initial_epoch or 0
  for epoch = first_epoch, epochs - 1 do
    if per_epoch and epoch > first_epoch and not iterator:has_next() then
      iterator:rewind() -- the epoch before took the last batch
    end
    self:reset_metrics()
    list:call("on_epoch_begin", epoch, {})
    local done, results, ended, interrupted = run_pass(self, { kind = "train", phase = "train", source = source,
      iterator = iterator, limit = per_epoch, list = list })
    if done == 0 then
      raise_no_batch("fit", source, interrupted)
    end
    if ended and per_epoch and done < per_epoch then
      warnings.warn("%s", OUT_OF_DATA)
      self.stop_training = true
    end
    logs = read_logs(self, results)
    if evaluation and not interrupted and should_evaluate(options, epoch) then
      local values = self:evaluate_source(evaluation, options.validation_steps, list)
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

-- Evaluates a source with callbacks already made; returns values by name.
function trainer:evaluate_source(source, steps, list)
  self:reset_metrics()
  local iterator = source:iterator()
  local validation = setmetatable({ items = {} }, { __index = list })
  for _, one in ipairs(list.items) do
    if one.name ~= "progress" then
      validation.items[#validation.items + 1] = one
    end
  end
  validation:call("on_test_begin", {})
  local done, results, _, interrupted = run_pass(self, { kind = "test", phase = "test", source = source,
    iterator = iterator, limit = steps, list = validation })
  iterator:close()
  if done == 0 then
    raise_no_batch("evaluate", source, interrupted)
  end
  local logs = read_logs(self, results)
  logs.batches = nil
  validation:call("on_test_end", logs, done)
  if interrupted then
    errors.raise("interrupted after %d batches of evaluation", done)
  end
  return logs
end

local function metric_order(self, logs)
  local order, seen = {}, {}
  local function add(name)
    if logs[name] ~= nil and not seen[name] then
      seen[name] = true
      order[#order + 1] = name
    end
  end
  each_metric(self, add)
  for _, name in ipairs(callbacks.sorted_names(logs)) do
    add(name)
  end
  return order
end

-- The values in the order of model.metrics: one number where there is one, else a list; or by name.
local function give_results(self, logs, by_name)
  if by_name then
    return logs
  end
  local list = {}
  for i, name in ipairs(metric_order(self, logs)) do
    list[i] = logs[name]
  end
  return #list == 1 and list[1] or list
end

local EVALUATE = { batch_size = true, verbose = true, sample_weight = true, steps = true, callbacks = true,
  return_dict = true, x = true, y = true }

-- Evaluates. Options: batch_size, verbose, sample_weight, steps, callbacks, return_dict. Returns the loss, or a list
-- of loss and metrics, or a table by name with return_dict.
function trainer:evaluate(x, y, options)
  check_compiled(self, "evaluate")
  x, y, options = read_data("evaluate", EVALUATE, x, y, options)
  check_count("evaluate", options, "steps", 1)
  check_count("evaluate", options, "batch_size", 1)
  check_verbose("evaluate", options)
  local source = feed.open(x, y, { sample_weight = options.sample_weight, batch_size = options.batch_size or 32,
    strategy = self._strategy })
  source:check_end("evaluate", options.steps, "steps")
  local list = callbacks.list(options.callbacks, { model = self, steps = options.steps or source.batches,
    verbose = default_verbose(options.verbose) })
  self:reset_metrics()
  list:call("on_test_begin", {})
  local iterator = source:iterator()
  local done, results, _, interrupted = run_pass(self, { kind = "test", phase = "test", source = source,
    iterator = iterator, limit = options.steps, list = list })
  iterator:close()
  if done == 0 then
    raise_no_batch("evaluate", source, interrupted)
  end
  local logs = read_logs(self, results)
  logs.batches = nil
  list:call("on_test_end", logs, done)
  if interrupted then
    errors.raise("interrupted after %d batches of evaluation", done)
  end
  return give_results(self, logs, options.return_dict)
end

local PREDICT = { batch_size = true, verbose = true, steps = true, callbacks = true, x = true }

-- Predicts: the outputs for all rows, in the order of the input. Options: batch_size, verbose, steps, callbacks.
function trainer:predict(x, options)
  local _
  x, _, options = read_data("predict", PREDICT, x, nil, options)
  check_count("predict", options, "steps", 1)
  check_count("predict", options, "batch_size", 1)
  check_verbose("predict", options)
  local source = feed.open(x, nil, { batch_size = options.batch_size or 32, strategy = self._strategy,
    inputs_only = true })
  source:check_end("predict", options.steps, "steps")
  local list = callbacks.list(options.callbacks, { model = self, steps = options.steps or source.batches,
    verbose = default_verbose(options.verbose or 0) })
  list:call("on_predict_begin", {})
  local parts, structure = {}, nil
  local iterator = source:iterator()
  local done, _, _, interrupted = run_pass(self, { kind = "predict", phase = "predict", source = source,
    iterator = iterator, limit = options.steps, list = list, collect = function(results)
      structure = results
      for i, t in ipairs(nest.flatten(results)) do
        parts[i] = parts[i] or {}
        parts[i][#parts[i] + 1] = t
      end
    end })
  iterator:close()
  list:call("on_predict_end", {}, done)
  if done == 0 then
    raise_no_batch("predict", source, interrupted)
  elseif interrupted then
    errors.raise("interrupted after %d batches of prediction", done)
  end
  local joined = {}
  for i, list_of in ipairs(parts) do
    joined[i] = #list_of == 1 and list_of[1] or ops.concat(list_of, 0)
  end
  return nest.pack(structure, joined)
end

-- Runs one step of a kind on tensors given directly.
local function one_batch(self, kind, x, y, sample_weight, class_weight)
  local leaves, decoder = feed.batch(x, y, sample_weight, class_weight)
  return step_function(self, kind, decoder)(unpack(leaves))
end

local ON_BATCH = { sample_weight = true, class_weight = true, return_dict = true }

-- Trains on one batch; metrics are those of this batch. Options: sample_weight, class_weight, return_dict.
function trainer:train_on_batch(x, y, options)
  check_compiled(self, "train_on_batch")
  options = options or {}
  errors.check_options(options, ON_BATCH, "train_on_batch")
  compiled.check_class_weight("train_on_batch", options.class_weight, options.sample_weight)
  trainable_flags.warn(self)
  self:reset_metrics()
  local results = one_batch(self, "train", x, y, options.sample_weight, options.class_weight)
  local logs = read_logs(self, results)
  logs.batches = nil
  return give_results(self, logs, options.return_dict)
end

-- Evaluates one batch. Options: sample_weight, return_dict.
function trainer:test_on_batch(x, y, options)
  check_compiled(self, "test_on_batch")
  options = options or {}
  errors.check_options(options, { sample_weight = true, return_dict = true }, "test_on_batch")
  self:reset_metrics()
  local results = one_batch(self, "test", x, y, options.sample_weight)
  local logs = read_logs(self, results)
  logs.batches = nil
  return give_results(self, logs, options.return_dict)
end

-- The outputs for one batch.
function trainer:predict_on_batch(x)
  return one_batch(self, "predict", x)
end

return trainer
