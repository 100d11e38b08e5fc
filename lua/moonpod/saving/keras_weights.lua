-- keras_weights - the .weights.h5 of Keras 3: weights and optimizer state by Keras' paths (keras_paths.lua).

local errors = require "moonpod.base.errors"
local files = require "moonpod.data.files"
local keras_paths = require "moonpod.saving.keras_paths"
local ops = require "moonpod.ops"
local warnings = require "moonpod.base.warnings"

local keras_weights = {}

-- Keras counts by these types.
local WRITTEN_AS = { int64 = "int32" }

-- Writes the weights of a model, and the state of its optimizer where it has one.
function keras_weights.write(model, path, options)
  if options.background then
    errors.raise("save_weights: only files of ours, that end in .safetensors, are written in the background, not '%s'",
      path)
  end
  local tensors, texts = {}, {}
  local function add(found)
    for _, entry in ipairs(found) do
      local value = entry.constant or entry.variable:value()
      value = entry.optimizer and WRITTEN_AS[value.dtype] and ops.cast(value, WRITTEN_AS[value.dtype]) or value
      tensors[entry.path] = value
      if value.dtype == "bfloat16" then
        texts[entry.path .. "@dtype"] = "bfloat16"
      end
    end
    for place, name in pairs(found.names) do
      texts[place .. "@name"] = tostring(name)
    end
  end
  add(keras_paths.of(model))
  if model.optimizer then
    add(keras_paths.of_optimizer(model.optimizer))
  end
  files.save_hdf5(path, tensors, texts)
end

local function is_optimizers(path)
  return path:match "^[^/]*" == "optimizer"
end

local function check_keras(texts, paths, path)
  local is_keras = next(texts) ~= nil
  for _, name in ipairs(paths) do
    is_keras = is_keras or name:find "vars/%d+$" ~= nil
    if name:find ":0$" then
      errors.raise("%s has weights of Keras 2 (or of tf.keras); load it in Keras 3 and save it there", path)
    end
  end
  if not is_keras then
    errors.raise("%s is no file of weights of Keras 3: it has %s, and nothing in a group 'vars'", path,
      paths[1] and ("arrays such as '%s'"):format(paths[1]) or "no arrays")
  end
end

-- Takes the state of an optimizer from a file that has it. Where the file's is of another optimizer, ours stays as it
-- is, with a warning, as in Keras.
local function load_optimizer(model, tensors, paths, path)
  local optimizer, there = model.optimizer, 0
  for _, name in ipairs(paths) do
    there = there + (is_optimizers(name) and 1 or 0)
  end
  if not optimizer or there == 0 then
    return
  end
  optimizer:build(model.trainable_weights)
  local changes, reason = {}, nil
  local found = keras_paths.of_optimizer(optimizer)
  for _, entry in ipairs(found) do
    local value, one = tensors[entry.path], entry.variable
    if value == nil then
      reason = reason or ("%s is missing in the file"):format(entry.path)
    elseif one and value.shape ~= one.shape then
      reason = reason or ("%s has shape %s in the file, %s here"):format(entry.path, tostring(value.shape),
        tostring(one.shape))
    elseif one then
      changes[#changes + 1] = { one, ops.cast(value, one.dtype) }
    end
  end
  if not reason and there == #found then
    for _, change in ipairs(changes) do
      change[1]:assign(change[2], { aggregated = true })
    end
  elseif there > 2 then -- before its first step an optimizer has its count and rate only
    warnings.warn("load_weights: optimizer '%s' stays as it is: '%s' has the state of another one (%d variables, not "
      .. "%d%s)", optimizer.name, path, there, #found, reason and "; " .. reason or "")
  end
end

-- Reads the tensors of a file, or of the one within a .keras archive.
function keras_weights.open(path)
  local tensors, texts, paths = files.load_hdf5(path, path:find "%.keras$" and "model.weights.h5" or nil)
  check_keras(texts, paths, path)
  return { path = path, tensors = tensors, paths = paths }
end

-- Finds in what was opened: the weights of a model by Keras' paths, the tensors of the file that are weights, without
-- what Keras has and we have not, and what takes the optimizer's state.
function keras_weights.find(model, opened)
  local tensors, paths, path = opened.tensors, opened.paths, opened.path
  local entries, found = {}, {}
  for name, value in pairs(tensors) do -- weights of words are options here
    found[name] = not is_optimizers(name) and not name:find "/vars/idf_weights$" and value or nil
  end
  for _, entry in ipairs(keras_paths.of(model)) do
    if entry.constant then
      found[entry.path] = nil
    else
      entries[#entries + 1] = entry
    end
  end
  return entries, found, {}, function()
    load_optimizer(model, tensors, paths, path)
  end
end

function keras_weights.read(model, path)
  return keras_weights.find(model, keras_weights.open(path))
end

return keras_weights
