-- json - plain Lua values as JSON text (RFC 8259) and back.
--
--   json.encode({ units = 3, shape = { 1, 2 } }, { indent = 2 })      json.decode(text)
--
-- Members are written in the order of their names, so equal values give equal texts. A table with the keys 1 to n is
-- an array; an empty one is an object unless json.array made it or it was read as an array. Of null there is
-- json.null, which tells an element that is null from one that is missing; decode(text, { drop_null = true }) leaves
-- out members of objects that are null. Integers are exact, as far as the Lua has them; floats are written with the
-- fewest digits (at most 17) that give the same float again, and with a point where Lua tells floats from integers.
-- Numbers that are not finite are written and read as Python's json does: NaN, Infinity, -Infinity. Other readers may
-- refuse these; nothing else here goes beyond the RFC. Names that come twice, text that is no UTF-8 and halves of
-- surrogate pairs are errors. Time is linear in the size, and nesting is bounded.

local decimal = require "moonpod.base.decimal"
local is_whole = require "moonpod.base.kinds".is_whole
local errors = require "moonpod.base.errors"
local readable = require "moonpod.base.readable"
local bad_utf8 = require "moonpod.base.utf8_text".bad

local number_type = decimal.type

local json = {}

-- Levels of arrays and objects in each other.
local MOST_LEVELS = 500

json.null = setmetatable({}, {
  __name = "moonpod.json_null",
  __tostring = function()
    return "null"
  end,
  __newindex = function()
    errors.raise("json.null is a value, not a table to put something into")
  end,
})

-- Tables that are arrays though they are empty. They have no metatable, so that they are plain for everybody else.
local arrays = setmetatable({}, { __mode = "k" })

-- Makes a table an array for encode() even where it is empty. Returns it.
function json.array(list)
  list = list or {}
  arrays[errors.check_type(list, "table", "json.array", "the list")] = true
  return list
end

-- True for tables that encode() writes as arrays.
function json.is_array(value)
  return type(value) == "table" and (value[1] ~= nil or arrays[value] == true and next(value) == nil)
end

-- ---- text ---------------------------------------------------------------------------------------------------------

-- Whether a value is none, or null.
function json.is_null(value)
  return value == nil or rawequal(value, json.null)
end

-- The object or array that a value is; an empty one in the place of anything else.
function json.table_of(value)
  return type(value) == "table" and not rawequal(value, json.null) and value or {}
end

-- What a string has only as an escape, and its end: control characters, quotes, backslashes.
local SPECIAL = "[^]^-\255 !#-[]"

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r",
  ["\t"] = "\\t" }

local function escape(byte)
  return ESCAPES[byte] or ("\\u%04x"):format(byte:byte())
end

-- ---- writing ------------------------------------------------------------------------------------------------------

local function path_of(self)
  return #self.path > 0 and " at " .. table.concat(self.path, "/") or ""
end

local function refuse(self, format, ...)
  errors.raise("%s: %s%s", self.where, format:format(...), path_of(self))
end

