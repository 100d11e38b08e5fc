-- open_traces - which trace is the current one. This makes the table `trace`, to which the other files add.

local around = require "moonpod.base.around"
local coroutines = require "moonpod.base.coroutines"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local global_state = require "moonpod.base.global_state"

local trace = {}

local Trace = { __name = "moonpod.trace" }
Trace.__index = Trace
trace.class = Trace

local changes = global_state.changes
trace.changes = changes

function trace.note_change()
  changes.count = changes.count + 1
end

-- Open traces; false is where trace.escape went back to the eager one.
local stack = {}
local eager
trace.stack = stack

local weak_values = { __mode = "v" }
local weak_keys = { __mode = "k" }

-- How exactly products of float32 are computed that are called now: see mixed_precision.
local matmul_precision = global_state.new("matmul precision", "highest")

function trace.matmul_precision()
  return matmul_precision.value
end

function trace.new(kind, name, parent)
  local self = setmetatable({
    kind = kind,
    name = name,
    parent = parent,
    graph = device.core.graph(device.context(), name or kind),
    captured = {}, -- tensor of the outside -> node
    parameters = {}, -- array of what each parameter of the graph is
    variables = {}, -- variable -> { tensor =, parameter =, assigned = }
    assigned = {}, -- array of the variables that were assigned, in order
    random_count = 0,
  }, Trace)
  self.graph:set_precision(matmul_precision.value)
  return self
end

local function new_eager()
  local self = trace.new("eager", "eager")
  self.known = {} -- node -> buffer
  self.pending_ids, self.pending = {}, setmetatable({}, weak_values)
  self.pending_count, self.pending_bytes = 0, 0
  self.giants = 0 -- tensors above the limit of bytes, which wait for being asked for
  self.held = setmetatable({}, weak_keys) -- tensors that know a node here although they have a value
  self.tapes = setmetatable({}, weak_keys)
  return self
end

-- The coroutines that opened the traces of the stack, by place; the main one is none. A place may be dead or lost.
local openers, in_coroutine = setmetatable({}, weak_values), {}

-- Returns the innermost entry of the stack. What a coroutine opened and left by a yield is taken off: nobody else's
-- operations belong there, and what it goes on to do with its tensors raises.
local function innermost()
  local depth = #stack
  while in_coroutine[depth] do
    local status = openers[depth] and coroutines.status(openers[depth])
    if status == "running" or status == "normal" then
      break
    end
    stack[depth], in_coroutine[depth] = nil, nil
    depth = depth - 1
  end
  return stack[depth]
end

-- Returns the innermost open trace, nil outside of all.
function trace.current()
  return innermost() or nil
end

-- Returns the trace that operations go to now.
local function top()
  local current = innermost()
  if current then
    return current
  end
  if not eager then
    eager = new_eager()
  end
  return eager
end
trace.top = top

-- True while a function is traced.
function trace.is_tracing()
  return stack[1] ~= nil and innermost() and true or false
end

-- Returns the innermost open trace of a kind, or nil.
function trace.enclosing(kind)
  local current = innermost()
  while current do
    if current.kind == kind then
      return current
    end
    current = current.parent
  end
end

-- Runs fn(...) with `entry` on the stack; takes it off again also when fn fails.
local function with(entry, fn, ...)
  innermost()
  local place = #stack + 1
  local thread = coroutines.running()
  if entry and entry.kind ~= "eager" then
    local below = stack[place - 1]
    entry.started_at = below and below.started_at or errors.location()
  end
  return around(function()
    stack[place] = entry
    openers[place], in_coroutine[place] = thread, thread ~= nil or nil
  end, function()
    if stack[place] ~= entry then
      return
    end
    for i = #stack, place, -1 do
      stack[i], in_coroutine[i] = nil, nil
    end
  end, fn, ...)
end
trace.with = with

-- Runs fn(...) eagerly although a trace is open: for values that must exist once and for all.
function trace.escape(fn, ...)
  if not innermost() then
    return fn(...)
  end
  return with(false, fn, ...)
end

-- Sets how exactly products are computed that are called from now on.
function trace.set_matmul_precision(name)
  for i = 0, #stack do
    local open = i > 0 and stack[i] or eager
    if open then
      open.graph:set_precision(name)
    end
  end
  matmul_precision:become(name)
end

-- Returns the eager trace, nil while nothing waits in it.
function trace.eager()
  return eager
end

-- Ends an eager trace: what comes next goes to another.
function trace.end_eager(self)
  if self == eager then
    eager = nil
  end
end

return trace
