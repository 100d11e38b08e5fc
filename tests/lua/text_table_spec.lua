-- Rows of cells as lines: widths, gaps, and what is not filled up.

local text_table = require "moonpod.base.text_table"

describe("text_table", function()
  it("gives columns the width of their widest cell", function()
    assert.same({ "name    size", "a        1.5", "größer     2" },
      text_table.lines({ { "name", "size" }, { "a", "1.5" }, { "größer", "2" } },
        { { align = "left" }, { align = "right" } }))
  end)

  it("leaves a longer cell as it is where a width is given", function()
    assert.same({ "a     1", "a longer one 22" },
      text_table.lines({ { "a", "1" }, { "a longer one", "22" } },
        { { align = "left", width = 4 }, { align = "right", width = 2, gap = 1 } }))
  end)

  it("ends no line in what fills up a cell", function()
    assert.same({ "a", "ab", "  b  c" }, text_table.lines({ { "a" }, { "ab" }, { "  b", "c" } },
      { { align = "left" } }))
    assert.same({ "   x", "   y     z" }, text_table.lines({ { "x" }, { "y", "z" } },
      { { align = "right", width = 2, gap = 2 }, { align = "right", width = 4 } }))
  end)

  it("fills up by columns of characters, not by bytes", function()
    assert.equal(" ä ", text_table.pad("ä", 3, "center"))
    assert.equal("  ä", text_table.pad("ä", 3, "right"))
    assert.equal("ä", text_table.pad("ä", 0, "left"))
  end)
end)
