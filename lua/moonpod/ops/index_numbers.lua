-- index_numbers - numbers of classes, rows and places as int32.

local ops = require "moonpod.ops.elementwise"
local tensor = require "moonpod.tensor"

local LEAST, MOST = -2 ^ 31, 2 ^ 31 - 1

local IS_WIDE = { int64 = true, uint64 = true, uint32 = true }

-- What int32 cannot hold becomes its nearest end, and NaN its lower one: cast alone would make of 2^32 + 1 the number
-- of another class, and of NaN that of the first.
return function(x)
  x = tensor.convert(x)
  if ops.is_float(x.dtype) then
    x = ops.where(ops.equal(x, x), x, -math.huge)
  elseif IS_WIDE[x.dtype] then
    x = ops.minimum(x, MOST)
    x = x.dtype == "int64" and ops.maximum(x, LEAST) or x
  end
  return ops.cast(x, "int32")
end
