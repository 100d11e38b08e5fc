-- The times that a profile gives to ops, held to a witness outside: perf, which samples the process by the CPU's clock.
--
--   ./dev bench witness [--seconds S] [--threads T]
--
-- A program of three kinds of work, whose C functions have names of their own (products, elementwise loops, depthwise
-- convolutions), is profiled while perf samples it. Printed is the share of each kind by the profile, by perf's samples
-- of the same stretch of time, and how far they are apart. Needs perf and its leave to sample (perf_event_paranoid).

local here, build = arg[1], arg[2]
package.path = here .. "/?.lua;" .. package.path
local core = require "moonpod.core"
local pod = require "moonpod"
local tools = require "tools"

local options = { seconds = 4, threads = 1, inner = 0 }
local at = 3
while arg[at] do
  local key = arg[at]:match "^%-%-(%a+)$"
  if not key or options[key] == nil then
    tools.fail("unknown argument '%s'; there are --seconds and --threads", arg[at])
  end
  options[key] = tools.whole_number(arg[at], arg[at + 1])
  at = at + 2
end

-- Kinds of work, by the op stats' names and by those of C functions.
local KINDS = {
  { name = "products", op = { "^product", "^pack", "^combine" },
    symbol = { "tile", "_dot_", "pack_[ab]", "finish", "few" } },
  { name = "loops", op = { "^loop" }, symbol = { "loop", "chain", "block",
    "row", "log", "exp", "sin", "math", "run_", "f32_", "lanes", "step_elements" } },
  { name = "depthwise", op = { "convolution" },
    symbol = { "copy_tile", "sum_tile", "run_band", "run_batch" } },
}

local function kind_of(text, key)
  for i = #KINDS, 1, -1 do
    local kind = KINDS[i]
    for _, pattern in ipairs(kind[key]) do
      if text:find(pattern) then
        return i
      end
    end
  end
  return 0
end

if options.inner > 0 then
  pod.device.context():set_threads(options.threads)
  local step = pod.func(function(a, b, c, d, k)
    for _ = 1, 6 do
      c = (c * 0.5):exp():log():sin()
    end
    return pod.sum(pod.matmul(a, b)), pod.sum(c), pod.sum(pod.nn.depthwise_conv(d, k, { padding = "same" }))
  end)
  local a, b = pod.random.uniform { 512, 512 }, pod.random.uniform { 512, 512 }
  local c, d = pod.random.uniform { 512, 512 }, pod.random.uniform { 8, 56, 56, 64 }
  local k = pod.random.uniform { 3, 3, 64, 1 }
  step(a, b, c, d, k)
  pod.profiler.start()
  local began = core.clock()
  while core.clock() - began < options.seconds do
    step(a, b, c, d, k)
  end
  local ended = core.clock()
  local p = pod.profiler.stop()
  local sums = { [0] = 0, 0, 0, 0 }
  for _, row in ipairs(p.ops) do
    local kind = kind_of(row.op, "op")
    sums[kind] = sums[kind] + row.seconds
  end
  print(("witnessed %.6f %.6f %.6f %.6f %.6f"):format(began, ended, sums[1], sums[2], sums[3]))
  return
end

local data = os.tmpname()
local quote = tools.quote
local text = tools.capture(("perf record -q -k CLOCK_MONOTONIC -e cpu-clock -F 5000 -o %s -- %s %s %s %s --inner 1 "
  .. "--seconds %d --threads %d"):format(quote(data), quote(build .. "/moonpod"), quote(here .. "/witness.lua"),
  quote(here), quote(build), options.seconds, options.threads))
local numbers = {}
for number in text:match("witnessed ([^\n]*)"):gmatch "%S+" do
  numbers[#numbers + 1] = tonumber(number)
end
local samples, all, others = { [0] = 0, 0, 0, 0 }, 0, 0
for line in tools.capture("perf script -F time,ip,sym -i " .. quote(data) .. " 2>/dev/null"):gmatch "[^\n]+" do
  local time, symbol = line:match "^%s*([%d.]+):%s+%x+%s+(.-)%s*$"
  time = tonumber(time)
  if time and time >= numbers[1] and time <= numbers[2] then
    local kind = kind_of(symbol, "symbol")
    samples[kind], all = samples[kind] + 1, all + 1
    if kind == 0 then
      others = others + 1
    end
  end
end
os.remove(data)
local by_profile, by_perf = numbers[3] + numbers[4] + numbers[5], samples[1] + samples[2] + samples[3]
print(("%d samples in %.2f s, %d of them in no kind's functions"):format(all, numbers[2] - numbers[1], others))
for i, kind in ipairs(KINDS) do
  local own, theirs = numbers[2 + i] / by_profile, samples[i] / by_perf
  print(("  %-9s %6.2f %% by the profile, %6.2f %% by perf: %+.1f %%"):format(kind.name, own * 100, theirs * 100,
    (own / theirs - 1) * 100))
end
