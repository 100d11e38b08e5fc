-- structure - nested tables with leaves (tensors) in them: taking the leaves out and putting others in.

local decimal = require "moonpod.base.decimal"
local errors = require "moonpod.base.errors"
local readable = require "moonpod.base.readable"
local tables = require "moonpod.base.tables"

local structure = {}

local identities = setmetatable({}, { __mode = "k" })
local identity_count = 0

-- A number that stays the same for the same object.
local function identity(object)
  local number = identities[object]
  if not number then
    identity_count = identity_count + 1
    number = identity_count
    identities[object] = number
  end
  return number
end

local function key_order(a, b)
  local kind_a, kind_b = type(a), type(b)
  if kind_a ~= kind_b then
    return kind_a < kind_b
  end
  if kind_a == "number" or kind_a == "string" then
    return a < b
  end
  return identity(a) < identity(b)
end

-- Takes what is_leaf(value) is true for out of `value` into the array `leaves`, in a fixed order, and
-- returns a skeleton for structure.rebuild. Tables without a metatable are gone into.
function structure.flatten(value, is_leaf, leaves, level)
  if is_leaf(value) then
    leaves[#leaves + 1] = value
    return { leaf = #leaves }
  end
  if not readable.is_plain(value) then
    return { value = value }
  end
  local skeleton = { keys = tables.sorted_keys(value, key_order), parts = {} }
  level = errors.level_below(level, "a structure of values")
  for i, key in ipairs(skeleton.keys) do
    skeleton.parts[i] = structure.flatten(value[key], is_leaf, leaves, level)
  end
  return skeleton
end

-- Puts an array of leaves into a skeleton. Its tables say what is in them where they are printed.
function structure.rebuild(skeleton, leaves)
  if skeleton.leaf then
    return leaves[skeleton.leaf]
  end
  if not skeleton.keys then
    return skeleton.value
  end
  local result = setmetatable({}, readable.metatable)
  for i, key in ipairs(skeleton.keys) do
    result[key] = structure.rebuild(skeleton.parts[i], leaves)
  end
  return result
end

-- Text that is equal for equal skeletons: plain values by value, objects by identity. `describe(i)` gives
-- the text of leaf i.
function structure.key(skeleton, describe)
  if skeleton.leaf then
    return describe(skeleton.leaf)
  end
  local value = skeleton.value
  if not skeleton.keys then
    local kind = type(value)
    if kind == "number" then
      local subtype = decimal.type(value)
      local text = subtype == "integer" and ("%d"):format(value) or decimal.format("%.17g", value)
      return subtype == "float" and text:find "^-?%d+$" and text .. ".0" or text
    elseif kind == "string" then
      return ("%q"):format(value)
    elseif kind == "nil" or kind == "boolean" then
      return tostring(value)
    end
    return kind .. "#" .. identity(value)
  end
  local parts = {}
  for i, key in ipairs(skeleton.keys) do
    local name = type(key) == "number" and "" or tostring(key) .. "="
    parts[i] = name .. structure.key(skeleton.parts[i], describe)
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

-- Calls fn(leaf) on every leaf and returns the same structure of the results.
function structure.map(value, is_leaf, fn)
  local leaves, results = {}, {}
  local skeleton = structure.flatten(value, is_leaf, leaves)
  for i, leaf in ipairs(leaves) do
    results[i] = fn(leaf)
  end
  return structure.rebuild(skeleton, results)
end

-- Packs arguments with their number.
function structure.pack(...)
  return { n = select("#", ...), ... }
end

local unpack = table.unpack or unpack -- luacheck: ignore

-- Returns the entries 1 .. n of a packed table.
function structure.unpack(packed)
  return unpack(packed, 1, packed.n or #packed)
end

return structure
