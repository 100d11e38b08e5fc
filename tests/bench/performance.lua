-- Where the time of a training step goes: writes the tables of docs/explanation/performance.md anew.
--
--   performance.lua HERE BUILD [--seconds N] [w1 w2 w3 w4]
--
-- Each workload trains alone, 8 replicas, with the time of its instructions counted (see pod_program_count_time); the
-- machine's peaks are measured before it.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local tools = require "tools"
local instructions = require "instructions"
local text_in = instructions.text_in
local quote, capture, number_in = tools.quote, tools.capture, tools.number_in

local PAGE = here .. "/../../docs/explanation/performance.md"
local BEGIN, END = "<!-- tables -->\n", "<!-- end of tables -->"
local REPLICAS, PRECISIONS = 8, { "bf16", "fp32" }
local SMALLEST_SHARE = 0.015 -- of the step; smaller instructions are added up by their kind

local seconds, names = 5, {}
local at = 3
while arg[at] do
  if arg[at] == "--seconds" then
    at = at + 1
    seconds = tools.whole_number("--seconds", arg[at])
  elseif arg[at]:match "^w[1234]$" then
    names[#names + 1] = arg[at]
  else
    tools.fail("unknown argument '%s'; there are w1, w2, w3, w4 and --seconds N", arg[at])
  end
  at = at + 1
end
if #names == 0 then
  names = { "w1", "w2", "w3", "w4" }
end

-- The table of a workload, and its line in the roofline.
local function measure(name, precision)
  local peak = capture(quote(build .. "/tests/bench_peak") .. " 2")
  local flops = number_in(peak, precision == "bf16" and "bf16_gflops" or "f32_gflops")
  local memory = number_in(peak, "memory_gb_per_s")
  local text = capture(("%s %s %s %s %d %d times"):format(quote(build .. "/moonpod"), quote(here .. "/workloads.lua"),
    name, precision, REPLICAS, seconds))
  local step = number_in(text, "step_ms")
  local rows, sum = instructions.read(text)
  local lines = { ("### %s, %s: %.2f ms a step"):format(name:upper(), precision, step), "",
    "| | instructions | share of the threads' time | GFLOP/s | of the peak | MB read and written |",
    "| --- | ---: | ---: | ---: | ---: | ---: |" }
  local operations, bytes = 0, 0
  for _, row in ipairs(instructions.join(rows, SMALLEST_SHARE * sum)) do
    operations, bytes = operations + row.operations, bytes + row.bytes
    if row.nanoseconds >= 0.002 * sum then
      -- Time is that of both threads, the peak as well.
      local rate = 2 * row.operations / row.nanoseconds
      lines[#lines + 1] = ("| %s | %s | %.1f %% | %s | %s | %s |"):format(row.label,
        row.bytes > 0 and tostring(row.count) or "", 100 * row.nanoseconds / sum,
        row.operations > 0 and ("%.0f"):format(rate) or "",
        row.operations > 0 and ("%.0f %%"):format(100 * rate / flops) or "",
        row.bytes > 0 and ("%.1f"):format(row.bytes / 1e6) or "")
    end
  end
  lines[#lines + 1] = ""
  local at_peak, at_bandwidth = operations / flops / 1e6, bytes / memory / 1e6
  local line = ("| %s %s | %.2f | %.2f | %.2f | %.0f %% | %d |"):format(name:upper(), precision, step, at_peak,
    at_bandwidth, 100 * at_peak / step, number_in(text, "peak_rss_mib"))
  return table.concat(lines, "\n"), line, text_in(text, "isa"), flops, memory
end

local tables, roofline, isa, peaks, memory = {}, {}, nil, {}, nil
for _, name in ipairs(names) do
  for _, precision in ipairs(PRECISIONS) do
    local flops
    tables[#tables + 1], roofline[#roofline + 1], isa, flops, memory = measure(name, precision)
    peaks[precision] = flops
    io.stderr:write(roofline[#roofline], "\n")
  end
end
local new = ("Two threads, %s, 8 replicas. Peaks measured beside the last rows: bf16 %.0f and f32 %.0f GFLOP/s, memory "
  .. "%.0f GB/s."
  .. "\n\n| | ms a step | products at the peak, ms | all operands through memory, ms | share of the peak "
  .. "| peak RSS, MiB |\n"
  .. "| --- | ---: | ---: | ---: | ---: | ---: |\n%s\n\n%s\n"):format(isa, peaks.bf16, peaks.fp32, memory,
  table.concat(roofline, "\n"), table.concat(tables, "\n\n"))

local file = assert(io.open(PAGE))
local page = file:read "a"
file:close()
local _, first = page:find(BEGIN, 1, true)
local last = page:find(END, 1, true)
if not (first and last) then
  tools.fail("docs/explanation/performance.md has no lines '%s' and '%s' between which the tables stand",
    BEGIN:sub(1, -2), END)
end
file = assert(io.open(PAGE, "w"))
file:write(page:sub(1, first), "\n", new, "\n", page:sub(last))
file:close()
