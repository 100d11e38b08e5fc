-- power_writer - saves again and again, and says what it has saved: power_writer.lua FOLDER FIRST. Each state is a
-- number N that all values of a file have. See power_loss.lua, which ends it.

local pod = require "moonpod"

local folder, first = arg[1], tonumber(arg[2])

local model = pod.models.sequential { pod.layers.input { shape = { 3 } }, pod.layers.dense(2) }
local saved = pod.train.checkpoint { model = model }
local manager = pod.train.checkpoint_manager { checkpoint = saved, directory = folder, max_to_keep = 2 }

for n = first, first + 3 do
  model:set_weights { pod.zeros { 3, 2 } + n, pod.zeros { 2 } + n }
  model:save(folder .. "/model.safetensors")
  io.write("model ", n, "\n"):flush()
  model:save_weights(folder .. "/weights.safetensors")
  io.write("weights ", n, "\n"):flush()
  pod.data.save_npz(folder .. "/arrays.npz", { a = pod.zeros { 4 } + n })
  io.write("arrays ", n, "\n"):flush()
  local records = pod.data.records.writer(folder .. "/data.tfrecord")
  records:write(tostring(n))
  records:write(tostring(n))
  records:close()
  io.write("records ", n, "\n"):flush()
  local events = pod.summary.writer(folder, { filename_suffix = "." .. n })
  events:scalar("n", n, n)
  events:close()
  io.write("events ", n, "\n"):flush()
  model:save(folder .. "/behind.safetensors", { background = true }):wait()
  io.write("behind ", n, "\n"):flush()
  manager:save { checkpoint_number = n }
  io.write("manager ", n, "\n"):flush()
end
