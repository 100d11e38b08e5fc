-- reflect - what a value is made of, read without running anything of the user's: its fields through metatables, the
-- function behind those that test arguments, where that is written. Our own modules, which load their parts when they
-- are first named, are asked.

local reflect = {}

local MOST_STEPS = 20 -- from a class to the one it is made from
local MOST_UPVALUES = 60

local getinfo, getupvalue = debug and debug.getinfo, debug and debug.getupvalue
local metatable_of = debug and debug.getmetatable or getmetatable
reflect.metatable_of = metatable_of

-- What the names of our sources begin with: "@", the folder, a slash; nil where sources have no names.
local ROOT = getinfo and getinfo(1, "S").source:match "^(.*)help[/\\]reflect%.lua$"
reflect.ROOT = ROOT

-- Whether a function is of this library, so that it may be called.
function reflect.is_ours(fn)
  return ROOT ~= nil and type(fn) == "function" and getinfo(fn, "S").source:sub(1, #ROOT) == ROOT
end

-- The name by which one of our modules is required whose table a value is, or nil.
function reflect.module_name(value)
  for name, module in next, package.loaded do
    if rawequal(module, value) and type(name) == "string" and name:find "^moonpod" then
      return name
    end
  end
end

function reflect.is_our_module(value)
  return reflect.module_name(value) ~= nil
end

-- A function's upvalue of a name, or nil.
function reflect.upvalue(fn, wanted)
  for i = 1, getupvalue and MOST_UPVALUES or 0 do
    local name, value = getupvalue(fn, i)
    if not name then
      return nil
    elseif name == wanted then
      return value
    end
  end
end

-- Where a function of ours that is an __index finds things: tables that it is made with, by their names there.
local WHERE = { methods = true, class = true, fields = true, elsewhere = true, file_of = true, ALIASES = true,
  FILES = true }

local function tables_of_index(fn)
  local found = {}
  for i = 1, reflect.is_ours(fn) and MOST_UPVALUES or 0 do
    local name, value = getupvalue(fn, i)
    if not name then
      break
    elseif type(value) == "table" and WHERE[name] then
      found[#found + 1] = value
    elseif name == "ops" and type(value) == "table" and type(rawget(value, "methods")) == "table" then
      found[#found + 1] = rawget(value, "methods")
    end
  end
  return found
end

-- Calls visit(table) for each table in which a value's fields are found, first to last, until it returns true.
function reflect.each_table(value, visit, steps)
  steps = steps or 0
  if steps > MOST_STEPS then
    return false
  end
  if type(value) == "table" and visit(value) then
    return true
  end
  local meta = metatable_of(value)
  local index = type(meta) == "table" and rawget(meta, "__index")
  if type(index) == "function" then
    for _, found in ipairs(tables_of_index(index)) do
      if reflect.each_table(found, visit, steps + 1) then
        return true
      end
    end
    return false
  end
  return index and reflect.each_table(index, visit, steps + 1) or false
end

-- A value's field, as indexing finds it; what only a user's function could find is nil.
function reflect.field(value, key)
  local result
  reflect.each_table(value, function(from)
    result = rawget(from, key)
    return result ~= nil
  end)
  if type(value) == "table" and rawget(value, key) == nil and reflect.is_our_module(value) then
    local meta = metatable_of(value)
    local index = type(meta) == "table" and rawget(meta, "__index")
    local ok, loaded = pcall(reflect.is_ours(index) and index or error, value, key)
    result = ok and loaded or result
  end
  return result
end

-- The names of a value's fields: a table from names to the Lua types of what they hold, "any" where that is not known.
function reflect.names(value)
  local names = {}
  reflect.each_table(value, function(from)
    for key, held in next, from do
      if type(key) == "string" and key:find "^[%a_][%w_]*$" then
        names[key] = names[key] or type(held)
      end
    end
  end)
  local meta = metatable_of(value)
  local list = type(meta) == "table" and rawget(meta, "names")
    or type(value) == "table" and reflect.is_our_module(value) and rawget(value, "names")
  if reflect.is_ours(list) then
    for _, name in ipairs(list()) do
      names[name] = names[name] or "any"
    end
  end
  return names
end

-- Those that begin with no "_", sorted.
function reflect.public_names(value)
  local keys = {}
  for key in next, reflect.names(value) do
    keys[#keys + 1] = key:sub(1, 1) ~= "_" and key or nil
  end
  table.sort(keys)
  return keys
end

-- Files with functions that only look at their arguments and go on with another: what that one is called there.
local BEHIND = {
  ["base/arguments.lua"] = { "fn", "method" }, ["layers/layer.lua"] = { "call", "setup" },
  ["metrics/metric.lua"] = { "update" }, ["layers/activations.lua"] = { "fn" },
}

-- Files whose functions are never what is looked for, but stand before it.
local BEFORE = { ["base/arguments.lua"] = true, ["base/late.lua"] = true }

-- The file that a function of ours is in: "models/fit.lua".
local function file_of(fn)
  return (getinfo(fn, "S").source:sub(#ROOT + 1):gsub("\\", "/"))
end

-- The function behind one that tests its arguments, or loads its module when it is called, or nil.
function reflect.behind(fn)
  if not reflect.is_ours(fn) then
    return nil
  end
  local file = file_of(fn)
  if file == "base/late.lua" then
    return reflect.upvalue(fn, "load")()[reflect.upvalue(fn, "name")]
  end
  for _, name in ipairs(BEHIND[file] or {}) do
    local found = reflect.upvalue(fn, name)
    if type(found) == "function" then
      return found
    end
  end
end

-- The function that is written where users would look for it: behind those that stand before it.
function reflect.origin(fn)
  local inner = fn
  while inner and reflect.is_ours(inner) and BEFORE[file_of(inner)] do
    inner = reflect.behind(inner)
  end
  return inner or fn
end

-- Whether a function hands all that it is called with to another, so that its text says nothing of its arguments.
function reflect.hands_on(fn)
  return reflect.is_ours(fn) and file_of(fn) == "base/above.lua"
end

-- What is called when a value is: a function, or nil. A part that may be called as well, pod.device, is a part: its own
-- help says which of its functions that is.
function reflect.callee(value)
  if type(value) == "function" then
    return value
  end
  local meta = metatable_of(value)
  local call = type(meta) == "table" and rawget(meta, "__name") ~= "moonpod.part" and rawget(meta, "__call")
  return type(call) == "function" and call or nil
end

-- What moonpod.base.arguments tests for a function, or nil: an array of { name =, kind =, optional = }.
function reflect.declared(fn)
  if not (getinfo and getinfo(fn, "S").source:find "base[/\\]arguments%.lua$") then
    return nil
  end
  local list = reflect.upvalue(fn, "list")
  local tester = reflect.upvalue(fn, "with_arguments")
  if type(list) == "table" then
    return list
  elseif tester then
    return reflect.declared(tester)
  end
  return { reflect.upvalue(fn, "first"), reflect.upvalue(fn, "second") }
end

return reflect
