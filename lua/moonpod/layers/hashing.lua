-- Categories, and several together, as bins of a fixed number, without a vocabulary.

local check = require "moonpod.layers.check"
local device = require "moonpod.tensor.device"
local encode_categories = require "moonpod.layers.encode_categories"
local hash_numbers = require "moonpod.layers.hash_numbers"
local image_decode = require "moonpod.image.decode"
local layer = require "moonpod.layers.layer"
local ops = require "moonpod.ops"
local readable = require "moonpod.base.readable"
local strings = require "moonpod.layers.strings"
local tensor = require "moonpod.tensor"
local text_encoder = require "moonpod.layers.text_encoder"

-- A salt is one number or two.
local function check_salt(value)
  local list = type(value) == "table" and value or { value, value }
  if #list ~= 2 or check.non_negative_integer(list[1]) or check.non_negative_integer(list[2])
    or math.max(list[1], list[2]) > 2 ^ 53 then
    return "must be a whole number from 0 to 2^53, or a list of two"
  end
end

local function check_mask(value)
  if type(value) ~= "string" and check.integer(value) then
    return "must be a string or a whole number"
  end
end

---@name pod.layers.hashing
--- Gives each string or whole number one of `num_bins` bins, from 0, without a vocabulary: which one follows from its
--- hash, so that different ones may share a bin. The bins are those of Keras. It takes strings and arrays of strings,
--- or integers of any shape, also in models; in a function of `map` it takes either.
---@param options.num_bins integer how many bins there are, with that of `mask_value`
---@param options.mask_value string|integer what gets bin 0, which nothing else gets then
---@param options.salt integer|integer[] one number or two that make other bins (SipHash, in the place of FarmHash)
---@param options.output_mode "int"|"one_hot"|"multi_hot"|"count" a number, a vector of each, or one of all along the
---   last axis
---@return layer
--- ```lua
--- local layer = pod.layers.hashing { num_bins = 3 }
--- print(layer { "A", "B", "C", "D", "E" })
--- print(layer(pod.tensor({ 7, 7 }, { dtype = "int32" })))
--- --> [1 0 1 1 2]
--- --> int64 (5,) on CPU:0
--- --> [1 1]
--- --> int64 (2,) on CPU:0
--- ```
local hashing = layer.define {
  name = "Hashing",
  autocast = false,
  arguments = { "num_bins" },
  defaults = { output_mode = "int" },
  checks = { num_bins = check.positive_integer, salt = check_salt, mask_value = check_mask,
    output_mode = check.one_of("int", "one_hot", "multi_hot", "count") },
  example = "layers.hashing { num_bins = 3 }",
}

function hashing:setup(config)
  if type(config.salt) == "number" then
    config.salt = { config.salt, config.salt }
  end
end

-- How many bins hashes are spread over, and the first of them.
local function spread(config)
  if config.mask_value ~= nil and config.num_bins > 1 then
    return config.num_bins - 1, 1
  end
  return config.num_bins, 0
end

local function encoded(self, bins)
  local mode = self.config.output_mode
  return encode_categories.encode(bins, mode, self.config.num_bins, mode == "int" and "int64" or "float32")
end

function hashing:call(x)
  local config = self.config
  local count, first = spread(config)
  if first == 1 and type(config.mask_value) ~= "number" then
    check.fail(self, ": it is called with numbers, but its mask_value is a string")
  end
  if x.dtype == "bool" then
    check.fail(self, " takes numbers or strings, not booleans")
  end
  local bins = hash_numbers.buckets(x, count, config.salt)
  if first == 1 then
    bins = ops.where(ops.equal(x, config.mask_value), ops.zeros_like(bins), bins + 1)
  end
  return encoded(self, bins)
end

-- What text_encoder.bucket does for one string.
local function how(self)
  local config = self.config
  local count, first = spread(config)
  if first == 1 and type(config.mask_value) ~= "string" then
    check.fail(self, ": it is called with strings, but its mask_value is a number")
  end
  return { count = count, first = first, mask = first == 1 and config.mask_value or nil, key = config.salt }
end

local of_numbers = hashing.__call

strings.define(hashing, {
  run = { text_encoder.bucket },
  of_list = function(self, list, shape)
    local does, bins = how(self), {}
    does.bucket_of = device.core.text_bucket
    for i, text in ipairs(list) do
      bins[i] = text_encoder.bucket(does, text)[1]
    end
    return encoded(self, tensor.new(bins, { dtype = "int64" }):reshape(shape))
  end,
  how = how,
  of_one = function(self, bins)
    return encoded(self, ops.reshape(bins, {}))
  end,
})

