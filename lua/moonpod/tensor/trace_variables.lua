-- trace_variables - what variables hold at a point of a trace.

local places = require "moonpod.tensor.places"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.open_traces"

local Trace = trace.class
local rawget = rawget

-- Tapes that are recording, outermost first; filled by moonpod.func.tape.
trace.tapes = {}

local function tell_tapes(self, variable, t)
  for _, tape in ipairs(trace.tapes) do
    if tape.trace == self then
      tape:saw(variable, t)
    end
  end
end

-- True when a tape records in this trace.
local function has_tape(self)
  for _, tape in ipairs(trace.tapes) do
    if tape.trace == self then
      return true
    end
  end
  return false
end

-- A value that a variable got in this trace is where gradients of later reads begin, not a way to what it
-- was computed from.
local function as_leaf(self, t)
  local id, dtype, dims = self.graph:apply("stop_gradient", { self:node(t) })
  return self:wrap(id, dtype, dims)
end

-- Which variable a tensor with a value is read as by tapes outside of functions.
local read_as = setmetatable({}, { __mode = "kv" })

-- A tensor with the value of t that is no other variable's: gradients of one are not those of the other.
function trace.own(t)
  local buffer = rawget(t, "_buffer")
  return buffer and tensor.from_buffer(buffer, t) or t
end

local function is_per_replica(variable)
  return variable.synchronization == "on_read" and variable.replicas > 1
end

-- What a region reads a variable as: a node that is no other variable's there.
local function own_in_region(self, t)
  self.read_as = self.read_as or {}
  if self.read_as[t._id] then
    t = as_leaf(self, t)
  end
  self.read_as[t._id] = true
  return t
end

-- Makes this trace's own entry for a variable.
function Trace:enter_variable(variable)
  local storage = variable._tensor
  local entry = {}
  places.locate(self)
  if self.kind == "func" then
    self.parameters[#self.parameters + 1] = { kind = "variable", variable = variable }
    entry.parameter = #self.parameters
    local id, dtype, dims = self.graph:parameter(storage.dtype, storage.shape, variable.name)
    entry.tensor = self:wrap(id, dtype, dims)
  else
    local outer = self.parent:read(variable)
    entry.outer = outer
    local layout = self.kind == "mesh" and variable._layout or nil
    if layout or self.kind == "core" and is_per_replica(variable) then
      local id, dtype, dims = self.graph:parameter(variable.dtype, variable.shape, variable.name)
      self.parameters[#self.parameters + 1] =
        { kind = "capture", id = id, tensor = outer, placement = "per_replica", layout = layout }
      entry.tensor = self:wrap(id, dtype, dims)
    else
      entry.tensor = own_in_region(self, self:inside(outer, variable.name))
    end
  end
  self.variables[variable] = entry
  return entry
end

-- Returns what a variable holds at this point of the trace. (Of a variable with a value a replica that is
-- all of them, stacked, outside of a core; of one that is divided its parts, outside of a mesh.)
function Trace:read(variable)
  local entry = variable -- the eager trace keeps the value in the variable itself
  local field = "_tensor"
  if self.kind == "eager" then
    local execution = variable._execution
    if execution and execution.written[variable] then
      execution:finish() -- what is read is of a whole step, and stays as it is
    end
    variable._exclusive = false
  else
    entry = self.variables[variable] or self:enter_variable(variable)
    field = "tensor"
    entry.read_when_assigned = entry.assigned
  end
  local t = entry[field]
  if has_tape(self) then
    local computed_here = entry.assigned or self.kind == "eager" and rawget(t, "_trace") == self
    if computed_here and not rawequal(entry.leaf, t) then
      t = as_leaf(self, t)
      entry[field], entry.leaf = t, t
      trace.note_change()
    elseif self.kind == "eager" and not computed_here then
      if read_as[t] and read_as[t] ~= variable then
        t = trace.own(t)
        variable._tensor = t
      end
      read_as[t] = variable
    end
    tell_tapes(self, variable, t)
  end
  return t
end

-- Gives a variable a new value from this point on.
function Trace:assign(variable, t)
  if self.kind == "eager" then
    local execution = variable._execution
    if execution then
      execution:finish()
    end
    variable._tensor = trace.own(t)
    variable._exclusive = false
    trace.note_change()
    return
  end
  local entry = self.variables[variable] or self:enter_variable(variable)
  entry.tensor = t
  if not entry.assigned then
    entry.assigned = true
    self.assigned[#self.assigned + 1] = variable
  end
end

return trace
