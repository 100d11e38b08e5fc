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

local options = {}

local POLICIES = { AUTO = true, FILE = true, DATA = true, HINT = true, OFF = true }

local checks = {
  deterministic = function(value)
    return type(value) == "boolean" or "true or false"
  end,
  auto_shard = function(value)
    return POLICIES[value] or '"AUTO", "FILE", "DATA", "HINT" or "OFF"'
  end,
  threads = function(value)
    return type(value) == "number" and value == math.floor(value) and value >= 1 or "an integer of at least 1"
  end,
  memory_budget = function(value)
    return type(value) == "number" and value == math.floor(value) and value >= 1 or "a number of bytes"
  end,
  autotune = function(value)
    return type(value) == "boolean" or "true or false"
  end,
}

-- One table of those of several datasets; where two say something, the later counts.
function options.merge(...)
  local merged = {}
  for _, given in ipairs { ... } do
    for name, value in pairs(given) do
      merged[name] = value
    end
  end
  return merged
end

-- Refuses options that there are not, or that have other values than they may.
function options.check(given)
  given = errors.check_options(given, checks, "options")
  for name, value in pairs(given) do
    local wanted = checks[name](value)
    if wanted ~= true then
      errors.raise("options: '%s' is %s; it must be %s", name, errors.describe(value), wanted)
    end
  end
  return given
end

-- The core's options of an iterator.
function options.of_iterator(self, given)
  local own = self._options
  return options.merge({
    unordered = own.deterministic == false,
    no_autotune = own.autotune == false,
    cpu_budget = own.threads,
    ram_budget = own.memory_budget,
  }, given)
end

return options
