-- Tensors in nested tables: { a, b }, { image = a, label = b }. And the masks that go with tensors.

local errors = require "moonpod.base.errors"
local readable = require "moonpod.base.readable"
local tensor = require "moonpod.tensor"

local nest = {}

local is_plain = readable.is_plain

local masks = setmetatable({}, { __mode = "k" })

nest.is_tensor = tensor.is

-- True for what is not a plain table to go into.
function nest.is_leaf(value)
  return not is_plain(value)
end

-- The keys of a table in an order that is the same in every process: what a trace does for each of them must be, or
-- its graph is another one at each start.
function nest.sorted_keys(t)
  local keys = {}
  for key in pairs(t) do
    if type(key) ~= "string" and type(key) ~= "number" then
      errors.raise("a table of tensors has names and places as keys, not %s", errors.describe(key))
    end
    keys[#keys + 1] = key
  end
  table.sort(keys, function(a, b)
    if type(a) == type(b) then
      return a < b
    end
    return type(a) == "number"
  end)
  return keys
end

-- Calls fn on each leaf and builds the same structure of the results.
function nest.map(structure, fn, level)
  if not is_plain(structure) then
    return fn(structure)
  end
  local out = {}
  level = errors.level_below(level, "a structure of tensors")
  for _, key in ipairs(nest.sorted_keys(structure)) do
    out[key] = nest.map(structure[key], fn, level)
  end
  return out
end

-- Calls fn on each leaf, in a fixed order: list places first, then keys by name.
function nest.each(structure, fn, level)
  if not is_plain(structure) then
    fn(structure)
    return
  end
  level = errors.level_below(level, "a structure of tensors")
  for _, key in ipairs(nest.sorted_keys(structure)) do
    nest.each(structure[key], fn, level)
  end
end

-- The leaves as a list.
function nest.flatten(structure)
  local out = {}
  nest.each(structure, function(leaf)
    out[#out + 1] = leaf
  end)
  return out
end

-- The structure of `like` with the leaves of a list.
function nest.pack(like, leaves)
  local at = 0
  return nest.map(like, function()
    at = at + 1
    return leaves[at]
  end)
end

-- The first leaf.
function nest.first(structure)
  return nest.flatten(structure)[1]
end

-- The mask of a tensor: a boolean tensor of its leading axes, or nil. Of a structure: one of each leaf, or nil when no
-- leaf has one.
function nest.mask_of(structure)
  if nest.is_leaf(structure) then
    return structure ~= nil and masks[structure] or nil
  end
  local any = false
  local out = nest.map(structure, function(leaf)
    any = any or masks[leaf] ~= nil
    return masks[leaf] or false
  end)
  return any and out or nil
end

function nest.set_mask(structure, mask, level)
  if nest.is_leaf(structure) then
    if type(structure) == "table" then
      masks[structure] = mask
    end
    return
  end
  level = errors.level_below(level, "a structure of tensors")
  for key, value in pairs(structure) do
    nest.set_mask(value, nest.is_leaf(mask) and mask or mask[key] or nil, level)
  end
end

function nest.is_float(dtype)
  return dtype == "float32" or dtype == "float16" or dtype == "bfloat16" or dtype == "float64"
end

return nest
