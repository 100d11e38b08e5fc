-- A process that saves loses its power: each file is what it was or what it was to become, what was said to be saved is
-- there, and nothing that is half written stays. See tests/faults/power_loss.lua.

local executable = require "tests.lua.support.executable"
local files = require "tests.lua.support.files"

describe("a loss of power", function()
  it("loses nothing that was saved", function()
    local build = os.getenv "MOONPOD_BUILD" or "build/release"
    local injector, program = build .. "/tests/fault_injector.so", executable.program
    if not program or not files.read(injector) then
      return pending "needs MOONPOD_BUILD with its fault injector"
    end
    local count = os.getenv "MOONPOD_LONG" and 600 or 30
    -- in memory: there no file gets the number of one that is gone, by which what was synced is known
    local folder = "/dev/shm" .. files.temporary():gsub("^.*/", "/moonpod_power_")
    if not os.execute("mkdir " .. folder .. " 2>/dev/null") then
      return pending "needs /dev/shm"
    end
    local text, code = executable.shell(("POD_POWER_INJECTOR='%s' POD_POWER_PROGRAM='%s' '%s' "
      .. "tests/faults/power_loss.lua %d '%s' 3"):format(injector, program, program, count, folder))
    os.execute("rm -rf " .. folder)
    assert.equal(0, code, text)
    assert.truthy(text:find("nothing lost", 1, true), text)
  end)
end)
