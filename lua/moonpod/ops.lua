-- ops - the functions on tensors.

local tensor = require "moonpod.tensor"

local ops = require "moonpod.ops_elementwise"
require "moonpod.ops_make"
require "moonpod.ops_shape"
require "moonpod.ops_index"

-- What t:name(...) finds: functions whose first argument is the tensor. Not these:
local others = {}
for _, name in ipairs { "dtype", "is_float", "is_integer", "promote", "pair", "floating",
  "full", "zeros", "ones", "iota", "arange", "linspace", "eye", "concat", "concatenate", "stack", "row", "index" } do
  others[name] = true
end
for name, fn in pairs(ops) do
  if type(fn) == "function" and not others[name] then
    ops.methods[name] = fn
  end
end
ops.methods.type = ops.cast
ops.methods.astype = ops.cast
ops.is_tensor = tensor.is

-- These name their methods themselves.
require "moonpod.ops_reduce"
require "moonpod.ops_product"
require "moonpod.ops_control"
require "moonpod.ops_arguments"(ops)
tensor.set_ops(ops)

return ops
