local pod = require "moonpod"
local files = require "moonpod.data.files"
local records = require "moonpod.data.records"
local lua_version = require "tests.lua.support.lua_version"
local read = require("tests.lua.support.files").read

-- Without 64-bit integers those up to 2^53 are exact.
local LARGEST = math.maxinteger or 2 ^ 53

local function temporary(suffix)
  local path = os.tmpname()
  os.remove(path)
  return path .. (suffix or "")
end

local function hex(bytes)
  return (bytes:gsub(".", function(c)
    return ("%02x"):format(c:byte())
  end))
end

local function write(path, bytes)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
end

describe("an array file", function()
  it("gives tensors back as they were", function()
    local path = temporary()
    for _, dtype in ipairs { "bool", "int8", "int64", "uint16", "float16", "bfloat16", "float32", "float64" } do
      local t = pod.tensor({ { 0, 1, 2 }, { 3, 4, 5 } }):cast(dtype)
      files.save_npy(path, t)
      local back = files.load_npy(path)
      assert.equal(dtype, back.dtype)
      assert.same(t:totable(), back:totable())
      files.save_safetensors(path, { t = t })
      assert.same(t:totable(), files.load_safetensors(path).t:totable())
    end
    local images = pod.tensor({ { 1, 2 }, { 3, 4 } }, { dtype = "uint8" })
    files.save_idx(path, images)
    assert.equal("00000802000000020000000201020304", hex(read(path)))
    files.save_idx(path .. ".gz", images)
    assert.same({ { 1, 2 }, { 3, 4 } }, files.load_idx(path .. ".gz"):totable())
    os.remove(path)
    os.remove(path .. ".gz")
  end)

  it("keeps names and metadata", function()
    local path = temporary()
    files.save_npz(path, { b = pod.tensor { 1 }, ["a/x"] = pod.tensor(2) }, { compress = true })
    local arrays, names = files.load_npz(path)
    assert.same({ "a/x", "b" }, names)
    assert.equal(2, arrays["a/x"]:item())
    files.save_safetensors(path, { w = pod.tensor { 1 } }, { format = "pt", note = "\"ä\"" })
    local _, metadata = files.load_safetensors(path)
    assert.same({ format = "pt", note = "\"ä\"" }, metadata)
    os.remove(path)
  end)

  it("is named in errors", function()
    local path = temporary()
    assert.error_matches(function() files.load_npy(path) end, path .. ": cannot open")
    write(path, "no array")
    assert.error_matches(function() files.load_npy(path) end, path .. " is no npy file")
    assert.error_matches(function() files.load_npz(path) end, path .. " is no zip archive")
    assert.error_matches(function() files.load_safetensors(path) end, path .. ": the header claims")
    assert.error_matches(function() files.load_idx(path) end, path .. " is no IDX file")
    assert.error_matches(function() files.save_npy("/nowhere/x.npy", 1) end, "/nowhere/x.npy: cannot create")
    assert.error_matches(function() files.save_npz(path, { 1 }) end, "arrays have names")
    os.remove(path)
  end)
end)

