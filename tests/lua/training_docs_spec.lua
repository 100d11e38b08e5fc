-- The blocks of docs/training.md run, one after the other, and what they assert holds.

local folder = os.tmpname()
os.remove(folder)

describe("docs/training.md", function()
  teardown(function()
    os.execute("rm -rf '" .. folder .. "'")
  end)

  it("has blocks that run", function()
    os.execute("mkdir '" .. folder .. "'")
    local file = assert(io.open "docs/training.md")
    local text = file:read "*a"
    file:close()
    local blocks = {}
    for block in text:gmatch "```lua\n(.-)```" do
      blocks[#blocks + 1] = block
    end
    assert.is_true(#blocks >= 4)
    local source = table.concat(blocks, "\n"):gsub('"run/', '"' .. folder .. "/")
    local run = assert((loadstring or load)(source, "=docs/training.md")) -- luacheck: ignore
    run()
  end)
end)
