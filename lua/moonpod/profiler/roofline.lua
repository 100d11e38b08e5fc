-- roofline - what ops achieve, and what this machine could: operations a second, by operations for each byte that is
-- read or written. The roofs are measured, not read off a list: of computing, of memory, and of each cache.

local caches = require "moonpod.profiler.caches"
local errors = require "moonpod.base.errors"
local device = require "moonpod.tensor.device"
local machine = require "moonpod.profiler.machine"
local op_stats = require "moonpod.profiler.op_stats"
local tables = require "moonpod.profiler.tables"

local roofline = {}

local measured

local SIZES = { 512, 1024 } -- rows, depth and columns of the products that are timed
local ROUNDS = 3 -- of which the best counts
local LEAST_MEMORY, MOST_MEMORY = 2 ^ 25, 2 ^ 28 -- bytes that are read to time memory

-- Where values may lie, the nearest first: rows { name =, holds = (bytes that the caches of `threads` hold), bytes =
-- (what is read to time it) }; the last is memory. A cache that is hardly larger than those before it is left out.
function roofline.places(list, threads)
  local rows, before = {}, 0
  for _, one in ipairs(list) do
    local count = math.ceil(threads / one.cpus)
    local holds = one.bytes * count
    -- Short runs are one thread's, which has one cache; longer ones are cut into shares, larger than the cache before.
    local bytes = math.max(one.bytes / 2, 2 * before)
    if bytes <= holds * 0.75 then
      rows[#rows + 1] = { name = "L" .. one.level, holds = holds, bytes = bytes }
      before = holds
    end
  end
  rows[#rows + 1] = { name = "memory", holds = math.huge,
    bytes = math.max(LEAST_MEMORY, math.min(MOST_MEMORY, 4 * before)) }
  return rows
end

-- What this machine does at most, on all its threads: { float32 = (FLOP/s), bfloat16 =, bytes = (bytes/s of memory),
-- places = (rows of name, holds and rate: bytes/s), threads = }. Measured once, in some tenths of a second.
function roofline.roofs()
  local threads = device.context():threads()
  if not measured or measured.threads ~= threads then
    local best = { float32 = 0, bfloat16 = 0, bytes = 0, threads = threads,
      places = roofline.places(caches.list(), threads) }
    for _ = 1, ROUNDS do
      for _, size in ipairs(SIZES) do
        best.float32 = math.max(best.float32, machine.product_rate(size, size, size, "float32"))
        best.bfloat16 = math.max(best.bfloat16, machine.product_rate(size, size, size, "bfloat16"))
      end
    end
    -- A nearer place is not slower than a farther one, whatever else the machine did when it was timed.
    local least, limit = 0, errors.memory_limit() or math.huge
    for i = #best.places, 1, -1 do
      least = math.max(least, machine.byte_rate(math.min(best.places[i].bytes, limit / 8)))
      best.places[i].rate = least
    end
    best.bytes = best.places[#best.places].rate
    measured = best
  end
  return measured
end

-- The nearest place that holds so many bytes.
local function place_of(roofs, bytes)
  for _, place in ipairs(roofs.places) do
    if bytes <= place.holds then
      return place
    end
  end
end

-- The least seconds that the machine, all of its threads, could take for an instruction once, and what bounds it:
-- "compute", or the place that holds its bytes.
local function least_seconds(roofs, one)
  local place = place_of(roofs, one.bytes)
  local computing = one.flops / (one.is_half and roofs.bfloat16 or roofs.float32)
  local moving = one.bytes / place.rate
  return math.max(computing, moving), computing >= moving and "compute" or place.name
end

local function to_text(self)
  local rates = {}
  for i, place in ipairs(self.roofs.places) do
    rates[i] = ("%s/s of %s"):format(tables.bytes(place.rate), place.name)
  end
  local lines = { ("roofline: %s FLOP/s in float32, %s in bfloat16; %s; measured on this machine"):format(
    tables.scaled(self.roofs.float32), tables.scaled(self.roofs.bfloat16), table.concat(rates, ", ")),
    ("a step achieves %s FLOP/s, %s of its roof"):format(tables.scaled(self.step.flops_per_second),
      tables.percent(self.step.share_of_roof)), tostring(self.points) }
  return table.concat(lines, "\n")
end

-- Sums under each name { least = (seconds a step at the roofs), of = ({ bound = seconds }) }, and over all of them.
local function sum_roofs(roofs, program, by)
  local sums, all = {}, { least = 0, of = {} }
  for i, one in ipairs(program or {}) do
    local name = op_stats.name_of(by, one, i)
    local seconds, bound = least_seconds(roofs, one)
    sums[name] = sums[name] or { least = 0, of = {} }
    for _, sum in ipairs { sums[name], all } do
      sum.least = sum.least + seconds
      sum.of[bound] = (sum.of[bound] or 0) + seconds
    end
  end
  return sums, all
end

-- What bounds most of the least time.
local function bound_of(sum)
  local most, found = -1, "compute"
  for bound, seconds in pairs(sum.of) do
    if seconds > most or (seconds == most and bound < found) then
      most, found = seconds, bound
    end
  end
  return found
end

-- A roofline: points (rows: op, intensity, flops_per_second, bytes_per_second, roof and share_of_roof, as if all
-- threads took part, bound by "compute", "memory" or a cache, seconds), step (the same of a whole step), roofs. The
-- roof is of FLOP/s, and 0 of what only moves bytes. Each instruction is judged by the nearest cache that holds what it
-- reads and writes. by: as of op_stats.
function roofline.new(overview, program, by, stats)
  local roofs, rows = roofline.roofs(), {}
  local sums, all = sum_roofs(roofs, program, by)
  local flops, bytes = 0, 0
  for _, row in ipairs(stats) do
    flops, bytes = flops + row.flops, bytes + row.bytes
    local sum = sums[row[by]]
    if row.seconds > 0 and sum.least > 0 then
      rows[#rows + 1] = { [by] = row[by], intensity = row.intensity,
        flops_per_second = row.flops_per_second * roofs.threads,
        bytes_per_second = row.bytes_per_second * roofs.threads, roof = row.flops / (sum.least * program.steps),
        share_of_roof = sum.least * program.steps * roofs.threads / row.seconds, bound = bound_of(sum),
        seconds = row.seconds }
    end
  end
  local step = overview.step_seconds.mean
  local self = { roofs = roofs, step = { intensity = bytes > 0 and flops / bytes or 0,
    flops_per_second = overview.flops_per_second, bound = bound_of(all),
    share_of_roof = step > 0 and all.least / step or 0 } }
  self.points = tables.new(rows, { by, "intensity decimal: FLOPs a byte", "flops_per_second scaled: FLOP/s",
    "bytes_per_second scaled: bytes/s", "roof scaled", "share_of_roof percent: of the roof", "bound",
    "seconds seconds: time" })
  return setmetatable(self, { __tostring = to_text, __name = "moonpod.profile_roofline" })
end

return roofline
