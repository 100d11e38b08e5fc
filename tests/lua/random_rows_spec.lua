-- Random functions of rows on replicas whose parts are short or empty give what they give of the rows alone.
-- MOONPOD_ROWS="SEED COUNT" runs others.

local random_rows = require "tests.lua.support.random_rows"

describe("random functions of rows", function()
  local first, count = (os.getenv "MOONPOD_ROWS" or ""):match "^(%d+) (%d+)$"
  first, count = tonumber(first) or 1, tonumber(count) or os.getenv "MOONPOD_LONG" and 10000 or 500
  for low = first, first + count - 1, 50 do
    local high = math.min(low + 49, first + count - 1)
    it(("%d to %d have no padding in values and gradients"):format(low, high), function()
      local refused = 0
      for seed = low, high do
        local wrong, ended = random_rows.check(seed)
        assert.is_nil(wrong)
        refused = refused + (ended == "refused" and 1 or 0)
      end
      assert.is_true(refused < 15, refused .. " were refused")
    end)
  end
end)
