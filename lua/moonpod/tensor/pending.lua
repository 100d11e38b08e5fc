-- pending - runs what waits in the eager trace.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local programs = require "moonpod.tensor.programs"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.open_traces"

local Trace = trace.class
local rawget, rawset = rawget, rawset

-- With more pending bytes than these, tensors that nobody has any longer are collected first and not computed. With
-- fewer they are: what a collector has found by chance must not make another program of the same script.
local WORTH_COLLECTING = 16 * 2 ^ 20

local weak_values, weak_keys = { __mode = "v" }, { __mode = "k" }

-- Receives what print ops hand out: replaced by hosts.
function trace.print_hook(label, t)
  io.write(label ~= "" and label .. ": " or "", tostring(t), "\n")
end

-- Gives on what print ops have handed out. A label that begins with a byte 1 is that of a hook: see value_hooks.lua.
function trace.report_prints(prints)
  for _, entry in ipairs(prints) do
    local take = entry[1]:byte() == 1 and trace.receive or trace.print_hook
    take(entry[1], tensor.from_buffer(entry[2]))
  end
end

function trace.check_interrupt(report)
  if report.interrupted then
    device.context():clear_interrupt()
    errors.raise("interrupted")
  end
end

-- Gives on what was printed, once tensors have their values, which who is told may read.
local function report_printed(self)
  local prints = self.printed
  if prints then
    self.printed = nil
    trace.report_prints(prints)
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
  programs.note_run(program, report.steps, arguments)
  if prints[1] then
    self.printed = tables.join(self.printed or {}, prints)
  end
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
  trace.end_eager(self)
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
      report_printed(self)
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
  self.to_print = nil
  report_printed(self)
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
    report_printed(self)
  end
  return buffer
end

--- Runs what is pending; pod.sync() for scripts that measure time.
--- ```lua
--- local y = pod.ones { 2 } + 1
--- pod.sync() -- now it is computed
--- assert(y:sum():item() == 4)
--- ```
function trace.sync()
  local eager = trace.eager()
  if eager then
    eager:flush()
  end
end

return trace
