-- remote - datasets whose elements workers of the data service make. See docs/guides/data-service.md.

local dataset = require "moonpod.data.dataset"
local errors = require "moonpod.base.errors"
local is_whole = require "moonpod.base.kinds".is_whole
local tables = require "moonpod.base.tables"

-- What each option is; of texts those that there are.
local COUNTS = { split_size = 1, consumer_index = 0, num_consumers = 1, target_workers = 1, workers = 1,
  stages_here = 0 }
local MODES = { parallel_epochs = true, distributed_epoch = true }
local SHARDINGS = { element = true, file = true, block = true }
local ASSIGNMENTS = { dynamic = true, static = true }
local KNOWN = {
  service = "string", mode = MODES, sharding = SHARDINGS, assignment = ASSIGNMENTS, job_name = "string",
  keys = "string", compression = "string", program = "string", files = "string", in_order = "boolean",
  autotune = "boolean", stages_here = true, split_size = true, consumer_index = true, num_consumers = true,
  target_workers = true, workers = true,
}

local function exists(path)
  local file = io.open(path, "rb")
  if file then
    file:close()
  end
  return file ~= nil
end

-- The executable moonpod: this one, or one that lies where the module is installed or was built.
local function executable()
  local host = package.loaded["moonpod.host"]
  local places = { host and host.folder and host.folder .. "/moonpod" }
  for template in package.cpath:gmatch "[^;]+" do
    local folder = template:match "^(.*)/%?%.so$"
    if folder and exists(folder .. "/moonpod/core.so") then -- in a build, and below lib or lib/ARCHITECTURE
      tables.extend(places, { folder .. "/../moonpod", folder .. "/../../../bin/moonpod",
        folder .. "/../../../../bin/moonpod" })
    end
  end
  for _, place in ipairs(places) do
    if exists(place) then
      return place
    end
  end
  return nil -- the one in PATH
end

local function check_counts(options)
  for name, least in pairs(COUNTS) do
    local value = options[name]
    if value ~= nil and not is_whole(value, least) then
      errors.raise("distribute: %s must be an integer of at least %d, not %s", name, least, errors.describe(value))
    end
  end
  if (options.consumer_index == nil) ~= (options.num_consumers == nil) then
    errors.raise("distribute: consumers in step have both consumer_index (from 0) and num_consumers")
  end
end

-- See dataset:distribute().
return function(self, options)
  options = errors.check_options(options, KNOWN, "distribute")
  check_counts(options)
  local _, late = dataset.applied(self)
  if late[1] then
    errors.raise("distribute: map (%s) gets batches of which the last is shorter, so its program is chosen in this "
      .. "process, which workers do not have: call it before batch, or batch(n, { drop_remainder = true })",
      late[1].location or "?")
  end
  self = dataset.settled(self, "distribute")
  local handle = dataset.call(self._handle.distribute, self._handle, tables.merge({
    mode = "distributed_epoch",
    sharding = "element",
    assignment = "dynamic",
    no_autotune = options.autotune == false or options.stages_here == 0,
    program = options.service == "local" and executable() or nil,
  }, options))
  dataset.labelled(handle, "distribute", errors.location())
  return dataset.derive(self, handle, { _batch_static = false })
end
