-- executions - runs of programs in slices of time, between which a script does other things.
--
-- A variable that such a run writes to is the run's until it ends: whoever reads it or assigns to it meanwhile (see
-- variable.lua and trace_variables.lua) lets the step under way be finished, and the run ends behind it. So scripts see
-- variables between two steps, never within one, and what they assign is there for the next.

local trace = require "moonpod.tensor.trace"

local executions = {}

local Execution = {}
Execution.__index = Execution

-- Begins a run of a program: buffers and options as of program:run(). written, read: arrays of variables.
function executions.begin(program, buffers, options, written, read)
  local self = setmetatable({ handle = program:begin(buffers, options), written = {}, variables = {}, steps = 0 },
    Execution)
  for _, variable in ipairs(written) do
    self.written[variable] = true
    self.variables[#self.variables + 1] = variable
  end
  for _, variable in ipairs(read) do
    variable._exclusive = false -- what is read is not written into by another program
    self.variables[#self.variables + 1] = variable
  end
  for _, variable in ipairs(self.variables) do
    variable._execution = self
  end
  trace.note_change()
  return self
end

-- Gives back what the run held. Keeps its results, or why it failed.
local function close(self, ok, failure)
  local results, report, prints = failure, nil, nil
  if ok then
    ok, results, report, prints = pcall(self.handle.results, self.handle)
  end
  self.handle:close()
  self.outcome = { ok, results, report, prints }
  for _, variable in ipairs(self.variables) do
    if variable._execution == self then
      variable._execution = false
    end
  end
  trace.note_change()
end

-- Goes on for so many nanoseconds (0: to the end). Returns whether it is over.
function Execution:step(nanoseconds)
  if self.outcome or self.busy then
    return self.outcome ~= nil
  end
  self.busy = true
  local ok, over, steps = pcall(self.handle.step, self.handle, nanoseconds)
  self.busy = false
  self.steps = ok and steps or self.steps
  if not ok or over then
    close(self, ok, over)
  end
  return self.outcome ~= nil
end

-- Finishes the step under way and ends the run behind it. Not from within a step, as functions of a dataset are.
function Execution:finish()
  if not self.outcome and not self.busy then
    self.handle:stop()
    self:step(0)
  end
end

-- Gives a run up that is not over; variables are those of its last whole step.
function Execution:abandon()
  if not self.outcome then
    close(self, false, "the run was given up")
  end
end

-- The results, report and prints of a run that is over; or false and why it failed.
function Execution:results()
  local outcome = self.outcome
  return outcome[1], outcome[2], outcome[3], outcome[4]
end

return executions
