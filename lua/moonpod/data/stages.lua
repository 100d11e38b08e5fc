-- stages - the methods of datasets beyond the plain ones; moonpod.data.methods adds them.

local basic = require "moonpod.data.basic"
local dataset = require "moonpod.data.dataset"
local device = require "moonpod.tensor.device"
local element = require "moonpod.data.element"
local errors = require "moonpod.base.errors"
local padding = require "moonpod.data.padding"
local pipeline_options = require "moonpod.data.options"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local traced = require "moonpod.data.traced"

local stages = { methods = {} }

local call, check_integer, derive, settled = dataset.call, dataset.check_integer, dataset.derive, dataset.settled
local methods = stages.methods

local unpack = table.unpack or unpack -- luacheck: ignore

local function check_dataset(value, where)
  if not dataset.is(value) then
    errors.raise("%s: %s is no dataset", where, errors.describe(value))
  end
  return value
end

-- What a dataset has of several that it is made of: the generators they need, and their options as those of one.
local function joined(inputs)
  return { _sources = tables.join(unpack(tables.column(inputs, "_sources"))),
    _options = tables.merge(unpack(tables.column(inputs, "_options"))) }
end

-- Settles datasets for a stage that has several inputs.
local function settle_all(inputs, where)
  return tables.map(inputs, function(input)
    return settled(check_dataset(input, where), where)
  end)
end

-- Traces a function of elements for a stage of the core; sizes must be known.
local function graph_of(self, fn, where)
  errors.check_type(fn, "function", where, "the function")
  local components = self._handle:components()
  element.check_sizes(components, where)
  return traced.graph(fn, components, self._skeleton)
end

-- ---- rows ---------------------------------------------------------------------------------------------

--- Keeps the elements for which fn returns true, a bool scalar. Options: num_parallel_calls, deterministic.
---@example pod.data.range(5):filter(function(x) return pod.greater(x, 2) end):batch(5):totable()[1] --> { 3, 4 }
function methods.filter(self, fn, options)
  options = errors.check_options(options, { num_parallel_calls = true, deterministic = true }, "filter")
  dataset.threads_of(options, "filter")
  self = settled(self, "filter")
  local graph, types = graph_of(self, fn, "filter")
  if #types ~= 1 or types[1].dtype ~= "bool" or #types[1].shape ~= 0 then
    errors.raise("filter: the function must return one bool, a scalar, not %s", element.describe(types))
  end
  local handle = dataset.labelled(call(self._handle.filter, self._handle, graph), "filter", errors.location())
  return dataset.in_parallel(derive(self, handle), options, "filter")
end

--- Element i where i mod n is index. shard(pod.data.SHARD_HINT, pod.data.SHARD_HINT): what is a host's, with
--- options { auto_shard = "HINT" }.
---@example pod.data.range(5):shard(2, 0):batch(3):totable()[1] --> { 0, 2, 4 }
function methods.shard(self, count, index)
  if count ~= dataset.SHARD_HINT or index ~= dataset.SHARD_HINT then
    check_integer(count, 1, "shard", "the number of shards")
    check_integer(index, 0, "shard", "the index")
  end
  self = dataset.with_prefetch(self)
  return derive(self, call(self._handle.shard, self._handle, count, index))
end

--- The elements of other datasets behind these.
---@example pod.data.range(2):concatenate(pod.data.range(3)):cardinality() --> 5
function methods.concatenate(self, ...)
  local inputs = settle_all({ self, ... }, "concatenate")
  return derive(inputs[1], call(device.core.dataset_concatenate, tables.column(inputs, "_handle")), joined(inputs))
end

--- Pairs of a number, from `start` on, and the element.
---@example pod.data.from_tensors({ 5 }):enumerate():cardinality() --> 1
function methods.enumerate(self, start)
  start = check_integer(start or 0, -2 ^ 53, "enumerate", "the start")
  return basic.zip { basic.range(start, start + 2 ^ 62 + 2 ^ 54), self } -- doubles: no sum is below 2^62 numbers
end

-- How many elements a chain gives whose number is not known: it runs through them.
local function count_of(self)
  local it = call(self._handle.iterator, self._handle, pipeline_options.of_iterator(self))
  local count = 0
  while call(it.next, it) ~= nil do
    count = count + 1
  end
  it:close()
  return count
end

-- All elements of a chain, so many, as one block a component.
local function blocks_of(self, count)
  local handle = self._handle
  local it = call(handle.iterator, call(handle.batch, handle, count, true),
    pipeline_options.of_iterator(self))
  local blocks = { call(it.next, it) }
  it:close()
  if blocks[1] == nil then
    errors.raise("pin: the dataset announced %d elements but gave fewer", count)
  end
  return blocks
