-- What datasets promise at their edges: no silent conversions, no endless calls, errors with the right element.

local pod = require "moonpod"
local data = require "moonpod.data"
local records = require "moonpod.data.records"
local warned_by = require "tests.lua.support.warned_by"

local function fails(message, fn, ...)
  local ok, found = pcall(fn, ...)
  assert.is_false(ok)
  assert.truthy(tostring(found):find(message, 1, true), ("expected '%s', got '%s'"):format(message, tostring(found)))
end

local function with_file(text, fn)
  local path = os.tmpname()
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  fn(path)
  os.remove(path)
end

describe("parse_example", function()
  local function parse(list, spec)
    local bytes = records.example { x = list }
    return data.from_texts { bytes }:parse_example({ x = spec }):totable()[1].x
  end

  local floats, integers = pod.tensor { -2.5, 3 }, pod.tensor({ 2 ^ 40, -1 }, { dtype = "int64" })

  it("takes lists of the type that is asked for, and of no other", function()
    assert.same({ -2.5, 3 }, parse(floats, pod.spec { 2 }))
    assert.same({ 2 ^ 40, -1 }, parse(integers, pod.spec({ 2 }, "int64")))
    fails("feature 'x' has 2 floats, but int64 (2,) is expected", parse, floats, pod.spec({ 2 }, "int64"))
    fails("feature 'x' has 2 int64s, but float32 (2,) is expected", parse, integers, pod.spec { 2 })
    fails("feature 'x' has 2 floats, but bool (2,) is expected", parse, floats, pod.spec({ 2 }, "bool"))
  end)

  it("takes narrower types where each number fits", function()
    local small = pod.tensor({ 0, 255 }, { dtype = "int64" })
    assert.same({ 0, 255 }, parse(small, pod.spec({ 2 }, "uint8")))
    fails("number 1: 255 is no int8", parse, small, pod.spec({ 2 }, "int8"))
    fails("number 0: 1099511627776 is no int32", parse, integers, pod.spec({ 2 }, "int32"))
    fails("number 1: 255 is no bool", parse, small, pod.spec({ 2 }, "bool"))
    assert.same({ -2.5, 3 }, parse(floats, pod.spec({ 2 }, "float16")))
    fails("number 0: 1e+06 is too large for float16", parse, pod.tensor { 1e6 }, pod.spec({ 1 }, "float16"))
  end)

  it("has no quarrel with lists of nothing", function()
    assert.same({}, parse(pod.zeros({ 0 }, "int64"), pod.spec { -1 }))
  end)
end)

describe("csv", function()
  local TABLE = 'a,b,name,label\n1,2.5,x,0\n3,4,y,1\n5,6.5,"q,z",1\n'

  it("takes columns by name, with the types of the first row", function()
    with_file(TABLE, function(path)
      assert.same({ { label = 0, name = "x" }, { label = 1, name = "y" }, { label = 1, name = "q,z" } },
        data.csv(path, { columns = { "label", "name" } }):totable())
      local ds = data.csv(path, { columns = { "b", { name = "label", dtype = "float32" } }, label = "label" })
      assert.same({ { b = 2.5 }, 0 }, ds:totable()[1])
    end)
  end)

  it("refuses columns that are not there, or are no columns", function()
    with_file(TABLE, function(path)
      fails("has no column 'aa'; did you mean 'a'?", data.csv, path, { columns = { "aa" } })
      fails("csv: column 1: unknown option 'type'", data.csv, path, { columns = { { name = "a", type = "int64" } } })
      fails("csv: column 2", data.csv, path, { columns = { "a", 3 } })
      fails("not empty", data.csv, path, { columns = {} })
      fails("two columns are named 'a'", data.csv, path, { columns = { "a", "a" } })
      fails("column 1 has index 9, but rows have 4 fields", data.csv, path, { columns = { { index = 9 } } })
    end)
    with_file("1,2\n3,4\n", function(path)
      assert.same({ { x = 1, y = 2 }, { x = 3, y = 4 } },
        data.csv(path, { header = false, columns = { "x", "y" } }):totable())
    end)
  end)
end)

