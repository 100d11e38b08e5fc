-- scopes - which names of a Python function are there at a place in Lua, and where they have to be declared.

local tables = require "moonpod.base.tables"

local scopes = {}

local KEYWORDS = tables.set_of {
  "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if",
  "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while" }

-- Names of Lua that a ported file may need for itself.
local TAKEN = tables.set_of { "pod", "math", "table", "string", "arg", "print", "error", "pcall", "tostring", "type",
  "ipairs", "pairs", "number", "whole", "length", "unpack", "part", "truth", "generator", "equal",
  "element", "at", "require", "assert" }

function scopes.is_keyword(name)
  return KEYWORDS[name] ~= nil
end

-- A variable's name as Lua can have it.
function scopes.lua_name(name)
  return (KEYWORDS[name] or TAKEN[name]) and name .. "_" or name
end

-- ---- what a tree does with names ---------------------------------------------------------------------------------

local function visit(node, fn)
  if type(node) ~= "table" then
    return
  elseif node.is and fn(node) then
    return
  end
  for key, value in pairs(node) do
    if key ~= "memo" and type(value) == "table" then
      visit(value, fn)
    end
  end
end

scopes.visit = visit

local function add_target(list, node)
  if node.is == "Name" then
    list[#list + 1] = { name = node.id, line = node.line }
  elseif node.is == "Starred" then
    add_target(list, node.value)
  else
    for _, one in ipairs(node.elts or {}) do
      add_target(list, one)
    end
  end
end

local IS_FUNCTION = { FunctionDef = true, AsyncFunctionDef = true, Lambda = true }
local IS_COMPREHENSION = { ListComp = true, DictComp = true, GeneratorExp = true, SetComp = true }

-- Names that a tree gives a value to, { name, line } each, without those of functions in it. `loops`: those of loops as
-- well.
function scopes.stores(tree, loops)
  local list = {}
  visit(tree, function(node)
    if node.is == "Assign" then
      for _, target in ipairs(node.targets) do
        add_target(list, target)
      end
    elseif node.is == "AugAssign" or node.is == "AnnAssign" or node.is == "For" and loops then
      add_target(list, node.target)
    elseif node.is == "withitem" and node.optional_vars then
      add_target(list, node.optional_vars)
    elseif node.is == "FunctionDef" or node.is == "ClassDef" then
      list[#list + 1] = { name = node.name, line = node.line }
    end
    return IS_FUNCTION[node.is] or node.is == "ClassDef" or IS_COMPREHENSION[node.is]
  end)
  return list
end

local function targets_of(node)
  local list = {}
  if node.is == "For" then
    add_target(list, node.target)
  end
  for _, one in ipairs(IS_COMPREHENSION[node.is] and node.generators or {}) do
    add_target(list, one.target)
  end
  local args = IS_FUNCTION[node.is] and node.args or {}
  for _, one in ipairs(tables.join(args.args or {}, args.kwonlyargs or {})) do
    list[#list + 1] = { name = one.arg, line = node.line }
  end
  return list
end

-- Lines on which a tree reads a name, without what lies in `but`, in loops over that name and in functions that have
-- an argument of that name.
function scopes.loads(tree, name, but)
  local lines = {}
  visit(tree, function(node)
    if node == but then
      return true
    end
    for _, one in ipairs(node ~= tree and targets_of(node) or {}) do
      if one.name == name then
        return true
      end
    end
    if node.is == "Name" and node.id == name then
      lines[#lines + 1] = node.line
    elseif node.is == "AugAssign" and node.target.id == name then
      lines[#lines + 1] = node.line
    elseif node.is == "Assign" then -- its targets are no reads, the rest is
      visit({ node.value }, function(inner)
        if inner.is == "Name" and inner.id == name then
          lines[#lines + 1] = inner.line
        end
      end)
      for _, target in ipairs(node.targets) do
        if target.is ~= "Name" and target.is ~= "Tuple" then
          visit({ target }, function(inner)
            if inner.is == "Name" and inner.id == name then
              lines[#lines + 1] = inner.line
            end
          end)
        end
      end
      return true
    end
  end)
  return lines
end

-- What leaves statements that become a function of their own: a `return`, a `break` or a `continue`; or nil.
function scopes.way_out(statements)
  local found
  visit(statements, function(node)
    local is_loop = node.is == "For" or node.is == "While"
    found = found or (node.is == "Return" or node.is == "Break" or node.is == "Continue") and node or nil
    if is_loop and not found then -- its own break and continue stay within it
      visit(node.body, function(inner)
        found = found or inner.is == "Return" and inner or nil
        return IS_FUNCTION[inner.is]
      end)
    end
    return is_loop or IS_FUNCTION[node.is]
  end)
  return found
end

local function is_several(value, several)
  return value.is == "Tuple" and "always" or value.is == "Call" and several[value.func.id or value.func.attr] or "never"
end

-- Which functions of a script return several values: name -> "always" or "sometimes".
function scopes.several(tree)
  local several, changed = {}, true
  local function note(name, value, seen)
    local found = value and is_several(value, several) or "never"
    local before = seen[name] or found
    seen[name] = before == found and found or "sometimes"
  end
  while changed do
    local seen = {}
    changed = false
    visit(tree, function(node)
      if node.is == "FunctionDef" then
        visit(node.body, function(inner)
          if inner.is == "Return" then
            note(node.name, inner.value, seen)
          end
          return IS_FUNCTION[inner.is]
        end)
      elseif node.is == "Assign" and node.value.is == "Lambda" and node.targets[1].is == "Name" then
        note(node.targets[1].id, node.value.body, seen)
      end
    end)
    for name, found in pairs(seen) do
      found = found ~= "never" and found or nil
      changed = changed or several[name] ~= found
      several[name] = found
    end
  end
  return several
end

-- Whether what a statement leaves in a name is read behind it: the name is read there before it gets another value.
function scopes.is_read_behind(tree, statement, name)
  local first
  for _, line in ipairs(scopes.loads(tree, name, statement)) do
    first = line > statement.last and math.min(first or line, line) or first
  end
  for _, one in ipairs(scopes.stores(tree, false)) do
    if first and one.name == name and one.line > statement.last and one.line < first then
      return false
    end
  end
  return first ~= nil
end

-- ---- scopes ------------------------------------------------------------------------------------------------------

-- A scope of a function (with its tree), or of a block in one.
function scopes.new(parent, tree)
  return { parent = parent, tree = tree or parent.tree, is_function = tree ~= nil, known = {} }
end

-- What is known of a name, { kind, parameters, result }; `here`: within the same function alone.
function scopes.find(scope, name, here)
  while scope do
    if scope.known[name] then
      return scope.known[name], scope
    elseif here and scope.is_function then
      return nil
    end
    scope = scope.parent
  end
end

-- Declares a name in a scope.
function scopes.declare(scope, name, kind)
  scope.known[name] = { kind = kind or "unknown" }
  return scope.known[name]
end

-- Names that a statement with blocks gives values to, and that are needed outside of the block: declared before it. A
-- name that a loop reads before it writes it is one of them.
function scopes.needed_outside(scope, statement)
  local list, seen = {}, {}
  for _, one in ipairs(scopes.stores({ statement }, false)) do
    local name = one.name
    if not seen[name] and not scopes.find(scope, name, true) then
      seen[name] = true
      local is_needed = #scopes.loads(scope.tree, name, statement) > 0
      for _, line in ipairs(scopes.loads({ statement }, name)) do
        is_needed = is_needed or (statement.is == "For" or statement.is == "While") and line < one.line
      end
      list[#list + 1] = is_needed and name or nil
    end
  end
  return list
end

-- Names of the function around that a function in it reads and that are not declared yet.
function scopes.needed_within(scope, statement)
  local list, seen = {}, { [statement.name or ""] = true }
  for _, one in ipairs(scopes.stores(scope.tree.body, false)) do
    if not seen[one.name] and not scopes.find(scope, one.name, true) and #scopes.loads({ statement }, one.name) > 0 then
      list[#list + 1] = one.name
    end
    seen[one.name] = true
  end
  return list
end

return scopes
