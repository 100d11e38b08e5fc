-- element_bounds - how many elements the variables may have that are made within a call.

local around = require "moonpod.base.around"
local shapes = require "moonpod.base.shapes"
local tensor = require "moonpod.tensor"

local element_bounds = {}

-- How many elements variables may still have that are made within bounded(), innermost last.
local bounds = {}

-- Calls fn(...), in which variables are made of no more than `elements` elements in all: before memory is taken for one
-- that has more refuse(its name, its shape) is called, which raises.
function element_bounds.bounded(elements, refuse, fn, ...)
  return around(function()
    bounds[#bounds + 1] = { left = elements, refuse = refuse }
  end, function()
    bounds[#bounds] = nil
  end, fn, ...)
end

-- Counts a variable of a shape.
function element_bounds.spend(name, shape)
  local bound = bounds[#bounds]
  if not bound then
    return
  end
  bound.left = bound.left - shapes.product(shape or {})
  if bound.left < 0 then
    bound.refuse(name, tensor.shape(shapes.dims(shape or {})))
  end
end

return element_bounds
