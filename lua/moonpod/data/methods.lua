-- methods - the methods of datasets that other files of this folder do, and what all of them take.

local dataset = require "moonpod.data.dataset"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local stages = require "moonpod.data.stages"
local stored_rows = require "moonpod.data.stored_rows"
local warnings = require "moonpod.base.warnings"

require "moonpod.data.elements"

local methods = dataset.methods

for name, method in pairs(stages.methods) do
  methods[name] = method
end

-- ---- functions ---------------------------------------------------------------------------------------------

--- Applies fn to each element. It is traced once, with the types of an element, and waits until it can be applied to
--- whole batches where that changes nothing. On several threads elements keep their order unless deterministic is
--- false. pod.random in fn draws anew for each element and pass, by the option seed. Of strings fn gets stand-ins,
--- which pod.data.read_file and pod.image.decode_png and the like take.
---@param options.defer boolean false: applies it here, not behind stages that follow
---@param options.interpret boolean whether `fn` runs as Lua on Lua values
---@param options.output_signature table specs of what `fn` returns, with `interpret`
---@example pod.data.range(3):map(function(x) return x * 2 end):batch(3):totable()[1] --> { 0, 2, 4 }
function methods.map(self, fn, options)
  errors.check_type(fn, "function", "map", "the function")
  options = errors.check_options(options, { defer = true, num_parallel_calls = true, deterministic = true,
    interpret = true, output_signature = true, seed = true }, "map")
  local threads = dataset.threads_of(options, "map")
  if options.interpret then
    return require("moonpod.data.interpreted").map(self, fn, options)
  end
  for _, component in ipairs((dataset.current_types(self))) do
    if component.text then
      return require("moonpod.data.decoded").map(self, fn, options)
    end
  end
  local mapped = dataset.waiting(self, fn, "map", options.seed,
    { threads = threads, deterministic = options.deterministic })
  return options.defer == false and dataset.settled(mapped, "map") or mapped
end

--- As map, but fn runs as part of the step that takes the elements (fit, evaluate, predict, decode()), on its cores:
--- what travels is what fn gets, bytes if it casts bytes. Stages that would need fn's results on the host are refused;
--- loops in Lua get them as they do of a map. Options: seed.
---@example pod.data.range(4):move_to_device(function(x) return x + 1 end):cardinality() --> 4
function methods.move_to_device(self, fn, options)
  errors.check_type(fn, "function", "move_to_device", "the function")
  options = errors.check_options(options, { seed = true }, "move_to_device")
  for _, component in ipairs((dataset.current_types(self))) do
    if component.text then
      errors.raise("move_to_device: elements have strings, which stay on the host; map them to numbers before")
    end
  end
  return dataset.waiting(self, fn, "move_to_device", options.seed, { on_device = true })
end

--- Applies fn to whole batches: what map does behind batch, by name.
---@example pod.data.range(4):batch(2):map_batched(function(x) return x + 1 end):totable()[1] --> { 1, 2 }
function methods.map_batched(self, fn, options)
  if not self._batch_size then
    errors.raise("map_batched: elements are no batches yet; call batch(n) before")
  end
  return methods.map(self, fn, options)
end

-- ---- parts --------------------------------------------------------------------------------------------------

local take = methods.take

--- The first n elements, or all where n is -1.
---@example pod.data.range(5):take(2):cardinality() --> 2
function methods.take(self, count)
  local taken = take(self, count)
  taken._taken = count > 0 and { count = count, elements = self:cardinality() } or nil
  local lost = taken._taken and require("moonpod.data.measure").lost_cache(taken:stages(), taken._taken)
  if lost then
    warnings.warn("%s", lost)
  end
  return taken
end

--- Keeps the elements of the first whole pass in host memory, or in a file, which later processes read as well. What is
--- mapped before is computed in that pass alone. Datasets of `pod.datasets` stay what they are stored as, bytes mostly.
--- Options for files: compression ("gzip").
---@example pod.data.range(5):cache():cardinality() --> 5
function methods.cache(self, path, options)
  if path ~= nil then
    return require("moonpod.data.saved").cache(self, path, options)
  end
  self = stored_rows.are_all(self) and dataset.with_prefetch(self) or dataset.settled(self, "cache")
  return dataset.derive(self, dataset.call(self._handle.cache, self._handle))
