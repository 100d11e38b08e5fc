-- func - Lua functions that run as programs: traced once a signature, compiled, cached.

local above = require "moonpod.base.above"
local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local lint = require "moonpod.base.lint"
local ops = require "moonpod.ops"
local signatures = require "moonpod.func.signatures"
local strategies = require "moonpod.func.strategies"
local step_input = require "moonpod.func.step_input"
local structure = require "moonpod.base.structure"
local tensor = require "moonpod.tensor"
local programs = require "moonpod.tensor.programs"
local trace = require "moonpod.tensor.trace"
local variable = require "moonpod.func.variable"
local warnings = require "moonpod.base.warnings"

local func = {}

local unpack = table.unpack or unpack -- luacheck: ignore

-- ---- specs ---------------------------------------------------------------------------------------------

local Spec = { __name = "moonpod.spec" }
Spec.__index = Spec

-- Stands for a size that any number fits, as -1 does.
func.any = -1

-- pod.spec(shape, dtype, name?): what an argument must be like. Sizes of -1 (pod.any) fit all.
function func.spec(shape, dtype, name)
  errors.check_type(shape, "table", "spec", "the shape")
  local dims = {}
  for i = 1, #shape do
    dims[i] = shape[i]
  end
  return setmetatable({ shape = tensor.shape(dims), dtype = ops.dtype(dtype or "float32"), name = name },
    Spec)
end

function func.is_spec(value)
  return type(value) == "table" and getmetatable(value) == Spec
end

function Spec.__tostring(self)
  local parts = {}
  for i = 1, #self.shape do
    parts[i] = self.shape[i] == -1 and "any" or tostring(self.shape[i])
  end
  local comma = #parts == 1 and "," or ""
  return ("spec(%s (%s%s))"):format(self.dtype, table.concat(parts, ", "), comma)
end

local function fits(spec, value)
  if value.dtype ~= spec.dtype or #value.shape ~= #spec.shape then
    return false
  end
  for i = 1, #spec.shape do
    if spec.shape[i] ~= -1 and spec.shape[i] ~= value.shape[i] then
      return false
    end
  end
  return true
end

-- ---- arguments ---------------------------------------------------------------------------------------------

local function is_per_replica(value)
  local meta = type(value) == "table" and getmetatable(value)
  return meta and meta.__name == "moonpod.per_replica"
end

local function is_leaf(value)
  return tensor.is(value) or is_per_replica(value)
end

local function tensor_of(leaf)
  return is_per_replica(leaf) and leaf.tensor or leaf
end

local function describe_leaf(leaf)
  local t = tensor_of(leaf)
  local text = t.dtype .. tostring(t.shape)
  if is_per_replica(leaf) then
    return ("%s %s over %d"):format(leaf.placement, text, leaf.replicas)
  end
  return text
end

-- ---- a traced signature -----------------------------------------------------------------------------------------

local Concrete = { __name = "moonpod.concrete_function" }
Concrete.__index = Concrete

function Concrete.__tostring(self)
  return ("<%s%s>"):format(self.name, self.signature)
end

function Concrete:stats()
  return self.program:stats()
end

-- Adds the outputs of a finished trace to its graph: results, then the variables that were assigned. Returns those.
function func.add_outputs(own, outputs)
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

-- Traces fn on arguments of a skeleton whose leaves are like `leaves`.
local function trace_function(owner, skeleton, leaves, signature)
  local own = trace.new("func", owner.name)
  local self = setmetatable({
    name = owner.name,
    signature = signature,
    trace = own,
    graph = own.graph,
    argument_count = #leaves,
    runs = 0,
  }, Concrete)
  trace.with(own, function()
    local inner = {}
    for i, leaf in ipairs(leaves) do
      local t = tensor_of(leaf)
      inner[i] = own:parameter(t.dtype, t.shape)
      if is_per_replica(leaf) then
        inner[i] = leaf:with_tensor(inner[i])
      end
    end
    local arguments = structure.rebuild(skeleton, inner)
    local results = structure.pack(errors.calling(owner.fn, unpack(arguments, 1, skeleton.count)))
    local found = {}
    self.result_skeleton = structure.flatten({ structure.unpack(results) }, is_leaf, found)
    self.result_count = results.n
    self.result_leaves, self.outputs = found, {}
    for i, leaf in ipairs(found) do
      self.outputs[i] = tensor_of(leaf)
    end
    if own.uses_random then
      require "moonpod.func.random".advance()
    end
    self.aliases = func.add_outputs(own, self.outputs)
  end)
  return self
