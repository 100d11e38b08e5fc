-- What others write while an entry is edited: sessions on a terminal of pyte, drawn by seeds (see
-- tests/repl/prompt_sessions.py). With $MOONPOD_LONG 300 of them.

local executable = require "tests.lua.support.executable"
local peers = require "tests.lua.support.peers"

local unpack = table.unpack or unpack -- luacheck: ignore

local SESSIONS = os.getenv "MOONPOD_LONG" and 300 or 20

-- A hint behind the text; a mark on the last character of a full row; a tab in a line that is written over.
local KNOWN = { "7041", "1", "9028", "1", "9094", "1" }

local describe_program = executable.program and describe or pending

describe_program("what is written while somebody types", function()
  it("stands above the entry, whole and in order, and changes neither it nor the cursor", function()
    local python, why = peers.python { "pyte", "wcwidth" }
    if not python then
      return pending(why)
    end
    local seed = os.getenv "MOONPOD_LONG" and 1 or 1000
    local text, code = peers.run(python, "tests/repl/prompt_sessions.py",
      { executable.program, tostring(seed), tostring(SESSIONS), unpack(KNOWN) })
    assert(code == 0, text)
    print((text:match "[^\n]*sessions[^\n]*"))
  end)
end)
