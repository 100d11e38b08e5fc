-- commands - what a line of a session does that begins with %, ! or ?: one table, each command with its help. Commands
-- return a text to show, and values; what they need of the session is in `host`:
--   entries       what was entered in this session, an array of texts
--   history()     entries of all sessions, or nil where there is no history
--   edit(text)    the text as the user's own editor leaves it, or nil
--   offer(text)   the next entry begins with this text
--   colours(on)   true, false; vi(on); keys() gives an array of { key, what it does }; false where lines are plain
--   load(name)    loads a module, as `require` does
--   now()         seconds of a clock that only goes forward
--   ended         true: the session ends

local errors = require "moonpod.base.errors"
local text_table = require "moonpod.base.text_table"

local commands = {}

-- name -> { usage =, help =, run = function(host, rest) }
commands.list = {}

local loadstring = loadstring or load -- luacheck: ignore

local Refusal = { __tostring = function(self) return self.text end }

-- Ends a command with a message for whoever typed it, who needs no traceback for that.
local function refuse(format, ...)
  error(setmetatable({ text = format:format(...) }, Refusal), 0)
end

local function add(name, usage, help, run)
  commands.list[name] = { usage = usage, help = help, run = run }
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

local function duration(seconds)
  for _, unit in ipairs { { 1, "s" }, { 1e-3, "ms" }, { 1e-6, "us" } } do
    if seconds >= unit[1] then
      return ("%.3g %s"):format(seconds / unit[1], unit[2])
    end
  end
  return ("%.3g ns"):format(seconds * 1e9)
end

local function pack(...)
  return { n = select("#", ...), ... }
end

local unpack = table.unpack or unpack -- luacheck: ignore

-- ---- measuring -----------------------------------------------------------------------------------------

add("time", "%time CODE", "runs it once and says how long that took", function(host, rest)
  local fn = compile(rest, "time")
  local start, cpu = host.now(), os.clock()
  local values = pack(fn())
  local taken, worked = host.now() - start, os.clock() - cpu
  return ("%s (processors: %s)"):format(duration(taken), duration(worked)), unpack(values, 1, values.n)
end)

local ROUNDS, LEAST = 7, 0.05 -- rounds, and the seconds of each

-- Seconds of so many runs. Garbage of runs before is collected first; while they run the collector works as ever.
local function time_runs(host, fn, count)
  collectgarbage()
  local start = host.now()
  for _ = 1, count do
    fn()
  end
  return host.now() - start
end

add("timeit", "%timeit CODE", "runs it many times: best, median and worst of seven rounds", function(host, rest)
  local fn = compile(rest, "timeit")
  local count, taken = 1, time_runs(host, fn, 1)
  while taken < LEAST and count < 1e8 do
    count = count * (taken < LEAST / 10 and 10 or 2)
    taken = time_runs(host, fn, count)
  end
  local rounds = { taken / count }
  for i = 2, ROUNDS do
    rounds[i] = time_runs(host, fn, count) / count
  end
  table.sort(rounds)
  return ("%s a run: the best of %d rounds of %d; the median %s, the worst %s"):format(duration(rounds[1]), ROUNDS,
    count, duration(rounds[(ROUNDS + 1) / 2]), duration(rounds[ROUNDS]))
end)

add("prof", "%prof CODE", "runs it and says where the time went; the profile is the result", function(_, rest)
  local fn = compile(rest, "prof")
  return nil, require("moonpod.profiler").record(fn)
end)

-- ---- what there is -------------------------------------------------------------------------------------

-- Globals that are nobody's own.
local STANDARD = { pod = true, help = true, arg = true, _PROMPT = true, _PROMPT2 = true }
for name in ("_G _VERSION assert bit bit32 collectgarbage coroutine debug dofile error getfenv getmetatable io " ..
  "ipairs jit load loadfile loadstring math module newproxy next os package pairs pcall print " ..
  "rawequal rawget rawlen rawset require select setfenv setmetatable string table tonumber tostring " ..
  "type unpack utf8 warn xpcall"):gmatch "%S+" do
  STANDARD[name] = true
end

local function kind_of(value)
  local meta = getmetatable(value)
  local name = type(value) == "table" and type(meta) == "table" and rawget(meta, "__name")
  return type(name) == "string" and name or type(value)
end

local BYTES = { bool = 1, int8 = 1, uint8 = 1, int16 = 2, uint16 = 2, float16 = 2, bfloat16 = 2, int64 = 8, uint64 = 8,
  float64 = 8 }

