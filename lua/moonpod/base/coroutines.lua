-- coroutines - those in which Moonpod lets work of its own wait, and what is known of those of others.
--
-- The table `coroutine` may have functions of the host's, whose coroutines end with a request of its own (nginx). So
-- nothing here is made, resumed or left by them.

local core = require "moonpod.core"

local coroutines = {}

local own = setmetatable({}, { __mode = "k" })

-- What a pause hands out: another yield is of somebody who does not know in whose coroutine he is.
local PAUSE = {}

function coroutines.new(fn)
  local thread = core.coroutine.new(fn)
  own[thread] = true
  return thread
end

-- Lets one of Moonpod's go on until it pauses or ends. Returns true and what it returned, or false and the error.
function coroutines.resume(thread)
  local ok, value = core.coroutine.resume(thread)
  if ok and value ~= PAUSE and core.coroutine.status(thread) == "suspended" then
    return false, "what a run calls must not yield: coroutine.yield, and functions of the host that wait, belong "
      .. "outside of it; end the callback, and go on behind run:step"
  end
  return ok, value
end

-- Leaves the coroutine until it is resumed.
function coroutines.pause()
  core.coroutine.yield(PAUSE)
end

-- What Lua's own tells. A host knows it of its coroutines: one that waits for another may have yielded to the host.
function coroutines.status(thread)
  if own[thread] then
    return core.coroutine.status(thread)
  end
  return coroutine.status(thread)
end

-- The coroutine that runs, nil for the main one.
function coroutines.running()
  local thread, is_main = coroutine.running()
  return not is_main and thread or nil
end

return coroutines