describe("an interpreted map", function()
  local rows = data.from_tensor_slices(pod.tensor { { 1, 2 }, { 3, 4 } })

  it("gets a vector as one value, with and without a signature", function()
    local function sum(x) return x[1] + x[2] end
    local function count(...) return (select("#", ...)) end
    for _, signature in ipairs { pod.spec {}, false } do
      local options = { interpret = true, seed = 1, output_signature = signature or nil }
      assert.same({ 3, 7 }, rows:map(sum, options):totable())
    end
    assert.same({ 1, 1 }, rows:map(count, { interpret = true, seed = 1 }):totable())
    assert.same({ 2, 2 }, data.zip { rows, data.range(2) }:map(count, { interpret = true, seed = 1 }):totable())
  end)
end)

describe("a dataset without an end", function()
  local endless = data.range(3):repeat_()

  it("is not gone through to its end", function()
    fails("totable: the dataset has no end; take(n)", endless.totable, endless)
    fails("reduce: the dataset has no end", endless.reduce, endless, 0, function(s, x) return s + x end)
    fails("fold: the dataset has no end", endless.fold, endless, 0, function(s, x) return s + x:item() end)
    local batches = pod.distribute.mirrored(1):distribute_dataset(endless:batch(2))
    fails("shard_report: the dataset has no end", batches.shard_report, batches)
    assert.same({ 0, 1, 2, 0 }, endless:totable(4))
    assert.same({}, endless:totable(0))
    fails("totable: argument 1 (limit) must be a whole number from 0", endless.totable, endless, -1)
    assert.equal(-1, endless:enumerate():cardinality())
    assert.equal(-1, endless:enumerate(1):cardinality())
    assert.equal(5, data.range(5):enumerate(-3):cardinality())
  end)
end)

describe("the number of threads", function()
  it("is at least 1, or AUTOTUNE", function()
    local ds = data.range(4)
    local function same(x) return x end
    local function repeated(x) return data.from_tensors(x) end
    for _, threads in ipairs { 0, -2, 1.5, "2" } do
      local options = { num_parallel_calls = threads }
      fails("map: num_parallel_calls (or pod.data.AUTOTUNE) must be an integer of at least 1", ds.map, ds, same,
        options)
      fails("filter: num_parallel_calls", ds.filter, ds, function(x) return pod.less(x, 2) end, options)
      fails("interleave: num_parallel_calls", ds.interleave, ds, repeated, options)
      fails("batch: num_parallel_calls", ds.batch, ds, 2, options)
      local texts = data.from_texts { "" }
      fails("parse_example: num_parallel_calls", texts.parse_example, texts, { x = pod.spec {} }, options)
      fails("map: num_parallel_calls", ds.map, ds, same,
        { num_parallel_calls = threads, interpret = true, output_signature = pod.spec({}, "int64") })
    end
    assert.same({ 0, 1, 2, 3 }, ds:map(same, { num_parallel_calls = data.AUTOTUNE, defer = false }):totable())
  end)
end)

describe("loops", function()
  it("have no closing value, and may be left and begun again", function()
    local ds = data.range(5)
    assert.equal(2, select("#", ds:iter()))
    local function first()
      for x in ds:iter() do
        if x:item() == 1 then
          break
        end
      end
      return "left"
    end
    local function call(...)
      return select("#", ...), ...
    end
    for _ = 1, 20 do
      assert.same({ 2, "left", "left" }, { call(first(), first()) })
    end
    local distributed = pod.distribute.mirrored(1):distribute_dataset(ds:batch(2))
    assert.equal(2, select("#", distributed:iter()))
    assert.equal(2, select("#", distributed:enumerate()))
  end)
end)

