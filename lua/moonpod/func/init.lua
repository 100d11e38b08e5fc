-- func - Lua functions that run as programs: traced once a signature, compiled, cached.

local above = require "moonpod.base.above"
local buckets = require "moonpod.func.buckets"
local concretes = require "moonpod.func.concretes"
local core_step = require "moonpod.func.core_step"
local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local global_state = require "moonpod.base.global_state"
local last_call = require "moonpod.func.last_call"
local lint = require "moonpod.base.lint"
local ops = require "moonpod.ops"
local signatures = require "moonpod.func.signatures"
local specs = require "moonpod.func.specs"
local strategies = require "moonpod.func.strategies"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local variable = require "moonpod.func.variable"
local warnings = require "moonpod.base.warnings"

local func = {
  any = specs.any,
  spec = specs.new,
  is_spec = specs.is,
  count_again = concretes.count_again,
  again = last_call.again,
}

local unpack = table.unpack or unpack -- luacheck: ignore

local tapes, is_tracing = trace.tapes, trace.is_tracing
concretes.add_gate(func, "run_eagerly")
concretes.add_gate(strategies.scopes, 1)

-- ---- the function object --------------------------------------------------------------------------------------------

local methods = {}

local Func = { __name = "moonpod.func", __index = methods }

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
    if not concretes.is_leaf(given) or not specs.fits(spec, concretes.tensor_of(given)) then
      errors.raise("argument %d of function '%s' is %s, but its input_signature says %s", i, self.name,
        concretes.is_leaf(given) and concretes.describe_leaf(given) or errors.describe(given), tostring(spec))
    end
  end
end

-- Warns once when at least WARN_COUNT of the last WARN_CALLS calls were traced anew.
local WARN_COUNT, WARN_CALLS = 5, 10

