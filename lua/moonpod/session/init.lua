--- What the commands of a session do, as functions for scripts: measuring, memory, globals, what the engine did.
---@name pod.session
--- ```lua
--- print(pod.session.timeit(function() return pod.ones({ 8 }):sum():item() end, { rounds = 3, seconds = 0.001 }))
--- ```

local core = require "moonpod.core"
local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local measure = require "moonpod.session.measure"
local globals = require "moonpod.session.globals"
local programs = require "moonpod.tensor.programs"
local readable = require "moonpod.base.readable"
local traceback = require "moonpod.session.traceback"
local workspace = require "moonpod.session.workspace"

local session = {}

-- What there is of a session in a script.
local none = { entries = {}, history = function() end, clear = function() end, edit = function() end,
  offer = function() end, colours = function() return false end,
  keys = function() return {} end }

-- What the executable gives the commands of its session (commands.lua).
local function host()
  return programs.host.session or none
end

-- Raises why the function of a name could not do it; returns its value where it could.
local function done(name, value, failure)
  return failure and errors.raise("session.%s: %s", name, failure) or value
end

-- ---- time ----------------------------------------------------------------------------------------------

--- Calls a function once. Returns how long that took, `{ seconds =, cpu_seconds = }`, which prints, and what the
--- function returned.
---@param fn function what is measured
---@return time its seconds by the clock and by the processors, of all threads
--- ```lua
--- local time, sum = pod.session.time(function() return pod.ones({ 8 }):sum():item() end)
--- assert(type(time.seconds) == "number" and sum == 8)
--- ```
function session.time(fn, ...)
  return measure.time(core.clock, fn, ...)
end

--- Calls a function many times, in rounds of so many calls that each takes a while. Garbage is collected before each
--- round, and not within it.
---@param fn function what is measured, called without arguments
---@param options.rounds integer how many rounds (default 7)
---@param options.seconds number how long a round takes at least (default 0.05)
---@return time `{ best =, median =, worst = seconds of a call, count = calls a round, rounds = }`, which prints
--- ```lua
--- local time = pod.session.timeit(function() return 6 * 7 end, { rounds = 3, seconds = 0.001 })
--- assert(time.best <= time.median and time.median <= time.worst)
--- ```
function session.timeit(fn, options)
  options = errors.check_options(options, { rounds = "integer", seconds = "number" }, "session.timeit")
  return measure.timeit(core.clock, fn, options)
end

-- ---- memory --------------------------------------------------------------------------------------------

local Memory = { __name = "moonpod.session.memory" }

function Memory.__tostring(self)
  local text = core.bytes_text
  return ("tensors and programs: %s now, %s at most; Lua: %s; variables: %s in %d"):format(text(self.current),
    text(self.peak), text(self.lua), text(self.variables), self.variable_count)
end

--- The memory of this process that Moonpod knows of, in bytes; `pod.memory_info` has a TPU's.
---@return memory `{ current =, peak = of tensors and programs, lua =, variables =, variable_count = }`, which prints
--- ```lua
--- assert(pod.session.mem().current >= 0)
--- ```
function session.mem()
  local held = device.memory()
  local result = { current = held.current_bytes, peak = held.peak_bytes, variables = 0, variable_count = 0,
    lua = math.floor(collectgarbage "count" * 1024) }
  local variable = package.loaded["moonpod.func.variable"]
  for one in pairs(variable and variable.all or {}) do
    result.variables = result.variables + globals.bytes(one)
    result.variable_count = result.variable_count + 1
  end
  return setmetatable(result, Memory)
end

--- The globals that are the user's: names, types, sizes of tensors.
---@return list an array of `{ name =, kind =, about = }` sorted by name, which prints
--- ```lua
--- assert(type(pod.session.who()) == "table")
--- ```
function session.who()
  return globals.list(_G)
end

-- ---- what the engine did -------------------------------------------------------------------------------

local Work = { __name = "moonpod.session.work" }
local MOST_EXCHANGED = 20 -- collectives that are listed

local function counted(count, what)
  return ("%d %s%s"):format(count, what, count == 1 and "" or "s")
end

