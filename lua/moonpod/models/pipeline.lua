-- pipeline - models whose layers are on several cores, one stage behind the other: parts of a batch follow each other
-- through the stages, by the schedules of GPipe and 1F1B.
--
-- Stages run one after the other here. Their times are laid side by side, as cores of their own would have them: a task
-- begins when its stage is free and what it reads is there.

local around = require "moonpod.base.around"
local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local func = require "moonpod.func"
local losses = require "moonpod.losses"
local ops = require "moonpod.ops"
local optimizers = require "moonpod.optimizers"
local random = require "moonpod.func.random"
local random_state = require "moonpod.func.random_state"
local strategies = require "moonpod.func.strategies"
local sequential = require "moonpod.models.sequential"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"
local tape = require "moonpod.func.tape"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local is_whole = require "moonpod.base.kinds".is_whole

local pipeline = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local Pipeline = { __name = "moonpod.pipeline" }
Pipeline.__index = Pipeline

function Pipeline.__tostring(self)
  return ("<pipeline of %d stages, %d microbatches, %s>"):format(#self.stages, self.microbatches, self.schedule)
end

pipeline.is = declare.is(Pipeline)

-- ---- schedules -------------------------------------------------------------------------------------------------

-- The tasks of stage s of p in their order: { microbatch =, backward = }.
local SCHEDULES = {
  gpipe = function(_, _, m)
    local list = {}
    for k = 1, 2 * m do
      list[k] = { microbatch = k > m and k - m or k, backward = k > m }
    end
    return list
  end,
  ["1f1b"] = function(s, p, m)
    local list, warm = {}, math.min(m, p - s)
    for k = 1, m + warm do
      if k <= m then
        list[#list + 1] = { microbatch = k, backward = false }
      end
      if k > warm then
        list[#list + 1] = { microbatch = k - warm, backward = true }
      end
    end
    return list
  end,
}

-- When what a task reads is there; nil: not yet. `ends` has when tasks have ended, by direction, stage, microbatch.
local function ready_at(ends, s, p, task)
  local k = task.microbatch
  if not task.backward then
    return s == 1 and 0 or ends[false][s - 1][k]
  end
  return s == p and ends[false][s][k] or s < p and ends[true][s + 1][k] or nil
end

-- Does all tasks of p stages, each as early as it may be: run(s, task) does one, and returns how long that takes.
-- Returns when all have ended, how long each stage was busy, the most microbatches that each held, and the tasks.
local function play(schedule, p, m, run)
  local lists, at, free, busy, held, most, done = {}, {}, {}, {}, {}, {}, {}
  local ends = { [true] = {}, [false] = {} }
  for s = 1, p do
    lists[s], at[s], free[s], busy[s], held[s], most[s] = schedule(s, p, m), 1, 0, 0, 0, 0
    ends[true][s], ends[false][s] = {}, {}
  end
  for _ = 1, 2 * m * p do
    local best, begins
    for s = 1, p do
      local task = lists[s][at[s]]
      local ready = task and ready_at(ends, s, p, task)
      if ready and (not best or math.max(ready, free[s]) < begins) then
        best, begins = s, math.max(ready, free[s])
      end
    end
    local task = lists[best][at[best]]
    local seconds = run(best, task)
    at[best], free[best] = at[best] + 1, begins + seconds
    busy[best] = busy[best] + seconds
    ends[task.backward][best][task.microbatch] = free[best]
    held[best] = held[best] + (task.backward and -1 or 1)
    most[best] = math.max(most[best], held[best])
    done[#done + 1] = { stage = best, microbatch = task.microbatch, backward = task.backward, start = begins,
      seconds = seconds }
  end
  return math.max(unpack(free)), busy, most, done
end

-- The share of time that stages wait.
local function share_waited(whole, busy)
  local sum = 0
  for _, seconds in ipairs(busy) do
    sum = sum + seconds
  end
  return 1 - sum / (#busy * whole)
end

-- ---- what stages compute ---------------------------------------------------------------------------------------

local function call(stage, x)
  return stage(x, { training = true })
end

-- Notes whether a stage draws random numbers, and what it keeps of batches, such as moving means.
local function note_effects(self, s)
  self._draws[s], self._keeps[s] = false, {}
  for _, concrete in ipairs(self._forward[s].list) do
    self._draws[s] = self._draws[s] or concrete.trace.uses_random or false
    for _, assigned in ipairs(concrete.trace.assigned) do
      if assigned ~= random_state.now.generator then
        table.insert(self._keeps[s], assigned)
      end
    end
  end
end

-- Calls a stage again for its gradients: what it keeps of batches stays as the first call has left it.
local function call_again(self, s, x)
  local kept = tables.map(self._keeps[s], function(one) return one:value() end)
  local y = call(self.stages[s], x)
  for i, one in ipairs(self._keeps[s]) do
    one:assign(kept[i], { aggregated = true })
  end
  return y
end

-- Calls fn(...), which draws from a state of the random numbers on; they go on as if it had not.
local function drawing_from(state, fn, ...)
  local generator, present = random.generator(), random_state.generator_value()
  generator:assign(state, { aggregated = true })
  return around(nil, function()
    generator:assign(present, { aggregated = true })
  end, fn, ...)
end

-- The gradients of a stage, each added to what is there: of its input first, where it is asked for, which is its own.
local function add_gradients(self, s, recorded, target, x, sums, options)
  local sources = tables.join(s > 1 and { x } or {}, self._weights[s])
  options.unconnected_gradients = "zero"
  local found = recorded:gradient(target, sources, options)
  for i, sum in ipairs(sums) do
    local place = s > 1 and i + 1 or i
    found[place] = found[place] + sum
  end
  return found
end

-- backward(x, g, sums ...): of the last stage g are the targets, and the loss comes first.
local function backward_of(self, s)
  local last = s == #self.stages
  return func.new(function(x, g, ...)
    local sums = { ... }
    local recorded, y = tape.new(function(t)
      if s > 1 then
        t:watch(x)
      end
      local made = call_again(self, s, x)
      return last and self.loss(g, made) / self.microbatches or made
    end)
    if not last then
      return unpack(add_gradients(self, s, recorded, y, x, sums, { output_gradients = g }))
    end
    return y, unpack(add_gradients(self, s, recorded, y, x, sums, {}))
  end, { name = "stage_" .. s .. "_backward" })
end

local function prepare(self)
  self._forward, self._backward, self._weights, self._draws, self._keeps = {}, {}, {}, {}, {}
  for s, stage in ipairs(self.stages) do
    self._forward[s] = func.new(function(x)
      return call(stage, x)
    end, { name = "stage_" .. s })
    self._backward[s] = backward_of(self, s)
  end
  self._apply = func.new(function(...)
    self.optimizer:apply({ ... }, self:get_weights())
  end, { name = "pipeline_update" })
end

-- One task of a step, whose values are in `now`.
local function do_task(self, now, s, task)
  local k, p = task.microbatch, #self.stages
  if not task.backward then
    local state = random_state.generator_value()
    local y = self._forward[s](now.inputs[s][k])
    if not self._weights[s] then
      note_effects(self, s)
      self._weights[s] = self.stages[s]:get_trainable_weights()
    end
    now.states[s][k] = self._draws[s] and (state or random_state.tensor(random_state.now.seed, 0)) or nil
    if s < p then
      now.inputs[s + 1][k] = y
    end
    return
  end
  local g = s == p and now.targets[k] or now.gradients[s][k]
  local backward, state, sums = self._backward[s], now.states[s][k], now.sums[s] or {}
  local found = state and { drawing_from(state, backward, now.inputs[s][k], g, unpack(sums)) }
    or { backward(now.inputs[s][k], g, unpack(sums)) }
  if s == p then
    local loss = table.remove(found, 1)
    now.loss = now.loss and now.loss + loss or loss
  end
  if s > 1 then
    now.gradients[s - 1][k] = table.remove(found, 1)
  end
  now.sums[s], now.inputs[s][k] = found, nil
end

local function in_parts(value, count, what)
  local rows = value.shape[1] or 0
  if rows == 0 or rows % count ~= 0 then
    errors.raise("pipeline: %s have %d rows, which do not fall into %d equal microbatches", what, rows, count)
  end
  local parts, size = {}, rows / count
  for k = 1, count do
    parts[k] = ops.slice_axis(value, 0, (k - 1) * size, k * size)
  end
  return parts
end

---@name pipeline
--- A model in stages, each on a core of its own: `pod.models.pipeline`.
---@example pod.models.pipeline { stages = { { pod.layers.dense(1) } }, loss = "mse" } ~= nil --> true

--- Trains on one batch, whose rows are divided into microbatches. Returns its loss.
--- ```lua
--- local pipe = pod.models.pipeline { stages = { { pod.layers.dense(4) }, { pod.layers.dense(1) } }, loss = "mse",
---   optimizer = "sgd", microbatches = 2 }
--- assert(pipe:train_on_batch(pod.ones { 4, 3 }, pod.ones { 4, 1 }):item() >= 0)
--- ```
function Pipeline:train_on_batch(x, y)
  local p, m = #self.stages, self.microbatches
  local now = { inputs = {}, gradients = {}, sums = {}, states = {},
    targets = in_parts(tensor.convert(y), m, "targets") }
  for s = 1, p do
    now.inputs[s], now.gradients[s], now.states[s] = {}, {}, {}
  end
  now.inputs[1] = in_parts(tensor.convert(x), m, "inputs")
  local clock = device.core.clock
  local whole, busy, most, done = play(SCHEDULES[self.schedule], p, m, function(s, task)
    local started = clock()
    do_task(self, now, s, task)
    return clock() - started
  end)
  local gradients = {}
  for s = 1, p do
    gradients = tables.join(gradients, now.sums[s])
  end
  self._apply(unpack(gradients))
  self._last = { seconds = whole, busy = busy, most = most, tasks = done }
  return now.loss
end

--- The weights of all stages, in order; there are none before the first batch.
---@example #pod.models.pipeline({ stages = { { pod.layers.dense(1) } }, loss = "mse" }):get_weights() --> 0
function Pipeline:get_weights()
  local list = {}
  for s in ipairs(self.stages) do
    list = tables.join(list, self._weights[s] or {})
  end
  return list
end

--- What the outputs are for inputs.
--- ```lua
--- local pipe = pod.models.pipeline { stages = { { pod.layers.dense(1) } }, loss = "mse" }
--- assert(pipe:predict(pod.ones { 4, 3 }).shape[2] == 1)
--- ```
function Pipeline:predict(x)
  for _, stage in ipairs(self.stages) do
    x = stage(x, { training = false })
  end
  return x
end

--- What is known of the last batch. `bubble` is the share of time that stages wait where all take as long, and a
--- backward pass twice as long as a forward pass. `measured_bubble` is that share with the times that they took; the
--- first batch compiles, which counts as well. `seconds` is how long cores of their own would take, `tasks` all tasks
--- in order. `stages` have `weight_bytes`, `busy_seconds` and `held`, the most microbatches that each kept.
--- ```lua
--- local pipe = pod.models.pipeline { stages = { { pod.layers.dense(4) }, { pod.layers.dense(1) } }, loss = "mse",
---   optimizer = "sgd", microbatches = 3, schedule = "1f1b" }
--- pipe:train_on_batch(pod.ones { 6, 3 }, pod.ones { 6, 1 })
--- assert(math.abs(pipe:report().bubble - 1 / 4) < 1e-9)
--- ```
function Pipeline:report()
  local last = self._last
  if not last then
    errors.raise("pipeline:report: train on a batch first")
  end
  local whole, busy = play(SCHEDULES[self.schedule], #self.stages, self.microbatches, function(_, task)
    return task.backward and 2 or 1
  end)
  local made = { bubble = share_waited(whole, busy), measured_bubble = share_waited(last.seconds, last.busy),
    seconds = last.seconds, tasks = last.tasks, stages = {} }
  for s in ipairs(self.stages) do
    local bytes = 0
    for _, weight in ipairs(self._weights[s]) do
      bytes = bytes + shapes.product(weight.shape) * trace.dtype_sizes[weight.dtype]
    end
    made.stages[s] = { weight_bytes = bytes, busy_seconds = last.busy[s], held = last.most[s] }
  end
  return made
end

-- pipeline.new{ stages =, loss =, optimizer =, microbatches =, schedule = }: see pod.models.pipeline.
function pipeline.new(options)
  options = errors.check_options(options, { stages = "list", loss = true, optimizer = true, microbatches = true,
    schedule = "string" }, "models.pipeline")
  local self = { stages = {}, microbatches = options.microbatches or 1, schedule = options.schedule or "1f1b" }
  if not SCHEDULES[self.schedule] then
    errors.raise("models.pipeline: the schedule is \"gpipe\" or \"1f1b\", not %s", errors.describe(self.schedule))
  elseif not is_whole(self.microbatches, 1) then
    errors.raise("models.pipeline: 'microbatches' must be a whole number from 1; got %s",
      errors.describe(options.microbatches))
  elseif options.loss == nil or #(options.stages or {}) == 0 then
    errors.raise("models.pipeline: give stages, each a list of layers or a model, and a loss")
  elseif strategies.has_strategy() then
    errors.raise("models.pipeline: stages run on this host, and not in the scope of %s: make the pipeline outside of "
      .. "it, or divide a model by pod.distribute.model_parallel", tostring(strategies.get_strategy()))
  end
  for s, stage in ipairs(options.stages) do
    self.stages[s] = type(stage) == "table" and getmetatable(stage) == nil and sequential.new(stage) or stage
  end
  self.loss = losses.get(options.loss)
  self.optimizer = optimizers.get(options.optimizer or "rmsprop")
  prepare(self)
  return setmetatable(self, Pipeline)
end

declare.methods("pipeline", Pipeline, pipeline.is, {
  ["x:tensor y:tensor"] = "train_on_batch",
  ["x:tensor"] = "predict",
})

return pipeline
