-- highlight - Lua as HTML: words, strings, numbers and comments in classes of their own.

local svg = require "moonpod.plot.svg"

local highlight = {}

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true
  until while]]):gmatch "%a+" do
  KEYWORDS[word] = true
end

local CLASSES = { keyword = "k", string = "s", number = "n", comment = "c" }

-- The end of a long bracket that begins at a place, as "[==[" does; nil where there is none.
local function end_of_long(text, at)
  local level = text:match("^%[(=*)%[", at)
  if level then
    local _, last = text:find("]" .. level .. "]", at, true)
    return last or #text
  end
end

local function end_of_quoted(text, at)
  local quote = text:sub(at, at)
  local i = at + 1
  while i <= #text do
    local c = text:sub(i, i)
    if c == quote then
      return i
    elseif c == "\n" then
      return i - 1
    end
    i = i + (c == "\\" and 2 or 1)
  end
  return #text
end

-- The kind of the token at a place, and its last place.
local function token_at(text, at)
  if text:find("^%-%-", at) then
    return "comment", end_of_long(text, at + 2) or (text:find("\n", at, true) or #text + 1) - 1
  elseif text:find("^%[=*%[", at) then
    return "string", end_of_long(text, at)
  elseif text:find("^[\"']", at) then
    return "string", end_of_quoted(text, at)
  elseif text:find("^%.?%d", at) then
    local _, last = text:find("^0[xX][%x%.]*", at)
    last = last or select(2, text:find("^[%d%.]+[eE][+-]?%d+", at)) or select(2, text:find("^[%d%.]+", at))
    return "number", last
  elseif text:find("^[%a_]", at) then
    local word = text:match("^[%w_]+", at)
    return KEYWORDS[word] and "keyword" or "name", at + #word - 1
  end
  return "other", select(2, text:find("^[^%w_\"'%[%-%.]+", at)) or at
end

-- A text of Lua as HTML, to stand within <pre>.
function highlight.html(text)
  local parts, at = {}, 1
  while at <= #text do
    local kind, last = token_at(text, at)
    local escaped = svg.escape(text:sub(at, last))
    local class = CLASSES[kind]
    parts[#parts + 1] = class and ('<span class="%s">%s</span>'):format(class, escaped) or escaped
    at = last + 1
  end
  return table.concat(parts)
end

return highlight