function Work.__tostring(self)
  local text = core.bytes_text
  if self.runs == 0 and self.traces == 0 then
    return "the engine had nothing to do: no function was traced, and no program ran"
  end
  local lines = {}
  local names = {}
  for name, count in pairs(self.traced) do
    names[#names + 1] = count > 1 and ("%s (%d)"):format(name, count) or name
  end
  table.sort(names)
  lines[1] = ("traces       %s"):format(self.traces == 0 and "none" or
    self.traces .. ": " .. table.concat(names, ", "))
  lines[2] = ("programs     %d compiled in %s"):format(self.compiled,
    measure.duration(self.seconds))
  lines[3] = ("runs         %s of %s"):format(counted(self.runs, "run"), counted(self.steps, "step"))
  lines[4] = ("bytes moved  %s that instructions read and wrote"):format(text(self.moved))
  lines[5] = self.unpadded == 0 and "padding      nothing went in"
    or ("padding      %s went in; a TPU (%s) would hold %s"):format(text(self.unpadded), self.chip, text(self.padded))
  lines[6] = ("collectives  %s"):format(self.collectives == 0 and "none: no replica asked others" or self.collectives)
  for i = 1, math.min(#self.exchanged, MOST_EXCHANGED) do
    lines[#lines + 1] = ("  %d of %s"):format(self.exchanged[i].count, self.exchanged[i].text)
  end
  if #self.exchanged > MOST_EXCHANGED then
    lines[#lines + 1] = ("  and %d others"):format(#self.exchanged - MOST_EXCHANGED)
  end
  return table.concat(lines, "\n")
end

local CHIP = "v3"

local function padded_bytes(one)
  local padding = require "moonpod.tpu.padding"
  local ok, found = pcall(padding.measure, { shape = one.shape, dtype = one.dtype, chip = CHIP })
  return ok and found.padded_bytes or globals.bytes(one), ok and found.unpadded_bytes or globals.bytes(one)
end

-- What an account of moonpod.tensor.programs tells; nil: an empty one.
local function work_of(account)
  account = account or {}
  local work = { chip = CHIP, padded = 0, unpadded = 0, traced = account.traced or {},
    exchanged = account.exchanged or {} }
  for _, name in ipairs { "traces", "compiled", "seconds", "runs", "steps", "moved", "collectives" } do
    work[name] = account[name] or 0
  end
  for _, one in ipairs(account.arguments or {}) do
    local padded, unpadded = padded_bytes(one)
    work.padded, work.unpadded = work.padded + padded, work.unpadded + unpadded
  end
  return setmetatable(work, Work)
end

--- What the engine did for the last line of a session.
---@return work as that of `pod.session.why`
--- ```lua
--- assert(pod.session.last_work().collectives == 0)
--- ```
function session.last_work()
  return work_of(programs.host.account)
end

--- What the engine does while a function runs: traces made, programs compiled, bytes moved, padding, and what cores
--- exchange, in the order of a step: each with its layer and line, and how often.
---@param fn function what is looked at; further arguments go to it
---@return work `{ traces =, traced = counts by name, compiled =, seconds = of compiling, runs =, steps =,
--- moved = bytes, unpadded =, padded = bytes of what went in, here and on a TPU, collectives =, exchanged = rows of
--- `text` and `count` }`, which prints; then what fn returned
--- ```lua
--- local work = pod.session.why(function() return (pod.ones { 3, 5 } * 2):sum():item() end)
--- assert(work.runs == 1 and work.collectives == 0)
--- ```
function session.why(fn, ...)
  local around = require "moonpod.base.around"
  local trace = require "moonpod.tensor.trace"
  local before, own = nil, {}
  trace.sync() -- what waits is not of this function
  local results = measure.pack(around(function()
    before, programs.host.account = programs.host.account, own
  end, function()
    programs.host.account = before
  end, function(...)
    local packed = measure.pack(fn(...))
    trace.sync()
    return measure.unpack(packed, 1, packed.n)
  end, ...))
  return work_of(own), measure.unpack(results, 1, results.n)
end

-- ---- what scripts are run in ---------------------------------------------------------------------------

--- Refuses to read globals that nobody has set, as misspelled names are; names with an underscore in front are left
--- alone.
---@param on boolean false: as before
--- ```lua
--- pod.session.strict(true)
--- local ok, message = pcall(function() return undefined_name end)
--- pod.session.strict(false)
--- assert(not ok and message:find "there is no global 'undefined_name'")
--- ```
function session.strict(on)
  workspace.strict(on)
end

--- The last error that a session or the executable told, with all frames, those of Moonpod and of C, too.
---@return string|nil text nil where there was none
--- ```lua
--- assert(pod.session.last_error() == nil or #pod.session.last_error() > 0)
--- ```
function session.last_error()
  return traceback.last and traceback.text(traceback.last, { all = true }) or nil
end

--- Loads a module again, as after its file was changed: who holds its table sees what is new.
---@param name string as `require` takes it; it is loaded already
---@return any what the module gives
---@error it is not loaded, or its file raises: the old one stays
--- ```lua
--- package.preload.mine = function() return { value = #tostring(package.loaded.mine) } end
--- local mine = require "mine"
--- assert(pod.session.reload "mine" == mine)
--- package.preload.mine, package.loaded.mine = nil, nil
--- ```
function session.reload(name)
  return done("reload", workspace.reload(name, _G["require"])) -- the module is the user's
end

--- Runs a file of Lua with the globals that there are.
---@param path string
---@param ... any what it gets as `...`
---@return any what it returns
---@error it cannot be read, or is no Lua; what it raises
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write("return (...) * 2")
--- file:close()
--- assert(pod.session.run(path, 21) == 42)
--- os.remove(path)
--- ```
function session.run(path, ...)
  if not loadfile then
    errors.raise "session.run: a script in a sandbox runs no files"
  end
  return done("run", loadfile(path))(...)
end

--- Opens a strategy's scope for what follows, in the place of the one that was opened so before.
---@param strategy? strategy nil or false: closes it
---@example pod.session.scope(nil) == nil --> true
function session.scope(strategy)
  if not workspace.scope(host(), strategy or nil) then
    errors.raise("session.scope: %s is no strategy: write pod.session.scope(pod.distribute.mirrored(8)), or "
      .. "pod.session.scope(nil)", errors.describe(strategy))
  end
end

-- ---- what was entered ----------------------------------------------------------------------------------

--- Frees the results that a session keeps in `_`, `_1` to `_9` and `Out`.
---@example pod.session.forget() == nil --> true
function session.forget()
  require("moonpod.session.results").forget()
end

--- What was entered in sessions, the oldest first.
---@param wanted? integer|string the last so many (default 20), or those with a text in them
---@return list an array of `{ number =, text = }`, empty in scripts; it prints
---@example #pod.session.history(5) <= 5 --> true
function session.history(wanted)
  return readable.of(workspace.history(host().history() or host().entries, wanted))
end

--- Writes what was entered in this session into a new file, whole or not at all.
---@param path string
---@return integer count of entries
---@error the file is there already, or cannot be written
--- ```lua
--- local path = os.tmpname()
--- os.remove(path)
--- assert(pod.session.save(path) >= 0)
--- os.remove(path)
--- ```
function session.save(path)
  done("save", workspace.save(path, host().entries))
  return #host().entries
end

--- Opens a text in $VISUAL or $EDITOR; the next entry of the session begins with what comes of it.
---@param text? string (default: the last entry)
---@error there is no session on a terminal, or the editor failed
---@example (pcall(pod.session.edit, "1 + 1")) --> false
function session.edit(text)
  local edited = host().edit(text or host().entries[#host().entries] or "")
  if not edited then
    errors.raise "session.edit: there is no session on a terminal, or no editor"
  end
  host().offer(edited)
end

--- Says whether what is typed is in colours.
---@param on boolean
---@return boolean done false where lines are plain
---@example pod.session.color(false) --> false
function session.color(on)
  return host().colours(on)
end

--- Clears the terminal, or what the cell of a notebook has shown; nothing in scripts.
---@example pod.session.clear() == nil --> true
function session.clear()
  host().clear()
end

--- The keys of the line editor.
---@return list an array of `{ key, what it does }`, empty in scripts; it prints
---@example type(pod.session.keys()) --> "table"
function session.keys()
  return readable.of(host().keys())
end

--- Ends the session behind this entry, as Ctrl-D does; a script goes on.
---@example pod.session.quit() == nil --> true
function session.quit()
  host().ended = true
end

declare.functions("session", session, { ["fn"] = "time why", ["fn options?"] = "timeit",
  ["on:boolean"] = "strict color", ["name:string"] = "reload", ["path:string"] = "run save" })

return session
