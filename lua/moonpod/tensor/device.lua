--- The context that everything runs in: threads, kernels, memory, and the list of devices. `pod.device("/TPU:3", fn)`
--- runs fn on one of them: see `pod.device.scope`.
---@example #pod.devices() > 0 --> true

-- device - the context that everything runs in, and the list of devices.

local declare = require "moonpod.base.arguments"
local core = require "moonpod.core"
local errors = require "moonpod.base.errors"
local global_state = require "moonpod.base.global_state"
local kinds = require "moonpod.base.kinds"
local readable = require "moonpod.base.readable"
local speaker = require "moonpod.base.speaker"
local is_whole = require "moonpod.base.kinds".is_whole

---@name pod.core pod.device.core
--- The binding of the C library, for Moonpod's own modules: what scripts need of it has a function elsewhere.
local device = { core = core }

-- The scopes of devices that are open: entries { name = a full name }.
local open = global_state.scopes("device", function(entry)
  return entry and entry.name
end)
device._placed = open

local context
local settings = {}

-- What the executable says of itself: ready, a function that is called when the context was made. A
-- host that has none of it is a guest's.
local host = package.loaded["moonpod.host"] or {}

local call = errors.call_core

-- Hands what the library has to say to the function that configure was given.
local is_logging = false

local function hand_over_messages()
  if is_logging then
    return
  end
  is_logging = true
  for _, message in ipairs(context:messages()) do
    local ok, failure = pcall(settings.log, message.level, message.text)
    if not ok then
      is_logging = false
      error(failure, 0)
    end
  end
  is_logging = false
end

--- The context, made when first needed.
---@example tostring(pod.device.context()):match "^moonpod.context" --> "moonpod.context"
function device.context()
  if context then
    if settings.log then
      hand_over_messages()
    end
    return context
  end
  context = call(core.context, settings)
  if settings.nice then
    call(context.set_nice, context, settings.nice)
  end
  if settings.flush_subnormals then
    call(context.set_flush_subnormals, context, true)
  end
  context:announce(not settings.log)
  if host.ready then
    host.ready()
  end
  return context
end

-- The least and the most of what configure() takes as whole numbers: said where they are given, not with the first
-- tensor.
local RANGES = { threads = { 0, 1024 }, nice = { 0, 19 }, memory_limit = { 0, 2 ^ 53 },
  unpacked_bytes = { 0, 2 ^ 53 }, short_run_nanoseconds = { -2 ^ 53, 2 ^ 53 } }

local function check_ranges(options)
  for name, range in pairs(RANGES) do
    local value = options[name]
    if value ~= nil and not is_whole(value, range[1], range[2]) then
      errors.raise("device.configure: '%s' must be a whole number from %.0f to %.0f, not %s", name, range[1], range[2],
        errors.describe(value))
    end
  end
end

