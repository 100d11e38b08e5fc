-- Random pipelines: `./dev fuzz --count N pipelines` compares many with tf.data, whose answers to these are kept.

package.path = "tests/fuzz/?.lua;" .. package.path

local answer = require "pipelines.answer"
local build = require "pipelines.build"
local compare = require "pipelines.compare"
local pod = require "moonpod"
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

  -- What is said of a dataset that stands for a chain, and of what tf.data gave in its place.
  local function judged(ds, theirs)
    local chain_of, text, failure = build.chain, answer.of(ds)
    build.chain = function()
      return ds
    end
    local ok, said = pcall(compare.peer, {}, text, theirs .. "\t", failure)
    build.chain = chain_of
    assert(ok, said)
    return said
  end

  it("are found where they give something else than tf.data", function()
    local other_size = pod.data.range(2):interleave(function(i)
      return pod.data.from_tensors(pod.zeros { i:item() + 2 })
    end)
    assert.is_nil(judged(other_size, "float32(2) #-2: float32[2|0 0] float32[3|0 0 0]"))
    assert.is_truthy(judged(other_size, "float32(2) #-2: float32[2|1 0] float32[3|0 0 0]"))
    local same_size = pod.data.from_generator(function()
      local count = 0
      return function()
        count = count + 1
        return count == 1 and pod.zeros { 2 } or error("component 0 of dataset 1 is (2,), but (2,) was announced", 0)
      end
    end, pod.spec { 2 })
    assert.is_truthy(judged(same_size, "float32(2) #-2: float32[2|0 0] float32[2|0 0]"))
    assert.is_nil(compare.peer({}, "refused", "float32(2) #0: \t"))
    assert.is_nil(compare.peer({}, "refused", "refused\t"))
    assert.is_truthy(compare.peer({}, "refused", "float32(2) #1: float32[2|0 0]\t", "why"))
  end)
end)
