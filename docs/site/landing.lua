local pod = require "moonpod"
pod.random.set_seed(1)
local digits = pod.data.synthetic.mnist { n = 20000 }
local model = pod.models.sequential {
  pod.layers.rescaling(1 / 255, { input_shape = { 28, 28 } }),
  pod.layers.flatten(), pod.layers.dense(64), pod.layers.relu(),
  pod.layers.dense(10, { activation = "softmax" }) }
model:compile { optimizer = "adam", metrics = { "accuracy" },
  loss = "sparse_categorical_crossentropy" }
history = model:fit(digits:batch(256), { epochs = 4 })
