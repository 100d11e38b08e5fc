-- tables - arrays and tables made of others: none of these changes what it is given, but for
-- extend(), remove() and sort_by().

local tables = {}

-- The fields of several tables in one, of which each may be nil; later ones win.
function tables.merge(...)
  local out = {}
  for i = 1, select("#", ...) do
    for key, value in pairs((select(i, ...)) or {}) do
      out[key] = value
    end
  end
  return out
end

-- The keys of a table, sorted: all texts, or all numbers, but with an order for others.
function tables.sorted_keys(t, comes_first)
  local keys = {}
  for key in pairs(t) do
    keys[#keys + 1] = key
  end
  table.sort(keys, comes_first)
  return keys
end

-- A set of the values of an array: value -> true.
function tables.set_of(list)
  local set = {}
  for _, value in ipairs(list) do
    set[value] = true
  end
  return set
end

-- The values at the places first (1) to last (that of the end) of an array, such as a shape.
function tables.slice(list, first, last)
  local out = {}
  first = first or 1
  for i = first, last or #list do
    out[i - first + 1] = list[i]
  end
  return out
end

-- The largest number among the keys of an array that may have gaps; 0 where there is none.
function tables.last_place(list)
  local last = 0
  for key in pairs(list) do
    last = type(key) == "number" and math.max(last, key) or last
  end
  return last
end

-- The whole numbers first to last.
function tables.range(first, last)
  local out = {}
  for number = first, last do
    out[#out + 1] = number
  end
  return out
end

-- What fn(value, ...) gives for each value of an array; where it is nil there is no entry.
function tables.map(list, fn, ...)
  local out = {}
  for _, value in ipairs(list) do
    out[#out + 1] = fn(value, ...)
  end
  return out
end

-- The field of a name of each table of an array.
function tables.column(list, name)
  local out = {}
  for i, one in ipairs(list) do
    out[i] = one[name]
  end
  return out
end

-- The fields of a table that have these names.
function tables.pick(t, names)
  local out = {}
  for _, name in ipairs(names) do
    out[name] = t[name]
  end
  return out
end

-- Whether fn(value) is true for each value of an array.
function tables.all(list, fn)
  for _, value in ipairs(list) do
    if not fn(value) then
      return false
    end
  end
  return true
end

-- The largest of what fn(value, ...) gives for each value of an array (no fn: of the values), but `least` at the least.
function tables.most(list, least, fn, ...)
  for _, value in ipairs(list) do
    least = math.max(least, fn and fn(value, ...) or value)
  end
  return least
end

-- Sorts an array of tables by a field of each, the smallest first. Returns the array.
function tables.sort_by(list, name)
  table.sort(list, function(a, b)
    return a[name] < b[name]
  end)
  return list
end

-- Puts the values of an array behind those of another, which it returns.
function tables.extend(list, more)
  for _, value in ipairs(more) do
    list[#list + 1] = value
  end
  return list
end

-- The values of several arrays in one.
function tables.join(...)
  local out = {}
  for _, list in ipairs { ... } do
    tables.extend(out, list)
  end
  return out
end

-- Takes a value out of an array, wherever it stands. Returns the array.
function tables.remove(list, value)
  for i = #list, 1, -1 do
    if rawequal(list[i], value) then
      table.remove(list, i)
    end
  end
  return list
end

return tables
