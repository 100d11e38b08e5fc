-- Layers of categories: class numbers as vectors, and numbers in bins.

local adapt_data = require "moonpod.layers.adapt_data"
local check = require "moonpod.layers.check"
local encode_categories = require "moonpod.layers.encode_categories"
local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local ops = require "moonpod.ops"
local quantiles = require "moonpod.layers.quantiles"
local tensor = require "moonpod.tensor"

local categories = {}

---@name pod.layers.category_encoding
--- Makes vectors of class numbers from 0 on. "one_hot": a vector for each number; "multi_hot" and "count": one for all
--- along the last axis, with 1 for what is there, or how often. A call may have `count_weights`: what each number
--- counts.
---@param options.num_tokens integer how many classes there are, the length of vectors
---@param options.output_mode "multi_hot"|"one_hot"|"count" what the vectors say
---@return layer
---@error a number is no class, where values are known; in a program it has no place in its vector
---@example pod.layers.category_encoding(3)(pod.tensor { { 0, 2 }, { 1, 1 } }) --> { { 1, 0, 1 }, { 0, 1, 0 } }
categories.category_encoding = layer.define {
  name = "CategoryEncoding",
  autocast = false,
  arguments = { "num_tokens" },
  defaults = { output_mode = "multi_hot" },
  checks = { num_tokens = check.positive_integer,
    output_mode = check.one_of("multi_hot", "one_hot", "count", "binary") },
  example = "layers.category_encoding(10)",
}

function categories.category_encoding:call(x, options)
  local mode = encode_categories.OLDER[self.config.output_mode] or self.config.output_mode
  if options.count_weights ~= nil and mode ~= "count" then
    check.fail(self, ": count_weights are for output_mode = \"count\", not \"%s\"", mode)
  end
  if tensor.is_known(x) and x:size() > 0 then
    local least, most = ops.min(x):item(), ops.max(x):item()
    if not (least >= 0 and most < self.config.num_tokens) then -- so NaN, too
      check.fail(self, ": numbers are %s to %s; %d classes are those from 0 to %d", least, most, self.config.num_tokens,
        self.config.num_tokens - 1)
    end
  end
  return encode_categories.encode(x, mode, self.config.num_tokens, self:compute_dtype(), options.count_weights)
end

local function boundaries(value)
  if type(value) ~= "table" then
    return "must be a list of numbers"
  end
  for i, one in ipairs(value) do
    if type(one) ~= "number" or one ~= one or i > 1 and one < value[i - 1] then
      return "must be a list of numbers that rise"
    end
  end
end

---@name pod.layers.discretization
--- Gives each number the bin that it lies in: 0 below the first boundary, i from the i-th on. Boundaries are given, or
--- `adapt(data)` finds those that part the data evenly.
---@param options.bin_boundaries number[] where bins begin, in rising order
---@param options.num_bins integer how many bins `adapt` makes
---@param options.epsilon number how exact the boundaries are that `adapt` finds, as a share of the data
---@param options.output_mode "int"|"one_hot"|"multi_hot"|"count" a number, a vector for each, or one for all along the
---   last axis
---@return layer
---@error neither boundaries nor a number of bins was given
---@example pod.layers.discretization { bin_boundaries = { 0, 1 } }(pod.tensor { -1.5, 0, 3.4 }) --> { 0, 1, 2 }
categories.discretization = layer.define {
  name = "Discretization",
  autocast = false,
  arguments = { "bin_boundaries" },
  defaults = { epsilon = 0.01, output_mode = "int" },
  optional = { "bin_boundaries" },
  checks = { bin_boundaries = boundaries, num_bins = check.positive_integer,
    output_mode = check.one_of("int", "one_hot", "multi_hot", "count", "binary"), epsilon = function(value)
      return not (type(value) == "number" and value > 0 and value < 1) and "must be a number between 0 and 1" or nil
    end },
  example = "layers.discretization { bin_boundaries = { 0, 1, 2 } }",
}

local discretization = categories.discretization

function discretization:setup(config)
  if not config.bin_boundaries and not config.num_bins then
    errors.raise("layers.discretization: give bin_boundaries, or num_bins and call adapt(data)")
  end
end

--- Finds boundaries that part the data into `num_bins` bins of the same number of values.
---@param data tensor|dataset a tensor, arrays of numbers, or a dataset of batches; of `{ x, y }` it takes x
---@param options.steps integer how many batches of a dataset are looked at (default: all)
---@error the layer was made with boundaries alone
--- ```lua
--- local layer = pod.layers.discretization { num_bins = 4, epsilon = 0.01 }
--- layer:adapt(pod.iota(100))
--- print(layer(pod.tensor { 10, 30, 60, 90 }))
--- --> [0 1 2 3]
--- --> int32 (4,) on CPU:0
--- ```
function discretization:adapt(data, options)
  local where = ("layer '%s' (Discretization): adapt"):format(self.name)
  options = errors.check_options(options, { steps = "count" }, where)
  if not self.config.num_bins then
    errors.raise("%s: its boundaries were given; make it with num_bins instead", where)
  end
  local summary = quantiles.new(self.config.epsilon)
  adapt_data.each_tensor(data, where, function(batch)
    if ops.any(ops.not_equal(batch, batch)):item() then
      errors.raise("%s: the data have NaN, which lies in no bin; leave such elements out", where)
    end
    summary:add(batch)
  end, options.steps)
  self.config.bin_boundaries = summary:boundaries(self.config.num_bins)
end

function discretization:call(x)
  local config = self.config
  if not config.bin_boundaries then
    check.fail(self, " has no boundaries; call adapt(data) first, or give bin_boundaries")
  end
  local mode = encode_categories.OLDER[config.output_mode] or config.output_mode
  return encode_categories.encode(encode_categories.count_below(x, config.bin_boundaries, "float32"), mode,
    #config.bin_boundaries + 1, mode == "int" and "int32" or self:compute_dtype())
end

return categories
