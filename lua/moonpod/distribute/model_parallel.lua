-- model_parallel - a strategy whose cores divide the values of one model: Keras' ModelParallel.

local errors = require "moonpod.base.errors"
local shapes = require "moonpod.base.shapes"
local strategies = require "moonpod.func.strategies"
local tables = require "moonpod.base.tables"

local model_parallel = {}

local Strategy = strategies.Strategy

-- What only a strategy with a mesh needs is loaded with the first one.
local function meshes()
  return require "moonpod.distribute.mesh"
end

-- Divides the longest axis that the mesh's axis for batches can divide further.
local function over_batch(self, layout, shape)
  local m = self.batch_axis
  local size, part = self.mesh.shape[m], layout:part_dims(shape)
  local best
  for k = 1, #part do
    if part[k] > 0 and part[k] % size == 0 and part[k] == shape[k] and (not best or part[k] > part[best]) then
      best = k
    end
  end
  if not best or size == 1 or layout.axes[m] >= 0 then
    return layout
  end
  local axes = { (table.unpack or unpack)(layout.axes) } -- luacheck: ignore
  axes[m] = best - 1
  return meshes().layout(self.mesh, axes, true)
end

local function or_none(layout)
  return layout:parts() > 1 and layout or nil
end

-- What func.variable and optimizers ask of a strategy.
local layouts = {}

-- How a variable that is made is divided; nil: each core has it whole.
function layouts.of_variable(self, variable)
  local shape = shapes.dims(variable.shape)
  local layout = self.layout_map:get(variable.name, shape) or meshes().whole(self.mesh)
  if self.shard_weights and variable.trainable then
    layout = over_batch(self, layout, shape)
  end
  return or_none(layout)
end

-- How a slot of an optimizer is divided: as its weight, where it is as large.
function layouts.of_slot(self, weight, shape)
  local dims = shapes.dims(shape)
  local layout = meshes().whole(self.mesh)
  if rawget(weight, "_layout") and table.concat(dims, " ") == table.concat(shapes.dims(weight.shape), " ") then
    layout = weight._layout
  end
  if self.shard_optimizer then
    layout = over_batch(self, layout, dims)
  end
  return or_none(layout)
end

--- The bytes that a core needs for the step that needs most so far. `need_bytes` is the sum of `argument_bytes`, which
--- are its parts of weights, state and batch, and `temporary_bytes`, which it computes besides. One core with all would
--- have `whole_argument_bytes`. For strategies with a `memory_limit`.
--- ```lua
--- local map = pod.distribute.layout_map(pod.distribute.mesh({ 1, 4 }, { "data", "model" }))
--- map["w"] = { "model" }
--- local strategy = pod.distribute.model_parallel { layout_map = map, memory_limit = 2 ^ 20 }
--- local w = strategy:scope(function() return pod.variable(pod.ones { 1024 }, { name = "w" }) end)
--- strategy:run(function() w:assign(w * 2) end)
--- assert(strategy:core_memory().argument_bytes == 1024)
--- ```
function Strategy:core_memory()
  local memory = rawget(self, "_memory")
  if not memory then
    errors.raise("strategy:core_memory: make a model_parallel strategy with a memory_limit, and trace a step")
  end
  return tables.merge(memory)
end

--- Cores of a mesh that train one model together: what its layout map says of weights is divided among them, with the
--- optimizer's state and what is computed, and rows of batches along one axis of the mesh. The numbers are those of one
--- core; what is exchanged for that is found by how values are divided.
---@param options.layout_map layout_map pod.distribute.layout_map: which weights are divided, and how
---@param options.batch_dim_name string the axis of the mesh that divides batches (default: the first)
---@param options.shard_optimizer boolean the axis for batches divides the optimizer's state as well (ZeRO-1)
---@param options.shard_weights boolean and weights, which are gathered where they are used (FSDP)
---@param options.memory_limit integer most bytes that a core may need; a step that needs more raises before it runs
---@return strategy
--- ```lua
--- local mesh = pod.distribute.mesh({ 1, 2 }, { "data", "model" })
--- local map = pod.distribute.layout_map(mesh)
--- map["dense.*kernel"] = { nil, "model" }
--- local strategy = pod.distribute.model_parallel { layout_map = map }
--- local model = strategy:scope(function()
---   return pod.models.sequential { pod.layers.dense(8, { input_shape = { 4 } }) }
--- end)
--- assert(model:predict(pod.ones { 6, 4 }, { verbose = 0 }).shape[2] == 8)
--- ```
function model_parallel.new(options)
  options = errors.check_options(options, { layout_map = true, batch_dim_name = "string", shard_optimizer = "boolean",
    shard_weights = "boolean", memory_limit = "number" }, "model_parallel")
  local map = options.layout_map
  if not meshes().is_map(map) then
    errors.raise("model_parallel: 'layout_map' must be one of pod.distribute.layout_map; got %s", errors.describe(map))
  end
  local self = strategies.new("model_parallel", 1, map.mesh.resolver)
  self.mesh, self.layout_map = map.mesh, map
  if map.mesh.num_ranks > 1 then
    self.num_ranks, self.rank = map.mesh.num_ranks, map.mesh.rank
  end
  local name = options.batch_dim_name or map.mesh.axis_names[1]
  self.batch_dim_name, self.batch_axis = name, map.mesh:place(name, "model_parallel: 'batch_dim_name'")
  self.shard_weights = options.shard_weights or false
  self.memory_limit, self._layouts = options.memory_limit, layouts
  self.shard_optimizer = options.shard_optimizer or self.shard_weights
  return self
end

return model_parallel
