-- mesh - cores in a mesh with named axes, and how values are divided along them: Keras' DeviceMesh, TensorLayout and
-- LayoutMap. A value that is divided is kept as its parts, one behind the other in the order of cores. Of several
-- processes each has the parts of its own cores, which are neighbours.

local declare = require "moonpod.base.arguments"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"
local trace = require "moonpod.tensor.trace"
local is_whole = require "moonpod.base.kinds".is_whole

local mesh = {}

local MOST_AXES = 6

local Mesh = { __name = "moonpod.mesh" }
Mesh.__index = Mesh

function Mesh.__tostring(self)
  local texts = {}
  for m, size in ipairs(self.shape) do
    texts[m] = ("%s = %d"):format(self.axis_names[m], size)
  end
  return ("<mesh %s>"):format(table.concat(texts, ", "))
end

mesh.is = declare.is(Mesh)

-- Divides the cores among the processes that a resolver has found.
local function take_ranks(self, resolver)
  if type(resolver) ~= "table" or not resolver.num_replicas then
    errors.raise("mesh: 'resolver' must be one of pod.cluster.resolve; got %s", errors.describe(resolver))
  elseif resolver:num_replicas() ~= self.num_devices then
    errors.raise("mesh: it has %d cores, and %s has %d; give axes whose product that is", self.num_devices,
      tostring(resolver), resolver:num_replicas())
  end
  local ranks = resolver.ranks or { count = 1, rank = 0 }
  if self.num_devices % ranks.count ~= 0 then
    errors.raise("mesh: %d cores cannot be divided among %d ranks; start as many as divide them", self.num_devices,
      ranks.count)
  end
  self.num_ranks, self.rank, self.resolver = ranks.count, ranks.rank, resolver.devices and resolver or nil
  self.own_devices = self.num_devices / ranks.count
  self.first_device = ranks.rank * self.own_devices
end

--- Cores in a mesh: the sizes of its axes, and their names. The last axis is that of neighbours.
---@param shape integer[] how many cores there are along each axis
---@param axis_names string[] what the axes are called
---@param options.resolver resolver whose cores they are (default: of this process): with `mpi` those of all processes
---   that `mpirun` started, each of which has as many; with `pjrt` a plugin's devices. Each keeps its own parts alone
---@return mesh
---@see pod.distribute.layout_map pod.distribute.model_parallel
---@example pod.distribute.mesh({ 2, 4 }, { "data", "model" }).num_devices --> 8
function mesh.new(shape, axis_names, options)
  options = errors.check_options(options, { resolver = true }, "mesh")
  local self = { shape = {}, axis_names = {}, num_devices = 1, index = {} }
  local rank = type(shape) == "table" and #shape or 0
  if rank == 0 or rank > MOST_AXES or type(axis_names) ~= "table" or #axis_names ~= rank then
    errors.raise("mesh: give the sizes of 1 to %d axes and as many names: pod.distribute.mesh({ 2, 4 }, "
      .. "{ \"data\", \"model\" })", MOST_AXES)
  end
  for m = 1, rank do
    local size, name = shape[m], axis_names[m]
    if not is_whole(size, 1, 65536) then
      errors.raise("mesh: the size of axis %d must be a whole number from 1; got %s", m, errors.describe(size))
    elseif type(name) ~= "string" or name == "" or self.index[name] then
      errors.raise("mesh: the name of axis %d must be a text that no other axis has; got %s", m, errors.describe(name))
    end
    self.shape[m], self.axis_names[m], self.index[name] = size, name, m
    self.num_devices = self.num_devices * size
  end
  if self.num_devices > 65536 then
    errors.raise("mesh: there may be 65536 cores at most, not %g", self.num_devices)
  end
  self.num_ranks, self.rank, self.own_devices, self.first_device = 1, 0, self.num_devices, 0
  if options.resolver ~= nil then
    take_ranks(self, options.resolver)
  end
  return setmetatable(self, Mesh)
end

-- The place of an axis, by its name.
function Mesh:place(name, where)
  local place = self.index[name]
  if not place then
    errors.raise("%s: the mesh has no axis %s; its axes are %s", where, errors.describe(name),
      table.concat(self.axis_names, ", "))
  end
  return place
end

-- ---- layouts -------------------------------------------------------------------------------------------------

-- mesh; axes: of each axis of the mesh the axis of the value that it divides, from 0, or -1; stored: the value lies so
-- between steps, and is computed with as a whole.
local Layout = { __name = "moonpod.layout" }
Layout.__index = Layout

