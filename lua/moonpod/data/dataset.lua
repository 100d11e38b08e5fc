-- dataset - chains of stages that prepare batches.
--
-- A dataset keeps stages of the core (`_handle`, which move and stack raw rows) apart from functions that map
-- elements and are not applied yet (`_steps`). A function that was mapped before shuffle, batch, repeat,
-- take, skip, cache or prefetch gives the same when it is applied behind them, to whole batches; so it
-- waits, until a stage needs its results, a loop asks for elements, or a model takes it into its step
-- (raw() and decode()): pixels then travel as bytes and become floats where they are used.
--
-- This is what all datasets are; moonpod.data.elements adds what gives their elements, moonpod.data.methods the other
-- methods.

local element = require "moonpod.data.element"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local global_state = require "moonpod.base.global_state"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"
local is_whole = require "moonpod.base.kinds".is_whole

local dataset = {}

-- For functions that are mapped.
local function traced()
  return require "moonpod.data.traced"
end

local Dataset = { __name = "moonpod.dataset" }
local methods = {}
dataset.metatable = Dataset

dataset.AUTOTUNE = -1
dataset.INFINITE = -1
dataset.UNKNOWN = -2
dataset.SHARD_HINT = -1

-- ---- making ---------------------------------------------------------------------------------------------

-- Calls a function of the core; its errors get the user's line.
local function results_of(ok, ...)
  if not ok then
    errors.raise_from_core((...))
  end
  return ...
end

local function call(fn, ...)
  return results_of(pcall(fn, ...))
end
dataset.call = call

