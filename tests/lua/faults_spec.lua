-- Calls of the system that fail, one at a time: tests/faults. "./dev test --long faults_spec" injects up to 1000 of
-- each kind in each scenario and prints the numbers; two of each go through the sanitizers, one through all else.

local build = os.getenv "MOONPOD_BUILD"
local is_long = os.getenv "MOONPOD_LONG"

local function command(line)
  local pipe = assert(io.popen(line .. " 2>&1"))
  local text = pipe:read "*a"
  pipe:close()
  return text
end

describe("a fault in a call of the system", function()
  if not build then
    pending "needs MOONPOD_BUILD"
    return
  end

  it("is an error with a message or is survived, and leaves files, variables and memory as they were", function()
    local each = is_long and 1000 or build:find "/address$" and 2 or 1
    local text = command(("tests/faults/run '%s' sweep %d"):format(build, each))
    local faults, runs, failed = text:match "(%d+) faults in (%d+) runs, (%d+) failed\n$"
    assert(faults, text)
    if is_long then
      print(text)
    end
    assert.equal("0", failed, text)
    assert.is_true(tonumber(faults) > 250 * math.min(each, 2) and tonumber(runs) > 250 * math.min(each, 2), text)
  end)
end)
