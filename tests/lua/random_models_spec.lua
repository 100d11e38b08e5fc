-- Models drawn at random and trained by Keras: outputs, losses, metrics and weights of three steps are Keras'. More of
-- them by ./dev fuzz --count N --seed S models.

package.path = "tests/golden/?.lua;" .. package.path

local random_models = require "random_models"
local sample = require "tests.lua.support.sample"

local runs_here = sample(5)

describe("a random model gives what it gives in Keras:", function()
  for _, case in ipairs(dofile "tests/golden/keras_random.lua") do
    if runs_here() then
      it(case.name, function()
        random_models.run(case)
      end)
    end
  end
end)
