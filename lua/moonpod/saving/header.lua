-- header - what stands in the metadata of a file: the format's name and version, what kind of file it is, and JSON.

local errors = require "moonpod.base.errors"
local json = require "moonpod.base.json"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"
local warnings = require "moonpod.base.warnings"

local header = {}

-- What is written. Readers of another minor version read this one, those of another major version do not.
header.MAJOR, header.MINOR = 1, 0

-- The keys of this version: those that are texts as they are, and those that are JSON, with what that must be. Of
-- `extra` those who wrote it know. What layers and compile() take of theirs is checked by those who make them anew.
local TEXTS = { format = true, version = true, kind = true }
local JSON = {
  state = schema.object {
    policy = schema.optional(schema.text),
    random = schema.optional(schema.object { seed = schema.count, count = schema.count }),
    optimizers = schema.optional(schema.map_of(schema.object { class_name = schema.text, built = schema.boolean })),
  },
  extra = schema.object {},
  architecture = schema.object { class_name = schema.text, config = schema.object {} },
  compile = schema.object {},
}
local KEEPS_NULL = { architecture = true, compile = true }

-- The metadata of a new file of a kind ("weights", "model", "checkpoint"), with plain values that become JSON. `kept`:
-- what a newer version wrote, as header.read() gave it.
function header.make(kind, values, kept)
  local metadata = tables.merge(kept)
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
-- known here. `extra`, where given, is the schema of that key. nil for a file of others.
function header.read(metadata, path, extra)
  if metadata.format ~= "moonpod" or not metadata.version then
    return nil
  end
  local is_newer = check_version(metadata, path)
  local found, unknown = { kind = metadata.kind, kept = {} }, {}
  for key, text in pairs(metadata) do
    if JSON[key] then
      found[key] = schema.read(text, key == "extra" and extra or JSON[key], ("%s: metadata '%s'"):format(path, key),
        { keep_null = KEEPS_NULL[key] })
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
