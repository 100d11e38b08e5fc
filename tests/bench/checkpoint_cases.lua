-- What saving costs, one case a process, for checkpoint.lua:
--
--   checkpoint_cases.lua training PRECISION BLOCKS SAVES FILE   trains W4 in blocks of 20 steps; every other block
--                                                               saves the model and its optimizer in the background,
--                                                               before its first step or its first SAVES executions
--   checkpoint_cases.lua files REPEATS FILE                     saves W4 and its optimizer, and loads it
--
-- Prints JSON lines: {"block_ms": ..., "cpu_ms": of all threads, "saves": how many, "save_ms": what a call took,
-- "wait_ms": what the file needed beyond its block}, or a repeat's {"save_ms": ..., "load_ms": of models.load,
-- "weights_ms": of load_weights, "bytes": ...}.

local pod = require "moonpod"
local core = require "moonpod.core"
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local models = require "models"

local case = arg[1]

pod.device.context():set_threads(2)

local function bytes_of(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:seek "end"
  file:close()
  return bytes
end

-- ---- while it trains -----------------------------------------------------------------------------------------------

local STEPS = 20

-- Calls block_begins() and block_ends(model) around each STEPS steps, until block_ends returns true, and before each
-- execution of the block execution_begins(model, its number from 0). The first block compiles.
local function train(precision, block_begins, execution_begins, block_ends)
  local model = models.compile("w4", precision, 8)
  local batches = models.data "w4":shuffle(60000, { seed = 1 }):repeat_():batch(models.w4.batch):prefetch(4)
  local executions, at = STEPS / models.w4.steps, 0
  model:fit(batches, { steps_per_epoch = 1000000, verbose = 0, callbacks = { {
    on_train_batch_begin = function(self)
      if at % executions == 0 then
        block_begins()
      end
      execution_begins(self.model, at % executions)
    end,
    on_train_batch_end_lazy = function(self, batch)
      at = at + 1
      if at % executions == 0 and block_ends(self.model) then
        self.model.stop_training = true
      end
      return batch
    end,
  } } })
end

local function measure_training(precision, blocks, saves, path)
  local began, cpu, block, saved, save_ms, written = nil, nil, -1, 0, 0, nil
  train(precision, function()
    began, cpu, saved, save_ms = core.clock(), os.clock(), 0, 0
  end, function(model, execution)
    if block > 0 and block % 2 == 0 and execution < saves then
      local asked = core.clock()
      written = model:save(path, { background = true })
      saved, save_ms = saved + 1, save_ms + (core.clock() - asked) * 1e3
    end
  end, function()
    local trained, wait_ms = core.clock(), 0
    if written then
      written:wait()
      wait_ms = (core.clock() - trained) * 1e3
    end
    if block > 0 then
      print(('{"block_ms": %.3f, "cpu_ms": %.3f, "saves": %d, "save_ms": %.3f, "wait_ms": %.3f}'):format(
        (core.clock() - began) * 1e3, (os.clock() - cpu) * 1e3, saved, save_ms / math.max(saved, 1), wait_ms))
    end
    written, block = nil, block + 1
    return block > blocks
  end)
end

-- ---- alone ---------------------------------------------------------------------------------------------------------

local function measure_files(repeats, path)
  local model
  train("fp32", function() end, function() end, function(trained)
    model = trained
    return true
  end)
  for i = 0, repeats do
    local began = core.clock()
    model:save(path)
    local saved = core.clock()
    local again = pod.models.load(path)
    local loaded = core.clock()
    again:load_weights(path)
    local ended = core.clock()
    if i > 0 then -- the first touches memory
      print(('{"save_ms": %.3f, "load_ms": %.3f, "weights_ms": %.3f, "bytes": %d}'):format((saved - began) * 1e3,
        (loaded - saved) * 1e3, (ended - loaded) * 1e3, bytes_of(path)))
    end
  end
end

if case == "training" then
  measure_training(arg[2], tonumber(arg[3]), tonumber(arg[4]), arg[5])
else
  measure_files(tonumber(arg[2]), arg[3])
end
os.remove(arg[#arg])
