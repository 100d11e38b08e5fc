-- datasets_files - where the files of data sets lie.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"

local datasets_files = {}

local function is_there(path)
  local file = device.open(path, "rb")
  if file then
    file:close()
  end
  return file ~= nil
end

datasets_files.is_there = is_there

-- The path of a file of Debian's `package`, which puts it into `folder` (without a leading slash): in `directory`, or
-- MOONPOD_DATASETS, as the package lies unpacked there or flat; in the system's. A missing one says what to install.
function datasets_files.find(where, name, folder, package, directory)
  local places = {}
  for _, root in ipairs { directory or os.getenv "MOONPOD_DATASETS" } do
    places[#places + 1] = ("%s/%s"):format(root, name)
    places[#places + 1] = ("%s/%s/%s"):format(root, folder, name)
  end
  if not directory then
    places[#places + 1] = ("/%s/%s"):format(folder, name)
  end
  for _, path in ipairs(places) do
    if is_there(path) then
      return path
    end
  end
  errors.raise("%s: %s is not there. It is part of Debian's package %s:\n  apt-get install %s\nor, without what that "
    .. "depends on,\n  apt-get download %s && dpkg-deb -x %s_*.deb DIRECTORY\nand give directory = DIRECTORY, or set "
    .. "MOONPOD_DATASETS to it", where, table.concat(places, " nor "), package, package, package, package)
end

-- Raises where a shape has not so many pixels. Returns the sizes of `count` such pictures.
function datasets_files.sizes_of(where, shape, pixels, count)
  if shapes.product(shape) ~= pixels then
    errors.raise("%s: an image has %d pixels, which do not fit shape %s", where, pixels, errors.describe(shape))
  end
  return tables.join({ count }, shape)
end

return datasets_files