end

--- Gathers elements by their key, an integer; reduce(key, dataset of a window) makes a dataset of each full window,
--- and of what is left at the end, smallest keys first. Options: key (function of an element), reduce, window_size
--- (a number or a function of the key).
---@param options.key function of an element: an integer
---@param options.reduce function of a key and the dataset of a window, which makes a dataset
---@param options.window_size integer|function how many elements, or a function of the key
--- ```lua
--- local ds = pod.data.range(6):group_by_window { key = function(x) return x % 2 end, window_size = 3,
---   reduce = function(_, window) return window:batch(3) end }
--- for batch in ds:iter() do
---   print(batch)
--- end
--- --> [0 2 4]
--- --> int64 (3,) on CPU:0
--- --> [1 3 5]
--- --> int64 (3,) on CPU:0
--- ```
function methods.group_by_window(self, options)
  return require("moonpod.data.groups").by_window(self, options)
end

--- Batches elements of similar length. Options as tf.data's: element_length_func, bucket_boundaries,
--- bucket_batch_sizes, padded_shapes, padding_values, pad_to_bucket_boundary, no_padding, drop_remainder. The length is
--- traced, once, of an element whose sizes are tensors where they differ: `x.shape[1]`, `#text`. A function that looks
--- at values (`x:item()`) runs here for each element.
---@param options.element_length_func function of an element: its length
---@param options.bucket_boundaries integer[] lengths that the buckets are below
---@param options.bucket_batch_sizes integer[] rows of a batch of each bucket, one more than boundaries
---@param options.pad_to_bucket_boundary boolean whether rows are as long as the boundary, not as the longest
---@param options.no_padding boolean whether the rows of a batch have one size, and another is an error
---@param options.in_step integer so many batches of a bucket follow each other, all of one length: for consumers in
---   step (default 1)
--- ```lua
--- local ds = pod.data.range(1, 5)
---   :map(function(n) return n == 1 and { 7.5 } or { 1.5, 2.5, 3.5 } end, { interpret = true })
--- ds = ds:bucket_by_sequence_length { element_length_func = function(x) return x.shape[1] end,
---   bucket_boundaries = { 2 }, bucket_batch_sizes = { 1, 3 } }
--- for batch in ds:iter() do
---   print(batch)
--- end
--- --> [[7.5]]
--- --> float32 (1, 1) on CPU:0
--- --> [[1.5 2.5 3.5]
--- -->  [1.5 2.5 3.5]
--- -->  [1.5 2.5 3.5]]
--- --> float32 (3, 3) on CPU:0
--- ```
function methods.bucket_by_sequence_length(self, options)
  return require("moonpod.data.buckets")(self, options)
end

-- ---- records and files ---------------------------------------------------------------------------------------

--- Parses elements that are records of tf.train.Example. features: a table by name of pod.spec(shape, dtype), or {
--- shape =, dtype =, default = }; dtype "text" is a string. To decode a picture: { image = "png" ("jpeg", "any"), shape
--- =, ... }, with the options of pod.image.decode_png. Options: num_parallel_calls, deterministic.
--- ```lua
--- local record = "\10\13\10\11\10\1a\18\6\26\4\10\2\3\5" -- a tf.train.Example with a = 3, 5
--- local ds = pod.data.from_texts({ record }):parse_example { a = pod.spec({ 2 }, "int64") }
--- print(ds:iterator():next().a)
--- --> [3 5]
--- --> int64 (2,) on CPU:0
--- ```
function methods.parse_example(self, features, options)
  return require("moonpod.data.sources").parse_example(self, features, options)
end

--- Writes the elements to a file, for pod.data.load(path). Options: compression ("gzip").
--- ```lua
--- local path = os.tmpname()
--- pod.data.range(3):save(path)
--- print(pod.data.load(path))
--- --> <dataset 'load' of int64 (), 3 elements>
--- os.remove(path)
--- ```
function methods.save(self, path, options)
  return require("moonpod.data.saved").save(self, path, options)
