-- loops - runs steps over data, several in each execution.

local errors = require "moonpod.base.errors"
local metric_logs = require "moonpod.models.metric_logs"
local not_finite = require "moonpod.models.not_finite"
local span = require "moonpod.tensor.span"
local step_functions = require "moonpod.models.step_functions"

local loops = {}

-- With "auto", executions grow until one takes about 20 ms, so that what is spent in Lua does not count.
local function grow(self, seconds, steps)
  local auto = self._state.auto_steps or 1
  if seconds < 0.02 and steps == auto and auto < 1024 then
    self._state.auto_steps = auto * 2
  end
end

-- How many steps run at once: what compile was given, or what "auto" has come to.
function loops.steps_of_execution(self)
  local steps = self.steps_per_execution
  if steps == "auto" then
    return self._state.auto_steps or 1
  end
  return steps or 1
end

-- Whether there is another batch, and whether looking for it was interrupted.
local function look_ahead(run)
  local ok, result = true, nil
  if run.pause then
    ok, result = run.pause.ready(run.iterator)
  end
  if ok then
    ok, result = pcall(run.iterator.has_next, run.iterator)
  end
  if not ok and not errors.is_interrupt(result) then
    error(result, 0)
  end
  return ok and result, not ok
end

-- Runs an execution of `want` steps at most: it stops early where the next batch has another shape, and goes on with
-- the program for that. Returns steps, last results, and whether it was interrupted.
local function execute(fn, run, want)
  local pause = run.pause and { pause = run.pause } or nil
  local steps, more = 0, true
  local results, interrupted
  repeat
    local count = want - steps
    if pause then
      run.pause.done = steps
      count = math.min(count, run.pause.batches or count)
    end
    local some, report = fn:run_steps(count, run.iterator, pause)
    steps = steps + report.steps
    if report.steps > 0 then
      results = some
      if run.collect then
        run.collect(some)
      end
    end
    interrupted = report.interrupted
    if steps < want and not interrupted then
      more, interrupted = look_ahead(run)
    end
  until steps >= want or interrupted or not more or run.training and run.training.halted
  return steps, results, interrupted
end

local function run_batches(self, run)
  local clock = require("moonpod.core").clock
  local training = run.training
  local done, results, ended, interrupted = training and training.steps or 0, nil, false, false
  local fn = step_functions.find(self, run.kind, run.source.decoder)
  if done > 0 and self.stop_training then -- the run that this one goes on from was told so
    return done
  end
  while not run.limit or done < run.limit do
    local want = run.kind == "predict" and 1 or loops.steps_of_execution(self)
    if run.limit then
      want = math.min(want, run.limit - done)
    end
    if training and run.pause then
      want = run.pause.pass(want)
    end
    local more
    more, interrupted = look_ahead(run)
    if not more then
      ended = not interrupted
      break
    end
    run.list:call("on_" .. run.phase .. "_batch_begin", done)
    local started = clock()
    local steps, some
    steps, some, interrupted = execute(fn, run, want)
    if steps > 0 then
      results = some
    end
    if self.steps_per_execution == "auto" then
      grow(self, clock() - started, steps)
    end
    done = done + steps
    if training then
      training.steps, training.total = done, training.total + steps
      run.list:set_batches_seen(run.list.batches_seen + steps)
    end
    if steps > 0 then
      run.list:batch_end("on_" .. run.phase .. "_batch_end", done - 1, function()
        return run.kind == "predict" and { batches = steps } or metric_logs.read(self, results, steps)
      end)
    end
    if interrupted then
      break
    end
    if run.kind == "train" and self._state.on_nan == "terminate" then
      not_finite.check(self, metric_logs.read(self, results, steps), done - 1)
    end
    if run.kind == "train" and (self.stop_training or training and training.halted) then
      break
    end
  end
  return done, results, ended, interrupted
end

-- Runs the batches of one pass. `run` has: kind, source, iterator, limit (steps at most, nil: all), list (callbacks),
-- phase (name in the hooks), collect (function of results), training (the run of fit, which goes on from its `steps`),
-- pause (for steps in slices of time: see Func.run_steps(); what yields may have no pcall around it in Lua 5.1).
-- Returns steps done, last results, whether the data ended, and whether it was interrupted.
function loops.run(self, run)
  if run.pause then
    return run_batches(self, run)
  end
  local strategy = self._strategy
  if strategy and strategy.num_replicas_in_sync > 1 then -- profiles read the numbers: see profiler/pod_view.lua
    local name = ("%d replicas on %d hosts"):format(strategy.num_replicas_in_sync, strategy.num_hosts or 1)
    return span.enclose("host", run.kind .. " loop", span.enclose, "host", name, run_batches, self, run)
  end
  return span.enclose("host", run.kind .. " loop", run_batches, self, run)
end

return loops
