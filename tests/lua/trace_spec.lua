local pod = require "moonpod"
local lua_version = require "tests.lua.support.lua_version"
local trace = require "moonpod.tensor.trace"

-- The message of what fn raises, with its place (which luassert takes away).
local function message_of(fn)
  local ok, message = pcall(fn)
  assert.is_false(ok)
  return message
end

describe("eager tensors", function()
  it("see values as they were when the expression was written", function()
    local v = pod.variable(3)
    local y = v * 2
    v:assign_add(1)
    assert.equal(6, y:item())
    assert.equal(4, v:value():item())
  end)

  it("wait until a value is read", function()
    local runs = trace.top().pending_count
    local x = pod.ones { 2 } + 1
    local y = x * 3
    assert.is_nil(rawget(y, "_buffer"))
    assert.is_true(trace.top().pending_count > (runs or 0))
    assert.same({ 6, 6 }, y:totable())
    assert.is_not_nil(rawget(x, "_buffer"))
  end)

  it("run by themselves when many wait", function()
    local x = pod.zeros { 2 }
    for _ = 1, 2000 do
      x = x + 1
    end
    assert.is_true((trace.top().pending_count or 0) <= trace.pending_nodes_limit)
    assert.same({ 2000, 2000 }, x:totable())
  end)

  it("computes no large tensor that nobody has any longer", function()
    local size = 4 * 2 ^ 20
    collectgarbage()
    local before = pod.device.memory().current_bytes
    local sum
    do
      local x = pod.ones { size }
      for _ = 1, 4 do
        x = x * 2 -- the ones before are garbage
      end
      sum = x
    end
    pod.sync(sum)
    assert.is_true(pod.device.memory().current_bytes - before < 1.5 * 4 * size)
    assert.equal(16 * size, pod.sum(sum):item())
  end)

  it("compute first values of weights without what they are made from", function()
    pod.sync()
    local x = pod.ones { 3 } * 7
    local before = trace.top().pending_count
    local y = pod.initializers.he_uniform { seed = 3 }({ 8, 8 })
    assert.equal(before + 1, trace.top().pending_count)
    local limit = math.sqrt(6 / 8)
    local z = pod.random.uniform({ 8, 8 }, { minval = -limit, maxval = limit, seed = 3 })
    assert.same(z:totable(), y:totable())
    assert.same({ 7, 7, 7 }, x:totable())
    local matrix = pod.initializers.orthogonal { seed = 1 }({ 4, 4 })
    assert.is_true(pod.allclose(pod.matmul(matrix, pod.transpose(matrix)), pod.eye(4), { atol = 1e-5 }))
  end)

  it("name the line that made a node which fails at run time, and spare the others", function()
    local x = pod.tensor { 1, 2 }
    local bad = pod.gather(x, pod.tensor({ 5 }, { dtype = "int32" })) -- this line
    local good = x + 1
    local worse = bad * 2
    assert.same({ 2, 3 }, good:totable())
    local line = debug.getinfo(1, "l").currentline - 4
    assert.matches("trace_spec.lua:" .. line .. ".*index 5", message_of(function() worse:totable() end))
    assert.error_matches(function() worse:totable() end, "index 5")
    assert.same({ 3, 4 }, (good + 1):totable())
  end)

  it("compile a loop once although its numbers change", function()
    local core = require "moonpod.core"
    local compile, count = core.compile, 0
    core.compile = function(...)
      count = count + 1
      return compile(...)
    end
    for i = 1, 20 do
      local x = pod.ones { 3 } * (i * 0.37)
      assert.is_true(math.abs((x + x:sum()):max():item() - i * 0.37 * 4) < 1e-4)
    end
    core.compile = compile
    assert.is_true(count <= 2, "compiled " .. count .. " times")
  end)

  it("are the same under a collector that never rests", function()
    pcall(collectgarbage, "generational") -- Lua 5.4's
    pcall(collectgarbage, "incremental")
    local pause = collectgarbage("setpause", 10)
    local multiplier = collectgarbage("setstepmul", 1000)
    local total = pod.tensor(0)
    for i = 1, 60 do
      total = total + pod.ones({ 10 }):sum() * i
      if i % 20 == 0 then
        assert.equal(10 * i * (i + 1) / 2, total:item())
      end
    end
    collectgarbage("setpause", pause)
    collectgarbage("setstepmul", multiplier)
  end)
end)

