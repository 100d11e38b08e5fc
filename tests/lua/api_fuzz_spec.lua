-- The API is called with anything: tests/fuzz/api.lua, with a fixed seed. Nothing ends the process, and nothing hangs.

local function run(command)
  local pipe = assert(io.popen("(" .. command .. ") 2>&1; echo \"ended with $?\""))
  local text = pipe:read "a"
  pipe:close()
  return text, tonumber(text:match "ended with (%d+)%s*$")
end

describe("the API", function()
  it("outlives 20,000 calls with anything", function()
    local here = run "pwd":match "^[^\n]+"
    local build = os.getenv "MOONPOD_BUILD"
    local text, status = run(("scratch=$(mktemp -d) && cd \"$scratch\" && '%s/tests/fuzz/api' '%s/moonpod' --seed 7 "
      .. "--count 20000; status=$?; rm -rf \"$scratch\"; exit $status"):format(here, build))
    assert.matches("api: 20%d%d%d calls", text)
    assert.is_true(status <= 1, text)
  end)
end)
