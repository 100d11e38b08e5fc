local pod = require "moonpod"
local data = require "moonpod.data"

local function first(ds, count)
  return ds:take(count):totable()
end

-- as tf.data's Dataset.random but for the numbers themselves
describe("a dataset of random numbers", function()
  it("gives integers of 32 bits without end", function()
    local ds = data.random { seed = 4 }
    assert.equal(data.INFINITE, ds:cardinality())
    assert.equal("int64", ds:element_spec().dtype)
    assert.equal(0, #ds:element_spec().shape)
    local sum, low, high, seen = 0, 2 ^ 32, -1, {}
    local numbers = first(ds, 4000)
    assert.equal(4000, #numbers)
    for _, n in ipairs(numbers) do
      assert.equal(n, math.floor(n))
      sum, low, high = sum + n, math.min(low, n), math.max(high, n)
      assert.is_nil(seen[n], "twice the same of 2^32 in 4000")
      seen[n] = true
    end
    assert.is_true(low >= 0 and high < 2 ^ 32)
    assert.is_true(low < 2 ^ 32 / 200 and high > 2 ^ 32 * (1 - 1 / 200))
    assert.near(0.5, sum / 4000 / 2 ^ 32, 4 / math.sqrt(12 * 4000)) -- four deviations of the mean
  end)

  it("is the same in each iteration, or another", function()
    local same = data.random { seed = 4 }
    assert.same(first(same, 3), first(same, 3))
    local once = same:take(3)
    assert.same(once:totable(), once:totable())
    local a, b = first(same, 3), once:repeat_(2):totable()
    assert.same({ a[1], a[2], a[3], a[1], a[2], a[3] }, b)
    local function afresh()
      return data.random { seed = 4, rerandomize_each_iteration = true }:take(3)
    end
    local other = afresh()
    local one, two, twice = other:totable(), other:totable(), afresh():repeat_(2):totable()
    assert.are_not.same(one, two)
    assert.are_not.same({ twice[1], twice[2], twice[3] }, { twice[4], twice[5], twice[6] })
    assert.same(one, afresh():totable()) -- by the seed and the pass alone
    assert.same(two, select(2, (function(ds) return ds:totable(), ds:totable() end)(afresh())))
  end)

  it("depends on the seed", function()
    assert.same(first(data.random { seed = 7 }, 4), first(data.random { seed = 7 }, 4))
    assert.are_not.same(first(data.random { seed = 7 }, 4), first(data.random { seed = 8 }, 4))
    pod.random.set_seed(3)
    local one = first(data.random(), 4)
    assert.are_not.same(one, first(data.random(), 4))
    pod.random.set_seed(3)
    assert.same(one, first(data.random(), 4))
    assert.error_matches(function() data.random { seed = -1 } end, "the seed must be an integer of at least 0")
    assert.error_matches(function() data.random { count = 3 } end, "count.*rerandomize_each_iteration")
    assert.error_matches(function() data.random { rerandomize_each_iteration = 1 } end, "rerandomize_each_iteration")
  end)

  it("is the same behind other stages, and goes on where it stopped", function()
    local numbers = first(data.random { seed = 4 }, 8)
    local batches = data.random { seed = 4 }:batch(4):prefetch(2):take(2):totable()
    for i = 1, 8 do
      assert.equal(numbers[i], batches[math.ceil(i / 4)][(i - 1) % 4 + 1])
    end
    assert.equal(numbers[8], first(data.random { seed = 4 }:skip(7), 1)[1])
    local pairs_of = data.zip { data.range(2), data.random { seed = 4 } }:totable()
    assert.same({ 1, numbers[2] }, pairs_of[2])
    local it = data.random { seed = 4 }:iterator()
    for _ = 1, 5 do
      it:next()
    end
    local state = it:state()
    it:close()
    it = data.random { seed = 4 }:iterator()
    it:restore(state)
    assert.equal(numbers[6], it:next():item())
    it:close()
    it = data.random { seed = 5 }:iterator()
    assert.has_error(function() it:restore(state) end)
    it:close()
  end)
end)
