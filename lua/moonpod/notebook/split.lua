-- split - what the text of a cell is made of: Lua and commands of the session, as entries at the prompt would be.

local entry = require "moonpod.session.entry"
local locals = require "moonpod.session.locals"
local texts = require "moonpod.base.texts"

local split = {}

local load_text = loadstring or load -- luacheck: ignore

-- More lines than these no last expression has.
local MOST_LINES = 200

-- Whether a text is an expression, or several, and nothing else: behind "return" it could also be nothing.
local function is_expression(text)
  return load_text("local _ = " .. text) ~= nil and load_text("return " .. text) ~= nil
end

-- What could be the end of the expression in the line above, and so is where Lua takes it for that.
local CONTINUES = "^%s*[%({\"'%[%-~]"

-- A text with a word in front of its last expression, which is then what it returns, or nil where it ends otherwise.
-- is_lua: whether the text is Lua as it is; ending_of, if any: gives the text between what is before and the word.
local function with_return(text, word, is_lua, ending_of)
  local bare = text:gsub("[%s;]+$", "")
  if is_expression(bare) then
    return (ending_of and ending_of "" or "") .. word .. bare
  end
  local lines = texts.lines(bare)
  for i = #lines, math.max(2, #lines - MOST_LINES), -1 do
    local rest = table.concat(lines, "\n", i)
    if not (is_lua and lines[i]:find(CONTINUES)) and is_expression(rest) then
      local before = table.concat(lines, "\n", 1, i - 1) .. "\n"
      if load_text(before) then
        return before .. (ending_of and ending_of(before) or "") .. word .. rest
      end
    end
  end
end

-- What keeps the locals at the end of a text, in the line that follows.
local function keeping(before)
  return locals.ending(before):gsub("^%s+", "") .. " "
end

-- Compiles Lua that leaves its locals to the cells that follow, or nil where it ends in a `return`.
local function compile_keeping(text, name, is_lua)
  if not text:find("local", 1, true) then
    return nil
  end
  local bare = text:gsub("[%s;]+$", "")
  local fn = load_text(with_return(text, entry.RETURN, is_lua, keeping) or bare .. "\n" .. keeping(bare), name)
  return fn and function()
    return fn(locals.keeper(text))
  end
end

-- Compiles Lua. The value of the last expression is what the function returns.
local function compile_lua(text, name)
  local whole, failure = load_text(text, name)
  local fn = compile_keeping(text, name, whole ~= nil)
  local given = not fn and with_return(text, entry.RETURN, whole ~= nil)
  fn = fn or given and load_text(given, name)
  if fn then
    return fn
  end
  return whole, failure
end

-- Compiles a piece of Lua: returns a function, or nil and what is wrong.
function split.compile(piece, name)
  local ends = piece.text:match "^%s*=(.*)$"
  return compile_lua(("\n"):rep(piece.line - 1) .. (ends and "return " .. ends or piece.text), name)
end

-- Whether a line is a command of the session, as the prompt takes them.
local function is_command(line)
  return line:find "^%s*[!?]" ~= nil or line:find "^%s*%%%a" ~= nil or line:find "^%s*[%w_.:*]+%?+%s*$" ~= nil
end

-- Commands that measure code, which may have more lines.
local MEASURES = { time = true, timeit = true, prof = true, why = true }

-- The line behind the last one of a command that begins at a line.
local function end_of_command(lines, first)
  local name, code = lines[first]:match "^%s*%%(%w+)(.*)$"
  local last = first
  while MEASURES[name] and last < #lines and code:find "%S" and not entry.is_whole_code(code) do
    last = last + 1
    code = code .. "\n" .. lines[last]
  end
  return last + 1, table.concat(lines, "\n", first, last)
end

-- The pieces of a cell in their order: { text =, line = the first one's number, is_command = }. `%%time` and its like
-- measure all that comes behind.
function split.pieces(source)
  local lines = texts.lines(source)
  local pieces, from, at = {}, 1, 1
  local function close(last)
    local text = table.concat(lines, "\n", from, last)
    if text:find "%S" then
      pieces[#pieces + 1] = { text = text, line = from }
    end
  end
  while at <= #lines do
    local before = table.concat(lines, "\n", from, at - 1)
    local measured = lines[at]:match "^%%%%(%w+)%s*$"
    if measured and MEASURES[measured] and not before:find "%S" then
      local code = table.concat(lines, "\n", at + 1)
      pieces[#pieces + 1] = { text = "%" .. measured .. " " .. (with_return(code, "return ", load_text(code) ~= nil)
        or code), line = at, is_command = true }
      return pieces
    elseif is_command(lines[at]) and select(2, load_text(before)) == nil then
      close(at - 1)
      local behind, text = end_of_command(lines, at)
      pieces[#pieces + 1] = { text = text, line = at, is_command = true }
      from, at = behind, behind
    else
      at = at + 1
    end
  end
  close(#lines)
  return pieces
end

-- Whether what a cell gives is not to be shown.
function split.is_muted(source)
  return source:find ";%s*$" ~= nil
end

-- Whether a cell is "complete", "incomplete" or "invalid".
function split.completeness(source)
  local pieces = split.pieces(source)
  for i, piece in ipairs(pieces) do
    local fn, failure = true, nil
    if not piece.is_command then
      fn, failure = split.compile(piece, "=cell")
    end
    if not fn then
      return i == #pieces and entry.is_incomplete(failure) and "incomplete" or "invalid"
    end
  end
  return "complete"
end

return split
