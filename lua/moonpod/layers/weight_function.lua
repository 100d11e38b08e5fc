-- weight_function - functions of a weight that keep what they were made with: regularizers and constraints.

local above = require "moonpod.base.above"
local declare = require "moonpod.base.arguments"
local errors = require "moonpod.base.errors"
local in_float32 = require("moonpod.ops.halves").in_float32
local tables = require "moonpod.base.tables"

local weight_function = {}

-- Makes a kind of them. `functions` gets, by define(name, class_name, defaults, make), functions NAME(options) that
-- give an object, called with a weight; make(config) gives the function that it calls. `first` is the option that may
-- be given alone. Returns define, is (whether a value is such an object), by_class (class name -> constructor)
-- and get.
function weight_function.kind(kind, functions)
  local Object = { __name = "moonpod." .. kind }
  Object.__index = Object
  local by_class, names = {}, {}

  function Object.__call(self, w)
    return in_float32(self.fn, w)
  end

  function Object.__tostring(self)
    return ("<%s %s>"):format(kind, self.class_name)
  end

  --- What it was made with, as plain data.
  ---@example pod.constraints.max_norm({ max_value = 3 }):get_config().max_value --> 3
  function Object:get_config()
    return above.call("get_config", self)
  end

  local is = declare.is(Object)

  local function define(name, class_name, defaults, make, first)
    local reading = { where = kind .. "s." .. name, first = first, allowed = {} }
    for option, default in pairs(defaults) do
      reading.allowed[option] = option == "axis" and "axes" or type(default)
    end
    local function constructor(options)
      local config = tables.merge(defaults, errors.read_options(options, nil, reading))
      return setmetatable({ class_name = class_name, config = config, fn = make(config) }, Object)
    end
    functions[name], by_class[class_name], names[#names + 1] = constructor, constructor, name
  end

  -- What a layer was given: nil, one's name, an object or any function as it is.
  local function get(value, where)
    if value == nil or type(value) == "function" or is(value) then
      return value
    end
    for _, name in ipairs(names) do
      if name == value then
        return functions[name]()
      end
    end
    errors.raise("%s: a %s is \"%s\" or a function, not %s", where or kind .. "s.get", kind,
      table.concat(names, "\", \""), errors.describe(value))
  end

  declare.methods(kind, Object, is)
  declare.metamethods(kind, Object)
  return define, is, by_class, get
end

return weight_function
