-- Random pipelines: `./dev fuzz --count N pipelines` compares many with tf.data, whose answers to these are kept.

package.path = "tests/fuzz/?.lua;" .. package.path

local answer = require "pipelines.answer"
local compare = require "pipelines.compare"
local random_chain = require "pipelines.random_chain"

local kept = dofile "tests/golden/pipelines.lua"

local scope = require "moonpod.base.warnings"
local warn = scope.warn

describe("random pipelines", function()
  setup(function()
    scope.warn = function() end -- random chains deserve many
  end)

  teardown(function()
    scope.warn = warn
  end)

  it("give what tf.data gives, with any number of threads, from files, and from each place on", function()
    for seed, hash in ipairs(kept) do
      local chain = random_chain.make(seed)
      local text, difference = compare.itself(chain)
      local counts = math.type or not compare.source(chain):find "extreme" -- luacheck: ignore
      if difference or hash ~= "died" and counts and hash ~= answer.hash(text) then
        difference = difference or "not what tf.data gave: " .. text
        error(("seed %d: %s\n%s"):format(seed, compare.source(chain), difference), 0)
      end
    end
  end)
end)
