-- counters - what the CPU counted of each thread, where the system allows it.

local tables = require "moonpod.profiler.tables"

local counters = {}

-- Rows { thread =, cycles =, instructions =, cache_misses =, per_cycle = (instructions), cycles_a_step = } of threads
-- that did anything; none, and a field `note` that says why, where there are no counters.
function counters.new(recording, steps)
  local rows, note = {}, recording.no_counters
  for _, lane in ipairs(recording.lanes) do
    if not note and (lane.cycles or 0) > 0 then
      rows[#rows + 1] = { thread = lane.number > 0 and lane.name .. " " .. lane.number or lane.name,
        cycles = lane.cycles, instructions = lane.cpu_instructions, cache_misses = lane.cache_misses,
        per_cycle = lane.cpu_instructions / lane.cycles, cycles_a_step = steps > 0 and lane.cycles / steps or 0 }
    end
  end
  local spec = { "thread", "cycles scaled", "instructions scaled", "cache_misses scaled: cache misses",
    "per_cycle decimal: instructions a cycle", "cycles_a_step scaled: cycles a step" }
  rows.note = note
  spec.text = note and function()
    return "cycles, instructions and cache misses of the CPU: " .. note
  end
  return tables.new(rows, spec)
end

return counters
