-- book - where the book of the library is: a checkout has it, and what a package, a wheel or a rock installed may.

local core = require "moonpod.core"
local texts = require "moonpod.base.texts"

local book = {}

-- The folder of the modules, with its slash; nil where they are in none, as in the executable that is one file.
local modules = debug and debug.getinfo(1, "S").source:match "^@(.*)base/book%.lua$"

-- The folder of the book, examples and notebooks; nil where it is not installed.
function book.folder()
  local folders = { modules and modules:match "^(.*)lua/moonpod/$" }
  local prefix, version = (modules or ""):match "^(.*/)share/lua/([%d.]+)/moonpod/$"
  if prefix then
    local rock = ("%slib/luarocks/rocks-%s/moonpod/"):format(prefix, version)
    folders = { prefix .. "share/doc/moonpod/", ("%s%s-1/"):format(rock, core.version()), rock .. "scm-1/" }
  end
  for _, folder in ipairs(folders) do
    if texts.exists(folder .. "examples/minimal.lua") then
      return folder == "" and "." or folder:sub(1, -2)
    end
  end
end

-- Where a page of docs/ is read on this machine, as "reference/messages.md#nan-losses": its file, with the anchor. In a
-- checkout that is below docs/.
function book.place(page)
  local path, anchor = page:match "^(.-)%.md(.*)$"
  local folder = book.folder()
  local html = folder and ("%s/html/%s.html"):format(folder, path)
  if html and texts.exists(html) then
    return html .. anchor
  elseif folder and modules:find "share/lua/" then
    return ("%s/docs/%s"):format(folder, page)
  end
  return folder and "docs/" .. page or page .. " in the book (Debian's package moonpod-doc has it)"
end

return book