end

--- Runs through the elements once, now, and keeps them in memory as one block a component: later stages only choose and
--- copy rows of it. Functions that wait go on waiting: bytes stay bytes. Where the number of elements is not known
--- before, as of CSV files, it runs through them once more, to count them.
---@example pod.data.range(5):pin():cardinality() --> 5
function methods.pin(self)
  self = dataset.with_prefetch(self)
  local count = self._handle:cardinality()
  if count == dataset.INFINITE then
    errors.raise "pin: the number of elements is infinite; take(n) before"
  elseif count == dataset.UNKNOWN then
    count = count_of(self)
  end
  if count == 0 then
    return self
  end
  local ok, blocks = pcall(blocks_of, self, count)
  if not ok then
    if #self._steps == 0 then
      error(blocks, 0)
    end
    -- What the functions wait for may be of changing shapes, where their results are not.
    self = settled(self, "pin")
    blocks = blocks_of(self, count)
  end
  return derive(self, call(device.core.dataset_from_slices, device.context(), blocks), { _sources = {} })
end

--- The rows of batches as elements.
---@example pod.data.range(4):batch(2):unbatch():cardinality() --> 4
function methods.unbatch(self)
  self = settled(self, "unbatch")
  return derive(self, call(self._handle.unbatch, self._handle), { _batch_size = false })
end

--- Stacks elements of different sizes, filled up at the end of each axis. Options: padded_shapes (a shape, or a
--- structure of them like an element; -1: as large as the largest), padding_values, drop_remainder.
--- ```lua
--- local ds = pod.data.range(1, 3)
---   :map(function(n) return n == 1 and { 7.5 } or { 1.5, 2.5, 3.5 } end, { interpret = true })
--- print(ds:padded_batch(2):iterator():next())
--- --> [[7.5 0.  0. ]
--- -->  [1.5 2.5 3.5]]
--- --> float32 (2, 3) on CPU:0
--- ```
function methods.padded_batch(self, size, options)
  options = errors.check_options(options, { padded_shapes = true, padding_values = true, drop_remainder = true },
    "padded_batch")
  check_integer(size, 1, "padded_batch", "the size")
  self = settled(self, "padded_batch")
  local shapes, values = padding.of(self, options, "padded_batch")
  return derive(self,
    call(self._handle.padded_batch, self._handle, size, options.drop_remainder, shapes, values),
    { _batch_size = size, _batch_static = options.drop_remainder or false })
end

--- Windows of elements: each is a dataset. Options: shift (size), stride (1), drop_remainder.
---@param options.shift integer how far windows are apart (default: `size`)
---@param options.stride integer how far elements of a window are apart
---@example pod.data.range(4):window(2):cardinality() --> 2
function methods.window(self, size, options)
  options = errors.check_options(options, { shift = true, stride = true, drop_remainder = true }, "window")
  check_integer(size, 1, "window", "the size")
  self = settled(self, "window")
  local handle = call(self._handle.window, self._handle, size,
    check_integer(options.shift or size, 1, "window", "the shift"),
    check_integer(options.stride or 1, 1, "window", "the stride"), options.drop_remainder)
  return derive(self, handle, { _windows = true, _batch_size = false })
end

-- ---- elements that become datasets -----------------------------------------------------------------------

-- The value that a function of elements gets for buffers of the core.
local function value_of(self, buffers, components)
  local value = element.rebuild(self._skeleton, element.wrap(buffers, components))
  if self._windows then
    return dataset.of_rows(value)
  end
  return value
end

-- The dataset that fn makes of an element.
local function expand(self, fn, value, where)
  local made
  if self._windows then
    made = fn(value)
  else
    made = fn(element.spread(value))
  end
  return settled(check_dataset(made, where .. ": what the function returned"), where)
end

-- Finds out what datasets fn makes by trying the first element.
local function try_first(self, fn, where)
  local it = derive(self, self._handle, { _windows = self._windows }):iterator { no_threads = true, epoch = 1,
    file_shards = 1, file_shard = 0, at_marks = true }
  local value = it:next_element()
  it:close()
  if value == nil then
    errors.raise("%s: the dataset is empty, so what the function makes cannot be found out", where)
  end
  return expand(self, fn, value, where), value
end

