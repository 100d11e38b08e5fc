local pod = require "moonpod"
local data = require "moonpod.data"

local unpack = table.unpack or unpack -- luacheck: ignore

local goldens = dofile "tests/golden/tf_data.lua"

local function range(...)
  return data.range(...)
end

local function row(x)
  local list = {}
  for i = 1, x do
    list[i] = x
  end
  return list
end

-- [1], [2, 2], [3, 3, 3], ...
local function rows(n)
  return range(1, n + 1):map(row, { interpret = true, output_signature = pod.spec({ -1 }, "int64"), seed = 1 })
end

local function lists(lengths)
  return data.from_generator(function()
    local i = 0
    return function()
      i = i + 1
      return lengths[i] and row(lengths[i])
    end
  end, pod.spec({ -1 }, "int64"))
end

local function windows(ds)
  return ds:flat_map(function(w) return w:batch(100) end)
end

local function repeated(x)
  return data.from_tensors(x):repeat_(x:item())
end

local function length(x)
  return x.shape[1]
end

local function buckets(lengths, boundaries, sizes, options)
  options = options or {}
  options.element_length_func, options.bucket_boundaries, options.bucket_batch_sizes = length, boundaries, sizes
  return lists(lengths):bucket_by_sequence_length(options)
end

local function choose(options)
  local choices = data.from_tensor_slices(pod.tensor({ 0, 1, 0, 0, 1, 1, 0, 1, 1 }, { dtype = "int64" }))
  return data.choose_from_datasets({ range(3), range(10, 13) }, choices, options)
end

-- The pipelines of tests/golden/tf_data.py, by the same names.
local cases = {
  batch = function() return range(8):batch(3) end,
  batch_drop = function() return range(8):batch(3, { drop_remainder = true }) end,
  batch_large = function() return range(3):batch(10) end,
  batch_large_drop = function() return range(3):batch(10, { drop_remainder = true }) end,
  repeat_batch = function() return range(5):repeat_(2):batch(3) end,
  batch_repeat = function() return range(5):batch(3):repeat_(2) end,
  batch_batch = function() return range(10):batch(2):batch(3, { drop_remainder = true }) end,
  repeat_0 = function() return range(5):repeat_(0) end,
  repeat_take = function() return range(3):repeat_():take(7) end,
  take_0 = function() return range(5):take(0) end,
  take_all = function() return range(5):take(-1) end,
  take_more = function() return range(5):take(9) end,
  skip_none = function() return range(5):skip(0) end,
  skip_all = function() return range(5):skip(-1) end,
  skip_more = function() return range(5):skip(9) end,
  skip_take = function() return range(9):skip(2):take(3) end,
  range_down = function() return range(10, 0, -3) end,
  range_empty = function() return range(5, 5) end,
  shard_0 = function() return range(10):shard(3, 0) end,
  shard_2 = function() return range(10):shard(3, 2) end,
  shard_many = function() return range(2):shard(5, 4) end,
  concatenate = function() return range(3):concatenate(range(10, 12)) end,
  zip = function() return data.zip { range(3), range(10, 20) } end,
  enumerate = function() return range(5, 8):enumerate(3) end,
  filter = function() return range(10):filter(function(x) return pod.not_equal(x % 3, 1) end) end,
  map = function() return range(4):map(function(x) return x * x end) end,
  flat_map = function() return range(4):flat_map(function(x) return range(x:item()) end) end,
  interleave = function()
    return range(1, 6):interleave(function(x) return data.from_tensors(x):repeat_(6) end,
      { cycle_length = 2, block_length = 4 })
  end,
  interleave_uneven = function() return range(1, 6):interleave(repeated, { cycle_length = 3, block_length = 2 }) end,
  interleave_one = function() return range(1, 5):interleave(repeated, { cycle_length = 1 }) end,
  interleave_wide = function() return range(1, 5):interleave(repeated, { cycle_length = 10 }) end,
  window = function() return windows(range(7):window(3, { shift = 2, drop_remainder = true })) end,
  window_stride = function()
    return windows(range(7):window(3, { shift = 1, stride = 2, drop_remainder = true }))
  end,
  window_rest = function() return windows(range(7):window(3)) end,
  window_stride_rest = function() return windows(range(7):window(3, { shift = 1, stride = 2 })) end,
  window_gaps = function() return windows(range(11):window(2, { shift = 4 })) end,
  window_overlap_rest = function() return windows(range(5):window(4, { shift = 1 })) end,
  unbatch = function() return range(7):batch(3):unbatch() end,
  unbatch_batch = function() return range(7):batch(3):unbatch():batch(2) end,
  padded_batch = function() return rows(4):padded_batch(2) end,
  padded_batch_shape = function() return rows(3):padded_batch(2, { padded_shapes = { 4 }, padding_values = -1 }) end,
  padded_batch_drop = function() return rows(5):padded_batch(2, { drop_remainder = true }) end,
  scan = function()
    return range(5):scan(pod.tensor(0, { dtype = "int64" }), function(s, x) return s + x, s end)
  end,
  choose_stop = function() return choose() end,
  choose_on = function() return choose { stop_on_empty_dataset = false } end,
  sample_one = function()
    return data.sample_from_datasets({ range(3), range(10, 13) },
      { weights = { 0, 1 }, seed = 1, stop_on_empty_dataset = true })
  end,
  group_by_window = function()
    return range(10):group_by_window { key = function(x) return x % 3 end,
      reduce = function(_, w) return w:batch(4) end, window_size = 3 }
  end,
  buckets = function()
    return buckets({ 1, 4, 2, 5, 3, 6, 2, 7 }, { 3, 5 }, { 2, 2, 3 })
  end,
  buckets_boundary = function()
    return buckets({ 1, 2, 3, 4, 2, 3 }, { 3, 6 }, { 2, 2, 1 }, { pad_to_bucket_boundary = true })
  end,
  buckets_drop = function()
    return buckets({ 1, 4, 2, 5, 3, 6, 2, 7, 1 }, { 3, 5 }, { 3, 2, 2 }, { drop_remainder = true })
  end,
  buckets_same_drop = function()
    return buckets({ 1, 4, 2, 5, 3, 6, 2, 7, 1 }, { 3, 5 }, { 2, 2, 2 }, { drop_remainder = true })
  end,
  buckets_no_padding = function()
    return buckets({ 2, 1, 2, 1, 1, 2, 2 }, { 2 }, { 2, 3 }, { no_padding = true })
  end,
  buckets_values = function()
    return buckets({ 1, 4, 2, 3 }, { 3 }, { 2, 2 }, { padded_shapes = { 5 }, padding_values = -1 })
  end,
  buckets_shapes = function()
    return buckets({ 1, 4, 2, 3 }, { 3, 6 }, { 2, 2, 1 }, { padded_shapes = { -1 }, pad_to_bucket_boundary = true })
  end,
  buckets_numbers = function()
    return range(9):bucket_by_sequence_length { element_length_func = function(x) return x * 5 % 7 end,
      bucket_boundaries = { 2, 5 }, bucket_batch_sizes = { 2, 1, 3 } }
  end,
  buckets_pairs = function()
    return data.zip { lists { 1, 4, 2, 5, 3 }, range(5) }:bucket_by_sequence_length {
      element_length_func = function(x, i) return x.shape[1] + i end, bucket_boundaries = { 5 },
      bucket_batch_sizes = { 2, 2 } }
  end,
  buckets_in_step = function()
    return buckets({ 1, 4, 2, 5, 2, 3, 6, 1, 3, 2, 2, 1, 1 }, { 3, 7 }, { 2, 1, 1 },
      { pad_to_bucket_boundary = true, in_step = 2 })
  end,
  cache_repeat = function() return range(3):cache():repeat_(2) end,
  prefetch = function() return range(4):prefetch(2) end,
  slices = function()
    return data.from_tensor_slices { pod.tensor({ { 1, 2 }, { 3, 4 } }, { dtype = "int32" }),
      pod.tensor({ 5, 6 }, { dtype = "int32" }) }
  end,
}