--- Says what the library may take of its host: before the first tensor; all but `isa` also later. Nothing starts a
--- thread before a run that needs some, and short runs need none.
---@param options.threads integer most threads that run programs, the caller's included (default, and 0: the CPUs)
---@param options.nice integer how far the threads that are started to run programs are below the script's own, 0
--- (default) to 19, as `nice` has it (Linux)
---@param options.memory_limit integer most bytes that tensors, programs and pipelines hold at once; 0: no limit. What
--- would need more raises an error that names it, and leaves variables and files as they are
---@param options.files string|boolean the one folder that files are read from and written to: paths are below it,
--- `..` and symbolic links are refused; false: no files. It can be narrowed later, never widened
---@param options.log function|boolean called with level ("debug", "info", "warning") and text of what the library says,
--- on the script's thread; without, and from `false` on, `pod.device.messages()` has it, and warnings are printed
---@param options.isa string the best family of kernels allowed
---@param options.unpacked_bytes integer most bytes that one record, line, array, archive or picture may become that is
--- compressed in its file, or comes from a pipe or a device (default 2^30)
---@param options.flush_subnormals boolean whether programs compute with 0 in the place of subnormal numbers (float32
--- below 1.2e-38), as a TPU does (default false; x86-64 and 64-bit ARM)
---@param options.short_run_nanoseconds integer runs that take less by estimate are the caller's thread's; negative:
--- none is
---```lua
---pod.device.configure { threads = 2, memory_limit = 256 * 2 ^ 20 }
---```
function device.configure(options)
  errors.check_options(options, { threads = "count", nice = "number", isa = "string",
    unpacked_bytes = "number", memory_limit = "number", files = true, log = true, flush_subnormals = "boolean",
    short_run_nanoseconds = "number" }, "device.configure")
  if options.files ~= nil and type(options.files) ~= "boolean" then
    errors.check_type(options.files, "string", "device.configure", "option 'files'")
  end
  if options.log ~= nil and options.log ~= false then
    errors.check_type(options.log, "function", "device.configure", "option 'log'")
  end
  check_ranges(options)
  if options.files == true then
    errors.raise("device.configure: 'files' is a folder, or false for no files")
  elseif context and options.isa and options.isa ~= context:isa() then
    errors.raise("device.configure: kernels of '%s' are in use already; call it before the first "
      .. "tensor, or set MOONPOD_ISA", context:isa())
  elseif context and options.short_run_nanoseconds then
    errors.raise("device.configure: 'short_run_nanoseconds' is set before the first tensor, or by MOONPOD_SHORT_RUN")
  end
  if context and options.threads then
    call(context.set_threads, context, options.threads)
  end
  if context and options.nice then
    call(context.set_nice, context, options.nice)
  end
  if context and options.flush_subnormals ~= nil then
    call(context.set_flush_subnormals, context, options.flush_subnormals)
  end
  if context and options.unpacked_bytes then
    call(context.set_unpacked_bytes, context, options)
  end
  if context and (options.memory_limit or options.files ~= nil) then
    call(context.limit, context, { memory_limit = options.memory_limit, files = options.files })
  end
  for name, value in pairs(options) do
    settings[name] = value
  end
  if context then
    context:announce(not settings.log)
  end
end

--- Whether programs compute with 0 in the place of subnormal numbers: see `configure`.
---@example pod.device.flushes_subnormals() --> false
function device.flushes_subnormals()
  return settings.flush_subnormals == true
end

--- Whether `configure { threads = }` has said how many threads there may be. Where it has not, a `"stepped"` run keeps
--- to the thread of who calls `run:step`.
---@return boolean
--- ```lua
--- pod.device.configure { threads = 2 }
--- assert(pod.device.has_threads())
--- ```
function device.has_threads()
  return (settings.threads or 0) > 0
end

--- Where a path leads: below the folder of configure{ files = }, where there is one; else it is refused. What opens
--- files without the core asks here first.
---@example pod.device.locate "models/best.safetensors" --> "models/best.safetensors"
function device.locate(path, where)
  where = where or "device.locate"
  if errors.check_type(path, "string", where, "the path"):find("\0", 1, true) then
    errors.raise("%s: %q has a zero byte, at which the system takes a path to end", where, path)
  end
  return settings.files == nil and path or call(device.context().locate, device.context(), path)
end

--- Opens a file as `io.open` does; where `configure { files = }` gave a folder, below it and through no symbolic link.
--- What is outside of it raises.
---@param path string
---@param mode string "r" (default), "w" or "a", also with a "b"
---@return file|nil file nil where it cannot be opened
---@return string message why not
---@return integer code 2 where there is no such file
---@example pod.device.open("/nowhere/at/all") == nil --> true
function device.open(path, mode)
  if type(mode or "r") ~= "string" or not (mode or "r"):find "^[rwa]%+?b?$" then
    errors.raise("device.open: the mode is \"r\", \"w\" or \"a\", also with + and b behind it; got %s",
      errors.describe(mode))
  end
  device.locate(path, "device.open")
  if not speaker.is_first and (mode or "r"):find "[wa+]" then
    return io.open("/dev/null", mode) -- another process writes it
  end
  if settings.files == nil then
    return io.open(path, mode)
  end
  local opened, message, code = call(core.open_file, device.context(), path, mode or "r")
  if not opened then
    return nil, message, code
  end
  local file, failure = io.open(opened:path(), mode)
  opened:close()
  return file, failure
end

--- Deletes a file or an empty folder as `os.remove` does; where `configure { files = }` gave a folder, below it.
---@param path string
---@return boolean|nil deleted nil where it cannot be deleted
---@return string message why not
---@example pod.device.remove("/nowhere/at/all") == nil --> true
function device.remove(path)
  if not speaker.is_first then
    return true
  end
  -- What a failure takes back is deleted where no memory is left: by calls that are few and not deep.
  if settings.files == nil and type(path) == "string" and not path:find("\0", 1, true) then
    return os.remove(path)
  end
  device.locate(path, "device.remove")
  return call(core.remove_file, device.context(), path)
