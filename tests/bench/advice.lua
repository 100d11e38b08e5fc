-- What advice predicts, and what taking it brings:
--
--   ./dev bench advice [--pairs N] [--case N] [--realtime 0]
--
-- Each program of advice_cases.lua has one planted fault. In a process of its own it is profiled, trained, and trained
-- as the advice says, N times (10) in turn. Printed is how often the fault was named first, and the time of a step (of
-- a row, where the batch changes) with the advice taken over that without: predicted and achieved, the medians. The
-- clean program is only profiled: no advice may be given. Programs that need one CPU are kept on one by taskset. The
-- others are scheduled in real time where that is allowed: a system that has much to do, or whose CPUs are virtual, may
-- keep threads that wait for each other on one CPU, and then nothing is gained by a second one.

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local core = require "moonpod.core"
local cases = require "advice_cases"
local pod = require "moonpod"
local tools = require "tools"

local options = { pairs = 10, case = 0, alone = 0, realtime = 1 }
local at = 3
while arg[at] do
  local key = arg[at]:match "^%-%-(%a+)$"
  if not key or options[key] == nil then
    tools.fail("unknown argument '%s'; there are --pairs, --case and --realtime", arg[at])
  end
  options[key] = tools.whole_number(arg[at], arg[at + 1])
  at = at + 2
end

local pictures = build .. "/bench/advice-pictures.tfrecord"

-- ---- one program, in a process of its own ------------------------------------------------------------------------

-- A training: a function that runs it and returns seconds a step, or a row.
local function training(case, fixed, advice)
  local model, data, given = case.make(fixed, advice, pictures)
  local rows, steps = given.per_row or 1, given.steps_per_epoch
  given.per_row, given.verbose = nil, 0
  return function()
    local began = core.clock()
    model:fit(data, given)
    return (core.clock() - began) / steps / rows
  end
end

local function profiled(run)
  pod.profiler.start()
  run()
  local p = pod.profiler.stop()
  return p.advice
end

local function measure(case)
  pod.device.context():set_threads(case.threads)
  local slow = training(case, false)
  slow()
  local first, predicted, ratios, fast, named = 0, {}, {}, nil, "none"
  for pair = 1, options.pairs do
    local advice = profiled(slow)
    local top = advice[1]
    if top and top.id == case.id then
      first = first + 1
      predicted[#predicted + 1] = top.gain
      named = top.title
    elseif top then
      named = top.id
    end
    for _, one in ipairs(advice) do
      if not fast and one.id == case.id then
        fast = training(case, true, one)
        fast()
      end
    end
    local before = slow()
    ratios[pair] = fast and fast() / before or 0
  end
  table.sort(ratios)
  print(("%d %s %.4f %.4f %.4f %.4f %s"):format(first, case.id, #predicted > 0 and tools.median(predicted) or 1,
    tools.median(ratios), ratios[1], ratios[#ratios], named))
end

local function measure_clean(case)
  pod.device.context():set_threads(case.threads)
  local run = training(case, false)
  run()
  local none, last = 0, "none"
  for _ = 1, options.pairs do
    local advice = profiled(run)
    none = none + (#advice == 0 and 1 or 0)
    last = advice[1] and advice[1].id or last
  end
  print(("%d clean 1 1 1 1 %s"):format(none, last))
end

if options.alone > 0 then
  if cases[options.alone] then
    measure(cases[options.alone])
  else
    measure_clean(cases.clean)
  end
  return
end

-- ---- all of them -------------------------------------------------------------------------------------------------

local quote = tools.quote

local function load_text()
  local file = io.open "/proc/loadavg"
  local text = file and file:read "l":match "^%S+" or "?"
  if file then
    file:close()
  end
  return text
end

local REAL_TIME = "chrt --fifo 1"
local real_time = options.realtime > 0 and tools.capture(REAL_TIME .. " echo yes 2>/dev/null || true"):find "yes"
  and REAL_TIME or ""

tools.capture(("mkdir -p %s && %s %s 8192"):format(quote(build .. "/bench"), quote(build .. "/tests/make_pictures"),
  quote(pictures)))
print(("load of the machine %s%s; %d pairs each; the time of a step with the advice over that without"):format(
  load_text(), real_time ~= "" and "; two CPUs in real time" or "", options.pairs))
print(("%-28s %-20s %-6s %9s %9s  %-13s %s"):format("fault", "advice", "first", "predicted", "achieved", "(range)",
  "as fast again: achieved / predicted"))
for i = 1, #cases + 1 do
  local case = cases[i] or cases.clean
  if options.case == 0 or options.case == i then
    local before = case.cpus == 1 and "taskset -c 1" or real_time
    local line = tools.capture(("%s %s %s %s %s --alone %d --pairs %d"):format(before,
      quote(build .. "/moonpod"), quote(here .. "/advice.lua"), quote(here), quote(build), i, options.pairs))
    local first, id, predicted, achieved, least, most, named = line:match "^(%d+) (%S+) (%S+) (%S+) (%S+) (%S+) (.-)\n"
    predicted, achieved = tonumber(predicted), tonumber(achieved)
    if id == "clean" then
      print(("%-28s no advice in %s of %d (%s)"):format(case.name, first, options.pairs, named))
    else
      print(("%-28s %-20s %2s/%-3d %9.3f %9.3f  %.2f to %.2f  %.2f, saved %.2f  %s"):format(case.name, id, first,
        options.pairs, predicted, achieved, least, most, predicted / achieved, (1 - achieved) / (1 - predicted), named))
    end
  end
end
print("load of the machine at the end: " .. load_text())
