-- Masks of attention: true where a query may look at a key.

local nest = require "moonpod.tensor.nest"
local ops = require "moonpod.ops"

local masks = {}

-- Both of two masks, each of which may be nil.
function masks.both(a, b)
  if a == nil then
    return b
  end
  return b ~= nil and ops.logical_and(a, b) or a
end

local function places(queries, keys)
  return ops.expand_dims(ops.arange(0, queries), 1), ops.expand_dims(ops.arange(0, keys), 0)
end

-- [1, queries, keys]: a query sees keys up to its own place.
function masks.causal(queries, keys)
  local row, column = places(queries, keys)
  return ops.expand_dims(ops.greater_equal(row, column), 0)
end

-- [1, queries, keys]: a query sees keys nearer than `window` places.
function masks.sliding(queries, keys, window)
  local row, column = places(queries, keys)
  return ops.expand_dims(ops.less(ops.abs(row - column), window), 0)
end

-- [batch, queries, keys] of the masks that inputs [batch, time, features] carry, nil where none does.
function masks.of_padding(options, query, value, key)
  local given = options.mask
  local query_mask, value_mask, key_mask = nest.mask_of(query), nest.mask_of(value), nest.mask_of(key)
  if given ~= nil and nest.is_tensor(given) and not query_mask then
    query_mask, value_mask = given, rawequal(value, query) and given or value_mask
  end
  local mask
  if query_mask ~= nil then
    mask = ops.expand_dims(query_mask, 2)
  end
  if value_mask ~= nil then
    mask = masks.both(mask, ops.expand_dims(value_mask, 1))
  end
  if key_mask ~= nil and not rawequal(key, value) then
    mask = masks.both(mask, ops.expand_dims(key_mask, 1))
  end
  return mask
end

return masks
