-- device_chips - what resolvers know of TPU generations: names of slices, chips, cores, hosts. The list itself
-- is core/chip's.

local core = require "moonpod.core"

local chips = { generations = {}, names = {} }

-- counts: what the number in a name counts. devices: what a chip is seen as (two cores that are one device
-- are a megacore). hbm_bytes: of a device. legal: numbers in names.
for i, chip in ipairs(core.chips()) do
  local legal = {}
  for j, slice in ipairs(core.slices(chip.name)) do
    legal[j] = slice.number
  end
  chips.names[i] = chip.name
  chips.generations[chip.name] = {
    cores = chip.cores,
    devices = chip.devices,
    counts = chip.name_counts,
    hbm_bytes = math.floor(chip.hbm_bytes / chip.devices),
    chips_per_host = chip.chips_per_host,
    axes = chip.torus_rank,
    legal = legal,
  }
end

-- Splits "v3-8" into "v3" and 8; nil for what is no such name.
function chips.parse(name)
  local generation, number = tostring(name):match("^(%w+)%-(%d+)$")
  if not generation then
    return nil
  end
  return core.chip_name(generation) or generation, tonumber(number)
end

-- The chips of a slice.
function chips.chip_count(generation, number)
  local entry = chips.generations[generation]
  return entry.counts == "cores" and math.floor(number / entry.cores) or number
end

-- The sizes of the torus. Parts of a host that have no name of their own are two chips wide.
function chips.topology(generation, number)
  local ok, slice = pcall(core.slice, generation .. "-" .. number)
  if ok then
    return slice.shape
  end
  local count = chips.chip_count(generation, number)
  return count == 2 and { 1, 2 } or { 2, math.floor(count / 2) }
end

return chips
