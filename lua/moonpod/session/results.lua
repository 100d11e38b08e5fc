-- results - what a session keeps of its results: _, _1 to _9 and Out.

local results = {}

local KEPT = 9

-- Numbers of the results that Out has, the oldest first.
local function numbers_of(kept)
  local numbers = {}
  for number in next, kept do
    numbers[#numbers + 1] = number
  end
  table.sort(numbers)
  return numbers
end

local Results = {}

-- Out[-1] is the last result; a number of none is an error, as nil could be taken for a result.
function Results:__index(number)
  if type(number) ~= "number" then
    return nil
  end
  local numbers = numbers_of(self)
  local found = number < 0 and numbers[#numbers + 1 + number]
  if not found then
    error(("Out[%s] is not kept: %s"):format(tostring(number), #numbers == 0 and "there is no result yet"
      or ("the last %d results are (%s)"):format(#numbers, table.concat(numbers, ", "))), 2)
  end
  return rawget(self, found)
end

-- Makes Out, before there is a result, but where it is the user's own.
function results.open()
  if rawget(_G, "Out") == nil then
    rawset(_G, "Out", setmetatable({}, Results))
  end
end

-- Keeps a result in _ and _1, those before in _2 to _9: so many and no more are kept from being freed. Out has them by
-- number: the cell's, or at a prompt the count of results. A variable Out of the user's own stays.
function results.keep(value, number)
  if getmetatable(value) == Results then
    return
  end
  for i = KEPT, 2, -1 do
    rawset(_G, "_" .. i, rawget(_G, "_" .. (i - 1)))
  end
  rawset(_G, "_1", value)
  rawset(_G, "_", value)
  results.open()
  local kept = rawget(_G, "Out")
  if getmetatable(kept) == Results then
    local numbers = numbers_of(kept)
    rawset(kept, number or (numbers[#numbers] or 0) + 1, value)
    if #numbers >= KEPT then
      rawset(kept, numbers[1], nil)
    end
  end
end

-- Frees the results that are kept.
function results.forget()
  rawset(_G, "_", nil)
  for i = 1, KEPT do
    rawset(_G, "_" .. i, nil)
  end
  if getmetatable(rawget(_G, "Out")) == Results then
    rawset(_G, "Out", nil)
  end
end

return results
