-- bucket_by_sequence_length: where its length is found, and batches for consumers in step. What it gives is held
-- against tf.data in data_goldens_spec and by ./dev fuzz pipelines.

local pod = require "moonpod"
local data = require "moonpod.data"
local service = require "tests.lua.support.service_processes"

local test = service.is_there and it or pending
local random = require "tests.fuzz.pipelines.draw"

local function length(x)
  return x.shape[1]
end

-- Rows of such lengths, each of its number, which travel: texts, as bytes.
local function texts(lengths)
  local list = {}
  for i, n in ipairs(lengths) do
    list[i] = string.char(64 + i % 60):rep(n)
  end
  return data.from_texts(list)
end

local function size_of_text(text)
  return #text
end

-- All batches as nested arrays.
local function batches(ds)
  local list = {}
  for batch in ds:iter() do
    list[#list + 1] = batch:totable()
  end
  return list
end

local function with(options, changes)
  local copy = {}
  for name, value in pairs(options) do
    copy[name] = value
  end
  for name, value in pairs(changes) do
    copy[name] = value
  end
  return copy
end

describe("a length", function()
  local options = { bucket_boundaries = { 3, 5 }, bucket_batch_sizes = { 2, 3, 1 } }
  local numbers = data.range(30):map(function(i) return i * 7 % 11 end)

  local function stages(ds, fn)
    return table.concat(ds:bucket_by_sequence_length(with(options, { element_length_func = fn })):stages(), " ")
  end

  it("is traced, of sizes, of texts and of values", function()
    assert.equal("from_texts bucket_by_sequence_length", stages(texts { 1, 2 }, size_of_text))
    assert.equal("range map bucket_by_sequence_length", stages(numbers, function(x) return x * 2 end))
    assert.equal("range map zip bucket_by_sequence_length",
      stages(data.zip { numbers, data.range(3) }, function(x, i) return pod.maximum(x, i) end))
    assert.equal("from_tensor_slices bucket_by_sequence_length",
      stages(data.from_tensor_slices(pod.ones { 4, 3 }), length))
    local rows = data.from_generator(function()
      return function() return nil end
    end, { pod.spec({ -1, 2 }, "float32"), pod.spec({}, "int32") })
    assert.equal("from_generator bucket_by_sequence_length", stages(rows, function(x, n)
      return x.shape[1] * x.shape[2] + n
    end))
  end)

  it("that asks for values is found here, and is the same", function()
    local function decided(x)
      return x:item() > 4 and 1 or x
    end
    local function traced(x)
      return pod.where(pod.greater(x, 4), 1, x)
    end
    assert.equal("range map transform bucket_by_sequence_length", stages(numbers, decided))
    assert.same(batches(numbers:bucket_by_sequence_length(with(options, { element_length_func = traced }))),
      batches(numbers:bucket_by_sequence_length(with(options, { element_length_func = decided }))))
  end)

  it("that is no integer is refused, with its element", function()
    assert.error_matches(function()
      batches(numbers:bucket_by_sequence_length(with(options, { element_length_func = function(x) return x / 2 end })))
    end, "bucket_by_sequence_length %(.*:%d+%), element 1: .*must be an integer, not 3.5")
  end)

  it("that fails comes behind the batches before it", function()
    local it = data.range(9):bucket_by_sequence_length(with(options, { element_length_func = function(x)
      return pod.check(x, pod.not_equal(x, 5), "no luck")
    end })):iterator()
    assert.same({ 0, 1 }, it:next():totable())
    assert.error_matches(function() it:next() end, "bucket_by_sequence_length %(.*:%d+%), element 5: .*no luck")
    it:close()
  end)
end)

describe("a bucket", function()
  it("refuses what it has no size for, with the element", function()
    local options = { element_length_func = size_of_text, bucket_boundaries = { 3 }, bucket_batch_sizes = { 2, 2 } }
    local cases = {
      ["element 1 is as long as the last boundary, so no size to pad it to is known"] = {
        pad_to_bucket_boundary = true },
      ["component 0 of element 3 is %(4,%), larger than the padded shape %(3,%)"] = { padded_shapes = { 3 } },
      ["component 0 of element 2 is %(1,%), and without padding all of a batch are %(2,%)"] = {
        no_padding = true },
    }
    for message, changes in pairs(cases) do
      assert.error_matches(function()
        batches(texts { 2, 3, 1, 4 }:bucket_by_sequence_length(with(options, changes)))
      end, "bucket_by_sequence_length %(.*:%d+%).*" .. message)
    end
  end)

  it("refuses options by their names", function()
    local options = { element_length_func = size_of_text, bucket_boundaries = { 3 }, bucket_batch_sizes = { 2, 2 } }
    local cases = {
      ["1 boundaries make 2 buckets, but there are 1 batch sizes"] = { bucket_batch_sizes = { 2 } },
      ["bucket_batch_sizes%[2%] must be an integer of at least 1"] = { bucket_batch_sizes = { 2, 0 } },
      ["in_step must be an integer of at least 1"] = { in_step = 0 },
      ["boundary 1 is 3, not above the 3 before it"] = { bucket_boundaries = { 3, 3 },
        bucket_batch_sizes = { 1, 1, 1 } },
    }
    for message, changes in pairs(cases) do
      assert.error_matches(function()
        texts { 2, 3 }:bucket_by_sequence_length(with(options, changes))
      end, "bucket_by_sequence_length.*" .. message)
    end
  end)
end)

-- ---- consumers in step -----------------------------------------------------------------------------------------

-- Options and lengths that a seed draws.
local function drawn(seed)
  local draw = random.new(seed)
  local lengths = {}
  for i = 1, 60 + draw:integer(0, 200) do
    lengths[i] = draw:integer(0, 12)
  end
  local first = draw:integer(1, 5)
  return texts(lengths):bucket_by_sequence_length {
    element_length_func = size_of_text,
    bucket_boundaries = { first, first + draw:integer(1, 5) },
    bucket_batch_sizes = { draw:integer(1, 4), draw:integer(1, 4), draw:integer(1, 4) },
    in_step = 4,
    drop_remainder = true,
  }
end

describe("buckets before distribute", function()
  test("are made by workers, and are the same", function()
    service.with_threads(2, function(at)
      for name, ds in pairs {
        texts = texts({ 5, 1, 4, 2, 8, 3, 1, 9, 2 }):bucket_by_sequence_length { element_length_func = size_of_text,
          bucket_boundaries = { 3, 6 }, bucket_batch_sizes = { 2, 1, 2 }, padding_values = 7 },
        numbers = data.range(50):bucket_by_sequence_length { element_length_func = function(x) return x % 6 end,
          bucket_boundaries = { 2, 4 }, bucket_batch_sizes = { 2, 3, 1 } },
      } do
        assert.same(batches(ds), batches(ds:distribute { service = at, in_order = true, split_size = 2 }), name)
      end
    end)
  end)

  test("whose length needs this process are refused by name", function()
    local ds = data.range(9):bucket_by_sequence_length { element_length_func = function(x) return x:item() end,
      bucket_boundaries = { 2 }, bucket_batch_sizes = { 2, 3 } }
    assert.error_matches(function()
      ds:distribute { service = "local" }
    end, "stage 'bucket_by_sequence_length %(.-data_buckets_spec.lua:%d+%)' cannot be sent to workers: its function "
      .. "runs in this process.*write it with operations that are traced")
    ds = data.range(9):group_by_window { key = function(x) return x % 2 end, window_size = 2,
      reduce = function(_, window) return window:batch(2) end }
    assert.error_matches(function()
      ds:distribute { service = "local" }
    end, "stage 'group_by_window %(.-data_buckets_spec.lua:%d+%)' cannot be sent to workers: its function runs in this "
      .. "process.*have bucket_by_sequence_length in that of group_by_window, or call distribute before it")
  end)

  test("are of one length in each step of four consumers", function()
    local first = tonumber(os.getenv "MOONPOD_SEED") or os.time() % 100000
    service.with_threads(2, function(at)
      for seed = first, first + 4 do
        local what, ds = ("of seed %d"):format(seed), drawn(seed)
        local consumers, steps = {}, {}
        for i = 1, 4 do
          consumers[i] = batches(ds:distribute { service = at, consumer_index = i - 1, num_consumers = 4 })
          assert.equal(#consumers[1], #consumers[i], what)
        end
        for step, batch in ipairs(consumers[1]) do
          for i = 1, 4 do
            local other = consumers[i][step]
            assert.equal(#batch, #other, what)
            assert.equal(#batch[1], #other[1], what)
            steps[#steps + 1] = other
          end
        end
        assert.is_true(#steps > 0, what)
        assert.same(batches(ds), steps, what)
      end
    end)
  end)
end)
