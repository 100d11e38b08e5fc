-- globals - what the user has made: names, types, sizes.

local kinds = require "moonpod.base.kinds"
local readable = require "moonpod.base.readable"
local text_table = require "moonpod.base.text_table"

local globals = {}

-- Globals that are nobody's own.
local STANDARD = { pod = true, help = true, arg = true, Out = true, _PROMPT = true, _PROMPT2 = true }
for name in ("_G _VERSION assert bit bit32 collectgarbage coroutine debug dofile error getfenv getmetatable io " ..
  "ipairs jit load loadfile loadstring math module newproxy next os package pairs pcall print " ..
  "rawequal rawget rawlen rawset require select setfenv setmetatable string table tonumber tostring " ..
  "type unpack utf8 warn xpcall"):gmatch "%S+" do
  STANDARD[name] = true
end

-- Whether a name is a library's or a function's of some Lua, if not of this one: code that runs under several asks.
function globals.is_standard(name)
  return STANDARD[name] ~= nil
end

local function kind_of(value)
  local meta = getmetatable(value)
  local name = type(value) == "table" and type(meta) == "table" and rawget(meta, "__name")
  return type(name) == "string" and name or type(value)
end

local BYTES = { bool = 1, int8 = 1, uint8 = 1, int16 = 2, uint16 = 2, float16 = 2, bfloat16 = 2, int64 = 8, uint64 = 8,
  float64 = 8 }

-- The bytes of what has a shape and a dtype.
function globals.bytes(value)
  local count = BYTES[value.dtype] or 4
  for _, size in ipairs(value.shape) do
    count = count * size
  end
  return count
end

-- The size of a tensor or a variable: "float32 (2, 3)  24 B"; of others what is short to say.
local function about(value)
  local is_table = type(value) == "table"
  local is_tensor = is_table and getmetatable(value) == kinds.tensor_metatable -- which may have to look for them
  local shape = is_tensor and value.shape or is_table and rawget(value, "shape")
  local dtype = is_tensor and value.dtype or is_table and rawget(value, "dtype")
  if type(shape) == "table" and type(dtype) == "string" then
    return ("%s (%s%s) %d B"):format(dtype, table.concat(shape, ", "), #shape == 1 and "," or "", globals.bytes(value))
  elseif type(value) == "string" then
    return #value .. " B"
  elseif type(value) == "number" or type(value) == "boolean" then
    return tostring(value)
  elseif readable.is_plain(value) then
    local count = 0
    for _ in next, value do
      count = count + 1
    end
    return count .. " items"
  end
  return ""
end

local List = { __name = "moonpod.session.globals" }

function List.__tostring(self)
  local rows = {}
  for i, one in ipairs(self) do
    rows[i] = { one.name, one.kind, one.about ~= "" and one.about or nil }
  end
  return #rows == 0 and "there are none" or table.concat(text_table.lines(rows, { { align = "left" } }), "\n")
end

-- Those of a table of globals that are nobody's else, sorted: { name =, kind =, about = }.
function globals.list(from)
  local list = {}
  for name, value in next, from do
    if type(name) == "string" and not STANDARD[name] and not name:find "^_%d*$" then
      list[#list + 1] = { name = name, kind = kind_of(value), about = about(value) }
    end
  end
  table.sort(list, function(a, b) return a.name < b.name end)
  return setmetatable(list, List)
end

return globals
