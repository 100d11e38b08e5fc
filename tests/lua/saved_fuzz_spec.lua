-- Files whose JSON within was changed, all around it being sound: tests/fuzz/saved, with fixed seeds. What is refused
-- changes nothing and is named, and an older state is taken. More by ./dev fuzz --count N --seed S saved.

local executable = require "tests.lua.support.executable"

describe("files of which the JSON within is another", function()
  for _, seed in ipairs { 1, 4, 10, 11 } do
    it("are read, or refused and nothing is changed: seed " .. seed, function()
      local count = os.getenv "MOONPOD_LONG" and 5000 or 150
      local text, code = executable.shell(("LUA_PATH='./?.lua;lua/?.lua;lua/?/init.lua;;' LUA_CPATH='%s/lua/?.so;;' "
        .. "lua5.4 tests/fuzz/saved/run.lua --count %d --seed %d"):format(os.getenv "MOONPOD_BUILD" or "build/release",
        count, seed))
      assert.equal(0, code, text)
      assert.truthy(text:find(("saved: %d files"):format(count), 1, true), text)
    end)
  end
end)
