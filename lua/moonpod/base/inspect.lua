-- Readable text of any Lua value: what the interactive session shows.

local inspect = {}

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true
  until while]]):gmatch "%a+" do
  KEYWORDS[word] = true
end

local ESCAPES = { ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t", ["\\"] = "\\\\", ['"'] = '\\"', ["\0"] = "\\0" }

local function quote(text)
  return '"' .. text:gsub('[%c\\"]', function(c)
    return ESCAPES[c] or string.format("\\%03d", c:byte())
  end) .. '"'
end

-- Numbers, then strings, then booleans, then the rest by address.
local RANK = { number = 1, string = 2, boolean = 3 }

local function sorted_keys(t)
  local keys, count = {}, #t
  for key in next, t do
    if not (type(key) == "number" and key >= 1 and key <= count and key % 1 == 0) then
      keys[#keys + 1] = key
    end
  end
  table.sort(keys, function(a, b)
    local rank_a, rank_b = RANK[type(a)] or 4, RANK[type(b)] or 4
    if rank_a ~= rank_b then
      return rank_a < rank_b
    elseif rank_a <= 2 then
      return a < b
    end
    return tostring(a) < tostring(b)
  end)
  return keys, count
end

local function is_plain(t)
  local meta = getmetatable(t)
  return meta == nil or type(meta) == "table" and meta.__tostring == nil and meta.__name == nil
end

local write

local function write_table(t, state, depth)
  if state.open[t] then
    return "<cycle>"
  elseif depth > state.depth then
    return "{ ... }"
  end
  state.open[t] = true
  local keys, count = sorted_keys(t)
  local parts, shown = {}, 0
  local function add(text)
    shown = shown + 1
    parts[shown] = text
  end
  for i = 1, math.min(count, state.items) do
    add(write(rawget(t, i), state, depth + 1))
  end
  if count > state.items then
    add(string.format("... (%d more)", count - state.items))
  end
  for i = 1, math.min(#keys, state.items) do
    local key = keys[i]
    local name = type(key) == "string" and key:match "^[%a_][%w_]*$" and not KEYWORDS[key] and key
      or "[" .. write(key, state, depth + 1) .. "]"
    add(name .. " = " .. write(rawget(t, key), state, depth + 1))
  end
  if #keys > state.items then
    add(string.format("... (%d more)", #keys - state.items))
  end
  state.open[t] = nil
  if shown == 0 then
    return "{}"
  end
  local line = "{ " .. table.concat(parts, ", ") .. " }"
  if #line <= state.width - 2 * depth and not line:find "\n" then
    return line
  end
  local indent = ("  "):rep(depth)
  return "{\n" .. indent .. "  " .. table.concat(parts, ",\n" .. indent .. "  ") .. "\n" .. indent .. "}"
end

function write(value, state, depth)
  local kind = type(value)
  if kind == "string" then
    return quote(value)
  elseif kind == "table" and is_plain(value) then
    return write_table(value, state, depth)
  end
  local ok, text = pcall(tostring, value)
  if not ok then
    return "<" .. kind .. " whose __tostring failed: " .. tostring(text) .. ">"
  end
  return text
end

-- Text of a value. Options: depth (4 levels of tables), items (100 of a table), width (of a line, 80).
function inspect.text(value, options)
  options = options or {}
  return write(value, { depth = options.depth or 4, items = options.items or 100, width = options.width or 80,
    open = {} }, 0)
end

-- Prints values, one after the other.
function inspect.print(...)
  local parts = {}
  for i = 1, select("#", ...) do
    parts[i] = inspect.text((select(i, ...)))
  end
  io.write(table.concat(parts, "\t"), "\n")
end

return inspect
