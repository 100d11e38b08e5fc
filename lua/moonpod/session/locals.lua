-- locals - what an entry of a session declares `local` stays for the entries that follow, as a global: blocks of the
-- book and of scripts can be typed one after the other.

local globals = require "moonpod.session.globals"

local locals = {}

local getlocal = debug and debug.getlocal

-- Whether a name is a constant at the end of a text: Lua computes those that it can while it compiles, and no local is
-- left of them.
local function is_constant(text, name)
  local fn, message = (loadstring or load)(text .. "\ndo end " .. name .. " = nil") -- luacheck: ignore
  return not fn and message:find("const variable '" .. name .. "'", 1, true) ~= nil
end

-- What stands behind the text of an entry: a call of what the entry is run with, on its constants. The block ends what
-- is before, in all versions of Lua: a semicolon may stand there already.
function locals.ending(text)
  local fields = {}
  for name in text:gmatch "([%a_][%w_]*)%s*<%s*const%s*>" do
    fields[#fields + 1] = is_constant(text, name) and name .. " = " .. name or nil
  end
  return "\ndo end (...) {" .. table.concat(fields, ", ") .. "}"
end

-- What an entry with this text is to be run with where locals.ending() is behind it: keeps the locals that are there in
-- its end. Names of the standard libraries stay what they are for everybody else, and so do `_` and `_1` to `_9`;
-- what is closed with the entry is not kept.
function locals.keeper(text)
  local closed = {}
  for name in text:gmatch "([%a_][%w_]*)%s*<%s*close%s*>" do
    closed[name] = true
  end
  local function keep(name, value)
    if name:find "^[%a_][%w_]*$" and not name:find "^_%d*$" and not closed[name]
        and (name == "pod" or not globals.is_standard(name)) then
      rawset(_G, name, value)
    end
  end
  return function(constants)
    for name, value in pairs(constants) do
      keep(name, value)
    end
    local i = 1
    while getlocal do
      local name, value = getlocal(2, i)
      if not name then
        return
      end
      keep(name, value)
      i = i + 1
    end
  end
end

return locals
