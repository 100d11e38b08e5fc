-- The blocks of docs/guides/training.md run, one after the other, and what they assert holds.

local files = require "tests.lua.support.files"

local folder = files.temporary()

describe("docs/guides/training.md", function()
  teardown(function()
    os.execute("rm -rf '" .. folder .. "'")
  end)

  it("has blocks that run", function()
    os.execute("mkdir '" .. folder .. "'")
    local blocks = files.blocks "docs/guides/training.md"
    assert.is_true(#blocks >= 4)
    local source = table.concat(blocks, "\n"):gsub('"run/', '"' .. folder .. "/")
    local run = assert((loadstring or load)(source, "=docs/guides/training.md")) -- luacheck: ignore
    run()
  end)
end)
