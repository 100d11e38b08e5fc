-- Pipelines that would give no element for years end when the time of the context does, as a sandbox's `seconds` or at
-- a Ctrl-C, which are asked after in the same place.

local pod = require "moonpod"
local data = require "moonpod.data"

local context = pod.device.context()
local int64 = pod.spec({}, "int64")
local empty, heads = os.tmpname(), os.tmpname()

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

local function many(path)
  local list = {}
  for i = 1, 200000 do
    list[i] = path
  end
  return list
end

-- Without bytes and without end, nearly.
local function rows() return data.from_tensors(pod.zeros { 2 ^ 40, 0 }):unbatch() end
local function numbers() return data.range(2 ^ 60) end
local function none() return numbers():filter(function(x) return pod.less(x, 0) end) end
local function same(x) return x end
local function loop() while true do pcall(error) end end
local function one() return 1 end

local endless = {
  skip = function() return rows():skip(2 ^ 39) end,
  ["skip, made"] = function() return numbers():concatenate():skip(2 ^ 50) end,
  filter = none,
  ["filter on threads"] = function()
    return numbers():filter(function(x) return pod.less(x, 0) end, { num_parallel_calls = 2 })
  end,
  ["map on threads"] = function()
    return none():map(function(x) return x + 1 end, { num_parallel_calls = 2, defer = false })
  end,
  prefetch = function() return none():prefetch(2) end,
  cache = function() return none():cache() end,
  unbatch = function() return data.from_tensors(pod.zeros { 0 }):repeat_():unbatch() end,
  batch = function() return rows():batch(2 ^ 39) end,
  padded_batch = function() return rows():padded_batch(2 ^ 39) end,
  shuffle = function() return none():shuffle(10) end,
  window = function() return rows():window(2, { shift = 2 ^ 39 }):skip(1) end,
  shard = function() return rows():shard(2 ^ 40, 2 ^ 40 - 1) end,
  zip = function() return data.zip(numbers(), none()) end,
  flat_map = function() return numbers():flat_map(function() return data.range(0) end) end,
  interleave = function() return numbers():interleave(function() return data.range(0) end, { cycle_length = 3 }) end,
  ["interleave on threads"] = function()
    return numbers():interleave(none, { cycle_length = 3, num_parallel_calls = 2 })
  end,
  group_by_window = function()
    return numbers():group_by_window { key = one, window_size = 2 ^ 40,
      reduce = function(_, window) return window:batch(2) end }
  end,
  bucket_by_sequence_length = function()
    return numbers():bucket_by_sequence_length { element_length_func = one, bucket_boundaries = {},
      bucket_batch_sizes = { 2 ^ 40 } }
  end,
  ["group_by_window of nothing"] = function()
    return numbers():group_by_window { key = one, window_size = 1,
      reduce = function(_, window) return window:take(0):batch(2) end }
  end,
  choose_from_datasets = function()
    local zeros = data.from_tensors(pod.tensor(0, { dtype = "int64" })):repeat_()
    return data.choose_from_datasets({ data.range(0) }, zeros, { stop_on_empty_dataset = false })
  end,
  scan = function()
    return none():scan(pod.tensor(0, { dtype = "int64" }), function(sum, x) return sum + x, x end)
  end,
  repeat_ = function() return none():repeat_() end,
  text_lines = function() return data.text_lines(many(empty)) end,
  csv = function() return data.csv(many(heads), { columns = { { name = "a", dtype = "int64" } } }) end,
  ["interpreted map"] = function()
    return none():map(same, { interpret = true, output_signature = int64, num_parallel_calls = 2 })
  end,
}

-- Functions that loop themselves: a hook ends them, which the compiled code of LuaJIT does not have.
local looping = {
  ["interpreted map"] = function()
    return numbers():map(loop, { interpret = true, output_signature = int64 })
  end,
  ["interpreted map on threads"] = function()
    return numbers():map(loop, { interpret = true, output_signature = int64, num_parallel_calls = 2 })
  end,
}

-- Fails at once where the time was over before, so it is given behind all that is made.
local function stops(name, ds, run)
  context:limit { seconds = 0.02 }
  local ok, message = pcall(run, ds)
  context:limit { seconds = 0 }
  assert.is_false(ok, name)
  assert.is_true(tostring(message):find "interrupted" ~= nil or tostring(message):find " s are left" ~= nil,
    name .. ": " .. tostring(message))
end

local function first(ds) return ds:iterator():next_element() end

-- Sanitizers see what goes wrong here.
it("an iterator closes while its threads hand elements on", function()
  local ds = data.range(400):batch(1):prefetch(1):unbatch():prefetch(1)
  for i = 1, 300 do
    local it = ds:iterator { epoch = 1 }
    for element = 0, i % 7 do
      assert.equal(element, it:next():item())
    end
    it:close()
  end
end)

describe("a pipeline that would give nothing for years", function()
  setup(function()
    write(empty, "")
    write(heads, "a\n")
  end)

  teardown(function()
    context:limit { seconds = 0 }
    os.remove(empty)
    os.remove(heads)
  end)

  it("ends with its time, whichever stage loops", function()
    for name, make in pairs(endless) do
      stops(name, make(), first)
    end
  end)

  it("ends where all its elements are asked for", function()
    local path = os.tmpname()
    for name, run in pairs {
      save = function(ds) ds:save(path) end,
      pin = function(ds) ds:pin() end,
      reduce = function(ds) ds:reduce(pod.tensor(0, { dtype = "int64" }), function(sum) return sum end) end,
      fold = function(ds) ds:fold(0, same) end,
      totable = function(ds) ds:totable() end,
    } do
      stops(name, none(), run)
    end
    os.remove(path)
  end)

  it("ends within a function of elements that loops, and closes there", function()
    if rawget(_G, "jit") then
      return
    end
    for name, make in pairs(looping) do
      stops(name, make(), first)
    end
    local it = numbers():map(function(x)
      while x > 0 do
        x = x + 0
      end
      return x
    end, { interpret = true, output_signature = int64 }):batch(1):prefetch(2):iterator()
    assert.equal(0, it:next():sum():item()) -- its thread is at the second
    it:close()
  end)
end)
