-- Products of float32 in fewer passes of bfloat16.

local pod = require "moonpod"
local trace = require "moonpod.tensor.trace"

-- The largest error of a product, relative to the sums of what was multiplied (which bound rounding).
local function error_of(name, a, b)
  pod.set_float32_matmul_precision(name)
  local product = pod.matmul(a, b)
  pod.sync()
  pod.set_float32_matmul_precision "highest"
  local exact = pod.matmul(pod.cast(a, "float64"), pod.cast(b, "float64"))
  local bound = pod.matmul(pod.abs(pod.cast(a, "float64")), pod.abs(pod.cast(b, "float64")))
  return pod.max(pod.abs(pod.cast(product, "float64") - exact) / bound):item()
end

describe("set_float32_matmul_precision", function()
  after_each(function()
    pod.set_float32_matmul_precision "highest"
  end)

  -- "high" is float32 itself where that is as fast.
  it("gives one pass 2^-8, three passes 2^-15 and float32 2^-21 of what is summed", function()
    pod.random.set_seed(1)
    local a, b = pod.random.normal { 64, 96 }, pod.random.normal { 96, 48 }
    local default, high, highest = error_of("default", a, b), error_of("high", a, b), error_of("highest", a, b)
    assert(default < 2 ^ -8 and default > 2 ^ -13, default)
    assert(high < 2 ^ -15, high)
    assert(highest < 2 ^ -21, highest)
  end)

  it("keeps numbers that bfloat16 has exactly", function()
    local a, b = pod.tensor { { 1, 2.5 }, { -3, 0.125 } }, pod.tensor { { 2, 1 }, { 4, -0.5 } }
    for _, name in ipairs { "default", "high", "highest" } do
      pod.set_float32_matmul_precision(name)
      assert.equal(name, pod.get_float32_matmul_precision())
      assert.same({ { 12, -0.25 }, { -5.5, -3.0625 } }, pod.matmul(a, b):totable())
    end
  end)

  it("holds for functions and training that are compiled after it", function()
    local a = pod.full({ 8, 8 }, 1 + 2 ^ -12, { dtype = "float32" })
    local function product(name)
      pod.set_float32_matmul_precision(name)
      return pod.func(function(x) return pod.matmul(x, x) end)(a):totable()[1][1]
    end
    assert.equal(8, product "default")
    assert(math.abs(product "high" - 8 * (1 + 2 ^ -12) ^ 2) < 8 * 2 ^ -16)
  end)

  it("is read when a product is called, in traces and composites too", function()
    local a = pod.full({ 8, 8 }, 1 + 2 ^ -12, { dtype = "float32" })
    local q = pod.full({ 1, 4, 2, 8 }, 1 + 2 ^ -12)
    local function twice(product)
      pod.set_float32_matmul_precision "default"
      local rounded = product()
      pod.set_float32_matmul_precision "highest"
      local exact = product()
      return rounded, exact
    end
    local function value(t) return t:totable()[1][1] end
    local rounded, exact = twice(function() return pod.matmul(a, a) end)
    assert.equal(8, value(rounded))
    assert(value(exact) > 8.003)
    rounded, exact = pod.func(function(x) return twice(function() return pod.matmul(x, x) end) end)(a)
    assert.equal(8, value(rounded))
    assert(value(exact) > 8.003)
    rounded, exact = twice(function() return trace.composite("attention", { q, q, q }, { axis = 2 }) end)
    assert.equal(1, rounded:min():item())
    assert(exact:min():item() > 1)
  end)

  it("refuses other names", function()
    assert.error_matches(function() pod.set_float32_matmul_precision "low" end, "there is no precision")
    assert.error_matches(function() pod.set_float32_matmul_precision(3) end, "there is no precision 3")
  end)
end)
