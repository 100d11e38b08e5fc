-- backup_run - a training run that keeps its state every few steps on two threads and three replicas; kill_spec.lua
-- starts it:
--
--     lua5.4 tests/faults/backup_run.lua FOLDER DOUBLE
--
-- Prints "training" where training begins, and at its end "done" and all that the run leaves, as a number.

local pod = require "moonpod"

local folder, is_double = arg[1], arg[2] == "true"
local C = pod.callbacks

pod.device.context():set_threads(2)
pod.random.set_seed(5)

local function numbers(rows, columns, first)
  local list = {}
  for i = 1, rows do
    list[i] = {}
    for j = 1, columns do
      list[i][j] = math.sin(first + 7 * i + 3 * j * i)
    end
  end
  return pod.tensor(list)
end

local x, y = numbers(60, 4, 1), numbers(60, 1, 2)
local model = pod.distribute.mirrored(3):scope(function()
  local made = pod.models.sequential { pod.layers.input { 4 }, pod.layers.dense(16, { activation = "relu" }),
    pod.layers.dropout(0.2), pod.layers.batch_normalization(), pod.layers.dense(1) }
  made:compile { optimizer = "adam", loss = "mse", metrics = { "mae" }, steps_per_execution = 2 }
  return made
end)

local stop = C.early_stopping { patience = 4, restore_best_weights = true }
local said = { on_train_batch_begin = function(self)
  if not self.has_said then
    self.has_said = true
    io.write "training\n"
    io.flush()
  end
end }
local history = model:fit(pod.data.from_tensor_slices({ x, y }):shuffle(60):batch(6):prefetch(2), {
  epochs = 6, verbose = 0, validation_data = { x, y }, callbacks = { said, stop,
    C.reduce_lr_on_plateau { patience = 1, min_delta = 0.02, factor = 0.5 },
    C.csv_logger(folder .. "/log.csv"),
    C.model_checkpoint(folder .. "/kept/{epoch:02d}.safetensors", { save_weights_only = true, max_to_keep = 2 }),
    C.backup_and_restore(folder .. "/backup", { save_freq = 3, double_checkpoint = is_double }) } })

local parts = { table.concat(history.epoch, " "), tostring(stop.wait), ("%.17g"):format(stop.best) }
for _, name in ipairs { "loss", "mae", "val_loss", "learning_rate" } do
  for _, value in ipairs(history.history[name]) do
    parts[#parts + 1] = ("%.17g"):format(value)
  end
end
for _, list in ipairs { model.weights, model.optimizer.variables } do
  for _, variable in ipairs(list) do
    parts[#parts + 1] = variable:value():data()
  end
end
local sum = 7
for byte in table.concat(parts, "|"):gmatch "." do
  sum = (sum * 257 + byte:byte()) % 9007199254740881 % 34359738337
end
io.write("done ", ("%d"):format(sum), "\n")
