-- What layers, losses and optimizers need of tracing: names of nodes, the training flag, building while a trace is
-- open.

local global_state = require "moonpod.base.global_state"
local ops = require "moonpod.ops"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

-- to_tensor(value): a tensor of a tensor, variable, number or nested table. named(name, fn, ...) runs fn, whose nodes
-- carry a name; of(thing, fn, ...) the same with a thing's name, and the line where it was made.
local scope = { to_tensor = tensor.convert, named = trace.scope, of = trace.scope_of }

-- Runs fn eagerly although a trace may be open, for making variables.
function scope.outside_trace(fn, ...)
  if trace.current() == nil then
    return trace.outside_run(fn, ...)
  end
  return trace.escape(fn, ...)
end

local training_now = global_state.new("training flag", nil) -- of the call that is open; nil outside of all

-- Layers that change pictures at random do so, too, where nobody says whether it is training: by hand, and in functions
-- of datasets. So do models of such layers alone. A layer says so by trains_unasked in what defines it; those that may
-- stand beside them say false.
local function trains_unasked(one)
  local spec = one.spec or {}
  if not one._list_layers then
    return spec.trains_unasked or false
  end
  local any, all = false, true
  one:each_layer(function(each)
    local said = each.spec and each.spec.trains_unasked
    any = any or said or false
    all = all and (said ~= nil or each._list_layers ~= nil)
  end)
  return any and all
end

-- The training flag of a layer's call: as given, else that of the call around it, else false, but for layers that train
-- unasked.
function scope.training(given, one)
  if given ~= nil then
    return given
  end
  local around_it = training_now.value
  if around_it == nil then
    return trains_unasked(one)
  end
  return around_it
end

-- Runs fn with a training flag for the calls within.
function scope.with_training(training, fn)
  return training_now:with(training, fn)
end

local logits = setmetatable({}, { __mode = "k" })

-- Remembers that a tensor is the "softmax" or "sigmoid" of logits, so that a cross-entropy can use those.
function scope.set_logits(probabilities, of, kind)
  logits[probabilities] = { of = of, kind = kind }
end

-- The logits that a tensor is the softmax or sigmoid (`kind`) of, in its own dtype, or nil.
function scope.logits_of(probabilities, kind)
  local entry = logits[probabilities]
  return entry and entry.kind == kind and ops.cast(entry.of, probabilities.dtype) or nil
end

function scope.copy_logits(from, to)
  logits[to] = logits[from]
end

-- Runs fn(parameter) in a trace that is thrown away; parameter(shape, dtype) gives a tensor without value.
function scope.scratch(fn)
  local scratch = trace.new("func", "scratch")
  scratch.is_scratch = true
  return trace.with(scratch, fn, function(shape, dtype)
    return scratch:parameter(dtype, shape)
  end)
end

-- True inside of scope.scratch: only shapes are asked for.
function scope.in_scratch()
  local enclosing = trace.enclosing "func"
  return enclosing ~= nil and enclosing.is_scratch == true
end

return scope
