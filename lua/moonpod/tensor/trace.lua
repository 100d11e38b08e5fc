-- trace - where operations are recorded.
--
-- There is always a current trace. Outside functions it is the eager one: its nodes run when a value is
-- read. pod.func, pod.cond, strategy:run and others push traces of their own:
--
--   eager   nodes wait for a read; values from outside are parameters with a known buffer
--   func    the body of pod.func; values from outside and variables are parameters of its program
--   region  the body of a cond, a loop, a call; what it uses of the outside becomes an operand
--   core    one core's step in strategy:run; like a region, the outside is the same on every core
--   mesh    the step of a strategy that divides values among cores, before it is divided

local around = require "moonpod.base.around"
local core_call = require "moonpod.tensor.core_call"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local places = require "moonpod.tensor.places"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.open_traces"

require "moonpod.tensor.pending"
require "moonpod.tensor.trace_variables"

trace.scope, trace.scope_of, trace.scope_path = places.scope, places.scope_of, places.scope_path
trace.asked_by = places.asked_by

local Tensor = tensor.Tensor
local rawget, getmetatable, type = rawget, getmetatable, type
local locate = places.locate
local unpack = table.unpack or unpack -- luacheck: ignore
local Trace, top = trace.class, trace.top

-- Nodes and bytes after which the eager trace runs without waiting for a read.
trace.pending_nodes_limit = 512
trace.pending_bytes_limit = 256 * 2 ^ 20

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

-- Rows that a mask keeps are not told from others in another trace: see ops/kept_rows.lua.
local function refuse_kept(t)
  local made = rawget(t, "_trace")
  if made and made.kept and made.kept[t._id] then
    errors.raise("boolean_mask: rows that a mask keeps are read by a function, a branch or a loop, where they are not "
      .. "told from others; multiply by the mask (x * pod.cast(mask, x.dtype))")
  end
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
  local outputs = self.graph:inline(graph, ids)
  graph:close()
  self.scope = nil
  return outputs[1]
end

-- Adds a parameter for a tensor of the outside; `name` is for reports.
function Trace:capture(t, name)
  local made = rawget(t, "_trace")
  local id
  refuse_kept(t)
  if self.kind ~= "eager" then
    locate(self) -- it belongs to what reads it, not to the node before
  end
  if self.kind == "eager" and made and made.kind == "eager" and not rawget(t, "_buffer")
    and is_giant(t.dtype, t.shape) then
    id = self:adopt(t, made)
    self.captured[t] = id
    return id
  end
  if self.kind == "region" or self.kind == "core" or self.kind == "mesh" then
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
  return self:wrap(id, t.dtype, tables.slice(t.shape))
end

-- Adds a parameter that the caller gives.
function Trace:parameter(dtype, dims, name)
  local copy = tables.slice(dims)
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
  local made = self.asks and self:asks("call", method, a, b, c, d)
  if made then
    return made
  end
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

-- Notes that what is traced prints, and all that it is a part of.
local function note_prints(self)
  while self do
    self.prints, self = true, self.parent
  end
end

