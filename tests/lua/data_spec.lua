local pod = require "moonpod"
local lua_version = require "tests.lua.support.lua_version"
local data = require "moonpod.data"

local function elements(ds)
  return ds:totable()
end

local function double(x)
  return x * 2
end

describe("a dataset", function()
  it("gives rows of tensors in their structure", function()
    local x, y = pod.tensor { { 1, 2 }, { 3, 4 }, { 5, 6 } }, pod.tensor({ 7, 8, 9 }, { dtype = "int32" })
    local seen = {}
    for a, b in data.from_tensor_slices({ x, y }):iter() do
      seen[#seen + 1] = { a:totable(), b:item(), a.dtype, b.dtype }
    end
    assert.same({ { { 1, 2 }, 7, "float32", "int32" }, { { 3, 4 }, 8, "float32", "int32" },
      { { 5, 6 }, 9, "float32", "int32" } }, seen)
    local named = elements(data.from_tensor_slices { image = x, label = y })
    assert.same({ image = { 3, 4 }, label = 8 }, named[2])
    assert.same({ 1, 2, 3 }, elements(data.from_tensor_slices { 1, 2, 3 }))
    assert.same({ { 1, 2 }, { 3, 4 } }, elements(data.from_tensor_slices { { 1, 2 }, { 3, 4 } }))
    assert.same({ { 1, 2, 3 } }, elements(data.from_tensors(pod.tensor { 1, 2, 3 })))
  end)

  it("gives rows that say what is in them, in loops and functions", function()
    local rows, seen = data.from_tensor_slices { image = pod.tensor { { 1, 2 } }, label = { 7 } }, {}
    rows = rows:map(function(row)
      seen[1] = tostring(row)
      return { row }
    end)
    for row in rows:iter() do
      seen[2] = tostring(row)
    end
    assert.equal("{ image = <traced tensor float32 (2,)>, label = <traced tensor float32 ()> }", seen[1])
    assert.equal("{\n  image = [1. 2.]\n  float32 (2,) on CPU:0,\n  label = 7.0\n}", seen[2])
  end)

  it("counts ranges", function()
    assert.same({ 0, 1, 2 }, elements(data.range(3)))
    assert.same({ 2, 4 }, elements(data.range(2, 6, 2)))
    assert.same({}, elements(data.range(0)))
    assert.error_matches(function() data.range(0, 5, 0) end, "the step of a range is 0")
    assert.error_matches(function() data.range(1.5) end, "integers, not 1.5")
  end)

  -- goldens of tf.data's documentation
  it("batches as tf.data does", function()
    assert.same({ { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7 } }, elements(data.range(8):batch(3)))
    assert.same({ { 0, 1, 2 }, { 3, 4, 5 } }, elements(data.range(8):batch(3, { drop_remainder = true })))
  end)

  it("keeps the order of repeat and batch", function()
    assert.same({ { 0, 1, 2 }, { 3, 4, 0 }, { 1, 2, 3 }, { 4 } }, elements(data.range(5):repeat_(2):batch(3)))
    assert.same({ { 0, 1, 2 }, { 3, 4 }, { 0, 1, 2 }, { 3, 4 } }, elements(data.range(5):batch(3):repeat_(2)))
    assert.same({ 0, 1, 0, 1, 0 }, elements(data.range(2):repeat_():take(5)))
  end)

  it("takes and skips", function()
    assert.same({ 0, 1 }, elements(data.range(5):take(2)))
    assert.same({ 0, 1, 2, 3, 4 }, elements(data.range(5):take(-1)))
    assert.same({ 3, 4 }, elements(data.range(5):skip(3)))
    assert.same({}, elements(data.range(5):skip(-1)))
  end)

  it("shuffles by tf.data's algorithm, the same for a seed", function()
    local order = elements(data.range(100):shuffle(10, { seed = 42 }))
    local seen = {}
    for i, value in ipairs(order) do
      assert.is_true(value <= i - 1 + 10 - 1)
      assert.is_nil(seen[value])
      seen[value] = true
    end
    assert.same(order, elements(data.range(100):shuffle(10, { seed = 42 })))
    assert.not_same(order, elements(data.range(100):shuffle(10, { seed = 43 })))
    local again = data.range(100):shuffle(100, { seed = 1 })
    assert.not_same(elements(again), elements(again))
    local same = data.range(100):shuffle(100, { seed = 1, reshuffle_each_iteration = false })
    assert.same(elements(same), elements(same))
  end)

  it("takes seeds from pod.random where none is given", function()
    pod.random.set_seed(7)
    local one = elements(data.range(50):shuffle(50))
    local two = elements(data.range(50):shuffle(50))
    pod.random.set_seed(7)
    assert.same(one, elements(data.range(50):shuffle(50)))
    assert.not_same(one, two)
  end)

  it("enters an epoch by its number", function()
    local ds = data.range(20):shuffle(20, { seed = 3 })
    local it = ds:iterator { epoch = 5 }
    local fifth = it:next():item()
    it:close()
    it = ds:iterator { epoch = 4 }
    it:next()
    it:rewind()
    assert.equal(fifth, it:next():item())
    it:close()
  end)

  it("zips until the shortest ends", function()
    local zipped = data.zip { data.range(3), data.range(10, 20):batch(2) }
    assert.same({ { 0, { 10, 11 } }, { 1, { 12, 13 } }, { 2, { 14, 15 } } }, elements(zipped))
    assert.same({ { 0, 0 }, { 1, 2 } }, elements(data.zip(data.range(2), data.range(2):map(double))))
  end)

  it("caches and prefetches without a change to elements", function()
    local ds = data.range(10):map(double):cache():shuffle(10, { seed = 1 }):batch(4):prefetch(2)
    local plain = data.range(10):map(double):shuffle(10, { seed = 1 }):batch(4)
    assert.same(elements(plain), elements(ds))
    assert.same({ 0, 1, 2 }, elements(data.range(3):prefetch(data.AUTOTUNE)))
  end)

  it("knows its number of elements", function()
    assert.equal(3, data.range(8):batch(3):cardinality())
    if lua_version.has_table_length then
      assert.equal(3, #data.range(8):batch(3))
    end
    assert.equal(data.INFINITE, data.range(8):repeat_():cardinality())
    assert.equal(0, data.range(0):repeat_():take(3):cardinality())
    if lua_version.has_table_length then
      assert.error_matches(function() return #data.range(8):repeat_() end, "infinite")
    end
  end)

  it("says what its elements are", function()
    local ds = data.from_tensor_slices { pod.zeros { 6, 2 }, pod.zeros { 6 } }
    assert.equal("spec(float32 (2,))", tostring(ds:element_spec()[1]))
    assert.equal("spec(float32 (any, 2))", tostring(ds:batch(4):element_spec()[1]))
    assert.equal("spec(float32 (3, 2))", tostring(ds:batch(3):element_spec()[1]))
    assert.equal("spec(int32 (any,))", tostring(data.range(5):map(function(x)
      return x:cast "int32"
    end):batch(2):element_spec()))
    assert.matches("<dataset 'batch' of %(float32 %(3, 2%), float32 %(3,%)%), 2 elements>", tostring(ds:batch(3)))
    assert.same({ "range", "shuffle", "batch", "prefetch" }, data.range(5):shuffle(2):batch(2):prefetch(1):stages())
  end)

  it("names what is wrong", function()
    local ds = data.range(5)
    assert.error_matches(function() ds:batch(0) end, "batch: the size must be .* not 0")
    assert.error_matches(function() ds:shuffle(0) end, "shuffle: the buffer size must be an integer of at least 1")
    assert.error_matches(function() ds:batch(2, { drop_reminder = true }) end, "did you mean 'drop_remainder'")
    assert.error_matches(function() ds:shufle(3) end, "datasets have no 'shufle'; did you mean 'shuffle'")
    assert.error_matches(function() ds:map(3) end, "map: the function must be a function, not a number")
    assert.error_matches(function() data.from_tensor_slices { pod.zeros { 2 }, pod.zeros { 3 } } end,
      "component 1 has shape %(3,%), but component 0 has 2 rows")
    assert.error_matches(function() ds:repeat_():cache() end, "put repeat behind cache")
  end)

  it("may be left in the middle of a loop", function()
    for i = 1, 20 do
      for x in data.range(1000):batch(10):prefetch(4):iter() do
        if x[1]:item() >= i then break end
      end
    end
    collectgarbage()
    collectgarbage()
  end)
end)

describe("a mapped function", function()
  it("is applied to each element, wherever it stands", function()
    assert.same({ 0, 2, 4, 6 }, elements(data.range(4):map(double)))
    assert.same({ { 0, 2 }, { 4, 6 } }, elements(data.range(4):map(double):batch(2)))
    assert.same({ { 0, 2 }, { 4, 6 } }, elements(data.range(4):batch(2):map(double)))
    assert.same({ { 0, 2, 4 }, { 6, 8 } }, elements(data.range(5):map(double):batch(3)))
    assert.same({ { 0, 2, 4 }, { 6, 8 } }, elements(data.range(5):batch(3):map(double)))
    assert.same({ 1, 3, 5 }, elements(data.range(3):map(double):map(function(x) return x + 1 end)))
  end)

  it("gets and gives several values", function()
    local ds = data.from_tensor_slices { { 1, 2 }, { 10, 20 } }:map(function(pair)
      return pair * 2
    end)
    assert.same({ { 2, 4 }, { 20, 40 } }, elements(ds))
    local x, y = pod.tensor { 1, 2 }, pod.tensor { 10, 20 }
    ds = data.from_tensor_slices({ x, y }):map(function(a, b)
      return { sum = a + b, parts = { a, b } }
    end)
    assert.same({ sum = 22, parts = { 2, 20 } }, elements(ds)[2])
    assert.same({ 11, 22 }, elements(ds:map(function(e) return e.sum end)))
  end)

  it("sees a row of a batch as if it were alone", function()
    local x = pod.tensor { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }
    local function total(row)
      return row:sum(), row:reverse()
    end
    local ok = pcall(function() return x[1]:reverse() end)
    if not ok then
      total = function(row) return row:sum(), row * 2 end
    end
    local one = elements(data.from_tensor_slices(x):map(total))
    local batched = elements(data.from_tensor_slices(x):map(total):batch(3))
    for i = 1, 3 do
      assert.equal(one[i][1], batched[1][1][i])
      assert.same(one[i][2], batched[1][2][i])
    end
  end)

  it("is the same before and behind shuffle, cache, repeat, take and skip", function()
    local function chain(ds, first, last)
      return last(first(ds):cache():shuffle(7, { seed = 2 }):skip(1):repeat_(2):take(12):batch(5))
    end
    local function map(ds) return ds:map(double) end
    local function same(ds) return ds end
    assert.same(elements(chain(data.range(10), same, map)), elements(chain(data.range(10), map, same)))
  end)

  it("waits until its results are needed", function()
    local ds = data.range(8):map(function(x) return x:cast "float32" / 2 end):shuffle(4, { seed = 1 }):batch(4)
    assert.same({ "range", "shuffle", "batch" }, ds:stages())
    assert.equal("int64", ds:raw():element_spec().dtype)
    assert.equal("float32", ds:element_spec().dtype)
    local raw = ds:raw():iterator { epoch = 1 }
    local full = ds:iterator { epoch = 1 }
    local function decode(x)
      return ds:decode(x)
    end
    assert.same(full:next():totable(), pod.func(decode)(raw:next()):totable())
    assert.is_function(ds.device_map)
    assert.is_nil(data.range(3).device_map)
    assert.same({ "range", "map" }, data.range(8):map(double, { defer = false }):stages())
  end)

  it("keeps what it captured as it was", function()
    local offset = pod.tensor { 100 }
    local ds = data.range(2):map(function(x) return x:cast "float32" + offset:sum() end)
    offset = nil -- luacheck: ignore
    collectgarbage()
    assert.same({ 100, 101 }, elements(ds))
  end)

  it("is refused where a trace would freeze it", function()
    for _, fn in ipairs { math.random, os.time, os.clock } do
      local ok, message = pcall(function()
        data.range(3):map(function(x)
          return x + (fn == math.random and math.random(5) or fn == os.time and os.time() or os.clock())
        end)
      end)
      assert.is_false(ok)
      assert.matches("has no meaning in a function that is traced once for all elements", message)
    end
    assert.is_number(math.random())
    assert.is_number(os.time())
    local v = pod.variable(1)
    assert.error_matches(function()
      data.range(3):map(function(x) return x:cast "float32" + v end)
    end, "uses the variable")
    assert.error_matches(function() data.range(3):map(function() end) end, "returned nothing")
    assert.error_matches(function() data.range(3):map(function(x) return { x, "text" } end) end, "is no tensor")
  end)

  it("draws random numbers for each element and pass", function()
    local function noisy(ds)
      return ds:map(function(x) return pod.random.uniform({ 2 }), x end, { seed = 7 })
    end
    local ds = noisy(data.range(300))
    local first, second = elements(ds), elements(ds)
    assert.not_same(first, second)
    assert.same(first, elements(noisy(data.range(300))))
    local sum, seen = 0, {}
    for i, e in ipairs(first) do
      sum = sum + e[1][1] + e[1][2]
      seen[e[1][1]], seen[e[1][2]] = true, true
      assert.equal(i - 1, e[2])
    end
    local distinct = 0
    for _ in pairs(seen) do distinct = distinct + 1 end
    assert.equal(600, distinct)
    assert.near(300, sum, 30)
    -- the same numbers however elements are ordered, batched and divided among threads
    local by_element = {}
    for _, e in ipairs(first) do by_element[e[2]] = e[1] end
    local others = {
      noisy(data.range(300)):shuffle(300, { seed = 1 }),
      noisy(data.range(300)):batch(7):unbatch(),
      data.range(300):map(function(x) return pod.random.uniform({ 2 }), x end,
        { seed = 7, defer = false, num_parallel_calls = 3 }),
    }
    for _, other in ipairs(others) do
      for _, e in ipairs(elements(other)) do
        assert.same(by_element[e[2]], e[1])
      end
    end
    local cached = noisy(data.range(10)):cache()
    assert.same(elements(cached), elements(cached))
  end)

  it("shows its own faults at its own line", function()
    local ok, message = pcall(function()
      data.from_tensor_slices(pod.zeros { 4, 3 }):map(function(x)
        return x + pod.zeros { 2 }
      end)
    end)
    assert.is_false(ok)
    assert.matches("add: the shapes %(3,%) and %(2,%).*data_spec.lua:%d+", message)
  end)
end)

describe("a generator", function()
  local function count_to(n)
    return function()
      local i = 0
      return function()
        i = i + 1
        if i <= n then
          return i
        end
      end
    end
  end

  it("gives what its function makes, anew in each pass", function()
    local ds = data.from_generator(count_to(3), pod.spec({}, "int32"))
    assert.same({ 1, 2, 3 }, elements(ds))
    assert.same({ 1, 2, 3 }, elements(ds))
    assert.same({ 1, 2, 3, 1, 2, 3 }, elements(ds:repeat_(2)))
    assert.equal(data.UNKNOWN, ds:cardinality())
    assert.equal(3, data.from_generator(count_to(3), pod.spec({}, "int32"), { cardinality = 3 }):cardinality())
  end)

  it("runs below every other stage", function()
    local ds = data.from_generator(count_to(7), pod.spec({}, "int32"))
    assert.same({ { 2, 4, 6 }, { 8, 10, 12 }, { 14 } }, elements(ds:map(double):prefetch(2):batch(3):prefetch(2)))
    assert.same({ 1, 2, 3, 4, 5, 6, 7 }, (function()
      local sorted = elements(ds:shuffle(3, { seed = 1 }))
      table.sort(sorted)
      return sorted
    end)())
  end)

  it("may run in a coroutine", function()
    local ds = data.from_generator(count_to(3), pod.spec({}, "int32"))
    local thread = coroutine.wrap(function()
      for x in ds:iter() do coroutine.yield(x:item()) end
    end)
    assert.equal(1, thread())
    collectgarbage()
    assert.equal(2, thread())
  end)

  it("gives structures and tensors as announced", function()
    local ds = data.from_generator(function()
      local done
      return function()
        if not done then
          done = true
          return { 1, 2 }, { label = pod.tensor(5, { dtype = "int32" }) }
        end
      end
    end, { pod.spec({ 2 }, "float32"), { label = pod.spec({}, "int32") } })
    assert.same({ { { 1, 2 }, { label = 5 } } }, elements(ds))
  end)

  it("names the element that is not as announced", function()
    local function of(value, spec)
      return function()
        elements(data.from_generator(function()
          return function() return value end
        end, spec):take(1))
      end
    end
    assert.error_matches(of({ 1, 2 }, pod.spec({ 3 }, "float32")),
      "element 0 of from_generator: component 0 is float32 %(2,%), but float32 %(3,%) was announced")
    assert.error_matches(of(pod.zeros { 2 }, pod.spec({ 2 }, "int32")), "int32 was announced, but a tensor of float32")
    assert.error_matches(of({ x = 1 }, { y = pod.spec({}, "int32") }), "element 0 of the generator: 'y' is missing")
    assert.error_matches(function() data.from_generator(count_to(1)) end, "say what the elements are")
    assert.error_matches(function() elements(data.from_generator(function() return 3 end, pod.spec({}))) end,
      "must return an iterator")
  end)

  it("raises its own errors after the elements made before", function()
    local ds = data.from_generator(function()
      local i = 0
      return function()
        i = i + 1
        if i == 3 then error "the file is gone" end
        return i
      end
    end, pod.spec({}, "int32")):prefetch(4)
    local it = ds:iterator()
    assert.equal(1, it:next():item())
    assert.equal(2, it:next():item())
    assert.error_matches(function() it:next() end, "the file is gone")
    assert.error_matches(function() it:next() end, "the file is gone")
  end)

  it("lives as long as what is built on it, and no longer", function()
    local ds = data.from_generator(count_to(4), pod.spec({}, "int32")):batch(2)
    collectgarbage()
    collectgarbage()
    assert.same({ { 1, 2 }, { 3, 4 } }, elements(ds))
    if not lua_version.has_ephemerons then
      return -- what refers to itself through a weak table stays
    end
    local gone = setmetatable({}, { __mode = "v" })
    do
      local own
      local function produce()
        return own and count_to(1)() or count_to(2)()
      end
      own = data.from_generator(produce, pod.spec({}, "int32")) -- refers to itself through its function
      gone[1] = own
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(gone[1])
  end)
end)

describe("an iterator", function()
  it("tells what comes next and goes on from there", function()
    local it = data.range(5):batch(2):iterator()
    assert.is_true(it:has_next())
    assert.equal("(2,)", tostring(it:peek_spec()[1].shape))
    assert.same({ 0, 1 }, it:next():totable())
    assert.same({ 2, 3 }, it:next():totable())
    assert.equal("(1,)", tostring(it:peek_spec()[1].shape))
    assert.same({ 4 }, it:next():totable())
    assert.is_false(it:has_next())
    assert.is_nil(it:next())
    it:rewind()
    assert.same({ 0, 1 }, it:next():totable())
    assert.equal(4, it:stats().elements)
    it:close()
    it:close()
    assert.error_matches(function() it:next() end, "the iterator is closed")
  end)

  it("goes on where another stopped", function()
    local ds = data.range(40):shuffle(40, { seed = 3 }):repeat_(2):batch(3):prefetch(2)
    local it = ds:iterator { epoch = 2 }
    for _ = 1, 5 do it:next() end
    local position = it:stats().position
    assert.equal(5, position)
    local resumed = ds:iterator { epoch = 2, skip = position }
    while it:has_next() do
      assert.same(it:next():totable(), resumed:next():totable())
    end
    assert.is_false(resumed:has_next())
    assert.equal(27, resumed:stats().position)
    it:rewind()
    resumed:rewind()
    assert.same(it:next():totable(), resumed:next():totable())
    assert.equal(1, it:stats().position)
  end)

  it("raises once it is cancelled, until it is rewound", function()
    local it = data.range(100):prefetch(3):iterator()
    it:next()
    it:cancel()
    assert.error_matches(function() it:next() end, "cancelled")
    it:rewind()
    assert.equal(0, it:next():item())
    it:close()
  end)
end)
