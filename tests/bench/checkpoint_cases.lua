-- What saving costs, one case a process, for checkpoint.lua:
--
--   checkpoint_cases.lua training PRECISION BLOCKS FILE   trains W4 in blocks of 20 steps; every other block begins
--                                                         with saving the model and its optimizer in the background
--   checkpoint_cases.lua files REPEATS FILE               saves W4 and its optimizer, and loads it
--
-- Prints JSON lines: {"block_ms": ..., "cpu_ms": of all threads, "saves": 0 or 1, "save_ms": what the call took,
-- "wait_ms": what the file needed beyond its block}, or a repeat's {"save_ms": ..., "load_ms": of models.load,
-- "weights_ms": of load_weights, "bytes": ...}.

local pod = require "moonpod"
local core = require "moonpod.core"
package.path = arg[0]:gsub("[^/]*$", "") .. "?.lua;" .. package.path
local characters = require "characters"
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

-- Calls block_begins(model) and block_ends(model) around each STEPS steps, until block_ends returns true. The first
-- block compiles.
local function train(precision, block_begins, block_ends)
  local model = models.compile("w4", precision, 8)
  local batches = characters():shuffle(60000, { seed = 1 }):repeat_():batch(models.w4.batch):prefetch(4)
  local executions, at = STEPS / models.w4.steps, 0
  model:fit(batches, { steps_per_epoch = 1000000, verbose = 0, callbacks = { {
    on_train_batch_begin = function(self)
      if at % executions == 0 then
        block_begins(self.model)
      end
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

local function measure_training(precision, blocks, path)
  local began, cpu, block, written, save_ms = nil, nil, -1, nil, 0
  train(precision, function(model)
    began, cpu, save_ms = core.clock(), os.clock(), 0
    if block > 0 and block % 2 == 0 then
      written = model:save(path, { background = true })
      save_ms = (core.clock() - began) * 1e3
    end
  end, function()
    local trained, wait_ms = core.clock(), 0
    if written then
      written:wait()
      wait_ms = (core.clock() - trained) * 1e3
    end
    if block > 0 then
      print(('{"block_ms": %.3f, "cpu_ms": %.3f, "saves": %d, "save_ms": %.3f, "wait_ms": %.3f}'):format(
        (core.clock() - began) * 1e3, (os.clock() - cpu) * 1e3, written and 1 or 0, save_ms, wait_ms))
    end
    written, block = nil, block + 1
    return block > blocks
  end)
end

-- ---- alone ---------------------------------------------------------------------------------------------------------

local function measure_files(repeats, path)
  local model
  train("fp32", function() end, function(trained)
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
  measure_training(arg[2], tonumber(arg[3]), arg[4])
else
  measure_files(tonumber(arg[2]), arg[3])
end
os.remove(arg[#arg])
