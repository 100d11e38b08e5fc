-- elements - the elements of datasets: decoding, iterators, loops.

local dataset = require "moonpod.data.dataset"
local element = require "moonpod.data.element"
local errors = require "moonpod.base.errors"
local iterator = require "moonpod.data.iterator"
local pipeline_options = require "moonpod.data.options"
local readable = require "moonpod.base.readable"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local methods = dataset.methods

--- The dataset without the functions that wait: its elements are raw components.
---@example pod.data.range(4):raw():cardinality() --> 4
function methods.raw(self)
  if #self._steps == 0 then
    return self
  end
  return dataset.derive(self, self._handle, { _steps = {}, _runs = self._runs, _whole = self })
end

--- Makes an element of raw components (as raw() gives them, in their flat order): applies the functions
--- that wait, in the trace that is open, and builds the element's structure. Returns the element's values.
--- ```lua
--- local ds = pod.data.range(4):batch(2):map(function(x) return x * 10 end)
--- local it = ds:raw():iterator()
--- print(ds:decode(it:next()))
--- --> [ 0 10]
--- --> int64 (2,) on CPU:0
--- ```
function methods.decode(self, ...)
  local leaves, skeleton = { ... }, self._skeleton
  for _, step in ipairs(self._steps) do
    leaves, skeleton = dataset.apply_step(step, leaves), step.out_skeleton
  end
  return element.spread(element.rebuild(skeleton, leaves))
end

--- What an element looks like: specs in the place of tensors. Sizes of -1 may differ from element to element.
---@example pod.data.from_tensor_slices(pod.ones { 4, 3 }):element_spec() --> spec(float32 (3,))
function methods.element_spec(self)
  local func = require "moonpod.func"
  local components, skeleton = dataset.current_types(self)
  local specs = {}
  for i, component in ipairs(components) do
    specs[i] = func.spec(component.shape, component.dtype)
  end
  return readable.of(element.rebuild(skeleton, specs))
end

--- The names of the stages of the core, first to last.
---@example pod.data.range(4):batch(2):stages() --> { "range", "batch" }
function methods.stages(self)
  return readable.of((dataset.with_prefetch(self)._handle:stages()))
end

--- dataset:options { name = value, ... } gives a dataset with them; dataset:options() a table of those it has.
---@example pod.data.range(4):options() ~= nil --> true
function methods.options(self, given)
  if given == nil then
    return tables.merge(self._options)
  end
  return dataset.derive(self, self._handle,
    { _options = tables.merge(self._options, pipeline_options.check(given)) })
end

-- What makes elements of raw components, without the data.
local Decoder = {}
Decoder.__index = Decoder
Decoder.decode = methods.decode

function dataset.decoder(self)
  return setmetatable({ _steps = self._steps, _skeleton = self._skeleton }, Decoder)
end

-- Whether elements are what their components are, so that decoders of one skeleton are alike.
function Decoder:is_plain()
  return #self._steps == 0
end

function Decoder:skeleton()
  return self._skeleton
end

--- An iterator: it:next(), it:has_next(), it:rewind(), it:peek_spec(), it:infeed(), it:stats(), it:cancel(),
--- it:close(), it:state() and it:restore(bytes), it:save(path) and it:load(path). Shuffles and random
--- numbers depend on `epoch`.
--- `convert`, if given, is applied to each
--- element.
---@param options.epoch integer the number of the pass, from 1 (default: one more than those that began before)
---@param options.repetition integer passes within it that came before
---@param options.skip integer elements to pass over
---@param options.file_shards integer of how many hosts
---@param options.file_shard integer which host's part of the files
---@param options.at_marks boolean whether the parts are of elements, where `shard(SHARD_HINT, SHARD_HINT)` stands
---@param options.no_threads boolean whether nothing is prepared ahead
---@return iterator
---@example pod.data.range(3):iterator():next():item() --> 0
function methods.iterator(self, options, convert)
  options = errors.check_options(options, { epoch = true, repetition = true, skip = true, no_threads = true,
    file_shards = true, file_shard = true, at_marks = true }, "iterator")
  local handle, late = dataset.applied(self)
  if self._ahead then
    handle = dataset.call(handle.prefetch, handle, self._ahead)
  end
  local last = self._steps[#self._steps - #late]
  local it = iterator.new {
    handle = dataset.call(handle.iterator, handle, pipeline_options.of_iterator(self, options)),
    components = handle:components(),
    skeleton = last and last.out_skeleton or self._skeleton,
    late = late,
    dataset = self,
    windows = self._windows,
    of_rows = dataset.of_rows,
    convert = convert,
    own_thread = handle:needs_own_thread(),
    runs = self._runs,
  }
  self._runs.iterators[1] = it
  return it
end

--- for x, y in ds:iter() do ... end. The iterator, which comes second, is closed when it is collected, or by close().
--- There is no closing value for the loop: Lua 5.4.0 to 5.4.5 confuse their stack where such a loop is left by break.
--- ```lua
--- for x in pod.data.range(4):batch(3):iter() do
---   print(x)
--- end
--- --> [0 1 2]
--- --> int64 (3,) on CPU:0
--- --> [3]
--- --> int64 (1,) on CPU:0
--- ```
function methods.iter(self, options)
  local it = methods.iterator(self, options)
  return it.next, it
end

-- Raises where a pass over all elements would not end.
function dataset.check_end(self, where)
  if self:cardinality() == dataset.INFINITE then
    errors.raise("%s: the dataset has no end; take(n) elements of it before", where)
  end
end

--- Calls fn(state, element values...) for each element, with what it returned before; returns the last state.
---@example pod.data.range(4):fold(0, function(sum, x) return sum + x:item() end) --> 6
function methods.fold(self, initial, fn)
  dataset.check_end(self, "fold")
  local state = initial
  local it = methods.iterator(self)
  local function step(first, ...)
    if first == nil then
      return false
    end
    state = fn(state, first, ...)
    return true
  end
  while step(it:next()) do
  end
  it:close()
  return state
end

--- All elements as an array, or the first `limit`: tensors as nested Lua tables. For small datasets and tests.
---@example #pod.data.range(3):totable() --> 3
function methods.totable(self, limit)
  if limit == nil then
    dataset.check_end(self, "totable")
  end
  local result = {}
  if limit == 0 then
    return result
  end
  local it = methods.iterator(self)
  for value in function()
    return it:next_element()
  end do
    result[#result + 1] = structure.map(value, tensor.is, function(t)
      return #t.shape == 0 and t:item() or t:totable()
    end)
    if limit and #result >= limit then
      break
    end
  end
  it:close()
  return result
end
