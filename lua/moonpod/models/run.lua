-- run - a training that goes on in slices of time, while a script or the prompt does other things: what fit returns
-- with the option `background`.
--
-- There is one thread of Lua, so a run goes on where it is given time, in a coroutine of its own: by a prompt while it
-- waits for keys, by wait(), step(), done() and progress(); one that is stepped only by step() and wait(). It yields
-- between two slices, be it within a step, where the engine stands between two phases of the program.

local around = require "moonpod.base.around"
local coroutines = require "moonpod.base.coroutines"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local core = require "moonpod.core"
local random_state = require "moonpod.func.random_state"
local device = require "moonpod.tensor.device"
local metric_logs = require "moonpod.models.metric_logs"
local pause = require "moonpod.models.pause"
local progress_text = require "moonpod.models.progress_text"
local snapshots = require "moonpod.models.snapshots"
local step_functions = require "moonpod.models.step_functions"
local tables = require "moonpod.base.tables"
local is_whole = require "moonpod.base.kinds".is_whole

local run = {}

local methods = {}
local Run = { __name = "moonpod.run", __index = methods }

local unpack = table.unpack or unpack -- luacheck: ignore

-- Seconds that done() and progress() give a run, and that runs which share the threads get in turn.
local GLANCE, TURN = 0.01, 0.02
-- Seconds between two looks at the metrics within an epoch.
local LOOK = 0.25

-- Runs of the background that are not over, in the order in which they began, and the run that is in its coroutine.
local going, current = {}, nil

local EVENTS = { epoch = true, batch = true, ["end"] = true, error = true }

local OVER = { done = true, stopped = true, failed = true }

function Run.__tostring(self)
  return ("<run of model '%s': %s>"):format(self.model.name, progress_text.of(self))
end

-- ---- hooks ----

local function tell(self, event)
  for _, fn in ipairs(self._hooks[event] or {}) do
    errors.calling(fn, self, self.logs)
  end
end

-- The callback that keeps what a run shows, and calls its hooks.
local function watcher(self)
  local looked = core.clock()
  return {
    name = "run",
    on_train_batch_end_lazy = function(_, _, logs)
      local now = core.clock()
      if self._hooks.batch or now - looked >= LOOK then
        looked, self.logs = now, logs()
        self.logs.batches = nil
        tell(self, "batch")
      end
    end,
    on_epoch_end = function(_, _, logs)
      self.logs = logs
      tell(self, "epoch")
    end,
  }
end

-- ---- the coroutine ----

-- Ends the run: nothing of it stays open.
local function close(self, state, message)
  tables.remove(going, self)
  self.state, self.error = state, message
  if self._pause.execution then
    self._pause.execution:abandon()
  end
  local training = self._training
  for _, iterator in ipairs { training.iterator, training.evaluation_iterator } do
    iterator:close()
  end
  local ok, failure = pcall(training.list.close, training.list, state == "done")
  if not ok and state == "done" then
    self.state, self.error = "failed", failure
  end
  random_state.join(self._random)
  local told, hook_failure = pcall(tell, self, self.state == "failed" and "error" or "end")
  if not told and not self.error then
    self.state, self.error = "failed", hook_failure
  end
end

local function settle(self, ok, result)
  if not ok and errors.is_interrupt(result) then
    close(self, "stopped", (self.location and self.location .. ": " or "") .. self._training:interrupted())
  elseif not ok then
    close(self, "failed", tostring(result))
  elseif coroutines.status(self._thread) == "dead" then
    close(self, self._training.halted and "stopped" or "done")
  end
end

-- Calls fn(...) where the random numbers are the run's own.
local function with_own_random(self, fn, ...)
  random_state.prepare_exchange(self._random)
  return around(function()
    random_state.exchange(self._random)
    self._draws = true
    self._snapshots:enter()
  end, function()
    if self._draws then
      self._draws = false
      self._snapshots:leave()
      random_state.exchange(self._random)
    end
  end, fn, ...)
end

-- Lets the run go on for so many seconds; nil: to its end.
local function advance(self, seconds)
  local began, outer, place = core.clock(), current, errors.elsewhere
  self._until, self._is_new = seconds and began + seconds, seconds ~= 0
  local results = { with_own_random(self, around, function()
    current, errors.elsewhere = self, self.location
  end, function()
    current, errors.elsewhere = outer, place
  end, coroutines.resume, self._thread) }
  self._used = self._used + core.clock() - began
  settle(self, results[1], results[2])
