-- The API is called with anything: tests/fuzz/api.lua, with fixed seeds. Nothing ends the process, nothing hangs, and
-- no error is one that Lua itself raised in a file of lua/moonpod.

local function run(command)
  local pipe = assert(io.popen("(" .. command .. ") 2>&1; echo \"ended with $?\""))
  local text = pipe:read "a"
  pipe:close()
  return text, tonumber(text:match "ended with (%d+)%s*$")
end

-- Seeds, and calls a seed: more of both with --long.
local seeds, count = { 1, 7, 11 }, 10000
if os.getenv "MOONPOD_LONG" then
  count = 50000
  for i = 1, 20 do
    seeds[#seeds + 1] = 100 + i
  end
end

describe("the API", function()
  for _, seed in ipairs(seeds) do
    it(("answers %d calls with anything, seed %d, in its own words"):format(count, seed), function()
      local here = run "pwd":match "^[^\n]+"
      local build = os.getenv "MOONPOD_BUILD"
      local text, status = run(("scratch=$(mktemp -d) && cd \"$scratch\" && '%s/tests/fuzz/api' '%s/moonpod' --seed %d "
        .. "--count %d; status=$?; rm -rf \"$scratch\"; exit $status"):format(here, build, seed, count))
      local calls = tonumber(text:match "api: (%d+) calls")
      assert.is_true(calls ~= nil and calls >= count, text)
      assert.is_true(status == 0, text)
    end)
  end
end)
