-- text_folder - texts in folders, a folder a class.

local errors = require "moonpod.base.errors"
local folders = require "moonpod.data.folders"
local read_file = require("moonpod.image.decode").read_file

local WHERE = "text_folder"

-- A dataset of a part of the texts.
local function make(paths, classes, names, options)
  local texts = {}
  for i, path in ipairs(paths) do
    local text = read_file(path)
    texts[i] = options.max_length and text:sub(1, options.max_length) or text
  end
  return folders.labelled(texts, classes, names, options, WHERE)
end

local KIND = { where = WHERE, noun = "texts", files = ".txt", endings = { "[tT][xX][tT]" }, make = make }

---@name pod.data.text_folder pod.data.text_dataset_from_directory
--- Texts of the folders in a folder, each a class, in the order of their names: single texts and labels. `map` them
--- through `text_vectorization`, then `batch`: a batch is of numbers. The dataset has the fields `class_names`,
--- `file_paths` and `source`. Texts are read at once.
---@param path string the folder that has a folder for each class
---@param options.labels "inferred"|"none"|integer[] classes by the folders; nothing; or that of each file, sorted
---@param options.label_mode "int"|"categorical"|"binary"|"none" int32 numbers from 0 (default), one-hot rows, or 0
---   and 1 as float32 `(1)`
---@param options.class_names string[] the folders that are taken, in their order (default: all, sorted)
---@param options.max_length integer bytes of a text that are kept (default: all)
---@param options.shuffle boolean whether there is another order in each pass (default true)
---@param options.validation_split number the share that is set aside, with `subset` and, to shuffle, `seed`
---@param options.subset "training"|"validation"|"both" which part is wanted; "both" gives two datasets
---@return dataset with "both" two: to train on, and to validate with
---@error there are no texts; a class has no folder
---@see pod.layers.text_vectorization pod.data.image_folder
--- ```lua
--- local folder = os.tmpname()
--- os.remove(folder)
--- for class, text in pairs { bad = "a dull film", good = "a lovely film" } do
---   os.execute(("mkdir -p %s/%s"):format(folder, class))
---   local file = io.open(("%s/%s/1.txt"):format(folder, class), "w")
---   file:write(text)
---   file:close()
--- end
--- local reviews = pod.data.text_folder(folder, { shuffle = false })
--- local vectorize = pod.layers.text_vectorization { output_sequence_length = 4 }
--- vectorize:adapt(reviews)
--- local rows = reviews:map(function(text, label) return vectorize(text), label end):batch(2)
--- print(rows:iterator():next())
--- --> [[3 5 2 0]
--- -->  [3 4 2 0]]
--- --> int64 (2, 4) on CPU:0    [0 1]
--- --> int32 (2,) on CPU:0
--- os.execute("rm -r " .. folder)
--- ```
local function text_folder(path, options)
  if type(options) == "table" and options.batch_size then
    errors.raise("%s: there is no batch_size, for texts have no shape; batch the numbers that text_vectorization makes "
      .. "of them: ds:map(function(text, label) return vectorize(text), label end):batch(32)", WHERE)
  end
  options = errors.check_options(options, { labels = true, label_mode = true, class_names = true, max_length = true,
    shuffle = true, seed = true, validation_split = true, subset = true }, WHERE)
  errors.check_type(path, "string", WHERE, "the path")
  options = folders.read_options(options, {}, WHERE)
  return folders.datasets(path, options, KIND)
end

return { text_folder = text_folder, text_dataset_from_directory = text_folder }