end

local function compile(self)
  if not self.program or self.checks_numbers ~= programs.checks_numbers then
    -- What was made on the way here, such as the parts of a dataset, need not lie beside the program's arena.
    collectgarbage()
    local ok, program, seconds = pcall(programs.compile, self.graph, true)
    if not ok then
      errors.raise_from_core(program)
    end
    self.program, self.checks_numbers = program, programs.checks_numbers
    self.compile_seconds = (self.compile_seconds or 0) + seconds
    self.from_cache = program:stats().from_cache
  end
  return self.program
end

-- The buffers for a run. Leaves that are missing are the infeed's.
local function argument_buffers(self, leaves)
  local buffers = {}
  for i, parameter in ipairs(self.trace.parameters) do
    if parameter.kind == "argument" then
      local leaf = leaves[i]
      buffers[i] = leaf and tensor.buffer(tensor_of(leaf)) or false
    elseif parameter.kind == "variable" then
      buffers[i] = parameter.assigned and variable.exclusive_buffer(parameter.variable)
        or variable.buffer(parameter.variable)
    else
      buffers[i] = tensor.buffer(parameter.tensor)
    end
  end
  return buffers
end

local function wrap_results(self, buffers)
  local leaves = {}
  for i, leaf in ipairs(self.result_leaves) do
    local buffer = buffers[i]
    local t = buffer and tensor.from_buffer(buffer) or nil
    leaves[i] = t and is_per_replica(leaf) and leaf:with_tensor(t) or t
  end
  return structure.rebuild(self.result_skeleton, leaves)
end

-- Puts into a message of the core which element of its input, counted from 0, a run had taken last.
local function with_element(message, input)
  if type(message) ~= "string" or not (type(input) == "table" and input.stats) then
    return message
  end
  local place, rest = message:match "^([^:\n]+:%d+: )(.*)$"
  return ("%selement %d of the dataset: %s"):format(place or "", input:stats().position - 1, rest or message)
end

-- input: what options.infeed comes from, for messages.
local function run(self, leaves, options, input)
  local program = compile(self)
  options = options or {}
  options.print = self.trace.prints
  local buffers = argument_buffers(self, leaves)
  local ok, results, report, prints = pcall(program.run, program, buffers, options)
  if not ok then
    errors.raise_from_core(with_element(results, input))
  end
  self.runs = self.runs + report.steps
  trace.report_prints(prints)
  return results, report
end

-- ---- the function object --------------------------------------------------------------------------------------------

local Func = { __name = "moonpod.func" }

local methods = {}

function Func.__index(_, key)
  return methods[key]
end

