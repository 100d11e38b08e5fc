-- around - work between two calls of which the second is made whatever happens in between.
--
--     return around(function() depth = depth + 1 end, function() depth = depth - 1 end, fn, ...)
--
-- Both are there before anything changes, and enter() runs protected: an error, Ctrl-C or the end of memory at any
-- place leaves what leave() puts back. So leave() takes no memory, and what it puts back was read before. A call takes
-- memory where Lua has no frame or stack to spare: leave() itself has pcall's, but puts back what must not stay before
-- it calls anything. The executable's Ctrl-C waits while this file, or what it called, runs (repl/interrupt.c).

local function finish(leave, ok, ...)
  leave(ok)
  if not ok then
    error((...), 0)
  end
  return ...
end

local function run(enter, fn, ...)
  if enter then
    enter()
  end
  return fn(...)
end

-- Calls enter() where there is one, fn(...) and leave(ok), which learns whether fn returned; returns what fn returns,
-- or raises what enter or fn raised.
local function around(enter, leave, fn, ...)
  return finish(leave, pcall(run, enter, fn, ...))
end

return around
