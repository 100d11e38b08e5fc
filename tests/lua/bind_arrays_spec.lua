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

local FEW, MANY = 100000, 1000000

-- Calls a function that takes room for FEW things, in the midst of which a finaliser does something.
local function call_amid(deed, fn, ...)
  collectgarbage()
  collectgarbage "stop"
  local done = false
  setmetatable({}, { __gc = function()
    deed()
    done = true
  end })
  collectgarbage("incremental", 200, 100, 2) -- small steps, so that the first large room ends a cycle
  collectgarbage "restart"
  local ok, result = pcall(fn, ...)
  collectgarbage("incremental", 200, 100, 13)
  collectgarbage()
  assert.is_true(done)
  return ok, result
end

describe("an array given to the core", function()
  it("has as many entries as there were before a finaliser added more", function()
    if not lua_version.has_close then
      pending "this Lua has no finalisers of tables, or collects otherwise"
    end
    local texts = {}
    local function add(count)
      for i = #texts + 1, #texts + count do
        texts[i] = "a"
      end
    end
    add(FEW)
    local made, dataset = call_amid(function() add(MANY) end, core.dataset_from_texts, context, texts)
    assert.is_true(made, dataset)
    assert.equal(FEW, dataset:cardinality())
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

describe("a graph that is put into another", function()
  it("is refused where it got outputs meanwhile", function()
    if not lua_version.has_close then
      pending "this Lua has no finalisers of tables, or collects otherwise"
    end
    local source, outer = core.graph(context), core.graph(context)
    local x = source:parameter("f32", { 2 })
    local function add(count)
      for _ = 1, count do
        source:output(x)
      end
    end
    add(FEW)
    local made, message = call_amid(function() add(MANY) end, outer.inline, outer, source,
      { (outer:parameter("f32", { 2 })) })
    assert.is_false(made)
    assert.equal("the graph got parameters or outputs while it was in use", message)
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
