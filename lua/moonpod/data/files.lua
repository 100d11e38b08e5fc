-- files - arrays and records in files.

local device = require "moonpod.tensor.device"
local element = require "moonpod.data.element"
local errors = require "moonpod.base.errors"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local files = {}

local function call(name, ...)
  local ok, first, second = pcall(device.core[name], device.context(), ...)
  if not ok then
    errors.raise_from_core(first)
  end
  return first, second
end

local function check_path(path, where)
  return errors.check_type(path, "string", where, "the path")
end

local function buffer_of(value, where)
  local t = element.tensors(value, where)
  if not tensor.is(t) then
    errors.raise("%s: a tensor is needed, not %s", where, errors.describe(value))
  end
  return tensor.buffer(t)
end

-- ---- single arrays ------------------------------------------------------------------------------------

--- Reads a .npy file of NumPy as a tensor.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_npy(path, pod.tensor { 1, 2, 3 })
--- print(pod.data.load_npy(path))
--- --> [1. 2. 3.]
--- --> float32 (3,) on CPU:0
--- os.remove(path)
--- ```
function files.load_npy(path)
  return tensor.from_buffer(call("npy_read", check_path(path, "load_npy")))
end

--- Writes a tensor as NumPy's .npy.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_npy(path, pod.ones { 2, 3 })
--- print(pod.data.load_npy(path))
--- --> [[1. 1. 1.]
--- -->  [1. 1. 1.]]
--- --> float32 (2, 3) on CPU:0
--- os.remove(path)
--- ```
function files.save_npy(path, value)
  call("npy_write", check_path(path, "save_npy"), buffer_of(value, "save_npy"))
end

--- Reads an IDX file (of MNIST's kind), compressed by gzip or not, as a tensor.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_idx(path, pod.ones({ 2, 28, 28 }, { dtype = "uint8" }))
--- print(table.concat(pod.data.load_idx(path).shape, " x "))
--- --> 2 x 28 x 28
--- os.remove(path)
--- ```
function files.load_idx(path)
  return tensor.from_buffer(call("idx_read", check_path(path, "load_idx")))
end

--- Writes an IDX file; a path that ends in ".gz" is compressed.
--- ```lua
--- local path = os.tmpname() .. ".gz"
--- pod.data.save_idx(path, pod.tensor({ 1, 2, 3 }, { dtype = "uint8" }))
--- print(pod.data.load_idx(path))
--- --> [1 2 3]
--- --> uint8 (3,) on CPU:0
--- os.remove(path)
--- ```
function files.save_idx(path, value)
  call("idx_write", check_path(path, "save_idx"), buffer_of(value, "save_idx"))
end

-- ---- named arrays ---------------------------------------------------------------------------------------

local function sorted_keys(t, where)
  for key in pairs(t) do
    if type(key) ~= "string" then
      errors.raise("%s: arrays have names; %s is none", where, errors.describe(key))
    end
  end
  return tables.sorted_keys(t)
end

local function to_table(list)
  local arrays = {}
  for _, entry in ipairs(list) do
    arrays[entry[1]] = tensor.from_buffer(entry[2])
  end
  return arrays, tables.column(list, 1)
end

local function to_list(arrays, where)
  errors.check_type(arrays, "table", where, "the arrays")
  return tables.map(sorted_keys(arrays, where), function(name)
    return { name, buffer_of(arrays[name], where) }
  end)
end

--- Reads a .npz archive: a table of tensors by name, and the names in their order.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_npz(path, { a = pod.ones { 2 }, b = pod.zeros { 3 } })
--- local arrays, names = pod.data.load_npz(path)
--- print(table.concat(names, ", "))
--- print(arrays.b)
--- --> a, b
--- --> [0. 0. 0.]
--- --> float32 (3,) on CPU:0
--- os.remove(path)
--- ```
function files.load_npz(path)
  return to_table((call("npz_read", check_path(path, "load_npz"))))
end

--- Writes a table of tensors by name. Options: compress.
---@param options.compress boolean whether it is compressed
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_npz(path, { a = pod.ones { 2, 3 } })
--- print(pod.data.load_npz(path).a)
--- --> [[1. 1. 1.]
--- -->  [1. 1. 1.]]
--- --> float32 (2, 3) on CPU:0
--- os.remove(path)
--- ```
function files.save_npz(path, arrays, options)
  options = errors.check_options(options, { compress = true }, "save_npz")
  call("npz_write", check_path(path, "save_npz"), to_list(arrays, "save_npz"), options.compress)
end

--- Reads a safetensors file: a table of tensors by name, its metadata, and the names in the order of the file.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_safetensors(path, { a = pod.ones { 2, 3 } }, { by = "me" })
--- local arrays, about, names = pod.data.load_safetensors(path)
--- print(names[1], about.by)
--- print(arrays.a)
--- --> a    me
--- --> [[1. 1. 1.]
--- -->  [1. 1. 1.]]
--- --> float32 (2, 3) on CPU:0
--- os.remove(path)
--- ```
function files.load_safetensors(path)
  local list, texts = call("safetensors_read", check_path(path, "load_safetensors"))
  local arrays, names = to_table(list)
  return arrays, texts, names
end

local function to_texts(table, where)
  errors.check_type(table or {}, "table", where, "metadata")
  local texts = {}
  for _, key in ipairs(table and sorted_keys(table, where) or {}) do
    texts[#texts + 1] = key
    texts[#texts + 1] = errors.check_type(table[key], "string", where, "metadata")
  end
  return texts
end

--- Writes a table of tensors by name, and metadata: a table of texts by name.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_safetensors(path, { a = pod.ones { 2, 3 } })
--- print(pod.data.load_safetensors(path).a)
--- --> [[1. 1. 1.]
--- -->  [1. 1. 1.]]
--- --> float32 (2, 3) on CPU:0
--- os.remove(path)
--- ```
function files.save_safetensors(path, arrays, metadata)
  local texts = to_texts(metadata, "save_safetensors")
  call("safetensors_write", check_path(path, "save_safetensors"), to_list(arrays, "save_safetensors"), texts)
end

--- Reads an HDF5 file of which all arrays lie in one piece: a table of tensors by path ("layers/dense/vars/0"), its
--- attributes that are texts ("layers/dense/vars@name"), and the paths in the order of the file. `member`: the file is
--- that member of a zip archive.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_hdf5(path, { ["layers/a"] = pod.ones { 2, 3 } })
--- print(pod.data.load_hdf5(path)["layers/a"])
--- --> [[1. 1. 1.]
--- -->  [1. 1. 1.]]
--- --> float32 (2, 3) on CPU:0
--- os.remove(path)
--- ```
function files.load_hdf5(path, member)
  errors.check_type(member or "", "string", "load_hdf5", "the member")
  local list, texts = call("hdf5_read", check_path(path, "load_hdf5"), member)
  local arrays, names = to_table(list)
  return arrays, texts, names
end

--- Writes a table of tensors by path, and texts by "path@name", as load_hdf5 gives them.
--- ```lua
--- local path = os.tmpname()
--- pod.data.save_hdf5(path, { a = pod.ones { 2, 3 } })
--- print(pod.data.load_hdf5(path).a)
--- --> [[1. 1. 1.]
--- -->  [1. 1. 1.]]
--- --> float32 (2, 3) on CPU:0
--- os.remove(path)
--- ```
function files.save_hdf5(path, arrays, texts)
  call("hdf5_write", check_path(path, "save_hdf5"), to_list(arrays, "save_hdf5"), to_texts(texts, "save_hdf5"))
end

return files
