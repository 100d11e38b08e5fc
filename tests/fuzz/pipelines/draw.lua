-- draw - random numbers that are the same in every Lua: drawing in one place moves nothing in another chain.

local draw = {}

local Draw = {}
Draw.__index = Draw

-- Lehmer's generator modulo 2^31 - 1: its products are exact in doubles.
function draw.new(seed)
  local self = setmetatable({ state = (seed * 2654435 + 12345) % 2147483646 + 1 }, Draw)
  for _ = 1, 8 do
    self:integer(0, 1)
  end
  return self
end

-- An integer of low to high.
function Draw:integer(low, high)
  self.state = self.state * 48271 % 2147483647
  return low + math.floor(self.state / 2147483647 * (high - low + 1))
end

function Draw:chance(percent)
  return self:integer(1, 100) <= percent
end

-- One entry of an array.
function Draw:pick(list)
  return list[self:integer(1, #list)]
end

return draw
