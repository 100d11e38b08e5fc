--- Record files, as TensorFlow's TFRecord, and the examples (tf.train.Example) that are in them: written and read one
--- by one. `pod.data.tfrecord` makes a dataset of such files.
--- ```lua
--- local path = os.tmpname()
--- local writer = pod.data.records.writer(path)
--- writer:write(pod.data.records.example { label = 3, weights = { 0.5, 0.5 } })
--- writer:close()
--- for bytes in pod.data.records.read(path) do
---   assert(pod.data.records.decode(bytes).label[1] == 3)
--- end
--- os.remove(path)
--- ```

-- records - record files (TFRecord) and tf.train.Example.

local around = require "moonpod.base.around"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local is_whole = require "moonpod.base.kinds".is_whole

local records = {}

local function call(name, ...)
  local ok, result = pcall(device.core[name], device.context(), ...)
  if not ok then
    errors.raise_from_core(result)
  end
  return result
end

--- Opens a record file for writing: `writer:write(bytes)`, `writer:close()` or `writer:abandon()`. The file is there
--- once it is closed.
---@param path string where it is to be
---@param options.compression "gzip"|"zlib" how it is packed (default: not)
--- ```lua
--- local path = os.tmpname()
--- local writer = pod.data.records.writer(path, { compression = "gzip" })
--- writer:write "a record"
--- writer:close()
--- print(pod.data.records.read(path, { compression = "auto" })())
--- --> a record
--- os.remove(path)
--- ```
function records.writer(path, options)
  errors.check_type(path, "string", "records.writer", "the path")
  options = errors.check_options(options, { compression = true }, "records.writer")
  return call("record_writer", path, options.compression)
end

-- ---- several files ----------------------------------------------------------------------------------------

-- The bytes of an element: a string as it is, a table of tensors by name as an example.
local function bytes_of(value)
  if type(value) ~= "table" or tensor.is(value) then
    errors.raise("records.shard: elements must be strings, or tables of tensors by name, not %s; give encode, a "
      .. "function that makes a string of an element", errors.describe(value))
  end
  return records.example(value)
end

local function element_bytes(encode, first, ...)
  if encode then
    return errors.check_type(encode(first, ...), "string", "records.shard", "what encode returned")
  end
  return type(first) == "string" and first or bytes_of(first)
end

local function shard_name(prefix, i, count)
  return ("%s-%05d-of-%05d"):format(prefix, i - 1, count)
end

local function is_there(path)
  local file = device.open(path)
  return file ~= nil and file:close()
end

-- Record i goes to file i mod count.
local function write_in_turn(next_bytes, prefix, count, compression, made, writers)
  local paths = {}
  for i = 1, count do
    paths[i] = shard_name(prefix, i, count)
    writers[i] = records.writer(paths[i], { compression = compression })
  end
  local done = 0
  for bytes in next_bytes do
    writers[done % count + 1]:write(bytes)
    done = done + 1
  end
  for i, writer in ipairs(writers) do
    local replaces = is_there(paths[i])
    writer:close()
    made[i] = not replaces and paths[i]
  end
  return paths
end

