-- trace - where operations are recorded.
--
-- There is always a current trace. Outside functions it is the eager one: its nodes run when a value is
-- read. pod.func, pod.cond, strategy:run and others push traces of their own:
--
--   eager   nodes wait for a read; values from outside are parameters with a known buffer
--   func    the body of pod.func; values from outside and variables are parameters of its program
--   region  the body of a cond, a loop, a call; what it uses of the outside becomes an operand
--   core    one core's step in strategy:run; like a region, the outside is the same on every core

local around = require "moonpod.base.around"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local places = require "moonpod.tensor.places"
local programs = require "moonpod.tensor.programs"
local tensor = require "moonpod.tensor"

local trace = {
  scope = places.scope,
  scope_of = places.scope_of,
  scope_path = places.scope_path,
  asked_by = places.asked_by,
}

local Tensor = tensor.Tensor
local rawget, rawset, getmetatable, type = rawget, rawset, getmetatable, type
local locate = places.locate
local unpack = table.unpack or unpack -- luacheck: ignore

local Trace = { __name = "moonpod.trace" }
Trace.__index = Trace

-- Open traces; false is where trace.escape went back to the eager one.
local stack = {}
local eager

-- Nodes and bytes after which the eager trace runs without waiting for a read.
trace.pending_nodes_limit = 512
trace.pending_bytes_limit = 256 * 2 ^ 20

-- With more pending bytes than these, tensors that nobody has any longer are collected first and not computed. With
-- fewer they are: what a collector has found by chance must not make another program of the same script.
local WORTH_COLLECTING = 16 * 2 ^ 20

local weak_values = { __mode = "v" }
local weak_keys = { __mode = "k" }

