--[[
sites - where a C file can be mutated, and the file with some of its mutants behind a switch.

A site is one token and one operator:

    sign                + and - change places, in sums and in += and -=; a minus in front is dropped
    off_by_one          < and <=, > and >= change places; an integer is one more
    dropped_condition   what stands left or right of && or || is left out; what an if guards is done always, or never

It is rewritten in the smallest expression around it that can be wrapped, as `(POD_MUTANT(7) ? (mutated) :
(original))`, or where that is a statement, as an if. Declarations, constants, texts and what is given to a call
beside a text (messages) are no sites, nor are comparisons of which only the smaller or larger is taken.
]]

local c_tokens = require "c_tokens"

local sites = {}

local function set(words)
  local result = {}
  for word in words:gmatch "%S+" do result[word] = true end
  return result
end

local assignments = set "= += -= *= /= %= &= |= ^= <<= >>="
local headed = set "if while for switch"
local no_values = set "sizeof _Alignof _Static_assert assert offsetof __attribute__ case goto"
local swapped = {
  ["+"] = "-", ["-"] = "+", ["+="] = "-=", ["-="] = "+=", ["<"] = "<=", ["<="] = "<", [">"] = ">=", [">="] = ">",
}

-- ---- regions ---------------------------------------------------------------------------------------------

-- True where the brace at `open` begins a block, and not an initialiser or a compound literal.
local function is_block(tokens, open)
  local before = tokens[open - 1]
  if not before then return false end
  if before.text == ")" then
    local head = tokens[before.match - 1]
    return head ~= nil and head.kind == "name" and head.text ~= "return"
  end
  return before.text == ";" or before.text == "{" or before.text == "}" or before.text == "else" or
    before.text == "do" or
    before.text == ":"
end

-- True for a colon that belongs to a question mark, and not to a label or case.
local function is_ternary(tokens, colon)
  local at = colon - 1
  while at > 0 do
    local text = tokens[at].text
    if text == "?" then return true end
    if text == ";" or text == "{" or text == "case" or text == "default" then return false end
    if tokens[at].match then
      if tokens[at].match > at then return false end
      at = tokens[at].match
    end
    at = at - 1
  end
  return false
end

-- Where what the token is in begins: "expression" or "statement" and the first token's index; nil: nothing that can
-- be wrapped.
local function region_start(tokens, index)
  local at = index - 1
  while at > 0 do
    local token = tokens[at]
    local text = token.text
    if text == ")" or text == "]" or text == "}" then
      local open = token.match
      local head = tokens[open - 1]
      if text == ")" and head and headed[head.text] or text == "}" and
        is_block(tokens, open) then return "statement", at + 1 end
      at = open
    elseif text == "(" then
      local head = tokens[at - 1]
      if head and no_values[head.text] then return nil end
      return "expression", at + 1
    elseif text == "[" or assignments[text] or text == "return" then
      return "expression", at + 1
    elseif text == "{" then
      return is_block(tokens, at) and "statement" or "expression", at + 1
    elseif text == ";" then
      return "statement", at + 1
    elseif text == "," then
      return "expression", at + 1
    elseif text == "else" or text == "do" then
      return "statement", at + 1
    elseif text == "case" then
      return nil
    elseif text == ":" and not is_ternary(tokens, at) then
      return "statement", at + 1
    end
    at = at - 1
  end
  return nil
end

local function region_stop(tokens, index)
  local at = index
  while true do
    local token = tokens[at]
    if token.match and token.match > at then
      at = token.match
    elseif token.match or token.text == "," or token.text == ";" then
      return at - 1
    end
    at = at + 1
  end
end

-- The bracket around a token.
local function enclosing(tokens, index)
  local at = index - 1
  while at > 0 do
    local match = tokens[at].match
    if match and match > at then return at end
    at = (match or at) - 1
  end
  return nil
end

