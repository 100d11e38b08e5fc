-- terminal - what the terminal is that texts are drawn for.

local core = require "moonpod.core"

local terminal = {}

-- Whether the terminal has letters beyond ASCII: what the locale says, of its variables the first that is set.
local function is_utf8()
  for _, name in ipairs { "LC_ALL", "LC_CTYPE", "LANG" } do
    local value = os.getenv(name)
    if value and value ~= "" then
      return value:lower():find "utf%-?8" ~= nil
    end
  end
  return false
end

-- Options of a drawing with what the terminal says where they say nothing.
function terminal.options(options)
  local ascii = options.ascii
  if ascii == nil then
    ascii = not is_utf8()
  end
  return { width = options.width or core.terminal_columns(), height = options.height or 15, ascii = ascii }
end

return terminal
