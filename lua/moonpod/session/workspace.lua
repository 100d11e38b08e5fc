-- workspace - what a session's lines are run in: modules that are loaded again, globals that must have been set, the
-- scope of a strategy, what was entered before.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local globals = require "moonpod.session.globals"
local texts = require "moonpod.base.texts"

local workspace = {}

-- Loads a module again; who holds its table sees what is new. load: does what `require` does. Returns what the module
-- gives; or nil and why the old one stays.
function workspace.reload(name, load)
  local old = package.loaded[name]
  if old == nil then
    return nil, ("'%s' is not loaded; write require '%s'"):format(name, name)
  end
  package.loaded[name] = nil
  local ok, new = pcall(load, name)
  if not ok then
    package.loaded[name] = old
    return nil, "the old one stays: " .. tostring(new)
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

-- Opens a strategy's scope for what follows, in the place of the one that is open; nil: none. host: of a session, or
-- any table. Returns whether it is a strategy.
function workspace.scope(host, strategy)
  if strategy ~= nil and (type(strategy) ~= "table" or type(strategy.enter) ~= "function") then
    return false
  end
  if host.scope then
    host.scope.opened:close()
    host.scope, host.prompt = nil, nil
  end
  if strategy then
    host.scope = { strategy = strategy, opened = strategy:enter() }
    host.prompt = ("%s(%d)"):format(strategy.kind or "scope", strategy.num_replicas_in_sync)
  end
  return true
end

-- Entries as an array of { number =, text = }: the last so many, or those that contain a text. wanted: a count, a text,
-- or nil and "" for the last 20.
function workspace.history(entries, wanted)
  wanted = (wanted == nil or wanted == "") and "20" or tostring(wanted)
  local count = wanted:find "^%d+$" and tonumber(wanted)
  local found = {}
  for i = count and math.max(#entries - count, 0) + 1 or 1, #entries do
    if count or entries[i]:find(wanted, 1, true) then
      found[#found + 1] = { number = i, text = entries[i] }
    end
  end
  return found
end

-- Writes entries into a new file, whole or not at all. Returns true, or nil and what went wrong.
function workspace.save(path, entries)
  if texts.exists(path) then
    return nil, path .. " is there already; it is kept as it is"
  end
  local ok, failure = pcall(device.core.file_write, device.context(), path, table.concat(entries, "\n") .. "\n")
  if not ok then
    return nil, failure
  end
  return true
end

return workspace
