-- image_folder - pictures in folders, a folder a class.

local check_name = require("moonpod.image.geometry").check_name
local dataset = require "moonpod.data.dataset"
local errors = require "moonpod.base.errors"
local folders = require "moonpod.data.folders"
local image_decode = require "moonpod.image.decode"

local WHERE = "image_folder"

local CHANNELS = { grayscale = 1, rgb = 3, rgba = 4 }

local DEFAULTS = { color_mode = "rgb", image_size = { 256, 256 }, interpolation = "bilinear", dtype = "float32" }

-- A dataset of a part of the pictures.
local function make(paths, classes, names, options)
  local picture = { channels = CHANNELS[options.color_mode], size = options.image_size, method = options.interpolation,
    dtype = options.dtype }
  local function decode(name)
    return image_decode.decode_image(image_decode.read_file(name), picture)
  end
  local set = folders.labelled(paths, classes, names, options, WHERE):map(function(name, label)
    if label == nil then
      return decode(name)
    end
    return decode(name), label
  end, { num_parallel_calls = options.num_parallel_calls or dataset.AUTOTUNE })
  if options.batch_size then
    set = set:batch(options.batch_size):prefetch(dataset.AUTOTUNE)
  end
  return set
end

local KIND = { where = WHERE, noun = "pictures", files = ".png, .jpg, .jpeg", make = make,
  endings = { "[pP][nN][gG]", "[jJ][pP][gG]", "[jJ][pP][eE][gG]" } }

---@name pod.data.image_folder pod.data.image_dataset_from_directory
--- Pictures of the folders in a folder, each a class, in the order of their names: batches of pictures `(n, height,
--- width, channels)` and labels. The dataset has the fields `class_names`, `file_paths` and `source`. Pictures are read
--- and decoded while the dataset is used, on threads.
---@param path string the folder that has a folder for each class
---@param options.labels "inferred"|"none"|integer[] classes by the folders; nothing; or that of each file, sorted
---@param options.label_mode "int"|"categorical"|"binary"|"none" int32 numbers from 0 (default), one-hot rows, or 0
---   and 1 as float32 `(n, 1)`
---@param options.class_names string[] the folders that are taken, in their order (default: all, sorted)
---@param options.color_mode "rgb"|"rgba"|"grayscale" how many channels there are (default "rgb")
---@param options.batch_size integer|boolean pictures of a batch (default 32); false: single pictures
---@param options.image_size integer[] { height, width } that all get (default { 256, 256 })
---@param options.interpolation "bilinear"|"nearest" how (default "bilinear")
---@param options.shuffle boolean whether there is another order in each pass (default true)
---@param options.validation_split number the share that is set aside, with `subset` and, to shuffle, `seed`
---@param options.subset "training"|"validation"|"both" which part is wanted; "both" gives two datasets
---@param options.dtype string "float32", 0 to 255 (default), or "uint8"
---@return dataset with "both" two: to train on, and to validate with
---@error there are no pictures; a class has no folder
---@see pod.data.text_folder pod.layers.random_flip
--- ```lua
--- local folder = os.tmpname()
--- os.remove(folder)
--- for _, class in ipairs { "cat", "dog" } do
---   os.execute(("mkdir -p %s/%s"):format(folder, class))
---   local file = io.open(("%s/%s/1.png"):format(folder, class), "wb")
---   file:write(pod.image.encode_png(pod.ones({ 4, 4, 3 }, { dtype = "uint8" })))
---   file:close()
--- end
--- local pets = pod.data.image_folder(folder, { image_size = { 8, 8 }, batch_size = 2 })
--- print(table.concat(pets.class_names, ", "))
--- print(pets)
--- --> cat, dog
--- --> <dataset 'batch' of (float32 (2, 8, 8, 3), int32 (2,)), 1 elements>
--- os.execute("rm -r " .. folder)
--- ```
local function image_folder(path, options)
  options = errors.check_options(options, { labels = true, label_mode = true, class_names = true, color_mode = true,
    batch_size = true, image_size = true, shuffle = true, seed = true, validation_split = true, subset = true,
    interpolation = true, dtype = true, num_parallel_calls = true }, WHERE)
  errors.check_type(path, "string", WHERE, "the path")
  options = folders.read_options(options, DEFAULTS, WHERE)
  check_name(options.color_mode, CHANNELS, WHERE, "color_mode")
  return folders.datasets(path, options, KIND)
end

return { image_folder = image_folder, image_dataset_from_directory = image_folder }
