-- padding - the options by which elements of different sizes are filled up.

local element = require "moonpod.data.element"
local errors = require "moonpod.base.errors"

local padding = {}

-- Flattens options that stand for one thing a component: a single one, or a structure like that of elements.
local function per_component(self, value, is_leaf, where)
  if value == nil then
    return nil
  end
  local count = #self._handle:components()
  local leaves = {}
  if is_leaf(value) then
    for i = 1, count do
      leaves[i] = value
    end
    return leaves
  end
  leaves = element.flatten(value, is_leaf, where)
  if #leaves ~= count then
    errors.raise("%s: %d values are given for %d components", where, #leaves, count)
  end
  return leaves
end

local function is_number(value)
  return type(value) == "number"
end

local function is_shape(value)
  return type(value) == "table" and (value[1] == nil and next(value) == nil or is_number(value[1]))
end

-- The shapes and the values of a settled dataset's components; nil where options have none.
function padding.of(self, options, where)
  return per_component(self, options.padded_shapes, is_shape, where .. ": padded_shapes"),
    per_component(self, options.padding_values, is_number, where .. ": padding_values")
end

return padding
