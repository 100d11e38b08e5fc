-- roofline - what ops achieve, and what this machine could: operations a second, by operations for each byte that is
-- read or written. The roofs are measured, not read off a list.

local machine = require "moonpod.profiler.machine"
local op_stats = require "moonpod.profiler.op_stats"
local tables = require "moonpod.profiler.tables"

local roofline = {}

local measured

local SIZES = { 512, 1024 } -- rows, depth and columns of the products that are timed
local ROUNDS = 3 -- of which the best counts

-- What this machine does at most, on all its threads: { float32 = (FLOP/s), bfloat16 =, bytes = (bytes/s) }. Measured
-- once, in some tenths of a second.
function roofline.roofs()
  if not measured then
    local best = { float32 = 0, bfloat16 = 0, bytes = 0 }
    for _ = 1, ROUNDS do
      for _, size in ipairs(SIZES) do
        best.float32 = math.max(best.float32, machine.product_rate(size, size, size, "float32"))
        best.bfloat16 = math.max(best.bfloat16, machine.product_rate(size, size, size, "bfloat16"))
      end
      best.bytes = math.max(best.bytes, machine.byte_rate())
    end
    measured = best
  end
  return measured
end

-- How many threads took part in the instructions.
local function threads_of(recording)
  local count = 0
  for _, lane in ipairs(recording.lanes) do
    count = count + (lane.parts.compute > 0 and 1 or 0)
  end
  return math.max(count, 1)
end

local function bound(roofs, half, intensity)
  local peak = half and roofs.bfloat16 or roofs.float32
  return math.min(peak, intensity * roofs.bytes), intensity * roofs.bytes < peak and "memory" or "compute"
end

local function to_text(self)
  local lines = { ("roofline: %s FLOP/s in float32, %s in bfloat16, %s/s of memory; measured on this machine"):format(
    tables.scaled(self.roofs.float32), tables.scaled(self.roofs.bfloat16), tables.bytes(self.roofs.bytes)),
    ("a step achieves %s FLOP/s, %s of its roof"):format(tables.scaled(self.step.flops_per_second),
      tables.percent(self.step.share_of_roof)), tostring(self.points) }
  return table.concat(lines, "\n")
end

-- A roofline: points (rows: op, intensity, flops_per_second on all threads, share_of_roof, bound by "memory" or
-- "compute", seconds), step (the same of a whole step), roofs. by: as of op_stats.
function roofline.new(recording, overview, program, by, stats)
  local roofs, threads, rows = roofline.roofs(), threads_of(recording), {}
  local half = {}
  for i, one in ipairs(program or {}) do
    half[op_stats.name_of(by, one, i)] = one.is_half or nil
  end
  local flops, bytes, seconds = 0, 0, 0
  for _, row in ipairs(stats) do
    flops, bytes, seconds = flops + row.flops, bytes + row.bytes, seconds + row.seconds
    if row.flops > 0 and row.bytes > 0 and row.seconds > 0 then
      local most, by_what = bound(roofs, half[row[by]], row.intensity)
      local achieved = row.flops_per_second * threads
      rows[#rows + 1] = { [by] = row[by], intensity = row.intensity, flops_per_second = achieved, roof = most,
        share_of_roof = achieved / most, bound = by_what, seconds = row.seconds }
    end
  end
  local intensity = bytes > 0 and flops / bytes or 0
  local most, by_what = bound(roofs, overview.half_share > 0.5, intensity)
  local self = { roofs = roofs, step = { intensity = intensity, flops_per_second = overview.flops_per_second,
    bound = by_what, share_of_roof = most > 0 and overview.flops_per_second / most or 0 } }
  self.points = tables.new(rows, { columns = { { key = by }, { key = "intensity", title = "FLOPs a byte",
    show = tables.decimal }, { key = "flops_per_second", title = "FLOP/s", show = tables.scaled },
    { key = "roof", show = tables.scaled }, { key = "share_of_roof", title = "of the roof", show = tables.percent },
    { key = "bound" }, { key = "seconds", title = "time", show = tables.seconds } } })
  return setmetatable(self, { __tostring = to_text, __name = "moonpod.profile_roofline" })
end

return roofline
