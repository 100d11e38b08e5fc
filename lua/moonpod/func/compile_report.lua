-- compile_report - how many programs were compiled, how long that took, and why functions were traced again.

local decimal = require "moonpod.base.decimal"
local func = require "moonpod.func"
local programs = require "moonpod.tensor.programs"
local tables = require "moonpod.base.tables"

local compile_report = {}

local Report = { __name = "moonpod.compile_report" }

function Report.__tostring(self)
  local lines = { decimal.format("%d programs compiled in %.2f s", self.programs, self.seconds) }
  for _, entry in ipairs(self.functions) do
    lines[#lines + 1] = decimal.format("%s%s: %d traces in %d calls, %.2f s traced, %.2f s compiled", entry.name,
      entry.location and " (" .. entry.location .. ")" or "", #entry.traces, entry.calls, entry.trace_seconds,
      entry.compile_seconds)
    for i, one in ipairs(entry.traces) do
      local bucket = one.bucket
      lines[#lines + 1] = ("  %d. %s: %d runs; %s%s"):format(i, one.signature, one.count, one.cause,
        bucket and ("; bucket of %d: %d rows, %d of padding"):format(bucket.rows, bucket.given, bucket.padding) or "")
    end
  end
  return table.concat(lines, "\n")
end

--- pod.compile_report(): { programs =, seconds =, functions = array of { name =, location =, calls =, traces =,
--- trace_seconds =, compile_seconds = } }. Functions that were never traced are left out. It prints.
---@example type(tostring(pod.compile_report())) --> "string"
function compile_report.make()
  local report = tables.merge({ functions = {} }, programs.compiled)
  for _, one in ipairs(func.list()) do
    if #one.list > 0 then
      local entry = {
        name = one.name, location = one.location, calls = one.calls, traces = one:traces(), trace_seconds = 0,
        compile_seconds = 0,
      }
      for _, traced in ipairs(entry.traces) do
        entry.trace_seconds = entry.trace_seconds + traced.trace_seconds
        entry.compile_seconds = entry.compile_seconds + traced.compile_seconds
      end
      report.functions[#report.functions + 1] = entry
    end
  end
  return setmetatable(report, Report)
end

return compile_report
