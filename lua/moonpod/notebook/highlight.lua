-- highlight - Lua as HTML: words, strings, numbers and comments in classes of their own.

local svg = require "moonpod.plot.svg"
local tokens = require "moonpod.base.tokens"

local highlight = {}

local CLASSES = { keyword = "k", string = "s", number = "n", comment = "c" }

-- A text of Lua as HTML, to stand within <pre>.
function highlight.html(text)
  local parts, at = {}, 1
  while at <= #text do
    local kind, last = tokens.at(text, at)
    local escaped = svg.escape(text:sub(at, last))
    local class = CLASSES[kind]
    parts[#parts + 1] = class and ('<span class="%s">%s</span>'):format(class, escaped) or escaped
    at = last + 1
  end
  return table.concat(parts)
end

return highlight
