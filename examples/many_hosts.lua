-- many_hosts - one script on one core, on many, and on those of many processes.
--
--     moonpod examples/many_hosts.lua [cores] [epochs] [images] [seed]
--     mpirun -n 2 moonpod examples/many_hosts.lua ...
--
-- Each process has so many cores, as replicas; each core has its part of a batch of 512. The weights come to the same,
-- however many there are. Prints the loss of each epoch, and what processes exchanged.

pcall(dofile, ((arg and arg[0] or ""):match "^.*/" or "") .. "find_moonpod.lua") -- in a checkout
local pod = require "moonpod"

local cores, epochs = tonumber(arg[1] or 1), tonumber(arg[2] or 3)
local images, seed = tonumber(arg[3] or 20000), tonumber(arg[4] or 1)

pod.random.set_seed(seed)
local resolver = pod.cluster.resolve { mpi = "auto", num_cores = cores }
local strategy = pod.distribute.tpu_strategy(resolver)
local model = strategy:scope(function()
  local model = pod.models.sequential {
    pod.layers.dense(256, { activation = "relu", input_shape = { 784 } }),
    pod.layers.dense(10),
  }
  model:compile { optimizer = "adam", metrics = { "accuracy" },
    loss = pod.losses.sparse_categorical_crossentropy { from_logits = true } }
  return model
end)

local train, test = pod.datasets.fashion_mnist { shape = { 784 } }
local before = resolver:exchanged()
model:fit(train:take(images):shuffle(images, { seed = seed }):batch(512), { epochs = epochs, verbose = 2 })
local after = resolver:exchanged()
local results = model:evaluate(test:batch(1000), { verbose = 0, return_dict = true })

if not resolver.ranks or resolver.ranks.rank == 0 then
  print(("Test loss: %.4f"):format(results.loss))
  print(("%d replicas; in training %.1f MB sent, %.1f s in exchange"):format(strategy.num_replicas_in_sync,
    (after.bytes - before.bytes) / 1e6, after.seconds - before.seconds))
end
