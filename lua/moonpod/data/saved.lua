-- saved - datasets in files. The core writes elements; how their components form an element is a note in the file:
-- the number of a component, or "{image=1,#1=2}" with names and numbers of parts.

local dataset = require "moonpod.data.dataset"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"

local saved = {}

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

-- The dataset, settled, and the compression that options ask for.
local function ready(self, path, options, where, what)
  errors.check_type(path, "string", where, what)
  options = errors.check_options(options, { compression = true }, where)
  return dataset.settled(self, where), options.compression
end

-- Writes the elements of the first pass to a file, whole or not at all. Options: compression ("gzip").
function saved.save(self, path, options)
  local whole, compression = ready(self, path, options, "save", "the path")
  dataset.call(whole._handle.save, whole._handle, path, write_skeleton(whole._skeleton), compression)
end

--- The elements that save() wrote.
--- ```lua
--- local path = os.tmpname()
--- pod.data.range(3):batch(2):save(path)
--- for batch in pod.data.load(path):iter() do
---   print(batch)
--- end
--- --> [0 1]
--- --> int64 (2,) on CPU:0
--- --> [2]
--- --> int64 (1,) on CPU:0
--- os.remove(path)
--- ```
function saved.load(path)
  errors.check_type(path, "string", "load", "the path")
  local ok, handle, note = pcall(device.core.dataset_load, device.context(), path)
  if not ok then
    errors.raise_from_core(handle)
  end
  local skeleton, behind = read_skeleton(note, 1)
  if not skeleton or behind <= #note then
    errors.raise("%s: the structure of its elements is malformed; caches are read by cache(path)", path)
  end
  return dataset.new(handle, skeleton, { _batch_size = false })
end

-- See dataset:cache() and dataset:snapshot().
function saved.cache(self, path, options)
  local whole, compression = ready(self, path, options, "cache", "the path")
  return dataset.derive(whole, dataset.call(whole._handle.cache, whole._handle, path, compression))
end

function saved.snapshot(self, directory, options)
  local whole, compression = ready(self, directory, options, "snapshot", "the directory")
  return dataset.derive(whole, dataset.call(whole._handle.snapshot, whole._handle, directory, compression))
end

return saved
