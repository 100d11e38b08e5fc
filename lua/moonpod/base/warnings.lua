-- warnings - what the user is told that is no error.

local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"

local warnings = {}

local watchers = {}

-- Warns the user on the error stream, with the line that caused it.
function warnings.warn(format, ...)
  local where, text = errors.location(), decimal.format(format, ...)
  io.stderr:write("moonpod: warning: ", text, where and " (" .. where .. ")" or "", "\n")
  for watcher in pairs(watchers) do
    watcher(text, where)
  end
end

-- Has fn(text, where) called with warnings, too. Returns what ends that.
function warnings.watch(fn)
  watchers[fn] = true
  return function()
    watchers[fn] = nil
  end
end

return warnings
