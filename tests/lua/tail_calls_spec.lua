-- The line that an error names where a function ends with the call that failed: `return pod.f(...)`.

local pod = require "moonpod"

local x = pod.ones { 2, 3 }

local function product(a)
  return pod.matmul(a, pod.ones { 5, 5 })
end

local function filled(a)
  return a:reshape { 7 }
end

local function through(a)
  return product(a)
end

local model = {}
function model.forward(a)
  if a then
    return through(a)
  end
  return 1
end

local function either(a, is_first)
  if is_first then
    return pod.matmul(a, a)
  end
  return pod.matmul(a, pod.ones { 7, 7 })
end

local function line_of(fn)
  return debug.getinfo(fn, "S").linedefined + 1
end

local function named_line(fn, ...)
  local ok, failure = pcall(fn, ...)
  assert.is_false(ok)
  return tonumber(failure:match "tail_calls_spec%.lua:(%d+)")
end

describe("an error of a call that a function ended with", function()
  it("names its line, in eager code and in traced functions", function()
    for _, case in ipairs { { product, product }, { filled, filled }, { through, product },
      { model.forward, product } } do
      local fn, at = case[1], case[2]
      local wanted = line_of(at)
      assert.equal(wanted, named_line(fn, x))
      assert.equal(wanted, named_line(function()
        local y = fn(x)
        return y
      end))
      assert.equal(wanted, named_line(pod.func(fn), x))
    end
    assert.equal(line_of(product), named_line(function()
      local y = model.forward(x)
      return y
    end))
  end)

  it("names the line that is on the stack where the call is there, or could be one of several", function()
    local function direct(_)
      local y = pod.matmul(x, pod.ones { 5, 5 })
      return y
    end
    assert.equal(line_of(direct), named_line(direct, product))
    local function mixed(_)
      local y = x + pod.ones { 5, 5 }
      return y
    end
    assert.equal(line_of(mixed), named_line(mixed, product))
    local function unsure()
      local y = either(x, false)
      return y
    end
    assert.equal(line_of(unsure), named_line(unsure))
  end)
end)
