-- Files of NumPy, TensorFlow and safetensors are read here, and files of Moonpod there. What they wrote is in
-- tests/golden/data_files.lua; the other way needs Python with these packages: tests/lua/support/peers.lua.

local pod = require "moonpod"
local data = require "moonpod.data"
local peers = require "tests.lua.support.peers"
local goldens = dofile "tests/golden/data_files.lua"

local directory = os.tmpname()
os.remove(directory)
os.execute("mkdir " .. directory)

local function path(name)
  return directory .. "/" .. name
end

local function put(name)
  local file = assert(io.open(path(name), "wb"))
  file:write((goldens[name]:gsub("%x%x", function(code)
    return string.char(tonumber(code, 16))
  end)))
  file:close()
  return path(name)
end

local FLOATS = { { 1.5, -2, 3.25 }, { 4, 5, 6 } }
local INTEGERS = { 7, -8, 9 }

local function check(tensor, dtype, values)
  assert.equal(dtype, tensor.dtype)
  assert.same(values, tensor:totable())
end

describe("a file of another program", function()
  teardown(function()
    os.execute("rm -rf " .. directory)
  end)

  it("of NumPy is read", function()
    check(data.load_npy(put "floats.npy"), "float32", FLOATS)
    check(data.load_npy(put "columns.npy"), "float32", FLOATS) -- in the order of Fortran
    local arrays = data.load_npz(put "arrays.npz")
    check(arrays.floats, "float32", FLOATS)
    check(arrays.integers, "int64", INTEGERS)
    arrays = data.load_npz(put "packed.npz")
    check(arrays.floats, "float32", FLOATS)
    check(arrays.bytes, "uint8", { { 0, 1, 2 }, { 3, 4, 5 } })
  end)

  it("of safetensors is read", function()
    local arrays, texts = data.load_safetensors(put "arrays.safetensors")
    check(arrays.floats, "float32", FLOATS)
    check(arrays.integers, "int64", INTEGERS)
    assert.same({ made = "here" }, texts)
  end)

  it("of TensorFlow is read", function()
    for name, compression in pairs { plain = "none", gzip = "gzip", zlib = "zlib" } do
      local list = {}
      for bytes in data.records.read(put(name .. ".tfrecord"), { compression = compression }) do
        list[#list + 1] = bytes
      end
      assert.same({ "abc", "" }, { list[1], list[2] })
      local example = data.records.decode(list[3])
      assert.same({ kind = "float", 0.5, -1 }, example.f)
      assert.same({ kind = "int64", 3, -4 }, example.i)
      assert.same({ kind = "bytes", "hi" }, example.s)
      assert.equal(list[3], data.records.example { f = { 0.5, -1.5 + 0.5 }, i = { 3, -4 }, s = "hi" })
    end
  end)

  it("of Python's csv is read", function()
    local rows = data.csv(put "table.csv", { columns = { { name = "a", dtype = "int32" },
      { name = "b", default = 9 }, { name = "c", dtype = "text" } } }):totable()
    assert.same({ { a = 1, b = 2.5, c = 'x "y"' }, { a = -3, b = 9, c = "line\nbreak" } }, rows)
  end)
end)

describe("a file of Moonpod", function()
  local own = directory .. "-own"
  teardown(function()
    os.execute("rm -rf " .. own)
  end)

  local function write_all()
    os.execute("mkdir -p " .. own)
    local floats, integers = pod.tensor(FLOATS), pod.tensor(INTEGERS, { dtype = "int64" })
    local arrays = { floats = floats, integers = integers }
    data.save_npy(own .. "/floats.npy", floats)
    data.save_npz(own .. "/arrays.npz", arrays)
    data.save_npz(own .. "/packed.npz", arrays, { compress = true })
    data.save_safetensors(own .. "/arrays.safetensors", arrays, { made = "here" })
    for name, compression in pairs { plain = "none", gzip = "gzip", zlib = "zlib" } do
      local writer = data.records.writer(("%s/%s.tfrecord"):format(own, name), { compression = compression })
      writer:write "abc"
      writer:write ""
      writer:write(data.records.example { f = { 0.5, -1.5 + 0.5 }, i = { 3, -4 }, s = "hi" })
      writer:close()
    end
  end

  it("is read by NumPy, safetensors and, where it is there, TensorFlow", function()
    write_all()
    local python, why = peers.python { "numpy", "safetensors" }
    if not python then
      return pending(why)
    end
    assert.matches("all as written\n$", (peers.run(python, "tests/golden/data_files.py", { "read", own })
      :gsub("all others as written", "all as written")))
  end)

  it("is the same, byte for byte, where the format leaves no choice", function()
    write_all()
    local function hex(name)
      local file = assert(io.open(own .. "/" .. name, "rb"))
      local bytes = file:read "*a"
      file:close()
      return (bytes:gsub(".", function(c) return ("%02x"):format(c:byte()) end))
    end
    for _, name in ipairs { "floats.npy", "plain.tfrecord", "arrays.safetensors" } do
      assert.equal(goldens[name], hex(name), name)
    end
  end)

  it("has the framing of records of any length", function()
    os.execute("mkdir -p " .. own)
    local writer = data.records.writer(own .. "/golden")
    writer:write ""
    -- the first event of an event file: wall time 1.0 and its version
    writer:write(("\9\0\0\0\0\0\0\240\63\26\13brain.Event:2"))
    writer:close()
    local file = assert(io.open(own .. "/golden", "rb"))
    local hex = file:read "*a":gsub(".", function(c) return ("%02x"):format(c:byte()) end)
    file:close()
    assert.equal("000000000000000029039807d8ea82a2" .. "1800000000000000a37f4b22"
      .. "09000000000000f03f1a0d627261696e2e4576656e743a32" .. "86bf577a", hex)
  end)
end)
