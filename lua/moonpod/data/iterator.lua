-- iterator - one walk through a dataset.

local declare = require "moonpod.base.arguments"
local readable = require "moonpod.base.readable"
local device = require "moonpod.tensor.device"
local element = require "moonpod.data.element"
local errors = require "moonpod.base.errors"
local programs = require "moonpod.tensor.programs"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local iterator = {}

local Iterator = { __name = "moonpod.data.iterator" }
Iterator.__index = Iterator

-- Elements that are made ahead for one run of a program, where generators must not run inside of it.
local PREPARED = 16

-- fields: handle (the core's iterator), components, skeleton, late (functions still to be applied),
-- dataset (kept alive), own_thread.
function iterator.new(fields)
  fields.programs = {}
  return setmetatable(fields, Iterator)
end

local function call(self, method, ...)
  local ok, result, more = pcall(self.handle[method], self.handle, ...)
  if not ok then
    errors.raise_from_core(result)
  end
  return result, more
end

-- Runs a function for batches on buffers; a program for each combination of sizes, kept in `compiled`.
function iterator.run_step(compiled, step, buffers)
  local graph = require("moonpod.data.traced").graph_for(step, tables.map(buffers, function(buffer)
    return { dtype = buffer:dtype(), shape = buffer:shape() }
  end))
  if not compiled[graph] then
    compiled[graph] = device.core.compile(device.context(), graph)
  end
  local results, report = compiled[graph]:run(buffers)
  programs.note_run(compiled[graph], report.steps, buffers)
  trace.check_interrupt(report)
  return results
end

local function pack_buffers(self)
  local buffers = { pcall(self.handle.next, self.handle) }
  if not buffers[1] then
    errors.raise_from_core(buffers[2])
  end
  table.remove(buffers, 1)
  return buffers
end

-- Runs a function for batches on the element that was given last. Where it fails, that is the answer from then on, as
-- with stages of the core.
local function run_late(self, step, buffers)
  local ok, results = errors.attempt(iterator.run_step, self.programs, step, buffers)
  if not ok then
    self.failure = ("map (%s), element %d: %s"):format(step.location or "?", call(self, "stats").position - 1, results)
    errors.raise("%s", self.failure)
  end
  return results
end

--- The next element's components as an array of buffers, empty at the end, and its skeleton.
---@example #pod.data.range(3):iterator():next_buffers() --> 1
function Iterator:next_buffers()
  if self.failure then
    errors.raise("%s", self.failure)
  end
  local buffers, skeleton = pack_buffers(self), self.skeleton
  for _, step in ipairs(buffers[1] ~= nil and self.late or {}) do
    buffers, skeleton = run_late(self, step, buffers), step.out_skeleton
  end
  return buffers, skeleton
end

--- The next element as one value, nil at the end.
---@example pod.data.range(3):iterator():next_element():item() --> 0
function Iterator:next_element()
  local buffers, skeleton = self:next_buffers()
  if buffers[1] == nil then
    return nil
  end
  local components = #self.late == 0 and self.components or {}
  local value = element.rebuild(skeleton, element.wrap(buffers, components))
  if self.windows then
    return self.of_rows(value)
  end
  return self.convert and self.convert(value) or value
end

--- The next element's values, nil at the end.
---@example pod.data.range(3):iterator():next():item() --> 0
function Iterator.next(self)
  return element.spread(self:next_element())
end

--- Whether there is another element; makes it where it is not made yet.
---@example pod.data.range(3):iterator():has_next() --> true
function Iterator:has_next()
  return self:peek_spec() ~= nil
end

-- Seconds an element of a dataset that is slow.
local SLOW = 0.0005

--- Whether making elements takes the calling thread time that a run in slices is to divide.
---@example pod.data.range(3):iterator():takes_time() --> false
function Iterator:takes_time()
  self.in_slices = true -- from here on nothing is prepared but by make_ready()
  if self.own_thread then
    return true
  end
  local stats = call(self, "stats")
  return stats.seconds_waited > SLOW * math.max(1, stats.elements)
end

--- Makes up to `count` elements ready, one where functions of the script make none, within so many nanoseconds (0: for
--- as long as it takes). Where one is not done by then the next call goes on with it. Returns how many are ready, and
--- whether the data has ended and there are none.
---@example (pod.data.range(3):iterator():make_ready(0, 2)) --> 1
function Iterator:make_ready(nanoseconds, count)
  return call(self, "prepare", self.own_thread and count or 1, nanoseconds)
end

--- An array of { dtype =, shape = } of the next element's raw components, nil at the end.
---@example pod.data.range(3):iterator():peek_spec() --> { { dtype = "int64", shape = () } }
function Iterator:peek_spec()
  local specs = call(self, "peek")
  if specs and self.own_thread and not self.in_slices then
    call(self, "prepare", PREPARED)
  end
  for _, spec in ipairs(specs or {}) do
    tensor.shape(spec.shape)
  end
  return readable.of(specs)
end

--- A userdata that gives programs their input.
---@example type(pod.data.range(3):iterator():infeed()) --> "userdata"
function Iterator:infeed()
  if self.late[1] then
    errors.raise("infeed: a function is mapped over batches of changing sizes (%s); take raw() and decode() "
      .. "in the step, or batch with { drop_remainder = true }", self.late[1].location or "?")
  end
  return self.handle
end

--- Begins the next pass.
---@example pod.data.range(3):iterator():rewind() ~= false --> true
function Iterator:rewind()
  self.failure = nil
  call(self, "rewind")
end

-- Elements that took longer to make than this, in seconds, are not made anew to explain a failure.
local LONG = 5

--- What a message of a step that failed says of the element that it took last: which one it was and, where one of the
--- dataset's own functions failed in it, at which stage and row. These run as part of the step; to find out they are
--- applied anew.
--- ```lua
--- local it = pod.data.range(3):iterator()
--- it:next()
--- assert(it:explain("no luck") == "element 0 of the dataset: no luck")
--- ```
function Iterator:explain(message)
  errors.check_type(message, "string", "iterator:explain", "the message")
  local whole, place, busy = self.dataset._whole, call(self, "stats"), 0
  for _, stage in ipairs(self.handle:stage_stats()) do
    busy = busy + stage.seconds_busy
  end
  if whole and #whole._steps > 0 and not self.own_thread and busy < LONG then
    local it = whole:iterator { epoch = place.epoch, skip = place.position - 1, no_threads = true }
    local ok, told = errors.attempt(it.next_buffers, it)
    it:close()
    if not ok then
      return told
    end
  end
  local where, rest = message:match "^([^:\n]+:%d+: )(.*)$"
  return ("%selement %d of the dataset: %s"):format(where or "", place.position - 1, rest or message)
end

--- Makes a waiting next() raise; a rewind takes it back.
--- ```lua
--- local it = pod.data.range(3):iterator()
--- it:cancel()
--- assert(not pcall(it.next, it))
--- it:rewind()
--- assert(it:next():item() == 0)
--- ```
function Iterator:cancel()
  call(self, "cancel")
end

--- Bytes that tell where the iterator is: for restore() of an iterator over a dataset that was made in the same way, in
--- this process or another.
---@example type(pod.data.range(3):iterator():state()) --> "string"
function Iterator:state()
  return (call(self, "state", device.context()))
end

--- Goes to where another iterator was: the same elements follow as there, in this pass and the later ones.
--- ```lua
--- local first, second = pod.data.range(3):iterator(), pod.data.range(3):iterator()
--- first:next()
--- second:restore(first:state())
--- assert(second:next():item() == 1)
--- ```
function Iterator:restore(state)
  errors.check_type(state, "string", "restore", "the state")
  self.failure = nil
  call(self, "restore", state)
end

--- state() as a file, which is written whole or not at all, and restore() from it.
--- ```lua
--- local path = os.tmpname()
--- local it = pod.data.range(3):iterator()
--- it:next()
--- it:save(path)
--- assert(it:next():item() == 1)
--- os.remove(path)
--- ```
function Iterator:save(path)
  call(self, "save", errors.check_type(path, "string", "save", "the path"))
end

--- Goes on where Iterator:save() wrote that another iterator stood.
--- ```lua
--- local path = os.tmpname()
--- local first, second = pod.data.range(3):iterator(), pod.data.range(3):iterator()
--- first:next()
--- first:save(path)
--- second:load(path)
--- assert(second:next():item() == 1)
--- os.remove(path)
--- ```
function Iterator:load(path)
  self.failure = nil
  call(self, "load", errors.check_type(path, "string", "load", "the path"))
end

--- { elements =, epoch = (its number), position = (in this pass), waited =, seconds_waited =, prefetch_buffer = }
--- ```lua
--- local it = pod.data.range(3):iterator()
--- it:next()
--- assert(it:stats().elements == 1)
--- ```
function Iterator:stats()
  return readable.of(call(self, "stats"))
end

-- A function that gives the report of what each stage did so far; of a closed iterator, up to then. It is made where
-- somebody asks for it.
local function reporter(self)
  if self.closed then
    return self.report
  end
  local ok, stages, seconds = pcall(self.handle.stage_stats, self.handle)
  if not ok then
    errors.raise_from_core(stages)
  end
  local report
  return function()
    report = report or require("moonpod.data.stage_report").new(stages, seconds)
    return report
  end
end

--- What each stage did so far, first to last, over all passes: an array that prints as a table (see
--- moonpod.data.stage_report). After close(): up to then.
--- ```lua
--- local it = pod.data.range(3):batch(2):iterator()
--- it:next()
--- assert(it:stages()[2].stage == "batch")
--- ```
function Iterator:stages()
  return reporter(self)()
end

--- Ends the threads and gives the memory back; may be called twice.
--- ```lua
--- local it = pod.data.range(3):iterator()
--- it:close()
--- assert(not pcall(it.next, it))
--- ```
function Iterator:close()
  if not self.closed then
    self.report = reporter(self)
    self.runs.report, self.closed = self.report, true
  end
  self.handle:close()
end

function Iterator.__tostring(self)
  return "<iterator of " .. tostring(self.dataset) .. ">"
end

---@name iterator
--- What gives the elements of a dataset one after the other: `ds:iterator()`. `next()` gives the next one's parts or
--- nil, `state()` and `restore(bytes)` keep its place, `close()` ends it.
---@example pod.data.range(3):iterator():next():item() --> 0
declare.methods("iterator", Iterator, function(value)
  return getmetatable(value) == Iterator
end)
Iterator.__close = Iterator.close
declare.metamethods("iterator", Iterator)

return iterator
