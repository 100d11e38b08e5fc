--- Runs scripts that nobody trusts, each in a Lua state of its own with limits of memory, time and steps.

-- sandbox - runs scripts that nobody trusts, each in a Lua state of its own with limits.

local decimal = require "moonpod.base.decimal"
local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local file_functions = require "moonpod.sandbox.files"
local inside = require "moonpod.sandbox.inside"
local readable = require "moonpod.base.readable"
local tensor = require "moonpod.tensor"
local text_functions = require "moonpod.sandbox.texts"

local sandbox = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local Sandbox = { __name = "moonpod.sandbox" }
Sandbox.__index = Sandbox

local MARK, FUNCTION = "moonpod.buffer", "moonpod.function"

--- Whether a value is a sandbox.
---@example pod.sandbox.is(3) --> false
function sandbox.is(value)
  return type(value) == "table" and getmetatable(value) == Sandbox
end

local function wrapped(value, level)
  if tensor.is(value) then
    return { [MARK] = tensor.buffer(value) }
  elseif not readable.is_plain(value) then
    return value
  end
  level = errors.level_below(level, "an argument of a sandbox")
  local made = {}
  for key, one in pairs(value) do
    made[key] = wrapped(one, level)
  end
  return made
end

local function unwrapped(value)
  if type(value) ~= "table" then
    return value
  elseif type(value[MARK]) == "userdata" then
    return tensor.from_buffer(value[MARK])
  end
  local made = {}
  for key, one in pairs(value) do
    made[key] = unwrapped(one)
  end
  return made
end

-- A function of the host as it is called for a script: with copies, of which it gives copies. Returns one table.
local function lent(fn)
  local function results(...)
    return wrapped({ n = select("#", ...), ... }, 0)
  end
  return function(...)
    local arguments = { ... }
    for i = 1, select("#", ...) do
      arguments[i] = unwrapped(arguments[i])
    end
    return results(fn(unpack(arguments, 1, select("#", ...))))
  end
end

