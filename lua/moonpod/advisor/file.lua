-- pod.advise: what a StableHLO module would take of a TPU.

local book = require "moonpod.base.book"
local chips = require "moonpod.tpu.chips"
local compatibility = require "moonpod.advisor.compatibility"
local core = require "moonpod.core"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local declare = require "moonpod.base.arguments"
local exact = require "moonpod.advisor.exact"
local file_advice = require "moonpod.advisor.file_advice"
local file_remedies = require "moonpod.advisor.file_remedies"
local projection = require "moonpod.advisor.projection"
local report = require "moonpod.advisor.report"
local shards = require "moonpod.advisor.shards"
local tables = require "moonpod.base.tables"
local is_whole = require "moonpod.base.kinds".is_whole

local file = {}

local Advice = { __name = "moonpod.advice" }
local methods = {}
Advice.__index = methods

function Advice.__tostring(self)
  local parts = { ("%s: module %s, function %s, %d arguments, %d results"):format(self.path, self.name,
    self.function_name, #self.parameters, #self.outputs), tostring(self.memory) }
  if #self.unknown > 0 then
    local lines = { "ops that are not known here: their results are measured, what they need inside is not" }
    for _, op in ipairs(self.unknown) do
      lines[#lines + 1] = ("  %s:%d:%d: %s%s: %s"):format(self.path, op.line, op.column, op.name,
        op.count > 1 and (" (%d times)"):format(op.count) or "", op.reason)
    end
    parts[#parts + 1] = table.concat(lines, "\n")
  end
  parts[#parts + 1] = tostring(self.compatibility)
  if self.verdict ~= "fits" then
    parts[#parts + 1] = tostring(self:remedies())
  end
  if #self.notes > 0 then
    parts[#parts + 1] = "notes\n  " .. table.concat(self.notes, "\n  ")
  end
  return table.concat(parts, "\n\n")
end

local BLOCK = 2 ^ 20

-- What is no text ends after the first block: a device or a pipe may never end.
local function check_block(path, block, first)
  if first and block:sub(1, 4) == "ML\239R" then
    errors.raise("advise: %s is MLIR bytecode; export the module as text (%s)", path,
      book.place "guides/advise.md")
  elseif first and block:sub(1, 2) == "\31\139" then
    errors.raise("advise: %s is compressed; unpack it first (gzip -d)", path)
  elseif block:find("\0", 1, true) then
    errors.raise("advise: %s is no text: it has bytes of 0", path)
  end
end

local function read(path)
  local handle, message = device.open(path, "rb")
  if not handle then
    errors.raise("advise: %s", message)
  end
  local blocks, size, most = {}, 0, device.context():unpacked_bytes()
  local ok, failure = pcall(function()
    while true do
      local block, problem = handle:read(BLOCK)
      if not block then
        if problem then
          errors.raise("advise: %s cannot be read: %s", path, problem)
        end
        return
      end
      check_block(path, block, size == 0)
      blocks[#blocks + 1], size = block, size + #block
      if size > most then
        errors.raise("advise: %s goes on after %d bytes; pod.device.configure { unpacked_bytes = } allows more", path,
          most)
      end
    end
  end)
  handle:close()
  if not ok then
    error(failure, 0)
  end
  return table.concat(blocks)
end

local function type_key(value)
  return value.dtype .. " " .. table.concat(value.shape, ",")
end

-- Arguments that may be taken over (with `all`: every one) and say not by which output: by the first of the same type
-- that has none.
local function choose_aliases(graph, about, all)
  local taken, free = {}, {}
  for _, parameter in ipairs(about.parameters) do
    if parameter.alias then
      taken[parameter.alias] = true
    end
  end
  for j = #about.outputs, 1, -1 do
    if not taken[j] then
      local key = type_key(about.outputs[j])
      local alike = free[key] or {}
      alike[#alike + 1], free[key] = j, alike
    end
  end
  for i, parameter in ipairs(about.parameters) do
    if (parameter.donated or all) and not parameter.alias then
      local alike = free[type_key(parameter)]
      local output = alike and table.remove(alike)
      if output then
        parameter.donated = true
        graph:alias(output - 1, i - 1)
      end
    end
  end
end

local function notes_of(about, options)
  local notes = {}
  if about.is_local then
    notes[1] = ("sizes are those of one device: the module divides its arrays among %d by hand")
      :format(math.max(about.partitions, about.replicas))
  elseif about.divided then
    notes[1] = ("sizes are those of one device of %d: the compiler divides the module's arrays among them, and what it "
      .. "gathers, exchanges and adds up is planned"):format(about.partitions)
  elseif about.partitions > 1 then
    if options.device_bytes then
      notes[1] = ("of the arguments one of %d devices has %s, as they are divided")
        :format(about.partitions, core.bytes_text(options.device_bytes))
    end
  end
  local donates = false
  for _, parameter in ipairs(about.parameters) do
    donates = donates or parameter.donated
  end
  if #about.parameters > 0 and not donates then
    notes[#notes + 1] = "no argument is donated: a step of training whose weights are needs less (in JAX "
      .. "jax.jit(step, donate_argnums=0); what torch_xla.sync() does: --donate, or donate = true here)"
  end
  if options.cores and options.cores > 1 then
    notes[#notes + 1] = ("on each of %d cores alike: arguments and results are one core's"):format(options.cores)
  end
  return notes
end

-- The slice that the caller named and its devices, nil for a generation; what contradicts them is refused.
local function slice_of(chip, cores)
  if not chip or not chip:find "[-:]" then
    return nil
  end
  local slice = core.slice(chip)
  if cores and cores ~= slice.num_devices then
    errors.raise("advise: %s has %d devices, not %d: leave cores out, or name the generation alone (%s)", slice.name,
      slice.num_devices, cores, slice.generation)
  end
  return slice, slice.num_devices
end

-- A module that was read: its text, graph and what is told of it.
local function read_text(path, text, donate)
  local ok, graph, about = pcall(core.stablehlo_read, device.context(), text, path)
  if not ok then
    error(graph, 0) -- begins with file, line and column
  end
  choose_aliases(graph, about, donate)
  return { path = path, text = text, graph = graph, about = about,
    name = about.name and about.name ~= "" and about.name or path }
end

local function read_module(path, donate)
  return read_text(path, read(path), donate)
end

--- What would need less: layers that are computed again in the backward pass, a smaller batch, gradients added up over
--- parts of it, the batch over several devices. Also more devices for a program that is divided, and arguments whose
--- buffers results take over. Each is planned: those that fit come first. An array that prints, of
--- { kind =, title =, call =, need_bytes =, saves_bytes =, verdict =, batch = }; `problem` says why the batch could not
--- be changed. It is the axis of arguments along which most is computed.
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write(pod.func(function(x) return x * 2 end):stablehlo(pod.spec { 64, 128 }))
--- file:close()
--- local remedy = pod.advise(path):remedies()[1]
--- assert(remedy.verdict == "fits" and remedy.need_bytes > 0)
--- os.remove(path)
--- ```
function methods.remedies(self)
  if not self._remedies then
    self._remedies = file_remedies.find(self, self.batch, function(text, donate)
      return read_text(self.path, text, donate)
    end)
  end
  return self._remedies
end

--- The program of a remedy (by its place in the list, 1 if not said) as StableHLO, to be compiled or measured. Of
--- gradients that are added up it is a part's, of several devices it is one's. Numbers that the program computed from
--- its batch, such as the divisor of a mean, are as they were.
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write(pod.func(function(x) return x * 2 end):stablehlo(pod.spec { 64, 128 }))
--- file:close()
--- assert(pod.advise(path):remedy_program(1):find "stablehlo.multiply")
--- os.remove(path)
--- ```
function methods.remedy_program(self, number)
  local list = self:remedies()
  local remedy = list[number or 1]
  if not remedy then
    errors.raise("remedy_program: there is no remedy %s; there are %d", tostring(number or 1), #list)
  end
  return remedy.text or errors.call_core(core.stablehlo_write, device.context(), remedy.graph)
end

--- How long a run of the program would take on the chip, as `model:projection` gives it.
---@param options.slice string|integer where devices exchange values, by name or by its devices (default: that of as
---   many devices as the program is for)
---@param options.input_seconds number that the host takes for the data of a step (default 0)
---@param options.steps_per_execution integer that the host starts at once (default 1)
---@return projection
---@error the program has something whose time is not known, which the message names
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write(pod.func(function(x) return x:matmul(x) end):stablehlo(pod.spec { 1024, 1024 }))
--- file:close()
--- assert(pod.advise(path, { chip = "v5e" }):projection().product_flops == 2 * 1024 ^ 3)
--- os.remove(path)
--- ```
function methods.projection(self, options)
  local made = self.memory:projection(options)
  made.compiled = self.memory.compiled and self.memory.compiled.time
  return made
end

--- What would make a step faster, the most first: a batch and sizes of layers that fill tiles, bfloat16, several steps
--- an execution, input that is there in time, results that take over arguments, fewer transposes, fewer devices.
--- Each is planned and timed again. An array that prints, of { kind =, title =, call =, gain =, time =, need_bytes =,
--- saves_bytes =, verdict = }: `call` is what to write in JAX, `gain` the share of an example's time, on all devices,
--- that is saved, `time` a projection.
---@param options.slice string|integer as of projection()
---@param options.input_seconds number that the host takes for the data of a step (default 0)
---@param options.steps_per_execution integer that the host starts at once (default 1)
---@return table
---@error the program has something whose time is not known, which the message names
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- local fn = pod.func(function(x, y) return x:matmul(y) end)
--- file:write(fn:stablehlo(pod.spec { 1030, 4096 }, pod.spec { 4096, 4096 }))
--- file:close()
--- local list = pod.advise(path, { chip = "v5e" }):advice { steps_per_execution = 100 }
--- assert(list[1].kind == "dtype" and list[1].gain > 0.2)
--- os.remove(path)
--- ```
function methods.advice(self, options)
  options = errors.check_options(options, projection.OPTIONS, "advice")
  return file_advice.find(self, options, function(text, donate)
    return read_text(self.path, text, donate)
  end)
end

declare.methods("advice", methods, function(value)
  return getmetatable(value) == Advice
end, { ["number:integer?"] = "remedy_program", ["options?"] = "projection advice" })

-- What a module takes of one chip.
local function plan(module, options)
  local about, graph, name = module.about, module.graph, module.name
  local chip = report.chip(options.chip, "advise")
  local slice, devices = slice_of(options.chip, options.cores)
  if devices and about.partitions > devices then
    errors.raise("advise: the module of %s is for %d devices, and %s has %d", module.path, about.partitions,
      options.chip, devices)
  end
  local cores = options.cores or devices
  local whole = about.partitions > 1 and not about.is_local and not about.divided
  local device_bytes = whole and shards.bytes(about.parameters, shards.meshes(module.text), chip) or nil
  local compiled = options.exact and exact.ask(module.text, { plugin = options.exact, chip = chips.list(chip),
    slice = slice, partitions = about.partitions, replicas = about.replicas, times = options.times }) or nil
  local checked = compatibility.check_graph(name, graph, chip)
  local many = math.max(cores or 1, about.partitions, about.replicas)
  local memory = report.new(graph, { chip = chip, name = name, compiled = compiled,
    slice = slice and slice.name or many > 1 and many or nil,
    partitions = whole and about.partitions or nil,
    undivided = about.undivided, devices = about.divided and about.partitions or nil })
  return setmetatable({
    path = module.path, chip = chip, verdict = memory.verdict, cores = cores or 1, name = name,
    function_name = about.function_name,
    parameters = about.parameters, outputs = about.outputs, unknown = about.unknown,
    device_argument_bytes = about.divided and memory.argument_bytes or device_bytes,
    notes = notes_of(about, { cores = cores, device_bytes = device_bytes }), memory = memory, compatibility = checked,
    graph = graph, product = chips.list(chip).product, _text = module.text, batch = options.batch,
  }, Advice)
end

local function check_options(path, options)
  errors.check_type(path, "string", "advise", "the path")
  options = errors.check_options(options, { "chip", "cores", "donate", "exact", "batch", "times" }, "advise")
  local cores = options.cores
  if cores ~= nil and not is_whole(cores, 1) then
    errors.raise("advise: cores must be a whole number from 1, not %s", errors.describe(cores))
  end
  if options.batch ~= nil and not is_whole(options.batch, 2) then
    errors.raise("advise: batch must be a whole number from 2, the batch of the program, not %s",
      errors.describe(options.batch))
  end
  if options.donate ~= nil then
    errors.check_type(options.donate, "boolean", "advise", "donate")
  end
  if options.times ~= nil then
    errors.check_type(options.times, "boolean", "advise", "times")
  end
  if options.exact ~= nil and type(options.exact) ~= "string" then
    errors.check_type(options.exact, "boolean", "advise", "exact")
  end
  return { chip = options.chip or "v3", cores = cores, donate = options.donate, exact = options.exact,
    batch = options.batch, times = options.times }
end

--- What the StableHLO module in a file takes of a chip, and what the chip refuses of it. The result prints. Its
--- fields are `memory` (a report, as `model:memory_report` gives), `unknown` (ops of which it is not known what they
--- need inside) and `compatibility` (what is refused or slow, as `model:check_tpu` gives). Then `parameters`,
--- `outputs`, `notes`, `device_argument_bytes` (of a module that the compiler divides), `verdict` ("fits",
--- "does_not_fit", "cannot_say").
---@param path string a file of StableHLO text, as JAX and TensorFlow write it
---@param options.chip string|chip which chip (default "v3")
---@param options.cores integer of how many cores the batch is
---@param options.donate boolean whether results take over the buffers of arguments of their type, as where PyTorch/XLA
---   updates tensors in place
---@param options.exact boolean|string asks an installed libtpu as well, in a process of its own and without a TPU: the
---   totals and the verdict are then the compiler's; a path says which (default: not)
---@param options.times boolean with exact: the compiler is asked for its estimate of times as well, which
---   `memory.compiled.time` has and `projection()` prints beside its own (default: not)
---@param options.batch integer the program's batch, where remedies take another axis for it (default: it is found)
---@return advice
---@error the file cannot be read, or is no StableHLO; the compiler is not there, refuses the module or dies
--- ```lua
--- local path = os.tmpname()
--- local file = io.open(path, "w")
--- file:write(pod.func(function(x) return x * 2 end):stablehlo(pod.spec { 2, 3 }))
--- file:close()
--- assert(pod.advise(path, { chip = "v5e" }).verdict == "fits")
--- os.remove(path)
--- ```
function file.advise(path, options)
  options = check_options(path, options)
  report.chip(options.chip, "advise") -- before a large file is read
  return plan(read_module(path, options.donate), options)
end

-- The same of every generation, in the order of chips.list(); a module that a chip refuses at once is left out of none.
function file.advise_all(path, options)
  options = check_options(path, options)
  local module = read_module(path, options.donate)
  return tables.map(chips.names(), function(chip)
    options.chip = chip
    return plan(module, options)
  end)
end

return file
