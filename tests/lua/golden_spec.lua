-- What Keras gave (tests/golden/keras_*.lua, made by keras_cases.py) and what Moonpod gives.
--
-- Models, 1e-5 relative: outputs, the loss of each step, trained weights; and on 1, 3 and 8 replicas the same to 1e-6,
-- with a batch of 12, so that shards are uneven and one of eight is empty.

package.path = "tests/golden/?.lua;" .. package.path

local pod = require "moonpod"
local runner = require "runner"
local sample = require "tests.lua.support.sample"

local runs_here = sample(5)

local function cases_of(family)
  return dofile("tests/golden/keras_" .. family .. ".lua")
end

local function each(family, run)
  describe("Keras: " .. family, function()
    for _, case in ipairs(cases_of(family)) do
      if runs_here() then
        it(case.name, function()
          run(case)
        end)
      end
    end
  end)
end

each("losses", runner.run_loss)
each("metrics", runner.run_metric)
each("optimizers", runner.run_optimizer)
each("schedules", runner.run_schedule)
each("activations", runner.run_activation)
each("initializers", runner.run_initializer)
each("fit", runner.run_fit)
each("summaries", runner.run_summary)
each("progress", runner.run_progress)

local MODELS = { "dense", "activation_layers", "convolution", "pooling", "normalization", "recurrent", "attention",
  "merging" }

for _, family in ipairs(MODELS) do
  each(family, runner.run_model)
end

describe("Keras: mixed precision, to 2 in a hundred,", function()
  after_each(function()
    pod.mixed_precision.set_global_policy "float32"
  end)
  for _, case in ipairs(cases_of "precision") do
    it(case.name, function()
      runner.run_model(case)
    end)
  end
end)

describe("on 1, 3 and 8 replicas", function()
  for _, case in ipairs(cases_of "losses") do
    -- Circle pairs the rows that a replica has.
    if case.class ~= "Circle" and runs_here() then
      it("loss " .. case.name, function()
        for _, count in ipairs { 1, 3, 8 } do
          runner.run_loss_on_replicas(case, count)
        end
      end)
    end
  end
  for _, case in ipairs(cases_of "metrics") do
    if runs_here() then
      it("metric " .. case.name, function()
        for _, count in ipairs { 1, 3, 8 } do
          runner.run_metric_on_replicas(case, count)
        end
      end)
    end
  end
  for _, family in ipairs(MODELS) do
    for _, case in ipairs(cases_of(family)) do
      if case.replicas ~= false and runs_here() then
        it(family .. ": " .. case.name, function()
          local one = runner.run_model(case, 1)
          for _, count in ipairs { 3, 8 } do
            local many = runner.run_model(case, count)
            runner.compare("losses on " .. count .. " replicas", one.losses, many.losses, 1e-6, 1e-6)
            runner.compare("weights on " .. count .. " replicas", one.weights, many.weights, 1e-6, 1e-6)
          end
        end)
      end
    end
  end
end)

describe("the same bits on 1 and 3 threads", function()
  local context = pod.device.context()
  local before = context:threads()
  after_each(function()
    context:set_threads(before)
  end)
  for _, family in ipairs(MODELS) do
    for _, case in ipairs(cases_of(family)) do
      if runs_here() then
        it(family .. ": " .. case.name, function()
          context:set_threads(1)
          local one = runner.run_model(case, case.replicas ~= false and 3 or 1)
          context:set_threads(3)
          assert.same(one, runner.run_model(case, case.replicas ~= false and 3 or 1))
        end)
      end
    end
  end
end)
