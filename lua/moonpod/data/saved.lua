-- saved - datasets in files: a record file whose first record describes the elements.
--
-- The first record is the text "moonpod dataset", a version, and a line for each component:
--
--     moonpod dataset 1
--     float32 784
--     int32
--     text
--
-- followed by the structure of an element, where it is no single component: "structure {1 image, 2 label}" with
-- names and numbers of components. Each further record is an element: the components' sizes that are not known
-- from the first record (u64, little-endian) and their elements.

local dataset = require "moonpod.data.dataset"
local device = require "moonpod.device"
local errors = require "moonpod.errors"
local records = require "moonpod.data.records"
local trace = require "moonpod.trace"

local saved = {}

local FORMAT, VERSION = "moonpod dataset", 1

-- ---- the first record ----------------------------------------------------------------------------------

local function quote(key)
  if type(key) == "number" then
    return ("#%d"):format(key)
  end
  return (key:gsub("[^%w_]", function(c)
    return ("%%%02x"):format(c:byte())
  end))
end

local function unquote(text)
  local number = text:match "^#(%d+)$"
  if number then
    return tonumber(number)
  end
  return (text:gsub("%%(%x%x)", function(code)
    return string.char(tonumber(code, 16))
  end))
end

local function write_skeleton(skeleton)
  if skeleton.leaf then
    return tostring(skeleton.leaf)
  end
  local parts = {}
  for i, key in ipairs(skeleton.keys or {}) do
    parts[i] = quote(key) .. "=" .. write_skeleton(skeleton.parts[i])
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

