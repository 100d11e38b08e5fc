-- narrow - code of Lua and C in lines that fit a page of the book: what is wider is broken where it is least nested.

local narrow = {}

narrow.WIDTH = 78

-- The least that stays on a line that is broken.
local LEAST = 24

-- Operators before which a line is broken, the sooner the less they bind.
local OPERATORS = { ["and"] = .1, ["or"] = .1, ["=="] = .3, ["~="] = .3, ["<"] = .3, [">"] = .3, ["<="] = .3,
  [">="] = .3, [".."] = .3, ["+"] = .3, ["/"] = .3 }

local function width(text)
  return utf8.len(text) or #text
end

-- The next token at a byte of a line: its last byte, and whether it is a string or a comment.
local function token_at(line, at, comment)
  local quote = line:match("^[\"']", at)
  if quote then
    local stop = at + 1
    while stop <= #line and line:sub(stop, stop) ~= quote do
      stop = stop + (line:sub(stop, stop) == "\\" and 2 or 1)
    end
    return stop, true
  elseif line:find("^" .. comment, at) then
    return #line, true
  end
  local _, stop = line:find("^[%w_.:]*[%w_]", at)
  stop = stop or select(2, line:find("^%.%.", at)) or select(2, line:find("^[=~<>]=", at))
  return stop or at, false
end

-- Where a line may be broken: the byte where what follows begins -> how deep that is nested. What stands behind a
-- bracket is deeper than what stands behind a comma before it; what follows an operator is between. What is before is
-- no whole statement, so that both can be typed at the prompt.
local function places_of(line, comment)
  local places, depth, at = {}, 0, #line:match "^%s*" + 1
  while at <= #line do
    local stop, is_opaque = token_at(line, at, comment)
    local token = not is_opaque and line:sub(at, stop)
    local behind = line:match("^ *()", stop + 1)
    if token == "(" or token == "{" or token == "[" then
      depth = depth + 1
      if not line:find("^[)}%]]", behind) then
        places[behind] = depth - .4
      end
    elseif token == ")" or token == "}" or token == "]" then
      depth = depth - 1
    elseif token == "," or token == ";" then
      places[behind] = depth
    elseif token == "=" then
      places[behind] = depth + 2
    elseif OPERATORS[token] then
      places[depth > 0 and at or behind] = depth + OPERATORS[token]
    elseif token and depth > 0 and line:find("^[)}]:", at - 1) and token ~= ":format" then -- a method of a result
      places[at] = depth + .2
    end
    at = behind
  end
  return places
end