describe("a record file", function()
  it("has golden bytes", function()
    local path = temporary()
    local writer = records.writer(path)
    writer:write "abc"
    writer:close()
    writer:close()
    assert.equal("0300000000000000b099490e6162636e57f121", hex(read(path)))
    assert.error_matches(function() writer:write "more" end, "closed")
    os.remove(path)
  end)

  it("is read back, compressed or not", function()
    local path = temporary()
    for _, compression in ipairs { "none", "gzip", "zlib" } do
      local writer = records.writer(path, { compression = compression })
      for i = 1, 5 do
        writer:write(("x"):rep(i))
      end
      writer:close()
      local seen = {}
      for bytes in records.read(path, { compression = compression }) do
        seen[#seen + 1] = #bytes
      end
      assert.same({ 1, 2, 3, 4, 5 }, seen)
    end
    os.remove(path)
  end)

  it("is there only when it was closed", function()
    local path = temporary()
    local writer = records.writer(path)
    writer:write "abc"
    writer = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.is_nil(io.open(path))
    if lua_version.has_close then
      local run = assert(load [[
        local records, path, fails = ...
        local open <close> = records.writer(path)
        open:write "abc"
        if fails then
          error "stop"
        end]])
      pcall(run, records, path, true)
      assert.is_nil(io.open(path))
      run(records, path, false)
      assert.equal(19, #read(path))
      os.remove(path)
    end
  end)

  it("tells where a record is damaged", function()
    local path = temporary()
    write(path, "\3\0\0\0\0\0\0\0\176\153\73\14abd\110\87\241\33")
    assert.error_matches(function()
      for _ in records.read(path) do end -- luacheck: ignore
    end, "corrupted record at offset 0: the checksum of its data does not fit")
    os.remove(path)
  end)
end)

describe("several record files", function()
  local prefix = os.tmpname()
  after_each(function()
    os.execute(("rm -f '%s'-*"):format(prefix))
  end)
  teardown(function()
    os.remove(prefix)
  end)

  local function numbers(paths)
    local examples = pod.data.tfrecord(paths):parse_example { n = pod.spec({}, "int64") }
    return examples:map(function(e) return e.n end):totable()
  end

  local ds = pod.data.range(10):map(function(n) return { n = n } end)

  it("hold elements in turn", function()
    local paths = records.shard(ds, prefix, { num_shards = 3 })
    assert.same({ prefix .. "-00000-of-00003", prefix .. "-00001-of-00003", prefix .. "-00002-of-00003" }, paths)
    assert.same({ 0, 3, 6, 9 }, numbers { paths[1] })
    assert.same({ 1, 4, 7 }, numbers { paths[2] })
    assert.same({ 2, 5, 8 }, numbers { paths[3] })
  end)

  it("have about the size that is asked for", function()
    local texts = {}
    for i = 1, 10 do
      texts[i] = ("x"):rep(1000)
    end
    local paths = records.shard(pod.data.from_texts(texts), prefix, { target_mb = 3100 / 2 ^ 20 })
    assert.equal(4, #paths)
    assert.equal(prefix .. "-00003-of-00004", paths[4])
    for i, path in ipairs(paths) do
      assert.equal((i < 4 and 3 or 1) * 1016, #read(path))
    end
    assert.same(texts, pod.data.tfrecord(paths):totable())
    assert.same({ prefix .. "-00000-of-00001" }, records.shard(ds, prefix))
    assert.same({ "1", "2" }, pod.data.tfrecord(records.shard(pod.data.range(1, 3), prefix, { compression = "gzip",
      encode = function(n) return ("%d"):format(n:item()) end }), { compression = "gzip" }):totable())
  end)

  it("are refused of what has no end or no bytes", function()
    assert.error_matches(function() records.shard(ds:repeat_(), prefix) end, "has no end")
    assert.error_matches(function() records.shard(pod.data.range(3), prefix) end, "give encode")
    assert.error_matches(function() records.shard(ds, prefix, { num_shards = 0 }) end, "num_shards")
    assert.error_matches(function() records.shard(ds, prefix, { target_mb = -1 }) end, "target_mb")
    assert.error_matches(function() records.shard({}, prefix) end, "is no dataset")
    assert.error_matches(function()
      records.shard(pod.data.range(9), prefix, { target_mb = 20 / 2 ^ 20, encode = function(n)
        return n:item() < 5 and "a string" or error "no more"
      end })
    end, "no more")
    local list = io.popen(("ls '%s'* | wc -l"):format(prefix))
    assert.equal(1, list:read "*n") -- the name that was taken
    list:close()
  end)
end)

describe("an example", function()
  it("has golden bytes", function()
    assert.equal("0a0e0a0c0a0361676512051a030a011d", hex(records.example { age = 29 }))
    if lua_version.has_integers then -- else 1.0 is an integer
      assert.equal("0a130a110a0178120c120a0a080000803f00000040", hex(records.example { x = { 1.0, 2.0 } }))
    end
    assert.equal("0a0d0a0b0a017312060a040a026869", hex(records.example { s = "hi" }))
  end)

  it("is decoded to what it was", function()
    local bytes = records.example {
      age = { 1, -2, LARGEST }, x = 0.5, names = { "a", "b\0c" },
      forced = { kind = "float", 1, 2 }, t = pod.tensor { { 1, 2 }, { 3, 4 } }, none = { kind = "int64" },
    }
    local e = records.decode(bytes)
    assert.same({ kind = "int64", 1, -2, LARGEST }, e.age)
    assert.same({ kind = "float", 0.5 }, e.x)
    assert.same({ kind = "bytes", "a", "b\0c" }, e.names)
    assert.same({ kind = "float", 1.0, 2.0 }, e.forced)
    assert.same({ kind = "float", 1.0, 2.0, 3.0, 4.0 }, e.t)
    assert.same({ kind = "int64" }, e.none)
    assert.equal(bytes, records.example(e))
  end)

  it("refuses what it cannot hold", function()
    assert.error_matches(function() records.example { x = { true } } end, "feature 'x' has true in it")
    assert.error_matches(function() records.example { x = { kind = "text", "a" } } end, "feature 'x' has kind \"text\"")
    assert.error_matches(function() records.decode "\10\5" end, "malformed example: .* at offset 2")
  end)
end)
