-- Readable text of any Lua value: what the interactive session shows. Nothing that a value has of its own can make it
-- raise, or go on for ever.

local above = require "moonpod.base.above"
local decimal = require "moonpod.base.decimal"
local keywords = require "moonpod.base.tokens".keywords
local utf8_text = require "moonpod.base.utf8_text"

local inspect = {}

local rawlen = rawlen or function(t) -- luacheck: ignore
  return #t -- of Lua 5.1, where tables have no __len
end

local ESCAPES = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\\"] = "\\\\", ['"'] = '\\"', ["\0"] = "\\0" }

-- Of a longer string so much is shown.
local MOST_BYTES = 10000

local function escape(c)
  return ESCAPES[c] or string.format("\\%03d", c:byte())
end

local function escape_bytes(bytes, is_character)
  return is_character and bytes or escape(bytes)
end

local function quote(text)
  local shown = #text > MOST_BYTES and text:sub(1, MOST_BYTES) or text
  shown = utf8_text.map(shown:gsub('[%c\\"]', escape), escape_bytes)
  return '"' .. shown .. '"' .. (#text > MOST_BYTES and ("... (%d more bytes)"):format(#text - MOST_BYTES) or "")
end

-- Numbers as Lua writes them; "nan" has no sign.
local function number(value)
  if value ~= value then
    return "nan"
  elseif value == math.huge or value == -math.huge then
    return value > 0 and "inf" or "-inf"
  end
  return decimal.text(value)
end

-- tostring() of what may have a __tostring that fails, or gives no text.
local function protected_text(value)
  local ok, text = pcall(tostring, value)
  if ok and type(text) == "string" then
    return text
  end
  local told, why = pcall(tostring, text)
  return ("<%s whose __tostring failed: %s>"):format(type(value), told and tostring(why) or "?")
end

-- Numbers, then strings, then booleans, then the rest.
local RANK = { number = 1, string = 2, boolean = 3 }

local function sorted_keys(t, hides_own)
  local keys, texts, count = {}, {}, rawlen(t)
  for key in next, t do
    local is_place = type(key) == "number" and key >= 1 and key <= count and key % 1 == 0
    local is_hidden = hides_own and type(key) == "string" and key:sub(1, 1) == "_"
    if not is_place and not is_hidden then
      keys[#keys + 1] = key
      texts[key] = not RANK[type(key)] and protected_text(key) or key == true and "true" or "false"
    end
  end
  table.sort(keys, function(a, b)
    local rank_a, rank_b = RANK[type(a)] or 4, RANK[type(b)] or 4
    if rank_a ~= rank_b then
      return rank_a < rank_b
    elseif rank_a <= 2 then
      return a < b
    end
    return texts[a] < texts[b]
  end)
  return keys, count
end

-- The metatable of a table, or false where it has none that can be read.
local function metatable_of(t)
  local ok, meta = pcall(getmetatable, t)
  if ok and type(meta) == "table" and rawget(meta, "__plain") then
    return false, false
  end
  return ok and type(meta) == "table" and meta or false, not ok or type(meta) ~= "table" and meta ~= nil
end

local write

local function name_of(key, state, depth)
  if type(key) == "string" and key:match "^[%a_][%w_]*$" and not keywords[key] then
    return key
  end
  return "[" .. write(key, state, depth) .. "]"
end

-- The parts of a table, until as many entries were written as one text may have.
local function parts_of(t, state, depth, hides_own)
  local keys, count = sorted_keys(t, hides_own)
  local parts, indent = {}, ("  "):rep(depth + 1)
  local function add(name, value)
    state.left = state.left - 1
    local text = write(value, state, depth + 1)
    if type(value) ~= "table" or metatable_of(value) then
      text = text:gsub("\n", "\n" .. indent) -- tables know how deep they are
    end
    parts[#parts + 1] = name .. text
  end
  local function more(shown, all)
    if shown < all then
      parts[#parts + 1] = ("... (%d more)"):format(all - shown)
    end
  end
  local shown = 0
  while shown < math.min(count, state.items) and state.left > 0 do
    shown = shown + 1
    add("", rawget(t, shown))
  end
  more(shown, count)
  shown = 0
  while shown < math.min(#keys, state.items) and state.left > 0 do
    shown = shown + 1
    add(name_of(keys[shown], state, depth + 1) .. " = ", rawget(t, keys[shown]))
  end
  more(shown, #keys)
  return parts
end

local function write_table(t, state, depth, class)
  local prefix = class and class .. " " or ""
  if state.open[t] then
    return "<cycle>"
  elseif depth > state.depth or state.left <= 0 then
    return prefix .. (next(t) == nil and "{}" or "{ ... }")
  end
  state.open[t] = true
  local parts = parts_of(t, state, depth, class ~= nil)
  state.open[t] = nil
  if #parts == 0 then
    return prefix .. "{}"
  end
  local line = prefix .. "{ " .. table.concat(parts, ", ") .. " }"
  if #line <= state.width - 2 * depth and not line:find "\n" then
    return line
  end
  local indent = ("  "):rep(depth)
  return prefix .. "{\n" .. indent .. "  " .. table.concat(parts, ",\n" .. indent .. "  ") .. "\n" .. indent .. "}"
end

function write(value, state, depth)
  local kind = type(value)
  if kind == "string" then
    return quote(value)
  elseif kind == "number" then
    return number(value)
  elseif kind ~= "table" then
    return protected_text(value)
  end
  local meta, is_locked = metatable_of(value)
  if is_locked or meta and rawget(meta, "__tostring") ~= nil then
    return protected_text(value)
  end
  local name = meta and rawget(meta, "__name")
  return write_table(value, state, depth, type(name) == "string" and name or nil)
end

-- Text of a value. Options: depth (4 levels of tables), items (100 of a table), width (of a line, 80), all (2000
-- entries of all tables).
function inspect.text(value, options)
  options = options or {}
  return write(value, { depth = options.depth or 4, items = options.items or 100, width = options.width or 80,
    left = options.all or 2000, open = {} }, 0)
end

-- What is shown of a value alone: the card that its kind has, else its text.
function inspect.card(value)
  local kind = type(value)
  if kind == "table" and metatable_of(value) or kind == "userdata" or kind == "function" then
    local ok, card = pcall(above.call, kind == "function" and "function_card" or "card", value)
    if ok and card == nil and kind == "table" then -- a class
      ok, card = pcall(above.call, "function_card", value)
    end
    if ok and type(card) == "string" then
      return card
    end
  end
  return inspect.text(value)
end

-- Prints values, one after the other.
function inspect.print(...)
  local parts = {}
  for i = 1, select("#", ...) do
    parts[i] = inspect.card((select(i, ...)))
  end
  io.write(table.concat(parts, "\t"), "\n")
end

return inspect
