local pod = require "moonpod"
local data = require "moonpod.data"

describe("options of a pipeline", function()
  it("hold behind the stages that follow", function()
    local ds = data.range(4):options { deterministic = false, threads = 2 }
    local later = ds:batch(2):map(function(x) return x + 1 end):prefetch(2)
    assert.same({ deterministic = false, threads = 2 }, later:options())
    assert.same({}, data.range(4):options())
    assert.same({ deterministic = true, threads = 2 }, later:options { deterministic = true }:options())
    assert.same({ deterministic = false, threads = 2 }, ds:options()) -- datasets do not change
    assert.same({ deterministic = false, threads = 3 },
      data.zip { ds, data.range(4):options { threads = 3 } }:take(2):options())
    for _, made in ipairs { ds:concatenate(data.range(2)), ds:interleave(function(x) return data.from_tensors(x) end),
      ds:scan(0, function(s, x) return s, x end), data.sample_from_datasets { ds, ds }, ds:window(2), ds:cache() } do
      assert.equal(2, made:options().threads)
    end
  end)

  it("are checked", function()
    local ds = data.range(4)
    assert.error_matches(function() ds:options { deterministic = 1 } end,
      "'deterministic' is 1; it must be true or false")
    assert.error_matches(function() ds:options { threads = 0 } end, "an integer of at least 1")
    assert.error_matches(function() ds:options { memory_budget = -5 } end, "a number of bytes")
    assert.error_matches(function() ds:options { auto_shard = "files" } end, '"AUTO", "FILE", "DATA", "HINT" or "OFF"')
    assert.error_matches(function() ds:options { determinstic = true } end, "deterministic")
  end)

  it("let elements change their order, and none is lost", function()
    local function make(options)
      return data.range(200):map(function(x)
        local sum = 0
        for i = 1, x % 7 * 500 do
          sum = sum + i
        end
        return x + sum * 0
      end, { interpret = true, seed = 1, num_parallel_calls = 4 }):options(options)
    end
    local ordered = {}
    for i = 0, 199 do
      ordered[i + 1] = i
    end
    assert.same(ordered, make {}:totable())
    assert.same(ordered, make { deterministic = true, threads = 1 }:totable())
    local sorted = make { deterministic = false }:totable()
    table.sort(sorted)
    assert.same(ordered, sorted)
    local it = make { deterministic = false }:iterator()
    assert.error_matches(function() it:state() end, "in which threads finish them")
    it:close()
    local told = make({ deterministic = false }):map(function(x) return x end, { interpret = true, deterministic = true,
      num_parallel_calls = 2, seed = 1 })
    assert.equal(200, #told:totable())
  end)

  it("bound what waits in queues", function()
    local ds = data.from_generator(function()
      return function() return pod.zeros { 1000 } end
    end, pod.spec({ 1000 }, "float32")):take(50):prefetch(data.AUTOTUNE)
    assert.equal(50, #ds:options { memory_budget = 4000, autotune = false }:totable())
  end)
end)
