-- buckets - batches of elements of similar length.
--
-- The length is traced where that can be done, of the sizes of an element; else its function runs here, for each
-- element.

local dataset = require "moonpod.data.dataset"
local device = require "moonpod.tensor.device"
local element = require "moonpod.data.element"
local errors = require "moonpod.base.errors"
local padding = require "moonpod.data.padding"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local traced = require "moonpod.data.traced"
local is_whole = require "moonpod.base.kinds".is_whole

local WHERE = "bucket_by_sequence_length"
local OPTIONS = { element_length_func = true, bucket_boundaries = true, bucket_batch_sizes = true,
  padded_shapes = true, padding_values = true, pad_to_bucket_boundary = true, drop_remainder = true,
  no_padding = true, in_step = true }
local LENGTH = { dtype = "int64", shape = {} }

-- A chain whose elements have their length as a last component, by a function that runs here; and what it calls.
local function with_lengths(self, fn)
  local components, context = self._handle:components(), device.context()
  local source = device.core.source(function(_, buffers)
    local value = element.rebuild(self._skeleton, element.wrap(buffers, components))
    local length = fn(element.spread(value))
    length = tensor.is(length) and length:item() or length
    if not is_whole(length) then
      errors.raise("the length of an element must be an integer, not %s", errors.describe(length))
    end
    return tables.join(buffers, { device.core.buffer(context, length, "int64") })
  end)
  local handle = dataset.call(device.core.dataset_compute, self._handle, source, tables.join(components, { LENGTH }))
  return dataset.labelled(handle, WHERE, errors.location()), { source }
end

local function check_integers(values, least, name)
  errors.check_type(values, "table", WHERE, name)
  for i, value in ipairs(values) do
    dataset.check_integer(value, least, WHERE, ("%s[%d]"):format(name, i))
  end
  return values
end

local function check(options)
  options = errors.check_options(options, OPTIONS, WHERE)
  errors.check_type(options.element_length_func, "function", WHERE, "element_length_func")
  local boundaries = check_integers(options.bucket_boundaries, -2 ^ 53, "bucket_boundaries")
  local sizes = check_integers(options.bucket_batch_sizes, 1, "bucket_batch_sizes")
  if #sizes ~= #boundaries + 1 then
    errors.raise("%s: %d boundaries make %d buckets, but there are %d batch sizes", WHERE, #boundaries,
      #boundaries + 1, #sizes)
  end
  dataset.check_integer(options.in_step or 1, 1, WHERE, "in_step")
  return options, boundaries, sizes
end

-- See dataset:bucket_by_sequence_length().
return function(self, options)
  local boundaries, sizes
  options, boundaries, sizes = check(options)
  self = dataset.settled(self, WHERE)
  local shapes, values = padding.of(self, options, WHERE)
  local graph = traced.length(options.element_length_func, self._handle:components(), self._skeleton)
  local handle, sources = self._handle, {}
  if not graph then
    handle, sources = with_lengths(self, options.element_length_func)
  end
  handle = dataset.call(handle.bucket_by_sequence_length, handle, graph, boundaries, sizes, {
    in_step = options.in_step or 1,
    pad_to_boundary = options.pad_to_bucket_boundary,
    drop_remainder = options.drop_remainder,
    no_padding = options.no_padding,
  }, shapes, values)
  local is_even = tables.all(sizes, function(size)
    return size == sizes[1]
  end)
  return dataset.derive(self, dataset.labelled(handle, WHERE, errors.location()), {
    _sources = tables.join(sources, self._sources),
    _batch_size = sizes[1],
    _batch_static = options.drop_remainder and is_even or false,
  })
end
