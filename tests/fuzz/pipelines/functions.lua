-- functions - the functions of elements that random chains use, by name. peer.py has the same.
--
-- An element is a tensor, an array of elements (a tuple) or a table of them by name.

local pod = require "moonpod"

local functions = {}

local unpack = table.unpack or unpack -- luacheck: ignore

local function is_leaf(value)
  return pod.is_tensor(value) or type(value) == "number" or type(value) == "table" and value.dtype ~= nil
end
functions.is_leaf = is_leaf

-- Keys in the order in which the leaves of an element follow each other.
local function keys_of(value)
  local keys = {}
  for key in pairs(value) do
    keys[#keys + 1] = key
  end
  table.sort(keys)
  return keys
end
functions.keys_of = keys_of

function functions.is_tuple(value)
  return not is_leaf(value) and value[1] ~= nil
end

-- The same structure of fn(leaf).
local function each(value, fn)
  if is_leaf(value) then
    return fn(value)
  end
  local result = {}
  for key, part in pairs(value) do
    result[key] = each(part, fn)
  end
  return result
end

function functions.leaves(value, into)
  into = into or {}
  if is_leaf(value) then
    into[#into + 1] = value
    return into
  end
  for _, key in ipairs(keys_of(value)) do
    functions.leaves(value[key], into)
  end
  return into
end

-- A tensor in a type of integers; what no integer is near enough to is 7.
local function whole(x, dtype)
  if x.dtype:find "float" then
    x = pod.where(pod.less(pod.abs(x), 100), x, 7)
  end
  return x:cast(dtype)
end

-- The sum of the first leaf, an int64 scalar.
function functions.key(value)
  return pod.sum(whole(functions.leaves(value)[1], "int64"))
end

-- The element, for which the run fails where call.fail = { modulus, rest } says so of its key.
function functions.checked(value, call)
  local fail = call.fail
  if not fail then
    return value
  end
  local passes = pod.not_equal(functions.key(value) % fail[1], fail[2])
  return each(value, function(x)
    return pod.check(x, passes, "no luck")
  end)
end

-- The same for functions that run as Lua.
function functions.check_here(value, call)
  if call.fail and functions.key(value):item() % call.fail[1] == call.fail[2] then
    error("no luck", 0)
  end
end

local function affine(value, call)
  return each(value, function(x)
    if x.dtype == "bool" then
      return pod.logical_not(x)
    end
    local sign = x.dtype:find "^uint" and math.abs or tonumber
    return x * sign(call.a) + sign(call.b)
  end)
end

-- Functions for map, of an element and the call's constants.
functions.map = {
  affine = affine,
  fail = functions.checked,
  pair = function(value, call)
    return { value, affine(value, call) }
  end,
  swap = function(value)
    return { value[2], value[1] }
  end,
  pick = function(value, call)
    return value[call.i]
  end,
  name = function(value, call)
    return { a = value, b = affine(value, call) }
  end,
  field = function(value, call)
    return value[call.field]
  end,
  sums = function(value)
    return each(value, function(x)
      return pod.sum(whole(x, "int64"))
    end)
  end,
  cast = function(value, call)
    return each(value, function(x)
      return call.dtype:find "int" and whole(x, call.dtype) or x:cast(call.dtype)
    end)
  end,
  rows = function(value, call)
    return each(value, function(x)
      return pod.stack({ x, x * call.a }, 0)
    end)
  end,
}

-- Functions for map with { interpret = true }, of plain Lua values; they stand alone, without upvalues.
functions.interpreted = {
  fill = function(x)
    local list = {}
    for i = 1, math.floor(x % 4) do
      list[i] = x
    end
    return list
  end,
  double = function(list)
    local result = {}
    for i, x in ipairs(list) do
      result[i] = 2 * x
    end
    return result
  end,
  scalar = function(x)
    return 3 * x + 1
  end,
  fails = function(x)
    if x % 7 == 4 then
      error("no luck", 0)
    end
    return x
  end,
}

-- What a function of datasets gets as several values, as one.
function functions.packed(element_is_tuple, ...)
  if element_is_tuple then
    return { ... }
  end
  return (...)
end

functions.unpack = unpack

return functions
