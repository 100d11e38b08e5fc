-- texts - functions of strings that a sandbox has in the place of Lua's: a function that is dumped as those of
-- inside.lua are, and called behind the first of them.
--
-- Those that have no count of their own count what they are given. Texts of values have no addresses, which tell where
-- the host's memory lies: values are numbered.

return function(b)
  local G, spend, type, find, gsub, select, unpack = b.G, b.spend, b.type, b.find, b.gsub, b.select, b.unpack
  local tostring, error, metatable, get, format = b.tostring, b.error, b.any_metatable, b.get, b.G.string.format
  local NAMED = { ["table"] = true, ["function"] = true, thread = true, userdata = true }
  local numbers, count = b.set_meta({}, { __mode = "k" }), 0

  local function number_of(value)
    if not numbers[value] then
      count = count + 1
      numbers[value] = count
    end
    return numbers[value]
  end

  function b.tostring(value)
    local meta = NAMED[type(value)] and metatable(value)
    if not NAMED[type(value)] or meta and get(meta, "__tostring") and type(value) ~= "userdata" then
      return tostring(value)
    end
    return (gsub(tostring(value), "0x%x+", "#" .. number_of(value)))
  end
  G.tostring = b.tostring

  function G.string.format(text, ...)
    if type(text) == "string" and find(gsub(text, "%%%%", ""), "%%[^%a]*p") then
      error("a sandbox has no addresses to format", 2)
    end
    local values = { ... }
    for i = 1, select("#", ...) do
      values[i] = NAMED[type(values[i])] and b.tostring(values[i]) or values[i]
    end
    return format(text, unpack(values, 1, select("#", ...)))
  end

  local function length_of(first, ...)
    local all = type(first) == "string" and #first or 0
    for i = 1, select("#", ...) do
      local value = select(i, ...)
      all = all + (type(value) == "string" and #value or 0)
    end
    return all
  end

  for name in b.gmatch("byte char format lower pack packsize reverse sub unpack upper", "%S+") do
    local fn = G.string[name]
    G.string[name] = fn and function(...)
      spend(length_of(...) / 32)
      return fn(...)
    end
  end
end
