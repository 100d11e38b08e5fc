-- file_names - what lies in folders.

local dataset = require "moonpod.data.dataset"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"

require "moonpod.data.elements"

local file_names = {}

-- The names that a pattern matches (*, ?, [a-z], {a,b}), sorted; none is no failure.
function file_names.matching(pattern)
  local ok, handle = pcall(device.core.dataset_list_files, device.context(), { pattern })
  if ok then
    return dataset.new(handle, { leaf = 1 }):totable()
  elseif not handle:find("no file has a name like", 1, true) then
    errors.raise_from_core(handle)
  end
  return {}
end

-- A path as a pattern that matches it alone.
function file_names.escaped(path)
  return (path:gsub("[%[%]*?{}\\]", "\\%0"))
end

return file_names
