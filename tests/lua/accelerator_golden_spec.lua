-- What Keras gave, by programs on devices of XLA's plugin for CPUs: outputs, the loss of each step, trained weights.
-- And the examples, whose first eight steps give there what they give here.

package.path = "tests/golden/?.lua;" .. package.path

local examples = require "tests.lua.support.plugin_examples"
local pod = require "moonpod"
local runner = require "runner"
local plugin = require "tests.lua.support.plugin"
local sample = require "tests.lua.support.sample"

local FAMILIES = { "dense", "activation_layers", "convolution", "pooling", "normalization", "recurrent", "attention",
  "merging", "precision" }

-- Within 1e-5, or four times what the example itself makes of a move of its data by 1e-7: a pixel that is black has
-- values of exactly 0, at which ReLU turns.
local function check_example(example)
  it("the example " .. example:match "%S+" .. " has the losses of this host", function()
    local kinds, expected = examples.steps(example, "here")
    local got_kinds, got = examples.steps(example, plugin.path)
    assert.same(kinds, got_kinds)
    assert.is_true(#kinds >= 2)
    local moved
    for i, value in ipairs(expected) do
      local bound, difference = 1e-5 * math.max(1, math.abs(value)), math.abs(value - got[i])
      if difference > bound then
        moved = moved or select(2, examples.steps(example, "moved"))
        bound = math.max(bound, 4 * math.abs(value - moved[i]))
      end
      assert(difference <= bound, ("%s %d: %.9g and %.9g"):format(kinds[i], i, value, got[i]))
    end
  end)
end

describe("on devices", function()
  if not plugin.is_there() then
    return it("needs a plugin", function() pending(plugin.why) end)
  end

  after_each(function()
    pod.mixed_precision.set_global_policy "float32"
  end)

  for _, family in ipairs(FAMILIES) do
    local is_asked, count = sample(20, 3), 0
    for _, case in ipairs(dofile("tests/golden/keras_" .. family .. ".lua")) do
      if is_asked() then
        it("Keras: " .. case.name, function()
          runner.run_model(case, 1, plugin.strategy(1))
        end)
      end
      count = count + 1
      if case.replicas ~= false and count % 8 == 1 and family ~= "precision" then
        it("Keras: " .. case.name .. ", eight of them", function()
          runner.run_model(case, 8, plugin.strategy(8))
        end)
      end
    end
  end

  local is_asked = sample(12)
  for _, example in ipairs(examples.daily) do
    if is_asked() then
      check_example(example)
    end
  end
  for _, example in ipairs(os.getenv "MOONPOD_LONG" and examples.long or {}) do
    check_example(example)
  end

  teardown(examples.clean)
end)
