-- ops_control - choosing and repeating at run time, what differentiation sees, printing and checking.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops.elementwise"
local readable = require "moonpod.base.readable"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local convert = tensor.convert
local is_tensor = tensor.is
local unpack = table.unpack or unpack -- luacheck: ignore

local function is_leaf(value)
  return is_tensor(value) or type(value) == "number" or type(value) == "boolean"
    or type(value) == "table" and not readable.is_plain(value)
      and getmetatable(value).__as_tensor ~= nil
end

-- Traces fn(parameters of the given types) as a region. Returns the trace, the skeleton of what fn returned,
-- and the tensors in it.
local function trace_region(name, types, fn)
  local region = trace.new("region", name, trace.top())
  local parameters = tables.map(types, function(t)
    return region:parameter(t.dtype, t.shape)
  end)
  local leaves, skeleton = {}, nil
  trace.with(region, function()
    local results = structure.pack(errors.calling(fn, unpack(parameters, 1, #parameters)))
    local raw = {}
    skeleton = structure.flatten({ structure.unpack(results) }, is_leaf, raw)
    skeleton.count = results.n
    for i, leaf in ipairs(raw) do
      leaves[i] = convert(leaf)
      region:node(leaves[i]) -- what is returned as it came is captured now
    end
  end)
  return region, skeleton, leaves
end

-- The values of an array, each once, and each one's place.
local function each_once(values)
  local list, place = {}, {}
  for _, value in ipairs(values) do
    if not place[value] then
      list[#list + 1] = value
      place[value] = #list
    end
  end
  return list, place
end

local function capture_of(parameter)
  return parameter.kind == "capture" and parameter.tensor or nil
end

-- The captured tensors of two regions, each once, and each one's place.
local function union_captures(a, b)
  return each_once(tables.map(tables.join(a.parameters, b.parameters), capture_of))
end

-- Makes the final graph of a region: parameters are those that are `given`, the captures of the union, then `more` that
-- are given; outputs are the tensors `outputs` of the region's own trace.
local function assemble(region, outputs, given, captures, place, more)
  local own = region.graph
  for _, output in ipairs(outputs) do
    own:output(region:node(output))
  end
  local graph = device.core.graph(device.context(), region.name)
  local parameters = tables.map(tables.join(given, captures, more or {}), function(t)
    return (graph:parameter(t.dtype, t.shape))
  end)
  local inputs, count = {}, 0
  for i, parameter in ipairs(region.parameters) do
    if parameter.kind == "capture" then
      inputs[i] = parameters[#given + place[parameter.tensor]]
    else
      count = count + 1
      inputs[i] = parameters[count <= #given and count or #captures + count]
    end
  end
  for _, id in ipairs(graph:inline(own, inputs)) do
    graph:output(id)
  end
  return graph
end

-- What a region leaves in a variable, whether it assigned it or not.
local function final_value(region, variable)
  return trace.with(region, function()
    return region:read(variable)
  end)
end

local function check_same(a, b, what)
  if #a ~= #b then
    errors.raise("%s: one branch returns %d tensors, the other %d", what, #a, #b)
  end
  for i = 1, #a do
    if a[i].dtype ~= b[i].dtype or a[i].shape ~= b[i].shape then
      errors.raise("%s: value %d is %s %s in one branch and %s %s in the other; both must have one type "
        .. "and shape", what, i, a[i].dtype, tostring(a[i].shape), b[i].dtype, tostring(b[i].shape))
    end
  end
end

--- The same value, which gradients do not pass.
---@example pod.stop_gradient { 1, 2 } --> { 1, 2 }
function ops.stop_gradient(x)
  return trace.apply("stop_gradient", { convert(x) })
end

--- The same value, which passes of the compiler do not look through.
---@example pod.barrier { 1, 2 } --> { 1, 2 }
function ops.barrier(x)
  return trace.apply("barrier", { convert(x) })
end

--- Runs one of two functions without arguments, as the predicate says at run time. Both must return values of
--- the same types and shapes; variables that either assigns get what was assigned.
---@example pod.cond(true, function() return pod.tensor(1) end, function() return pod.tensor(2) end):item() --> 1
function ops.cond(predicate, on_true, on_false)
  on_false = on_false or function() end
  if type(predicate) == "boolean" then
    return (predicate and on_true or on_false)()
  end
  predicate = ops.cast(predicate, "bool")
  if #predicate.shape > 0 then
    if predicate:size() ~= 1 then
      errors.raise("cond: the predicate must be one boolean, not of shape %s; pod.where chooses "
        .. "element by element", tostring(predicate.shape))
    end
    predicate = ops.reshape(predicate, {})
  end
  local a, skeleton, a_out = trace_region("cond_true", {}, on_true)
  local b, _, b_out = trace_region("cond_false", {}, on_false)
  check_same(a_out, b_out, "cond")
  local assigned = each_once(tables.join(a.assigned, b.assigned))
  for _, variable in ipairs(assigned) do
    a_out[#a_out + 1], b_out[#b_out + 1] = final_value(a, variable), final_value(b, variable)
  end
  local captures, place = union_captures(a, b)
  if #a_out == 0 then
    return
  end
  local regions = {
    assemble(a, a_out, {}, captures, place),
    assemble(b, b_out, {}, captures, place),
  }
  local results = { trace.apply("cond", tables.join({ predicate }, captures), nil, regions) }
  local own = #results - #assigned
  for i, variable in ipairs(assigned) do
    trace.top():assign(variable, results[own + i])
  end
  return unpack(structure.rebuild(skeleton, results), 1, skeleton.count)
end

--- Repeats `state = body(state)` while `condition(state)` is true. Both functions get the state's entries as arguments;
--- `body` returns the new ones. In a compiled function the loop is part of the program.
---@param condition function that gives a boolean scalar
---@param body function
---@param state tensor[]
---@param options.maximum_iterations integer after so many turns it ends
---@return tensor the last ones
---@example pod.while_loop(function(i) return pod.less(i, 5) end, function(i) return i + 1 end, { pod.tensor(0) }) --> 5
function ops.while_loop(condition, body, state, options)
  options = errors.check_options(options, { maximum_iterations = true }, "while_loop")
  local initial = tables.map(state, convert)
  local count = #initial
  local limit = options.maximum_iterations
  local test, _, test_out = trace_region("while_condition", initial, condition)
  local step, _, step_out = trace_region("while_body", initial, body)
  if #test_out ~= 1 or test_out[1]:size() ~= 1 then
    errors.raise("while_loop: the condition must return one boolean")
  end
  check_same(initial, step_out, "while_loop (state and what body returns)")
  local assigned = step.assigned
  local finals = {}
  for i, variable in ipairs(assigned) do
    finals[i] = final_value(step, variable)
    trace.with(test, function()
      test:read(variable)
    end)
  end
  local captures, place = union_captures(test, step)
  local carried = tables.slice(step_out)
  -- captured values go around unchanged, but for those of assigned variables
  local changed = {}
  for i, variable in ipairs(assigned) do
    changed[place[step.variables[variable].outer]] = finals[i]
  end
  for i, captured in ipairs(captures) do
    carried[count + i] = changed[i] or trace.with(step, function()
      return step:inside(captured)
    end)
  end
  test_out[1] = trace.with(test, function()
    return ops.reshape(ops.cast(test_out[1], "bool"), {})
  end)
  local regions = {
    assemble(test, test_out, initial, captures, place),
    assemble(step, carried, initial, captures, place),
  }
  local results = { trace.apply("while", tables.join(initial, captures), limit and { count = limit } or nil, regions) }
  for _, variable in ipairs(assigned) do
    trace.top():assign(variable, results[count + place[step.variables[variable].outer]])
  end
  return unpack(results, 1, count)
end

-- ---- gradients of one's own ------------------------------------------------------------------------------

-- What is read of a trained variable that the same function assigned is where its gradient belongs, and no tape sees
-- that from outside.
local function refuse_assigned(name, forward)
  for _, variable in ipairs(forward.assigned) do
    if variable.trainable and ops.is_float(variable.dtype) and forward.variables[variable].read_when_assigned then
      errors.raise("%s: the function assigns variable '%s', which is trained, and reads it then; do that outside of "
        .. "it, or make the variable with trainable = false", name, variable.name)
    end
  end
end

-- Adds a call of fn with a gradient. gradient(operands, upstream) returns an array of gradients, one an operand;
-- it runs in a region of its own.
local function call_with_gradient(name, inputs, fn, gradient, may_assign)
  local forward, skeleton, outputs = trace_region(name, inputs, fn)
  if #forward.assigned > 0 and not may_assign then
    errors.raise("%s: the function assigns variable '%s'; do that outside of it", name,
      forward.assigned[1].name)
  end
  refuse_assigned(name, forward)
  local result_count = #outputs
  for i, variable in ipairs(forward.assigned) do -- their new values are results as well
    outputs[result_count + i] = forward.variables[variable].tensor
    forward:node(outputs[result_count + i])
  end
  local types = tables.join(inputs, outputs)
  local backward, _, gradients = trace_region(name .. "_gradient", types, function(...)
    local operands, upstream = { ... }, {}
    for i = 1, #outputs do
      upstream[i] = operands[#inputs + i]
      operands[#inputs + i] = nil
    end
    return gradient(operands, upstream, forward)
  end)
  local captures, place = union_captures(forward, backward)
  -- gradients of captured tensors: what backward has for them, else zeros
  local all = {}
  trace.with(backward, function()
    for i, input in ipairs(inputs) do
      all[i] = gradients[i] or ops.zeros(input.shape, input.dtype)
    end
    for i, captured in ipairs(captures) do
      all[#inputs + i] = backward.captured_gradients and backward.captured_gradients[captured]
        or ops.zeros(captured.shape, captured.dtype)
    end
  end)
  local results = { trace.apply("call", tables.join(inputs, captures), { name = name }, {
    assemble(forward, outputs, inputs, captures, place), assemble(backward, all, inputs, captures, place, outputs) }) }
  for i, variable in ipairs(forward.assigned) do
    trace.top():assign(variable, results[result_count + i])
  end
  return unpack(structure.rebuild(skeleton, results), 1, skeleton.count)
end

--- Makes of a function, which returns its value and a function from upstream gradients to gradients of its
--- arguments, one that differentiates like that.
--- ```lua
--- local twice = pod.custom_gradient(function(x)
---   return x * 2, function(g)
---     return g * 2
---   end
--- end)
--- assert(twice(pod.tensor(3)):item() == 6)
--- ```
function ops.custom_gradient(fn)
  return function(...)
    local inputs = {}
    for i = 1, select("#", ...) do
      inputs[i] = convert((select(i, ...)))
    end
    return call_with_gradient("custom_gradient", inputs, function(...)
      local value = fn(...)
      return value
    end, function(operands, upstream)
      local _, gradient = fn(unpack(operands, 1, #operands))
      if type(gradient) ~= "function" then
        errors.raise("custom_gradient: the function must return its value and a function that "
          .. "returns gradients")
      end
      return gradient(unpack(upstream, 1, #upstream))
    end)
  end
end

--- Returns x, which cannot be read before the tensors (of floats) in a list are computed: what is computed of it
--- waits, and takes no memory until then. A condition that always holds chooses it, but to know that takes the sum.
---@example pod.after({ 1, 2 }, { pod.tensor(3) }) --> { 1, 2 }
function ops.after(x, list)
  x = convert(x)
  local sum
  for _, t in ipairs(list) do
    local part = ops.sum(ops.cast(t, "float32"))
    sum = sum and sum + part or part
  end
  if not sum then
    return x
  end
  if trace.enclosing "core" then -- of all replicas
    sum = trace.apply("all_reduce", { sum }, { reduction = "sum" })
  end
  local always = ops.logical_or(ops.equal(sum, sum), ops.not_equal(sum, sum))
  return ops.where(always, x, ops.zeros(x.shape, x.dtype))
end

--- Makes of a function one whose inner values are computed again in the backward pass instead of kept.
---@example pod.remat(function(x) return x * x end)(pod.tensor { 3 }) --> { 9 }
function ops.remat(fn)
  return function(...)
    local arguments = structure.pack(...)
    local inputs = {}
    local skeleton = structure.flatten({ structure.unpack(arguments) }, is_tensor, inputs)
    local random_place -- what is drawn again must be what was drawn
    local function keep_place(place, ...)
      random_place = place
      return ...
    end
    local function body(...)
      local rebuilt = structure.rebuild(skeleton, { ... })
      return keep_place(trace.with_random_place(random_place, fn, unpack(rebuilt, 1, arguments.n)))
    end
    return call_with_gradient("remat", inputs, body, function(operands, upstream, forward)
      local region = trace.current()
      local sources, hidden, known = {}, {}, {}
      for _, t in ipairs(upstream) do
        known[#known + 1] = ops.is_float(t.dtype) and t or nil
      end
      for i, operand in ipairs(operands) do
        hidden[i] = ops.after(ops.barrier(operand), known)
        sources[i] = hidden[i]
      end
      -- what the forward pass captures is hidden as well, so that it is computed from anew
      local captured = {}
      for _, parameter in ipairs(forward.parameters) do
        if parameter.kind == "capture" then
          local inner = region:inside(parameter.tensor)
          local barrier = ops.barrier(inner)
          captured[#captured + 1] = parameter.tensor
          sources[#sources + 1] = barrier
          region.captured[parameter.tensor] = region:node(barrier)
        end
      end
      local results = structure.pack(trace.scope("again", body, unpack(hidden, 1, #hidden)))
      local outputs = {}
      structure.flatten({ structure.unpack(results) }, is_tensor, outputs)
      local gradients = trace.gradients(outputs, upstream, sources)
      region.captured_gradients = {}
      for i, t in ipairs(captured) do
        region.captured_gradients[t] = gradients[#hidden + i] or nil
      end
      local own = {}
      for i = 1, #hidden do
        own[i] = gradients[i] or ops.zeros(hidden[i].shape, hidden[i].dtype)
      end
      return unpack(own, 1, #own)
    end, true)
  end
end

-- ---- seeing and checking -------------------------------------------------------------------------------------

--- Prints a tensor each time it is computed: print(label, t) or print(t). Returns t.
--- ```lua
--- local twice = pod.func(function(x) return pod.print("x is", x) * 2 end)
--- assert(twice(pod.tensor(3)):item() == 6) -- each call prints x
--- ```
function ops.print(label, t)
  if t == nil then
    label, t = "", label
  end
  errors.check_type(label, "string", "print", "the label")
  t = convert(t)
  if tensor.is_known(t) and not trace.is_tracing() then
    trace.print_hook(label, t)
    return t
  end
  return trace.apply("print", { t }, { name = label })
end

-- As pod.check() where what it returns is used: an eager one fails with what it is used for.
function ops._checked(t, condition, message)
  return trace.apply("check", { convert(t), ops.cast(condition, "bool") },
    { name = message or "a check failed" })
end

--- Returns t; the run fails with the message where the condition (booleans of any shape) is false, outside of traced
--- functions at once.
---@example pod.check(pod.tensor(1), true):item() --> 1
function ops.check(t, condition, message)
  local checked = ops._checked(t, condition, message)
  if not trace.is_tracing() then
    trace.materialize(checked)
  end
  return checked
end

return ops
