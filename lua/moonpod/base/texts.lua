-- texts - texts of files, their lines and their characters.

local utf8_text = require "moonpod.base.utf8_text"

local texts = {}

-- What is in a file, at most so many bytes; nil, with the reason, where it cannot be read.
function texts.read(path, most)
  local file, failure = io.open(path, "rb")
  local text
  if file then
    text, failure = file:read(most or "*a")
    file:close()
  end
  return text, failure
end

-- Whether a file can be opened.
function texts.exists(path)
  local file = io.open(path, "rb")
  if file then
    file:close()
  end
  return file ~= nil
end

-- The parts of a text that fit a pattern, in their order.
function texts.parts(text, pattern)
  local parts = {}
  for part in text:gmatch(pattern) do
    parts[#parts + 1] = part
  end
  return parts
end

-- The lines of a text, whatever ends them.
function texts.lines(text)
  return texts.parts(text:gsub("\r\n?", "\n") .. "\n", "(.-)\n")
end

-- A text as one word of a POSIX shell.
function texts.shell_word(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- A text without the codes by which terminals colour.
function texts.plain(text)
  return (text:gsub("\27%[[%d;]*%a", ""))
end

local function replace(bytes, is_character)
  return is_character and bytes or "\239\191\189"
end

-- A text in which U+FFFD stands for each byte that is no UTF-8.
function texts.clean(text)
  return utf8_text.map(text, replace)
end

return texts
