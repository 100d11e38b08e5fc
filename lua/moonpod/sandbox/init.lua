--- Runs scripts that nobody trusts, each in a Lua state of its own with limits of memory, time and steps.

-- sandbox - runs scripts that nobody trusts, each in a Lua state of its own with limits.

local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local inside = require "moonpod.sandbox.inside"
local tensor = require "moonpod.tensor"

local sandbox = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local Sandbox = { __name = "moonpod.sandbox" }
Sandbox.__index = Sandbox

local MARK = "moonpod.buffer"

--- Whether a value is a sandbox.
function sandbox.is(value)
  return type(value) == "table" and getmetatable(value) == Sandbox
end

local function call(method, ...)
  local results = { pcall(method, ...) }
  if not results[1] then
    errors.raise_from_core(results[2])
  end
  return unpack(results, 2, 4)
end

local function wrapped(value, level)
  if tensor.is(value) then
    return { [MARK] = tensor.buffer(value) }
  elseif type(value) ~= "table" or getmetatable(value) ~= nil then
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

local function limit(options, name, default, most)
  local value = options[name] == nil and default or options[name]
  if type(value) ~= "number" or not (value > 0 and value <= most) then
    errors.raise("sandbox.new: option '%s' must be a number above 0 and at most %g; got %s", name, most,
      errors.describe(value))
  end
  return value
end

local function dumped()
  local list = {}
  for i, fn in ipairs(inside) do
    list[i] = string.dump(fn)
  end
  return list
end

--- Makes a sandbox: a Lua state of its own for scripts that nobody trusts. They have Lua's safe functions and `pod`,
--- and no `io`, `debug`, `package`, bytecode or finalisers (`__gc`). What a script sets stays from run to run.
--- Under LuaJIT scripts are interpreted: compiled code would not see its limits.
---@param options.memory integer most bytes that its Lua values, tensors and programs hold (default 64 MiB)
---@param options.instructions integer most instructions of a run (default 1e8); what other functions do counts, too
---@param options.seconds number most seconds of a run (default 5)
---@param options.files string|boolean the folder that its files must lie in, within the host's own; false (default):
--- no files
---@param options.threads integer most threads that its programs use (default 1)
---@return sandbox sandbox with the methods `run`, `output`, `memory` and `close`
---```lua
---local box = pod.sandbox.new { memory = 32 * 2 ^ 20, seconds = 1 }
---assert(box:run("return ... + 1", 2) == 3)
---box:close()
---```
function sandbox.new(options)
  options = errors.check_options(options, { memory = true, instructions = true, seconds = true, files = true,
    threads = true }, "sandbox.new")
  local files = options.files or false
  if files ~= false and (type(files) ~= "string" or files == "") then
    errors.raise("sandbox.new: option 'files' is a folder, or false for no files; got %s", errors.describe(files))
  end
  local self = { memory_limit = limit(options, "memory", 64 * 2 ^ 20, 1e15),
    instructions = limit(options, "instructions", 1e8, 1e17), seconds = limit(options, "seconds", 5, 1e6) }
  self._handle = call(device.core.sandbox, device.context(), { memory = self.memory_limit, files = files,
    threads = limit(options, "threads", 1, 1024), prelude = dumped(), path = package.path })
  return setmetatable(self, Sandbox)
end

--- Runs a script with copies of values as its arguments, and returns copies of its results: nil, booleans, numbers,
--- strings, tensors, and plain tables of those. What the script raises is raised here; so is the end of a limit, which
--- no script can catch. The sandbox is usable afterwards, with its limits anew.
---@param text string Lua source
---@return any results of the script
function Sandbox:run(text, ...)
  errors.check_type(text, "string", "sandbox:run", "the script")
  local arguments = wrapped({ n = select("#", ...), ... })
  local ok, result, stopped = call(self._handle.run, self._handle, device.context(), self.instructions, self.seconds,
    "run", text, "=script", arguments)
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
function Sandbox:output()
  local ok, result = call(self._handle.run, self._handle, device.context(), 1e6, 1, "output")
  return ok and result[1] or ""
end

--- Returns the bytes that the sandbox holds, and the most that it ever held.
---@return integer held
---@return integer peak
function Sandbox:memory()
  return call(self._handle.memory, self._handle)
end

--- Ends the sandbox and frees its memory.
function Sandbox:close()
  call(self._handle.close, self._handle)
end

function Sandbox.__tostring(self)
  return ("<sandbox of %d bytes, %g instructions, %g s>"):format(self.memory_limit, self.instructions, self.seconds)
end

declare.methods("sandbox", Sandbox, sandbox.is)
declare.metamethods("sandbox", Sandbox)
declare.functions("sandbox", sandbox, { ["options?"] = "new" }, "is")

return sandbox
