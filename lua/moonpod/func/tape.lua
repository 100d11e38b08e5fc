-- tape - gradients of what was computed while it recorded.

local around = require "moonpod.base.around"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local own_means = require "moonpod.func.own_means"
local readable = require "moonpod.base.readable"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local variable = require "moonpod.func.variable"

local tape = {}

local Tape = { __name = "moonpod.tape" }
Tape.__index = Tape

function Tape.__tostring(self)
  return self.done and "<tape: used>" or self.recording and "<tape: recording>" or "<tape>"
end

--- Remembers what a variable was read as: called by traces.
--- ```lua
--- local v = pod.variable(3)
--- local tape = pod.tape(function() return v * v end)
--- assert(tape:watched_variables()[1] == v) -- reading v called it
--- ```
function Tape:saw(seen, t)
  if not self.watches then
    return
  end
  local reads = self.reads[seen]
  if not reads then
    reads = {}
    self.reads[seen] = reads
    self.order[#self.order + 1] = seen
  end
  if not rawequal(reads[#reads], t) then
    reads[#reads + 1] = t
  end
end

local function start(options)
  options = errors.check_options(options, { persistent = true, watch_accessed_variables = true },
    "tape")
  local self = setmetatable({
    persistent = options.persistent or false,
    watches = options.watch_accessed_variables ~= false,
    reads = {}, -- variable -> array of tensors
    order = {}, -- variables in the order of their first read
    recording = true,
    done = false,
  }, Tape)
  trace.attach(self)
  trace.tapes[#trace.tapes + 1] = self
  return self
end

-- Takes a tape off those that record, and then with `gives_back` gives back what it recorded: no more gradients. Calls
-- nothing before that: see around.
local function stop(self, gives_back)
  local tapes, kept = trace.tapes, 0
  self.recording = false
  for i = 1, #tapes do
    local one = tapes[i]
    tapes[i] = nil
    if one ~= self then
      kept = kept + 1
      tapes[kept] = one
    end
  end
  if gives_back and not self.done then
    self.done = true
    return trace.detach(self)
  end
end

--- Stops recording; gradients can still be asked for.
--- ```lua
--- local v = pod.variable(3)
--- local tape, y = pod.tape(function() return v * v end)
--- assert(tape:stop():gradient(y, v):item() == 6)
--- ```
function Tape:stop()
  stop(self)
  return self
end

--- Ends the recording, as the end of a <close> variable does: gradients can be asked for once. A persistent tape, which
--- may have answered already, gives back what it recorded.
--- ```lua
--- local v = pod.variable(3)
--- local tape = pod.tape()
--- local y = v * v
--- tape:close()
--- assert(tape:gradient(y, v):item() == 6)
--- ```
function Tape:close()
  self:stop()
  if self.persistent then
    stop(self, true)
  end
end
Tape.__close = Tape.stop

--- Variables that were read, in order.
--- ```lua
--- local v = pod.variable(3)
--- local tape = pod.tape(function() return v * v end)
--- assert(#tape:watched_variables() == 1)
--- ```
function Tape:watched_variables()
  return self.order
end

--- Makes a tensor or variable a source of gradients. Tensors need no watching; with
--- watch_accessed_variables = false variables do.
--- ```lua
--- local x = pod.tensor(3)
--- local tape, y = pod.tape(function(tape)
---   tape:watch(x)
---   return x * x
--- end)
--- assert(tape:gradient(y, x):item() == 6)
--- ```
function Tape:watch(source)
  if variable.is_variable(source) then
    local watches = self.watches
    self.watches = true
    self:saw(source, source:value())
    self.watches = watches
  else
    self.trace:node(tensor.convert(source))
  end
end

local function is_source(value)
  return tensor.is(value) or variable.is_variable(value)
end

-- The tensors of this tape's trace that stand for a source.
local function nodes_of(self, source)
  if variable.is_variable(source) then
    return self.reads[source] or {}
  end
  if rawget(source, "_trace") == self.trace or self.trace.captured[source] then
    return { source }
  end
  return {}
end

local function targets_of(self, target)
  local list = {}
  structure.flatten(target, is_source, list)
  if #list == 0 then
    errors.raise("tape:gradient: the target is no tensor")
  end
  local own = {}
  for i, t in ipairs(list) do
    t = tensor.convert(t)
    if rawget(t, "_trace") == self.trace then
      own[#own + 1] = { tensor = t, place = i }
    end
  end
  return own
end

local function check_usable(self)
  if self.done and self.persistent then
    errors.raise("this tape was closed: gradient() has nothing to go back through any more")
  elseif self.done then
    errors.raise("this tape was used already: gradient() of a tape that is not persistent works once; "
      .. "pod.tape { persistent = true } keeps it")
  end
end

-- Runs fn where the tape's nodes are: its own trace, which need not be the current one any more.
local function in_trace(self, fn)
  local current = trace.top()
  if current == self.trace then
    return fn()
  end
  return trace.with(self.trace, fn)
end

local function compute(self, target, sources, upstream)
  local targets = targets_of(self, target)
  local outputs, seeds = {}, upstream and {} or nil
  for i, entry in ipairs(targets) do
    outputs[i] = entry.tensor
    if upstream then
      local seed = tensor.is(upstream) and upstream or upstream[entry.place]
      seeds[i] = tensor.convert(seed, entry.tensor.dtype)
    end
  end
  local flat, spans = {}, {}
  for i, source in ipairs(sources) do
    spans[i] = { first = #flat + 1 }
    tables.extend(flat, nodes_of(self, source))
    spans[i].last = #flat
  end
  local gradients = #outputs > 0 and #flat > 0 and trace.gradients(outputs, seeds, flat, self.since) or {}
  local results = {}
  for i, span in ipairs(spans) do
    for j = span.first, span.last do
      local part = gradients[j]
      if part then
        results[i] = results[i] and results[i] + part or part
      end
    end
  end
  own_means.note(outputs, results)
  return results
end

--- d(target) / d(source) for each of `sources`: a tensor, a variable, or a table of them; the answer has the same
--- structure, nil where the target does not depend on a source. A target that is not a scalar counts as the
--- sum of its elements (times output_gradients).
---@param options.output_gradients tensor|table what the elements of the target count
---@param options.unconnected_gradients "none"|"zero" what there is where the target does not depend on a source
--- ```lua
--- local x = pod.variable(3)
--- local tape, y = pod.tape(function() return x:value() * x:value() end)
--- assert(tape:gradient(y, x):item() == 6)
--- ```
function Tape:gradient(target, sources, options)
  options = errors.check_options(options, { output_gradients = true, unconnected_gradients = true },
    "tape:gradient")
  check_usable(self)
  local leaves = {}
  local skeleton = structure.flatten(sources, is_source, leaves)
  if #leaves == 0 then
    errors.raise("tape:gradient: there are no sources; give variables or tensors")
  end
  if not self.persistent then
    self:stop()
  end
  local results = in_trace(self, function()
    return compute(self, target, leaves, options.output_gradients)
  end)
  if options.unconnected_gradients == "zero" then
    for i, leaf in ipairs(leaves) do
      results[i] = results[i] or ops.zeros_like(leaf)
    end
  end
  if not self.persistent then
    stop(self, true)
  end
  return structure.rebuild(skeleton, results)
end

--- Records what is computed, for gradients. `pod.tape()` records until `gradient()`, `close()` or the end of a
--- `<close>` variable; `pod.tape(fn)` records while `fn(tape)` runs, and returns the tape and what `fn` returned. What
--- was computed before counts as constant.
---@param fn? function
---@param options.persistent boolean whether several gradients can be asked for
---@param options.watch_accessed_variables boolean whether variables are watched that are read (default true)
---@return tape
--- ```lua
--- local x = pod.variable(3)
--- local tape, y = pod.tape(function() return x:value() * x:value() end)
--- assert(tape:gradient(y, x):item() == 6)
--- ```
function tape.new(fn, options)
  if type(fn) ~= "function" then
    return start(fn)
  end
  local self
  local function results(...)
    return self, ...
  end
  return results(around(function()
    self = start(options)
  end, function(ok)
    if self then
      return stop(self, not ok)
    end
  end, function()
    return errors.calling(fn, self)
  end))
end

--- Compares gradients of fn(inputs...) with finite differences; raises where they differ. Inputs are float
--- tensors. Returns the largest difference found.
---@param options.epsilon number how far values are moved
---@param options.tolerance number how much slopes may differ
---@example pod.gradcheck(function(x) return pod.sum(x * x) end, { pod.tensor { 1, 2 } }) < 0.1 --> true
function tape.gradcheck(fn, inputs, options)
  options = errors.check_options(options, { epsilon = true, tolerance = true }, "gradcheck")
  local unpack = table.unpack or unpack -- luacheck: ignore
  if not readable.is_plain(inputs) then
    inputs = { inputs }
  end
  local points = tables.map(inputs, ops.cast, "float64")
  local self, value = tape.new(function(t)
    for _, x in ipairs(points) do
      t:watch(x)
    end
    return fn(unpack(points))
  end)
  local gradients = self:gradient(value, points)
  local epsilon, tolerance = options.epsilon or 1e-5, options.tolerance or 1e-4
  local worst = 0
  local function value_with(place, element, shift)
    local arguments = tables.slice(points)
    local x = points[place]
    local mask = ops.equal(ops.reshape(ops.iota({ x:size() }, 0), x.shape), element)
    arguments[place] = x + ops.cast(mask, "float64") * shift
    return ops.sum(fn(unpack(arguments))):item()
  end
  for place, x in ipairs(points) do
    local flat = gradients[place] and tensor.buffer(gradients[place])
    for element = 0, x:size() - 1 do
      local high, low = value_with(place, element, epsilon), value_with(place, element, -epsilon)
      local numeric = (high - low) / (2 * epsilon)
      local exact = flat and flat:item(element) or 0
      local difference = math.abs(numeric - exact) / math.max(1, math.abs(numeric))
      worst = math.max(worst, difference)
      if difference > tolerance or difference ~= difference then
        errors.raise("gradcheck: element %d of input %d: the gradient is %.9g, finite differences say "
          .. "%.9g", element + 1, place, exact, numeric)
      end
    end
  end
  return worst
end

---@name tape
--- Watches what is computed from `pod.tape()` to its `stop()`, and gives gradients of it.
--- ```lua
--- local x = pod.variable(3)
--- local tape = pod.tape()
--- local y = x:value() * x:value()
--- tape:stop()
--- assert(tape:gradient(y, x):item() == 6)
--- ```
declare.methods("tape", Tape, Tape, {
  ["seen:variable t:tensor_object"] = "saw",
  ["source:tensor"] = "watch",
  ["target:nest sources:nest options?"] = "gradient",
})
declare.metamethods("tape", Tape)
declare.functions("", tape, { ["fn inputs:nest options?"] = "gradcheck" })

return tape
