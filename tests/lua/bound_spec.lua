-- bound - programs that are called again with one tensor: the shortest way, and when it gives way.

local pod = require "moonpod"
local core = require "moonpod.core"
local func = require "moonpod.func"
local programs = require "moonpod.tensor.programs"

local function small_model()
  return pod.models.sequential {
    pod.layers.dense(4, { activation = "relu", input_shape = { 3 } }), pod.layers.dense(2) }
end

local function row(...)
  return pod.tensor { { ... } }
end

-- What tells how many predictions of such rows a model's bound program has made since this was asked.
local function counter(model)
  local concrete = model._state.predicts_one.fn.last.concrete
  return function()
    return concrete.tell()
  end
end

-- A model that has predicted often enough to be called again, what it gives for row(1, 2, 3), and its counter.
local function warm_model()
  local model = small_model()
  local y
  for _ = 1, 4 do
    y = model:predict_on_batch(row(1, 2, 3))
  end
  local made_again = counter(model)
  assert.equal(2, made_again()) -- the first two find what it needs
  return model, y:data(), made_again
end

describe("a prediction again", function()
  it("has the bits of the first, and tensors of its own", function()
    local model, bits, made_again = warm_model()
    local others = {}
    for i = 1, 50 do
      others[i] = model:predict_on_batch(row(i, -i, 0.5))
    end
    local y = model:predict_on_batch(row(1, 2, 3))
    assert.equal(51, made_again())
    assert.equal(bits, y:data())
    assert.equal("float32", y.dtype)
    assert.equal("(1, 2)", tostring(y.shape))
    assert.equal(2, y[1].shape[1])
    assert.equal(2, y.rank)
    for i = 50, 1, -7 do
      assert.equal(model:predict(row(i, -i, 0.5)):data(), others[i]:data())
    end
    assert.equal("a tensor of shape (1, 2)",
      require "moonpod.base.errors".describe(model:predict_on_batch(row(1, 2, 3))))
    assert.has_error(function()
      y.shape = { 2 }
      model:predict_on_batch(row(1, 2, 3)).other = 1
    end)
    assert.is_true(pod.is_tensor(model:predict_on_batch(row(1, 2, 3)) + 1))
  end)

  it("gives buffers when they are asked for, also large ones", function()
    local model, bits = warm_model()
    local buffer = model:predict_on_batch(row(1, 2, 3))._buffer
    assert.equal("moonpod.buffer float32 (1, 2)", tostring(buffer))
    assert.equal(bits, buffer:data())
    assert.is_true(buffer:is_unique())
    assert.is_true(buffer:equal(model:predict_on_batch(row(1, 2, 3))._buffer))
    -- The collector ends small ones without a call, and their buffers when there are any, also behind its model.
    local kept, old = {}, bits
    for i = 1, 300 do
      kept[i] = model:predict_on_batch(row(1, 2, 3))
      assert.equal(i % 3 == 0 and bits or nil, i % 3 == 0 and kept[i]:data() or nil)
    end
    model, bits = warm_model()
    collectgarbage()
    collectgarbage()
    for i = 1, 300 do
      assert.equal(old, kept[i]:data())
    end
    local unasked = model:predict_on_batch(row(1, 2, 3))._buffer
    unasked:close()
    unasked:close()
    assert.equal("moonpod.buffer (closed)", tostring(unasked))
    assert.has_error(function()
      unasked:data()
    end)
    local wide = pod.models.sequential { pod.layers.dense(100, { input_shape = { 2 } }) }
    local want = wide:predict(model:predict(row(1, 2, 3)))
    for _ = 1, 6 do
      local y = wide:predict_on_batch(model:predict_on_batch(row(1, 2, 3)))
      assert.equal(want:data(), y:data())
    end
    assert.is_true(counter(wide)() >= 4)
    local v = pod.variable(pod.zeros { 1, 2 })
    v:assign(model:predict_on_batch(row(1, 2, 3)))
    assert.equal(bits, v:value():data())
    local sum = pod.func(function(x) return x + v:value() end)
    for i = 1, 4 do
      v:assign(model:predict_on_batch(row(i, i, i)))
      assert.equal(v:value():data(), sum(pod.zeros { 1, 2 }):data())
    end
  end)

  it("is counted", function()
    local model = warm_model()
    local fn = model._state.predicts_one.fn
    assert.equal(4 - 2, fn:traces()[1].count) -- two were asked for above, and forgotten
    for _ = 1, 10 do
      model:predict_on_batch(row(1, 2, 3))
    end
    assert.equal(12, fn:traces()[1].count)
    func.list()
    assert.equal(12, fn.calls)
  end)

  it("sees new weights, programs and optimizers", function()
    local model, bits = warm_model()
    local weights = model:get_weights()
    model:set_weights { weights[1] * 2, weights[2], weights[3], weights[4] }
    local double = model:predict_on_batch(row(1, 2, 3)):data()
    assert.equal(model:predict(row(1, 2, 3)):data(), double)
    model:set_weights(weights)
    assert.equal(bits, model:predict_on_batch(row(1, 2, 3)):data())
    model:compile { loss = "mse", optimizer = pod.optimizers.sgd { learning_rate = 0.5 } }
    for _ = 1, 4 do
      model:train_on_batch(row(1, 2, 3), pod.ones { 1, 2 })
      local want = model:predict(row(1, 2, 3)):data()
      for _ = 1, 4 do
        assert.equal(want, model:predict_on_batch(row(1, 2, 3)):data())
      end
    end
    assert.is_true(counter(model)() > 4)
  end)

  it("gives way to all that is not the same", function()
    local model, bits, made_again = warm_model()
    local function again(x)
      made_again()
      local y = model:predict_on_batch(x or row(1, 2, 3))
      return made_again(), y
    end
    assert.equal(1, (again()))
    pod.tape(function(tape)
      assert.equal(0, (again()))
    end)
    again() -- within, layers had a training flag
    assert.equal(1, (again()))
    pod.func(function(x)
      assert.is_nil(rawget(model:predict_on_batch(x), "_buffer"))
      return x
    end)(row(1, 2, 3))
    again()
    assert.equal(1, (again()))
    local two = pod.distribute.mirrored(2)
    pod.distribute.within(two, function()
      assert.equal(0, (again()))
    end)
    again() -- finds the first program
    again()
    assert.equal(1, (again()))
    pod.device("/CPU:0", function()
      assert.equal(0, (again()))
    end)
    again()
    again()
    assert.equal(1, (again()))
    func.run_eagerly = true
    local ok, count = pcall(again)
    func.run_eagerly = nil
    assert.is_true(ok and count == 0)
    programs.host.account = {}
    ok, count = pcall(again)
    local account = programs.host.account
    programs.host.account = nil
    assert.is_true(ok and count == 0)
    assert.equal(1, account.runs)
    again()
    assert.equal(1, (again()))
    assert.equal(0, (again({ { 1, 2, 3 } })))
    assert.equal(0, (again(pod.ones { 4, 3 })))
    model:predict_on_batch(row(1, 2, 3))
    again()
    assert.equal(1, (again()))
    local _, y = again()
    assert.equal(bits, y:data())
    local waits = row(0.5, 1, 1.5) * 2 -- nothing has computed it
    count, y = again(waits)
    assert.equal(0, count)
    assert.equal(bits, y:data())
  end)

  it("has checks for numbers, and errors, at the user's line", function()
    local model = warm_model()
    pod.debug.nan(true)
    local ok, failure = pcall(model.predict_on_batch, model, row(0 / 0, 2, 3))
    pod.debug.nan(false)
    assert.is_false(ok)
    assert.matches("NaN", failure)
    assert.is_true(pcall(model.predict_on_batch, model, row(0 / 0, 2, 3)))
    for _, wrong in ipairs { false, "x", 5, row, io.stdout, {} } do
      local told, message = pcall(function()
        return model:predict_on_batch(wrong)
      end)
      assert.is_false(told)
      assert.matches("bound_spec.lua:%d+:", message)
    end
    for _, wrong in ipairs { false, "x", 5, row(1, 2, 3), {} } do
      ok, failure = pcall(model.predict_on_batch, wrong, row(1, 2, 3))
      assert.is_false(ok)
      assert.matches("is a method of a model", failure)
    end
  end)

  it("ends with Ctrl-C, and goes on behind it", function()
    local model, bits, made_again = warm_model()
    pod.device.context():interrupt()
    local ok, failure = pcall(function()
      return model:predict_on_batch(row(1, 2, 3))
    end)
    assert.is_false(ok)
    assert.matches("bound_spec.lua:%d+: interrupted", failure)
    assert.equal(bits, model:predict_on_batch(row(1, 2, 3)):data())
    assert.equal(1, made_again())
  end)

  it("lets models and weights go", function()
    local alive = setmetatable({}, { __mode = "k" })
    for _ = 1, 5 do
      local model = warm_model()
      alive[model] = true
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(alive))
  end)
