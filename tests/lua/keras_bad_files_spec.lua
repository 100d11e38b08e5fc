-- Files of Keras that are damaged, of another model, of classes that are not here, or made to do harm: each ends with a
-- message that says what and where, and no weight changes.

-- The LuaJIT of Debian 12 (2.1.0-beta3) crashes in about every tenth run where it compiles the loops of this file, and
-- in none where it interprets them.
local compiler = rawget(_G, "jit")
if compiler then
  compiler.off(true, true)
end

local pod = require "moonpod"
local data = require "moonpod.data"
local json = require "moonpod.base.json"
local stopping = require "tests.lua.support.stopping"

local GOLDEN = "tests/golden/keras_files/"

local path = os.tmpname()
os.remove(path)

local function read_bytes(name)
  local file = assert(io.open(name, "rb"))
  local bytes = file:read "*a"
  file:close()
  return bytes
end

local function put(bytes, name)
  local file = assert(io.open(name, "wb"))
  file:write(bytes)
  file:close()
end

local function u16(value) return string.char(value % 256, math.floor(value / 256) % 256) end
local function u32(value) return u16(value % 65536) .. u16(math.floor(value / 65536)) end

-- The exclusive or of bytes, by a table, as not every Lua has operators for it.
local XOR = {}
for a = 0, 255 do
  XOR[a] = {}
  for b = 0, 255 do
    local out, bit, x, y = 0, 1, a, b
    for _ = 1, 8 do
      if x % 2 ~= y % 2 then
        out = out + bit
      end
      x, y, bit = math.floor(x / 2), math.floor(y / 2), bit * 2
    end
    XOR[a][b] = out
  end
end

local function half(bytes, carry) -- one bit to the right, the low byte first
  local out = {}
  for i = 4, 1, -1 do
    out[i] = math.floor(bytes[i] / 2) + carry * 128
    carry = bytes[i] % 2
  end
  return out, carry
end

local CRC = {}
for i = 0, 255 do
  local bytes = { i, 0, 0, 0 }
  for _ = 1, 8 do
    local low
    bytes, low = half(bytes, 0)
    if low == 1 then
      bytes = { XOR[bytes[1]][0x20], XOR[bytes[2]][0x83], XOR[bytes[3]][0xB8], XOR[bytes[4]][0xED] }
    end
  end
  CRC[i] = bytes
end

local function crc32(text)
  local a, b, c, d = 255, 255, 255, 255
  for i = 1, #text do
    local entry = CRC[XOR[a][text:byte(i)]]
    a, b, c, d = XOR[b][entry[1]], XOR[c][entry[2]], XOR[d][entry[3]], entry[4]
  end
  return (255 - a) + (255 - b) * 256 + (255 - c) * 65536 + (255 - d) * 16777216
end

