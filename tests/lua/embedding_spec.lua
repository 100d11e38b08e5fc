-- What docs/guides/embedding.md shows runs as it stands there.

local executable = require "tests.lua.support.executable"
local files = require "tests.lua.support.files"

describe("docs/guides/embedding.md", function()
  it("has blocks that run one behind the other", function()
    if not executable.program then
      return pending "needs MOONPOD_BUILD"
    end
    local blocks = files.blocks "docs/guides/embedding.md"
    assert.same(6, #blocks)
    blocks[#blocks + 1] = "print 'all of it'\n"
    executable.with_script(table.concat(blocks, "\n"), function(script)
      local said = executable.shell(("%s %s"):format(executable.quote(executable.program), executable.quote(script)))
      assert.same("all of it\n", said)
    end)
  end)
end)