end

--- A cache in a file of a directory; another one when the stages before are others. Options: compression ("gzip").
--- ```lua
--- local folder = os.tmpname()
--- os.remove(folder)
--- local ds = pod.data.range(3):snapshot(folder)
--- print(table.concat(ds:totable(), " "))
--- print(table.concat(ds:totable(), " ")) -- from the file
--- --> 0 1 2
--- --> 0 1 2
--- ```
function methods.snapshot(self, directory, options)
  return require("moonpod.data.saved").snapshot(self, directory, options)
end

-- ---- looking at a pipeline ---------------------------------------------------------------------------------------

--- Takes `steps` elements (1000) as fast as they come and tells what each stage did, as stats() does. Options:
--- seconds (1 at most).
---@param options.seconds number how long at most (default 1)
---@example type(pod.data.range(4):bench(4)) --> "table"
function methods.bench(self, steps, options)
  return require("moonpod.data.measure").bench(self, steps, options)
end

--- Advice about the order of stages: an array of texts.
---@example #pod.data.range(5):batch(2):lint() >= 0 --> true
function methods.lint(self)
  return require("moonpod.data.measure").lint(self)
end

-- ---- replicas ------------------------------------------------------------------------------------------------

--- Gives the elements as global batches to the replicas of a strategy; or, where a table of options with `service` is
--- given, has workers of the data service make them: see docs/guides/data-service.md.
---@param options.service string the dispatcher's address, or "local": workers that are children of this process
---@param options.mode string "distributed_epoch" (each element once) or "parallel_epochs" (each worker gives all)
---@param options.sharding string what workers divide: "element", "file" or "block" (default "element")
---@param options.assignment string "static": a split is for one of `target_workers`; "dynamic": for any (default)
---@param options.in_order boolean whether elements keep their order (default false)
---@param options.job_name string consumers of one name divide the elements
---@param options.consumer_index integer from 0: of `num_consumers` in step, which take their elements in turn
---@param options.num_consumers integer how many those are
---@param options.target_workers integer how many workers are asked at most
---@param options.split_size integer elements that a worker makes at once
---@param options.stages_here integer so many of the last stages run here, not at workers (default: what autotune finds)
---@param options.autotune boolean whether stages move to where they are faster (default true)
---@param options.compression string "zstd", "none" or "auto": between machines (default "auto")
---@param options.keys string the folder that `moonpod data-keys new` made
---@param options.workers integer of a local service, how many (default 2)
---@param options.files string of a local service, the folder that workers may read
---@param options.program string of a local service, the executable moonpod
---@example pod.data.range(4):batch(2):distribute(pod.distribute.mirrored(2)) ~= nil --> true
function methods.distribute(self, strategy)
  if type(strategy) == "table" and getmetatable(strategy) == nil and strategy.service ~= nil then
    return require "moonpod.data.remote"(self, strategy)
  end
  return require("moonpod.data.distributed").new(self, strategy)
end

---@name dataset
--- A dataset: a chain of stages that gives elements, each a tensor or a table of tensors. Methods give new datasets;
--- the old ones stay. Functions of `map` wait until a batch is made, so they run on whole batches.
---@param options.num_parallel_calls integer how many threads do it; `pod.data.AUTOTUNE` finds a number
---@param options.deterministic boolean whether elements keep their order (default true)
---@param options.drop_remainder boolean whether a last batch that is short is left out
---@param options.seed integer makes what is drawn the same each time
---@param options.padded_shapes table the shape that elements get, or a structure of them; -1: as large as the largest
---@param options.padding_values number|table what stands in places that are added (default 0)
---@example pod.data.range(5):map(function(x) return x * 2 end):batch(5):totable()[1] --> { 0, 2, 4, 6, 8 }
declare.methods("dataset", methods, dataset.is, {
  ["options? convert:function?"] = "iterator",
  ["options?"] = "iter options",
  ["initial:any fn"] = "fold",
  ["initial:value fn"] = "scan reduce",
  ["limit:count?"] = "totable",
  ["options"] = "group_by_window bucket_by_sequence_length",
})
declare.metamethods("dataset", dataset.metatable)

return methods
