-- readable - plain tables that say what is in them where they are printed: what functions give as results.

local late = require "moonpod.base.late"

local readable = {}

-- Their metatable. __plain tells C that the table is one.
readable.metatable = { __plain = true, __tostring = late(function() return require "moonpod.base.inspect" end, "text") }

-- Whether a value is a plain table: without a metatable, or made readable.
function readable.is_plain(value)
  if type(value) ~= "table" then
    return false
  end
  local meta = getmetatable(value)
  return meta == nil or meta == readable.metatable
end

-- Makes a table readable, with the tables in it; what is no plain table stays as it is. Returns it.
function readable.of(value)
  if type(value) == "table" and getmetatable(value) == nil then
    setmetatable(value, readable.metatable)
    for _, one in pairs(value) do
      readable.of(one)
    end
  end
  return value
end

return readable
