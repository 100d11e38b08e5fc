-- locals - what an entry of a session declares `local` stays for the entries that follow, as a global: blocks of the
-- book and of scripts can be typed one after the other.

local globals = require "moonpod.session.globals"

local locals = {}

local getlocal = debug and debug.getlocal

-- What stands behind the text of an entry: a call of what the entry is run with. The block ends what is before, in all
-- versions of Lua: a semicolon may stand there already.
locals.ENDING = "\ndo end (...)()"

-- What an entry with this text is to be run with where locals.ENDING is behind it: keeps the locals that are there in
-- its end. Names of the standard libraries stay what they are for everybody else, and so do `_` and `_1` to `_9`;
-- what is closed with the entry is not kept.
function locals.keeper(text)
  local closed = {}
  for name in text:gmatch "([%a_][%w_]*)%s*<%s*close%s*>" do
    closed[name] = true
  end
  return function()
    local i = 1
    while getlocal do
      local name, value = getlocal(2, i)
      if not name then
        return
      end
      if name:find "^[%a_][%w_]*$" and not name:find "^_%d*$" and not closed[name]
          and (name == "pod" or not globals.is_standard(name)) then
        rawset(_G, name, value)
      end
      i = i + 1
    end
  end
end

return locals
