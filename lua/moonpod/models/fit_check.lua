-- Under the strategy of a chip, a step of training that surely does not fit the chip's memory is refused while it is
-- traced: no step has run then.

local above = require "moonpod.base.above"
local distribute = require "moonpod.distribute"
local errors = require "moonpod.base.errors"
local planned_memory = require "moonpod.func.planned_memory"
local trace = require "moonpod.tensor.trace"

local fit_check = {}

-- What fit was told: nil or true, or false for no check.
function fit_check.allow(model, given)
  if given ~= nil and type(given) ~= "boolean" then
    errors.raise("fit: 'memory_check' must be true or false; got %s", errors.describe(given))
  end
  model._state.memory_check = given
end

local function chip_of(model)
  if model._state.memory_check == false then
    return nil
  end
  local strategy = model._strategy
  return strategy and strategy.resolver and strategy.resolver.generation
end

local function raise_out_of_memory(model, report)
  local seen = (model._state.traced_steps or {}).train
  local replicas = model._strategy.num_replicas_in_sync
  report._model, report._options, report.kind, report.replicas = model, {}, "train", replicas
  report.batch = math.ceil(seen.specs[1].shape[1] / replicas)
  local ok, remedies = errors.attempt(trace.escape, function()
    return tostring(report:remedies())
  end)
  errors.raise("%s\n\n%s\n\n%s\n\nNo step has run. fit(data, { memory_check = false }) trains on this host all the "
    .. "same.",
    report:text("error", { largest = 5 }), report:text("today", { largest = 3 }),
    ok and remedies or "remedies could not be computed: " .. tostring(remedies))
end

-- Lowers the graph of a core. What cannot be lowered is not known not to fit: it is trained.
local function check(model, chip, graph)
  local ok, report = errors.attempt(above.call, "report", graph,
    { chip = chip, name = model.name .. "_train_step" })
  if not ok then
    return
  end
  planned_memory.note(report)
  if report.verdict == "does_not_fit" then
    raise_out_of_memory(model, report)
  end
  report:close()
end

-- Runs fn(...), which traces a step of training; what one core does is checked on the way.
function fit_check.run(model, fn, ...)
  local chip = chip_of(model)
  if not chip or not trace.is_tracing() then
    return fn(...)
  end
  return distribute.observe_cores(function(graph)
    check(model, chip, graph)
    graph:close()
  end, fn, ...)
end

-- What looks at the trace of a step with one replica, which is the function itself; nil where that need not be.
function fit_check.of_function(model)
  local strategy = model._strategy
  if not strategy or strategy.num_replicas_in_sync > 1 then
    return nil
  end
  return function(graph)
    local chip = chip_of(model)
    if chip then
      check(model, chip, graph)
    end
  end
end

return fit_check
