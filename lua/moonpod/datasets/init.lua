--- Well-known data: each function returns training and test data.
---
--- Those of Debian's packages are read from where these lie; where that is elsewhere, the option `directory` or
--- MOONPOD_DATASETS says so.
---
--- Those of Keras (`mnist`, `cifar10`, `cifar100`, `imdb`, `reuters`, `boston_housing`) have its files, splits, types
--- and order. A file is looked for in MOONPOD_DATASETS, `~/.cache/moonpod/datasets` and in Keras' own cache; else the
--- system's `curl` fetches it from where Keras does, and it is kept where its SHA-256 is the one that Keras pins.
---@param options.directory string where the files lie
---@param options.path string the file itself; its SHA-256 is not asked for
---@param options.fetch boolean whether what is not there is fetched (default true)
---@param options.cache string the folder that fetched files are kept in
---@param options.url string where it is fetched from, as from a mirror
---@param options.sha256 string the SHA-256 of what `url` gives, where that is not Keras' file
---@param options.test_split number the share of rows that is test data (default 0.2; 0: all is training data)
---@param options.seed integer which rows are which (default 113)
---@param options.shape integer[] the shape of an element
---@param options.references boolean whether places of the text are kept

-- datasets - well-known data, read from the packages of the system.

require "moonpod.data" -- the methods of datasets
local datasets_files = require "moonpod.datasets.files"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local stored_rows = require "moonpod.data.stored_rows"
local tensor = require "moonpod.tensor"

local datasets = {}

local WHERE = "datasets.fashion_mnist"
local DEFAULT_ROOT = "/usr/share/datasets"

-- Reads an IDX file; a missing one says which package has it.
local function read_idx(path, package)
  if not datasets_files.is_there(path) then
    errors.raise("%s is not there. It is part of Debian's package %s:\n  apt-get install %s\nor set "
      .. "MOONPOD_DATASETS to a directory that has the data sets", path, package, package)
  end
  local ok, buffer = pcall(device.core.idx_read, device.context(), path)
  if not ok then
    errors.raise("%s; the package can be restored with: apt-get install --reinstall %s", buffer, package)
  end
  return buffer
end

local function check_pair(images, labels, image_path, label_path)
  local image_dims, label_dims = images:shape(), labels:shape()
  if images:dtype() ~= "uint8" or #image_dims ~= 3 or image_dims[2] ~= 28 or image_dims[3] ~= 28 then
    errors.raise("%s: bytes of shape (n, 28, 28) are expected, but it has %s %s", image_path, images:dtype(),
      tostring(tensor.shape(image_dims)))
  end
  if labels:dtype() ~= "uint8" or #label_dims ~= 1 or label_dims[1] ~= image_dims[1] then
    errors.raise("%s: %d bytes are expected, one an image, but it has %s %s", label_path, image_dims[1],
      labels:dtype(), tostring(tensor.shape(label_dims)))
  end
end

local function read_images(root, prefix, shape)
  local package = "dataset-fashion-mnist"
  local image_path = ("%s/fashion-mnist/%s-images-idx3-ubyte.gz"):format(root, prefix)
  local label_path = ("%s/fashion-mnist/%s-labels-idx1-ubyte.gz"):format(root, prefix)
  local images, labels = read_idx(image_path, package), read_idx(label_path, package)
  check_pair(images, labels, image_path, label_path)
  local count = images:shape()[1]
  local dims = datasets_files.sizes_of(WHERE, shape, 784, count)
  local x, y = tensor.from_buffer(images:view(0, dims)), tensor.from_buffer(labels)
  local set = stored_rows.dataset({ x, y }, function(image, label)
    return image:cast("float32") / 255, label:cast("int32")
  end)
  set.x, set.y = tensor.from_buffer(images), y
  set.source = ("Fashion-MNIST: %d images of 28x28 bytes in %d classes, from %s"):format(count, 10, image_path)
  return set
end

--- Returns Fashion-MNIST's training and test data: x 784 pixels, float32 in [0, 1] (stored as bytes), y the
--- class, int32. Options: directory (that has fashion-mnist/; MOONPOD_DATASETS, else /usr/share/datasets), shape of an
--- image ({ 784 }; { 28, 28, 1 } for convolutions). The fields `x` and `y` have all rows as Keras has them: bytes of
--- shape (28, 28) from 0 to 255, and bytes.
--- ```lua
--- local ok, train = pcall(pod.datasets.fashion_mnist) -- Debian's package dataset-fashion-mnist has it
--- assert(not ok or train:cardinality() == 60000)
--- ```
function datasets.fashion_mnist(options)
  options = errors.check_options(options, { directory = true, shape = true }, WHERE)
  local root = options.directory or os.getenv "MOONPOD_DATASETS" or DEFAULT_ROOT
  local shape = options.shape or { 784 }
  datasets_files.sizes_of(WHERE, shape, 784)
  return read_images(root, "train", shape), read_images(root, "t10k", shape)
end

-- Functions of other modules, which are loaded when they are first used.
local elsewhere = { digits = "tables", iris = "tables", wine = "tables", breast_cancer = "tables", kjv_text = "text",
  mnist = "keras", cifar10 = "keras", cifar100 = "keras", boston_housing = "keras", imdb = "keras_texts",
  reuters = "keras_texts", imdb_word_index = "keras_words", reuters_word_index = "keras_words" }

return setmetatable(datasets, {
  __index = function(_, name)
    local module = elsewhere[name]
    if not module and type(name) == "string" and name:sub(1, 1) ~= "_" then
      local names = { "fashion_mnist" }
      for one in pairs(elsewhere) do
        names[#names + 1] = one
      end
      errors.raise("there is no pod.datasets.%s%s", name, errors.suggest_name(name, names))
    end
    return module and require("moonpod.datasets." .. module)[name] or nil
  end,
})
