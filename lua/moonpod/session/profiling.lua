-- profiling - what the executable does of profiles: `moonpod --profile DIR`, and SIGUSR1.

local profiler = require "moonpod.profiler"

local profiling = {}

local owned = {} -- folders: of the script's profile; of a signal's, while that is recorded
local dumps = 0

-- Begins to record the script, and sees that its profile is written when it calls os.exit, too.
function profiling.begin(directory)
  owned.script = directory
  profiler.start()
  local exit = os.exit
  os.exit = function(...) -- luacheck: ignore
    local ok, text = pcall(profiling.finish, directory)
    io.stderr:write("moonpod: ", tostring(text), "\n")
    if not ok then
      exit(false)
    end
    exit(...)
  end
end

-- Writes what was recorded of the script; returns what there is to say.
function profiling.finish(directory)
  if not owned.script then
    return "the script used nothing of Moonpod: there is no profile"
  elseif not profiler.is_on() then
    return "the script ended the recording itself: there is no other profile"
  end
  owned.script = nil
  local profile = profiler.stop()
  profile:save(directory)
  return ("%d steps recorded: see %s"):format(profile.overview.steps, directory)
end

-- Writes what was recorded so far into a folder beside the script's, or moonpod-profile-PID-N; where nothing is
-- recorded, begins, and returns true besides: to be called again.
function profiling.dump(pid)
  if not profiler.is_on() then
    profiler.start()
    owned.signal = true
    return "SIGUSR1: recording; the profile will be written in a moment", true
  end
  dumps = dumps + 1
  local directory = ("%s-%d-%d"):format(owned.script or "moonpod-profile", pid, dumps)
  local profile = owned.signal and profiler.stop() or profiler.take()
  owned.signal = nil
  profile:save(directory, { measure = false }) -- the script may be within anything
  return ("SIGUSR1: %d steps recorded: see %s"):format(profile.overview.steps, directory), false
end

return profiling
