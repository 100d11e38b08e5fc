-- Profiles of training on devices: what runs there, and what is compiled, sent and read back.

local pod = require "moonpod"
local plugin = require "tests.lua.support.plugin"

local x = pod.random.normal({ 48, 6 }, { seed = 3 })
local y = x:matmul(pod.random.normal({ 6, 4 }, { seed = 4 })):argmax(1)

-- The profile of an epoch of six steps.
local function record(options)
  local model = plugin.strategy(1):scope(function()
    local made = pod.models.sequential { pod.layers.dense(4, { input_shape = { 6 } }) }
    made:compile { optimizer = "sgd", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true },
      steps_per_execution = options and options.steps_per_execution }
    return made
  end)
  pod.profiler.start()
  model:fit(x, y, { batch_size = 8, epochs = 1, verbose = 0 })
  assert.equal(24 * 4, #model.weights[1]:value():data())
  return pod.profiler.stop()
end

local function calls_of(profile)
  local calls = {}
  for _, name in ipairs(profile.recording.names) do
    calls[name.text] = name.calls
  end
  return calls
end

describe("a profile of a device", function()
  if not plugin.is_there() then
    return it("needs a plugin", function() pending(plugin.why) end)
  end

  it("has its steps, and what is compiled, sent and read back", function()
    local profile = record()
    assert.equal(6, #profile.steps)
    assert.truthy(tostring(profile):find("device run", 1, true))
    local calls = calls_of(profile)
    assert.equal(1, calls["device: compile"])
    assert.is_true(calls["device: send"] >= 12) -- two a step
    assert.is_true(calls["device: read back"] >= 2)
    for _, stage in ipairs(profile.input.stages) do
      assert.falsy(stage.name:find("device:", 1, true))
    end
  end)

  it("has a step of each launch where several are a loop", function()
    local profile = record { steps_per_execution = 6 }
    assert.equal(1, #profile.steps)
  end)
end)
