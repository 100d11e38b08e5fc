-- states - what callbacks keep for a run that goes on, as plain values and named tensors of a file.

local errors = require "moonpod.base.errors"
local ops = require "moonpod.ops"
local readable = require "moonpod.base.readable"
local schema = require "moonpod.base.schema"

local states = {}

-- Stands for a tensor: { [TENSOR] = its name in the file }.
local TENSOR = "$tensor"

-- A list of tensors, in what unpack() gives.
states.TENSORS = schema.list_of(schema.kind("a tensor", ops.is_tensor))

local PLAIN = { number = true, string = true, boolean = true }

local function pack(value, name, tensors, level)
  if ops.is_tensor(value) then
    tensors[#tensors + 1] = { name, value }
    return { [TENSOR] = name }
  elseif PLAIN[type(value)] then
    return value
  elseif not readable.is_plain(value) then
    errors.raise("backup_and_restore: %s is %s; what a callback keeps for a run that goes on are numbers, texts, "
      .. "booleans, tensors and tables of these", name, errors.describe(value))
  end
  level = errors.level_below(level, "backup_and_restore: " .. name)
  local out, is_list = {}, value[1] ~= nil
  for key, part in pairs(value) do
    if type(key) ~= "string" and not (is_list and type(key) == "number" and key >= 1 and key <= #value) then
      errors.raise("backup_and_restore: %s has the key %s; keys are texts, or 1 to n", name, errors.describe(key))
    end
    out[key] = pack(part, name .. "/" .. tostring(key), tensors, level)
  end
  return out
end

-- Takes states apart: returns plain values, and adds { name, tensor } to a list.
function states.pack(given, tensors)
  return pack(given, "callbacks", tensors)
end

-- Puts states together again. Tensors that a file lacks are an error.
function states.unpack(plain, tensors)
  if type(plain) ~= "table" then
    return plain
  elseif plain[TENSOR] ~= nil then
    return tensors[plain[TENSOR]]
      or errors.raise("the file has no tensor '%s', which a callback kept", tostring(plain[TENSOR]))
  end
  local out = {}
  for key, part in pairs(plain) do
    out[key] = states.unpack(part, tensors)
  end
  return out
end

return states
