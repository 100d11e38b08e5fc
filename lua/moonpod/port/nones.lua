-- nones - where a Python script may have None: Lua's nil as an argument takes the parameter's default, None does not.

local scopes = require "moonpod.port.scopes"
local tables = require "moonpod.base.tables"

local nones = {}

local function is_target(node, like)
  return node.is == like.is and (node.is == "Subscript" or (node.id or node.attr) == (like.id or like.attr))
end

-- What a statement gives to what is written as `like`: an array of values, with `true` for a part of one.
local function given(node, like)
  local values = {}
  for _, target in ipairs(node.targets or { node.target }) do
    if is_target(target, like) then
      values[#values + 1] = node.value
    end
    for i, one in ipairs(target.elts or {}) do
      if is_target(one, like) then
        values[#values + 1] = (node.value.elts or {})[i] or node.value
      end
    end
  end
  return values
end

local may_be

-- Whether statements may end without a return of a value.
local function falls_off(body)
  local last = body[#body]
  if last.is == "If" then
    return #last.orelse == 0 or falls_off(last.body) or falls_off(last.orelse)
  elseif last.is == "With" then
    return falls_off(last.body)
  elseif last.is == "Try" then
    return falls_off(last.body) or #last.handlers > 0 and falls_off(last.handlers[1].body)
  end
  return last.is ~= "Return" and last.is ~= "Raise"
end

-- Whether a function of the script may return None, or something with None in it.
local function returns_none(tree, name, seen)
  local found = false
  scopes.visit(tree, function(node)
    if node.is == "FunctionDef" and node.name == name then
      found = found or falls_off(node.body)
      scopes.visit(node.body, function(inner)
        found = found or inner.is == "Return" and (not inner.value or inner.value.is == nil
          or may_be(tree, inner.value, seen))
        return inner.is == "FunctionDef" or inner.is == "Lambda"
      end)
    end
  end)
  return found
end

-- Whether a parameter of that name may be None: by its default, or by what a call of the function gives.
local function is_parameter_none(tree, name, seen)
  local found = false
  scopes.visit(tree, function(node)
    local args = (node.is == "FunctionDef" or node.is == "Lambda") and node.args
    local all = args and tables.join(args.args, args.kwonlyargs) or {}
    local first = args and #args.args - #args.defaults
    for i, one in ipairs(all) do
      local default = i > first and args.defaults[i - first] or nil
      if one.arg == name and default and may_be(tree, default, seen) then
        found = true
      elseif one.arg == name and node.name then
        scopes.visit(tree, function(call)
          local is_call = call.is == "Call" and (call.func.id or call.func.attr) == node.name
          for _, value in ipairs(is_call and tables.join(call.args, tables.column(call.keywords, "value")) or {}) do
            found = found or may_be(tree, value, seen)
          end
        end)
      end
    end
  end)
  return found
end

-- Whether an expression may be None, as far as the script's text tells.
function may_be(tree, node, seen)
  if node.is == "Constant" then
    return node.kind == "NoneType"
  elseif node.is == "IfExp" then
    return may_be(tree, node.body, seen) or may_be(tree, node.orelse, seen)
  elseif node.is == "BoolOp" or node.is == "Tuple" then
    for _, one in ipairs(node.values or node.elts) do
      if may_be(tree, one, seen) then
        return true
      end
    end
    return false
  elseif node.is == "Call" then
    return node.func.attr == "get" or returns_none(tree, node.func.id or node.func.attr or "", seen)
  elseif node.is ~= "Name" and node.is ~= "Attribute" and node.is ~= "Subscript" then
    return false
  end
  local key = node.is .. (node.id or node.attr or "")
  if seen[key] then
    return false
  end
  seen[key] = true
  local found = node.is == "Name" and is_parameter_none(tree, node.id, seen)
  scopes.visit(tree, function(one)
    for _, value in ipairs((one.is == "Assign" or one.is == "AnnAssign" and type(one.value) == "table")
      and given(one, node) or {}) do
      found = found or may_be(tree, value, seen)
    end
    for _, value in ipairs(node.is == "Subscript" and one.is == "Dict" and one.values or {}) do
      found = found or may_be(tree, value, seen)
    end
  end)
  return found
end

-- Refuses an argument that may be None where a default would take its place.
function nones.check(port, value, where)
  if may_be(port.tree, value, {}) then
    port:refuse(value, ("None may come to %s, and takes its default here; test for another value than None")
      :format(where))
  end
end

-- The piece for what a list or a dictionary keeps: refuses what may be None, for which a table has no place.
function nones.kept(port, value)
  if may_be(port.tree, value, {}) then
    port:refuse(value, "None may come into a list or a dictionary, which has no place for it here")
  end
  return port:value(value, 0)
end

-- Whether a function of the script, by its name, has a parameter with a default other than None.
function nones.has_default(port, name)
  local found = false
  scopes.visit(port.tree, function(node)
    local is_meant = node.is == "FunctionDef" and (not name or node.name == name)
    for _, default in ipairs(is_meant and node.args.defaults or {}) do
      found = found or default.kind ~= "NoneType"
    end
  end)
  return found
end

local CLASS_OF = { int = "number", float = "number", str = "text", bool = "boolean" }

-- Whether all calls of a function give a parameter a constant of its default's kind, or nothing, and it is used by
-- calls alone: then its kind is the default's.
function nones.keeps_kind(tree, node, name, place)
  local default = node.args.defaults[place - #node.args.args + #node.args.defaults]
  local wanted = default and default.is == "Constant" and CLASS_OF[default.kind]
  if not wanted or not node.name then
    return false
  end
  local uses, calls, keeps = 0, 0, true
  scopes.visit(tree, function(one)
    uses = uses + ((one.is == "Name" and one.id == node.name or one.is == "Attribute" and one.attr == node.name)
      and 1 or 0)
    if one.is == "Call" and one.func.id == node.name then
      calls = calls + 1
      local value = one.args[place]
      for _, keyword in ipairs(one.keywords) do
        value = keyword.arg == name and keyword.value or value
      end
      keeps = keeps and (not value or value.is == "Constant" and CLASS_OF[value.kind] == wanted)
    end
  end)
  for _, one in ipairs(scopes.stores(node.body, true)) do
    keeps = keeps and one.name ~= name
  end
  return keeps and uses == calls
end

return nones
