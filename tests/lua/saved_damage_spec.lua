-- Files of models that are damaged, hostile or of others: what is wrong is said, and nothing changes.

local pod = require "moonpod"
local data = require "moonpod.data"
local executable = require "tests.lua.support.executable"
local json = require "moonpod.base.json"

local is_long = os.getenv "MOONPOD_LONG"
local L = pod.layers

local path, folder

local function read(name)
  local handle = assert(io.open(name or path, "rb"))
  local text = handle:read "*a"
  handle:close()
  return text
end

local function write(text, name)
  local handle = assert(io.open(name or path, "wb"))
  handle:write(text)
  handle:close()
end

local function u64(value)
  local bytes = {}
  for i = 1, 8 do
    bytes[i] = string.char(value % 256)
    value = math.floor(value / 256)
  end
  return table.concat(bytes)
end

local function header_size(text)
  local size = 0
  for i = 8, 1, -1 do
    size = size * 256 + text:byte(i)
  end
  return size
end

local function make()
  pod.random.set_seed(4)
  local x = L.input { shape = { 3 } }
  local shared = L.dense(3, { activation = "relu", name = "shared" })
  local model = pod.models.functional { inputs = x, outputs = L.dense(1, { name = "last" })(L.dropout(0.5)(
    shared(shared(x)))) }
  model:compile { optimizer = pod.optimizers.adam(pod.schedules.exponential_decay(0.1, 5, 0.5)), loss = "mse",
    metrics = { "mae" } }
  model:fit(pod.ones { 4, 3 }, pod.ones { 4, 1 }, { verbose = 0 })
  return model
end

-- What went wrong is said of the file; it is no fault of this library's own.
local function check_clean(ok, message, what)
  if ok then
    return false
  end
  assert(type(message) == "string", what)
  for _, sign in ipairs { "attempt to", "bad argument", "stack overflow", "table index is", "not enough memory",
    "number has no integer", "invalid order function", "nil value" } do
    assert(not message:find(sign, 1, true), what .. ": " .. message)
  end
  return true
end

local function load_damaged(text, what)
  write(text)
  local ok, message = pcall(pod.models.load, path)
  return check_clean(ok, message, what), message
end

-- Numbers from 0 to below `limit`, the same in each run.
local state
local function draw(limit)
  state = (state * 16807) % 2147483647
  return state % limit
end