local of_strings = hashing.__call

-- Whether the first value of nested arrays is a string.
local function is_text(x)
  for _ = 1, 100 do
    if not readable.is_plain(x) then
      break
    end
    x = x[1]
  end
  return type(x) == "string" or image_decode.is_stand_in(x)
end

hashing.__call = function(self, x, options)
  return (is_text(x) and of_strings or of_numbers)(self, x, options)
end

-- ---- crossing -------------------------------------------------------------------------------------------------------

---@name pod.layers.hashed_crossing
--- Gives each row of several columns together one of `num_bins` bins, from 0: what they are as one follows from their
--- hash. The bins are those of Keras. It takes a list of two columns or more, each strings or integers, all of shape
--- `()`, `(batch)` or `(batch, 1)`; of integers also in models, of either in a function of `map`.
---@param options.num_bins integer how many bins there are
---@param options.output_mode "int"|"one_hot" a number, or a vector of each
---@return layer
--- ```lua
--- local layer = pod.layers.hashed_crossing(5)
--- local bins = layer { { "A", "B", "A", "B", "A" }, { 101, 101, 101, 102, 102 } }
--- print(bins)
--- --> [1 4 1 1 3]
--- --> int64 (5,) on CPU:0
--- ```
local crossing = layer.define {
  name = "HashedCrossing",
  autocast = false,
  several_inputs = true,
  arguments = { "num_bins" },
  defaults = { output_mode = "int" },
  checks = { num_bins = check.positive_integer, output_mode = check.one_of("int", "one_hot") },
  example = "layers.hashed_crossing(5)",
}

local function refuse_column(self, i, what)
  check.fail(self, ": column %d %s", i, what)
end

function crossing:call(inputs)
  if tensor.is(inputs) or #inputs < 2 then
    check.fail(self, " takes a list of two columns or more")
  end
  local shape, columns = inputs[1].shape, {}
  for i, x in ipairs(inputs) do
    if not x.dtype:find "^u?int" then
      refuse_column(self, i, ("is of %s; integers or strings are needed"):format(x.dtype))
    elseif #x.shape > 2 or #x.shape == 2 and x.shape[2] ~= 1 or tostring(x.shape) ~= tostring(shape) then
      refuse_column(self, i, ("has shape %s; all columns have one shape: (), (batch) or (batch, 1)"):format(
        tostring(x.shape)))
    end
    columns[i] = ops.cast(ops.cast(x, "int64"), "uint64")
  end
  local bins = hash_numbers.cross(columns, self.config.num_bins)
  return encoded(self, bins)
end

-- The hashes of strings, as integers of 64 bits.
local function hashes_of(self, x)
  if image_decode.is_stand_in(x) then
    local halves = x.encode(x, { how = {}, dtype = "int64", shape = { 2 }, run = { text_encoder.hash } })
    return hash_numbers.whole(halves[1], halves[2])
  end
  local list, shape = strings.flatten(x, self)
  local high, low = {}, {}
  for i, text in ipairs(list) do
    high[i], low[i] = device.core.text_bucket(text, 0)
  end
  return hash_numbers.whole(tensor.new(high, { dtype = "int64" }):reshape(shape),
    tensor.new(low, { dtype = "int64" }):reshape(shape))
end

-- A column of Lua numbers.
local function integers_of(self, i, x)
  local given = tensor.new(x, { dtype = "float64" })
  if ops.any(ops.not_equal(given, ops.floor(given))):item() then
    refuse_column(self, i, "has numbers that are not whole; integers or strings are needed")
  end
  return tensor.new(x, { dtype = "int64" })
end

local of_columns = crossing.__call

crossing.__call = function(self, inputs, options)
  if not readable.is_plain(inputs) then
    return of_columns(self, inputs, options)
  end
  local columns = {}
  for i, x in ipairs(inputs) do
    if is_text(x) then
      columns[i] = hashes_of(self, x)
    else
      columns[i] = (readable.is_plain(x) or type(x) == "number") and integers_of(self, i, x) or x
    end
  end
  return of_columns(self, columns, options)
end

return { hashing = hashing, hashed_crossing = crossing }
