-- plot - drawings in the terminal.

local core = require "moonpod.core"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local event_scalars = require "moonpod.plot.event_scalars"
local lines = require "moonpod.plot.lines"

local plot = {}

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

local OPTIONS = { width = "count", height = "count", ascii = "boolean", print_fn = "function" }

-- Draws the scalars of a tag in all event files in a folder and those below it, a line each run. Options: width (that
-- of the terminal) and height (15) in characters, ascii (where the locale is not UTF-8), print_fn (io.write).
function plot.log(dir, tag, options)
  options = errors.check_options(options, OPTIONS, "plot.log")
  local series, tags = event_scalars.read(dir, tag)
  if #series == 0 then
    local names = {}
    for name in pairs(tags) do
      names[#names + 1] = name
    end
    table.sort(names)
    errors.raise("plot.log: there is no scalar '%s' in %s; there is: %s", tag, dir, table.concat(names, ", "))
  end
  local ascii = options.ascii
  if ascii == nil then
    ascii = not is_utf8()
  end
  local drawn = lines.draw(series, { width = options.width or core.terminal_columns(), height = options.height or 15,
    ascii = ascii, title = tag })
  local print_fn = options.print_fn or io.write
  print_fn(table.concat(drawn, "\n") .. "\n")
end

return declare.functions("plot", plot, { ["dir:string tag:string options?"] = "log" })
