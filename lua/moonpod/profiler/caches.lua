-- caches - the data caches of this machine, as its system tells of them.

local tables = require "moonpod.base.tables"

local caches = {}

local FOLDER = "/sys/devices/system/cpu/cpu0/cache/index"
local UNITS = { K = 2 ^ 10, M = 2 ^ 20, G = 2 ^ 30, [""] = 1 }

-- Scripts that nobody trusts have no files: then nothing is known.
local open = io and io.open

local function word_of(path)
  local file = open(path)
  local word = file and file:read "*l"
  if file then
    file:close()
  end
  return word
end

-- How many CPUs a list like "0-3,8" names.
local function count_of(list)
  local count = 0
  for part in list:gmatch "[^,]+" do
    local first, last = part:match "^(%d+)-(%d+)$"
    count = count + (first and tonumber(last) - tonumber(first) + 1 or 1)
  end
  return math.max(count, 1)
end

-- Rows { level = 1 and up, bytes = (of one), cpus = (that share one) }, the nearest first; none where the system does
-- not tell. folder: what index0, index1 and so on stand behind (nil: the system's).
function caches.list(folder)
  local rows = {}
  for i = 0, open and 15 or -1 do
    local at = (folder or FOLDER) .. i .. "/"
    local kind = word_of(at .. "type")
    if not kind then
      break
    end
    local size, unit = (word_of(at .. "size") or ""):match "^(%d+)([KMG]?)$"
    local level = tonumber(word_of(at .. "level") or "")
    if kind ~= "Instruction" and size and level then
      rows[#rows + 1] = { level = level, bytes = tonumber(size) * UNITS[unit],
        cpus = count_of(word_of(at .. "shared_cpu_list") or "0") }
    end
  end
  return tables.sort_by(rows, "level")
end

return caches
