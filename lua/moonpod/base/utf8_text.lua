-- utf8_text - which bytes of a text are characters of UTF-8.

local utf8_text = {}

-- Of a first byte: the range of the second one, and how many follow.
local function tail_of(first)
  if first < 0xC2 or first > 0xF4 then
    return nil
  elseif first < 0xE0 then
    return 0x80, 0xBF, 1
  elseif first < 0xF0 then
    return first == 0xE0 and 0xA0 or 0x80, first == 0xED and 0x9F or 0xBF, 2
  end
  return first == 0xF0 and 0x90 or 0x80, first == 0xF4 and 0x8F or 0xBF, 3
end

-- The last byte of the character beyond ASCII at a place, or nil where there is none of UTF-8.
local function last_of(text, at)
  local low, high, more = tail_of(text:byte(at))
  local second = text:byte(at + 1)
  if not low or not second or second < low or second > high then
    return nil
  end
  for i = at + 2, at + more do
    local byte = text:byte(i)
    if not byte or byte < 0x80 or byte > 0xBF then
      return nil
    end
  end
  return at + more
end

-- The place of the first byte that is part of no character, or nil.
function utf8_text.bad(text)
  local at = text:find "[\128-\255]"
  while at do
    local last = last_of(text, at)
    if not last then
      return at
    end
    at = text:find("[\128-\255]", last + 1)
  end
end

-- A text with replace(bytes, is_character) in the place of each character beyond ASCII, and of each byte that is part
-- of none.
function utf8_text.map(text, replace)
  if not text:find "[\128-\255]" then
    return text
  end
  local parts, at = {}, 1
  while at <= #text do
    local stop = text:find("[\128-\255]", at) or #text + 1
    parts[#parts + 1] = text:sub(at, stop - 1)
    at = stop
    if at <= #text then
      local last = last_of(text, at)
      parts[#parts + 1] = replace(text:sub(at, last or at), last ~= nil)
      at = (last or at) + 1
    end
  end
  return table.concat(parts)
end

return utf8_text