function trace.new(kind, name, parent)
  return setmetatable({
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
    local status = openers[depth] and coroutine.status(openers[depth])
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
  return innermost() and true or false
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
  local thread, is_main = coroutine.running()
  if entry and entry.kind ~= "eager" then
    local below = stack[place - 1]
    entry.started_at = below and below.started_at or errors.location()
  end
  return around(function()
    stack[place] = entry
    openers[place], in_coroutine[place] = thread, not is_main and thread ~= nil or nil
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

-- ---- nodes ----------------------------------------------------------------------------------------------

local function bytes_of(dtype, dims)
  local count = trace.dtype_sizes[dtype] or 4
  for i = 1, #dims do
    count = count * dims[i]
  end
  return count
end

-- True for a tensor too large to be computed before its value itself is asked for.
local function is_giant(dtype, dims)
  return bytes_of(dtype, dims) > trace.pending_bytes_limit
end

local function copy_dims(dims)
  local copy = {}
  for i = 1, #dims do
    copy[i] = dims[i]
  end
  return copy
end

-- Makes a tensor of a node of this trace.
function Trace:wrap(id, dtype, dims)
  local t = tensor.from_node(self, id, dtype, dims)
  if self.kind == "eager" then
    if is_giant(dtype, dims) then -- a sum of it does not need it whole
      self.giants = self.giants + 1
    else
      local count = self.pending_count + 1
      self.pending[count] = t
      self.pending_ids[count] = id
      self.pending_count = count -- last: what has run out of memory on the way is not counted
      self.pending_bytes = self.pending_bytes + bytes_of(dtype, dims)
    end
    if self.pending_count + self.giants >= trace.pending_nodes_limit
      or self.pending_bytes > trace.pending_bytes_limit then
      self:flush()
    end
  end
  return t
end

-- Returns the node that a tensor is in this trace.
function Trace:node(t)
  if rawget(t, "_trace") == self then
    return t._id
  end
  return self.captured[t] or self:capture(t)
end

local function raise_lost(t)
  errors.raise("a tensor of shape %s was made while %s was traced and has no value outside of it: "
    .. "return it from there", tostring(t.shape), t._trace.name and "'" .. t._trace.name .. "'"
    or "a function")
end

-- True when `self` is inside of `outer`.
local function is_inside(self, outer)
  while self do
    if self == outer then
      return true
    end
    self = self.parent
  end
  return false
end

-- Puts what computes a giant of an eager trace that ended into this one; returns its node here.
function Trace:adopt(t, made)
  local graph, parameters = made.graph:extract(device.context(), { t._id }, made.known)
  local ids = {}
  for i, id in ipairs(parameters) do
    ids[i] = self:capture(tensor.from_buffer(made.known[id]))
  end
  local outputs = self.graph:inline(device.context(), graph, ids)
  graph:close()
  self.scope = nil
  return outputs[1]
end

-- Adds a parameter for a tensor of the outside; `name` is for reports.
function Trace:capture(t, name)
  local made = rawget(t, "_trace")
  local id
  if self.kind == "eager" and made and made.kind == "eager" and not rawget(t, "_buffer")
    and is_giant(t.dtype, t.shape) then
    id = self:adopt(t, made)
    self.captured[t] = id
    return id
  end
  if self.kind == "region" or self.kind == "core" then
    if made and made.kind ~= "eager" and not is_inside(self, made) then
      raise_lost(t)
    end
    id = self.graph:parameter(t.dtype, t.shape, name)
    self.parameters[#self.parameters + 1] = { kind = "capture", id = id, tensor = t, placement = "mirrored" }
  else
    if made and made.kind ~= "eager" and not rawget(t, "_buffer") then
      raise_lost(t)
    end
    local buffer = tensor.buffer(t)
    id = self.graph:parameter(t.dtype, t.shape)
    if self.kind == "eager" then
      self.known[id] = buffer
    else
      self.parameters[#self.parameters + 1] = { kind = "capture", id = id, tensor = t }
    end
  end
  self.captured[t] = id
  return id
end

-- Returns the tensor that a tensor of the outside is in this trace.
function Trace:inside(t, name)
  local id = name and not self.captured[t] and rawget(t, "_trace") ~= self and self:capture(t, name) or self:node(t)
  return self:wrap(id, t.dtype, copy_dims(t.shape))
end

-- Adds a parameter that the caller gives.
function Trace:parameter(dtype, dims, name)
  local copy = copy_dims(dims)
  local id = self.graph:parameter(dtype, copy, name)
  self.parameters[#self.parameters + 1] = { kind = "argument", id = id, dtype = dtype, shape = copy }
  return self:wrap(id, dtype, copy)
end

local function log_placement(sink, id, dtype, dims, graph)
  local op = graph:describe(id).op
  sink(("%s: %s %s: %s"):format(op, dtype, tostring(tensor.shape(dims)), device.default_name()))
end

-- Wraps the results of a node that has several; the node itself is no tensor.
local function wrap_results(self, id, count)
  local results = {}
  for i = 1, count do
    results[i] = self:wrap(self.graph:result(id, i - 1))
  end
  return unpack(results)
end

local function finish_call(self, ok, id, dtype, dims, results)
  if not ok then
    errors.raise_from_core(id)
  end
  local sink = device.placement_log()
  if sink then
    log_placement(sink, id, dtype, dims, self.graph)
  end
  if results then
    return wrap_results(self, id, results)
  end
  return self:wrap(id, dtype, dims)
end

local function as_node(self, value)
  if type(value) == "table" and getmetatable(value) == Tensor then
    return self:node(value)
  end
  return value
end

-- Calls a method of the current graph that makes a node ("binary", "add", a, b); tensors among the
-- arguments become nodes. Returns a tensor.
function trace.call(method, a, b, c, d)
  local self = top()
  local graph = self.graph
  a, b, c, d = as_node(self, a), as_node(self, b), as_node(self, c), as_node(self, d)
  locate(self)
  return finish_call(self, pcall(graph[method], graph, a, b, c, d))
end

local function node_list(self, inputs)
  local ids = {}
  for i = 1, #inputs do
    ids[i] = self:node(inputs[i])
  end
  return ids
end

-- Adds a primitive op; inputs is an array of tensors, regions one of graphs (taken). Returns its results.
function trace.apply(op, inputs, attributes, regions)
  local self = top()
  local ids = node_list(self, inputs)
  locate(self)
  if op == "print" then
    self.prints = true
  end
  return finish_call(self, pcall(self.graph.apply, self.graph, op, ids, attributes, regions))
end

-- Adds a composite of core/graph/composites.def. Returns its results.
function trace.composite(name, inputs, attributes)
  local self = top()
  local ids = node_list(self, inputs)
  locate(self)
  return finish_call(self, pcall(self.graph.composite, self.graph, name, ids, attributes))
end

-- Returns d(sum of outputs * seeds) / d(source) for each source, false where there is no path. seeds may be
-- nil, for ones. All are tensors of the current trace.
function trace.gradients(outputs, seeds, sources)
  local self = top()
  local source_ids = node_list(self, sources)
  local totals = {}
  self.graph:set_location(errors.location())
  for i, output in ipairs(outputs) do
    local seed = seeds and seeds[i] and self:node(seeds[i]) or nil
    local ok, ids = pcall(self.graph.gradient, self.graph, self:node(output), seed, source_ids)
    if not ok then
      errors.raise_from_core(ids)
    end
    for j, id in ipairs(ids) do
      if id then
        totals[j] = totals[j] and self.graph:binary("add", totals[j], id) or id
      end
    end
  end
  local results = {}
  for j = 1, #sources do
    results[j] = totals[j] and self:wrap(totals[j], self.graph:type(totals[j])) or false
  end
  return results
end

-- Numbers that stay in eager graphs as constants; others are parameters, so that a loop with a changing
-- number compiles once.
local function is_common(value)
  return type(value) == "boolean" or value == 0.5
    or value == math.floor(value) and value >= -16 and value <= 16
end

-- Makes a scalar tensor of a number or boolean.
function trace.scalar(value, dtype)
  local self = top()
  if self.kind == "eager" and not is_common(value) then
    local ok, buffer = pcall(device.core.buffer, device.context(), value, dtype, {})
    if not ok then
      errors.raise_from_core(buffer)
    end
    return tensor.from_buffer(buffer)
  end
  local ok, id, made_dtype, dims = pcall(self.graph.scalar, self.graph, dtype, value)
  if not ok then
    errors.raise_from_core(id)
  end
  return tensor.from_node(self, id, made_dtype, dims)
end

-- Puts the graph `source` into the current trace; inputs is an array of tensors, one a parameter. Returns an
-- array of tensors, one an output.
function trace.inline(source, inputs)
  local self = top()
  local ids = node_list(self, inputs)
  local ok, outputs = pcall(self.graph.inline, self.graph, device.context(), source, ids)
  if not ok then
    errors.raise_from_core(outputs)
  end
  self.scope = nil
  local results = {}
  for i, id in ipairs(outputs) do
    results[i] = self:wrap(id, self.graph:type(id))
  end
  return results
end

-- ---- variables ---------------------------------------------------------------------------------------------

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

local function is_per_replica(variable)
  return variable.synchronization == "on_read" and variable.replicas > 1
end

-- Makes this trace's own entry for a variable.
function Trace:enter_variable(variable)
  local storage = variable._tensor
  local entry = {}
  if self.kind == "func" then
    self.parameters[#self.parameters + 1] = { kind = "variable", variable = variable }
    entry.parameter = #self.parameters
    local id, dtype, dims = self.graph:parameter(storage.dtype, storage.shape, variable.name)
    entry.tensor = self:wrap(id, dtype, dims)
  else
    local outer = self.parent:read(variable)
    entry.outer = outer
    if self.kind == "core" and is_per_replica(variable) then
      local id, dtype, dims = self.graph:parameter(variable.dtype, variable.shape, variable.name)
      self.parameters[#self.parameters + 1] =
        { kind = "capture", id = id, tensor = outer, placement = "per_replica" }
      entry.tensor = self:wrap(id, dtype, dims)
    else
      entry.tensor = self:inside(outer, variable.name)
    end
  end
  self.variables[variable] = entry
  return entry
end

-- Returns what a variable holds at this point of the trace. (Of a variable with a value a replica that is
-- all of them, stacked, outside of a core.)
function Trace:read(variable)
  local entry = variable -- the eager trace keeps the value in the variable itself
  local field = "_tensor"
  if self.kind == "eager" then
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
    end
    tell_tapes(self, variable, t)
  end
  return t
end

-- Gives a variable a new value from this point on.
function Trace:assign(variable, t)
  if self.kind == "eager" then
    variable._tensor = t
    variable._exclusive = false
    return
  end
  local entry = self.variables[variable] or self:enter_variable(variable)
  entry.tensor = t
  if not entry.assigned then
    entry.assigned = true
    self.assigned[#self.assigned + 1] = variable
  end
end

-- ---- running what is pending -----------------------------------------------------------------------------------

-- Receives what print ops hand out: replaced by hosts.
function trace.print_hook(label, t)
  io.write(label ~= "" and label .. ": " or "", tostring(t), "\n")
end

function trace.report_prints(prints)
  for _, entry in ipairs(prints) do
    trace.print_hook(entry[1], tensor.from_buffer(entry[2]))
  end
end

function trace.check_interrupt(report)
  if report.interrupted then
    device.context():clear_interrupt()
    errors.raise("interrupted")
  end
end

-- Computes the nodes `ids` of an eager trace; returns an array of buffers, nil when it was interrupted.
local function evaluate(self, ids)
  local context = device.context()
  local graph, parameters = self.graph:extract(context, ids, self.known)
  local arguments = {}
  for i, id in ipairs(parameters) do
    arguments[i] = self.known[id]
  end
  local program = programs.find(graph)
  local results, report, prints = program:run(arguments, self.prints and { print = true } or nil)
  graph:close()
  trace.report_prints(prints)
  if report.interrupted then
    device.context():clear_interrupt()
    return nil
  end
  return results
end

-- True when a tape may still ask for gradients of this trace's nodes.
function Trace:is_taped()
  for tape in pairs(self.tapes) do
    if not tape.done then
      return true
    end
  end
  return false
end

-- Ends an eager trace: its tensors have values, and its graph is no longer theirs.
function Trace:retire()
  if self == eager then
    eager = nil
  end
  for t in pairs(self.held) do
    if rawget(t, "_buffer") then
      rawset(t, "_trace", nil)
      rawset(t, "_id", nil)
    end
  end
  self.held = setmetatable({}, weak_keys)
end

-- Sets the values of pending tensors, and forgets that they were pending.
local function settle(self, values, failures)
  for i = 1, self.pending_count do
    local t, id = self.pending[i], self.pending_ids[i]
    if t and values[id] then
      tensor.set_buffer(t, values[id])
      self.held[t] = true
    elseif t then
      rawset(t, "_error", failures[id])
    end
  end
  self.pending_count, self.pending_bytes, self.giants = 0, 0, 0
  self.pending_ids, self.pending = {}, setmetatable({}, weak_values)
end

-- Runs all that is pending in an eager trace. When that fails each value is tried by itself, so that one
-- bad operation spoils only what depends on it. After an interrupt, or where memory is short, each value waits until it
-- is asked for, alone.
function Trace:flush()
  local ids, values, failures = {}, {}, {}
  local wanted_only = self.pending_bytes > WORTH_COLLECTING and not self:is_taped()
  if wanted_only then
    collectgarbage()
  end
  for i = 1, self.pending_count do
    local id = self.pending_ids[i]
    if values[id] == nil and (self.pending[i] or not wanted_only) then
      local known = self.known[id]
      values[id] = known or false
      if not known then
        ids[#ids + 1] = id
      end
    end
  end
  if #ids > 0 then
    local ok, results = pcall(evaluate, self, ids)
    if ok and not results then
      settle(self, {}, {})
      if not self:is_taped() then
        self:retire()
      end
      errors.raise("interrupted")
    end
    for i, id in ipairs(ids) do
      if ok then
        values[id] = results[i]
      else
        local fine, single = pcall(evaluate, self, { id })
        values[id] = fine and single and single[1] or nil
        failures[id] = not fine and not errors.is_passing(single) and single or nil
      end
    end
  end
  local taped = self:is_taped()
  if taped then
    for id, buffer in pairs(values) do
      self.known[id] = buffer
    end
  end
  settle(self, values, failures)
  if not taped then
    self:retire()
  end
end

local function raise_unknown(t)
  errors.raise("the value of a tensor of shape %s is not known while tracing: use pod.cond, "
    .. "pod.where or pod.while_loop to act on it, pod.print to see it at run time",
    tostring(t.shape))
end

-- Computes the value of a tensor and returns its buffer.
function trace.materialize(t)
  local buffer, self = rawget(t, "_buffer"), rawget(t, "_trace")
  if buffer then
    return buffer
  end
  local failure = rawget(t, "_error")
  if not failure then
    if self.kind ~= "eager" then
      raise_unknown(t)
    end
    self:flush()
    buffer, failure = rawget(t, "_buffer"), rawget(t, "_error")
  end
  if failure then
    errors.raise_from_core(failure)
  end
  if not buffer then
    local ok, results = pcall(evaluate, self, { t._id })
    if not ok then
      errors.raise_from_core(results)
    elseif not results then
      errors.raise("interrupted")
    end
    buffer = results[1]
    tensor.set_buffer(t, buffer)
  end
  return buffer
end

-- Runs what is pending; pod.sync() for scripts that measure time.
function trace.sync()
  if eager then
    eager:flush()
  end
end

-- Attaches a tape to the current trace: its graph is kept while the tape may be asked.
function trace.attach(tape)
  local self = top()
  if self.kind == "eager" then
    if self.pending_count > 0 and not self:is_taped() then
      self:flush()
      self = top()
    end
    self.tapes[tape] = true
  end
  tape.trace = self
end

-- Ends what attach() began.
function trace.detach(tape)
  local self = tape.trace
  if self and self.kind == "eager" and not self:is_taped() and self.pending_count == 0 then
    self:retire()
  end
end

-- ---- random state ------------------------------------------------------------------------------------------------

-- Returns the number of the next random op in the program that is traced: its place.
function trace.next_random_place()
  local root = top()
  while root.parent do
    root = root.parent
  end
  root.random_count = root.random_count + 1
  return root.random_count
end

-- Runs fn(...) with random ops numbered from `place` on, as they were when it ran before; with nil they go on. Returns
-- the number before the first, and what fn returns.
function trace.with_random_place(place, fn, ...)
  local root = top()
  while root.parent do
    root = root.parent
  end
  local before = root.random_count
  return place or before, around(function()
    root.random_count = place or before
  end, function()
    root.random_count = math.max(before, root.random_count)
  end, fn, ...)
end

tensor.set_trace(trace)

trace.dtype_sizes = {}
for _, entry in ipairs(device.core.dtypes()) do
  trace.dtype_sizes[entry.name] = entry.size
end

return trace
