-- Arrays of Lua on their way into C: their lengths are what Lua says once, and what finalisers do meanwhile is late.

local core = require "moonpod.core"
local lua_version = require "tests.lua.support.lua_version"

local load_text = loadstring or load -- luacheck: ignore
local context = core.context { threads = 1 }

-- Bytes that the process holds in memory, as Linux tells them.
local function resident()
  for line in io.lines "/proc/self/status" do
    local kilobytes = line:match "^VmRSS:%s*(%d+) kB"
    if kilobytes then
      return tonumber(kilobytes) * 1024
    end
  end
end

describe("an array given to the core", function()
  it("has as many entries as there were before a finaliser added more", function()
    if not lua_version.has_integers then
      pending "this Lua has no finalisers of tables"
    end
    local texts, few, many = {}, 100000, 1000000
    for i = 1, few do
      texts[i] = "a"
    end
    collectgarbage()
    collectgarbage "stop"
    local grown = false
    setmetatable({}, { __gc = function()
      grown = true
      for i = few + 1, many do
        texts[i] = "b"
      end
    end })
    collectgarbage "restart" -- so that the first memory that the core takes ends a cycle
    local made, dataset = pcall(core.dataset_from_texts, context, texts)
    collectgarbage()
    assert.is_true(made, dataset)
    assert.is_true(grown)
    assert.equal(few, dataset:cardinality())
  end)

  it("takes the memory of the entries that were read", function()
    local entries = {} -- written out, so that all of them are keys of one hash
    for power = 0, 26 do
      entries[#entries + 1] = ("[%d] = 'a'"):format(2 ^ power)
    end
    local texts = load_text("return {" .. table.concat(entries, ", ") .. "}")()
    if #texts < 2 ^ 26 then
      pending "this Lua tells another length of a table with gaps"
    end
    collectgarbage()
    local before = resident()
    local made, message = pcall(core.dataset_list_files, context, texts)
    local after = resident()
    assert.is_false(made)
    assert.equal("entry 3 is no string but nil", message)
    assert.is_true(after - before < 2 ^ 27, after - before)
  end)

end)

describe("a function of the core that may fail", function()
  it("is called by the core alone, as it is no function of Lua", function()
    for i = 1, 3 do
      local _, value = debug.getupvalue(core.dataset_list_files, i)
      assert.is_true(type(value) ~= "function")
    end
  end)
end)
