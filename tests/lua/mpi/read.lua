-- Reads files by what the environment says, and writes which rows each step had, and what a model learned of them, to a
-- file of this rank. Of ranks each has a folder of its own, where files of the others have nothing that could be read.
local pod = require "moonpod"

local resolver = pod.cluster.resolve { mpi = os.getenv "READ_MPI", num_cores = tonumber(os.getenv "READ_CORES") }
local ranks, policy, folder = resolver.ranks, os.getenv "READ_POLICY", os.getenv "READ_FOLDER"
local rank, count = ranks and ranks.rank or 0, ranks and ranks.count or 1
local strategy = ranks and pod.distribute.tpu_strategy(resolver)
  or pod.distribute.mirrored(4, { num_hosts = tonumber(os.getenv "READ_HOSTS") })
pod.random.set_seed(3)

local ROWS = { 5, 9, 2, 7, 11, 3 }
local paths, number = {}, 0
for i, rows in ipairs(ROWS) do
  local unread = policy == "FILE" and (i - 1) % count ~= rank
  paths[i] = ("%s.%d.%d"):format(folder, rank, i)
  local writer = not unread and pod.data.records.writer(paths[i])
  for _ = 1, rows do
    if writer then
      writer:write(pod.data.records.example { n = number })
    end
    number = number + 1
  end
  if writer then
    writer:close()
  else
    local file = assert(io.open(paths[i], "wb"))
    file:write "no records"
    file:close()
  end
end

local function dataset()
  local records = pod.data.tfrecord(paths)
  if policy == "HINT" then
    records = records:shard(pod.data.SHARD_HINT, pod.data.SHARD_HINT)
  end
  return records:parse_example { n = pod.spec({}, "int64") }:map(function(e)
    local x = pod.cast(e.n, "float32")
    return pod.stack({ x, x * x }, 0) / 100, pod.reshape(x, { 1 }) / 10
  end)
end

local distributed
if policy == "FUNCTION" then
  distributed = strategy:distribute_datasets_from_function(function(context)
    return dataset():shard(context.num_input_pipelines, context.input_pipeline_id):batch(2)
  end)
else
  local batches = dataset():batch(strategy:global_batch(2))
  distributed = strategy:distribute_dataset(policy == "FILE" and batches or batches:options { auto_shard = policy })
end

local lines = { distributed.auto_shard }
local step = pod.func(function(x, y)
  return strategy:run(function(_, own) return own end, { x, y })
end)
for x, y in distributed:iter() do
  local numbers = {}
  for i, value in ipairs(strategy:gather(step(x, y), 0):flatten():totable()) do
    numbers[i] = ("%.0f"):format(value * 10)
  end
  lines[#lines + 1] = table.concat(numbers, " ")
  if ranks and distributed.auto_shard ~= "DATA" then
    local ok, why = pcall(strategy.local_results, strategy, x)
    assert(not ok and why:find("that ranks have read each for itself", 1, true), why)
  end
end

local model = strategy:scope(function()
  local made = pod.models.sequential { pod.layers.dense(8, { activation = "tanh", input_shape = { 2 } }),
    pod.layers.dense(1) }
  made:compile { optimizer = "adam", loss = "mse" }
  return made
end)
model:fit(distributed, { epochs = 3, verbose = 0 })
local weights = {}
for _, value in ipairs(model:get_weights()) do
  for _, one in ipairs(value:flatten():totable()) do
    weights[#weights + 1] = ("%.9g"):format(one)
  end
end
local file = assert(io.open(("%s.out.%d"):format(folder, rank), "w"))
file:write(table.concat(weights, " "), "\n", table.concat(lines, "\n"), "\n")
file:close()
