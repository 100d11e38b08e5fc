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

  it("give the same bits filled up to a bucket, or are refused", function()
    local differences, counts = {}, { run = 0, refused = 0 }
    for seed = 1, 60 do
      differences[#differences + 1] = programs.check_buckets(seed, counts)
    end
    assert.same({}, differences)
    assert.is_true(counts.run > 300 and counts.refused > 100, counts.run .. " run, " .. counts.refused .. " refused")
  end)
end)