end

-- Gives the runs of the background so many seconds; those that had less time go first. Returns whether any goes on.
function run.pump(seconds)
  local least
  for _, one in ipairs(going) do
    if one.state == "going" and one ~= current and (not least or one._used < least._used) then
      least = one
    end
  end
  if least then
    advance(least, seconds)
  end
  return least ~= nil
end

-- Runs of the background that are not over.
function run.list()
  return { unpack(going) }
end

-- Where a run is, without giving it time: see progress().
run.progress_of = progress_text.table_of

-- Ends a run as Ctrl-C does: the step that is under way is given up unless it ends at once.
function run.interrupt(self)
  if not OVER[self.state] and self ~= current then
    self.state = "going"
    device.context():interrupt()
    advance(self, nil)
    device.context():clear_interrupt()
  end
end

-- Whether a value is a run.
run.is_run = declare.is(Run)

-- The run of a model that is not over, nil where there is none.
function run.of(model)
  local found = model._state.run
  return found and not OVER[found.state] and found or nil
end

-- Calls fn(...), which computes with the metrics of a model. Where a run trains it, they are what they were behind.
function run.beside(model, fn, ...)
  local found = run.of(model)
  if not found or found == current then
    return fn(...)
  end
  if found._pause.execution then
    found._pause.execution:finish()
  end
  return around(nil, metric_logs.remember(model), fn, ...)
end

