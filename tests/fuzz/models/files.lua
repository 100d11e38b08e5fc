-- Loads models of Keras (DIRECTORY/N.keras), predicts (N.out.npz: before_0, ...), changes their weights, predicts again
-- (out_0, ...) and saves them as N.weights.h5: see files.py.

local pod = require "moonpod"

local function predict(model, inputs, prefix, out)
  local found = model(#inputs == 1 and inputs[1] or inputs)
  for i, value in ipairs(found.dtype and { found } or found) do
    out[prefix .. i - 1] = value:cast "float32"
  end
end

local function run(path)
  local model, arrays = pod.models.load(path .. ".keras"), pod.data.load_npz(path .. ".npz")
  local inputs, out = {}, {}
  while arrays["in_" .. #inputs] do
    inputs[#inputs + 1] = arrays["in_" .. #inputs]
  end
  predict(model, inputs, "before_", out)
  for _, weight in ipairs(model.weights) do
    if weight.dtype == "float32" then
      weight:assign(weight:value() * 1.25)
    end
  end
  predict(model, inputs, "out_", out)
  model:save_weights(path .. ".weights.h5")
  pod.data.save_npz(path .. ".out.npz", out)
end

for i = 2, #arg do
  local ok, message = pcall(run, arg[1] .. "/" .. arg[i])
  print(arg[i] .. " " .. (ok and "ok" or tostring(message):gsub("\n", " | ")))
end
