-- Values and slopes at the very kinks of functions, and one float32 on either side: those of Keras on TensorFlow
-- (tests/golden/keras_kinks.lua, made by keras_kinks.py).

package.path = "tests/golden/?.lua;" .. package.path

local pod = require "moonpod"
local runner = require "runner"

-- Slopes, by case, tensor and place, where Keras' backends differ, and most do as here.
local MOST = {
  -- Below 0 it falls as steeply as at 0, by JAX and PyTorch; TensorFlow has the slope above 0 there.
  ["selu"] = { { [2] = 1.75809932 } },
  -- 1 on either side, and by JAX and PyTorch at 0; by TensorFlow 2, once from each of two summands.
  ["celu"] = { { [2] = 1 } }, ["celu alpha=2.0"] = { { [2] = 1 } },
  -- Of two equal operands of a maximum or minimum JAX and PyTorch give each half; TensorFlow gives one all.
  ["MeanSquaredLogarithmicError reduction=sum"] = { { [5] = -0.693147004 } },
  ["Hinge reduction=sum 1"] = { { [5] = -0.5 } }, ["Hinge reduction=sum 2"] = { { [2] = 0.5 } },
  ["Hinge reduction=sum 3"] = { { [2] = 0.5 } },
  ["CategoricalHinge reduction=sum 2"] = { { [4] = -0.5, [5] = 0.25, [6] = 0.25 } },
  ["Maximum of=ties"] = { { [2] = 1, [5] = 2.5 }, { [2] = 1, [5] = 2.5 } },
  ["Minimum of=ties"] = { { [2] = 1, [5] = 2.5 }, { [2] = 1, [5] = 2.5 } },
}

-- Each number by itself: slopes of one function differ by millions.
local function compare(what, expected, actual, most)
  local want = runner.make(expected)
  assert.equal(tostring(want.shape), tostring(actual.shape))
  want, actual = want:reshape { -1 }:totable(), actual:reshape { -1 }:totable()
  for i, number in ipairs(want) do
    runner.compare(what .. " " .. i, most and most[i] or number, actual[i], 2e-5, 1e-7)
  end
end

local function compare_slopes(case, expected, actual)
  for i, slopes in ipairs(actual) do
    compare("slope of " .. i, expected[i], slopes, (MOST[case.name] or {})[i])
  end
end

-- Values, and gradients of their sum, by the tensors that they are computed from.
local function with_gradients(fn, given)
  local tape, result = pod.tape(function(tape)
    for _, x in ipairs(given) do
      tape:watch(x)
    end
    local y = fn(given)
    return { y = y, total = pod.sum(y) }
  end)
  return result.y, tape:gradient(result.total, given)
end

local check = {}

function check.activation(case)
  local y, gradients = with_gradients(function(given)
    return pod.activations[case.activation](given[1], runner.make(case.options))
  end, { runner.make(case.x) })
  compare("value", case.y, y)
  compare_slopes(case, { case.gradient }, gradients)
end

function check.loss(case)
  local loss = runner.loss(case.loss, case.options)
  local y_true, y_pred = runner.make(case.y_true), runner.make(case.y_pred)
  local values, slopes = {}, {}
  for i = 0, y_pred.shape[1] - 1 do
    local value, gradients = with_gradients(function(given)
      return loss(pod.slice_axis(y_true, 0, i, i + 1), given[1])
    end, { pod.slice_axis(y_pred, 0, i, i + 1) })
    values[i + 1], slopes[i + 1] = value, gradients[1]
  end
  compare("value", case.values, pod.stack(values))
  compare_slopes(case, { case.gradient }, { pod.concat(slopes, 0) })
end

function check.layer(case)
  local layer = runner.layer(case.layer, case.options)
  local y, gradients = with_gradients(function(given)
    local out = #given > 1 and layer(given) or layer(given[1])
    local size = out:size()
    return out * pod.reshape(pod.cast(pod.arange(1, size + 1), "float32"), out.shape)
  end, runner.make(case.x))
  compare("value", case.y, y)
  compare_slopes(case, case.gradients, gradients)
end

function check.optimizer(case)
  local gradients, weights = runner.make(case.gradients), {}
  for i, gradient in ipairs(gradients) do
    weights[i] = pod.variable(pod.zeros_like(gradient))
  end
  local options = runner.make(case.optimizer)
  options.learning_rate = 1
  pod.optimizers.sgd(options):apply(gradients, weights)
  for i, weight in ipairs(weights) do
    compare("step " .. i, case.steps[i], -weight:value())
  end
end

describe("at its kinks as in Keras:", function()
  for _, case in ipairs(dofile "tests/golden/keras_kinks.lua") do
    it(case.name, function()
      for kind, run in pairs(check) do
        if case[kind] then
          return run(case)
        end
      end
      error "there is nothing to check"
    end)
  end
end)

describe("unit normalization", function()
  it("squares 16-bit numbers in float32", function()
    for _, length in ipairs { 2 ^ -12, 1, 2 ^ 14 } do
      local x = pod.cast(pod.tensor { { 0.6 * length, 0.8 * length } }, "float16")
      local y = pod.cast(pod.layers.unit_normalization { dtype = "float16" }(x), "float32")
      runner.compare("length " .. length, { 0.6, 0.8 }, y, 2e-3, 0)
    end
  end)
end)
