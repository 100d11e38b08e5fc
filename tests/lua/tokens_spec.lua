-- Words of Lua, as the lint of functions and the pages of notebooks cut them.

local tokens = require "moonpod.base.tokens"

-- The words of a text, "kind:text" each, without blanks.
local function words_of(text)
  local words, at = {}, text:find "%S"
  while at do
    local kind, last = tokens.at(text, at)
    words[#words + 1] = kind .. ":" .. text:sub(at, last):match "^(.-)%s*$"
    at = text:find("%S", last + 1)
  end
  return table.concat(words, " ")
end

describe("a number", function()
  it("is one word, with its exponent and what stands behind it", function()
    for _, text in ipairs { "0", "12.5", ".5", "5.", "1e5", "1e-3", "2.5E+10", "0xFF", "0x1p4", "0x1.8p-3", "0X.8P+1",
      "7LL", "0x7fULL", "2i" } do
      assert.equal("number:" .. text, words_of(text))
      assert.equal("name:x other:+ number:" .. text .. " other:) name:p", words_of("x +" .. text .. ") p"))
    end
  end)

  it("ends before a sign that is no part of it", function()
    assert.equal("number:0x1e other:+ number:5", words_of "0x1e+5")
    assert.equal("number:1 other:- number:3", words_of "1-3")
  end)
end)

describe("other words", function()
  it("are told apart", function()
    assert.equal("keyword:local name:end_of other:= string:'it\\'s' comment:-- so",
      words_of "local end_of = 'it\\'s' -- so")
    assert.equal("string:[=[a]]b]=] comment:--[[x\ny]] name:z", words_of "[=[a]]b]=] --[[x\ny]] z")
    assert.equal("string:\"not closed", words_of "\"not closed")
  end)
end)
