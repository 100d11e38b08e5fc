-- concretes - a function traced for one signature: its graph, its program, its runs.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local structure = require "moonpod.base.structure"
local tensor = require "moonpod.tensor"
local programs = require "moonpod.tensor.programs"
local span = require "moonpod.tensor.span"
local strategies = require "moonpod.func.strategies"
local trace = require "moonpod.tensor.trace"
local variable = require "moonpod.func.variable"

local concretes = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local changes, weak_values = trace.changes, { __mode = "v" }
local placed = device._placed

local Tensor = tensor.Tensor

function concretes.is_per_replica(value)
  local meta = type(value) == "table" and getmetatable(value)
  return meta and meta.__name == "moonpod.per_replica"
end

-- Whether a value is a number that the program gets as an argument: see numbers.
local function is_number(value)
  return getmetatable(value) == tensor.Number
end

-- What has a place of its own among the arguments: a tensor, one value a replica, or a number.
function concretes.is_leaf(value)
  return tensor.is(value) or concretes.is_per_replica(value) or is_number(value)
end

-- The tensor of a leaf, or its type and shape where that is all there is.
function concretes.tensor_of(leaf)
  return tensor.is(leaf) and leaf or leaf.tensor or leaf
end

-- How a leaf looks in a signature.
function concretes.describe_leaf(leaf)
  if is_number(leaf) then
    return leaf.text
  end
  local t = concretes.tensor_of(leaf)
  local text = t.dtype .. tostring(t.shape)
  if concretes.is_per_replica(leaf) then
    return ("%s %s over %d, rows %s by %s"):format(leaf.placement, text, leaf.replicas, tostring(leaf.rows),
      table.concat(leaf.entries, " "))
  end
  return text
end

local Concrete = { __name = "moonpod.concrete_function" }
Concrete.__index = Concrete

function Concrete.__tostring(self)
  return ("<%s%s>"):format(self.name, self.signature)
end

function Concrete:stats()
  return self.program:stats()
end

