-- event_scalars - what event files below a folder have of scalars.

local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local file_names = require "moonpod.data.file_names"
local tables = require "moonpod.base.tables"

local event_scalars = {}

-- Runs may lie so many folders deep.
local MOST_DEPTH = 6

-- The event files of a folder: { { run = "train", path = } ... }, by their names.
local function find_files(dir)
  local root = dir:gsub("(.)/+$", "%1")
  local pattern, found = file_names.escaped(root), {}
  for _ = 1, MOST_DEPTH do
    for _, path in ipairs(file_names.matching(pattern .. "/*tfevents*")) do
      found[#found + 1] = { run = path:sub(#root + 2):match "^(.*)/[^/]*$" or ".", path = path }
    end
    pattern = pattern .. "/*"
  end
  return found
end

-- Calls visit(tag, step, value) for the scalars of a file.
local function each_scalar(path, visit)
  local reader = errors.call_core(device.core.event_reader, device.context(), path)
  while true do
    local read, tag, step, value = pcall(reader.next, reader)
    if not read then
      reader:close()
      errors.raise_from_core(tag)
    elseif tag == nil then
      break
    elseif value then
      visit(tag, step, value)
    end
  end
  reader:close()
end

-- Sorts by steps; of several values of one step the last that was written stays.
local function in_order(series)
  local entries, last = {}, {}
  for i, step in ipairs(series.x) do
    if last[step] then
      entries[last[step]].value = series.y[i]
    else
      entries[#entries + 1] = { step = step, value = series.y[i] }
      last[step] = #entries
    end
  end
  tables.sort_by(entries, "step")
  series.x, series.y = tables.column(entries, "step"), tables.column(entries, "value")
end

-- Returns the series { name = run, x = steps, y = values } of a tag, a run each, and the names of all tags.
function event_scalars.read(dir, tag)
  local files = find_files(dir)
  if #files == 0 then
    errors.raise("plot.log: there is no event file in %s", errors.describe(dir))
  end
  local series, by_run, tags = {}, {}, {}
  for _, file in ipairs(files) do
    each_scalar(file.path, function(name, step, value)
      tags[name] = true
      if name == tag then
        local one = by_run[file.run] or { name = file.run, x = {}, y = {} }
        series[#series + 1] = not by_run[file.run] and one or nil
        by_run[file.run] = one
        one.x[#one.x + 1], one.y[#one.y + 1] = step, value
      end
    end)
  end
  for _, one in ipairs(series) do
    in_order(one)
  end
  return series, tags
end

return event_scalars
