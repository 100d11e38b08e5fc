-- scopes - which names of a Python function are there at a place in Lua, and where they have to be declared.

local tables = require "moonpod.base.tables"

local scopes = {}

local KEYWORDS = tables.set_of {
  "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if",
  "in", "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while" }

-- Names of Lua that a ported file may need for itself.
local TAKEN = tables.set_of { "pod", "math", "table", "string", "arg", "print", "error", "pcall", "tostring", "type",
  "ipairs", "pairs", "number", "whole", "length", "unpack", "part", "truth", "generator", "equal",
  "element", "at", "require", "assert", "list", "dict", "options", "sum", "try" }

function scopes.is_keyword(name)
  return KEYWORDS[name] ~= nil
end

-- A variable's name as Lua can have it; `end_` of a script is not what its `end` becomes.
function scopes.lua_name(name)
  local stem = name:match "^(.-)_*$"
  return (KEYWORDS[stem] or TAKEN[stem]) and name .. "_" or name
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

-- Whether a function has a name for itself: it gives it a value and does not say that it is one of those around.
local function is_own(node, name)
  local is_stored, is_declared = false, false
  for _, one in ipairs(node.is == "FunctionDef" and scopes.stores(node.body, true) or {}) do
    is_stored = is_stored or one.name == name
  end
  visit(is_stored and node.body, function(inner)
    for _, one in ipairs((inner.is == "Global" or inner.is == "Nonlocal") and inner.names or {}) do
      is_declared = is_declared or one == name
    end
    return IS_FUNCTION[inner.is]
  end)
  return is_stored and not is_declared
end

-- Lines on which a tree reads a name, without what lies in `but`, in loops over that name and in functions that have
-- a variable of that name. A function that changes a name around it reads it, too.
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
    if node ~= tree and is_own(node, name) then
      return true
    end
    for _, one in ipairs((node.is == "Global" or node.is == "Nonlocal") and node.names or {}) do
      lines[#lines + 1] = one == name and node.line or nil
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

-- Whether a function within a tree reads a name of what is around it: it sees what the name has when it is called.
local function is_captured(tree, name)
  local found = false
  visit(tree, function(node)
    found = found or IS_FUNCTION[node.is] and #scopes.loads({ node }, name) > 0
    return found
  end)
  return found
end

-- Whether a function changes a name of what is around it.
function scopes.is_changed_within(tree, name)
  local found = false
  visit(tree, function(node)
    for _, one in ipairs((node.is == "Global" or node.is == "Nonlocal") and node.names or {}) do
      found = found or one == name
    end
  end)
  return found
end

-- Whether a name may have what another one has, too: one of the two is given the other or a part of it, or it is a
-- parameter that a call gives such.
function scopes.is_alias(tree, name)
  local IS_NAMED, found = { Name = true, Attribute = true, Subscript = true }, false
  local function compare(target, value)
    found = found or IS_NAMED[value.is] and (target.id == name or value.id == name) or false
    for i, one in ipairs(target.elts or {}) do
      compare(one, (value.elts or {})[i] or value)
    end
  end
  visit(tree, function(node)
    for _, target in ipairs(node.is == "Assign" and node.targets or {}) do
      compare(target, node.value)
    end
    if node.is == "For" and node.target.is == "Name" then -- several names have what a dataset makes
      compare(node.target, node.iter)
    end
    for i, one in ipairs(node.is == "FunctionDef" and node.args.args or {}) do
      visit(one.arg == name and tree or nil, function(call)
        local is_given = call.is == "Call" and (call.func.id or call.func.attr) == node.name and call.args[i]
        found = found or is_given and IS_NAMED[is_given.is] or false
      end)
    end
  end)
  return found
end

-- Whether an expression calls a function of the script, or one that is not known.
function scopes.calls(port, tree)
  local found = false
  visit({ tree }, function(node)
    found = found or node.is == "Call" and node.func.is == "Name" and port:local_name(node.func.id) ~= nil
    return node.is == "Lambda"
  end)
  return found
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

-- Whether a loop's variable is there outside of it: as one of the same function, or for functions that read it later.
function scopes.is_shared(scope, loop, name)
  local found = scope.known[name]
  if not loop.is_inner then
    found = scopes.find(scope, name, true)
  end
  return found ~= nil
end

-- A name of ours that the script has not.
function scopes.fresh(scope, name)
  local taken = {}
  for _, one in ipairs(scopes.stores(scope.tree, true)) do
    taken[one.name] = true
  end
  while taken[name] or scopes.find(scope, name) do
    name = name .. "_"
  end
  return name
end

-- Names that a statement with blocks gives values to, and that are needed outside of the block: declared before it. A
-- name that a loop reads before it writes it is one of them, and one that a function made in a loop reads: Lua has a
-- new variable in each round, Python has one. Of a comprehension, only its own names.
function scopes.needed_outside(scope, statement)
  local list, seen = {}, {}
  local is_loop = statement.is == "For" or statement.is == "While"
  for _, one in ipairs(scopes.stores({ statement }, true)) do
    local name = one.name
    if not seen[name] and not (statement.is_inner or scopes.find(scope, name, true)) then
      seen[name] = true
      local is_needed = #scopes.loads(scope.tree, name, statement) > 0 or is_loop and is_captured(statement, name)
      for _, line in ipairs(scopes.loads({ statement }, name)) do
        is_needed = is_needed or is_loop and line < one.line
      end
      list[#list + 1] = is_needed and name or nil
    elseif not seen[name] and statement.is_inner then
      seen[name] = true
      list[#list + 1] = is_captured(statement.body, name) and name or nil
    end
  end
  return list
end

-- Names of the function around that a function in it reads and that are not declared yet.
function scopes.needed_within(scope, statement)
  local list, seen = {}, { [statement.name or ""] = true }
  for _, one in ipairs(scopes.stores(scope.tree.body, true)) do
    if not seen[one.name] and not scopes.find(scope, one.name, true) and #scopes.loads({ statement }, one.name) > 0 then
      list[#list + 1] = one.name
    end
    seen[one.name] = true
  end
  return list
end

return scopes
