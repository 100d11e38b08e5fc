-- The command: moonpod explain [FILE]. What the messages in a file, or in what comes by a pipe, mean.

local explain = require "moonpod.advisor.explain"

local USAGE = [[
usage: moonpod explain [FILE]
  FILE   has messages of TensorFlow, XLA, JAX or PyTorch/XLA, as a log has, or is a message, in quotes; standard input
         where none is named
exit code: 0 some message is known, 2 none is; 1 for an error
]]

-- Logs are long, and messages are near their end.
local MOST = 2 ^ 24

local function read(path)
  local handle, problem = io.stdin, nil
  if path then
    handle, problem = io.open(path, "rb")
  end
  local text
  if handle then
    local size = path and handle:seek "end"
    if size then
      handle:seek("end", -math.min(size, MOST))
    end
    text, problem = handle:read(MOST)
    if path then
      handle:close()
    end
  end
  return text or not problem and "" or nil, problem
end

-- Runs the command; returns its exit code.
return function(path, more)
  if path == "-h" or path == "--help" then
    io.write(USAGE)
    return 0
  elseif more or path and path:find "^%-." then
    io.stderr:write(USAGE, "moonpod explain: ", more and "one file at a time" or "there is no option " .. path, "\n")
    return 1
  end
  local text, problem = read(path ~= "-" and path or nil)
  if not text and path:find "%s" then
    text = path -- a message where a file is asked for
  end
  if not text then
    io.stderr:write("moonpod explain: ", problem, " (a message is given whole, in quotes)\n")
    return 1
  end
  local found = explain(text)
  print(found)
  return #found > 0 and 0 or 2
end