-- Breaks a line into ones that fit, those behind the first indented by `step` more.
local function broken(line, step, comment, out)
  local indent = line:match "^ *"
  local inner = indent .. step
  while width(line) > narrow.WIDTH do
    local best, least
    for place, depth in pairs(places_of(line, comment)) do
      local head, tail = line:sub(1, place - 1):gsub(" +$", ""), line:sub(place)
      if width(head) <= narrow.WIDTH and width(head) - #indent >= LEAST and tail ~= "" then
        local cost = depth + (width(inner .. tail) > narrow.WIDTH and 1 or 0) - place / 1e4
        if not least or cost < least then
          best, least = place, cost
        end
      end
    end
    if not best then
      break
    end
    out[#out + 1] = (line:sub(1, best - 1):gsub(" +$", ""))
    line = inner .. line:sub(best)
  end
  out[#out + 1] = line
end

-- Where a comment of Lua begins that stands behind code.
local function comment_of(line)
  local at = #line:match "^%s*" + 1
  while at <= #line do
    local stop, is_opaque = token_at(line, at, "%-%-")
    if is_opaque and line:find("^%-%-", at) then
      return line:find("%S", 1) < at and at or nil
    end
    at = line:match("^ *()", stop + 1)
  end
end

-- Words in lines that fit, each behind `before`.
local function wrapped(text, before, out, last)
  local line
  for word in text:gmatch "%S+" do
    if line and width(line .. " " .. word .. (last or "")) > narrow.WIDTH then
      out[#out + 1], line = line, nil
    end
    line = line and line .. " " .. word or (#out.is_first > 0 and out.is_first or before) .. word
    out.is_first = ""
  end
  out[#out + 1] = line .. (last or "")
end

-- Statements of a line that are parted by semicolons, outside of brackets and blocks.
local function statements(line)
  local indent, list, from, depth, at = line:match "^ *", {}, nil, 0, #line:match "^ *" + 1
  from = at
  while at <= #line do
    local stop, is_opaque = token_at(line, at, "%-%-")
    local token = not is_opaque and line:sub(at, stop)
    if token == "(" or token == "{" or token == "function" or token == "do" or token == "then" then
      depth = depth + 1
    elseif token == ")" or token == "}" or token == "end" then
      depth = depth - 1
    elseif token == ";" and depth == 0 then
      list[#list + 1] = indent .. line:sub(from, at - 1)
      from = line:match("^ *()", stop + 1)
    end
    at = line:match("^ *()", stop + 1)
  end
  list[#list + 1] = indent .. line:sub(from)
  return list
end

-- Lua: what a comment behind a wide line says stands above it, what it prints below.
function narrow.lua(text)
  local out = {}
  for line in (text:gsub("\n?$", "\n")):gmatch "([^\n]*)\n" do
    local at = width(line) > narrow.WIDTH and comment_of(line)
    local code, said = line, nil
    if at then
      code, said = line:sub(1, at - 1):gsub(" +$", ""), line:sub(at)
    end
    if said and not said:find "^%-%->" then
      out.is_first = code:match "^ *" .. "-- "
      wrapped(said:gsub("^%-%-%s*", ""), code:match "^ *" .. "-- ", out)
      said = nil
    end
    if width(code) > narrow.WIDTH and code:find "^%s*%-%-" then
      out.is_first = ""
      wrapped(code:match "^%s*%-%-%s*(.*)", code:match "^%s*" .. "-- ", out)
    elseif width(code) > narrow.WIDTH then
      for _, one in ipairs(statements(code)) do
        broken(one, "  ", "%-%-", out)
      end
    else
      out[#out + 1] = code
    end
    out[#out + 1] = said and code:match "^ *" .. said
  end
  return table.concat(out, "\n")
end

-- The last of the lines from i on that belong to what line i begins: a comment, or what stands in brackets.
local function last_of(lines, i)
  local code, said = lines[i]:match "^(.-)(/%*.*)$"
  code = code or lines[i]
  local last = i
  if said then
    while not lines[last]:find("*/", 1, true) do
      last = last + 1
    end
    return last, code:gsub("%s+$", "")
  end
  local depth = 0
  repeat
    depth = depth + select(2, lines[last]:gsub("%(", "")) - select(2, lines[last]:gsub("%)", ""))
    last = last + 1
  until depth <= 0 or not lines[last] or lines[last]:find("/*", 1, true)
  return last - 1
end

-- C: a comment behind a member, where one of its lines is wide, stands above it.
function narrow.c(text)
  local lines, out, i = {}, {}, 1
  for line in (text:gsub("\n?$", "\n")):gmatch "([^\n]*)\n" do
    lines[#lines + 1] = line
  end
  while i <= #lines do
    local last, code = last_of(lines, i)
    local is_wide, whole = false, lines[i]
    for k = i, last do
      is_wide = is_wide or width(lines[k]) > narrow.WIDTH
      whole = k > i and whole .. " " .. lines[k]:gsub("^%s*%*? ?", code and "" or "%0"):gsub("^ +", "") or whole
    end
    if not is_wide then
      table.move(lines, i, last, #out + 1, out)
    elseif code then
      local indent = lines[i]:match "^ *"
      out.is_first = indent .. "/* "
      wrapped(whole:match "/%*%s*(.-)%s*%*/%s*$", indent .. " * ", out, " */")
      out[#out + 1] = code:find "%S" and code or nil
    else
      broken(whole, "    ", "/%*", out)
    end
    i = last + 1
  end
  return table.concat(out, "\n")
end

return narrow
