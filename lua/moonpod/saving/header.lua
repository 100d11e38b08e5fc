-- header - what stands in the metadata of a file: the format's name and version, what kind of file it is, and JSON.

local errors = require "moonpod.base.errors"
local json = require "moonpod.base.json"
local warnings = require "moonpod.base.warnings"

local header = {}

-- What is written. Readers of another minor version read this one, those of another major version do not.
header.MAJOR, header.MINOR = 1, 0

-- The keys of this version: those that are texts as they are, and those that are JSON.
local TEXTS = { format = true, version = true, kind = true }
local JSON = { state = { drop_null = true }, extra = { drop_null = true }, architecture = {}, compile = {} }

-- The metadata of a new file of a kind ("weights", "model", "checkpoint"), with plain values that become JSON. `kept`:
-- what a newer version wrote, as header.read() gave it.
function header.make(kind, values, kept)
  local metadata = {}
  for key, text in pairs(kept or {}) do
    metadata[key] = text
  end
  metadata.format, metadata.kind = "moonpod", kind
  metadata.version = ("%d.%d"):format(header.MAJOR, header.MINOR)
  for key, value in pairs(values or {}) do
    metadata[key] = json.encode(value, { where = ("the file's '%s'"):format(key) })
  end
  return metadata
end

local function check_version(metadata, path)
  local major, minor = metadata.version:match "^(%d+)%.(%d+)$"
  if not major or #major > 9 or #minor > 9 then
    errors.raise("%s: the file has no version such as 1.0, but %q", path, metadata.version:sub(1, 40))
  elseif tonumber(major) > header.MAJOR then
    errors.raise("%s: the file is of version %s.%s; this Moonpod reads versions up to %d.x: read it with a newer one",
      path, major, minor, header.MAJOR)
  end
  return tonumber(minor) > header.MINOR
end

-- Reads the metadata of a file of Moonpod's: its plain values by key, `kind`, and `kept`, texts of keys that are not
-- known here. nil for a file of others.
function header.read(metadata, path)
  if metadata.format ~= "moonpod" or not metadata.version then
    return nil
  end
  local is_newer = check_version(metadata, path)
  local found, unknown = { kind = metadata.kind, kept = {} }, {}
  for key, text in pairs(metadata) do
    if JSON[key] then
      found[key] = json.decode(text, { where = ("%s: metadata '%s'"):format(path, key),
        drop_null = JSON[key].drop_null })
      if type(found[key]) ~= "table" then
        errors.raise("%s: metadata '%s' is %s, not an object", path, key, errors.describe(found[key]))
      end
    elseif not TEXTS[key] then
      found.kept[key] = text
      unknown[#unknown + 1] = "'" .. key:sub(1, 40) .. "'"
    end
  end
  if is_newer and #unknown > 0 then
    table.sort(unknown)
    warnings.warn("%s: the file is of version %s, of which this Moonpod does not know %s: kept as it is", path,
      metadata.version, table.concat(unknown, ", ", 1, math.min(#unknown, 8)))
  end
  return found
end

return header