local function put(self, text)
  self.out[#self.out + 1] = text
end

local function write_string(self, value)
  local at = bad_utf8(value)
  if at then
    refuse(self, "text must be UTF-8; byte %d of %s is not", at, errors.describe(value:sub(1, 40)))
  end
  put(self, '"' .. value:gsub(SPECIAL, escape) .. '"')
end

local function number_text(value)
  if value ~= value then
    return "NaN"
  elseif value == math.huge or value == -math.huge then
    return value > 0 and "Infinity" or "-Infinity"
  elseif value == 0 and 1 / value < 0 then
    return "-0.0" -- others read -0 as a whole number, which has no sign
  elseif number_type(value) == "integer" then
    return ("%d"):format(value)
  elseif not number_type(value) and is_whole(value, -2 ^ 53, 2 ^ 53) then
    return ("%.0f"):format(value)
  end
  for digits = 15, 17 do
    local text = decimal.format("%." .. digits .. "g", value)
    if decimal.read(text) == value then
      return text:find "[.e]" and text or text .. (number_type(value) and ".0" or "")
    end
  end
end

local function new_line(self, level)
  if self.indent then
    put(self, "\n" .. self.indent:rep(level))
  end
end

local write_value

local function write_array(self, list, level)
  local count = #list
  put(self, "[")
  for i = 1, count do
    put(self, i > 1 and "," or nil)
    new_line(self, level)
    self.path[level] = i
    write_value(self, list[i], level)
  end
  self.path[level] = nil
  new_line(self, level - 1)
  put(self, "]")
end

local function write_object(self, object, keys, level)
  table.sort(keys)
  put(self, "{")
  for i, key in ipairs(keys) do
    put(self, i > 1 and "," or nil)
    new_line(self, level)
    self.path[level] = key
    write_string(self, key)
    put(self, self.indent and ": " or ":")
    write_value(self, object[key], level)
  end
  self.path[level] = nil
  new_line(self, level - 1)
  put(self, "}")
end

-- Strings among the keys of a table, and how many others there are.
local function keys_of(table_)
  local keys, others = {}, 0
  for key in pairs(table_) do
    if type(key) == "string" then
      keys[#keys + 1] = key
    else
      others = others + 1
    end
  end
  return keys, others
end

local function write_table(self, value, level)
  level = level + 1
  if level > MOST_LEVELS then
    errors.raise("%s: tables are nested more than %d deep; does one hold itself?", self.where, MOST_LEVELS)
  end
  local keys, others = keys_of(value)
  if others == 0 and #keys == 0 then
    put(self, arrays[value] and "[]" or "{}")
  elseif others == 0 then
    write_object(self, value, keys, level)
  elseif #keys > 0 or #value ~= others then
    refuse(self, "a table must be a list or have names only; this one has %s", #keys > 0
      and "both names, such as '" .. keys[1] .. "', and numbers" or "gaps, or keys that are no names")
  else
    write_array(self, value, level)
  end
end

local write_by_type = {
  string = write_string,
  number = function(self, value)
    put(self, number_text(value))
  end,
  boolean = function(self, value)
    put(self, tostring(value))
  end,
}

function write_value(self, value, level)
  if value == json.null then
    return put(self, "null")
  end
  local write = write_by_type[type(value)]
  if write then
    return write(self, value)
  elseif readable.is_plain(value) then
    return write_table(self, value, level)
  end
  refuse(self, "JSON has numbers, strings, booleans, json.null and plain tables, not %s", errors.describe(value))
end

-- The JSON text of a value. Options: indent (spaces a level; without it all is one line), where (what messages begin
-- with).
function json.encode(value, options)
  options = errors.check_options(options, { indent = "count", where = "string" }, "json.encode")
  local self = { out = {}, path = {}, where = options.where or "json.encode",
    indent = options.indent and (" "):rep(options.indent) }
  write_value(self, value, 0)
  return table.concat(self.out)
end

-- ---- reading ------------------------------------------------------------------------------------------------------

local function fail(self, at, format, ...)
  errors.raise("%s: %s at byte %d", self.where, format:format(...), at)
end

-- What stands at a place, for messages.
local function found(self, at)
  local piece = self.text:sub(at, at + 9)
  return piece == "" and "the end" or errors.describe(piece)
end

local function skip(self, at)
  return self.text:find("[^ \t\r\n]", at) or #self.text + 1
end

-- The bytes of a code point.
local function utf8_of(code)
  local floor, char = math.floor, string.char
  if code < 0x80 then
    return char(code)
  elseif code < 0x800 then
    return char(0xC0 + floor(code / 0x40), 0x80 + code % 0x40)
  elseif code < 0x10000 then
    return char(0xE0 + floor(code / 0x1000), 0x80 + floor(code / 0x40) % 0x40, 0x80 + code % 0x40)
  end
  return char(0xF0 + floor(code / 0x40000), 0x80 + floor(code / 0x1000) % 0x40, 0x80 + floor(code / 0x40) % 0x40,
    0x80 + code % 0x40)
end

local UNESCAPED = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

-- The character of the escape at a place, and the place behind it.
local function read_escape(self, at)
  local letter = self.text:sub(at + 1, at + 1)
  if UNESCAPED[letter] then
    return UNESCAPED[letter], at + 2
  end
  local digits = self.text:match("^u(%x%x%x%x)", at + 1)
  if not digits then
    fail(self, at, "no such escape: %s", found(self, at))
  end
  local code = tonumber(digits, 16)
  if code < 0xD800 or code > 0xDFFF then
    return utf8_of(code), at + 6
  end
  local low = code < 0xDC00 and self.text:match("^\\u([dD][c-fC-F]%x%x)", at + 6)
  if not low then
    fail(self, at, "half a surrogate pair: %s", found(self, at))
  end
  return utf8_of(0x10000 + (code - 0xD800) * 0x400 + tonumber(low, 16) - 0xDC00), at + 12
end

local function read_string(self, at)
  local text, parts = self.text, nil
  local from = at + 1
  while true do
    local stop = text:find(SPECIAL, from)
    local byte = stop and text:byte(stop)
    if byte == 0x22 then
      local last = text:sub(from, stop - 1)
      if not parts then
        return last, stop + 1
      end
      parts[#parts + 1] = last
      return table.concat(parts), stop + 1
    elseif byte == 0x5C then
      parts = parts or {}
      parts[#parts + 1] = text:sub(from, stop - 1)
      parts[#parts + 1], from = read_escape(self, stop)
    elseif byte then
      fail(self, stop, "a control character in a string must be written as an escape")
    else
      fail(self, at, "the string does not end that begins")
    end
  end
end

local read_value

local function read_array(self, at, level)
  local list, count = {}, 0
  at = skip(self, at + 1)
  if self.text:byte(at) == 0x5D then
    return json.array(list), at + 1
  end
  while true do
    count = count + 1
    list[count], at = read_value(self, at, level)
    at = skip(self, at)
    local byte = self.text:byte(at)
    if byte == 0x5D then
      return list, at + 1
    elseif byte ~= 0x2C then
      fail(self, at, "',' or ']' is missing: %s", found(self, at))
    end
    at = skip(self, at + 1)
  end
end

local function read_object(self, at, level)
  local object, seen = {}, {}
  at = skip(self, at + 1)
  if self.text:byte(at) == 0x7D then
    return object, at + 1
  end
  while true do
    local key, value
    if self.text:byte(at) ~= 0x22 then
      fail(self, at, "a name in quotes is missing: %s", found(self, at))
    end
    local begin = at
    key, at = read_string(self, at)
    if seen[key] then
      fail(self, begin, "the name %s comes twice", errors.describe(key))
    end
    seen[key] = true
    at = skip(self, at)
    if self.text:byte(at) ~= 0x3A then
      fail(self, at, "':' is missing: %s", found(self, at))
    end
    value, at = read_value(self, skip(self, at + 1), level)
    if not (self.drop_null and value == json.null) then
      object[key] = value
    end
    at = skip(self, at)
    local byte = self.text:byte(at)
    if byte == 0x7D then
      return object, at + 1
    elseif byte ~= 0x2C then
      fail(self, at, "',' or '}' is missing: %s", found(self, at))
    end
    at = skip(self, at + 1)
  end
end

local WORDS = { ["true"] = true, ["false"] = false, null = json.null, NaN = 0 / 0, Infinity = math.huge }

local function read_number(self, at)
  local last = select(2, self.text:find("^-?%d+", at))
  if self.text:find("^-?0%d", at) then
    fail(self, at, "a number must not begin with 0: %s", found(self, at))
  elseif not last then
    fail(self, at, "a value is missing: %s", found(self, at))
  end
  last = select(2, self.text:find("^%.%d+", last + 1)) or last
  last = select(2, self.text:find("^[eE][+-]?%d+", last + 1)) or last
  return decimal.read(self.text:sub(at, last)), last + 1
end

function read_value(self, at, level)
  local byte = self.text:byte(at)
  if byte == 0x22 then
    return read_string(self, at)
  elseif byte == 0x7B or byte == 0x5B then
    if level >= MOST_LEVELS then
      fail(self, at, "arrays and objects are nested more than %d deep", MOST_LEVELS)
    end
    return (byte == 0x7B and read_object or read_array)(self, at, level + 1)
  end
  local word = self.text:match("^%a+", at)
  if word and WORDS[word] ~= nil then
    return WORDS[word], at + #word
  elseif self.text:find("^%-Infinity%f[%A]", at) then
    return -math.huge, at + 9
  end
  return read_number(self, at)
end

-- The value of a JSON text. Options: drop_null (leaves out members of objects that are null), where (what messages
-- begin with).
function json.decode(text, options)
  options = errors.check_options(options, { drop_null = "boolean", where = "string" }, "json.decode")
  errors.check_type(text, "string", "json.decode", "the text")
  local self = { text = text, where = options.where or "json.decode", drop_null = options.drop_null }
  local bad = bad_utf8(text)
  if bad then
    fail(self, bad, "the text is no UTF-8")
  end
  local value, at = read_value(self, skip(self, 1), 0)
  at = skip(self, at)
  if at <= #text then
    fail(self, at, "something follows the value: %s", found(self, at))
  end
  return value
end

return json
