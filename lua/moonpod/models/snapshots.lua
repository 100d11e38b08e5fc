-- snapshots - what a training was at some of its steps, so that it can go back there: see run:back().
--
-- One is taken between two executions, and costs a copy of what the steps write to: as seldom as that it takes no more
-- than a two-hundredth of the time, and no more of them are kept than their share of memory allows. Where a script has
-- assigned to a variable, which steps that are done again would not, one is taken behind that.

local core = require "moonpod.core"
local random = require "moonpod.func.random"
local readable = require "moonpod.base.readable"
local shapes = require "moonpod.base.shapes"
local variable = require "moonpod.func.variable"

local snapshots = {}

local Snapshots = {}
Snapshots.__index = Snapshots

-- Seconds between two, and bytes of all, unless it is said otherwise.
local SECONDS, BYTES = 0.25, 256 * 2 ^ 20

-- Plain tables are copied; what else there is does not change.
local function copied(value)
  if not readable.is_plain(value) then
    return value
  end
  local copy = {}
  for key, part in pairs(value) do
    copy[key] = copied(part)
  end
  return setmetatable(copy, getmetatable(value))
end

-- Of a training (training_run.lua). bytes: how much they may hold.
function snapshots.new(training, bytes)
  return setmetatable({ training = training, most_bytes = bytes or BYTES, list = {}, variables = {}, known = {},
    left = {}, is_changed = false, at = nil }, Snapshots)
end

-- Takes note of the variables of a function that steps run.
function Snapshots:note(written, read)
  for _, list in ipairs { written, read } do
    for _, one in ipairs(list) do
      if not self.known[one] then
        self.known[one] = true
        self.variables[#self.variables + 1] = one
        self.left[#self.variables] = false
      end
    end
  end
end

-- Behind what the run does, and before it goes on: whether a script has assigned to a variable meanwhile.
function Snapshots:leave()
  for i, one in ipairs(self.variables) do
    self.left[i] = one._tensor -- takes no memory: see note()
  end
end

function Snapshots:enter()
  for i, tensor in ipairs(self.left) do
    self.is_changed = self.is_changed or tensor and not rawequal(self.variables[i]._tensor, tensor) or false
    self.left[i] = false
  end
end

local function bytes_of(variables)
  local bytes = 0
  for _, one in ipairs(variables) do
    local size = (tonumber(one.dtype:match "%d+$") or 8) / 8 -- a bool has a byte
    bytes = bytes + size * shapes.product(one._tensor.shape)
  end
  return bytes
end

-- Leaves out every second one, but the first and the last and those behind a change, until the rest is small enough;
-- else the first.
local function thin(self)
  local bytes = bytes_of(self.variables)
  while #self.list > 2 and bytes * #self.list > self.most_bytes do
    local kept = {}
    for i, one in ipairs(self.list) do
      if i == #self.list or i % 2 == 1 or one.is_changed then
        kept[#kept + 1] = one
      end
    end
    if #kept == #self.list then
      table.remove(kept, 1)
    end
    self.list = kept
  end
end

local function take(self)
  local training = self.training
  local ok, state = pcall(training.iterator.state, training.iterator)
  if not ok then
    self.reason = state
    return
  end
  self.list[#self.list + 1] = { total = training.total, epoch = training.epoch, steps = training.steps,
    logs = copied(training.logs), state = state, random = random.get_state(),
    seen = training.list.batches_seen, callbacks = copied(training.list:get_states()),
    stops = training.model.stop_training, is_changed = self.is_changed,
    put_back = variable.remember(self.variables) }
  self.is_changed = false
  thin(self)
end

-- Between two executions: takes one where it is time for it.
function Snapshots:pass()
  local last = self.list[#self.list]
  local now = core.clock()
  if last and not self.is_changed
    and (last.total == self.training.total or now - self.at < math.max(SECONDS, 200 * self.cost)) then
    return
  end
  take(self)
  self.at, self.cost = core.clock(), core.clock() - now
end

-- The last one that was taken at a step or before it; nil where there is none. At the step itself nothing was changed
-- yet.
function Snapshots:before(total)
  for i = #self.list, 1, -1 do
    local one = self.list[i]
    if one.total < total or one.total == total and not one.is_changed then
      return one
    end
  end
end

-- Makes all what it was, and forgets what was later.
function Snapshots:restore(one)
  local training = self.training
  while self.list[#self.list] ~= one do
    table.remove(self.list)
  end
  self.is_changed = false
  training.total, training.epoch, training.steps, training.is_done = one.total, one.epoch, one.steps, false
  training.logs = copied(one.logs)
  training.iterator:restore(one.state)
  training.list:set_states(copied(one.callbacks))
  training.list:set_batches_seen(one.seen)
  training.model.stop_training = one.stops
  random.restore_state(one.random)
  one.put_back()
end

return snapshots
