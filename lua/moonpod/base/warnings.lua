-- warnings - what the user is told that is no error.

local errors = require "moonpod.base.errors"

local warnings = {}

-- Warns the user on the error stream, with the line that caused it.
function warnings.warn(format, ...)
  local where = errors.location()
  io.stderr:write("moonpod: warning: ", string.format(format, ...), where and " (" .. where .. ")" or "", "\n")
end

return warnings
