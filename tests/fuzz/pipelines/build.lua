-- build - makes a dataset of a chain: an array of stages { op =, ... }, the first of which is a source. peer.py does
-- the same with tf.data.

local pod = require "moonpod"
local functions = require "pipelines.functions"

local data = pod.data
local build = {}

local make

-- Options of a stage that may run on several threads.
local function parallel(how, options)
  if how.threads then
    options.num_parallel_calls = how.threads
  end
  return options
end

local function tuple_of(ds)
  return functions.is_tuple(ds:element_spec())
end

local sources = {}

function sources.range(call)
  return data.range(call.start, call.stop, call.step)
end

-- The values that leaves with extremes repeat, integers as int64 that are cast. peer.py has the same.
local function extremes_of(dtype)
  local bits = tonumber(dtype:match "int(%d+)$")
  if not bits then
    return { 0 / 0, 1 / 0, -1 / 0, -0.0, 0.5, 3e38, -1e30, 1 }
  elseif bits == 64 then
    return { math.mininteger or -2 ^ 63, math.maxinteger or 2 ^ 53, 0, -1, 1, 5 } -- of uint64 the middle, 0, the end
  end
  local half = 2 ^ (bits - 1)
  return dtype:find "^u" and { 0, 2 * half - 1, half, half - 1, 1, 5 } or { -half, half - 1, 0, -1, 1, 5 }
end

