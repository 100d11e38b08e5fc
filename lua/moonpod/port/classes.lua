-- classes - classes of one's own: models, layers, metrics and callbacks, as tables of methods.

local assignments = require "moonpod.port.assignments"
local expressions = require "moonpod.port.expressions"
local find = require "moonpod.help.find"
local layout = require "moonpod.port.layout"
local names = require "moonpod.port.names"
local scopes = require "moonpod.port.scopes"
local statements = require "moonpod.port.statements"
local tables = require "moonpod.base.tables"

local KIND_OF_INSTANCE = { ["pod.models"] = "model", ["pod.layers"] = "layer", ["pod.metrics"] = "metric",
  ["pod.callbacks"] = "callback" }

-- Arguments of a layer's call that are options here.
local OPTIONS = tables.set_of { "training", "mask" }

local function part_of(port, node)
  local base = node.bases[1]
  local path = base and expressions.path_of(port, base)
  local part = #node.bases == 1 and #node.keywords == 0 and path and names.bases[names.canonical(path)]
  if not part then
    port:refuse(node, "of classes, those of keras.Model, Layer, Metric and Callback are ported")
  end
  return part
end

-- Methods that a class has, its own and its base's: name -> true.
local function methods_of(node, part)
  local owner = KIND_OF_INSTANCE[part]
  local own = {}
  for _, one in ipairs(node.body) do
    own[one.name or ""] = true
  end
  return setmetatable(own, { __index = function(_, name)
    return find.value(owner .. ":" .. name) ~= nil
  end })
end

-- call(self, x, training=False): what Keras gives by name stands in a table here.
local function split_options(node)
  local args, taken = node.args, {}
  local kept, kept_defaults = {}, {}
  local first = #args.args - #args.defaults
  for i, one in ipairs(args.args) do
    if OPTIONS[one.arg] then
      taken[#taken + 1] = one.arg
    else
      kept[#kept + 1] = one
      kept_defaults[#kept_defaults + 1] = i > first and args.defaults[i - first] or nil
    end
  end
  args.args, args.defaults = kept, kept_defaults
  return taken
end

-- A method as a piece, its first parameter self.
local function method_of(port, node)
  if #node.decorator_list > 0 and not (node.decorator_list[1].id == "property" and node.name == "metrics") then
    port:refuse(node, "of methods with decorators none is ported")
  elseif not node.args.args[1] or node.args.args[1].arg ~= "self" then
    port:refuse(node, "a method's first argument is self")
  end
  local taken = node.name == "call" and split_options(node) or {}
  local piece, made = port:function_piece(node.args, node.body, node, taken)
  local parameters = tables.slice(made.parameters, 2)
  parameters.has_default = made.parameters.has_default
  return piece, parameters
end

-- The parameters of each method, without self.
local function parameters_of(node)
  local found = {}
  for _, one in ipairs(node.body) do
    local parameters = one.is == "FunctionDef" and tables.slice(tables.column(one.args.args, "arg"), 2) or nil
    local defaults = parameters and one.args.defaults or {}
    found[one.name or ""] = parameters
    for i, default in ipairs(defaults) do
      parameters.has_default = parameters.has_default or {}
      parameters.has_default[parameters[#parameters - #defaults + i]] = default.kind ~= "NoneType" or nil
    end
    if parameters then
      parameters.has_default = parameters.has_default or {}
    end
  end
  return found
end

function statements.ClassDef(port, node, lines)
  local part = part_of(port, node)
  local outer = port.class
  local methods = methods_of(node, part)
  port.class = { part = part, kind = KIND_OF_INSTANCE[part], kinds = {}, methods = methods,
    parameters = parameters_of(node) }
  local items, parameters = { { "name = ", ('"%s"'):format(node.name) } }, { has_default = {} }
  local ok, failure = pcall(function()
    for _, one in ipairs(node.body) do
      if one.is == "FunctionDef" then
        local piece, own = method_of(port, one)
        local name = one.name == "__init__" and "setup" or one.name
        parameters = name == "setup" and own or parameters
        items[#items + 1] = { port.key(name), " = ", piece }
      elseif one.is ~= "Pass" and not (one.is == "Expr" and one.value.is == "Constant") then
        port:refuse(one, "in classes, methods are ported")
      end
    end
  end)
  port.class = outer
  if not ok then
    error(failure, 0)
  end
  local before, entry = assignments.declare(port, node.name, "class")
  entry.parameters, entry.result = parameters, KIND_OF_INSTANCE[part]
  lines[#lines + 1] = { before, scopes.lua_name(node.name), " = ", part, ".subclass ", layout.table(items) }
end

return statements
