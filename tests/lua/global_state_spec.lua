-- Global state is read when an op is called: whatever was compiled before, a call computes what a new function does.

local pod = require "moonpod"

local x = pod.full({ 4, 8 }, 1 + 2 ^ -12)
local kernel = pod.full({ 8, 8 }, 1 + 2 ^ -12)

-- A piece by name: `with` runs a function with another value; `ask`, called where the piece has one value or the other,
-- gives a number that differs; `again` is called before each call with the other value.
local cases = {}

local function set(setter, other, normal)
  return function(fn)
    setter(other)
    local ok, failure = pcall(fn)
    setter(normal)
    assert(ok, failure)
  end
end

cases["matmul precision"] = {
  with = set(pod.set_float32_matmul_precision, "default", "highest"),
  ask = function(t) return t:matmul(kernel):sum() end,
}
cases["dtype policy"] = {
  with = set(pod.mixed_precision.set_global_policy, "bfloat16", "float32"),
  ask = function(t) return (pod.layers.activation "relu"(t)):cast "float64":sum() end,
}
cases["debug.nan"] = {
  with = set(pod.debug.nan, true, false),
  ask = function(t) return pod.log(t - t):sum() end,
}
cases["strategy"] = {
  with = function(fn) pod.distribute.mirrored(2):scope(fn) end,
  ask = function(t) return t:sum() * pod.distribute.get_strategy().num_replicas_in_sync end,
}
cases["device"] = {
  with = function(fn) pod.device("/CPU:0", fn) end,
  ask = function(t) return t:sum() * (rawget(pod.ones {} + 1, "_device") and 2 or 1) end,
}
cases["resolver"] = {
  with = set(pod.device.set_resolver, pod.cluster.resolve "v3-8", nil),
  ask = function(t) return t:sum() * #pod.device.list() end,
}
cases["training flag"] = {
  with = function(fn) require "moonpod.layers.scope".with_training(true, fn) end,
  ask = function(t) return pod.layers.dropout(0.999999)(t):sum() end,
}
cases["run of one replica"] = {
  with = function(fn) pod.distribute.default_strategy():run(fn) end,
  ask = function(t) return t:sum() * (pod.distribute.in_replica_context() and 2 or 1) end,
}
cases["values of all replicas"] = {
  with = function(fn) require "moonpod.func.variable".joined(fn) end,
}
cases["sparse labels"] = {
  with = function(fn) pod.losses.with_sparse_labels(true, fn) end,
}
cases["stand-in of boolean_mask"] = {
  with = function(fn)
    local mask_of = require "moonpod.ops.boolean_mask"
    mask_of.with_stand_in(mask_of.all_rows, fn)
  end,
}
cases["hooks"] = {
  with = function(fn)
    local hook = pod.layers.dense(1):hook("output", function() end)
    fn()
    hook:remove()
  end,
  ask = function(t) return t:sum() * (require "moonpod.func.value_hooks".are_called() and 2 or 1) end,
}
cases["random numbers"] = {
  with = function(fn) fn() end,
  again = function() pod.random.set_seed(7) end,
  ask = function() return pod.random.uniform {} end,
  is_argument = true, -- of programs: no other is compiled
}
for _, case in pairs(cases) do
  case.again = case.again or function() end
end

-- A function of a piece's case, or one that computes the same whatever is set.
local function ask_of(case)
  return case.ask or function(t) return t:sum() end
end

-- What compiles `ask`, and gives its number.
local ways = {
  func = function(ask)
    return pod.func(ask)
  end,
  run_steps = function(ask)
    local fn = pod.func(ask)
    return function(t)
      return (fn:run_steps(1, pod.data.from_tensors(t):iterator()))
    end
  end,
  strategy_run = function(ask)
    local strategy = pod.distribute.mirrored(2)
    return function(t)
      return strategy:run(ask, { t }):values()[1]
    end
  end,
}

-- Models that predict what `ask` gives, and whose loss is that.
local function way_of_model(run)
  return function(ask)
    local model = pod.models.sequential { pod.layers.lambda(function(t)
      return pod.ones { 4, 1 } * ask(t)
    end, { input_shape = { 8 } }) }
    model:compile { loss = function(_, y) return y end, optimizer = "sgd" }
    return function(t)
      return pod.tensor(run(model, t, pod.ones { 4, 1 }))
    end
  end
end

ways.predict = way_of_model(function(model, t) return model:predict(t, { verbose = 0 }):totable()[1][1] end)
ways.predict_on_batch = way_of_model(function(model, t) return model:predict_on_batch(t):totable()[1][1] end)
ways.evaluate = way_of_model(function(model, t, y) return model:evaluate(t, y, { verbose = 0 }) end)
ways.fit = way_of_model(function(model, t, y)
  model.train_step = function(self, data)
    return { loss = pod.mean(self(data[1], { training = true })) }
  end
  return model:fit(t, y, { verbose = 0 }).history.loss[1]
end)

describe("global state", function()
  it("has a case for each piece", function()
    local count = 0
    for path in assert(io.popen "grep -rl global_state lua/moonpod"):lines() do
      local file = assert(io.open(path))
      local text = file:read "*a"
      file:close()
      for name in text:gmatch '[^"]global_state%.%l+[%( ]"([^"]+)"' do
        assert.is_truthy(cases[name], ("%s: no case for %s"):format(path, name))
        count = count + 1
      end
    end
    assert.is_true(count >= 12)
  end)

  for name, case in pairs(cases) do
    it(("is read when a compiled function is called: %s"):format(name), function()
      local traces, ask = 0, ask_of(case)
      local fn = pod.func(function(t)
        traces = traces + 1
        return ask(t)
      end)
      local before = fn(x):item()
      fn(x) -- is bound now
      case.with(function()
        for _ = 1, 3 do
          case.again()
          local ok, value = pcall(function() return fn(x):item() end)
          case.again()
          local new_ok, new = pcall(function() return pod.func(ask)(x):item() end)
          assert.equal(new_ok, ok)
          assert.is_true(not ok or value == new)
          assert.is_true(not case.ask or value ~= before)
        end
      end)
      assert.equal(case.is_argument and 1 or 2, traces)
      assert.is_true(case.is_argument or fn(x):item() == before or before ~= before)
      assert.equal(case.is_argument and 1 or 2, traces)
    end)
  end

  for way, of in pairs(ways) do
    it(("is part of what is compiled: %s"):format(way), function()
      local case = cases["matmul precision"]
      local fn = of(case.ask)
      local before = fn(x):item()
      case.with(function()
        local rounded = fn(x):item()
        assert.equal(8 * 8 * 4, rounded)
        assert.is_true(before > rounded)
        assert.equal(rounded, fn(x):item())
      end)
      assert.equal(before, fn(x):item())
    end)
  end

  it("is for a map of a dataset what it was when the map was called", function()
    local case, mapped = cases["matmul precision"], nil
    case.with(function()
      mapped = pod.data.from_tensor_slices(pod.full({ 5, 8 }, 1 + 2 ^ -12)):batch(3):map(function(t)
        return t:matmul(kernel)
      end)
    end)
    for element in mapped:iter() do -- the short batch has a graph of its own
      assert.equal(8, element:min():item())
      assert.equal(8, element:max():item())
    end
  end)

  it("says what made a function be traced anew", function()
    local fn = pod.func(cases["matmul precision"].ask)
    fn(x)
    cases["matmul precision"].with(function() fn(x) end)
    assert.equal("the matmul precision was highest, now default", fn:traces()[2].cause)
  end)
end)
