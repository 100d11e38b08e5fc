-- What every system does with one saved model (./dev test --for): it loads kept.safetensors, predicts, trains for 50
-- steps, and compares both with what the portable kernels of Linux on x86-64 had, kept_after.safetensors: to the bit
-- where the kernels are portable, else within BOUND. Prints its counts as tests of C do. With "write" as its argument
-- it makes both files, under MOONPOD_ISA=portable MOONPOD_OPENBLAS=.

local pod = require "moonpod"

-- Documented in docs/explanation/bits.md: what other kernels may differ by, in weights of about 1 after 50 steps.
local STEPS, BOUND = 50, 1e-5

local folder = (arg and arg[0] or ""):match "^.*[/\\]" or "tests/systems/"
local model_file, after_file = folder .. "kept.safetensors", folder .. "kept_after.safetensors"
local x = pod.random.normal({ 64, 8 }, { seed = 1 })
local y = pod.random.uniform({ 64, 3 }, { seed = 2 })

if arg and arg[1] == "write" then
  pod.random.set_seed(5)
  local model = pod.models.sequential {
    pod.layers.dense(16, { activation = "tanh", input_shape = { 8 } }),
    pod.layers.dense(12, { activation = "gelu" }),
    pod.layers.dense(3, { activation = "softmax" }),
  }
  model:compile { optimizer = pod.optimizers.adam { learning_rate = 0.01 }, loss = "mse" }
  model:save(model_file)
end

local model = pod.models.load(model_file)
local found = { predictions = model:predict_on_batch(x) }
for _ = 1, STEPS do
  model:train_on_batch(x, y)
end
for i, weights in ipairs(model:get_weights()) do
  found["weights_" .. i] = weights
end
if arg and arg[1] == "write" then pod.data.save_safetensors(after_file, found) end

local kept, _, names = pod.data.load_safetensors(after_file)
local isa = require "moonpod.tensor.device".context():isa()
local passed, failed = 0, 0
for _, name in ipairs(names) do
  local far = (found[name] - kept[name]):abs():max():item()
  local same = found[name]:data() == kept[name]:data()
  local holds
  if isa == "portable" then holds = same else holds = far <= BOUND end
  passed, failed = passed + (holds and 1 or 0), failed + (holds and 0 or 1)
  print(("# %s, %s kernels: %s"):format(name, isa, same and "the same bits" or ("%.2g apart"):format(far)))
end
print(("%d passed, %d failed"):format(passed, failed))
if failed > 0 then error "the model is not the one that was kept" end