local function spec_of(value)
  if value.dtype then
    local sizes = {}
    for i, size in ipairs(value.shape) do
      sizes[i] = size < 0 and "any" or ("%d"):format(size)
    end
    return ("%s (%s%s)"):format(value.dtype, table.concat(sizes, ", "), #sizes == 1 and "," or "")
  end
  local parts = {}
  for i, part in ipairs(value) do
    parts[i] = spec_of(part)
  end
  return table.concat(parts, ", ")
end

describe("a pipeline gives what tf.data gives:", function()
  for name, golden in pairs(goldens) do
    it(name, function()
      local ds = assert(cases[name], "there is no such case")()
      assert.same(golden.elements, ds:totable())
      assert.equal(golden.cardinality, ds:cardinality())
      -- what tf.data leaves open may be known here: that all batches are full
      assert.matches("^" .. golden.spec:gsub("[()]", "%%%0"):gsub("any", "%%w+") .. "$", spec_of(ds:element_spec()))
      local chosen = ds:prefetch(2):iterator { epoch = 7 } -- whichever pass it is
      for _, element in ipairs(golden.elements) do
        assert.truthy(chosen:next_element(), element)
      end
      assert.is_nil(chosen:next_element())
      chosen:close()
    end)
  end

  it("all of them", function()
    for name in pairs(cases) do
      assert.truthy(goldens[name], name)
    end
  end)
end)

describe("a shuffle", function()
  it("before repeat keeps epochs apart, and behind it mixes them", function()
    local apart = range(10):shuffle(10, { seed = 1 }):repeat_(2):totable()
    for epoch = 0, 1 do
      local seen = {}
      for i = 1, 10 do
        seen[apart[10 * epoch + i]] = true
      end
      for i = 0, 9 do
        assert.is_true(seen[i])
      end
    end
    assert.not_same({ unpack(apart, 1, 10) }, { unpack(apart, 11) })
    local same = range(10):shuffle(10, { seed = 1, reshuffle_each_iteration = false }):repeat_(2):totable()
    assert.same({ unpack(same, 1, 10) }, { unpack(same, 11) })
    local mixed, twice = range(10):repeat_(2):shuffle(20, { seed = 1 }):totable(), {}
    for i = 1, 10 do
      twice[#twice + 1] = twice[mixed[i]] and "again" or nil
      twice[mixed[i]] = true
    end
    assert.is_true(#twice > 0)
  end)

  it("of rows of one buffer draws evenly", function()
    local first = {}
    for seed = 1, 2000 do
      local value = range(8):shuffle(4, { seed = seed }):totable(1)[1]
      first[value] = (first[value] or 0) + 1
    end
    for i = 0, 3 do -- the first of four: 500 each, and 4 standard deviations are 77
      assert.is_true(math.abs(first[i] - 500) < 80, ("%d: %d"):format(i, first[i]))
    end
    assert.is_nil(first[4])
  end)
end)
