-- tokens - words of Lua in a text that may be incomplete or wrong.

local tokens = {}

tokens.keywords = {}
for word in ([[and break do else elseif end false for function goto if in local nil not or repeat return then true
  until while]]):gmatch "%a+" do
  tokens.keywords[word] = true
end

-- The end of a long bracket that begins at a place, as "[==[" does; nil where there is none.
local function end_of_long(text, at)
  local level = text:match("^%[(=*)%[", at)
  if level then
    local _, last = text:find("]" .. level .. "]", at, true)
    return last or #text
  end
end

local function end_of_quoted(text, at)
  local quote, place = text:sub(at, at), at + 1
  while true do
    place = text:find("[\\\"'\n]", place)
    local sign = place and text:sub(place, place)
    if sign == quote then
      return place
    elseif not place or sign == "\n" then
      return place and place - 1 or #text
    end
    place = place + (sign == "\\" and 2 or 1)
  end
end

-- What begins at a place, and where it ends: "comment", "string", "number", "keyword", "name" or "other".
function tokens.at(text, at)
  local word = text:match("^[%a_][%w_]*", at)
  if word then
    return tokens.keywords[word] and "keyword" or "name", at + #word - 1
  elseif text:find("^%-%-", at) then
    return "comment", end_of_long(text, at + 2) or (text:find("\n", at, true) or #text + 1) - 1
  elseif text:find("^%[=*%[", at) then
    return "string", end_of_long(text, at)
  elseif text:find("^[\"']", at) then
    return "string", end_of_quoted(text, at)
  elseif text:find("^%.?%d", at) then
    local _, last = text:find(text:find("^0[xX]", at) and "^[%w%.]-[pP][+-]%d+" or "^[%d%.]+[eE][+-]%d+", at)
    return "number", last or select(2, text:find("^[%w%.]+", at))
  end
  return "other", select(2, text:find("^[^%w_\"'%[%-%.]+", at)) or at
end

return tokens
