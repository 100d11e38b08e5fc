-- xprof_folder - where the profile page of TensorBoard and XProf look for what is written of a run.

local core_call = require "moonpod.tensor.core_call"
local errors = require "moonpod.base.errors"

local HOST = "localhost"

-- The path of a host's file in a folder of logs; its folder is made. `run`: a name; the time where it is nil.
return function(directory, run)
  run = run or os.date "%Y_%m_%d_%H_%M_%S"
  if run == "" or run:find "[/%z]" or run:find "^%.%.?$" then
    errors.raise("save_xplane: the run '%s' cannot be the name of a folder", run)
  end
  local folder = ("%s/plugins/profile/%s"):format(directory, run)
  core_call("make_folder", folder)
  return ("%s/%s.xplane.pb"):format(folder, HOST)
end
