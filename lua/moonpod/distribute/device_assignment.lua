-- device_assignment - which cores each replica of a strategy has, where a replica spans several.

local errors = require "moonpod.base.errors"
local is_whole = require "moonpod.base.kinds".is_whole

local Assignment = { __name = "moonpod.device_assignment" }
Assignment.__index = Assignment

local AXES = 4 -- x, y, z, core within a chip

local function is_count(value)
  return is_whole(value, 1)
end

-- Sizes along x, y, z and core of a topology of pod.cluster.initialize, of a resolver or of pod.topology.
local function mesh_of(topology)
  local shape, devices, chips
  if type(topology) == "table" and topology.metadata then
    local metadata = topology:metadata()
    shape, devices, chips = metadata.topology, topology:num_replicas(), metadata.num_chips
  elseif type(topology) == "table" and topology.num_chips then
    shape, chips = topology.mesh_shape or topology.shape, topology.num_chips
    devices = topology.device_coordinates and #topology.device_coordinates or topology.num_devices
  else
    errors.raise("device_assignment: argument 1 must be what pod.cluster.initialize(resolver) returns, a resolver or "
      .. "pod.topology \"v3-8\"; got %s", errors.describe(topology))
  end
  return { shape[1], shape[2] or 1, shape[3] or 1, math.floor(devices / chips) }
end

local function check_shape(given, mesh)
  if type(given) ~= "table" or #given ~= AXES then
    errors.raise("device_assignment: 'computation_shape' must be a list of 4 sizes (x, y, z, cores of a chip); got %s",
      errors.describe(given))
  end
  for axis = 1, AXES do
    if not is_count(given[axis]) or mesh[axis] % given[axis] ~= 0 then
      errors.raise("device_assignment: 'computation_shape' %s does not divide the mesh %s (x, y, z, cores of a chip)",
        errors.describe(given), errors.describe(mesh))
    end
  end
  return given
end

-- Calls visit(place) for all places of a box, cores first, then x, y and z: the order in which devices count.
local function each_place(sizes, visit)
  for z = 0, sizes[3] - 1 do
    for y = 0, sizes[2] - 1 do
      for x = 0, sizes[1] - 1 do
        for core = 0, sizes[4] - 1 do
          visit { x, y, z, core }
        end
      end
    end
  end
end

-- Divides the cores of a topology among replicas. Options: computation_shape, the box { x, y, z, cores } of cores that
-- one replica has (one core), and num_replicas (all that fit). Cores are what pod.devices "TPU" lists.
local function build(topology, options)
  options = errors.check_options(options, { "computation_shape", "num_replicas" }, "device_assignment")
  local mesh = mesh_of(topology)
  local shape = check_shape(options.computation_shape or { 1, 1, 1, 1 }, mesh)
  local blocks, most, cores = {}, 1, 1
  for axis = 1, AXES do
    blocks[axis] = math.floor(mesh[axis] / shape[axis])
    most, cores = most * blocks[axis], cores * shape[axis]
  end
  local replicas = options.num_replicas or most
  if not is_count(replicas) or replicas > most then
    errors.raise("device_assignment: 'num_replicas' must be a whole number from 1 to %d: so many boxes %s are in the "
      .. "mesh %s; got %s", most, errors.describe(shape), errors.describe(mesh), errors.describe(replicas))
  end
  local assigned = {}
  each_place(blocks, function(block)
    if #assigned == replicas then
      return
    end
    local own = {}
    each_place(shape, function(place)
      for axis = 1, AXES do
        place[axis] = place[axis] + block[axis] * shape[axis]
      end
      own[#own + 1] = place
    end)
    assigned[#assigned + 1] = own
  end)
  return setmetatable({
    mesh_shape = mesh,
    computation_shape = shape,
    num_replicas = replicas,
    num_cores_per_replica = cores,
    core_assignment = assigned, -- [replica][logical core] -> { x, y, z, core }, arrays from 1
  }, Assignment)
end

function Assignment:__tostring()
  return ("<device assignment: %d replicas of %d cores>"):format(self.num_replicas, self.num_cores_per_replica)
end

-- Place { x, y, z, core } of a replica's logical core; both count from 0.
function Assignment:coordinates(replica, logical_core)
  local own = self.core_assignment[(tonumber(replica) or -1) + 1]
  local place = own and own[(tonumber(logical_core or 0) or -1) + 1]
  if not place then
    errors.raise("device_assignment:coordinates: there are replicas 0 to %d with cores 0 to %d; got %s and %s",
      self.num_replicas - 1, self.num_cores_per_replica - 1, errors.describe(replica), errors.describe(logical_core))
  end
  return place
end

-- Number of the device that a replica's logical core is, from 0.
function Assignment:device(replica, logical_core)
  local place, mesh = self:coordinates(replica, logical_core), self.mesh_shape
  return place[4] + mesh[4] * (place[1] + mesh[1] * (place[2] + mesh[2] * place[3]))
end

return {
  build = build,
  is = function(value)
    return type(value) == "table" and getmetatable(value) == Assignment
  end,
}
