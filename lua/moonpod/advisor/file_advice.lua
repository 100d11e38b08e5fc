-- What would make a step of a module of others faster: each remedy planned and timed again, and told as what to write
-- in JAX. What needs less memory is file_remedies.lua's.

local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local projection = require "moonpod.advisor.projection"
local report = require "moonpod.advisor.report"
local rewritten = require "moonpod.advisor.rewritten"
local shards = require "moonpod.advisor.shards"
local tables = require "moonpod.base.tables"

local file_advice = {}

local LEAST_GAIN = 0.01     -- of the time of an example
local TOGETHER = 100        -- steps of an execution that are advised
local NEAR = 0.75           -- of a size: the smallest multiple that is taken in its place
local LEAST_SIZE = 64       -- of a weight's axis that is rounded
local MOST_AXES = 64        -- of weights that are tried

-- What a program does not have in itself, and what stands for it where nothing is said.
local NOT_IN_A_FILE = {
  { "steps_per_execution", "how many steps the host starts at once", "one" },
  { "input_seconds", "how long the input takes", "it is there in time" },
}

local Advice = { __name = "moonpod.file_advice" }

function Advice.__tostring(self)
  local lines = { ("%s on %s: a step %s, bound by %s"):format(self.name, self.slice or self.chip,
    projection.range_text(self.time.low_seconds, self.time.high_seconds), self.time.bound) }
  for i, remedy in ipairs(self) do
    lines[#lines + 1] = ("  %d. %s: saves %s"):format(i, remedy.title, remedy.gain >= LEAST_GAIN
      and decimal.format("%.0f%% of the time of an example", remedy.gain * 100)
      or core.bytes_text(remedy.saves_bytes) .. " of memory")
    lines[#lines + 1] = ("       a step %s; needs %s (%s)"):format(projection.range_text(remedy.time.low_seconds,
      remedy.time.high_seconds), core.bytes_text(remedy.need_bytes), (remedy.verdict:gsub("_", " ")))
    lines[#lines + 1] = "       " .. remedy.call
  end
  if #self == 0 then
    lines[#lines + 1] = "  nothing that is known would gain a hundredth of the time"
  end
  for _, one in ipairs(NOT_IN_A_FILE) do
    lines[#lines + 1] = self.options[one[1]] == nil
      and ("  no file says %s: %s if you do not (%s = ...)"):format(one[2], one[3], one[1]) or nil
  end
  return table.concat(lines, "\n")
end

local function middle(time)
  return (time.low_seconds + time.high_seconds) / 2
end

-- ---- plans ---------------------------------------------------------------------------------------------------------

-- The remedy of a memory report whose step is of `rows` times the examples on `devices` times the devices.
local function remedy(self, memory, fields)
  local options = fields.options or self.options
  local time = memory and projection.try(memory._plan, tables.merge(options, { slice = memory.slice or self.slice }))
  if not time then
    return nil
  end
  local before, after = middle(self.time), middle(time)
  return tables.merge({ time = time, need_bytes = memory.need_bytes, verdict = memory.verdict,
    saves_bytes = self.memory.need_bytes - memory.need_bytes,
    gain = 1 - after / before / (fields.rows or 1) * (fields.devices or 1) }, fields)
end

local function memory_of(self, graph)
  return report.new(graph, { chip = self.chip, name = self.name, slice = self.memory.slice,
    devices = self.memory.devices })
end

local function memory_of_text(self, text, donate)
  local ok, module = pcall(self.read, text, donate)
  if not ok then
    return nil
  end
  local about = module.about
  local count = about.divided and about.partitions or nil
  return report.new(module.graph, { chip = self.chip, name = self.name, undivided = about.undivided, devices = count,
    slice = count == self.memory.devices and self.memory.slice or count and count > 1 and count or nil }), module
end

-- What is told for the memory that it saves, whatever it does to the time.
local function kept_for_memory(made)
  if made and made.saves_bytes > 0 then
    made.gain, made.is_for_memory = math.max(made.gain, 0), true
    return made
  end
end

-- The nearest multiples of whole tiles above and below a size, those below where that loses little.
local function multiples(size)
  local list = {}
  for _, multiple in ipairs { 128, 8 } do
    local up = math.ceil(size / multiple) * multiple
    for _, other in ipairs { up, up - multiple } do
      if other ~= size and other >= size * NEAR and other <= size / NEAR then
        list[#list + 1] = other
      end
    end
  end
  return list
end

local function best_of(list)
  local best
  for _, one in ipairs(list) do
    best = (not best or one.gain > best.gain) and one or best
  end
  return best
end

-- ---- candidates ----------------------------------------------------------------------------------------------------

local function name_of(self, parameter)
  return self.parameters[parameter].name or ("argument %d"):format(parameter)
end

local function batch(self)
  local ok, axis = errors.attempt(self.graph.find_batch, self.graph, self.batch)
  local list = {}
  for _, size in ipairs(ok and axis.size % 128 ~= 0 and multiples(axis.size) or {}) do
    local made, graph = errors.attempt(self.graph.rescale, self.graph, axis.parameter, axis.axis, size, axis.parts,
      false)
    list[#list + 1] = made and remedy(self, memory_of(self, graph), { kind = "batch", batch = size,
      rows = size / axis.size, title = ("%d rows a step in the place of %d"):format(size, axis.size),
      call = ("batch_size = %d for %s (its axis %d), drop_remainder=True"):format(size,
        name_of(self, axis.parameter), axis.axis) }) or nil
  end
  return best_of(list)
end

local function shapes_of(graph)
  return tables.map(graph:parameters(), function(id)
    return (select(2, graph:type(id)))
  end)
end

-- Sizes of arguments in a graph, as a text to compare; `kept`: of those alone that a step does not update.
local function sizes_of(self, graph, kept)
  local parts, places = {}, shapes_of(graph)
  for i, parameter in ipairs(self.parameters) do
    if not kept or not (parameter.alias or parameter.donated or self.could_donate[i]) then
      parts[#parts + 1] = table.concat(places[i], ",")
    end
  end
  return table.concat(parts, ";")
end

-- Axes of weights that leave a part of their last tile empty, in the order of arguments.
local function odd_axes(self, shapes)
  local list = {}
  for i, parameter in ipairs(self.parameters) do
    local updated = parameter.alias or parameter.donated or self.could_donate[i]
    for axis, size in ipairs(updated and #shapes[i] > 1 and shapes[i] or {}) do
      if size >= LEAST_SIZE and size % 128 ~= 0 and #list < MOST_AXES then
        list[#list + 1] = { parameter = i, axis = axis - 1, size = size }
      end
    end
  end
  return list
end

local function features(self)
  local graph, told, given = self.graph, {}, sizes_of(self, self.graph, true)
  local tried = {}
  local at = 1
  local list = odd_axes(self, shapes_of(graph))
  while list[at] do
    local one = list[at]
    local down, up = math.floor(one.size / 128) * 128, math.ceil(one.size / 128) * 128
    local size = down >= one.size * 0.9 and down or math.floor(one.size / 8) * 8
    size = size ~= one.size and size > 0 and size or up
    local ok, made = errors.attempt(graph.rescale, graph, one.parameter, one.axis, size, 1, false)
    if ok and sizes_of(self, made, true) == given then
      graph = made
      told[#told + 1] = tried[one.size] == nil and ("%d -> %d (%s, axis %d)"):format(one.size, size,
        name_of(self, one.parameter), one.axis) or nil
      tried[one.size] = size
      list, at = odd_axes(self, shapes_of(graph)), 0
    end
    at = at + 1
  end
  return #told > 0 and remedy(self, memory_of(self, graph), { kind = "features",
    title = ("sizes of layers that fill tiles (another model): %s"):format(table.concat(told, "; ", 1,
      math.min(3, #told))),
    call = "nn.Dense(features) and nn.Conv(features) with these sizes" })
end

local function dtype(self)
  local text = rewritten.in_bfloat16(self.text)
  return text and remedy(self, (memory_of_text(self, text)), { kind = "dtype",
    title = "all that is float32 in bfloat16", text = text,
    call = "jax.tree.map(lambda a: a.astype(jnp.bfloat16), (params, batch)); nn.Dense(dtype=jnp.bfloat16)" })
end

local function one_hot(self)
  local labels
  for _, finding in ipairs(self.compatibility) do
    labels = labels or finding.labels
  end
  local text = labels and rewritten.class_numbers(self.text, labels)
  local made = text and remedy(self, (memory_of_text(self, text)), { kind = "one_hot", text = text,
    title = ("class numbers in the place of the rows of %s, where these are one-hot"):format(name_of(self, labels)),
    call = "labels = jax.nn.one_hot(numbers, classes) within the step, which gets int32 numbers of shape (rows,)" })
  return kept_for_memory(made)
end

-- Arguments that results could take over and do not: names by number; and what the program needs when they do.
local function find_donation(self)
  local memory, module = memory_of_text(self, self.text, true)
  local names = {}
  for i, parameter in ipairs(module and module.about.parameters or {}) do
    if parameter.donated and not self.parameters[i].donated and not self.parameters[i].alias then
      names[i] = parameter.name or ("%arg" .. i - 1)
    end
  end
  self.could_donate, self.donating = names, memory
end

local function donation(self)
  local names = tables.map(tables.sorted_keys(self.could_donate), function(i) return self.could_donate[i] end)
  local made = #names > 0 and remedy(self, self.donating, { kind = "donation",
    title = ("results take over %d arguments of their types"):format(#names),
    call = ("jax.jit(step, donate_argnums=...) for the arguments of %s%s"):format(
      table.concat(names, ", ", 1, math.min(3, #names)), #names > 3 and ", ..." or "") })
  return kept_for_memory(made)
end

local function steps(self)
  if (self.options.steps_per_execution or 1) >= TOGETHER then
    return nil
  end
  return remedy(self, self.memory, { kind = "steps", title = ("%d steps an execution"):format(TOGETHER),
    options = tables.merge(self.options, { steps_per_execution = TOGETHER }),
    call = ("jax.jit(lambda state, batches: jax.lax.scan(step, state, batches)) over %d batches"):format(TOGETHER) })
end

local function input(self)
  local options = tables.merge(self.options)
  options.input_seconds = nil
  return self.time.bound == "input" and remedy(self, self.memory, { kind = "input", options = options,
    title = "input that is there in time",
    call = "flax.jax_utils.prefetch_to_device(batches, 2); grain's mp_prefetch, or tf.data's prefetch(AUTOTUNE)" })
end

-- Without transposes that keep sizes the program is planned again; with others what they take is taken away.
local function transposes(self)
  local found, lines = projection.transposes(self.time), {}
  if not found.is_much then
    return nil
  end
  for _, place in ipairs(found.places) do
    lines[tonumber(place:match ":(%d+)$") or 0] = true
  end
  local fields = { kind = "transposes", title = found.title,
    text = not lines[0] and rewritten.unturned(self.text, lines) or nil,
    call = "keep one order of axes: jnp.einsum or dot_general over the axes as they lie, in the place of .T at "
      .. found.where }
  if fields.text then
    return remedy(self, (memory_of_text(self, fields.text)), fields)
  end
  local time = tables.merge(self.time)
  for _, name in ipairs { "low_seconds", "high_seconds", "device_seconds" } do
    time[name] = time[name] - found.seconds
  end
  return tables.merge(fields, { need_bytes = self.memory.need_bytes, verdict = self.memory.verdict, saves_bytes = 0,
    time = time, gain = math.min(1, found.seconds / middle(self.time)) })
end

-- Fewer devices along an axis of the mesh of a program that is divided: each has more to do.
local function devices(self)
  local now, list, slices = self.memory.devices, {}, { [1] = true }
  for _, slice in ipairs(core.slices(self.chip)) do
    slices[slice.num_devices] = true
  end
  for _, sizes in pairs(now and shards.meshes(self.text) or {}) do
    for _, axis in ipairs(tables.sorted_keys(sizes)) do
      local parts = 2
      while sizes[axis] % parts == 0 do
        local memory = slices[now / parts]
          and memory_of_text(self, rewritten.devices(self.text, now, axis, sizes[axis], 1 / parts))
        list[#list + 1] = remedy(self, memory, { kind = "devices", devices = 1 / parts,
          title = ("%d devices in the place of %d"):format(math.floor(now / parts), now),
          call = ("Mesh(jax.devices()[:%d].reshape(...), ...): %d along the axis %q in the place of %d"):format(
            math.floor(now / parts), math.floor(sizes[axis] / parts), axis, sizes[axis]) })
        parts = 2 * parts
      end
    end
  end
  return best_of(list)
end

-- ---- all -----------------------------------------------------------------------------------------------------------

local CANDIDATES = { dtype, features, batch, devices, steps, input, donation, transposes, one_hot }

--- The remedies of an advice on a module, those that gain most first. read(text, donate) reads a module; `options` are
--- projection.OPTIONS.
function file_advice.find(self, options, read)
  local memory = self.memory
  local found = setmetatable({ name = self.name, chip = self.chip, memory = memory, graph = self.graph,
    parameters = self.parameters, compatibility = self.compatibility, text = self._text, batch = self.batch,
    options = options, read = read,
    slice = options.slice or memory.slice, time = self:projection(options) }, Advice)
  find_donation(found)
  for _, make in ipairs(CANDIDATES) do
    local one = make(found)
    if one and (one.gain >= LEAST_GAIN or one.is_for_memory) then
      found[#found + 1] = one
    end
  end
  table.sort(found, function(a, b)
    if a.gain ~= b.gain then
      return a.gain > b.gain
    end
    return a.kind < b.kind
  end)
  return found
end

return file_advice
