-- log_file - the file of a callback that adds lines to it: self.file, of the path self.filename. A run that goes on
-- cuts it behind what its state knows of.

local core_call = require "moonpod.tensor.core_call"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"
local folders = require "moonpod.callbacks.folders"

local log_file = {}

function log_file.open(self, mode)
  local file, message = device.open(self.filename, mode)
  self.file = file or errors.raise("%s: %s", self.name, message)
end

-- What stands in the file, "" where there is none.
function log_file.content(self)
  local file = folders.open(self.filename)
  if not file then
    return ""
  end
  local text, message = file:read "*a"
  file:close()
  return text or errors.raise("%s: %s: %s", self.name, self.filename, message)
end

-- Adds a text to the file, which is open, as far as the system.
function log_file.write(self, text)
  local ok, message = self.file:write(text)
  if ok then
    ok, message = self.file:flush()
  end
  if not ok then
    errors.raise("%s: %s: %s", self.name, self.filename, message)
  end
end

-- Closes the file, if it is open.
function log_file.close(self)
  local file = self.file
  self.file = nil
  if file and not file:close() then
    errors.raise("%s: %s could not be written to its end", self.name, self.filename)
  end
end

-- Cuts the file, which is not open, behind so many bytes; one that has no more stays as it is.
function log_file.cut(self, size)
  local text = log_file.content(self)
  if #text > size then
    core_call("file_write", self.filename, text:sub(1, size))
  end
end

-- Sees what was written onto the disk.
function log_file.sync(self)
  core_call("sync_file", self.filename)
end

return log_file
