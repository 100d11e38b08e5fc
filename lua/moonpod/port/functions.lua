-- functions - functions of a script: their parameters with defaults, their bodies, what they return.

local arguments = require "moonpod.port.arguments"
local assignments = require "moonpod.port.assignments"
local expressions = require "moonpod.port.expressions"
local layout = require "moonpod.port.layout"
local names = require "moonpod.port.names"
local nones = require "moonpod.port.nones"
local Port = require "moonpod.port.port"
local scopes = require "moonpod.port.scopes"
local tables = require "moonpod.base.tables"

local add = layout.add
local unpack = table.unpack or unpack

local functions = {}

-- Whether a default is the same value whenever it is made.
local function is_constant(port, node)
  local all = node.is == "Constant" or expressions.path_of(port, node) ~= nil or node.is == "UnaryOp"
    and is_constant(port, node.operand) or node.is == "Tuple"
  for _, one in ipairs(node.is == "Tuple" and node.elts or {}) do
    all = all and is_constant(port, one)
  end
  return all
end

-- The parameters of a function (`has_default`: those whose default is not None), lines that give them their defaults,
-- and lines before the function: what is computed is computed once, where it is defined.
local function parameters_of(port, args, node, outer)
  if args.vararg or #args.posonlyargs > 0 or args.kwarg and not (port.class and node.name == "__init__") then
    port:refuse(node, "it takes any number of arguments")
  end
  local list, lines, before = { has_default = {} }, {}, {}
  local all = tables.join(args.args, args.kwonlyargs)
  local defaults = {}
  for i, value in ipairs(args.defaults) do
    defaults[#args.args - #args.defaults + i] = value
  end
  for i, value in ipairs(args.kw_defaults) do
    defaults[#args.args + i] = type(value) == "table" and value or nil
  end
  local inner = port.scope
  for i, one in ipairs(all) do
    list[i] = one.arg
    local default = defaults[i]
    port.scope = outer -- a default sees what is around the function
    local piece, kind = default and port:value(default, 0), default and port:kind(default) or "unknown"
    port.scope = inner
    scopes.declare(port.scope, one.arg, nones.keeps_kind(port.tree, node, one.arg, i) and kind or "unknown")
    if default and not arguments.is_none(default) then
      local name = scopes.lua_name(one.arg)
      if not is_constant(port, default) then
        local made = scopes.fresh(outer, "default_" .. one.arg)
        scopes.declare(outer, made)
        add(before, { "local ", made, " = ", piece })
        piece = made
      end
      list.has_default[one.arg] = true
      add(lines, { head = "if " .. name .. " == nil then", body = { { name, " = ", piece } }, tail = "end" })
    end
  end
  return list, lines, before
end

-- A function's parameters, the lines of its body, and what kind it returns. `options`: names that a layer's call gets
-- in a table behind the others.
local function function_body(self, args, body, node, options)
  local outer, outer_result = self.scope, self.result_kind
  self.scope, self.result_kind = scopes.new(outer, { is = "Body", body = body }), nil
  local ok, failure = pcall(function()
    local parameters, lines, before = parameters_of(self, args, node, outer)
    for _, name in ipairs(options) do
      scopes.declare(self.scope, name, "boolean")
      add(lines, ("local %s = options and options.%s"):format(name, name))
    end
    self:statements(body, lines)
    parameters[#parameters + 1] = #options > 0 and "options" or nil
    return { parameters = parameters, lines = lines, before = before, result = self.result_kind }
  end)
  self.scope, self.result_kind = outer, outer_result
  if not ok then
    error(failure, 0)
  end
  return failure
end

-- A function without a name, and what is known of it. `before` takes lines that come before it; without it they stand
-- in a function around it.
function Port:function_piece(args, body, node, options, before)
  local made = function_body(self, args, body, node, options or {})
  local ours = {}
  for i, name in ipairs(made.parameters) do
    ours[i] = scopes.lua_name(name)
  end
  local piece = { head = "function(" .. table.concat(ours, ", ") .. ")", body = made.lines, tail = "end" }
  if before then
    add(before, unpack(made.before))
  elseif #made.before > 0 then
    piece = { "(", { head = "function()", body = tables.join(made.before, { { "return ", piece } }), tail = "end" },
      ")()" }
  end
  return piece, made
end

-- Whether a function is compiled: @tf.function, @tf.function(jit_compile=True).
local function is_compiled(port, node)
  local compiled = false
  for _, one in ipairs(node.decorator_list) do
    local path = expressions.path_of(port, one.is == "Call" and one.func or one)
    local found = path and names.resolve(path)
    if not found or found.special ~= "compiled" or one.is == "Call" and #one.args > 0 then
      port:refuse(node, "of decorators, tf.function is ported")
    end
    compiled = true
  end
  return compiled
end

function functions.FunctionDef(port, node, lines)
  assignments.hoist(port, scopes.needed_within(port.scope, node), lines)
  local compiled = is_compiled(port, node)
  local before, entry = assignments.declare(port, node.name, "function")
  local piece, made = port:function_piece(node.args, node.body, node, {}, lines)
  entry.parameters, entry.result = made.parameters, made.result
  local name = scopes.lua_name(node.name)
  if compiled then
    add(lines, { before, name, " = pod.func(", piece, ")" })
  else
    piece.head = before .. "function " .. name .. piece.head:match "%(.*$"
    add(lines, piece)
  end
end

function functions.Return(port, node, lines)
  local value = node.value
  if not value then
    add(lines, "return")
  elseif value.is == "Tuple" then
    local pieces = {}
    for i, one in ipairs(value.elts) do
      pieces[i] = port:value(one, 0)
    end
    port.result_kind = "unknown"
    add(lines, { "return ", layout.list(pieces) })
  else
    value.is_spread = true
    local piece, kind = port:typed(value)
    port.result_kind = (port.result_kind or kind) == kind and kind or "unknown"
    add(lines, { "return ", piece })
  end
end

function functions.Global(port, node)
  for _, name in ipairs(node.names) do
    local outer = scopes.find(port.scope, name)
    if not outer then
      port:refuse(node, ("%s gets its value behind this function"):format(name))
    end
    port.scope.known[name] = outer
  end
end

functions.Nonlocal = functions.Global

return functions
