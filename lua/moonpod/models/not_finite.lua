-- What fit does when the loss becomes NaN or Inf: compile's option on_nan.

local errors = require "moonpod.base.errors"
local programs = require "moonpod.tensor.programs"
local trace = require "moonpod.tensor.trace"
local warnings = require "moonpod.base.warnings"

local not_finite = {}

local CHOICES = { terminate = true, hunt = true }

-- Reads compile's option: nil (go on), "terminate" (stop training) or "hunt" (say which operation made it).
function not_finite.read(options)
  local choice = options.on_nan
  if choice ~= nil and not CHOICES[choice] then
    errors.raise("compile: 'on_nan' must be \"terminate\" or \"hunt\"; got %s", errors.describe(choice))
  end
  return choice
end

-- Runs model:fit with each operation checked, unless that is so already: true and the history, or false.
function not_finite.hunt(model, x, y, options)
  if model._state.on_nan ~= "hunt" or programs.checks_numbers.value then
    return false
  end
  trace.sync()
  return true, programs.checks_numbers:with(true, model.fit, model, x, y, options)
end

-- After an execution that ended with batch `batch` (from 0): stops training where the loss is not finite.
function not_finite.check(model, logs, batch)
  local loss = logs.loss
  if loss ~= loss or loss == math.huge or loss == -math.huge then
    model.stop_training = true
    warnings.warn("Batch %d: Invalid loss, terminating training. on_nan = \"hunt\" finds the operation that made it",
      batch)
  end
end

return not_finite
