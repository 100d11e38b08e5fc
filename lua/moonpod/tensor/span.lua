-- span - says what the script is doing while a profile is recorded (moonpod.profiler): a part of a step, and a name.
--
-- Nothing is done while none is: callers that stand in a loop look at span.on first.

local around = require "moonpod.base.around"
local device = require "moonpod.tensor.device"

local span = { on = false }

-- Those that a profile which begins is within, the outermost first: they are entered then.
local enclosing = {}

function span.enter(part, name)
  return device.core.profile_enter(device.context(), part, name)
end

function span.leave(number)
  device.core.profile_leave(device.context(), number)
end

-- Calls fn within a span.
function span.around(part, name, fn, ...)
  if not span.on then
    return fn(...)
  end
  local number
  return around(function()
    number = span.enter(part, name)
  end, function()
    if number then
      span.leave(number)
    end
  end, fn, ...)
end

-- The same for what runs long: a profile that begins within fn is within the span.
function span.enclose(part, name, fn, ...)
  local depth = #enclosing
  local own = { part = part, name = name }
  return around(function()
    enclosing[depth + 1] = own
    own.number = span.on and span.enter(part, name)
  end, function()
    for i = #enclosing, depth + 1, -1 do
      enclosing[i] = nil
    end
    if span.on and own.number then
      span.leave(own.number)
    end
  end, fn, ...)
end

-- ---- collections of garbage ------------------------------------------------------------------------------

-- Lua collects in small steps wherever memory is asked for, and tells nobody. That a collection has ended is seen by
-- something that nobody holds: it is finalized. So collections are counted, and marked in the trace; the time of their
-- steps is in the parts that they fell into, and nothing tells it apart.
span.COLLECTED = "Lua collected garbage"

local newproxy = rawget(_G, "newproxy") -- Lua 5.1 and LuaJIT finalize no tables
local getmetatable, setmetatable, pcall = getmetatable, setmetatable, pcall

local is_watched = false

-- Makes what the next collection finalizes. Scripts in a sandbox have no finalizers: there none is counted.
local function watch(on_collected)
  if newproxy then
    getmetatable(newproxy(true)).__gc = on_collected
  else
    setmetatable({}, { __gc = on_collected })
  end
  is_watched = true
end

local function on_collected()
  is_watched = false
  if not span.on then
    return
  end
  local ok, number = pcall(span.enter, "garbage", span.COLLECTED)
  if ok then
    pcall(span.leave, number)
  end
  pcall(watch, on_collected)
end

-- ---- recordings ------------------------------------------------------------------------------------------

-- Switches spans on with the recording of the context.
function span.start()
  device.core.profile_start(device.context())
  span.on = true
  if not is_watched then
    pcall(watch, on_collected)
  end
  for _, one in ipairs(enclosing) do
    one.number = span.enter(one.part, one.name)
  end
end

-- Switches them off and returns the recording.
function span.stop()
  span.on = false
  for _, one in ipairs(enclosing) do
    one.number = nil
  end
  return device.core.profile_stop(device.context())
end

-- Returns what was recorded so far; the recording goes on.
function span.take()
  return device.core.profile_take(device.context())
end

-- Whether a recording is under way, and how many steps of programs it has.
function span.recorded()
  return device.core.profile_is_on(device.context())
end

return span
