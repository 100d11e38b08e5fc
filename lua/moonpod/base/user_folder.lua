-- user_folder - where a user keeps what: the folders of freedesktop's specification.

local screen = require "moonpod.base.screen"

-- The folder that a variable ("XDG_CACHE_HOME") names, else the one called `fallback` (".cache") in the user's own;
-- nil where there is neither. Names that do not begin at the root are none.
return function(fallback, variable)
  local folder, home = variable and screen.variable(variable), screen.variable "HOME"
  if not folder or folder:sub(1, 1) ~= "/" then
    folder = home and home:sub(1, 1) == "/" and home .. "/" .. fallback or nil
  end
  return folder
end