-- Begins a run. training: see training_run.lua; train: a function that trains to the end, in slices where it has
-- training.pause. Returns behind what comes before the first step: it is traced and compiled.
function run.begin(training, train, is_stepped)
  local self = setmetatable({ model = training.model, state = "going", history = training.list.history,
    logs = {}, location = errors.location(), is_stepped = is_stepped, _training = training, _hooks = {}, _used = 0,
    _began = core.clock() }, Run)
  for _, one in ipairs(going) do -- who comes last waits for nobody, and lets nobody wait
    self._used = math.max(self._used, one._used)
  end
  self._pause, self._snapshots, self._train = pause.new(self), snapshots.new(training), train
  self._random, self._draws = random_state.branch(), false
  training.pause, training.list.rest = self._pause, self._pause.rest
  training.list:add(watcher(self))
  self._thread = coroutines.new(train)
  training.model._state.run = self
  if not is_stepped then
    going[#going + 1] = self
  end
  advance(self, 0)
  if self.error then
    error(self.error, 0)
  end
  return self
end

-- ---- methods ----

local function check_outside(self, what)
  if current == self then
    errors.raise("run:%s cannot be called from what the run itself calls", what)
  end
end

local function raise_failure(self)
  if self.error then
    error(self.error, 0)
  end
end

--- Whether the run is over. Gives a run of the background a little time.
---@return boolean
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- repeat run:step() until run:done()
--- ```
function methods:done()
  if not self.is_stepped and current == nil and not OVER[self.state] then
    run.pump(GLANCE)
  end
  return OVER[self.state] == true
end

--- Where the run is: a table that prints as a line. Gives a run of the background a little time.
---@return table { state =, epoch = (from 1), epochs =, step = (done in this epoch), steps = (nil: not known),
--- seconds =, logs = }
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- assert(run:progress().epochs == 1)
--- ```
function methods:progress()
  self:done()
  return progress_text.table_of(self)
end

--- Waits until the run is over, while others go on beside it, and raises why it failed. A run that pauses goes on.
---@return table the history, as fit's
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- assert(#run:wait().history.loss == 1)
--- ```
function methods:wait()
  check_outside(self, "wait")
  if self.state == "paused" then
    self.state = "going"
  end
  while self.state == "going" do
    if self.is_stepped or #going == 1 then
      advance(self, nil)
    else
      run.pump(TURN)
    end
  end
  raise_failure(self)
  return self.history
end

--- Goes on for so many milliseconds, also within a long step, and returns: for loops that have frames to draw. It takes
--- longer by what is under way then and cannot be divided: a phase of a program, a callback, the next batch of data.
---@param options.ms number (default 4)
---@return boolean whether there is more to do
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- repeat until not run:step { ms = 4 }
--- ```
function methods:step(options)
  options = errors.check_options(options, { ms = "number" }, "run:step")
  check_outside(self, "step")
  if self.state == "going" then
    advance(self, (options.ms or 4) / 1000)
  end
  raise_failure(self)
  return not OVER[self.state]
end

--- Compiles what is not compiled yet when fit returns: the step of the validation. So no frame waits for it.
---@return run
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local x, y = pod.ones { 8, 2 }, pod.ones { 8, 1 }
--- local run = model:fit(x, y, { background = "stepped", verbose = 0, validation_data = { x, y } })
--- run:prepare():wait()
--- ```
function methods:prepare()
  local evaluation = not OVER[self.state] and self._training.evaluation
  if evaluation then
    local iterator = evaluation:iterator()
    around(nil, function()
      iterator:close()
    end, step_functions.trace, self.model, "test", evaluation.decoder, iterator)
  end
  return self
end

--- Lets the run rest, the step that is under way unfinished, until resume() or wait().
---@return run
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- run:pause()
--- assert(run.state == "paused")
--- run:wait()
--- ```
function methods:pause()
  if self.state == "going" then
    self.state = "paused"
  end
  return self
end

--- Lets a run that rests go on.
---@return run
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- run:pause():resume():wait()
--- ```
function methods:resume()
  if self.state == "paused" then
    self.state = "going"
  end
  return self
end

--- Ends the run behind the step that is under way. Weights and history stay; what a callback does at the end of a
--- training is done.
---@return table the history
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- run:stop()
--- assert(run:done())
--- ```
function methods:stop()
  if OVER[self.state] then
    return self.history
  end
  self._training.halted = true
  if current == self then
    return self.history
  end
  self.state = "going"
  if self._pause.execution then
    self._pause.execution:finish()
  end
  advance(self, nil)
  raise_failure(self)
  return self.history
end

--- Goes so many steps back, and rests there: weights, the optimizer, random numbers, metrics, the history and the place
--- in the data are what they were, to the bit. From there it goes on by resume(), wait() or step(), maybe with another
--- learning rate. Between the snapshots that a run takes of itself steps are done again, and callbacks called again.
---@param steps integer at least 1
---@return run
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local options = { background = "stepped", verbose = 0, batch_size = 8, epochs = 2000 }
--- local run = model:fit(pod.ones { 64, 2 }, pod.ones { 64, 1 }, options)
--- repeat run:step() until run:progress().step >= 4
--- run:back(3)
--- run:stop()
--- ```
function methods:back(steps)
  check_outside(self, "back")
  if not is_whole(steps, 1) then
    errors.raise("run:back: the steps are a whole number from 1; got %s", errors.describe(steps))
  elseif OVER[self.state] then
    errors.raise("run:back: the run is over (%s); pause it before it ends", self.state)
  end
  if self._pause.execution then -- which ends, so that all its steps are counted
    self._pause.execution:finish()
    self._training.back_to = 0
    self.state = "going"
    advance(self, nil)
  end
  raise_failure(self)
  local training = self._training
  local total = training.total
  local from = self._snapshots:before(total - steps)
  if not from then
    local first = self._snapshots.list[1]
    errors.raise("run:back: %s", not first and (self._snapshots.reason or "the first step was not done yet")
      or ("the run can go back by %d steps at most"):format(total - first.total))
  end
  if training.evaluation_iterator then
    training.evaluation_iterator:close()
    training.evaluation_iterator = nil
  end
  with_own_random(self, self._snapshots.restore, self._snapshots, from)
  training.goes_back, training.back_to = true, total - steps
  self._thread = coroutines.new(function()
    return self._train(true)
  end)
  self.state = "going"
  advance(self, nil)
  raise_failure(self)
  self.logs, self.state = training.logs or {}, "paused"
  return self
end

--- Calls a function when something happens: fn(run, logs).
---@param event string "epoch" (an epoch has ended), "batch" (an execution, of one or several batches, has ended), "end"
--- (the run is over) or "error" (it has failed: run.error says why)
---@param fn function
---@return run
--- ```lua
--- local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
--- model:compile { optimizer = "sgd", loss = "mse" }
--- local run = model:fit(pod.ones { 8, 2 }, pod.ones { 8, 1 }, { background = "stepped", verbose = 0 })
--- run:on("epoch", function(_, logs) assert(logs.loss >= 0) end):wait()
--- ```
function methods:on(event, fn)
  errors.find(EVENTS, event, "event", "run:on")
  self._hooks[event] = self._hooks[event] or {}
  table.insert(self._hooks[event], fn)
  return self
end

declare.methods("run", methods, run.is_run, { ["event:string fn"] = "on", ["steps:number"] = "back" })
declare.metamethods("run", Run)

return run
