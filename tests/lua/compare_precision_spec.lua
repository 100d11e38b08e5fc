-- mixed_precision.compare: one model under several policies.

local pod = require "moonpod"

local function make()
  local model = pod.models.sequential {
    pod.layers.dense(16, { activation = "relu", input_shape = { 8 } }), pod.layers.dense(3),
  }
  model:compile { optimizer = "adam", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end

local function data()
  local x = pod.random.normal({ 64, 8 }, { seed = 3 })
  return pod.data.from_tensor_slices({ x, pod.cast(pod.mod(pod.arange(64), 3), "int32") }):batch(16)
end

describe("mixed_precision.compare", function()
  it("tells how far 16 bits lead from 32", function()
    local result = pod.mixed_precision.compare(make, data(), { steps = 30 })
    assert.same({ "float32", "mixed_bfloat16" }, result.names)
    assert.equal(30, #result.losses.float32)
    assert.equal(30, #result.losses.mixed_bfloat16)
    assert.truthy(result.max_divergence > 0 and result.max_relative < 0.05)
    assert.equal(result.max_divergence,
      math.abs(result.losses.float32[result.step] - result.losses.mixed_bfloat16[result.step]))
    local text = tostring(result)
    assert.matches("step +float32 +mixed_bfloat16\n +1 ", text)
    assert.matches("largest difference from float32: ", text)
    assert.equal("float32", pod.mixed_precision.global_policy().name)
  end)

  it("finds none where the policy is the same", function()
    local result = pod.mixed_precision.compare(make, data(), { steps = 5, policies = { "float32", "float32" } })
    assert.equal(0, result.max_divergence)
  end)

  it("says what is wrong, and leaves the policy as it was", function()
    local compare = pod.mixed_precision.compare
    assert.error_matches(function() compare(5, data()) end, "first argument must be a function")
    assert.error_matches(function() compare(make, 5) end, "second argument must be a dataset; got 5")
    assert.error_matches(function() compare(make, data(), { steps = 0 }) end, "'steps' must be a whole number from 1")
    assert.error_matches(function() compare(make, data(), { stesp = 5 }) end, "did you mean 'steps'")
    assert.error_matches(function() compare(function() end, data()) end, "must return a compiled model; got nil")
    assert.error_matches(function() compare(make, data(), { policies = { "mixed_bfloat17" } }) end, "bfloat17")
    assert.equal("float32", pod.mixed_precision.global_policy().name)
  end)
end)