describe("host_bytes", function()
  it("counts what functions that wait make", function()
    local bytes = data.from_tensor_slices(pod.zeros({ 8, 4 }, "uint8"))
    local widened = bytes:map(function(x)
      return pod.broadcast_to(x:cast("float32"):reshape { 4, 1 }, { 4, 1000 })
    end)
    assert.is_true(widened:batch(8, { drop_remainder = true }):prefetch(2):host_bytes() >= 2 * 8 * 4 * 1000 * 4)
    assert.is_true(bytes:batch(8, { drop_remainder = true }):prefetch(2):host_bytes() < 4000)
  end)

  it("is near what is held of elements that are buffers of their own, or rows of blocks that are mixed", function()
    local function now()
      collectgarbage()
      collectgarbage()
      return pod.memory_info("/CPU:0").current
    end
    local function check(ds, steps, slack, less)
      slack = slack or 1.2
      local estimate, before, it = ds:host_bytes(), now(), ds:iterator()
      for i = 1, steps do
        it:next()
        if i % 500 == 0 then
          collectgarbage() -- what was given is free, as in a model's step
        end
      end
      local held = now() - before
      it:close()
      assert(held < slack * estimate and held > estimate / (less or slack),
        ("%d held, %d estimated"):format(held, estimate))
    end
    local function interpreted(count)
      return data.range(count):map(function(n)
        local row = {}
        for i = 1, 20 do
          row[i] = n + i
        end
        return row
      end, { interpret = true, output_signature = pod.spec { 20 } })
    end
    check(interpreted(9000):shuffle(6000), 20)
    check(interpreted(6000):cache(), 6000)
    local function widened(n) return pod.broadcast_to(n:cast "float32", { 20 }) end
    check(data.range(90000):map(widened, { defer = false }):shuffle(5000), 40000)
    check(data.range(200000):shuffle(20000), 100000)
    check(data.from_tensor_slices(pod.zeros { 30000, 9 }):shuffle(30000), 20)
    -- How many elements come at once depends on the machine, and by that how long blocks are held for their last row:
    -- foreseen is the most, and fewer, which have more of a buffer each, are near it.
    local function added(count) return interpreted(count):map(function(x) return x + 1 end, { defer = false }) end
    check(added(9000):shuffle(3000), 5000, 1.5)
    check(added(90000):shuffle(5000), 40000, 1.2, 1.5)
    -- Which blocks are held is drawn: of 150, as here, 6 more or less in the standard deviation.
    local batches = data.from_tensor_slices(pod.zeros { 1024, 250 }):repeat_():batch(64, { drop_remainder = true })
    check(batches:map(function(x) return x + 1 end, { defer = false }):unbatch():shuffle(2000), 14000)
  end)

  it("counts what waits before and behind threads, and what each works with", function()
    local rows = data.from_tensor_slices(pod.zeros { 1024, 1000 }):map(function(x) return x + 1 end, { defer = false })
    local function double(x) return 2 * x end
    local one = rows:map(double, { defer = false }):host_bytes() - rows:host_bytes()
    local two = rows:map(double, { defer = false, num_parallel_calls = 2 }):host_bytes() - rows:host_bytes()
    assert.equal(256 * 2 * 4000, one)
    assert.equal(2 * one + 2 * 2 * 256 * 2 * 4000, two)
  end)

  it("takes no time for rows of blocks without end", function()
    local function rows(batch)
      return data.range(8):repeat_():map(function(x) return x + 1 end):batch(batch):unbatch():shuffle(1000):host_bytes()
    end
    assert.is_true(rows(2 ^ 40) >= 2 ^ 40 * 8)
    -- the sum and its expansion meet where they change over
    assert.is_true(math.abs(rows(65) - rows(64) - (rows(64) - rows(63))) <= 0.01 * rows(64))
  end)

  it("foresees batches that no memory holds", function()
    local rows = data.from_generator(function() return function() end end, pod.spec { 250000 }) -- 1 MB each
    assert.equal(4096e6, rows:batch(4096):host_bytes())
    assert.equal(512e6, rows:batch(4096 / 8):host_bytes())
    assert.matches("an iterator will hold about 4.1 GB", table.concat(data.lint(rows:batch(4096)), "\n"))
  end)

  it("counts a short last batch as a full one", function()
    local ds = data.from_tensor_slices(pod.zeros { 10, 5 })
    assert.equal(ds:batch(5, { drop_remainder = true }):prefetch(2):host_bytes(), ds:batch(5):prefetch(2):host_bytes())
    assert.equal(ds:batch(4, { drop_remainder = true }):prefetch(2):host_bytes(), ds:batch(4):prefetch(2):host_bytes())
    assert.is_true(ds:padded_batch(4):prefetch(2):host_bytes() >= 3 * 4 * 5 * 4)
    local function double(x) return 2 * x end
    assert.is_true(ds:batch(4):map(double):prefetch(2):host_bytes() >= 3 * 4 * 5 * 4)
  end)
end)

