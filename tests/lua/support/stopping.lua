-- stopping - Ctrl-C at a place of one's choice: an error at an instruction of Lua. As in the executable, what puts back
-- what was changed (moonpod.base.around) is not stopped; the instruction behind it is.

local stopping = {}

-- Whether what runs puts back: see repl/interrupt.c.
local function puts_back()
  for level = 3, 11 do
    local info = debug.getinfo(level, "S")
    if not info or info.what == "C" and level > 3 then
      return false
    elseif info.source:find("moonpod/base/around.lua", 1, true) then
      return true
    end
  end
  return false
end

-- pcall(fn, ...) with an error at the n-th instruction. Returns whether it was raised, and what pcall returns.
function stopping.pcall(n, fn, ...)
  local stopped = false
  local function stop()
    if puts_back() then
      debug.sethook(stop, "", 1)
    else
      debug.sethook()
      stopped = true
      error("interrupted!", 0)
    end
  end
  local function run(...)
    debug.sethook(stop, "", n)
    local ok, result = pcall(fn, ...)
    debug.sethook()
    return ok, result
  end
  -- The instruction may be one between the end of fn and the line that takes the hook away.
  local ran, ok, result = pcall(run, ...)
  if not ran then
    return stopped, false, ok
  end
  return stopped, ok, result
end

-- The number of instructions that a function runs, to a hundred; then what pcall returns.
function stopping.count(fn, ...)
  local count = 0
  debug.sethook(function() count = count + 100 end, "", 100)
  local ok, result = pcall(fn, ...)
  debug.sethook()
  return count, ok, result
end

-- What a function takes, without a clock: instructions of Lua, and bytes of all that it made.
function stopping.work_of(fn, ...)
  local compiler = rawget(_G, "jit")
  if compiler then
    compiler.off()
    compiler.flush() -- what is compiled already would run on, uncounted
  end
  collectgarbage()
  collectgarbage "stop"
  local before = collectgarbage "count"
  local instructions, ok, message = stopping.count(fn, ...)
  local bytes = 1024 * (collectgarbage "count" - before)
  collectgarbage "restart"
  if compiler then
    compiler.on()
  end
  assert(ok, message)
  return instructions, bytes
end

return stopping