local function region_of(tokens, index)
  local kind, first = region_start(tokens, index)
  if not kind then return nil end
  local around = enclosing(tokens, index)
  if kind == "statement" and tokens[around].text == "(" then kind = "expression" end -- in the head of a for
  local last = region_stop(tokens, index)
  local begins = tokens[first]
  if kind == "statement" then
    local second = tokens[first + 1]
    -- Declarations, and what begins with a word of the language.
    if begins.kind == "name" and (second.kind == "name" or headed[begins.text]) then return nil end
    if begins.kind == "name" and second.text == "*" and tokens[first + 2].kind == "name" then return nil end
    if tokens[last + 1].text ~= ";" then return nil end
  end
  return { kind = kind, first = first, last = last }
end

-- ---- what is left alone -----------------------------------------------------------------------------------

-- For each token, true where it is in the body of a function.
local function in_bodies(tokens)
  local inside, at = {}, 1
  while at <= #tokens do
    if tokens[at].text == "{" then
      local body = tokens[at - 1].text == ")"
      for i = at, tokens[at].match do inside[i] = body end
      at = tokens[at].match
    end
    at = at + 1
  end
  return inside
end

-- True where a call around the token is given a text: a message.
local function is_message(tokens, index)
  local around = enclosing(tokens, index)
  while around do
    if tokens[around].text == "(" then
      local at = around + 1
      while at < tokens[around].match do
        if tokens[at].kind == "string" then return true end
        at = (tokens[at].match or at) + 1
      end
    elseif is_block(tokens, around) then
      return false
    end
    around = enclosing(tokens, around)
  end
  return false
end

-- True in the brackets of an array that is declared, and in a static declaration.
local function is_declaration(tokens, index)
  local at, crossed = index, false
  while at > 1 do
    local before = tokens[at - 1]
    if before.text == "=" then crossed = true end
    if before.text == ";" or before.text == "else" or (before.text == "{" or before.text == "}") and
        is_block(tokens, before.text == "{" and at - 1 or before.match) then break end
    at = before.match and before.match < at - 1 and before.match or at - 1
  end
  if tokens[at].text == "static" then return true end
  local around = enclosing(tokens, index)
  local declares = tokens[at].kind == "name" and tokens[at].text ~= "return" and
    (tokens[at + 1].kind == "name" or tokens[at + 1].text == "*")
  return declares and not crossed and tokens[around].text == "["
end

-- ---- operators ---------------------------------------------------------------------------------------------

-- The operand left (step -1) or right of && or ||, at most up to the end of the region: its first and last token.
local function operand(tokens, index, region, step)
  local own = tokens[index].text
  local at = index + step
  while at >= region.first and at <= region.last do
    local token = tokens[at]
    local text = token.text
    if text == "||" or text == "&&" and own == "&&" or text == "?" or text == ":" or assignments[text] or
      text == "return" then
      break
    end
    if token.match and (token.match - at) * step > 0 then at = token.match end
    at = at + step
  end
  if step > 0 then return index + 1, at - 1 end
  return at + 1, index - 1
end

