-- shrink - makes a chain that differs as short as it can be.

local shrink = {}

local function without(chain, place)
  local copy = {}
  for i, call in ipairs(chain) do
    if i ~= place then
      copy[#copy + 1] = call
    end
  end
  return copy
end

local function with(chain, place, call)
  local copy = without(chain)
  copy[place] = call
  return copy
end

local function changed(call, name, value)
  local copy = {}
  for key, old in pairs(call) do
    copy[key] = old
  end
  copy[name] = value
  return copy
end

-- Constants of stages that may not be 0.
local AT_LEAST_ONE = { modulus = true, size = true, batch = true, shift = true, stride = true, cycle = true,
  block = true, step = true, i = true, only = true }

-- Chains that are simpler by one step each.
local function simpler(chain)
  local list = {}
  for place = #chain, 2, -1 do
    list[#list + 1] = without(chain, place)
  end
  for place, call in ipairs(chain) do
    for name, value in pairs(call) do
      if type(value) == "number" and value ~= 0 and not (value == 1 and AT_LEAST_ONE[name]) then
        list[#list + 1] = with(chain, place, changed(call, name, value > 0 and value - 1 or value + 1))
      elseif value == true then
        list[#list + 1] = with(chain, place, changed(call, name, nil))
      elseif name == "others" then
        for i, other in ipairs(value) do
          for _, shorter in ipairs(simpler(other)) do
            list[#list + 1] = with(chain, place, changed(call, name, with(value, i, shorter)))
          end
        end
      end
    end
  end
  return list
end

-- Whether two differences are of one kind: a refusal stays one, and so does a failure to build.
local function kind_of(difference)
  return difference:match "^[^:\n%d]+"
end

-- Returns the smallest chain that was found to differ in the same way, and the text about it.
function shrink.smallest(chain, difference_of, difference)
  local tries = 0
  local again = true
  while again and tries < 300 do
    again = false
    for _, candidate in ipairs(simpler(chain)) do
      tries = tries + 1
      local ok, found = pcall(difference_of, candidate)
      if ok and found and kind_of(found) == kind_of(difference) and not found:find "\n    refused\n" then
        chain, difference, again = candidate, found, true
        break
      end
    end
  end
  return chain, difference
end

return shrink
