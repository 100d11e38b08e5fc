-- places - where nodes are from: scopes that have names, lines of the script, and who asked.

local around = require "moonpod.base.around"
local errors = require "moonpod.base.errors"

local places = {}

local scope_path
local scope_place -- where the user made what the innermost scope is of; nil where that is not known

local function scoped(name, place, fn, ...)
  local outer, outer_place = scope_path, scope_place
  local path = outer and outer .. "/" .. name or name
  return around(function()
    scope_path, scope_place = path, place
  end, function()
    scope_path, scope_place = outer, outer_place
  end, fn, ...)
end

-- Runs fn(...); nodes it makes carry `name` (inside the scopes that are open).
function places.scope(name, fn, ...)
  return scoped(name, scope_place, fn, ...)
end

-- The same of a layer or another thing that has a name: nodes that no line of the user's made since the trace began
-- carry the line where the thing was made, which tells more than that of fit.
function places.scope_of(thing, fn, ...)
  return scoped(thing.name, rawget(thing, "_created_at") or scope_place, fn, ...)
end

-- Returns the path of the open scopes ("block_1/dense"), nil when none is.
function places.scope_path()
  return scope_path
end

local asker -- who a fault at run time is to be told of, besides the line

-- Runs fn(...); what its nodes raise at run time names `who`, behind the line of the script.
function places.asked_by(who, fn, ...)
  local outer = asker
  return around(function()
    asker = who
  end, function()
    asker = outer
  end, fn, ...)
end

-- Tells the graph of a trace where the nodes to come are from.
function places.locate(self)
  local location = errors.location()
  if scope_place and location == self.started_at then
    location = scope_place
  end
  self.graph:set_location(asker and location and location .. ": " .. asker or location)
  if self.scope ~= scope_path then
    self.graph:set_scope(scope_path)
    self.scope = scope_path
  end
end

return places