-- A zip archive of members that are stored: { name, content, of another size than it has }.
local function zip(members)
  local body, directory = {}, {}
  local place = 0
  for _, member in ipairs(members) do
    local name, content = member[1], member[2]
    local size = member.size or #content
    local common = u16(20) .. u16(0) .. u16(0) .. u32(0) .. u32(member.crc or crc32(content)) .. u32(#content)
      .. u32(size) .. u16(#name) .. u16(0)
    local record = "PK\3\4" .. common .. name .. content
    directory[#directory + 1] = "PK\1\2" .. u16(20) .. common .. u16(0) .. u16(0) .. u16(0) .. u32(0)
      .. u32(member.at or place) .. name
    body[#body + 1] = record
    place = place + #record
  end
  local central = table.concat(directory)
  return table.concat(body) .. central .. "PK\5\6" .. u32(0) .. u16(#members) .. u16(#members) .. u32(#central)
    .. u32(place) .. u16(0)
end

local function fails(message, name)
  assert.error_matches(function() pod.models.load(name or path .. ".keras") end, message, 1, true)
end

-- A .keras file of a config, with the weights of another.
local function put_config(config, weights)
  local h5 = weights or ""
  put(zip { { "config.json", type(config) == "string" and config or json.encode(config) }, { "model.weights.h5", h5 } },
    path .. ".keras")
end

local function dense_model(units)
  return pod.models.sequential { pod.layers.dense(units or 3, { input_shape = { 2 } }), pod.layers.dense(1) }
end

local function values_of(model)
  local list = {}
  for i, value in ipairs(model:get_weights()) do
    list[i] = value:totable()
  end
  return list
end

local function sequential(...)
  return { module = "keras", class_name = "Sequential", config = { name = "s", layers = { { module = "keras.layers",
    class_name = "InputLayer", config = { batch_shape = { json.null, 4 }, dtype = "float32", name = "in" } }, ... } } }
end

local function layer(class_name, config)
  config.name = config.name or class_name:lower()
  return { module = "keras.layers", class_name = class_name, config = config }
end

describe("a file of Keras", function()
  teardown(function()
    os.remove(path .. ".keras")
    os.remove(path .. ".weights.h5")
  end)

  it("cut off or changed at any byte leaves a model as it was, or has its weights", function()
    local model, h5 = dense_model(), path .. ".weights.h5"
    model:save_weights(h5)
    local bytes = read_bytes(h5)
    local other = dense_model()
    local before = values_of(other)
    for size = 0, #bytes - 9, 3 do
      put(bytes:sub(1, size), h5)
      local ok, message = pcall(other.load_weights, other, h5)
      assert.is_false(ok, "cut to " .. size)
      assert.is_true(tostring(message):find(h5, 1, true) ~= nil, message)
    end
    assert.same(before, values_of(other))
    for at = 1, #bytes, 5 do
      put(bytes:sub(1, at - 1) .. string.char((bytes:byte(at) + 1 + at % 200) % 256) .. bytes:sub(at + 1), h5)
      local ok, message = pcall(other.load_weights, other, h5)
      assert.is_true(ok or tostring(message):find(h5, 1, true) ~= nil, message)
    end
  end)

  it("of a whole model is told when it is cut off or changed", function()
    local bytes = read_bytes(GOLDEN .. "attention.keras")
    for size = 0, #bytes - 1, 7 do
      put(bytes:sub(1, size), path .. ".keras")
      local ok, message = pcall(pod.models.load, path .. ".keras")
      assert.is_false(ok)
      assert.is_true(tostring(message):find(path, 1, true) ~= nil, message)
    end
    for at = 1, #bytes, 11 do
      put(bytes:sub(1, at - 1) .. string.char((bytes:byte(at) + 1 + at % 200) % 256) .. bytes:sub(at + 1),
        path .. ".keras")
      local ok, message = pcall(pod.models.load, path .. ".keras")
      assert.is_true(ok or tostring(message):find(path, 1, true) ~= nil, message)
    end
  end)

  it("of another model is compared layer by layer", function()
    local h5 = path .. ".weights.h5"
    dense_model():save_weights(h5)
    local other = dense_model(5)
    local before = values_of(other)
    local _, message = pcall(other.load_weights, other, h5)
    assert.is_true(tostring(message):find("layers/dense/vars (dense", 1, true) ~= nil, message)
    assert.is_true(tostring(message):find("kernel has shape (2, 3) in the file, (2, 5) in the model", 1, true) ~= nil,
      message)
    assert.same(before, values_of(other))
    local three = pod.models.sequential { pod.layers.dense(3, { input_shape = { 2 } }), pod.layers.dense(1),
      pod.layers.layer_normalization() }
    _, message = pcall(three.load_weights, three, h5)
    assert.is_true(tostring(message):find("gamma, beta missing in the file", 1, true) ~= nil, message)
    three:load_weights(h5, { by_name = true })
    assert.same(values_of(three)[1], pod.data.load_hdf5(h5)["layers/dense/vars/0"]:totable())
    three:save_weights(h5)
    _, message = pcall(other.load_weights, other, h5)
    assert.is_true(tostring(message):find("layers/layer_normalization/vars: 0, 1 not in the model", 1, true) ~= nil,
      message)
  end)

  it("that is no file of weights of Keras says so", function()
    local h5, model = path .. ".weights.h5", dense_model()
    data.save_hdf5(h5, { ["a/b"] = pod.tensor(1) })
    assert.error_matches(function() model:load_weights(h5) end,
      "no file of weights of Keras 3: it has arrays such as 'a/b'")
    data.save_hdf5(h5, { ["dense/dense/kernel:0"] = pod.tensor(1) })
    assert.error_matches(function() model:load_weights(h5) end, "has weights of Keras 2")
    data.save_hdf5(h5, {})
    assert.error_matches(function() model:load_weights(h5) end, "it has no arrays")
    assert.error_matches(function() model:save_weights "x.h5" end, 'must end in ".safetensors" or ".weights.h5"')
    assert.error_matches(function() model:save "x.keras" end, 'must end in ".safetensors"')
    assert.error_matches(function() model:save_weights(h5, { background = true }) end, "written in the background")
  end)

  it("with the state of another optimizer loads its weights, and warns", function()
    local h5, model, other = path .. ".weights.h5", dense_model(), dense_model()
    model:compile { optimizer = "adam", loss = "mse" }
    model:fit(pod.ones { 4, 2 }, pod.ones { 4, 1 }, { verbose = 0 })
    model:save_weights(h5)
    other:compile { optimizer = pod.optimizers.sgd { momentum = 0.9 }, loss = "mse" }
    local lines, real = {}, io.stderr
    io.stderr = { write = function(_, ...) lines[#lines + 1] = table.concat { ... } end } -- luacheck: ignore
    other:load_weights(h5)
    io.stderr = real -- luacheck: ignore
    assert.equal(1, #lines)
    assert.is_true(lines[1]:find("stays as it is: '" .. h5 .. "' has the state of another one", 1, true) ~= nil,
      lines[1])
    assert.same(values_of(model), values_of(other))
    assert.equal(0, other.optimizer.iterations:value():item())
  end)

  it("with what is not here names all of it at once", function()
    put_config(sequential(layer("Dense", { units = 3, quantization_config = { mode = "int8" } }),
      layer("MelSpectrogram", { sequence_stride = 3 }), layer("BatchNormalization", { renorm = true }),
      layer("Dense", { units = 2, name = "fine", lora_rank = json.null })))
    fails("the model has what is not here; nothing was built:\n  layer 'dense' (Dense): option 'quantization_config'")
    fails("layer 'melspectrogram' (MelSpectrogram): there is no such layer")
    fails("layer 'batchnormalization' (BatchNormalization): option 'renorm' (true)")
    put_config(sequential(layer("Lambda", { ["function"] = { class_name = "__lambda__", config = { code = "4w" } } })))
    fails "its function is code of Python"
    put_config { module = "my.models", class_name = "MyModel", registered_name = "my>MyModel", config = {} }
    fails "'MyModel'"
  end)

  it("with a config that is none is told", function()
    put_config "{"
    fails "config.json"
    put_config "[1, 2]"
    fails "it must be an object, not an array"
    put_config { class_name = "Sequential", config = { name = "s" } }
    fails ".keras"
    put_config(sequential(layer("Dense", { units = "many" })))
    fails "units"
    put_config(('{"class_name":"Sequential","config":'):rep(5000) .. "1" .. ("}"):rep(5000))
    fails "config.json"
    put_config(sequential { module = "keras.layers", class_name = "Dense", config = json.null })
    fails ".keras"
  end)

  it("with 50,000 layers takes time in their number", function()
    local function work_of(count)
      local list = {}
      for i = 1, count do
        list[i] = ('{"module":"keras.layers","class_name":"Nothing","config":{"name":"n%d"}}'):format(i)
      end
      put_config('{"module":"keras","class_name":"Sequential","config":{"name":"s","layers":['
        .. table.concat(list, ",") .. "]}}")
      return stopping.work_of(function() fails(("and %d more"):format(count - 20)) end)
    end
    local instructions, bytes = work_of(5000)
    local more_instructions, more_bytes = work_of(50000)
    assert.is_true(more_instructions < 10 * 1.5 * instructions, ("%d, %d"):format(instructions, more_instructions))
    assert.is_true(more_bytes < 10 * 1.5 * bytes, ("%d, %d bytes"):format(bytes, more_bytes))
  end)

  it("in an archive of tricks is refused", function()
    local config, weights = json.encode(sequential(layer("Dense", { units = 1 }))), "x"
    put(zip { { "model.weights.h5", weights } }, path .. ".keras")
    fails "the zip archive has no member 'config.json'"
    put(zip { { "config.json", config } }, path .. ".keras")
    fails "the zip archive has no member 'model.weights.h5'"
    put(zip { { "config.json", config, crc = 1 }, { "model.weights.h5", weights } }, path .. ".keras")
    fails "the checksum of member 'config.json' does not fit"
    put(zip { { "config.json", config }, { "model.weights.h5", weights, at = 0 } }, path .. ".keras")
    fails "members that overlap"
    put(zip { { "config.json", config, size = 4000000000 }, { "model.weights.h5", weights } }, path .. ".keras")
    fails(path .. ".keras")
    put("no archive", path .. ".keras")
    fails "is no zip archive"
    fails("cannot open", "/nowhere/x.keras")
  end)
end)
