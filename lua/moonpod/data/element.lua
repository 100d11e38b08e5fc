-- element - what one element of a dataset looks like: nested tables of tensors, kept apart as a flat array
-- of components and a skeleton.
--
-- An element is one value or, where its skeleton is a tuple, several: a dataset of { x, y } gives
-- its functions and loops two arguments, x and y.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local readable = require "moonpod.base.readable"
local structure = require "moonpod.base.structure"
local tables = require "moonpod.base.tables"
require "moonpod.ops" -- what elements are computed with
local tensor = require "moonpod.tensor"

local element = {}

local unpack = table.unpack or unpack -- luacheck: ignore

-- True for { a, b }: an array without a metatable.
local function is_tuple(value)
  return readable.is_plain(value) and value[1] ~= nil
end

-- Makes one value of what a function returned or a script wrote: (x, y) and { x, y } are the same.
function element.pack(...)
  local count = select("#", ...)
  if count <= 1 then
    return (...)
  end
  return { ... }
end

-- The values that a function of elements gets.
function element.spread(value)
  if is_tuple(value) then
    return unpack(value, 1, #value)
  end
  return value
end

-- Takes the leaves (what is_leaf is true for) out of a value; raises where there is none.
function element.flatten(value, is_leaf, where)
  local leaves = {}
  local skeleton = structure.flatten(value, is_leaf, leaves)
  if #leaves == 0 then
    errors.raise("%s: there is no tensor in %s", where, errors.describe(value))
  end
  return leaves, skeleton
end

element.rebuild = structure.rebuild

-- The skeleton of several elements side by side, whose components follow each other.
function element.join(skeletons, counts)
  local parts, keys, before = {}, {}, 0
  local function shift(skeleton)
    if skeleton.leaf then
      return { leaf = skeleton.leaf + before }
    elseif not skeleton.keys then
      return skeleton
    end
    local copy = { keys = skeleton.keys, parts = {} }
    for i, part in ipairs(skeleton.parts) do
      copy.parts[i] = shift(part)
    end
    return copy
  end
  for i, skeleton in ipairs(skeletons) do
    keys[i], parts[i] = i, shift(skeleton)
    before = before + counts[i]
  end
  return { keys = keys, parts = parts }
end

local function has_tensor(value, level)
  if tensor.is(value) then
    return true
  end
  if type(value) == "table" then
    if not readable.is_plain(value) then
      return getmetatable(value).__as_tensor ~= nil
    end
    level = errors.level_below(level, "an element")
    for _, part in pairs(value) do
      if has_tensor(part, level) then
        return true
      end
    end
  end
  return false
end

-- True for a table that stands for one tensor: nested arrays of numbers.
local function is_numbers(value)
  if not readable.is_plain(value) then
    return type(value) == "number" or type(value) == "boolean"
  end
  return #value > 0 and next(value, #value) == nil and not has_tensor(value) and is_numbers(value[1])
end

-- Makes tensors of everything in a structure that stands for one: numbers, arrays of numbers, variables.
function element.tensors(value, where, level)
  if tensor.is(value) then
    return value
  end
  local meta = type(value) == "table" and getmetatable(value)
  if is_numbers(value) or meta and meta.__as_tensor then
    return tensor.convert(value)
  end
  if not readable.is_plain(value) then
    errors.raise("%s: %s is no tensor", where, errors.describe(value))
  end
  local result = {}
  level = errors.level_below(level, where)
  for key, part in pairs(value) do
    result[key] = element.tensors(part, where, level)
  end
  return result
end

-- The buffers of an array of tensors.
function element.buffers(leaves)
  return tables.map(leaves, tensor.buffer)
end

-- The types of tensors, specs or components, as components.
function element.types(leaves)
  return tables.map(leaves, function(leaf)
    return { dtype = leaf.dtype, shape = leaf.shape }
  end)
end

element.TEXT = { dtype = "uint8", shape = { -1 }, text = true }

-- Types and skeleton of what pod.spec values announce, or texts where `texts`.
function element.signature(signature, where, texts)
  local func = require "moonpod.func"
  local leaves, skeleton = element.flatten(signature, function(value)
    return func.is_spec(value) or texts and value == "text"
  end, where)
  local types = element.types(leaves)
  for i, leaf in ipairs(leaves) do
    types[i] = leaf == "text" and element.TEXT or types[i]
  end
  return types, skeleton
end

-- Raises where not all sizes of components are known; those of texts may be where `texts`.
function element.check_sizes(components, where, help, texts)
  for _, component in ipairs(components) do
    for _, size in ipairs(component.text and texts and {} or component.shape) do
      if size < 0 then
        errors.raise("%s: elements are %s; functions that are compiled need all sizes%s", where,
          element.describe(components), help or "")
      end
    end
  end
end

element.PAD = ": pad elements to one size before, or use map(fn, { interpret = true })"

-- Tensors of an array of buffers. Components that are text become strings.
function element.wrap(buffers, components)
  local leaves = {}
  for i, buffer in ipairs(buffers) do
    leaves[i] = components[i] and components[i].text and buffer:data() or tensor.from_buffer(buffer)
  end
  return leaves
end

-- Makes a buffer of a value that a generator gave, of the type and shape that were announced.
function element.buffer_of(value, component, where)
  if component.text then
    errors.check_type(value, "string", where, "the text")
    return device.core.buffer(device.context(), value, "uint8", { #value })
  end
  if tensor.is(value) or type(value) == "table" and not readable.is_plain(value) then
    local t = tensor.convert(value)
    if t.dtype ~= component.dtype then
      errors.raise("%s: %s was announced, but a tensor of %s came", where, component.dtype, t.dtype)
    end
    return tensor.buffer(t)
  end
  local ok, buffer = pcall(device.core.buffer, device.context(), value, component.dtype)
  if not ok then
    errors.raise("%s: %s", where, buffer)
  end
  return buffer
end

-- "(uint8 (784,), uint8 ())"
function element.describe(components)
  local parts = {}
  for i, component in ipairs(components) do
    local dims = {}
    for j, size in ipairs(component.shape) do
      dims[j] = size < 0 and "any" or tostring(size)
    end
    local comma = #dims == 1 and "," or ""
    parts[i] = component.text and "text"
      or ("%s (%s%s)"):format(component.dtype, table.concat(dims, ", "), comma)
  end
  return #parts == 1 and parts[1] or "(" .. table.concat(parts, ", ") .. ")"
end

return element
