-- Trains by what the environment says, and writes what came of it to a file of this rank: a launcher mixes lines.
local pod = require "moonpod"

local function number(name, otherwise)
  return tonumber(os.getenv(name) or otherwise)
end

local mpi, cores, folder = os.getenv "TRAIN_MPI", number("TRAIN_CORES", 4), os.getenv "TRAIN_FOLDER"
local accelerator = os.getenv "TRAIN_ACCELERATOR"
local resolver = pod.cluster.resolve { mpi = mpi, num_cores = not accelerator and cores or nil,
  accelerator = accelerator, wire = os.getenv "TRAIN_WIRE",
  exchange = os.getenv "TRAIN_EXCHANGE" }
local rank = resolver.ranks and resolver.ranks.rank or 0
pod.random.set_seed(os.getenv "TRAIN_OWN_SEED" and 7 + rank or 7)
if os.getenv "TRAIN_OWN_THREADS" then
  pod.device.configure { threads = 1 + rank }
end

-- "4 2": a mesh of all ranks' cores, along whose second axis the layers are divided.
local function mesh_strategy(sizes)
  local data, model = sizes:match "^(%d+) (%d+)$"
  local map = pod.distribute.layout_map(pod.distribute.mesh({ tonumber(data), tonumber(model) }, { "data", "model" },
    { resolver = resolver }))
  map["dense/kernel"], map["dense/bias"], map["dense_1/kernel"] = { nil, "model" }, { "model" }, { "model", nil }
  local shards = os.getenv "TRAIN_SHARDS"
  return pod.distribute.model_parallel { layout_map = map, shard_optimizer = shards == "optimizer",
    shard_weights = shards == "weights" }
end

local sizes = os.getenv "TRAIN_MESH"
local strategy = sizes and mesh_strategy(sizes) or pod.distribute.tpu_strategy(resolver)

local rows = number("TRAIN_ROWS", 330)
if os.getenv "TRAIN_OWN_ROWS" then
  rows = rows + 64 * rank
end
local x = pod.random.normal({ rows, 6 }, { seed = 1 })
local y = pod.sum(x * pod.tensor { 1, -2, 3, -4, 5, -6 }, 1) + pod.random.normal({ rows }, { seed = 2 }) * 0.1

local model = strategy:scope(function()
  local made = pod.models.sequential {
    pod.layers.dense(number("TRAIN_UNITS", 16), { activation = "tanh", input_shape = { 6 } }),
    pod.layers.batch_normalization { synchronized = os.getenv "TRAIN_OWN_STATISTICS" == nil },
    pod.layers.dropout(0.2),
    pod.layers.dense(1),
  }
  local rate = os.getenv "TRAIN_RATE" -- of SGD, which does not make much of small differences
  made:compile { optimizer = rate and pod.optimizers.sgd { learning_rate = tonumber(rate) } or "adam", loss = "mse",
    metrics = { "mae" } }
  return made
end)
if os.getenv "TRAIN_LOAD" then
  model:load_weights(os.getenv "TRAIN_LOAD")
end

local callbacks, epoch_now = {}, 0

-- Calls fn on one rank behind a batch, which "RANK EPOCH BATCH ..." says.
local function at_batch(told, fn)
  local who, epoch, batch, rest = (told or ""):match "^(%d+) (%d+) (%d+) ?(.*)$"
  if rank == tonumber(who) then
    callbacks[#callbacks + 1] = pod.callbacks.lambda {
      on_epoch_begin = function(begun)
        epoch_now = begun
      end,
      on_train_batch_end = function(ended)
        if epoch_now == tonumber(epoch) and ended == tonumber(batch) then
          fn(rest)
        end
      end,
    }
  end
end

at_batch(os.getenv "TRAIN_FAILS", function()
  error("rank " .. rank .. " has had enough", 0)
end)
-- The shell's parent is this process. One that is killed after some time does not come to its end before.
at_batch(os.getenv "TRAIN_DIES", function(seconds)
  os.execute(("(sleep %s; kill -9 $PPID) > /dev/null 2>&1 &"):format(seconds))
  while seconds == "0" do end
end)
at_batch(os.getenv "TRAIN_STOPS", function(seconds)
  os.execute(("(sleep %s; kill -CONT $PPID) > /dev/null 2>&1 & kill -STOP $PPID"):format(seconds))
end)
at_batch(os.getenv "TRAIN_FULL", function()
  os.execute "prlimit --fsize=2048 --pid $PPID"
end)
callbacks[#callbacks + 1] = pod.callbacks.lambda { on_train_end = function()
  while os.getenv "TRAIN_DIES" do end
end }
if os.getenv "TRAIN_BACKUP" then
  callbacks[#callbacks + 1] = pod.callbacks.backup_and_restore(os.getenv "TRAIN_BACKUP"
    .. (os.getenv "TRAIN_OWN_FOLDER" and rank > 0 and "/own" or ""))
end

local fitted, targets, batch = x, y:reshape { rows, 1 }, 64
local first_x, first_y = x:slice({ 0, 0 }, { 64, 6 }), targets:slice({ 0, 0 }, { 64, 1 })
if os.getenv "TRAIN_GENERATED" then -- so many batches, of which nobody knows before; rank 1 has one less
  local batches = number("TRAIN_GENERATED") - rank
  fitted = pod.data.from_generator(function()
    local at = -1
    return function()
      at = at + 1
      if at < batches then
        return first_x, first_y
      end
    end
  end, { pod.spec({ 64, 6 }, "float32"), pod.spec({ 64, 1 }, "float32") })
  targets, batch = nil, nil
elseif os.getenv "TRAIN_CACHE" then
  fitted = pod.data.from_tensor_slices({ x, targets }):batch(64):cache(os.getenv "TRAIN_CACHE" .. rank)
  targets, batch = nil, nil
end
local slow, history = os.getenv "TRAIN_SLOW", nil -- "RANK SECONDS": one that takes so long behind each batch
if slow and rank == tonumber(slow:match "^%d+") then
  callbacks[#callbacks + 1] = pod.callbacks.lambda { on_train_batch_end = function()
    os.execute("sleep " .. slow:match "%S+$")
  end }
end
local function fit()
  history = model:fit(fitted, targets, { batch_size = batch, epochs = number("TRAIN_EPOCHS", 9), verbose = 2,
    callbacks = callbacks })
end
if slow then
  local all = pod.profiler.record(fit):ranks()
  print(rank == 0 and all or "")
else
  fit()
end
local bits = {}
for _, value in ipairs(model:get_weights()) do
  for _, one in ipairs(value:flatten():totable()) do
    bits[#bits + 1] = ("%.9g"):format(one)
  end
end
if folder then
  model:save_weights(folder .. "/weights.safetensors")
end
local found = model:evaluate(x, y:reshape { rows, 1 }, { verbose = 0, batch_size = 100, return_dict = true })
if rank == 0 and resolver.ranks then
  print(pod.devices())
end
print(("exchanged %d"):format(rank == 0 and resolver:exchanged().bytes or 0))
local predicted = model:predict(x:slice({ 0, 0 }, { 37, 6 }), { verbose = 0 })
local file = assert(io.open(("%s.%d"):format(os.getenv "TRAIN_OUT", rank), "w"))
file:write(("%s\n%.6g %.6g %.6g %.6g\n"):format(table.concat(bits, " "),
  history.history.loss[1], history.history.mae[1], found.mae, pod.sum(predicted):item()))
file:close()