describe("tracing", function()
  it("refuses what needs a value, naming the line and the way out", function()
    local function traced(fn)
      return function()
        local f = pod.func(fn)
        f(pod.tensor(1))
      end
    end
    if lua_version.compares_kinds then
      assert.matches("trace_spec.lua:%d+: .*pod.less.*pod.cond",
        message_of(traced(function(x) return x < 2 and x or -x end)))
    end
    assert.matches("trace_spec.lua:%d+: .*pod.less.*pod.cond",
      message_of(traced(function(x) return x < x * 2 and x or -x end)))
    assert.error_matches(traced(function(x) return x == x * 1 and x or -x end), "pod.equal")
    assert.error_matches(traced(function(x) local n = x:item() return n end), "not known while tracing")
    assert.error_matches(traced(function(x) local n = x:totable() return n end), "not known while tracing")
  end)

  it("does not let tensors out", function()
    local leak
    pod.func(function(x)
      leak = x * 2
      return x
    end)(pod.ones { 2 })
    assert.error_matches(function() local y = leak + 1 return y end, "no value outside of it")
  end)

  it("is closed again when the function fails", function()
    local f = pod.func(function() error "mine" end)
    assert.error_matches(function() f(pod.ones { 1 }) end, "mine")
    assert.is_nil(trace.current())
    assert.equal(2, (pod.tensor(1) + 1):item())
  end)

  it("gives nodes the scopes they are in", function()
    local f = pod.func(function(x)
      return trace.scope("block", function()
        return trace.scope("dense", function() return x * 2 end)
      end)
    end)
    local concrete = f:concrete(pod.ones { 2 })
    local nodes = concrete.graph:counts()
    local found
    for id = 0, nodes - 1 do
      found = found or concrete.graph:describe(id).scope == "block/dense"
    end
    assert.is_true(found)
  end)

  it("goes back to values by escape", function()
    local f = pod.func(function(x)
      local n = trace.escape(function() return (pod.tensor(2) * 3):item() end)
      return x * n
    end)
    assert.equal(6, f(pod.tensor(1)):item())
  end)
end)

describe("cond", function()
  it("runs one branch", function()
    local f = pod.func(function(x)
      return pod.cond(pod.sum(x):greater(3), function() return x * 2 end, function() return x - 1 end)
    end)
    assert.same({ 0, 1 }, f(pod.tensor { 1, 2 }):totable())
    assert.same({ 6, 4 }, f(pod.tensor { 3, 2 }):totable())
  end)

  it("assigns variables in the branch that runs", function()
    local v, w = pod.variable(1), pod.variable(5)
    local f = pod.func(function(x)
      pod.cond(x:greater(0), function() v:assign(x * 10) end, function() w:assign_add(1) end)
      return v + w
    end)
    assert.equal(25, f(pod.tensor(2)):item())
    assert.equal(26, f(pod.tensor(-2)):item())
    assert.equal(20, v:value():item())
    assert.equal(6, w:value():item())
  end)

  it("can be differentiated", function()
    local x = pod.tensor(3)
    local f = function(sign)
      local tape, y = pod.tape(function(t)
        t:watch(x)
        return pod.cond(pod.tensor(sign):greater(0), function() return x * x end, function() return -x end)
      end)
      return tape:gradient(y, x):item()
    end
    assert.equal(6, f(1))
    assert.equal(-1, f(-1))
  end)

  it("wants the same types from both branches", function()
    assert.error_matches(function()
      pod.cond(pod.tensor(1):greater(0), function() return pod.ones { 2 } end, function() return pod.ones { 3 } end)
    end, "float32 %(2,%) in one branch and float32 %(3,%)")
    assert.error_matches(function()
      pod.cond(pod.ones({ 2 }):greater(0), function() end, function() end)
    end, "one boolean")
  end)
end)

