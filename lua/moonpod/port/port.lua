-- port - one Python file on its way to Lua: what it imported, which names are there, what was refused.

local expressions = require "moonpod.port.expressions"
local layout = require "moonpod.port.layout"
local scopes = require "moonpod.port.scopes"
require "moonpod.port.calls"

local Port = {}
Port.__index = Port

-- A port of what python.parse gave. `has_numbered`: the script has dictionaries whose keys may be numbers, so what is
-- not known to be a list may be one of them.
function Port.new(path, parsed, has_numbered)
  return setmetatable({ path = path, lines = parsed.lines, comments = parsed.comments, at = 1, aliases = {}, parts = {},
    needs = {}, refused = {}, tries = {}, written = {}, scope = scopes.new(nil, parsed.tree),
    several = scopes.several(parsed.tree), tree = parsed.tree, has_numbered = has_numbered }, Port)
end

-- Gives up on a statement: why, in a few words.
function Port:refuse(node, why)
  error({ refused = why, line = node.line }, 0)
end

-- A variable's name in Lua, and that of a field.
function Port.lua_name(_, name)
  return scopes.lua_name(name)
end

function Port.field(_, name)
  return scopes.is_keyword(name) and name .. "_" or name
end

-- What stands before "=" in a table: name or ["name"].
function Port.key(name)
  return name:find "^[%a_][%w_]*$" and not scopes.is_keyword(name) and name or ('["%s"]'):format(name)
end

-- ---- expressions -------------------------------------------------------------------------------------------------

-- The piece for an expression, what kind of value it is, and how tightly its operator binds.
function Port.translate(port, node)
  if not node.memo then
    local write = expressions[node.is]
    if node.is == "Raw" then
      node.memo = { node.write(), node.kind or "unknown", expressions.WHOLE }
    elseif not write then
      port:refuse(node, ("%s is not ported"):format(node.is))
    else
      node.memo = { write(port, node) }
    end
  end
  return node.memo[1], node.memo[2], node.memo[3]
end

-- The piece for an expression and what kind of value it is.
function Port:typed(node)
  local piece, kind = self:translate(node)
  return piece, kind
end

function Port:kind(node)
  local _, kind = self:translate(node)
  return kind
end

-- The piece for an expression, in ( ) where its operator binds less tightly than `least`.
function Port:value(node, least)
  local piece, _, rank = self:translate(node)
  return rank < least and { "(", piece, ")" } or piece
end

local IS_TRUE_AS_IT_IS = { boolean = true, nothing = true, model = true, layer = true, strategy = true,
  optimizer = true }

-- The piece for a condition and how tightly it binds: 0, "" and an empty list are false in Python.
local function condition(port, node)
  local rank = node.is == "BoolOp" and expressions.rank_of_bool[node.op.is]
  if rank then
    local pieces = {}
    for i, one in ipairs(node.values) do
      pieces[i] = port:condition(one, rank + (i > 1 and 1 or 0))
    end
    return layout.join(pieces, rank == expressions.rank_of_bool.And and " and " or " or "), rank
  end
  node.is_condition = true
  local piece, kind, own = port:translate(node)
  if kind == "tensor" or kind == "dict" then
    port:refuse(node, kind == "tensor" and "it asks whether a tensor is true; .item() gives the value of one element"
      or "it asks whether a table is true")
  elseif expressions.is_list[kind] then
    return { "#", port:value(node, expressions.WHOLE), " > 0" }, 3
  elseif kind == "number" or kind == "text" then
    return { port:value(node, 4), kind == "number" and " ~= 0" or ' ~= ""' }, 3
  elseif IS_TRUE_AS_IT_IS[kind] then
    return piece, own
  end
  port.needs.truth = true
  return { "truth(", piece, ")" }, expressions.WHOLE
end

-- The piece for a condition, in ( ) where its operator binds less tightly than `least`.
function Port:condition(node, least)
  local piece, rank = condition(self, node)
  return rank < least and { "(", piece, ")" } or piece
end

-- ---- names -------------------------------------------------------------------------------------------------------

-- A variable's name in Lua and its kind; nil where there is no such variable.
function Port:local_name(name)
  local found = scopes.find(self.scope, name)
  if found then
    return scopes.lua_name(name), found.kind
  end
end

-- The parameters of a function or class of the script, and what kind its result has; nil where it is none.
function Port:parameters(name)
  local found = scopes.find(self.scope, name)
  return found and found.parameters
end

function Port:result(name)
  local found = scopes.find(self.scope, name)
  return found and found.result
end

-- What a field of `self` is, and whether it is a method; within a class.
function Port:self_kind(name)
  return self.class and self.class.kinds[name]
end

function Port:is_method(name)
  return not self.class or self.class.methods[name] or false
end

-- What `self` is within a class, and the parameters of a method of the script.
function Port:class_kind()
  return self.class and self.class.kind
end

function Port:method_parameters(name)
  return self.class and self.class.parameters[name]
end

local RESULT_OF_METHOD = { result = "scalar", get_vocabulary = "texts", vocabulary_size = "number", count_params =
  "number" }

function Port.result_of_method(_, name)
  return RESULT_OF_METHOD[name] or "unknown"
end

return Port
