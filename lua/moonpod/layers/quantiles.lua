-- quantiles - a summary of numbers, from which boundaries of even shares are found; as Keras' Discretization does.

local ops = require "moonpod.ops"
local tables = require "moonpod.base.tables"

local quantiles = {}
quantiles.__index = quantiles

-- An empty summary. epsilon: how exact it is, as a share of the numbers.
function quantiles.new(epsilon)
  return setmetatable({ epsilon = epsilon, values = {}, weights = {} }, quantiles)
end

-- The value of a line through points (x rises) at a place.
local function interpolate(place, x, y)
  if place <= x[1] then
    return y[1]
  end
  local low, high = 1, #x
  if place >= x[high] then
    return y[high]
  end
  while high - low > 1 do
    local middle = math.floor((low + high) / 2)
    if x[middle] <= place then
      low = middle
    else
      high = middle
    end
  end
  return (y[high] - y[low]) / (x[high] - x[low]) * (place - x[low]) + y[low]
end

-- The nearest float32 (Veltkamp's splitting). Sums and results are rounded as Keras rounds them: that decides which
-- values are equal.
local function single(x)
  local scaled = x * (2 ^ 29 + 1)
  return x - x == 0 and scaled - (scaled - x) or x
end

-- At most about 1 / epsilon values and weights, of more.
local function compress(values, weights, epsilon)
  if #values * epsilon < 1 then
    return values, weights
  end
  local sums, shares, sum = {}, {}, 0
  for i, weight in ipairs(weights) do
    sum = single(sum + weight)
    sums[i] = sum
  end
  for i = 1, #sums do
    shares[i] = single(sums[i] / sum)
  end
  local new_values, new_weights, before = {}, {}, 0
  for i = 0, math.ceil(1 / epsilon) - 1 do
    local share = epsilon + i * epsilon
    local upto = interpolate(share, shares, sums)
    new_values[i + 1], new_weights[i + 1] = single(interpolate(share, shares, values)), single(upto - before)
    before = upto
  end
  return new_values, new_weights
end

-- Adds the numbers of a tensor.
function quantiles:add(numbers)
  local count = numbers:size()
  local entries, step = {}, math.max(count * self.epsilon, 1)
  local places = {}
  for i = math.floor(step - 1), count - 1, math.floor(step) do
    places[#places + 1] = i
  end
  local sorted = ops.sort(ops.reshape(numbers, { -1 }))
  for i, value in ipairs(places[1] and ops.take(sorted, places):totable() or places) do
    entries[i] = { value, single(step), i }
  end
  for i, value in ipairs(self.values) do
    entries[#entries + 1] = { value, self.weights[i], #entries + 1 }
  end
  table.sort(entries, function(a, b) -- equal values by their order: Lua's sort chooses pivots by the clock
    return a[1] < b[1] or a[1] == b[1] and a[3] < b[3]
  end)
  local values, weights = {}, {}
  for i, entry in ipairs(entries) do
    values[i], weights[i] = entry[1], entry[2]
  end
  self.values, self.weights = compress(values, weights, self.epsilon)
end

-- The boundaries between `count` parts.
function quantiles:boundaries(count)
  local list = compress(self.values, self.weights, 1 / count)
  return tables.slice(list, 1, #list - 1)
end

return quantiles
