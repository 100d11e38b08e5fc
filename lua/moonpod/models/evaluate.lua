-- evaluate - evaluates and predicts.

local around = require "moonpod.base.around"
local errors = require "moonpod.base.errors"
local callback_list = require "moonpod.models.callback_list"
local feed = require "moonpod.models.feed"
local loops = require "moonpod.models.loops"
local metric_logs = require "moonpod.models.metric_logs"
local arguments = require "moonpod.models.training_arguments"
local ops = require "moonpod.ops"
local nest = require "moonpod.tensor.nest"

local methods = {}

-- Runs fn(iterator) with an iterator over a source that is closed behind it, whatever ends it.
local function with_iterator(source, fn)
  local iterator = source:iterator()
  return around(nil, function()
    iterator:close()
  end, fn, iterator)
end

-- A pass in slices, of a training that closes the iterator whatever ends it.
local function with_iterator_of(training, fn)
  training.evaluation_iterator = training.evaluation:iterator()
  local done, results, ended, interrupted = fn(training.evaluation_iterator)
  training.evaluation_iterator:close()
  training.evaluation_iterator = nil
  training.pause.rest()
  return done, results, ended, interrupted
end

-- Refuses a pass that was interrupted, or had no batch.
local function check_done(name, what, source, done, interrupted)
  if interrupted and done > 0 then
    errors.raise("interrupted after %d batches of %s", done, what)
  elseif done == 0 then
    arguments.raise_no_batch(name, source, interrupted)
  end
end

-- A pass over a source's batches with callbacks; returns values by name.
local function run_test(self, source, steps, list, training)
  list:call("on_test_begin", {})
  local pause = training and training.pause
  local done, results, _, interrupted = (pause and with_iterator_of or with_iterator)(pause and training or source,
    function(iterator)
      return loops.run(self, { kind = "test", phase = "test", source = source, iterator = iterator, limit = steps,
        list = list, pause = pause })
    end)
  check_done("evaluate", "evaluation", source, done, interrupted)
  local logs = metric_logs.read(self, results)
  logs.batches = nil
  list:call("on_test_end", logs, done)
  return logs
end

-- Evaluates a source with callbacks already made: at most `steps` batches, nil for all; `training` is the one whose
-- validation it is, or nil. Returns values by name.
function methods:_evaluate_source(source, steps, list, training)
  self:reset_metrics()
  return run_test(self, source, steps, list, training)
end

-- Opens what evaluate or predict goes through, and makes its callbacks.
local function open(self, name, x, y, options, verbose)
  local source = feed.open(x, y, { sample_weight = options.sample_weight, batch_size = options.batch_size or 32,
    strategy = self._strategy, inputs_only = name == "predict" or nil })
  source:check_end(name, options.steps, "steps")
  return source, callback_list.new(options.callbacks, { model = self, steps = options.steps or source.batches,
    verbose = arguments.verbose_of(verbose) })
end

-- Runs fn with a list of callbacks that closes what it holds behind it, whatever ends it.
local function with_list(list, fn)
  return around(nil, function(ok)
    list:close(ok)
  end, fn)
end

-- Calls fn(...) beside the run in the background that trains a model, where one does.
local function beside_run(self, fn, ...)
  if self._state.run then
    return require("moonpod.models.run").beside(self, fn, ...)
  end
  return fn(...)
end

local EVALUATE = { batch_size = 1, verbose = true, sample_weight = true, steps = 1, callbacks = true,
  return_dict = true, x = true, y = true }

--- Evaluates: the mean loss and the metrics over all rows. `evaluate(x, y, options)` or `evaluate(dataset, options)`.
---@param x tensor|table|dataset what the model gets
---@param y? tensor|table what it should give
---@param options.x any what the model gets, by name
---@param options.y any what it should give, by name
---@param options.batch_size integer rows of a global batch, for tensors (default 32)
---@param options.verbose 0|1|2|"auto" as `fit` has it
---@param options.sample_weight tensor how much each row counts: `(rows)`
---@param options.steps integer batches (default: all there are)
---@param options.callbacks callback[] what watches it
---@param options.return_dict boolean whether a table by name is returned
---@return number|table the loss; a list of loss and metrics where there are metrics; a table by name with `return_dict`
---@error the model is not compiled; shapes do not fit
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 }, kernel_initializer = "zeros" }) }
--- model:compile { loss = "mse" }
--- assert(model:evaluate(pod.ones { 4, 2 }, pod.ones { 4, 1 }, { verbose = 0 }) == 1)
--- ```
function methods:evaluate(x, y, options)
  arguments.check_compiled(self, "evaluate")
  x, y, options = arguments.read("evaluate", EVALUATE, x, y, options)
  local source, list = open(self, "evaluate", x, y, options, options.verbose)
  return metric_logs.results(self, beside_run(self, with_list, list, function()
    return self:_evaluate_source(source, options.steps, list)
  end), options.return_dict)
end

local PREDICT = { batch_size = 1, verbose = true, steps = 1, callbacks = true, x = true }

-- The outputs of all batches of a source: a list for each leaf, and the structure of one.
local function collect(self, source, steps, list)
  list:call("on_predict_begin", {})
  local parts, structure = {}, nil
  local done, _, _, interrupted = with_iterator(source, function(iterator)
    return loops.run(self, { kind = "predict", phase = "predict", source = source, iterator = iterator,
      limit = steps, list = list, collect = function(results)
        structure = results
        for i, t in ipairs(nest.flatten(results)) do
          parts[i] = parts[i] or {}
          parts[i][#parts[i] + 1] = t
        end
      end })
  end)
  check_done("predict", "prediction", source, done, interrupted)
  list:call("on_predict_end", {}, done)
  return parts, structure
end

--- Predicts: the outputs for all rows, in the order of the input.
---@param x tensor|table|dataset what the model gets
---@param options.x any the same, by name
---@param options.batch_size integer rows of a batch, for tensors (default 32)
---@param options.verbose 0|1|2|"auto" as `fit` has it
---@param options.steps integer batches (default: all there are)
---@param options.callbacks callback[] what watches it
---@return tensor|table the outputs `(rows, ...)`, nested as the model's are
---@example pod.models.sequential({ pod.layers.dense(3) }):predict(pod.ones { 4, 2 }, { verbose = 0 }).shape --> (4, 3)
function methods:predict(x, options)
  local _
  x, _, options = arguments.read("predict", PREDICT, x, nil, options)
  local source, list = open(self, "predict", x, nil, options, options.verbose or 0)
  local parts, structure = with_list(list, function()
    return collect(self, source, options.steps, list)
  end)
  local joined = {}
  for i, list_of in ipairs(parts) do
    joined[i] = #list_of == 1 and list_of[1] or ops.concat(list_of, 0)
  end
  return nest.pack(structure, joined)
end

return methods
