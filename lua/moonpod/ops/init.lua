-- ops - the functions on tensors.

local tables = require "moonpod.base.tables"
local tensor = require "moonpod.tensor"

local ops = require "moonpod.ops.elementwise"
require "moonpod.ops.angles"
require "moonpod.ops.make"
require "moonpod.ops.shape"
require "moonpod.ops.index"
require "moonpod.ops.reduce"
require "moonpod.ops.product"

-- What t:name(...) finds: functions whose first argument is the tensor. Not these:
local others = tables.set_of { "dtype", "is_float", "is_integer", "promote", "pair", "floating",
  "full", "zeros", "ones", "iota", "arange", "linspace", "eye", "concat", "concatenate", "stack", "row", "index",
  "einsum" }
for name, fn in pairs(ops) do
  if type(fn) == "function" and not others[name] then
    ops.methods[name] = fn
  end
end
ops.methods.type = ops.cast
ops.methods.astype = ops.cast
ops.is_tensor = tensor.is

require "moonpod.ops.control"
require "moonpod.ops.arguments"(ops)
tensor.set_ops(ops)

return ops
