-- Memory reports of models and of functions: the step of training that one core runs, lowered for a chip; or what
-- it takes on this host.

local around = require "moonpod.base.around"
local buckets = require "moonpod.func.buckets"
local core_step = require "moonpod.func.core_step"
local device = require "moonpod.tensor.device"
local distribute = require "moonpod.distribute"
local errors = require "moonpod.base.errors"
local feed = require "moonpod.models.feed"
local func = require "moonpod.func"
local nest = require "moonpod.tensor.nest"
local projection = require "moonpod.advisor.projection"
local readable = require "moonpod.base.readable"
local report = require "moonpod.advisor.report"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local dtype_sizes = require "moonpod.tensor.trace".dtype_sizes
local text_table = require "moonpod.base.text_table"
local is_whole = require "moonpod.base.kinds".is_whole

local model_memory = {}

local OPTIONS = { "batch", "replicas", "data", "x", "y", "sample_weight", "kind" }

-- ---- what a step is traced for -----------------------------------------------------------------------------------

local function symbolic_spec(t, batch)
  local dims = tables.slice(t.shape)
  dims[1] = batch
  return func.spec(dims, t.dtype)
end

local function takes_class_numbers(loss)
  if type(loss) == "table" and not readable.is_plain(loss) then
    loss = loss.name
  end
  return type(loss) == "string" and loss:lower():find "sparse" ~= nil
end

