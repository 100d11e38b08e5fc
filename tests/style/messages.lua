#!/usr/bin/env lua5.4
--[[
messages - every message that Moonpod can raise, read from its sources. `lua5.4 tests/style/messages.lua ROOT` prints
"file:line: template" for each; what is filled in when it is raised is written as %.

A message is the text that a raiser is given: errors.raise, error, luaL_error, pod_error_set and their like (RAISERS),
and each function that hands a text of its own arguments on to one of these.
]]

local messages = {}

-- ---- tokens -------------------------------------------------------------------------------------------------------

local ESCAPES = { n = "\n", t = "\t", r = "\r" }

local function unescape(text)
  return (text:gsub("\\z%s*", ""):gsub("\\([^%d])", function(one) return ESCAPES[one] or one end))
end

-- Where a comment that begins at `i` ends, or nil where none begins.
local function comment_end(text, i, is_c)
  local n = #text
  if is_c then
    if text:find("^/%*", i) then return select(2, text:find("*/", i + 2, true)) or n end
    if text:find("^//", i) then return (text:find("\n", i, true) or n + 1) - 1 end
  elseif text:find("^%-%-", i) then
    local level = text:match("^%-%-%[(=*)%[", i)
    if level then return select(2, text:find("]" .. level .. "]", i, true)) or n end
    return (text:find("\n", i, true) or n + 1) - 1
  end
end

