local pod = require "moonpod"
local data = require "moonpod.data"
local read = require("tests.lua.support.files").read

local base = os.tmpname()
os.remove(base)

local function write(path, bytes)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
end

local function plain(value)
  if pod.is_tensor(value) then
    value = { dtype = value.dtype, shape = value.shape, #value.shape == 0 and value:item() or value:totable() }
  end
  if type(value) ~= "table" then
    return tostring(value)
  end
  local keys, parts = {}, {}
  for key in pairs(value) do
    keys[#keys + 1] = key
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for i, key in ipairs(keys) do
    parts[i] = tostring(key) .. "=" .. plain(value[key])
  end
  return "{" .. table.concat(parts, " ") .. "}"
end

-- A small file of each format: name, how it is written and read, and whether checksums guard all of it.
local x = pod.tensor { { 1, 2, 3 }, { 4, 5, 6 } }
local arrays = { x = x, y = pod.tensor({ 7, 8 }, { dtype = "int32" }) }

local function records_of(path, compression)
  local list = {}
  for bytes in data.records.read(path, { compression = compression }) do
    list[#list + 1] = bytes
  end
  return list
end

local function write_records(compression)
  return function(path)
    local writer = data.records.writer(path, { compression = compression })
    for i = 1, 3 do
      writer:write(("record %d"):format(i))
    end
    writer:close()
  end
end

local function text_of(ds)
  return plain(ds:totable())
end

local formats = {
  npy = { write = function(p) data.save_npy(p, x) end, read = function(p) return plain(data.load_npy(p)) end },
  npz = { write = function(p) data.save_npz(p, arrays) end, read = function(p) return plain(data.load_npz(p)) end },
  npz_deflated = { write = function(p) data.save_npz(p, arrays, { compress = true }) end,
    read = function(p) return plain(data.load_npz(p)) end },
  safetensors = { write = function(p) data.save_safetensors(p, arrays, { made = "here" }) end,
    read = function(p) return plain { data.load_safetensors(p) } end },
  idx = { write = function(p) data.save_idx(p, x) end, read = function(p) return plain(data.load_idx(p)) end },
  idx_gzip = { guarded = true, write = function(p)
    data.save_idx(p .. ".gz", x)
    os.rename(p .. ".gz", p)
  end, read = function(p) return plain(data.load_idx(p)) end },
  tfrecord = { guarded = true, write = write_records(), read = function(p) return plain(records_of(p)) end },
  tfrecord_gzip = { guarded = true, write = write_records "gzip",
    read = function(p) return plain(records_of(p, "gzip")) end },
  tfrecord_dataset = { guarded = true, write = write_records(),
    read = function(p) return text_of(data.tfrecord(p)) end },
  saved = { guarded = true,
    write = function(p) data.zip { data.range(3), data.from_texts { "a", "bc", "" } }:save(p) end,
    read = function(p) return text_of(data.load(p)) end },
  csv = { write = function(p) write(p, 'a,b,c\n1,2.5,"x ""y"""\n-3,4,z\n') end, read = function(p)
    return text_of(data.csv(p, { columns = { { name = "a", dtype = "int32" }, { name = "b" },
      { name = "c", dtype = "text" } } }))
  end },
  fixed_length = { write = function(p) write(p, "headABCDEFtail") end, read = function(p)
    return text_of(data.fixed_length_records(p, 3, { header_bytes = 4, footer_bytes = 4 }))
  end },
  lines_gzip = { guarded = true, write = function(p)
    write(p .. ".txt", "one\ntwo\n")
    os.execute(("gzip -nc '%s.txt' > '%s'; rm '%s.txt'"):format(p, p, p))
  end, read = function(p) return text_of(data.text_lines(p, { compression = "gzip" })) end },
}

describe("a damaged file", function()
  local path = base .. "-file"
  after_each(function()
    os.remove(path)
  end)

  for name, format in pairs(formats) do
    it("is refused with its name, or read as it was: " .. name, function()
      format.write(path)
      local bytes, whole = read(path), format.read(path)
      local refused = 0
      local function check(changed, what)
        write(path, changed)
        local ok, result = pcall(format.read, path)
        if not ok then
          refused = refused + 1
          assert.truthy(tostring(result):find(path, 1, true), what .. ": " .. tostring(result))
        elseif format.guarded then
          assert.equal(whole, result, what)
        end
      end
      for i = 1, #bytes do
        local change = 1 + i * 37 % 255
        check(bytes:sub(1, i - 1) .. string.char((bytes:byte(i) + change) % 256) .. bytes:sub(i + 1),
          ("byte %d + %d"):format(i - 1, change))
      end
      for size = 0, #bytes - 1 do
        write(path, bytes:sub(1, size))
        local ok, result = pcall(format.read, path)
        refused = refused + (ok and 0 or 1)
        assert.is_true(not ok and tostring(result):find(path, 1, true) ~= nil or ok and result ~= whole
          or name == "csv", ("cut to %d bytes"):format(size))
      end
      assert.is_true(refused > 0)
    end)
  end

  it("tells the offset", function()
    formats.tfrecord.write(path)
    local bytes = read(path)
    for at, what in pairs { [24] = "the checksum of its length", [24 + 12] = "the checksum of its data" } do
      write(path, bytes:sub(1, at) .. string.char((bytes:byte(at + 1) + 1) % 256) .. bytes:sub(at + 2))
      assert.error_matches(function() records_of(path) end, "corrupted record at offset 24: " .. what)
    end
    write(path, bytes:sub(1, 40))
    assert.error_matches(function() records_of(path) end, "the record at offset 24")
  end)

  it("of a table tells the row that has too few or too many fields", function()
    write(path, "a,b\n1,2\n3\n")
    assert.error_matches(function() data.csv(path):totable() end, "row 3 has 1 fields, but 2 are needed")
    write(path, "a,b\n1,2\n3,4,5\n")
    assert.error_matches(function() data.csv(path):totable() end, "row 3 has 3 fields, but 2 are needed")
  end)
end)

-- Most bytes that the process had at once, in MiB.
local function peak()
  local file = assert(io.open("/proc/self/status"))
  local kilobytes = file:read("*a"):match "VmHWM:%s*(%d+) kB"
  file:close()
  return tonumber(kilobytes) / 1024
end

describe("a file that claims or unpacks to much more than it has", function()
  local path = base .. "-bomb"
  after_each(function()
    os.remove(path)
  end)

  -- 64 MiB of zeros as gzip: 64 KiB.
  local function bomb(header, mebibytes)
    write(path .. ".head", header)
    os.execute(("(cat '%s.head'; head -c %d /dev/zero) | gzip -n > '%s'; rm '%s.head'"):format(path, mebibytes * 2 ^ 20,
      path, path))
  end

  it("is refused before memory is taken", function()
    local before = peak()
    -- a header of one byte, and 256 MiB behind it
    bomb("\0\0\8\1\0\0\0\1", 256)
    assert.error_matches(function() data.load_idx(path) end, path, nil, true)
    -- a header of 2^31 bytes with nothing behind it
    write(path, "\0\0\8\2\127\255\255\255\0\0\1\0")
    assert.error_matches(function() data.load_idx(path) end, path, nil, true)
    -- a record of 2^40 bytes, whose header is right
    local writer = data.records.writer(path)
    writer:write "x"
    writer:close()
    local bytes = read(path)
    write(path, "\0\0\0\0\0\1\0\0" .. bytes:sub(9))
    assert.error_matches(function() records_of(path) end, path, nil, true)
    -- a line without end
    bomb("", 256)
    assert.error_matches(function() data.text_lines(path, { compression = "gzip" }):totable() end,
      "a line is longer than")
    -- an archive whose member claims 2^31 bytes
    data.save_npz(path, { x = pod.zeros { 1000 } }, { compress = true })
    bytes = read(path)
    local shape = bytes:gsub("(PK\1\2" .. ("."):rep(20) .. ")....", "%1\255\255\255\127")
    write(path, shape)
    assert.error_matches(function() data.load_npz(path) end, path, nil, true)
    -- an array that claims 2^50 elements
    data.save_npy(path, pod.zeros { 1000 })
    write(path, (read(path):gsub("%(1000,%), }" .. (" "):rep(12), "(1125899906842624,), }")))
    assert.error_matches(function() data.load_npy(path) end, path, nil, true)
    assert.is_true(peak() - before < 200, ("%.0f MiB were taken"):format(peak() - before))
  end)
end)

describe("a pass over the data", function()
  local first, second = base .. "-1", base .. "-2"
  after_each(function()
    os.remove(first)
    os.remove(second)
  end)

  it("ends with the name of a file that is gone", function()
    write_records()(first)
    write_records()(second)
    local ds = data.tfrecord { first, second }
    local it = ds:iterator()
    assert.truthy(it:next())
    os.remove(second)
    assert.truthy(it:next())
    assert.truthy(it:next())
    for _ = 1, 2 do -- and stays so
      assert.error_matches(function() it:next() end, second, nil, true)
    end
    write_records()(second)
    it:rewind()
    for _ = 1, 6 do
      assert.truthy(it:next())
    end
    assert.is_nil(it:next())
    it:close()
  end)

  it("names the element for which a function gives something else", function()
    local function odd(v)
      if v == 17 then
        return { v, v, v }
      end
      return { v, v }
    end
    local announced = data.range(30):map(odd, { interpret = true, output_signature = pod.spec({ 2 }, "int64") })
    assert.error_matches(function() announced:batch(5):totable() end, "element 17")
    for threads = 1, 2 do
      local parallel = data.range(30):map(odd, { interpret = true, output_signature = pod.spec({ 2 }, "int64"),
        num_parallel_calls = threads })
      local it = parallel:iterator()
      for i = 0, 16 do -- elements before it still come
        assert.equal(i, it:next():totable()[1])
      end
      assert.error_matches(function() it:next() end, "element 17")
      it:close()
    end
    local found_out = data.range(30):map(odd, { interpret = true })
    assert.error_matches(function() found_out:batch(5):totable() end, "element 17")
    local raising = data.range(30):map(function(v)
      if v == 17 then
        error "no picture"
      end
      return v
    end, { interpret = true, output_signature = pod.spec({}, "int64") })
    assert.error_matches(function() raising:totable() end, "element 17.*no picture")
  end)

  it("gives all elements before the one that fails, though a run computes many", function()
    local function lucky(n) return pod.check(n, pod.not_equal(n, 37), "no luck") end
    local plain_ds = data.range(100)
    for stage, ds in pairs {
      map = plain_ds:map(lucky, { defer = false }),
      threads = plain_ds:map(lucky, { defer = false, num_parallel_calls = 2 }),
      filter = plain_ds:filter(function(n) return pod.greater_equal(lucky(n), 0) end),
      ["filter on threads"] = plain_ds:filter(function(n) return pod.greater_equal(lucky(n), 0) end,
        { num_parallel_calls = 2 }),
      batched = plain_ds:map(lucky, { defer = false }):batch(1),
    } do
      local it, count = ds:iterator(), 0
      local ok, message = pcall(function()
        while it:next() ~= nil do
          count = count + 1
        end
      end)
      assert.equal("false 37", tostring(ok) .. " " .. count, stage)
      assert.is_true(message:find "element 37: .*no luck" ~= nil, stage .. ": " .. message)
      it:rewind()
      assert.equal(0, ((it:next()):sum():item()), stage)
      it:close()
    end
  end)

  it("names stage, line and element, whichever function fails", function()
    local function fails(n) return pod.check(n, pod.not_equal(n, 5), "no luck") end
    local function here(n)
      if n:item() == 5 then
        error("no luck", 0)
      end
      return n % 2
    end
    local numbers, zero = data.range(9), pod.tensor(0, { dtype = "int64" })
    local stages = {
      ["filter %(.*:%d+%), element 5: "] = numbers:filter(function(n) return pod.greater(fails(n), -1) end),
      ["scan %(.*:%d+%), element 5: "] = numbers:scan(zero, function(sum, n) return sum + fails(n), n end),
      ["flat_map %(.*:%d+%), element 5: "] = numbers:flat_map(function(n) return data.from_tensors(here(n)) end),
      ["interleave %(.*:%d+%), element 5: "] = numbers:interleave(function(n) return data.from_tensors(here(n)) end),
      ["group_by_window %(.*:%d+%), .*element 5: "] = numbers:group_by_window { key = here, window_size = 2,
        reduce = function(_, window) return window end },
    }
    for pattern, ds in pairs(stages) do
      assert.error_matches(function() ds:fold(0, function() return 0 end) end, pattern .. ".*no luck")
    end
    assert.error_matches(function()
      numbers:reduce(zero, function(sum, n) return sum + fails(n) end)
    end, "reduce, element 5: .*no luck")
  end)

  it("stays where a function for batches of changing sizes failed, and names the batch", function()
    local it = data.range(7):batch(2):map(function(rows)
      return pod.check(rows, pod.not_equal(pod.sum(rows), 5), "no luck")
    end):iterator()
    it:next()
    for _ = 1, 2 do
      assert.error_matches(function() it:next() end, "map %(.*data_faults_spec.lua:%d+%), element 1: .*no luck")
    end
    it:rewind()
    assert.equal(1, it:next():totable()[2])
    it:close()
  end)

  it("without an end needs a number of steps", function()
    local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
    model:compile { optimizer = "sgd", loss = "mse" }
    local ds = data.from_tensor_slices({ pod.ones { 4, 2 }, pod.ones { 4, 1 } }):repeat_():batch(2)
    assert.error_matches(function() model:fit(ds, { verbose = 0 }) end, "never ends; give steps_per_epoch")
    assert.truthy(model:fit(ds, { steps_per_epoch = 3, verbose = 0 }))
  end)

  it("with labels that are no numbers shows it in the loss, and goes on", function()
    local model = pod.models.sequential { pod.layers.dense(1, { input_shape = { 2 } }) }
    model:compile { optimizer = "sgd", loss = "mse" }
    local history = model:fit(pod.ones { 4, 2 }, pod.tensor { { 1 }, { 0 / 0 }, { 1 }, { 1 } },
      { batch_size = 4, epochs = 2, verbose = 0 })
    local loss = history.history.loss[1]
    assert.is_true(loss ~= loss)
    local classes = pod.models.sequential { pod.layers.dense(3, { input_shape = { 2 } }) }
    classes:compile { optimizer = "sgd", loss = "sparse_categorical_crossentropy" }
    for _, labels in ipairs { pod.tensor { 0, 0 / 0, 1, 2 }, pod.tensor({ 0, 77, -5, 2 }, { dtype = "int32" }) } do
      pcall(classes.fit, classes, pod.ones { 4, 2 }, labels, { batch_size = 4, verbose = 0 })
    end
  end)
end)
