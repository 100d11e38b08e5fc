-- Remedies for programs of others: what would need less of a module that was read, and what that is in the user's own
-- framework. Each is planned: the module's graph is made for another batch or takes buffers over, or its text is
-- written for another batch or for more devices.

local core = require "moonpod.core"
local errors = require "moonpod.base.errors"
local report = require "moonpod.advisor.report"
local rewritten = require "moonpod.advisor.rewritten"
local shards = require "moonpod.advisor.shards"
local tables = require "moonpod.base.tables"

local file_remedies = {}

-- What saves less of the need than this is no remedy.
local LEAST_SHARE = 0.01

local MOST_DEVICES = 256

local RANKS = { fits = 1, cannot_say = 2, does_not_fit = 3 }

local List = { __name = "moonpod.file_remedies" }

function List.__tostring(self)
  local lines = { #self > 0 and "what would need less, by the plan" or "nothing that is known would need less" }
  for i, remedy in ipairs(self) do
    lines[#lines + 1] = ("  %d. %s: needs %s of %s (%s)\n       %s"):format(i, remedy.title,
      core.bytes_text(remedy.need_bytes), core.bytes_text(remedy.limit_bytes), (remedy.verdict:gsub("_", " ")),
      remedy.call)
  end
  if self.note then
    lines[#lines + 1] = "  " .. self.note
  end
  if self.problem then
    lines[#lines + 1] = "  the batch cannot be changed here (--batch N says which size it has): " .. self.problem
  end
  return table.concat(lines, "\n")
end

-- ---- plans ---------------------------------------------------------------------------------------------------------

-- Whether a plan with further bytes fits with its margin, and its verdict then. One that is in doubt is to need half of
-- what there is: a loop may have its state twice.
local function judge(memory, more)
  local need, limit = memory.need_bytes + more, memory.limit_bytes
  local margin = memory.doubt and math.max(1, memory.margin) or memory.margin
  local roomy = need * (1 + margin) + memory.margin_bytes <= limit
  if memory.least_bytes + more > limit then
    return false, "does_not_fit"
  end
  return roomy, roomy and not memory.doubt and "fits" or "cannot_say"
end

-- plans(size) as make(size) gives it, made once.
local function planner(make)
  local known = {}
  return function(size)
    known[size] = known[size] or make(size)
    return known[size]
  end
end

-- The plans of other batches of a graph.
local function batch_plans(self, graph, axis, counts)
  return planner(function(size)
    local made = graph:rescale(axis.parameter, axis.axis, size, axis.parts, counts)
    return { graph = made, memory = report.new(made, { chip = self.chip, name = self.name }) }
  end)
end

-- A module that was read again: its graph, text and memory.
local function planned(self, module)
  local about = module.about
  return { graph = module.graph, text = module.text, memory = report.new(module.graph, { chip = self.chip,
    name = self.name, undivided = about.undivided, devices = about.divided and about.partitions or nil }) }
end

local function remedy(self, made, fields)
  local need = made.memory.need_bytes + (fields.more or 0)
  local roomy, verdict = judge(made.memory, fields.more or 0)
  return tables.merge({ need_bytes = need, saves_bytes = self.memory.need_bytes - need, verdict = verdict,
    roomy = roomy, limit_bytes = made.memory.limit_bytes, graph = made.graph, text = made.text }, fields)
end

-- ---- another batch -------------------------------------------------------------------------------------------------

-- The largest number from 1 to `most` for which fits(number), which holds for smaller ones too; nil for none.
local function largest(most, fits)
  local low, high = 0, most
  while low < high do
    local middle = math.floor((low + high + 1) / 2)
    if fits(middle) then
      low = middle
    else
      high = middle - 1
    end
  end
  return low > 0 and low or nil
end

-- The largest batch of which fits(memory) holds: a multiple of 8, below that any; of a program that divides it into
-- parts, so many each. nil for none.
local function largest_batch(batch, plans, parts, fits)
  local rows = math.floor(batch / parts)
  local eights = largest(math.floor((rows - 1) / 8), function(count)
    return fits(plans(parts * 8 * count).memory)
  end)
  local most = eights and 8 * eights or largest(math.min(7, rows - 1), function(count)
    return fits(plans(parts * count).memory)
  end)
  return most and parts * most
end

local function surely_fits(memory)
  return select(2, judge(memory, 0)) == "fits"
end

local function is_roomy(memory)
  return (judge(memory, 0))
end

-- The largest batch that fits; where its plan is in doubt also the largest of which it is not.
local function smaller_batches(self, batch, plans, parts)
  local sizes = { largest_batch(batch, plans, parts, is_roomy) }
  if not surely_fits(plans(sizes[1]).memory) then
    sizes[#sizes + 1] = largest_batch(batch, plans, parts, surely_fits)
  end
  return tables.map(sizes, function(size)
    local made = plans(size)
    return remedy(self, made, { kind = "batch", batch = size, title = ("batch %d -> %d"):format(batch, size),
      call = ("%s: give the step %d rows in the place of %d"):format(made.memory.doubt
        and "the largest that needs half of what there is, as the plan is in doubt" or "the largest that fits", size,
        batch) })
  end)
end

-- What is left where no batch fits.
local function least_batch(self, batch, plans, parts)
  return remedy(self, plans(parts), { kind = "batch", batch = parts, title = ("batch %d -> %d"):format(batch, parts),
    call = "not even the least fits: what does not follow the batch is to be divided over devices, or smaller" })
end

-- The least number of equal parts of the batch, at most `most`, with which it fits; where there is none the most parts.
-- The program itself may divide each of them.
local function parts_of(batch, plans, more, most, divided)
  local last
  for parts = 2, math.min(batch / divided, most) do
    if batch % (parts * divided) == 0 then
      last = parts
      if judge(plans(math.floor(batch / parts)).memory, more) then
        break
      end
    end
  end
  return last
end

-- Arrays that a step updates, without those that come again: an optimizer keeps states of the weights' types behind
-- them. So these are as many as the weights, or more.
local function weights_of(parameters)
  local list, names = {}, {}
  for _, parameter in ipairs(parameters) do
    if (parameter.alias or parameter.donated) and #parameter.shape > 0 then
      list[#list + 1] = parameter
      names[#names + 1] = parameter.dtype .. "[" .. table.concat(parameter.shape, ",") .. "]"
    end
  end
  local function comes_again(period)
    for i = period + 1, #names do
      if names[i] ~= names[i - period] then
        return false
      end
    end
    return true
  end
  for period = 1, math.floor(#list / 2) do
    if #list % period == 0 and comes_again(period) then
      local first = {}
      for i = 1, period do
        first[i] = list[i]
      end
      return first
    end
  end
  return list
end

local function accumulated(self, batch, plans, divided)
  local weights = weights_of(self.parameters)
  local more = shards.bytes(weights, {}, self.chip)
  local parts = #weights > 0 and more and parts_of(batch, plans, more, batch, divided)
  if not parts then
    return nil
  end
  local part = math.floor(batch / parts)
  return remedy(self, plans(part), { kind = "accumulation", batch = part, parts = parts, more = more,
    title = ("global batch %d -> %d in %d accumulated parts"):format(batch, part, parts),
    call = ("the sum of gradients takes %s more (optax.MultiSteps(optimizer, %d); a loop of %d loss.backward())")
      :format(core.bytes_text(more), parts, parts) })
end

local function data_parallel(self, batch, plans, divided)
  local devices = parts_of(batch, plans, 0, MOST_DEVICES, divided)
  if not devices then
    return nil
  end
  local part = math.floor(batch / devices)
  return remedy(self, plans(part), { kind = "data_parallel", batch = part, devices = devices,
    title = ("the batch of %d over %d devices, %d each"):format(batch, devices, part),
    call = 'data parallel: in_shardings=NamedSharding(mesh, PartitionSpec("data")) for the batch, whole weights' })
end

-- ---- donation ------------------------------------------------------------------------------------------------------

-- Its remedy and what was read, nil where nothing is to be taken over.
local function donated(self, read)
  local names, module = {}, read(self._text, true)
  for i, parameter in ipairs(module.about.parameters) do
    if parameter.donated and not self.parameters[i].donated and not self.parameters[i].alias then
      names[#names + 1] = parameter.name or ("%arg" .. i - 1)
    end
  end
  if #names == 0 then
    return nil
  end
  return remedy(self, planned(self, module), { kind = "donation",
    title = ("results take over %d argument%s of their types"):format(#names, #names > 1 and "s" or ""),
    call = ("jax.jit(step, donate_argnums=...) for the arguments of %s%s"):format(
      table.concat(names, ", ", 1, math.min(3, #names)), #names > 3 and ", ..." or "") }), module
end

-- ---- values that are computed again --------------------------------------------------------------------------------

-- Into how many groups layers are put, the least first.
local GROUPS = { 2, 3, 4, 6, 8, 12, 16, 24, 32 }

-- The least number of groups of layers, each computed again in the backward pass, with which a training step fits;
-- where there is none the one with which it needs least.
local function rematerialized(self, graph, parameters)
  local best
  if #weights_of(parameters) == 0 then
    return nil
  end
  for _, groups in ipairs(GROUPS) do
    local ok, made = errors.attempt(graph.rematerialize, graph, groups)
    if not ok then
      break
    end
    local one = remedy(self, { graph = made, memory = report.new(made, { chip = self.chip, name = self.name,
      devices = self.memory.devices }) }, { kind = "rematerialize", groups = groups,
      title = ("the forward pass in %d groups, computed again"):format(groups),
      call = "jax.checkpoint around each group of layers (nn.remat, torch.utils.checkpoint, keras.RematScope)" })
    if not best or one.roomy and not best.roomy or one.roomy == best.roomy and one.need_bytes < best.need_bytes then
      best = one
    end
    if one.verdict == "fits" then
      return one
    end
  end
  return best
end

-- ---- more devices --------------------------------------------------------------------------------------------------

-- The least number of devices along one axis of the mesh with which a divided program fits.
local function more_devices(self, read)
  local devices, best = self.memory.devices, nil
  for _, sizes in pairs(shards.meshes(self._text)) do
    for _, axis in ipairs(tables.sorted_keys(sizes)) do
      local times = 2
      while devices * times <= MOST_DEVICES and not (best and best.devices <= devices * times) do
        local ok, module = pcall(read, rewritten.devices(self._text, devices, axis, sizes[axis], times))
        if not ok or not module.about.divided or module.about.partitions ~= devices * times then
          break
        end
        local one = remedy(self, planned(self, module), { kind = "devices", devices = devices * times,
          title = ("%d devices -> %d"):format(devices, devices * times),
          call = ("%d devices along the axis %q of the mesh, in the place of %d"):format(sizes[axis] * times, axis,
            sizes[axis]) })
        if one.roomy then
          best = one
        end
        times = 2 * times
      end
    end
  end
  return best
end

-- ---- all -----------------------------------------------------------------------------------------------------------

-- Says of a remedy that another one is taken, too.
local function join(first, one)
  if first then
    one.kind, one.title, one.call = first.kind .. "_and_" .. one.kind, first.title .. "; " .. one.title,
      first.call .. "; " .. one.call
  end
  return one
end

-- The remedies of another batch: `axis` is its place, plans(size) are the plans, `first` a remedy that is taken, too.
local function of_batch(self, axis, plans, first)
  if not judge(plans(axis.parts).memory, 0) then
    return { least_batch(self, axis.size, plans, axis.parts) }
  end
  local found = smaller_batches(self, axis.size, plans, axis.parts)
  if axis.updated == 0 then -- what is kept from call to call of each row is no weight
    found[#found + 1] = accumulated(self, axis.size, plans, axis.parts)
  end
  found[#found + 1] = data_parallel(self, axis.size, plans, axis.parts)
  for _, one in ipairs(found) do
    join(first, one)
  end
  return found
end

-- By the graph: the batch's axis is followed through it. What the program counted out of the size follows where no
-- batch fits else.
local function by_graph(self, graph, batch, first)
  local axis = graph:find_batch(batch)
  local plans, notes = batch_plans(self, graph, axis, false), {}
  if axis.axis > 0 then
    notes[1] = ("the batch is axis %d of argument %s"):format(axis.axis,
      self.parameters[axis.parameter].name or axis.parameter)
  end
  if not judge(plans(axis.parts).memory, 0) then
    plans = batch_plans(self, graph, axis, true)
    notes[#notes + 1] = "what is counted out to a multiple of the batch (the places of experts) is taken to follow it"
  end
  return of_batch(self, axis, plans, first), #notes > 0 and table.concat(notes, "; ") or nil
end

-- By the text, where an op does not tell how it follows: the size is told from others by its number.
local function by_text(self, read, batch)
  local size = rewritten.find_batch(self.parameters, batch)
  if not size then
    return nil
  end
  return of_batch(self, { size = size, parts = 1, updated = 0 }, planner(function(rows)
    return planned(self, read(rewritten.batch(self._text, size, rows)))
  end)), ("the batch is told by its size, %d"):format(size)
end

-- Remedies of another batch, a note, and why the batch cannot be changed: the first way that finds any.
local function find_batches(self, batch, read, first, module)
  local ok, found, note = errors.attempt(by_graph, self, self.graph, batch)
  local problem = not ok and tostring(found) or nil
  if not ok and module then
    ok, found, note = errors.attempt(by_graph, self, module.graph, batch, first)
  end
  if not ok then
    ok, found, note = errors.attempt(by_text, self, read, batch)
  end
  if ok and found then
    return found, note
  end
  return {}, nil, problem
end

-- The remedies of an advice: those that fit first, of these the ones that change least. read(text, donate) reads a
-- module; with `donate` results take over what they can. `batch`: the size of the program's batch, where it is said.
function file_remedies.find(self, batch, read)
  if self.memory.partitions then
    return setmetatable({ problem = "the compiler divides the module's arrays among devices" }, List)
  end
  local first, module = donated(self, read)
  local found, note, problem = find_batches(self, batch, read, first, module)
  local again = rematerialized(self, (module or self).graph, module and module.about.parameters or self.parameters)
  found = tables.join({ first }, { again and join(first, again) }, found)
  found[#found + 1] = self.memory.devices and more_devices(self, read)
  local list = {}
  for i, one in ipairs(found) do
    one.order = i
    if one.saves_bytes > self.memory.need_bytes * LEAST_SHARE then
      list[#list + 1] = one
    end
  end
  table.sort(list, function(a, b)
    if RANKS[a.verdict] ~= RANKS[b.verdict] then
      return RANKS[a.verdict] < RANKS[b.verdict]
    elseif a.roomy ~= b.roomy then
      return a.roomy
    end
    return a.order < b.order
  end)
  list.problem, list.note = problem, note
  return setmetatable(list, List)
end

return file_remedies
