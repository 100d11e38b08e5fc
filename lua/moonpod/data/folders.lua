-- folders - files in folders, a folder a class: which there are, what their classes are, and how they are divided into
-- data to train on and to validate with. image_folder and text_folder make datasets of them.

local basic = require "moonpod.data.basic"
local check_name = require("moonpod.image.geometry").check_name
local dataset = require "moonpod.data.dataset"
local errors = require "moonpod.base.errors"
local file_names = require "moonpod.data.file_names"
local ops = require "moonpod.ops"
local shuffled_order = require "moonpod.data.shuffled_order"
local sources = require "moonpod.data.sources"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local folders = {}

-- ---- what lies where -------------------------------------------------------------------------------------

-- The files with one of some endings in a folder and all below it, sorted.
local function files_in(folder, endings)
  local found, level = {}, file_names.escaped(folder)
  repeat
    for _, ending in ipairs(endings) do
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

local function check_classes(given, found, path, where)
  if not given then
    return found
  end
  local is_found = tables.set_of(found)
  for _, name in ipairs(given) do
    if not is_found[name] then
      errors.raise("%s: class '%s' has no folder in %s%s", where, tostring(name), path,
        errors.suggest(tostring(name), found))
    end
  end
  return given
end

-- Paths and classes (from 0) of all files.
local function find(path, options, kind)
  local names = check_classes(options.class_names, folders_in(path), path, kind.where)
  local paths, classes = {}, {}
  if options.labels == "inferred" then
    for class, name in ipairs(names) do
      for _, one in ipairs(files_in(path .. "/" .. name, kind.endings)) do
        paths[#paths + 1], classes[#classes + 1] = one, class - 1
      end
    end
  else
    paths = files_in(path, kind.endings)
    classes = options.labels ~= "none" and options.labels or classes
  end
  if #paths == 0 then
    errors.raise("%s: there are no %s (%s) %s %s", kind.where, kind.noun, kind.files,
      options.labels == "inferred" and "in the folders of" or "below", path)
  elseif options.labels ~= "none" and #classes ~= #paths then
    errors.raise("%s: %d labels are given for %d %s below %s", kind.where, #classes, #paths, kind.noun, path)
  end
  return paths, classes, names
end

-- ---- options ----------------------------------------------------------------------------------------------

local LABEL_MODES = { int = true, categorical = true, binary = true, none = true }
local SUBSETS = { training = true, validation = true, both = true }
local DEFAULTS = { labels = "inferred", label_mode = "int", batch_size = 32, shuffle = true }

-- Those of both, with their defaults; `given` has been looked through for unknown ones.
function folders.read_options(given, defaults, where)
  local options = tables.merge(DEFAULTS, defaults, given)
  check_name(options.label_mode, LABEL_MODES, where, "label_mode")
  if options.label_mode == "none" then
    options.labels = "none"
  elseif options.labels == "none" then
    options.label_mode = "none"
  end
  local share = options.validation_split
  if share ~= nil and (type(share) ~= "number" or not (share > 0 and share < 1)) then
    errors.raise("%s: validation_split must be between 0 and 1, not %s", where, errors.describe(share))
  elseif (share == nil) ~= (options.subset == nil) then
    errors.raise("%s: validation_split and subset belong together", where)
  elseif share and options.shuffle and not options.seed then
    errors.raise("%s: with shuffle, validation_split needs a seed: else training and validation data overlap", where)
  end
  if options.subset then
    check_name(options.subset, SUBSETS, where, "subset")
  end
  return options
end

-- The labels of files as label_mode wants them.
local function labels_of(classes, names, options, where)
  local mode = options.label_mode
  if mode == "int" then
    return tensor.new(classes, "int32")
  elseif mode == "categorical" then
    return ops.one_hot(tensor.new(classes, "int32"), #names)
  elseif #names ~= 2 then
    errors.raise('%s: label_mode "binary" is for 2 classes; there are %d', where, #names)
  end
  return tensor.new(classes, "float32"):reshape { -1, 1 }
end

-- A dataset of texts and, where options want them, the labels of their files, in the order that they ask for.
function folders.labelled(texts, classes, names, options, where)
  local set = sources.from_texts(texts)
  if options.label_mode ~= "none" then
    set = basic.zip { set, dataset.of_rows(labels_of(classes, names, options, where)) }
  end
  return options.shuffle and set:shuffle(#texts, { seed = options.seed }) or set
end

-- ---- datasets ---------------------------------------------------------------------------------------------

local function shuffle_together(paths, classes, seed)
  local mixed_paths, mixed_classes = {}, {}
  for i, from in ipairs(shuffled_order(#paths, seed)) do
    mixed_paths[i], mixed_classes[i] = paths[from], classes[from]
  end
  return mixed_paths, mixed_classes
end

-- The dataset of a folder, or two of them. kind: { where =, noun =, files =, endings =, make(paths, classes, names,
-- options) }.
function folders.datasets(path, options, kind)
  path = #path > 1 and path:gsub("/+$", "") or path
  local paths, classes, names = find(path, options, kind)
  if options.shuffle and options.seed then
    paths, classes = shuffle_together(paths, classes, options.seed)
  end
  local function make(first, last)
    local chosen = tables.slice(paths, first, last)
    local set = kind.make(chosen, tables.slice(classes, first, math.min(last, #classes)), names, options)
    set.class_names, set.file_paths = names, chosen
    set.source = ("%d %s in %d classes, from %s"):format(#chosen, kind.noun, #names, path)
    return set
  end
  if not options.subset then
    return make(1, #paths)
  end
  local kept = #paths - math.floor(#paths * options.validation_split)
  if kept == 0 or kept == #paths then
    errors.raise("%s: validation_split %s of %d %s leaves one part empty", kind.where,
      tostring(options.validation_split), #paths, kind.noun)
  end
  local training = options.subset ~= "validation" and make(1, kept) or nil
  local validation = options.subset ~= "training" and make(kept + 1, #paths) or nil
  if training then
    return training, validation
  end
  return validation
end

return folders
