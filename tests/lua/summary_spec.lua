-- Event files: what TensorBoard's own readers see of them, and what happens where they cannot be written.

local pod = require "moonpod"
local core = require "moonpod.core"
local device = require "moonpod.tensor.device"
local executable = require "tests.lua.support.executable"
local peers = require "tests.lua.support.peers"

local folder = os.tmpname()
os.remove(folder)
os.execute("mkdir " .. folder)

teardown(function()
  os.execute("chmod -R u+w " .. folder .. "; rm -rf " .. folder)
end)

-- What TensorBoard sees in a folder: a set of the lines of tests/tools/tensorboard_reads.py, and all of them.
local function seen_by_tensorboard(python, path)
  local text, code = peers.run(python, "tests/tools/tensorboard_reads.py", { path })
  assert.equal(0, code, text)
  local lines = {}
  for line in text:gmatch "[^\n]+" do
    lines[(line:gsub("%s+$", ""))] = true
  end
  return lines, text
end

-- All scalars of a file: "tag step value" by value in the order of writing.
local function scalars(path)
  local reader, list = core.event_reader(device.context(), path), {}
  for tag, step, value in function() return reader:next() end do
    list[#list + 1] = value and ("%s %d %g"):format(tag, step, value) or nil
  end
  reader:close()
  return list
end

local function bytes_of(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "*a"
  file:close()
  return bytes
end

local function write_bytes(path, bytes)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
end

describe("TensorBoard", function()
  local python, why = peers.python { "tensorboard", "PIL" }

  local function run(name, test)
    it(name, function()
      if not python then
        return pending(why)
      end
      test(folder .. "/" .. name:gsub("%W", "_"))
    end)
  end

  run("sees scalars, with their tags, steps and values", function(path)
    local train = pod.summary.writer(path .. "/train")
    train:scalar("loss", 0.5, 0)
    train:scalar("loss", pod.tensor { 0.25 }, pod.tensor(7))
    train:scalar("a/b", pod.variable(pod.tensor(true)), 1099511627776)
    train.step = -3
    train:scalar("negative", -1e30)
    train:scalar("ünïcödé", 0 / 0, 1)
    train:scalar("infinite", -1 / 0, 1)
    train:close()
    pod.summary.writer(path, { worker = 2 }):scalar("loss", 3, 1) -- closed by the collector
    collectgarbage()
    collectgarbage()
    local seen = seen_by_tensorboard(python, path)
    assert.is_true(seen["scalar train loss 0 0x1.0000000000000p-1"])
    assert.is_true(seen["scalar train loss 7 0x1.0000000000000p-2"])
    assert.is_true(seen["scalar train a/b 1099511627776 0x1.0000000000000p+0"])
    assert.is_true(seen["tensors train negative scalars -3"])
    assert.is_true(seen["scalar train ünïcödé 1 nan"])
    assert.is_true(seen["scalar train infinite 1 -inf"])
    assert.is_true(seen["scalar worker_2 loss 1 0x1.8000000000000p+1"])
  end)

  run("makes the same buckets of the same numbers", function(path)
    local writer = pod.summary.writer(path .. "/run")
    local data = {
      normal = pod.random.normal({ 20, 50 }, { seed = 1 }), single = pod.tensor { 2.5 }, constant = pod.full({ 7 }, -3),
      integers = pod.tensor({ 1, 2, 3, 100 }, { dtype = "int64" }), empty = pod.zeros { 0, 3 },
      wide = pod.tensor({ -1e308, 0, 1e300 }, { dtype = "float64" }), tiny = pod.tensor { 1e-45, 2e-45, 1e-44 },
      odd = pod.tensor { 0 / 0, 1, 1 / 0, 2, -1 / 0, 4 },
    }
    for name, values in pairs(data) do
      writer:histogram(name, values, 2)
      pod.data.save_npy(path .. "/" .. name .. ".npy", values)
    end
    writer:histogram("half", pod.tensor({ 1, 2, 2.5 }, { dtype = "bfloat16" }), 1, { buckets = 2 })
    writer:histogram("bools", pod.tensor { true, false, true }, 1, { buckets = 2 })
    writer:histogram("no buckets", pod.tensor { 1, 2 }, 1, { buckets = 0 })
    writer:histogram("nothing finite", pod.tensor { 0 / 0, 1 / 0 }, 1, { buckets = 3 })
    writer:histogram("many buckets", pod.tensor { 0, 1, 2, 3 }, 1, { buckets = 100000 })
    writer:close()
    local seen, text = seen_by_tensorboard(python, path)
    assert.is_nil(text:match "differs[^\n]*")
    local found = {}
    for tag, step, buckets, sum in text:gmatch "histogram run ([%l ]-) (%d+) (%d+) (%d+)" do
      found[tag] = ("%s %s %s"):format(step, buckets, sum)
    end
    assert.same({ normal = "2 30 1000", single = "2 30 1", constant = "2 30 7", integers = "2 30 4", empty = "2 30 0",
      wide = "2 30 3", tiny = "2 30 3", odd = "2 30 3", half = "1 2 3", bools = "1 2 3", ["no buckets"] = "1 0 0",
      ["nothing finite"] = "1 3 0", ["many buckets"] = "1 100000 4" }, found)
    assert.is_true(seen["histogram run odd 2 30 3 0x1.0000000000000p+0 0x1.0000000000000p+2"])
  end)

  run("decodes the pictures that were written", function(path)
    local writer = pod.summary.writer(path .. "/run")
    for channels = 1, 4 do
      local name = "channels" .. channels
      local pixels = pod.random.uniform({ 3, 9, 7, channels }, { minval = 0, maxval = 256, seed = channels })
      local smooth = pod.cast(pixels, "uint8")
      pod.data.save_npy(("%s/%s.npy"):format(path, name), smooth)
      writer:image(name, smooth, 1)
      local floats = pod.random.uniform({ 2, 5, 33, channels }, { minval = -0.5, maxval = 1.5, seed = channels })
      pod.data.save_npy(("%s/floats%d.npy"):format(path, channels), floats)
      writer:image("floats" .. channels, floats, 1)
    end
    local ramp = pod.reshape(pod.iota({ 64 * 64 }, 0, "float32"), { 64, 64, 1 }) / 4096
    pod.data.save_npy(path .. "/ramp.npy", ramp:reshape { 1, 64, 64, 1 })
    writer:image("ramp", ramp, 1)
    writer:image("most", pod.zeros { 5, 1, 1, 3 }, 1, { max_outputs = 2 })
    writer:image("none", pod.zeros { 0, 1, 1, 3 }, 1)
    writer:close()
    local seen, text = seen_by_tensorboard(python, path)
    assert.is_nil(text:match "differs[^\n]*")
    assert.is_true(seen["images run channels1 1 3 9x7x1 9x7x1 9x7x1"])
    assert.is_true(seen["images run channels4 1 3 9x7x4 9x7x4 9x7x4"])
    assert.is_true(seen["images run floats2 1 2 5x33x2 5x33x2"])
    assert.is_true(seen["images run ramp 1 1 64x64x1"])
    assert.is_true(seen["images run most 1 2 1x1x3 1x1x3"])
    assert.is_true(seen["images run none 1 0"])
  end)

  run("sees texts, graphs and hyperparameters", function(path)
    local layers, models = pod.layers, pod.models
    local writer = pod.summary.writer(path .. "/run")
    writer:text("one", "**bold** ä", 1)
    writer:text("list", { "a", "b" }, 1)
    writer:text("table", { { "a", "b" }, { "c", "d" } }, 1)
    writer:hparams({ lr = 0.5, optimizer = "adam", nesterov = true }, { metrics = { "loss" }, group = "g" })
    local x = layers.input { shape = { 4 }, name = "x" }
    local inner = models.sequential { name = "inner", layers.dense(3, { input_shape = { 4 }, name = "first" }),
      layers.dense(2, { name = "second" }) }
    local shared = layers.dense(2, { name = "shared" })
    local sum = layers.add { name = "sum" } { inner(x), shared(inner(x)), shared(shared(inner(x))) }
    writer:graph(models.functional { name = "model", inputs = x, outputs = sum })
    writer:keras_model("keras", [[{"class_name": "Sequential", "config": {"name": "s", "layers": [
      {"class_name": "InputLayer", "config": {"name": "in", "dtype": "float32"}},
      {"class_name": "Dense", "config": {"name": "dense"}}]}}]], 0)
    writer:close()
    local seen = seen_by_tensorboard(python, path)
    assert.is_true(seen["keras run keras s/dense Dense s/in"])
    assert.is_true(seen["text run one 1 **bold** ä"])
    assert.is_true(seen["text run list 1 a b"])
    assert.is_true(seen["text run table 1 a b c d"])
    assert.is_true(seen["hparams run lr=0.5 nesterov=True optimizer=adam metrics loss status 1"])
    assert.is_true(seen["graph run x InputLayer  -1x4"])
    assert.is_true(seen["graph run inner/first Dense x -1x3"])
    assert.is_true(seen["graph run inner_1/second Dense inner_1/first -1x2"])
    assert.is_true(seen["graph run shared_1 Dense inner_2/second -1x2"]
      or seen["graph run shared_1 Dense shared -1x2"])
  end)

  run("follows a file that is being written", function(path)
    local writer = pod.summary.writer(path .. "/run", { max_queue = 1000, flush_millis = 3600000 })
    writer:scalar("loss", 1, 1)
    assert.is_nil(seen_by_tensorboard(python, path)["tensors run loss scalars 1"])
    writer:flush()
    assert.is_true(seen_by_tensorboard(python, path)["tensors run loss scalars 1"])
    writer:scalar("loss", 1, 2)
    writer:close()
    assert.is_true(seen_by_tensorboard(python, path)["tensors run loss scalars 1 2"])
  end)
end)

describe("an event file", function()
  it("is read up to where it ends, wherever that is", function()
    local writer = pod.summary.writer(folder .. "/cut")
    local whole = { [0] = {} }
    for step = 1, 4 do
      writer:scalar("loss", step / 2, step)
      writer:flush()
      whole[step] = { size = #bytes_of(writer.path), scalars = scalars(writer.path) }
      assert.equal(step, #whole[step].scalars)
    end
    writer:close()
    local bytes, path = bytes_of(writer.path), folder .. "/cut/short"
    local records = 0
    for size = 0, #bytes do
      records = whole[records + 1] and size >= whole[records + 1].size and records + 1 or records
      write_bytes(path, bytes:sub(1, size))
      assert.same(whole[records].scalars or {}, scalars(path))
    end
    for at = 1, #bytes do
      write_bytes(path, bytes:sub(1, at - 1) .. string.char((bytes:byte(at) + 1) % 256) .. bytes:sub(at + 1))
      local ok, message = pcall(scalars, path)
      assert.is_true(ok and #message <= 4 or not ok and message:find "corrupted record at offset" ~= nil, message)
    end
  end)

  it("may have a million buckets, and no more than there is room for", function()
    local writer = pod.summary.writer(folder .. "/million")
    writer:histogram("h", pod.tensor { 0, 1, 2, 3 }, 1, { buckets = 1000000 })
    writer:close()
    assert.is_true(#bytes_of(writer.path) > 24000000)
    local reader = core.event_reader(device.context(), writer.path)
    local tag, step, value, _, plugin = reader:next()
    assert.same({ "h", 1, false, "histograms" }, { tag, step, value, plugin })
    assert.is_nil(reader:next())
  end)

  it("has a name of its own each time, with the suffix", function()
    local a = pod.summary.writer(folder .. "/names/")
    local b = pod.summary.writer(folder .. "/names", { filename_suffix = ".mine" })
    assert.matches("^" .. folder:gsub("%p", "%%%0") .. "/names/events%.out%.tfevents%.%d%d%d%d%d%d%d%d%d%d%..*%.v2$",
      a.path)
    assert.matches("%.mine$", b.path)
    assert.not_equal(a.path, b.path)
    assert.matches("<summary writer .*%.mine>", tostring(b))
    b:close()
    b:close()
    assert.matches("closed", tostring(b))
    assert.error_matches(function()
      b:scalar("loss", 1, 1)
    end, "summary.writer:scalar: the writer is closed; a new one goes on in a new file")
  end)

  it("says what is wrong with what is given", function()
    local writer = pod.summary.writer(folder .. "/wrong")
    local cases = {
      { "the tag of a summary is empty", "scalar", "", 1, 1 },
      { "not UTF%-8: its byte 2 is 0xff", "scalar", "a\255", 1, 1 },
      { "zero byte", "scalar", "a\0b", 1, 1 },
      { "a scalar is one number, not a tensor of shape %(2,%)", "scalar", "a", pod.zeros { 2 }, 1 },
      { "there is no step", "scalar", "a", 1 },
      { "a step is a whole number, not 1.5", "scalar", "a", 1, 1.5 },
      { "unknown option 'bucket'; did you mean 'buckets'", "histogram", "a", pod.zeros { 2 }, 1, { bucket = 3 } },
      { "a histogram of 2000000000 buckets", "histogram", "a", pod.zeros { 2 }, 1, { buckets = 2000000000 } },
      { "with 1 to 4 channels and at least one pixel, not %(1, 2, 2, 5%)", "image", "a", pod.zeros { 2, 2, 5 }, 1 },
      { "not %(2,%)", "image", "a", pod.zeros { 2 }, 1 },
      { "uint8 %(0 to 255%) or floats %(0 to 1%), not int32", "image", "a", pod.zeros({ 2, 2, 1 }, "int32"), 1 },
      { "a text is not UTF%-8", "text", "a", "\200", 1 },
      { "a text must be a string", "text", "a", { "b", 1 }, 1 },
      { "as many texts as the first, 1", "text", "a", { { "b" }, { "c", "d" } }, 1 },
      { "wants a model or a list of nodes", "graph", 3 },
      { "node 1: unknown option 'input'; did you mean 'inputs'", "graph", { { name = "a", input = {} } } },
      { "'lr' must be a number, a text or a boolean", "hparams", { lr = {} } },
    }
    for _, case in ipairs(cases) do
      local ok, message = pcall(writer[case[2]], writer, case[3], case[4], case[5], case[6])
      assert.is_false(ok, case[1])
      assert.matches(case[1], message)
      assert.matches("summary_spec.lua:%d+: ", message)
    end
    local traced = pod.func(function(x)
      writer:scalar("a", x, 1)
      return x
    end)
    assert.error_matches(function()
      traced(pod.tensor(1))
    end, "within a compiled function values are not known yet")
    writer:scalar("whole", 1, 1)
    writer:close()
    assert.same({ "whole 1 1" }, scalars(writer.path))
  end)

  it("tells that its folder cannot be written, is a file, or was removed", function()
    write_bytes(folder .. "/file", "")
    assert.error_matches(function()
      pod.summary.writer(folder .. "/file/logs")
    end, "cannot make the directory: not a directory")
    assert.error_matches(function()
      pod.summary.writer ""
    end, "the folder of an event file is empty")
    local writer = pod.summary.writer(folder .. "/removed")
    writer:scalar("a", 1, 1)
    os.execute("rm -r " .. folder .. "/removed")
    assert.error_matches(function()
      writer:flush()
    end, "events cannot be read any more: the file, or its folder, was removed")
    writer:close()
  end)

  -- As where the disk is full: the kernel refuses to make files longer.
  it("has whole records where there is no room for more, and all that comes where there is again", function()
    local script = folder .. "/full.lua"
    write_bytes(script, ([[
      local pod = require "moonpod"
      local writer = pod.summary.writer("%s/full", { flush_millis = 3600000 })
      local failures, last = 0
      for step = 1, 2000 do
        local ok, message = pcall(writer.scalar, writer, "loss", step, step)
        failures, last = failures + (ok and 0 or 1), ok and last or message
      end
      local ok, message = pcall(writer.close, writer)
      print(writer.path, failures > 100, ok, last:match "full.lua" ~= nil, message)
    ]]):format(folder))
    local text = executable.shell(("trap '' XFSZ; ulimit -f 8; %s %s"):format(
      executable.quote(executable.program), script))
    local path, rest = text:match "^(%S+)\t(.*)"
    assert.matches("^true\tfalse\t.*cannot write events: file too large", rest or text)
    local list = scalars(path)
    assert.is_true(#list > 20 and #list < 2000)
    for i, line in ipairs(list) do
      assert.equal(("loss %d %g"):format(i, i), line)
    end
    local reader = core.record_reader(device.context(), path, "none") -- which wants whole records
    repeat until reader:next() == nil
    reader:close()
  end)
end)
