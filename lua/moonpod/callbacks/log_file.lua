-- log_file - files that callbacks add lines to. A run that goes on cuts them behind what its state knows of.

local core_call = require "moonpod.tensor.core_call"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local folders = require "moonpod.callbacks.folders"

local log_file = {}

-- Opens a file; `who` is what messages begin with.
function log_file.open(path, mode, who)
  local file, message = device.open(path, mode)
  return file or errors.raise("%s: %s", who, message)
end

-- What stands in a file, "" where there is none.
function log_file.content(path, who)
  local file = folders.open(path)
  if not file then
    return ""
  end
  local text, message = file:read "*a"
  file:close()
  return text or errors.raise("%s: %s: %s", who, path, message)
end

-- Adds a text to a file that is open, as far as the system.
function log_file.write(file, path, text, who)
  local ok, message = file:write(text)
  if ok then
    ok, message = file:flush()
  end
  if not ok then
    errors.raise("%s: %s: %s", who, path, message)
  end
end

-- Closes a file, if there is one.
function log_file.close(file, path, who)
  if file and not file:close() then
    errors.raise("%s: %s could not be written to its end", who, path)
  end
end

-- Cuts a file, which is not open, behind so many bytes; one that has no more stays as it is.
function log_file.cut(path, size, who)
  local text = log_file.content(path, who)
  if #text > size then
    core_call("file_write", path, text:sub(1, size))
  end
end

-- Sees what was written onto the disk.
function log_file.sync(path)
  core_call("sync_file", path)
end

return log_file
