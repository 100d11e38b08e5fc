-- Errors name the user's line also where a function ends in a tail call of Moonpod's, which Lua forgets.

local pod = require "moonpod"

local FILE = "tail_calls_spec.lua"

-- The line of this file that an error of fn names.
local function line_of(fn, ...)
  local ok, message = pcall(fn, ...)
  assert(not ok, "no error")
  return tonumber(tostring(message):match(FILE:gsub("%p", "%%%0") .. ":(%d+)")), message
end

-- The line of the caller, `after` lines on.
local function here(after)
  return debug.getinfo(2, "l").currentline + (after or 0)
end

describe("a tail call is found", function()
  local x = pod.tensor { 1, 2, 3 }

  it("in compiled functions", function()
    local expected = here(3)
    local f = pod.func(function(t)
      local y = t * 2
      return pod.reshape(y, { 7 })
    end)
    assert.equal(expected, (line_of(function() f(x) end)))
  end)

  it("in strategy:run and scopes", function()
    local strategy = pod.distribute.mirrored(2)
    local split = strategy:split(pod.ones { 4 })
    local expected = here(2)
    assert.equal(expected, (line_of(function()
      strategy:run(function(t) return pod.reshape(t, { 7 }) end, { split })
    end)))
    assert.equal(here(1), (line_of(function()
      strategy:scope(function() return pod.reshape(x, { 7 }) end)
    end)))
  end)

  it("in tapes, branches and loops", function()
    assert.equal(here(1), (line_of(function()
      pod.tape(function() return pod.reshape(x, { 7 }) end)
    end)))
    local expected = here(3)
    assert.equal(expected, (line_of(function()
      pod.cond(pod.tensor(true), function()
        return pod.reshape(x, { 9 })
      end, function() return x end)
    end)))
    expected = here(3)
    assert.equal(expected, (line_of(function()
      pod.while_loop(function(i) return pod.less(i, 3) end,
        function(i) return pod.reshape(i, { 5 }) end, { pod.tensor(0) })
    end)))
  end)

  it("in layers and losses of one's own", function()
    local expected = here(3)
    local Own = pod.layers.subclass { name = "Own",
      call = function(_, t)
        return pod.reshape(t, { 99 })
      end }
    assert.equal(expected, (line_of(function() Own()(pod.ones { 2, 2 }) end)))
    local lambda = pod.layers.lambda(function(t) return pod.reshape(t, { 99 }) end)
    assert.equal(here(-1), (line_of(function() lambda(pod.ones { 2, 2 }) end)))
    local loss = pod.losses.get(function(a, b) return pod.matmul(a, b) end)
    assert.equal(here(-1), (line_of(function() loss(pod.ones { 2, 3 }, pod.ones { 2, 4 }) end)))
  end)

  it("where numbers are checked at run time", function()
    finally(function() pod.debug.nan(false) end) -- luacheck: ignore
    pod.debug.nan(true)
    local expected = here(2)
    local f = pod.func(function(t)
      return pod.log(t)
    end)
    assert.equal(expected, (line_of(function() return (f(pod.tensor { -1 }):item()) end)))
  end)
end)

local pair = pod.ones { 2, 3 }

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

-- The first line in a function.
local function line_in(fn)
  return debug.getinfo(fn, "S").linedefined + 1
end

describe("an error of a call that a function ended with", function()
  it("names its line, in eager code and in traced functions", function()
    for _, case in ipairs { { product, product }, { filled, filled }, { through, product },
      { model.forward, product } } do
      local fn, at = case[1], case[2]
      local wanted = line_in(at)
      assert.equal(wanted, line_of(fn, pair))
      assert.equal(wanted, line_of(function()
        local y = fn(pair)
        return y
      end))
      assert.equal(wanted, line_of(pod.func(fn), pair))
    end
    assert.equal(line_in(product), line_of(function()
      local y = model.forward(pair)
      return y
    end))
  end)

  it("names the line that is on the stack where the call is there, or could be one of several", function()
    local function direct(_)
      local y = pod.matmul(pair, pod.ones { 5, 5 })
      return y
    end
    assert.equal(line_in(direct), line_of(direct, product))
    local function mixed(_)
      local y = pair + pod.ones { 5, 5 }
      return y
    end
    assert.equal(line_in(mixed), line_of(mixed, product))
    local function unsure()
      local y = either(pair, false)
      return y
    end
    assert.equal(line_in(unsure), line_of(unsure))
  end)
end)
