-- terminal - what the terminal is that texts are drawn for.

local screen = require "moonpod.base.screen"

local terminal = {}

local variable = screen.variable

-- What the executable says of itself; a host that has none of it is a guest's.
local host = package.loaded["moonpod.host"] or {}

-- Whether TERM says that it can do nothing, or the user that nothing is to be coloured.
local function is_plain()
  if host.colours == false then
    return true
  end
  local name = variable "TERM"
  return name == nil or name == "dumb" or variable "NO_COLOR" ~= nil
end

-- By what protocol the terminal draws pixels, as far as it says: MOONPOD_GRAPHICS is "kitty", "sixel" or "off".
local function graphics_of()
  local named = variable "MOONPOD_GRAPHICS"
  if named then
    return (named == "kitty" or named == "sixel") and named or nil
  elseif variable "TMUX" or variable "STY" then
    return nil -- which do not pass it on
  end
  local name, program = variable "TERM" or "", variable "TERM_PROGRAM"
  if name == "xterm-kitty" or name == "xterm-ghostty" or program == "WezTerm" or program == "ghostty" then
    return "kitty"
  end
  return (name:find "^foot" or name:find "sixel" or name:find "^mlterm") and "sixel" or nil
end

-- Options for what is shown on standard output: colours and pixels where it is a terminal that says that it has them.
function terminal.screen()
  if not screen.is_terminal() or is_plain() then
    return {}
  end
  local depth = variable "COLORTERM"
  return { color = depth == "truecolor" or depth == "24bit", graphics = graphics_of() }
end

-- Options of a drawing with what the terminal says where they say nothing.
function terminal.options(options)
  local ascii = options.ascii
  if ascii == nil then
    ascii = not screen.is_utf8()
  end
  return { width = options.width or screen.columns(), height = options.height or 15, ascii = ascii,
    color = options.color or false }
end

return terminal
