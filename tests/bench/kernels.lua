-- How near each kernel of a model's training step is to what the machine can do, now and in an older build:
--
--   ./dev bench kernels BEFORE [--seconds N] [NAME...]
--
-- BEFORE is the build folder of another commit, as build/release is. Each model of `./dev bench zoo` (or those named)
-- trains in f32 on two threads, with the time of its instructions counted. The roof of a kernel is the longer of the
-- times of its operations at the peak and of its operands and results through memory. What is written, behind each
-- model: its table in docs/explanation/performance/MACHINE-kernels.md, of the kernels that are farthest above it.

local here, build, before = arg[1], arg[2], arg[3]
package.path = here .. "/?.lua;" .. package.path
local tools = require "tools"
local instructions = require "instructions"
local page = require "zoo_page"
local quote, number_in = tools.quote, tools.number_in

local MOST = 10 -- kernels of a model, now and before

local names, seconds = {}, 3
local at = 4
while arg[at] do
  if arg[at] == "--seconds" then
    at = at + 1
    seconds = tools.whole_number("--seconds", arg[at])
  else
    names[#names + 1] = arg[at]
  end
  at = at + 1
end
if not before then
  tools.fail "give the build folder of another commit: ./dev bench kernels ../older/build/release"
end
if #names == 0 then
  for i, row in ipairs(page.ROWS) do
    names[i] = row[1]
  end
end

local peak = tools.capture(quote(build .. "/tests/bench_peak") .. " 2")
local flops, memory = number_in(peak, "f32_gflops"), number_in(peak, "memory_gb_per_s")

-- The step of a model by a build: its milliseconds, and by their names its kernels with milliseconds, the share of
-- their roof and how far they are above it.
local function measure(name, of)
  local text = tools.capture(("env -u LUA_PATH -u LUA_CPATH %s %s %s fp32 1 %d times"):format(quote(of .. "/moonpod"),
    quote(here .. "/workloads.lua"), name, seconds))
  local rows = instructions.read(text)
  local step = { ms = number_in(text, "step_ms"), least = number_in(text, "least_mb"), kernels = {}, list = {},
    bytes = 0, roof = 0 }
  for _, row in ipairs(instructions.join(rows, 0)) do
    local roof = math.max(row.operations / flops, row.bytes / memory) / 1e6
    local ms = row.nanoseconds / 2e6 -- of both threads
    step.bytes, step.roof = step.bytes + row.bytes / 1e6, step.roof + roof
    local kernel = { label = row.label, ms = ms, above = ms - roof, of_roof = roof / ms }
    step.kernels[row.label], step.list[#step.list + 1] = kernel, kernel
  end
  table.sort(step.list, function(a, b)
    return a.above > b.above
  end)
  return step
end

local function cell(kernel)
  if not kernel then
    return " | "
  end
  return ("%.2f | %s"):format(kernel.ms, kernel.of_roof > 0 and ("%.0f %%"):format(100 * kernel.of_roof) or "")
end

local function describe(label, now, old)
  local lines = { ("## %s: %.4g ms a step, %.4g before"):format(label, now.ms, old.ms), "",
    page.wrapped(("All roofs together: %.4g ms, %.0f %% of the step; before %.4g ms, %.0f %%. Kernels read and write "
      .. "%.4g MB, before %.4g; to read and write the weights and what the optimizer keeps takes %.4g."):format(
      now.roof, 100 * now.roof / now.ms, old.roof, 100 * old.roof / old.ms, now.bytes, old.bytes, now.least)), "",
    "| | ms | of its roof | ms before | of its roof |", "| --- | ---: | ---: | ---: | ---: |" }
  local shown = {}
  for _, list in ipairs { now.list, old.list } do
    for i = 1, math.min(MOST, #list) do
      local name = list[i].label
      if not shown[name] then
        shown[name] = true
        lines[#lines + 1] = ("| %s | %s | %s |"):format(name, cell(now.kernels[name]), cell(old.kernels[name]))
      end
    end
  end
  return lines
end

local machine = {}
for _, fact in ipairs(tools.machine(here, build, tools.SEED)) do
  machine[fact[1]] = fact[2]
end
local title = page.cpu(machine.cpu) .. ": kernels"
local commit = machine.commit:match "^%x+" or "unknown"

-- The page with this part in the place of that of the same model.
local function add(lines)
  page.change(here, title, function(old)
    local parts, order = {}, {}
    for part in (old:match "\n## .*" or ""):gsub("\n## ", "\0## "):gmatch "%z([^%z]*)" do
      parts[part:match "## (.-):"] = part:gsub("%s*$", "")
    end
    parts[lines[1]:match "## (.-):"] = table.concat(lines, "\n")
    for _, row in ipairs(page.ROWS) do
      order[#order + 1] = parts[row[2]]
    end
    local facts = ("Written by `./dev bench kernels`: f32, two threads, the kernels that are farthest above their roof "
      .. "at %s, and in a build of an older commit. A roof is the longer of the times of the operations at the peak, "
      .. "%.0f GFLOP/s, and of operands and results through memory, %.0f GB/s. What stays in the caches is faster than "
      .. "that: more than 100 %%. Waiting is that for the other thread."):format(commit, flops, memory)
    return ("# %s\n\n%s\n\n%s\n"):format(title, page.wrapped(facts), table.concat(order, "\n\n"))
  end)
end

for _, name in ipairs(names) do
  local label
  for _, row in ipairs(page.ROWS) do
    label = row[1] == name and row[2] or label
  end
  local lines = describe(label or tools.fail("unknown model '%s'", name), measure(name, build), measure(name, before))
  print(table.concat(lines, "\n"))
  io.stdout:flush()
  add(lines)
end
