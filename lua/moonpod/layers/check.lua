-- Checks of layer options: each returns what is wrong with a value, or nil.

local errors = require "moonpod.base.errors"
local readable = require "moonpod.base.readable"
local is_whole = require "moonpod.base.kinds".is_whole
local shapes = require "moonpod.base.shapes"

local check = {}

function check.positive_integer(value)
  if not is_whole(value, 1) then
    return "must be a whole number from 1"
  end
end

function check.non_negative_integer(value)
  if not is_whole(value, 0) then
    return "must be a whole number from 0"
  end
end

function check.rate(value)
  if type(value) ~= "number" or not (value >= 0 and value <= 1) then
    return "must be a number from 0 to 1"
  end
end

function check.number(value)
  if type(value) ~= "number" then
    return "must be a number"
  end
end

function check.integer(value)
  if not is_whole(value) then
    return "must be a whole number"
  end
end

function check.from_zero(value)
  if type(value) ~= "number" or value < 0 or value ~= value then
    return "must be a number from 0"
  end
end

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

function check.string(value)
  if type(value) ~= "string" then
    return "must be a string"
  end
end

function check.boolean(value)
  if type(value) ~= "boolean" then
    return "must be true or false"
  end
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
