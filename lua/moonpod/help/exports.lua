-- exports - the names of all that scripts can reach: functions, classes and values of `pod` and its parts, and the
-- methods of objects. Naming all loads all of our modules.

local declare = require "moonpod.base.arguments"
local reflect = require "moonpod.help.reflect"
local tables = require "moonpod.base.tables"

local exports = {}

-- Methods that every layer has; a layer's own are those beside them.
local OF_ALL_LAYERS = { setup = true, build = true, call = true, compute_mask = true, from_config = true }

-- Tables that are values, by their last names: what is in them has its help elsewhere.
local CLOSED = { by_name = true, by_class = true, functions = true, core = true }

local function kind_of(value)
  if type(value) == "function" then
    return "function"
  elseif reflect.callee(value) then
    return "class"
  elseif type(value) == "table" and (getmetatable(value) == nil or reflect.is_our_module(value)) then
    return "part"
  end
  return "value"
end
exports.kind_of = kind_of

-- Adds what is in a part, then what is in its parts: a part that has two names is found by the shorter.
local function add_part(list, name, part, seen)
  local below = {}
  for _, key in ipairs(reflect.public_names(part)) do
    local value = reflect.field(part, key)
    if value ~= nil then
      local entry = { name = name .. "." .. key, value = value, kind = kind_of(value), part = name }
      entry.kind = entry.kind == "part" and CLOSED[key] and "value" or entry.kind
      list[#list + 1] = entry
      if entry.kind == "part" and not seen[value] then
        below[#below + 1] = entry
        seen[value] = true
      end
    end
  end
  for _, entry in ipairs(below) do
    add_part(list, entry.name, entry.value, seen)
  end
end

-- Adds the methods of the classes that moonpod.base.arguments knows: "dataset:batch".
local function add_methods(list)
  for owner, class in pairs(declare.classes()) do
    local seen = {}
    for _, row in ipairs(class.tables) do
      for name, method in pairs(row.methods) do
        if type(method) == "function" and type(name) == "string" and name:sub(1, 1) ~= "_" and not row.others[name]
            and not seen[name] then
          seen[name] = true
          local full = owner:gsub(" ", "_") .. ":" .. name
          list[#list + 1] = { name = full, value = method, kind = "method", part = owner:gsub(" ", "_") }
        end
      end
    end
  end
end

-- Adds the methods that a class of layers has for itself: "pod.layers.normalization:adapt".
local function add_own_methods(list, classes)
  for _, entry in ipairs(classes) do
    local class = entry.value
    for name, method in pairs(type(class) == "table" and rawget(class, "spec") and class or {}) do
      if type(method) == "function" and type(name) == "string" and name:sub(1, 1) ~= "_"
          and not OF_ALL_LAYERS[name] then
        list[#list + 1] = { name = entry.name .. ":" .. name, value = method, kind = "method", part = entry.name }
      end
    end
  end
end

-- An array of { name, value, kind ("function", "class", "part", "method", "value"), part (the name above) }, by name.
function exports.list(pod)
  local list = {}
  add_part(list, "pod", pod, {})
  local classes = tables.map(list, function(entry)
    return entry.kind == "class" and entry or nil
  end)
  require "moonpod.models.run" -- what `fit` makes, and `layout_map`, of which no part tells
  require "moonpod.distribute.mesh"
  add_methods(list)
  add_own_methods(list, classes)
  return tables.sort_by(list, "name")
end

-- The names by which a value is reached of what is loaded already: an array, the shortest first.
function exports.names_of(value, pod)
  local found, seen = {}, {}
  local function visit(name, part, level)
    seen[part] = true
    for key, one in next, part do
      if type(key) == "string" and key:sub(1, 1) ~= "_" then
        if rawequal(one, value) then
          found[#found + 1] = name .. "." .. key
        elseif level < 2 and kind_of(one) == "part" and not CLOSED[key] and not seen[one] then
          visit(name .. "." .. key, one, level + 1)
        end
      end
    end
  end
  if rawequal(value, pod) then
    return { "pod" }
  end
  visit("pod", pod, 0)
  local of_classes = {}
  add_methods(of_classes)
  for _, entry in ipairs(of_classes) do
    if rawequal(entry.value, value) then
      found[#found + 1] = entry.name
    end
  end
  table.sort(found, function(a, b)
    if #a ~= #b then
      return #a < #b
    end
    return a < b
  end)
  return found
end

return exports
