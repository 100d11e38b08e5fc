-- weight_paths - the names of weights in files: where they stand in their model, "encoder/dense_1/kernel".

local names = require "moonpod.base.names"
local parts = require "moonpod.layers.parts"
local readable = require "moonpod.base.readable"

local weight_paths = {}

-- First parts of names that belong to what is no weight: a layer of such a name gets "_layer" behind it.
local RESERVED = { optimizer = true, random = true, metrics = true, iterator = true, variables = true,
  callbacks = true }

-- Whether a name in a file is that of something else than a weight of a model.
function weight_paths.is_reserved(path)
  return RESERVED[path:match "^[^/]*"] == true
end

-- The field of a layer that holds a variable which was given no name; nil where none does.
local function field_of(owner, wanted)
  local fields = {}
  for key, value in pairs(owner) do
    if type(key) == "string" then
      if rawequal(value, wanted) then
        fields[#fields + 1] = key
      elseif readable.is_plain(value) and key:sub(1, 1) ~= "_" then
        for i, item in ipairs(value) do
          if rawequal(item, wanted) then
            fields[#fields + 1] = key .. "_" .. i
          end
        end
      end
    end
  end
  table.sort(fields)
  return fields[1]
end

-- The weight's name within its layer: "kernel". Attention has "query/kernel".
local function own_name(owner, weight)
  local prefix = owner.name .. "/"
  if weight.name:sub(1, #prefix) == prefix then
    return weight.name:sub(#prefix + 1)
  elseif weight.name:find "^variable_?%d*$" then
    return field_of(owner, weight) or weight.name
  end
  return weight.name:match "[^/]+$" or weight.name
end

-- Which layer a weight is a part of: the one that made it; else the first that has it. A layer around another may have
-- the other's kernel, too.
local function find_owners(model)
  local owner_of = {}
  model:each_layer(function(one)
    for _, weight in ipairs(parts.own_variables(one)) do
      local made_here = weight.name:sub(1, #one.name + 1) == one.name .. "/"
      if not owner_of[weight] or made_here and not owner_of[weight].made_here then
        owner_of[weight] = { layer = one, made_here = made_here }
      end
    end
  end)
  return owner_of
end

-- Returns the paths of the layers of a model: layer -> "encoder/dense", that of the model being "".
local function layer_paths(model)
  local path_of, used_in = { [model] = "" }, {}
  model:each_layer(function(one)
    local used = used_in[one] or {}
    used_in[one] = used
    for _, sub in ipairs(one:sublayers()) do
      if not path_of[sub] then
        local above = path_of[one]
        local name = tostring(sub.name)
        if above == "" and weight_paths.is_reserved(name) then
          name = name .. "_layer"
        end
        path_of[sub] = (above == "" and "" or above .. "/") .. names.free(name, used)
      end
    end
  end)
  return path_of
end

-- The weights of a model or a layer, and the states of stateful layers, with their paths, in Keras' order: an array of
-- { path =, variable =, layer = the path of its layer }.
function weight_paths.of(model)
  local owner_of = find_owners(model)
  local path_of, used, list = layer_paths(model), {}, {}
  for _, weight in ipairs(parts.all_variables(model)) do
    local owner = owner_of[weight].layer
    local above, name = path_of[owner], own_name(owner, weight)
    if above == "" and weight_paths.is_reserved(name) then
      name = name .. "_variable"
    end
    local path = names.free((above == "" and "" or above .. "/") .. name, used)
    list[#list + 1] = { path = path, variable = weight, layer = above }
  end
  return list
end

-- What a variable of an optimizer is called, without the optimizer's name.
local function slot_name(optimizer, one)
  local prefix = optimizer.name .. "/"
  return one.name:sub(1, #prefix) == prefix and one.name:sub(#prefix + 1) or one.name
end

-- The variables of an optimizer with their paths: "optimizer/iteration", and those of a weight behind its path,
-- "optimizer/dense_1/kernel/momentum". `weights`: what weight_paths.of() returned of the model; without it the names of
-- the weights stand for their paths.
function weight_paths.of_optimizer(optimizer, weights)
  local path_of, used, list = {}, {}, {}
  for _, entry in ipairs(weights or {}) do
    path_of[entry.variable] = entry.path
  end
  local inner = rawget(optimizer, "inner") or optimizer
  local weight_of = {}
  for weight, slots in pairs(inner._state.slots) do
    for name, slot in pairs(slots) do
      weight_of[slot] = { weight = weight, name = name }
    end
  end
  local function add(owner)
    for _, one in ipairs(owner.variables) do
      local of = weight_of[one]
      local path = of and (path_of[of.weight] or of.weight.name) .. "/" .. of.name or slot_name(owner, one)
      list[#list + 1] = { path = names.free("optimizer/" .. path, used), variable = one, layer = "optimizer" }
    end
  end
  if inner ~= optimizer then
    add(optimizer)
  end
  add(inner)
  return list
end

-- The bases of names that layers were given by themselves: of a Dense layer "dense_3", "dense".
local function automatic_base(one)
  local base = tostring(one.name):gsub("_%d+$", "")
  local class = names.snake_case(one.class_name)
  if base == class or base == "forward_" .. class or base == "backward_" .. class then
    return base
  end
end

-- ---- names of another run ---------------------------------------------------------------------------------------
--
-- Layers that are given no name are numbered as they are made, so the same script may have a "dense_2" where another
-- run had a "dense". Such layers, and no others, are taken for the same when only their numbers differ: those beside
-- each other in the order of their numbers.

local function tree_of(paths)
  local root = { children = {} }
  for _, path in ipairs(paths) do
    local at = root
    for part in path:gmatch "[^/]+" do
      at.children[part] = at.children[part] or { children = {} }
      at = at.children[part]
    end
    at.path = path
  end
  return root
end

-- The children whose names are numbered ones of `bases`: base -> names in the order of their numbers.
local function numbered(node, bases)
  local groups = {}
  for name in pairs(node.children) do
    local base, number = name:match "^(.-)_(%d+)$"
    if not base or not bases[base] then
      base, number = name, -1
    end
    if bases[base] then
      groups[base] = groups[base] or {}
      table.insert(groups[base], { name = name, number = tonumber(number) })
    end
  end
  for _, group in pairs(groups) do
    table.sort(group, function(a, b)
      return a.number < b.number
    end)
  end
  return groups
end

-- The names of a node's children in a file -> those in the model.
local function match_children(ours, theirs, bases)
  local renamed = {}
  local own_groups = numbered(ours, bases)
  for base, group in pairs(numbered(theirs, bases)) do
    local own = own_groups[base]
    local all_there = true
    for _, entry in ipairs(group) do
      all_there = all_there and ours.children[entry.name] ~= nil
    end
    if own and #own == #group and not all_there then
      for i, entry in ipairs(group) do
        renamed[entry.name] = own[i].name
      end
    end
  end
  return renamed
end

-- Goes only where the model has layers, too: how deep a file's names are is not to matter.
local function walk(ours, theirs, bases, found)
  if theirs.path then
    found[theirs.path] = ours.path or theirs.path
  end
  local renamed = match_children(ours, theirs, bases)
  for name, child in pairs(theirs.children) do
    local own = ours.children[renamed[name] or name]
    if own then
      walk(own, child, bases, found)
    end
  end
end

-- Finds what the paths of a file are in some models: path in the file -> path in the models, or itself where they have
-- none such. `own`: the models' paths.
function weight_paths.match(models, own, given)
  local bases, found = {}, {}
  for _, model in ipairs(models) do
    model:each_layer(function(one)
      local base = automatic_base(one)
      if base then
        bases[base] = true
      end
    end)
  end
  for _, path in ipairs(given) do
    found[path] = path
  end
  walk(tree_of(own), tree_of(given), bases, found)
  return found
end

return weight_paths
