-- decimal - numbers as text and back with a point, whatever the locale that a host has set: Lua's own functions write
-- "0,5" in Germany. Lint finds formats of floats that go another way.

local decimal = {}

-- The decimal point of the locale: it may change from call to call.
local function point_here()
  return ("%.1f"):format(0.5):sub(2, -2)
end

local function with_point(text)
  return (text:gsub("(%d)[^%w%s+-]+(%d)", "%1.%2", 1))
end

-- What string.format gives.
function decimal.format(format, ...)
  if point_here() == "." then
    return format:format(...)
  end
  local arguments, at = { ... }, 0
  return (format:gsub("%%[-+ #0]*%d*%.?%d*[%a%%]", function(directive)
    if directive == "%%" then
      return "%"
    end
    at = at + 1
    local text = directive:format(arguments[at])
    return (directive:find "[eEfFgGaA]$" or type(arguments[at]) == "number") and with_point(text) or text
  end))
end

-- What tostring gives of a number.
function decimal.text(number)
  return with_point(tostring(number))
end

-- What tonumber gives of a text with a point: Lua 5.1 reads the locale's alone.
function decimal.read(text)
  return tonumber(text) or tonumber((text:gsub("%.", point_here())))
end

-- Whether a number is an "integer" or a "float" of Lua 5.3 and later; nil where numbers have no such types.
decimal.type = math.type or function() end -- luacheck: ignore

return decimal
