--- Finding where numbers go wrong (`pod.debug.nan`), and stopping in the middle of a step (`pod.debug.break_`).

-- debug - finding where numbers go wrong, and stopping in the middle of a step.

local around = require "moonpod.base.around"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local inspect = require "moonpod.base.inspect"
local programs = require "moonpod.tensor.programs"
local readable = require "moonpod.base.readable"
local trace = require "moonpod.tensor.trace"
local warnings = require "moonpod.base.warnings"

local debug_tools = {}

local lua_debug = debug

--- pod.debug.nan(true): from now on a run fails at the first operation that makes Inf or NaN out of finite numbers. It
--- says which, in which layer, on which line of the script. That is so in fit, in pod.func and in what runs eagerly. It
--- is compiled again for that, without fusion: slow. pod.debug.nan(false) ends it. Returns what was set before.
--- ```lua
--- local before = pod.debug.nan(true)
--- local ok, message = pcall(function() return pod.log(pod.zeros { 2 }):sum():item() end)
--- pod.debug.nan(before)
--- assert(not ok and message:find "log")
--- ```
function debug_tools.nan(enabled)
  errors.check_type(enabled, "boolean", "debug.nan", "the argument")
  local before = programs.checks_numbers.value
  if enabled ~= before then
    trace.sync()
    programs.checks_numbers:become(enabled)
  end
  return before
end

-- ---- stopping --------------------------------------------------------------------------------------------------

-- The local variables at a level of the stack, as an array of { name =, value = }.
local function locals_at(level)
  local list = {}
  for i = 1, 250 do
    local name, value = lua_debug.getlocal(level + 1, i)
    if not name then
      break
    elseif name:sub(1, 1) ~= "(" then
      list[#list + 1] = { name = name, value = value }
    end
  end
  return list
end

--- What a breakpoint does: prints the place and the local variables, then reads Lua lines until "cont". Hosts and tests
--- replace it. stop: { location =, label =, locals = }.
--- ```lua
--- local before, stopped = pod.debug.on_break, nil
--- pod.debug.on_break = function(stop) stopped = stop.label end
--- pod.debug.break_ "here"
--- pod.debug.on_break = before
--- assert(stopped == "here")
--- ```
function debug_tools.on_break(stop)
  io.write("stopped at ", tostring(stop.location), stop.label and " (" .. stop.label .. ")" or "",
    "; local variables are in pod.debug.locals, 'cont' goes on\n")
  for _, entry in ipairs(stop.locals) do
    io.write("  ", entry.name, " = ", inspect.text(entry.value, { depth = 1, items = 8 }), "\n")
  end
  lua_debug.debug()
end

--- A breakpoint. Values are known where operations run one by one: outside of compiled functions, and in a model
--- that was compiled with run_eagerly = true. While a function is traced there are none, and it only says so.
--- ```lua
--- local before = pod.debug.on_break
--- pod.debug.on_break = function(stop) assert(stop.locals[1].name == "before") end -- else it asks for lines of Lua
--- pod.debug.break_()
--- pod.debug.on_break = before
--- ```
function debug_tools.break_(label)
  errors.check_type(label or "", "string", "debug.break_", "the label")
  local tracing = trace.current()
  if tracing then
    -- a model that asks for shapes throws its trace away
    if tracing.name ~= "scratch" then
      warnings.warn("pod.debug.break_ does not stop while a function is traced: there are no values "
        .. "yet. Use model:compile { run_eagerly = true }, or call the function outside of pod.func")
    end
    return
  end
  local stop = { location = errors.location(), label = label, locals = locals_at(2) }
  debug_tools.locals = {}
  for _, entry in ipairs(stop.locals) do
    debug_tools.locals[entry.name] = entry.value
  end
  debug_tools.on_break(stop)
end

--- Runs fn(...) and returns an array of the operations it made, in order, each as log_placement writes them, then what
--- fn returned.
--- ```lua
--- local list, y = pod.debug.operations(function() return pod.ones { 2 } + 1 end)
--- assert(#list > 0 and y:sum():item() == 4)
--- ```
function debug_tools.operations(fn, ...)
  local device = require "moonpod.tensor.device"
  local before, list = device.placement_log(), readable.of {}
  return list, around(function()
    device.log_placement(function(line)
      list[#list + 1] = line
    end)
  end, function()
    device.log_placement(before or false)
  end, fn, ...)
end

declare.functions("debug", debug_tools, { ["fn"] = "operations", ["stop:list"] = "on_break" })

return debug_tools
