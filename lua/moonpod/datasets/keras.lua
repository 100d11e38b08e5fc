-- datasets_keras - the data that scripts of Keras begin with: its files, its splits, its order.

local core = require "moonpod.core"
local datasets_fetch = require "moonpod.datasets.fetch"
local dataset = require "moonpod.data.dataset"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local is_whole = require "moonpod.base.kinds".is_whole

local keras = {}

local STORAGE = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
local TORONTO = "https://www.cs.toronto.edu/~kriz/"

-- Files as PyPI's keras names and pins them; `bytes` is what progress is shown of.
local FILES = {
  mnist = { name = "mnist.npz", url = STORAGE .. "mnist.npz", bytes = 11490434,
    sha256 = "731c5ac602752760c8e48fbffcf8c3b850d9dc2a2aedcf2cc48468fc17b673d1" },
  boston_housing = { name = "boston_housing.npz", url = STORAGE .. "boston_housing.npz", bytes = 57026,
    sha256 = "f553886a1f8d56431e820c5b82552d9d95cfcb96d1e678153f8839538947dff5" },
  imdb = { name = "imdb.npz", url = STORAGE .. "imdb.npz", bytes = 17464789,
    sha256 = "69664113be75683a8fe16e3ed0ab59fda8886cb3cd7ada244f7d9544e4676b9f" },
  reuters = { name = "reuters.npz", url = STORAGE .. "reuters.npz", bytes = 2110848,
    sha256 = "d6586e694ee56d7a4e65172e12b3e987c03096cb01eab99753921ef915959916" },
  cifar10 = { name = "cifar-10-python.tar.gz", url = TORONTO .. "cifar-10-python.tar.gz", bytes = 170498071,
    also = { "cifar-10-batches-py-target_archive", "cifar-10-batches-py.tar.gz" },
    sha256 = "6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce" },
  cifar100 = { name = "cifar-100-python.tar.gz", url = TORONTO .. "cifar-100-python.tar.gz", bytes = 169001437,
    also = { "cifar-100-python-target_archive" },
    sha256 = "85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7" },
}

-- Checks the options of a data set: those of files, and those in `more`. Returns them and the path of its file.
function keras.file_of(name, options, more)
  local where = "datasets." .. name
  options = errors.check_options(options, tables.merge(datasets_fetch.options, more), where)
  return options, datasets_fetch.find(where, FILES[name], options)
end

-- The arrays of a file by their names, which are all there.
function keras.arrays_of(list, path, names)
  local arrays = {}
  for _, entry in ipairs(list) do
    arrays[entry[1]] = tensor.from_buffer(entry[2])
  end
  for _, name in ipairs(names) do
    if not arrays[name] then
      errors.raise("%s has no array '%s'; it is another file", path, name)
    end
  end
  return arrays
end

function keras.read_npz(path, names)
  return keras.arrays_of(errors.call_core(core.npz_read, device.context(), path), path, names)
end

-- Refuses what is not of that type and shape; 0 stands for any size. Returns the array.
function keras.check(array, path, dtype, dims)
  local fits = array.dtype == dtype and #array.shape == #dims
  for axis, size in ipairs(dims) do
    fits = fits and (size == 0 or array.shape[axis] == size)
  end
  if not fits then
    errors.raise("%s: %s of shape (%s) are expected, 0 for any size, but it has %s %s", path, dtype,
      table.concat(dims, ", "), array.dtype, tostring(array.shape))
  end
  return array
end

-- A dataset of rows with its whole arrays as fields x and y.
local function of_rows(x, y, title, path)
  if x.shape[1] ~= y.shape[1] then
    errors.raise("%s: %d rows of x and %d of y", path, x.shape[1], y.shape[1])
  end
  local set = dataset.of_rows { x, y }
  set.x, set.y = x, y
  set.source = ("%s: %d rows of %s %s, from %s"):format(title, x.shape[1], x.dtype,
    tostring(tensor.shape(tables.slice(x.shape, 2))), path)
  return set
end

-- The share of rows that is test data.
function keras.check_split(share, where)
  if share == nil then
    return 0.2
  elseif type(share) ~= "number" or not (share >= 0 and share < 1) then
    errors.raise("%s: test_split must be from 0 to below 1, not %s", where, errors.describe(share))
  end
  return share
end

-- The order, from 0, in which Keras has `first` and `second` rows: two tensors.
function keras.orders(seed, first, second, where)
  if not is_whole(seed, 0, 2 ^ 32 - 1) then
    errors.raise("%s: seed must be a whole number from 0 to 2^32 - 1, not %s", where, errors.describe(seed))
  end
  local both = tensor.from_buffer(errors.call_core(core.numpy_orders, device.context(), seed, first, second))
  return ops.slice_axis(both, 0, 0, first), ops.slice_axis(both, 0, first, first + second)
end