local function warn_of_retraces(self, cause)
  local retraces = self.retraces
  concretes.count_again(self)
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
local function new_concrete(self, skeleton, leaves, signature)
  local parts = signatures.parts(skeleton, leaves, concretes.describe_leaf, concretes.tensor_of)
  local state = global_state.values()
  local cause = signatures.cause(self.list, parts, state)
  lint.warn(self.fn, signatures.tensors_among(skeleton, leaves, concretes.tensor_of),
    ("function '%s'"):format(self.name), self.warned)
  local started = device.core.clock()
  local found = concretes.trace(self, skeleton, leaves, signature)
  found.trace_seconds = device.core.clock() - started
  found.parts, found.state = parts, state
  if self.on_trace then
    self.on_trace(found.graph)
  end
  found.cause, found.location = cause, errors.location()
  found.skeleton, found.leaves = skeleton, {}
  for i, leaf in ipairs(leaves) do
    found.leaves[i] = { dtype = concretes.tensor_of(leaf).dtype, shape = concretes.tensor_of(leaf).shape,
      per_replica = concretes.is_per_replica(leaf) or nil }
  end
  self.list[#self.list + 1] = found
  if #self.list > 1 and not buckets.count_here(self) then
    warn_of_retraces(self, cause)
  end
  return found
end

local function concrete_for(self, skeleton, leaves)
  self.calls = self.calls + 1
  local signature = structure.key(skeleton, function(i)
    return concretes.describe_leaf(leaves[i])
  end)
  signature = "(" .. signature:sub(2, -2) .. ")"
  local key = signature .. global_state.key()
  local found = self.by_key[key]
  if not found then
    found = new_concrete(self, skeleton, leaves, signature)
    self.by_key[key] = found
  end
  return found
end

-- ---- fewer traces ----------------------------------------------------------------------------------------

-- The trace for arguments, and the leaves that it takes.
local function find_concrete(self, skeleton, leaves)
  if self.reduce_retracing then
    local numbers = require "moonpod.func.numbers"
    skeleton, leaves = numbers.as_arguments(self, concrete_for, skeleton, leaves)
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
  local skeleton = structure.flatten(arguments, concretes.is_leaf, leaves)
  skeleton.count = count
  return skeleton, leaves
end

-- Runs a trace of the function on leaves (`one`: on this tensor). In a run of one replica what draws is run by hand:
-- its draws follow those before it, as where several replicas have one program.
local function call_concrete(self, concrete, leaves, one, ...)
  if concrete.trace.uses_random and trace.run ~= trace.by_hand then
    return errors.calling(self.fn, ...)
  end
  return concretes.call(concrete, leaves, one)
end

-- Calls a compiled function with one tensor, like self(x), which has to find out that it is one.
function func.call_with_one(self, x)
  if not (is_tracing() or tapes[1] or func.run_eagerly) then
    local concrete = last_call.concrete(self, x)
    if concrete then
      return call_concrete(self, concrete, nil, x, x)
    end
  end
  return self(x)
end

function Func.__call(self, ...)
  if is_tracing() or tapes[1] or func.run_eagerly then
    return errors.calling(self.fn, ...)
  end
  local count, x = select("#", ...), ...
  local concrete = count == 1 and last_call.concrete(self, x)
  if concrete then
    return call_concrete(self, concrete, nil, x, x)
  end
  local leaves
  if buckets.count_here(self) then
    return buckets.call(self, concrete_for, flatten_arguments(self, ...))
  end
  concrete, leaves = find_concrete(self, flatten_arguments(self, ...))
  last_call.remember(self, concrete, leaves, count, x)
  return call_concrete(self, concrete, leaves, nil, ...)
end

--- The trace for arguments like these (tensors or specs).
---@example pod.func(function(x) return x * 2 end):concrete(pod.spec({ 2 }, "float32")) ~= nil --> true
function methods.concrete(self, ...)
  local arguments = { ... }
  for i, argument in ipairs(arguments) do
    if specs.is(argument) then
      for j = 1, #argument.shape do
        if argument.shape[j] < 0 then
          errors.raise("concrete: sizes must be known; %s has one that is any", tostring(argument))
        end
      end
      arguments[i] = ops.zeros(argument.shape, argument.dtype)
    end
  end
  local concrete = find_concrete(self, flatten_arguments(self, unpack(arguments, 1, select("#", ...))))
  concretes.compile(concrete)
  return concrete
end

--- Arguments without values: like those given (specs and tensors among them), or as those of the last trace. Returns
--- their skeleton and types; nil where there was no trace.
--- ```lua
--- local fn = pod.func(function(x) return x * 2 end)
--- local _, leaves = fn:stand_in_arguments { pod.spec { 2, 3 } }
--- assert(leaves[1].shape[2] == 3)
--- ```
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
  local given = tables.map(arguments, function(argument)
    return specs.is(argument) and specs.stand_ins({ argument })[1] or argument
  end)
  return flatten_arguments(self, unpack(given, 1, #given))
end

--- What a call takes of a chip's memory, or with no chip of this host's: see moonpod.advisor.model_memory.
--- ```lua
--- local fn = pod.func(function(x) return x * 2 end)
--- assert(fn:memory_report("v5e", { arguments = { pod.spec { 2, 3 } } }).verdict == "fits")
--- ```
function methods.memory_report(self, ...)
  return above.call("function_memory_report", self, ...)
end

--- How long a call would take on a chip: as model:projection.
--- ```lua
--- local fn = pod.func(function(x) return x:matmul(x) end)
--- local projection = fn:projection("v5e", { arguments = { pod.spec { 8192, 8192 } } })
--- assert(projection.bound == "MXU" and projection.product_flops == 2 * 8192 ^ 3)
--- ```
function methods.projection(self, ...)
  return above.call("function_projection", self, ...)
end

--- The step of one core as StableHLO text, which JAX's and other compilers read: for arguments like those given (specs
--- and tensors among them), or like those of the last trace.
--- ```lua
--- local text = pod.func(function(x) return x * 2 end):stablehlo(pod.spec { 2, 3 })
--- assert(text:find("stablehlo.multiply", 1, true))
--- ```
function methods.stablehlo(self, ...)
  local skeleton, leaves = self:stand_in_arguments(select("#", ...) > 0 and { ... } or nil)
  if not skeleton then
    errors.raise("stablehlo: function '%s' was not traced yet; give arguments such as pod.spec { 2, 3 }", self.name)
  end
  local graph = core_step.trace(self.name, function(...)
    return self.fn(unpack(structure.rebuild(skeleton, { ... }), 1, skeleton.count))
  end, leaves)
  return device.core.stablehlo_write(device.context(), graph)
end

--- Writes the function as a program with its variables, for hosts without Lua: see moonpod.saving.export.
--- ```lua
--- local path = os.tmpname() .. ".safetensors"
--- pod.func(function(x) return x * 2 end):export(path, { pod.spec { 3 } })
--- assert(pod.load_exported(path)(pod.ones { 3 }):sum():item() == 6)
--- os.remove(path)
--- ```
function methods.export(self, ...)
  return above.call("export_function", self, ...)
end

--- What has been traced: an array of { signature =, count = runs, cause =, location =, trace_seconds =, compile_seconds
--- =, bucket = }. With batch_buckets `bucket` is { rows = of its program, given = rows of all calls, padding = rows
--- that filled them up }.
---@example pod.func(function(x) return x end):traces() --> {}
function methods.traces(self)
  local list = {}
  concretes.count_again(self)
  for i, concrete in ipairs(self.list) do
    list[i] = {
      signature = concrete.signature,
      count = concrete.runs,
      cause = concrete.cause,
      location = concrete.location,
      trace_seconds = concrete.trace_seconds,
      compile_seconds = concrete.compile_seconds or 0,
      bucket = concrete.bucket,
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
    return concretes.describe_leaf(concrete.result_leaves[i])
  end):sub(2, -2)
  return concrete.result_count == 1 and text or "(" .. text .. ")"
end

--- The traced signatures with what they return: an array of "step(float32(2,), 3) -> float32(2,)".
---@example #pod.func(function(x) return x end):signatures() --> 0
function methods.signatures(self)
  return tables.map(self.list, function(concrete)
    return self.name .. concrete.signature .. " -> " .. describe_results(concrete)
  end)
end

-- ---- many steps -----------------------------------------------------------------------------------------------------

--- Runs at most `count` steps in C; each step's arguments come from `input`. Returns the results of the last step
--- (nil when none was done) as one value or a packed table, and a report { steps =, ended =, interrupted = }.
--- A run is short where the next arguments have other types; the next call goes on with them. What the input raises
--- is raised here, behind the steps before it.
---@param count integer how many steps at most; 0 runs none
---@param options.arguments table what follows the arguments of the input
---@param options.pause table runs in slices: `wait()` before each may yield, and gives its nanoseconds (0: to the end);
---   `execution` is what runs; `meet(written, read)` gets its variables; `is_alone()`: on this thread
--- ```lua
--- local total = pod.variable(0)
--- local step = pod.func(function(x) total:assign_add(x:cast "float32") end)
--- local _, report = step:run_steps(10, pod.data.range(5):iterator())
--- assert(report.steps == 5 and total:item() == 10)
--- ```
function methods.run_steps(self, count, input, options)
  options = errors.check_options(options, { arguments = "list", pause = "table" }, "run_steps")
  local step_input = require "moonpod.func.step_input"
  local source = step_input.of(input)
  if count == 0 then
    return nil, { steps = 0, ended = false, interrupted = false }
  end
  local types = source:peek_spec()
  if not types then
    return nil, { steps = 0, ended = true, interrupted = false }
  end
  local leaves = specs.stand_ins(types)
  local extra = options.arguments or {}
  local arguments = tables.join(leaves, extra)
  local skeleton, all = flatten_arguments(self, unpack(arguments, 1, #leaves + #extra))
  local concrete = concrete_for(self, skeleton, all)
  local given = {}
  for i = 1, #all do
    given[i] = i > #leaves and all[i] or nil
  end
  local infeed = source:infeed(count, leaves)
  local buffers, report = concretes.run(concrete, given, {
    steps = count,
    infeed = infeed,
    infeed_first = 0,
    infeed_count = #leaves,
  }, source, options.pause)
  if report.interrupted then
    device.context():clear_interrupt()
  elseif report.ended and not options.pause then -- which also is where a run has to stop before the next element
    report.ended = step_input.has_ended(source)
  end
  if report.steps == 0 then
    return nil, report
  end
  local results = concretes.wrap_results(concrete, buffers)
  return concrete.result_count <= 1 and results[1] or results, report
end

local options_allowed = { input_signature = "list", name = "string", reduce_retracing = "boolean",
  strategy = "strategy", batch_buckets = true }

-- All functions that live, with the number they were made as.
local all_functions = setmetatable({}, { __mode = "k" })
local function_count = 0

--- A compiled function. At the first call with each kind of arguments `fn` is run once with tensors that have no values
--- yet, to see what it computes; what is compiled of that runs from then on. So `fn` decides by shapes, not by values,
--- and what it prints is printed once.
---@param fn function of tensors, or tables of tensors, that returns such
---@param options.input_signature table specs of the arguments: others are refused; there is a program for each size of
---   those that may be any
---@param options.batch_buckets "powers_of_two"|"multiples_of_eight"|table|false numbers of rows that have programs:
---   fewer are filled up. It raises where a number would change. Default: powers of two on TPUs, else none
---@param options.name string what messages and profiles call it
---@param options.reduce_retracing boolean whether sizes that differ from call to call become any size
---@param options.strategy strategy the strategy that it belongs to
---@return func
---@see pod.spec pod.tape
---@example pod.func(function(x) return pod.sum(x * x) end)(pod.tensor { 1, 2 }):item() --> 5
function func.new(fn, options)
  errors.check_type(fn, "function", "func", "the first argument")
  options = errors.check_options(options, options_allowed, "func")
  for i, spec in ipairs(options.input_signature or {}) do
    if not specs.is(spec) then
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
    general = {}, -- path of a number -> true: given as an argument; false: the function needs to know it
    decides = nil, -- whether the function's text asks for the value of such a number
    number_kinds = 1, -- 1: a number serves all that are not huge; 2: those of its own kind
    warned = {},
  }, Func)
  self.buckets = buckets.read(self, options.batch_buckets)
  function_count = function_count + 1
  all_functions[self] = function_count
  return self
end

-- The functions that live, in the order they were made.
function func.list()
  local list = {}
  for self in pairs(all_functions) do
    concretes.count_again(self)
    list[#list + 1] = self
  end
  table.sort(list, function(a, b)
    return all_functions[a] < all_functions[b]
  end)
  return list
end

func.is_func = declare.is(Func)

---@name func
--- A compiled function: `pod.func(fn)`. Called with tensors it runs `fn` once for each kind of arguments to see what it
--- computes, and from then on the program that was compiled of that.
---@example pod.func(function(x) return x * 2 end)({ 1, 2 }) --> { 2, 4 }
declare.methods("func", methods, func.is_func, {
  ["arguments:list?"] = "stand_in_arguments",
  ["count input:value options?"] = "run_steps",
})
declare.metamethods("func", Func)
declare.functions("", func, {
  ["shape:integers dtype? name?"] = "spec",
  ["fn options?"] = "new",
})

return func