-- Row i of leaf j has the value i + 10 j + k at place k, or that extreme.
local function leaf_of(leaf, rows)
  local size = 1
  for _, dim in ipairs(leaf.shape) do
    size = size * dim
  end
  local values, dims = {}, { rows, functions.unpack(leaf.shape) }
  local extremes = leaf.extreme and extremes_of(leaf.dtype)
  for i = 0, rows - 1 do
    for k = 0, size - 1 do
      local value = i + 10 * leaf.number + k
      values[#values + 1] = extremes and extremes[value % #extremes + 1] or value
    end
  end
  if #values == 0 then
    return pod.zeros(dims, leaf.dtype)
  end
  local flat = pod.tensor(values, { dtype = extremes and leaf.dtype:find "float" and "float32" or "int64" })
  if leaf.dtype == "bool" then
    return pod.equal(flat % 2, 1):reshape(dims)
  end
  return flat:cast(leaf.dtype):reshape(dims)
end

local function structure_of(shape, rows)
  if shape.dtype then
    return leaf_of(shape, rows)
  end
  local result = {}
  for key, part in pairs(shape) do
    result[key] = structure_of(part, rows)
  end
  return result
end

function sources.slices(call)
  return data.from_tensor_slices(structure_of(call.structure, call.rows))
end

function sources.tensors(call)
  return data.from_tensors(structure_of(call.structure, call.rows))
end

function sources.generator(call)
  return data.from_generator(function()
    local i = 0
    return function()
      i = i + 1
      if i == call.fails then
        error("no luck", 0)
      end
      return call.rows[i]
    end
  end, pod.spec({ -1 }, "int64"))
end

local stages = {}

function stages.map(ds, call, how)
  local is_tuple, fn = tuple_of(ds), functions.map[call.fn]
  return ds:map(function(...)
    return fn(functions.packed(is_tuple, ...), call)
  end, parallel(how, { defer = not (call.at_once or how.made) }))
end

function stages.interpret(ds, call, how)
  local rank, given = call.fn == "double" and 1 or 0, ds:element_spec()
  assert(functions.is_leaf(given) and #given.shape == rank, "elements do not fit the function")
  local spec = call.fn == "fill" and pod.spec({ -1 }, "int64") or given
  return ds:map(functions.interpreted[call.fn], parallel(how, { interpret = true, output_signature = spec, seed = 1 }))
end

function stages.filter(ds, call, how)
  local is_tuple = tuple_of(ds)
  return ds:filter(function(...)
    local value = functions.checked(functions.packed(is_tuple, ...), call)
    return pod.not_equal(functions.key(value) % call.modulus, call.rest)
  end, parallel(how, {}))
end

function stages.scan(ds, call)
  return ds:scan(pod.tensor(0, { dtype = "int64" }), function(state, ...)
    local packed = select("#", ...) > 1 and { ... } or (...)
    local key = functions.key(functions.checked(packed, call))
    return state + key, { state, key }
  end)
end

function stages.batch(ds, call)
  return ds:batch(call.size, { drop_remainder = call.drop })
end

function stages.padded_batch(ds, call)
  return ds:padded_batch(call.size, { drop_remainder = call.drop, padded_shapes = call.shapes,
    padding_values = call.value })
end

for _, name in ipairs { "take", "repeat_" } do
  stages[name] = function(ds, call)
    return ds[name](ds, call.count)
  end
end

-- A stage that passes over no element makes them for the skip.
function stages.skip(ds, call, how)
  return (how.made and ds:concatenate() or ds):skip(call.count)
end

function stages.unbatch(ds)
  return ds:unbatch()
end

function stages.shard(ds, call)
  return ds:shard(call.count, call.index)
end

function stages.enumerate(ds, call)
  return ds:enumerate(call.start)
end

function stages.cache(ds, _, how)
  return ds:cache(how.path and how.path())
end

function stages.prefetch(ds, call)
  return ds:prefetch(call.count)
end

function stages.shuffle_one(ds)
  return ds:shuffle(1, { seed = 1 })
end

-- What runs through all elements at once fails at once, and leaves no file.
function stages.save(ds, _, how)
  local path = how.path and how.path()
  if not (path and pcall(ds.save, ds, path)) then
    local file = path and io.open(path)
    assert(not file, "a file is left")
    return ds
  end
  return data.load(path)
end

function stages.pin(ds)
  if ds:cardinality() < 0 then
    return ds
  end
  local ok, pinned = pcall(ds.pin, ds)
  return ok and pinned or ds
end

function stages.window(ds, call)
  return ds:window(call.size, { shift = call.shift, stride = call.stride, drop_remainder = call.drop })
    :flat_map(function(w)
      if call.take then
        w = w:take(call.take)
      end
      return call.batch and w:batch(call.batch, { drop_remainder = call.drop_batch }) or w
    end)
end

-- Functions for interleave, of an element.
local expansions = {}

function expansions.repeated(value, call)
  return data.from_tensors(value):repeat_(call.count)
end

function expansions.rows(value)
  return data.from_tensor_slices(value)
end

function expansions.checked_rows(value, call)
  return data.from_tensor_slices(value):map(function(...)
    return functions.checked(functions.packed(functions.is_tuple(value), ...), { fail = call.row_fail })
  end)
end

function expansions.range(value, call)
  return data.range(functions.key(value):item() % call.count)
end

function expansions.batches(value, call)
  return data.from_tensors(value):repeat_(call.count):batch(2)
end

local function expander(ds, call)
  local is_tuple = tuple_of(ds)
  return function(...)
    local value = functions.packed(is_tuple, ...)
    functions.check_here(value, call)
    return expansions[call.fn](value, call)
  end
end

function stages.flat_map(ds, call)
  return ds:flat_map(expander(ds, call))
end

function stages.interleave(ds, call, how)
  return ds:interleave(expander(ds, call),
    parallel(how, { cycle_length = call.cycle, block_length = call.block }))
end

function stages.group(ds, call)
  local is_tuple = tuple_of(ds)
  return ds:group_by_window {
    key = function(...)
      local value = functions.packed(is_tuple, ...)
      functions.check_here(value, call)
      return functions.key(value) % call.modulus
    end,
    window_size = call.size,
    reduce = function(key, window)
      if key == call.reduce_fails and window:cardinality() >= 0 then -- not the one that tells what is made
        error("no luck", 0)
      end
      return window:batch(call.batch)
    end,
  }
end

function stages.buckets(ds, call)
  local is_tuple = tuple_of(ds)
  return ds:bucket_by_sequence_length {
    element_length_func = function(...)
      return functions.leaves(functions.packed(is_tuple, ...))[1].shape[1]
    end,
    bucket_boundaries = call.boundaries, bucket_batch_sizes = call.sizes, drop_remainder = call.drop,
    pad_to_bucket_boundary = call.to_boundary,
  }
end

local function all_of(first, chains, how)
  local list = { first }
  for i, chain in ipairs(chains) do
    list[i + 1] = make(chain, how)
  end
  return list
end

function stages.zip(ds, call, how)
  local list = all_of(ds, call.others, how)
  if call.last then
    list[1], list[#list] = list[#list], list[1]
  end
  return data.zip(list)
end

function stages.concatenate(ds, call, how)
  local list = all_of(ds, call.others, how)
  return ds:concatenate(functions.unpack(list, 2))
end

function stages.choose(ds, call, how)
  local choices = data.from_tensor_slices(pod.tensor(call.choices, { dtype = "int64" }))
  return data.choose_from_datasets(all_of(ds, call.others, how), choices, { stop_on_empty_dataset = call.stop })
end

function stages.sample(ds, call, how)
  local list, weights = all_of(ds, call.others, how), {}
  for i = 1, #list do
    weights[i] = i == call.only and 1 or 0
  end
  return data.sample_from_datasets(list, { weights = weights, seed = 1, stop_on_empty_dataset = call.stop })
end

-- One stage more. how: threads (num_parallel_calls of stages that take them), path (gives names of files, for caches),
-- made (what stages leave out is made all the same).
function build.stage(ds, call, how)
  if ds == nil then
    return sources[call.op](call)
  end
  return stages[call.op](ds, call, how)
end

function make(chain, how)
  local ds
  for _, call in ipairs(chain) do
    ds = build.stage(ds, call, how)
  end
  return how.prefetch and ds:prefetch(2) or ds
end

build.chain = make

return build
