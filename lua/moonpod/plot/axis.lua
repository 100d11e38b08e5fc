-- axis - what stands at an axis: a range, linear or logarithmic, and round numbers within it.

local decimal = require "moonpod.base.decimal"

local axis = {}

local function is_finite(value)
  return value == value and math.abs(value) < math.huge
end

axis.is_finite = is_finite

-- Ranges that are narrower have no round numbers within.
local LEAST = 1e-300

-- The smallest and the largest finite number above one, or of all; the first is the larger one where there is none.
function axis.extent(lists, above)
  local low, high = math.huge, -math.huge
  for _, list in ipairs(lists) do
    for _, value in ipairs(list) do
      if is_finite(value) and value > (above or -math.huge) then
        low, high = math.min(low, value), math.max(high, value)
      end
    end
  end
  return low, high
end

-- The finite range of values, made wider where it is a single one; 0 to 1 where there is none.
function axis.range(lists)
  local low, high = axis.extent(lists)
  if low > high then
    return 0, 1
  elseif high / 2 - low / 2 < LEAST then
    local more = math.abs(low) < LEAST and 1 or math.abs(low) / 2
    return low - more, high + more
  end
  return low, high
end

-- The base 10 logarithm; of what has none, nil.
local function log10(value)
  return value > 0 and math.log(value) / math.log(10) or nil
end

-- The range of the logarithms of what is above 0.
local function log_range(lists)
  local low, high = axis.extent(lists, 0)
  if low > high then
    return 0, 1
  end
  low, high = log10(low), log10(high)
  if high - low < 1e-9 then
    return low - 0.5, high + 0.5
  end
  return low, high
end

-- Makes a scale of lists of values. Options: log; range ({ low, high } in the place of the values'); zero (0 lies
-- within); room (so much of the range stays free at both ends, but for a 0 that was asked for); whole (no ticks between
-- whole numbers). low and high are logarithms where log is set.
function axis.scale(lists, options)
  local scale = { log = options.log or false, whole = options.whole }
  if options.range then
    scale.low, scale.high = options.range[1], options.range[2]
    if scale.log then
      scale.low, scale.high = log10(scale.low), log10(scale.high)
    end
    scale.high = math.max(scale.high, scale.low + LEAST)
    return scale
  end
  local low, high = (scale.log and log_range or axis.range)(lists)
  local bottom = options.zero and not scale.log and low >= 0
  local top = options.zero and not scale.log and high <= 0
  low, high = bottom and 0 or low, top and 0 or high
  local room = (high / 2 - low / 2) * 2 * (options.room or 0)
  room = is_finite(room) and is_finite(low - room) and is_finite(high + room) and room or 0
  scale.low, scale.high = bottom and low or low - room, top and high or high + room
  return scale
end

-- Where a value lies on a scale: 0 at its low end, 1 at its high end; nil for what has no place.
function axis.share(scale, value)
  if scale.log then
    value = value > 0 and log10(value) or nil
  end
  if not value or not is_finite(value) then
    return nil
  end
  return (value / 2 - scale.low / 2) / (scale.high / 2 - scale.low / 2)
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

-- A number with so many significant digits: 1.5e9, -2e-7.
local function scientific(value, digits)
  local mantissa, exponent = decimal.format("%." .. math.max(digits - 1, 0) .. "e", value):match "^(.-)e(.*)$"
  if mantissa:find(".", 1, true) then
    mantissa = mantissa:gsub("0+$", ""):gsub("%.$", "")
  end
  return mantissa .. "e" .. ("%d"):format(tonumber(exponent))
end

-- A number for people, of so many significant digits (4): 0.25, 1200, 1.5e9, nan. The same in every locale.
function axis.text(value, digits)
  if value ~= value then
    return "nan"
  elseif not is_finite(value) then
    return value > 0 and "inf" or "-inf"
  elseif value == 0 then
    return "0"
  end
  digits = digits or 4
  local size = math.abs(value)
  if size >= 1e7 or size < 1e-4 then
    return scientific(value, digits)
  end
  local behind = math.max(0, digits - 1 - math.floor(log10(size) + 1e-12))
  local text = ("%%.%df"):format(behind):format(value):gsub(",", ".")
  return text:find(".", 1, true) and text:gsub("0+$", ""):gsub("%.$", "") or text
end

-- Ticks of a linear range.
local function linear_ticks(low, high, most, whole)
  local distance = axis.distance(low, high, most)
  if distance ~= distance or distance <= 0 then
    return {}
  end
  if whole then
    distance = math.max(distance, 1)
  end
  local ticks, digits = {}, math.max(0, math.ceil(-log10(distance) - 1e-9))
  local first, largest = math.ceil(low / distance - 1e-9), math.max(math.abs(low), math.abs(high))
  local is_plain = digits <= 5 and largest < 1e7
  local significant = math.min(math.ceil((log10(largest / distance) or 0) - 1e-9) + 1, 15)
  for i = 0, most + 1 do
    local value = (first + i) * distance
    if not is_finite(value) or value > high + 1e-9 * distance then
      break
    end
    value = value == 0 and 0 or value -- no -0
    ticks[#ticks + 1] = { value = value, text = is_plain and ("%%.%df"):format(digits):format(value):gsub(",", ".")
      or value == 0 and "0" or scientific(value, significant) }
  end
  return ticks
end

local function power_text(power)
  if power >= 0 and power <= 5 then
    return ("%.0f"):format(10 ^ power)
  elseif power >= -4 and power < 0 then
    return (("%%.%df"):format(-power):format(10 ^ power):gsub(",", "."))
  end
  return "1e" .. ("%d"):format(power)
end

-- Ticks at powers of 10, at twice and five times these where there are few.
local function log_ticks(low, high, most)
  local first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
  local ticks = {}
  if last - first >= 1 then
    local step = math.max(1, math.ceil((last - first + 1) / math.max(most, 2)))
    for power = first, last, step do
      ticks[#ticks + 1] = { value = 10 ^ power, text = power_text(power) }
    end
    return ticks
  end
  for power = math.floor(low), last do
    for _, factor in ipairs { 1, 2, 5 } do
      local value = factor * 10 ^ power
      local place = log10(value)
      if place and place >= low - 1e-9 and place <= high + 1e-9 then
        ticks[#ticks + 1] = { value = value, text = axis.text(value) }
      end
    end
  end
  return #ticks >= 2 and ticks or linear_ticks(10 ^ low, 10 ^ high, most, false)
end

-- Round numbers within a scale, about `most` of them, as { value =, text = }.
function axis.ticks(scale, most)
  local ticks = {}
  for _, tick in ipairs(scale.log and log_ticks(scale.low, scale.high, most)
    or linear_ticks(scale.low, scale.high, most, scale.whole)) do
    ticks[#ticks + 1] = axis.share(scale, tick.value) and tick or nil -- beyond what numbers have, there is no place
  end
  return ticks
end

return axis
