-- keras_masks - the masks in Keras' functional configs.
--
-- Keras writes how a mask is computed as operations (not_equal, any, ...) and hands their results to later layers by
-- name (mask, query_mask). Here layers pass masks on by themselves, so these operations and arguments are left out.
-- They are known by where they begin: at what a Masking layer, or an Embedding with mask_zero, is called with.

local json = require "moonpod.base.json"

local keras_masks = {}

local function is_operation(entry)
  return type(entry) == "table" and type(entry.module) == "string" and entry.module:find "^keras%.src%.ops" ~= nil
end

local function is_mask(name)
  return type(name) == "string" and name:find "mask$" ~= nil and name ~= "attention_mask"
end

-- Calls visit(name, place) for what stands for tensors in a value; levels are bounded, as they are for the whole.
function keras_masks.each_reference(value, visit, level)
  if type(value) ~= "table" or rawequal(value, json.null) or level > 40 then
    return
  elseif value.class_name == "__keras_tensor__" then
    local history = type(value.config) == "table" and value.config.keras_history
    if type(history) == "table" and type(history[1]) == "string" then
      visit(history[1], ("%s/%s/%s"):format(history[1], tostring(history[2]), tostring(history[3])))
    end
    return
  end
  for _, item in pairs(value) do
    keras_masks.each_reference(item, visit, level + 1)
  end
end

local each_reference = keras_masks.each_reference

local function nodes_of(entry)
  local list = {}
  for _, node in ipairs(type(entry.inbound_nodes) == "table" and entry.inbound_nodes or {}) do
    list[#list + 1] = type(node) == "table" and node or nil
  end
  return list
end

-- What layers that make masks are called with: place -> the value that is masked.
local function masked_places(layers)
  local found = {}
  for _, entry in ipairs(layers) do
    local config = type(entry) == "table" and type(entry.config) == "table" and entry.config or {}
    local value = entry.class_name == "Masking" and config.mask_value
    if entry.class_name == "Embedding" and config.mask_zero == true then
      value = 0
    end
    for _, node in ipairs(type(value) == "number" and nodes_of(entry) or {}) do
      each_reference(node.args, function(_, place)
        found[place] = value
      end, 0)
    end
  end
  return found
end

-- Whether an operation begins a mask, or goes on with those in `masks`.
local function continues(entry, masks, places)
  for _, node in ipairs(nodes_of(entry)) do
    local args, begins, goes_on = type(node.args) == "table" and node.args or {}, false, nil
    each_reference(args, function(name, place)
      begins = begins or places[place] ~= nil and places[place] == args[2]
      goes_on = goes_on ~= false and masks[name] == true
    end, 0)
    if not (entry.class_name == "NotEqual" and begins) and not goes_on then
      return false
    end
  end
  return #nodes_of(entry) > 0
end

-- The operations that compute masks, by name: each after those it reads, as Keras lists them.
local function mask_operations(layers)
  local masks, places = {}, masked_places(layers)
  for _, entry in ipairs(next(places) and layers or {}) do
    if is_operation(entry) and type(entry.name) == "string" and continues(entry, masks, places) then
      masks[entry.name] = true
    end
  end
  return masks
end

-- Those that a layer reads otherwise than as its mask are no masks; nor is what they are computed of.
local function without_used(masks, layers, outputs)
  local reads, list = {}, {}
  local function use(name)
    if masks[name] then
      masks[name] = nil
      list[#list + 1] = name
    end
  end
  for _, entry in ipairs(layers) do
    for _, node in ipairs(type(entry) == "table" and nodes_of(entry) or {}) do
      local function read(name)
        if entry.name and masks[entry.name] then
          reads[entry.name] = reads[entry.name] or {}
          table.insert(reads[entry.name], name)
        else
          use(name)
        end
      end
      each_reference(node.args, read, 0)
      for key, value in pairs(json.table_of(node.kwargs)) do
        each_reference(not is_mask(key) and value, read, 0)
      end
    end
  end
  local function use_output(value, level)
    if type(value) == "table" and level < 40 then
      for _, item in pairs(value) do
        use_output(item, level + 1)
      end
    elseif type(value) == "string" then
      use(value)
    end
  end
  use_output(outputs, 0)
  while #list > 0 do
    for _, name in ipairs(reads[table.remove(list)] or {}) do
      use(name)
    end
  end
  return masks
end

-- The layers of a functional config without what computes masks, and its calls without them.
function keras_masks.left_out(layers, outputs)
  local masks, kept = without_used(mask_operations(layers), layers, outputs), {}
  for _, entry in ipairs(layers) do
    for _, node in ipairs(next(masks) and type(entry) == "table" and nodes_of(entry) or {}) do
      for key, value in pairs(json.table_of(node.kwargs)) do
        local all, count = is_mask(key), 0
        each_reference(value, function(name)
          all, count = all and masks[name] == true, count + 1
        end, 0)
        if all and count > 0 then
          node.kwargs[key] = nil
        end
      end
    end
    if type(entry) ~= "table" or not (entry.name and masks[entry.name]) then
      kept[#kept + 1] = entry
    end
  end
  return json.array(kept)
end

return keras_masks
