-- axis - what stands at an axis: a range, and round numbers within it.

local axis = {}

-- The finite range of values, made wider where it is a single one; 0 to 1 where there is none.
function axis.range(lists)
  local low, high = math.huge, -math.huge
  for _, list in ipairs(lists) do
    for _, value in ipairs(list) do
      if value == value and math.abs(value) < math.huge then
        low, high = math.min(low, value), math.max(high, value)
      end
    end
  end
  if low > high then
    return 0, 1
  elseif low == high then
    local more = low == 0 and 1 or math.abs(low) / 2
    return low - more, high + more
  end
  return low, high
end

-- The distance of round numbers, 1, 2 or 5 times a power of 10, of which at most so many lie in a range.
function axis.distance(low, high, most)
  local rough = (high / 2 - low / 2) / math.max(most, 1) * 2
  local power = 10 ^ math.floor(math.log(rough) / math.log(10))
  for _, factor in ipairs { 1, 2, 5, 10 } do
    if factor * power >= rough then
      return factor * power
    end
  end
  return 10 * power
end

-- Round numbers within a range as { value =, text = }. whole: no fractions between whole numbers.
function axis.ticks(low, high, most, whole)
  local distance = axis.distance(low, high, most)
  if whole then
    distance = math.max(distance, 1)
  end
  local ticks, digits = {}, math.max(0, math.ceil(-math.log(distance) / math.log(10) - 1e-9))
  local first = math.ceil(low / distance - 1e-9)
  for i = 0, most + 1 do
    local value = (first + i) * distance
    if value > high + 1e-9 * distance then
      break
    end
    local is_plain = digits <= 5 and math.abs(value) < 1e7
    ticks[#ticks + 1] = { value = value,
      text = (is_plain and ("%%.%df"):format(digits) or "%.4g"):format(value == 0 and 0 or value) }
  end
  return ticks
end

return axis
