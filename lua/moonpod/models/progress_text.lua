-- progress_text - where a run is, as a table and as a line.

local core = require "moonpod.core"
local decimal = require "moonpod.base.decimal"
local log_names = require "moonpod.models.log_names"

local progress_text = {}

local Progress = { __name = "moonpod.progress" }

-- The line: "epoch 2/5, step 30/59, loss: 0.3120 - accuracy: 0.9020, going".
function Progress.__tostring(self)
  local parts = { ("epoch %d/%d"):format(self.epoch, self.epochs),
    self.steps and ("step %d/%d"):format(self.step, self.steps) or ("step %d"):format(self.step) }
  local logs = {}
  for _, name in ipairs(log_names.sorted(self.logs)) do
    local value = self.logs[name]
    if type(value) == "number" then
      logs[#logs + 1] = decimal.format("%s: %.4f", name, value)
    end
  end
  if #logs > 0 then
    parts[#parts + 1] = table.concat(logs, " - ")
  end
  parts[#parts + 1] = self.state
  return table.concat(parts, ", ")
end

-- Where a run is.
function progress_text.table_of(run)
  local training = run._training
  return setmetatable({ state = run.state, epoch = training.epoch + 1, epochs = training.options.epochs or 1,
    step = training.steps, steps = training.list.params.steps, seconds = core.clock() - run._began, logs = run.logs },
    Progress)
end

function progress_text.of(run)
  return tostring(progress_text.table_of(run))
end

return progress_text