-- The string that begins at `i` -> its text, its end; or nil.
local function string_at(text, i, is_c)
  local quote = text:match("^[\"']", i)
  if quote then
    local j = i + 1
    while text:sub(j, j) ~= quote and j <= #text do j = j + (text:sub(j, j) == "\\" and 2 or 1) end
    return unescape(text:sub(i + 1, j - 1)), j
  end
  local level = not is_c and text:match("^%[(=*)%[", i)
  if level then
    local _, last = text:find("]" .. level .. "]", i, true)
    return text:sub(i + 2 + #level, last - 2 - #level), last
  end
end

-- The tokens of a source: { kind = "name"|"string"|"other", text, line }. Lines of the C preprocessor are left out.
local function tokens_of(text, is_c)
  local found, i, line = {}, 1, 1
  local function add(kind, value, stop)
    found[#found + 1] = { kind = kind, text = value, line = line }
    line = line + select(2, text:sub(i, stop):gsub("\n", ""))
    i = stop + 1
  end
  if is_c then
    text = ("\n" .. text):gsub("\\\n", "\\\1"):gsub("\n[ \t]*#[^\n]*", function(one)
      return "\n" .. one:gsub("[^\1]", ""):gsub("\1", "\n")
    end):gsub("\1", "\n"):sub(2)
  end
  while i <= #text do
    local blank = text:match("^%s+()", i)
    local stop = blank and blank - 1 or comment_end(text, i, is_c)
    if stop then
      line = line + select(2, text:sub(i, stop):gsub("\n", ""))
      i = stop + 1
    else
      local value, last = string_at(text, i, is_c)
      local name = not value and text:match("^[%a_][%w_]*", i)
      if value then
        add("string", value, last)
      elseif name then
        add("name", name, i + #name - 1)
      else
        local op = text:match("^%.%.%.?", i) or text:match("^%->", i) or text:sub(i, i)
        add("other", op, i + #op - 1)
      end
    end
  end
  return found
end

-- ---- calls and functions ------------------------------------------------------------------------------------------

local OPENS, CLOSES = { ["("] = true, ["{"] = true, ["["] = true }, { [")"] = true, ["}"] = true, ["]"] = true }

-- The arguments of the call whose bracket is token `at`: an array of { first, last }, and where it closes.
local function arguments_at(tokens, at)
  local list, depth, first = {}, 0, at + 1
  for i = at, #tokens do
    local text = tokens[i].kind == "other" and tokens[i].text
    if OPENS[text] then
      depth = depth + 1
    elseif CLOSES[text] then
      depth = depth - 1
      if depth == 0 then
        if i > first then list[#list + 1] = { first, i - 1 } end
        return list, i
      end
    elseif text == "," and depth == 1 then
      list[#list + 1] = { first, i - 1 }
      first = i + 1
    end
  end
  return list, #tokens
end

-- The name that ends at token i, with what it is a field of: "errors.raise", "self:fail".
local function whole_name(tokens, i)
  local name = tokens[i].text
  while i > 2 and (tokens[i - 1].text == "." or tokens[i - 1].text == ":") and tokens[i - 2].kind == "name" do
    name = tokens[i - 2].text .. tokens[i - 1].text .. name
    i = i - 2
  end
  return name, i
end

local OPENING_WORDS = { ["function"] = true, ["do"] = true, ["then"] = true, ["repeat"] = true }

-- The `end` of the Lua function whose word `function` is token i. An `elseif` takes over from its `if`.
local function end_of_lua(tokens, i)
  local depth = 0
  for j = i, #tokens do
    local word = tokens[j].kind == "name" and tokens[j].text
    if word == "elseif" then
      depth = depth - 1
    elseif OPENING_WORDS[word] then
      depth = depth + 1
    elseif word == "end" or word == "until" then
      depth = depth - 1
      if depth == 0 then return j end
    end
  end
  return #tokens
end

-- The names of those parameters that may be texts, at their places.
local function parameter_names(tokens, list, is_c)
  local names = {}
  for i, one in ipairs(list) do
    local is_text = not is_c
    for j = one[1], one[2] do is_text = is_text or tokens[j].text == "char" end
    names[i] = is_text and tokens[one[2]].text or false
  end
  return names
end

-- Functions of a source: { name, parameters, first, last, is_local }.
local function functions_of(tokens, is_c)
  local found = {}
  local function add(name, at, is_local, last)
    local list, close = arguments_at(tokens, at)
    found[#found + 1] = { name = name, parameters = parameter_names(tokens, list, is_c), is_local = is_local,
      first = close, last = last or select(2, arguments_at(tokens, close + 1)) }
  end
  local depth, statement = 0, 1
  for i = 1, #tokens do
    local one = tokens[i]
    if is_c then
      if one.text == "{" and one.kind == "other" then
        if depth == 0 and tokens[i - 1].text == ")" then
          for j = statement, i do
            if tokens[j].kind == "name" and tokens[j + 1].text == "(" and tokens[j].text ~= "__attribute__"
              and select(2, arguments_at(tokens, j + 1)) == i - 1 then
              local is_static = false
              for k = statement, j do is_static = is_static or tokens[k].text == "static" end
              add(tokens[j].text, j + 1, is_static)
              break
            end
          end
        end
        depth = depth + 1
      elseif one.text == "}" and one.kind == "other" then
        depth = depth - 1
        if depth == 0 then statement = i + 1 end
      elseif one.text == ";" and depth == 0 then
        statement = i + 1
      end
    elseif one.kind == "name" and one.text == "function" and tokens[i + 1].kind == "name" then
      local j = i + 1
      while tokens[j + 1].text ~= "(" do j = j + 1 end
      local name = whole_name(tokens, j)
      add(name, j + 1, tokens[i - 1] and tokens[i - 1].text == "local", end_of_lua(tokens, i))
    end
  end
  return found
end

-- ---- texts --------------------------------------------------------------------------------------------------------

local WORDS_BETWEEN = { ["and"] = true, ["or"] = true }

local function is_choice(tokens, first, last)
  for i = first, last do
    if WORDS_BETWEEN[tokens[i].text] and tokens[i].kind == "name" then return true end
  end
end

-- Formats of printf become \1, one each argument.
local function with_holes(text)
  return (text:gsub("%%%%", "\2"):gsub("%%([-+ #0]*[%d*]*%.?[%d*]*)[hlzjt]*[%a]", function(width)
    return width:find("*", 1, true) and "\1\1" or "\1"
  end):gsub("\2", "%%"))
end

-- The texts that an argument may be: of a choice each.
local function texts_of(tokens, range, is_c, constants)
  local list, buffer, line = {}, {}, nil
  local function flush()
    local text = table.concat(buffer)
    if text:find "[%a\1]" then list[#list + 1] = { text = text, line = line } end
    buffer, line = {}, nil
  end
  local i = range[1]
  while i <= range[2] do
    local one = tokens[i]
    local text = one.kind == "string" and one.text
      or one.kind == "name" and range[1] == range[2] and constants[one.text]
    line = line or one.line
    if text then
      buffer[#buffer + 1] = with_holes(text)
    elseif one.text == "(" and not is_c and (tokens[i - 1].text == ".." or false)
      and is_choice(tokens, i, select(2, arguments_at(tokens, i))) then
      i = select(2, arguments_at(tokens, i))
      buffer[#buffer + 1] = "\1"
    elseif WORDS_BETWEEN[one.text] or one.text == "," or is_c and (one.text == "?" or one.text == ":") then
      flush()
    elseif one.kind == "name" then
      buffer[#buffer + 1] = "\1"
    end
    i = i + 1
  end
  flush()
  return list
end

-- ---- the inventory ------------------------------------------------------------------------------------------------

-- What raises or tells: name -> the place of its text. In C so does what is declared with format(printf), but these,
-- which write other texts. All others follow from these.
local RAISERS = {
  c = { luaL_error = 2, luaL_argerror = 3, luaL_argcheck = 4, pod_error_set_va = 3, pod_store_verify_fail = 2,
    pod_lua_refuse = 3, fprintf = 2 },
  lua = { ["errors.raise"] = 1, ["error"] = 1, ["warnings.warn"] = 1, ["io.stderr:write"] = 2 },
}
local WRITERS = { pod_text_format = true, put = true, channel_log = true }
local NO_FUNCTIONS = { ["if"] = true, ["for"] = true, ["while"] = true, ["switch"] = true }

-- Names of parameters that are said within a message, not what it is about.
local SAID = { what = true, why = true, reason = true, message = true, text = true, format = true, problem = true }

local function add_declared(source, raisers)
  local tokens = source.tokens
  for i = 1, #tokens - 4 do
    if tokens[i].text == "format" and tokens[i + 2].text == "printf" then
      local place = tonumber(tokens[i + 4].text)
      local list = source.functions
      -- before the attribute, or, of a definition, behind it
      local j = i
      while j > 1 and not (tokens[j].text == "(" and tokens[j - 1].kind == "name" and tokens[j - 1].text
        ~= "__attribute__" and tokens[j - 1].text ~= "format") do j = j - 1 end
      local name = tokens[j - 1].text
      if not WRITERS[name] and list then raisers[name] = { place = place } end
    end
  end
end

local function constants_of(tokens)
  local found = {}
  for i = 1, #tokens - 3 do
    if tokens[i].text == "local" and tokens[i + 1].kind == "name" and tokens[i + 2].text == "="
      and tokens[i + 3].kind == "string" then
      local text, j = tokens[i + 3].text, i + 4
      while tokens[j] and tokens[j].text == ".." and tokens[j + 1].kind == "string" do
        text, j = text .. tokens[j + 1].text, j + 2
      end
      found[tokens[i + 1].text] = text
    end
  end
  return found
end

-- Where the expression of a `return` ends: before the `end` of its block.
local function expression_end(tokens, i)
  local depth = 0
  while tokens[i + 1] do
    local text = tokens[i].kind == "other" and tokens[i].text
    depth = depth + (OPENS[text] and 1 or CLOSES[text] and -1 or 0)
    local after = tokens[i + 1]
    if depth == 0 and after.kind == "name" and (after.text == "end" or after.text:find "^else") then return i end
    i = i + 1
  end
  return i
end

local function each_call(source, raisers, found)
  local tokens = source.tokens
  for i = 1, #tokens do
    if tokens[i].kind == "name" and tokens[i + 1] then
      local after = tokens[i + 1]
      local name, start = whole_name(tokens, i)
      local raiser = source.raisers[name] or raisers[name]
      if raiser and tokens[start - 1] and tokens[start - 1].text ~= "function" then
        if after.text == "(" and after.kind == "other" then
          found(name, raiser, arguments_at(tokens, i + 1), i)
        elseif after.kind == "string" then
          found(name, raiser, { { i + 1, i + 1 } }, i)
        end
      elseif name == "return" and not source.is_c and after.text == "nil" and tokens[i + 2].text == "," then
        found(name, { place = 1 }, { { i + 3, expression_end(tokens, i + 3) } }, i)
      end
    end
  end
end

local function function_around(source, i)
  local best
  for _, one in ipairs(source.functions) do
    if one.first <= i and i <= one.last and (not best or one.first > best.first) then best = one end
  end
  return best
end

-- True where an argument is a parameter, or in Lua, has it in it.
local function hands_on(source, range, parameter)
  local tokens = source.tokens
  if range[1] == range[2] then return tokens[range[1]].text == parameter and tokens[range[1]].kind == "name" end
  for i = range[1], source.is_c and 0 or range[2] do
    if tokens[i].text == parameter and tokens[i].kind == "name" and tokens[i - 1].text ~= "."
      and not tokens[i + 1].text:find "^[.(]$" and SAID[parameter] then
      return true
    end
  end
  return false
end

-- A text with its hole `at` filled by `text`, or nil without one.
local function filled(base, at, text)
  local n = 0
  local result, count = base:gsub("\1", function()
    n = n + 1
    return n == at and text or nil
  end)
  return count >= at and result or nil
end

-- What a call may say: an array of { text, line }, with \1 for each hole.
local function said_by(source, raiser, list, is_base)
  local range = list[raiser.place]
  local own = range and texts_of(source.tokens, range, source.is_c, source.constants) or {}
  for _, one in ipairs(own) do
    for k = is_base and 0 or #list, raiser.place + 1, -1 do -- what is filled in and known: a constant, or a text
      local token = source.tokens[list[k][1]]
      local text = list[k][1] == list[k][2] and (token.kind == "string" and token.text or source.constants[token.text])
      one.text = text and filled(one.text, k - raiser.place, text) or one.text
    end
  end
  if not raiser.bases then return own end
  local all = {}
  for _, one in ipairs(own) do
    for _, base in ipairs(raiser.bases) do
      all[#all + 1] = { text = filled(base.text, raiser.hole, one.text) or base.text .. " " .. one.text,
        line = one.line }
    end
  end
  return all
end

-- Functions that hand a text of theirs on become raisers; true when there is a new one.
local function spread(source, raisers)
  local any = false
  each_call(source, raisers, function(_, raiser, list, i)
    local around = function_around(source, i)
    if not around then return end
    for k = raiser.place, #list do
      for p, parameter in ipairs(around.parameters) do
        local is_text = k == raiser.place
        if parameter and (is_text or SAID[parameter]) and hands_on(source, list[k], parameter)
          and not NO_FUNCTIONS[around.name] then
          local where = around.is_local and source.raisers or raisers
          if not where[around.name] then
            local bases = is_text and list[k][1] == list[k][2] and raiser.bases
              or not is_text and said_by(source, raiser, list, true) or nil
            where[around.name] = { place = p, bases = bases, hole = is_text and raiser.hole or k - raiser.place }
            any = true
          end
        end
      end
    end
  end)
  return any
end

local function load(root, path)
  local file = assert(io.open(root .. "/" .. path, "rb"))
  local text = file:read "a"
  file:close()
  local is_c = not path:find "%.lua$"
  local tokens = tokens_of(text, is_c)
  return { path = path, is_c = is_c, tokens = tokens, functions = functions_of(tokens, is_c), raisers = {},
    constants = is_c and {} or constants_of(tokens) }
end

-- A text that says something: two words, and more than what stands before another message.
local function is_message(text)
  return text:find "%a%a[^%a\1]+%a%a" ~= nil and not text:find "^[%w_.:\1]*[: ]*\1[: \1]*$" and not text:find "\1?: $"
end

-- All messages: an array of { path, line, text }; \1 stands for what is filled in.
function messages.all(root, paths)
  local sources = {}
  for i, path in ipairs(paths) do sources[i] = load(root, path) end
  local raisers = { c = {}, lua = {} }
  for language, own in pairs(RAISERS) do
    for name, place in pairs(own) do raisers[language][name] = { place = place } end
  end
  for _, source in ipairs(sources) do
    if source.is_c then add_declared(source, raisers.c) end
  end
  local again = true
  while again do
    again = false
    for _, source in ipairs(sources) do
      again = spread(source, raisers[source.is_c and "c" or "lua"]) or again
    end
  end
  local found = {}
  for _, source in ipairs(sources) do
    each_call(source, raisers[source.is_c and "c" or "lua"], function(name, raiser, list)
      for _, text in ipairs(said_by(source, raiser, list)) do
        if is_message(text.text) then
          found[#found + 1] = { path = source.path, line = text.line,
            text = text.text:gsub("\1[\1%s]*\1", "\1") }
        end
      end
    end)
  end
  return found
end

function messages.paths(root)
  local list = {}
  local command = "cd '%s' && find core lua repl notebooks -name '*.[ch]' -o -name '*.lua' 2>/dev/null | sort"
  local pipe = assert(io.popen(command:format(root)))
  for path in pipe:lines() do list[#list + 1] = path end
  pipe:close()
  return list
end

if arg and arg[0] and arg[0]:find "messages%.lua$" then
  local root = arg[1] or "."
  for _, one in ipairs(messages.all(root, messages.paths(root))) do
    print(("%s:%d: %s"):format(one.path, one.line, (one.text:gsub("\n", "\\n"):gsub("\1", "%%"))))
  end
end

return messages