--- MNIST as Keras has it: 60000 and 10000 handwritten digits, uint8 `(28, 28)` from 0 to 255, and which digit it is,
--- uint8. The fields `x` and `y` have all rows as one tensor.
---@return dataset for training
---@return dataset for tests
---@error the file is not there and cannot be fetched; the message says what to do
--- ```lua
--- local ok, train = pcall(pod.datasets.mnist, { fetch = false }) -- reads mnist.npz where it lies already
--- assert(not ok or train.x.shape[1] == 60000)
--- ```
function keras.mnist(options)
  local _, path = keras.file_of("mnist", options)
  local arrays = keras.read_npz(path, { "x_train", "y_train", "x_test", "y_test" })
  local function part(name)
    local x = keras.check(arrays["x_" .. name], path, "uint8", { 0, 28, 28 })
    return of_rows(x, keras.check(arrays["y_" .. name], path, "uint8", { 0 }), "MNIST", path)
  end
  return part "train", part "test"
end

--- Prices of houses in Boston as Keras has them: 404 and 102 rows of 13 features, float64, and the price in thousands
--- of dollars, float64. One of the features is about the race of inhabitants: Keras keeps the set for teaching, not for
--- use.
---@return dataset for training
---@return dataset for tests
---@error the file is not there and cannot be fetched; the message says what to do
--- ```lua
--- local ok, train, test = pcall(pod.datasets.boston_housing, { fetch = false, test_split = 0.5 })
--- assert(not ok or #train == 253 and #test == 253)
--- ```
function keras.boston_housing(options)
  local where = "datasets.boston_housing"
  local path
  options, path = keras.file_of("boston_housing", options, { test_split = true, seed = true })
  local share = keras.check_split(options.test_split, where)
  local arrays = keras.read_npz(path, { "x", "y" })
  local x, y = keras.check(arrays.x, path, "float64", { 0, 13 }), keras.check(arrays.y, path, "float64", { 0 })
  local count = x.shape[1]
  local order = keras.orders(options.seed or 113, count, 0, where)
  x, y = ops.gather(x, order, 0), ops.gather(y, order, 0)
  local kept = math.floor(count * (1 - share))
  local function part(low, high)
    return of_rows(ops.slice_axis(x, 0, low, high), ops.slice_axis(y, 0, low, high), "Boston housing", path)
  end
  return part(0, kept), part(kept, count)
end

-- Reads members of one of Toronto's archives as a data set: pictures (rows, 32, 32, 3) and labels (rows, 1), all bytes.
local function of_pictures(arrays, path, members, label, title)
  local pictures, labels = {}, {}
  for i, member in ipairs(members) do
    local flat = keras.check(arrays[member .. "/data"], path, "uint8", { 0, 3072 })
    pictures[i] = ops.transpose(flat:reshape { -1, 3, 32, 32 }, { 0, 2, 3, 1 })
    labels[i] = keras.check(arrays[member .. "/" .. label], path, "int64", { 0 }):cast "uint8":reshape { -1, 1 }
  end
  return of_rows(ops.concat(pictures, 0), ops.concat(labels, 0), title, path)
end

-- The training and test data of one of Toronto's archives.
local function read_pictures(path, train, test, label, title)
  local members, names = tables.join(train, test), {}
  for _, member in ipairs(members) do
    tables.extend(names, { member .. "/data", member .. "/" .. label })
  end
  local list = errors.call_core(core.tar_read_pickles, device.context(), path, members)
  local arrays = keras.arrays_of(list, path, names)
  return of_pictures(arrays, path, train, label, title), of_pictures(arrays, path, test, label, title)
end

--- CIFAR-10 as Keras has it: 50000 and 10000 pictures, uint8 `(32, 32, 3)` from 0 to 255, and their classes, uint8
--- `(1)`; the field `class_names` has the names of the ten. The fields `x` and `y` have all rows as one tensor.
---@return dataset for training
---@return dataset for tests
---@error the file is not there and cannot be fetched; the message says what to do
--- ```lua
--- local ok, train = pcall(pod.datasets.cifar10, { fetch = false }) -- reads the archive where it lies already
--- assert(not ok or train.class_names[1] == "airplane")
--- ```
function keras.cifar10(options)
  local _, path = keras.file_of("cifar10", options)
  local batches = {}
  for i = 1, 5 do
    batches[i] = "cifar-10-batches-py/data_batch_" .. i
  end
  local train, test = read_pictures(path, batches, { "cifar-10-batches-py/test_batch" }, "labels", "CIFAR-10")
  local names = { "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck" }
  train.class_names, test.class_names = names, names
  return train, test
end

--- CIFAR-100 as Keras has it: 50000 and 10000 pictures, uint8 `(32, 32, 3)` from 0 to 255, and their classes, uint8
--- `(1)`. The fields `x` and `y` have all rows as one tensor.
---@param options.label_mode "fine"|"coarse" the hundred classes (default), or the twenty that those belong to
---@return dataset for training
---@return dataset for tests
---@error the file is not there and cannot be fetched; the message says what to do
--- ```lua
--- local ok, train = pcall(pod.datasets.cifar100, { fetch = false, label_mode = "coarse" })
--- assert(not ok or train.y:max():item() == 19)
--- ```
function keras.cifar100(options)
  local path
  options, path = keras.file_of("cifar100", options, { label_mode = true })
  local mode = options.label_mode or "fine"
  if mode ~= "fine" and mode ~= "coarse" then
    errors.raise('datasets.cifar100: label_mode must be "fine" or "coarse", not %s', errors.describe(mode))
  end
  return read_pictures(path, { "cifar-100-python/train" }, { "cifar-100-python/test" }, mode .. "_labels", "CIFAR-100")
end

return keras
