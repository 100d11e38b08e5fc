-- What is computed at once, what waits and what pod.func compiles has the same bits: random programs, with fixed seeds.

local programs = require "tests.lua.support.random_programs"

describe("random programs", function()
  it("give the same bits eagerly and compiled", function()
    local differences = {}
    for seed = 1, 250 do
      differences[#differences + 1] = programs.check(seed)
    end
    assert.same({}, differences)
  end)
end)
