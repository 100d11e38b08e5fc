-- Ctrl-C on a terminal, at random moments of what a session runs: one press is enough, what was under way is whole or
-- was not done, and the session lives on. How long each took is printed, and held to nothing. With $MOONPOD_LONG 200
-- presses of each kind, 1,800 in one session.

local executable = dofile "tests/lua/support/executable.lua"

local build = os.getenv "MOONPOD_BUILD"
local presser = build and build .. "/tests/bench_ctrl_c"
local SEED = tonumber(os.getenv "MOONPOD_SEED" or 17)
local PRESSES = os.getenv "MOONPOD_LONG" and 200 or 3

local KINDS = { "fit", "eager", "pcall", "coroutine", "func", "compile", "map", "read", "background" }

local function exists(path)
  local file = path and io.open(path, "rb")
  return file and file:close()
end

local describe_program = executable.program and exists(presser) and describe or pending

describe_program("one Ctrl-C", function()
  it("stops whatever runs, and leaves it whole", function()
    local text, code = executable.shell(("%s %s tests/lua/support/ctrl_c_session.lua %d 150 %d %s")
      :format(executable.quote(presser), executable.quote(executable.program), PRESSES, SEED,
        table.concat(KINDS, " ")))
    print("\n" .. text)
    assert.equal(0, code, text)
    assert.equal(#KINDS, select(2, text:gsub(" presses: median", "")), text)
  end)
end)
