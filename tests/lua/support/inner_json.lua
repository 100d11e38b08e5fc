-- Files of safetensors whose metadata is other JSON, the rest of the file being sound.

local files = require "tests.lua.support.files"
local json = require "moonpod.base.json"

local inner_json = {}

local function u64(value)
  local bytes = {}
  for i = 1, 8 do
    bytes[i] = string.char(value % 256)
    value = math.floor(value / 256)
  end
  return table.concat(bytes)
end

local function size_of(text)
  local size = 0
  for i = 8, 1, -1 do
    size = size * 256 + text:byte(i)
  end
  return size
end

-- The bytes of a file whose header was changed: change(metadata, header), two tables.
function inner_json.changed(bytes, change)
  local size = size_of(bytes)
  local header = json.decode(bytes:sub(9, 8 + size))
  change(header.__metadata__, header)
  local text = json.encode(header)
  return u64(#text) .. text .. bytes:sub(9 + size)
end

-- Changes the JSON of one key of the metadata of a file: change(value), a table.
function inner_json.change(path, key, change)
  files.write(path, inner_json.changed(files.read(path), function(metadata)
    local value = json.decode(metadata[key])
    change(value)
    metadata[key] = json.encode(value)
  end))
end

return inner_json
