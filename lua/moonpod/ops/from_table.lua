-- from_table - which ops of the core's table are functions of tensors as they stand: those that compute each element
-- from one or two numbers at its place. An op that is new there is a function of tensors by its row.

local device = require "moonpod.tensor.device"

-- What they are called here where that is not the core's name.
local NAMES = { logistic = "sigmoid", negate = "negative" }

-- An array of { name = , builder = (the core's name), operands = 1 or 2, integer = whether it takes integers, too }.
local list = {}
for _, op in ipairs(device.core.ops()) do
  if (op.operands == 1 or op.operands == 2) and op.float and not op.bool then
    list[#list + 1] = { name = NAMES[op.name] or op.name, builder = op.name, operands = op.operands,
      integer = op.integer }
  end
end

return list
