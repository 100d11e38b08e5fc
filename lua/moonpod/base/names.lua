-- Names: Keras' snake_case and unique names, lists for messages.

local names = {}

local counts = {}

-- "BatchNormalization" to "batch_normalization", "Conv2D" to "conv2d", "LSTM" to "lstm", as Keras does.
function names.snake_case(name)
  local text = name:gsub("%W+", "")
  text = text:gsub("(.)([A-Z][a-z]+)", "%1_%2")
  text = text:gsub("([a-z])([A-Z])", "%1_%2")
  return text:lower()
end

-- "dense", then "dense_1", "dense_2", ...: of this process, or of what counts in `given`.
function names.unique(prefix, given)
  local counted = given or counts
  local count = counted[prefix] or 0
  counted[prefix] = count + 1
  return count == 0 and prefix or prefix .. "_" .. count
end

-- A name that `used` has not, and has from now on: "kernel", or else with the first free number from `first` (1) on.
function names.free(base, used, first)
  local name, count = base, first or 1
  while used[name] do
    name, count = base .. "_" .. count, count + 1
  end
  used[name] = true
  return name
end

-- Starts all counts again (Keras' clear_session).
function names.reset()
  counts = {}
end

-- The keys of a table, sorted, as texts.
function names.sorted(set)
  local keys = {}
  for key in pairs(set) do
    keys[#keys + 1] = tostring(key)
  end
  table.sort(keys)
  return keys
end

-- The same as "a, b, c".
function names.list(set)
  return table.concat(names.sorted(set), ", ")
end

return names
