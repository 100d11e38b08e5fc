-- What layers, losses and optimizers need of tracing: names of nodes, the training flag, building while a trace is open,
-- sums over replicas.

local errors = require "moonpod.errors"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.trace"

local scope = {}

-- A tensor of a tensor, variable, number or nested table.
function scope.to_tensor(value)
  return tensor.convert(value)
end

-- Runs fn; the nodes it makes carry a name.
function scope.named(name, fn, ...)
  return trace.scope(name, fn, ...)
end

-- Runs fn eagerly although a trace may be open, for making variables.
function scope.outside_trace(fn, ...)
  if trace.current() == nil then
    return fn(...)
  end
  return trace.escape(fn, ...)
end

local training_stack = {}

-- The training flag of a call: as given, else that of the call around it, else false.
function scope.training(given)
  if given ~= nil then
    return given
  end
  return training_stack[#training_stack] or false
end

local function leave(depth, ok, ...)
  for i = #training_stack, depth + 1, -1 do
    training_stack[i] = nil
  end
  if not ok then
    error(..., 0)
  end
  return ...
end

-- Runs fn with a training flag for the calls within.
function scope.with_training(training, fn)
  local depth = #training_stack
  training_stack[depth + 1] = training
  return leave(depth, pcall(fn))
end

-- Warns the user on the error stream, with the line that caused it.
function scope.warn(format, ...)
  local where = errors.location()
  io.stderr:write("moonpod: warning: ", string.format(format, ...), where and " (" .. where .. ")" or "", "\n")
end

local logits = setmetatable({}, { __mode = "k" })

-- Remembers that a tensor is the softmax (or sigmoid) of logits, so that a cross-entropy can use those.
function scope.set_logits(probabilities, of)
  logits[probabilities] = of
end

function scope.logits_of(probabilities)
  return logits[probabilities]
end

function scope.copy_logits(from, to)
  logits[to] = logits[from]
end

-- Runs fn(parameter) in a trace that is thrown away; parameter(shape, dtype) gives a tensor without value.
function scope.scratch(fn)
  local scratch = trace.new("func", "scratch")
  return trace.with(scratch, fn, function(shape, dtype)
    return scratch:parameter(dtype, shape)
  end)
end

return scope
