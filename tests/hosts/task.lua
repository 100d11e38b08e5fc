-- What each host does: trains a small model in slices, and predicts. The line that tells of it is the same in all.

local pod = require "moonpod"

local task = {}

-- The model, its run, and what it learns: the sum of two numbers.
function task.begin()
  pod.device.configure { threads = 1 }
  pod.random.set_seed(1)
  local model = pod.models.sequential { pod.layers.dense(16, { activation = "tanh", input_shape = { 2 } }),
    pod.layers.dense(1) }
  model:compile { optimizer = pod.optimizers.adam { learning_rate = 0.01 }, loss = "mse" }
  local x = pod.random.uniform({ 256, 2 }, { minval = -1, maxval = 1 })
  local y = pod.sum(x, { axis = 1, keepdims = true })
  local ok, why = pcall(model.fit, model, x, y, { background = true }) -- no prompt is here to give it time
  assert(not ok and why:find("run:step", 1, true), why)
  local run = model:fit(x, y, { epochs = 40, batch_size = 32, verbose = 0, background = "stepped" })
  return model, run
end

-- What is told of a model: near 0.75 where it has learnt.
function task.tell(model, run)
  return ("%s predicts %.9g"):format(run.state, model:predict(pod.tensor { { 0.25, 0.5 } }, { verbose = 0 }):item())
end

-- What any interpreter tells, of a training that nothing interrupts.
function task.whole()
  local model, run = task.begin()
  run:wait()
  return task.tell(model, run)
end

return task