-- Adds the outputs of a finished trace to its graph: results, then the variables that were assigned. Returns those.
function concretes.add_outputs(own, outputs)
  for _, t in ipairs(outputs) do
    own.graph:output(own:node(t))
  end
  local aliases = {}
  for _, assigned in ipairs(own.assigned) do
    local entry = own.variables[assigned]
    local output = own.graph:output(own:node(entry.tensor))
    own.graph:alias(output, entry.parameter - 1)
    aliases[#aliases + 1] = assigned
    own.parameters[entry.parameter].assigned = true
  end
  return aliases
end

-- The devices of a plugin that run a trace: those of the strategy in whose scope it was traced, or of its variables'.
-- nil: this host, which a scope of the device "CPU" asks for, too.
local function devices_of(self)
  if placed[1] and device.default_name():find "CPU:%d+$" then
    return nil
  end
  local resolver = strategies.get_strategy().resolver
  for used in pairs(self.trace.variables) do
    resolver = resolver or used.strategy.resolver
  end
  return resolver and resolver.devices
end

-- How a trace is compiled: see programs.compile. Devices divide the rows of what it is given, and the parts of a
-- variable that a layout divides; captured tensors and variables that it only reads are held.
local function options_of(self)
  local has_rows, held = {}, {}
  for i, parameter in ipairs(self.trace.parameters) do
    has_rows[i] = parameter.kind == "argument"
    held[i] = not (has_rows[i] or parameter.assigned)
  end
  for used, entry in pairs(self.trace.variables) do
    if entry.parameter and rawget(used, "_layout") then
      has_rows[entry.parameter] = true
    end
  end
  return { device = devices_of(self), has_rows = has_rows, held = held }
end

-- Traces fn on arguments of a skeleton whose leaves are like `leaves`.
function concretes.trace(owner, skeleton, leaves, signature)
  local own = trace.new("func", owner.name)
  local self = setmetatable({
    name = owner.name,
    signature = signature,
    trace = own,
    graph = own.graph,
    argument_count = #leaves,
    runs = 0,
  }, Concrete)
  span.around("trace", owner.name or "function", trace.with, own, function()
    local inner = {}
    for i, leaf in ipairs(leaves) do
      local t = concretes.tensor_of(leaf)
      inner[i] = own:parameter(t.dtype, t.shape)
      if not rawequal(leaf, t) then
        inner[i] = getmetatable(leaf).with_tensor(leaf, inner[i])
      end
    end
    local arguments = structure.rebuild(skeleton, inner)
    local results = structure.pack(errors.calling(owner.fn, unpack(arguments, 1, skeleton.count)))
    local found = {}
    self.result_skeleton = structure.flatten({ structure.unpack(results) }, concretes.is_leaf, found)
    self.result_count = results.n
    self.result_leaves, self.outputs = found, {}
    for i, leaf in ipairs(found) do
      if is_number(leaf) then
        errors.raise("function '%s' returns a number that it was given", owner.name)
      end
      self.outputs[i] = concretes.tensor_of(leaf)
    end
    if own.uses_random then
      require "moonpod.func.random".advance()
    end
    self.aliases = concretes.add_outputs(own, self.outputs)
    self.options = options_of(self)
  end)
  programs.note_trace(owner.name or "function")
  return self
end

-- Bytes of tensors and programs from which on it is worth the time to collect some.
local WORTH_COLLECTING = 16 * 2 ^ 20

-- The program of a trace, compiled where that was not done yet.
function concretes.compile(self)
  if not self.program then
    -- What was made on the way here, such as the parts of a dataset, need not lie beside the program's arena.
    local memory = device.context():memory()
    if memory.current_bytes > WORTH_COLLECTING or memory.limit_bytes > 0 then
      collectgarbage()
    end
    self.program, self.compile_seconds = errors.call_core(programs.compile, self.graph, true, self.options)
  end
  return self.program
end

-- The variables that the program writes to, and those that it only reads.
local function variables_of(self)
  if not self.written then
    self.written, self.read = {}, {}
    for _, parameter in ipairs(self.trace.parameters) do
      if parameter.kind == "variable" then
        local list = parameter.assigned and self.written or self.read
        list[#list + 1] = parameter.variable
      end
    end
  end
  return self.written, self.read
end

-- The program, before its first run.
local function first_program(self)
  local written = variables_of(self)
  if variable.begin_taking(written, WORTH_COLLECTING) and self.program then
    collectgarbage()
  end
  local program = concretes.compile(self)
  variable.end_taking(written)
  return program
end

-- The buffer of a parameter for a run, false where its leaf is missing: it is the infeed's.
local function parameter_buffer(parameter, leaf)
  local read = parameter.variable
  if read then
    return parameter.assigned and variable.exclusive_buffer(read) or variable.buffer(read)
  elseif parameter.kind == "argument" then
    return leaf and tensor.buffer(concretes.tensor_of(leaf)) or false
  end
  return tensor.buffer(parameter.tensor)
end

local function argument_buffers(self, leaves)
  local buffers = {}
  for i, parameter in ipairs(self.trace.parameters) do
    buffers[i] = parameter_buffer(parameter, leaves[i])
  end
  return buffers
end

-- What a run returned, as the function returns it.
function concretes.wrap_results(self, buffers)
  local leaves = {}
  for i, leaf in ipairs(self.result_leaves) do
    local buffer = buffers[i]
    local t = buffer and tensor.from_buffer(buffer) or nil
    leaves[i] = t and concretes.is_per_replica(leaf) and leaf:with_tensor(t) or t
  end
  return structure.rebuild(self.result_skeleton, leaves)
end

-- Whether a function returns one tensor and nothing else.
local function returns_one(self)
  local parts = self.result_skeleton.parts
  return self.result_count == 1 and parts and #parts == 1 and parts[1].leaf == 1 and tensor.is(self.result_leaves[1])
end

-- Runs in slices: pause.wait() is called before each, may yield, and says how many nanoseconds it may take.
local function run_in_slices(self, program, buffers, options, pause)
  local written, read = variables_of(self)
  local ok, execution = pcall(require("moonpod.func.executions").begin, program, buffers, options, written, read)
  if not ok then
    return false, execution
  end
  pause.execution = execution
  while not execution:step(pause.wait()) do -- luacheck: ignore
  end
  pause.execution = nil
  return execution:results()
end

-- Runs the program of a trace; input: what options.infeed comes from, for messages; pause: see Func.run_steps().
function concretes.run(self, leaves, options, input, pause)
  local program = self.runs > 0 and self.program or first_program(self)
  options = options or {}
  options.print = self.trace.prints
  if pause then
    options.alone = pause.is_alone and pause.is_alone()
    pause.meet(variables_of(self))
    pause.wait()
  end
  local buffers = argument_buffers(self, leaves)
  local ok, results, report, prints
  if pause then
    ok, results, report, prints = run_in_slices(self, program, buffers, options, pause)
  else
    ok, results, report, prints = pcall(program.run, program, buffers, options)
  end
  if not ok then
    local explains = type(results) == "string" and not errors.is_passing(results) and type(input) == "table"
      and input.explain
    errors.raise_from_core(explains and input:explain(results) or results)
  end
  self.runs = self.runs + report.steps
  programs.note_run(program, report.steps, buffers, self.trace.collectives)
  trace.report_prints(prints)
  return results, report
end

-- Where nothing may be for a bound program to run: tables and keys in turn.
local gates = {
  trace.stack, 1, trace.tapes, 1, programs.host, "account", tensor, "counted", placed, 1 }

-- Bound programs run only while there is nothing at a key of a table.
function concretes.add_gate(owner, key)
  gates[#gates + 1] = owner
  gates[#gates + 1] = key
end

-- Binds the program to what it is given besides one tensor: then `again` is the shortest way from a script to the
-- engine and back, as long as nothing changes.
local function bind(self, room, given)
  if self.bound ~= self.program then
    local argument = self.trace.parameters[1]
    self.uncounted = (self.uncounted or 0) + (self.tell and self.tell() or 0)
    self.bound = self.program
    self.again, self.tell = self.program:bind(argument.dtype, argument.shape, Tensor, changes, gates)
  end
  if self.tell then
    self.tell(given)
  end
  self.told_at = room.found_at
end

-- Counts the calls and runs of a function that its bound programs have made since this was asked.
function concretes.count_again(owner)
  for _, concrete in ipairs(owner.list) do
    local count = (concrete.uncounted or 0) + (concrete.tell and concrete.tell() or 0)
    concrete.uncounted, concrete.runs = 0, concrete.runs + count
    owner.calls = owner.calls + count
  end
end

-- What a call uses again: arrays for its buffers. To make them, and to find what variables hold, takes as long as to
-- run a small network. Nothing is held in between but by its owners: the array of what is given is weak. keeps: what is
-- given besides the one argument stays as it is while no variable changes.
local function new_room(self)
  local keeps = self.argument_count == 1
  for _, parameter in ipairs(self.trace.parameters) do
    keeps = keeps and not parameter.assigned and not (parameter.variable and parameter.variable._epoch)
  end
  local room = { given = setmetatable({}, weak_values), results = {}, keeps = keeps, call = self.program.call,
    returns_one = returns_one(self) }
  room.binds = keeps and room.returns_one and not programs.checks_numbers.value
  return room
end

-- Puts the buffers for a call into its array; of an argument that is one tensor, that of `one`.
local function given_buffers(self, room, leaves, one)
  local given, now = room.given, changes.count
  if one then
    given[1] = tensor.buffer(one)
    if room.found_at == now then
      return given
    end
  end
  for i, parameter in ipairs(self.trace.parameters) do
    given[i] = one and i == 1 and given[1] or parameter_buffer(parameter, leaves and leaves[i])
  end
  room.found_at = room.keeps and now or nil
  return given
end

-- Runs one step on leaves that are all there (`one`: on this tensor alone), and returns what the function returns.
function concretes.call(self, leaves, one)
  if self.trace.prints then
    local buffers, report = concretes.run(self, leaves or { one })
    trace.check_interrupt(report)
    return unpack(concretes.wrap_results(self, buffers), 1, self.result_count)
  end
  local program = self.runs > 0 and self.program or first_program(self)
  local room = self.room or new_room(self)
  self.room = nil -- a call within this one has its own
  local results = room.results
  local given = given_buffers(self, room, leaves, one)
  local ok, interrupted = pcall(room.call, program, given, results)
  if not ok then
    errors.raise_from_core(interrupted)
  elseif interrupted then
    errors.raise("interrupted")
  end
  self.runs = self.runs + 1
  if programs.host.account then
    programs.note_run(program, 1, given, self.trace.collectives)
  end
  local first = results[1]
  if room.returns_one and first then
    results[1] = false
    self.room = room
    if one and room.binds and self.told_at ~= room.found_at and room.found_at == changes.count then
      bind(self, room, given)
    end
    return tensor.from_buffer(first, self.result_leaves[1])
  end
  local all = concretes.wrap_results(self, results)
  for i = 1, #results do
    results[i] = false
  end
  self.room = room
  return unpack(all, 1, self.result_count)
end

return concretes
