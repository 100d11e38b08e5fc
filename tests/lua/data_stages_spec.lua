local pod = require "moonpod"
local data = require "moonpod.data"

local function elements(ds)
  return ds:totable()
end

local function temporary(text)
  local path = os.tmpname()
  if text then
    local file = assert(io.open(path, "wb"))
    file:write(text)
    file:close()
  end
  return path
end

describe("a stage", function()
  -- goldens of tf.data's documentation
  it("shards", function()
    assert.same({ 0, 3, 6, 9 }, elements(data.range(10):shard(3, 0)))
    assert.same({ 1, 4, 7 }, elements(data.range(10):shard(3, 1)))
    assert.same({ 2, 5, 8 }, elements(data.range(10):shard(3, 2)))
    assert.error_matches(function() data.range(10):shard(3, 3) end, "shard 3 of 3")
  end)

  it("interleaves", function()
    local ds = data.range(1, 6):interleave(function(x)
      return data.from_tensors(x):repeat_(6)
    end, { cycle_length = 2, block_length = 4 })
    assert.same({ 1, 1, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5 },
      elements(ds))
    assert.same({ 0, 0, 1, 1 }, elements(data.range(2):flat_map(function(x)
      return data.from_tensors(x):repeat_(2)
    end)))
    assert.error_matches(function()
      data.range(2):flat_map(function(x) return x end)
    end, "flat_map: what the function returned: a tensor of shape %(%) is no dataset")
  end)

  it("makes windows", function()
    local function windows(...)
      return elements(data.range(7):window(...):flat_map(function(w) return w:batch(10) end))
    end
    assert.same({ { 0, 1, 2 }, { 2, 3, 4 }, { 4, 5, 6 } }, windows(3, { shift = 2, drop_remainder = true }))
    assert.same({ { 0, 2, 4 }, { 1, 3, 5 }, { 2, 4, 6 } },
      windows(3, { shift = 1, stride = 2, drop_remainder = true }))
    assert.same({ { 0, 1, 2 }, { 3, 4, 5 }, { 6 } }, windows(3))
    assert.same({ { 0 }, { 3 }, { 6 } }, windows(1, { shift = 3 }))
    local sums = {}
    for w in data.range(7):window(3):iter() do
      sums[#sums + 1] = w:fold(0, function(sum, x) return sum + x:item() end)
    end
    assert.same({ 3, 12, 6 }, sums)
  end)

  it("pads batches", function()
    local ds = data.from_generator(function()
      local i = 0
      return function()
        i = i + 1
        if i <= 4 then
          local row = {}
          for j = 1, i do row[j] = i end
          return row
        end
      end
    end, pod.spec({ -1 }, "int32"))
    assert.same({ { { 1, 0 }, { 2, 2 } }, { { 3, 3, 3, 0 }, { 4, 4, 4, 4 } } }, elements(ds:padded_batch(2)))
    assert.same({ { { 1, 9, 9, 9, 9 }, { 2, 2, 9, 9, 9 }, { 3, 3, 3, 9, 9 } } },
      elements(ds:padded_batch(3, { padded_shapes = { 5 }, padding_values = 9, drop_remainder = true })))
    assert.equal("spec(int32 (any, any))", tostring(ds:padded_batch(3):element_spec()))
    assert.error_matches(function() ds:map(function(x) return x end) end, "functions that are compiled need all sizes")
  end)

  it("takes batches apart, concatenates and enumerates", function()
    assert.same({ 0, 1, 2, 3, 4 }, elements(data.range(5):batch(2):unbatch()))
    assert.same({ { 0, 1, 2 }, { 3, 4 } }, elements(data.range(5):batch(2):unbatch():batch(3)))
    assert.same({ 0, 1, 0, 1, 2 }, elements(data.range(2):concatenate(data.range(3))))
    assert.same({ { 0, 5 }, { 1, 6 } }, elements(data.range(5, 7):enumerate()))
    assert.same({ { 3, { 5, 5 } } }, elements(data.zip(data.range(5, 6), data.range(5, 6)):enumerate(3)))
    assert.equal(2, data.range(5, 7):enumerate():cardinality())
  end)

  it("filters", function()
    local even = data.range(10):filter(function(x) return pod.equal(x % 2, 0) end)
    assert.same({ 0, 2, 4, 6, 8 }, elements(even))
    assert.same({ { 0, 4 }, { 8, 12 } }, elements(even:map(function(x) return x * 2 end):batch(2):take(2)))
    assert.same(elements(even), elements(data.range(10):filter(function(x)
      return pod.equal(x % 2, 0)
    end, { num_parallel_calls = 3 })))
    local named = data.from_tensor_slices { x = pod.tensor { 1, 2, 3 }, y = pod.tensor { 3, 2, 1 } }
    assert.same({ { x = 3, y = 1 } }, elements(named:filter(function(e) return pod.greater(e.x, e.y) end)))
    assert.error_matches(function() data.range(3):filter(function(x) return x end) end, "must return one bool")
    assert.same({}, elements(data.range(1000):filter(function(x) return pod.less(x, 0) end)))
  end)

  it("reduces and scans", function()
    assert.equal(10, data.range(5):reduce(pod.tensor(0, { dtype = "int64" }), function(sum, x)
      return sum + x
    end):item())
    local sums = data.range(5):scan(pod.tensor(0, { dtype = "int64" }), function(sum, x)
      return sum + x, sum + x
    end)
    assert.same({ 0, 1, 3, 6, 10 }, elements(sums))
    assert.same({ 0, 1, 3, 0, 1, 3 }, elements(sums:take(3):repeat_(2)))
    local pairs_ = data.from_tensor_slices({ pod.tensor { 1, 2 }, pod.tensor { 10, 20 } })
      :scan({ total = pod.tensor(0) }, function(state, x, y)
        local total = state.total + x * y
        return { total = total }, { x = x, total = total }
      end)
    assert.same({ { x = 1, total = 10 }, { x = 2, total = 50 } }, elements(pairs_))
    assert.error_matches(function()
      data.range(5):scan(pod.tensor(0), function(s, x) return x, x end)
    end, "state 0 is float32 %(%) before and int64 %(%) after")
  end)

  it("chooses among datasets", function()
    local a, b = data.range(0, 10), data.range(100, 110)
    local choices = data.range(6):map(function(i) return i % 2 end)
    assert.same({ 0, 100, 1, 101, 2, 102 }, elements(data.choose_from_datasets({ a, b }, choices)))
    local mixed = elements(data.sample_from_datasets({ a, b }, { seed = 1 }))
    assert.equal(20, #mixed)
    assert.same(mixed, elements(data.sample_from_datasets({ a, b }, { seed = 1 })))
    local only = elements(data.sample_from_datasets({ a, b }, { weights = { 0, 1 }, seed = 1 }))
    assert.same({ 100, 101, 102 }, { only[1], only[2], only[3] })
    assert.error_matches(function() data.sample_from_datasets({ a, b }, { weights = { 1 } }) end, "1 weights are given")
  end)

  it("groups elements by a key", function()
    local ds = data.range(10):group_by_window {
      key = function(x) return x % 2 end,
      reduce = function(_, window) return window:batch(5) end,
      window_size = 5,
    }
    assert.same({ { 0, 2, 4, 6, 8 }, { 1, 3, 5, 7, 9 } }, elements(ds))
    ds = data.range(7):group_by_window {
      key = function(x) return x % 2 end,
      reduce = function(key, window) return window:batch(2):map(function(x) return x * 10 + key end) end,
      window_size = function() return 2 end,
    }
    assert.same({ { 0, 20 }, { 11, 31 }, { 40, 60 }, { 51 } }, elements(ds))
    assert.same({ { 0, 20 }, { 11, 31 } }, elements(ds:take(2)))
  end)

  it("batches elements of similar length", function()
    local lengths = { 0, 1, 2, 3, 4, 5, 6, 7 } -- tf.data's example: sequences of range(n)
    local ds = data.from_generator(function()
      local i = 0
      return function()
        i = i + 1
        local n = lengths[i]
        if n then
          return pod.arange(n):cast "int32"
        end
      end
    end, pod.spec({ -1 }, "int32"))
    local batches = elements(ds:bucket_by_sequence_length {
      element_length_func = function(x) return x.shape[1] end,
      bucket_boundaries = { 3, 5 },
      bucket_batch_sizes = { 2, 2, 2 },
    })
    assert.same({
      { { 0 }, { 0 } }, -- of lengths 0 and 1
      { { 0, 1, 2, 0 }, { 0, 1, 2, 3 } },
      { { 0, 1, 2, 3, 4, 0 }, { 0, 1, 2, 3, 4, 5 } },
      { { 0, 1 } },
      { { 0, 1, 2, 3, 4, 5, 6 } },
    }, batches)
  end)

  it("runs functions on several threads in order", function()
    local function square(x) return x * x end
    local one = elements(data.range(2000):map(square, { defer = false }))
    assert.same(one, elements(data.range(2000):map(square, { defer = false, num_parallel_calls = 4 })))
    assert.same(one, elements(data.range(2000):map(square, { num_parallel_calls = data.AUTOTUNE })))
    local sorted = elements(data.range(2000):map(square, { num_parallel_calls = 4, deterministic = false }))
    table.sort(sorted)
    assert.same(one, sorted)
    assert.same({ "range", "map", "parallel" },
      data.range(5):map(square, { defer = false, num_parallel_calls = 2 }):stages())
  end)
end)

describe("an interpreted map", function()
  local function interpret(ds, fn, options)
    options = options or {}
    options.interpret = true
    return ds:map(fn, options)
  end

  it("runs plain Lua on each element", function()
    local scale, names = 3, { [0] = "even", [1] = "odd" }
    local ds = interpret(data.range(5), function(x)
      local steps = 0
      while x > 1 do
        x = x % 2 == 0 and math.floor(x / 2) or 3 * x + 1
        steps = steps + 1
      end
      return steps * scale, names[steps % 2]
    end)
    assert.same({ { 0, "even" }, { 0, "even" }, { 3, "odd" }, { 21, "odd" }, { 6, "even" } }, elements(ds))
    assert.same(elements(ds), elements(interpret(data.range(5), function(x)
      local steps = 0
      while x > 1 do
        x = x % 2 == 0 and math.floor(x / 2) or 3 * x + 1
        steps = steps + 1
      end
      return steps * scale, names[steps % 2]
    end, { num_parallel_calls = 3 })))
  end)

  it("gets and gives arrays, tables and strings", function()
    local ds = interpret(data.from_texts { "a b c", "d e" }, function(line)
      local words, codes = 0, {}
      for word in line:gmatch "%a" do
        words = words + 1
        codes[words] = word:byte()
      end
      return { words = words, codes = codes, shout = line:upper() }
    end)
    assert.same({ { words = 3, codes = { 97, 98, 99 }, shout = "A B C" },
      { words = 2, codes = { 100, 101 }, shout = "D E" } }, elements(ds))
    assert.same({ { { 97, 98, 99 }, { 100, 101, 0 } } }, elements(interpret(ds, function(e)
      return e.codes
    end):padded_batch(2)))
    local typed = interpret(data.range(2), function(x) return { x, x }, x > 0 end,
      { output_signature = { pod.spec({ 2 }, "float32"), pod.spec({}, "bool") } })
    assert.equal("spec(float32 (2,))", tostring(typed:element_spec()[1]))
    assert.same({ { { 0, 0 }, false }, { { 1, 1 }, true } }, elements(typed))
  end)

  it("draws the same numbers on any number of threads", function()
    local function roll() return math.random(1000000) end
    local one = elements(interpret(data.range(200), roll, { seed = 5 }))
    assert.same(one, elements(interpret(data.range(200), roll, { seed = 5, num_parallel_calls = 4 })))
    assert.not_same(one, elements(interpret(data.range(200), roll, { seed = 6 })))
    local twice = elements(interpret(data.range(20), roll, { seed = 5 }):repeat_(2))
    assert.not_same({ table.unpack(twice, 1, 20) }, { table.unpack(twice, 21) })
  end)

  it("tells what cannot travel, and where it fails", function()
    assert.error_matches(function() interpret(data.range(2), math.floor) end, "a function of C")
    local t = pod.zeros { 2 }
    assert.error_matches(function()
      interpret(data.range(2), function(x) return t end, { output_signature = pod.spec({}, "float32") })
    end, "upvalue 't' is a tensor of shape %(2,%), which cannot be handed")
    local ds = interpret(data.range(5), function(x)
      if x == 3 then error "three is too much" end
      return x
    end, { num_parallel_calls = 2 })
    assert.error_matches(function() elements(ds) end, "element %d+: .*three is too much")
    assert.error_matches(function()
      elements(interpret(data.range(3), function(x) return x < 2 and { x } or "text" end))
    end, "element 2: ")
  end)
end)

describe("a file", function()
  it("gives lines, pieces and records", function()
    local path = temporary "one\ntwo\r\nthree"
    assert.same({ "one", "two", "three" }, elements(data.text_lines(path)))
    assert.same({ "two", "three", "two" }, elements(data.text_lines { path, path }:skip(1):shard(2, 0):take(1)
      :concatenate(data.text_lines(path):skip(2), data.text_lines(path):skip(1):take(1))))
    local pieces = elements(data.fixed_length_records(path, 4, { header_bytes = 2 }))
    assert.same({ 101, 10, 116, 119 }, pieces[1]) -- "e\ntw"
    assert.error_matches(function()
      elements(data.fixed_length_records(path, 5))
    end, "has 14 bytes: without 0 of header and 0 of footer that is no multiple of 5")
    os.remove(path)
  end)

  it("is found by a pattern", function()
    local base = temporary ""
    for _, name in ipairs { "b", "a", "c" } do
      local file = assert(io.open(base .. "-" .. name .. ".txt", "wb"))
      file:write(name .. "\n")
      file:close()
    end
    local names = elements(data.list_files(base .. "-*.txt", { shuffle = false }))
    assert.same({ base .. "-a.txt", base .. "-b.txt", base .. "-c.txt" }, names)
    local shuffled = elements(data.list_files(base .. "-*.txt", { seed = 3 }))
    table.sort(shuffled)
    assert.same(names, shuffled)
    local lines = data.list_files(base .. "-*.txt", { shuffle = false }):interleave(function(path)
      return data.text_lines(path)
    end, { cycle_length = 2 })
    assert.same({ "a", "b", "c" }, elements(lines))
    assert.error_matches(function() data.list_files(base .. "?none") end, "no file has a name like")
    for _, name in ipairs(names) do
      os.remove(name)
    end
    os.remove(base)
  end)

  it("gives examples as tables of tensors", function()
    local path = temporary ""
    local writer = data.records.writer(path)
    for i = 1, 5 do
      writer:write(data.records.example { image = ("\1\2\3\4"), label = i, name = "n" .. i, weights = { i, 0.5 } })
    end
    writer:close()
    local ds = data.tfrecord(path):parse_example({
      image = pod.spec({ 2, 2 }, "uint8"), label = pod.spec({}, "int32"), name = { dtype = "text" },
      weights = { shape = { -1 }, dtype = "float32" }, missing = { shape = {}, dtype = "float32", default = 7 },
    }, { num_parallel_calls = 2 })
    local list = elements(ds)
    assert.equal(5, #list)
    assert.same({ image = { { 1, 2 }, { 3, 4 } }, label = 3, name = "n3", weights = { 3, 0.5 }, missing = 7 }, list[3])
    local batches = data.tfrecord(path)
      :parse_example { image = pod.spec({ 4 }, "uint8"), label = pod.spec({}, "int32") }
      :map(function(e) return e.image:cast "float32" / 4, e.label end):batch(5)
    local x, y = batches:iterator():next()
    assert.same({ 0.25, 0.5, 0.75, 1 }, x:totable()[1])
    assert.same({ 1, 2, 3, 4, 5 }, y:totable())
    assert.error_matches(function()
      elements(data.tfrecord(path):parse_example { other = pod.spec({}, "float32") })
    end, "element 0: the example has no feature 'other'")
    os.remove(path)
  end)

  it("gives the rows of a table", function()
    local path = temporary "\239\187\191name,age,height\r\n\"Smith, J\",30,1.5\r\n\"say \"\"hi\"\"\",40,\n"
    local ds = data.csv(path, { columns = {
      { name = "height", dtype = "float32", default = -1 }, { name = "name", dtype = "text" },
      { name = "age", dtype = "int32" },
    } })
    assert.same({ { name = "Smith, J", age = 30, height = 1.5 }, { name = "say \"hi\"", age = 40, height = -1 } },
      elements(ds))
    assert.error_matches(function() data.csv(path, { columns = { { name = "size", dtype = "int32" } } }) end,
      "has no column 'size'; there are age, height, name")
    os.remove(path)
  end)

  it("reads a table of numbers as one tensor", function()
    local path = temporary "b,a\n1,2.5\n-3,4e1\n"
    local rows, names = data.load_csv(path)
    assert.same({ { 1, 2.5 }, { -3, 40 } }, rows:totable())
    assert.same({ "b", "a" }, names)
    rows, names = data.load_csv({ path, path }, { columns = { "a" }, dtype = "float64" })
    assert.same({ { 2.5 }, { 40 }, { 2.5 }, { 40 } }, rows:totable())
    assert.same({ "a", "float64" }, { names[1], rows.dtype })
    assert.error_matches(function() data.load_csv(path, { columns = { "c" } }) end, "has no column 'c'")
    local dated = temporary "day,name,price\n2024-01-02,Ann,1.5\n"
    assert.error_matches(function() data.load_csv(dated) end,
      "'day' %(row 2, field 1: '2024%-01%-02'%), 'name' %(row 2, field 2: 'Ann'%) of .* are texts; "
        .. "columns = { 'price' }")
    assert.same({ { 1.5 } }, (data.load_csv(dated, { columns = { "price" } }):totable()))
    os.remove(dated)
    assert.error_matches(function() data.load_csv(path, { header = false }) end, "row 1, field 1: 'b' is no float32")
    os.remove(path)
    path = temporary "1;2\n3;4\n"
    assert.same({ { 1, 2 }, { 3, 4 } }, data.load_csv(path, { header = false, separator = ";" }):totable())
    os.remove(path)
    path = temporary "a,b\n"
    assert.error_matches(function() data.load_csv(path) end, "has no row of data")
    os.remove(path)
  end)

  it("finds out the types of columns", function()
    local path = temporary "a\tb\tc\n1\t2.5\tx\n2\t3\ty\n"
    local ds = data.csv(path, { separator = "\t" })
    assert.same({ { a = 1, b = 2.5, c = "x" }, { a = 2, b = 3, c = "y" } }, elements(ds))
    assert.equal("int64", ds:element_spec().a.dtype)
    local pairs_ = data.csv(path, { separator = "\t", columns = { { name = "a" }, { name = "b" } }, label = "b" })
    assert.same({ { { a = 1 }, 2.5 }, { { a = 2 }, 3 } }, elements(pairs_))
    os.remove(path)
  end)

  it("of a table is refused with its row where it is damaged", function()
    local function of(text, dtype)
      return function()
        local path = temporary(text)
        local ok, message = pcall(function()
          elements(data.csv(path, { columns = { { name = "a", dtype = dtype or "int32" } } }))
        end)
        os.remove(path)
        error(ok and "nothing" or message, 0)
      end
    end
    assert.error_matches(of "a,b\n1,2\n3\n", "row 3 has 1 fields, but 2 are needed")
    assert.error_matches(of "a,b\n1,2\nx,2\n", "row 3, field 1: 'x' is no int32")
    assert.error_matches(of "a,b\n,2\n", "row 2, field 1: there is no value, and no default")
    assert.error_matches(of "a,b\n\"1,2\n", "row 2: a quoted field does not end")
    assert.error_matches(of "a,b\n\"1\"x,2\n", "row 2: a quoted field goes on behind its quote")
    assert.error_matches(of("a\n0x10\n", "float32"), "'0x10' is no float32")
    assert.error_matches(of("a\n1e999999\n1..2\n", "float32"), "row 3, field 1: '1..2' is no float32")
  end)

  it("keeps a dataset as it was", function()
    local path = temporary ""
    local ds = data.from_tensor_slices { image = pod.tensor({ { 1, 2 }, { 3, 4 } }, { dtype = "uint8" }),
      ["a key"] = { pod.tensor { 0.5, 1.5 }, pod.tensor({ true, false }) } }
    ds:save(path)
    local back = data.load(path)
    assert.same(elements(ds), elements(back))
    assert.equal(tostring(ds:element_spec().image), tostring(back:element_spec().image))
    assert.same(elements(ds:batch(2)), elements(back:batch(2)))
    data.from_texts({ "one", "two" }):save(path)
    assert.same({ "one", "two" }, elements(data.load(path)))
    assert.same({ "one", "two", "one", "two" }, elements(data.load(path):repeat_(2)))
    assert.error_matches(function() data.range(3):repeat_():save(path) end, "has no end")
    assert.same({ "one", "two" }, elements(data.load(path))) -- the old file is still there
    local writer = data.records.writer(path)
    writer:write "moonpod dataset 9\nfloat32\nnote 1\n"
    writer:close()
    assert.error_matches(function() data.load(path) end, "version 9 of the format of saved datasets")
    os.remove(path)
  end)
end)

describe("several files", function()
  local paths = {}

  setup(function()
    for i, count in ipairs { 3, 1, 4 } do
      local lines = {}
      for line = 1, count do
        lines[line] = ("%d.%d\n"):format(i, line)
      end
      paths[i] = temporary(table.concat(lines))
    end
  end)

  teardown(function()
    for _, path in ipairs(paths) do
      os.remove(path)
    end
  end)

  it("are read one after the other, or at once in turns", function()
    assert.same({ "1.1", "1.2", "1.3", "2.1", "3.1", "3.2", "3.3", "3.4" }, elements(data.text_lines(paths)))
    for _, reads in ipairs { 3, 5, data.AUTOTUNE } do
      local ds = data.text_lines(paths, { num_parallel_reads = reads })
      assert.same({ "1.1", "2.1", "3.1", "1.2", "3.2", "1.3", "3.3", "3.4" }, elements(ds))
    end
    local two = data.text_lines(paths, { num_parallel_reads = 2 })
    assert.same({ "1.1", "2.1", "1.2", "1.3", "3.1", "3.2", "3.3", "3.4" }, elements(two))
    assert.error_matches(function() data.text_lines(paths, { num_parallel_reads = 1000 }) end, "parallel reads is 1000")
    local missing = data.text_lines({ paths[1], "/nonexistent" }, { num_parallel_reads = 2 })
    assert.error_matches(function() elements(missing) end, "/nonexistent: cannot open")
  end)

  it("are datasets that an interleave reads ahead", function()
    for _, threads in ipairs { 1, 2, data.AUTOTUNE } do
      local ds = data.from_texts(paths):interleave(function(path)
        return data.text_lines(path)
      end, { cycle_length = 2, num_parallel_calls = threads })
      assert.same({ "1.1", "2.1", "1.2", "1.3", "3.1", "3.2", "3.3", "3.4" }, elements(ds))
    end
  end)
end)

describe("a function that fails", function()
  it("is named with its line and its element, after the elements before", function()
    for _, threads in ipairs { 1, 2, data.AUTOTUNE } do
      local ds = data.range(5000):map(function(x)
        if x == 4321 then
          error "no such thing"
        end
        return x
      end, { interpret = true, num_parallel_calls = threads })
      local it, count = ds:prefetch(4):iterator(), 0
      local ok, message = pcall(function()
        while it:next() do
          count = count + 1
        end
      end)
      it:close()
      assert.is_false(ok)
      assert.equal(4321, count)
      assert.matches("map %([^)]*data_stages_spec.lua:%d+%), element 4321: .*data_stages_spec.lua:%d+: no such thing",
        message)
    end
  end)
end)

describe("a batch that is larger than what comes", function()
  local function counted(rows, columns)
    local generator = data.from_generator(function()
      local i = 0
      return function()
        i = i + 1
        return i <= rows and pod.tensor { i } or nil
      end
    end, pod.spec({ 1 }, "float32"))
    return generator:map(function(x) return pod.ones { columns } * x end, { defer = false })
  end

  it("takes memory for what comes alone, where nobody knows how much", function()
    for _, stage in ipairs { "batch", "padded_batch" } do
      local ds = counted(3, 1)
      assert.same({ { { 1 }, { 2 }, { 3 } } }, { ds[stage](ds, 10 ^ 12):iterator():next():totable() })
    end
    assert.equal(0, #counted(3, 1):batch(10 ^ 12, { drop_remainder = true }):totable())
  end)

  it("grows beyond what it began with", function()
    local rows = 17000 -- of 4 KiB: 66 MiB
    local x = counted(rows, 1024):batch(10 ^ 12):iterator():next()
    assert.equal(rows, x.shape[1])
    for _, i in ipairs { 1, 2, 16383, 16384, 16385, 16386, rows } do
      assert.same({ i, i }, { x[i][1]:item(), x[i][1024]:item() })
    end
  end)
end)

describe("a pipeline", function()
  it("is measured stage by stage", function()
    local ds = data.range(100):shuffle(10, { seed = 1 }):batch(10)
    assert.error_matches(function() ds:stats() end, "nothing went through this dataset yet")
    local report = ds:bench(25)
    assert.same({ "range", "shuffle", "batch" }, { report[1].stage, report[2].stage, report[3].stage })
    assert.equal(25, report[3].elements)
    assert.is_true(report[1].elements >= 250 and report[1].elements <= 300)
    assert.matches("stage +elements +elements/s +busy +waited +threads +queue +bytes\nrange +", tostring(report))
    assert.equal(25, ds:stats()[3].elements)
    assert.error_matches(function() ds:bench(0) end, "number of steps must be an integer of at least 1")
    assert.equal(3, #data.range(0):shuffle(1):batch(2):bench(5)) -- an empty one ends
  end)

  it("tells what its stages did", function()
    local ds = data.range(40):map(function(x) return x + 1 end, { defer = false, num_parallel_calls = 2 })
      :batch(4):prefetch(3)
    local it = ds:iterator()
    assert.equal("prefetch", ds:stats()[4].stage)
    for _ = 1, 5 do
      it:next()
    end
    local stats = ds:stats()
    assert.same({ "range", "map", "batch", "prefetch" }, { stats[1].stage, stats[2].stage, stats[3].stage,
      stats[4].stage })
    assert.equal(5, stats[4].elements)
    assert.same({ 0, 2, 0, 1 }, { stats[1].threads, stats[2].threads, stats[3].threads, stats[4].threads })
    assert.equal(3, stats[4].queue_size)
    assert.is_false(stats.tuned)
    it:close()
    assert.equal(5, ds:stats()[4].elements) -- of the one that was closed
    assert.equal(5, it:stages()[4].elements)
    local tuned = data.range(4):batch(2):prefetch()
    tuned:totable()
    assert.is_true(tuned:stats().tuned and tuned:stats()[3].tunes_queue)
    assert.matches("0/%d+%*.*%* chosen by autotune", tostring(tuned:stats()))
  end)

  it("leaves autotune what its options allow", function()
    local ds = data.range(10):map(function(x) return x end, { defer = false, num_parallel_calls = data.AUTOTUNE })
    assert.equal(1, ds:options({ autotune = false }):bench(5)[2].threads)
    assert.equal(1, ds:options({ threads = 1, memory_budget = 1000 }):bench(5)[2].threads)
    local any = elements(ds:options({ deterministic = false }))
    table.sort(any)
    assert.same({ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 }, any)
  end)

  it("can keep its elements as one block", function()
    local calls = 0
    local function numbers()
      return data.from_generator(function()
        calls = calls + 1
        local i = 0
        return function()
          i = i + 1
          if i <= 5 then
            return { i, i + 0.5 }
          end
        end
      end, pod.spec({ 2 }, "float32"), { cardinality = 5 })
    end
    local pinned = numbers():map(function(x) return x * 2 end):pin()
    assert.equal(1, calls)
    assert.same({ "from_tensor_slices" }, pinned:stages())
    assert.equal("spec(float32 (2,))", tostring(pinned:raw():element_spec()))
    for _ = 1, 2 do
      assert.same({ { 2, 3 }, { 4, 5 }, { 6, 7 }, { 8, 9 }, { 10, 11 } }, elements(pinned))
    end
    assert.equal(1, calls)
    local pairs_of = data.from_tensor_slices { pod.tensor { { 1, 2 }, { 3, 4 } },
      pod.tensor({ 5, 6 }, { dtype = "int32" }) }
    local rows = {}
    for x, y in pairs_of:pin():iter() do
      rows[#rows + 1] = { x:totable(), y:item() }
    end
    assert.same({ { { 1, 2 }, 5 }, { { 3, 4 }, 6 } }, rows)
    local shuffled = data.range(20):shuffle(20, { seed = 3 }):pin()
    assert.same(elements(shuffled), elements(shuffled)) -- in the order of the pass that filled the block
    assert.same({}, elements(data.range(0):pin()))
    assert.error_matches(function() data.range(3):repeat_():pin() end, "number of elements is infinite")
    assert.same({ 2 }, elements(data.range(3):filter(function(x) return pod.greater(x, 1) end):pin()))
    assert.error_matches(function() data.from_texts({ "a" }):pin() end, "component 0, which is text")
    local uneven = data.range(8):batch(3)
    assert.same({ 3, 12, 13 }, elements(uneven:map(pod.sum):pin()))
    assert.error_matches(function() uneven:pin() end, "cannot stack element 2")
    assert.same({ 1, 5, 9, 13 }, elements(data.range(8):batch(2):map(pod.sum):pin()))
  end)

  it("gets advice", function()
    local function has(ds, part)
      return table.concat(data.lint(ds), "\n"):find(part, 1, true) ~= nil
    end
    local ds = data.range(100)
    assert.is_true(has(ds:shuffle(10):cache(), "shuffle is before cache"))
    assert.is_true(has(ds:repeat_(2):shuffle(10), "repeat is before shuffle"))
    assert.is_true(has(ds:batch(10):repeat_(2), "batch is before repeat"))
    assert.is_true(has(ds:batch(30), "the last batch is short"))
    assert.is_true(has(ds:batch(10), "nothing is prepared ahead"))
    assert.is_true(has(ds:prefetch(2):batch(10), "prefetch is not last"))
    assert.is_true(has(ds:map(function(x) return x end, { defer = false }):batch(10), "applied before batch"))
    assert.is_true(has(ds:batch(10):shuffle(10), "shuffle is behind batch"))
    assert.is_true(has(ds:shuffle(10):batch(10), "the shuffle buffer holds 10 of 100 elements"))
    assert.is_false(has(ds:shuffle(100):batch(10), "the shuffle buffer"))
    local function plain(x) return x end
    assert.is_true(has(ds:map(plain, { interpret = true }), "runs as Lua runs on one thread"))
    assert.is_false(has(ds:map(plain, { interpret = true, num_parallel_calls = 2 }), "one thread"))
    assert.same({}, ds:cache():shuffle(100):batch(10, { drop_remainder = true }):prefetch(2):lint())
    assert.same({}, ds:map(plain):shuffle(100):batch(10, { drop_remainder = true }):prefetch(2):lint())
  end)
end)
