--- Compiled programs on disk, so that a second start compiles nothing. `pod.device.configure { cache = ... }` says
--- where; the executable keeps them unless MOONPOD_CACHE is "off", a host only when a script asks for it.
---@example type(pod.cache.info()) --> "table"

-- cache - compiled programs on disk, so that a second start compiles nothing. pod.device.configure{ cache = } says
-- where; the executable keeps them unless MOONPOD_CACHE is "off", a host only when a script asks for it.

local device = require "moonpod.tensor.device"

local cache = {}

local Info = { __name = "moonpod.cache_info" }

function Info.__tostring(self)
  local place = self.directory
    and ("%s: %d programs, %.1f of %.0f MiB"):format(self.directory, self.files, self.bytes / 2 ^ 20,
      self.most_bytes / 2 ^ 20)
    or "programs are not kept on disk"
  return ("%s; here %d compiled, %d loaded, %d stored, %d rejected, %d evicted"):format(place, self.compiled,
    self.loaded, self.stored, self.rejected, self.evicted)
end

--- pod.cache.info(): { directory = nil when there is none, files =, bytes =, most_bytes =, and of this process
--- compiled =, loaded = from disk instead, stored =, rejected = files that were no good, evicted = }. It prints.
---@example type(pod.cache.info()) --> "table"
function cache.info()
  return setmetatable(device.context():program_cache(), Info)
end

--- pod.cache.clear(): deletes all programs of the directory; returns how many there were.
---@example pod.cache.clear() >= 0 --> true
function cache.clear()
  return device.context():clear_program_cache()
end

return cache
