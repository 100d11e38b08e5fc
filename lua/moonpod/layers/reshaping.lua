-- Layers that move elements: flatten, reshape, permute, repeat, pad, crop, enlarge.

local check = require "moonpod.layers.check"
local data_format = require "moonpod.layers.data_format"
local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local ops = require "moonpod.ops"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local is_whole = require "moonpod.base.kinds".is_whole

local reshaping = {}

---@name pod.layers.flatten
--- Makes one axis of all but the batch: `(batch, 2, 3)` becomes `(batch, 6)`.
---@return layer
---@example pod.layers.flatten()(pod.ones { 4, 2, 3 }).shape --> (4, 6)
reshaping.flatten = layer.define { name = "Flatten" }

function reshaping.flatten:call(x)
  if #x.shape == 0 then
    check.fail(self, " wants a batch of samples, (batch, ...); got one number")
  end
  return ops.reshape(x, { x.shape[1], shapes.product(x.shape, 2) })
end
data_format.add(reshaping.flatten, true)

---@name pod.layers.reshape
--- Gives rows another shape of as many values.
---@param options.target_shape integer[] the shape without the batch; one size may be -1
---@return layer
---@error the number of values is another
---@example pod.layers.reshape({ 3, -1 })(pod.ones { 4, 6 }).shape --> (4, 3, 2)
reshaping.reshape = layer.define {
  name = "Reshape",
  arguments = { "target_shape" },
  checks = { target_shape = function(value)
    if type(value) ~= "table" then
      return "must be a list of sizes"
    end
    local unknown = 0
    for _, size in ipairs(value) do
      if not is_whole(size, -1) or size == 0 then
        return "must hold whole numbers from 1, and at most one -1"
      end
      unknown = unknown + (size == -1 and 1 or 0)
    end
    if unknown > 1 then
      return "must hold at most one -1"
    end
  end },
  example = "layers.reshape({ 28, 28, 1 })",
}

function reshaping.reshape:call(x)
  local total, known, shape = shapes.product(x.shape, 2), 1, { x.shape[1] }
  for _, size in ipairs(self.config.target_shape) do
    if size ~= -1 then
      known = known * size
    end
  end
  for i, size in ipairs(self.config.target_shape) do
    shape[i + 1] = size == -1 and math.floor(total / known) or size
    known = size == -1 and total or known
  end
  if known ~= total then
    check.fail(self, ": a sample of shape %s has %d elements; the target shape %s has %d", tostring(x.shape), total,
      errors.describe(self.config.target_shape), known)
  end
  return ops.reshape(x, shape)
end

---@name pod.layers.permute
--- Puts axes into another order.
---@param options.dims integer[] the axes of the input, from 1, that axis 1, 2, ... of the output are
---@return layer
---@example pod.layers.permute({ 2, 1 })(pod.ones { 4, 5, 6 }).shape --> (4, 6, 5)
reshaping.permute = layer.define {
  name = "Permute",
  arguments = { "dims" },
  example = "layers.permute({ 2, 1 })",
  checks = { dims = function(value)
    if type(value) ~= "table" then
      return "must be a list of axes, counted from 1"
    end
    local seen = tables.set_of(value)
    for i = 1, #value do
      if not seen[i] then
        return "must hold each of 1 to " .. #value .. " once"
      end
    end
  end },
}

