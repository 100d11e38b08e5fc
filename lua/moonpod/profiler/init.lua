--- Records where the time of steps goes: `start()` and `stop()`, or `trace(directory, fn)`, or `fit`'s option
--- `profile_batch`. What comes of it is a profile, whose tables print. See docs/guides/profiling.md.
---@example pod.profiler.is_on() --> false

-- profiler - records where the time of steps goes: pod.profiler. See docs/guides/profiling.md.

local around = require "moonpod.base.around"
local errors = require "moonpod.base.errors"
local pending = require "moonpod.tensor.trace"
local profile = require "moonpod.profiler.profile"
local span = require "moonpod.tensor.span"

local profiler = {}

profiler.batches = require "moonpod.profiler.batches"

local NO_STEP = "no step of a program ended while this was recorded: record for longer"

-- The profile of what was recorded: span.stop() or span.take() gives it.
local function recorded(name, sync)
  if not span.recorded() then
    errors.raise("profiler.%s: no profile is being recorded: begin one with pod.profiler.start()", name)
  end
  if sync then
    pending.sync()
  end
  local _, steps = span.recorded()
  return profile.new(span[name](), steps == 0 and NO_STEP or nil)
end

--- Begins to record. One profile is recorded at a time: another call raises.
--- Memory for it, about 24 MiB of which only what is written to is ever touched, is kept until the context ends.
--- ```lua
--- pod.profiler.start()
--- local sum = pod.ones({ 8 }):sum():item()
--- assert(#pod.profiler.stop():op_stats() > 0 and sum == 8)
--- ```
function profiler.start()
  if span.recorded() then
    errors.raise("profiler.start: a profile is being recorded already: end it with pod.profiler.stop()")
  end
  span.start()
end

--- Ends the recording and returns the profile; raises where none is recorded.
---@return table profile with `overview`, `ops`, `input`, `threads`, `steps`, `memory`, `pod` and `advice`, which print
---
---```lua
---pod.profiler.start()
---local y = (pod.ones { 8, 8 } + 1):data()
---print(pod.profiler.stop().threads)
---```
function profiler.stop()
  return recorded("stop", true)
end

--- Returns the profile of what was recorded so far, and goes on recording: what a script that runs on did last.
---@return table profile
--- ```lua
--- pod.profiler.start()
--- local sum = pod.ones({ 8 }):sum():item()
--- assert(#pod.profiler.take():op_stats() > 0 and sum == 8) -- and goes on recording
--- pod.profiler.stop()
--- ```
function profiler.take()
  return recorded("take", false)
end

--- Whether a profile is being recorded.
---@return boolean on
---@example pod.profiler.is_on() --> false
function profiler.is_on()
  return (span.recorded())
end

--- Calls a function; what the script does within it has this name in profiles that are recorded meanwhile.
---@param name string the name, of up to 127 bytes
---@param fn function what is called
---@param ... any its arguments
---@return any what the function returns
---@example pod.profiler.annotate("sum", function(a, b) return a + b end, 1, 2) --> 3
function profiler.annotate(name, fn, ...)
  errors.check_type(name, "string", "profiler.annotate", "the name")
  errors.check_type(fn, "function", "profiler.annotate", "the function")
  return span.around("host", name, fn, ...)
end

-- Records while fn() runs and gives `use` the profile, also when fn raised. A function that ended before a step did is
-- called once more: a profile is never empty for that.
local function record(fn, use)
  local started, note, made = false, nil, nil
  around(function()
    profiler.start()
    started = true
  end, function()
    local on, steps = span.recorded()
    if started and on then
      made = profile.new(span.stop(), note or steps == 0 and NO_STEP or nil)
      use(made)
    end
  end, function()
    fn()
    pending.sync()
    local _, steps = span.recorded()
    if steps == 0 then
      note = "the function ended before a step of a program did: it was called once more"
      fn()
      pending.sync()
    end
  end)
  return made
end

--- Records while a function runs, and returns the profile. A function that ended before a step did is called once more:
--- a profile is never empty for that.
---@param fn function what is recorded
---@return table profile
---
---```lua
---local p = pod.profiler.record(function() return (pod.ones { 64, 64 } * 2):data() end)
---assert(p.overview.steps >= 0)
---```
function profiler.record(fn)
  errors.check_type(fn, "function", "profiler.record", "the function")
  return record(fn, function() end)
end

--- Records while a function runs, as `pod.profiler.record` does, and writes what there is to tell into a folder, also
--- when the function raised.
---@param directory string the folder, which is made
---@param fn function what is recorded
---@return table profile
--- ```lua
--- local folder = os.tmpname() .. "_profile"
--- pod.profiler.trace(folder, function() return (pod.ones { 64, 64 } * 2):data() end)
--- assert(io.open(folder .. "/overview.txt"))
--- ```
function profiler.trace(directory, fn)
  errors.check_type(directory, "string", "profiler.trace", "the folder")
  errors.check_type(fn, "function", "profiler.trace", "the function")
  return record(fn, function(profile_of_fn)
    profile_of_fn:save(directory)
  end)
end

return profiler
