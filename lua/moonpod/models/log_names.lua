-- What logs hold that can be shown: numbers, and lists of them.

local log_names = {}

-- The mean of the numbers in a value: metrics may have one a class. nil where there are none.
function log_names.mean_of(value)
  if type(value) ~= "table" then
    return type(value) == "number" and value or nil
  end
  local sum = 0
  for _, part in ipairs(value) do
    local mean = log_names.mean_of(part)
    if not mean then
      return nil
    end
    sum = sum + mean
  end
  return value[1] ~= nil and sum / #value or nil
end

-- The names of the values that are numbers, or lists of them, sorted: Keras' order of logs.
function log_names.sorted(logs)
  local list = {}
  for name, value in pairs(logs) do
    if name ~= "batches" and log_names.mean_of(value) then
      list[#list + 1] = name
    end
  end
  table.sort(list)
  return list
end

return log_names
