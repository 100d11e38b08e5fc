-- Random steps of training over variables that they share: compiled, by calls and without a return to Lua, they give
-- what the same operations give one after the other.

local random_steps = require "tests.lua.support.random_steps"

describe("random steps", function()
  for seed = 1, os.getenv "MOONPOD_LONG" and 400 or 60 do
    it(("number %d are the same compiled"):format(seed), function()
      local message, note = random_steps.check(seed)
      assert.is_nil(message)
      assert.is_nil(note)
    end)
  end
end)