-- Wraps a chain of the core. fields: sources (generators' userdata that must live as long), source (text).
function dataset.new(handle, skeleton, fields)
  local self = fields or {}
  self._handle, self._skeleton = handle, skeleton
  self._steps = self._steps or {}
  self._sources = self._sources or {}
  self._options = self._options or {}
  self._runs = self._runs or { iterators = setmetatable({}, { __mode = "v" }) } -- for stats()
  return setmetatable(self, Dataset)
end

--- Whether a value is a dataset.
---@example pod.data.is_dataset(pod.data.range(3)) --> true
function dataset.is(value)
  return type(value) == "table" and getmetatable(value) == Dataset
end

--- Rows of tensors, along axis 0. x: a tensor, an array of numbers, or a (nested) table of such.
---@example pod.data.from_tensor_slices({ pod.ones { 4, 3 }, pod.zeros { 4 } }):cardinality() --> 4
function dataset.of_rows(x)
  local leaves, skeleton = element.flatten(element.tensors(x, "from_tensor_slices"), tensor.is, "from_tensor_slices")
  local handle = call(device.core.dataset_from_slices, device.context(), element.buffers(leaves))
  return dataset.new(handle, skeleton)
end

-- A copy with another chain, and other fields where given.
local function derive(self, handle, changes)
  local fields = tables.merge({
    _steps = self._steps,
    _sources = self._sources,
    _options = self._options,
    _ahead = self._ahead,
    _batch_size = self._batch_size,
    _batch_static = self._batch_static,
    _windows = self._windows,
    _shuffled = self._shuffled,
    _taken = self._taken,
    source = self.source,
  }, changes)
  return dataset.new(handle, fields._skeleton or self._skeleton, fields)
end

dataset.derive = derive

-- ---- functions that wait ---------------------------------------------------------------------------------

local function is_static(components)
  return tables.all(components, function(component)
    return tables.all(component.shape, function(size)
      return size >= 0
    end)
  end)
end

dataset.is_static = is_static

-- Types of batches of `rows` elements of these types.
local function stacked(components, rows)
  return tables.map(components, function(component)
    return { dtype = component.dtype, shape = tables.join({ rows }, component.shape) }
  end)
end

-- Types and skeleton of the elements that functions get: those of the last step, or the raw ones.
local function current_types(self)
  local last = self._steps[#self._steps]
  if not last then
    return self._handle:components(), self._skeleton
  end
  if last.kind == "rows" then
    return stacked(last.outputs, self._handle:components()[1].shape[1]), last.out_skeleton
  end
  return last.outputs, last.out_skeleton
end

dataset.current_types = current_types

-- Sizes that are not known, as those of a full batch.
local function filled_in(components, size)
  local result = {}
  for i, component in ipairs(components) do
    local dims = {}
    for j, dim in ipairs(component.shape) do
      if dim < 0 and (j > 1 or not size) then
        return nil
      end
      dims[j] = dim < 0 and size or dim
    end
    result[i] = { dtype = component.dtype, shape = dims }
  end
  return result
end

-- Bytes of an array of known sizes.
local function bytes_of(component)
  local bytes = trace.dtype_sizes[component.dtype]
  for _, size in ipairs(component.shape) do
    bytes = bytes * size
  end
  return bytes
end

-- The last batch may be shorter: sizes of results that follow the batch's are not known. A batch of another size shows
-- which these are; where fn cannot take one, a first axis as long as the batch is taken for one.
local function forget_batch_sizes(self, step, components)
  local ok, _, others = pcall(traced().graph, step.fn, filled_in(components, self._batch_size + 1), step.skeleton,
    step.random_seed)
  for i, output in ipairs(step.outputs) do
    local dims, other = {}, ok and others and others[i] and others[i].shape
    for j, size in ipairs(output.shape) do
      local follows = j == 1 and size == self._batch_size
      if other and #other == #output.shape then
        follows = other[j] ~= size
      end
      dims[j] = follows and -1 or size
    end
    output.shape = dims
  end
end

-- The step that a function is: traced now, so that a fault in it shows at the line of the map. A function that
-- draws random numbers needs elements with numbers, `random_seed` tells that they have them; else nil is returned.
local function new_step(self, fn, random_seed)
  local components, skeleton = current_types(self)
  local step = { fn = fn, skeleton = skeleton, location = errors.location(), random_seed = random_seed,
    state = global_state.take() }
  step.kind = self._batch_size and "batch" or "element"
  local inputs = is_static(components) and components
    or self._batch_size and filled_in(components, self._batch_size)
  if not inputs then
    element.check_sizes(components, "map", element.PAD)
  end
  local graph, outputs, out_skeleton = traced().graph(fn, inputs, skeleton, random_seed)
  if not graph then
    return nil
  end
  step.inputs, step.outputs, step.out_skeleton = inputs, outputs, out_skeleton
  if is_static(components) then
    step.graph = graph
  else
    forget_batch_sizes(self, step, components)
  end
  return step
end

-- Applies a step to tensors in the trace that is open.
function dataset.apply_step(step, leaves)
  if step.kind == "element" then
    return trace.inline(step.graph, leaves)
  elseif step.kind == "rows" then
    return trace.inline(step.graph:map(leaves[1].shape[1]), leaves)
  end
  return trace.inline(traced().graph_for(step, element.types(leaves)), leaves)
end

-- Gives a stage of the core that the user's functions or data can fail the name that messages call it by.
local function labelled(handle, stage, location)
  return location and call(handle.label, handle, ("%s (%s)"):format(stage, location)) or handle
end

dataset.labelled = labelled

-- Puts functions that wait into the chain of the core. Those for batches of changing sizes cannot be: they are
-- returned, for who can apply them otherwise.
local function applied(self)
  local handle, late = self._handle, {}
  for _, step in ipairs(self._steps) do
    if #late > 0 or step.kind == "batch" and not step.graph then
      late[#late + 1] = step
    else
      local copy = traced().copy(step.graph, step.inputs)
      handle = labelled(call(step.kind == "rows" and handle.map_rows or handle.map, handle, copy), "map",
        step.location)
      if step.threads and not handle:needs_own_thread() then
        handle = call(handle.parallel, handle, step.threads, step.deterministic)
      end
    end
  end
  return handle, late
end
dataset.applied = applied

-- A dataset whose elements are complete in the core's chain, for a stage that needs them.
local function settled(self, stage)
  if #self._steps == 0 and not self._ahead then
    return self
  end
  for _, step in ipairs(self._steps) do
    if step.on_device then
      errors.raise("%s: it would need what the function of move_to_device (%s) returns on the host, but that is part "
        .. "of the step; call move_to_device behind it, or map the function", stage, step.location or "?")
    end
  end
  local handle, late = applied(self)
  local sources = self._sources
  if late[1] then
    handle, sources = call(require "moonpod.data.computed_here", handle, late, sources)
    labelled(handle, "map", late[1].location)
  end
  if self._ahead then
    handle = call(handle.prefetch, handle, self._ahead)
  end
  local last = self._steps[#self._steps]
  return derive(self, handle, {
    _steps = {},
    _sources = sources,
    _ahead = false,
    _skeleton = last and last.out_skeleton or self._skeleton,
  })
end
dataset.settled = settled

-- A dataset whose prefetching is a stage of the chain: for stages behind which functions still wait.
local function with_prefetch(self)
  if not self._ahead then
    return self
  end
  return derive(self, call(self._handle.prefetch, self._handle, self._ahead), { _ahead = false })
end

dataset.with_prefetch = with_prefetch

-- ---- stages ------------------------------------------------------------------------------------------------

local function check_integer(value, least, where, what)
  if not is_whole(value, least) then
    errors.raise("%s: %s must be an integer of at least %d, not %s", where, what, least,
      errors.describe(value))
  end
  return value
end

-- The number of threads that options ask for: nil, AUTOTUNE or an integer of at least 1.
local function threads_of(options, where)
  local threads = options.num_parallel_calls
  if threads ~= nil and threads ~= dataset.AUTOTUNE then
    check_integer(threads, 1, where, "num_parallel_calls (or pod.data.AUTOTUNE)")
  end
  return threads
end
dataset.threads_of = threads_of

-- Runs the last stage of a settled dataset on several threads, where options ask for that.
local function in_parallel(self, options, where)
  local threads = threads_of(options, where)
  if threads == nil or self._handle:needs_own_thread() then
    return self
  end
  return derive(self, call(self._handle.parallel, self._handle, threads, options.deterministic))
end
dataset.in_parallel = in_parallel

-- A dataset with one more function that waits, a step with `fields`; `where` is the method that it was given to.
function dataset.waiting(self, fn, where, seed, fields)
  local step = new_step(self, fn)
  if not step then
    self, seed = settled(self, where), seed or dataset.draw_seed()
    self = derive(self, call(self._handle.number, self._handle, seed))
    step = new_step(self, fn, seed)
  end
  return derive(self, self._handle, { _steps = tables.join(self._steps, { tables.merge(step, fields) }) })
end

--- Stacks n elements along a new first axis. Options: drop_remainder leaves out a last batch that is short.
---@example pod.data.range(5):batch(2):totable()[3] --> { 4 }
function methods.batch(self, size, options)
  options = errors.check_options(options,
    { drop_remainder = true, num_parallel_calls = true, deterministic = true }, "batch")
  threads_of(options, "batch")
  check_integer(size, 1, "batch", "the size")
  if self._batch_size then
    self = settled(self, "batch")
  end
  self = with_prefetch(self)
  local steps = tables.map(self._steps, function(step)
    return tables.merge(step, { kind = "rows" })
  end)
  return derive(self, call(self._handle.batch, self._handle, size, options.drop_remainder),
    { _steps = steps, _batch_size = size, _batch_static = options.drop_remainder or false, _windows = false })
end

dataset.check_integer = check_integer

-- Seeds for shuffles without one come from pod.random, so that pod.random.set_seed() covers them.
local function draw_seed()
  local random = require "moonpod.func.random"
  return trace.escape(function()
    return random.uniform({}, { maxval = 2 ^ 31 - 1, dtype = "int32" }):item()
  end)
end

dataset.draw_seed = draw_seed

-- The seed that options ask for, or one that is drawn.
function dataset.seed_of(options, where)
  return options.seed and check_integer(options.seed, 0, where, "the seed") or draw_seed()
end

--- Draws elements from a buffer that the next ones fill (as tf.data). Options: seed, reshuffle_each_iteration (true).
---@param options.reshuffle_each_iteration boolean whether each pass has another order (default true)
---@example pod.data.range(5):shuffle(5, { seed = 1 }):cardinality() --> 5
function methods.shuffle(self, buffer_size, options)
  options = errors.check_options(options, { seed = true, reshuffle_each_iteration = true }, "shuffle")
  check_integer(buffer_size, 1, "shuffle", "the buffer size")
  self = with_prefetch(self)
  return derive(self, call(self._handle.shuffle, self._handle, buffer_size, dataset.seed_of(options, "shuffle"),
    options.reshuffle_each_iteration == false),
    { _shuffled = { buffer_size = buffer_size, elements = self._handle:cardinality() } })
end

local function counting(name)
  -- repeat_ without a count never ends; take and skip need one.
  return function(self, count)
    if count == nil and name == "repeat_" then
      count = -1
    end
    check_integer(count, -1, name, "the count")
    self = with_prefetch(self)
    return derive(self, call(self._handle[name], self._handle, count))
  end
end

---@name dataset:repeat_ dataset:rep
--- Passes over the elements n times; without n for ever.
---@example pod.data.range(2):repeat_(3):cardinality() --> 6
methods.repeat_ = counting "repeat_"
methods.rep = methods.repeat_
-- The first n elements; -1: all.
methods.take = counting "take"
---@name dataset:skip
--- All but the first n elements, or none where n is -1.
---@example pod.data.range(5):skip(2):cardinality() --> 3
methods.skip = counting "skip"

--- Prepares n elements ahead on a thread of its own; pod.data.AUTOTUNE finds n.
---@example pod.data.range(5):batch(2):prefetch(1):cardinality() --> 3
function methods.prefetch(self, count)
  if count == nil then
    count = dataset.AUTOTUNE
  end
  check_integer(count, -1, "prefetch", "the buffer size")
  return derive(with_prefetch(self), self._handle, { _ahead = count })
end

-- ---- description -----------------------------------------------------------------------------------------------

--- The number of elements; pod.data.INFINITE (-1) or pod.data.UNKNOWN (-2).
---@example pod.data.range(5):cardinality() --> 5
function methods.cardinality(self)
  return self._handle:cardinality()
end

--- Estimated bytes that an iterator holds besides its sources; nil when sizes are not known.
---@example pod.data.range(4):batch(2):host_bytes() --> 16
function methods.host_bytes(self)
  local steps = {}
  for i, step in ipairs(self._steps) do
    if step.on_device then
      break
    end
    steps[i] = step
  end
  local handle, late = applied(derive(self, self._handle, { _steps = steps }))
  if self._ahead then
    handle = call(handle.prefetch, handle, self._ahead)
  end
  local bytes = handle:host_bytes()
  for _, step in ipairs(bytes and late or {}) do -- for batches of changing sizes: the results of one
    for _, output in ipairs(filled_in(step.outputs, self._batch_size) or {}) do
      bytes = bytes + bytes_of(output)
    end
  end
  return bytes
end

function Dataset.__pairs()
  errors.raise "a dataset has elements, not pairs: go through them by `for x in ds:iter() do`"
end

function Dataset.__index(self, key)
  if type(key) == "number" then
    errors.raise("a dataset has no element by its number: ds:skip(%s):take(1) has the one behind %s", key, key)
  end
  if key == "device_map" then
    if #rawget(self, "_steps") == 0 then
      return nil
    end
    return function(...)
      return methods.decode(self, ...)
    end
  end
  local method = methods[key]
  if method == nil and type(key) == "string" and key:sub(1, 1) ~= "_" and key ~= "source" then
    errors.raise("datasets have no '%s'%s", key, errors.suggest(key, methods))
  end
  return method
end

function Dataset.__len(self)
  local count = self:cardinality()
  if count < 0 then
    errors.raise("#dataset: the number of elements is %s", count == dataset.INFINITE and "infinite" or "not known")
  end
  return count
end

function Dataset.__tostring(self)
  local components = current_types(self)
  local count = self:cardinality()
  return ("<dataset '%s' of %s, %s>"):format(self._handle:stage(), element.describe(components),
    count == dataset.INFINITE and "without end" or count == dataset.UNKNOWN and "length unknown"
    or count .. " elements")
end

dataset.methods = methods

return dataset