function mesh.layout(of_mesh, axes, stored)
  return setmetatable({ mesh = of_mesh, axes = axes, stored = stored or nil }, Layout)
end

-- The layout of a value that each core has whole.
function mesh.whole(of_mesh)
  local axes = {}
  for m in ipairs(of_mesh.shape) do
    axes[m] = -1
  end
  return mesh.layout(of_mesh, axes)
end

-- How many parts there are that differ.
function Layout:parts()
  local count = 1
  for m, size in ipairs(self.mesh.shape) do
    count = self.axes[m] >= 0 and count * size or count
  end
  return count
end

function Layout.__tostring(self)
  local texts = {}
  for m, axis in ipairs(self.axes) do
    if axis >= 0 then
      texts[#texts + 1] = ("axis %d by %s"):format(axis, self.mesh.axis_names[m])
    end
  end
  return #texts > 0 and "<layout: " .. table.concat(texts, ", ") .. ">" or "<layout: whole>"
end

-- Sizes of a value whose divided axes fall apart: dims; where each axis of the mesh is among them, and the rest of each
-- axis of the value.
local function apart(self, shape)
  local dims, places, rests = {}, {}, {}
  for k = 1, #shape do
    local left = shape[k]
    for m, size in ipairs(self.mesh.shape) do
      if self.axes[m] == k - 1 then
        dims[#dims + 1] = size
        places[m] = #dims
        left = left / size
      end
    end
    dims[#dims + 1] = left
    rests[k] = #dims
  end
  return dims, places, rests
end

-- The sizes of a core's part.
function Layout:part_dims(shape)
  local dims, _, rests = apart(self, shape)
  return tables.map(rests, function(place)
    return dims[place]
  end)
end

-- Axes of the mesh that divide something, then those of the value: from 0.
local function order_of(self, places, rests)
  local order = {}
  for m in ipairs(self.mesh.shape) do
    order[#order + 1] = places[m] and places[m] - 1
  end
  for _, place in ipairs(rests) do
    order[#order + 1] = place - 1
  end
  return order
end

-- What this process has of the parts of all cores.
local function own_parts(self, parts)
  local first, count = self.mesh.first_device, self.mesh.own_devices
  return count == self.mesh.num_devices and parts or ops.slice_axis(parts, 0, first, first + count)
end

-- The parts of all cores, of which each process has its own: all come here, at once where nothing is traced.
local function all_parts(self, parts)
  local of = self.mesh
  if of.num_ranks == 1 then
    return parts
  end
  local core, part, all = trace.new("core", "gather", trace.top()), tables.slice(shapes.dims(parts.shape), 2), nil
  trace.with(core, function()
    local one = core:parameter(parts.dtype, part, "part")
    all = trace.apply("all_gather", { one }, { axis = 0, count = of.num_devices })
  end)
  local graph = core.graph:extract(device.context(), { core:node(all) }, {})
  local gathers = graph:replicate { replicas = of.num_devices, ranks = of.num_ranks, rank = of.rank, own = true,
    parameters = { "per_replica" }, outputs = { "mirrored" } }
  graph:close()
  all = trace.inline(gathers, { parts })[1]
  gathers:close()
  if not trace.is_tracing() then
    trace.materialize(all)
  end
  return all
end

-- The parts of this process' cores, [cores, ...], of a value.
function Layout:split(value)
  local shape = value.shape
  local dims, places, rests = apart(self, shape)
  local own, all = {}, {}
  for m, size in ipairs(self.mesh.shape) do
    own[m], all[m] = places[m] and size or 1, size
  end
  local part = self:part_dims(shape)
  value = ops.transpose(ops.reshape(value, dims), order_of(self, places, rests))
  value = ops.broadcast_to(ops.reshape(value, tables.join(own, part)), tables.join(all, part))
  return own_parts(self, ops.reshape(value, tables.join({ self.mesh.num_devices }, part)))
end

-- The value of a shape that the parts of all cores are of, by those of this process.
function Layout:join(value, shape)
  local dims, places, rests = apart(self, shape)
  local part, all, kept, undo = self:part_dims(shape), {}, {}, {}
  for m, size in ipairs(self.mesh.shape) do
    all[m] = size
  end
  value = ops.reshape(all_parts(self, value), tables.join(all, part))
  for m, size in ipairs(self.mesh.shape) do
    if places[m] then
      kept[#kept + 1] = size
    else -- cores along this axis have the same
      value = ops.slice_axis(value, m - 1, 0, 1)
    end
  end
  for to, from in ipairs(order_of(self, places, rests)) do
    undo[from + 1] = to - 1
  end
  assert(#undo == #dims)
  value = ops.transpose(ops.reshape(value, tables.join(kept, part)), undo)
  return ops.reshape(value, shapes.dims(shape))
end

-- ---- layout maps -----------------------------------------------------------------------------------------------

local Map = { __name = "moonpod.layout_map" }

mesh.is_map = declare.is(Map)

--- Which axes of weights the axes of a mesh divide: `map[pattern] = { axis of the mesh or nil, ... }`, one entry for
--- each axis of the weight. The pattern is one of Lua and is looked for in the weight's name, as "dense/kernel".
--- ```lua
--- local mesh = pod.distribute.mesh({ 1, 2 }, { "data", "model" })
--- local map = pod.distribute.layout_map(mesh)
--- map["dense.*kernel"] = { nil, "model" }
--- assert(tostring(map:get("dense_1/kernel", { 8, 4 })) == "<layout: axis 1 by model>")
--- ```
---@param of_mesh mesh pod.distribute.mesh
---@return layout_map
---@see pod.distribute.model_parallel
function mesh.layout_map(of_mesh)
  if not mesh.is(of_mesh) then
    errors.raise("layout_map needs a mesh: pod.distribute.mesh({ 2, 4 }, { \"data\", \"model\" })")
  end
  return setmetatable({ mesh = of_mesh, _patterns = {}, _entries = {} }, Map)
end

local methods = {}

function Map.__index(self, key)
  return methods[key] or rawget(self, "_entries")[key]
end

function Map.__newindex(self, pattern, entry)
  if type(pattern) ~= "string" or not pcall(string.find, "", pattern) then
    errors.raise("layout_map: the key must be a pattern of Lua for names of weights, as \"dense.*kernel\"; got %s",
      errors.describe(pattern))
  elseif entry ~= nil and type(entry) ~= "table" then
    errors.raise("layout_map[\"%s\"]: give an axis of the mesh, or nil, for each axis of the weight: { nil, \"%s\" }",
      pattern, self.mesh.axis_names[#self.mesh.axis_names])
  end
  local used = {}
  for axis, name in pairs(entry or {}) do
    local m = self.mesh:place(name, ("layout_map[\"%s\"]"):format(pattern))
    if not is_whole(axis, 1, 8) or used[m] then
      errors.raise("layout_map[\"%s\"]: give each axis of the weight another axis of the mesh, or nil", pattern)
    end
    used[m] = true
  end
  if entry and not self._entries[pattern] then
    table.insert(self._patterns, pattern)
  end
  self._entries[pattern] = entry
end

-- The layout of a weight whose axes some pattern divides; nil: none does.
local function layout_of(self, pattern, entry, name, shape)
  local axes = mesh.whole(self.mesh).axes
  for axis, along in pairs(entry) do
    local m = self.mesh.index[along]
    local size = self.mesh.shape[m]
    if axis > #shape then
      errors.raise("layout_map[\"%s\"]: weight '%s' has shape %s, and no axis %d", pattern, name,
        table.concat(shapes.dims(shape), " x "), axis - 1)
    elseif shape[axis] % size ~= 0 then
      errors.raise("layout_map[\"%s\"]: axis %d of weight '%s' has %d entries, which do not divide among the %d cores "
        .. "along '%s'", pattern, axis - 1, name, shape[axis], size, along)
    end
    axes[m] = axis - 1
  end
  return mesh.layout(self.mesh, axes)
end

---@name layout_map
--- Which axes of weights the axes of a mesh divide, by patterns of names: `pod.distribute.layout_map(mesh)`.
---@example pod.distribute.layout_map(pod.distribute.mesh({ 2 }, { "model" })) ~= nil --> true

--- How a weight of a name and shape is divided; nil where no pattern is found in the name. A pattern that is the whole
--- name comes first; two others that are found are an error.
--- ```lua
--- local map = pod.distribute.layout_map(pod.distribute.mesh({ 2 }, { "model" }))
--- assert(map:get("dense/bias", { 4 }) == nil)
--- ```
function methods:get(name, shape)
  local found = self._entries[name] and name
  for _, pattern in ipairs(found and {} or self._patterns) do
    if self._entries[pattern] and name:find(pattern) then
      if found then
        errors.raise("layout_map: '%s' is found by both \"%s\" and \"%s\": make one of them narrower", name, found,
          pattern)
      end
      found = pattern
    end
  end
  return found and layout_of(self, found, self._entries[found], name, shape) or nil
end

declare.methods("layout_map", methods, mesh.is_map, { ["name:string shape:integers"] = "get" })

return mesh
