-- folders - what callbacks that write files do with folders.

local core_call = require "moonpod.tensor.core_call"
local device = require "moonpod.tensor.device"
local errors = require "moonpod.base.errors"

local folders = {}

-- Makes the folder that a file is to lie in, and those above it.
function folders.make_for(path)
  local folder = path:match "^(.*)/[^/]*$"
  if folder and folder ~= "" then
    core_call("make_folder", folder)
  end
end

-- Deletes what processes that were killed left while they wrote a file.
function folders.clean(path)
  core_call("remove_unfinished", path)
end

-- What the system says of a file that is not there (ENOENT), and of one below a file (ENOTDIR).
local ABSENT = { [2] = true, [20] = true }

-- Opens a file for reading; nil where there is none. One that is there and does not open is an error: it is not to be
-- taken for none, and written anew.
function folders.open(path)
  local file, message, code = device.open(path, "rb")
  if not file and not ABSENT[code] then
    errors.raise("%s", message)
  end
  return file
end

-- Whether a file or folder is there.
function folders.exists(path)
  local file = folders.open(path)
  if file then
    file:close()
  end
  return file ~= nil
end

-- Whether a path is that of a folder: it opens, and cannot be read.
function folders.is_folder(path)
  local file = device.open(path, "rb")
  if not file then
    return false
  end
  local _, _, code = file:read(1)
  file:close()
  return code ~= nil
end

return folders
