-- commands - what a line of a session does that begins with %, ! or ?: one table, each command with its help, and the
-- function that does the same for scripts. Commands return a text to show, and values; what they need of the session is
-- in `host`:
--   entries       what was entered in this session, an array of texts
--   history()     entries of all sessions, or nil where there is no history
--   edit(text)    the text as the user's own editor leaves it, or nil
--   offer(text)   the next entry begins with this text
--   clear()       the screen, or what a cell has shown, is empty
--   colours(on)   true, false; keys() gives an array of { key, what it does }; false where lines are plain
--   load(name)    loads a module, as `require` does
--   now()         seconds of a clock that only goes forward
--   has_colours   what is written may be in colours
--   scope         the scope that lines are in: { strategy =, opened = }, or nil
--   prompt        what stands before the prompt, or nil
--   ended         true: the session ends

local errors = require "moonpod.base.errors"
local globals = require "moonpod.session.globals"
local measure = require "moonpod.session.measure"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"
local traceback = require "moonpod.session.traceback"
local workspace = require "moonpod.session.workspace"

local commands = {}

-- name -> { usage =, help =, fn = name of the function for scripts, run = function(host, rest) }
commands.list = {}

local loadstring = loadstring or load -- luacheck: ignore

local Refusal = { __tostring = function(self) return self.text end }

-- Ends a command with a message for whoever typed it, who needs no traceback for that.
function commands.refuse(format, ...)
  error(setmetatable({ text = format:format(...) }, Refusal), 0)
end

local refuse = commands.refuse

-- The value of what a command of a name did, or ends it with why it could not.
local function done(name, value, failure)
  return failure and refuse("%%%s: %s", name, failure) or value
end

-- fn: the function for scripts, where that is not pod.session's of the same name.
local function add(name, usage, help, run, fn)
  commands.list[name] = { usage = usage, help = help, run = run, fn = fn or "pod.session." .. name }
end

-- What is typed as a function: an expression, or statements.
local function compile(text, name)
  local fn = loadstring("return " .. text, "=stdin")
  local failure
  if not fn then
    fn, failure = loadstring(text, "=stdin")
  end
  if not fn or not text:find "%S" then
    refuse("%%%s: %s", name, failure or "write what is to be measured behind it: %time f(x)")
  end
  return fn
end

-- ---- measuring -----------------------------------------------------------------------------------------

add("time", "%time CODE", "runs it once and says how long that took", function(host, rest)
  local values = measure.pack(measure.time(host.now, compile(rest, "time")))
  return tostring(values[1]), measure.unpack(values, 2, values.n)
end)

add("timeit", "%timeit CODE", "runs it many times: best, median and worst of seven rounds", function(host, rest)
  return tostring(measure.timeit(host.now, compile(rest, "timeit"), {}))
end)

add("prof", "%prof CODE", "runs it and says where the time went; the profile is the result", function(_, rest)
  local fn = compile(rest, "prof")
  return nil, require("moonpod.profiler").record(fn)
end, "pod.profiler.record")

add("mem", "%mem", "the memory of tensors, programs, variables and of Lua", function(host)
  return tostring(host.load "moonpod.session".mem())
end)

add("why", "%why [CODE]", "what the engine did for the last line, or does for code: traces, programs, bytes moved",
  function(host, rest)
    local session = host.load "moonpod.session"
    if not rest:find "%S" then
      return tostring(session.last_work())
    end
    local values = measure.pack(session.why(compile(rest, "why")))
    return tostring(values[1]), measure.unpack(values, 2, values.n)
  end)

-- ---- what there is -------------------------------------------------------------------------------------

add("who", "%who", "lists your globals: names, types, sizes", function()
  return tostring(globals.list(_G))
end)

add("forget", "%forget", "frees the results that are kept in _, _1 to _9 and Out", function()
  require("moonpod.session.results").forget()
end)

-- ---- files ---------------------------------------------------------------------------------------------

