local pod = require "moonpod"

describe("a compiled function", function()
  it("traces once a signature", function()
    local calls = 0
    local f = pod.func(function(x, n)
      calls = calls + 1
      return x * n
    end)
    assert.same({ 2, 4 }, f(pod.tensor { 1, 2 }, 2):totable())
    assert.same({ 6, 8 }, f(pod.tensor { 3, 4 }, 2):totable())
    assert.equal(1, calls)
    assert.same({ 3, 6 }, f(pod.tensor { 1, 2 }, 3):totable())
    f(pod.tensor { 1, 2, 3 }, 3)
    assert.equal(3, calls)
    local traces = f:traces()
    assert.equal("(float32(2,), 2)", traces[1].signature)
    assert.equal(2, traces[1].count)
    assert.equal("first call", traces[1].cause)
    assert.equal("argument 2 was 2, now 3", traces[2].cause)
    assert.equal("dimension 0 of argument 1 was 2, now 3", traces[3].cause)
  end)

  it("takes and gives nested tables", function()
    local f = pod.func(function(batch) return { sum = batch.x + batch.y[1], batch.x }, "plain", nil, batch.x end)
    local results, text, nothing, x = f { x = pod.tensor(1), y = { pod.tensor(2) } }
    assert.equal(3, results.sum:item())
    assert.equal(1, results[1]:item())
    assert.equal("plain", text)
    assert.is_nil(nothing)
    assert.equal(1, x:item())
  end)

  it("updates variables, whoever holds their old values", function()
    local v = pod.variable { 1, 2 }
    local before = v:value()
    local f = pod.func(function(x)
      v:assign_add(x)
      return v * 1
    end)
    assert.same({ 2, 3 }, f(pod.ones { 2 }):totable())
    assert.same({ 3, 4 }, f(pod.ones { 2 }):totable())
    assert.same({ 1, 2 }, before:totable())
    assert.same({ 3, 4 }, v:value():totable())
    local pending = v * 10
    f(pod.ones { 2 })
    assert.same({ 30, 40 }, pending:totable())
  end)

  it("reads a variable before and after it is assigned", function()
    local v = pod.variable(1)
    local f = pod.func(function()
      local old = v:value()
      v:assign(5)
      return old * 1, v * 1
    end)
    local old, new = f()
    assert.equal(1, old:item())
    assert.equal(5, new:item())
    old, new = f()
    assert.equal(5, old:item())
    assert.equal(5, new:item())
  end)

  it("captures tensors", function()
    local k = pod.tensor { 10, 20 } + 1
    local f = pod.func(function(x) return x + k end)
    assert.same({ 12, 22 }, f(pod.ones { 2 }):totable())
  end)

  it("is part of the function that calls it", function()
    local inner = pod.func(function(x) return x * 2 end)
    local outer = pod.func(function(x) return inner(x) + inner(x) end)
    assert.equal(4, outer(pod.tensor(1)):item())
    assert.equal(0, #inner:traces())
  end)

  it("draws new random numbers each call, the same ones after the same seed", function()
    local f = pod.func(function() return pod.random.uniform { 3 }, pod.random.uniform { 3 } end)
    pod.random.set_seed(5)
    local a, b = f()
    local c = f()
    assert.not_same(a:totable(), b:totable())
    assert.not_same(a:totable(), c:totable())
    pod.random.set_seed(5)
    assert.same(a:totable(), (f()):totable())
  end)

  it("goes on where random numbers were when they were asked for, in it and outside", function()
    local f = pod.func(function()
      return pod.random.uniform { 2 }
    end)
    local function draw()
      return { f():totable(), pod.random.uniform({ 2 }):totable(), f():totable() }
    end
    local before = pod.random.get_state() -- perhaps no compiled function has drawn yet
    local first = draw()
    local state = pod.random.get_state()
    local second, third = draw(), draw()
    for _ = 1, 2 do
      pod.random.restore_state(state)
      assert.same({ second, third }, { draw(), draw() })
    end
    pod.random.restore_state(before)
    assert.same({ first, second }, { draw(), draw() })
  end)

  it("checks arguments against its signature and shows both", function()
    local f = pod.func(function(x) return x end,
      { input_signature = { pod.spec({ -1, 3 }, "float32") }, name = "step" })
    assert.equal("(2, 3)", tostring(f(pod.ones { 2, 3 }).shape))
    assert.error_matches(function() f(pod.ones { 2, 4 }) end,
      "argument 1 of function 'step' is float32%(2, 4%).*spec%(float32 %(any, 3%)%)")
    assert.error_matches(function() f(pod.ones({ 2, 3 }, "int32")) end, "int32")
    assert.error_matches(function() f() end, "takes 1 arguments.*0 were given")
    assert.error_matches(function() f("x") end, '"x"')
  end)

  it("refuses options it has not", function()
    assert.error_matches(function() local f = pod.func(print, { input_signatur = {} }) return f end,
      "did you mean 'input_signature'")
    assert.error_matches(function() local f = pod.func(7) return f end, "must be a function")
  end)

  it("tells what it compiled to", function()
    local f = pod.func(function(x) return pod.tanh(x * 2 + 1) end, { name = "f" })
    local concrete = f:concrete(pod.spec({ 4 }, "float32"))
    assert.equal("<f(float32(4,))>", tostring(concrete))
    assert.is_true(concrete:stats().nodes > 2)
    assert.same({ "f(float32(4,)) -> float32(4,)" }, f:signatures())
    assert.matches("1 traces", tostring(f))
  end)

  it("writes a part of a variable, and reads what it was", function()
    local step = pod.func(function(v, update, at)
      local before, made = v * 2, pod.dynamic_update_slice(v:value(), update + v:value()[{ "2:3" }], { at, at })
      v:assign(made)
      return before, v:value() * 1, v:value():sum()
    end)
    local v = pod.variable { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }
    local before, after, sum = step(v, pod.tensor { { 10, 20, 30 } }, pod.tensor(0, { dtype = "int32" }))
    assert.same({ { 2, 4, 6 }, { 8, 10, 12 }, { 14, 16, 18 } }, before:totable())
    assert.same({ { 17, 28, 39 }, { 4, 5, 6 }, { 7, 8, 9 } }, after:totable())
    assert.same(after:totable(), v:totable())
    assert.equal(123, sum:item())
  end)
end)

describe("run_steps", function()
  local function counting(limit, make)
    local n = 0
    return function()
      n = n + 1
      if n <= limit then
        return make(n)
      end
    end
  end

  it("runs many steps in one call", function()
    local total = pod.variable(0)
    local f = pod.func(function(x)
      total:assign_add(x:sum())
      return total * 1
    end)
    local input = counting(5, function(n) return pod.full({ 2 }, n) end)
    local last, report = f:run_steps(3, input)
    assert.equal(12, last:item())
    assert.equal(3, report.steps)
    assert.is_false(report.ended)
    last, report = f:run_steps(10, input)
    assert.equal(30, last:item())
    assert.equal(2, report.steps)
    last, report = f:run_steps(10, input)
    assert.is_nil(last)
    assert.is_true(report.ended)
  end)

  it("stops where shapes change and goes on with the next call", function()
    local f = pod.func(function(x) return x:sum() end)
    local input = counting(3, function(n) return pod.ones { n < 3 and 4 or 2 } end)
    local last, report = f:run_steps(10, input)
    assert.equal(4, last:item())
    assert.equal(2, report.steps)
    assert.is_false(report.ended) -- the run is over, not the data
    last, report = f:run_steps(10, input)
    assert.is_true(report.ended)
    assert.equal(2, last:item())
    assert.equal(1, report.steps)
    assert.equal(2, #f:traces())
  end)

  it("runs none where none are asked for", function()
    local f = pod.func(function(x) return x:sum() end)
    local input = counting(3, function(n) return pod.full({ 2 }, n) end)
    local last, report = f:run_steps(0, input)
    assert.is_nil(last)
    assert.same({ steps = 0, ended = false, interrupted = false }, report)
    assert.equal(2, (f:run_steps(1, input)):item())
    for _, count in ipairs { -1, 1.5, "two" } do
      assert.has_error(function() f:run_steps(count, input) end)
    end
  end)

  it("gives several results as a table", function()
    local f = pod.func(function(x, y) return { a = x + y, b = x } end)
    local last = f:run_steps(1, counting(1, function() return pod.tensor(1), pod.tensor(2) end))
    assert.equal(3, last.a:item())
  end)

  it("wants an input", function()
    assert.error_matches(function() pod.func(function() end):run_steps(1, 7) end, "must be a function, or have infeed")
  end)
end)