function Func.__tostring(self)
  return ("<compiled function '%s', %d traces>"):format(self.name, #self.list)
end

local function check_signature(self, arguments, count)
  local signature = self.input_signature
  if count ~= #signature then
    errors.raise("function '%s' takes %d arguments by its input_signature, %d were given", self.name,
      #signature, count)
  end
  for i, spec in ipairs(signature) do
    local given = arguments[i]
    if type(given) == "number" or variable.is_variable(given) then
      given = tensor.convert(given, type(given) == "number" and spec.dtype or nil)
      arguments[i] = given
    end
    if not is_leaf(given) or not fits(spec, tensor_of(given)) then
      errors.raise("argument %d of function '%s' is %s, but its input_signature says %s", i, self.name,
        is_leaf(given) and describe_leaf(given) or errors.describe(given), tostring(spec))
    end
  end
end

-- Warns of what Lua decides while tracing although it asks a tensor.
local function warn_of_truth(self, skeleton, leaves)
  local arguments = {}
  for i, key in ipairs(skeleton.keys) do
    local part = skeleton.parts[i]
    arguments[key] = part.leaf and tensor_of(leaves[part.leaf]) or nil
  end
  lint.warn(self.fn, arguments, ("function '%s'"):format(self.name), self.warned)
end

-- Warns once when at least WARN_COUNT of the last WARN_CALLS calls were traced anew.
local WARN_COUNT, WARN_CALLS = 5, 10

local function warn_of_retraces(self, cause)
  local retraces = self.retraces
  retraces[#retraces + 1] = self.calls
  local first = retraces[#retraces - WARN_COUNT + 1]
  if first and self.calls - first < WARN_CALLS and not self.warned.retraces then
    self.warned.retraces = true
    warnings.warn("%d of the last %d calls of function '%s' (made at %s) traced it anew, and each trace is compiled; "
      .. "the last one because %s. Give it tensors of one shape and dtype, and numbers that change as tensors "
      .. "(or pod.func(fn, { reduce_retracing = true }))", WARN_COUNT, self.calls - first + 1, self.name,
      tostring(self.location), cause)
  end
end

-- Traces for a signature that is new.
local function new_concrete(self, skeleton, leaves, signature, strategy)
  local parts = signatures.parts(skeleton, leaves, describe_leaf, tensor_of)
  local cause = signatures.cause(self.list, parts, strategy)
  warn_of_truth(self, skeleton, leaves)
  local started = device.core.clock()
  local found = trace_function(self, skeleton, leaves, signature)
  found.trace_seconds = device.core.clock() - started
  found.parts, found.strategy = parts, strategy
  if self.on_trace then
    self.on_trace(found.graph)
  end
  found.cause, found.location = cause, errors.location()
  found.skeleton, found.leaves = skeleton, {}
  for i, leaf in ipairs(leaves) do
    found.leaves[i] = { dtype = tensor_of(leaf).dtype, shape = tensor_of(leaf).shape,
      per_replica = is_per_replica(leaf) or nil }
  end
  self.list[#self.list + 1] = found
  if #self.list > 1 then
    warn_of_retraces(self, cause)
  end
  return found
end

local function concrete_for(self, skeleton, leaves)
  self.calls = self.calls + 1
  local signature = structure.key(skeleton, function(i)
    return describe_leaf(leaves[i])
  end)
  signature = "(" .. signature:sub(2, -2) .. ")"
  -- the strategy in whose scope a function is traced is part of what it means
  local strategy = strategies.get_strategy()
  local key = signature .. tostring(strategy.id)
  local found = self.by_key[key]
  if not found then
    found = new_concrete(self, skeleton, leaves, signature, strategy)
    self.by_key[key] = found
  end
  return found
end

-- ---- fewer traces ----------------------------------------------------------------------------------------

-- With reduce_retracing a number that differs from the trace before becomes a tensor, so that one program serves
-- all of its values; a function that needs to know it is traced by value as before.
local function numbers_as_tensors(self, skeleton, leaves)
  local before = self.list[#self.list]
  local changed, general = signatures.changed_numbers(skeleton, before and before.parts, self.general)
  if #changed == 0 then
    return skeleton, leaves
  end
  local more = {}
  for i, leaf in ipairs(leaves) do
    more[i] = leaf
  end
  local new = signatures.with_tensors(skeleton, changed, function(value)
    more[#more + 1] = tensor.new(value)
    return #more
  end)
  new.count = skeleton.count
  local ok = errors.attempt(concrete_for, self, new, more)
  if not ok then
    for path in pairs(general) do
      self.general[path] = false
    end
    return skeleton, leaves
  end
  for path in pairs(general) do
    self.general[path] = true
  end
  return new, more
end

-- The trace for arguments, and the leaves that it takes.
local function find_concrete(self, skeleton, leaves)
  if self.reduce_retracing then
    skeleton, leaves = numbers_as_tensors(self, skeleton, leaves)
  end
  return concrete_for(self, skeleton, leaves), leaves
end

local function flatten_arguments(self, ...)
  local count = select("#", ...)
  local arguments = { ... }
  if self.input_signature then
    check_signature(self, arguments, count)
  end
  local leaves = {}
  local skeleton = structure.flatten(arguments, is_leaf, leaves)
  skeleton.count = count
  return skeleton, leaves
end

local function has_recording_tape()
  return #trace.tapes > 0
end

function Func.__call(self, ...)
  if trace.is_tracing() or has_recording_tape() or func.run_eagerly then
    return errors.calling(self.fn, ...)
  end
  local concrete, leaves = find_concrete(self, flatten_arguments(self, ...))
  local buffers, report = run(concrete, leaves)
  trace.check_interrupt(report)
  return unpack(wrap_results(concrete, buffers), 1, concrete.result_count)
end

-- The trace for arguments like these (tensors or specs).
function methods.concrete(self, ...)
  local arguments = { ... }
  for i, argument in ipairs(arguments) do
    if func.is_spec(argument) then
      for j = 1, #argument.shape do
        if argument.shape[j] < 0 then
          errors.raise("concrete: sizes must be known; %s has one that is any", tostring(argument))
        end
      end
      arguments[i] = ops.zeros(argument.shape, argument.dtype)
    end
  end
  local concrete = find_concrete(self, flatten_arguments(self, unpack(arguments, 1, select("#", ...))))
  compile(concrete)
  return concrete
end

-- Arguments without values: like those given (specs and tensors among them), or as those of the last trace. Returns
-- their skeleton and types; nil where there was no trace.
function methods.stand_in_arguments(self, arguments)
  if arguments == nil then
    local last = self.list[#self.list]
    for i, leaf in ipairs(last and last.leaves or {}) do
      if leaf.per_replica then
        errors.raise("function '%s': argument %d is a per-replica value; ask for the report of the function that "
          .. "strategy:run runs", self.name, i)
      end
    end
    return last and last.skeleton, last and last.leaves
  end
  local given = {}
  for i, argument in ipairs(arguments) do
    given[i] = func.is_spec(argument) and func.stand_ins({ argument })[1] or argument
  end
  return flatten_arguments(self, unpack(given, 1, #given))
end

-- What a call takes of a chip's memory, or with no chip of this host's: see moonpod.advisor.model_memory.
function methods.memory_report(self, ...)
  return above.call("function_memory_report", self, ...)
end

-- The step of one core as StableHLO text, which JAX's and other compilers read: for arguments like those given (specs
-- and tensors among them), or like those of the last trace.
function methods.stablehlo(self, ...)
  local skeleton, leaves = self:stand_in_arguments(select("#", ...) > 0 and { ... } or nil)
  if not skeleton then
    errors.raise("stablehlo: function '%s' was not traced yet; give arguments such as pod.spec { 2, 3 }", self.name)
  end
  local graph = above.call("trace_step", self.name, function(...)
    return self.fn(unpack(structure.rebuild(skeleton, { ... }), 1, skeleton.count))
  end, leaves)
  return device.core.stablehlo_write(device.context(), graph)
end

-- What has been traced: an array of { signature =, count = runs, cause =, location =, trace_seconds =,
-- compile_seconds =, from_cache = whether its program came from disk }.
function methods.traces(self)
  local list = {}
  for i, concrete in ipairs(self.list) do
    list[i] = {
      signature = concrete.signature,
      count = concrete.runs,
      cause = concrete.cause,
      location = concrete.location,
      trace_seconds = concrete.trace_seconds,
      compile_seconds = concrete.compile_seconds or 0,
      from_cache = concrete.from_cache or false,
    }
  end
  return list
end

-- How the results look: "float32(2,)", as in a signature.
local function describe_results(concrete)
  if concrete.result_count == 0 then
    return "nothing"
  end
  local text = structure.key(concrete.result_skeleton, function(i)
    return describe_leaf(concrete.result_leaves[i])
  end):sub(2, -2)
  return concrete.result_count == 1 and text or "(" .. text .. ")"
end

-- The traced signatures with what they return: an array of "step(float32(2,), 3) -> float32(2,)".
function methods.signatures(self)
  local list = {}
  for i, concrete in ipairs(self.list) do
    list[i] = self.name .. concrete.signature .. " -> " .. describe_results(concrete)
  end
  return list
end

-- ---- many steps -----------------------------------------------------------------------------------------------------

-- Leaves without a value, like a spec list says.
function func.stand_ins(specs)
  local leaves = {}
  for i, spec in ipairs(specs) do
    local dims = {}
    for j = 1, #spec.shape do
      dims[j] = spec.shape[j]
    end
    leaves[i] = setmetatable({ dtype = spec.dtype, shape = tensor.shape(dims) }, tensor.Tensor)
  end
  return leaves
end

-- Runs at most `count` steps in C; each step's arguments come from `input`. Returns the results of the last step
-- (nil when none was done) as one value or a packed table, and a report { steps =, ended =, interrupted = }.
-- A run ends early where the next arguments have other types; the next call goes on with them.
function methods.run_steps(self, count, input, options)
  options = errors.check_options(options, { arguments = "list" }, "run_steps")
  local source = step_input.of(input)
  local specs = source:peek_spec()
  if not specs then
    return nil, { steps = 0, ended = true, interrupted = false }
  end
  local leaves = func.stand_ins(specs)
  local arguments = {}
  for i, leaf in ipairs(leaves) do
    arguments[i] = leaf
  end
  local extra = options.arguments or {}
  for i, value in ipairs(extra) do
    arguments[#leaves + i] = value
  end
  local skeleton, all = flatten_arguments(self, unpack(arguments, 1, #leaves + #extra))
  local concrete = concrete_for(self, skeleton, all)
  local given = {}
  for i = 1, #all do
    given[i] = i > #leaves and all[i] or nil
  end
  local infeed = source:infeed(count, leaves)
  local buffers, report = run(concrete, given, {
    steps = count,
    infeed = infeed,
    infeed_first = 0,
    infeed_count = #leaves,
  }, source)
  if report.interrupted then
    device.context():clear_interrupt()
  end
  if report.steps == 0 then
    return nil, report
  end
  local results = wrap_results(concrete, buffers)
  return concrete.result_count <= 1 and results[1] or results, report
end

local options_allowed = { input_signature = "list", name = "string", reduce_retracing = "boolean",
  strategy = "strategy" }

-- All functions that live, with the number they were made as.
local all_functions = setmetatable({}, { __mode = "k" })
local function_count = 0

-- pod.func(fn, { input_signature =, name =, reduce_retracing = })
function func.new(fn, options)
  errors.check_type(fn, "function", "func", "the first argument")
  options = errors.check_options(options, options_allowed, "func")
  for i, spec in ipairs(options.input_signature or {}) do
    if not func.is_spec(spec) then
      errors.raise("func: input_signature[%d] is no pod.spec", i)
    end
  end
  local self = setmetatable({
    fn = fn,
    name = options.name or "function",
    location = errors.location(),
    input_signature = options.input_signature,
    reduce_retracing = options.reduce_retracing,
    by_key = {}, -- signature -> trace
    list = {}, -- traces in their order
    calls = 0,
    retraces = {}, -- the number of the call of each trace but the first
    general = {}, -- path of a number -> true: given as a tensor; false: the function needs to know it
    warned = {},
  }, Func)
  function_count = function_count + 1
  all_functions[self] = function_count
  return self
end

-- The functions that live, in the order they were made.
function func.list()
  local list = {}
  for self in pairs(all_functions) do
    list[#list + 1] = self
  end
  table.sort(list, function(a, b)
    return all_functions[a] < all_functions[b]
  end)
  return list
end

function func.is_func(value)
  return type(value) == "table" and getmetatable(value) == Func
end

declare.methods("func", methods, func.is_func, {
  ["arguments:list?"] = "stand_in_arguments",
  ["count input:value options?"] = "run_steps",
})
declare.metamethods("func", Func)
declare.methods("spec", Spec, func.is_spec)
declare.metamethods("spec", Spec)
declare.functions("", func, {
  ["shape:integers dtype? name?"] = "spec",
  ["fn options?"] = "new",
})

return func
