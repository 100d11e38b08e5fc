-- What docs/guides/saving.md shows runs as it stands there.

local executable = require "tests.lua.support.executable"
local files = require "tests.lua.support.files"

describe("docs/guides/saving.md", function()
  it("has blocks that run one behind the other", function()
    if not executable.program then
      return pending "needs MOONPOD_BUILD"
    end
    local blocks = files.blocks "docs/guides/saving.md"
    assert.same(4, #blocks)
    blocks[#blocks + 1] = "print 'all of it'\n"
    local folder = os.tmpname()
    os.remove(folder)
    os.execute("mkdir " .. folder)
    executable.with_script(table.concat(blocks, "\n"), function(script)
      local said = executable.shell(("cd %s && %s %s"):format(folder, executable.quote(executable.program),
        executable.quote(script)))
      os.execute("rm -r " .. folder)
      assert.same("all of it\n", said)
    end)
  end)
end)
