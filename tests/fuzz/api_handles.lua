-- api_handles - handles of the core for api.lua: all classes that the registry has, with their methods, and one of each
-- that nothing else there makes.

local core = require "moonpod.core"
local pod = require "moonpod"

local handles = {}

-- Classes by name, each { name of a method = function }.
function handles.classes()
  local classes = {}
  for name, meta in pairs(debug.getregistry()) do
    local methods = type(name) == "string" and name:find "^moonpod%." and type(meta) == "table"
      and rawget(meta, "__methods")
    classes[name] = methods and methods or nil
  end
  return classes
end

local seen, MOST = {}, 4 -- handles of each class that were seen last

-- Keeps a value that is a handle, for methods of its class; draw(n) is a number from 1 to n.
function handles.keep(value, draw)
  local meta = type(value) == "userdata" and debug.getmetatable(value)
  local class = type(meta) == "table" and rawget(meta, "__methods") and meta.__name
  if class then
    local list = handles.of(class)
    list[#list < MOST and #list + 1 or draw(MOST)] = value
  end
end

-- Those of a class that are kept.
function handles.of(class)
  seen[class] = seen[class] or {}
  return seen[class]
end

-- The names of classes of which there is none.
function handles.missing()
  local names = {}
  for name in pairs(handles.classes()) do
    names[#names + 1] = not seen[name] and name or nil
  end
  table.sort(names)
  return " " .. table.concat(names, " ")
end

local context

-- The context that handles are made in: another one when calls have closed it.
function handles.context()
  if not context or not pcall(context.threads, context) then
    context = core.context { threads = 2 }
  end
  return context
end

-- Gives that and pod's own so many seconds from now on, interrupted or not: they end what was asked for a lot, such as
-- a file of 2^53 elements. Every loop of the core looks at the time; what goes on all the same is a fault.
function handles.limit(seconds)
  for _, one in ipairs { handles.context(), (pod.device.context()) } do
    one:limit { seconds = seconds }
    one:clear_interrupt()
  end
end

-- Functions that make one of each; `scratch` is a folder.
function handles.makers(scratch)
  local function graph()
    local made = core.graph(handles.context())
    local x = made:parameter("f32", { 3 })
    made:output((made:unary("exp", x)))
    return made
  end
  local function buffer()
    return core.buffer(handles.context(), { 1, 2, 3 })
  end
  return {
    core_compiled = core.compiled_modules,
    core_event_reader = function()
      local writer = core.event_writer(handles.context(), scratch .. "/events")
      local path = writer:path()
      writer:close()
      return core.event_reader(handles.context(), path)
    end,
    core_event_writer = function() return core.event_writer(handles.context(), scratch .. "/events") end,
    core_exported = function()
      local model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 3 } }) }
      model:export(scratch .. "/exported.safetensors")
      return core.exported_open(handles.context(), scratch .. "/exported.safetensors")
    end,
    core_opened_file = function() return core.open_file(handles.context(), scratch .. "/opened", "w") end,
    core_pending_file = function()
      return core.safetensors_begin(handles.context(), scratch .. "/begun.safetensors", { { "x", buffer() } })
    end,
    core_plan = function() return core.tpu_lower(handles.context(), graph(), "v3") end,
    core_profile = function()
      core.profile_start(handles.context())
      local taken = core.profile_take(handles.context())
      core.profile_stop(handles.context())
      return taken
    end,
    core_record_reader = function()
      core.record_writer(handles.context(), scratch .. "/records"):close()
      return core.record_reader(handles.context(), scratch .. "/records", "none")
    end,
    core_record_writer = function() return core.record_writer(handles.context(), scratch .. "/records") end,
    core_sandbox = function() return pod.sandbox.new { seconds = 0.2 }._handle end,
    core_run = function() return core.compile(handles.context(), graph()):begin({ buffer() }) end,
  }
end

return handles
