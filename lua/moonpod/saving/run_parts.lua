-- run_parts - what a run is made of: models, optimizers, variables, metrics, iterators; each with its names in a file.
--
-- The one that is called "model" has its weights under their own paths, "optimizer" stands below "optimizer/",
-- "iterator" below "iterator/"; whatever else there is, below "variables/" and its name.

local errors = require "moonpod.base.errors"
local layer = require "moonpod.layers.layer"
local metrics = require "moonpod.metrics"
local optimizers = require "moonpod.optimizers"
local tables = require "moonpod.base.tables"
local variable = require "moonpod.func.variable"
local weight_paths = require "moonpod.saving.weight_paths"

local run_parts = {}

local function is_iterator(value)
  return type(value) == "table" and type(value.state) == "function" and type(value.restore) == "function"
end

local KINDS = {
  { name = "model", is = layer.is_layer, what = "a model or a layer" },
  { name = "optimizer", is = optimizers.is_optimizer, what = "an optimizer" },
  { name = "variable", is = variable.is_variable, what = "a variable" },
  { name = "metric", is = metrics.is_metric, what = "a metric" },
  { name = "iterator", is = is_iterator, what = "an iterator" },
}

local OWN_NAMES = { model = "", optimizer = "optimizer/", iterator = "iterator/" }

-- The kind of an object: "model", "optimizer", ...; nil for what has no place in a file.
function run_parts.kind_of(object)
  for _, kind in ipairs(KINDS) do
    if kind.is(object) then
      return kind.name
    end
  end
end

-- Sorts objects by name into an array of { name =, kind =, object =, prefix = }, models first, as slots of optimizers
-- are named by the weights they belong to.
function run_parts.list(objects, where)
  local by_kind, list = {}, {}
  for name, object in pairs(objects) do
    local kind = run_parts.kind_of(object)
    if type(name) ~= "string" or not name:find "^[%w_.-]+$" then
      errors.raise("%s: what is saved has names of letters, digits, '_', '.' and '-', such as { step = variable }; "
        .. "%s is none", where, errors.describe(name))
    elseif not kind or OWN_NAMES[name] and kind ~= name then
      errors.raise("%s: '%s' must be %s; got %s", where, name, OWN_NAMES[name] and "an object of this kind"
        or "a model, a layer, an optimizer, a variable, a metric or an iterator", errors.describe(object))
    end
    by_kind[kind] = by_kind[kind] or {}
    table.insert(by_kind[kind], { name = name, kind = kind, object = object,
      prefix = OWN_NAMES[name] or "variables/" .. name .. "/" })
  end
  for _, kind in ipairs(KINDS) do
    local found = by_kind[kind.name] or {}
    table.sort(found, function(a, b)
      return a.name < b.name
    end)
    tables.extend(list, found)
  end
  return list
end

-- Adds entries of a metric: all replicas' values, which it goes on from.
local function add_metric(entries, metric, prefix)
  local used = {}
  for _, one in ipairs(metric.variables) do
    local name = one.name:match "[^/]+$" or one.name
    while used[name] do
      name = name .. "_"
    end
    used[name] = true
    entries[#entries + 1] = { path = prefix .. name, variable = one, is_replicated = true }
  end
end

run_parts.add_metric = add_metric

-- The variables of parts with their paths: an array of { path =, variable =, part =, is_replicated = }.
function run_parts.entries(parts)
  local entries, weights = {}, {}
  for _, part in ipairs(parts) do
    local first = #entries + 1
    if part.kind == "model" then
      for _, entry in ipairs(weight_paths.of(part.object)) do
        entries[#entries + 1] = { path = part.prefix .. entry.path, variable = entry.variable }
        weights[#weights + 1] = entries[#entries]
      end
    elseif part.kind == "optimizer" then
      for _, entry in ipairs(weight_paths.of_optimizer(part.object, weights)) do
        entries[#entries + 1] = { path = part.prefix .. entry.path:sub(#"optimizer/" + 1), variable = entry.variable }
      end
    elseif part.kind == "variable" then
      entries[#entries + 1] = { path = part.prefix .. "value", variable = part.object }
    elseif part.kind == "metric" then
      add_metric(entries, part.object, part.prefix)
    end
    for i = first, #entries do
      entries[i].part = part
    end
  end
  return entries, weights
end

-- The optimizer that keeps the slots: that within one that scales losses.
function run_parts.inner_of(optimizer)
  return rawget(optimizer, "inner") or optimizer
end

-- Builds optimizers that are not yet, for the weights that `names` of a file have slots of; match: a path in the file
-- -> its path here. Returns a function that makes them what they were.
function run_parts.build_optimizers(parts, weights, names, match)
  local weight_at, built = {}, {}
  for _, entry in ipairs(weights) do
    weight_at[entry.path] = entry.variable
  end
  for _, part in ipairs(parts) do
    if part.kind == "optimizer" and not run_parts.inner_of(part.object).built then
      local wanted, length = {}, #part.prefix
      for _, name in ipairs(names) do
        local of = name:sub(1, length) == part.prefix and name:sub(length + 1):match "^(.*)/[^/]*$"
        local weight = of and weight_at[match[of] or of]
        if weight then
          wanted[weight] = true
        end
      end
      local list = tables.map(weights, function(entry)
        return wanted[entry.variable] and entry.variable or nil
      end)
      if #list > 0 then
        built[#built + 1] = { optimizer = part.object, count = #run_parts.inner_of(part.object).variables }
        part.object:build(list)
      end
    end
  end
  return function()
    for _, entry in ipairs(built) do
      local inner = run_parts.inner_of(entry.optimizer)
      for i = #inner.variables, entry.count + 1, -1 do
        inner.variables[i] = nil
      end
      inner._state.slots, inner.built, inner.weights = {}, false, nil
      rawset(entry.optimizer, "built", false)
    end
  end
end

return run_parts
