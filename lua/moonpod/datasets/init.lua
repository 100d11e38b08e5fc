--- Well-known data, read from packages of the system: each function returns training and test data. Where the files lie
--- elsewhere, the option `directory` or MOONPOD_DATASETS says so.
---@param options.directory string where the files lie
---@param options.test_split number the share of rows that is test data (default 0.2; 0: all is training data)
---@param options.seed integer which rows are which (default 113)
---@param options.shape integer[] the shape of an element
---@param options.references boolean whether places of the text are kept

-- datasets - well-known data, read from the packages of the system.

require "moonpod.data" -- the methods of datasets
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local stored_rows = require "moonpod.data.stored_rows"
local tensor = require "moonpod.tensor"

local datasets = {}

local DEFAULT_ROOT = "/usr/share/datasets"

-- Reads an IDX file; a missing one says which package has it.
local function read_idx(path, package)
  local file = device.open(path, "rb")
  if not file then
    errors.raise("%s is not there. It is part of Debian's package %s:\n  apt-get install %s\nor set "
      .. "MOONPOD_DATASETS to a directory that has the data sets", path, package, package)
  end
  file:close()
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
  local dims = { count }
  for i, size in ipairs(shape) do
    dims[i + 1] = size
  end
  local x = tensor.from_buffer(images:view(0, dims))
  local set = stored_rows.dataset({ x, tensor.from_buffer(labels) }, function(image, label)
    return image:cast("float32") / 255, label:cast("int32")
  end)
  set.source = ("Fashion-MNIST: %d images of 28x28 bytes in %d classes, from %s"):format(count, 10, image_path)
  return set
end

--- Returns Fashion-MNIST's training and test data: x 784 pixels, float32 in [0, 1] (stored as bytes), y the
--- class, int32. Options: directory (that has fashion-mnist/; MOONPOD_DATASETS, else /usr/share/datasets), shape of an
--- image ({ 784 }; { 28, 28, 1 } for convolutions).
--- ```lua
--- local ok, train = pcall(pod.datasets.fashion_mnist) -- Debian's package dataset-fashion-mnist has it
--- assert(not ok or train:cardinality() == 60000)
--- ```
function datasets.fashion_mnist(options)
  options = errors.check_options(options, { directory = true, shape = true }, "datasets.fashion_mnist")
  local root = options.directory or os.getenv "MOONPOD_DATASETS" or DEFAULT_ROOT
  local shape = options.shape or { 784 }
  local pixels = 1
  for _, size in ipairs(shape) do
    pixels = pixels * size
  end
  if pixels ~= 784 then
    errors.raise("datasets.fashion_mnist: an image has 784 pixels, which do not fit shape %s", errors.describe(shape))
  end
  return read_images(root, "train", shape), read_images(root, "t10k", shape)
end

-- Functions of other modules, which are loaded when they are first used.
local elsewhere = { digits = "tables", iris = "tables", wine = "tables",
  breast_cancer = "tables", kjv_text = "text" }

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