-- What scripts find by name: functions, which are added to a list, become their numbers.
local function lend(value, functions, level)
  if type(value) == "function" then
    functions[#functions + 1] = lent(value)
    return { [FUNCTION] = #functions }
  elseif not readable.is_plain(value) then
    return wrapped(value)
  end
  level = errors.level_below(level, "sandbox.new: option 'env'")
  local made = {}
  for key, one in pairs(value) do
    made[key] = lend(one, functions, level)
  end
  return made
end

local function check_env(env)
  errors.check_type(env, "table", "sandbox.new", "option 'env'")
  for name in pairs(env) do
    if type(name) ~= "string" or not name:find "^[%a_][%w_]*$" then
      errors.raise("sandbox.new: option 'env' has values by the names that scripts call them; got the key %s",
        errors.describe(name))
    end
  end
end

local function limit(options, name, default, most)
  local value = options[name] == nil and default or options[name]
  if type(value) ~= "number" or not (value > 0 and value <= most) then
    errors.raise("sandbox.new: option '%s' must be a number above 0 and at most %g; got %s", name, most,
      errors.describe(value))
  end
  return value
end

-- A function as bytecode. What it says of its place does not tell where the host keeps its modules, and is as long.
local function dump(fn)
  local source = debug and debug.getinfo(fn, "S").source or ""
  local before, path = source:match "^@(.*)moonpod/(sandbox/[^/]*)$"
  if not before then
    return string.dump(fn)
  end
  local name = "@moonpod/" .. ("/"):rep(#before) .. path
  return (string.dump(fn):gsub(source:gsub("%p", "%%%0"), name))
end

local function dumped()
  local list = {}
  for i, fn in ipairs(inside) do
    list[i] = dump(fn)
  end
  table.insert(list, 2, dump(file_functions)) -- the first keeps what these use, the others use them
  table.insert(list, 3, dump(text_functions))
  return list
end

--- Makes a sandbox: a Lua state of its own for scripts that nobody trusts. They have Lua's safe functions and `pod`,
--- and no `io`, `debug`, `package`, bytecode or finalisers (`__gc`). What a script sets stays from run to run.
--- Under LuaJIT scripts are interpreted: compiled code would not see its limits. What `env` has is copied once; its
--- functions are called in the host on copies of their arguments, and what they return or raise goes back as a copy.
--- Their time counts, but no limit stops them: what a script gives them is what nobody trusts.
---@param options.memory integer most bytes that its Lua values, tensors and programs hold (default 64 MiB)
---@param options.instructions integer most instructions of a run (default 1e8); what other functions do counts, too
---@param options.seconds number most seconds of a run (default 5)
---@param options.files string|boolean the folder that its files must lie in, within the host's own; false (default):
--- no files
---@param options.threads integer most threads at once, those of pipelines and the caller's included (default 1)
---@param options.env table what scripts find by name beside Lua's functions: plain data, tensors, functions of the
--- host, and plain tables of those
---@return sandbox sandbox with the methods `run`, `output`, `memory` and `close`
---```lua
---local box = pod.sandbox.new { memory = 32 * 2 ^ 20, seconds = 1 }
---assert(box:run("return ... + 1", 2) == 3)
---box:close()
---local score = 0
---box = pod.sandbox.new { env = { level = 3, add = function(n) score = score + n end } }
---box:run "add(level)"
---assert(score == 3)
---box:close()
---```
function sandbox.new(options)
  options = errors.check_options(options, { memory = true, instructions = true, seconds = true, files = true,
    threads = true, env = true }, "sandbox.new")
  if not string.dump then
    errors.raise "sandbox.new: a script in a sandbox makes no sandboxes of its own: its host makes them"
  end
  local files = options.files or false
  if files ~= false and (type(files) ~= "string" or files == "") then
    errors.raise("sandbox.new: option 'files' is a folder, or false for no files; got %s", errors.describe(files))
  end
  local self = { memory_limit = limit(options, "memory", 64 * 2 ^ 20, 1e15),
    instructions = limit(options, "instructions", 1e8, 1e17), seconds = limit(options, "seconds", 5, 1e6) }
  local functions, env = {}, options.env
  if env ~= nil then
    check_env(env)
    env = lend(env, functions)
  end
  self._handle = errors.call_core(device.core.sandbox, device.context(), { memory = self.memory_limit, files = files,
    threads = limit(options, "threads", 1, 1024), prelude = dumped(), path = package.path,
    functions = functions })
  if env then
    local ok, message = errors.call_core(self._handle.run, self._handle, device.context(), 1e9, 60, "env", env)
    if not ok then
      self._handle:close()
      errors.raise("sandbox.new: option 'env': %s", message)
    end
  end
  return setmetatable(self, Sandbox)
end

--- Runs a script with copies of values as its arguments, and returns copies of its results: nil, booleans, numbers,
--- strings, tensors, and plain tables of those. What the script raises is raised here; so is the end of a limit, which
--- no script can catch. The sandbox is usable afterwards, with its limits anew.
---@param text string Lua source
---@return any results of the script
---@example pod.sandbox.new():run("return (...) * 2", 21) --> 42
function Sandbox:run(text, ...)
  errors.check_type(text, "string", "sandbox:run", "the script")
  local arguments = wrapped({ n = select("#", ...), ... })
  local ok, result, stopped = errors.call_core(self._handle.run, self._handle, device.context(), self.instructions,
    self.seconds, "run", text, "=script", arguments)
  if stopped then
    errors.raise("sandbox: the script was stopped: it has no %s left (%s = %g)", stopped, stopped,
      self[stopped])
  elseif not ok then
    errors.raise("sandbox: %s", result)
  end
  result = result[1]
  for i = 1, result.n do
    result[i] = unwrapped(result[i])
  end
  return unpack(result, 1, result.n)
end

--- Returns what scripts printed since this was last asked, 64 KiB at most.
---@return string text
--- ```lua
--- local box = pod.sandbox.new()
--- box:run "print 'hello'"
--- assert(box:output() == "hello\n")
--- ```
function Sandbox:output()
  local ok, result = errors.call_core(self._handle.run, self._handle, device.context(), 1e6, 1, "output")
  return ok and result[1] or ""
end

--- Returns the bytes that the sandbox holds, and the most that it ever held.
---@return integer held
---@return integer peak
--- ```lua
--- local box = pod.sandbox.new()
--- local held, peak = box:memory()
--- assert(held > 0 and peak >= held)
--- ```
function Sandbox:memory()
  return errors.call_core(self._handle.memory, self._handle)
end

--- Ends the sandbox and frees its memory.
--- ```lua
--- local box = pod.sandbox.new()
--- box:close()
--- assert(not pcall(box.run, box, "return 1"))
--- ```
function Sandbox:close()
  errors.call_core(self._handle.close, self._handle)
end

function Sandbox.__tostring(self)
  return decimal.format("<sandbox of %d bytes, %g instructions, %g s>", self.memory_limit, self.instructions,
    self.seconds)
end

declare.methods("sandbox", Sandbox, sandbox.is)
declare.metamethods("sandbox", Sandbox)
declare.functions("sandbox", sandbox, { ["options?"] = "new" }, "is")

return sandbox
