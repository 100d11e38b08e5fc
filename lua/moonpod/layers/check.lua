-- Checks of layer options: each returns what is wrong with a value, or nil.

local errors = require "moonpod.base.errors"
local readable = require "moonpod.base.readable"
local is_whole = require "moonpod.base.kinds".is_whole
local shapes = require "moonpod.base.shapes"

local check = {}

-- A check that says `problem` of a value which is not right.
local function checker(is_right, problem)
  return function(value)
    return not is_right(value) and problem or nil
  end
end

local function of_type(name, problem)
  return checker(function(value) return type(value) == name end, problem)
end

local function whole_from(least, problem)
  return checker(function(value) return is_whole(value, least) end, problem)
end

local function number_up_to(most, problem)
  return checker(function(value) return type(value) == "number" and value >= 0 and value <= most end, problem)
end

check.number = of_type("number", "must be a number")
check.string = of_type("string", "must be a string")
check.boolean = of_type("boolean", "must be true or false")
check.integer = whole_from(nil, "must be a whole number")
check.positive_integer = whole_from(1, "must be a whole number from 1")
check.non_negative_integer = whole_from(0, "must be a whole number from 0")
check.rate = number_up_to(1, "must be a number from 0 to 1")
check.from_zero = number_up_to(math.huge, "must be a number from 0")

-- A whole number or a list of them.
function check.axes(value)
  if type(value) == "table" and #value > 0 then
    for _, one in ipairs(value) do
      if check.integer(one) then
        return "must hold whole numbers"
      end
    end
    return nil
  end
  return check.integer(value) and "must be a whole number or a list of them"
end

-- A number, a list of numbers or a tensor.
local function numbers(value, level)
  if readable.is_plain(value) then
    level = errors.level_below(level, "a list of numbers")
    for _, one in ipairs(value) do
      local problem = numbers(one, level)
      if problem then
        return problem
      end
    end
    return nil
  end
  if type(value) ~= "number" and not require("moonpod.tensor").is(value) then
    return "must be a number, a list of numbers or a tensor"
  end
end

function check.numbers(value)
  return numbers(value)
end

function check.one_of(...)
  local allowed = { ... }
  return function(value)
    for _, one in ipairs(allowed) do
      if one == value then
        return nil
      end
    end
    return 'must be one of "' .. table.concat(allowed, '", "') .. '"'
  end
end

-- A positive whole number or a list of `rank` of them.
function check.sizes(rank)
  return function(value)
    if type(value) == "number" then
      return check.positive_integer(value)
    end
    if type(value) ~= "table" or #value ~= rank then
      return "must be a whole number or a list of " .. rank
    end
    for _, one in ipairs(value) do
      local problem = check.positive_integer(one)
      if problem then
        return "must hold whole numbers from 1"
      end
    end
  end
end

-- A number or a list as a list of `rank`.
function check.list(value, rank)
  return type(value) == "table" and value or shapes.fill(rank, value)
end

-- Refuses the values of a config of which one of `checks`, by the option's name, says that something is wrong.
function check.options(where, config, checks)
  for name, problem_of in pairs(checks) do
    local problem = config[name] ~= nil and problem_of(config[name], config)
    if problem then
      errors.raise("%s: '%s' %s; got %s", where, name, problem, errors.describe(config[name]))
    end
  end
end

-- Raises a message that begins with the layer's name and class; `format` is what stands behind: " wants ...", ": ...".
function check.fail(layer, format, ...)
  errors.raise("layer '%s' (%s)" .. format, layer.name, layer.class_name, ...)
end

-- Raises when a size that a layer needs to build its weights is not known.
function check.known_size(layer, size, axis)
  if size == nil or size == -1 then
    check.fail(layer, " needs to know the size of axis %d of its input; give it in layers.input", axis)
  end
end

return check
