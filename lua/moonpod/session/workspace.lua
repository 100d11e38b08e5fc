-- workspace - what a session's lines are run in: modules that are loaded again, globals that must have been set.

local errors = require "moonpod.base.errors"
local globals = require "moonpod.session.globals"

local workspace = {}

-- Loads a module again; who holds its table sees what is new. load: does what `require` does. Where that fails the old
-- one stays, and the error is raised.
function workspace.reload(name, load)
  local old = package.loaded[name]
  package.loaded[name] = nil
  local ok, new = pcall(load, name)
  if not ok then
    package.loaded[name] = old
    error(new, 0)
  end
  if type(old) == "table" and type(new) == "table" and old ~= new then
    for key in next, old do
      if rawget(new, key) == nil then
        rawset(old, key, nil)
      end
    end
    for key, value in next, new do
      rawset(old, key, value)
    end
    setmetatable(old, getmetatable(new))
    package.loaded[name] = old
  end
  return package.loaded[name]
end

-- The metatable of _G that is strict, and its __index before.
local strict_of, lenient

local function is_named(name)
  return type(name) == "string" and name:sub(1, 1) ~= "_"
end

local function lookup(_, name)
  local value = type(lenient) == "function" and lenient(_G, name) or type(lenient) == "table" and lenient[name]
  if value or not is_named(name) or globals.is_standard(name) then
    return value or nil
  end
  local known = {}
  for one in next, _G do
    known[#known + 1] = is_named(one) and one or nil
  end
  local hint = errors.suggest(name, known)
  error(("there is no global '%s'%s"):format(name, hint:find "did you mean" and hint or ""), 2)
end

-- Refuses to read globals that nobody has set, or no longer does. Names that begin with an underscore are left alone.
function workspace.strict(on)
  local meta = getmetatable(_G)
  if not on and strict_of then
    strict_of.__index, strict_of = lenient, nil
  elseif on and not strict_of then
    if type(meta) ~= "table" then
      meta = {}
      setmetatable(_G, meta)
    end
    lenient, strict_of = meta.__index, meta
    meta.__index = lookup
  end
end

return workspace
