-- c_tokens - C source as a list of tokens, with brackets matched: what finding and rewriting expressions needs.

local c_tokens = {}

-- Operators, longest first, so that the first that matches is the token.
local operators = {
  "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=",
  "&=", "|=", "^=",
}

local opens = { ["("] = ")", ["["] = "]", ["{"] = "}" }
local closes = { [")"] = true, ["]"] = true, ["}"] = true }

-- The token that begins at a place: its kind and its last character's place; kind nil for what is no token.
local function token_at(text, at)
  local char = text:sub(at, at)
  if char:match "%s" then return nil, select(2, text:find("^%s+", at)) end
  if text:find("^/%*", at) then return nil, select(2, assert(text:find("*/", at + 2, true))) end
  if text:find("^//", at) then return nil, (text:find("\n", at, true) or #text + 1) - 1 end
  if char == '"' or char == "'" then
    local stop = at + 1
    while text:sub(stop, stop) ~= char do stop = stop + (text:sub(stop, stop) == "\\" and 2 or 1) end
    return char == '"' and "string" or "char", stop
  end
  if char:match "[%a_]" then return "name", select(2, text:find("^[%w_]+", at)) end
  if text:find("^%.?%d", at) then
    local stop = at
    while true do
      local next_one = select(2, text:find("^[eEpP][+-]", stop)) or select(2, text:find("^[%w_.]", stop))
      if not next_one then return "number", stop - 1 end
      stop = next_one + 1
    end
  end
  for _, operator in ipairs(operators) do
    if text:sub(at, at + #operator - 1) == operator then return "operator", at + #operator - 1 end
  end
  return "operator", at
end

-- Blanks lines of the preprocessor, continued ones too; the places of everything else stay.
local function without_directives(text)
  local function blank(directive) return (directive:gsub("[^\n]", " ")) end
  local lines, continued = {}, false
  for line in text:gmatch "[^\n]*\n?" do
    local directive = continued or line:match "^%s*#"
    continued = directive and line:match "\\\n?$" ~= nil
    lines[#lines + 1] = directive and blank(line) or line
  end
  return table.concat(lines)
end

-- Returns a list of tokens { kind, text, from, to, line, match }: match is the index of the other bracket.
function c_tokens.read(text)
  local source = without_directives(text)
  local tokens, stack, at, line, counted = {}, {}, 1, 1, 1
  while at <= #source do
    local kind, stop = token_at(source, at)
    if kind then
      line = line + select(2, source:sub(counted, at - 1):gsub("\n", ""))
      counted = at
      local token = { kind = kind, text = source:sub(at, stop), from = at, to = stop, line = line }
      tokens[#tokens + 1] = token
      if kind == "operator" and opens[token.text] then
        stack[#stack + 1] = #tokens
      elseif kind == "operator" and closes[token.text] then
        local open = assert(table.remove(stack), "a bracket was never opened")
        token.match, tokens[open].match = open, #tokens
      end
    end
    at = stop + 1
  end
  assert(#stack == 0, "a bracket is never closed")
  return tokens
end

return c_tokens
