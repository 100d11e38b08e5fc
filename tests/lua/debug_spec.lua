-- Finding where numbers go wrong, and stopping in the middle of a step.

local pod = require "moonpod"
local scope = require "moonpod.base.warnings"

-- The whole message of an error, with its place.
local function message_of(fn)
  local ok, message = pcall(fn)
  assert.is_false(ok)
  return message
end

describe("pod.debug.nan", function()
  before_each(function() pod.debug.nan(true) end)
  after_each(function() pod.debug.nan(false) end)

  it("names the operation and the line in what runs eagerly", function()
    local y = pod.log(pod.tensor { 1, 0 })
    assert.matches("debug_spec.lua:18: log made Inf or NaN out of finite numbers: float32 %(2,%)",
      message_of(function() y:totable() end))
    assert.equal(2, (pod.tensor(1) + 1):item())
  end)

  it("names the first one in a compiled function, not what follows from it", function()
    local f = pod.func(function(x)
      local big = pod.exp(x) * 2
      return (big - big):mean()
    end)
    assert.equal(0, f(pod.tensor { 1, 2 }):item())
    assert.matches("debug_spec.lua:26: exp made Inf or NaN", message_of(function() f(pod.tensor { 1, 100 }) end))
    pod.debug.nan(false)
    local value = f(pod.tensor { 1, 100 }):item()
    assert.is_true(value ~= value)
    pod.debug.nan(true)
    assert.error_matches(function() f(pod.tensor { 1, 100 }) end, "exp made Inf or NaN")
  end)

  it("finds an overflow of 16 bits and one in a gradient", function()
    local f = pod.func(function(x) return x:cast "float16" end)
    assert.error_matches(function() f(pod.tensor { 1e6 }) end, "convert made Inf.*float16")
    local g = pod.func(function(x)
      local tape, y = pod.tape(function(t)
        t:watch(x)
        return pod.sqrt(x)
      end)
      return tape:gradient(y, x)
    end)
    assert.matches("debug_spec.lua:44: %w+ made Inf or NaN", message_of(function() g(pod.tensor { 0 }) end))
  end)

  it("looks into branches and loops", function()
    local f = pod.func(function(x)
      return pod.cond(x:less(0), function() return (pod.log(x)) end, function() return x end)
    end)
    assert.equal(3, f(pod.tensor(3)):item())
    assert.matches("debug_spec.lua:53: log made", message_of(function() f(pod.tensor(-1)) end))
    local g = pod.func(function(x)
      return pod.while_loop(function(v) return v:less(1e38) end, function(v) return v * v end, { x })
    end)
    assert.error_matches(function() g(pod.tensor(1e20)) end, "multiply made")
  end)

  it("leaves infinities alone that a script writes itself", function()
    local mask = pod.func(function(x) return pod.softmax(pod.where(x:less(1), x, -math.huge)) end)
    assert.same({ 1, 0 }, mask(pod.tensor { 0, 2 }):totable())
  end)

  it("tells of an argument that holds NaN", function()
    local f = pod.func(function(x) return x + 1 end)
    assert.error_matches(function() f(pod.tensor { 0 / 0 }) end, "an argument holds NaN already: float32 %(1,%)")
  end)

  for _, replicas in ipairs { 1, 4 } do
    it("names the layer in fit on " .. replicas .. " replicas", function()
      local strategy = pod.distribute.mirrored(replicas)
      local model = strategy:scope(function()
        local model = pod.models.sequential {
          pod.layers.dense(8, { input_shape = { 4 }, name = "first" }),
          pod.layers.dense(3, { activation = "exponential", name = "second" }),
        }
        model:compile { optimizer = "sgd", loss = "mse" }
        return model
      end)
      local options = { epochs = 1, batch_size = 4, verbose = 0 }
      model:fit(pod.zeros { 4, 4 }, pod.ones { 4, 3 }, options)
      model:set_weights { pod.ones { 4, 8 }, pod.zeros { 8 }, pod.ones { 8, 3 }, pod.zeros { 3 } }
      assert.error_matches(function() model:fit(pod.full({ 4, 4 }, 1e3), pod.ones { 4, 3 }, options) end,
        "exp in '[%w_/]*second' made Inf or NaN")
    end)
  end

  it("says what was set, and wants a boolean", function()
    assert.is_true(pod.debug.nan(true))
    assert.error_matches(function() pod.debug.nan(1) end, "must be a boolean")
  end)
end)

describe("run_eagerly", function()
  local on_break = pod.debug.on_break
  after_each(function() pod.debug.on_break = on_break end)

  local function model_with(body, run_eagerly)
    local layer = pod.layers.lambda(body, { input_shape = { 2 } })
    local model = pod.models.sequential { layer, pod.layers.dense(1) }
    model:compile { optimizer = "sgd", loss = "mse", run_eagerly = run_eagerly }
    return model
  end

  it("stops at breakpoints, where values are known", function()
    local stops = {}
    pod.debug.on_break = function(stop) stops[#stops + 1] = stop end
    local model = model_with(function(x)
      local twice = x * 2
      pod.debug.break_ "doubled"
      return twice
    end, true)
    model:fit(pod.ones { 4, 2 }, pod.ones { 4, 1 }, { epochs = 1, batch_size = 2, verbose = 0 })
    assert.is_true(#stops >= 2)
    local stop = stops[#stops]
    assert.equal("doubled", stop.label)
    assert.matches("debug_spec.lua:%d+$", stop.location)
    assert.same({ { 2, 2 }, { 2, 2 } }, pod.debug.locals.twice:totable())
    assert.equal("x", stop.locals[1].name)
  end)

  it("runs the Lua of each step, operation by operation", function()
    local calls = 0
    local model = model_with(function(x)
      calls = calls + 1
      return x
    end, true)
    local built = calls
    local operations = pod.debug.operations(function()
      model:fit(pod.ones { 6, 2 }, pod.ones { 6, 1 }, { epochs = 1, batch_size = 2, verbose = 0 })
    end)
    assert.equal(3, calls - built)
    assert.matches("dot: float32 %(2, 1%)", table.concat(operations, "\n"))
  end)

  it("trains the same weights as the compiled step", function()
    local function train(run_eagerly)
      pod.random.set_seed(3)
      local model = model_with(function(x) return x * 2 end, run_eagerly)
      model:fit(pod.ones { 6, 2 }, pod.ones { 6, 1 }, { epochs = 2, batch_size = 2, verbose = 0 })
      return model:get_weights()[1]
    end
    assert.is_true(pod.allclose(train(true), train(false)))
  end)

  it("is what a breakpoint in a traced function asks for", function()
    local warn, list = scope.warn, {}
    scope.warn = function(text) list[#list + 1] = text end
    pod.func(function(x)
      pod.debug.break_()
      return x
    end)(pod.tensor(1))
    scope.warn = warn
    assert.matches("does not stop while a function is traced.*run_eagerly", list[1])
  end)
end)
