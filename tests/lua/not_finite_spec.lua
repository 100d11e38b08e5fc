-- compile's on_nan: what fit does when the loss is not finite.

local pod = require "moonpod"
local warned_by = require "tests.lua.support.warned_by"

local FIRST = "element 0 of the dataset: "

-- A model whose loss becomes NaN at once; its last layer has a name.
local function model_with(on_nan)
  local model = pod.models.sequential {
    pod.layers.dense(2, { input_shape = { 2 }, kernel_initializer = "ones", name = "first" }),
    pod.layers.lambda(function(x) return pod.log(x) end, { name = "logarithm" }),
  }
  model:compile { optimizer = "sgd", loss = "mse", on_nan = on_nan }
  return model
end

describe("on_nan", function()
  local x, y = pod.full({ 8, 2 }, -1), pod.ones { 8, 2 }
  local options = { batch_size = 2, epochs = 3, verbose = 0 }

  it("terminate stops after the batch, and says so", function()
    local history, list
    local model = model_with "terminate"
    list = warned_by(function() history = model:fit(x, y, options) end)
    assert.equal(1, #history.epoch)
    assert.equal(1, #list)
    assert.matches("^Batch 0: Invalid loss, terminating training", list[1])
  end)

  it("hunt names operation, layer and line, and leaves checking off", function()
    local model = model_with "hunt"
    local ok, message = pcall(model.fit, model, x, y, options)
    assert.is_false(ok)
    assert.matches("not_finite_spec.lua:12: " .. FIRST .. "log in 'sequential_%d+/logarithm' made Inf or NaN", message)
    assert.is_false(pod.debug.nan(false))
    assert.equal(3, #model:fit(-x, y, options).epoch)
  end)

  it("hunt names the line of a layer of the library, not that of fit", function()
    local model = pod.models.sequential {
      pod.layers.dense(2, { input_shape = { 2 }, kernel_initializer = "ones" }),
      pod.layers.dense(2, { kernel_initializer = pod.initializers.constant(3e38), name = "huge" }),
      pod.layers.lambda(function(t) return t * 1 end),
    }
    local line = debug.getinfo(1, "l").currentline - 3
    model:compile { optimizer = "sgd", loss = "mse", on_nan = "hunt" }
    local ok, message = pcall(model.fit, model, pod.ones { 8, 2 }, y, options)
    assert.is_false(ok)
    assert.matches(("not_finite_spec.lua:%d: %s%%w+ in 'sequential_%%d+/huge' made Inf or NaN"):format(line, FIRST),
      message)
    -- of the loss, the line of compile
    model = pod.models.sequential { pod.layers.dense(2, { input_shape = { 2 }, kernel_initializer = "ones" }) }
    line = debug.getinfo(1, "l").currentline + 1
    model:compile { optimizer = "sgd", loss = "mse", on_nan = "hunt" }
    ok, message = pcall(model.fit, model, pod.full({ 8, 2 }, 1e38), y, options)
    assert.is_false(ok)
    assert.matches(("not_finite_spec.lua:%d: %s%%w+ in 'sequential_%%d+/loss/[%%w_]+' made"):format(line, FIRST),
      message)
  end)

  it("goes on without it, and refuses other words", function()
    assert.equal(3, #model_with(nil):fit(x, y, options).epoch)
    assert.error_matches(function() model_with "stop" end, "'on_nan' must be \"terminate\" or \"hunt\"; got \"stop\"")
  end)
end)
