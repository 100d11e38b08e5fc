local pod = require "moonpod"
local lua_version = require "tests.lua.support.lua_version"

describe("a tape", function()
  it("differentiates with respect to variables and tensors", function()
    local w, x = pod.variable { 2, 3 }, pod.tensor { 5, 7 }
    local tape, loss = pod.tape(function(t)
      t:watch(x)
      return (w * x):sum()
    end)
    local gradients = tape:gradient(loss, { w = w, more = { x } })
    assert.same({ 5, 7 }, gradients.w:totable())
    assert.same({ 2, 3 }, gradients.more[1]:totable())
  end)

  it("records until it is asked", function()
    local v = pod.variable(3)
    local tape = pod.tape()
    local y = v * v
    assert.equal(9, y:item())
    assert.equal(6, tape:gradient(y, v):item())
    assert.error_matches(function() tape:gradient(y, v) end, "used already.*persistent")
  end)

  it("finds no slope of relu6 at 0, as of relu", function()
    for _, name in ipairs { "relu", "relu6" } do
      local x = pod.variable(pod.tensor { 0.0, 3.0, -3.0 })
      local tape = pod.tape()
      local y = pod.sum(pod.layers.activation(name)(x:value()))
      assert.same({ 0, 1, 0 }, tape:gradient(y, x):totable())
    end
  end)

  it("answers again when it is persistent", function()
    local v = pod.variable(3)
    local tape = pod.tape { persistent = true }
    local y, z = v * v, v * 2
    assert.equal(6, tape:gradient(y, v):item())
    assert.equal(2, tape:gradient(z, v):item())
    tape:close()
    assert.error_matches(function() tape:gradient(y, v) end, "this tape was closed")
  end)

  it("records until close(), and answers then as at the end of a <close> variable", function()
    local v = pod.variable(3)
    local tape = pod.tape()
    local y = v * v
    tape:close()
    local z = y * v
    assert.equal(6, tape:gradient(y, v):item())
    assert.error_matches(function() tape:gradient(z, v) end, "used already")
  end)

  it("ends with a <close> variable", function()
    if not lua_version.has_close then
      pending "this Lua has no <close>"
      return
    end
    local v = pod.variable(3)
    local kept, y = assert(load [[
      local pod, v = ...
      local tape <close> = pod.tape()
      return tape, v * v]])(pod, v)
    assert.equal(6, kept:gradient(y, v):item())
  end)

  it("gives nil where there is no path", function()
    local v, w = pod.variable(1), pod.variable(2)
    local tape, y = pod.tape(function() return v * 2 end)
    local gradients = tape:gradient(y, { v, w })
    assert.equal(2, gradients[1]:item())
    assert.is_nil(gradients[2])
    tape, y = pod.tape(function() return v * 2 + 0 * w end)
    assert.equal(0, tape:gradient(y, w):item())
    tape, y = pod.tape(function() return pod.stop_gradient(v) * 3 end)
    assert.is_nil(tape:gradient(y, v))
    tape, y = pod.tape(function() return v * 2 end)
    assert.equal(0, tape:gradient(y, w, { unconnected_gradients = "zero" }):item())
  end)

  it("keeps readings between apart from the graph", function()
    local v = pod.variable { 1, 2 }
    local tape = pod.tape()
    local y = v * 3
    assert.same({ 3, 6 }, y:totable())
    local z = (y * y):sum()
    assert.equal(45, z:item())
    assert.same({ 18, 36 }, tape:gradient(z, v):totable())
  end)

  it("nests for higher derivatives", function()
    local x = pod.variable(3)
    local outer = pod.tape()
    local inner = pod.tape()
    local y = x * x * x
    local dy = inner:gradient(y, x)
    local d2y = outer:gradient(dy, x)
    assert.equal(27, dy:item())
    assert.equal(18, d2y:item())
  end)

  it("takes an assigned value as a new beginning", function()
    local v = pod.variable(2)
    local tape = pod.tape { persistent = true }
    local y = v * v
    v:assign(y)
    local z = v * 3
    assert.equal(3, tape:gradient(z, v):item())
    assert.equal(4, tape:gradient(y, v):item())
  end)

  it("takes upstream gradients and several targets", function()
    local v = pod.variable { 1, 1 }
    local tape, y = pod.tape(function() return v * 2 end)
    assert.same({ 6, 8 }, tape:gradient(y, v, { output_gradients = pod.tensor { 3, 4 } }):totable())
    local other, a, b = pod.tape(function() return v * 2, v * 5 end)
    assert.same({ 7, 7 }, other:gradient({ a, b }, v):totable())
  end)

  it("works the same in compiled functions", function()
    local w = pod.variable { 1, 2 }
    local f = pod.func(function(x)
      local tape, loss = pod.tape(function() return ((w * x) ^ 2):sum() end)
      local g = tape:gradient(loss, w)
      w:assign_sub(g * 0.1)
      return loss, g
    end)
    local loss, g = f(pod.tensor { 1, 1 })
    assert.equal(5, loss:item())
    assert.same({ 2, 4 }, g:totable())
    assert.is_true(pod.allclose(w, pod.tensor { 0.8, 1.6 }))
    f(pod.tensor { 1, 1 })
    assert.is_true(pod.allclose(w, pod.tensor { 0.64, 1.28 }))
  end)

  it("takes what was computed before it as constant, compiled too", function()
    local w = pod.variable(3)
    local function step(x)
      local target = x * w
      local tape, loss = pod.tape(function() return (w * target - x) ^ 2 end)
      local of_x = pod.tape()
      local y = x * target
      local outer = pod.tape()
      local before = w * x
      local inner, z = pod.tape(function() return before * w end)
      local within = inner:gradient(z, w)
      return tape:gradient(loss, w), of_x:gradient(y, x), within, outer:gradient(z, w)
    end
    for _, fn in ipairs { step, pod.func(step) } do
      local of_w, of_x, within, outer = fn(pod.tensor(2))
      assert.same({ 192, 6, 6, 12 }, { of_w:item(), of_x:item(), within:item(), outer:item() })
    end
    local late = pod.func(function(x)
      local y = x * w
      local tape = pod.tape():stop()
      local gradients = tape:gradient(y, { x, y }, { output_gradients = x })
      assert.is_nil(gradients[1])
      return gradients[2]
    end)
    assert.equal(5, late(pod.tensor(5)):item())
  end)

  it("tells a variable from one whose value it was given", function()
    local w = pod.variable { 1, 2 }
    local same, target = pod.variable(w:value()), pod.variable { 0, 0 }
    target:assign(w:value())
    local tape, loss = pod.tape(function() return pod.sum(w * 2 + target * 3 + same * 5) end)
    local gradients = tape:gradient(loss, { w, target, same })
    assert.same({ 2, 3, 5 }, { gradients[1]:totable()[1], gradients[2]:totable()[1], gradients[3]:totable()[1] })
    local drawn = pod.random.normal { 2 }
    local one, other = pod.variable(drawn), pod.variable(drawn)
    tape, loss = pod.tape(function() return pod.sum(one * 2 + other * 3) end)
    gradients = tape:gradient(loss, { one, other })
    assert.same({ 2, 3 }, { gradients[1]:totable()[1], gradients[2]:totable()[1] })
    local sum = pod.ones { 2 } * 3
    local left, right = pod.variable(sum), pod.variable(sum) -- before it is computed
    local of_left, of_right = pod.cond(pod.tensor(true), function()
      local inner, value = pod.tape(function() return pod.sum(left * 2 + right * 3) end)
      local list = inner:gradient(value, { left, right })
      return list[1], list[2]
    end, function() return left:value(), right:value() end)
    assert.same({ 2, 3 }, { of_left:totable()[1], of_right:totable()[1] })
  end)

  it("goes through a compiled function that it surrounds", function()
    local w = pod.variable(3)
    local f = pod.func(function(x) return x * w end)
    local tape, y = pod.tape(function() return f(pod.tensor(2)) end)
    assert.equal(2, tape:gradient(y, w):item())
  end)

  it("fails cleanly", function()
    local open = #require("moonpod.tensor.trace").tapes
    assert.error_matches(function() pod.tape(function() error "mine" end) end, "mine")
    assert.equal(open, #require("moonpod.tensor.trace").tapes)
    local tape, y = pod.tape(function() return pod.tensor(1) * 2 end)
    assert.error_matches(function() tape:gradient(y, {}) end, "no sources")
    assert.error_matches(function() local t = pod.tape { persistant = true } return t end, "did you mean 'persistent'")
  end)
end)

describe("gradients of one's own", function()
  it("replace the rule", function()
    local square = pod.custom_gradient(function(x)
      return x * x, function(upstream) return upstream * 100 end
    end)
    local x = pod.variable { 1, 2 }
    local tape, y = pod.tape(function() return square(x):sum() end)
    assert.equal(5, y:item())
    assert.same({ 100, 100 }, tape:gradient(y, x):totable())
  end)

  it("are computed again by remat", function()
    local w, x = pod.variable { 2, 3 }, pod.tensor { 0.1, 0.2 }
    local function value(fn)
      local tape, y = pod.tape(function(t)
        t:watch(x)
        return fn(x):sum()
      end)
      local g = tape:gradient(y, { x, w })
      return { y:item(), g[1]:totable(), g[2]:totable() }
    end
    local function plain(t) return pod.tanh(t * w) end
    assert.same(value(plain), value(pod.remat(plain)))
  end)

  it("are refused by remat of what assigns and reads a trained variable", function()
    local w, seen = pod.variable { 2, 3 }, pod.variable({ 0, 0 }, { trainable = false, name = "seen" })
    local x = pod.tensor { 0.1, 0.2 }
    assert.error_matches(function()
      pod.remat(function(t)
        w:assign(w / 2)
        return t * w
      end)(x)
    end, "remat: the function assigns variable .*, which is trained")
    assert.near(0.2, pod.remat(function(t)
      seen:assign(seen + 2)
      return t * seen
    end)(x):totable()[1], 1e-6)
  end)

  it("agree with finite differences", function()
    assert.is_true(pod.gradcheck(function(a, b) return pod.sum(pod.exp(a) * b) end,
      { pod.tensor { 0.1, 0.5 }, pod.tensor { 1, 2 } }) < 1e-6)
    local wrong = pod.custom_gradient(function(x) return x * x, function(g) return g end end)
    assert.error_matches(function() pod.gradcheck(wrong, pod.tensor { 3 }) end, "element 1 of input 1")
  end)
end)
