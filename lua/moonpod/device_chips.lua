-- device_chips - what resolvers know of TPU generations: names of slices, chips, cores, hosts.

local chips = {}

-- counts: what the number in a name counts. devices: what a chip is seen as (two cores that are one device
-- are a megacore). hbm_bytes: of a device. host_shape: chips of a host. legal: numbers in names.
chips.generations = {
  v2 = { cores = 2, devices = 2, counts = "cores", hbm_bytes = 8 * 2 ^ 30, chips_per_host = 4, axes = 2,
    legal = { 8, 32, 128, 256, 512 } },
  v3 = { cores = 2, devices = 2, counts = "cores", hbm_bytes = 16 * 2 ^ 30, chips_per_host = 4, axes = 2,
    legal = { 8, 32, 64, 128, 256, 512, 1024, 2048 } },
  v4 = { cores = 2, devices = 1, counts = "cores", hbm_bytes = 32 * 2 ^ 30, chips_per_host = 4, axes = 3,
    legal = { 8, 16, 32, 64, 128, 256, 384, 512, 1024, 2048, 4096 } },
  v5e = { cores = 1, devices = 1, counts = "chips", hbm_bytes = 16 * 2 ^ 30, chips_per_host = 8, axes = 2,
    legal = { 1, 4, 8, 16, 32, 64, 128, 256 } },
  v5p = { cores = 2, devices = 1, counts = "cores", hbm_bytes = 96 * 2 ^ 30, chips_per_host = 4, axes = 3,
    legal = { 8, 16, 32, 64, 128, 256, 384, 512, 1024, 2048, 4096, 6144, 12288 } },
  v6e = { cores = 1, devices = 1, counts = "chips", hbm_bytes = 32 * 2 ^ 30, chips_per_host = 8, axes = 2,
    legal = { 1, 4, 8, 16, 32, 64, 128, 256 } },
  v7x = { cores = 2, devices = 2, counts = "cores", hbm_bytes = 96 * 2 ^ 30, chips_per_host = 4, axes = 3,
    legal = { 8, 16, 32, 64, 128, 256, 384, 512, 1024, 2048, 4096 } },
}

chips.names = { "v2", "v3", "v4", "v5e", "v5p", "v6e", "v7x" }

local aliases = { v5litepod = "v5e", v5lite = "v5e", v6 = "v6e", tpu7x = "v7x", v7 = "v7x" }

-- Splits "v3-8" into "v3" and 8; nil for what is no such name.
function chips.parse(name)
  local generation, number = tostring(name):match("^(%w+)%-(%d+)$")
  if not generation then
    return nil
  end
  return aliases[generation] or generation, tonumber(number)
end

-- The chips of a slice.
function chips.chip_count(generation, number)
  local entry = chips.generations[generation]
  return entry.counts == "cores" and math.floor(number / entry.cores) or number
end

-- The sizes of the torus: as near to a square (cube) as powers of two allow.
function chips.topology(generation, number)
  local entry = chips.generations[generation]
  local left = chips.chip_count(generation, number)
  local sizes = entry.axes == 2 and { 1, 1 } or { 1, 1, 1 }
  while left > 1 do
    local factor = left % 2 == 0 and 2 or left % 3 == 0 and 3 or left
    -- the axis that grows is the last of the smallest in 2D, the first of the smallest in 3D
    local axis = 1
    for i = 2, #sizes do
      local smaller = entry.axes == 2 and sizes[i] <= sizes[axis] or sizes[i] < sizes[axis]
      if smaller then
        axis = i
      end
    end
    sizes[axis] = sizes[axis] * factor
    left = math.floor(left / factor)
  end
  table.sort(sizes)
  if entry.axes == 3 and sizes[1] == 1 then
    sizes[1], sizes[3] = sizes[3], sizes[1]
  end
  return sizes
end

return chips
