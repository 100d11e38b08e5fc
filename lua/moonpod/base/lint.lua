-- lint - finds in the source of a traced function what Lua decides while tracing, once, without a word to the tensor:
-- its truth (`if t then`, `assert(t)`: always true), its equality with what is no tensor (`t == 2`: never), and what
-- comes from outside (`math.random()`, `os.time()`). A scan of words, not a proof: what it cannot be sure of it leaves
-- alone. All that is decided in a trace, and how, is listed in tests/lua/traced_decisions_spec.lua.

local tables = require "moonpod.base.tables"
local tail_calls = require "moonpod.base.tail_calls"
local tokens = require "moonpod.base.tokens"
local warnings = require "moonpod.base.warnings"

local lint = {}

-- Functions whose result is a tensor to be tested, when nothing is called on it further.
local TESTS = {}
for name in ([[less less_equal greater greater_equal equal not_equal logical_not logical_and logical_or logical_xor
  any all is_nan is_finite is_inf sum mean max min prod norm]]):gmatch "%S+" do
  TESTS[name] = true
end

-- Functions whose answers differ from call to call: the one while tracing stays. And functions that make of any tensor
-- what is no tensor.
local OUTSIDE = { math = { random = true }, os = { time = true, clock = true, date = true, getenv = true },
  io = { read = true, lines = true } }
local BLIND = { assert = true, tonumber = true }

local OPENS = { ["("] = ")", ["{"] = "}", ["["] = "]" }

-- ---- words ----------------------------------------------------------------------------------------------

-- Cuts source text into words: an array of { text =, kind = "name" | "number" | "string" | "sign", line =, at = its
-- place in the source }. Of a string the text is its first sign.
function lint.words(source, first_line)
  local words, at, line = {}, source:find "%S", first_line or 1
  local newline = source:find("\n", 1, true)
  while at do
    while newline and newline < at do
      line, newline = line + 1, source:find("\n", newline + 1, true)
    end
    local kind, last = tokens.at(source, at)
    if kind == "other" then
      kind, last = "sign", select(2, source:find("^[=~<>]=", at)) or select(2, source:find("^%.%.+", at)) or at
    end
    if kind ~= "comment" then
      words[#words + 1] = { text = source:sub(at, kind == "string" and at or last),
        kind = kind == "keyword" and "name" or kind, line = line, at = at }
    end
    at = source:find("%S", last + 1)
  end
  return words
end

-- The place behind the bracket that closes the one at `at`.
local function behind(words, at)
  local close, depth = OPENS[words[at].text], 0
  local open = words[at].text
  for i = at, #words do
    if words[i].kind == "sign" then
      if words[i].text == open then
        depth = depth + 1
      elseif words[i].text == close then
        depth = depth - 1
        if depth == 0 then
          return i + 1
        end
      end
    end
  end
  return #words + 1
end

local function text(words, at)
  return words[at] and words[at].text
end

-- When a call of one of TESTS begins at `at` (`pod.less(...)`, `x:any()`), the place behind it.
local function test_call(words, at)
  local owner, dot, name, open = words[at], text(words, at + 1), text(words, at + 2), text(words, at + 3)
  if not owner or owner.kind ~= "name" or not TESTS[name] or open ~= "(" then
    return nil
  end
  if dot == ":" or dot == "." and (owner.text == "pod" or owner.text == "ops") then
    return behind(words, at + 3)
  end
end

-- The same for what is called on a value in brackets: `(x - y):sum()`.
local function chained_call(words, at)
  local word, name, open = words[at], text(words, at + 2), text(words, at + 3)
  if word and (word.text == ")" or word.text == "]") and text(words, at + 1) == ":" and TESTS[name] and open == "(" then
    return behind(words, at + 3)
  end
end

-- ---- what is known of names ---------------------------------------------------------------------------------

local WORDS_THAT_END = {}
for word in ("then do end else elseif until local if while for repeat return function break goto"):gmatch "%a+" do
  WORDS_THAT_END[word] = true
end

-- True when the expression ends at `at`: a statement begins there.
local function ends(words, at)
  local word = words[at]
  return word == nil or WORDS_THAT_END[word.text] or word.text == ";"
    or word.kind == "name" and word.text ~= "and" and word.text ~= "or"
end

-- Names that are given one value in the function, and a tensor: name -> true.
local function tested_locals(words)
  local count, found = {}, {}
  for i, word in ipairs(words) do
    if word.text == "=" and words[i - 1].kind == "name" then
      local name = words[i - 1].text
      count[name] = (count[name] or 0) + 1
      local last = test_call(words, i + 1)
      if text(words, i - 2) == "local" and last and ends(words, last) then
        found[name] = true
      end
    elseif word.text == "," and words[i - 1].kind == "name" then
      count[words[i - 1].text] = (count[words[i - 1].text] or 0) + 1
    end
  end
  for name in pairs(found) do
    found[name] = count[name] == 1 or nil
  end
  return found
end