-- Words; one in quotes may have spaces.
local function words_of(rest)
  local words, at = {}, 1
  while true do
    local start, quote = rest:match("^%s*()([\"']?)", at)
    if start > #rest then
      return words
    end
    local word, behind = rest:match(quote ~= "" and "^(.-)" .. quote .. "()" or "^(%S+)()", start + #quote)
    if not word then
      refuse("a quote in %s is not closed", rest)
    end
    words[#words + 1], at = word, behind
  end
end

add("run", "%run FILE [ARGUMENTS]", "runs a file of Lua with your globals", function(_, rest)
  local words = words_of(rest)
  if not words[1] then
    refuse("%%run: name the file: %%run train.lua")
  end
  return nil, done("run", loadfile(words[1]))(measure.unpack(words, 2))
end)

add("reload", "%reload MODULE", "loads a module again; who holds the old table sees what is new", function(host, rest)
  local name = rest:match "^%s*[\"']?([^%s\"']+)"
  if not name then
    refuse("%%reload: name the module: %%reload mine")
  end
  done("reload", workspace.reload(name, host.load))
end)

add("save", "%save FILE", "writes what you entered in this session into a new file", function(host, rest)
  local path = words_of(rest)[1]
  if not path then
    refuse("%%save: name the file: %%save session.lua")
  end
  done("save", workspace.save(path, host.entries))
  return ("%d entries in %s"):format(#host.entries, path)
end)

-- ---- entries -------------------------------------------------------------------------------------------

add("history", "%history [COUNT or TEXT]", "the last entries, or those that contain a text", function(host, rest)
  local lines = {}
  for _, one in ipairs(workspace.history(host.history() or host.entries, rest:match "^%s*(.-)%s*$")) do
    lines[#lines + 1] = ("%5d  %s"):format(one.number, (one.text:gsub("\n", "\n       ")))
  end
  return table.concat(lines, "\n")
end)

add("edit", "%edit", "edits the last entry in $VISUAL or $EDITOR; what comes of it is your next entry", function(host)
  local text = host.edit(host.entries[#host.entries] or "")
  if text == nil then
    refuse("%%edit: there is no editor here, or it failed; EDITOR is %s", tostring(os.getenv "EDITOR"))
  end
  host.offer(text)
end)

-- ---- what lines are run with ---------------------------------------------------------------------------

add("scope", "%scope [STRATEGY | off]", "runs the lines that follow in a strategy's scope; says which it is",
  function(host, rest)
    if rest:find "^%s*off%s*$" then
      return workspace.scope(host, nil)
    elseif not rest:find "%S" then
      local distribute = host.load "moonpod".distribute
      return ("%s%s"):format(tostring(distribute.get_strategy()), host.scope and "" or "; no scope is open")
    end
    local strategy = compile(rest, "scope")()
    if strategy == nil or not workspace.scope(host, strategy) then
      refuse("%%scope: %s is no strategy: write %%scope pod.distribute.mirrored(8), or %%scope off",
        errors.describe(strategy))
    end
  end)

add("strict", "%strict on|off", "refuses globals that nobody has set, as misspelled names are", function(_, rest)
  local word = rest:match "^%s*(%S*)%s*$"
  if word ~= "on" and word ~= "off" then
    refuse("%%strict: write %%strict on or %%strict off")
  end
  workspace.strict(word == "on")
end)

add("precision", "%precision [DIGITS]", "how many digits tensors print behind the point", function(host, rest)
  local digits = rest:match "^%s*(%d+)%s*$"
  if not digits and rest:find "%S" then
    refuse("%%precision: write how many digits: %%precision 4")
  end
  local options = host.load "moonpod".print_options(digits and { precision = tonumber(digits) } or {})
  return not digits and ("%d digits; beyond %d elements %d at each end"):format(options.precision, options.threshold,
    options.edge_items) or nil
end, "pod.print_options")

-- ---- the session ---------------------------------------------------------------------------------------

add("color", "%color on|off", "colours what is typed, or not", function(host, rest)
  local word = rest:match "%S+"
  if word ~= "on" and word ~= "off" then
    refuse("%%color: write %%color on or %%color off")
  elseif not host.colours(word == "on") then
    return "lines are plain here: there are no colours"
  end
end)

add("keys", "%keys", "lists the keys", function(host)
  return table.concat(text_table.lines(host.keys(), { { align = "left" } }), "\n")
end)

add("clear", "%clear", "clears the screen, or what the cell has shown", function(host)
  host.clear()
end)

add("tb", "%tb", "the last error with all frames, those of Moonpod and of C, too", function(host)
  if not traceback.last then
    return "there was no error yet"
  end
  return traceback.text(traceback.last, { all = true, colours = host.has_colours })
end, "pod.session.last_error")

add("quit", "%quit", "ends the session, as Ctrl-D does", function(host)
  host.ended = true
end)

add("help", "%help [COMMAND]", "what commands there are", function(_, rest)
  local wanted = rest:match "^%s*%%?(%w+)"
  if wanted and not commands.list[wanted] then
    refuse("%%help: there is no %%%s%s", wanted, errors.suggest(wanted, commands.names()))
  end
  local rows = {}
  for _, name in ipairs(commands.names()) do
    local command = commands.list[name]
    rows[#rows + 1] = (not wanted or wanted == name) and { command.usage, command.help } or nil
  end
  if wanted then
    rows[2] = { "", "in scripts: " .. commands.list[wanted].fn }
  else
    rows[#rows + 1] = { "?NAME, NAME?", "what a function, class or object does; ??NAME: its text; ?*PART*: names" }
    rows[#rows + 1] = { "!COMMAND", "runs a command of the shell" }
    rows[#rows + 1] = { "_, _1 ... _9", "the last results, the newest first" }
  end
  return table.concat(text_table.lines(rows, { { align = "left" } }), "\n")
end, "pod.help")

-- The names of all commands, sorted.
function commands.names()
  return tables.sorted_keys(commands.list)
end

local function shell(line)
  if not line:find "%S" then
    refuse("!: write a command of the shell behind it: !ls")
  end
  io.stdout:flush()
  local ok, what, code = os.execute(line)
  if ok ~= true and ok ~= 0 then
    return ("the command ended with %s %s"):format(what == "signal" and "signal" or "code", tostring(code or ok))
  end
end

-- Answers ?name, name?, ??name (its text), ?*part*, and ? alone.
local function answer(marks, name, host)
  host.load "moonpod"
  local help = host.load "moonpod.help"
  local ask = #marks > 1 and name ~= "" and help.source_of_name or name ~= "" and help.of_name or help.show
  local ok, found = pcall(ask, name ~= "" and name or nil)
  if not ok then
    refuse("%s", tostring(found))
  end
  return tostring(found)
end

-- Words that other sessions know.
local WORDS = { help = "?", ["help()"] = "?", exit = "%quit", ["exit()"] = "%quit", quit = "%quit",
  ["quit()"] = "%quit", ["%exit"] = "%quit" }

-- Runs a line that begins with %, ! or ?, or ends with ?, or is such a word. Returns a text to show, or nil, and
-- values.
function commands.run(line, host)
  line = WORDS[line:match "^%s*(.-)%s*$"] or line
  local marks, asked = line:match "^%s*(%?+)%s*(.-)%s*$"
  if not marks then
    asked, marks = line:match "^%s*([%w_.:*]+)%s*(%?+)%s*$"
  end
  if marks then
    return answer(marks, asked, host)
  end
  local sign, name, rest = line:match "^%s*([%%!])(%w*)(.*)$"
  if sign == "!" then
    return shell(name .. rest)
  end
  local command = commands.list[name]
  if not command then
    local hint = errors.suggest(name, commands.names()):match "did you mean '(%l+)'"
    refuse("there is no command %%%s: %s%%help lists them", name, hint and ("did you mean %%%s? "):format(hint) or "")
  end
  return command.run(host, rest)
end

return commands
