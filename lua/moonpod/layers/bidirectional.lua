-- A recurrent layer in both directions of time.

local check = require "moonpod.layers.check"
local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"
local readable = require "moonpod.base.readable"
local tables = require "moonpod.base.tables"

local function check_recurrent(value)
  local config = layer.is_layer(value) and value.config or {}
  return config.return_sequences == nil and "must be a recurrent layer" or nil
end

---@name pod.layers.bidirectional
--- Reads a sequence forwards by one recurrent layer and backwards by another, and merges what they give.
---@param options.layer layer the one that reads forwards
---@param options.backward_layer layer the other (default: one with the same options)
---@param options.merge_mode "concat"|"sum"|"mul"|"ave" how the two are merged
---@return layer
---@example pod.layers.bidirectional(pod.layers.lstm(4))(pod.ones { 2, 5, 3 }).shape --> (2, 8)
local both = layer.define {
  name = "Bidirectional",
  several_inputs = true,
  supports_masking = true,
  arguments = { "layer" },
  defaults = { merge_mode = "concat" },
  checks = { layer = check_recurrent, backward_layer = check_recurrent,
    merge_mode = check.one_of("concat", "sum", "mul", "ave", "none") },
  example = "layers.bidirectional(layers.lstm(32))",
}

-- A layer made with the same options, and so are the layers in them.
local function copy_of(one, changed)
  local function copy(value, level)
    if layer.is_layer(value) then
      return copy_of(value)
    elseif readable.is_plain(value) then
      local list = {}
      level = errors.level_below(level, "bidirectional: an option")
      for key, item in pairs(value) do
        list[key] = copy(item, level)
      end
      return list
    end
    return value
  end
  return getmetatable(one)(tables.merge(copy(one.config), changed))
end

function both:setup(config)
  self.forward_layer = config.layer
  local backward = config.backward_layer
  if not backward then
    backward = copy_of(config.layer, { go_backwards = not config.layer.config.go_backwards,
      name = "backward_" .. config.layer.name })
  elseif backward.config.go_backwards == config.layer.config.go_backwards then
    errors.raise("layers.bidirectional: backward_layer must have go_backwards different from layer's")
  end
  self.backward_layer, config.backward_layer = backward, backward
  -- Turned around in time, what is behind the end would else stand before the beginning.
  for _, one in ipairs { config.layer, backward } do
    one.config.zero_output_for_mask = one.config.return_sequences
  end
end

local function reverse_time(x)
  return ops.flip(x, 1)
end

local MERGE = {
  concat = function(a, b) return ops.concat({ a, b }, -1) end,
  sum = function(a, b) return a + b end,
  mul = function(a, b) return a * b end,
  ave = function(a, b) return (a + b) / 2 end,
}

function both:call(x, options)
  local first = nest.is_leaf(x) and x or x[1]
  if #first.shape ~= 3 then
    check.fail(self, " wants inputs (batch, time, features); got shape %s", tostring(first.shape))
  end
  local given = { training = options.training, mask = options.mask }
  local a, b = self.forward_layer(x, given), self.backward_layer(x, given)
  local states
  if self.forward_layer.config.return_state then
    states = tables.join(tables.slice(a, 2), tables.slice(b, 2))
    a, b = a[1], b[1]
  end
  if self.forward_layer.config.return_sequences then
    b = reverse_time(b)
  end
  local mode = self.config.merge_mode
  local out = mode == "none" and { a, b } or MERGE[mode](a, b)
  if states then
    return tables.join(mode == "none" and out or { out }, states)
  end
  return out
end

function both:compute_mask(_, mask)
  if self.forward_layer.config.return_sequences and not self.forward_layer.config.return_state then
    return mask
  end
  return nil
end

return { bidirectional = both }