local function is_assigned(words, name)
  for i, word in ipairs(words) do
    local before, after = text(words, i - 1), text(words, i + 1)
    if word.text == name and before ~= "." and before ~= ":" and
        (after == "=" or before == "local" or before == "for") then
      return true
    end
  end
  return false
end

-- ---- the scan -----------------------------------------------------------------------------------------------

local ASKS_BEFORE = { ["if"] = true, ["elseif"] = true, ["while"] = true, ["until"] = true, ["not"] = true,
  ["and"] = true, ["or"] = true }
local BEGINS = { ["return"] = true, ["="] = true, ["("] = true, [","] = true, ["{"] = true }
local ASKS_AFTER = { ["then"] = true, ["do"] = true, ["and"] = true, ["or"] = true }

-- `x = x or y` and `if x then` may ask whether an argument is there; of a boolean or a scalar `if` does not.
local function may_ask_presence(by, known)
  if by == "and" or by == "or" then
    return not (known.dtype == "bool" and known.rank == 0)
  end
  return by ~= "while" and by ~= "until" and known.dtype ~= "bool" and known.rank > 0
end

-- True when the words first .. last - 1 are an operand whose truth is asked for; also says by what.
local function is_asked(words, first, last)
  local before, after = text(words, first - 1), text(words, last)
  if before == "until" and (ends(words, last) or after == "or" or after == "and") then
    return before
  elseif before == "not" and (after == nil or ASKS_AFTER[after] or after == ")" or ends(words, last)) then
    return before
  elseif (after == "and" or after == "or") and (ASKS_BEFORE[before] or BEGINS[before]) then
    return after
  elseif ASKS_BEFORE[before] and ASKS_AFTER[after] then
    return before
  end
end

-- What to write instead.
local CHOOSE = "use pod.cond, pod.where or pod.while_loop"
local COMPARE = "use pod.equal or pod.not_equal, and pod.cond or pod.where to choose"
local CHECK = "use pod.check"
local ASK_BEFORE = "give it as an argument, or use pod.random"

local LITERALS = { ["true"] = true, ["false"] = true }

local function is_literal(word)
  return word ~= nil and (word.kind == "number" or word.kind == "string" or LITERALS[word.text] or false)
end

local function literal_text(word)
  return word.kind == "string" and '"..."' or word.text
end

local function is_equality(words, at)
  return text(words, at) == "==" or text(words, at) == "~="
end

-- Whether the operand first .. last - 1 is compared with a number, text or boolean by == or ~=; says by which.
local function is_compared(words, first, last)
  if text(words, first - 1) == "#" then
    return nil
  elseif is_equality(words, last) and is_literal(words[last + 1]) then
    return text(words, last) .. " " .. literal_text(words[last + 1]), false
  elseif is_equality(words, first - 1) and is_literal(words[first - 2])
      and (ends(words, last) or ASKS_AFTER[text(words, last)] or text(words, last) == ")") then
    return literal_text(words[first - 2]) .. " " .. text(words, first - 1), true
  end
end

-- When a call of one of OUTSIDE begins at `at`: its name.
local function outside_call(words, at)
  local of = OUTSIDE[words[at].text]
  local name = text(words, at + 2)
  if of and text(words, at + 1) == "." and of[name] and text(words, at + 3) == "(" then
    return words[at].text .. "." .. name
  end
end

