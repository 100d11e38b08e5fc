--- Initializers: what makes the first values of weights, with Keras' names and formulas. A layer takes one by name or
--- as an object; called with a shape it gives a tensor.
---@param options.seed integer makes what is drawn the same each time
---@param options.gain number a factor
---@param options.mean number the mean
---@param options.stddev number the standard deviation
---@param options.minval number the lowest value
---@param options.maxval number the highest value
---@example pod.initializers.constant(3)({ 2 }) --> { 3, 3 }

-- initializers - functions of shape and dtype that make the first values of variables; Keras' names and
-- formulas.

local above = require "moonpod.base.above"
local around = require "moonpod.base.around"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local random = require "moonpod.func.random"
local shapes = require "moonpod.base.shapes"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"
local trace = require "moonpod.tensor.trace"

local initializers = {}

local check_call = declare.checker("an initializer", "shape? dtype?")

local Initializer = { __name = "moonpod.initializer" }
Initializer.__index = Initializer

function Initializer.__call(self, shape, dtype)
  check_call(shape, dtype)
  return trace.alone(self.make, self.config, shapes.dims(shape), dtype or "float32")
end

function Initializer.__tostring(self)
  return ("<initializer %s>"):format(self.name)
end

---@name initializer:get_config
--- What it was made with, as plain data.
---@example pod.initializers.he_normal({ seed = 1 }):get_config().seed --> 1
Initializer.get_config = above.doing "get_config"

---@name pod.initializers.is_initializer
--- Whether a value was made by one of these functions.
---@example pod.initializers.is_initializer(pod.initializers.ones()) --> true
initializers.is_initializer = declare.is(Initializer)

-- These functions by their names and those of Keras' classes.
local by_name = {}
---@name pod.initializers.by_name
--- The initializers by their names and those of Keras' classes.
---@example pod.initializers.by_name.HeNormal == pod.initializers.he_normal --> true
initializers.by_name = by_name

local function camel_case(name)
  return (("_" .. name):gsub("_(%a)", string.upper):gsub("_", ""))
end

-- Adds an initializer: defaults are its options, make(config, shape, dtype) gives a tensor.
local function define(name, defaults, make)
  local allowed = {}
  for option, default in pairs(defaults) do
    allowed[option] = name == "constant" and "tensor" or type(default)
  end
  allowed.seed = "count"
  local function constructor(options)
    if name == "constant" and (type(options) == "number" or tensor.is(options)) then
      options = { value = options }
    end
    local config = tables.merge(defaults, errors.check_options(options, allowed, "initializers." .. name))
    return setmetatable({ name = name, class_name = camel_case(name), config = config, make = make }, Initializer)
  end
  initializers[name] = constructor
  by_name[name] = constructor
  by_name[camel_case(name)] = constructor
end