-- Reads a structure from `at` on; returns it and the place behind it.
local function read_skeleton(text, at)
  local leaf, after = text:match("^(%d+)()", at)
  if leaf then
    return { leaf = tonumber(leaf) }, after
  end
  if text:sub(at, at) ~= "{" then
    return nil, at
  end
  local skeleton = { keys = {}, parts = {} }
  at = at + 1
  while text:sub(at, at) ~= "}" do
    local key, value_at = text:match("^([%w_%%#]+)=()", at)
    if not key then
      return nil, at
    end
    local part
    part, at = read_skeleton(text, value_at)
    if not part then
      return nil, at
    end
    skeleton.keys[#skeleton.keys + 1] = unquote(key)
    skeleton.parts[#skeleton.parts + 1] = part
    at = text:match("^,()", at) or at
  end
  return skeleton, at + 1
end

local function write_header(components, skeleton)
  local lines = { ("%s %d"):format(FORMAT, VERSION) }
  for _, component in ipairs(components) do
    local words = { component.text and "text" or component.dtype }
    for _, size in ipairs(component.text and {} or component.shape) do
      words[#words + 1] = ("%d"):format(size)
    end
    lines[#lines + 1] = table.concat(words, " ")
  end
  lines[#lines + 1] = "structure " .. write_skeleton(skeleton)
  return table.concat(lines, "\n")
end

local function read_component(line)
  if line == "text" then
    return { dtype = "uint8", shape = { -1 }, text = true }
  end
  local component = { shape = {} }
  for word in line:gmatch "%S+" do
    if not component.dtype then
      component.dtype = trace.dtype_sizes[word] and word or nil
      if not component.dtype then
        return nil
      end
    else
      local size = tonumber(word)
      if not size or size < -1 or size ~= math.floor(size) then
        return nil
      end
      component.shape[#component.shape + 1] = size
    end
  end
  return component.dtype and component
end

local function read_header(path, text)
  local version = tonumber(text:match("^" .. FORMAT .. " (%d+)\n"))
  if not version then
    errors.raise("%s is no saved dataset", path)
  elseif version > VERSION then
    errors.raise("%s has version %d of the format of saved datasets; this Moonpod reads %d", path, version, VERSION)
  end
  local components, skeleton = {}, nil
  for line in text:gsub("^[^\n]*\n", ""):gmatch "[^\n]+" do
    local structure = line:match "^structure (.*)$"
    if structure then
      skeleton = read_skeleton(structure, 1)
    else
      components[#components + 1] = read_component(line)
        or errors.raise("%s: the description of a component is malformed: %s", path, line)
    end
  end
  if not skeleton or #components == 0 then
    errors.raise("%s: the description of its elements is incomplete", path)
  end
  return components, skeleton
end

-- ---- elements ---------------------------------------------------------------------------------------------

local function put_u64(n)
  local bytes = {}
  for i = 1, 8 do
    bytes[i] = string.char(n % 256)
    n = math.floor(n / 256)
  end
  return table.concat(bytes)
end

local function get_u64(text, at)
  local n = 0
  for i = 7, 0, -1 do
    n = n * 256 + (text:byte(at + i) or 0)
  end
  return n
end

local function write_element(components, buffers)
  local parts = {}
  for i, buffer in ipairs(buffers) do
    local shape = buffer:shape()
    for j, size in ipairs(components[i].shape) do
      if size < 0 then
        parts[#parts + 1] = put_u64(shape[j])
      end
    end
    parts[#parts + 1] = buffer:data()
  end
  return table.concat(parts)
end

local function read_element(path, number, components, text)
  local buffers, at = {}, 1
  for i, component in ipairs(components) do
    local dims, bytes = {}, trace.dtype_sizes[component.dtype]
    for j, size in ipairs(component.shape) do
      if size < 0 then
        size, at = get_u64(text, at), at + 8
      end
      dims[j], bytes = size, bytes * size
    end
    if at + bytes - 1 > #text then
      errors.raise("%s: element %d is cut short", path, number)
    end
    buffers[i] = device.core.buffer(device.context(), text:sub(at, at + bytes - 1), component.dtype, dims)
    at = at + bytes
  end
  if at ~= #text + 1 then
    errors.raise("%s: element %d is longer than its components", path, number)
  end
  return buffers
end

-- ---- files ------------------------------------------------------------------------------------------------

-- Writes the elements of a dataset to a file, whole or not at all.
function saved.save(self, path)
  errors.check_type(path, "string", "save", "the path")
  self = dataset.settled(self, "save")
  if self:cardinality() == dataset.INFINITE then
    errors.raise("save: the dataset has no end; take(n) elements of it")
  end
  local components = self._handle:components()
  local writer = records.writer(path)
  local it = self._handle:iterator()
  local ok, failure = pcall(function()
    writer:write(write_header(components, self._skeleton))
    while true do
      local buffers = { it:next() }
      if buffers[1] == nil then
        break
      end
      writer:write(write_element(components, buffers))
    end
    writer:close()
  end)
  it:close()
  if not ok then
    writer:abandon()
    errors.raise_from_core(failure)
  end
end

local function next_record(reader)
  local ok, bytes = pcall(reader.next, reader)
  if not ok then
    errors.raise_from_core(bytes)
  end
  return bytes
end

local function open(path)
  return dataset.call(device.core.record_reader, device.context(), path)
end

-- The elements that save() wrote.
function saved.load(path)
  errors.check_type(path, "string", "load", "the path")
  local reader = open(path)
  local components, skeleton = read_header(path, next_record(reader) or "")
  reader:close()
  local passes, count = {}, 0
  local source = device.core.source(function(what, number)
    if what == "open" then
      count = count + 1
      passes[count] = { reader = open(path), number = 0 }
      next_record(passes[count].reader)
      return count
    elseif what == "next" then
      local pass = passes[number]
      local text = next_record(pass.reader)
      pass.number = pass.number + 1
      return text and read_element(path, pass.number - 1, components, text)
    end
    passes[number].reader:close()
    passes[number] = nil
  end)
  local handle = dataset.call(device.core.dataset_from_source, device.context(), source, components, dataset.UNKNOWN)
  return dataset.new(handle, skeleton, { _sources = { source }, _batch_size = false })
end

return saved
