-- data - datasets: where batches come from. See docs/data.md.

local declare = require "moonpod.base.arguments"
local basic = require "moonpod.data.basic"
local dataset = require "moonpod.data.dataset"
require "moonpod.data.methods"

local data = {
  AUTOTUNE = dataset.AUTOTUNE,
  INFINITE = dataset.INFINITE,
  UNKNOWN = dataset.UNKNOWN,
  SHARD_HINT = dataset.SHARD_HINT,
  is_dataset = dataset.is,
  from_tensor_slices = dataset.of_rows,
  from_tensors = basic.from_tensors,
  range = basic.range,
  zip = basic.zip,
}

--- from_generator(fn, signature, { cardinality = }); see moonpod.data.generator.
function data.from_generator(fn, signature, options)
  return require("moonpod.data.generator").new(fn, signature, options)
end

--- Gives the elements of a dataset, global batches, to the replicas of a strategy.
function data.distribute(source, strategy)
  return require("moonpod.data.distributed").new(source, strategy)
end

--- Gives local batches to the replicas of a strategy: fn(input_context) makes the dataset.
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
  save_npz = "files", load_safetensors = "files", save_safetensors = "files", load_hdf5 = "files", save_hdf5 = "files",
}

return setmetatable(data, {
  __index = function(_, name)
    if name == "records" then
      return require "moonpod.data.records"
    elseif name == "synthetic" then
      return require "moonpod.data.synthetic"
    end
    if name == "image_folder" or name == "image_dataset_from_directory" then
      return require "moonpod.data.image_folder"
    end
    if name == "read_file" then
      return require("moonpod.image.decode").read_file
    end
    local module = elsewhere[name]
    if not module and type(name) == "string" and name:sub(1, 1) ~= "_" then
      local errors = require "moonpod.base.errors"
      local known = { records = true, synthetic = true, image_folder = true, read_file = true }
      for _, names in ipairs { elsewhere, data } do
        for one in pairs(names) do
          known[one] = true
        end
      end
      errors.raise("there is no pod.data.%s%s", name, errors.suggest(name, known))
    end
    return module and require("moonpod.data." .. module)[name] or nil
  end,
})