end)

describe("program:bind", function()
  local context = core.context { threads = 1 }
  local tensors, changes = {}, { count = 0 }

  local function program_of(outputs, inputs)
    local graph = core.graph(context, "sum")
    local sum = graph:parameter("float32", { 2 }, "x")
    for i = 2, inputs or 2 do
      sum = graph:binary("add", sum, (graph:parameter("float32", { 2 }, "x" .. i)))
    end
    for _ = 1, outputs or 1 do
      graph:output(sum)
    end
    return core.compile(context, graph)
  end

  local function tensor(x, y)
    return setmetatable({ _buffer = core.buffer(context, { x, y }) }, tensors)
  end

  it("runs while it may", function()
    local gate = {}
    local call, tell = program_of():bind("float32", { 2 }, tensors, changes, { gate, "shut" })
    local other = core.buffer(context, { 10, 20 })
    assert.is_nil(call(tensor(1, 2))) -- nothing was told
    tell { false, other }
    assert.same({ 11, 22 }, call(tensor(1, 2))._buffer:totable())
    gate.shut = true
    assert.is_nil(call(tensor(1, 2)))
    gate.shut = nil
    changes.count = changes.count + 1
    assert.is_nil(call(tensor(1, 2)))
    tell { false, other }
    assert.same({ 13, 24 }, call(tensor(3, 4))._buffer:totable())
    assert.equal(2, tell())
    assert.equal(0, tell())
    local x = tensor(3, 4)
    x._buffer:close()
    for _, wrong in ipairs { x, false, 5, "x", {}, setmetatable({}, tensors), io.stdout,
      setmetatable({ _buffer = io.stdout }, tensors), setmetatable({ _buffer = core.buffer(context, { 1 }) }, tensors),
      setmetatable({ _buffer = core.buffer(context, { 1, 2 }, "int32") }, tensors) } do
      assert.is_nil(call(wrong))
    end
    assert.is_nil(call())
    other:close()
    assert.is_nil(call(tensor(3, 4)))
    other = nil -- luacheck: ignore
    collectgarbage()
    assert.is_nil(call(tensor(3, 4)))
    for _, wrong in ipairs { {}, { 1, 2 }, { false, io.stdout } } do
      tell(wrong)
      assert.is_nil(call(tensor(3, 4)))
    end
    assert.has_error(function()
      tell(5)
    end)
  end)

  it("leaves no results behind where the collector has generations", function()
    local has_generations, mode = pcall(collectgarbage, "generational")
    local held = pod.device.context()
    local x = pod.ones { 4, 1024, 1024 }
    local double = pod.func(function(value)
      return value * 2
    end)
    collectgarbage()
    local before = held:memory().current_bytes
    for _ = 1, 24 do
      local y = double(x)
      collectgarbage "step" -- a young collection: what lives through two is old
      collectgarbage "step"
      assert.equal(3, y.rank)
    end
    local grown = held:memory().current_bytes - before
    if has_generations then
      collectgarbage(type(mode) == "string" and mode or "incremental") -- Lua 5.2 gives a number
    end
    assert.is_true(grown < 8 * 2 ^ 24, grown)
  end)

  it("gives a failure to its caller, and refuses what it cannot bind", function()
    local call, tell = program_of():bind("float32", { 2 }, tensors, changes, {})
    tell { false, core.buffer(context, { 1, 2, 3 }) }
    local y, failure = call(tensor(1, 2))
    assert.is_nil(y)
    assert.matches("shape", failure)
    context:interrupt()
    local two = core.buffer(context, { 1, 2 })
    tell { false, two }
    y, failure = call(tensor(1, 2))
    assert.is_nil(y)
    assert.is_false(failure)
    assert.same({ 2, 4 }, call(tensor(1, 2))._buffer:totable())
    assert.is_nil((program_of(2):bind("float32", { 2 }, tensors, changes, {})))
    assert.is_nil((program_of(1, 70):bind("float32", { 2 }, tensors, changes, {})))
    local program = program_of()
    for _, wrong in ipairs { {}, { "float31", { 2 }, {}, {}, {} }, { "float32", 2, {}, {}, {} },
      { "float32", { 2 }, 3, {}, {} }, { "float32", { 2 }, {}, {}, { 1, 2 } } } do
      assert.has_error(function()
        program:bind(wrong[1], wrong[2], wrong[3], wrong[4], wrong[5])
      end)
    end
    program:close()
    assert.has_error(function()
      program:bind("float32", { 2 }, tensors, changes, {})
    end)
  end)
end)
