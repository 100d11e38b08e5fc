-- Random steps of training on several replicas give what they give on one.

local random_replicas = require "tests.lua.support.random_replicas"

describe("random steps on replicas", function()
  for seed = 1, os.getenv "MOONPOD_LONG" and 400 or 40 do
    it(("number %d are those of one replica"):format(seed), function()
      assert.is_nil(random_replicas.check(seed))
    end)
  end
end)
