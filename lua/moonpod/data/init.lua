--- Datasets: where batches come from. `pod.data.from_tensor_slices`, `from_generator`, `tfrecord` and others make one;
--- its methods (`map`, `shuffle`, `batch`, `prefetch`) give new ones. `model:fit` takes a dataset of batches of `{ x, y
--- }`; a loop is `for x, y in ds:iter() do`. See docs/guides/data.md.
---@param options.seed integer makes what is drawn the same each time
---@param options.compression string "gzip", or nothing
---@param options.num_parallel_calls integer how many threads do it; `pod.data.AUTOTUNE` finds a number
---@param options.deterministic boolean whether elements keep their order (default true)
---@example pod.data.range(5):batch(2):cardinality() --> 3

-- data - datasets: where batches come from. See docs/guides/data.md.

local declare = require "moonpod.base.arguments"
local basic = require "moonpod.data.basic"
local dataset = require "moonpod.data.dataset"
require "moonpod.data.methods"

local data = {
  ---@name pod.data.AUTOTUNE
  --- For `num_parallel_calls` and `prefetch`: a good number is found while the pipeline runs.
  ---@example pod.data.AUTOTUNE --> -1
  AUTOTUNE = dataset.AUTOTUNE,
  ---@name pod.data.INFINITE
  --- What `cardinality()` gives of a dataset that never ends.
  ---@example pod.data.range(3):repeat_():cardinality() == pod.data.INFINITE --> true
  INFINITE = dataset.INFINITE,
  ---@name pod.data.UNKNOWN
  --- What `cardinality()` gives where the number of elements is not known before they came.
  ---@example pod.data.UNKNOWN --> -2
  UNKNOWN = dataset.UNKNOWN,
  ---@name pod.data.SHARD_HINT
  --- For `shard`: the number of hosts and that of this one, which the strategy says.
  ---@example pod.data.SHARD_HINT --> -1
  SHARD_HINT = dataset.SHARD_HINT,
  is_dataset = dataset.is,
  from_tensor_slices = dataset.of_rows,
  from_tensors = basic.from_tensors,
  range = basic.range,
  zip = basic.zip,
}

--- from_generator(fn, signature, { cardinality = }); see moonpod.data.generator.
---@param options.cardinality integer how many elements there will be (default: not known)
---@example pod.data.from_generator(function() return 1 end, pod.spec({}, "float32")):take(2):cardinality() --> -2
function data.from_generator(fn, signature, options)
  return require("moonpod.data.generator").new(fn, signature, options)
end

--- Gives the elements of a dataset, global batches, to the replicas of a strategy.
--- ```lua
--- local strategy = pod.distribute.mirrored(2)
--- local both = pod.data.distribute(pod.data.range(4):batch(strategy:global_batch(2)), strategy)
--- for value in both:iter() do
---   for replica, rows in ipairs(value:values()) do
---     print("replica " .. replica, rows)
---   end
--- end
--- --> replica 1    [0 1]
--- --> int64 (2,) on CPU:0
--- --> replica 2    [2 3]
--- --> int64 (2,) on CPU:0
--- ```
function data.distribute(source, strategy)
  return require("moonpod.data.distributed").new(source, strategy)
end

--- Gives local batches to the replicas of a strategy: fn(input_context) makes the dataset.
--- ```lua
--- local both = pod.data.distribute_from_function(function(context)
---   return pod.data.range(4):batch(context:get_per_replica_batch_size(4))
--- end, pod.distribute.mirrored(2))
--- for value in both:iter() do
---   for replica, rows in ipairs(value:values()) do
---     print("replica " .. replica, rows)
---   end
--- end
--- --> replica 1    [0 1]
--- --> int64 (2,) on CPU:0
--- --> replica 2    [2 3]
--- --> int64 (2,) on CPU:0
--- ```
function data.distribute_from_function(fn, strategy)
  return require("moonpod.data.distributed").from_function(fn, strategy)
end

declare.functions("data", data, { ["fn strategy options?"] = "distribute_from_function" })

-- Functions of other modules, which are loaded when they are first used.
local elsewhere = {
  from_texts = "sources", list_files = "sources", tfrecord = "sources", text_lines = "sources",
  fixed_length_records = "sources", csv = "sources", load_csv = "sources", random = "sources",
  load = "saved", lint = "measure",
  sample_from_datasets = "stages", choose_from_datasets = "stages",
  load_npy = "files", save_npy = "files", load_idx = "files", save_idx = "files", load_npz = "files",
  save_npz = "files", load_safetensors = "files", save_safetensors = "files", load_hdf5 = "files", save_hdf5 = "files",
  image_folder = "image_folder", image_dataset_from_directory = "image_folder",
  text_folder = "text_folder", text_dataset_from_directory = "text_folder",
}

-- What is found in other ways.
local fields = {
  records = function() return require "moonpod.data.records" end,
  service = function() return require "moonpod.data.service" end,
  synthetic = function() return require "moonpod.data.synthetic" end,
  read_file = function() return require("moonpod.image.decode").read_file end,
}

return setmetatable(data, {
  __index = function(_, name)
    if fields[name] then
      return fields[name]()
    end
    local module = elsewhere[name]
    if not module and type(name) == "string" and name:sub(1, 1) ~= "_" then
      local errors = require "moonpod.base.errors"
      local known = {}
      for _, names in ipairs { elsewhere, fields, data } do
        for one in pairs(names) do
          known[one] = true
        end
      end
      errors.raise("there is no pod.data.%s%s", name, errors.suggest_name(name, known))
    end
    return module and require("moonpod.data." .. module)[name] or nil
  end,
})
