-- on_windows - what busted asks of modules in C, for Windows and one static file, where they are not: run in
-- front of busted.

local function mode_of(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local is_file = file:read(0) ~= nil or file:seek "end" == 0
  file:close()
  return is_file and "file" or "directory"
end

package.preload.lfs = function()
  return {
    attributes = function(path, name)
      local mode = mode_of(path)
      return mode and (name and mode or { mode = mode }), mode == nil and "there is no such file" or nil
    end,
    chdir = function()
      return true
    end,
    currentdir = function()
      return "."
    end,
    dir = function()
      return function() end
    end,
  }
end

package.preload.system = function()
  return { gettime = os.time, monotime = os.clock, sleep = function() end }
end

package.preload.term = function()
  return { isatty = function()
    return false
  end }
end

-- A "\" in a pattern is in front of a character that means itself, there as elsewhere.
local tmpname = os.tmpname
rawset(os, "tmpname", function()
  return (tmpname():gsub("\\", "/"))
end)