-- Scans the source of one function. `tensors` says what is known of its arguments: name -> { dtype =, rank = }.
-- Returns an array of { line =, text =, instead = what to write }, one a line.
function lint.scan(source, tensors, first_line)
  local words = lint.words(source, first_line)
  local found, seen = {}, {}
  local function report(at, last, what, instead)
    local line = words[at].line
    if not seen[line] then
      seen[line] = true
      local parts = {}
      for i = at, last - 1 do
        parts[#parts + 1] = words[i].text
      end
      local name = #parts <= 3 and table.concat(parts) or parts[1] .. parts[2] .. parts[3] .. "(...)"
      local shown = what:gsub("%%s", function()
        return name
      end)
      found[#found + 1] = { line = line, text = shown, instead = instead or CHOOSE }
    end
  end
  local locals = tested_locals(words)
  for i, word in ipairs(words) do
    local before = text(words, i - 1)
    local is_name = word.kind == "name" and before ~= "." and before ~= ":" and before ~= "::"
    local known = is_name and tensors[word.text]
    if known and is_assigned(words, word.text) then
      known = nil
    end
    local last = is_name and (test_call(words, i) or (known or locals[word.text]) and i + 1)
    local by = last and is_asked(words, i, last)
    local compared, is_left = nil, false
    if last then
      compared, is_left = is_compared(words, i, last)
    end
    local chained = chained_call(words, i)
    if by and not (known and last == i + 1 and may_ask_presence(by, known)) then
      report(i, last, "'" .. by .. "' with '%s'")
    elseif compared then
      report(i, last, is_left and "'" .. compared .. " %s'" or "'%s " .. compared .. "'", COMPARE)
    elseif chained and is_equality(words, chained) and is_literal(words[chained + 1]) then
      local what = ("'...:%%s %s %s'"):format(text(words, chained), literal_text(words[chained + 1]))
      report(i + 2, chained, what, COMPARE)
    elseif last and before == "(" and BLIND[text(words, i - 2)] and (text(words, last) == ")"
        or text(words, last) == ",") then
      local name = text(words, i - 2)
      report(i, last, "'" .. name .. "(%s)'", name == "assert" and CHECK or nil)
    elseif is_name and outside_call(words, i) then
      report(i, i + 3, "'%s()'", ASK_BEFORE)
    end
  end
  return found
end

-- ---- the source of a function -----------------------------------------------------------------------------------

local getinfo = debug and debug.getinfo
local own_prefix = getinfo and getinfo(1, "S").source:gsub("base/lint%.lua$", "") or ""

-- The lines of a function as text, and the number of the first, where they can be had. There may be other code on them.
function lint.source_of(fn)
  local info = getinfo and type(fn) == "function" and getinfo(fn, "S") -- layers and the like are called as well
  if not info or info.what ~= "Lua" or info.source:sub(1, #own_prefix) == own_prefix then
    return nil
  end
  local lines = tail_calls.lines(info)
  lines = lines and tables.slice(lines, info.linedefined, info.lastlinedefined)
  return lines and table.concat(lines, "\n"), info.linedefined, info.short_src
end

-- The names of a function's parameters; Lua 5.1 tells them of running functions only, so there they are read in its
-- source.
local function parameter_names(fn, source)
  local names = {}
  if not pcall(debug.getlocal, fn, 1) then
    local name, list = source:match "function%s*([%w_.:]*)%s*%(([^)]*)%)"
    for one in ((name and name:find ":" and "self," or "") .. (list or "")):gmatch "[%a_][%w_]*" do
      names[#names + 1] = one
    end
    return names
  end
  for i = 1, 250 do
    names[i] = debug.getlocal(fn, i)
    if not names[i] then
      break
    end
  end
  return names
end

local OPENS_BLOCK = { ["function"] = true, ["do"] = true, ["if"] = true, ["repeat"] = true }
local ENDS_BLOCK = { ["end"] = true, ["until"] = true }

-- The word that ends the block which the one at `at` begins, or nil.
local function block_end(words, at)
  local depth = 0
  for i = at, #words do
    local word = words[i]
    if word.kind == "name" and OPENS_BLOCK[word.text] then
      depth = depth + 1
    elseif word.kind == "name" and ENDS_BLOCK[word.text] then
      depth = depth - 1
      if depth == 0 then
        return word
      end
    end
  end
end

-- The texts of the functions that begin on the first line and end on the last: one of them is meant.
local function functions_in(source)
  local words, texts = lint.words(source), {}
  local _, newlines = source:gsub("\n", "\n")
  for i, word in ipairs(words) do
    local last = word.line == 1 and word.kind == "name" and word.text == "function" and block_end(words, i)
    if last and last.line == newlines + 1 then
      texts[#texts + 1] = source:sub(word.at, last.at + #last.text - 1)
    end
  end
  return #texts > 0 and texts or { source }
end

-- Scans a function that is about to be traced; `arguments` are its tensors, by number. Returns findings as scan() does,
-- with their file. Where several functions stand on the same lines, only what is found in each.
function lint.check(fn, arguments)
  local source, first_line, file = lint.source_of(fn)
  if not source then
    return {}
  end
  local tensors, counts, found = {}, {}, {}
  for i, name in ipairs(parameter_names(fn, source)) do
    local t = arguments[i]
    t = type(t) == "table" and t.dtype and t.shape and t
    tensors[name] = t and { dtype = t.dtype, rank = #t.shape } or nil
  end
  local texts = functions_in(source)
  for _, text_of_one in ipairs(texts) do
    for _, finding in ipairs(lint.scan(text_of_one, tensors, first_line)) do
      local key = finding.line .. finding.text
      counts[key] = (counts[key] or 0) + 1
      if counts[key] == #texts then
        finding.file = file
        found[#found + 1] = finding
      end
    end
  end
  return found
end

local told = setmetatable({}, { __mode = "k" }) -- functions that were looked at

-- Warns once of what is decided in a function that is traced with these arguments; `warn` says it, and `what` the
-- function is called. `seen`, places already told, serves who keeps its own.
function lint.warn(fn, arguments, what, seen)
  if not seen and told[fn] then
    return
  end
  told[fn] = not seen or nil
  for _, finding in ipairs(lint.check(fn, arguments)) do
    local place = ("%s:%d"):format(finding.file, finding.line)
    if not (seen and seen[place]) then
      (seen or {})[place] = true
      warnings.warn("%s: %s is decided once, while %s is traced, and not in each run: %s", place,
        finding.text, what, finding.instead)
    end
  end
end

return lint
