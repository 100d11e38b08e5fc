-- What a profile costs while it is recorded:
--
--   ./dev bench profiler [--pairs N] [--seconds S] [--threads T] [--precision bf16|fp32]
--
-- W1 trains in one process at batch 1024 and at batch 8; blocks of executions with and without recording take turns, N
-- pairs, a block S seconds long. Each block that records is compared with the mean of those around it, by the clock and
-- by the CPU time of all threads, which others on the machine disturb less. Printed is the median with the interval
-- that holds it with 95 %, by ranks. What profiling costs that is off is counted in instructions: see
-- docs/guides/profiling.md.

local here = arg[1]
package.path = here .. "/?.lua;" .. package.path
local core = require "moonpod.core"
local models = require "models"
local pod = require "moonpod"
local tools = require "tools"

local options = { pairs = 30, seconds = 0.5, threads = 2, precision = "bf16" }
local at = 3
while arg[at] do
  local key = arg[at]:match "^%-%-(%a+)$"
  if not key or options[key] == nil then
    tools.fail("unknown argument '%s'; there are --pairs, --seconds, --threads and --precision", arg[at])
  end
  options[key] = key == "precision" and arg[at + 1] or tonumber(arg[at + 1]) or tools.fail("%s needs a number", arg[at])
  at = at + 2
end

local function load_text()
  local file = io.open "/proc/loadavg"
  local text = file and file:read "l":match "^%S+" or "?"
  if file then
    file:close()
  end
  return text
end

-- The median of a list and the order statistics that hold it with 95 %: the sign test's.
local function interval(list)
  local middle, n = tools.median(list), #list -- sorts
  local below, term, rank = 0, 0.5 ^ n, 0
  while below + term <= 0.025 do
    below, rank = below + term, rank + 1
    term = term * (n - rank + 1) / rank
  end
  return middle, list[math.max(1, rank)], list[math.min(n, n - rank + 1)]
end

-- Seconds by the clock and of all threads, an execution, for a block that lasts long enough.
local function block(state)
  local clock, cpu, count = core.clock(), os.clock(), 0
  return function()
    count = count + 1
    if core.clock() - clock < options.seconds then
      return false
    end
    state.clock, state.cpu = (core.clock() - clock) / count, (os.clock() - cpu) / count
    return true
  end
end

local function measure(batch)
  local blocks, shares, done = {}, {}, nil
  pod.mixed_precision.set_global_policy "float32"
  local model = models.compile("w1", options.precision, 1)
  local train = pod.datasets.fashion_mnist { shape = { 784 } }
  train = train:shuffle(60000, { seed = 1 }):repeat_():batch(batch):prefetch(4)
  local warm = 20
  model:fit(train, { steps_per_epoch = 100000000, verbose = 0, callbacks = { {
    on_train_batch_end_lazy = function(self)
      warm = warm - 1
      if warm > 0 or (done and not done()) then
        return
      end
      if done and #blocks % 2 == 0 then
        shares[#shares + 1] = pod.profiler.stop().overview.shares.other
      end
      self.model.stop_training = #blocks == 2 * options.pairs + 1
      if not self.model.stop_training then
        blocks[#blocks + 1] = {}
        if #blocks % 2 == 0 then
          pod.profiler.start()
        end
        done = block(blocks[#blocks])
      end
    end,
  } } })
  for _, key in ipairs { "clock", "cpu" } do
    local more = {}
    for i = 2, #blocks - 1, 2 do
      more[#more + 1] = (blocks[i][key] / ((blocks[i - 1][key] + blocks[i + 1][key]) / 2) - 1) * 100
    end
    print(("  batch %d, %s: %+.2f %% (95 %%: %+.2f to %+.2f)"):format(batch,
      key == "clock" and "by the clock" or "CPU time", interval(more)))
  end
  print(("  batch %d: %.1f us a step without; other %.2f %% of a step at most"):format(batch,
    blocks[1].clock / model.steps_per_execution * 1e6, math.max(table.unpack(shares)) * 100))
end

pod.device.context():set_threads(options.threads)
print(("W1 %s, %d threads, %d pairs of blocks of %.1f s; load of the machine %s:"):format(options.precision,
  options.threads, options.pairs, options.seconds, load_text()))
measure(1024)
measure(8)
print("load of the machine at the end: " .. load_text())