describe("a damaged file of a model", function()
  local whole, size

  before_each(function()
    path = os.tmpname()
    os.remove(path)
    folder = path .. ".folder"
    path = path .. ".safetensors"
    make():save(path)
    whole = read()
    size = header_size(whole)
    state = 12345
  end)
  after_each(function()
    os.remove(path)
    os.execute("rm -rf " .. folder)
  end)

  it("is refused when it ends early, at every byte", function()
    for length = 0, #whole - 1 do
      assert(load_damaged(whole:sub(1, length), "length " .. length), "a file of length " .. length .. " was loaded")
    end
    local refused, message = load_damaged(whole .. "x", "one byte more")
    assert.is_true(refused)
    assert.truthy(message:find(path, 1, true))
  end)

  it("is refused or read, never worse, when bits of it differ", function()
    local refused, count = 0, 0
    local function flip(at, bits)
      local byte = whole:byte(at)
      local other = (byte + bits) % 256
      count = count + 1
      local text = whole:sub(1, at - 1) .. string.char(other) .. whole:sub(at + 1)
      if load_damaged(text, ("byte %d + %d"):format(at, bits)) then
        refused = refused + 1
      end
    end
    for at = 1, 8 do
      flip(at, 1)
      flip(at, 128)
    end
    for at = 9, 8 + size, is_long and 1 or 13 do
      flip(at, 1)
      flip(at, 1 + draw(254))
    end
    for _ = 1, is_long and 2000 or 60 do
      flip(9 + size + draw(#whole - 8 - size), 1 + draw(254))
    end
    assert.is_true(refused > count / 3)
  end)

  it("takes no memory for weights that it does not have", function()
    local at = 0
    for units in whole:gmatch '\\"units\\":(%d)' do
      local from, to = whole:find('\\"units\\":' .. units, at + 1, true)
      at = to
      for _, huge in ipairs { "100000", "8000000000" } do
        local before = pod.device.memory().peak_bytes
        local text = whole:sub(9, to - 1) .. huge .. whole:sub(to + 1)
        local refused, message = load_damaged(u64(size + #huge - 1) .. text, "units " .. huge)
        assert.is_true(refused and from > 0)
        assert.truthy(message:find("has more weights than the file", 1, true), message)
        assert.is_true(pod.device.memory().peak_bytes - before < 1000000)
      end
    end
    assert.is_true(at > 0)
  end)

  -- The file with other metadata.
  local function with_metadata(change)
    local header = json.decode(whole:sub(9, 8 + size))
    change(header.__metadata__, header)
    local text = json.encode(header)
    return u64(#text) .. text .. whole:sub(9 + size)
  end

  local OTHERS = { 0, -1, 1e300, "x", "", true, false, json.null, { 1, 2 }, {}, { class_name = "Dense" },
    { class_name = "Dense", config = {} }, { class_name = "function", config = "os.exit" } }

  -- Puts another value in a place of nested tables that is drawn.
  local function change_one(value)
    local places = {}
    local function visit(t, level)
      for key, inner in pairs(t) do
        places[#places + 1] = { t, key, tostring(key) .. level }
        if type(inner) == "table" and not rawequal(inner, json.null) then
          visit(inner, level + 1)
        end
      end
    end
    visit(value, 0)
    table.sort(places, function(a, b)
      return a[3] < b[3]
    end)
    local place = places[1 + draw(#places)]
    local other = OTHERS[1 + draw(#OTHERS)]
    local kind = draw(4)
    if kind == 0 and type(place[2]) == "string" then
      place[1][place[2]] = nil
    else
      place[1][place[2]] = other
    end
    return ("%s = %s"):format(place[3], kind == 0 and "nil" or tostring(other))
  end

  for _, key in ipairs { "architecture", "compile", "state" } do
    it("is refused or read, never worse, when its data is other data: " .. key, function()
      local refused, count = 0, is_long and 20000 or 250
      for round = 1, count do
        local what
        local text = with_metadata(function(metadata)
          local value = json.decode(metadata[key])
          what = change_one(value)
          metadata[key] = json.encode(value)
        end)
        if load_damaged(text, ("%s, round %d: %s"):format(key, round, what)) then
          refused = refused + 1
        end
      end
      assert.is_true(refused > count / 20, refused)
    end)
  end

  it("does not run what it names", function()
    _G.was_run = nil
    for _, name in ipairs { "os.exit", "print", "load", "_G.was_run" } do
      load_damaged(with_metadata(function(metadata)
        metadata.compile = metadata.compile:gsub('"mse"', json.encode { class_name = "function", config = name })
      end), name)
    end
    assert.is_nil(_G.was_run)
  end)

  it("is refused when it is of a newer major version, and read with a warning when of a newer minor one", function()
    local refused, message = load_damaged(with_metadata(function(metadata)
      metadata.version = "2.0"
    end), "version 2.0")
    assert.is_true(refused)
    assert.truthy(message:find("the file is of version 2.0; this Moonpod reads versions up to 1.x", 1, true), message)
    local model = make()
    assert.error_matches(function() model:load_weights(path) end, "version 2%.0")
    assert.is_true((load_damaged(with_metadata(function(metadata)
      metadata.version = "one"
    end), "no version")))
    write(with_metadata(function(metadata)
      metadata.version, metadata.colour, metadata.sound = "1.9", "blue", "{}"
    end))
    local lines, real = {}, io.stderr
    io.stderr = { write = function(_, ...) lines[#lines + 1] = table.concat { ... } end } -- luacheck: ignore
    local ok, loaded = pcall(pod.models.load, path)
    io.stderr = real -- luacheck: ignore
    assert.is_true(ok, tostring(loaded))
    assert.truthy(table.concat(lines):find("of version 1.9, of which this Moonpod does not know 'colour', 'sound'", 1,
      true), table.concat(lines))
    loaded:save(path) -- what it did not know is still there
    local _, metadata = data.load_safetensors(path)
    assert.same({ "blue", "{}", "1.0" }, { metadata.colour, metadata.sound, metadata.version })
  end)

  it("is refused when its tensors have other names, shapes or types, or come twice", function()
    local function renamed(from, to)
      return with_metadata(function(_, header)
        header[to], header[from] = header[from], nil
      end)
    end
    local refused, message = load_damaged(renamed("shared/kernel", "shared/kernels"), "another name")
    assert.is_true(refused)
    assert.truthy(message:find("shared: kernel missing in the file", 1, true), message)
    refused, message = load_damaged(renamed("optimizer/iteration", "optimizer/iterations"), "another slot")
    assert.is_true(refused)
    assert.truthy(message:find("optimizer: iteration missing in the file", 1, true), message)
    refused, message = load_damaged(with_metadata(function(_, header)
      header["shared/kernel"].shape = { 9 }
    end), "another shape")
    assert.is_true(refused)
    assert.truthy(message:find("kernel has shape (9,) in the file, (3, 3) in the model", 1, true), message)
    refused, message = load_damaged(with_metadata(function(_, header)
      header["last/bias"].dtype = "I32"
    end), "another type")
    assert.is_true(refused)
    assert.truthy(message:find("bias is int32 in the file, float32 in the model", 1, true), message)
    local text = whole:sub(9, 8 + size):gsub('"shared/bias"', '"last/bias"')
    refused, message = load_damaged(u64(#text) .. text .. whole:sub(9 + size), "a name that comes twice")
    assert.is_true(refused)
    assert.truthy(message:find("'last/bias' is there twice", 1, true), message)
  end)

  it("is refused when it claims a header of 2^60 bytes", function()
    local refused, message = load_damaged("\0\0\0\0\0\0\0\16" .. whole:sub(9), "2^60")
    assert.is_true(refused)
    assert.truthy(message:find("the header claims 1152921504606846976 bytes", 1, true), message)
  end)

  it("may have 100,000 texts and names", function()
    write(with_metadata(function(metadata, header)
      for i = 1, 100000 do
        metadata["key" .. i] = "text"
        header["metrics/m" .. i] = { dtype = "F32", shape = { 0 }, data_offsets = { 0, 0 } }
      end
    end))
    assert.is_true(pod.models.is_model(pod.models.load(path)))
  end)

  it("of a checkpoint or of weights is no model's, and says so", function()
    local model = make()
    model:save_weights(path)
    assert.error_matches(function() pod.models.load(path) end, "load_weights")
    pod.train.checkpoint({ model = model }):write(path)
    assert.error_matches(function() pod.models.load(path) end, "has no architecture: it is a checkpoint")
    model:save(path)
    make():load_weights(path) -- which a model's file has
    data.save_safetensors(path, { a = pod.ones { 2 } })
    assert.error_matches(function() pod.models.load(path) end, "was not written by save")
  end)

  -- ---- what the system refuses ------------------------------------------------------------------------------------

  local function files()
    local text = executable.shell("ls -A " .. folder)
    return text
  end

  it("is not written where the disk is full: the one before it stays, and nothing else", function()
    if not executable.program then
      return pending "needs MOONPOD_BUILD"
    end
    os.execute("mkdir " .. folder)
    executable.with_script([[
      local pod = require "moonpod"
      local L = pod.layers
      local name = arg[1] .. "/model.safetensors"
      local function make(units)
        return pod.models.sequential { L.input { shape = { 100 } }, L.dense(units) }
      end
      make(10):save(name)
      local large = make(10000)
      local ok, message = pcall(large.save, large, name)
      print(ok, message)
      local written = large:save(name, { background = true })
      print(pcall(written.wait, written))
      print(pcall(make(10).save, make(10), name))
      print(pod.models.load(name):count_params())
    ]], function(script)
      local text = executable.shell(("trap '' XFSZ; ulimit -f 1000; %s %s %s"):format(
        executable.quote(executable.program), executable.quote(script), folder))
      local _, said = text:gsub("model%.safetensors: cannot write: file too large", "")
      assert.same(3, said, text) -- twice raised, and once told: nobody may ask for what is written in the background
      assert.truthy(text:find("true\n1010\n$"), text)
    end)
    assert.same("model.safetensors\n", files())
  end)

  it("is not written on a full disk of its own", function()
    os.execute("mkdir " .. folder)
    local _, code = executable.shell(("mount -t tmpfs -o size=256k tmpfs %s"):format(folder))
    if code ~= 0 then
      return pending "a disk of one's own needs the rights of root"
    end
    local small = make()
    local large = pod.models.sequential { L.input { shape = { 100 } }, L.dense(1000) }
    local name = folder .. "/model.safetensors"
    small:save(name)
    local before = read(name)
    local ok, message = pcall(large.save, large, name)
    local written = large:save(name, { background = true })
    local second, waited = pcall(written.wait, written)
    local left = files()
    local after = read(name)
    executable.shell("umount " .. folder)
    assert.same({ false, false }, { ok, second })
    assert.truthy(message:find("no space left on device", 1, true), message)
    assert.truthy(waited:find("no space left on device", 1, true), waited)
    assert.same("model.safetensors\n", left)
    assert.is_true(before == after)
  end)

  it("is not written into what is no folder, or none that one may write in", function()
    local model = make()
    assert.error_matches(function() model:save "/nowhere/at/all.safetensors" end, "no such file or directory")
    assert.error_matches(function() model:save(path .. "/a.safetensors") end, "not a directory")
    assert.error_matches(function() model:save("/proc/model.safetensors", { background = true }) end,
      "/proc/model.safetensors: cannot create")
    os.execute("mkdir " .. folder)
    os.execute("mkdir " .. folder .. "/taken.safetensors")
    assert.error_matches(function() model:save(folder .. "/taken.safetensors") end, "cannot give the file this name")
    assert.same("taken.safetensors\n", files())
  end)

  it("goes through a symbolic link to the file that it stands for", function()
    os.execute(("mkdir -p %s/runs && ln -s runs/one.safetensors %s/latest.safetensors"):format(folder, folder))
    local name = folder .. "/latest.safetensors"
    make():save(name)
    make():save(name)
    assert.same("latest.safetensors\nruns\n", files())
    assert.same(("runs/one.safetensors\n"), (executable.shell("readlink " .. name)))
    assert.is_true(pod.models.is_model(pod.models.load(folder .. "/runs/one.safetensors")))
    os.execute(("ln -s b.safetensors %s/a.safetensors && ln -s a.safetensors %s/b.safetensors"):format(folder, folder))
    assert.error_matches(function() make():save(folder .. "/a.safetensors") end, "leads to itself")
  end)
end)
