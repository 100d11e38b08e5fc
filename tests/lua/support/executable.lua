-- executable - runs the executable `moonpod` as a process of its own.

local executable = {}

local build = os.getenv "MOONPOD_BUILD"

executable.program = build and build .. "/moonpod"

-- A word of the shell.
executable.quote = require "moonpod.base.texts".shell_word

-- Runs a command of the shell; returns what it wrote on both streams, and its exit code: above 128 where a signal ended
-- it.
function executable.shell(command)
  local pipe = assert(io.popen("{ " .. command .. "\n} 2>&1"))
  local text = pipe:read "*a"
  local _, what, code = pipe:close()
  return text, what == "signal" and 128 + code or code
end

-- Runs the program with a text as standard input.
function executable.run(arguments, input)
  local name = os.tmpname()
  if input then
    local file = assert(io.open(name, "w"))
    file:write(input)
    file:close()
  end
  local text, code = executable.shell(("%s %s < %s"):format(executable.quote(executable.program), arguments,
    input and name or "/dev/null"))
  os.remove(name)
  return text, code
end

-- Calls fn with the name of a file that holds a script.
function executable.with_script(source, fn)
  local name = os.tmpname()
  local file = assert(io.open(name, "w"))
  file:write(source)
  file:close()
  local ok, failure = pcall(fn, name)
  os.remove(name)
  if not ok then
    error(failure, 0) -- what busted raises is a table, which assert() of Lua 5.1 does not take
  end
end

return executable