-- The same structure of zeros, whose unknown sizes are one more than an element's; nil without such sizes.
local function resized(self, value)
  local components, leaves = self._handle:components(), {}
  if self._windows or dataset.is_static(components) or components[1].text then
    return nil
  end
  for i, leaf in ipairs((element.flatten(value, tensor.is, "interleave"))) do
    local dims = {}
    for j, size in ipairs(leaf.shape) do
      dims[j] = components[i].shape[j] < 0 and size + 1 or size
    end
    leaves[i] = ops.zeros(dims, leaf.dtype)
  end
  return element.rebuild(self._skeleton, leaves)
end

-- The types of the elements of the datasets that fn makes: those of the first, without sizes that depend on an
-- element's, or that other datasets may end with.
local function types_of_made(self, fn, first, value, where)
  local types = first._handle:components()
  local other = resized(self, value)
  local ok, second = pcall(expand, self, fn, other, where)
  for i, component in ipairs(other and ok and second._handle:components() or {}) do
    for j, size in ipairs(types[i] and component.shape or {}) do
      types[i].shape[j] = types[i].shape[j] == size and size or -1
    end
  end
  for _, component in ipairs(first._batch_size and not first._batch_static and types or {}) do
    component.shape[1] = -1
  end
  return types
end

local function interleave(self, fn, options, where)
  errors.check_type(fn, "function", where, "the function")
  self = settled(self, where)
  local first, value = try_first(self, fn, where)
  local components = self._handle:components()
  local kept = {} -- generators of the datasets that are open
  local source = device.core.source(function(_, buffers)
    local made = expand(self, fn, value_of(self, buffers, components), where)
    tables.extend(kept, made._sources)
    return made._handle
  end)
  local outputs = types_of_made(self, fn, first, value, where)
  local handle = call(device.core.dataset_interleave, self._handle, source, outputs, options.cycle_length,
    options.block_length, options.num_parallel_calls, options.deterministic, first._handle:file_count() ~= nil)
  dataset.labelled(handle, where, errors.location())
  return dataset.new(handle, first._skeleton,
    { _sources = tables.join({ source }, self._sources), _options = self._options, _batch_size = first._batch_size })
end

--- The elements of the datasets that fn makes of elements, in turns. Options: cycle_length (datasets at once),
--- block_length (elements a turn), num_parallel_calls (datasets that are read ahead, each by a thread; AUTOTUNE),
--- deterministic = false (a turn passes over datasets that would have to be waited for). What fn makes is found out
--- from the first element.
---@param options.cycle_length integer how many datasets at once
---@param options.block_length integer elements a turn
--- ```lua
--- local ds = pod.data.range(2):interleave(function(x)
---   return pod.data.from_tensors(x):repeat_(2)
--- end, { cycle_length = 2 })
--- print(table.concat(ds:totable(), " "))
--- --> 0 1 0 1
--- ```
function methods.interleave(self, fn, options)
  options = errors.check_options(options, { cycle_length = true, block_length = true, num_parallel_calls = true,
    deterministic = true }, "interleave")
  return interleave(self, fn, {
    cycle_length = check_integer(options.cycle_length or 4, 1, "interleave", "the cycle length"),
    block_length = check_integer(options.block_length or 1, 1, "interleave", "the block length"),
    num_parallel_calls = dataset.threads_of(options, "interleave"),
    deterministic = options.deterministic,
  }, "interleave")
end

--- The elements of the datasets that fn makes of elements, one dataset after the other.
--- ```lua
--- local ds = pod.data.range(3):flat_map(function(x)
---   return pod.data.from_tensors(x):repeat_(2)
--- end)
--- print(table.concat(ds:totable(), " "))
--- --> 0 0 1 1 2 2
--- ```
function methods.flat_map(self, fn)
  return interleave(self, fn, { cycle_length = 1, block_length = 1 }, "flat_map")
end

-- ---- states ----------------------------------------------------------------------------------------------

