-- places - which input or output of a model each of the given values is for. Inputs, targets, weights of samples,
-- losses and metrics are all bound here: by the names that the model has, or by place where no names are given.

local errors = require "moonpod.base.errors"
local nest = require "moonpod.tensor.nest"
local tables = require "moonpod.base.tables"

local places = {}
places.__index = places

-- The keys that lead to each leaf of a structure, in the order of nest.flatten.
local function paths_of(structure, path, out)
  if nest.is_leaf(structure) then
    out[#out + 1] = path
    return out
  end
  for _, key in ipairs(nest.sorted_keys(structure)) do
    local below = tables.slice(path)
    below[#below + 1] = key
    paths_of(structure[key], below, out)
  end
  return out
end

-- The places of a model's inputs or outputs, as `kind` says. `structure` has a leaf for each; names: what else they are
-- called, by layers. In logs and messages (self.names) the model's own keys stand before those.
function places.of(model, kind, structure, names)
  local self = setmetatable({ model = model.name, kind = kind, paths = paths_of(structure, {}, {}), names = {},
    by_name = {} }, places)
  for i, path in ipairs(self.paths) do
    local shown = {}
    for at, key in ipairs(path) do
      shown[at] = type(key) == "number" and at == #path and names[i] or key
    end
    self.names[i] = #shown > 0 and table.concat(shown, "/") or names[i]
  end
  local twice = {}
  for i, name in ipairs(names) do
    twice[name] = self.by_name[name] ~= nil
    self.by_name[name] = not twice[name] and i or nil
  end
  for i, path in ipairs(self.paths) do -- the model's own keys come before the names of layers
    if #path == 1 and type(path[1]) == "string" then
      self.by_name[path[1]] = i
    end
  end
  return self
end

local function has_names(given)
  if nest.is_leaf(given) then
    return false
  end
  for key, value in pairs(given) do
    if type(key) == "string" or has_names(value) then
      return true
    end
  end
  return false
end

local function at(given, path)
  for _, key in ipairs(path) do
    if nest.is_leaf(given) then
      return nil
    end
    given = given[key]
  end
  return nest.is_leaf(given) and given or nil
end

-- Refuses names that the model has not, and names that are missing.
function places:_check_names(given, out, count, what, needed)
  if needed and count < #nest.flatten(given) then
    for _, key in ipairs(nest.sorted_keys(given)) do
      if not self.by_name[key] then
        errors.raise("%s are given for %s '%s', which model '%s' does not have%s", what, self.kind, tostring(key),
          self.model, errors.suggest(tostring(key), self.by_name))
      end
    end
    errors.raise("model '%s': the %s are nested otherwise than the model's %ss", self.model, what, self.kind)
  end
  for i = 1, #self.paths do
    if not out[i] and (not needed or needed[i]) then
      local names = tables.map(nest.sorted_keys(given), tostring)
      errors.raise("model '%s': nothing is given for %s '%s'; there are %s for %s", self.model, self.kind,
        self.names[i], what, table.concat(names, ", "))
    end
  end
end

-- What is given for each place, in their order; false where there is nothing. what: such as "targets". needed: a set of
-- the places that must have some; then there may be no names besides. Without it all must have, and other names are not
-- looked at, as rows of data may have more columns than a model reads.
function places:bind(given, what, needed)
  local count = #self.paths
  if not has_names(given) then
    local flat = nest.flatten(given)
    if #flat ~= count then
      errors.raise("model '%s' has %d %s%s; the %s are for %d", self.model, count, self.kind, count == 1 and "" or "s",
        what, #flat)
    end
    return flat
  end
  local out, found = {}, 0
  for i = 1, count do
    out[i] = at(given, self.paths[i]) or false
  end
  for name, i in pairs(self.by_name) do
    out[i] = out[i] or nest.is_leaf(given[name]) and given[name] or false
  end
  for i = 1, count do
    found = found + (out[i] and 1 or 0)
  end
  self:_check_names(given, out, found, what, needed)
  return out
end

return places