-- A print happens whether its result is used or not: an eager trace keeps that until then.
local function finish_print(self, ...)
  local t = finish_call(self, ...)
  note_prints(self)
  if self.kind == "eager" then
    self.to_print = self.to_print or {}
    self.to_print[#self.to_print + 1] = t
  end
  return t
end

-- Adds a primitive op; inputs is an array of tensors, regions one of graphs (taken). Returns its results.
function trace.apply(op, inputs, attributes, regions)
  local self = top()
  local made = self.asks and self:asks("apply", op, inputs, attributes, regions)
  if made then
    return made
  end
  local ids = node_list(self, inputs)
  locate(self)
  if op == "print" then
    return finish_print(self, pcall(self.graph.apply, self.graph, op, ids, attributes, regions))
  end
  return finish_call(self, pcall(self.graph.apply, self.graph, op, ids, attributes, regions))
end

-- Adds a composite of core/graph/composites.def. Returns its results.
function trace.composite(name, inputs, attributes)
  local self = top()
  local made = self.asks and self:asks("composite", name, inputs, attributes)
  if made then
    return made
  end
  local ids = node_list(self, inputs)
  locate(self)
  return finish_call(self, pcall(self.graph.composite, self.graph, name, ids, attributes))
end

-- Returns d(sum of outputs * seeds) / d(source) for each source, false where there is no path. seeds may be
-- nil, for ones. All are tensors of the current trace. What it had when its graph had `since` nodes (default: none)
-- counts as constant, but for sources.
function trace.gradients(outputs, seeds, sources, since)
  local self = top()
  local source_ids = node_list(self, sources)
  local totals = {}
  self.graph:set_location(errors.location())
  for i, output in ipairs(outputs) do
    local seed = seeds and seeds[i] and self:node(seeds[i]) or nil
    local ids = errors.call_core(self.graph.gradient, self.graph, self:node(output), seed, source_ids, since)
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
    return tensor.from_buffer(core_call("buffer", value, dtype, {}))
  end
  return tensor.from_node(self, errors.call_core(self.graph.scalar, self.graph, dtype, value))
end

-- Makes zeros that nobody has to compute; nil where they are to be recorded, as in functions, or too large to be made
-- before somebody reads them.
function trace.zeros(dims, dtype)
  if top().kind ~= "eager" or is_giant(dtype, dims) or device.placement_log() then
    return nil
  end
  return tensor.from_buffer(core_call("buffer", nil, dtype, dims))
end

-- Puts the graph `source` into the current trace; inputs is an array of tensors, one a parameter. Returns an
-- array of tensors, one an output.
function trace.inline(source, inputs)
  local self = top()
  local ids = node_list(self, inputs)
  local outputs = errors.call_core(self.graph.inline, self.graph, source, ids)
  self.scope = nil
  local results = {}
  for i, id in ipairs(outputs) do
    results[i] = self:wrap(id, self.graph:type(id))
  end
  return results
end

-- Takes back that all but `t` of what was made since `count` tensors were pending is computed for its own sake.
local function forget(self, count, bytes, t)
  local kept = count
  for i = count + 1, self.pending_count do
    if self.pending_ids[i] == t._id then
      kept = kept + 1
      self.pending[kept], self.pending_ids[kept] = t, t._id
      bytes = bytes + bytes_of(t.dtype, t.shape)
    end
  end
  for i = kept + 1, self.pending_count do
    self.pending[i], self.pending_ids[i] = nil, nil
  end
  self.pending_count, self.pending_bytes = kept, bytes
end

-- Returns the tensor that make(...) gives, and keeps nothing of what it is made from: for functions of ours, of which
-- nobody gets hold of another tensor.
function trace.alone(make, ...)
  local self = top()
  local count, bytes = self.pending_count, self.pending_bytes
  local t = make(...)
  if self.kind == "eager" and self == top() and not self:is_taped() and rawget(t, "_trace") == self then
    forget(self, count, bytes, t)
  end
  return t
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
  tape.trace, tape.since = self, (self.graph:counts())
end

-- Ends what attach() began.
function trace.detach(tape)
  local self = tape.trace
  if self and self.kind == "eager" and not self:is_taped() and self.pending_count == 0 then
    self:retire()
  end
end

-- ---- random state ------------------------------------------------------------------------------------------------

-- What numbers random ops outside of programs: see random_state.
trace.by_hand = { random_count = 0 }

-- The same, or a run that is open: see in_run().
trace.run = trace.by_hand

local function with_run(run, fn, ...)
  local outer = trace.run
  return around(function()
    trace.run = run
  end, function()
    trace.run = outer
  end, fn, ...)
end

-- Runs fn(...), which is no program but draws what it would draw as one; where it has drawn, calls advance(). Returns
-- what fn returns.
function trace.in_run(advance, fn, ...)
  local run = { random_count = 0 }
  local function finish(...)
    if run.random_count > 0 then
      advance()
    end
    return ...
  end
  return finish(with_run(run, fn, ...))
end

-- Runs fn(...) as outside of in_run(): for what is made once and for all.
function trace.outside_run(fn, ...)
  if trace.run == trace.by_hand then
    return fn(...)
  end
  return with_run(trace.by_hand, fn, ...)
end

-- What numbers random ops now: the program that is traced, or the run.
local function numbering()
  local root = top()
  while root.parent do
    root = root.parent
  end
  return root.kind == "eager" and trace.run or root
end

-- Returns the number of the next random op: its place.
function trace.next_random_place()
  local one = numbering()
  one.random_count = one.random_count + 1
  return one.random_count
end

-- Runs fn(...) with random ops numbered from `place` on, as they were when it ran before; with nil they go on. Returns
-- the number before the first, and what fn returns.
function trace.with_random_place(place, fn, ...)
  local root = numbering()
  local before = root.random_count
  return place or before, around(function()
    root.random_count = place or before
  end, function()
    root.random_count = before > root.random_count and before or root.random_count
  end, fn, ...)
end

tensor.set_trace(trace)

trace.dtype_sizes = {}
for _, entry in ipairs(device.core.dtypes()) do
  trace.dtype_sizes[entry.name] = entry.size
end

return trace
