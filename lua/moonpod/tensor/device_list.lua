-- device_list - the rows of pod.devices(): they count what is in use when it is asked for, and print as a table.

local above = require "moonpod.base.above"
local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local tables = require "moonpod.base.tables"
local text_table = require "moonpod.base.text_table"

local device_list = {}

-- What a core has in use is counted when it is asked for: fields used_bytes, peak_bytes and usable_bytes of a row.
local COUNTED = { used_bytes = "current", peak_bytes = "peak", usable_bytes = "limit" }

local function gib(bytes)
  return bytes and decimal.format("%.2f GiB", bytes / 2 ^ 30) or "-"
end

-- Cores are replicated, and hold the same. Those of several ranks have their own hosts.
local function core_rows(list, ask_memory)
  local rows, bytes = { { "device", "chip", "core", "coords", "memory", "usable", "used", "peak" } }, nil
  for _, entry in ipairs(list) do
    local info = entry.memory_bytes and not bytes and ask_memory(entry)
    if info and info.current then
      bytes = { gib(info.limit), core.bytes_text(info.current), core.bytes_text(info.peak) }
    end
    local own = entry.memory_bytes and bytes or {}
    rows[#rows + 1] = {
      entry.name,
      tostring(entry.chip or "-"),
      tostring(entry.core or "-"),
      entry.coords and table.concat(entry.coords, ",") or "-",
      gib(entry.memory_bytes), own[1] or "-", own[2] or "-", own[3] or "-",
    }
  end
  for i = 1, list[1] and list[1].host and #rows or 0 do
    local entry = list[i - 1] or {}
    tables.extend(rows[i], i == 1 and { "rank", "host" } or { tostring(entry.rank or "-"), entry.host or "-" })
  end
  return rows
end

-- Devices of a plugin, of which it may tell nothing.
local function plugin_rows(list, ask_memory)
  local rows = { { "device", "kind", "memory", "used", "peak" } }
  for _, entry in ipairs(list) do
    local info, unknown = ask_memory(entry), entry.kind and "not told" or "-"
    local row = { entry.name, entry.kind ~= "" and entry.kind or unknown }
    for _, bytes in ipairs { entry.memory_bytes or false, info.current or false, info.peak or false } do
      row[#row + 1] = bytes and core.bytes_text(bytes) or unknown
    end
    rows[#rows + 1] = row
  end
  return rows
end

-- Returns what makes rows such a list; resolver() is the one in use.
function device_list.maker(resolver)
  -- What is known of a row's memory: a core's in use, or what the plugin tells of a device.
  local function ask_memory(row)
    local is_known = rawget(row, "memory_bytes") or rawget(row, "kind")
    return is_known and resolver() and above.call("memory_info", row.name) or {}
  end

  local Row, List = {}, { __name = "moonpod.devices" }
  function Row.__index(row, key)
    local field = COUNTED[key]
    return field and ask_memory(row)[field] or nil
  end

  function List.__tostring(list)
    local rows = (list[1] and list[1].kind and plugin_rows or core_rows)(list, ask_memory)
    return table.concat(text_table.lines(rows, { { align = "left" } }), "\n")
  end

  return function(rows)
    for _, row in ipairs(rows) do
      setmetatable(row, Row)
    end
    return setmetatable(rows, List)
  end
end

return device_list
