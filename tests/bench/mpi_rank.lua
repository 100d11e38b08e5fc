-- `mpi_rank.lua NAME PRECISION STEPS EXCHANGE [ROWS]`: a rank of `./dev bench mpi` and `./dev bench scaling`. It trains
-- a workload of models.lua on one thread, one replica a rank, for so many timed steps; each rank has ROWS rows of a
-- batch, else its part of the workload's. Rank 0 prints one JSON line: median milliseconds of a step, which share of
-- the time ranks exchanged, or waited for each other to, and what it sent in a step.

local pod = require "moonpod"
local core = require "moonpod.core"
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local models = require "models"
local tools = require "tools"

local name, precision, steps = arg[1], arg[2], tonumber(arg[3])
local WARM = 3 -- executions that compile and touch memory

local work = models[name]
pod.device.configure { threads = 1 } -- or a rank would take its share of the cores
pod.random.set_seed(tools.SEED)
local resolver = pod.cluster.resolve { mpi = true, num_cores = 1, exchange = arg[4] }
local model = models.compile_on(pod.distribute.tpu_strategy(resolver), name, precision)

local rows = arg[5] and tonumber(arg[5]) * resolver.ranks.count or work.batch
local executions = WARM + math.max(3, steps // work.steps)
local train = models.data(name):shuffle(60000, { seed = tools.SEED }):repeat_():batch(rows):prefetch(4)
local times, begun, exchanged = {}, nil, nil
model:fit(train, { steps_per_epoch = executions * work.steps, verbose = 0, callbacks = { {
  on_train_batch_begin = function()
    begun = core.clock()
  end,
  on_train_batch_end_lazy = function()
    times[#times + 1] = core.clock() - begun
    exchanged = #times == WARM and resolver:exchanged() or exchanged
  end,
} } })

if resolver.ranks.rank == 0 then
  local spent = 0
  times = { table.unpack(times, WARM + 1) }
  for _, seconds in ipairs(times) do
    spent = spent + seconds
  end
  local count, now = #times * work.steps, resolver:exchanged()
  print(('{"workload": "%s", "step_ms": %.4f, "exchange": %.4f, "bytes": %.0f}'):format(name,
    tools.median(times) * 1e3 / work.steps, (now.seconds - exchanged.seconds) / spent,
    (now.bytes - exchanged.bytes) / count))
end
