-- kinds - what an argument or an option may be: each kind has a test and the words for it in messages.

local readable = require "moonpod.base.readable"

local kinds = {}

local getmetatable, type = getmetatable, type
local floor = math.floor

-- That of tensors; moonpod.tensor tells it.
kinds.tensor_metatable = nil

-- name -> { is = function(value), what = "a number" }
local known = {}

-- Declares a kind. Classes declare theirs below themselves: kinds.define("strategy", is_strategy, "a strategy").
function kinds.define(name, is, what)
  known[name] = { is = is, what = what }
end

-- The kind of a name. One whose module is not loaded yet has no values, so nothing passes for one.
function kinds.get(name)
  return known[name]
end

local function of_type(name, what)
  kinds.define(name, function(value)
    return type(value) == name
  end, what or "a " .. name)
end

of_type "number"
of_type "string"
of_type "boolean"
of_type("table")

kinds.define("any", function()
  return true
end, "anything")

kinds.define("value", function(value)
  return value ~= nil
end, "a value")

kinds.define("key", function(value)
  return value ~= nil and value == value
end, "the name of a field")

kinds.define("options", readable.is_plain, "a table of options")
kinds.define("list", readable.is_plain, "a table")

local function is_callable(value)
  if type(value) == "table" then
    local meta = getmetatable(value)
    return type(meta) == "table" and meta.__call ~= nil
  end
  return type(value) == "function"
end

kinds.define("function", is_callable, "a function")

-- Beyond these no whole number has an integer, which format's %d and the library take.
local TWO_TO_63 = 2 ^ 63

-- Whether a value is a whole number that an integer holds, from `least` to `most` where these are given. All that takes
-- a whole number asks here: floats beyond integers, infinities and NaN are none.
function kinds.is_whole(value, least, most)
  return type(value) == "number" and value == floor(value) and value >= (least or -TWO_TO_63) and value < TWO_TO_63
    and value <= (most or value)
end

local is_whole = kinds.is_whole

kinds.define("integer", is_whole, "a whole number")

kinds.define("count", function(value)
  return is_whole(value, 0)
end, "a whole number from 0")

-- Shapes of tensors are lists with a metatable.
local function are_integers(value)
  if type(value) ~= "table" then
    return false
  end
  for i = 1, #value do
    if not is_whole(value[i]) then
      return false
    end
  end
  return #value > 0 or next(value) == nil
end

kinds.define("integers", are_integers, "a list of whole numbers")

local function is_integer_or_list(value)
  return is_whole(value) or are_integers(value)
end

kinds.define("shape", is_integer_or_list, "a list of sizes")

-- The axes themselves are looked at where the rank is known.
kinds.define("axes", function(value)
  return is_whole(value) or type(value) == "table"
end, "a whole number or a list of them")

kinds.define("pairs", function(value)
  if not readable.is_plain(value) then
    return false
  end
  for _, pair in ipairs(value) do
    if not are_integers(pair) or #pair ~= 2 then
      return false
    end
  end
  return true
end, "a list of pairs of whole numbers")

kinds.define("tensor_object", function(value)
  return type(value) == "table" and getmetatable(value) == kinds.tensor_metatable
end, "a tensor")

-- What tensor.convert() takes: it says what is wrong within a table.
kinds.define("tensor", function(value)
  local kind = type(value)
  if kind == "table" then
    local meta = getmetatable(value)
    return meta == nil or meta == readable.metatable or meta == kinds.tensor_metatable or meta.__as_tensor ~= nil
  end
  return kind == "number" or kind == "boolean"
end, "a tensor or a number")

local is_tensor_object = known.tensor_object.is

-- As errors.level_below() has them, which is higher up.
local MOST_LEVELS = 100

-- What a layer computes on: a tensor, or a table of tensors that is not empty. One that holds itself is none.
local function is_input(value, level)
  if not readable.is_plain(value) then
    return is_tensor_object(value)
  end
  for _, one in pairs(value) do
    if level > MOST_LEVELS or not is_input(one, level + 1) then
      return false
    end
  end
  return next(value) ~= nil
end

kinds.define("inputs", function(value)
  return is_input(value, 1)
end, "a tensor or a table of tensors")

-- A tensor may stand for its shape.
kinds.define("shape_or_tensor", function(value)
  return is_integer_or_list(value) or type(value) == "table" and not readable.is_plain(value)
    and known.tensor.is(value)
end, "a list of sizes or a tensor")

-- A list of tensors; one tensor is no list.
kinds.define("tensors", readable.is_plain, "a table of tensors")

-- Gradients have holes where there are none, so what a list holds is looked at by its pairs.
local function list_of(is)
  return function(value)
    if not readable.is_plain(value) then
      return false
    end
    for key, one in pairs(value) do
      if type(key) == "number" and not is(one) then
        return false
      end
    end
    return true
  end
end

local function is_variable(value)
  local variable = known.variable
  return variable ~= nil and variable.is(value)
end

kinds.define("variables", list_of(is_variable), "a list of variables")
kinds.define("gradients", list_of(known.tensor_object.is), "a list of tensors")
kinds.define("gradient_pairs", list_of(function(pair)
  return readable.is_plain(pair) and (pair[1] == nil or known.tensor_object.is(pair[1])) and is_variable(pair[2])
end), "a list of { gradient, variable }")

-- Tensors, numbers, nested tables of them, per-replica values: what structure and nest walk through.
kinds.define("nest", function(value)
  return type(value) == "table" or type(value) == "number" or type(value) == "boolean"
end, "a tensor or a table of tensors")

-- A name that no dtype has is the matter of ops.dtype(), which knows the near ones.
kinds.define("dtype", function(value)
  return type(value) == "string"
end, "a dtype such as \"float32\"")

-- What may stand where the table of options may come already.
local function or_options(kind)
  local is = known[kind].is
  kinds.define(kind .. "_or_options", function(value)
    return is(value) or readable.is_plain(value)
  end, known[kind].what .. " or a table of options")
end

or_options "boolean"
or_options "count"
or_options "dtype"
or_options "number"
or_options "string"
or_options "tensor"

-- What t[...] takes but for a number: "0, 1:3", { 0, "1:3" }, a tensor of rows.
kinds.define("index", function(value)
  return type(value) == "string" or type(value) == "table"
end, "a text such as \"0, 1:3\" or a list of numbers and ranges")

return kinds