describe("while_loop", function()
  it("repeats", function()
    local f = pod.func(function(n)
      return pod.while_loop(function(i) return i:less(n) end, function(i, s) return i + 1, s + i end,
        { pod.tensor(0), pod.tensor(0) })
    end)
    local i, s = f(pod.tensor(5))
    assert.equal(5, i:item())
    assert.equal(10, s:item())
  end)

  it("carries variables and what it captures", function()
    local v, k = pod.variable(1), pod.tensor(3)
    local f = pod.func(function(n)
      local i = pod.while_loop(function(i) return i:less(n) end, function(i)
        v:assign(v * k)
        return i + 1
      end, { pod.tensor(0) })
      return i, v * 1
    end)
    local i, value = f(pod.tensor(4))
    assert.equal(4, i:item())
    assert.equal(81, value:item())
    assert.equal(81, v:value():item())
  end)
end)

describe("print and check", function()
  it("print at run time", function()
    local lines, hook = {}, trace.print_hook
    trace.print_hook = function(label, t) lines[#lines + 1] = label .. "=" .. tostring(t) end
    local f = pod.func(function(x) return pod.print("x", x) * 2 end)
    f(pod.tensor(1))
    f(pod.tensor(2))
    trace.print_hook = hook
    assert.same({ "x=1.0", "x=2.0" }, lines)
  end)

  it("fail a run whose condition is false", function()
    local f = pod.func(function(x) return pod.check(x, pod.greater(x, 0), "x must be positive") end)
    assert.equal(1, f(pod.tensor(1)):item())
    assert.error_matches(function() f(pod.tensor(-1)) end, "x must be positive")
  end)

  -- Prints and checks of which nothing uses what they return, and the text that was printed.
  local function unused(run)
    local lines, hook = {}, trace.print_hook
    trace.print_hook = function(label, t) lines[#lines + 1] = ("%s=%g"):format(label, t:sum():item()) end
    local function body(x, limit)
      pod.print("x", x)
      pod.check(x, pod.less(pod.sum(x), limit), "too much")
      return x * 2
    end
    local ok, message = pcall(run, body)
    trace.print_hook = hook
    return lines, ok, message
  end

  for name, run in pairs {
    ["at once"] = function(body, limit) return body(pod.ones { 2 }, limit) * 1 end,
    ["in a traced function"] = function(body, limit) return pod.func(body)(pod.ones { 2 }, limit) end,
    ["on replicas"] = function(body, limit)
      local strategy = pod.distribute.mirrored(2)
      return strategy:reduce("sum", strategy:run(function(x) return body(x, limit) end, pod.ones { 2 }))
    end,
    ["in a branch on replicas"] = function(body, limit)
      local strategy = pod.distribute.mirrored(2)
      return strategy:reduce("sum", strategy:run(function(x)
        pod.cond(pod.less(pod.sum(x), 9), function() return body(x, limit) end, function() return x end)
        return x
      end, pod.ones { 2 }))
    end,
  } do
    it("happen " .. name .. " though nothing uses what they return", function()
      local lines, ok = unused(function(body) return tostring(run(body, 3)) end)
      assert.is_true(ok)
      assert.same({ "x=2" }, lines)
      local _, fine, message = unused(function(body) return tostring(run(body, 1)) end)
      assert.is_false(fine)
      assert.matches("too much", message)
    end)
  end
end)

describe("a coroutine that yields while it traces", function()
  local function left()
    local thread = coroutine.create(function()
      return pod.func(function(x)
        local y = x + 1
        coroutine.yield()
        return y * 2
      end)(pod.ones { 2 })
    end)
    coroutine.resume(thread)
    return thread
  end

  it("takes nobody else's operations", function()
    if not lua_version.yields_across_calls then
      pending "this Lua's coroutines do not yield from where C called them"
      return
    end
    local thread = left()
    assert.same({ 2, 2 }, (pod.ones { 2 } + 1):totable())
    assert.is_false(trace.is_tracing())
    local ok, message = coroutine.resume(thread)
    assert.is_false(ok)
    assert.matches("trace_spec.lua:%d+: a tensor of shape %(2,%) was made while 'function' was traced", message)
    assert.same({ 3, 3 }, pod.func(function(x) return x * 3 end)(pod.ones { 2 }):totable())
  end)

  it("is another than one that a traced function waits for", function()
    local f = pod.func(function(x)
      return x * 4 + coroutine.wrap(function() return x * 5 end)()
    end)
    assert.same({ 9, 9 }, coroutine.wrap(function() return f(pod.ones { 2 }) end)():totable())
  end)
end)
