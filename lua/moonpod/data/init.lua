-- data - datasets: where batches come from. See docs/data.md.

local declare = require "moonpod.arguments"
local dataset = require "moonpod.data.dataset"
local device = require "moonpod.device"
local element = require "moonpod.data.element"
local errors = require "moonpod.errors"
local merge_options = require("moonpod.data.options").merge
local tensor = require "moonpod.tensor"

local data = {
  AUTOTUNE = dataset.AUTOTUNE,
  INFINITE = dataset.INFINITE,
  UNKNOWN = dataset.UNKNOWN,
  SHARD_HINT = dataset.SHARD_HINT,
  is_dataset = dataset.is,
}

-- Rows of tensors, along axis 0. x: a tensor, an array of numbers, or a (nested) table of such.
function data.from_tensor_slices(x)
  local leaves, skeleton = element.flatten(element.tensors(x, "from_tensor_slices"), tensor.is, "from_tensor_slices")
  local handle = dataset.call(device.core.dataset_from_slices, device.context(), element.buffers(leaves))
  return dataset.new(handle, skeleton)
end

-- One element.
function data.from_tensors(x)
  local leaves, skeleton = element.flatten(element.tensors(x, "from_tensors"), tensor.is, "from_tensors")
  local handle = dataset.call(device.core.dataset_from_buffers, device.context(), element.buffers(leaves))
  return dataset.new(handle, skeleton)
end

-- range(stop), range(start, stop), range(start, stop, step): int64 scalars.
function data.range(start, stop, step)
  if stop == nil then
    start, stop = 0, start
  end
  for _, value in ipairs { start, stop, step or 1 } do
    if type(value) ~= "number" or value ~= math.floor(value) then
      errors.raise("range: start, stop and step are integers, not %s", errors.describe(value))
    end
  end
  return dataset.new(dataset.call(device.core.dataset_range, device.context(), start, stop, step or 1), { leaf = 1 })
end

-- from_generator(fn, signature, { cardinality = }); see moonpod.data.generator.
function data.from_generator(fn, signature, options)
  return require("moonpod.data.generator").new(fn, signature, options)
end

-- zip{ a, b, ... } or zip(a, b, ...): elements that are tuples of one of each.
function data.zip(first, ...)
  local inputs = dataset.is(first) and { first, ... } or first
  if type(inputs) ~= "table" or #inputs == 0 then
    errors.raise("zip: datasets are needed")
  end
  local handles, skeletons, counts, sources, options = {}, {}, {}, {}, {}
  for i, input in ipairs(inputs) do
    if not dataset.is(input) then
      errors.raise("zip: argument %d is no dataset but %s", i, errors.describe(input))
    end
    local settled = dataset.settled(input, "zip")
    handles[i], skeletons[i] = settled._handle, settled._skeleton
    options = merge_options(options, settled._options)
    counts[i] = #settled._handle:components()
    for _, source in ipairs(settled._sources) do
      sources[#sources + 1] = source
    end
  end
  local handle = dataset.call(device.core.dataset_zip, handles)
  return dataset.new(handle, element.join(skeletons, counts), { _sources = sources, _options = options })
end

-- Gives the elements of a dataset, global batches, to the replicas of a strategy.
function data.distribute(source, strategy)
  return require("moonpod.data.distributed").new(source, strategy)
end

-- Gives local batches to the replicas of a strategy: fn(input_context) makes the dataset.
function data.distribute_from_function(fn, strategy)
  return require("moonpod.data.distributed").from_function(fn, strategy)
end

declare.functions("data", data, { ["fn strategy options?"] = "distribute_from_function" })

-- Functions of other modules, which are loaded when they are first used.
local elsewhere = {
  from_texts = "sources", list_files = "sources", tfrecord = "sources", text_lines = "sources",
  fixed_length_records = "sources", csv = "sources", random = "sources",
  load = "saved", lint = "measure",
  sample_from_datasets = "stages", choose_from_datasets = "stages",
  load_npy = "files", save_npy = "files", load_idx = "files", save_idx = "files", load_npz = "files",
  save_npz = "files", load_safetensors = "files", save_safetensors = "files",
}

return setmetatable(data, {
  __index = function(_, name)
    if name == "records" or name == "synthetic" then
      return require("moonpod.data." .. name)
    end
    if name == "image_folder" or name == "image_dataset_from_directory" then
      return require "moonpod.data.image_folder"
    end
    if name == "read_file" then
      return require("moonpod.image_decode").read_file
    end
    local module = elsewhere[name]
    return module and require("moonpod.data." .. module)[name] or nil
  end,
})