-- Targets as the loss wants them: class numbers, or what the output is.
local function derived_targets(model, batch)
  local outputs = model._state.output_spec
  local options = model._state.compile_options
  if outputs == nil or not options or options.loss == nil then
    return nil
  end
  return nest.map(outputs, function(t)
    local spec = symbolic_spec(t, batch)
    if takes_class_numbers(options.loss) then
      return func.spec(tables.slice(spec.shape, 1, #spec.shape - 1), "int32")
    end
    return func.spec(spec.shape, "float32")
  end)
end

-- Gives specs another batch, and other axes whose size is not known `size` (which may be nil).
local function with_batch(specs, batch, size)
  local list = {}
  for i, spec in ipairs(specs) do
    local dims = {}
    for j = 1, #spec.shape do
      dims[j] = spec.shape[j] < 0 and size or spec.shape[j]
    end
    dims[1] = batch
    list[i] = { dtype = spec.dtype, shape = dims }
  end
  return list
end

local function check_sizes(model, specs)
  for _, spec in ipairs(specs) do
    for _, size in ipairs(spec.shape) do
      if size < 0 then
        errors.raise("memory report of '%s': not all sizes of an input of shape %s are known; give x = "
          .. "pod.spec(shape), and y where targets are not like the output", model.name,
          "(" .. table.concat(spec.shape, ", ") .. ")")
      end
    end
  end
end

-- Of what says the batch no part may be in vain.
local function check_given(model, kind, options)
  for _, name in ipairs { "y", "sample_weight" } do
    if options[name] ~= nil and options.x == nil and options.data == nil then
      errors.raise("memory report of '%s': %s is given without x: give x = pod.spec(shape, dtype) as well", model.name,
        name)
    elseif options[name] ~= nil and kind == "predict" then
      errors.raise("memory report of '%s': predict takes x alone; leave %s out", model.name, name)
    end
  end
  for _, name in ipairs { "x", "y", "sample_weight" } do
    if options.data ~= nil and options[name] ~= nil then
      errors.raise("memory report of '%s': data is given and so is %s, which it has; leave %s out", model.name, name,
        name)
    end
  end
end

-- Where batches come from and what a global one is: given by options, seen by the last fit, or declared.
local function find_step(model, kind, options, replicas)
  local decoder, specs
  check_given(model, kind, options)
  local seen = (model._state.traced_steps or {})[kind]
  if options.data ~= nil then
    local source = feed.open(options.data, nil, { strategy = model._strategy,
      inputs_only = kind == "predict" })
    decoder = source.decoder
    specs = require("moonpod.data.dataset").current_types(source.dataset:raw())
  elseif options.x ~= nil then
    local element = { options.x, options.y, options.sample_weight }
    decoder, specs = feed.specs(element), nest.flatten(element)
  elseif seen then
    decoder, specs = seen.decoder, seen.specs
  else
    local inputs = model._state.input
    if inputs == nil then
      errors.raise("memory report of '%s': the model does not know its input; give x = pod.spec(shape, dtype) and "
        .. "y = pod.spec(shape, dtype), data = a dataset, or fit first", model.name)
    end
    local element = { nest.map(inputs, function(t)
      return symbolic_spec(t, -1)
    end), kind ~= "predict" and derived_targets(model, -1) or nil }
    decoder, specs = feed.specs(element), nest.flatten(element)
  end
  local batch = options.batch
  if batch == nil and specs[1].shape[1] and specs[1].shape[1] > 0 then
    batch = math.ceil(specs[1].shape[1] / replicas)
  end
  if batch == nil then
    errors.raise("memory report of '%s': how many rows does a core get? Give batch = 128", model.name)
  end
  if not is_whole(batch, 1) then
    errors.raise("memory report: batch must be a whole number from 1, not %s", errors.describe(batch))
  end
  specs = with_batch(specs, batch * replicas, options.unknown_size)
  check_sizes(model, specs)
  return { decoder = decoder, specs = specs, batch = batch }
end

-- Traces the step of a kind for one core; nothing is kept of it in the model. With `replicas` as one of so many: what
-- the first trace makes (optimizer slots, metrics) is made for the model's own number before.
local function trace_step(model, kind, found, replicas)
  local seen, strategy = model._state.traced_steps, model._strategy
  local function trace()
    return core_step.trace(model.name .. "_" .. kind .. "_step", function(...)
      return model:_global_step(kind, found.decoder, { ... })
    end, found.specs)
  end
  return around(nil, function()
    model._strategy = strategy
    model._state.traced_steps = seen
  end, function()
    local graph = trace()
    if replicas ~= strategy.num_replicas_in_sync then
      graph:close()
      model._strategy = distribute.mirrored(replicas)
      graph = trace()
    end
    return graph
  end)
end

local KINDS = { train = true, test = true, predict = true }

-- The chip of a model's strategy: its generation, or nil.
function model_memory.chip_of(model)
  local strategy = model._strategy
  return strategy and strategy.resolver and strategy.resolver.generation or nil
end

-- Bytes of one step's data.
local function infeed_bytes(specs)
  local sum = 0
  for _, spec in ipairs(specs) do
    sum = sum + shapes.product(spec.shape) * dtype_sizes[spec.dtype]
  end
  return sum
end

-- Traces the step of a model that one core runs; fields as model_memory.report's options. Returns its graph, which the
-- caller closes or keeps, the rows of a core, the kind of step and the bytes of its data that a core gets.
function model_memory.trace(model, options)
  local kind = options.kind or "train"
  if not KINDS[kind] then
    errors.raise("memory report: there is no kind '%s'%s", tostring(kind), errors.suggest(kind, KINDS))
  end
  if kind ~= "predict" and not model.compiled then
    errors.raise("model '%s': call compile before memory_report, or ask for kind = \"predict\"", model.name)
  end
  local replicas = options.replicas or model._strategy.num_replicas_in_sync
  if not is_whole(replicas, 1, 65536) then
    errors.raise("memory report: replicas must be a whole number from 1 to 65536, not %s", errors.describe(replicas))
  end
  local found, strategy = find_step(model, kind, options, replicas), model._strategy
  local parts = strategy.mesh and strategy.mesh.shape[strategy.batch_axis] or replicas -- of the batch
  return trace_step(model, kind, found, replicas), found.batch, kind, infeed_bytes(found.specs) / parts
end

-- A report for a chip; fields as model_memory.report's options.
function model_memory.on_chip(model, chip, options)
  return model_memory.of_trace(model, chip, options, model_memory.trace(model, options))
end

-- The same of what model_memory.trace returns.
function model_memory.of_trace(model, chip, options, graph, batch, kind, bytes)
  local replicas = options.replicas or model._strategy.num_replicas_in_sync
  return report.new(graph, {
    chip = chip, name = model.name .. "_" .. kind .. "_step", notes = {},
    batch = batch, replicas = replicas, slice = replicas > 1 and replicas or nil, infeed_bytes = bytes, kind = kind,
    _model = model, _options = options,
  })
end

-- ---- both accounts ------------------------------------------------------------------------------------------------

local PARTS = {
  arena = "temporaries", literal = "constants", code = "code", scratch = "scratch of a thread", output = "results",
  alias = "updated in place",
}

local Accounts = { __name = "moonpod.memory_accounts" }

local function bytes_text(bytes)
  return device.core.bytes_text(bytes)
end

local host_columns = { { align = "left", width = 35 }, { align = "right", width = 9, gap = 1 } }

function Accounts.__tostring(self)
  local host = self.host
  local planned, allocated = host.planned_bytes, host.allocated_bytes
  local rows = { { "on this host, all replicas together", "planned", "allocated" } }
  for _, name in ipairs { "program", "variable" } do
    rows[#rows + 1] = { "  " .. name .. "s", bytes_text(host[name .. "_planned_bytes"]),
      bytes_text(host[name .. "_allocated_bytes"]) }
  end
  rows[#rows + 1] = { "  all", bytes_text(planned), bytes_text(allocated) }
  if planned ~= allocated then
    rows[#rows + 1] = { ("  %+d bytes were taken that were not planned"):format(allocated - planned) }
  end
  rows[#rows + 1] = { "of the program" }
  for _, name in ipairs { "arena", "literal", "code", "scratch", "output", "argument", "alias" } do
    rows[#rows + 1] = { "  " .. (PARTS[name] or name .. "s"), bytes_text(host[name .. "_bytes"]) }
  end
  local lines = text_table.lines(rows, host_columns)
  if self.tpu then
    lines[#lines + 1] = ""
    lines[#lines + 1] = tostring(self.tpu)
  else
    lines[#lines + 1] = "no chip: memory_report \"v3\" says what one would need"
  end
  return table.concat(lines, "\n")
end

-- Bytes of the variables and other tensors that a trace reads: by their types, and by the blocks they have.
local function variable_bytes(concrete)
  local planned, allocated = 0, 0
  for _, parameter in ipairs(concrete.trace.parameters) do
    if parameter.kind ~= "argument" then
      local t = parameter.variable and parameter.variable._tensor or parameter.tensor
      planned = planned + device.core.planned_bytes(t.dtype, shapes.dims(t.shape))
      allocated = allocated + tensor.buffer(t):held_bytes()
    end
  end
  return planned, allocated
end

-- Host bytes of a compiled trace: what was planned, and what was taken from the allocator.
local function host_account(concrete)
  local host = concrete.program:stats()
  host.program_planned_bytes, host.program_allocated_bytes = host.planned_bytes, host.allocated_bytes
  host.variable_planned_bytes, host.variable_allocated_bytes = variable_bytes(concrete)
  host.planned_bytes = host.program_planned_bytes + host.variable_planned_bytes
  host.allocated_bytes = host.program_allocated_bytes + host.variable_allocated_bytes
  return host
end

-- The trace of a function that ran most.
local function most_used(fn)
  local best
  func.count_again(fn)
  for _, concrete in ipairs(fn.list) do
    if concrete.program and (not best or concrete.runs > best.runs) then
      best = concrete
    end
  end
  return best
end

local function accounts(concrete, tpu)
  return setmetatable({ host = host_account(concrete), tpu = tpu }, Accounts)
end

-- ---- the interface --------------------------------------------------------------------------------------------------

-- model:memory_report(chip, options): what the step of one core takes of the chip's HBM. Nothing is run, and no batch
-- is allocated. Options: batch (rows a core gets), replicas (the strategy's), data (a dataset) or x, y, sample_weight
-- (pod.spec), kind ("train", "test", "predict"). Without a chip: what the compiled step holds on this host, beside what
-- it takes of the strategy's chip.
function model_memory.report(model, chip, options)
  if type(chip) == "table" and options == nil then
    chip, options = nil, chip
  end
  options = tables.merge(errors.check_options(options, OPTIONS, "memory_report")) -- a report keeps them
  if chip ~= nil then
    return model_memory.on_chip(model, report.chip(chip, "memory_report"), options)
  end
  local kind = options.kind or "train"
  local best
  for key, fn in pairs(feed.functions_of(model)) do
    if key:sub(1, #kind) == kind and func.is_func(fn) then
      best = most_used(fn) or best
    end
  end
  if not best then
    errors.raise("memory_report: model '%s' has no compiled step yet: fit first, or say for which chip: "
      .. "model:memory_report(\"v3\", { batch = 128 })", model.name)
  end
  local own = model_memory.chip_of(model)
  return accounts(best, own and model_memory.on_chip(model, own, options) or nil)
end

-- fn:memory_report(chip, { arguments = { pod.spec(...) or tensors ... } }) of a pod.func: of these arguments,
-- or of the last ones that it was traced for. Without a chip: what it holds on this host.
function model_memory.of_function(fn, chip, options)
  options = errors.check_options(options, { "arguments" }, "memory_report")
  if chip == nil then
    local best = most_used(fn)
    if not best then
      errors.raise("memory_report: function '%s' has not run yet: call it, or say for which chip", fn.name)
    end
    return accounts(best, nil)
  end
  chip = report.chip(chip, "memory_report")
  local skeleton, leaves = fn:stand_in_arguments(options.arguments)
  if not skeleton then
    errors.raise("memory_report: function '%s' was not traced yet; give arguments = { pod.spec { 2, 3 } }", fn.name)
  end
  local structure = require "moonpod.base.structure"
  local unpack = table.unpack or unpack -- luacheck: ignore
  local name = fn.name
  if buckets.count_here(fn) then
    local rows, size
    leaves, rows, size = buckets.stand_ins(fn, leaves)
    name = size > rows and ("%s: %d rows, filled up to %d"):format(name, rows, size) or name
  end
  local graph = core_step.trace(fn.name, function(...)
    local arguments = structure.rebuild(skeleton, { ... })
    return fn.fn(unpack(arguments, 1, skeleton.count))
  end, leaves)
  return report.new(graph, { chip = chip, name = name })
end

-- model:projection(chip, options): how long a step would take on a chip or a slice, the strategy's where none is named.
-- Options as those of a memory report, and projection.OPTIONS. Each device of a slice is a replica, or a core of the
-- model's mesh.
function model_memory.projection(model, chip, options)
  options = tables.merge(errors.check_options(options, tables.join(OPTIONS, projection.OPTIONS), "projection"))
  chip = chip or options.slice or model_memory.chip_of(model)
  if chip == nil then
    errors.raise("projection of '%s': for which chip? model:projection(\"v5e\", { batch = 128 })", model.name)
  end
  local generation = report.chip(chip, "projection")
  local slice = options.slice or chip
  local devices = report.devices(slice)
  if devices and options.replicas and options.replicas ~= devices then
    errors.raise("projection: %s has %d devices, not %d: leave replicas out, or name the generation alone (%s)", slice,
      devices, options.replicas, generation)
  end
  local mesh = model._strategy.mesh
  if mesh and devices and devices ~= mesh.num_devices then
    errors.raise("projection: %s has %d devices, and the model's mesh %d: make a mesh of as many", slice, devices,
      mesh.num_devices)
  end
  local about = tables.pick(options, OPTIONS)
  about.replicas = not mesh and devices or options.replicas
  local given = tables.pick(options, projection.OPTIONS)
  given.slice = devices and slice or options.slice
  return model_memory.on_chip(model, generation, about):projection(given)
end

-- fn:projection(chip, { arguments = ... }) of a pod.func.
function model_memory.function_projection(fn, chip, options)
  if chip == nil then
    errors.raise("projection: function '%s': for which chip? fn:projection \"v5e\"", fn.name)
  end
  return model_memory.of_function(fn, chip, options):projection()
end

return model_memory