-- A new file when one has enough bytes; their names are known when their number is.
local function write_by_size(next_bytes, prefix, most, compression, made, writers)
  local writer, size = nil, 0
  for bytes in next_bytes do
    if writer and size + #bytes > most then
      writer:close()
      writer = nil
    end
    if not writer then
      made[#made + 1] = ("%s-%05d-of-unknown"):format(prefix, #made)
      writer, size = records.writer(made[#made], { compression = compression }), 0
      writers[1] = writer
    end
    writer:write(bytes)
    size = size + #bytes + 16
  end
  if writer then
    writer:close()
  end
  local paths = {}
  for i, path in ipairs(made) do
    paths[i] = shard_name(prefix, i, #made)
    local replaces = is_there(paths[i])
    call("rename_file", path, paths[i])
    made[i] = not replaces and paths[i]
  end
  return paths
end

--- Writes the elements of a dataset to record files PREFIX-00000-of-00010 and so on.
---@param ds dataset with an end: of strings, or of tables of tensors by name
---@param prefix string what paths begin with
---@param options.target_mb number about how large a file is, before it is compressed (default 100)
---@param options.num_shards integer so many files, which elements go to in turn, in the place of `target_mb`
---@param options.encode function makes a string of an element (default: strings as they are, tables as examples)
---@param options.compression "gzip"|"zlib" how files are packed (default: not)
---@return string[] the paths
--- ```lua
--- local prefix = os.tmpname()
--- local paths = pod.data.records.shard(pod.data.from_texts { "a", "b", "c" }, prefix, { num_shards = 2 })
--- print(#paths, table.concat(pod.data.tfrecord(paths):totable(), ", "))
--- --> 2    a, c, b
--- os.remove(paths[1])
--- os.remove(paths[2])
--- os.remove(prefix)
--- ```
function records.shard(ds, prefix, options)
  local dataset = require "moonpod.data.dataset"
  options = errors.check_options(options, { target_mb = true, num_shards = true, encode = true, compression = true },
    "records.shard")
  if not dataset.is(ds) then
    errors.raise("records.shard: %s is no dataset", errors.describe(ds))
  elseif ds:cardinality() == dataset.INFINITE then
    errors.raise("records.shard: the dataset has no end; take(n) elements of it")
  end
  errors.check_type(prefix, "string", "records.shard", "the prefix")
  local count, megabytes = options.num_shards, options.target_mb or 100
  if count then
    dataset.check_integer(count, 1, "records.shard", "num_shards")
  elseif type(megabytes) ~= "number" or megabytes <= 0 then
    errors.raise("records.shard: target_mb must be a positive number, not %s", errors.describe(megabytes))
  end
  local it = ds:iterator { epoch = 1 }
  local function next_bytes()
    local value = it:next_element()
    if value ~= nil then
      return element_bytes(options.encode, require("moonpod.data.element").spread(value))
    end
  end
  -- Files that are complete and files that are open: what a failure takes back. What has replaced an older file stays.
  local made, writers = {}, {}
  return around(nil, function(ok)
    for i = 1, ok and 0 or #writers do
      writers[i]:abandon()
    end
    for i = 1, ok and 0 or #made do
      if made[i] then
        device.remove(made[i])
      end
    end
    it:close()
  end, count and write_in_turn or write_by_size, next_bytes, prefix, count or megabytes * 2 ^ 20, options.compression,
    made, writers)
end

--- Goes through a record file: `for bytes in pod.data.records.read(path) do ... end`.
---@param path string the file
---@param options.compression "gzip"|"zlib"|"auto" how it is packed (default: not; "auto": as its first bytes say)
---@error a record is damaged or cut short
--- ```lua
--- local path = os.tmpname()
--- local writer = pod.data.records.writer(path)
--- writer:write "a record"
--- writer:close()
--- print(pod.data.records.read(path)())
--- --> a record
--- os.remove(path)
--- ```
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
  end
end

local function is_integer(value)
  return is_whole(value)
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

--- The bytes of a tf.train.Example.
---@param features table values by name: strings, numbers (whole ones are int64, others floats), arrays of them,
---   tensors, or arrays with a field `kind` ("bytes", "float", "int64")
---@return string
---@example pod.data.records.decode(pod.data.records.example { label = 3 }).label[1] --> 3
function records.example(features)
  errors.check_type(features, "table", "example", "the features")
  for name in pairs(features) do
    errors.check_type(name, "string", "example", "the name of a feature")
  end
  return call("example_encode", tables.map(tables.sorted_keys(features), function(name)
    local values, kind = values_of(name, features[name])
    return { name, kind or kind_of(name, values), values }
  end))
end

--- Reads the bytes of a tf.train.Example: arrays by name, each with its field `kind`.
---@param bytes string what `example` made, or a record of a file
---@return table
---@error the bytes are no example
---@example pod.data.records.decode(pod.data.records.example { label = 3 }).label.kind --> "int64"
function records.decode(bytes)
  errors.check_type(bytes, "string", "records.decode", "the example")
  return call("example_decode", bytes)
end

return records