local function text_of(tokens, first, last)
  local words = {}
  for i = first, last do words[#words + 1] = tokens[i].text end
  return table.concat(words, " ")
end

-- True for `a < b ? a : b` and `if (a < b) a = b;`, which give the same where a and b are equal: no fault can be
-- seen there.
local function is_extreme(tokens, index, region)
  local left = text_of(tokens, operand(tokens, index, region, -1))
  local first, last = operand(tokens, index, region, 1)
  local right, rest, follows = text_of(tokens, first, last), tokens[last + 1], ""
  if rest.text == "?" then
    follows = text_of(tokens, last + 2, region.last)
    return follows == left .. " : " .. right or follows == right .. " : " .. left
  end
  local stop = rest.match and last + 1 or nil
  if not stop or tokens[rest.match - 1].text ~= "if" then return false end
  local semicolon = stop
  while tokens[semicolon].text ~= ";" and tokens[semicolon].text ~= "{" do semicolon = semicolon + 1 end
  follows = text_of(tokens, stop + 1, semicolon - 1)
  return follows == left .. " = " .. right or follows == right .. " = " .. left
end

-- What takes the place of tokens from .. to, for each way to mutate the token; a list of { operator, from, to, text }.
local function edits(tokens, index, region)
  local token = tokens[index]
  local text, before, result = token.text, tokens[index - 1], {}
  local function add(operator, from, to, replacement)
    result[#result + 1] = { operator = operator, from = from, to = to, replacement = replacement }
  end
  local binary = before.kind ~= "operator" and before.text ~= "return" or before.text == ")" or before.text == "]"
  if text == "+" and binary or text == "-" and binary or text == "+=" or text == "-=" then
    add("sign", index, index, swapped[text])
  elseif text == "-" then
    add("sign", index, index, "")
  elseif swapped[text] and text ~= "+" then
    if not is_extreme(tokens, index, region) then add("off_by_one", index, index, swapped[text]) end
  elseif token.kind == "number" and text:match "^%d+[uUlL]*$" then
    local digits, suffix = text:match "^(%d+)(%a*)$"
    if not (digits:match "^0%d") then
      add("off_by_one", index, index, ("%d%s"):format(math.tointeger(tonumber(digits)) + 1, suffix))
    end
  elseif text == "&&" or text == "||" then
    local neutral = text == "&&" and "1" or "0"
    for step = -1, 1, 2 do
      local from, to = operand(tokens, index, region, step)
      add("dropped_condition", from, to, neutral)
    end
  end
  return result
end

local function whole_condition(tokens, index)
  local region = { kind = "expression", first = index + 2, last = tokens[index + 1].match - 1 }
  return region, {
    { operator = "dropped_condition", from = region.first, to = region.last, replacement = "1" },
    { operator = "dropped_condition", from = region.first, to = region.last, replacement = "0" },
  }
end

local wanted = set "+ - += -= < <= > >= && ||"

-- All sites of a file, in order: { line, operator, region, from, to, replacement, way }, and its tokens.
function sites.find(text)
  local tokens = c_tokens.read(text)
  local inside, found = in_bodies(tokens), {}
  for index, token in ipairs(tokens) do
    local region, ways
    if inside[index] and token.text == "if" then
      region, ways = whole_condition(tokens, index)
    elseif inside[index] and (wanted[token.text] or token.kind == "number") and not is_message(tokens, index) and
        not is_declaration(tokens, index) then
      region = region_of(tokens, index)
      ways = region and edits(tokens, index, region)
    end
    for way, one in ipairs(ways or {}) do
      one.line, one.region, one.way, one.index = token.line, region, way, index
      found[#found + 1] = one
    end
  end
  return found, tokens
end

-- ---- rewriting ---------------------------------------------------------------------------------------------

-- The mutated region on one line.
function sites.mutated(tokens, site)
  local words = {}
  for i = site.region.first, site.region.last do
    if i == site.from then words[#words + 1] = site.replacement end
    if i < site.from or i > site.to then words[#words + 1] = tokens[i].text end
  end
  return table.concat(words, " ")
end

function sites.original(tokens, site)
  return text_of(tokens, site.region.first, site.region.last)
end

-- The text with each site behind POD_MUTANT(number): lines keep their numbers.
function sites.rewrite(text, tokens, chosen)
  local order = {}
  for i, site in ipairs(chosen) do order[i] = site end
  table.sort(order, function(a, b)
    if a.region.first ~= b.region.first then return a.region.first < b.region.first end
    if a.region.last ~= b.region.last then return a.region.last > b.region.last end
    return a.number < b.number
  end)
  local at = 1 -- of order
  local function render(from, to) -- characters
    local pieces = {}
    while order[at] and tokens[order[at].region.first].from <= to do
      local site = order[at]
      local first, last = tokens[site.region.first].from, tokens[site.region.last].to
      assert(first >= from and last <= to, "regions overlap")
      at = at + 1
      pieces[#pieces + 1] = text:sub(from, first - 1)
      local form = site.region.kind == "statement" and "{ if (POD_MUTANT(%d)) { %s; } else { %s; } }" or
        "(POD_MUTANT(%d) ? (%s) : (%s))"
      local inner = render(first, last)
      pieces[#pieces + 1] = form:format(site.number, sites.mutated(tokens, site), inner)
      from = last + 1
      if site.region.kind == "statement" then from = tokens[site.region.last + 1].to + 1 end
    end
    pieces[#pieces + 1] = text:sub(from, to)
    return table.concat(pieces)
  end
  return render(1, #text)
end

return sites
