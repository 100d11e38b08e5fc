-- Models whose values the devices of a plugin of PJRT divide: one program, of which each device has its parts.

local pod = require "moonpod"
local plugin = require "tests.lua.support.plugin"

local layers = pod.layers

local function dense_model()
  return pod.models.sequential { layers.dense(64, { activation = "relu", name = "up", input_shape = { 32 } }),
    layers.batch_normalization(), layers.dropout(0.2), layers.dense(8, { name = "down" }) }
end

local long = os.getenv "MOONPOD_LONG"

local function train(strategy, per_execution)
  pod.random.set_seed(7)
  local model = strategy:scope(function()
    local made = dense_model()
    made:compile { optimizer = pod.optimizers.adam(0.01), loss = "mse", steps_per_execution = per_execution }
    return made
  end)
  local x, y = pod.random.normal({ 64, 32 }, { seed = 1 }), pod.random.normal({ 64, 8 }, { seed = 2 })
  local logs = model:fit(x, y, { epochs = long and 4 or 2, batch_size = 16, verbose = 0, shuffle = false }).history
  return { model = model, loss = logs.loss[2], predicted = long and model:predict(x, { verbose = 0 }),
    evaluated = long and model:evaluate(x, y, { verbose = 0, batch_size = 16 }) }
end

local function distance(a, b)
  return (a - b):abs():max():item()
end

describe("a mesh of devices", function()
  if not plugin.is_there() then
    return it("needs a plugin", function() pending(plugin.why) end)
  end

  it("trains what one core of this host trains, in parts", function()
    local resolver = pod.cluster.resolve { pjrt = plugin.path, num_cores = 8 }
    pod.device.set_resolver(nil)
    local one = train(pod.distribute.mirrored(1))
    for _, whole in ipairs(long and { false, true } or { true }) do
      local mesh = pod.distribute.mesh({ 2, 4 }, { "data", "model" }, { resolver = resolver })
      local map = pod.distribute.layout_map(mesh)
      map["up/kernel"], map["up/bias"], map["down/kernel"] = { nil, "model" }, { "model" }, { "model", nil }
      local other = train(pod.distribute.model_parallel { layout_map = map, shard_weights = whole },
        whole and long and 3 or 1)
      for i, weight in ipairs(one.model:get_weights()) do
        local apart = distance(weight, other.model:get_weights()[i])
        assert.is_true(apart <= 1e-6, ("weight %d is %g apart"):format(i, apart))
      end
      assert.is_true(math.abs(one.loss - other.loss) < 1e-5)
      assert.is_true(not long or math.abs(one.evaluated - other.evaluated) < 1e-5)
      assert.is_true(not long or distance(one.predicted, other.predicted) < 1e-5)
      local shape = other.model.weights[1]:per_replica()[1].value.shape
      assert.same({ whole and 16 or 32, 16 }, { shape[1], shape[2] })
    end
  end)
end)
