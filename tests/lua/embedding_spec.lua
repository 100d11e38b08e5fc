-- What docs/embedding.md shows runs as it stands there.

local executable = require "tests.lua.support.executable"

describe("docs/embedding.md", function()
  it("has blocks that run one behind the other", function()
    if not executable.program then
      return pending "needs MOONPOD_BUILD"
    end
    local handle = assert(io.open("docs/embedding.md", "rb"))
    local text = handle:read "*a"
    handle:close()
    local blocks = {}
    for block in text:gmatch "```lua\n(.-)```" do
      blocks[#blocks + 1] = block
    end
    assert.same(5, #blocks)
    blocks[#blocks + 1] = "print 'all of it'\n"
    executable.with_script(table.concat(blocks, "\n"), function(script)
      local said = executable.shell(("%s %s"):format(executable.quote(executable.program), executable.quote(script)))
      assert.same("all of it\n", said)
    end)
  end)
end)