--- fn(state, element values...) returns the new state and a result: gives the results.
--- ```lua
--- local sums = pod.data.range(3):scan(0, function(sum, x)
---   return sum + x, sum + x
--- end)
--- print(sums:batch(3):iterator():next())
--- --> [0. 1. 3.]
--- --> float32 (3,) on CPU:0
--- ```
function methods.scan(self, initial, fn)
  errors.check_type(fn, "function", "scan", "the function")
  self = settled(self, "scan")
  local states, state_skeleton = element.flatten(element.tensors(initial, "scan"), tensor.is, "scan")
  local own = self._handle:components()
  element.check_sizes(own, "scan")
  local components = tables.join(element.types(states), own)
  local result_skeleton
  local graph = traced.graph(function(state, value)
    local new_state, result = fn(state, element.spread(value))
    local leaves = element.flatten(element.tensors(new_state, "scan: the state"), tensor.is, "scan")
    if #leaves ~= #states then
      errors.raise("scan: the state has %d tensors before and %d after an element", #states, #leaves)
    end
    local results
    results, result_skeleton = element.flatten(element.tensors(result, "scan: the result"), tensor.is, "scan")
    return unpack(tables.extend(leaves, results))
  end, components, element.join({ state_skeleton, self._skeleton }, { #states, #own }))
  local handle = call(self._handle.scan, self._handle, graph, element.buffers(states))
  dataset.labelled(handle, "scan", errors.location())
  return dataset.new(handle, result_skeleton,
    { _sources = self._sources, _options = self._options })
end

--- fn(state, element values...) returns the new state: gives the last one. fn is compiled.
---@example pod.data.range(4):reduce(0, function(sum, x) return sum + x end):item() --> 6
function methods.reduce(self, initial, fn)
  errors.check_type(fn, "function", "reduce", "the function")
  dataset.check_end(self, "reduce")
  local func = require "moonpod.func"
  local compiled = func.new(fn, { name = "reduce" })
  local state = element.tensors(initial, "reduce")
  local it, count = self:iterator(), 0
  for value in function()
    return it:next_element()
  end do
    local ok, result = errors.attempt(compiled, state, element.spread(value))
    if not ok then
      it:close()
      errors.raise("reduce, element %d: %s", count, result)
    end
    state, count = result, count + 1
  end
  it:close()
  return state
end

-- ---- looking at a pipeline ---------------------------------------------------------------------------------------

--- What each stage did in the iterator that was opened last over this dataset (by a loop, fit, ...): see
--- moonpod.data.measure.
--- ```lua
--- local ds = pod.data.range(4):batch(2)
--- for _ in ds:iter() do end
--- for _, stage in ipairs(ds:stats()) do
---   print(stage.stage, stage.elements)
--- end
--- --> range    4
--- --> batch    2
--- ```
function methods.stats(self)
  local runs = self._runs
  local it = runs.iterators[1]
  local report = it and it:stages() or runs.report and runs.report()
  if not report then
    errors.raise("stats: nothing went through this dataset yet; iterate over it, or use bench()")
  end
  return report
end

-- ---- several datasets ------------------------------------------------------------------------------------------

--- Takes each element from a random one of several datasets. Options: weights, seed, stop_on_empty_dataset.
---@param options.weights number[] how often each is drawn from (default: all alike)
---@param options.stop_on_empty_dataset boolean whether it ends with the first that ends
---@example pod.data.sample_from_datasets({ pod.data.range(3), pod.data.range(3) }):take(2):cardinality() ~= 0 --> true
function stages.sample_from_datasets(inputs, options)
  options = errors.check_options(options, { weights = true, seed = true, stop_on_empty_dataset = true },
    "sample_from_datasets")
  errors.check_type(inputs, "table", "sample_from_datasets", "the datasets")
  inputs = settle_all(inputs, "sample_from_datasets")
  local seed = dataset.seed_of(options, "sample_from_datasets")
  local handle = call(device.core.dataset_sample, tables.column(inputs, "_handle"), options.weights, seed,
    options.stop_on_empty_dataset)
  return derive(inputs[1], handle, joined(inputs))
end

--- Takes element i from the dataset whose number, counted from 0, is element i of `choices`. Options:
--- stop_on_empty_dataset (true).
---@param options.stop_on_empty_dataset boolean whether it ends with the first that ends (default true)
--- ```lua
--- local small, large = pod.data.range(3), pod.data.range(10, 13)
--- local ds = pod.data.choose_from_datasets({ small, large }, pod.data.range(2):repeat_(2))
--- print(table.concat(ds:totable(), " "))
--- --> 0 10 1 11
--- ```
function stages.choose_from_datasets(inputs, choices, options)
  options = errors.check_options(options, { stop_on_empty_dataset = true }, "choose_from_datasets")
  errors.check_type(inputs, "table", "choose_from_datasets", "the datasets")
  inputs = settle_all(inputs, "choose_from_datasets")
  choices = settled(check_dataset(choices, "choose_from_datasets: choices"), "choose_from_datasets")
  local handle = call(device.core.dataset_choose, tables.column(inputs, "_handle"), choices._handle,
    options.stop_on_empty_dataset ~= false)
  return derive(inputs[1], handle, joined(tables.join({ choices }, inputs)))
end

return stages
