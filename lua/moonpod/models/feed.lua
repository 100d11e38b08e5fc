-- Where the batches of fit, evaluate and predict come from: datasets, distributed datasets, tensors.

local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local late = require "moonpod.base.late"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local readable = require "moonpod.base.readable"
local scope = require "moonpod.layers.scope"
local skeletons = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local feed = {}

local unpack = table.unpack or unpack -- luacheck: ignore

-- The plain methods of datasets, and what gives their elements: other methods a script loads that calls them.
local function datasets()
  require "moonpod.data.elements"
  return require "moonpod.data.dataset"
end
local is_dataset = late(datasets, "is")

-- ---- decoders -----------------------------------------------------------------------------------------------------

-- Makes of what a batch has in memory what the model sees. Steps are compiled for a decoder, which holds no data: so
-- data of the same structure have the same program.
local Decoder = {}
Decoder.__index = Decoder

-- The parts of an element: x, y and sample weights. An element that is no tuple is x alone.
local function arrange(inputs_only, ...)
  local count = select("#", ...)
  if inputs_only then
    return { (...) }
  end
  if count > 3 then
    errors.raise("fit: an element has %d parts; it may have x, y and sample weights", count)
  end
  return { ... }
end

-- Runs the functions of the dataset that wait. Inside a trace.
function Decoder:decode(...)
  return arrange(self.inputs_only, self.elements:decode(...))
end

-- Functions that belong to datasets, by the table of their model's own, as long as their datasets live.
local of_datasets, made_for_datasets = setmetatable({}, { __mode = "k" }), 0

-- The compiled functions of a model's steps by kind and data, those that belong to datasets too.
function feed.functions_of(model)
  local own = model._state.functions or {}
  return tables.merge(of_datasets[own], own)
end

-- Forgets the compiled functions of a model's steps, and with them the bound programs of its predictions.
function feed.forget_functions(model)
  model._state.functions = {}
  trace.note_change()
end

-- Calls make() for the function of a model and kind of step that is not there yet.
function Decoder:function_of(model, kind, make)
  local state = model._state
  if not rawequal(state.traced_optimizer, model.optimizer) then -- another stands in its place
    feed.forget_functions(model)
    state.traced_optimizer = model.optimizer
  end
  local own = state.functions or {} -- a new table with each compile
  state.functions = own
  local functions = own
  if self.key == nil then
    -- The dataset's own functions are part of it, so it lives as long as the dataset.
    functions = self.functions[own] or {}
    self.functions[own] = functions
  end
  local key = kind .. (self.key or "")
  if not functions[key] then
    functions[key] = make()
    if functions ~= own then
      made_for_datasets = made_for_datasets + 1
      of_datasets[own] = of_datasets[own] or setmetatable({}, { __mode = "v" })
      of_datasets[own][kind .. made_for_datasets] = functions[key]
    end
  end
  return functions[key]
end

