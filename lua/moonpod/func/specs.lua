-- specs - what arguments are like: a shape of which sizes may be open, and a dtype.

local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local specs = {}

---@name pod.any_size
--- Stands for a size that any number fits, as -1 does: `pod.spec({ pod.any_size, 3 }, "float32")`.
---@example pod.any_size --> -1
specs.any = -1

local Spec = { __name = "moonpod.spec" }
Spec.__index = Spec

--- pod.spec(shape, dtype, name?): what an argument must be like. Sizes of -1 (pod.any) fit all.
---@example pod.spec({ -1, 3 }, "float32") --> spec(float32 (any, 3))
function specs.new(shape, dtype, name)
  errors.check_type(shape, "table", "spec", "the shape")
  return setmetatable({ shape = tensor.shape(tables.slice(shape)), dtype = ops.dtype(dtype or "float32"), name = name },
    Spec)
end

specs.is = declare.is(Spec)

function Spec.__tostring(self)
  local parts = tables.map(self.shape, function(size)
    return size == -1 and "any" or tostring(size)
  end)
  local comma = #parts == 1 and "," or ""
  return ("spec(%s (%s%s))"):format(self.dtype, table.concat(parts, ", "), comma)
end

-- Whether a tensor is like a spec says.
function specs.fits(spec, value)
  if value.dtype ~= spec.dtype or #value.shape ~= #spec.shape then
    return false
  end
  for i = 1, #spec.shape do
    if spec.shape[i] ~= -1 and spec.shape[i] ~= value.shape[i] then
      return false
    end
  end
  return true
end

-- Leaves without a value, like a spec list says.
function specs.stand_ins(list)
  return tables.map(list, function(spec)
    return setmetatable({ dtype = spec.dtype, shape = tensor.shape(tables.slice(spec.shape)) }, tensor.Tensor)
  end)
end

declare.methods("spec", Spec, specs.is)
declare.metamethods("spec", Spec)

return specs