function reshaping.permute:call(x)
  if #self.config.dims ~= #x.shape - 1 then
    check.fail(self, ": dims has %d axes; the samples have %d", #self.config.dims, #x.shape - 1)
  end
  return ops.transpose(x, tables.join({ 0 }, self.config.dims))
end

---@name pod.layers.repeat_vector
--- Repeats each row: `(batch, features)` becomes `(batch, n, features)`.
---@param options.n integer how often
---@return layer
---@example pod.layers.repeat_vector(3)(pod.ones { 4, 2 }).shape --> (4, 3, 2)
reshaping.repeat_vector = layer.define {
  name = "RepeatVector",
  input_spec = { rank = 2 },
  arguments = { "n" },
  checks = { n = check.positive_integer },
  example = "layers.repeat_vector(3)",
}

function reshaping.repeat_vector:call(x)
  return ops.broadcast_to(ops.expand_dims(x, 1), { x.shape[1], self.config.n, x.shape[2] })
end

-- n, { a, b } or { { low, high }, ... } as a list of { low, high }, one an axis.
local function read_pairs(value, rank, where)
  local out = {}
  for i = 1, rank do
    local one = value
    if type(value) == "table" and (rank > 1 or type(value[1]) == "table") then
      one = value[i]
    end
    if type(one) == "number" then
      one = { one, one }
    end
    if type(one) ~= "table" or type(one[1]) ~= "number" or type(one[2]) ~= "number" or one[1] < 0 or one[2] < 0 then
      errors.raise("%s: amounts must be whole numbers from 0, pairs of them, or one a spatial axis; got %s",
        where, errors.describe(value))
    end
    out[i] = one
  end
  return out
end

-- A layer that adds to the spatial axes or takes from them: so many at their sides as the option of this name says.
local function define_sides(name, option, default, rank, call)
  local class = layer.define {
    name = name .. rank .. "D",
    input_spec = { rank = rank + 2 },
    arguments = { option },
    defaults = { [option] = default },
  }
  function class:setup(config)
    self._amounts = read_pairs(config[option], rank, self.function_name)
  end
  class.call = call
  return class
end

---@name pod.layers.zero_padding1d pod.layers.zero_padding2d pod.layers.zero_padding3d
--- Adds zeros around the spatial axes.
---@param options.padding integer|integer[]|table how many: a number, one for each axis, or { before, after } for each
---@return layer
---@example pod.layers.zero_padding2d(1)(pod.ones { 1, 2, 2, 3 }).shape --> (1, 4, 4, 3)
local function define_padding(rank)
  return define_sides("ZeroPadding", "padding", 1, rank, function(self, x)
    return ops.pad(x, tables.join({ { 0, 0 } }, self._amounts, { { 0, 0 } }))
  end)
end

---@name pod.layers.cropping1d pod.layers.cropping2d pod.layers.cropping3d
--- Cuts off the ends of the spatial axes.
---@param options.cropping integer|integer[]|table how many: a number, one for each axis, or { before, after } for each
---@return layer
---@example pod.layers.cropping1d(1)(pod.ones { 1, 4, 3 }).shape --> (1, 2, 3)
local function define_cropping(rank)
  return define_sides("Cropping", "cropping", rank == 2 and 0 or 1, rank, function(self, x)
    local low, size = { 0 }, { x.shape[1] }
    for i = 1, rank do
      local cut = self._amounts[i]
      low[i + 1], size[i + 1] = cut[1], x.shape[i + 1] - cut[1] - cut[2]
      if size[i + 1] < 1 then
        check.fail(self, ": axis %d has size %d; cropping %d and %d leaves nothing", i, x.shape[i + 1], cut[1], cut[2])
      end
    end
    low[rank + 2], size[rank + 2] = 0, x.shape[rank + 2]
    return ops.slice(x, low, size)
  end)
end

-- A matrix [out, in] that interpolates linearly between the centres of cells (half-pixel centres).
local function linear_matrix(size, times)
  local rows = {}
  for o = 0, size * times - 1 do
    local at = (o + 0.5) / times - 0.5
    local low = math.floor(at)
    local part = at - low
    local row = shapes.fill(size, 0)
    local a, b = math.min(math.max(low, 0), size - 1), math.min(math.max(low + 1, 0), size - 1)
    row[a + 1] = row[a + 1] + 1 - part
    row[b + 1] = row[b + 1] + part
    rows[o + 1] = row
  end
  return rows
end

local function resize_linear(x, times)
  local rows = tensor.new(linear_matrix(x.shape[2], times[1]), { dtype = x.dtype })
  local columns = tensor.new(linear_matrix(x.shape[3], times[2]), { dtype = x.dtype })
  local half = ops.einsum("oh,bhwc->bowc", rows, x)
  return ops.einsum("pw,bowc->bopc", columns, half)
end

---@name pod.layers.up_sampling1d pod.layers.up_sampling2d pod.layers.up_sampling3d
--- Repeats places along the spatial axes, or, in two dimensions, finds values between them.
---@param options.size integer|integer[] how often, by axis
---@return layer
---@example pod.layers.up_sampling2d(2)(pod.ones { 1, 2, 2, 3 }).shape --> (1, 4, 4, 3)
local function define_up_sampling(rank)
  local class = layer.define {
    name = "UpSampling" .. rank .. "D",
    input_spec = { rank = rank + 2 },
    arguments = { "size" },
    defaults = { size = 2, interpolation = "nearest" },
    checks = { size = check.sizes(rank),
      interpolation = rank == 2 and check.one_of("nearest", "bilinear") or check.one_of("nearest") },
  }
  function class:call(x)
    local times = check.list(self.config.size, rank)
    if self.config.interpolation == "bilinear" then
      return resize_linear(x, times)
    end
    for i = 1, rank do
      x = times[i] == 1 and x or ops.repeat_(x, times[i], i)
    end
    return x
  end
  return class
end

for rank = 1, 3 do
  reshaping["zero_padding" .. rank .. "d"] = data_format.add(define_padding(rank))
  reshaping["cropping" .. rank .. "d"] = data_format.add(define_cropping(rank))
  reshaping["up_sampling" .. rank .. "d"] = data_format.add(define_up_sampling(rank))
end

return reshaping
