-- arguments - what public functions and methods take, said once for each below where it is written:
--
--   declare.functions("image", image, { ["x size options?"] = "resize smart_resize" })
--   declare.methods("strategy", Strategy, is_strategy, { ["fn args:list? kwargs:list?"] = "run" })
--
-- A signature is a list of arguments. What one may be follows from its name, for all functions alike (KIND_OF), or
-- stands behind it: `args:list`. `?` is for one that may be left out. What is not so never reaches the function: the
-- error names it, the argument, what was given and what is wanted, at the user's line.

local errors = require "moonpod.base.errors"
local kinds = require "moonpod.base.kinds"

local arguments = {}

-- The kinds of arguments that have the same name everywhere.
local KIND_OF = {
  x = "tensor", y = "tensor", a = "tensor", b = "tensor", t = "tensor", indices = "tensor", image = "tensor",
  condition = "tensor", options = "options", axis = "integer", axes = "axes", fn = "function", shape = "shape",
  dtype = "dtype", name = "string", path = "string", count = "integer", size = "integer", value = "value",
  strategy = "strategy", model = "model", dataset = "dataset", inputs = "inputs", gradients = "gradients",
}

local function read_argument(word, place)
  local name, kind, optional = word:match "^([%w_]+):?([%w_]*)(%??)$"
  kind = kind ~= "" and kind or KIND_OF[name]
  if not kind then
    error("arguments: what is '" .. word .. "'?", 0)
  end
  local known = kinds.get(kind)
  local is = known and known.is or function(value)
    local late = kinds.get(kind)
    return late ~= nil and late.is(value)
  end
  local test = is
  if optional == "?" then
    test = function(value)
      return value == nil or is(value)
    end
  end
  return { name = name, kind = kind, test = test, place = place,
    is_operand = kind == "tensor" and optional == "" }
end

local signatures = {}

