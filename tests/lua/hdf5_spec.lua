-- HDF5: files of h5py are read, in old and new formats of groups (tests/golden/hdf5_files.py made them), and h5py reads
-- and changes files of ours; damaged and hostile files end with a message.

local pod = require "moonpod"
local data = require "moonpod.data"
local peers = require "tests.lua.support.peers"

local GOLDEN = "tests/golden/hdf5_files/"
local DTYPES = { "float64", "float32", "float16", "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32",
  "int64", "uint64" }

local path = os.tmpname()

local function read_bytes(name)
  local file = assert(io.open(name, "rb"))
  local bytes = file:read "*a"
  file:close()
  return bytes
end

local function put(bytes)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
end

local function values(dtype)
  return pod.tensor({ { 0, 1, 1 }, { 1, 0, 1 } }):cast(dtype)
end

-- What a small file holds.
local function small()
  return { ["layers/dense/vars/0"] = pod.tensor { { 1, 2 }, { 3, 4 } }, ["layers/dense/vars/1"] = pod.tensor { 5, 6 },
    step = pod.tensor(7, { dtype = "int64" }) }, { ["layers/dense/vars@name"] = "dense" }
end

describe("an HDF5 file", function()
  teardown(function() os.remove(path) end)

  it("of h5py is read, old and new", function()
    for _, version in ipairs { "earliest", "latest" } do
      local arrays, texts, names = data.load_hdf5(GOLDEN .. version .. ".h5")
      assert.equal(26, #names)
      for i = 0, 11 do
        assert.equal(i + 0.5, arrays["many/layer_" .. i .. "/0"]:item())
      end
      for _, dtype in ipairs(DTYPES) do
        local found = arrays["types/" .. dtype]
        assert.equal(dtype, found.dtype)
        assert.same(values(dtype):totable(), found:totable())
      end
      assert.same({ 1.5, -2 }, arrays["types/high_byte_first"]:totable())
      assert.same({ 0, 3 }, { arrays["types/empty"].shape[1], arrays["types/empty"].shape[2] })
      assert.same({ ["@kind"] = "all", ["many@text"] = "hé", ["many@bytes"] = "abc" }, texts)
    end
  end)

  it("that is written is read back, and h5py reads and goes on with it", function()
    local arrays, texts = {}, { ["@root"] = "r", ["group/of/a/text@long"] = ("z"):rep(10000),
      ["group/of/a/text@none"] = "" }
    for i = 0, 299 do
      arrays[("layers/d%d/vars/0"):format(i)] = pod.full({ 3 }, i + 0.5)
      texts[("layers/d%d/vars@name"):format(i)] = "layer é" .. i
    end
    for _, dtype in ipairs(DTYPES) do
      arrays["types/" .. dtype] = values(dtype)
    end
    arrays["types/bfloat16"], arrays.scalar, arrays.empty = values "bfloat16", pod.tensor(3.0), pod.zeros { 0, 3 }
    data.save_hdf5(path, arrays, texts)
    local back, back_texts = data.load_hdf5(path)
    for name, value in pairs(arrays) do
      assert.equal(value.dtype, back[name].dtype, name)
      assert.same(value:totable(), back[name]:totable())
    end
    assert.same(texts, back_texts)
    local python, why = peers.python { "h5py", "numpy" }
    if not python then
      return pending(why)
    end
    assert.equal("all as written\n", (peers.run(python, "tests/golden/hdf5_files.py", { "read", path })))
  end)

  it("is the same for the same arrays", function()
    data.save_hdf5(path, small())
    local first = read_bytes(path)
    data.save_hdf5(path, small())
    assert.equal(first, read_bytes(path))
  end)

  it("keeps groups in groups, names that begin alike, and the order of names", function()
    local arrays = { ["a/b"] = pod.tensor(1), ["a-b/c"] = pod.tensor(2), ["a.b"] = pod.tensor(3),
      ["ab/c/d"] = pod.tensor(4), ["a/c/d"] = pod.tensor(5) }
    data.save_hdf5(path, arrays)
    local _, _, names = data.load_hdf5(path)
    assert.same({ "a/b", "a/c/d", "a-b/c", "a.b", "ab/c/d" }, names)
  end)

  it("that holds what is not read says so", function()
    assert.error_matches(function() data.load_hdf5(GOLDEN .. "chunks.h5") end,
      "chunks.h5: /packed/x: its array lies in chunks")
    assert.error_matches(function() data.load_hdf5(GOLDEN .. "soft.h5") end, "soft.h5: /a: it has a soft link")
    assert.error_matches(function() data.load_hdf5(GOLDEN .. "external.h5") end,
      "/a: it has a soft link or one to another")
    assert.error_matches(function() data.load_hdf5(GOLDEN .. "hard.h5") end,
      "groups lie in groups more than 64 deep")
  end)

  it("that is none, or not there, says so", function()
    assert.error_matches(function() data.load_hdf5 "/nowhere.h5" end, "/nowhere.h5: cannot open")
    put "PK no file of arrays"
    assert.error_matches(function() data.load_hdf5(path) end, "is no HDF5 file: it does not begin as one, at offset 0")
    put ""
    assert.error_matches(function() data.load_hdf5(path) end, "is no HDF5 file")
  end)

  it("has paths for names", function()
    local one = pod.tensor(1)
    for _, name in ipairs { "", "/a", "a/", "a//b", ("x"):rep(2000), ("x/"):rep(70) .. "x" } do
      assert.error_matches(function() data.save_hdf5(path, { [name] = one }) end, "is no path")
    end
    assert.error_matches(function() data.save_hdf5(path, { a = one, ["a/b"] = one }) end,
      "'a/b' lies within 'a', which")
    assert.error_matches(function() data.save_hdf5(path, { a = one }, { b = "x" }) end,
      "the key of a text is 'path@name'")
    assert.error_matches(function() data.save_hdf5("/nowhere/x.h5", { a = one }) end, "/nowhere/x.h5: cannot create")
  end)

  it("that is cut off at any byte is told from a whole one", function()
    data.save_hdf5(path, small())
    local bytes = read_bytes(path)
    for size = 0, #bytes - 1 do
      put(bytes:sub(1, size))
      local ok, message = pcall(data.load_hdf5, path)
      assert.is_true(not ok or size >= #bytes - 8, "cut to " .. size) -- but for what pads the last array
      assert.is_true(ok or tostring(message):find(path, 1, true) ~= nil, message)
    end
    for _, version in ipairs { "earliest", "latest" } do
      bytes = read_bytes(GOLDEN .. version .. ".h5")
      for size = 1, #bytes - 1, 97 do
        put(bytes:sub(1, size))
        pcall(data.load_hdf5, path)
      end
    end
  end)

  it("with any byte changed is read or told", function()
    data.save_hdf5(path, small())
    local bytes = read_bytes(path)
    for at = 1, #bytes do
      local other = at % 3 == 0 and 255 or (bytes:byte(at) + at % 7 + 1) % 256
      put(bytes:sub(1, at - 1) .. string.char(other) .. bytes:sub(at + 1))
      local ok, message = pcall(data.load_hdf5, path)
      assert.is_true(ok or tostring(message):find(path, 1, true) ~= nil, message)
    end
  end)
end)
