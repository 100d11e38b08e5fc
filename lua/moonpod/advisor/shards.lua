-- shards - what one device has of arrays that a StableHLO module divides by notes (sdy.sharding, mhlo.sharding).

local errors = require "moonpod.base.errors"
local padding = require "moonpod.tpu.padding"

local shards = {}

-- The meshes of a module's text: { name = { axis = size } }, from `sdy.mesh @mesh = <["data"=4, "model"=2]>` or the
-- generic form.
function shards.meshes(text)
  local meshes = {}
  local function add(name, axes)
    local sizes = {}
    for axis, size in axes:gmatch '"([^"]+)"%s*=%s*(%d+)' do
      sizes[axis] = tonumber(size)
    end
    meshes[name] = sizes
  end
  for name, axes in text:gmatch 'sdy%.mesh @([%w_.$]+)%s*=%s*<%[(.-)%]' do
    add(name, axes)
  end
  for axes, name in text:gmatch '#sdy%.mesh<%[([^%]]*)%]>,%s*sym_name%s*=%s*"([^"]+)"' do
    add(name, axes)
  end
  return meshes
end

-- Into how many parts axes of a mesh, as they stand in {"data", "model":(1)2}, divide a size; nil for unknown ones.
local function parts_of(axes, mesh)
  local parts = 1
  for name, rest in axes:gmatch '"([^"]+)"([^",}]*)' do
    local size = tonumber(rest:match "^%s*:%(%d+%)(%d+)") or mesh[name]
    if not size then
      return nil
    end
    parts = parts * size
  end
  return parts
end

-- How often each axis is divided: a list of as many numbers as there are axes; nil where the note is not understood.
local function divisions(sharding, rank, meshes)
  local list = {}
  local mesh, dims = sharding:match "<@([%w_.$]+),%s*%[(.*)%]"
  if mesh then
    for axes in dims:gmatch "{([^}]*)}" do
      list[#list + 1] = meshes[mesh] and parts_of(axes, meshes[mesh])
    end
  elseif sharding:find("{replicated}", 1, true) then
    for i = 1, rank do
      list[i] = 1
    end
  else
    for size in (sharding:match "devices=%[([%d,]+)%]" or ""):gmatch "%d+" do
      list[#list + 1] = #list < rank and tonumber(size) or nil
    end
  end
  return #list == rank and list or nil
end

-- The bytes that one device has of parameters (or outputs) on a chip, padded; nil where a note is not understood.
-- Arrays without a note are whole on each.
function shards.bytes(arrays, meshes, chip)
  local sum = 0
  for _, array in ipairs(arrays) do
    local parts = array.sharding and divisions(array.sharding, #array.shape, meshes)
    if array.sharding and not parts then
      return nil
    end
    local shape = {}
    for i, size in ipairs(array.shape) do
      shape[i] = math.ceil(size / (parts and math.max(1, parts[i]) or 1))
    end
    -- the order of axes is chosen for the whole array
    local ok, one = errors.attempt(function()
      local whole = padding.measure { shape = array.shape, dtype = array.dtype, chip = chip }
      return padding.measure { shape = shape, dtype = array.dtype, chip = chip, layout = whole.minor_to_major }
    end)
    if not ok then
      return nil
    end
    sum = sum + one.padded_bytes
  end
  return sum
end

return shards
