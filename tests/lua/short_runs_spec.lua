-- short_runs - small programs run on the caller's thread, and calls with arguments like the last one's are known.

local pod = require "moonpod"
local tensor = require "moonpod.tensor"

local function threads()
  local file = io.open "/proc/self/status"
  if not file then
    return nil
  end
  local text = file:read "*a"
  file:close()
  return tonumber(text:match "Threads:%s*(%d+)")
end

local function small_model()
  return pod.models.sequential {
    pod.layers.dense(4, { activation = "relu", input_shape = { 3 } }), pod.layers.dense(2) }
end

local function row(...)
  return pod.tensor { { ... } }
end

describe("short runs", function()
  it("start no thread, unless all runs are told to use them", function()
    local before = threads()
    if not before or os.getenv "MOONPOD_SHORT_RUN" then
      return
    end
    local model = small_model()
    for _ = 1, 20 do
      model:predict_on_batch(row(1, 2, 3)):totable()
    end
    assert.equal(before, threads())
    local core = require "moonpod.core"
    local context = core.context { threads = 3, short_run_nanoseconds = -1 }
    local graph = core.graph(context, "one")
    local x = graph:parameter("float32", { 2, 2 }, "x")
    graph:output((graph:matmul(x, x)))
    local program = core.compile(context, graph)
    local given, results = { core.buffer(context, { { 1, 2 }, { 3, 4 } }) }, {}
    assert.is_false(program:call(given, results))
    assert.same({ { 7, 10 }, { 15, 22 } }, results[1]:totable())
    assert.equal(before + 2, threads())
    for _, wrong in ipairs { {}, { 3 }, { io.stdout }, { results }, { false } } do
      assert.has_error(function()
        program:call(wrong, {})
      end)
    end
    assert.has_error(function()
      program:call(given)
    end)
    assert.has_error(function()
      program:call(given, given) -- the result takes the argument's place before it is read
    end)
    program:close()
    graph:close()
    context:close()
    assert.has_error(function()
      core.context { short_run_nanoseconds = "soon" }
    end)
  end)
end)

describe("predict_on_batch", function()
  it("follows weights, shapes and types from call to call", function()
    local model = small_model()
    local function want(x)
      return model:predict(x)
    end
    for _, x in ipairs { row(1, 2, 3), row(-1, 5, 0.5), pod.ones { 4, 3 }, row(1, 2, 3), pod.zeros { 0, 3 },
      pod.cast(row(1, 2, 3), "bfloat16"), row(1, 2, 3) } do
      local got = model:predict_on_batch(x)
      assert.equal(tostring(pod.zeros { x.shape[1], 2 }.shape), tostring(got.shape))
      if x.shape[1] > 0 then
        assert.is_true(pod.allclose(want(x), got, { atol = 1e-2 }))
      end
    end
    local before = model:predict_on_batch(row(1, 2, 3)):totable()
    for _, weight in ipairs(model.trainable_variables) do
      weight:assign(weight:value() + 1)
    end
    local after = model:predict_on_batch(row(1, 2, 3))
    assert.is_false(pod.allclose(pod.tensor(before), after))
    assert.is_true(pod.allclose(want(row(1, 2, 3)), after, { atol = 1e-5 }))
  end)

  it("takes lists of numbers, refuses what does not fit, and goes on", function()
    local model = small_model()
    local good = model:predict_on_batch(row(1, 2, 3)):totable()
    assert.has_error(function()
      model:predict_on_batch(row(1, 2))
    end)
    assert.has_error(function()
      model:predict_on_batch(pod.tensor(1))
    end)
    assert.same(good, model:predict_on_batch({ { 1, 2, 3 } }):totable())
    assert.same(good, model:predict_on_batch(row(1, 2, 3)):totable())
  end)

  it("is part of what is traced, and of what a tape records", function()
    local model = small_model()
    local x = row(1, 2, 3)
    local want = model:predict_on_batch(x):totable()
    local traced = pod.func(function(t)
      return model:predict_on_batch(t) * 2
    end)
    assert.is_true(pod.allclose(pod.tensor(want) * 2, traced(x), { atol = 1e-6 }))
    assert.same(want, model:predict_on_batch(x):totable())
  end)

  it("sees that the model was compiled anew, and steps of its own", function()
    local model = small_model()
    local x = row(1, 2, 3)
    local want = model:predict_on_batch(x):totable()
    function model.predict_step()
      return pod.ones { 1, 1 } * 7
    end
    model:compile { loss = "mse" }
    assert.same({ { 7 } }, model:predict_on_batch(x):totable())
    model.predict_step = nil
    model:compile { loss = "mse", run_eagerly = true }
    assert.same(want, model:predict_on_batch(x):totable())
  end)
end)

describe("functions of one tensor", function()
  it("are traced by type, shape and strategy as before", function()
    local traces = 0
    local fn = pod.func(function(x)
      traces = traces + 1
      return x + 1, "text", nil
    end)
    local function check(x, count)
      local y, text, none = fn(x)
      assert.is_true(pod.allclose(x + 1, y))
      assert.equal("text", text)
      assert.is_nil(none)
      assert.equal(3, select("#", fn(x)))
      assert.equal(count, traces)
    end
    check(pod.tensor { 1, 2 }, 1)
    check(pod.tensor { 3, 4 }, 1)
    check(pod.tensor { 3, 4, 5 }, 2)
    check(pod.tensor { { 3, 4 } }, 3)
    check(pod.tensor({ 3, 4 }, "float64"), 4)
    check(pod.tensor { 1, 2 }, 4)
    pod.distribute.mirrored(2):scope(function()
      check(pod.tensor { 1, 2 }, 5)
    end)
    check(pod.tensor { 1, 2 }, 5)
    assert.equal(2, #{ fn(pod.tensor { 1, 2 }) })
    local counts = 0
    for _, one in ipairs(fn:traces()) do
      counts = counts + one.count
    end
    assert.equal(17, counts)
  end)

  it("keep neither arguments nor results, nor what variables held", function()
    local v = pod.variable { 1, 2 }
    local fn = pod.func(function(x)
      return x * v:value()
    end)
    local seen = setmetatable({}, { __mode = "k" })
    for i = 1, 3 do
      local x = pod.tensor { i, i }
      local y = fn(x)
      assert.same({ i * i, 2 * i * i }, y:totable())
      for _, t in ipairs { x, y, v:value() } do
        seen[tensor.buffer(t)] = true
      end
      v:assign(pod.tensor { i + 1, 2 * i + 2 })
      v:value():totable()
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(seen))
  end)

  it("may be called within a call of themselves", function()
    local fn = pod.func(function(x)
      return x + 1
    end)
    assert.equal(2, fn(pod.tensor { 1 }):totable()[1])
    local inner
    local x = setmetatable({}, { __gc = function()
      inner = fn(pod.tensor { 5 }):totable()[1]
    end })
    assert(x)
    x = nil -- luacheck: ignore
    for i = 1, 2000 do
      assert.equal(i + 1, fn(pod.tensor { i }):totable()[1])
    end
    assert.is_true(inner == nil or inner == 6) -- Lua 5.1 calls no finaliser of a table
  end)

  it("print while they run, and assign variables", function()
    local total = pod.variable(0)
    local fn = pod.func(function(x)
      total:assign_add(pod.sum(x))
      return total:value()
    end)
    for i = 1, 4 do
      assert.equal(3 * i, fn(pod.tensor { 1, 2 }):item())
    end
    assert.equal(12, total:value():item())
  end)
end)