describe("take behind cache", function()
  it("warns, as nothing is ever kept", function()
    local ds = data.range(10)
    local warnings = warned_by(function()
      assert.truthy(ds:cache():take(4):lint()[1]:find("take(4) is behind cache", 1, true))
      ds:cache():map(function(x) return x end, { defer = false }):batch(2):take(1)
    end)
    assert.equal(2, #warnings)
    assert.truthy(warnings[1]:find("take(4) is behind cache: no pass is a whole one", 1, true))
    assert.same({}, warned_by(function()
      ds:cache():take(10)
      ds:cache():repeat_():take(4)
      ds:cache():shuffle(10, { seed = 1 }):take(4)
      ds:take(4):cache()
      ds:cache():take(-1)
    end))
  end)
end)

describe("distribution", function()
  local strategy = pod.distribute.mirrored(2)

  it("refuses at once what replicas could not divide", function()
    local function distribute(ds)
      return strategy:distribute_dataset(ds)
    end
    fails("elements are int64 (), which have no rows to divide among replicas; call batch(n) before", distribute,
      data.range(8))
    fails("map them to numbers before", distribute, data.from_texts { "a" })
    fails("component 2 of elements has 3 rows, but the first has 2", distribute,
      data.from_tensors { pod.zeros { 2 }, pod.zeros { 3 } })
    distribute(data.from_tensors { pod.zeros { 2 }, pod.zeros { 2, 4 } })
  end)
end)

describe("a failure", function()
  -- 0 to count - 1, then an error
  local function failing(count)
    return data.from_generator(function()
      local i = -1
      return function()
        i = i + 1
        if i == count then
          error "no more"
        end
        return i
      end
    end, pod.spec({}, "int64"))
  end

  it("comes behind the elements in the buffer of a shuffle", function()
    for _, size in ipairs { 1, 3, 100 } do
      local it, seen = failing(7):shuffle(size, { seed = 1 }):iterator(), {}
      local ok, value = pcall(it.next, it)
      while ok do
        seen[value:item()] = true
        ok, value = pcall(it.next, it)
      end
      assert.truthy(tostring(value):find("no more", 1, true))
      for i = 0, 6 do
        assert.is_true(seen[i], ("element %d with a buffer of %d"):format(i, size))
      end
      assert.is_false((pcall(it.next, it)))
      it:close()
    end
  end)

  it("of elements that do not fit comes only with a batch that is full", function()
    local rows = data.from_generator(function()
      local list, i = { { 1, 2 }, { 3, 4 }, { 5 } }, 0
      return function()
        i = i + 1
        return list[i]
      end
    end, pod.spec({ -1 }, "int64"))
    assert.same({ { { 1, 2 }, { 3, 4 } } }, rows:batch(2, { drop_remainder = true }):totable())
    assert.same({}, rows:batch(4, { drop_remainder = true }):totable())
    fails("batch cannot stack element 2", rows.totable, (rows:batch(3, { drop_remainder = true })))
    fails("batch cannot stack element 2", rows.totable, (rows:batch(4)))
  end)
end)

describe("types that are told", function()
  it("do not have the sizes of one batch where others differ", function()
    local function pairs_of(x)
      return pod.stack({ x, x * 3 }, 0)
    end
    local ds = data.range(5):batch(2):map(pairs_of)
    assert.same({ 2, -1 }, ds:element_spec().shape)
    assert.same({ { 4 }, { 12 } }, ds:totable()[3])
    local ragged = data.from_generator(function()
      local i = 0
      return function()
        i = i + 1
        return i < 4 and pod.zeros({ i }, "int64") or nil
      end
    end, pod.spec({ -1 }, "int64"))
    assert.same({ -1 }, ragged:flat_map(function(x) return data.from_tensors(x):repeat_(2) end):element_spec().shape)
  end)

  it("of buckets have no size of a batch where the buckets' differ", function()
    local function length(x)
      return x.shape[1]
    end
    local options = { element_length_func = length, bucket_boundaries = { 3 }, bucket_batch_sizes = { 1, 2 },
      drop_remainder = true }
    local rows = data.from_tensor_slices(pod.zeros { 4, 3 })
    assert.same({ -1, 3 }, rows:bucket_by_sequence_length(options):element_spec().shape)
    local named = data.from_tensor_slices { a = pod.zeros { 4, 3 }, b = pod.zeros { 4 } }
    named = named:map(function(e) return e.a end)
    options.padded_shapes = { 4 }
    assert.equal(2, #named:bucket_by_sequence_length(options):totable())
  end)
end)

describe("an error of a mapped function", function()
  local function pick(i)
    return pod.gather(pod.arange(17), i, 0)
  end

  local function failure_of(ds)
    local it = ds:iterator()
    local ok, message
    repeat
      ok, message = pcall(it.next, it)
    until not ok or message == nil
    it:close()
    return tostring(message)
  end

  it("names the element, wherever the function runs", function()
    local ds = data.range(30)
    for _, threads in ipairs { 1, 2 } do
      local options = { num_parallel_calls = threads > 1 and threads or nil, defer = false }
      assert.truthy(failure_of(ds:map(pick, options)):find("element 17: ", 1, true))
      assert.truthy(failure_of(ds:map(pick, options):batch(5)):find("element 17: ", 1, true))
      assert.truthy(failure_of(ds:map(pick, { num_parallel_calls = options.num_parallel_calls }):batch(5))
        :find("element 17 (row 2 of batch 3): ", 1, true))
    end
    assert.truthy(failure_of(ds:map(pick):batch(8)):find("row 1 of batch 2: ", 1, true))
    local last = data.range(17, 18):concatenate(data.range(3))
    assert.truthy(failure_of(last:map(pick, { defer = false })):find("element 0: ", 1, true))
  end)

  it("names the element of the dataset where it is part of a step", function()
    local ds = data.range(30):batch(5):map(function(i) return pick(i) end)
    local it = ds:raw():iterator()
    local step = pod.func(function(...)
      return pod.sum(ds:decode(...))
    end)
    local ok, message = pcall(step.run_steps, step, 6, it)
    it:close()
    assert.is_false(ok)
    assert.truthy(message:find("map %(.-data_promises_spec.lua:%d+%), element 3: "), message)
  end)

  it("names the stage and the row in a model's fit, evaluate and predict", function()
    local model = pod.models.sequential { pod.layers.input { shape = { 1 } }, pod.layers.dense(1) }
    model:compile { optimizer = "sgd", loss = "mse" }
    local function picked(i)
      return pick(i):cast("float32"):reshape { 1 }, pod.ones { 1 }
    end
    local ds = data.range(30):shuffle(30, { seed = 1 }):map(picked):batch(5)
    local order = data.range(30):shuffle(30, { seed = 1 }):totable()
    local place
    for i, number in ipairs(order) do
      place = place or number > 16 and i - 1
    end
    local wanted = ("element %d (row %d of batch %d): "):format(place, place % 5, math.floor(place / 5))
    for _, method in ipairs { "fit", "evaluate", "predict" } do
      local ok, message = pcall(model[method], model, ds, { verbose = 0 })
      assert.is_false(ok)
      assert.truthy(message:find("map %(.-data_promises_spec.lua:%d+%), element "), message)
      if method ~= "evaluate" then -- the first pass of the order above
        assert.truthy(message:find(wanted, 1, true) or method == "predict", message)
      end
    end
    local rows = data.range(4):map(function(i) return i:cast "int32", pod.ones { 1 } end):batch(2)
    local other = pod.models.sequential { pod.layers.input { shape = {}, dtype = "int32" }, pod.layers.embedding(3, 1) }
    other:compile { optimizer = "sgd", loss = "mse" }
    local ok, message = pcall(other.fit, other, rows, { verbose = 0 }) -- no stage's fault
    assert.is_false(ok)
    assert.truthy(message:find("element 1 of the dataset: ", 1, true), message)
  end)

  it("names the element of a generator, of which what came before is used", function()
    local function three()
      local i = 0
      return function()
        i = i + 1
        if i == 4 then
          error("disk failed", 0)
        end
        return { i, i }
      end
    end
    local ds = data.from_generator(three, pod.spec { 2 })
    assert.truthy(failure_of(ds):find("from_generator %(.-%), element 3: disk failed"))
    local sum = pod.variable(0.0)
    local step = pod.func(function(x)
      sum:assign_add(pod.sum(x))
    end)
    for count = 1, 5 do
      local it = ds:iterator()
      sum:assign(0)
      local ok, message, report
      repeat
        ok, message, report = pcall(step.run_steps, step, count, it)
        assert.is_false(ok and report.ended)
      until not ok
      assert.truthy(message:find("element 3: disk failed", 1, true))
      assert.equal(12, sum:value():item())
      it:close()
    end
  end)

  it("does not come of what fills a block", function()
    local function rare(i)
      return pod.gather(pod.arange(3) + 1, i, 0)
    end
    for count = 2, 40, 7 do -- blocks have more places than these elements
      local list = data.range(count):map(function(x) return x % 3 end, { defer = false }):map(rare, { defer = false })
      assert.equal(count, #list:totable())
    end
  end)
end)

describe("limits", function()
  it("of what may be unpacked are the application's", function()
    local path = os.tmpname()
    local writer = records.writer(path, { compression = "gzip" })
    writer:write(("x"):rep(100000))
    writer:close()
    pod.device.configure { unpacked_bytes = 50000 }
    local function read()
      return #data.tfrecord(path, { compression = "gzip" }):totable()
    end
    local ok, message = pcall(read)
    pod.device.configure { unpacked_bytes = 2 ^ 30 }
    assert.is_false(ok)
    assert.truthy(message:find("a record has more than the 50000 bytes that may be unpacked", 1, true), message)
    assert.equal(1, read())
    os.remove(path)
    fails("unpacked_bytes", pod.device.configure, { unpacked_bytes = 0 })
  end)
end)

describe("record files", function()
  it("that are renamed stay whole, and a failure leaves none of them", function()
    local prefix = os.tmpname()
    local texts = data.from_texts { ("a"):rep(700), ("b"):rep(700), ("c"):rep(700) }
    local paths = records.shard(texts, prefix, { target_mb = 0.001 })
    assert.equal(3, #paths)
    for i, path in ipairs(paths) do
      assert.equal(("%s-%05d-of-00003"):format(prefix, i - 1), path)
      assert.equal(1, #data.tfrecord(path):totable())
      os.remove(path)
    end
    local left = io.popen("ls " .. prefix .. "-* 2>/dev/null")
    assert.equal("", left:read "*a")
    left:close()
    os.remove(prefix)
  end)
end)
