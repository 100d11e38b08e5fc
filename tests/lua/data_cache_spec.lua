local pod = require "moonpod"
local data = require "moonpod.data"
local read = require("tests.lua.support.files").read

local base = os.tmpname()
os.remove(base)

local function exists(path)
  local file = io.open(path, "rb")
  return file ~= nil and file:close() and true
end

local function write(path, bytes)
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
end

-- A generator that counts what is asked of it.
local function counted(n)
  local made = { count = 0 }
  made.dataset = data.from_generator(function()
    local i = 0
    return function()
      i = i + 1
      if i > n then
        return nil
      end
      made.count = made.count + 1
      return i
    end
  end, pod.spec({}, "int64"))
  return made
end

-- Runs a script in a process of its own; returns what it printed.
local function run(script)
  local file = os.tmpname()
  write(file, script)
  local pipe = assert(io.popen("lua5.4 " .. file .. " 2>&1"))
  local text = pipe:read "*a"
  pipe:close()
  os.remove(file)
  return text
end

describe("a cache in memory", function()
  it("asks its input for each element once", function()
    local made = counted(5)
    local ds = made.dataset:cache()
    assert.same({ 1, 2, 3, 4, 5 }, ds:totable())
    assert.same({ 1, 2, 3, 4, 5 }, ds:totable())
    assert.equal(5, made.count)
  end)

  it("keeps what functions before it return, of elements and of batches that differ", function()
    local function twice(x)
      return x * 2
    end
    for wanted, ds in pairs {
      ["range map cache"] = data.range(5):map(twice):cache(),
      ["range batch map cache"] = data.range(6):batch(2, { drop_remainder = true }):map(twice):cache(),
      ["range batch transform cache"] = data.range(5):batch(2):map(twice):cache(),
    } do
      assert.equal(wanted, table.concat(ds:stages(), " "))
      local first = ds:totable()
      assert.equal(4, type(first[2]) == "table" and first[2][1] or first[3])
      local it = ds:iterator()
      for _ = 1, #first do
        assert.is_not_nil(it:next())
      end
      assert.is_nil(it:next())
      for _, stage in ipairs(it:stages()) do
        assert.equal(stage.stage == "cache" and #first or 0, stage.elements)
      end
      it:close()
      assert.same(first, ds:totable())
    end
    assert.equal(3, data.range(5):batch(2):map(twice):cache():cardinality())
    local noisy = data.range(5):batch(2):map(function(x)
      return x:cast "float32" + pod.random.uniform { 1 }
    end, { seed = 3 }):cache()
    assert.same(noisy:totable(), noisy:totable())
  end)

  it("keeps nothing of a pass that ends early", function()
    local made = counted(5)
    local ds = made.dataset:cache()
    assert.same({ 1, 2 }, ds:totable(2))
    assert.same({ 1, 2, 3, 4, 5 }, ds:totable())
    assert.equal(7, made.count)
  end)

  it("gives the elements of the first pass, whichever pass is the first here", function()
    local function make()
      return data.range(20):shuffle(20, { seed = 1 }):cache()
    end
    local first = make():totable()
    local it = make():iterator { epoch = 5 }
    local fifth = {}
    for i = 1, 20 do
      fifth[i] = it:next():item()
    end
    it:close()
    assert.same(first, fifth)
  end)
end)

describe("a cache in a file", function()
  local path = base .. "-cache"
  after_each(function()
    os.remove(path)
  end)

  it("asks its input for each element once, also for other datasets and processes", function()
    local made = counted(5)
    local ds = made.dataset:map(function(x) return { twice = x * 2, half = x:cast "float32" / 2 } end):cache(path)
    local whole = ds:totable()
    assert.equal(10, whole[5].twice)
    assert.same(whole, ds:totable())
    assert.equal(5, made.count)
    local other = counted(3) -- the file counts, whatever is before it now
    assert.same(whole, other.dataset:map(function(x) return { twice = x, half = x:cast "float32" } end)
      :cache(path):totable())
    assert.equal(0, other.count)
    assert.equal("2 0.5 5\n", run(([[
      local pod = require "moonpod"
      local ds = pod.data.range(99):map(function(x) return { twice = x, half = x:cast "float32" } end):cache(%q)
      local list = ds:totable()
      print(list[1].twice, list[1].half, #list)]]):format(path):gsub("print%(", "io.write(('%%d %%.1f %%d\\n'):format(")
      :gsub("#list%)", "#list))")))
  end)

  it("is there only after a whole pass", function()
    local made = counted(5)
    local ds = made.dataset:cache(path)
    ds:totable(4)
    assert.is_false(exists(path) or false)
    local it = ds:iterator()
    it:next()
    it:rewind()
    assert.is_false(exists(path) or false)
    it:close()
    assert.same({ 1, 2, 3, 4, 5 }, ds:totable())
    assert.is_true(exists(path))
    local list = assert(io.popen("ls " .. path .. "*"))
    assert.equal(path .. "\n", list:read "*a") -- no temporary file is left
    list:close()
  end)

  it("may be compressed", function()
    local ds = data.from_tensors(pod.zeros({ 1000 })):cache(path, { compression = "gzip" })
    assert.same(ds:totable(), ds:totable())
    assert.is_true(#read(path) < 400)
  end)

  it("is refused when it is foreign, damaged or cut short", function()
    local function cached()
      return data.range(4):cache(path):totable()
    end
    cached()
    local bytes = read(path)
    for size = 0, #bytes - 1 do
      write(path, bytes:sub(1, size))
      assert.error_matches(cached, path, nil, true)
    end
    for i = 1, #bytes do
      write(path, bytes:sub(1, i - 1) .. string.char((bytes:byte(i) + 16) % 256) .. bytes:sub(i + 1))
      assert.error_matches(cached, path, nil, true)
    end
    write(path, bytes .. "x")
    assert.error_matches(cached, path, nil, true)
    write(path, "these are somebody's notes")
    assert.error_matches(cached, "this is no file of a dataset's elements")
    assert.equal("these are somebody's notes", read(path))
  end)

  it("of other elements is refused", function()
    data.range(4):cache(path):totable()
    assert.error_matches(function()
      data.range(4):map(function(x) return x:cast "float32" end):cache(path):totable()
    end, "has elements of other types or shapes; delete it, or choose another path")
    assert.error_matches(function() data.range(4):repeat_():cache(path) end, "without end")
    assert.error_matches(function() data.range(4):cache(base .. "/nowhere/x"):totable() end, "cannot create")
    assert.error_matches(function() data.range(4):cache(7) end, "the path")
    assert.error_matches(function() data.range(4):cache(path, { zip = true }) end, "zip")
  end)
end)

describe("a snapshot", function()
  local directory = base .. "-snapshots"
  after_each(function()
    os.execute("rm -rf " .. directory)
  end)

  local function files()
    local list = assert(io.popen("ls " .. directory .. " | wc -l"))
    local count = list:read "*n"
    list:close()
    return count
  end

  it("is read again as long as the stages before are the same", function()
    local function make(factor, size, x)
      return data.from_tensor_slices(pod.tensor { x or 1, 2, 3, 4 }):map(function(v) return v * factor end)
        :shuffle(size, { seed = 1 }):snapshot(directory)
    end
    local first = make(2, 3):totable()
    assert.same(first, make(2, 3):totable())
    assert.equal(1, files())
    make(3, 3):totable()
    assert.equal(2, files())
    make(2, 4):totable()
    assert.equal(3, files())
    make(2, 3, 9):totable()
    assert.equal(4, files())
  end)
end)