-- The size of a tensor or a variable: "float32 (2, 3)  24 B"; of others what is short to say.
local function about(value)
  local is_table = type(value) == "table"
  local shape, dtype = is_table and rawget(value, "shape"), is_table and rawget(value, "dtype")
  if type(shape) == "table" and type(dtype) == "string" then
    local count = BYTES[dtype] or 4
    for _, size in ipairs(shape) do
      count = count * size
    end
    return ("%s (%s%s) %d B"):format(dtype, table.concat(shape, ", "), #shape == 1 and "," or "", count)
  elseif type(value) == "string" then
    return #value .. " B"
  elseif type(value) == "number" or type(value) == "boolean" then
    return tostring(value)
  elseif is_table and getmetatable(value) == nil then
    return #value .. " items"
  end
  return ""
end

add("who", "%who", "lists your globals: names, types, sizes", function()
  local rows = {}
  for name, value in next, _G do
    if type(name) == "string" and not STANDARD[name] and not name:find "^_%d*$" then
      local text = about(value)
      rows[#rows + 1] = { name, kind_of(value), text ~= "" and text or nil }
    end
  end
  table.sort(rows, function(a, b) return a[1] < b[1] end)
  return #rows == 0 and "there are none" or
    table.concat(text_table.lines(rows, { { align = "left" } }), "\n")
end)

add("forget", "%forget", "frees the results that are kept in _ and _1 to _9", function()
  rawset(_G, "_", nil)
  for i = 1, 9 do
    rawset(_G, "_" .. i, nil)
  end
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
  local fn, failure = loadfile(words[1])
  if not fn then
    refuse("%%run: %s", failure)
  end
  return nil, fn(unpack(words, 2))
end)

add("reload", "%reload MODULE", "loads a module again; who holds the old table sees what is new", function(host, rest)
  local name = rest:match "^%s*[\"']?([^%s\"']+)"
  local old = name and package.loaded[name]
  if not old then
    refuse("%%reload: %s", name and ("'%s' is not loaded; write require '%s'"):format(name, name) or
      "name the module: %reload mine")
  end
  package.loaded[name] = nil
  local ok, new = pcall(host.load, name)
  if not ok then
    package.loaded[name] = old
    refuse("%%reload: the old one stays: %s", tostring(new))
  end
  if type(old) == "table" and type(new) == "table" and old ~= new then
    for key in next, old do
      if rawget(new, key) == nil then
        rawset(old, key, nil)
      end
    end
    for key, value in next, new do
      rawset(old, key, value)
    end
    setmetatable(old, getmetatable(new))
    package.loaded[name] = old
  end
end)

add("save", "%save FILE", "writes what you entered in this session into a new file", function(host, rest)
  local path = words_of(rest)[1]
  if not path then
    refuse("%%save: name the file: %%save session.lua")
  end
  local there = io.open(path, "rb")
  if there then
    there:close()
    refuse("%%save: %s is there already; it is kept as it is", path)
  end
  local part = path .. ".part"
  local file, failure = io.open(part, "wb")
  local written
  if file then
    written, failure = file:write(table.concat(host.entries, "\n"), "\n")
    local closed, why = file:close()
    written, failure = written and closed, failure or why
    if written then
      written, failure = os.rename(part, path)
    end
  end
  if not written then
    os.remove(part)
    refuse("%%save: %s", failure)
  end
  return ("%d entries in %s"):format(#host.entries, path)
end)

-- ---- entries -------------------------------------------------------------------------------------------

add("history", "%history [COUNT or TEXT]", "the last entries, or those that contain a text", function(host, rest)
  local entries = host.history() or host.entries
  local wanted = rest:match "^%s*(.-)%s*$"
  local count = wanted == "" and 20 or wanted:find "^%d+$" and tonumber(wanted)
  local lines = {}
  for i = count and math.max(#entries - count, 0) + 1 or 1, #entries do
    if count or entries[i]:find(wanted, 1, true) then
      lines[#lines + 1] = ("%5d  %s"):format(i, (entries[i]:gsub("\n", "\n       ")))
    end
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

-- ---- the session ---------------------------------------------------------------------------------------

add("color", "%color on|off", "colours what is typed, or not", function(host, rest)
  local word = rest:match "%S+"
  if word ~= "on" and word ~= "off" then
    refuse("%%color: write %%color on or %%color off")
  elseif not host.colours(word == "on") then
    return "lines are plain here: there are no colours"
  end
end)

add("keys", "%keys [emacs|vi]", "lists the keys, or changes between emacs' and vi's", function(host, rest)
  local word = rest:match "%S+"
  if word == "emacs" or word == "vi" then
    return not host.vi(word == "vi") and "lines are plain here: the terminal has the keys" or nil
  elseif word then
    refuse("%%keys: write %%keys emacs or %%keys vi")
  end
  return table.concat(text_table.lines(host.keys(), { { align = "left" } }), "\n")
end)

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
  if not wanted then
    rows[#rows + 1] = { "?NAME, NAME?", "what a function, class or object does; ??NAME: its text; ?*PART*: names" }
    rows[#rows + 1] = { "!COMMAND", "runs a command of the shell" }
    rows[#rows + 1] = { "_, _1 ... _9", "the last results, the newest first" }
  end
  return table.concat(text_table.lines(rows, { { align = "left" } }), "\n")
end)

-- The names of all commands, sorted.
function commands.names()
  local names = {}
  for name in pairs(commands.list) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
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

-- Runs a line that begins with %, ! or ?, or ends with ?. Returns a text to show, or nil, and values.
function commands.run(line, host)
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
    refuse("there is no command %%%s%s; %%help lists them", name, errors.suggest(name, commands.names()))
  end
  return command.run(host, rest)
end

return commands