local function class_weight_key(class_weight)
  local parts = {}
  for _, class in ipairs(class_weight and nest.sorted_keys(class_weight) or {}) do
    parts[#parts + 1] = decimal.format("%s=%.17g", class, class_weight[class])
  end
  return table.concat(parts, ";")
end

-- A decoder of what `elements` (dataset.decoder) makes.
local function new_decoder(elements, inputs_only, class_weight)
  local self = setmetatable({ elements = elements, inputs_only = inputs_only, class_weight = class_weight }, Decoder)
  if elements:is_plain() then
    self.key = (inputs_only and ":x" or ":") .. skeletons.key(elements:skeleton(), tostring)
      .. class_weight_key(class_weight)
  else
    self.functions = setmetatable({}, { __mode = "k" })
  end
  return self
end

-- ---- sources --------------------------------------------------------------------------------------------------------

local Source = {}
Source.__index = Source

-- Begins the next pass; after `done` epochs that another run has done, of `steps` or of all batches, it goes on there.
function Source:iterator(done, steps)
  local place
  if (done or 0) > 0 then
    place = steps and { epoch = 1, skip = done * steps } or { epoch = done + 1 }
  end
  return self.dataset:raw():iterator(place)
end

-- Refuses a pass without end: `steps` as the caller gave them, in the option of that name.
function Source:check_end(who, steps, option)
  if self.dataset:cardinality() == datasets().INFINITE and not steps then
    errors.raise("%s: the dataset never ends; give %s, or take(n) batches of it", who, option)
  end
end

local sources = setmetatable({}, { __mode = "k" })

local function from_dataset(dataset, options)
  local strategy = options.strategy
  if strategy and strategy.resolver then -- of a chip, whose host may not run what a stage calls
    require("moonpod.data.distributed").check_host(dataset, strategy, "fit")
  end
  local known = sources[dataset]
  if known and known.decoder.inputs_only == options.inputs_only
    and known.decoder.class_weight == options.class_weight then
    return known
  end
  local cardinality = dataset:cardinality()
  local source = setmetatable({
    dataset = dataset,
    batches = cardinality >= 0 and cardinality or nil,
    decoder = new_decoder(datasets().decoder(dataset), options.inputs_only,
      options.class_weight),
    empty_hint = "; it is empty, or its batches are larger than it is and drop_remainder is set",
  }, Source)
  sources[dataset] = source
  return source
end

local function to_tensors(structure)
  return nest.map(structure, function(leaf)
    return scope.to_tensor(leaf)
  end)
end

-- Lists of numbers are tensors; lists of tensors are several inputs.
local function read_arrays(value)
  if readable.is_plain(value) then
    local first = nest.first(value)
    if not nest.is_tensor(first) then
      return tensor.convert(value)
    end
    return to_tensors(value)
  end
  return scope.to_tensor(value)
end

local function check_rows(...)
  local rows, shown
  for i = 1, select("#", ...) do
    local structure = select(i, ...)
    if structure ~= nil then
      nest.each(structure, function(t)
        if #t.shape == 0 then
          errors.raise("fit: data must have rows along its first axis; got a single number")
        end
        if rows and t.shape[1] ~= rows then
          errors.raise("fit: the data has %d rows in a tensor of shape %s and %d in one of shape %s; all must have the "
            .. "same number", rows, shown, t.shape[1], tostring(t.shape))
        end
        rows, shown = t.shape[1], tostring(t.shape)
      end)
    end
  end
  return rows
end

-- The arrays of an element { x, y, sample_weight }; y and the weights may be nil.
local function read_element(x, y, sample_weight)
  return { read_arrays(x), y ~= nil and read_arrays(y) or nil, sample_weight ~= nil and read_arrays(sample_weight)
    or nil }
end

-- As check_rows, of data that steps are to be made of.
local function check_some_rows(x, y, weight)
  local rows = check_rows(x, y, weight)
  if rows == 0 then
    errors.raise("the data has no rows: there is a tensor of shape %s", tostring(nest.first(x).shape))
  end
  return rows
end

-- A source for fit and the others: a dataset (batched), a distributed dataset, or tensors with a batch size; these may
-- be shuffled by a seed of their own.
function feed.open(x, y, options)
  if is_dataset(x) then
    if y ~= nil then
      errors.raise("fit: y is part of the elements of a dataset; it cannot be given as well%s",
        type(y) ~= "number" and "" or decimal.format("; options go into a table: { epochs = %g }", y))
    end
    return from_dataset(x, options)
  elseif type(x) == "table" and is_dataset(rawget(x, "dataset")) then
    if x.strategy ~= options.strategy then
      errors.raise("fit: the dataset was distributed by %s (made at %s), and the model was made under %s (made at %s): "
        .. "use one strategy for both", tostring(x.strategy), tostring(x.strategy.location), tostring(options.strategy),
        tostring(options.strategy.location))
    end
    return from_dataset(x.dataset, options)
  end
  local element = read_element(x, y, options.sample_weight)
  local rows = check_some_rows(element[1], element[2], element[3])
  if element[3] ~= nil and y == nil then
    errors.raise("fit: sample_weight is given without y")
  end
  local dataset, seed = datasets().of_rows(element), nil
  if options.shuffle then
    seed = options.shuffle_seed or datasets().draw_seed()
    dataset = dataset:shuffle(rows, { seed = seed })
  end
  local source = from_dataset(dataset:batch(options.batch_size), options)
  source.shuffle_seed = seed
  return source
end

-- Validation data: a dataset, or { x, y } or { x, y, sample_weight }.
function feed.open_validation(data, options)
  if is_dataset(data) or type(data) == "table" and is_dataset(rawget(data, "dataset")) then
    return feed.open(data, nil, options)
  end
  if type(data) ~= "table" or data[1] == nil then
    errors.raise("fit: validation_data must be a dataset or { x, y }; got %s", errors.describe(data))
  end
  return feed.open(data[1], data[2], { batch_size = options.batch_size, sample_weight = data[3],
    strategy = options.strategy })
end

-- Takes the last share of the rows for validation. Returns two lists { x, y, sample_weight }.
function feed.split(x, y, sample_weight, share)
  if type(share) ~= "number" or share <= 0 or share >= 1 then
    errors.raise("fit: validation_split must be between 0 and 1; got %s", errors.describe(share))
  end
  if is_dataset(x) then
    errors.raise("fit: validation_split needs tensors; of a dataset use take and skip, and validation_data")
  end
  local parts = read_element(x, y, sample_weight)
  local rows = check_some_rows(parts[1], parts[2], parts[3])
  local first = math.floor(rows * (1 - share))
  if first == 0 or first == rows then
    errors.raise("fit: a validation_split of %g leaves one part of the %d rows empty", share, rows)
  end
  local function cut(part, low, count)
    return part and nest.map(part, function(t)
      return ops.slice_axis(t, 0, low, low + count)
    end) or nil
  end
  local training, validation = {}, {}
  for i = 1, 3 do
    training[i], validation[i] = cut(parts[i], 0, first), cut(parts[i], first, rows - first)
  end
  return training, validation
end

-- ---- one batch ------------------------------------------------------------------------------------------------

-- Elements that are what they are.
local Plain = {}
Plain.__index = Plain

function Plain.is_plain()
  return true
end

function Plain:skeleton()
  return self.form
end

function Plain:decode(...)
  return unpack(skeletons.rebuild(self.form, { ... }), 1, 3)
end

-- Takes an element { x, y, sample_weight } apart: its leaves and a decoder of such leaves.
local function taken_apart(element, class_weight)
  local leaves = {}
  local form = skeletons.flatten(element, nest.is_leaf, leaves)
  return leaves, new_decoder(setmetatable({ form = form }, Plain), nil, class_weight)
end

-- The tensors of one batch and their decoder.
function feed.batch(x, y, sample_weight, class_weight)
  if x == nil then
    errors.raise("a batch needs inputs; x is nil")
  end
  local element = read_element(x, y, sample_weight)
  check_rows(element[1], element[2], element[3])
  return taken_apart(element, class_weight)
end

-- The decoder of batches like pod.spec leaves, for steps that are traced and not run.
function feed.specs(element)
  return select(2, taken_apart(element))
end

-- A function that runs its steps at once, operation by operation, with the interface of pod.func.
function feed.eager(body)
  local self = {}
  function self.run_steps(_, count, iterator)
    local report = { steps = 0, ended = false, interrupted = false }
    local results
    while report.steps < count do
      local batch = iterator:next_element()
      if batch == nil then
        report.ended = true
        break
      end
      results = body(unpack(nest.flatten(batch)))
      report.steps = report.steps + 1
    end
    return results, report
  end
  return setmetatable(self, { __call = function(_, ...)
    return body(...)
  end })
end

return feed