local function read_signature(text)
  local list = signatures[text]
  if not list then
    list = {}
    for word in text:gmatch "%S+" do
      list[#list + 1] = read_argument(word, #list + 1)
    end
    signatures[text] = list
  end
  return list
end

local function refuse(where, argument, value)
  local known = kinds.get(argument.kind)
  errors.raise("%s: argument %d (%s) must be %s, not %s", where, argument.place, argument.name,
    known and known.what or "a " .. argument.kind, errors.describe(value))
end

local function refuse_self(where, what, value)
  local name = where:match "[^:]+$"
  errors.raise("%s is a method of %s: write object:%s(...) with a colon; it was given %s in the object's place", where,
    what, name, errors.describe(value))
end

local getmetatable = getmetatable

-- For operations on one or two tensors, which loops call most: what is a tensor is tested by its metatable alone.
local function checked_operation(fn, where, first, second)
  local test = first.test
  if not second then
    return function(a)
      if getmetatable(a) ~= kinds.tensor_metatable and not test(a) then
        refuse(where, first, a)
      end
      return fn(a)
    end
  end
  return function(a, b)
    local meta = kinds.tensor_metatable
    if getmetatable(a) ~= meta and not test(a) then
      refuse(where, first, a)
    elseif getmetatable(b) ~= meta and not test(b) then
      refuse(where, second, b)
    end
    return fn(a, b)
  end
end

-- The function that tests its arguments and goes on with `fn`, which takes its place on the stack. Most functions
-- have few arguments, and are called often: those are tested without a loop.
local function checked(fn, where, list)
  local first, second = list[1], list[2]
  if not first then
    return fn
  elseif #list <= 2 and first.is_operand and (not second or second.is_operand) then
    return checked_operation(fn, where, first, second)
  end
  local test_first, test_second = first.test, second and second.test
  if not second then
    return function(...)
      local a = ...
      if not test_first(a) then
        refuse(where, first, a)
      end
      return fn(...)
    end
  elseif #list == 2 then
    return function(...)
      local a, b = ...
      if not test_first(a) then
        refuse(where, first, a)
      elseif not test_second(b) then
        refuse(where, second, b)
      end
      return fn(...)
    end
  end
  local count = #list
  return function(...)
    local given = { ... }
    for i = 1, count do
      if not list[i].test(given[i]) then
        refuse(where, list[i], given[i])
      end
    end
    return fn(...)
  end
end

-- How many arguments a function takes; nil where that is any number, or more than methods mostly have.
local function fixed_arity(fn)
  local info = debug and debug.getinfo(fn, "u")
  return info and not info.isvararg and info.nparams and info.nparams <= 4 and info.nparams or nil
end

-- The same for a method of few arguments, none of which is tested: to pass any number on takes several times longer.
local function checked_short_method(fn, where, is, what)
  return function(self, a, b, c)
    if not is(self) then
      refuse_self(where, what, self)
    end
    return fn(self, a, b, c)
  end
end

local function checked_method(fn, where, is, what, list)
  if not list or #list == 0 then
    if fixed_arity(fn) then
      return checked_short_method(fn, where, is, what)
    end
    return function(self, ...)
      if not is(self) then
        refuse_self(where, what, self)
      end
      return fn(self, ...)
    end
  end
  local with_arguments = checked(function() end, where, list)
  return function(self, ...)
    if not is(self) then
      refuse_self(where, what, self)
    end
    with_arguments(...)
    return fn(self, ...)
  end
end

-- The test for the objects of a metatable.
function arguments.is(metatable)
  return function(value)
    return getmetatable(value) == metatable
  end
end

-- Returns a function that refuses arguments which are not as a signature says: for metamethods, which have no name.
function arguments.checker(where, signature)
  return checked(function() end, where, read_signature(signature))
end

-- Each function of a declaration with its signature: calls visit(name, list).
local function each_declared(declared, visit)
  for text, names in pairs(declared) do
    local list = read_signature(text)
    for name in names:gmatch "%S+" do
      visit(name, list)
    end
  end
end

-- Puts functions that test their arguments in the place of those of a table. declared: signature -> names.
function arguments.functions(owner, functions, declared)
  local prefix = owner == "" and "" or owner .. "."
  each_declared(declared, function(name, list)
    functions[name] = checked(assert(functions[name], name), prefix .. name, list)
  end)
  return functions
end

-- Those that Lua, or a reader of a metatable, may call with anything in the object's place. __index is left alone for
-- its speed.
local METAMETHODS = { "__tostring", "__len", "__call", "__close", "__newindex" }

-- Returns the function of an object and a value with what may do the same sooner before it: ways[object], which is a
-- function in C and returns nil where it gives way; nil and a message where it fails.
function arguments.with_ways(fn, ways)
  return function(self, value)
    local way = ways[self]
    if way then
      local result, failure = way(value)
      if result then
        return result
      elseif failure ~= nil then
        errors.raise_from_core(failure or "interrupted")
      end
    end
    return fn(self, value)
  end
end

-- owner -> { is, what, tables }: what the objects of arguments.methods() are, and their tables of methods, each with
-- the names in it that are no methods. An argument of the same kind may be more: numbers pass for tensors.
local objects = {}

-- Those of all modules that are loaded: for help.
function arguments.classes()
  return objects
end

-- Puts metamethods that test their object in the place of those of a metatable; arguments.methods() has declared the
-- owner.
function arguments.metamethods(owner, metatable)
  local object = objects[owner]
  for _, name in ipairs(METAMETHODS) do
    local method = rawget(metatable, name)
    if type(method) == "function" then
      rawset(metatable, name, checked_method(method, owner .. ":" .. name, object.is, object.what,
        name == "__newindex" and read_signature "key:key" or nil))
    end
  end
end

-- Puts methods that test their object, and the arguments that are declared, in the place of all methods of a table.
-- What is_object is true for, a test or the objects' metatable, is the kind of that name. Functions of the table that
-- are no methods are named in `others`.
function arguments.methods(owner, methods, is_object, declared, others)
  is_object = type(is_object) == "table" and arguments.is(is_object) or is_object
  local lists = {}
  each_declared(declared or {}, function(name, list)
    lists[name] = list
  end)
  local what = (owner:find "^[aeiou]" and "an " or "a ") .. owner:gsub("_", " ")
  objects[owner] = objects[owner] or { is = is_object, what = what, tables = {} }
  if not kinds.get(owner) then
    kinds.define(owner, is_object, what)
  end
  local left_out = {}
  for name in (others or ""):gmatch "%S+" do
    left_out[name] = true
  end
  table.insert(objects[owner].tables, { methods = methods, others = left_out })
  for name, method in pairs(methods) do
    if type(method) == "function" and type(name) == "string" and name:sub(1, 1) ~= "_" and not left_out[name] then
      methods[name] = checked_method(method, owner .. ":" .. name, is_object, what, lists[name])
    end
  end
  return methods
end

-- One method that tests its object, of a class whose kind arguments.methods() has declared, and its arguments.
function arguments.method(owner, name, method, signature)
  local kind = kinds.get(owner)
  return checked_method(method, owner .. ":" .. name, kind.is, kind.what, read_signature(signature or ""))
end

return arguments
