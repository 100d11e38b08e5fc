-- cluster_file - the user's own file of options of pod.cluster.resolve: ~/.config/moonpod/cluster.json.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local schema = require "moonpod.base.schema"
local tables = require "moonpod.base.tables"
local user_folder = require "moonpod.base.user_folder"

local cluster_file = {}

local function schema_of(allowed)
  local options = {}
  for option in pairs(allowed) do
    options[option] = schema.optional(option == "num_cores" and schema.integer(1, 2 ^ 31) or schema.text)
  end
  return schema.object(options)
end

-- The options of that file and its path, or nil.
local function read(allowed)
  local folder = user_folder(".config", "XDG_CONFIG_HOME")
  local path = folder and folder .. "/moonpod/cluster.json"
  local file = path and device.open(path, "rb")
  if not file then
    return nil
  end
  local text = file:read "*a"
  file:close()
  local options = errors.check_options(schema.read(text, schema_of(allowed), path), allowed, path)
  if options.tpu and options.tpu ~= "local" then
    errors.raise("%s: 'tpu' names a real TPU, which this host has not; 'accelerator' names one that is replicated",
      path)
  end
  return options, path
end

-- Adds what the file says to options that say no slice: all that they leave open. Returns the options, and the file's
-- path where it says the slice.
function cluster_file.complete(options, allowed)
  local found, path = read(allowed)
  if not found then
    return options, nil
  end
  local all = tables.merge(found, options)
  return all, (all.accelerator or all.topology or all.num_cores) and path or nil
end

return cluster_file
