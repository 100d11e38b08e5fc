-- The command: moonpod port FILE.py. A Keras script in Lua.

local port = require "moonpod.port"

local USAGE = [[
usage: moonpod port FILE.py
  Prints a Keras script in Lua: models, compile and fit, callbacks, tf.data, loops of one's own, TPUStrategy. What is
  not ported becomes an error in its place and is told by its line. Python 3 reads the file; it is not run.
exit code: 0 all is ported, 2 something is not; 1 for an error
]]

-- Runs the command; returns its exit code.
return function(path, more)
  if path == "-h" or path == "--help" then
    io.write(USAGE)
    return 0
  elseif not path or more or path:find "^%-." then
    io.stderr:write(USAGE)
    return 1
  end
  assert(_G.pod) -- the executable loads it when a script asks for it
  local text, refused = port(path)
  if not text then
    io.stderr:write("moonpod port: ", path, ": ", refused, "\n")
    return 1
  end
  io.write(text)
  for _, one in ipairs(refused) do
    io.stderr:write(("%s:%d is not ported: %s\n    %s\n"):format(path, one.line, one.why,
      (one.text or ""):gsub("^%s+", "")))
  end
  return #refused == 0 and 0 or 2
end
