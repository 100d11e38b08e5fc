-- runs - what a session does with trainings in the background while it waits for keys. The executable asks for this
-- only where moonpod.models.run is loaded already.

local around = require "moonpod.base.around"
local run = require "moonpod.models.run"
local screen = require "moonpod.base.screen"

local runs = {}

-- Those that were seen going on; what becomes of them is told once.
local watched = {}

local function notice(one)
  if one.state == "failed" then
    return ("the run of model '%s' has failed: %s"):format(one.model.name, one.error)
  elseif one.error then
    return one.error
  end
  return ("the run of model '%s' is %s: %s"):format(one.model.name, one.state, tostring(one:progress()))
end

local function watch()
  for _, one in ipairs(run.list()) do
    watched[one] = true
  end
end

-- Prints what has become of runs that are over.
local function tell()
  for one in pairs(watched) do
    if one:done() then
      watched[one] = nil
      print(notice(one))
    end
  end
end

-- Gives the runs so many seconds. What they print is shown on so many columns. Returns whether any goes on, and a line
-- on all that are not over.
function runs.work(seconds, columns)
  watch()
  local goes_on = around(function()
    screen.width = columns
  end, function()
    screen.width = nil
  end, run.pump, seconds)
  tell()
  local lines = {}
  for _, one in ipairs(run.list()) do
    lines[#lines + 1] = ("%s: %s"):format(one.model.name, tostring(run.progress_of(one)))
  end
  return goes_on, table.concat(lines, "  |  ")
end

-- How many are not over.
function runs.count()
  return #run.list()
end

-- Ctrl-C at an empty prompt: ends all that go on, and tells how far they came. Returns whether there were any.
function runs.interrupt()
  watch()
  local list = run.list()
  for _, one in ipairs(list) do
    run.interrupt(one)
  end
  tell()
  return #list > 0
end

return runs
