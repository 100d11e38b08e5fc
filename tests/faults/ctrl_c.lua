-- ctrl_c - one SIGINT at a call of the system within a scenario, with the executable's own handler:
--
--     tests/faults/run BUILD ctrl_c SHARE SCENARIO      -- at this share of its calls, from 0 to 1
--
-- Prints "whole" where the run ended with an error or the right answer, what outlives it is whole, and it runs again.

local injector = require "fault_injector"
local scenarios = dofile((arg[0]:gsub("[^/]*$", "")) .. "scenarios.lua")

require("moonpod").device.configure { threads = 2 } -- whatever the machine has

local share, folder, name = tonumber(arg[1]), arg[2], arg[3]
local scenario
for _, one in ipairs(scenarios) do
  scenario = one.name == name and one or scenario
end
assert(scenario, name)

local function run(fault, number)
  os.execute(("rm -rf '%s'/*"):format(folder))
  if scenario.before then
    scenario.before(folder)
  end
  injector.watch(name, 60)
  injector.arm(fault, number, 1)
  local ok, result = pcall(scenario.run, folder)
  local _, calls = injector.disarm()
  return ok, result, calls
end

local NEVER = 1000000000000
run("signal", NEVER)
local _, expected, calls = run("signal", NEVER)
local number = 1 + math.floor(share * (calls - 1))
local ok, result = run("signal", number)
assert(ok and result == expected or not ok and tostring(result):find "interrupted", tostring(result))
collectgarbage()
collectgarbage()
for _, file in ipairs(injector.entries(folder)) do
  assert(not file:find "%.part$", file)
end
assert(require("moonpod.tensor.trace").current() == nil, "a trace is open")
if scenario.check then
  scenario.check(folder)
end
ok, result = run("signal", NEVER)
assert(ok and result == expected, tostring(result))
print(("whole, call %d of %d"):format(number, calls))
