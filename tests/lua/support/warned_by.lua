-- warned_by - runs a function with what is warned of kept: a list of texts.

local warnings = require "moonpod.base.warnings"

return function(fn)
  local old, list = warnings.warn, {}
  warnings.warn = function(format, ...)
    list[#list + 1] = format:format(...)
  end
  local ok, message = pcall(fn)
  warnings.warn = old
  assert(ok, message)
  return list
end