end

--- Gives a file another name as `os.rename` does; where `configure { files = }` gave a folder, below it.
---@param from string
---@param to string
---@return boolean|nil renamed nil where it cannot be
---@return string message why not
---@example pod.device.rename("/nowhere/at/all", "/nowhere/else") == nil --> true
function device.rename(from, to)
  if not speaker.is_first then
    return true
  end
  device.locate(from, "device.rename")
  device.locate(to, "device.rename")
  if settings.files == nil then
    return os.rename(from, to)
  end
  local ok, message = pcall(core.rename_file, device.context(), from, to)
  if not ok then
    return nil, message
  end
  return true
end

-- The most bytes that may be held, for messages; nil where there is no limit.
function errors.memory_limit()
  local limit = context and context:memory().limit_bytes or 0
  return limit > 0 and limit or nil
end

function errors.clear_interrupt()
  device.context():clear_interrupt()
end

--- Bytes held by the library now and at most: host memory, never a TPU's.
---@example type(pod.device.memory()) --> "table"
function device.memory()
  return device.context():memory()
end

--- What the library had to say since it was last asked, as when a program could not be kept on disk: an array of
--- { level = "debug", "info" or "warning", text = }, the latest last. Of many, the latest are kept.
---@example type(pod.device.messages()) --> "table"
function device.messages()
  return device.context():messages()
end

-- ---- names ----------------------------------------------------------------------------------------

-- The resolver in use gives the cores; set by moonpod.tpu.cluster.
local active_resolver = global_state.new("resolver", nil)

-- Under a resolver the devices are known: a name of none of them is refused.
local function check_exists(name, parsed)
  local resolver = active_resolver.value
  local count = parsed.type == "TPU" and resolver and resolver:num_replicas() or nil
  if parsed.type == "CPU" and parsed.index > 0 then
    errors.raise("there is no device '%s': the host is one, '/CPU:0'", name)
  elseif count and parsed.index >= count then
    errors.raise("there is no device '%s': %s has '/TPU:0' to '/TPU:%d'", name, resolver:master(), count - 1)
  end
  return parsed
end

--- Parses "/TPU:0", "/device:TPU:0", "TPU:0" and "/job:worker/replica:0/task:0/device:TPU:0".
--- Returns { type =, index =, job =, replica =, task = }; raises for a device that the resolver in use does not have.
---@example pod.device.parse("/TPU:3").index --> 3
function device.parse(name)
  errors.check_type(name, "string", "device.parse", "the name")
  local job, replica, task, rest = name:match("^/job:([%w_]+)/replica:(%d+)/task:(%d+)(/.*)$")
  local kind, index = (rest or name):match("^/?device:(%a+):(%d+)$")
  if not kind then
    kind, index = (rest or name):match("^/?(%a+):(%d+)$")
  end
  kind = kind and kind:upper()
  if kind ~= "TPU" and kind ~= "CPU" then
    local number = name:match("TPU_?[vV]%d+%a*:(%d+)") or "0"
    local hint = name:match("TPU_?[vV]%d")
      and ("; the version is no part of a name: write '/TPU:%s'"):format(number)
      or "; write '/TPU:0', '/CPU:0' or '/job:worker/replica:0/task:0/device:TPU:0'"
    errors.raise("'%s' is no device name%s", name, hint)
  end
  return readable.of(check_exists(name, {
    type = kind,
    index = tonumber(index),
    job = job or "localhost",
    replica = tonumber(replica or 0),
    task = tonumber(task or 0),
  }))
end

--- The full name of a device.
---@example pod.device.full_name("TPU", 1) --> "/job:localhost/replica:0/task:0/device:TPU:1"
function device.full_name(kind, index)
  return ("/job:localhost/replica:0/task:0/device:%s:%d"):format(kind, index)
end

-- ---- lists ------------------------------------------------------------------------------------------

-- Who is told of the resolver that is in use from now on.
local watchers = {}

