-- Programs that were built with an earlier library run with this one: what is public is what abidiff finds in the dump
-- that is kept, so that each change is somebody's decision.

local house = require "house"

local DUMP = "tests/golden/abi/libmoonpod.abi"
local CHANGED, FAILED = 4, 3 -- bits of abidiff's exit code: structs that grew are not yet "incompatible" (8) to it

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

local function what_is_public_is_kept()
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
  if code & (CHANGED | FAILED) ~= 0 then
    house.finding(DUMP, 0, "what programs rely on has changed (where that is meant: ./dev abi renews the dump):\n%s",
      text:sub(1, 2000))
    return
  end
  local held = assert(io.open(folder .. "/held", "w"))
  held:write(print_now)
  held:close()
end

return {
  { "what is public is in the dump", what_is_public_is_kept },
}
