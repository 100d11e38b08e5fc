-- options - what holds for a whole pipeline, as tf.data.Options.
--
--     ds = ds:options { deterministic = false, threads = 2 }
--     print(ds:options().deterministic)
--
-- deterministic    false: stages that were not told otherwise may change the order of elements
-- auto_shard       how hosts divide the data: "AUTO" (FILE where files are read, else DATA), "FILE", "DATA", "HINT"
--                  (at shard(pod.data.SHARD_HINT, pod.data.SHARD_HINT)) or "OFF"
-- threads          most threads of a stage, where AUTOTUNE chooses
-- memory_budget    most bytes of elements that wait in queues that AUTOTUNE sizes
-- autotune         false: AUTOTUNE stays at what it begins with

local errors = require "moonpod.base.errors"
local is_whole = require "moonpod.base.kinds".is_whole
local tables = require "moonpod.base.tables"

local options = {}

local function is_truth(value)
  return type(value) == "boolean"
end

local function is_count(value)
  return is_whole(value, 1)
end

-- What each may be, and how that is called.
local checks = {
  deterministic = { is_truth, "true or false" },
  auto_shard = { function(value)
    return value == "AUTO" or value == "FILE" or value == "DATA" or value == "HINT" or value == "OFF"
  end, '"AUTO", "FILE", "DATA", "HINT" or "OFF"' },
  threads = { is_count, "an integer of at least 1" },
  memory_budget = { is_count, "a number of bytes" },
  autotune = { is_truth, "true or false" },
}

-- Refuses options that there are not, or that have other values than they may.
function options.check(given)
  given = errors.check_options(given, checks, "options")
  for name, value in pairs(given) do
    if not checks[name][1](value) then
      errors.raise("options: '%s' is %s; it must be %s", name, errors.describe(value), checks[name][2])
    end
  end
  return given
end

-- The core's options of an iterator.
function options.of_iterator(self, given)
  local own = self._options
  return tables.merge({
    unordered = own.deterministic == false,
    no_autotune = own.autotune == false,
    cpu_budget = own.threads,
    ram_budget = own.memory_budget,
  }, given)
end

return options
