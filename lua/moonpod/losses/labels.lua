-- Class numbers that losses and metrics are given.

local index_numbers = require "moonpod.ops.index_numbers"
local ops = require "moonpod.ops"

local labels = {}

-- Class numbers as int32; the run fails where one is not 0 to classes - 1, and none that is `ignored`.
function labels.check(who, what, numbers, classes, ignored)
  numbers = index_numbers(numbers)
  local known = ops.logical_and(ops.greater_equal(numbers, 0), ops.less(numbers, classes))
  if ignored ~= nil then
    known = ops.logical_or(known, ops.equal(numbers, ignored))
  end
  return ops._checked(numbers, known, ("%s: %s has a label that is not one of the classes 0 to %d"):format(who, what,
    classes - 1))
end

return labels