--- Calls fn(resolver or nil) when another resolver comes into use, and now.
--- ```lua
--- local seen = false
--- pod.device.watch_resolver(function(resolver) seen = resolver end)
--- assert(seen == pod.device.resolver())
--- ```
function device.watch_resolver(fn)
  watchers[#watchers + 1] = fn
  fn(active_resolver.value)
end

--- Says which cores there are: cluster.connect() calls it.
--- ```lua
--- local before, mine = pod.device.resolver(), pod.cluster.resolve "v3-8"
--- pod.device.set_resolver(mine)
--- assert(pod.device.resolver() == mine)
--- pod.device.set_resolver(before)
--- ```
function device.set_resolver(resolver)
  active_resolver:become(resolver)
  for _, watch in ipairs(watchers) do
    watch(resolver)
  end
end

--- The resolver in use, or nil.
--- ```lua
--- local resolver = pod.device.resolver()
--- assert(resolver == nil or resolver:num_replicas() > 0)
--- ```
function device.resolver()
  return active_resolver.value
end

local listed -- makes such a list: who asks for none does not load it

--- The replicated cores of the resolver in use ("TPU"), the host ("CPU"), or both.
---@example #pod.device.list() > 0 --> true
function device.list(kind)
  listed = listed or require("moonpod.tensor.device_list").maker(device.resolver)
  local list = kind ~= "CPU" and active_resolver.value and active_resolver.value:device_table() or {}
  if kind ~= "TPU" then
    list[#list + 1] = { name = "/device:CPU:0", type = "CPU", index = 0 }
  end
  return listed(list)
end

-- ---- scopes -------------------------------------------------------------------------------------------------

--- The full name of the device that computes now: that of the innermost `pod.device(name, fn)`, else the first one.
---@example pod.device.default_name() --> "/job:localhost/replica:0/task:0/device:CPU:0"
function device.default_name()
  local scope = open[1] and open:innermost()
  return scope and scope.name or device.full_name(active_resolver.value and "TPU" or "CPU", 0)
end

---@name pod.device.scope
--- Runs fn(...) on a device; `pod.device("/TPU:3", fn)` is short for it. What is made within says so (`t:device()`),
--- prints and is logged so. All cores are replicated on this host, so the numbers are the same on each. The innermost
--- scope counts. Results of a compiled function are where it is called. A strategy's replicas have cores of their own,
--- whatever scope is open.
---@param name string "/TPU:3", "/CPU:0" and the like
---@param fn function
---@return any what fn returns
---@error there is no such device, or what fn raises
---@example pod.device("/CPU:0", function() return pod.ones({ 2 }):device() end):sub(-5) --> "CPU:0"
function device.scope(name, fn, ...)
  local parsed = device.parse(name)
  if parsed.type == "TPU" and not active_resolver.value then
    errors.raise("there is no device '%s': no TPU is in use; pod.cluster.connect_to \"v3-8\" replicates one here", name)
  end
  return open:run(open:entry { name = device.full_name(parsed.type, parsed.index) }, errors.calling, fn, ...)
end

-- ---- placement log -------------------------------------------------------------------------------------

local placement_log

--- pod.device.log_placement(true | false | function(line)): one line an operation that is recorded.
--- ```lua
--- local lines = {}
--- pod.device.log_placement(function(line) lines[#lines + 1] = line end)
--- local y = pod.ones { 2 } + 1
--- pod.device.log_placement(false)
--- assert(#lines > 0 and y.shape[1] == 2)
--- ```
function device.log_placement(sink)
  if sink == true then
    sink = function(line)
      io.stderr:write(line, "\n")
    end
  end
  placement_log = sink or nil
end

--- The function that receives placement lines, or nil.
---@example pod.device.placement_log() == nil --> true
function device.placement_log()
  return placement_log
end

kinds.define("log", function(value)
  return type(value) == "boolean" or type(value) == "function"
end, "true, false or a function of a line")

declare.functions("device", device, {
  ["options"] = "configure",
  ["resolver:resolver?"] = "set_resolver",
  ["fn"] = "watch_resolver",
  ["kind:string index:count"] = "full_name",
  ["kind:string?"] = "list",
  ["sink:log?"] = "log_placement",
  ["name fn"] = "scope",
})

-- pod.device("/TPU:3", fn)
local function run_on(_, ...)
  return device.scope(...)
end

setmetatable(device, { __name = "moonpod.part", __call = run_on })

return device
