-- Pooling layers over one to three spatial axes.

local check = require "moonpod.layers.check"
local data_format = require "moonpod.layers.data_format"
local in_float32 = require("moonpod.ops.halves").in_float32
local layer = require "moonpod.layers.layer"
local nest = require "moonpod.tensor.nest"
local nn = require "moonpod.ops.nn"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"

local pooling = {}

---@name pod.layers.max_pooling1d pod.layers.max_pooling2d pod.layers.max_pooling3d pod.layers.average_pooling1d
---@name pod.layers.average_pooling2d pod.layers.average_pooling3d pod.layers.max_pool1d pod.layers.max_pool2d
---@name pod.layers.max_pool3d pod.layers.avg_pool1d pod.layers.avg_pool2d pod.layers.avg_pool3d
--- The largest value, or the mean, of each window, by channel. Input `(batch, spatial..., channels)`, output
--- `(batch, places..., channels)`. With "same" padding a mean counts the places within the input only.
---@param options.strides integer|integer[] how far windows are apart (default: `pool_size`)
---@return layer
---@error the window is larger than the input
---@example pod.layers.max_pooling2d(2)(pod.ones { 1, 4, 4, 3 }).shape --> (1, 2, 2, 3)
local function define_window(kind, fn, rank)
  local name = kind .. "Pooling" .. rank .. "D"
  local class = layer.define {
    name = name,
    input_spec = { rank = rank + 2 },
    arguments = { "pool_size" },
    defaults = { pool_size = 2, padding = "valid" },
    checks = { pool_size = check.sizes(rank), strides = check.sizes(rank),
      padding = check.one_of("valid", "same") },
    example = "layers." .. kind:lower() .. "_pooling" .. rank .. "d(2)",
  }
  function class:call(x)
    local config = self.config
    local window = check.list(config.pool_size, rank)
    for i, size in ipairs(window) do
      if config.padding == "valid" and x.shape[i + 1] < size then
        check.fail(self, ": axis %d of the input has size %d, smaller than the window of %d", i, x.shape[i + 1], size)
      end
    end
    return fn(x, { pool_size = window, strides = config.strides and check.list(config.strides, rank),
      padding = config.padding })
  end
  return data_format.add(class)
end

---@name pod.layers.global_max_pooling1d pod.layers.global_max_pooling2d pod.layers.global_max_pooling3d
---@name pod.layers.global_average_pooling1d pod.layers.global_average_pooling2d pod.layers.global_average_pooling3d
---@name pod.layers.global_max_pool1d pod.layers.global_max_pool2d pod.layers.global_max_pool3d
---@name pod.layers.global_avg_pool1d pod.layers.global_avg_pool2d pod.layers.global_avg_pool3d
--- The largest value, or the mean, of each channel over all places. Input `(batch, spatial..., channels)`, output
--- `(batch, channels)`. `global_average_pooling1d` leaves masked steps out.
---@return layer
---@example pod.layers.global_average_pooling2d()(pod.ones { 1, 4, 4, 3 }).shape --> (1, 3)
local function define_global(kind, reduce, rank)
  local class = layer.define {
    name = "Global" .. kind .. "Pooling" .. rank .. "D",
    input_spec = { rank = rank + 2 },
    defaults = { keepdims = false },
    checks = { keepdims = check.boolean },
  }
  function class:call(x, options)
    local mask = options.mask
    if kind == "Average" and rank == 1 and mask ~= nil and nest.is_tensor(mask) then
      local options_keep = { keepdims = self.config.keepdims }
      return in_float32(function(y)
        local weight = ops.expand_dims(ops.cast(mask, y.dtype), 2)
        return ops.sum(y * weight, 1, options_keep) / ops.sum(weight, 1, options_keep)
      end, x)
    end
    return reduce(x, tables.range(1, rank), { keepdims = self.config.keepdims })
  end
  return data_format.add(class, true)
end

for rank = 1, 3 do
  pooling["max_pooling" .. rank .. "d"] = define_window("Max", nn.max_pool, rank)
  pooling["average_pooling" .. rank .. "d"] = define_window("Average", nn.average_pool, rank)
  pooling["global_max_pooling" .. rank .. "d"] = define_global("Max", function(...) return ops.max(...) end, rank)
  pooling["global_average_pooling" .. rank .. "d"] = define_global("Average", function(...) return ops.mean(...) end,
    rank)
end

return pooling
