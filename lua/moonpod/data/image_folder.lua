-- image_folder - pictures in folders, a folder a class.

local basic = require "moonpod.data.basic"
local dataset = require "moonpod.data.dataset"
local errors = require "moonpod.base.errors"
local file_names = require "moonpod.data.file_names"
local image_decode = require "moonpod.image.decode"
local ops = require "moonpod.ops"
local shuffled_order = require "moonpod.data.shuffled_order"
local sources = require "moonpod.data.sources"
local tensor = require "moonpod.tensor"

local WHERE = "image_folder"
local ENDINGS = { "[pP][nN][gG]", "[jJ][pP][gG]", "[jJ][pP][eE][gG]" }

-- ---- what lies where -------------------------------------------------------------------------------------

-- The pictures in a folder and all below it, sorted.
local function pictures_in(folder)
  local found, level = {}, file_names.escaped(folder)
  repeat
    for _, ending in ipairs(ENDINGS) do
      for _, path in ipairs(file_names.matching(("%s/*.%s"):format(level, ending))) do
        found[#found + 1] = path
      end
    end
    level = level .. "/*"
  until #file_names.matching(level .. "/") == 0
  table.sort(found)
  return found
end

-- The names of the folders in a folder, sorted.
local function folders_in(folder)
  local names = {}
  for i, path in ipairs(file_names.matching(file_names.escaped(folder) .. "/*/")) do
    names[i] = path:match "([^/]+)/$"
  end
  table.sort(names)
  return names
end

local function check_classes(given, found, path)
  if not given then
    return found
  end
  local is_found = {}
  for _, name in ipairs(found) do
    is_found[name] = true
  end
  for _, name in ipairs(given) do
    if not is_found[name] then
      errors.raise("%s: class '%s' has no folder in %s%s", WHERE, tostring(name), path,
        errors.suggest(tostring(name), found))
    end
  end
  return given
end

-- Paths and classes (from 0) of all pictures.
local function find(path, options)
  local names = check_classes(options.class_names, folders_in(path), path)
  local paths, classes = {}, {}
  if options.labels == "inferred" then
    for class, name in ipairs(names) do
      for _, one in ipairs(pictures_in(path .. "/" .. name)) do
        paths[#paths + 1], classes[#classes + 1] = one, class - 1
      end
    end
  else
    paths = pictures_in(path)
    classes = options.labels ~= "none" and options.labels or classes
  end
  if #paths == 0 then
    errors.raise("%s: there are no pictures (.png, .jpg, .jpeg) %s %s", WHERE,
      options.labels == "inferred" and "in the folders of" or "below", path)
  elseif options.labels ~= "none" and #classes ~= #paths then
    errors.raise("%s: %d labels are given for %d pictures below %s", WHERE, #classes, #paths, path)
  end
  return paths, classes, names
end

-- ---- datasets ---------------------------------------------------------------------------------------------

local CHANNELS = { grayscale = 1, rgb = 3, rgba = 4 }

local function one_of(options, name, allowed)
  if not allowed[options[name]] then
    local names = {}
    for value in pairs(allowed) do
      names[#names + 1] = ('"%s"'):format(value)
    end
    table.sort(names)
    errors.raise("%s: %s must be one of %s, not %s", WHERE, name, table.concat(names, ", "),
      errors.describe(options[name]))
  end
end

local LABEL_MODES = { int = true, categorical = true, binary = true, none = true }
local SUBSETS = { training = true, validation = true, both = true }

local ALLOWED = { labels = true, label_mode = true, class_names = true, color_mode = true, batch_size = true,
  image_size = true, shuffle = true, seed = true, validation_split = true, subset = true, interpolation = true,
  dtype = true, num_parallel_calls = true }

local DEFAULTS = { labels = "inferred", label_mode = "int", color_mode = "rgb", batch_size = 32,
  image_size = { 256, 256 }, shuffle = true, interpolation = "bilinear", dtype = "float32" }

local function read_options(given)
  local options = {}
  for name, value in pairs(errors.check_options(given, ALLOWED, WHERE)) do
    options[name] = value
  end
  for name, value in pairs(DEFAULTS) do
    if options[name] == nil then
      options[name] = value
    end
  end
  one_of(options, "label_mode", LABEL_MODES)
  one_of(options, "color_mode", CHANNELS)
  if options.label_mode == "none" then
    options.labels = "none"
  elseif options.labels == "none" then
    options.label_mode = "none"
  end
  local share = options.validation_split
  if share ~= nil and (type(share) ~= "number" or not (share > 0 and share < 1)) then
    errors.raise("%s: validation_split must be between 0 and 1, not %s", WHERE, errors.describe(share))
  elseif (share == nil) ~= (options.subset == nil) then
    errors.raise("%s: validation_split and subset belong together", WHERE)
  elseif share and options.shuffle and not options.seed then
    errors.raise("%s: with shuffle, validation_split needs a seed: else training and validation data overlap", WHERE)
  end
  if options.subset then
    one_of(options, "subset", SUBSETS)
  end
  return options
end

-- The labels of pictures as label_mode wants them.
local function labels_of(classes, names, options)
  local mode = options.label_mode
  if mode == "int" then
    return tensor.new(classes, "int32")
  elseif mode == "categorical" then
    return ops.one_hot(tensor.new(classes, "int32"), #names)
  elseif #names ~= 2 then
    errors.raise('%s: label_mode "binary" is for 2 classes; there are %d', WHERE, #names)
  end
  return tensor.new(classes, "float32"):reshape { -1, 1 }
end

-- A dataset of a part of the pictures.
local function make(paths, classes, names, options, path)
  local picture = { channels = CHANNELS[options.color_mode], size = options.image_size, method = options.interpolation,
    dtype = options.dtype }
  local function decode(name)
    return image_decode.decode_image(image_decode.read_file(name), picture)
  end
  local set = sources.from_texts(paths)
  if options.label_mode ~= "none" then
    set = basic.zip { set, sources.slices(labels_of(classes, names, options)) }
  end
  if options.shuffle then
    set = set:shuffle(#paths, { seed = options.seed })
  end
  set = set:map(function(name, label)
    if label == nil then
      return decode(name)
    end
    return decode(name), label
  end, { num_parallel_calls = options.num_parallel_calls or dataset.AUTOTUNE })
  if options.batch_size then
    set = set:batch(options.batch_size):prefetch(dataset.AUTOTUNE)
  end
  set.class_names, set.file_paths = names, paths
  set.source = ("%d pictures in %d classes, from %s"):format(#paths, #names, path)
  return set
end

local function part(list, first, last)
  local result = {}
  for i = first, math.min(last, #list) do
    result[#result + 1] = list[i]
  end
  return result
end

local function shuffle_together(paths, classes, seed)
  local mixed_paths, mixed_classes = {}, {}
  for i, from in ipairs(shuffled_order(#paths, seed)) do
    mixed_paths[i], mixed_classes[i] = paths[from], classes[from]
  end
  return mixed_paths, mixed_classes
end

-- Pictures of the folders in `path`, each folder a class, in the order of their names: batches of images (n, height,
-- width, channels) and labels. Keras' image_dataset_from_directory, with its options:
--   labels            "inferred", "none", or an array of classes in the order of sorted paths
--   label_mode        "int" (int32), "categorical" (one-hot), "binary" (float32 (n, 1)), "none"
--   class_names       folders to take, and their order
--   color_mode        "rgb", "rgba", "grayscale"
--   image_size        { 256, 256 }: all are resized; interpolation "bilinear" or "nearest"
--   batch_size        32; false: single pictures
--   shuffle, seed     true: all names, anew each pass
--   validation_split, subset ("training", "validation", "both": two datasets)
--   dtype             "float32" (values 0 to 255), "uint8" (rounded)
--   num_parallel_calls of decoding (AUTOTUNE)
-- Fields of the dataset: class_names, file_paths, source.
return function(path, given)
  errors.check_type(path, "string", WHERE, "the path")
  local options = read_options(given)
  path = #path > 1 and path:gsub("/+$", "") or path
  local paths, classes, names = find(path, options)
  if options.shuffle and options.seed then
    paths, classes = shuffle_together(paths, classes, options.seed)
  end
  if not options.subset then
    return make(paths, classes, names, options, path)
  end
  local kept = #paths - math.floor(#paths * options.validation_split)
  if kept == 0 or kept == #paths then
    errors.raise("%s: validation_split %s of %d pictures leaves one part empty", WHERE,
      tostring(options.validation_split), #paths)
  end
  local training, validation
  if options.subset ~= "validation" then
    training = make(part(paths, 1, kept), part(classes, 1, kept), names, options, path)
  end
  if options.subset ~= "training" then
    validation = make(part(paths, kept + 1, #paths), part(classes, kept + 1, #paths), names, options, path)
  end
  if training then
    return training, validation
  end
  return validation
end
