-- Programs that were built with an earlier library run with this one: abidiff against the dump that is kept.

local house = require "house"

local DUMP = "tests/golden/abi/libmoonpod.abi"
local BREAKS = 8 -- a bit of abidiff's exit code

local function run(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "a"
  local _, _, code = pipe:close()
  return text, code
end

-- What the answer depends on: the public headers and the dump.
local function fingerprint()
  return (run(("cd %s && cat $(find core/include -name '*.h' | sort) %s | sha256sum"):format(house.quote(house.root),
    DUMP)))
end

local function functions_stay()
  if run "command -v abidiff" == "" then
    return -- Debian: abigail-tools
  end
  local folder = house.build .. "/abi"
  local known = io.open(folder .. "/held", "r")
  local print_now = fingerprint()
  if known then
    local same = known:read "a" == print_now
    known:close()
    if same then return end
  end
  local text, code = run(("%s/tests/tools/abi %s %s compare %s/%s"):format(house.root, house.root, folder, house.root,
    DUMP))
  if code & BREAKS ~= 0 or code & 3 ~= 0 then
    house.finding(DUMP, 0, "what programs rely on is gone (where that is meant: ./dev abi renews the dump):\n%s",
      text:sub(1, 2000))
    return
  end
  local held = assert(io.open(folder .. "/held", "w"))
  held:write(print_now)
  held:close()
end

return {
  { "functions that programs use stay", functions_stay },
}
