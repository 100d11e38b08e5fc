-- How far lists of tensors are from each other.

local pod = require "moonpod"

local differences = {}

-- The largest difference of two lists of tensors, relative to the largest number of each; -1 where both have the same
-- numbers that are not finite.
function differences.largest(a, b)
  if #a ~= #b then
    return math.huge
  end
  local most = 0
  for i = 1, #a do
    local scale = pod.max(pod.abs(a[i])):item() + 0.05
    local one = pod.max(pod.abs(a[i] - b[i])):item() / scale
    if one ~= one then
      local same = pod.all(pod.equal(pod.is_finite(a[i]), pod.is_finite(b[i]))):item()
      return same and -1 or math.huge, i
    end
    most = one > most and one or most
  end
  return most
end

-- Whether two lists of tensors have the same bytes.
function differences.are_same_bits(a, b)
  for i = 1, math.max(#a, #b) do
    if not (a[i] and b[i]) or a[i]:data() ~= b[i]:data() then
      return false
    end
  end
  return true
end

return differences
