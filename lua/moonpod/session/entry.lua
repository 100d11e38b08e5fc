-- entry - what is entered at a prompt or in a cell: commands of the session, expressions, statements; and what is kept
-- of each.

local entry = {}

local load_text = loadstring or load -- luacheck: ignore
local MOST_ENTRIES = 10000

-- Where Lua has such variables no call behind one is a tail call, which would leave the entry's line behind.
entry.RETURN = load_text "local kept <close> = nil" and "local __entry <close> = nil return " or "return "

-- Whether Lua's compiler refuses a text because it is not at its end.
function entry.is_incomplete(failure)
  return type(failure) == "string" and failure:find "<eof>'?$" ~= nil
end

-- Loads an expression, or statements; nil and why where a text is neither.
local function load_entry(text)
  local fn = load_text(entry.RETURN .. text:gsub("[ ;]+$", ""), "=stdin")
  if fn then
    return fn
  end
  return load_text(text, "=stdin")
end

-- Whether Lua can be run, or is wrong: not whole is what goes on in another line.
function entry.is_whole_code(text)
  local fn, failure = load_entry(text)
  return fn ~= nil or not entry.is_incomplete(failure)
end

-- The same of what is entered at a prompt. Of commands what %time and %timeit measure may have more lines.
function entry.is_whole(text)
  if text == "" or text:find "^[=!]" then
    return true
  elseif text:find "^%%" then
    text = text:match "^%%timeit(.+)$" or text:match "^%%time(.+)$" or ""
  end
  return entry.is_whole_code(text)
end

-- What ends other sessions, or asks for help, where no global of the user's has that name.
local WORDS = { exit = true, quit = true, help = true }

local function is_command(text)
  local word = text:match "^(%l+) *$" or text:match "^(%l+)%(%) *$"
  return text:find "^[%%!?]" or text:find "^[%w_.:*]+%?+ *$" or WORDS[word] and rawget(_G, word) == nil
end

-- Runs a command, which may show a text, and give values. page: shows help, or nil.
function entry.run_command(text, host, page)
  local function take(shown, ...)
    if page and text:find "%?" and not text:find "^%s*[%%!]" and type(shown) == "string" then
      page(shown)
    elseif type(shown) == "string" and shown ~= "" then
      io.write(shown, "\n")
    end
    return ...
  end
  return take(require "moonpod.session.commands".run(text, host))
end

-- Keeps a text that is run: errors show its lines, and what the engine does for it is written down anew
-- (moonpod.tensor.programs), and there is an Out where it is named.
function entry.note(text, host)
  local programs = package.loaded["moonpod.tensor.programs"]
  local own = programs and programs.host or package.loaded["moonpod.host"] or {}
  package.loaded["moonpod.host"], own.entry, own.account = own, text, {}
  host.entries[#host.entries + 1] = #host.entries < MOST_ENTRIES and text or nil
  if text:find("Out", 1, true) then
    require("moonpod.session.results").open()
  end
end

-- What a prompt has read: the function that runs it, what that is called with (nil: nothing), and whether its values
-- are muted. Else nil, why not, and whether more lines may follow.
function entry.prepare(text, host)
  local is_muted = text:find ";[ \t]*$" ~= nil
  if is_command(text) then
    return function()
      return entry.run_command(text, host)
    end, nil, is_muted
  end
  local fn, failure = load_entry(text)
  if not fn and entry.is_incomplete(failure) then
    return nil, failure, true
  end
  entry.note(text, host)
  if not fn then
    return nil, failure, false
  elseif text:find("local", 1, true) then
    local locals = require "moonpod.session.locals"
    local keeping = load_text(text .. locals.ending(text), "=stdin")
    if keeping then -- not behind "return"
      return keeping, locals.keeper(text), is_muted
    end
  end
  return fn, nil, is_muted
end

-- Prints what an entry gave, and keeps the first.
function entry.print(...)
  if (...) ~= nil then
    require("moonpod.session.results").keep((...))
  end
  require "moonpod.base.inspect".print(...)
end

return entry
