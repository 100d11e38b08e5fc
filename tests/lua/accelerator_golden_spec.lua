-- What Keras gave, by programs on devices of XLA's plugin for CPUs: outputs, the loss of each step, trained weights.
-- And the examples, which print there what they print here.

package.path = "tests/golden/?.lua;" .. package.path

local pod = require "moonpod"
local runner = require "runner"
local plugin = require "tests.lua.support.plugin"
local sample = require "tests.lua.support.sample"

local FAMILIES = { "dense", "activation_layers", "convolution", "pooling", "normalization", "recurrent", "attention",
  "merging", "precision" }

-- Name, arguments: those of which the loss is in the output to more digits than rounding reaches.
local EXAMPLES = { "autoencoder 2 600 1", "cnn 2 256 1", "custom_loop 2 1280 1",
  "gpt 2 docs/contributors/architecture.md 1 float32", "resnet 2 192 1", "transformer 2 640 1", "unet 2 100 1",
  "vit 2 1280 1" }

local executable = (os.getenv "MOONPOD_BUILD" or "build/release") .. "/moonpod"

-- The losses that an example prints, run by another script or by none.
local function losses_of(example, by)
  local name, arguments = example:match "^(%S+)(.*)$"
  local pipe = io.popen(("'%s' %s examples/%s.lua %s 2>&1"):format(executable, by, name, arguments))
  local output = pipe:read "a"
  assert(pipe:close(), output)
  local list = {}
  for loss in output:gmatch "loss: ([%d.e+-]+)" do
    list[#list + 1] = tonumber(loss)
  end
  return list, output
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

  local is_asked = sample(8)
  for _, example in ipairs(EXAMPLES) do
    if is_asked() then
      it("the example " .. example:match "%S+" .. " has the losses of this host", function()
        local expected = losses_of(example, "")
        local got, output = losses_of(example, "tests/lua/support/on_plugin.lua " .. plugin.path)
        assert(#expected >= 3 and #expected == #got, output)
        for i, loss in ipairs(expected) do
          assert(math.abs(loss - got[i]) <= 2e-4 * math.max(1, loss), output)
        end
      end)
    end
  end
end)
