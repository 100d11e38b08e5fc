-- records - record files (TFRecord) and tf.train.Example.
--
--     local writer = pod.data.records.writer("train.tfrecord")
--     writer:write(pod.data.records.example { image = bytes, label = 3, weights = { 0.5, 0.5 } })
--     writer:close()

local device = require "moonpod.device"
local errors = require "moonpod.errors"
local tensor = require "moonpod.tensor"

local records = {}

local function call(name, ...)
  local ok, result = pcall(device.core[name], device.context(), ...)
  if not ok then
    errors.raise_from_core(result)
  end
  return result
end

-- Opens a record file for writing: writer:write(bytes), writer:close() or writer:abandon(). The file is there once it
-- is closed. Options: compression ("gzip" or "zlib").
function records.writer(path, options)
  errors.check_type(path, "string", "records.writer", "the path")
  options = errors.check_options(options, { compression = true }, "records.writer")
  return call("record_writer", path, options.compression)
end

-- Goes through a record file: for bytes in records.read(path) do ... end. Options: compression ("gzip", "zlib",
-- "auto").
function records.read(path, options)
  errors.check_type(path, "string", "records.read", "the path")
  options = errors.check_options(options, { compression = true }, "records.read")
  local reader = call("record_reader", path, options.compression)
  return function()
    local ok, bytes = pcall(reader.next, reader)
    if not ok then
      errors.raise_from_core(bytes)
    end
    return bytes
  end, nil, nil, reader
end

local function is_integer(value)
  return type(value) == "number" and value == math.floor(value) and math.abs(value) < 2 ^ 63
end

-- Numbers of Lua 5.4 tell by themselves whether they are integers; others by their value.
local function is_float(value)
  if math.type then -- luacheck: ignore
    return math.type(value) == "float" -- luacheck: ignore
  end
  return not is_integer(value)
end

local function values_of(name, value)
  if tensor.is(value) then
    local flat = value:reshape { -1 }:totable()
    return flat, value.dtype:find "float" and "float" or "int64"
  elseif type(value) ~= "table" then
    return { value }
  end
  local kind = value.kind
  if kind ~= nil and kind ~= "bytes" and kind ~= "float" and kind ~= "int64" then
    errors.raise("example: feature '%s' has kind %s; it is \"bytes\", \"float\" or \"int64\"", name,
      errors.describe(kind))
  end
  return value, kind
end

local function kind_of(name, values)
  local kind = "int64"
  for _, value in ipairs(values) do
    if type(value) == "string" then
      return "bytes"
    elseif type(value) ~= "number" then
      errors.raise("example: feature '%s' has %s in it; values are numbers or strings", name, errors.describe(value))
    elseif is_float(value) then
      kind = "float"
    end
  end
  return kind
end

-- Encodes a dictionary of features: strings, numbers (integers are int64, others floats), arrays of them, tensors, or
-- arrays with a field kind ("bytes", "float", "int64"). Features are in the order of their names.
function records.example(features)
  errors.check_type(features, "table", "example", "the features")
  local list = {}
  for name, value in pairs(features) do
    errors.check_type(name, "string", "example", "the name of a feature")
    local values, kind = values_of(name, value)
    list[#list + 1] = { name, kind or kind_of(name, values), values }
  end
  table.sort(list, function(a, b)
    return a[1] < b[1]
  end)
  return call("example_encode", list)
end

-- Decodes an example: a table of arrays by name, each with its field kind.
function records.decode(bytes)
  errors.check_type(bytes, "string", "records.decode", "the example")
  return call("example_decode", bytes)
end

return records
