-- evaluate - evaluates and predicts.

local errors = require "moonpod.base.errors"
local callbacks = require "moonpod.models.callbacks"
local feed = require "moonpod.models.feed"
local loops = require "moonpod.models.loops"
local metric_logs = require "moonpod.models.metric_logs"
local arguments = require "moonpod.models.training_arguments"
local ops = require "moonpod.ops"
local nest = require "moonpod.tensor.nest"

local methods = {}

-- A pass over a source's batches with callbacks; returns values by name.
local function run_test(self, source, steps, list)
  list:call("on_test_begin", {})
  local iterator = source:iterator()
  local done, results, _, interrupted = loops.run(self, { kind = "test", phase = "test", source = source,
    iterator = iterator, limit = steps, list = list })
  iterator:close()
  if done == 0 then
    arguments.raise_no_batch("evaluate", source, interrupted)
  end
  local logs = metric_logs.read(self, results)
  logs.batches = nil
  list:call("on_test_end", logs, done)
  if interrupted then
    errors.raise("interrupted after %d batches of evaluation", done)
  end
  return logs
end

-- Evaluates a source with callbacks already made; returns values by name.
function methods:evaluate_source(source, steps, list)
  self:reset_metrics()
  local validation = setmetatable({ items = {} }, { __index = list })
  for _, one in ipairs(list.items) do
    if one.name ~= "progress" then
      validation.items[#validation.items + 1] = one
    end
  end
  return run_test(self, source, steps, validation)
end

local EVALUATE = { batch_size = true, verbose = true, sample_weight = true, steps = true, callbacks = true,
  return_dict = true, x = true, y = true }

-- Evaluates. Options: batch_size, verbose, sample_weight, steps, callbacks, return_dict. Returns the loss, or a list
-- of loss and metrics, or a table by name with return_dict.
function methods:evaluate(x, y, options)
  arguments.check_compiled(self, "evaluate")
  x, y, options = arguments.read("evaluate", EVALUATE, x, y, options)
  arguments.check_count("evaluate", options, "steps", 1)
  arguments.check_count("evaluate", options, "batch_size", 1)
  arguments.check_verbose("evaluate", options)
  local source = feed.open(x, y, { sample_weight = options.sample_weight, batch_size = options.batch_size or 32,
    strategy = self._strategy })
  source:check_end("evaluate", options.steps, "steps")
  local list = callbacks.list(options.callbacks, { model = self, steps = options.steps or source.batches,
    verbose = arguments.verbose_of(options.verbose) })
  self:reset_metrics()
  return metric_logs.results(self, run_test(self, source, options.steps, list), options.return_dict)
end

local PREDICT = { batch_size = true, verbose = true, steps = true, callbacks = true, x = true }

-- Predicts: the outputs for all rows, in the order of the input. Options: batch_size, verbose, steps, callbacks.
function methods:predict(x, options)
  local _
  x, _, options = arguments.read("predict", PREDICT, x, nil, options)
  arguments.check_count("predict", options, "steps", 1)
  arguments.check_count("predict", options, "batch_size", 1)
  arguments.check_verbose("predict", options)
  local source = feed.open(x, nil, { batch_size = options.batch_size or 32, strategy = self._strategy,
    inputs_only = true })
  source:check_end("predict", options.steps, "steps")
  local list = callbacks.list(options.callbacks, { model = self, steps = options.steps or source.batches,
    verbose = arguments.verbose_of(options.verbose or 0) })
  list:call("on_predict_begin", {})
  local parts, structure = {}, nil
  local iterator = source:iterator()
  local done, _, _, interrupted = loops.run(self, { kind = "predict", phase = "predict", source = source,
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
    arguments.raise_no_batch("predict", source, interrupted)
  elseif interrupted then
    errors.raise("interrupted after %d batches of prediction", done)
  end
  local joined = {}
  for i, list_of in ipairs(parts) do
    joined[i] = #list_of == 1 and list_of[1] or ops.concat(list_of, 0)
  end
  return nest.pack(structure, joined)
end

return methods
