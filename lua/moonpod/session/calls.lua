-- calls - what call a place in an incomplete text of Lua stands in, and as what: read from brackets, strings and
-- comments alone.

local tokens = require "moonpod.base.tokens"

local calls = {}

local CLOSES = { [")"] = "(", ["]"] = "[", ["}"] = "{" }

-- The brackets that are open at the end of a text, the outermost first: { sign =, place =, commas = }.
local function open_brackets(text)
  local open, at = {}, 1
  while true do
    local place = text:find("[][(){}\"',;-]", at)
    if not place then
      return open
    end
    local sign = text:sub(place, place)
    local kind, last = tokens.at(text, place)
    local top, is_code = open[#open], kind == "other"
    at = is_code and place + 1 or last + 1
    if is_code and (sign == "(" or sign == "[" or sign == "{") then
      open[#open + 1] = { sign = sign, place = place, commas = 0 }
    elseif is_code and CLOSES[sign] and top and top.sign == CLOSES[sign] then
      open[#open] = nil
    elseif is_code and top and (sign == "," or sign == ";") then
      top.commas = top.commas + 1
    end
  end
end

-- The last place of what is called by a bracket at a place, or nil where the bracket calls nothing.
local function callee_before(text, place)
  local last = text:sub(1, place - 1):match "^.*()%S"
  local word = last and text:sub(1, last):match "[%w_]+$"
  if word and not word:find "^%d" and not tokens.keywords[word] then
    return last
  end
end

-- What the table at a bracket is to a call: { callee = the last place of what is called, options = true }, or nil.
local function as_options(text, open, level)
  local place = open[level].place
  local callee, outer = callee_before(text, place), open[level - 1]
  if callee then
    return { callee = callee, options = true }
  elseif outer and outer.sign == "(" and text:sub(1, place - 1):find "[(,]%s*$" then
    callee = callee_before(text, outer.place)
    return callee and { callee = callee, options = true }
  end
end

-- What stands at the end of a text: { callee =, options = true, key = name or nil } in a table of options, where a key
-- is the option whose value, or whose list of values, is begun; { callee =, place = } in a call's argument; or nil.
function calls.at_end(text)
  local open = open_brackets(text)
  local top = open[#open]
  if not top then
    local callee = callee_before(text, #text + 1)
    return callee and { callee = callee, place = 1 }
  elseif top.sign == "(" then
    local callee = callee_before(text, top.place)
    return callee and text:find "[(,]%s*$" and { callee = callee, place = top.commas + 1 } or nil
  elseif top.sign == "{" then
    local key = text:match "([%a_][%w_]*)%s*=%s*$"
    if key or text:find "[{,;]%s*$" then
      local found = as_options(text, open, #open)
      local list = text:sub(1, top.place - 1):match "([%a_][%w_]*)%s*=%s*$"
      if not found and list and #open > 1 and open[#open - 1].sign == "{" then
        found, key = as_options(text, open, #open - 1), list
      end
      if found then
        found.key = key
        found.given = text:sub(top.place + 1)
      end
      return found
    end
  end
end

return calls
