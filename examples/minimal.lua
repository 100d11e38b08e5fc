pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"
local strategy = pod.distribute.tpu_strategy(pod.cluster.resolve "v3-8")
local model = strategy:scope(function()
  local model = pod.models.sequential { pod.layers.dense(128, { activation = "relu" }), pod.layers.dense(10) }
  model:compile { optimizer = "adam", loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end)
model:fit(pod.datasets.fashion_mnist():batch(1024), { epochs = tonumber(arg[1] or 3) })
