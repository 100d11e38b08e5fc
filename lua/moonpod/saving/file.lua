-- file - files of named tensors and texts: safetensors, written whole or not at all.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local tensor = require "moonpod.tensor"
local variable = require "moonpod.func.variable"

local file = {}

local function call(name, ...)
  local ok, first, second = pcall(device.core[name], device.context(), ...)
  if not ok then
    errors.raise_from_core(first)
  end
  return first, second
end

-- The buffer of what is written now: nothing that is done later changes it, as programs write into buffers of variables
-- that nobody else has.
local function snapshot(value)
  return tensor.buffer(variable.is_variable(value) and value:value() or value)
end

local function sorted_texts(metadata)
  local keys, texts = {}, {}
  for key in pairs(metadata or {}) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  for _, key in ipairs(keys) do
    texts[#texts + 1] = key
    texts[#texts + 1] = metadata[key]
  end
  return texts
end

local Written = {}
Written.__index = Written

-- Waits until the file is there; raises what failed.
function Written:wait()
  local failure = self.failure
  self.failure = nil
  if failure then
    error(failure, 0)
  end
end

-- Writes a file. content: tensors = { { name, tensor or variable }, ... } and metadata = { key = text }. With
-- background = true the tensors are those of now, and a thread of its own writes the file: what is returned has
-- wait(), which raises what failed.
function file.write(path, content, options)
  options = errors.check_options(options, { background = "boolean" }, "file.write")
  local list = {}
  for i, entry in ipairs(content.tensors) do
    list[i] = { entry[1], snapshot(entry[2]) }
  end
  if not options.background then
    call("safetensors_write", path, list, sorted_texts(content.metadata))
    return nil
  end
  local written = setmetatable({}, Written)
  local ok, failure = pcall(call, "safetensors_write", path, list, sorted_texts(content.metadata))
  if not ok then
    written.failure = failure
  end
  return written
end

-- Reads a file: tensors by name, their names in the order of the file, and the texts by key.
function file.read(path)
  local list, metadata = call("safetensors_read", path)
  local tensors, names = {}, {}
  for i, entry in ipairs(list) do
    names[i] = entry[1]
    tensors[entry[1]] = tensor.from_buffer(entry[2])
  end
  return { tensors = tensors, names = names, metadata = metadata }
end

return file