-- Inputs and outputs that a unit sees.
local function fans(shape)
  if #shape == 0 then
    return 1, 1
  elseif #shape == 1 then
    return shape[1], shape[1]
  end
  local field = shapes.product(shape, 1, #shape - 2)
  return shape[#shape - 1] * field, shape[#shape] * field
end

local function check_float(dtype, name)
  if not ops.is_float(ops.dtype(dtype)) then
    errors.raise("initializer %s makes floats, not %s", name, dtype)
  end
end

-- The standard deviation of a normal that is cut off at two of them.
local TRUNCATION = 0.87962566103423978

local modes = { fan_in = true, fan_out = true, fan_avg = true }
local distributions = { truncated_normal = true, untruncated_normal = true, uniform = true }

-- `given`: { inputs, outputs } that a unit sees, where the shape does not say.
local function scaled(config, shape, dtype, given)
  check_float(dtype, "variance_scaling")
  local fan_in, fan_out = fans(shape)
  if given then
    fan_in, fan_out = given[1], given[2]
  end
  local fan = config.mode == "fan_in" and fan_in or config.mode == "fan_out" and fan_out
    or (fan_in + fan_out) / 2
  local scale = config.scale / math.max(1, fan)
  if config.distribution == "uniform" then
    local limit = math.sqrt(3 * scale)
    return random.uniform(shape, { minval = -limit, maxval = limit, dtype = dtype, seed = config.seed })
  elseif config.distribution == "untruncated_normal" then
    return random.normal(shape, { stddev = math.sqrt(scale), dtype = dtype, seed = config.seed })
  end
  return random.truncated_normal(shape,
    { stddev = math.sqrt(scale) / TRUNCATION, dtype = dtype, seed = config.seed })
end

---@name pod.initializers.variance_scaling
--- Random numbers whose variance is `scale` over the number of inputs, of outputs, or the mean of both.
---@param options.scale number what the variance is multiplied by
---@param options.mode "fan_in"|"fan_out"|"fan_avg" what is divided by
---@param options.distribution "truncated_normal"|"untruncated_normal"|"uniform" what is drawn
---@return initializer
---@example pod.initializers.variance_scaling { scale = 2 }({ 3, 4 }).shape --> (3, 4)
define("variance_scaling", { scale = 1, mode = "fan_in", distribution = "truncated_normal" },
  function(config, shape, dtype, given)
    errors.find(modes, config.mode, "mode", "initializers.variance_scaling")
    errors.find(distributions, config.distribution, "distribution", "initializers.variance_scaling")
    return scaled(config, shape, dtype, given)
  end)

for name, entry in pairs {
  glorot_uniform = { 1, "fan_avg", "uniform" },
  glorot_normal = { 1, "fan_avg", "truncated_normal" },
  he_uniform = { 2, "fan_in", "uniform" },
  he_normal = { 2, "fan_in", "truncated_normal" },
  lecun_uniform = { 1, "fan_in", "uniform" },
  lecun_normal = { 1, "fan_in", "truncated_normal" },
} do
  ---@name pod.initializers.glorot_uniform pod.initializers.glorot_normal pod.initializers.he_uniform
  ---@name pod.initializers.he_normal pod.initializers.lecun_uniform pod.initializers.lecun_normal
  --- Variance scaling with known numbers: `glorot` has the scale 1 over the mean of inputs and outputs, `he` 2 over the
  --- inputs, `lecun` 1 over the inputs; `normal` is cut off at two deviations.
  ---@return initializer
  ---@example pod.initializers.he_normal { seed = 1 }({ 3, 4 }).shape --> (3, 4)
  define(name, {}, function(config, shape, dtype, given)
    return scaled({ scale = entry[1], mode = entry[2], distribution = entry[3], seed = config.seed },
      shape, dtype, given)
  end)
end

---@name pod.initializers.zeros
--- All 0.
---@return initializer
---@example pod.initializers.zeros()({ 2 }) --> { 0, 0 }
define("zeros", {}, function(_, shape, dtype)
  return trace.zeros(shape, dtype) or ops.zeros(shape, dtype)
end)

---@name pod.initializers.ones
--- All 1.
---@return initializer
---@example pod.initializers.ones()({ 2 }) --> { 1, 1 }
define("ones", {}, function(_, shape, dtype)
  return ops.ones(shape, dtype)
end)

---@name pod.initializers.constant
--- All the same number, or what a tensor has.
---@param options.value number|tensor it may stand for the table: `constant(3)`
---@return initializer
---@example pod.initializers.constant(3)({ 2 }) --> { 3, 3 }
define("constant", { value = 0 }, function(config, shape, dtype)
  return ops.broadcast_to(tensor.convert(config.value, dtype), shape)
end)

---@name pod.initializers.random_normal
--- Normally distributed numbers.
---@return initializer
---@example pod.initializers.random_normal { stddev = 1 }({ 2, 3 }).shape --> (2, 3)
define("random_normal", { mean = 0, stddev = 0.05 }, function(config, shape, dtype)
  check_float(dtype, "random_normal")
  return random.normal(shape, tables.merge(config, { dtype = dtype }))
end)

---@name pod.initializers.truncated_normal
--- Normally distributed numbers; those beyond two deviations are drawn again.
---@return initializer
---@example pod.initializers.truncated_normal()({ 2, 3 }).shape --> (2, 3)
define("truncated_normal", { mean = 0, stddev = 0.05 }, function(config, shape, dtype)
  check_float(dtype, "truncated_normal")
  return random.truncated_normal(shape, tables.merge(config, { dtype = dtype }))
end)

---@name pod.initializers.random_uniform
--- Uniformly distributed numbers from `minval` to `maxval`.
---@return initializer
---@example pod.initializers.random_uniform()({ 2, 3 }).shape --> (2, 3)
define("random_uniform", { minval = -0.05, maxval = 0.05 }, function(config, shape, dtype)
  return random.uniform(shape, tables.merge(config, { dtype = dtype }))
end)

---@name pod.initializers.identity
--- The identity matrix, times `gain`.
---@return initializer
---@example pod.initializers.identity()({ 2, 2 }) --> { { 1, 0 }, { 0, 1 } }
define("identity", { gain = 1 }, function(config, shape, dtype)
  if #shape ~= 2 then
    errors.raise("initializers.identity makes matrices, not shape %s", tostring(tensor.shape(shape)))
  end
  return ops.eye(shape[1], shape[2], { dtype = dtype }) * config.gain
end)

-- Rows that are made orthonormal together.
local PANEL = 32

-- Takes from each row of p its parts along the rows before it, and makes it of length 1.
local function orthonormal_panel(p, count, size)
  local places = ops.iota({ count, 1 }, 0)
  local _, made = ops.while_loop(function(i)
    return ops.less(i, count)
  end, function(i, q)
    local row = ops.dynamic_slice(q, { i, 0 }, { 1, size })
    local along = ops.where(ops.less(places, i), ops.sum(q * row, 1, { keepdims = true }), 0)
    row = row - ops.sum(q * along, 0, { keepdims = true })
    local length = ops.sqrt(ops.sum(ops.square(row)))
    return i + 1, ops.dynamic_update_slice(q, row / ops.where(ops.equal(length, 0), 1, length), { i, 0 })
  end, { ops.full({}, 0, "int32"), p })
  return made
end

-- Makes the rows of x orthonormal, `count` of `size` >= `count` elements, by block Gram-Schmidt. A panel goes through
-- it twice, which leaves nothing but rounding of the parts along rows before it. Signs are those of a QR decomposition
-- whose R has a positive diagonal.
local function orthonormal_rows(x, count, size)
  local height = math.min(PANEL, count)
  local panels = math.ceil(count / height)
  local padded = ops.concat({ x, ops.zeros({ panels * height - count, size }, x.dtype) }, 0)
  local _, rows = ops.while_loop(function(k)
    return ops.less(k, panels)
  end, function(k, q)
    local p = ops.dynamic_slice(padded, { k * height, 0 }, { height, size })
    for _ = 1, 2 do
      p = orthonormal_panel(p - ops.matmul(ops.matmul(p, q, { transpose_b = true }), q), height, size)
    end
    return k + 1, ops.dynamic_update_slice(q, p, { k * height, 0 })
  end, { ops.full({}, 0, "int32"), ops.zeros({ panels * height, size }, x.dtype) })
  return ops.index(rows, { ("0:%d"):format(count) })
end

---@name pod.initializers.orthogonal
--- A random matrix with rows, or columns, at right angles of length `gain`.
---@return initializer
---@example pod.initializers.orthogonal()({ 3, 3 }).shape --> (3, 3)
define("orthogonal", { gain = 1 }, function(config, shape, dtype)
  check_float(dtype, "orthogonal")
  if #shape < 2 then
    errors.raise("initializers.orthogonal needs two axes, not shape %s", tostring(tensor.shape(shape)))
  end
  local columns = shape[#shape]
  local rows = shapes.product(shape, 1, #shape - 1)
  local high, low = math.max(rows, columns), math.min(rows, columns)
  local drawn = random.normal({ high, low }, { seed = config.seed })
  drawn = ops.cast(drawn, dtype == "float64" and dtype or "float32")
  local precision = trace.matmul_precision()
  local result = around(function()
    trace.set_matmul_precision "highest"
  end, function()
    trace.set_matmul_precision(precision)
  end, orthonormal_rows, ops.transpose(drawn), low, high)
  if rows >= columns then
    result = ops.transpose(result)
  end
  return ops.reshape(ops.cast(result * config.gain, dtype), shape)
end)

local aliases = {
  uniform = "random_uniform", normal = "random_normal", one = "ones", zero = "zeros",
  orthogonal_initializer = "orthogonal", Identity = "identity",
}

--- Returns an initializer for a name, an initializer, a number, or a function of shape and dtype.
---@example pod.initializers.get("ones")({ 2 }) --> { 1, 1 }
function initializers.get(value)
  local kind = type(value)
  if kind == "table" and getmetatable(value) == Initializer or kind == "function" then
    return value
  elseif kind == "number" or tensor.is(value) then
    return initializers.constant(value)
  elseif kind == "string" then
    return errors.find(by_name, aliases[value] or value, "initializer")()
  elseif kind == "table" and (value.class_name or value.name) then
    local name = value.class_name or value.name
    local constructor = by_name[aliases[name] or name]
    if constructor then
      return constructor(value.config)
    end
  end
  errors.raise("an initializer is a name, a function of shape and dtype, or made by pod.initializers, not %s",
    errors.describe(value))
end

-- What gives first values as initializers.get(value) does, of a weight whose shape does not say how many inputs and
-- outputs a unit sees: fans = { inputs, outputs }.
function initializers._of_fans(value, fans_of_unit)
  local one = initializers.get(value)
  return getmetatable(one) ~= Initializer and one or function(shape, dtype)
    return trace.alone(one.make, one.config, shapes.dims(shape), dtype or "float32", fans_of_unit)
  end
end

declare.methods("initializer", Initializer, initializers.is_initializer)

return initializers
